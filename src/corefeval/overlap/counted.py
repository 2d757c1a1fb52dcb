"""A table of histograms: not each entity and each cell, but how many there are of each kind.

What a linear measure needs of a table are sums over cells of functions of (n, k, r), and over entities of functions of
(size, mentions with a twin, largest n). So equal ones are counted, and the sums are those of the whole table, however
many entities there are: any engine that can group and count can make it. All numbers are Python's integers, exact at
any size.

What needs single entities (the best alignment, the exclusive core) gets those of the *tangle*: of cells that are the
only ones of both their entities it is clear what happens to them, and they are only counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import mul
from typing import NoReturn

from corefeval._arrays import Array, ByDocument, Ints, Number, np
from corefeval._lazy import NamedTuple, cached
from corefeval.errors import OptionError
from corefeval.overlap import alignment, summation
from corefeval.overlap.cells import Cells
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.twinless import discard_both, pad

_ROWS = "entities one by one, and only histograms of them were counted"
_NOT_COUNTED = "this measure looks at single entities: ask for it when the table is counted"

Kind = tuple[int, ...]
"""A document, and what cells or entities of a row have in common: (n, k, r), or (size, shared, largest)."""


class CellCounts(NamedTuple):
    """How many cells there are of each (document, n, k, r), and how many of these are the only ones of both entities.

    All are columns of integers, ordered by document; no (document, n, k, r) occurs twice.
    """

    document: Ints
    n: Array
    k: Array
    r: Array
    times: Array
    lone: Array


class EntityCounts(NamedTuple):
    """How many entities of one side there are of each (document, size, mentions with a twin, largest n of its cells).

    All are columns of integers, ordered by document; no combination occurs twice.
    """

    document: Ints
    size: Array
    shared: Array
    largest: Array
    times: Array


class Tangle(NamedTuple):
    """Cells, one by one, whose key entity or response entity has other cells, too.

    row: each one's row among the `CellCounts`. key, response: numbers of entities, in the order of their labels.
    """

    row: Ints
    key: Ints
    response: Ints


class CountedSide(Side):
    """The entities of one side as a histogram: as many as `times` says have each size (and the other columns)."""

    times: Array

    def __init__(self, counts: EntityCounts, documents: int, document_name: Sequence[str] | None) -> None:
        super().__init__(counts.size, counts.document, documents, None, document_name)
        self.__dict__["times"] = counts.times

    def sum(self, values: Array) -> ByDocument:
        """Return by document (a plain number for one) the sum of values, one for each row, as often as they occur."""
        return sum_counted(values, self.times, self.bounds)

    @cached
    def entities(self) -> ByDocument:
        """How many entities each document has; a plain number if there is one document only."""
        return self.sum(np.ones(len(self.size), dtype=np.int64))

    def list_sizes(self) -> list[list[tuple[int, int]]]:
        """Return for each document its entities' sizes, largest first, as pairs: a size, and how many have it."""
        found: list[dict[int, int]] = [{} for _ in range(self.documents)]
        for document, size, count in zip(self.document.tolist(), self.size.tolist(), self.times.tolist(), strict=True):
            found[document][size] = found[document].get(size, 0) + count
        return [sorted(sizes.items(), reverse=True) for sizes in found]


class CountedCells(Cells):
    """The cells as a histogram: as many as `times` says share n mentions; whose they are is not known."""

    times: Array

    def __init__(self, n: Array, times: Array) -> None:
        self.__dict__.update(n=n, times=times)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise OptionError(f"this measure looks at {_ROWS}")


class CountedOverlap(Overlap):
    """The table as histograms. It answers what a measure asks of a table, but for what single entities are."""

    _counts: CellCounts
    _key: EntityCounts
    _response: EntityCounts
    _tangle: Tangle | None
    _taken: Ints | None

    def __init__(
        self,
        cells: CellCounts,
        key: EntityCounts,
        response: EntityCounts,
        tangle: Tangle | None,
        document_name: Sequence[str],
        taken: Ints | None = None,
    ) -> None:
        """Make the table of histograms and of a tangle, from which CEAF's dominant cells may have been taken.

        taken: how many cells of each row of `cells` were taken since they are in every best alignment by CEAFm and by
        CEAFe; cells of their entities are not in the tangle. None if none was.
        """
        documents = len(document_name)
        ours, theirs = (CountedSide(counts, documents, document_name) for counts in (key, response))
        super().__init__(ours, theirs, CountedCells(cells.n, cells.times))
        self.__dict__.update(
            k=cells.k, r=cells.r, key_shared=key.shared, response_shared=response.shared,
            key_largest=key.largest, response_largest=response.largest, _counts=cells, _key=key,
            _response=response, _tangle=tangle, _taken=taken,
        )  # fmt: skip
        self.__dict__["cell_bounds"] = np.searchsorted(cells.document, np.arange(documents + 1))

    def sum(self, values: Array, bounds: Ints | None = None) -> ByDocument:
        """Return by document (a plain number for one) the sum of values, one for each row, as often as they occur."""
        if bounds is not None:
            raise OptionError(f"this measure looks at {_ROWS}")
        return sum_counted(values, self._counts.times, self.cell_bounds)

    def sum_quotients(self, numerator: Array, denominator: Array) -> ByDocument:
        """Return by document (a plain number for one) the sum of quotients, as often as they occur, rounded once."""
        return self._sum_chosen(numerator, denominator, self._counts.times)

    def sum_aligned(
        self, numerator: Array, denominator: Array | None = None, announce: alignment.Announce | None = None
    ) -> ByDocument:
        """Return by document (a plain number for one) the total weight of its best alignment, rounded once."""
        tangle = self._get_aligned_tangle(numerator, denominator)
        weights = numerator if denominator is None else numerator / denominator
        sure = self._count_sure(weights)
        announce = alignment.add_weight(announce, float((weights * sure).sum()))
        chosen = alignment.find_best(tangle.key, tangle.response, weights[tangle.row].astype(np.float64), announce)
        count = np.bincount(tangle.row[chosen], minlength=len(weights)).astype(object)
        return self._sum_chosen(numerator, denominator, count + sure)

    def _count_sure(self, weights: Array) -> Array:  # noqa: ARG002 - where singletons are added, they decide
        """Return for each row how many of its cells are in the best alignment outside of the tangle."""
        return self._counts.lone if self._taken is None else self._counts.lone + self._taken

    def get_tangle(self) -> Tangle:
        """Return the cells whose entities have others; an OptionError if they were not asked for when counting."""
        if self._tangle is None or self._taken is not None:
            raise OptionError(_NOT_COUNTED)
        return self._tangle

    def _get_aligned_tangle(self, numerator: Array, denominator: Array | None) -> Tangle:
        """Return the tangle for an alignment by these weights; an OptionError if it was reduced for other ones."""
        if self._tangle is None or self._taken is None:
            return self.get_tangle()
        counts = self._counts
        if denominator is None:
            is_ceaf = bool((numerator == counts.n).all())
        else:
            is_ceaf = bool((numerator == 2 * counts.n).all() and (denominator == counts.k + counts.r).all())
        if not is_ceaf:
            raise OptionError(_NOT_COUNTED)
        return self._tangle

    @cached
    def tangled(self) -> Overlap:
        """The entities that have a tangled cell, and these cells, as a table of their own that knows each of them."""
        tangle, counts = self.get_tangle(), self._counts
        document = counts.document[tangle.row]
        key, key_number = self._list_entities(tangle.key, counts.k[tangle.row], document)
        response, response_number = self._list_entities(tangle.response, counts.r[tangle.row], document)
        order = np.argsort(key_number, kind="stable")
        n = counts.n[tangle.row].astype(np.int64)
        return Overlap(key, response, Cells(key_number[order], response_number[order], n[order]))

    def _list_entities(self, entity: Ints, size: Array, document: Ints) -> tuple[Side, Ints]:
        """Return a Side of the entities that occur in a column, by document, and the column renumbered for it."""
        _, first, number = np.unique(entity, return_index=True, return_inverse=True)
        order = np.argsort(document[first], kind="stable")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        side = Side(size[first][order].astype(np.int64), document[first][order], self.documents)
        return side, place[number.reshape(-1)]

    def sum_lone(self, values: Array) -> ByDocument:
        """Return by document (a plain number for one) the sum of values of the only cells of both their entities."""
        return sum_counted(values, self._counts.lone, self.cell_bounds)

    def _sum_chosen(self, numerator: Array, denominator: Array | None, count: Array) -> ByDocument:
        """Return by document the sum of numbers or quotients, each row's as often as `count` says, rounded once."""
        if denominator is None:
            return sum_counted(numerator, count, self.cell_bounds)
        if self.documents == 1:
            return summation.sum_quotients(numerator * count, denominator)
        return summation.sum_quotients_by_segment(numerator * count, denominator, self.cell_bounds)


class PaddedOverlap(CountedOverlap):
    """The table as histograms, with singletons added for mentions that one side lacks.

    It aligns entities as if each had only one of its own added singletons, for it can take no more than one. What it
    takes without those depends on weights, where its only cell was the only one of the other entity, too: of all that
    are alike one is aligned, and stands for the others.
    """

    _alike: Tangle
    _alike_times: Array
    _alone: Array

    def _count_sure(self, weights: Array) -> Array:
        """Return for each row how many of its cells are in the best alignment outside of the tangle."""
        alike = self._alike
        chosen = alignment.find_best(alike.key, alike.response, weights[alike.row].astype(np.float64))
        sure = self._alone.copy()
        np.add.at(sure, alike.row[chosen], self._alike_times[chosen])
        return sure

    @property
    def tangled(self) -> NoReturn:
        """Raise an OptionError, for not all added singletons are in its tangle."""
        raise OptionError(f"this measure looks at {_ROWS}")


@pad.register
def _pad_counted(table: CountedOverlap) -> PaddedOverlap:
    """Return the histograms with a singleton added for every mention of either side without a twin, as its twin."""
    counts = table._counts
    cells = _count_kinds(counts.document, counts.n, counts.k, counts.r, times=counts.times)
    alone: Counter[Kind] = Counter()  # an entity that shares nothing is aligned with one of its own singletons
    key: Counter[Kind] = Counter()
    response: Counter[Kind] = Counter()
    for side, own, other, is_key in ((table._key, key, response, True), (table._response, response, key, False)):
        for document, size, shared, largest, times in zip(*(column.tolist() for column in side), strict=True):
            kind = (document, 1, size, 1) if is_key else (document, 1, 1, size)
            cells[kind] += (size - shared) * times
            alone[kind] += times if shared == 0 else 0
            own[document, size, size, max(largest, 1)] += times
            other[document, 1, 1, 1] += (size - shared) * times
    rows = _number_kinds(cells)
    lone = np.flatnonzero(counts.lone)
    alike = _add_singletons(counts, Tangle(lone, np.arange(len(lone)), np.arange(len(lone))), rows)
    padded = PaddedOverlap(
        CellCounts(*_make_columns(cells), lone=np.zeros(len(rows), dtype=object)),
        EntityCounts(*_make_columns(key)),
        EntityCounts(*_make_columns(response)),
        None if table._tangle is None or table._taken is not None else _add_singletons(counts, table._tangle, rows),
        table.key.document_name or (),
    )
    stands_for = np.where(alike.key < len(lone), alike.key, alike.response)  # added singletons have higher numbers
    padded.__dict__.update(
        _alike=alike,
        _alike_times=counts.lone[lone][stands_for],
        _alone=make_exact_column(alone[kind] for kind in rows),
    )
    return padded


def _add_singletons(counts: CellCounts, tangle: Tangle, rows: Mapping[Kind, int]) -> Tangle:
    """Return cells, in rows with new numbers, and one more for each entity with twinless mentions: with a singleton."""
    document, n, k, r = (column[tangle.row] for column in (counts.document, counts.n, counts.k, counts.r))
    one = np.ones(len(document), dtype=np.int64)
    parts = [(_find_rows(rows, document, n, k, r), tangle.key, tangle.response)]
    for entity, size, is_key in ((tangle.key, k, True), (tangle.response, r, False)):
        own, first = np.unique(entity, return_index=True)
        is_lacking = (size > _sum_shared(entity, n))[first]
        own, first = own[is_lacking], first[is_lacking]
        sizes = (size, one) if is_key else (one, size)
        kinds = _find_rows(rows, *(column[first] for column in (document, one, *sizes)))
        singleton = int((tangle.response if is_key else tangle.key).max(initial=-1)) + 1 + np.arange(len(own))
        parts.append((kinds, own, singleton) if is_key else (kinds, singleton, own))
    row, key, response = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.lexsort((response, key))
    return Tangle(row[order], key[order], response[order])


@discard_both.register
def _discard_counted(table: CountedOverlap) -> CountedOverlap:
    """Return the histograms without mentions that have no twin; an OptionError if the tangle was not asked for."""
    counts, tangle = table._counts, table.get_tangle()
    lone = _count_kinds(counts.document, counts.n, counts.n, counts.n, times=counts.lone)
    document, n = counts.document[tangle.row], counts.n[tangle.row]
    kinds = document, n, _sum_shared(tangle.key, n), _sum_shared(tangle.response, n)
    cells = lone + _count_kinds(*kinds, times=np.ones(len(n), dtype=np.int64))
    rows = _number_kinds(cells)
    key, response = (
        _count_kinds(side.document, side.shared, side.shared, side.largest, times=side.times * (side.shared > 0))
        for side in (table._key, table._response)
    )
    return CountedOverlap(
        CellCounts(*_make_columns(cells), lone=make_exact_column(lone[kind] for kind in rows)),
        EntityCounts(*_make_columns(key)),
        EntityCounts(*_make_columns(response)),
        tangle._replace(row=_find_rows(rows, *kinds)),
        table.key.document_name or (),
    )


def _sum_shared(entity: Ints, n: Array) -> Ints:
    """Return for each cell how many mentions its entity shares in all its cells, given the number of each."""
    shared = np.zeros(int(entity.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(shared, entity, n.astype(np.int64))
    return shared[entity]


def _count_kinds(*columns: Array, times: Array) -> Counter[Kind]:
    """Return how often each kind occurs, given the columns of kinds, of which some may be equal, and times."""
    found: Counter[Kind] = Counter()
    for kind, many in zip(zip(*(column.tolist() for column in columns), strict=True), times.tolist(), strict=True):
        found[kind] += many
    return found


def _number_kinds(times: Counter[Kind]) -> dict[Kind, int]:
    """Return the number of each kind that occurs, in their order."""
    return {kind: row for row, kind in enumerate(sorted(+times))}


def _find_rows(rows: Mapping[Kind, int], *columns: Array) -> Ints:
    """Return the row of each kind, given the columns of kinds."""
    return np.array([rows[kind] for kind in zip(*(column.tolist() for column in columns), strict=True)], dtype=np.int64)


def _make_columns(times: Counter[Kind]) -> tuple[Ints, Array, Array, Array, Array]:
    """Return the columns of kinds that occur, in their order, and of how often."""
    rows = [(*kind, many) for kind, many in sorted((+times).items())]
    document, *others = zip(*rows, strict=True) if rows else [()] * 5
    one, two, three, four = map(make_exact_column, others)
    return np.array(document, dtype=np.int64), one, two, three, four


def make_exact_column(values: Iterable[int]) -> Array:
    """Return an array of Python's integers, which are exact at any size."""
    return np.array([*values], dtype=object)


def sum_counted(values: Array, count: Array, bounds: Ints) -> ByDocument:
    """Return exact sums of `count[i]` times `values[i]` between bounds, each rounded once; one as a plain number."""
    listed, counts = values.tolist(), count.tolist()
    add = _add_integers if values.dtype.kind in "iubO" and float not in map(type, listed) else _add_floats
    sums = [add(listed[a:b], counts[a:b]) for a, b in pairwise(bounds.tolist())]
    if len(sums) == 1:
        return sums[0]
    return np.array(sums, dtype=np.float64 if add is _add_floats else object)  # object: integers of any size


def _add_integers(values: list[int], counts: list[int]) -> Number:
    """Return the sum of values, each as often as its count says, as an integer."""
    return sum(map(mul, map(int, values), counts))


def _add_floats(values: list[float], counts: list[int]) -> Number:
    """Return the exact sum of values, each as often as its count says, rounded once."""
    ratios = [value.as_integer_ratio() for value in values]
    scale = max((bottom for _, bottom in ratios), default=1)  # all are powers of two
    return sum(top * (scale // bottom) * count for (top, bottom), count in zip(ratios, counts, strict=True)) / scale
