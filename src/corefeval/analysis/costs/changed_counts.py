"""What a measure counts without each entity and each mention, from no more of the table than changes with them.

Counts of some measures are sums over components, groups of entities that share mentions: without a mention, only its
component is counted anew, and as many components as there are mentions, each without one, are documents of one table.
Others know the sizes of entities and nothing else: without a mention, one size of each side is another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Array, Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.costs.sides import MentionSide, view_sides
from corefeval.matching.numbers import pair_ranges
from corefeval.measures.distribution import MeasureOfSizes, Sizes
from corefeval.overlap.cells import Cells
from corefeval.overlap.components import find_components
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.views import Views

if TYPE_CHECKING:
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation

Changes = dict[str, Array]
"""By the name of a count, how much more or less it is without each of some entities or mentions."""

_SUMS_OF_COMPONENTS = frozenset({"exclusive cores", "largest fragments", "padded fragments", "pieces"})
"""Derivations of measures that count each component by itself."""

_AT_ONCE = 1 << 20  # entities and cells that are written at once


def find_count_changes(evaluation: Evaluation, measure: Measure) -> list[Changes] | None:
    """Return Changes without each key entity, response entity, key mention, response mention; None if not found so.

    The table must be one to one, and a mention be worth a whole one.
    """
    key, response, _ = view_sides(evaluation)
    if isinstance(measure, MeasureOfSizes):
        return _change_sizes(measure, key, response)
    if measure.has_plain_derivation and measure.derivation in _SUMS_OF_COMPONENTS:
        return _change_components(measure, key, response)
    return None


class _Removals(NamedTuple):
    """What is left out, one after another: columns of a component, and of one of the following, -1 in all others."""

    component: Ints
    cell: Ints  # one mention that both entities of a cell share
    key_mention: Ints  # one mention of this key entity that has no twin
    response_mention: Ints
    key_entity: Ints
    response_entity: Ints

    def take(self, rows: slice) -> _Removals:
        """Return some of them."""
        return _Removals(*(column[rows] for column in self))


def _change_components(measure: Measure, key: MentionSide, response: MentionSide) -> list[Changes]:
    """Return Changes without entities and mentions, by counting components without them."""
    table, parts = key.table, _Components(key.table)
    before = parts.count(measure, parts.list_removals(np.arange(parts.total)))

    def find_changes(component: Ints, **left_out: Ints) -> Changes:
        """Return Changes by leaving each of some things out, given their components."""
        after = parts.count(measure, parts.list_removals(component, **left_out))
        return {name: column - before[name][component] for name, column in after.items()}

    width = max(1, len(table.response.size))
    cells = table.cells.key * width + table.cells.response
    of_cells = find_changes(parts.of_key[table.cells.key], cell=np.arange(len(cells)))
    entities = [
        find_changes(parts.of_key, key_entity=np.arange(len(parts.of_key))),
        find_changes(parts.of_response, response_entity=np.arange(len(parts.of_response))),
    ]
    mentions = []
    for name, side, component in (
        ("key_mention", key, parts.of_key),
        ("response_mention", response, parts.of_response),
    ):
        twinned = side.other >= 0
        own, other = side.entity[twinned], side.other[twinned]
        cell = np.searchsorted(cells, own * width + other if side is key else other * width + own)
        alone, entity = np.unique(side.entity[~twinned], return_inverse=True)
        of_alone = find_changes(component[alone], **{name: alone})
        changes = {}
        for count, column in of_cells.items():
            changes[count] = np.zeros(len(twinned), dtype=column.dtype)
            changes[count][twinned], changes[count][~twinned] = column[cell], of_alone[count][entity.reshape(-1)]
        mentions.append(changes)
    return [*entities, *mentions]


class _Components:
    """The components of a table: their entities and cells, and what a measure counts in them."""

    def __init__(self, table: Overlap) -> None:
        found = find_components([table])
        self.table, self.total, self.of_key, self.of_response = table, found.total, found.key, found.responses[0]
        self._columns = [
            _Members.sort(component, found.total)
            for component in (self.of_key, self.of_response, self.of_key[table.cells.key])
        ]

    @staticmethod
    def list_removals(component: Ints, **left_out: Ints) -> _Removals:
        """Return Removals from these components, given a column of what is left out; of nothing without one."""
        nothing = np.full(len(component), -1)
        return _Removals(component, *(left_out.get(name, nothing) for name in _Removals._fields[1:]))

    def count(self, measure: Measure, removals: _Removals) -> Changes:
        """Return a measure's counts in the components of removals, without what these leave out."""
        size = np.cumsum(sum(members.number[removals.component] for members in self._columns))
        counted: dict[str, list[Array]] = {}
        begin = 0
        while begin < len(size):
            before = int(size[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(size, before + _AT_ONCE, side="right")))
            part = self._build_table(removals.take(slice(begin, end)))
            for name, column in measure.count(Views(part)).items():
                counted.setdefault(name, []).append(np.atleast_1d(column))
            begin = end
        if not counted:
            return {name: np.atleast_1d(column)[:0] for name, column in measure.count(Views(self.table)).items()}
        return {name: np.concatenate(columns) for name, columns in counted.items()}

    def _build_table(self, removals: _Removals) -> Overlap:
        """Return a table with a document for each removal: the component without what is left out."""
        table = self.table
        keys, responses, cells = (members.list_of(removals.component) for members in self._columns)
        n, cell_key, cell_response = (
            column[cells.member] for column in (table.n, table.cells.key, table.cells.response)
        )
        gone = (removals.cell[cells.document] == cells.member).astype(np.int64)
        is_gone = (removals.key_entity[cells.document] == cell_key) | (
            removals.response_entity[cells.document] == cell_response
        )
        gone = np.where(is_gone, n, gone)
        sides, places = [], []
        for listed, entity, side, shared, mention, whole, members in (
            (keys, cell_key, table.key, table.key_shared, removals.key_mention, removals.key_entity, 0),
            (responses, cell_response, table.response, table.response_shared, removals.response_mention,
             removals.response_entity, 1),
        ):  # fmt: skip
            place = listed.begin[cells.document] + self._columns[members].place[entity]
            size = side.size[listed.member] - np.bincount(place, gone, len(listed.member)).astype(np.int64)
            size -= mention[listed.document] == listed.member
            alone = (side.size - shared)[listed.member]  # what no cell takes with it
            size -= np.where(whole[listed.document] == listed.member, alone, 0)
            left = size > 0
            sides.append(Side(size[left], listed.document[left], len(removals.component)))
            places.append((np.cumsum(left) - 1)[place])
        left = n > gone
        return Overlap(sides[0], sides[1], Cells(places[0][left], places[1][left], (n - gone)[left]))


class _Listed(NamedTuple):
    """The members of some components one after another: whose document each is in, and where each document begins."""

    document: Ints
    member: Ints
    begin: Ints


class _Members(NamedTuple):
    """Entities or cells by component: all of them in that order, how many each has, and each one's place there."""

    order: Ints
    bounds: Ints
    number: Ints
    place: Ints

    @classmethod
    def sort(cls, component: Ints, total: int) -> _Members:
        """Return members by component, given the component of each."""
        order, number = np.argsort(component, kind="stable"), np.bincount(component, minlength=total)
        bounds = np.append(0, np.cumsum(number))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order)) - bounds[component[order]]
        return cls(order, bounds, number, place)

    def list_of(self, components: Ints) -> _Listed:
        """Return the members of each of these components as a document of its own."""
        document, member = pair_ranges(self.bounds[components], self.bounds[components + 1], self.order)
        return _Listed(document, member, np.cumsum(self.number[components]) - self.number[components])


_Resized = tuple[tuple[int, int], ...]
"""Entities that get another size: the size they had, and the one they have then, 0 if nothing is left of them."""


def _change_sizes(measure: MeasureOfSizes, key: MentionSide, response: MentionSide) -> list[Changes]:
    """Return Changes without entities and mentions, of a measure that knows the sizes of entities only."""
    profiles = _Profiles(measure, key.table)
    return [
        profiles.collect((d, own, other) if side is key else (d, other, own) for d, own, other in list_changes(side))
        for list_changes in (_list_entity_changes, _list_mention_changes)
        for side in (key, response)
    ]


def _list_entity_changes(side: MentionSide) -> Iterator[tuple[int, _Resized, _Resized]]:
    """Yield for each entity of a side the number of its document, and the sizes of both sides that change without it.

    A mention without a twin is a singleton of the other side.
    """
    table = side.table
    order = np.argsort(table.cells.key, kind="stable")  # those of the response come by key entity
    bounds = np.searchsorted(table.cells.key[order], np.arange(len(table.key.size) + 1)).tolist()
    before, after = table.r[order].tolist(), (table.r - table.n)[order].tolist()
    columns = table.key.document.tolist(), table.key.size.tolist(), (table.key.size - table.key_shared).tolist()
    for entity, (document, size, alone) in enumerate(zip(*columns, strict=True)):
        cells = range(bounds[entity], bounds[entity + 1])
        others = [(before[cell], after[cell]) for cell in cells] + [(1, 0)] * alone
        yield document, ((size, 0),), tuple(sorted(others))


def _list_mention_changes(side: MentionSide) -> Iterator[tuple[int, _Resized, _Resized]]:
    """Yield for each mention of a side the number of its document, and both sides' sizes that change without it."""
    others = np.where(side.other >= 0, side.other_size, 1)
    for document, own, other in zip(side.document.tolist(), side.size.tolist(), others.tolist(), strict=True):
        yield document, ((own, own - 1),), ((other, other - 1),)


class _Profiles:
    """The sizes of both sides' entities, document by document, and what a measure counts of them after a change."""

    def __init__(self, measure: MeasureOfSizes, table: Overlap) -> None:
        self._measure = measure
        self._sizes = [tuple(map(dict, sides)) for sides in measure.list_profiles(table)]
        self._before = [measure.count_sizes(*map(_sort_sizes, sides)) for sides in self._sizes]
        self._known: dict[tuple[int, _Resized, _Resized], dict[str, int]] = {}

    def collect(self, changes: Iterator[tuple[int, _Resized, _Resized]]) -> Changes:
        """Return Changes for a document's number and changed sizes of key and response, one after another."""
        found = [self._known.get(change) or self._count(change) for change in changes]
        return {name: np.array([each[name] for each in found], dtype=np.int64) for name in self._measure.counts}

    def _count(self, change: tuple[int, _Resized, _Resized]) -> dict[str, int]:
        """Return how much each count changes, and remember it: many changes are equal."""
        document, *resized = change
        sides = []
        for sizes, changed in zip(self._sizes[document], resized, strict=True):
            own = dict(sizes)
            for size, new in changed:
                own[size] -= 1
                if new:
                    own[new] = own.get(new, 0) + 1
            sides.append(_sort_sizes(own))
        before, after = self._before[document], self._measure.count_sizes(*sides)
        found = self._known[change] = {name: value - before[name] for name, value in after.items()}
        return found


def _sort_sizes(sizes: dict[int, int]) -> Sizes:
    """Return sizes and how often each occurs, the largest first, without those that do not."""
    return sorted(((size, count) for size, count in sizes.items() if count), reverse=True)
