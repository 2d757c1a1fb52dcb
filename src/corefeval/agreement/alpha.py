"""Krippendorff's α for coreference: do annotators give a mention the same entity, more than by chance?

The units are mentions that two annotators or more have marked; the value that an annotator gives one is the set of
mentions of its entity (Passonneau 2004), with the mention itself or without it. With it, two values of a mention are
never quite apart; without it, all mentions that corefer with nothing have the same value, the empty set. Sets differ
more or less: a distance says how much. Disagreement by chance is that of any two values of the same document, for no
annotator has to choose among the entities of another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Booleans, Floats, Ints
from corefeval.agreement.annotators import AlignedAnnotators
from corefeval.agreement.results import Alpha

Distance = Callable[[Ints, Ints, Ints], Floats]
"""From the sizes of the intersection and of two sets, for many pairs of sets at once."""


def measure_passonneau(shared: Ints, one: Ints, other: Ints) -> Floats:
    """Return for pairs of sets, given by sizes: 0 if equal, 1/3 if one is in the other, 2/3 if they overlap, else 1."""
    equal, within = (shared == one) & (shared == other), (shared == one) | (shared == other)
    return np.select([equal, within, shared > 0], [0, 1, 2], 3) / 3


def measure_masi(shared: Ints, one: Ints, other: Ints) -> Floats:
    """Return for pairs of sets 1 - Jaccard's index · 1 (equal), 2/3 (one in the other), 1/3 (overlap), 0 (disjoint)."""
    union = one + other - shared
    jaccard = np.divide(shared, union, out=np.ones(np.shape(union)), where=union != 0)
    return 1 - jaccard * (1 - measure_passonneau(shared, one, other))


DISTANCES: dict[str, Distance] = {"passonneau": measure_passonneau, "masi": measure_masi}


@dataclass(frozen=True, slots=True)
class Annotations:
    """All annotators' marks, one after another: the mention (unit), the annotator and the entity of each."""

    unit: Ints
    annotator: Ints
    entity: Ints  # those of all annotators numbered through
    size: Ints  # of each entity
    document: Ints  # of each entity
    aligned: AlignedAnnotators

    @classmethod
    def from_annotators(cls, aligned: AlignedAnnotators, numbers: Sequence[Ints]) -> Annotations:
        """Return all annotators' marks; numbers: an array for each annotator, the same number for the same mention."""
        corpora = aligned.corpora
        before = np.cumsum([0, *(len(corpus.entity_document) for corpus in corpora)])
        return cls(
            np.unique(np.concatenate(numbers), return_inverse=True)[1].reshape(-1),
            np.repeat(np.arange(len(corpora)), [len(corpus) for corpus in corpora]),
            np.concatenate([corpus.entity + start for corpus, start in zip(corpora, before[:-1], strict=True)]),
            np.concatenate([corpus.sizes for corpus in corpora]),
            np.concatenate([corpus.entity_document for corpus in corpora]),
            aligned,
        )

    @property
    def possible_marks(self) -> Ints:
        """An array: for each mention, how many annotators have its document."""
        annotators = np.zeros(int(self.unit.max(initial=-1)) + 1, dtype=np.int64)
        annotators[self.unit] = self.aligned.present.sum(axis=0)[self.document[self.entity]]
        return annotators


MarkPairs = tuple["Ints", "Ints"]
"""Two marks of one mention, by different annotators, each pair once: the numbers of the ones and of the others."""


def compute_alpha(annotations: Annotations, distance: Distance, *, itself: bool = True) -> Alpha:
    """Return Krippendorff's Alpha (value None if 0 is expected); sets are entities, with their mention if `itself`."""
    pairs = pair_marks(annotations)
    marks = np.bincount(annotations.unit)
    pairable = marks[annotations.unit] > 1
    count = int(np.count_nonzero(pairable))
    if not count:
        return Alpha(None, 0.0, 0.0, 0)
    apart = measure_distances(annotations, pairs, distance, itself=itself)
    # Each of the m(m-1)/2 pairs of a mention with m marks counts for both of its marks, divided by m - 1.
    observed = float((2 * apart / (marks[annotations.unit[pairs[0]]] - 1)).sum()) / count
    expected = _sum_expected_distances(annotations, pairs, pairable, distance, own=0 if itself else 1) / count
    return Alpha(1 - observed / expected if expected else None, observed, expected, int(np.count_nonzero(marks > 1)))


def measure_distances(annotations: Annotations, pairs: MarkPairs, distance: Distance, *, itself: bool = True) -> Floats:
    """Return for every pair of marks the distance of their entities as sets, without their mention unless `itself`."""
    own = 0 if itself else 1
    one, other = (annotations.entity[marks] for marks in pairs)
    # Pairs of marks with the same two entities are the mentions that these share.
    _, place, shared = np.unique(one * len(annotations.size) + other, return_inverse=True, return_counts=True)
    return distance(shared[place.reshape(-1)] - own, annotations.size[one] - own, annotations.size[other] - own)


def pair_marks(annotations: Annotations) -> MarkPairs:
    """Return every two marks of one mention, by different annotators, as two arrays of their numbers."""
    order = np.lexsort((annotations.annotator, annotations.unit))
    unit = annotations.unit[order]
    ones, others = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    # Sorted by mention, marks of one mention stand together: look 1, 2, 3 ... places ahead until nobody has so many.
    for step in range(1, len(order)):
        same = np.flatnonzero(unit[step:] == unit[:-step])
        if not len(same):
            break
        ones.append(order[same])
        others.append(order[same + step])
    return np.concatenate(ones), np.concatenate(others)


def _sum_expected_distances(
    annotations: Annotations, pairs: MarkPairs, pairable: Booleans, distance: Distance, own: int
) -> float:
    """Return one number: each value's (entity's) mean distance from all others of its document, summed over values.

    own: how many members a value lacks of its entity, 1 where the mention itself is left out.
    All values are first taken to be disjoint (or empty), which needs only their number; then values of one entity, and
    of entities that overlap, are corrected.
    """
    size = annotations.size - own
    times = np.bincount(annotations.entity[pairable], minlength=len(size)).astype(np.float64)
    documents = int(annotations.document.max(initial=-1)) + 1

    def sum_by_document(entity: Ints, weights: Floats) -> Floats:
        """Return an array: the sum of weights in each document, given the entity of each weight."""
        return np.bincount(annotations.document[entity], weights=weights, minlength=documents).astype(np.float64)

    every = np.arange(len(size))
    total = sum_by_document(every, times)
    empty = sum_by_document(every, times * (size == 0))
    full = total - empty
    both_empty, one_empty, disjoint = distance(np.zeros(3, np.int64), np.array([0, 0, 1]), np.array([0, 1, 1])).tolist()
    apart = both_empty * empty * (empty - 1) + 2 * one_empty * empty * full + disjoint * full * (full - 1)
    # Two values of one entity share all but the two mentions themselves, if these are left out.
    within = distance(np.maximum(size - own, 0), size, size)
    apart += sum_by_document(every, times * (times - 1) * (within - disjoint))
    one, other = (annotations.entity[marks] for marks in pairs)
    cells, shared = np.unique(one * len(size) + other, return_counts=True)
    one, other = cells // len(size), cells % len(size)
    alone_one, alone_other = times[one] - shared, times[other] - shared
    base = distance(np.zeros_like(shared), size[one], size[other])
    # A value of either entity, by how many shared mentions are left out (if `own`): one, where both are values of the
    # same mention or only one of the two mentions is shared; two different shared ones; none.
    for left_out, count in (
        (own, shared * (1 + alone_one + alone_other)),
        (2 * own, shared * (shared - 1)),
        (0, alone_one * alone_other),
    ):
        overlapping = distance(np.maximum(shared - left_out, 0), size[one], size[other])
        apart += sum_by_document(one, 2 * count * (overlapping - base))
    several = total > 1
    return float((apart[several] / (total[several] - 1)).sum())
