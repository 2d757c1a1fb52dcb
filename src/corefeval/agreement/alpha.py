"""Krippendorff's α for coreference: do annotators give a mention the same entity, more than by chance?

The units are mentions that two annotators or more have marked; the value that an annotator gives one is the set of
mentions of its entity (Passonneau 2004), with the mention itself or without it. With it, two values of a mention are
never quite apart; without it, all mentions that corefer with nothing have the same value, the empty set. Sets differ
more or less: a distance says how much. Disagreement by chance is that of any two values of the same document, for no
annotator has to choose among the entities of another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Booleans, Floats, Ints
    from corefeval.corpus.corpus import Corpus

    Distance = Callable[[Ints, Ints, Ints], Floats]


def _kind(shared: Ints, one: Ints, other: Ints) -> Ints:
    """0 for equal sets, 1 where one holds the other, 2 where they overlap, 3 where they do not."""
    equal, within = (shared == one) & (shared == other), (shared == one) | (shared == other)
    return np.select([equal, within, shared > 0], [0, 1, 2], 3)


def passonneau(shared: Ints, one: Ints, other: Ints) -> Floats:
    """Passonneau 2004: equal sets 0, one within the other 1/3, overlapping 2/3, apart 1."""
    return _kind(shared, one, other) / 3


def masi(shared: Ints, one: Ints, other: Ints) -> Floats:
    """Passonneau 2006: 1 - Jaccard's index times 1, 2/3, 1/3 or 0 for the same four cases."""
    together = one + other - shared
    jaccard = np.divide(shared, together, out=np.ones(np.shape(together)), where=together != 0)
    return 1 - jaccard * (1 - _kind(shared, one, other) / 3)


DISTANCES: dict[str, Distance] = {"passonneau": passonneau, "masi": masi}


class Values(NamedTuple):
    """What all annotators have said: a mention (unit), annotator and entity each; the entities' sizes and documents."""

    unit: Ints
    annotator: Ints
    entity: Ints
    size: Ints
    document: Ints

    @classmethod
    def of(cls, annotators: Sequence[Corpus], numbers: Sequence[Ints]) -> Values:
        """From corpora of the same documents, and numbers that are equal for the same mention."""
        before = np.cumsum([0, *(len(corpus.entity_document) for corpus in annotators)])
        return cls(
            np.unique(np.concatenate(numbers), return_inverse=True)[1].reshape(-1),
            np.repeat(np.arange(len(annotators)), [len(corpus) for corpus in annotators]),
            np.concatenate([corpus.entity + start for corpus, start in zip(annotators, before[:-1], strict=True)]),
            np.concatenate([corpus.sizes for corpus in annotators]),
            np.concatenate([corpus.entity_document for corpus in annotators]),
        )


class Met(NamedTuple):
    """Every two values of one unit, by different annotators, each pair once: the rows."""

    one: Ints
    other: Ints


class Alpha(NamedTuple):
    """α, and the disagreement that was observed and that is expected by chance; None where chance allows none."""

    value: float | None
    observed: float
    expected: float
    units: int


def alpha(values: Values, distance: Distance, *, itself: bool = True) -> Alpha:
    """Krippendorff's α of all annotators; `itself`: whether a mention is a member of the set that is its value."""
    met = pairs(values)
    marks = np.bincount(values.unit)
    pairable = marks[values.unit] > 1
    count = int(np.count_nonzero(pairable))
    units = int(np.count_nonzero(marks > 1))
    if not count:
        return Alpha(None, 0.0, 0.0, 0)
    far = distances(values, met, distance, itself=itself)
    observed = float((2 * far / (marks[values.unit[met.one]] - 1)).sum()) / count
    expected = _expected(values, met, pairable, distance, own=0 if itself else 1) / count
    return Alpha(1 - observed / expected if expected else None, observed, expected, units)


def distances(values: Values, met: Met, distance: Distance, *, itself: bool = True) -> Floats:
    """How far apart the values of every two annotators of a mention are."""
    own = 0 if itself else 1
    one, other = values.entity[met.one], values.entity[met.other]
    _, place, shared = np.unique(one * len(values.size) + other, return_inverse=True, return_counts=True)
    return distance(shared[place.reshape(-1)] - own, values.size[one] - own, values.size[other] - own)


def pairs(values: Values) -> Met:
    """Every two values of one mention, by different annotators."""
    order = np.lexsort((values.annotator, values.unit))
    unit = values.unit[order]
    ones, others = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    step = 1
    while step < len(order):
        same = np.flatnonzero(unit[step:] == unit[:-step])
        if not len(same):
            break
        ones.append(order[same])
        others.append(order[same + step])
        step += 1
    return Met(np.concatenate(ones), np.concatenate(others))


def _expected(values: Values, met: Met, pairable: Booleans, distance: Distance, own: int) -> float:
    """The mean distance of a value from all others of its document, summed over all values.

    Most entities have no mention in common: two values of theirs are apart, or both empty, or one is, and need no look.
    What is left are values of one entity, and of entities that overlap.
    """
    size = values.size - own
    times = np.bincount(values.entity[pairable], minlength=len(size)).astype(np.float64)
    documents = int(values.document.max(initial=-1)) + 1

    def by_document(of: Ints, weights: Floats) -> Floats:
        return np.bincount(values.document[of], weights=weights, minlength=documents).astype(np.float64)

    every = np.arange(len(size))
    total = by_document(every, times)
    empty = by_document(every, times * (size == 0))
    none, one_empty, apart = distance(np.zeros(3, np.int64), np.array([0, 0, 1]), np.array([0, 1, 1])).tolist()
    full = total - empty
    far = none * empty * (empty - 1) + 2 * one_empty * empty * full + apart * full * (full - 1)
    within = distance(np.maximum(size - own, 0), size, size)
    far += by_document(every, times * (times - 1) * (within - apart))
    cells, shared = np.unique(values.entity[met.one] * len(size) + values.entity[met.other], return_counts=True)
    one, other = cells // len(size), cells % len(size)
    not_shared = times[one] - shared, times[other] - shared
    base = distance(np.zeros_like(shared), size[one], size[other])
    for left_out, how_many in (  # members of both entities that are left out, and in how many pairs of values
        (own, shared * (1 + not_shared[0] + not_shared[1])),
        (2 * own, shared * (shared - 1)),
        (0, not_shared[0] * not_shared[1]),
    ):
        there = distance(np.maximum(shared - left_out, 0), size[one], size[other])
        far += by_document(one, 2 * how_many * (there - base))
    several = total > 1
    return float((far[several] / (total[several] - 1)).sum())
