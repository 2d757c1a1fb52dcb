"""Krippendorff's α for coreference: do annotators give a mention the same entity, more than by chance?

The units are mentions that two annotators or more have marked; the value that an annotator gives one is the set of
mentions of its entity (Passonneau 2004). Sets differ more or less: a distance says how much. Disagreement by chance is
that of any two values of the same document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval.arrays import Floats, Ints
    from corefeval.corpus import Corpus

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
    return 1 - shared / (one + other - shared) * (1 - _kind(shared, one, other) / 3)


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


class _Met(NamedTuple):
    """Every two values of one unit, by different annotators, each pair once: the rows."""

    one: Ints
    other: Ints


class Alpha(NamedTuple):
    """α, and the disagreement that was observed and that is expected by chance; None where chance allows none."""

    value: float | None
    observed: float
    expected: float
    units: int


def alpha(values: Values, distance: Distance) -> Alpha:
    """Krippendorff's α of all annotators."""
    met = _met(values)
    marks = np.bincount(values.unit)
    pairable = marks[values.unit] > 1
    count = int(np.count_nonzero(pairable))
    units = int(np.count_nonzero(marks > 1))
    if not count:
        return Alpha(None, 0.0, 0.0, 0)
    far = distances(values, met, distance)
    observed = float((2 * far / (marks[values.unit[met.one]] - 1)).sum()) / count
    expected = _expected(values, met, pairable, distance) / count
    return Alpha(1 - observed / expected if expected else None, observed, expected, units)


def distances(values: Values, met: _Met, distance: Distance) -> Floats:
    """How far apart the values of every two annotators of a mention are."""
    one, other = values.entity[met.one], values.entity[met.other]
    _, place, shared = np.unique(one * len(values.size) + other, return_inverse=True, return_counts=True)
    return distance(shared[place.reshape(-1)], values.size[one], values.size[other])


def by_unit(values: Values, distance: Distance) -> tuple[Ints, Floats]:
    """Mentions with two values or more, and how far apart these are on average."""
    met = _met(values)
    units = values.unit[met.one]
    pairs = np.bincount(units, minlength=int(values.unit.max(initial=-1)) + 1)
    total = np.bincount(units, weights=distances(values, met, distance), minlength=len(pairs))
    found = np.flatnonzero(pairs)
    return found, total[found] / pairs[found]


def _met(values: Values) -> _Met:
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
    return _Met(np.concatenate(ones), np.concatenate(others))


def _expected(
    values: Values, met: _Met, pairable: np.ndarray[tuple[int], np.dtype[np.bool_]], distance: Distance
) -> float:
    """The mean distance of two values of a document, for every value, summed: most are apart, and need no look."""
    times = np.bincount(values.entity[pairable], minlength=len(values.size)).astype(np.float64)
    documents = int(values.document.max(initial=-1)) + 1
    all_of = np.bincount(values.document, weights=times, minlength=documents)
    apart = all_of * (all_of - 1) - np.bincount(values.document, weights=times * (times - 1), minlength=documents)
    one, other = values.entity[met.one], values.entity[met.other]
    cells, shared = np.unique(one * len(values.size) + other, return_counts=True)
    one, other = cells // len(values.size), cells % len(values.size)
    nearer = 1 - distance(shared, values.size[one], values.size[other])
    close = np.bincount(values.document[one], weights=2 * times[one] * times[other] * nearer, minlength=documents)
    several = all_of > 1
    return float(((apart - close)[several] / (all_of[several] - 1)).sum())
