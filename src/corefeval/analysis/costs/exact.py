"""Measures that are sums: what each entity and each mention of a side lacks of its full credit.

A mention in several entities can earn more than its full credit, where a scorer counts what is shared more than once:
a surplus, which lowers what the others of its entity, or of its side, lack, in proportion. Where a whole side has more
than its full credit, its score is above 1, and there is no sum of what is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from corefeval._arrays import Floats
from corefeval.analysis.costs.leave_one_out import normalise_weights
from corefeval.analysis.costs.links import Lack, find_missing_links, find_missing_nonlinks, share_by_claims
from corefeval.analysis.costs.sides import BothSides, MentionSide, view_sides
from corefeval.analysis.subsets import get_rows
from corefeval.measures import Measure
from corefeval.measures.base import COUNTS
from corefeval.measures.blanc import PARTS as LINK_KINDS
from corefeval.overlap import alignment
from corefeval.scoring.results import Evaluation

_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class LossPart:
    """A recall, a precision and their F, of which a measure is made."""

    measure: Any
    weight: float = 1.0  # its share in the measure
    kind: str = ""  # the kind of links that it is of, if the measure has two

    def attribute_loss(self, evaluation: Evaluation) -> list[Floats] | None:
        """Return arrays of costs of key and response entities, then of key and response mentions; None if no sum."""
        counts = evaluation.count(self.measure)
        names = [f"{side}_{self.kind}" for side in ("common", "key", "common", "response")] if self.kind else COUNTS
        fractions = [np.asarray(counts[name], dtype=np.float64).reshape(-1) for name in names]
        rows, both = get_rows(evaluation), view_sides(evaluation, self.measure)
        entities, mentions = [], []
        for corpus, side, lack, above, below, share in zip(
            (rows.key, rows.response),
            both[:2],
            self._find_lacks(both),
            fractions[::2],
            fractions[1::2],
            self._compute_loss_factors(evaluation, fractions),
            strict=True,
        ):
            whole = below - above
            if evaluation.options.average == "micro":
                whole = below.sum(keepdims=True) - above.sum(keepdims=True)
            settled = _settle_surplus(side, lack, whole)
            if settled is None:
                return None
            lacking, lacking_mentions = np.zeros(len(corpus.entity_document)), np.zeros(len(corpus))
            seen = np.bincount(corpus.entity[side.selected], minlength=len(lacking)) > 0
            lacking[seen], lacking_mentions[side.selected] = settled
            entities.append(lacking * share[corpus.entity_document])
            mentions.append(lacking_mentions * share[corpus.document])
        return [*entities, *mentions]

    def _find_lacks(self, both: BothSides) -> tuple[Lack, Lack]:
        """Return for key and for response two arrays: what each entity lacks of its full credit, and each mention."""
        find_links = _FIND_MISSING_LINKS.get(self.kind or self.measure.derivation)
        if find_links is not None:
            return find_links(both)
        find = _FIND_MISSING[self.measure.derivation]
        return find(self.measure, both.key), find(self.measure, both.response)

    def _compute_loss_factors(self, evaluation: Evaluation, fractions: list[Floats]) -> tuple[Floats, Floats]:
        """Return two arrays, for key and response: a factor per document that turns a lack into the measure's loss."""
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
        share = self._compute_weight(evaluation) * (1.0 if micro else normalise_weights(evaluation.weights["f1"]))
        return (
            np.divide(share * of_recall, wanted, out=np.zeros(len(recall)), where=wanted > 0),
            np.divide(share * (1 - of_recall), given, out=np.zeros(len(recall)), where=given > 0),
        )

    def _compute_weight(self, evaluation: Evaluation) -> Floats | float:
        """Return the weight of this part in the measure: a number or, for a kind of links, one for each document."""
        if not self.kind:
            return self.weight
        counts = {name: np.atleast_1d(column) for name, column in evaluation.count(self.measure).items()}
        if evaluation.options.average == "micro":
            counts = {name: np.full(len(column), column.sum()) for name, column in counts.items()}
        (other,) = (kind for kind in LINK_KINDS if kind != self.kind)
        alpha = self.measure.alpha if self.kind == LINK_KINDS[0] else 1 - self.measure.alpha
        alone = np.where(self.measure.find_idle(counts, other), 1.0, alpha)
        return self.weight * np.where(self.measure.find_idle(counts, self.kind), 0.0, alone)


def find_loss_parts(measure: Measure) -> list[LossPart] | None:
    """Return LossParts, the recall-precision pairs that make up a measure; None if their losses do not add up."""
    if not measure.has_plain_derivation:
        return None
    if measure.derivation == "average":
        parts = [find_loss_parts(part) for part in measure.parts]
        if any(found is None for found in parts):
            return None
        return [replace(each, weight=each.weight / len(parts)) for found in parts for each in found or ()]
    if measure.derivation == "links of two kinds":
        return [LossPart(measure, kind=kind) for kind in LINK_KINDS]
    is_sum = measure.derivation in _FIND_MISSING or measure.derivation in _FIND_MISSING_LINKS
    return [LossPart(measure)] if is_sum else None


def _settle_surplus(side: MentionSide, lack: Lack, whole: Floats) -> Lack | None:
    """Return lacks of entities and of mentions, those below 0 set off; None if their sum is not `whole` or below 0."""
    entities, mentions = lack
    document = side.table.key.document if len(whole) > 1 else np.zeros(len(entities), dtype=np.int64)
    close = _CLOSE * (1 + np.abs(entities).sum())
    if (np.abs(np.bincount(document, entities, len(whole)) - whole) > close).any() or (whole < -close).any():
        return None
    if entities.min(initial=0) >= -close and mentions.min(initial=0) >= -close:
        return entities, mentions
    entities = share_by_claims(document, np.maximum(whole, 0), entities)
    return entities, share_by_claims(side.entity, entities, mentions)


def _find_missing_twins(_: Measure, side: MentionSide) -> Lack:
    """Return two arrays, what entities and mentions lack in mention detection: 1 without a twin, shared by repeats."""
    mention, times = np.unique(side.number, return_inverse=True, return_counts=True)[1:]
    mention = mention.reshape(-1)
    found = np.bincount(mention, side.worth > 0) > 0
    return side.sum_by_entity((~found / times)[mention])


def _find_missing_spanning_links(_: Measure, side: MentionSide) -> Lack:
    """Return two arrays: entities lack fragments less one (MUC), mentions 1/size of fragment - 1/size of entity."""
    return side.sum_by_entity(1 / np.maximum(side.fragment, 1) - 1 / side.size)


def _find_missing_credit(_: Measure, side: MentionSide) -> Lack:
    """Return two arrays: mentions lack the share of their entity that they are apart from (B³), entities the sum."""
    return side.sum_by_entity(1 - side.credit / side.size)


def _find_missing_resolution(_: Measure, side: MentionSide) -> Lack:
    """Return two arrays: mentions lack the share of links that is missing (LEA), entities the sum of mentions."""
    several = (side.size - np.maximum(side.fragment, 1)) / np.maximum(side.size - 1, 1)
    return side.sum_by_entity(np.where(side.size > 1, several, side.other_size != 1))


def _find_missing_core(_: Measure, side: MentionSide) -> Lack:
    """Return two arrays: entities lack the mentions beyond their largest part (core), mentions equal shares of that."""
    size = side.table.key.size
    largest = np.maximum(side.table.key_largest, 1)
    return side.share_among_mentions((size - largest).astype(np.float64))


def _find_missing_similarity(measure: Any, side: MentionSide) -> Lack:
    """Return two arrays: entities lack self-similarity less that to the aligned one (CEAF), mentions shares of it."""
    members, size, other = side.members, side.table.key.size, side.table.response.size
    entities = np.array(measure.compare_entities(size, size, size), dtype=np.float64)
    weights = measure.compare_entities(members.worth, size[members.key], other[members.response])
    best = alignment.find_best(members.key, members.response, weights)
    entities[members.key[best]] -= weights[best]
    if measure.derivation != "aligned mentions":
        return side.share_among_mentions(entities)
    partner = np.full(len(size), -2, dtype=np.int64)
    partner[members.key[best]] = members.response[best]
    return entities, share_by_claims(side.entity, entities, 1 - (side.other == partner[side.entity]) * side.worth)


_FIND_MISSING: dict[str, Callable[[Any, MentionSide], Lack]] = {
    "twins": _find_missing_twins,
    "fragments": _find_missing_spanning_links,
    "credits": _find_missing_credit,
    "alignment": _find_missing_similarity,
    "aligned mentions": _find_missing_similarity,
    "aligned entities": _find_missing_similarity,
    "resolution": _find_missing_resolution,
    "cores": _find_missing_core,
}
"""What entities and mentions of one side lack, by the derivation of a measure."""

_FIND_MISSING_LINKS = {
    "links": find_missing_links,
    "coreference": find_missing_links,
    "noncoreference": find_missing_nonlinks,
}
"""The links that entities and mentions of both sides lack, by the derivation of a measure or the kind of links."""
