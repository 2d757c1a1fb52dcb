"""What mentions and entities cost by every measure, as the page shows it.

A document has few different costs, since mentions that two entities share cost the same: each list of costs, one number
for every measure, is written once, and mentions and entities have its number. For every system of a document

    {"lists": [[cost by measure, ...], ...],
     "key": [NUMBER, ...], "own": [NUMBER, ...], "keyEntities": [NUMBER, ...], "ownEntities": [NUMBER, ...]}

NUMBER is 0 for what costs nothing, 1 for the first list. A cost is in millionths of a point, three digits of it. Twins
are one mention and have the number of the key's; `own` has those of the response's other mentions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.analysis.costs import costs
from corefeval.analysis.subsets import get_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.analysis.costs.costs import Costs
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation
    from corefeval.show.pages.documents import PageSide

LEFT_OUT = 20_000
"""Of how many mentions costs are found by leaving out one after another: of more it takes too long for a page."""

_UNITS = 100 * 1_000_000  # millionths of a point
_DIGITS = 3
_LISTED = 10


class CostlyItem(NamedTuple):
    """A mention or an entity that costs much: its words, what it is, where it stands, and its points, written out.

    share: its points in per cent of the list's first.
    """

    words: str
    what: str
    document: int
    name: str
    points: str
    share: float


class MeasureLoss(NamedTuple):
    """What a system loses by a measure and through whom; or why that was not found.

    rest: how many points of the loss are nobody's.
    """

    unknown: str
    exact: bool
    loss: float
    rest: float
    entities: list[CostlyItem]
    mentions: list[CostlyItem]


class CostTable:
    """The costs of one system's mentions and entities, those of all measures in columns."""

    def __init__(self, evaluation: Evaluation, measures: Sequence[Measure], key: PageSide, response: PageSide) -> None:
        self.rows = get_rows(evaluation)
        self.key, self.response = key, response
        found = [_find_costs(evaluation, measure) for measure in measures]
        self.found = [None if isinstance(each, str) else each for each in found]
        self._unknown = [each if isinstance(each, str) else "" for each in found]
        twinless = np.ones(len(self.rows.response), dtype=np.bool_)
        twinless[self.rows.twin_response] = False
        self._mentions = [
            np.stack([self._together(each) for each in self.found], axis=1),
            np.stack([np.where(twinless, _get_column(each, 3, len(twinless)), 0) for each in self.found], axis=1),
        ]
        sizes = [len(corpus.entity_document) for corpus in (self.rows.key, self.rows.response)]
        self._entities = [
            np.stack([_get_column(each, side, size) for each in self.found], axis=1) for side, size in enumerate(sizes)
        ]
        self._written = [round_costs(column) for column in (*self._mentions, *self._entities)]

    def _together(self, found: Costs | None) -> Floats:
        """What the key's mentions cost, with their twins where costs are added up."""
        own = _get_column(found, 2, len(self.rows.key)).copy()
        if found is not None and found.exact:
            np.add.at(own, self.rows.twin_key, found.response_mentions[self.rows.twin_response])
        return own

    def data(self) -> list[dict[str, Any]]:
        """For every measure whether costs add up, to how many points, and how many are nobody's; or what is unknown."""
        return [
            {"unknown": unknown}
            if each is None
            else {"exact": each.exact, "loss": round(100 * each.loss, 4), "rest": round(100 * each.rest, 4)}
            for each, unknown in zip(self.found, self._unknown, strict=True)
        ]

    def record(self, document: int) -> dict[str, Any]:
        """The costs of a document's mentions and entities."""
        sides = (self.key, self.response)
        parts = [each[side.rows(document)] for each, side in zip(self._written[:2], sides, strict=True)]
        parts += [each[side.entities(document)] for each, side in zip(self._written[2:], sides, strict=True)]
        lists, number = np.unique(np.concatenate(parts), axis=0, return_inverse=True)
        # A list of nothing but zeros gets the number 0, be it there or not.
        nothing = ~lists.any(axis=1)
        place = np.cumsum(~nothing) * ~nothing
        numbers = np.split(place[number.reshape(-1)], np.cumsum([len(part) for part in parts])[:-1])
        names = ("key", "own", "keyEntities", "ownEntities")
        return {"lists": lists[~nothing].tolist()} | {
            name: [] if not column.any() else column.tolist() for name, column in zip(names, numbers, strict=True)
        }

    def of_group(self, key: Sequence[int], response: Sequence[int]) -> list[int]:
        """What entities cost together, by every measure."""
        both = self._entities[0][list(key)].sum(axis=0) + self._entities[1][list(response)].sum(axis=0)
        listed: list[int] = round_costs(both).tolist()
        return listed

    def describe_loss(self, place: int, system: int) -> MeasureLoss:
        """The mentions and entities that cost most by a measure."""
        found = self.found[place]
        if found is None:
            return MeasureLoss(self._unknown[place], False, 0, 0, [], [])  # noqa: FBT003 - a column
        return MeasureLoss(
            "",
            found.exact,
            100 * found.loss,
            100 * found.rest,
            list(self._worst(self._entities, place, system, self._entity)),
            list(self._worst(self._mentions, place, system, self._mention)),
        )

    def _worst(self, columns: Sequence[Floats], place: int, system: int, described: Any) -> Iterator[CostlyItem]:
        cost = np.concatenate([column[:, place] for column in columns])
        order = np.argsort(-cost, kind="stable")[:_LISTED]
        listed = [number for number in order.tolist() if cost[number] * _UNITS >= 1]
        written = format_points([100 * float(cost[number]) for number in listed])
        for number, text in zip(listed, written, strict=True):
            at, row = (0, number) if number < len(columns[0]) else (1, number - len(columns[0]))
            words, what, document, mention = described(at, row)
            name = f"{'k' if at == 0 else system}.{mention}"
            yield CostlyItem(words, what, document, name, text, 100 * float(cost[number] / cost[listed[0]]))

    def _entity(self, at: int, entity: int) -> tuple[str, str, int, int]:
        side = (self.key, self.response)[at]
        document, number = int(side.corpus.entity_document[entity]), side.title(entity)
        size = int(np.diff(side.corpus.by_entity[1])[entity])
        what = f"{('key', 'response')[at]} entity, {size:,} mention{'' if size == 1 else 's'}"
        return side.words(int(side.rows(document)[number])), what, document, number

    def _mention(self, at: int, row: int) -> tuple[str, str, int, int]:
        side = (self.key, self.response)[at]
        what = "extra" if at else "found" if (self.rows.twin_key == row).any() else "missing"
        return side.words(row), what, int(side.corpus.document[row]), int(side.number[row])


def _find_costs(evaluation: Evaluation, measure: Measure) -> Costs | str:
    """The costs by a measure, or why they are not found here."""
    rows, table = get_rows(evaluation), evaluation.table
    if not measure.scores_entities:
        return "it is of relations, layers or types, and not of mentions and entities"
    if evaluation.overlaps.splits is not None:
        return "split antecedents are scored, which are no mentions; corefeval errors --worst 20 leaves them out"
    sizes = len(rows.key.entity_document), len(rows.response.entity_document)
    if sizes != (len(table.key.size), len(table.response.size)):
        return "by these decisions, entities are scored that the files have not"
    if len(rows.key) + len(rows.response) <= LEFT_OUT:
        return costs.compute_costs(evaluation, measure)
    return costs.compute_costs_at_once(evaluation, measure) or (
        "the measure is no such sum, and to leave out one mention after another takes long for more than "
        f"{LEFT_OUT:,}; corefeval errors --worst 20 -m {measure} does it"
    )


def _get_column(found: Costs | None, place: int, length: int) -> Floats:
    return np.zeros(length) if found is None else found.columns[place]


def round_costs(cost: Floats) -> Ints:
    """Costs in millionths of a point, with as many digits as are read."""
    units = cost * _UNITS
    size = np.abs(units)
    step = 10.0 ** np.maximum(0, np.floor(np.log10(np.maximum(size, 1))) - (_DIGITS - 1))
    return np.asarray(np.round(units / step) * step, dtype=np.int64)


def format_points(values: Sequence[float]) -> list[str]:
    """Points of one list, with digits enough for the smallest."""
    smallest = min((abs(value) for value in values if value), default=1.0)
    digits = min(6, max(2, 1 - int(np.floor(np.log10(smallest)))))
    return [f"{value:.{digits}f}" for value in values]
