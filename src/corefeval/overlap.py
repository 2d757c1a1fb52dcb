"""The one table that every measure is a formula on.

For each key entity i and response entity j that share mentions: how many (n). For each entity: its size (k, r) and its
document. Mentions without a twin are what the sizes have over the shared ones: k_i - Σ_j n_ij.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import summation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.arrays import Array, Booleans, Columns, Ints
    from corefeval.measures.base import Measure


@dataclass(frozen=True, eq=False)
class Side:
    """The entities of the key or of the response: how large, in which document, ordered by document."""

    size: Ints
    document: Ints
    documents: int
    name: Sequence[object] | None = None
    document_name: Sequence[str] | None = None

    @cached_property
    def bounds(self) -> Ints:
        """Where each document's entities begin, and where the last one's end."""
        if self.documents == 1:
            return np.array([0, len(self.size)], dtype=np.int64)
        return np.searchsorted(self.document, np.arange(self.documents + 1))

    def sum(self, values: Array) -> Array:
        """Add up one value per entity, by document."""
        return summation.by_segment(values, self.bounds)

    @cached_property
    def mentions(self) -> Ints:
        """How many mentions each document has."""
        return self.sum(self.size)

    @cached_property
    def entities(self) -> Ints:
        """How many entities each document has."""
        return np.diff(self.bounds)

    @cached_property
    def pairs(self) -> Ints:
        """How many pairs of mentions each document links: Σ C(size)."""
        return self.sum(pairs(self.size))


class Links(NamedTuple):
    """Coreference and non-coreference links by document: in the key, in the response, in both."""

    key_coreference: Ints
    response_coreference: Ints
    common_coreference: Ints
    key_noncoreference: Ints
    response_noncoreference: Ints
    common_noncoreference: Ints


class Repeats(NamedTuple):
    """What the reference scorer counts differently when a mention is in several entities of one side.

    The table itself stays one-to-one; these are the counts in which a repeated mention is seen more than once.
    """

    key_distinct: Ints
    response_distinct: Ints
    member_key: Ints
    member_response: Ints
    members: Ints
    credit: Ints
    links: Links


@dataclass(frozen=True, eq=False)
class Overlap:
    """Who shares how many mentions with whom, over all documents at once."""

    key: Side
    response: Side
    cell_key: Ints
    cell_response: Ints
    n: Ints
    repeats: Repeats | None = None
    _counted: dict[Measure, Columns] = field(default_factory=dict, repr=False)

    @classmethod
    def of_twins(cls, key: Side, response: Side, twin_key: Ints, twin_response: Ints) -> Overlap:
        """Build the table from the entities of every mention that has a twin."""
        if len(twin_key) == 0:
            none = np.zeros(0, dtype=np.int64)
            return cls(key, response, none, none, none)
        width = len(response.size)
        fused = np.sort(twin_key * width + twin_response)
        first = np.empty(len(fused), dtype=np.bool_)
        first[0] = True
        np.not_equal(fused[1:], fused[:-1], out=first[1:])
        starts = np.flatnonzero(first)
        cells = fused[starts]
        n = np.empty(len(starts), dtype=np.int64)
        np.subtract(starts[1:], starts[:-1], out=n[:-1])
        n[-1] = len(fused) - starts[-1]
        cell_key = cells // width
        return cls(key, response, cell_key, cells - cell_key * width, n)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return self.key.documents

    def count(self, measure: Measure) -> Columns:
        """A measure's counts on this table, by document. Counted once."""
        if measure not in self._counted:
            self._counted[measure] = measure.count(self)
        return self._counted[measure]

    @cached_property
    def mirror(self) -> Overlap:
        """The same table with key and response in each other's place."""
        return Overlap(self.response, self.key, self.cell_response, self.cell_key, self.n)

    @cached_property
    def cell_bounds(self) -> Ints:
        """Where each document's cells begin, and where the last one's end."""
        if self.documents == 1:
            return np.array([0, len(self.n)], dtype=np.int64)
        return np.searchsorted(self.key.document[self.cell_key], np.arange(self.documents + 1))

    def sum(self, values: Array) -> Array:
        """Add up one value per cell, by document."""
        return summation.by_segment(values, self.cell_bounds)

    @cached_property
    def k(self) -> Ints:
        """The size of the key entity, for every cell."""
        return self.key.size[self.cell_key]

    @cached_property
    def r(self) -> Ints:
        """The size of the response entity, for every cell."""
        return self.response.size[self.cell_response]

    @cached_property
    def cells(self) -> Ints:
        """How many cells each document has: #(n > 0)."""
        return np.diff(self.cell_bounds)

    @cached_property
    def shared(self) -> Ints:
        """How many mentions with a twin each document has: M."""
        return self.sum(self.n)

    @cached_property
    def union(self) -> Ints:
        """How many mentions key and response have together: E = K + R - M."""
        return self.key.mentions + self.response.mentions - self.shared

    @cached_property
    def key_shared(self) -> Ints:
        """For every key entity, how many of its mentions have a twin."""
        return np.bincount(self.cell_key, weights=self.n, minlength=len(self.key.size)).astype(np.int64)

    @cached_property
    def response_shared(self) -> Ints:
        """For every response entity, how many of its mentions have a twin."""
        return np.bincount(self.cell_response, weights=self.n, minlength=len(self.response.size)).astype(np.int64)

    @cached_property
    def pairs(self) -> Ints:
        """How many pairs of mentions both sides link: Σ C(n)."""
        return self.sum(pairs(self.n))

    @cached_property
    def links(self) -> Links:
        """Coreference and non-coreference links."""
        if self.repeats is not None:
            return self.repeats.links
        key_all, response_all = pairs(self.key.mentions), pairs(self.response.mentions)
        apart_in_key = self.key.sum(pairs(self.key_shared))
        apart_in_response = self.response.sum(pairs(self.response_shared))
        return Links(
            key_coreference=self.key.pairs,
            response_coreference=self.response.pairs,
            common_coreference=self.pairs,
            key_noncoreference=key_all - self.key.pairs,
            response_noncoreference=response_all - self.response.pairs,
            common_noncoreference=pairs(self.shared) - apart_in_key - apart_in_response + self.pairs,
        )

    def with_response(self, size: Ints, keep: Booleans) -> Overlap:
        """The table with response entities of other sizes, and only those of `keep`."""
        number = np.cumsum(keep) - 1
        name = None if self.response.name is None else _taken(self.response.name, np.flatnonzero(keep))
        side = Side(size[keep], self.response.document[keep], self.documents, name)
        cells = keep[self.cell_response]
        return Overlap(self.key, side, self.cell_key[cells], number[self.cell_response[cells]], self.n[cells])

    def without_twinless_response(self) -> Overlap:
        """Only those mentions of the response that have a twin."""
        return self.with_response(self.response_shared, self.response_shared > 0)

    def without_twinless_response_singletons(self) -> Overlap:
        """The table without response entities that are a single mention without a twin."""
        return self.with_response(self.response.size, (self.response.size > 1) | (self.response_shared > 0))

    def padded_response(self) -> Overlap:
        """Every mention that only the key has becomes an entity of its own in the response."""
        missing = self.key.size - self.key_shared
        owner = np.repeat(np.arange(len(missing)), missing)
        document = np.concatenate([self.response.document, self.key.document[owner]])
        size = np.concatenate([self.response.size, np.ones(len(owner), dtype=np.int64)])
        order = np.argsort(document, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        cell_key = np.concatenate([self.cell_key, owner])
        cell_response = np.concatenate([place[self.cell_response], place[len(self.response.size) :]])
        n = np.concatenate([self.n, np.ones(len(owner), dtype=np.int64)])
        by_key = np.argsort(cell_key, kind="stable")
        side = Side(size[order], document[order], self.documents)
        return Overlap(self.key, side, cell_key[by_key], cell_response[by_key], n[by_key])

    @staticmethod
    def joined(tables: Sequence[Overlap]) -> Overlap:
        """One table of the documents of several, in their order."""
        if len(tables) == 1:
            return tables[0]
        return _join(tables)


def pairs(size: Ints) -> Ints:
    """C(size) = size (size - 1) / 2."""
    return size * (size - 1) // 2


def _taken(names: Sequence[object], index: Ints) -> Sequence[object]:
    return [names[i] for i in index.tolist()]


def _join_sides(sides: Sequence[Side]) -> Side:
    before = 0
    documents = []
    for side in sides:
        documents.append(side.document + before)
        before += side.documents
    names: list[object] | None = []
    for side in sides:
        if side.name is None or names is None:
            names = None
        else:
            names.extend(side.name)
    return Side(np.concatenate([side.size for side in sides]), np.concatenate(documents), before, names)


def _shifted(columns: Sequence[Ints], steps: Sequence[int]) -> Ints:
    starts = np.cumsum([0, *steps[:-1]])
    return np.concatenate([column + start for column, start in zip(columns, starts, strict=True)])


def _join(tables: Sequence[Overlap]) -> Overlap:
    keys = [len(table.key.size) for table in tables]
    responses = [len(table.response.size) for table in tables]
    joined = Overlap(
        _join_sides([table.key for table in tables]),
        _join_sides([table.response for table in tables]),
        _shifted([table.cell_key for table in tables], keys),
        _shifted([table.cell_response for table in tables], responses),
        np.concatenate([table.n for table in tables]),
    )
    if all(table.repeats is None for table in tables):
        return joined
    views = [table.repeats or plain_repeats(table) for table in tables]
    repeats = Repeats(
        key_distinct=np.concatenate([view.key_distinct for view in views]),
        response_distinct=np.concatenate([view.response_distinct for view in views]),
        member_key=_shifted([view.member_key for view in views], keys),
        member_response=_shifted([view.member_response for view in views], responses),
        members=np.concatenate([view.members for view in views]),
        credit=np.concatenate([view.credit for view in views]),
        links=Links(
            **{name: np.concatenate([getattr(view.links, name) for view in views]) for name in Links._fields}
        ),
    )
    return Overlap(joined.key, joined.response, joined.cell_key, joined.cell_response, joined.n, repeats)


def plain_repeats(table: Overlap) -> Repeats:
    """What `Repeats` says of a table in which no mention is repeated."""
    return Repeats(
        key_distinct=table.key.mentions,
        response_distinct=table.response.mentions,
        member_key=table.cell_key,
        member_response=table.cell_response,
        members=table.n,
        credit=table.n,
        links=table.links,
    )
