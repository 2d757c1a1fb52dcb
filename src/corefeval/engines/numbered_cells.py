"""Cells whose labels are numbers, counted by NumPy: into histograms, and without those that dominate by CEAF.

Every label has its place in an array, so nothing is sorted or looked up. Cells are counted some at a time: what memory
has to hold are the cells and two or three numbers for each label.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from corefeval._arrays import Array, Booleans, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.engines.histograms import Histograms

Kind = tuple[int, ...]
"""The number of a scope, and what cells or entities have in common."""

NONE = -1  # no label: a side lacks the records
FUSED = 2**62  # how many different rows still have numbers of 64 bits
SPARSE = 4  # how many places for numbers there may be for each number, where these are counted in place
FEW = 2**13  # places that are few, however few numbers there are
CLEARLY = 1e-6  # far more than what sums of quotients are rounded by
LARGE = 100_000  # cells, from which on it is worth to take dominant ones
_CHUNK = 2**17  # cells that are counted at a time, which caches hold

_TANGLED, _LONE, _TAKEN = range(3)  # what becomes of a cell: it is aligned, or is in every best alignment


class NumberedCells(NamedTuple):
    """Cells: numbers of their scopes, and of labels of the key and the response, or NONE; and how many records."""

    scope: Ints
    a: Ints
    b: Ints
    n: Ints


def count_cells(cells: NumberedCells, names: Array, *, with_tangle: bool, only_ceaf: bool = False) -> Histograms:
    """Return the histograms of cells, given the names of scopes; labels of the tangle are numbers.

    only_ceaf: whether the tangle is for CEAFm and CEAFe only: where cells are many, dominant ones are not in it.
    """
    scope, a, b, n = cells
    sides = _Entities(scope, a, b, n), _Entities(scope, b, a, n)
    is_tangled = (a != NONE) & (b != NONE)
    with_dominant = with_tangle and only_ceaf and len(n) > LARGE

    def list_kinds() -> Iterator[list[Array]]:
        """Yield columns of scope, n, k, r and fate of cells for some at a time, and mark those that are tangled."""
        for part in _cut(len(n)):
            has_both = is_tangled[part].copy()
            columns = scope[part], n[part], *(side.number[part] for side in sides)
            if not has_both.all():
                columns = tuple(column[has_both] for column in columns)
            place, many, *numbers = columns
            (k, own), (r, other) = (side.find_sizes(each) for side, each in zip(sides, numbers, strict=True))
            fate = np.where((many == own) & (many == other), _LONE, _TANGLED)
            if with_dominant:
                is_taken = (fate != _LONE) & _dominate(many, k, r, own, other)
                fate[is_taken] = _TAKEN
                _take_entities(sides, numbers, is_taken)
            is_tangled[part][has_both] = fate == _TANGLED
            yield [place, many, k, r, fate]

    fates: dict[int, Counter[Kind]] = {fate: Counter() for fate in (_TANGLED, _LONE, _TAKEN)}
    for (*kind, fate), many in _count_kinds(list_kinds()).items():
        fates[fate][tuple(kind)] += many
    lone, taken = fates[_LONE], fates[_TAKEN]
    times = fates[_TANGLED] + lone + taken
    of_cells = sorted((names[kind[0]], *kind[1:], many, lone[kind]) for kind, many in times.items())
    of_keys, of_responses = (_name_kinds(_count_kinds(side.list_kinds()), names) for side in sides)
    histograms = Histograms(of_cells, of_keys, of_responses)
    if not with_tangle:
        return histograms
    place = np.flatnonzero(is_tangled)
    if with_dominant:
        place, others = _take_dominant(cells, sides, _keep_free(sides, place))
        taken += others
    k, r = (side.size[side.number[place]] for side in sides)
    tangle = names[scope[place]], a[place], b[place], n[place], k, r
    return replace(histograms, tangle=tangle, taken=_name_kinds(taken, names))


def _take_dominant(cells: NumberedCells, sides: _Sides, place: Ints) -> tuple[Ints, Counter[Kind]]:
    """Return which of the cells at these places are left without dominant ones, and the kinds of these."""
    parts = [place[part] for part in _cut(len(place))]
    shared = [np.zeros(len(side.size), dtype=cells.n.dtype) for side in sides]
    for part in parts:
        for side, total in zip(sides, shared, strict=True):
            np.add.at(total, side.number[part], cells.n[part])

    def list_kinds() -> Iterator[list[Array]]:
        """Yield columns of scope, n, k and r of dominant cells, for some cells at a time, and mark their entities."""
        for part in parts:
            n, numbers = cells.n[part], [side.number[part] for side in sides]
            k, r = (side.size[number] for side, number in zip(sides, numbers, strict=True))
            own, other = (total[number] for total, number in zip(shared, numbers, strict=True))
            is_taken = _dominate(n, k, r, own, other)
            _take_entities(sides, numbers, is_taken)
            yield [column[is_taken] for column in (cells.scope[part], n, k, r)]

    kinds = _count_kinds(list_kinds())
    return _keep_free(sides, place), kinds


def _dominate(n: Array, k: Array, r: Array, own: Array, other: Array) -> Booleans:
    """Return for each cell whether it is sure to outweigh all others of its two entities together.

    k, r: the sizes of these. own, other: how many records they share in all cells. It outweighs them by n as well as by
    n / (k + r), for of an entity of k each record in another cell weighs at most 1 / (k + 1).
    """
    others = (own - n) / (k + 1) + (other - n) / (r + 1)
    is_sure: Booleans = (own - n < n - (other - n)) & (n / (k + r) > others + CLEARLY)
    return is_sure


def _take_entities(sides: _Sides, numbers: Sequence[Ints], is_taken: Booleans) -> None:
    """Mark the entities of both sides whose cells are taken, given the numbers of each cell's."""
    for side, number in zip(sides, numbers, strict=True):
        side.is_taken[number[is_taken]] = True


def _keep_free(sides: _Sides, place: Ints) -> Ints:
    """Return which of the cells at these places are of entities that are not taken."""
    free = np.ones(len(place), dtype=np.bool_)
    for part in _cut(len(place)):
        for side in sides:
            free[part] &= ~side.is_taken[side.number[place[part]]]
    return place[free]


class _Entities:
    """The entities of one side of some cells: `number` is each cell's, of no entity where the side lacks its records.

    size, shared, largest: of each number: records, those that the other side has, largest cell.
    is_taken: whether a cell of it is in every best alignment; at first none is.
    """

    def __init__(self, scope: Ints, own: Ints, other: Ints, n: Ints) -> None:
        self._width = int(own.max(initial=NONE)) + 2  # labels, and none, whose place is the last of the scope before
        places = (int(scope.max(initial=0)) + 1) * self._width
        self.number = own if places == self._width else scope * self._width + own
        self._place: Ints | None = None
        if places > max(SPARSE * len(own), FEW):
            self._place, number = np.unique(self.number, return_inverse=True)
            self._place = self._place.astype(np.int64)  # there may be more labels than 32 bits hold
            self.number, places = number.reshape(-1), len(self._place)
        has_twin = other != NONE
        n_shared = n if has_twin.all() else n * has_twin
        self.size = _add_up(n, self.number, places)
        self.shared = self.size if n_shared is n else _add_up(n_shared, self.number, places)
        self.largest = np.zeros(places, dtype=n.dtype)
        np.maximum.at(self.largest, self.number, n_shared)
        is_none = (
            slice(self._width - 1, None, self._width)
            if self._place is None
            else self._place % self._width == self._width - 1
        )
        self.size[is_none] = 0
        self.is_taken = np.zeros(places, dtype=np.bool_)

    def find_sizes(self, number: Ints) -> tuple[Array, Array]:
        """Return the sizes of entities, and how many records of each the other side has."""
        size = self.size[number]
        return size, size if self.shared is self.size else self.shared[number]

    def list_kinds(self) -> Iterator[list[Array]]:
        """Yield columns of scope, size, shared and largest, for some entities at a time."""
        for part in _cut(len(self.size)):
            real = part.start + np.flatnonzero(self.size[part])
            place = real if self._place is None else self._place[real]
            yield [place // self._width, self.size[real], self.shared[real], self.largest[real]]


_Sides = tuple[_Entities, _Entities]


def _add_up(weights: Array, number: Ints, places: int) -> Array:
    """Return the sum of weights for each number."""
    sums = np.zeros(places, dtype=weights.dtype)
    np.add.at(sums, number, weights)
    return sums


def _cut(many: int) -> Iterator[slice]:
    """Yield slices of so many things, some at a time."""
    for start in range(0, many, _CHUNK):
        yield slice(start, min(start + _CHUNK, many))


def _count_kinds(chunks: Iterable[Sequence[Array]]) -> Counter[Kind]:
    """Return how often each row occurs in chunks of columns."""
    counts: Counter[Kind] = Counter()
    for columns in chunks:
        found, times = count_rows(columns)
        for kind, many in zip(zip(*(column.tolist() for column in found), strict=True), times.tolist(), strict=True):
            counts[kind] += many
    return counts


def _name_kinds(counts: Counter[Kind], names: Array) -> list[tuple[object, ...]]:
    """Return the rows of a histogram: the scope's name, what else the kind is, and how often it occurs."""
    return sorted((names[place], *kind, many) for (place, *kind), many in counts.items())


def count_rows(columns: Sequence[Ints]) -> tuple[list[Ints], Ints]:
    """Return the distinct rows of columns of numbers from -1 on, as columns in order, and how often each occurs."""
    if not len(columns[0]):
        return list(columns), np.zeros(0, dtype=np.int64)
    widths = [int(column.max()) + 2 for column in columns]
    places = math.prod(widths)
    if places < FUSED:  # one number for each row
        fused = columns[0].astype(np.int64) + 1  # columns may have 32 bits, which their product would overflow
        for column, width in zip(columns[1:], widths[1:], strict=True):
            fused *= width
            fused += column
            fused += 1
        rest, times = _count_numbers(fused, places)
        found = []
        for width in reversed(widths):
            found.append(rest % width - 1)
            rest = rest // width
        return found[::-1], times
    order = np.lexsort(columns[::-1])
    ordered = [column[order] for column in columns]
    is_new = np.any([column[1:] != column[:-1] for column in ordered], axis=0)
    starts = np.flatnonzero(np.append(True, is_new))
    return [column[starts] for column in ordered], np.diff(np.append(starts, len(order)))


def _count_numbers(numbers: Ints, places: int) -> tuple[Ints, Ints]:
    """Return the distinct numbers of an array, which are below `places`, in order, and how often each occurs.

    The array may be sorted in place.
    """
    if places <= max(SPARSE * len(numbers), FEW):
        times = np.bincount(numbers, minlength=places)
        found = np.flatnonzero(times)
        return found, times[found]
    numbers.sort()
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    return numbers[starts], np.diff(np.append(starts, len(numbers)))
