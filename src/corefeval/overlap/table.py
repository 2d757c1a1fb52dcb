"""The one table that every measure is a formula on.

For each key entity i and response entity j that share mentions: how many (n). For each entity: its size (k, r) and its
document. Mentions without a twin are what the sizes have over the shared ones: k_i - Σ_j n_ij.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval._lazy import cached
from corefeval.errors import OptionError
from corefeval.overlap import alignment, summation
from corefeval.overlap.cells import Cells, Links, Repeats, pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefeval._arrays import Array, ByDocument, Columns, Ints
    from corefeval.measures.base import Measure
    from corefeval.overlap.cells import Rows
    from corefeval.overlap.side import Side
    from corefeval.overlap.split_antecedents import Splits

_SMALL = 800  # pairs of entities up to which counting every pair takes less than sorting those that share mentions
_PLAIN = frozenset({int, float})


class Overlap:
    """Who shares how many mentions with whom, over all documents at once.

    What is counted by document is an array with a number for each; for a table of one document, a plain number.
    `rows` are the mentions behind the table, for the few measures that look at them. `credit` is what the mentions that
    entities share are worth, cell by cell, where some are worth less than a whole one: CEAF counts with that. `splits`
    are split antecedents that are members of entities, where they are to be scored.
    """

    def __init__(
        self,
        key: Side,
        response: Side,
        cell_key: Ints,
        cell_response: Ints,
        n: Array,
        repeats: Repeats | None = None,
        rows: Rows | None = None,
        credit: Array | None = None,
        splits: Splits | None = None,
    ) -> None:
        self.key, self.response = key, response
        self.cell_key, self.cell_response, self.n = cell_key, cell_response, n
        self.repeats, self.rows, self.credit, self.splits = repeats, rows, credit, splits
        self.views: Mapping[str, Overlap] = {}
        self.before: Overlap | None = None
        self._counted: dict[Measure, Columns] = {}

    def __getstate__(self) -> dict[str, object]:
        # What travels to another process is the table and what was counted; mentions stay where they are.
        return self.__dict__ | {"rows": None}

    def with_repeats(self, repeats: Repeats) -> Overlap:
        """The table with what is counted more than once."""
        return self._like(repeats, self.rows, self.credit)

    def with_credit(self, credit: Array, rows: Rows | None = None, repeats: Repeats | None = None) -> Overlap:
        """The table with what the shared mentions are worth."""
        return self._like(repeats, rows, credit)

    def _like(self, repeats: Repeats | None, rows: Rows | None, credit: Array | None) -> Overlap:
        return Overlap(self.key, self.response, self.cell_key, self.cell_response, self.n, repeats, rows, credit)

    @classmethod
    def of_twins(
        cls, key: Side, response: Side, twin_key: Ints, twin_response: Ints, rows: Rows | None = None
    ) -> Overlap:
        """Build the table from the entities of every mention that has a twin."""
        if len(twin_key) == 0:
            none = np.zeros(0, dtype=np.int64)
            return cls(key, response, none, none, none, rows=rows)
        width = len(response.size)
        fused = twin_key * width + twin_response
        if len(key.size) * width <= _SMALL:
            shared = np.bincount(fused, minlength=len(key.size) * width).reshape(-1, width)
            cell_key, cell_response = shared.nonzero()
            return cls(key, response, cell_key, cell_response, shared[cell_key, cell_response], rows=rows)
        fused.sort()
        first = np.empty(len(fused), dtype=np.bool_)
        first[0] = True
        np.not_equal(fused[1:], fused[:-1], out=first[1:])
        starts = np.flatnonzero(first)
        cells = fused[starts]
        n = np.empty(len(starts), dtype=np.int64)
        np.subtract(starts[1:], starts[:-1], out=n[:-1])
        n[-1] = len(fused) - starts[-1]
        cell_key = cells // width
        return cls(key, response, cell_key, cells - cell_key * width, n, rows=rows)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return self.key.documents

    def count(self, measure: Measure) -> Columns:
        """A measure's counts on this table, by document. Counted once."""
        counts = self._counted.get(measure)
        if counts is None:
            if measure.needs_mentions and self.rows is None:
                raise OptionError(f"{measure} looks at mentions, which are gone: ask for it when they are scored")
            counts = measure.count(self._seen_by(measure)) if self.splits is None else self._count_split(measure)
            if self.documents == 1 and not _PLAIN.issuperset(map(type, counts.values())):
                counts = {name: np.asarray(value).item() for name, value in counts.items()}
            self._counted[measure] = counts
        return counts

    def _count_split(self, measure: Measure) -> Columns:
        """With split antecedents where a document has some; others count as if no document had any."""
        assert self.splits is not None  # noqa: S101 - the caller has seen to it
        if self.splits.only:
            return measure.count_alone(self)
        counts = measure.count(self._seen_by(measure))
        if self.of_mentions.repeats is None and self.of_mentions.credit is None:
            return counts
        there, without = self.splits.documents(), self.of_mentions.count(measure)
        return {name: np.where(there, value, without[name]) for name, value in counts.items()}

    def without_rows(self, measures: Iterable[Measure]) -> Overlap:
        """The table without the mentions, once these measures have looked at them."""
        left = self._like(self.repeats, None, self.credit)
        left.views = self.views
        if self.splits is not None:
            left.splits = self.splits._replace(mentions=self.splits.mentions.without_rows(()))
        left._counted = {measure: self.count(measure) for measure in measures if measure.needs_mentions}
        return left

    @property
    def looked(self) -> dict[Measure, Columns]:
        """What measures that look at mentions have counted."""
        return {measure: counts for measure, counts in self._counted.items() if measure.needs_mentions}

    def with_looked(self, looked: Mapping[Measure, Columns]) -> Overlap:
        """The table with such counts."""
        self._counted.update(looked)
        return self

    def with_rows(self, rows: Rows | None) -> Overlap:
        """The table, with the mentions behind it."""
        self.rows = rows
        return self

    def instead_of(self, table: Overlap) -> Overlap:
        """The table in place of another, whose entities are those that measures which look at mentions see."""
        self.before = table
        return self.with_rows(table.rows)

    def with_views(self, views: Mapping[str, Overlap]) -> Overlap:
        """The table, with others in its place for some measures."""
        self.views = views
        return self

    def _seen_by(self, measure: Measure) -> Overlap:
        """What stands for the table, for this measure; only the one that was built of mentions knows them."""
        if self.before is None and not self.views:
            return self
        return self.before or self if measure.needs_mentions else self.views.get(measure.name, self)

    @property
    def for_recall(self) -> Overlap:
        """What recall counts on: the table, unless mentions of the key are looked up each by itself."""
        return self if self.repeats is None or self.repeats.recall is None else self._looked_up[0]

    @property
    def for_precision(self) -> Overlap:
        """What precision counts on: the table, unless mentions of the response are looked up each by itself."""
        return self if self.repeats is None or self.repeats.precision is None else self._looked_up[1]

    @cached
    def _looked_up(self) -> tuple[Overlap, Overlap]:
        assert self.repeats is not None and self.repeats.recall and self.repeats.precision  # noqa: S101, PT018
        recall, precision = self.repeats.recall, self.repeats.precision
        return Overlap(self.key, self.response, *recall), Overlap(self.key, self.response, *precision)

    @property
    def of_mentions(self) -> Overlap:
        """The table without split antecedents."""
        return self if self.splits is None else self.splits.mentions

    @cached
    def mirror(self) -> Overlap:
        """The same table with key and response in each other's place."""
        return Overlap(self.response, self.key, self.cell_response, self.cell_key, self.n, credit=self.credit)

    @cached
    def cell_bounds(self) -> Ints:
        """Where each document's cells begin, and where the last one's end."""
        if self.documents == 1:
            return np.array([0, len(self.n)], dtype=np.int64)
        return np.searchsorted(self.key.document[self.cell_key], np.arange(self.documents + 1))

    def sum(self, values: Array, bounds: Ints | None = None) -> ByDocument:
        """Add up by document: one value per cell, or values of which `bounds` says where each document's begin."""
        if self.documents == 1:
            return summation.whole(values)
        return summation.by_segment(values, self.cell_bounds if bounds is None else bounds)

    @property
    def own(self) -> Cells:
        """The table's cells themselves."""
        return Cells(self.cell_key, self.cell_response, self.n)

    @property
    def members(self) -> Cells:
        """The cells with entities compared as sets: the table's own unless a mention is in several entities."""
        if self.repeats is not None:
            return self.repeats.members
        return Cells(self.cell_key, self.cell_response, self.n if self.credit is None else self.credit)

    def sum_aligned(self, cells: Cells, weights: Array) -> ByDocument:
        """Add up, by document, the weights of the best one-to-one alignment."""
        if self.documents == 1:
            return alignment.greatest(cells.key, cells.response, weights)
        kept_cells = alignment.best(cells.key, cells.response, weights)
        bounds = np.searchsorted(self.key.document[cells.key[kept_cells]], np.arange(self.documents + 1))
        return self.sum(weights[kept_cells], bounds)

    @cached
    def k(self) -> Ints:
        """The size of the key entity, for every cell."""
        return self.key.size[self.cell_key]

    @cached
    def r(self) -> Ints:
        """The size of the response entity, for every cell."""
        return self.response.size[self.cell_response]

    @cached
    def cells(self) -> ByDocument:
        """How many cells each document has: #(n > 0)."""
        return self.cell_bounds[1:] - self.cell_bounds[:-1] if self.documents != 1 else len(self.n)

    @cached
    def shared(self) -> ByDocument:
        """How many mentions with a twin each document has: M."""
        return self.sum(self.n)

    @cached
    def joins(self) -> ByDocument:
        """How many links hold the shared mentions of each document together: M - #(n > 0)."""
        return self.shared - self.cells

    @cached
    def linked(self) -> Array:
        """For every cell, twice the pairs of mentions that it has: n (n - 1)."""
        return self.n * (self.n - 1)

    @cached
    def union(self) -> ByDocument:
        """How many mentions key and response have together: E = K + R - M."""
        return self.key.mentions + self.response.mentions - self.shared

    @cached
    def key_shared(self) -> Ints:
        """For every key entity, how many of its mentions have a twin."""
        return np.bincount(self.cell_key, weights=self.n, minlength=len(self.key.size)).astype(np.int64)

    @cached
    def response_shared(self) -> Ints:
        """For every response entity, how many of its mentions have a twin."""
        return np.bincount(self.cell_response, weights=self.n, minlength=len(self.response.size)).astype(np.int64)

    @cached
    def pairs(self) -> ByDocument:
        """How many pairs of mentions both sides link: Σ C(n)."""
        return self.sum(pairs(self.n))

    @cached
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
