"""The one table that every measure is a formula on.

For each key entity i and response entity j that share mentions: how many (n). For each entity: its size (k, r) and its
document. Mentions without a twin are what the sizes have over the shared ones: k_i - Σ_j n_ij.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from corefeval._arrays import Array, Booleans, ByDocument, Ints, np
from corefeval._lazy import Frozen, NamedTuple, cached
from corefeval.overlap import alignment, summation
from corefeval.overlap.cells import Cells, count_pairs, halve, join_cells, renumber_parts

_SMALL = 800  # pairs of entities up to which counting every pair takes less than sorting those that share mentions


class Links(NamedTuple):
    """Coreference and non-coreference links by document: in the key, in the response, in both."""

    key_coreference: ByDocument
    response_coreference: ByDocument
    common_coreference: ByDocument
    key_noncoreference: ByDocument
    response_noncoreference: ByDocument
    common_noncoreference: ByDocument


class Side(Frozen):
    """The entities of the key or of the response: how large, in which document, ordered by document."""

    size: Ints
    document: Ints
    documents: int
    name: Sequence[object] | None
    document_name: Sequence[str] | None

    def __init__(
        self,
        size: Ints,
        document: Ints,
        documents: int,
        name: Sequence[object] | None = None,
        document_name: Sequence[str] | None = None,
    ) -> None:
        self.__dict__.update(
            size=size, document=document, documents=documents, name=name, document_name=document_name
        )  # fmt: skip

    @cached
    def bounds(self) -> Ints:
        """An array of where each document's entities begin, and where the last one's end."""
        if self.documents == 1:
            return np.array([0, len(self.size)], dtype=np.int64)
        return np.searchsorted(self.document, np.arange(self.documents + 1))

    def sum(self, values: Array) -> ByDocument:
        """Return for each document the sum of its entities' values; a plain number if there is one document only."""
        return summation.sum_by_segment(values, self.bounds) if self.documents != 1 else summation.sum_all(values)

    def sum_at(self, entities: Ints, values: Array) -> ByDocument:
        """Return for each document the sum of `values`, one for each of `entities` (no repeats); as `sum` does."""
        column = np.zeros(len(self.size), dtype=values.dtype)
        column[entities] = values
        return self.sum(column)

    @cached
    def mentions(self) -> ByDocument:
        """How many mentions each document has; a plain number if there is one document only."""
        return self.sum(self.size)

    @cached
    def entities(self) -> ByDocument:
        """How many entities each document has; a plain number if there is one document only."""
        return self.bounds[1:] - self.bounds[:-1] if self.documents != 1 else len(self.size)

    @cached
    def spanning_links(self) -> ByDocument:
        """How many spanning links each document has, Σ (size - 1); a plain number if there is one document only."""
        return self.mentions - self.entities

    @cached
    def pairs(self) -> ByDocument:
        """How many pairs of mentions of one entity each document has, Σ C(size); a plain number for one document."""
        return self.sum(count_pairs(self.size))

    def list_sizes(self) -> list[list[tuple[int, int]]]:
        """Return for each document its entities' sizes, largest first, as pairs: a size, and how many have it."""
        parts = (self.size[a:b].tolist() for a, b in pairwise(self.bounds.tolist()))
        return [sorted(Counter(part).items(), reverse=True) for part in parts]

    def resize(self, size: Ints) -> Side:
        """Return a side of the same entities with these sizes."""
        return Side(size, self.document, self.documents, self.name, self.document_name)

    def select(self, kept: Booleans) -> Side:
        """Return a side of only the entities for which `kept` is true."""
        name = None if self.name is None else [self.name[entity] for entity in np.flatnonzero(kept).tolist()]
        return Side(self.size[kept], self.document[kept], self.documents, name, self.document_name)


class Overlap(Frozen):
    """Who shares how many mentions with whom, over all documents at once.

    What is counted by document is an array with a number for each; for a table of one document, a plain number.
    """

    key: Side
    response: Side
    cells: Cells

    def __init__(self, key: Side, response: Side, cells: Cells) -> None:
        self.__dict__.update(key=key, response=response, cells=cells)

    @classmethod
    def from_twins(cls, key: Side, response: Side, twin_key: Ints, twin_response: Ints) -> Overlap:
        """Return the table, given two columns: the key entity and the response entity of every pair of twins."""
        if len(twin_key) == 0:
            none = np.zeros(0, dtype=np.int64)
            return cls(key, response, Cells(none, none, none))
        width = len(response.size)
        if len(key.size) * width <= _SMALL:
            pair = twin_key * width + twin_response
            shared = np.bincount(pair, minlength=len(key.size) * width).reshape(-1, width)
            cell_key, cell_response = shared.nonzero()
            return cls(key, response, Cells(cell_key, cell_response, shared[cell_key, cell_response]))
        # A pair of entities is one number, which its bits make of both of theirs, so equal pairs are equal numbers.
        bits = width.bit_length()
        pair = twin_key << bits
        pair |= twin_response
        pair.sort()
        first = np.empty(len(pair), dtype=np.bool_)
        first[0] = True
        np.not_equal(pair[1:], pair[:-1], out=first[1:])
        starts = np.flatnonzero(first)
        cells = pair[starts]
        n = np.empty(len(starts), dtype=np.int64)
        np.subtract(starts[1:], starts[:-1], out=n[:-1])
        n[-1] = len(pair) - starts[-1]
        return cls(key, response, Cells(cells >> bits, cells & ((1 << bits) - 1), n))

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return self.key.documents

    @property
    def n(self) -> Array:
        """For every cell, how many mentions its two entities share."""
        return self.cells.n

    @property
    def tangled(self) -> Overlap:
        """The part of the table that knows its entities one by one: all of it, unless some are only counted."""
        return self

    def sum_lone(self, values: Array) -> ByDocument:  # noqa: ARG002 - where cells are only counted, there are some
        """Return 0, the sum of values of the cells that are outside the part that knows its entities one by one."""
        return 0

    def without_names(self) -> Overlap:
        """Return the table without the names of its entities."""
        key, response = (Side(each.size, each.document, each.documents) for each in (self.key, self.response))
        return Overlap(key, response, self.cells)

    def with_cells(self, cells: Cells) -> Overlap:
        """Return a table of the same sides with these cells."""
        return Overlap(self.key, self.response, cells)

    @cached
    def mirror(self) -> Overlap:
        """The same table with key and response in each other's place."""
        return Overlap(self.response, self.key, self.cells.mirror())

    def select(self, key: Booleans, response: Booleans) -> Overlap:
        """Return the table with only the entities for which these booleans are true, renumbered, and their cells."""
        return Overlap(self.key.select(key), self.response.select(response), self.select_cells(key, response))

    def select_cells(self, key: Booleans, response: Booleans) -> Cells:
        """Return the cells whose entities are both selected by these booleans, with entities renumbered accordingly."""
        kept_cells = key[self.cells.key] & response[self.cells.response]
        return self.cells.select(kept_cells, np.cumsum(key) - 1, np.cumsum(response) - 1)

    @cached
    def cell_bounds(self) -> Ints:
        """An array of where each document's cells begin, and where the last one's end."""
        if self.documents == 1:
            return np.array([0, len(self.n)], dtype=np.int64)
        return np.searchsorted(self.key.document[self.cells.key], np.arange(self.documents + 1))

    def sum(self, values: Array, bounds: Ints | None = None) -> ByDocument:
        """Return sums by document, a plain number for a single one: of a value per cell, or of values with `bounds`."""
        if self.documents == 1:
            return summation.sum_all(values)
        return summation.sum_by_segment(values, self.cell_bounds if bounds is None else bounds)

    def sum_quotients(self, numerator: Array, denominator: Array) -> ByDocument:
        """Return for each document (a plain number for one) the exact sum of one quotient per cell, rounded once."""
        if self.documents == 1:
            return summation.sum_quotients(numerator, denominator)
        return summation.sum_quotients_by_segment(numerator, denominator, self.cell_bounds)

    def sum_aligned(
        self, numerator: Array, denominator: Array | None = None, announce: alignment.Announce | None = None
    ) -> ByDocument:
        """Return for each document (a plain number for one) the total weight of its best one-to-one alignment.

        The weight of a cell is its numerator, or the quotient, of which the sum is exact and rounded once.
        announce: is called before what will take more than a minute.
        """
        key, response = self.cells.key, self.cells.response
        weights = numerator if denominator is None else numerator / denominator
        chosen = alignment.find_best(key, response, weights, announce)
        numerator, denominator = numerator[chosen], None if denominator is None else denominator[chosen]
        if self.documents == 1:
            return self.sum(numerator) if denominator is None else summation.sum_quotients(numerator, denominator)
        bounds = np.searchsorted(self.key.document[key[chosen]], np.arange(self.documents + 1))
        if denominator is None:
            return self.sum(numerator, bounds)
        return summation.sum_quotients_by_segment(numerator, denominator, bounds)

    @cached
    def k(self) -> Ints:
        """For every cell, the size of its key entity."""
        return self.key.size[self.cells.key]

    @cached
    def r(self) -> Ints:
        """For every cell, the size of its response entity."""
        return self.response.size[self.cells.response]

    @cached
    def shared(self) -> ByDocument:
        """How many mentions of each document key and response share (pairs of twins): M."""
        return self.sum(self.cells.n)

    @cached
    def spanning_links(self) -> ByDocument:
        """How many spanning links each document's cells have, which both sides share: M - #(n > 0)."""
        return self.sum(self.cells.spanning_links)

    @cached
    def resolved_links(self) -> Array:
        """Twice LEA's links of every cell, n (n - 1); 1 for equal singletons, as a singleton is linked to itself."""
        return self.cells.doubled_pairs + (self.k + self.r == 2)

    @cached
    def union(self) -> ByDocument:
        """How many mentions key and response have together in each document: E = K + R - M."""
        return self.key.mentions + self.response.mentions - self.shared

    @cached
    def key_shared(self) -> Ints:
        """For every key entity, how many of its mentions have a twin."""
        return np.bincount(self.cells.key, weights=self.n, minlength=len(self.key.size)).astype(self.n.dtype)

    @cached
    def response_shared(self) -> Ints:
        """For every response entity, how many of its mentions have a twin."""
        return np.bincount(self.cells.response, weights=self.n, minlength=len(self.response.size)).astype(self.n.dtype)

    @cached
    def key_largest(self) -> Ints:
        """For every key entity, the largest n of its cells; 0 if none of its mentions has a twin."""
        return _find_largest(self.n, self.cells.key, len(self.key.size))

    @cached
    def response_largest(self) -> Ints:
        """For every response entity, the largest n of its cells; 0 if none of its mentions has a twin."""
        return _find_largest(self.n, self.cells.response, len(self.response.size))

    @cached
    def pairs(self) -> ByDocument:
        """How many pairs of mentions of each document are in one entity on both sides: Σ C(n)."""
        return halve(self.sum(self.cells.doubled_pairs))

    @cached
    def pairs_apart(self) -> ByDocument:
        """How many pairs of shared mentions of each document are in two entities on both sides."""
        # Of all ordered pairs of shared mentions, M², those in one key entity or in one response entity are not apart;
        # those in one of both, n², must not be taken off twice.
        one_side = self.key.sum(self.key_shared**2) + self.response.sum(self.response_shared**2) - self.sum(self.n**2)
        return halve(self.shared * self.shared - one_side)

    @cached
    def links(self) -> Links:
        """BLANC's six counts of links for each document: of two kinds, in the key, in the response, in both."""
        return Links(
            key_coreference=self.key.pairs,
            response_coreference=self.response.pairs,
            common_coreference=self.pairs,
            key_noncoreference=count_pairs(self.key.mentions) - self.key.pairs,
            response_noncoreference=count_pairs(self.response.mentions) - self.response.pairs,
            common_noncoreference=self.pairs_apart,
        )


def _find_largest(n: Array, entity: Ints, entities: int) -> Array:
    """Return an array: for every entity, by number, the largest n of its cells; 0 for one without cells."""
    largest = np.zeros(entities, dtype=n.dtype)
    np.maximum.at(largest, entity, n)
    return largest


def _join_sides(sides: Sequence[Side]) -> Side:
    """Return one side with the documents of several, one after another; names are None if some side has none."""
    names = [side.name for side in sides]
    document_names = [side.document_name for side in sides]
    return Side(
        size=np.concatenate([side.size for side in sides]),
        document=renumber_parts([side.document for side in sides], [side.documents for side in sides]),
        documents=sum(side.documents for side in sides),
        name=None if None in names else [name for part in names for name in part or ()],
        document_name=None if None in document_names else [name for part in document_names for name in part or ()],
    )


def join_overlaps(tables: Sequence[Overlap]) -> Overlap:
    """Return one table with the documents of several, one after another; an empty table of none."""
    if len(tables) == 1:
        return tables[0]
    if not tables:
        none = np.zeros(0, dtype=np.int64)
        return Overlap(Side(none, none, 0), Side(none, none, 0), Cells(none, none, none))
    key, response = _join_sides([table.key for table in tables]), _join_sides([table.response for table in tables])
    sizes = [len(table.key.size) for table in tables], [len(table.response.size) for table in tables]
    return Overlap(key, response, join_cells([table.cells for table in tables], *sizes))
