"""Look-up of mention numbers: by a table where numbers lie close together, else by sorting."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from corefeval._arrays import np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefeval._arrays import Ints


def has_repeats(number: Ints) -> bool:
    """Whether a number occurs twice."""
    if len(number) <= _FEW:
        return len(set(number.tolist())) < len(number)
    if _is_dense(number):
        return bool(np.bincount(number).max() > 1)
    ordered = np.sort(number)
    return bool((ordered[1:] == ordered[:-1]).any())


def find_twins(key: Ints, response: Ints) -> tuple[Ints, Ints]:
    """The rows of key and response that have the same number, where no number occurs twice on a side."""
    found = find_last_rows(key, response)
    rows = np.flatnonzero(found >= 0)
    return found[rows], rows


def find_equal_objects(key: Sequence[Hashable], response: Sequence[Hashable]) -> tuple[Ints, Ints] | None:
    """The rows of key and response that have equal objects; None where an object occurs twice, or cannot be hashed."""
    try:
        row = dict(zip(key, range(len(key)), strict=True))
        if len(row) < len(key) or len(set(response)) < len(response):
            return None
        found = np.fromiter(map(row.get, response, repeat(-1)), dtype=np.int64, count=len(response))
    except TypeError:
        return None
    rows = (found >= 0).nonzero()[0]
    return found[rows], rows


def find_last_rows(numbers: Ints, wanted: Ints) -> Ints:
    """For every number wanted, the last row that has it, or -1."""
    if len(numbers) == 0 or len(wanted) == 0:
        return np.full(len(wanted), -1, dtype=np.int64)
    if _is_dense(numbers):
        table = np.full(int(numbers.max()) + 1, -1, dtype=np.int64)
        table[numbers] = np.arange(len(numbers))
        if int(wanted.max()) < len(table):
            return table[wanted]
        return np.where(wanted < len(table), table[np.minimum(wanted, len(table) - 1)], -1)
    order = np.argsort(numbers, kind="stable")
    place = np.searchsorted(numbers[order], wanted, side="right") - 1
    row = order[place]
    return np.where((place >= 0) & (numbers[row] == wanted), row, -1)


_FEW = 64


def _is_dense(number: Ints) -> bool:
    return int(number.max()) < 8 * len(number) + 1024
