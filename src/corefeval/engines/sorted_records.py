"""Records whose ids and labels are integers, joined and grouped into cells by sorting numbers.

A row of a table is one number of 63 bits: its id, its side, and its label from 1 on. Sorted, the rows of a record are
neighbours, and make a pair: one number of both labels, 0 where a side lacks it. Sorted again, those of a cell are. To
sort numbers takes a fraction of the time that hash tables take, and hardly more for each if there are many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from corefeval._arrays import Array, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.engines.numbered_cells import NumberedCells

_BITS = 63  # of a number from 0 on
_CHUNK = 2**17  # rows that are paired at a time, which caches hold

Bounds = Sequence[tuple[int, int]]
"""The least and the greatest value of each column: of ids, then of labels."""


class RowLayout(NamedTuple):
    """How rows are written as numbers, with labels in so many bits.

    ids: of each column the least value of both sides, and how many there may be. labels: each side's least.
    """

    ids: tuple[tuple[int, int], ...]
    labels: tuple[int, ...]
    bits: int


def fit_rows(sides: Sequence[Bounds]) -> RowLayout | None:
    """Return how rows within these bounds are written as numbers; None if that takes too many bits."""
    *ids, labels = zip(*sides, strict=True)
    spans = [(min(low for low, _ in column), max(high for _, high in column)) for column in ids]
    widths = [high - low + 1 for low, high in spans]
    bits = max((high - low + 1).bit_length() for low, high in labels)
    if max((math.prod(widths) - 1).bit_length() + 1 + bits, 2 * bits) > _BITS:
        return None
    places = tuple((low, width) for (low, _), width in zip(spans, widths, strict=True))
    return RowLayout(places, tuple(low for low, _ in labels), bits)


def pair_rows(rows: Ints, bits: int) -> Ints | None:
    """Return records as pairs of labels, given rows as numbers, in whose memory they are; None if an id repeats."""
    rows.sort()
    start = done = 0
    while start < len(rows):
        part = rows[start : start + _CHUNK + 1]
        side = part >> bits  # and the id before it
        if (side[1:] == side[:-1]).any():
            return None
        is_first = np.append(True, side[1:] >> 1 != side[:-1] >> 1)
        end = len(part) if start + len(part) == len(rows) else len(part) - 1
        if end < len(part) and not is_first[end]:  # a record is not cut
            end -= 1
        labels = (part[:end] & ((1 << bits) - 1)) << np.where(side[:end] & 1, 0, bits)
        pairs = np.add.reduceat(labels, np.flatnonzero(is_first[:end]))
        rows[done : done + len(pairs)] = pairs
        start, done = start + end, done + len(pairs)
    return rows[:done]


def group_pairs(pairs: Ints, bits: int) -> NumberedCells:
    """Return the cells of records that are pairs of labels, which are sorted in place."""
    pairs.sort()
    # Of a pair's 63 bits a label has 31 at most. What is not written to takes no memory.
    columns: Array = np.empty((3, len(pairs) + 1), dtype=np.int32)
    a, b, first = columns
    done = 0
    for start in range(0, len(pairs), _CHUNK):
        part = pairs[start : start + _CHUNK]
        is_first = np.append(not start or pairs[start - 1] != part[0], part[1:] != part[:-1])
        place = np.flatnonzero(is_first)
        found, here = part[place], slice(done, done + len(place))
        a[here] = (found >> bits) - 1
        b[here] = (found & ((1 << bits) - 1)) - 1
        first[here] = place + start
        done = here.stop
    first[done] = len(pairs)
    return NumberedCells(np.broadcast_to(np.int64(0), done), a[:done], b[:done], np.diff(first[: done + 1]))
