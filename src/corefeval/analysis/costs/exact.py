"""Measures that are sums: what each entity and each mention of a side lacks of its full credit.

A mention in several entities can earn more than its full credit, where a scorer counts what is shared more than once:
a surplus, which lowers what the others of its entity, or of its side, lack, in proportion. Where a whole side has more
than its full credit, its score is above 1, and there is no sum of what is lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval.analysis.costs.leave_one_out import normalise_weights
from corefeval.analysis.costs.links import find_missing_links, find_missing_nonlinks, share_out
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows
from corefeval.measures.base import COUNTS
from corefeval.measures.blanc import PARTS as LINK_KINDS
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Floats
    from corefeval.analysis.costs.links import Lack
    from corefeval.analysis.costs.sides import BothSides, MentionSide
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation

_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class LossPart:
    """A recall, a precision and their F, of which a measure is made.

    weight: its share in the measure. kind: the kind of links that it is of, if the measure has two.
    """

    measure: Any
    find_lack: Callable[[Measure, BothSides], tuple[Lack, Lack]]
    weight: float = 1.0
    kind: str = ""

    def attribute(self, evaluation: Evaluation) -> list[Floats] | None:
        """Return the costs of key and response entities, key and response mentions; None where a side has a surplus."""
        counts = evaluation.count(self.measure)
        names = [f"{side}_{self.kind}" for side in ("common", "key", "common", "response")] if self.kind else COUNTS
        fractions = [np.asarray(counts[name], dtype=np.float64).reshape(-1) for name in names]
        rows, both = get_rows(evaluation), view_sides(evaluation, self.measure)
        entities, mentions = [], []
        for corpus, side, lack, above, below, share in zip(
            (rows.key, rows.response),
            both[:2],
            self.find_lack(self.measure, both),
            fractions[::2],
            fractions[1::2],
            self._find_shares(evaluation, fractions),
            strict=True,
        ):
            whole = below - above
            if evaluation.options.average == "micro":
                whole = below.sum(keepdims=True) - above.sum(keepdims=True)
            settled = _settle_surplus(side, lack, whole)
            if settled is None:
                return None
            lacking, lacking_mentions = np.zeros(len(corpus.entity_document)), np.zeros(len(corpus))
            lacking[np.unique(corpus.entity[side.selected])], lacking_mentions[side.selected] = settled
            entities.append(lacking * share[corpus.entity_document])
            mentions.append(lacking_mentions * share[corpus.document])
        return [*entities, *mentions]

    def _find_shares(self, evaluation: Evaluation, fractions: list[Floats]) -> tuple[Floats, Floats]:
        """Return by what a loss in each document's numerator is multiplied: 1 / denominator times its share in F."""
        micro = evaluation.options.average == "micro"
        if micro:
            fractions = [np.full(len(column), column.sum()) for column in fractions]
        found, wanted, right, given = fractions
        undefined = 0 if self.kind else self.measure.undefined
        recall, precision = (
            np.divide(above, below, out=np.full(len(above), float(undefined)), where=below > 0)
            for above, below in ((found, wanted), (right, given))
        )
        square = float(getattr(self.measure, "beta", 1.0)) ** 2
        weighted = square * precision + recall
        nothing = weighted == 0
        # Where neither is above 0, the side that has anything bears it all; if both have, they share it.
        alone = np.where(given == 0, 1.0, np.where(wanted == 0, 0.0, square / (1 + square)))
        of_recall = np.where(nothing, alone, square * precision / np.where(nothing, 1, weighted))
        share = self._weigh(evaluation) * (1.0 if micro else normalise_weights(evaluation.weights["f1"]))
        return (
            np.divide(share * of_recall, wanted, out=np.zeros(len(recall)), where=wanted > 0),
            np.divide(share * (1 - of_recall), given, out=np.zeros(len(recall)), where=given > 0),
        )

    def _weigh(self, evaluation: Evaluation) -> Floats | float:
        """Return the share of this part in the measure, by document; an idle kind of links leaves all to the other."""
        if not self.kind:
            return self.weight
        counts = {name: np.atleast_1d(column) for name, column in evaluation.count(self.measure).items()}
        if evaluation.options.average == "micro":
            counts = {name: np.full(len(column), column.sum()) for name, column in counts.items()}
        (other,) = (kind for kind in LINK_KINDS if kind != self.kind)
        alpha = self.measure.alpha if self.kind == LINK_KINDS[0] else 1 - self.measure.alpha
        alone = np.where(self.measure.idle(counts, other), 1.0, alpha)
        return self.weight * np.where(self.measure.idle(counts, self.kind), 0.0, alone)


def find_parts(measure: Measure) -> list[LossPart] | None:
    """Return the parts of which a measure is the sum; None if it is no sum, or its parameters change what is summed."""
    if not measure.has_plain_derivation:
        return None
    if measure.derivation == "average":
        parts = [find_parts(part) for part in measure.parts]
        if any(found is None for found in parts):
            return None
        return [replace(each, weight=each.weight / len(parts)) for found in parts for each in found or ()]
    if measure.derivation == "links of two kinds":
        finders = (find_missing_links, find_missing_nonlinks)
        return [LossPart(measure, find, kind=kind) for kind, find in zip(LINK_KINDS, finders, strict=True)]
    find_lack = _LACKS.get(measure.derivation)
    return None if find_lack is None else [LossPart(measure, find_lack)]


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


def _find_on_both(find: Callable[[Any, MentionSide], Lack]) -> Callable[[Measure, BothSides], tuple[Lack, Lack]]:
    """Return a function that finds on both sides what `find` finds on one."""
    return lambda measure, both: (find(measure, both.key), find(measure, both.response))


def _find_by_mention(lose: Callable[[MentionSide], Floats]) -> Callable[[Measure, BothSides], tuple[Lack, Lack]]:
    """Return a function for both sides; entities lack what their mentions lose."""

    def find(_: Measure, side: MentionSide) -> Lack:
        mentions = lose(side)
        return side.sum_by_entity(mentions), mentions

    return _find_on_both(find)


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


def _lack_core(_: Measure, side: MentionSide) -> Lack:
    """Return what entities have beyond their largest part; all mentions of an entity lack the same."""
    largest = np.ones(len(side.table.key.size), dtype=np.int64)
    np.maximum.at(largest, side.table.cell_key, side.table.n)
    entities = (side.table.key.size - largest).astype(np.float64)
    return entities, side.share_among_mentions(entities)


def _lack_alignment(measure: Any, side: MentionSide) -> Lack:
    """Return what entities lack of their similarity to themselves; where mentions are counted, each lacks its own."""
    members, size, other = side.members, side.table.key.size, side.table.response.size
    entities = np.array(measure.similarity()(size, size, size), dtype=np.float64)
    weights = measure.similarity()(members.worth, size[members.key], other[members.response])
    best = alignment.best(members.key, members.response, weights)
    entities[members.key[best]] -= weights[best]
    if measure.derivation != "aligned mentions":
        return entities, side.share_among_mentions(entities)
    partner = np.full(len(size), -2, dtype=np.int64)
    partner[members.key[best]] = members.response[best]
    return entities, share_out(side.entity, entities, 1 - (side.other == partner[side.entity]) * side.worth)


_LACKS: dict[str, Callable[[Measure, BothSides], tuple[Lack, Lack]]] = {
    "twins": _find_by_mention(_lose_by_twins),
    "fragments": _find_by_mention(_lose_by_fragments),
    "credits": _find_by_mention(_lose_by_credits),
    "alignment": _find_on_both(_lack_alignment),
    "aligned mentions": _find_on_both(_lack_alignment),
    "aligned entities": _find_on_both(_lack_alignment),
    "resolution": _find_by_mention(_lose_by_resolution),
    "cores": _find_on_both(_lack_core),
    "links": find_missing_links,
}
"""What entities and mentions lack, by the derivation of a measure."""
