"""Measures that are sums: what each entity and each mention of a side lacks of its full credit, before dividing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import alignment
from corefeval.analysis.subsets import rows_of, seen_by
from corefeval.measures import Bcub, Blanc, Ceaf, Ceafe, Ceafm, Conll, Core, Lea, Mentions, Muc, Pairwise
from corefeval.measures.base import COUNTS, Measure
from corefeval.measures.blanc import PARTS as PARTS_OF_BLANC

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval.arrays import Booleans, ByDocument, Floats, Ints
    from corefeval.corpus import Corpus
    from corefeval.overlap import Overlap
    from corefeval.results import Evaluation

    Lacking = Callable[["Side"], tuple[Floats, Floats]]
    """From one side to what its entities and its mentions lack."""
    Share = Callable[[Evaluation], Floats | float]


class Loss(NamedTuple):
    """One side's loss: full credit less credit, by entity and by mention; and the fraction, by document."""

    entities: Floats
    mentions: Floats
    numerator: ByDocument
    denominator: ByDocument


class Side(NamedTuple):
    """One side as its own key: the table, the entity of every mention, and the fragment that it is in.

    fragment: how many mentions of its entity are in the same entity of the other side; 0 for a mention without a twin.
    cell: its cell of the table, -1 without a twin. worth: what it and its twin are worth, 1 unless they overlap only.
    """

    table: Overlap
    entity: Ints
    fragment: Ints
    cell: Ints
    worth: Floats

    @property
    def size(self) -> Ints:
        """The size of every mention's entity."""
        return self.table.key.size[self.entity]

    def by_entity(self, mentions: Floats) -> Floats:
        """Add up over the mentions of each entity."""
        return np.bincount(self.entity, weights=mentions, minlength=len(self.table.key.size)).astype(np.float64)

    def spread(self, entities: Floats) -> Floats:
        """The same to every mention of an entity."""
        return (entities / np.maximum(self.table.key.size, 1))[self.entity]


class Part(NamedTuple):
    """A recall, a precision and their F, of which a measure is made; and its share in the measure, by document."""

    measure: Measure
    lacking: Lacking
    share: Share = lambda _: 1.0
    columns: tuple[str, ...] = COUNTS
    undefined: int = 0

    def losses(self, evaluation: Evaluation) -> tuple[Loss, Loss]:
        """What the key's entities and mentions lack, and the response's."""
        counts = evaluation.table.count(self.measure)
        top, bottom, right, given = (counts[name] for name in self.columns)
        seen, rows = seen_by(evaluation, self.measure), rows_of(evaluation)
        ours, theirs = (
            _placed(corpus, kept, *self.lacking(side))
            for corpus, kept, side in zip(
                (rows.key, rows.response), (seen.key, seen.response), sides(seen.evaluation), strict=True
            )
        )
        return Loss(*ours, top, bottom), Loss(*theirs, right, given)


def _placed(corpus: Corpus, kept: Booleans, entities: Floats, mentions: Floats) -> tuple[Floats, Floats]:
    """What some of the mentions of a side and their entities lack, in the places of all; others lack nothing."""
    if kept.all():
        return entities, mentions
    of_entities, of_mentions = np.zeros(len(corpus.entity_document)), np.zeros(len(corpus))
    of_entities[np.unique(corpus.entity[kept])] = entities
    of_mentions[kept] = mentions
    return of_entities, of_mentions


def sides(evaluation: Evaluation) -> tuple[Side, Side]:
    """The key as seen from the response, and the response as seen from the key."""
    rows, table = rows_of(evaluation), evaluation.table
    width = max(1, len(table.response.size))
    fused = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    cell = np.searchsorted(table.cell_key * width + table.cell_response, fused)
    found = []
    for corpus, twins, seen in ((rows.key, rows.twin_key, table), (rows.response, rows.twin_response, table.mirror)):
        cells = np.full(len(corpus), -1, dtype=np.int64)
        cells[twins] = cell
        fragment = np.where(cells >= 0, np.append(table.n, 0)[cells], 0)
        worth = np.zeros(len(corpus))
        worth[twins] = 1.0 if rows.credit is None else rows.credit
        found.append(Side(seen, corpus.entity, fragment, cells, worth))
    return found[0], found[1]


def _muc(side: Side) -> tuple[Floats, Floats]:
    mentions = 1 / np.maximum(side.fragment, 1) - 1 / side.size
    return side.by_entity(mentions), mentions


def _bcub(side: Side) -> tuple[Floats, Floats]:
    mentions = 1 - side.fragment / side.size
    return side.by_entity(mentions), mentions


def _mentions(side: Side) -> tuple[Floats, Floats]:
    mentions = (side.cell < 0).astype(np.float64)
    return side.by_entity(mentions), mentions


def _pairwise(side: Side) -> tuple[Floats, Floats]:
    mentions = (side.size - np.maximum(side.fragment, 1)) / 2
    return side.by_entity(mentions), mentions


def _apart(side: Side) -> tuple[Floats, Floats]:
    """Pairs of one side that are kept apart, and are not (or not both) in the other side's: half to each end."""
    table = side.table
    document = table.key.document[side.entity]
    all_mentions, shared = (np.asarray(column).reshape(-1)[document] for column in (table.key.mentions, table.shared))
    own = all_mentions - side.size
    cell = np.maximum(side.cell, 0)
    here, there = (
        np.append(column, 0)[np.append(cells, -1)[cell]]
        for column, cells in ((table.key_shared, table.cell_key), (table.response_shared, table.cell_response))
    )
    right = np.where(side.cell >= 0, shared - here - there + side.fragment, 0)
    mentions = (own - right) / 2
    return side.by_entity(mentions), mentions


def _lea(side: Side) -> tuple[Floats, Floats]:
    """The importance of an entity times the share of its links that is missing; a singleton links to itself."""
    size = side.size
    same = np.append(side.table.r, 0)[side.cell] == 1
    several = (size - np.maximum(side.fragment, 1)) / np.maximum(size - 1, 1)
    alone = 1.0 - ((side.cell >= 0) & same)
    mentions = np.where(size > 1, several, alone)
    return side.by_entity(mentions), mentions


def _core(side: Side) -> tuple[Floats, Floats]:
    largest = np.ones(len(side.table.key.size), dtype=np.int64)
    np.maximum.at(largest, side.table.cell_key, side.table.n)
    entities = (side.table.key.size - largest).astype(np.float64)
    return entities, side.spread(entities)


def _ceaf(measure: Ceaf | Ceafm) -> Lacking:
    def lacking(side: Side) -> tuple[Floats, Floats]:
        members, size, other = side.table.members, side.table.key.size, side.table.response.size
        own = np.asarray(measure.similarity()(size, size, size), dtype=np.float64)
        weights = measure.similarity()(members.n, size[members.key], other[members.response])
        best = alignment.best(members.key, members.response, weights)
        entities = own
        entities[members.key[best]] -= weights[best]
        if isinstance(measure, Ceafm) and not isinstance(measure, Ceafe) and side.table.repeats is None:
            aligned = np.isin(side.cell, _cells(side.table, members.key[best], members.response[best]))
            return entities, 1 - aligned * side.worth
        return entities, side.spread(entities)

    return lacking


def _cells(table: Overlap, key: Ints, response: Ints) -> Ints:
    """The places of these pairs of entities among the table's cells."""
    pairs = zip(table.cell_key.tolist(), table.cell_response.tolist(), strict=True)
    place = {pair: cell for cell, pair in enumerate(pairs)}
    return np.array([place[pair] for pair in zip(key.tolist(), response.tolist(), strict=True)], dtype=np.int64)


def _plain(measure: Measure, *free: str) -> bool:
    """Whether nothing was chosen that changes what is summed."""
    free = ("beta", "undefined", *free)
    declared = type(measure).parameters.items()
    return all(getattr(measure, name) == each.default for name, each in declared if name not in free)


def _one(lacking: Lacking) -> Callable[[Measure], list[Part] | None]:
    return lambda measure: [Part(measure, lacking, undefined=measure.undefined)] if _plain(measure) else None


def _aligned(measure: Measure) -> list[Part] | None:
    assert isinstance(measure, Ceaf | Ceafm)  # noqa: S101 - see `PARTS`
    return [Part(measure, _ceaf(measure), undefined=measure.undefined)] if _plain(measure, "phi") else None


def _blanc(measure: Measure) -> list[Part] | None:
    assert isinstance(measure, Blanc)  # noqa: S101 - see `PARTS`
    if not _plain(measure, "alpha", "boundary"):
        return None
    kinds = (("coreference", _pairwise, measure.alpha), ("noncoreference", _apart, 1 - measure.alpha))
    return [
        Part(measure, lacking, _blanc_share(measure, weight, kind), _links(kind)) for kind, lacking, weight in kinds
    ]


def _links(part: str) -> tuple[str, ...]:
    return f"common_{part}", f"key_{part}", f"common_{part}", f"response_{part}"


def _blanc_share(measure: Blanc, weight: float, kind: str) -> Share:
    """At the boundaries one kind of links counts alone."""

    def share(evaluation: Evaluation) -> Floats:
        counts = {name: np.atleast_1d(column) for name, column in evaluation.table.count(measure).items()}
        if evaluation.options.average == "micro":
            counts = {name: np.full(len(column), column.sum()) for name, column in counts.items()}
        idle = {part: measure.idle(counts, part) for part in PARTS_OF_BLANC}
        alone = np.any([idle[part] for part in PARTS_OF_BLANC if part != kind], axis=0)
        return np.where(idle[kind], 0.0, np.where(alone, 1.0, weight))

    return share


def _conll(measure: Measure) -> list[Part] | None:
    if not _plain(measure):
        return None
    undefined = measure.undefined
    entities = Ceafe(undefined=undefined)
    listed: list[tuple[Measure, Lacking]] = [
        (Muc(undefined=undefined), _muc),
        (Bcub(undefined=undefined), _bcub),
        (entities, _ceaf(entities)),
    ]
    return [Part(each, lacking, lambda _: 1 / 3, undefined=undefined) for each, lacking in listed]


PARTS: dict[type[Measure], Callable[[Measure], list[Part] | None]] = {
    Mentions: _one(_mentions),
    Muc: _one(_muc),
    Bcub: _one(_bcub),
    Ceaf: _aligned,
    Ceafm: _aligned,
    Ceafe: _aligned,
    Lea: _one(_lea),
    Core: _one(_core),
    Pairwise: _one(_pairwise),
    Blanc: _blanc,
    Conll: _conll,
}
"""Measures that are sums, and of what."""
