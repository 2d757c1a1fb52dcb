"""NumPy as an engine: tables that memory holds, counted by sorting."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from corefeval._arrays import Array, Booleans, Ints
from corefeval.engines.arrow_files import open_batches
from corefeval.engines.counting import CountedTable, check_common_records
from corefeval.engines.files import ARROW, list_files
from corefeval.engines.frames import get_arrow_data
from corefeval.engines.histograms import Histograms
from corefeval.engines.records import RecordTables, SideFacts, TableSide, check_side, describe_giants, raise_repeated
from corefeval.errors import Fault, InputError, OptionError
from corefeval.notices import Notice

_NONE = -1  # no label
_FUSED = 2**62  # how many different rows still have numbers of 64 bits
_EXAMPLES = 3  # repeated ids that a message shows


@dataclass(frozen=True, slots=True)
class _Records:
    """All records: the numbers of their labels on both sides, -1 where a side lacks them, and of their scopes.

    key_labels, response_labels, scope_names: what the numbers stand for.
    """

    a: Ints
    b: Ints
    scope: Ints
    key_labels: Array
    response_labels: Array
    scope_names: Array


def count_in_memory(tables: RecordTables, *, with_tangle: bool) -> CountedTable:
    """Return the histograms of a table of records; an InputError for ids that repeat, and labels that are missing."""
    sides = tables.sides[:1] if tables.is_one_table else tables.sides
    data = [_read_arrow(side) for _, side in sides] * (2 if tables.is_one_table else 1)
    notices: list[Notice] = []
    for (name, side), table in zip(tables.sides, data, strict=True):
        side.check_columns(table.column_names)
        without_id = int(_find_missing(table, side.id).sum()) if side.id else 0
        facts = SideFacts(table.num_rows, without_id, table.column(side.label).null_count)
        notices += check_side(side, name, facts, tables.missing_labels)
    records = _pair_columns(tables, data[0]) if tables.is_one_table else _join_tables(tables, data)
    parts = None
    if tables.key.by or tables.response.by:
        parts = _count_cells(records, with_tangle=with_tangle)
        records = replace(records, scope=np.full_like(records.scope, _NONE))
    whole = _count_cells(records, with_tangle=with_tangle)
    return CountedTable(whole, parts, (*notices, *describe_giants(whole)))


def read_column_names(side: TableSide) -> list[str]:
    """Return the names of the columns of a side's table."""
    names: list[str] = _read_arrow(side).column_names
    return names


def _read_arrow(side: TableSide) -> Any:
    """Return the columns that a side needs as an Arrow table, from files or a frame; cells of CSV stay texts."""
    if not isinstance(side.table, str | Path):
        given = get_arrow_data(side.table)
        reading = getattr(given, "read_all", None) or getattr(given, "to_table", None)
        return given if reading is None else reading()
    given = str(side.table)
    paths = list_files(given)
    pyarrow = import_module("pyarrow")
    return pyarrow.concat_tables([_read_file(pyarrow, path) for path in paths])


def _read_file(pyarrow: Any, path: str) -> Any:
    """Return a file as an Arrow table; cells of CSV and TSV stay texts, empty ones are missing."""
    try:
        if path.endswith(".parquet"):
            return import_module("pyarrow.parquet").read_table(path)
        if path.endswith(ARROW):
            return open_batches(path).read_all()
        if path.endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz")):
            return _read_text(pyarrow, path)
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(Fault(path, str(error).partition("\n")[0])) from None
    raise OptionError(f"{path}: an engine reads Parquet, Arrow, CSV and TSV files")


def _read_text(pyarrow: Any, path: str) -> Any:
    """Return a file of CSV or TSV as an Arrow table of texts."""
    csv = import_module("pyarrow.csv")
    parse = csv.ParseOptions(delimiter="\t" if ".tsv" in path else ",", newlines_in_values=True)
    with csv.open_csv(path, parse_options=parse) as beginning:
        names = beginning.schema.names
    convert = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=True, null_values=[""],
        quoted_strings_can_be_null=False,
    )  # fmt: skip
    return csv.read_csv(path, parse_options=parse, convert_options=convert)


def _find_missing(table: Any, names: Sequence[str]) -> Booleans:
    """Return for each row whether one of these columns has nothing in it."""
    missing = np.zeros(table.num_rows, dtype=np.bool_)
    for name in names:
        missing |= table.column(name).is_null().to_numpy()
    return missing


def _encode(*columns: Any) -> tuple[list[Ints], Array]:
    """Return columns of Arrow as numbers, -1 for nothing, and the values that these stand for in all columns.

    Columns of different types are compared as texts.
    """
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    if len({str(column.type) for column in columns}) > 1:
        columns = tuple(column.cast("string") for column in columns)
    chunks = [chunk for column in columns for chunk in column.chunks]
    encoded = compute.dictionary_encode(pyarrow.chunked_array(chunks, columns[0].type)).combine_chunks()
    if hasattr(encoded, "chunks"):  # none, where there are no rows
        encoded = compute.dictionary_encode(pyarrow.array([], columns[0].type))
    number = compute.fill_null(encoded.indices, _NONE).to_numpy(zero_copy_only=False).astype(np.int64)
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return np.split(number, ends), _list_values(encoded.dictionary)


def _list_values(column: Any) -> Array:
    """Return the values of a column of Arrow as an array of Python objects."""
    listed = column.to_pylist()
    values = np.empty(len(listed), dtype=object)
    values[:] = listed
    return values


def _encode_labels(column: Any, missing_labels: str) -> tuple[Ints, Array]:
    """Return labels as numbers, and what they stand for; if asked for, each missing one becomes one of its own."""
    (number,), values = _encode(column)
    missing = np.flatnonzero(number == _NONE)
    if missing_labels != "singleton" or not len(missing):
        return number, values
    number[missing] = len(values) + np.arange(len(missing))
    names = [*map(str, values), *(f"missing label of row {row + 1}" for row in missing.tolist())]
    return number, np.array(names, dtype=object)


def _encode_scopes(tables: RecordTables, data: Sequence[Any]) -> tuple[list[Ints], Array]:
    """Return the documents or parts of each table's rows as numbers, -1 for none, and their names."""
    pyarrow = import_module("pyarrow")
    columns = []
    for (_, side), table in zip(tables.sides, data, strict=True):
        name = side.document or side.by
        nothing = pyarrow.chunked_array([pyarrow.nulls(table.num_rows, pyarrow.string())])
        columns.append(table.column(name).cast("string") if name else nothing)
    return _encode(*columns)


def _pair_columns(tables: RecordTables, table: Any) -> _Records:
    """Return the records of one table with a column of labels for each side."""
    a, key_labels = _encode_labels(table.column(tables.key.label), tables.missing_labels)
    b, response_labels = _encode_labels(table.column(tables.response.label), tables.missing_labels)
    (scope, _), names = _encode_scopes(tables, (table, table))
    return _Records(a, b, scope, key_labels, response_labels, names)


def _join_tables(tables: RecordTables, data: Sequence[Any]) -> _Records:
    """Return the records of two tables, paired by id; an InputError if an id repeats, or none is common to both."""
    ids = _number_ids(tables, data)
    records = max((int(each.max(initial=_NONE)) for each in ids), default=_NONE) + 1
    scopes, names = _encode_scopes(tables, data)
    scope = np.full(records, _NONE)
    sides = []
    for (_, side), table, own_ids, own_scopes in zip(tables.sides, data, ids, scopes, strict=True):
        number, values = _encode_labels(table.column(side.label), tables.missing_labels)
        kept = np.flatnonzero(number != _NONE)
        _check_repeated(side, table, own_ids[kept], kept)
        label = np.full(records, _NONE)
        label[own_ids[kept]] = number[kept]
        new = scope[own_ids[kept]] == _NONE
        scope[own_ids[kept][new]] = own_scopes[kept][new]
        sides.append((label, values))
    (a, key_labels), (b, response_labels) = sides
    both = int(((a != _NONE) & (b != _NONE)).sum())
    check_common_records(tables, int((a != _NONE).sum()), int((b != _NONE).sum()), both)
    return _Records(a, b, scope, key_labels, response_labels, names)


def _number_ids(tables: RecordTables, data: Sequence[Any]) -> list[Ints]:
    """Return for each side the numbers of its rows' ids, which equal ids of both sides have in common."""
    names = list(zip(tables.key.id, tables.response.id, strict=True))
    if tables.key.document:
        names.append((tables.key.document, tables.response.document))
    ends = [data[0].num_rows]
    fused = np.zeros(sum(table.num_rows for table in data), dtype=np.int64)
    for pair in names:
        numbers, values = _encode(*(table.column(name) for table, name in zip(data, pair, strict=True)))
        fused = np.unique(fused * (len(values) + 1) + np.concatenate(numbers), return_inverse=True)[1].reshape(-1)
    return np.split(fused, ends)


def _check_repeated(side: TableSide, table: Any, ids: Ints, rows: Ints) -> None:
    """Raise an InputError if some of these ids, each of a row, occur more than once; it shows the first by its text."""
    _, first, times = np.unique(ids, return_index=True, return_counts=True)
    repeated = np.flatnonzero(times > 1)
    if not len(repeated):
        return
    taken = table.select(list(side.id)).take(rows[first[repeated]])
    texts = ["/".join(str(row[name]) for name in side.id) for row in taken.to_pylist()]
    examples = sorted(zip(texts, times[repeated].tolist(), strict=True))
    raise_repeated(side, examples[:_EXAMPLES], len(examples))


def _count_cells(records: _Records, *, with_tangle: bool) -> Histograms:
    """Return the histograms of records, by their scopes."""
    present = (records.a != _NONE) | (records.b != _NONE)
    columns = (records.scope, records.a, records.b)
    (scope, a, b), n = _count_rows(columns if present.all() else [column[present] for column in columns])
    scope_names = np.append(records.scope_names, "")  # the last one for -1, no scope
    keys = _Entities(scope, a, b, n)
    responses = _Entities(scope, b, a, n)
    shared = (a != _NONE) & (b != _NONE)
    k, r = keys.size[keys.number[shared]], responses.size[responses.number[shared]]
    lone = (keys.degree[keys.number[shared]] == 1) & (responses.degree[responses.number[shared]] == 1)
    kinds, times = _count_rows([scope[shared], n[shared], k, r, lone.astype(np.int64)])
    merged: dict[tuple[object, ...], list[int]] = {}
    for (place, *kind, is_lone), count in zip(_list_rows(kinds), times.tolist(), strict=True):
        row = merged.setdefault((scope_names[place], *kind), [0, 0])
        row[0] += count
        row[1] += count if is_lone else 0
    cells = sorted((*kind, *counts) for kind, counts in merged.items())
    key, response = (entities.count(scope_names) for entities in (keys, responses))
    if not with_tangle:
        return Histograms(cells, key, response)
    tangled = np.flatnonzero(shared)[~lone]
    tangle = (
        scope_names[scope[tangled]], records.key_labels[a[tangled]], records.response_labels[b[tangled]], n[tangled],
        k[~lone], r[~lone],
    )  # fmt: skip
    return Histograms(cells, key, response, tangle)


def _list_rows(columns: Sequence[Ints]) -> Iterator[tuple[int, ...]]:
    """Yield the rows of columns."""
    return zip(*(column.tolist() for column in columns), strict=True)


class _Entities:
    """The entities of one side of some cells: `number` is each cell's, -1 where the side lacks its records."""

    def __init__(self, scope: Ints, own: Ints, other: Ints, n: Ints) -> None:
        there = own != _NONE
        labels = int(own.max(initial=0)) + 1
        found, number = np.unique((scope[there] + 1) * labels + own[there], return_inverse=True)
        number = number.reshape(-1)
        has_twin = other[there] != _NONE
        count = len(found)
        self.scope = found // labels - 1
        self.number = np.full(len(own), _NONE)
        self.number[there] = number
        self.size = np.bincount(number, weights=n[there], minlength=count).astype(np.int64)
        self.shared = np.bincount(number, weights=n[there] * has_twin, minlength=count).astype(np.int64)
        self.degree = np.bincount(number[has_twin], minlength=count)
        self.largest = np.zeros(count, dtype=np.int64)
        np.maximum.at(self.largest, number[has_twin], n[there][has_twin])

    def count(self, names: Array) -> list[tuple[object, ...]]:
        """Return the histogram's rows: a scope's name, size, shared, largest, and how many are like that."""
        kinds, times = _count_rows([self.scope, self.size, self.shared, self.largest])
        rows = zip(_list_rows(kinds), times.tolist(), strict=True)
        return sorted((names[place], *kind, count) for (place, *kind), count in rows)


def _count_rows(columns: Sequence[Ints]) -> tuple[list[Ints], Ints]:
    """Return the distinct rows of columns of numbers from -1 on, as columns in order, and how often each occurs."""
    if not len(columns[0]):
        return list(columns), np.zeros(0, dtype=np.int64)
    widths = [int(column.max()) + 2 for column in columns]
    if math.prod(widths) < _FUSED:  # one sort of single numbers, instead of one for each column
        fused = np.zeros(len(columns[0]), dtype=np.int64)
        for column, width in zip(columns, widths, strict=True):
            fused *= width
            fused += column
            fused += 1
        fused.sort()
        starts = np.flatnonzero(np.append(True, fused[1:] != fused[:-1]))
        rest, found = fused[starts], []
        for width in reversed(widths):
            found.append(rest % width - 1)
            rest = rest // width
        return found[::-1], np.diff(np.append(starts, len(fused)))
    order = np.lexsort(columns[::-1])
    ordered = [column[order] for column in columns]
    is_new = np.any([column[1:] != column[:-1] for column in ordered], axis=0)
    starts = np.flatnonzero(np.append(True, is_new))
    return [column[starts] for column in ordered], np.diff(np.append(starts, len(order)))
