"""Running sums of fractions and of floating-point numbers: added exactly, and rounded once where they are read.

A term is a whole number and a fraction in limbs of 31 bits, each limb a column of integers with a running sum of its
own. Three limbs leave an error below 2**-93 for each term; where that could change how a sum is rounded, it is computed
with fractions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from corefeval._arrays import Booleans, Floats, Ints

_BITS = 31
_LIMBS = 3
_SCALE = 2.0**_BITS
_SLACK = 2.0**-50  # more than adding three floating-point numbers loses, relative to what is added to the largest


def sum_fractions(numerator: Ints, denominator: Ints, until: Ints, more: Ints | int = 0) -> Floats:
    """Return the sums of the first `until[i]` fractions and `more[i]` for every i, rounded once to the nearest float.

    Denominators are below 2**31, numerators and sums below 2**53. Terms may be negative, not sums.
    """
    limbs, rest = [numerator // denominator], numerator % denominator
    more = np.broadcast_to(more, until.shape)
    for _ in range(_LIMBS):
        rest <<= _BITS
        limbs.append(rest // denominator)
        rest %= denominator
    error = 2.0 * len(numerator) * 2.0 ** (-_BITS * _LIMBS)
    rounded, is_open = _round_sums([np.append(0, np.cumsum(limb))[until] for limb in limbs], more, error)
    for place in np.flatnonzero(is_open).tolist():
        terms = slice(int(until[place]))
        rounded[place] = float(_sum_exactly(numerator[terms], denominator[terms]) + int(more[place]))
    return rounded


def sum_floats(values: Floats, until: Ints) -> Floats:
    """Return the sums of the first `until[i]` values, each 0 or of at least 1 and below 2**53, each rounded once."""
    whole = np.floor(values)
    limbs, rest = [whole.astype(np.int64)], values - whole
    for _ in range(_LIMBS):
        rest = rest * _SCALE
        whole = np.floor(rest)
        limbs.append(whole.astype(np.int64))
        rest = rest - whole
    # A value of 1 and more has no bits below 2**-52: two limbs hold them all.
    return _round_sums([np.append(0, np.cumsum(limb))[until] for limb in limbs], 0, 0.0)[0]


def _round_sums(sums: list[Ints], more: Ints | int, error: float) -> tuple[Floats, Booleans]:
    """Return two columns: sums given in limbs, plus `more`, rounded, and where one larger by `error` may differ."""
    sums[0] = sums[0] + more
    for low in range(_LIMBS, 0, -1):
        sums[low - 1] += sums[low] >> _BITS
        sums[low] &= (1 << _BITS) - 1
    large, *parts = (column.astype(np.float64) * _SCALE**-place for place, column in enumerate(sums))
    # Knuth's sum of two numbers: `total` and what was lost are together exactly the whole number and the first limb.
    total = large + parts[0]
    back = total - large
    lost = (large - (total - back)) + (parts[0] - back)
    small = lost + (parts[1] + parts[2])
    least, most = total + (small - np.abs(small) * _SLACK), total + (small + np.abs(small) * _SLACK + error)
    return total + small, least != most


def _sum_exactly(numerator: Ints, denominator: Ints) -> Fraction:
    """Return the sum of fractions as a Fraction."""
    distinct, place = np.unique(denominator, return_inverse=True)
    summed = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(summed, place, numerator)
    return sum((Fraction(*pair) for pair in zip(summed.tolist(), distinct.tolist(), strict=True)), Fraction(0))
