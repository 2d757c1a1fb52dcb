"""What mentions and entities cost by every measure, as the page shows it.

A document has few different costs, since mentions that two entities share cost the same: each list of costs, one number
for every measure, is written once, and mentions and entities have its number. For every system of a document

    {"lists": [[cost by measure, ...], ...],
     "key": [NUMBER, ...], "own": [NUMBER, ...], "keyEntities": [NUMBER, ...], "ownEntities": [NUMBER, ...]}

NUMBER is 0 for what costs nothing, 1 for the first list. A cost is in millionths of a point, three digits of it. Twins
are one mention and have the number of the key's; `own` has those of the response's other mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval.analysis.costs import costs
from corefeval.analysis.costs.costs import Costs
from corefeval.analysis.subsets import get_rows
from corefeval.measures import Measure
from corefeval.scoring.results import Evaluation
from corefeval.show.pages.content.points import count_points

if TYPE_CHECKING:
    from corefeval.show.pages.content.documents import PageSide

LEFT_OUT = 20_000
"""Of how many mentions costs are found by leaving out one after another: of more it takes too long for a page."""

_UNITS = 100 * 1_000_000  # millionths of a point
_DIGITS = 3
_LISTED = 10
_COLUMNS = ("key", "own", "keyEntities", "ownEntities")


class CostTable:
    """The costs of one system's mentions and entities: the arrays of `_COLUMNS`, with a column for every measure."""

    def __init__(self, evaluation: Evaluation, measures: Sequence[Measure], key: PageSide, response: PageSide) -> None:
        self._rows = get_rows(evaluation)
        self._sides = (key, response)
        self._costs = [_find_costs(evaluation, measure) for measure in measures]
        by_measure = [self._list_columns(each) for each in self._costs]
        self._columns = [np.stack(columns, axis=1) for columns in zip(*by_measure, strict=True)]
        self._written = [round_costs(column) for column in self._columns]

    def _list_columns(self, found: Costs | str) -> list[Floats]:
        """Return four arrays for one measure, those of `_COLUMNS`: costs, or zeros where they are unknown."""
        rows = self._rows
        if isinstance(found, str):
            corpora = rows.key, rows.response
            lengths = [*map(len, corpora), *(len(corpus.entity_document) for corpus in corpora)]
            return [np.zeros(length) for length in lengths]
        return [*costs.combine_twins(rows, found), found.key_entities, found.response_entities]

    def list_losses(self) -> list[dict[str, Any]]:
        """Return a list: for every measure {exact, loss, rest} in points, or {unknown: why there are no costs}."""
        return [
            {"unknown": each}
            if isinstance(each, str)
            else {"exact": each.exact, "loss": count_points(each.loss), "rest": count_points(each.rest)}
            for each in self._costs
        ]

    def build_record(self, document: int) -> dict[str, Any]:
        """Return {"lists": a document's lists of costs} and, for each of `_COLUMNS`, the number of each item's list."""
        places = [side.list_rows(document) for side in self._sides] + [
            side.find_entities(document) for side in self._sides
        ]
        parts = [column[place] for column, place in zip(self._written, places, strict=True)]
        lists, number = _number_lists(np.concatenate(parts))
        # A list of nothing but zeros gets the number 0, be it there or not.
        nothing = ~lists.any(axis=1)
        place = np.cumsum(~nothing) * ~nothing
        numbers = np.split(place[number], np.cumsum([len(part) for part in parts])[:-1])
        return {"lists": lists[~nothing].tolist()} | {
            name: column.tolist() if column.any() else [] for name, column in zip(_COLUMNS, numbers, strict=True)
        }

    @property
    def known(self) -> list[bool]:
        """For every measure, whether its costs are known."""
        return [not isinstance(each, str) for each in self._costs]

    def sum_costs(self, key: Sequence[Sequence[int]], response: Sequence[Sequence[int]]) -> list[list[int] | None]:
        """Return for every measure what sets of mentions cost, given by their rows on each side; None if unknown."""
        ours, theirs = _MentionSets(key), _MentionSets(response)
        return [
            None
            if isinstance(each, str)
            else round_costs(ours.sum_costs(each.key_mentions) + theirs.sum_costs(each.response_mentions)).tolist()
            for each in self._costs
        ]

    def get_entity_costs(self) -> Ints:
        """Return an array with a row for each key entity, then each response entity: its cost by every measure."""
        return np.concatenate(self._written[2:])

    def list_costliest(self, measure: int) -> dict[str, list[dict[str, Any]]]:
        """Return {"entities": [...], "mentions": [...]}: up to ten that cost most by the measure at a place."""
        columns = [column[:, measure] for column in self._columns]
        return {
            "entities": list(_list_costliest(columns[2:], self._find_entity_facts)),
            "mentions": list(_list_costliest(columns[:2], self._find_mention_facts)),
        }

    def _find_entity_facts(self, side: int, entity: int) -> dict[str, Any]:
        """Return {words, size, document, mention} of an entity: its title, and where that stands."""
        page_side = self._sides[side]
        document, number = int(page_side.corpus.entity_document[entity]), int(page_side.titles[entity])
        words = page_side.get_words(int(page_side.list_rows(document)[number]))
        return {
            "words": words, "size": int(page_side.corpus.sizes[entity]), "document": document, "mention": number,
        }  # fmt: skip

    def _find_mention_facts(self, side: int, row: int) -> dict[str, Any]:
        """Return {words, found, document, mention} of a mention; found: whether both sides have it."""
        page_side = self._sides[side]
        return {
            "words": page_side.get_words(row),
            "found": side == 0 and bool((self._rows.twin_key == row).any()),
            "document": int(page_side.corpus.document[row]),
            "mention": int(page_side.number[row]),
        }


def _list_costliest(
    columns: Sequence[Floats], describe: Callable[[int, int], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield up to ten items, the costliest first, from two columns of costs: the key's and the response's."""
    cost = np.concatenate(columns)
    for number in _find_greatest(cost, _LISTED).tolist():
        if cost[number] * _UNITS >= 1:
            side, row = (0, number) if number < len(columns[0]) else (1, number - len(columns[0]))
            yield {"side": ("key", "response")[side], "cost": count_millionths(float(cost[number]))} | describe(
                side, row
            )


def _find_greatest(values: Floats, most: int) -> Ints:
    """Return the places of the greatest values, in their order; of equal ones, the first come first."""
    if len(values) > most:
        least = np.partition(values, len(values) - most)[len(values) - most]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.argsort(-values[places], kind="stable")][:most]


class _MentionSets:
    """Sets of mentions, each given by their rows on one side."""

    def __init__(self, sets: Sequence[Sequence[int]]) -> None:
        self._count = len(sets)
        self._owner = np.repeat(np.arange(len(sets)), list(map(len, sets)))
        self._rows = np.fromiter(chain.from_iterable(sets), dtype=np.int64, count=len(self._owner))

    def sum_costs(self, cost: Floats) -> Floats:
        """Return an array: for each set the sum of its mentions' costs."""
        sums = np.bincount(self._owner, weights=cost[self._rows], minlength=self._count)
        return np.asarray(sums, dtype=np.float64)


def _number_lists(lists: Ints) -> tuple[Ints, Ints]:
    """Return the different rows of an array, sorted, and for each row which of them it is."""
    order = np.lexsort(lists.T[::-1])
    ordered = lists[order]
    is_new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))[: len(lists)]
    number = np.empty(len(lists), dtype=np.int64)
    number[order] = np.cumsum(is_new) - 1
    return ordered[is_new], number


def _find_costs(evaluation: Evaluation, measure: Measure) -> Costs | str:
    """Return the Costs by a measure or, as text, why they are not computed for a page."""
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
    return costs.compute_costs_without_rescoring(evaluation, measure) or (
        "the measure is no such sum, and to leave out one mention after another takes long for more than "
        f"{LEFT_OUT:,}; corefeval errors --worst 20 -m {measure} does it"
    )


def round_costs(cost: Floats) -> Ints:
    """Return an array of costs as whole millionths of a point, rounded to three digits."""
    units = cost * _UNITS
    size = np.abs(units)
    step = 10.0 ** np.maximum(0, np.floor(np.log10(np.maximum(size, 1))) - (_DIGITS - 1))
    return np.asarray(np.round(units / step) * step, dtype=np.int64)


def count_millionths(cost: float) -> int:
    """Return a cost as a whole number of millionths of a point, rounded to three digits."""
    return int(round_costs(np.array([cost]))[0])
