"""Numbered mentions: equal numbers are the same mention. Look-up of numbers, and what matching makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from corefeval._arrays import Array, Booleans, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.errors import Fault, InputError
from corefeval.notices import Notice

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.overlap.views import Views

_FEW = 64
_MANY = 10_000  # rows whose column is rather not copied
_MOST_PAIRS = 100_000_000


class NumberedSides(NamedTuple):
    """Two corpora whose mentions are numbered: equal numbers are the same mention."""

    key: Corpus
    response: Corpus
    key_number: Ints
    response_number: Ints

    @classmethod
    def from_views(cls, views: Views) -> NumberedSides:
        """Return the numbered mentions behind views, given that some of them are repeated."""
        rows = views.mentions
        assert rows is not None and rows.repeated is not None  # noqa: S101, PT018 - only these are recounted
        return cls(rows.key, rows.response, rows.repeated.key_number, rows.repeated.response_number)

    def list_sides(self) -> tuple[tuple[str, Corpus, Ints], ...]:
        """Return two triples: ("key", corpus, numbers of its mentions) and ("response", corpus, numbers)."""
        return ("key", self.key, self.key_number), ("response", self.response, self.response_number)

    def keep(self, key: Booleans, response: Booleans) -> NumberedSides:
        """Return both sides with only the mentions for which these booleans are true."""
        return NumberedSides(
            self.key.keep(key), self.response.keep(response), self.key_number[key], self.response_number[response]
        )


class LookupNumbers(NamedTuple):
    """For each side, numbers of mentions that are looked up in the other side under others, and these others."""

    key: tuple[Ints, Ints]
    response: tuple[Ints, Ints]


class Matching(NamedTuple):
    """Which rows of key and response are twins, with notices, and what counts mentions that are in several entities."""

    sides: NumberedSides
    twin_key: Ints
    twin_response: Ints
    notices: tuple[Notice, ...] = ()
    count_repeats: Callable[[Views], Views] | None = None


def has_repeats(number: Ints) -> bool:
    """Return whether some number occurs more than once."""
    if len(number) <= _FEW:
        return len(set(number.tolist())) < len(number)
    if (number[1:] > number[:-1]).all():
        return False
    if _is_dense(number):
        return bool(np.bincount(number).max() > 1)
    ordered = np.sort(number)
    return bool((ordered[1:] == ordered[:-1]).any())


def find_twins(key: Ints, response: Ints) -> tuple[Ints, Ints]:
    """Return two columns of rows, key and response, with the same number; of several rows of the key, the last."""
    if len(key) > _FEW and np.array_equal(key, response) and not has_repeats(key):
        rows = np.arange(len(key))
        return rows, rows
    found = find_last_rows(key, response)
    rows = np.flatnonzero(found >= 0)
    return found[rows], rows


def take_rows(column: Array, rows: Ints) -> Array:
    """Return `column[rows]`; the column itself, if these are all of its rows, in their order."""
    is_all = _MANY < len(rows) == len(column) and bool((rows[1:] > rows[:-1]).all())
    return column if is_all else column[rows]


def find_last_rows(numbers: Ints, wanted: Ints) -> Ints:
    """Return, for every number wanted, the last row of `numbers` that has it, or -1."""
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


def replace_numbers(numbers: Ints, old: Ints, new: Ints) -> Ints:
    """Return the numbers with new[i] in place of each old[i], and all others as they are."""
    place = find_last_rows(old, numbers)
    return np.where(place >= 0, new[place], numbers) if len(old) else numbers


def pair_equal_numbers(wanted: Ints, numbers: Ints) -> tuple[Ints, Ints]:
    """Return two columns of rows: every row of `wanted` with each row of `numbers` that has the same number."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    return pair_ranges(np.searchsorted(ordered, wanted), np.searchsorted(ordered, wanted, side="right"), order)


def pair_ranges(begin: Ints, end: Ints, order: Ints) -> tuple[Ints, Ints]:
    """Return two columns: every place i, and each of order[begin[i]:end[i]] beside it; InputError for too many.

    >>> pair_ranges(np.array([0, 1]), np.array([1, 3]), np.array([7, 8, 9]))
    (array([0, 1, 1]), array([7, 8, 9]))
    """
    count = np.maximum(end - begin, 0)
    check_pairs(int(count.sum()))
    before = np.cumsum(count) - count
    place = np.arange(int(count.sum())) + np.repeat(begin - before, count)
    return np.repeat(np.arange(len(begin)), count), order[place]


def check_pairs(count: int) -> None:
    """Raise an InputError if more pairs of mentions than memory allows would have to be compared."""
    if count > _MOST_PAIRS:
        what = f"{count:,} pairs of key and response mentions on the same words, in different entities, are too many"
        hint = "look for a mention that is annotated again and again: corefeval validate lists them"
        raise InputError(Fault("", what, f"{_MOST_PAIRS:,} at most", hint, kind="too-many-pairs"))


def _is_dense(number: Ints) -> bool:
    """Return whether the greatest of these numbers is small enough, for their count, for a table from 0 to it."""
    return int(number.max()) < 8 * len(number) + 1024
