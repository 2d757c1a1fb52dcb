"""Sums by document that do not depend on the order of their terms.

Integers are added as integers. Floating-point terms are added exactly and rounded once, like `math.fsum`, so a score is
the same to the last bit whatever the order of entities and mentions, and however a corpus was split among workers.
Quotients of integers are added as fractions: over one denominator, and with one division at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from operator import mul

from corefeval._arrays import Array, Booleans, ByDocument, Floats, Ints, Number, np

_LIMB = 25  # bits; four limbs below the point hold every bit of a double that is not smaller than 2**-47
_LIMBS = 4
_FEW = 128  # terms up to which Python adds more quickly than NumPy
_VERY_FEW = 24  # fractions up to which it does
_WHOLE = "iubO"  # kinds of arrays of integers; O: of Python's, which are of any size
_DENSE = 8  # denominators up to so many times their count are cheaper looked up in a table than sorted
_SAFE = 2.0**62
_EXACT = 1 << 53  # below it a double is every integer
_FEWEST_BITS = 34  # of a digit behind the point: two have more than a double
_SMALL = 20  # denominators up to this one have a common multiple of 28 bits
_MULTIPLE = math.lcm(*range(1, _SMALL + 1))


def choose_adder(values: Array) -> Callable[[list[Number]], Number]:
    """Return `sum` for an array of integers, `math.fsum` for one of floats; both add up lists exactly."""
    return sum if values.dtype.kind in _WHOLE else math.fsum


def sum_all(values: Array) -> Number:
    """Return the exact sum of all values as a plain number."""
    if len(values) <= _FEW:
        return choose_adder(values)(values.tolist())
    return sum_by_segment(values, np.array([0, len(values)])).item()


def sum_quotients(numerators: Array, denominators: Array) -> float:
    """Return the exact sum of quotients, rounded once; numerators that are no integers are divided one by one first.

    No numerator is negative, and denominators are positive.
    """
    if numerators.dtype.kind not in _WHOLE:
        return float(sum_all(numerators / denominators))
    if len(numerators) <= _VERY_FEW or numerators.dtype == object:  # Python's integers may be larger than NumPy's
        return divide_sum(numerators.tolist(), denominators.tolist())
    if denominators.max() <= _SMALL:
        total = float(numerators.dot(_list_multiples()[denominators]))
        if total < _EXACT:  # and so was every number on the way, as no numerator is negative
            return total / _MULTIPLE
    return divide_sum(*_group_by_denominator(numerators, denominators))


def sum_quotients_by_segment(numerators: Array, denominators: Array, bounds: Ints) -> Floats:
    """Return an array of the sums of quotients of `bounds[d]:bounds[d+1]`, one for every d, as `sum_quotients` does."""
    if numerators.dtype.kind not in _WHOLE:
        return sum_by_segment(numerators / denominators, bounds)
    if len(numerators) <= _FEW or "O" in (numerators.dtype.kind, denominators.dtype.kind):
        return _sum_segments(numerators, denominators, bounds[:-1], bounds[1:])
    sums, is_sure = _sum_digits(numerators, denominators, bounds)
    left = np.flatnonzero(~is_sure)
    if len(left):
        sums[left] = _sum_segments(numerators, denominators, bounds[left], bounds[left + 1])
    return sums


@cache
def _list_multiples() -> Floats:
    """Return an array: for each small denominator d, by which number 1/d is multiplied to have the common multiple."""
    return np.array([0, *(_MULTIPLE // denominator for denominator in range(1, _SMALL + 1))], dtype=np.float64)


def _sum_segments(numerators: Array, denominators: Array, begin: Ints, end: Ints) -> Floats:
    """Return the sums of quotients of all `begin[d]:end[d]`, added one by one as fractions."""
    tops, bottoms = numerators.tolist(), denominators.tolist()
    places = zip(begin.tolist(), end.tolist(), strict=True)
    return np.array([divide_sum(tops[a:b], bottoms[a:b]) for a, b in places], dtype=np.float64)


def _sum_digits(numerators: Array, denominators: Array, bounds: Ints) -> tuple[Floats, Booleans]:
    """Return the sums of quotients of each segment, and for which of them it is sure that they are rounded rightly.

    Every quotient is written with two digits of many bits behind the point, and digits are added up as integers. What
    they leave off makes a sum smaller by less than one of its last digit for each quotient: it is sure where the least
    and the largest that the sum can be are rounded to the same number.
    """
    segments = len(bounds) - 1
    tops, bottoms, segment = _add_equal_denominators(numerators, denominators, bounds)
    ends = np.searchsorted(segment, np.arange(segments + 1))
    bits = min(52, 62 - max(int(bottoms.max(initial=1)).bit_length(), len(tops).bit_length()))
    whole, rest = np.divmod(tops, bottoms)
    if bits < _FEWEST_BITS or float(np.abs(whole).max(initial=0)) * len(whole) >= _EXACT:
        return np.zeros(segments), np.zeros(segments, dtype=np.bool_)
    first, rest = np.divmod(rest << bits, bottoms)
    second, rest = np.divmod(rest << bits, bottoms)
    sums, high, low, cut = (_sum_integers(each, ends) for each in (whole, first, second, rest > 0))
    high += low >> bits
    sums += high >> bits
    one = 1 << bits
    a, b, c = sums.astype(np.float64), (high & (one - 1)) / one, (low & (one - 1)) / one / one
    total = a + b
    error = b - (total - a)  # of this addition, which is exact, as the whole part is no smaller than the other or is 0
    least = total + np.nextafter(error + c, -np.inf)
    most = total + np.nextafter(error + (c + cut / one / one), np.inf)
    return least, least == most


def _add_equal_denominators(numerators: Array, denominators: Array, bounds: Ints) -> tuple[Ints, Ints, Ints]:
    """Return three columns, ordered by segment: numerators, denominators, and segments of what is to be divided.

    Quotients with one denominator in a segment are one, their numerators added, where that is cheap; 0 is left out.
    """
    segment = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    width = int(denominators.max()) + 1
    is_exact = float(np.abs(numerators).max()) * len(numerators) < _EXACT
    if is_exact and (len(bounds) - 1) * width <= _DENSE * len(numerators):
        sums = np.bincount(segment * width + denominators, weights=numerators)
        found = np.flatnonzero(sums)
        segment, denominator = np.divmod(found, width)
        return sums[found].astype(np.int64), denominator, segment
    some = np.flatnonzero(numerators)
    return numerators[some].astype(np.int64), denominators[some].astype(np.int64), segment[some]


def _group_by_denominator(numerators: Array, denominators: Array) -> tuple[list[int], list[int]]:
    """Return two lists: for each distinct denominator the exact sum of its numerators, and the denominators."""
    if denominators.max() < _DENSE * len(denominators):
        sums = np.bincount(denominators, weights=numerators)
        if sums.max() < _EXACT:  # and so was every number on the way, as no numerator is negative
            distinct = sums.nonzero()[0]
            return sums[distinct].astype(np.int64).tolist(), distinct.tolist()
    order = np.argsort(denominators, kind="stable")
    ordered = denominators[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    tops = numerators[order].astype(np.int64)
    if float(np.abs(tops).max()) * len(tops) < _SAFE:
        return np.add.reduceat(tops, starts).tolist(), ordered[starts].tolist()
    parts = np.split(tops.astype(object), starts[1:])
    return [int(part.sum()) for part in parts], ordered[starts].tolist()


def divide_sum(numerators: Sequence[int], denominators: Sequence[int]) -> float:
    """Return the exact sum of fractions, rounded once; 0.0 for none."""
    common = math.lcm(*denominators)
    return sum(map(mul, numerators, map(common.__floordiv__, denominators))) / common


def sum_by_segment(values: Array, bounds: Ints) -> Array:
    """Return an array of the exact sums of `values[bounds[d]:bounds[d+1]]`, one for every d."""
    add = choose_adder(values)
    if len(values) <= _FEW:
        return np.array(_sum_few(values.tolist(), bounds, add), dtype=np.int64 if add is sum else np.float64)
    if add is sum:
        return _sum_integers(values, bounds)
    return _sum_floats(values, bounds) if len(bounds) <= _FEW else _sum_many_segments(values, bounds)


def _sum_few(terms: list[Number], bounds: Ints, add: Callable[[list[Number]], Number]) -> list[Number]:
    """Return a list of the sums of each segment of a short list, by the function `add`."""
    return [add(terms[a:b]) for a, b in pairwise(bounds.tolist())]


def _sum_integers(values: Array, bounds: Ints) -> Ints:
    """Return an array of the sums of each segment of an array of integers."""
    if len(bounds) == 2:
        return np.add.reduce(values, dtype=np.int64, keepdims=True)
    running = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, dtype=np.int64, out=running[1:])
    return running[bounds[1:]] - running[bounds[:-1]]


def _sum_many_segments(values: Array, bounds: Ints) -> Floats:
    """Return an array of the sums of each segment of floats, exact and rounded once; quick for many short segments."""
    starts, lengths = bounds[:-1], np.diff(bounds)
    sums = np.zeros(len(lengths))
    # One addition of two terms is rounded once anyway.
    for length in (1, 2):
        at = (lengths >= length) & (lengths <= 2)
        sums[at] += values[starts[at] + length - 1]
    is_long = lengths > 2
    if is_long.any():
        terms = values[bounds[0] : bounds[-1]][np.repeat(is_long, lengths)]
        sums[is_long] = _sum_floats(terms, np.append(0, np.cumsum(lengths[is_long])))
    return sums


def _sum_floats(values: Array, bounds: Ints) -> Floats:
    """Return an array of the sums of each segment of floats, exact and rounded once, by way of integers."""
    sizes = np.abs(values)
    if not (sizes.max() < 2.0**31 and sizes.min(where=sizes > 0, initial=1.0) > 2.0**-47):
        return np.array(_sum_few(values.tolist(), bounds, math.fsum), dtype=np.float64)
    rest = values.astype(np.float64)
    whole = np.floor(rest)
    sums = [_sum_integers(whole.astype(np.int64), bounds).tolist()]
    rest -= whole
    for _ in range(_LIMBS):
        rest *= 2.0**_LIMB
        whole = np.floor(rest)
        sums.append(_sum_integers(whole.astype(np.int64), bounds).tolist())
        rest -= whole
    scale = 1 << (_LIMB * _LIMBS)
    joined = []
    for limbs in zip(*sums, strict=True):
        total = 0
        for limb in limbs:
            total = (total << _LIMB) + limb
        joined.append(total / scale)
    return np.array(joined, dtype=np.float64)


def sum_documents(column: ByDocument) -> Number:
    """Return the exact sum of a column of counts over its documents as a plain number; a plain number as it is."""
    if type(column) in (int, float):
        return column
    return choose_adder(column)(column.tolist())
