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
from corefeval.notices import report_progress

Kind = tuple[int, ...]
"""The number of a scope, and what cells or entities have in common."""

NONE = -1  # no label: a side lacks the records
ROUNDS = 2  # of dominant cells; what is left after these is little, or hard
FUSED = 2**62  # how many different rows still have numbers of 64 bits
SPARSE = 4  # how many places for numbers there may be for each number, where these are counted in place
FEW = 2**13  # places that are few, however few numbers there are
CLEARLY = 1e-6  # far more than what sums of quotients are rounded by
_CHUNK = 2**20  # cells that are counted at a time


class NumberedCells(NamedTuple):
    """Cells: numbers of their scopes, and of labels of the key and the response, or NONE; and how many records."""

    scope: Ints
    a: Ints
    b: Ints
    n: Ints


class _TangledCells(NamedTuple):
    """Cells whose entities have other cells, too: with the sizes of these, and with numbers of entities."""

    scope: Ints
    a: Ints
    b: Ints
    n: Ints
    k: Ints
    r: Ints
    key: Ints
    response: Ints


def count_cells(cells: NumberedCells, names: Array, *, with_tangle: bool, large: float = math.inf) -> Histograms:
    """Return the histograms of cells, given the names of scopes; labels of the tangle are numbers.

    large: how many cells a tangle may have before dominant ones are taken from it.
    """
    histograms, tangle = _count_entities(cells, names, with_tangle=with_tangle)
    if tangle is None:
        return histograms
    tangle, taken = _reduce_tangle(tangle) if len(tangle.n) > large else (tangle, Counter())
    columns = names[tangle.scope], tangle.a, tangle.b, tangle.n, tangle.k, tangle.r
    return replace(histograms, tangle=columns, taken=_name_kinds(taken, names))


def _count_entities(
    cells: NumberedCells, names: Array, *, with_tangle: bool
) -> tuple[Histograms, _TangledCells | None]:
    """Return the histograms of cells and entities without a tangle, and if asked for the cells of the tangle."""
    scope, a, b, n = cells
    keys, responses = _Entities(scope, a, b, n), _Entities(scope, b, a, n)
    is_tangled = (a != NONE) & (b != NONE)

    def list_kinds() -> Iterator[list[Array]]:
        """Yield columns of scope, n, k, r and whether cells are lone, for some at a time, and mark the others."""
        for part in _cut(len(n)):
            has_both = is_tangled[part].copy()
            columns = scope[part], n[part], keys.number[part], responses.number[part]
            if not has_both.all():
                columns = tuple(column[has_both] for column in columns)
            place, many, *numbers = columns
            (k, own), (r, other) = (
                side.find_sizes(each) for side, each in zip((keys, responses), numbers, strict=True)
            )
            is_lone = (many == own) & (many == other)
            is_tangled[part][has_both] = ~is_lone
            yield [place, many, k, r, is_lone.view(np.int8)]

    times: Counter[Kind] = Counter()
    lone: Counter[Kind] = Counter()
    for (*kind, is_lone), many in _count_kinds(list_kinds()).items():
        times[tuple(kind)] += many
        lone[tuple(kind)] += many * is_lone
    of_cells = sorted((names[kind[0]], *kind[1:], many, lone[kind]) for kind, many in times.items())
    of_keys, of_responses = (_name_kinds(_count_kinds(side.list_kinds()), names) for side in (keys, responses))
    histograms = Histograms(of_cells, of_keys, of_responses)
    if not with_tangle:
        return histograms, None
    place = np.flatnonzero(is_tangled)
    key, response = keys.number[place], responses.number[place]
    sizes = keys.size[key], responses.size[response]
    return histograms, _TangledCells(scope[place], a[place], b[place], n[place], *sizes, key, response)


def _reduce_tangle(tangle: _TangledCells) -> tuple[_TangledCells, Counter[Kind]]:
    """Return what is left of a tangle without dominant cells, and the kinds of these."""
    taken: Counter[Kind] = Counter()
    for number in range(ROUNDS):
        report_progress("aligning entities", number, ROUNDS)
        tangle, dominant = _take_dominant(tangle)
        taken += dominant
    return tangle, taken


def _take_dominant(tangle: _TangledCells) -> tuple[_TangledCells, Counter[Kind]]:
    """Return what is left of a tangle without cells that are in every best alignment, and the kinds of these.

    They outweigh all other cells of both their entities together, by n as well as by 2n / (k + r).
    """
    scope, _, _, n, k, r, *numbers = tangle
    is_dominant = _outweigh(n, numbers, 0)
    is_dominant &= _outweigh(n / (k + r), numbers, CLEARLY)
    taken = _count_kinds([[column[is_dominant] for column in (scope, n, k, r)]])
    left = np.ones(len(n), dtype=np.bool_)
    for number in numbers:
        is_taken = np.zeros(int(number.max(initial=0)) + 1, dtype=np.bool_)
        is_taken[number[is_dominant]] = True
        left &= ~is_taken[number]
    return _TangledCells(*(column[left] for column in tangle)), taken


def _outweigh(weights: Array, numbers: Sequence[Ints], margin: float) -> Booleans:
    """Return for each cell whether it weighs clearly more than all others of its two entities together."""
    others = np.zeros(len(weights), dtype=weights.dtype)
    for number in numbers:
        others += _add_up(weights, number, int(number.max(initial=0)) + 1)[number]
        others -= weights
    return weights - others > margin


class _Entities:
    """The entities of one side of some cells: `number` is each cell's, of no entity where the side lacks its records.

    size, shared, largest: of each number: records, those that the other side has, largest cell.
    """

    def __init__(self, scope: Ints, own: Ints, other: Ints, n: Ints) -> None:
        self._width = int(own.max(initial=NONE)) + 2  # labels, and none, whose place is the last of the scope before
        places = (int(scope.max(initial=0)) + 1) * self._width
        self.number = own if places == self._width else scope * self._width + own
        self._place: Ints | None = None
        if places > max(SPARSE * len(own), FEW):
            self._place, number = np.unique(self.number, return_inverse=True)
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
