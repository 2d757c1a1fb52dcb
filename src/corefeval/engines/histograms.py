"""What an engine counts: histograms of cells and entities, the one interface between engines and measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corefeval._arrays import Array, Ints
from corefeval.overlap.counted import CellCounts, CountedOverlap, EntityCounts, Tangle, make_exact_column

Rows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Histograms:
    """How many cells and entities there are of each kind, in rows that begin with the name of a document or part.

    Where there are both, the name is a pair: of a part, and of a document.

    cells: (document, n, k, r, times, lone): so many cells share n mentions of entities of k and r; so many of them are
    the only cells of both their entities.
    key, response: (document, size, shared, largest, times): so many entities have this size, mentions with a twin, and
    largest n.
    tangle: columns of the cells that are not lone: document, label of the key, label of the response, n, k, r; None if
    not asked for.
    taken: (document, n, k, r, times): so many cells are in every best alignment by CEAFm and by CEAFe, and were left
    out of the tangle with all cells of their entities. A kind may occur several times.
    """

    cells: Rows
    key: Rows
    response: Rows
    tangle: tuple[Array, ...] | None = None
    taken: Rows = ()

    def build_table(self) -> CountedOverlap:
        """Return the table that measures count on; documents are in the order of their names."""
        names = sorted({row[0] for rows in (self.cells, self.key, self.response) for row in rows}) or [""]
        number = {name: place for place, name in enumerate(names)}
        cells = CellCounts(*_make_columns(self.cells, number, 6))
        key, response = (EntityCounts(*_make_columns(rows, number, 5)) for rows in (self.key, self.response))
        tangle = None if self.tangle is None else _make_tangle(self.tangle, cells, number)
        return CountedOverlap(cells, key, response, tangle, names, _count_taken(self.taken, self.cells))


def _count_taken(taken: Rows, cells: Rows) -> Ints | None:
    """Return for each row of the cells, which are sorted, how many of its cells were taken; None if none was."""
    if not taken:
        return None
    place = {tuple(row[:4]): number for number, row in enumerate(sorted(map(tuple, cells)))}
    counts = np.zeros(len(place), dtype=np.int64)
    for *kind, times in taken:
        counts[place[tuple(kind)]] += times
    return counts


def _make_columns(rows: Rows, number: dict[str, int], width: int) -> list[Array]:
    """Return the columns of rows, sorted, the first as numbers of documents, the others as Python's integers."""
    names, *columns = zip(*sorted(rows), strict=True) if rows else [()] * width
    document = np.array([number[name] for name in names], dtype=np.int64)
    return [document, *(make_exact_column(column) for column in columns)]


def _make_tangle(columns: tuple[Array, ...], cells: CellCounts, number: dict[str, int]) -> Tangle:
    """Return tangled cells with entities as numbers, by document and then in the order of labels, and their rows."""
    document, key, response, *kind = columns
    place = _number_documents(document, number)
    known = (cells.document, *(column.astype(np.int64) for column in (cells.n, cells.k, cells.r)))
    row = _find_rows(known, (place, *(column.astype(np.int64) for column in kind)))
    ours, theirs = (_number_entities(place, labels) for labels in (key, response))
    order = np.lexsort((theirs, ours))
    return Tangle(row[order], ours[order], theirs[order])


def _number_documents(names: Array, number: dict[str, int]) -> Ints:
    """Return the number of each document, given their names."""
    if len(number) == 1:
        return np.zeros(len(names), dtype=np.int64)
    return np.fromiter((number[name] for name in names), np.int64, len(names))


def _find_rows(known: tuple[Ints, ...], wanted: tuple[Ints, ...]) -> Ints:
    """Return for each combination of wanted columns the row of the known columns that has the same values.

    No combination is known twice, and each that is wanted is known.
    """
    place, found = np.zeros(len(known[0]), dtype=np.int64), np.zeros(len(wanted[0]), dtype=np.int64)
    for ours, theirs in zip(known, wanted, strict=True):
        values, rank = np.unique(ours, return_inverse=True)
        combined, place = np.unique(place * len(values) + rank.reshape(-1), return_inverse=True)
        found = np.searchsorted(combined, found * len(values) + np.searchsorted(values, theirs))
    row = np.empty(len(place), dtype=np.int64)
    row[place] = np.arange(len(place))
    return row[found]


def _number_entities(document: Ints, label: Array) -> Ints:
    """Return for each cell the number of its entity: by document, then by label."""
    rank = np.unique(label, return_inverse=True)[1].reshape(-1)
    if not document.any():
        return rank
    return np.unique(document * (int(rank.max(initial=0)) + 1) + rank, return_inverse=True)[1].reshape(-1)
