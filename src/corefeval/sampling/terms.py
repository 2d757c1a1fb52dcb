"""What each key entity adds to a measure's numerators and denominators, so that a sample of entities estimates them.

A measure's recall and precision are sums over key entities: recall anyway, and precision because whatever a response
entity of r mentions counts can be shared out among them, a mention of it 1/r of the whole. So the pairs of a response
entity, r (r - 1) / 2, are n (r - 1) / 2 for each key entity that has n of its mentions, and the entity itself is n / r.
Sizes r are those in the whole response; mentions of it that no sampled entity has count as other entities'.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corefeval._arrays import Array, Floats
from corefeval._lazy import NamedTuple
from corefeval.overlap.cells import count_pairs
from corefeval.overlap.overlap import Overlap


class Ratio(NamedTuple):
    """What each key entity adds to a numerator and to a denominator, at most as much to the former as to the latter."""

    numerator: Floats
    denominator: Floats


class Terms(NamedTuple):
    """The terms of a measure's recall and precision."""

    recall: Ratio
    precision: Ratio

    @property
    def has_one_numerator(self) -> bool:
        """Whether recall and precision have the same numerator, such as the common pairs."""
        return self.recall.numerator is self.precision.numerator


def _sum_cells(table: Overlap, values: Array) -> Floats:
    """Return an array: for every key entity, the sum of the values of its cells."""
    sums: Floats = np.bincount(table.cells.key, weights=values, minlength=len(table.key.size)).astype(np.float64)
    return sums


def _list_pairwise(table: Overlap) -> Terms:
    """Return the terms of pairwise scores: pairs of mentions together on both sides, in the key, in the response."""
    common = _sum_cells(table, count_pairs(table.n))
    given = _sum_cells(table, table.n * (table.r - 1) / 2)
    return Terms(Ratio(common, count_pairs(table.key.size).astype(np.float64)), Ratio(common, given))


def _list_exact(table: Overlap) -> Terms:
    """Return the terms of CEAF-φ1: entities that are equal on both sides, over those of the key, of the response."""
    equal = _sum_cells(table, (table.n == table.k) & (table.n == table.r))
    return Terms(Ratio(equal, np.ones(len(equal))), Ratio(equal, _sum_cells(table, table.n / table.r)))


def _list_muc(table: Overlap) -> Terms:
    """Return the terms of MUC: spanning links of the fragments that both sides share, of the key, of the response."""
    common = _sum_cells(table, table.n - 1.0)
    given = _sum_cells(table, table.n * (1 - 1 / table.r))
    return Terms(Ratio(common, (table.key.size - 1).astype(np.float64)), Ratio(common, given))


def _list_bcub(table: Overlap) -> Terms:
    """Return the terms of B³: credits of mentions, over mentions."""
    squares = table.n * table.n
    found, right = _sum_cells(table, squares / table.k), _sum_cells(table, squares / table.r)
    return Terms(_over_mentions(table, found), _over_shared_mentions(table, right))


def _list_lea(table: Overlap) -> Terms:
    """Return the terms of LEA: the resolved share of each entity's links, times its mentions, over mentions."""
    # An entity of s mentions with x of its s (s - 1) ordered links resolved adds s · x / (s (s - 1)) = x / (s - 1); a
    # singleton, whose only link is to itself, adds that link.
    links = table.resolved_links
    found, right = (_sum_cells(table, links / np.maximum(size - 1, 1)) for size in (table.k, table.r))
    return Terms(_over_mentions(table, found), _over_shared_mentions(table, right))


def _over_mentions(table: Overlap, numerator: Floats) -> Ratio:
    """Return a ratio over the mentions of key entities."""
    return Ratio(numerator, table.key.size.astype(np.float64))


def _over_shared_mentions(table: Overlap, numerator: Floats) -> Ratio:
    """Return a ratio over those mentions of key entities that the response has."""
    return Ratio(numerator, table.key_shared.astype(np.float64))


LISTS: dict[str, Callable[[Overlap], Terms]] = {
    "pairwise": _list_pairwise,
    "ceaf:phi=1": _list_exact,
    "muc": _list_muc,
    "bcub": _list_bcub,
    "lea": _list_lea,
}
"""How the terms of each measure, as users write it, are listed: those measures whose counts are sums over entities."""
