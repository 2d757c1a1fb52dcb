"""Records merged pair by pair, best score first: every state that a threshold can leave them in, in one pass.

State 0 has no links; state s has all pairs with the s best distinct scores, and its entities are the closure of these.

Records are put in an order in which the entities of every state stand together. A merge is then a border that falls:
the one between its two entities. What an entity had before a merge lies between the nearest borders that fall later, so
sums over it are differences of running sums. Within one key entity the same holds: its records in that order merge
where the last border between two neighbours falls.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.overlap.overlap import Overlap, Side

_FEW_TAKEN = 0.1  # of the pairs that wait, below which taking them at once is slower than one by one


@dataclass(frozen=True, slots=True)
class Segments:
    """The response entities on one side of every merge, before it: where each begins and ends in the order."""

    begin: Ints
    end: Ints

    def sum(self, values: Ints) -> Ints:
        """Return for each segment the sum of these values, one for every place of the order."""
        running = np.append(0, np.cumsum(values))
        return running[self.end] - running[self.begin]

    @property
    def size(self) -> Ints:
        """How many records each has."""
        return self.end - self.begin

    def select(self, chosen: Booleans) -> Segments:
        """Return only the segments for which these booleans are true."""
        return Segments(self.begin[chosen], self.end[chosen])


@dataclass(frozen=True, slots=True)
class JoinedCells:
    """Two cells of one key entity that a merge makes one, in the order of the merges: which merge, and both n."""

    merge: Ints
    key: Ints
    n: Ints
    other_n: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Merges:
    """All merges, in order, and what they change.

    key: for every record its key entity, -1 for a record that the key lacks.
    key_size: of every key entity, records that the response lacks included.
    states: how many there are, with the one without links.
    state: for every merge, the first state that has it.
    one, other: the two entities of every merge, before it; `other` begins where `one` ends.
    joined: the cells that merges make one.
    order: all records, such that the entities of any state stand together.
    border: for every place in that order, the merge that joins its record with the one before it; as many as there
        are merges where none does.
    """

    key: Ints
    key_size: Ints
    states: int
    state: Ints
    one: Segments
    other: Segments
    joined: JoinedCells
    order: Ints
    border: Ints

    def count_until(self, state: Ints) -> Ints:
        """Return for every state how many of these states, which are sorted, it has reached."""
        return np.searchsorted(state, np.arange(self.states), side="right")

    @property
    def ordered_key(self) -> Ints:
        """The key entity of every record, -1 for none, in the order of `order`."""
        return self.key[self.order]

    def find_ordered_entities(self, state: int) -> Ints:
        """Return the response entity of every record in a state, in the order of `order`."""
        return np.cumsum(self.border >= np.searchsorted(self.state, state, side="right")) - 1

    def find_entities(self, state: int) -> Ints:
        """Return the response entity of every record in a state, numbered in the order of their first records."""
        begins = self.border >= np.searchsorted(self.state, state, side="right")
        first = np.minimum.reduceat(self.order, np.flatnonzero(begins)) if len(self.order) else self.order
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        entity = np.empty(len(self.order), dtype=np.int64)
        entity[self.order] = rank[np.cumsum(begins) - 1]
        return entity

    def build_table(self, state: int) -> Overlap:
        """Return the table of the key and the response of a state."""
        return build_table(self.key, self.key_size, self.find_entities(state))


def build_table(key: Ints, key_size: Ints, entity: Ints) -> Overlap:
    """Return the table of one document, given every response record's key entity (-1 for none) and response entity."""
    size = np.bincount(entity)
    sides = [Side(each, np.zeros(len(each), dtype=np.int64), 1) for each in (key_size, size)]
    known = key >= 0
    return Overlap.from_twins(sides[0], sides[1], key[known], entity[known])


def merge_records(left: Ints, right: Ints, state: Ints, states: int, key: Ints, key_size: Ints) -> Merges:
    """Return what happens as pairs of records are linked, state by state.

    left, right: the two records of every pair, by number. state: the first state that has it, at least 1.
    states, key, key_size: as in `Merges`.
    """
    left, right, state = _find_spanning_pairs(left, right, state, len(key))
    joins = _join_pairs(left, right, len(key))
    place = _order_records(joins, len(key))
    order, border = np.empty(len(key), dtype=np.int64), np.full(len(key), len(state), dtype=np.int64)
    order[place] = np.arange(len(key))
    border[place[joins.absorbed]] = np.arange(len(state))
    begin, middle = place[joins.kept], place[joins.absorbed]
    return Merges(
        key=key,
        key_size=key_size,
        states=states,
        state=state,
        one=Segments(begin, middle),
        other=Segments(middle, middle + joins.less),
        joined=_find_joined_cells(key[order], border, len(state)),
        order=order,
        border=border,
    )


def _find_spanning_pairs(left: Ints, right: Ints, state: Ints, records: int) -> tuple[Ints, Ints, Ints]:
    """Return three columns, sorted by state: of all pairs only those that join two entities, and no other ones.

    They are a spanning forest of least states: whatever is joined in a state is joined by its pairs up to that state.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 - loaded when needed
    from scipy.sparse.csgraph import minimum_spanning_tree  # noqa: PLC0415

    low, high = np.minimum(left, right), np.maximum(left, right)
    order = np.lexsort((state, low * records + high))
    low, high, state = low[order], high[order], state[order]
    # SciPy adds up what stands twice in a cell: of equal pairs the first one, which has the least state, stays.
    first = np.ones(len(low), dtype=np.bool_)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    first &= low != high
    bounds = np.searchsorted(low[first], np.arange(records + 1))
    graph = csr_array((state[first].astype(np.float64), high[first], bounds), shape=(records, records))
    forest = minimum_spanning_tree(graph).tocoo()
    order = np.argsort(forest.data, kind="stable")
    low, high = (each[order].astype(np.int64) for each in (forest.row, forest.col))
    return low, high, forest.data[order].astype(np.int64)


class _Joins(NamedTuple):
    """For every merge its two entities, by the first record of each, and how large they were; the larger one first."""

    kept: Ints
    absorbed: Ints
    more: Ints
    less: Ints


def _join_pairs(left: Ints, right: Ints, records: int) -> _Joins:
    """Return what the pairs, in order, join; each joins two entities that are not one yet.

    A pair that is the first one for both of its entities joins them as they are, whatever the others do: all such
    pairs are taken at once, again and again. The rest, once few are taken, goes pair by pair.
    """
    joins = _Joins(*(np.empty(len(left), dtype=np.int64) for _ in range(4)))
    first_pair = np.empty(records, dtype=np.int64)
    size, waiting = np.ones(records, dtype=np.int64), np.arange(len(left))
    while len(waiting):
        a, b = left[waiting], right[waiting]
        # Of equal places the last one assigned stays, which is the first pair.
        for ends in (a, b):
            first_pair[ends] = len(left)
        first_pair[a[::-1]] = waiting[::-1]
        lower = np.full(records, len(left), dtype=np.int64)
        lower[b[::-1]] = waiting[::-1]
        np.minimum(first_pair, lower, out=first_pair, where=lower < len(left))
        is_first = (first_pair[a] == waiting) & (first_pair[b] == waiting)
        taken, a, b = waiting[is_first], a[is_first], b[is_first]
        is_less = size[a] < size[b]
        kept, absorbed = np.where(is_less, b, a), np.where(is_less, a, b)
        for column, values in zip(joins, (kept, absorbed, size[kept], size[absorbed]), strict=True):
            column[taken] = values
        size[kept] += size[absorbed]
        moved = np.arange(records)
        moved[absorbed] = kept
        waiting = waiting[~is_first]
        left, right = moved[left], moved[right]
        if len(taken) < _FEW_TAKEN * len(waiting):
            _join_one_by_one(left, right, waiting, size, joins)
            break
    return joins


def _join_one_by_one(left: Ints, right: Ints, waiting: Ints, size: Ints, joins: _Joins) -> None:
    """Fill in what these pairs, given by their numbers in order, join, one after another."""
    above, sizes = list(range(len(size))), size.tolist()
    columns = [array("q") for _ in range(4)]
    add_kept, add_absorbed, add_more, add_less = (column.append for column in columns)
    for a, b in zip(left[waiting].tolist(), right[waiting].tolist(), strict=True):
        while (up := above[a]) != a:  # up to the entity's first record, shortening the way
            above[a] = a = above[up]  # noqa: PLW2901
        while (up := above[b]) != b:
            above[b] = b = above[up]  # noqa: PLW2901
        more, less = sizes[a], sizes[b]
        if more < less:
            a, b, more, less = b, a, less, more  # noqa: PLW2901
        above[b] = a
        sizes[a] = more + less
        add_kept(a)
        add_absorbed(b)
        add_more(more)
        add_less(less)
    for column, values in zip(joins, columns, strict=True):
        column[waiting] = np.frombuffer(values, dtype=np.int64)


def _order_records(joins: _Joins, records: int) -> Ints:
    """Return the place of every record in an order in which entities stand together.

    The records of the smaller one of two entities go behind those of the larger one.
    """
    first, place = np.arange(records), np.zeros(records, dtype=np.int64)
    size = np.ones(records, dtype=np.int64)
    first[joins.absorbed], place[joins.absorbed] = joins.kept, joins.more
    size[joins.kept] = joins.more + joins.less  # of several merges that one entity grows by, the last one stays
    # A record's place in its entity is the sum of the distances on the way to its first one, of which each step adds
    # twice as many.
    while (first[first] != first).any():
        place, first = place + place[first], first[first]
    sizes = np.where(first == np.arange(records), size, 0)
    return place + (np.cumsum(sizes) - sizes)[first]


def _find_later_borders(border: Ints, never: int) -> tuple[Ints, Ints]:
    """Return two columns: for every place the nearest one before it, and behind it, whose border falls later.

    border: when the border before each place falls, at different times, or `never`; that of the first place never
    does. Where no border behind falls later, the column has the end. What a place whose border never falls has means
    nothing.

    >>> before, behind = _find_later_borders(np.array([9, 1, 0, 9, 2]), 9)
    >>> before.tolist(), behind.tolist()
    ([0, 0, 1, 0, 3], [5, 3, 3, 5, 5])
    """
    count = len(border)
    before, behind = [0] * count, [count] * count
    open_places: list[int] = []  # those whose border falls later than all borders since
    times = border.tolist()
    for place, time in enumerate(times):
        if time == never:
            for each in open_places[1:]:
                behind[each] = place
            open_places = [place]
            continue
        while times[open_places[-1]] < time:
            behind[open_places.pop()] = place
        before[place] = open_places[-1]
        open_places.append(place)
    return np.array(before, dtype=np.int64), np.array(behind, dtype=np.int64)


def _find_joined_cells(key: Ints, border: Ints, never: int) -> JoinedCells:
    """Return the cells that merges make one, given key entities and borders of all records in order."""
    known = np.flatnonzero(key >= 0)
    place = known[np.argsort(key[known], kind="stable")]
    entity = key[place]
    fall = np.full(len(place), never, dtype=np.int64)
    together = np.flatnonzero(entity[1:] == entity[:-1]) + 1
    fall[together] = find_largest_between(border, place[together - 1] + 1, place[together] + 1)
    before, behind = _find_later_borders(fall, never)
    found = np.flatnonzero(fall < never)
    found = found[np.argsort(fall[found], kind="stable")]
    return JoinedCells(fall[found], entity[found], found - before[found], behind[found] - found)


def find_largest_between(values: Ints, begin: Ints, end: Ints) -> Ints:
    """Return the largest of `values[begin[i]:end[i]]` for every i, of which none is empty.

    It is the larger one of those of two runs, as long as powers of 2, that cover the range; runs are made longer step
    by step.
    """
    level = np.frexp((end - begin).astype(np.float64))[1] - 1
    order = np.argsort(level, kind="stable")
    bounds = np.searchsorted(level[order], np.arange(level.max(initial=-1) + 2))
    largest = np.empty(len(begin), dtype=np.int64)
    runs, length = values, 1
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        asked = order[low:high]
        largest[asked] = np.maximum(runs[begin[asked]], runs[end[asked] - length])
        runs = np.maximum(runs[:-length], runs[length:])
        length *= 2
    return largest
