"""Measures that are sums: what each entity and each mention of a side lacks of its full credit, before dividing.

A mention in several entities can earn more than its full credit, where a scorer counts what is shared more than once:
a surplus, which lowers what the others of its entity, or of its side, lack, in proportion. Where a whole side has more
than its full credit, its score is above 1, and there is no sum of what is lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.costs.links import find_missing_links, find_missing_nonlinks, share_out
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows
from corefeval.measures import Blanc, Ceaf, Ceafm, Conll
from corefeval.measures.base import COUNTS, Measure
from corefeval.measures.blanc import PARTS as BLANC_PARTS
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import ByDocument, Floats
    from corefeval.analysis.costs.links import Lack
    from corefeval.analysis.costs.sides import BothSides, MentionSide
    from corefeval.scoring.results import Evaluation

    FindLack = Callable[[BothSides], tuple[Lack, Lack]]
    """Returns what the key's entities and mentions lack, and the response's."""
    FindShare = Callable[[Evaluation], Floats | float]

_CLOSE = 1e-9


class SideLoss(NamedTuple):
    """One side's loss: full credit less credit, by entity and by mention; and the fraction, by document."""

    entities: Floats
    mentions: Floats
    numerator: ByDocument
    denominator: ByDocument


@dataclass(frozen=True, slots=True)
class LossPart:
    """A recall, a precision and their F, of which a measure is made; and its share in the measure, by document."""

    measure: Measure
    find_lack: FindLack
    share: FindShare = lambda _: 1.0
    columns: tuple[str, ...] = COUNTS
    undefined: int = 0

    def find_losses(self, evaluation: Evaluation) -> tuple[SideLoss, SideLoss] | None:
        """Return the losses of the key's entities and mentions, and the response's; None where a side has a surplus."""
        counts = evaluation.count(self.measure)
        fractions = [tuple(counts[name] for name in self.columns[at : at + 2]) for at in (0, 2)]
        rows, both = get_rows(evaluation), view_sides(evaluation, self.measure)
        found = []
        sides = zip((rows.key, rows.response), both[:2], self.find_lack(both), fractions, strict=True)
        for corpus, side, lack, (top, bottom) in sides:
            whole = _sum_documents(evaluation, bottom) - _sum_documents(evaluation, top)
            settled = _settle_surplus(side, lack, whole)
            if settled is None:
                return None
            entities, mentions = np.zeros(len(corpus.entity_document)), np.zeros(len(corpus))
            entities[np.unique(corpus.entity[side.selected])] = settled[0]
            mentions[side.selected] = settled[1]
            found.append(SideLoss(entities, mentions, top, bottom))
        return found[0], found[1]


def find_parts(measure: Measure) -> list[LossPart] | None:
    """Return the parts of which a measure is the sum; None if it is no sum, or its parameters change what is summed."""
    find = PARTS.get(measure.derivation)
    return None if find is None else find(measure)


def _sum_documents(evaluation: Evaluation, counts: ByDocument) -> Floats:
    """Return counts by document where documents' scores are averaged, else their sum."""
    column = np.asarray(counts, dtype=np.float64).reshape(-1)
    return column.sum(keepdims=True) if evaluation.options.average == "micro" else column


def _settle_surplus(side: MentionSide, lack: Lack, whole: Floats) -> Lack | None:
    """Return what entities and mentions lack, less the surplus of others; None unless that adds up to the whole."""
    entities, mentions = lack
    document = side.table.key.document if len(whole) > 1 else np.zeros(len(entities), dtype=np.int64)
    close = _CLOSE * (1 + np.abs(entities).sum())
    if (np.abs(np.bincount(document, entities, len(whole)) - whole) > close).any() or (whole < -close).any():
        return None
    if entities.min(initial=0) >= -close and mentions.min(initial=0) >= -close:
        return entities, mentions
    entities = share_out(document, np.maximum(whole, 0), entities)
    return entities, share_out(side.entity, entities, mentions)


def _attribute_to_mentions(mentions: Callable[[MentionSide], Floats]) -> FindLack:
    """Return a function for both sides; entities lack what their mentions lack."""

    def lack(side: MentionSide) -> Lack:
        found = mentions(side)
        return side.sum_by_entity(found), found

    return lambda both: (lack(both.key), lack(both.response))


def _attribute_to_entities(entities: Callable[[MentionSide], Floats]) -> FindLack:
    """Return a function for both sides; all mentions of an entity lack the same."""

    def lack(side: MentionSide) -> Lack:
        found = entities(side)
        return found, side.share_among_mentions(found)

    return lambda both: (lack(both.key), lack(both.response))


def _lose_by_fragments(side: MentionSide) -> Floats:
    return 1 / np.maximum(side.fragment, 1) - 1 / side.size


def _lose_by_credits(side: MentionSide) -> Floats:
    return 1 - side.credit / side.size


def _lose_by_twins(side: MentionSide) -> Floats:
    """A mention in several entities is one mention, and has a twin if it has one in any of them."""
    _, mention, times = np.unique(side.number, return_inverse=True, return_counts=True)
    mention = mention.reshape(-1)
    found = np.bincount(mention, side.worth > 0) > 0
    return (~found / times)[mention]


def _lose_by_resolution(side: MentionSide) -> Floats:
    """The importance of an entity times the share of its links that is missing; a singleton links to itself."""
    size = side.size
    several = (size - np.maximum(side.fragment, 1)) / np.maximum(size - 1, 1)
    return np.where(size > 1, several, side.other_size != 1)


def _lose_by_cores(side: MentionSide) -> Floats:
    largest = np.ones(len(side.table.key.size), dtype=np.int64)
    np.maximum.at(largest, side.table.cell_key, side.table.n)
    return (side.table.key.size - largest).astype(np.float64)


def _lose_by_alignment(measure: Ceaf | Ceafm) -> FindLack:
    def lack(side: MentionSide) -> Lack:
        members, size, other = side.members, side.table.key.size, side.table.response.size
        own = np.asarray(measure.similarity()(size, size, size), dtype=np.float64)
        weights = measure.similarity()(members.worth, size[members.key], other[members.response])
        best = alignment.best(members.key, members.response, weights)
        entities = own.copy()
        entities[members.key[best]] -= weights[best]
        if type(measure) is not Ceafm:
            return entities, side.share_among_mentions(entities)
        partner = np.full(len(size), -2, dtype=np.int64)
        partner[members.key[best]] = members.response[best]
        mentions = 1 - (side.other == partner[side.entity]) * side.worth
        return entities, share_out(side.entity, entities, mentions)

    return lambda both: (lack(both.key), lack(both.response))


def _is_plain(measure: Measure, *free: str) -> bool:
    """Whether no parameter changes what is summed."""
    free = ("beta", "undefined", *free)
    declared = type(measure).parameters.items()
    return all(getattr(measure, name) == each.default for name, each in declared if name not in free)


def _make_one_part(find_lack: FindLack) -> Callable[[Measure], list[LossPart] | None]:
    return lambda measure: [LossPart(measure, find_lack, undefined=measure.undefined)] if _is_plain(measure) else None


def _make_aligned_part(measure: Measure) -> list[LossPart] | None:
    if not isinstance(measure, Ceaf | Ceafm) or not _is_plain(measure, "phi"):
        return None
    return [LossPart(measure, _lose_by_alignment(measure), undefined=measure.undefined)]


def _make_blanc_parts(measure: Measure) -> list[LossPart] | None:
    if not isinstance(measure, Blanc) or not _is_plain(measure, "alpha", "boundary"):
        return None
    finders = (find_missing_links, find_missing_nonlinks)
    weights = (measure.alpha, 1 - measure.alpha)
    return [
        LossPart(measure, find_lack, _weigh_links(measure, weight, kind), _name_columns(kind))
        for kind, find_lack, weight in zip(BLANC_PARTS, finders, weights, strict=True)
    ]


def _name_columns(part: str) -> tuple[str, ...]:
    return f"common_{part}", f"key_{part}", f"common_{part}", f"response_{part}"


def _weigh_links(measure: Blanc, weight: float, kind: str) -> FindShare:
    """Return the share of one kind of links; at the boundaries one kind counts alone."""

    def share(evaluation: Evaluation) -> Floats:
        counts = {name: np.atleast_1d(column) for name, column in evaluation.count(measure).items()}
        if evaluation.options.average == "micro":
            counts = {name: np.full(len(column), column.sum()) for name, column in counts.items()}
        idle = {part: measure.idle(counts, part) for part in BLANC_PARTS}
        alone = np.any([idle[part] for part in BLANC_PARTS if part != kind], axis=0)
        return np.where(idle[kind], 0.0, np.where(alone, 1.0, weight))

    return share


def _make_average_parts(measure: Measure) -> list[LossPart] | None:
    if not isinstance(measure, Conll) or not _is_plain(measure):
        return None
    found = [find_parts(part) for part in measure.parts]
    weight = 1 / len(found)
    return [replace(each, share=lambda _: weight) for parts in found for each in parts or ()]


PARTS: dict[str, Callable[[Measure], list[LossPart] | None]] = {
    "twins": _make_one_part(_attribute_to_mentions(_lose_by_twins)),
    "fragments": _make_one_part(_attribute_to_mentions(_lose_by_fragments)),
    "credits": _make_one_part(_attribute_to_mentions(_lose_by_credits)),
    "alignment": _make_aligned_part,
    "aligned mentions": _make_aligned_part,
    "aligned entities": _make_aligned_part,
    "resolution": _make_one_part(_attribute_to_mentions(_lose_by_resolution)),
    "cores": _make_one_part(_attribute_to_entities(_lose_by_cores)),
    "links": _make_one_part(find_missing_links),
    "links of two kinds": _make_blanc_parts,
    "average": _make_average_parts,
}
"""By the derivation of a measure."""
