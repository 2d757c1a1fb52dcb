"""Measures that are sums: what each entity and each mention of a side lacks of its full credit, before dividing.

A mention in several entities can earn more than its full credit, where a scorer counts what is shared more than once:
a surplus, which lowers what the others of its entity, or of its side, lack, in proportion. Where a whole side has more
than its full credit, its score is above 1, and there is no sum of what is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.costs import links
from corefeval.analysis.costs.sides import seen
from corefeval.analysis.subsets import rows_of
from corefeval.measures import Bcub, Blanc, Ceaf, Ceafe, Ceafm, Conll, Core, Lea, Mentions, Muc, Pairwise
from corefeval.measures.base import COUNTS, Measure
from corefeval.measures.blanc import PARTS as PARTS_OF_BLANC
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, ByDocument, Floats, Ints
    from corefeval.analysis.costs.sides import Seen, Side
    from corefeval.scoring.results import Evaluation

    Lack = tuple[Floats, Floats]
    """What the entities and the mentions of a side lack."""
    Lacking = Callable[[Seen], tuple[Lack, Lack]]
    """What the key's lack, and the response's."""
    Share = Callable[[Evaluation], Floats | float]

_CLOSE = 1e-9


class Loss(NamedTuple):
    """One side's loss: full credit less credit, by entity and by mention; and the fraction, by document."""

    entities: Floats
    mentions: Floats
    numerator: ByDocument
    denominator: ByDocument


class Part(NamedTuple):
    """A recall, a precision and their F, of which a measure is made; and its share in the measure, by document."""

    measure: Measure
    lacking: Lacking
    share: Share = lambda _: 1.0
    columns: tuple[str, ...] = COUNTS
    undefined: int = 0

    def losses(self, evaluation: Evaluation) -> tuple[Loss, Loss] | None:
        """What the key's entities and mentions lack, and the response's; nothing where a side has a surplus."""
        counts = evaluation.table.count(self.measure)
        fractions = [tuple(counts[name] for name in self.columns[at : at + 2]) for at in (0, 2)]
        rows, there = rows_of(evaluation), seen(evaluation, self.measure)
        found = []
        sides = zip((rows.key, rows.response), there[:2], self.lacking(there), fractions, strict=True)
        for corpus, side, lack, (top, bottom) in sides:
            settled = _settled(side, lack, _whole(evaluation, bottom) - _whole(evaluation, top))
            if settled is None:
                return None
            entities, mentions = np.zeros(len(corpus.entity_document)), np.zeros(len(corpus))
            entities[np.unique(corpus.entity[side.kept])] = settled[0]
            mentions[side.kept] = settled[1]
            found.append(Loss(entities, mentions, top, bottom))
        return found[0], found[1]


def _whole(evaluation: Evaluation, counts: ByDocument) -> Floats:
    """By document where documents are scored by themselves, else of all together."""
    column = np.asarray(counts, dtype=np.float64).reshape(-1)
    return column.sum(keepdims=True) if evaluation.options.average == "micro" else column


def _settled(side: Side, lack: Lack, whole: Floats) -> Lack | None:
    """What entities and mentions lack, with what some have too much taken off what others lack."""
    entities, mentions = lack
    document = side.table.key.document if len(whole) > 1 else np.zeros(len(entities), dtype=np.int64)
    close = _CLOSE * (1 + np.abs(entities).sum())
    if (np.abs(np.bincount(document, entities, len(whole)) - whole) > close).any() or (whole < -close).any():
        return None
    if entities.min(initial=0) >= -close and mentions.min(initial=0) >= -close:
        return entities, mentions
    entities = apportioned(document, np.maximum(whole, 0), entities)
    return entities, apportioned(side.entity, entities, mentions)


def apportioned(group: Ints, total: Array, claims: Array) -> Floats:
    """What each group has in all, to its members in proportion to what they claim, if they claim anything."""
    claim = np.maximum(np.asarray(claims, dtype=np.float64), 0)
    claim = np.where(np.bincount(group, claim, len(total))[group] > 0, claim, 1.0)
    return np.asarray(total[group] * claim / np.bincount(group, claim, len(total))[group], dtype=np.float64)


def _by_mention(mentions: Callable[[Side], Floats]) -> Lacking:
    """Entities lack what their mentions lack."""

    def lack(side: Side) -> Lack:
        found = mentions(side)
        return side.by_entity(found), found

    return lambda there: (lack(there.key), lack(there.response))


def _by_entity(entities: Callable[[Side], Floats]) -> Lacking:
    """All mentions of an entity lack alike."""

    def lack(side: Side) -> Lack:
        found = entities(side)
        return found, side.spread(found)

    return lambda there: (lack(there.key), lack(there.response))


def _muc(side: Side) -> Floats:
    return 1 / np.maximum(side.fragment, 1) - 1 / side.size


def _bcub(side: Side) -> Floats:
    return 1 - side.credit / side.size


def _mentions(side: Side) -> Floats:
    """A mention in several entities is one, and has a twin if it has one in any of them."""
    _, mention, times = np.unique(side.number, return_inverse=True, return_counts=True)
    mention = mention.reshape(-1)
    found = np.bincount(mention, side.worth > 0) > 0
    return (~found / times)[mention]


def _lea(side: Side) -> Floats:
    """The importance of an entity times the share of its links that is missing; a singleton links to itself."""
    size = side.size
    several = (size - np.maximum(side.fragment, 1)) / np.maximum(size - 1, 1)
    return np.where(size > 1, several, side.other_size != 1)


def _core(side: Side) -> Floats:
    largest = np.ones(len(side.table.key.size), dtype=np.int64)
    np.maximum.at(largest, side.table.cell_key, side.table.n)
    return (side.table.key.size - largest).astype(np.float64)


def _ceaf(measure: Ceaf | Ceafm) -> Lacking:
    def lacking(side: Side) -> Lack:
        members, size, other = side.members, side.table.key.size, side.table.response.size
        own = np.asarray(measure.similarity()(size, size, size), dtype=np.float64)
        weights = measure.similarity()(members.n, size[members.key], other[members.response])
        best = alignment.best(members.key, members.response, weights)
        entities = own.copy()
        entities[members.key[best]] -= weights[best]
        if type(measure) is not Ceafm:
            return entities, side.spread(entities)
        partner = np.full(len(size), -2, dtype=np.int64)
        partner[members.key[best]] = members.response[best]
        mentions = 1 - (side.other == partner[side.entity]) * side.worth
        return entities, apportioned(side.entity, entities, mentions)

    return lambda there: (lacking(there.key), lacking(there.response))


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
    kinds = (("coreference", links.together, measure.alpha), ("noncoreference", links.apart, 1 - measure.alpha))
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
        (Muc(undefined=undefined), _by_mention(_muc)),
        (Bcub(undefined=undefined), _by_mention(_bcub)),
        (entities, _ceaf(entities)),
    ]
    return [Part(each, lacking, lambda _: 1 / 3, undefined=undefined) for each, lacking in listed]


PARTS: dict[type[Measure], Callable[[Measure], list[Part] | None]] = {
    Mentions: _one(_by_mention(_mentions)),
    Muc: _one(_by_mention(_muc)),
    Bcub: _one(_by_mention(_bcub)),
    Ceaf: _aligned,
    Ceafm: _aligned,
    Ceafe: _aligned,
    Lea: _one(_by_mention(_lea)),
    Core: _one(_by_entity(_core)),
    Pairwise: _one(links.together),
    Blanc: _blanc,
    Conll: _conll,
}
"""Measures that are sums, and of what."""
