"""NumPy as an engine: tables that memory holds, counted by sorting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from corefeval._arrays import Array, Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.engines.arrow_files import open_batches
from corefeval.engines.counting import CountedTable, check_common_records
from corefeval.engines.files import ARROW, list_files
from corefeval.engines.frames import get_arrow_data
from corefeval.engines.histograms import Histograms
from corefeval.engines.numbered_cells import FEW, FUSED, NONE, SPARSE, NumberedCells, count_cells, count_rows
from corefeval.engines.records import (
    EXACT,
    RecordTables,
    SideFacts,
    TableSide,
    check_side,
    describe_giants,
    raise_repeated,
)
from corefeval.errors import Fault, InputError, OptionError
from corefeval.notices import Notice

_EXAMPLES = 3  # repeated ids that a message shows


class _Scope(NamedTuple):
    """What keeps equal labels apart, documents or parts: each record's number from 0 on, and what they stand for."""

    number: Ints
    names: Array

    def join(self, other: _Scope) -> _Scope:
        """Return the scope of records that are alike in both; its names are pairs."""
        found, number = np.unique(self.number * len(other.names) + other.number, return_inverse=True)
        pairs = zip(self.names[found // len(other.names)], other.names[found % len(other.names)], strict=True)
        return _Scope(number.reshape(-1), _list_objects(list(pairs)))


class _Labels(NamedTuple):
    """The labels of one side: each record's number, -1 where the side lacks it, and what they stand for, in Arrow."""

    number: Ints
    values: Any


@dataclass(frozen=True, slots=True)
class _Records:
    """All records: their labels on both sides, their documents and their parts."""

    key: _Labels
    response: _Labels
    document: _Scope
    part: _Scope


def count_in_memory(tables: RecordTables, *, with_tangle: bool) -> CountedTable:
    """Return the histograms of a table of records; an InputError for ids that repeat, and labels that are missing."""
    data = _read_sides(tables)
    notices: list[Notice] = []
    for (name, side), table in zip(tables.sides, data, strict=True):
        side.check_columns(table.column_names)
        without_id = int(_find_missing(table, side.id).sum()) if side.id else 0
        facts = SideFacts(table.num_rows, without_id, table.column(side.label).null_count)
        notices += check_side(side, name, facts, tables.missing_labels)
    records = _pair_columns(tables, data[0]) if tables.is_one_table else _join_tables(tables, data)
    parts = None
    if tables.key.by or tables.response.by:
        has_documents = tables.key.document or tables.response.document
        scope = records.part.join(records.document) if has_documents else records.part
        parts = _count_cells(records, scope, with_tangle=with_tangle)
    whole = _count_cells(records, records.document, with_tangle=with_tangle)
    return CountedTable(whole, parts, (*notices, *describe_giants(whole)))


def _read_sides(tables: RecordTables) -> list[Any]:
    """Return both sides' tables in Arrow, with the columns that are needed; the same one twice if it is one table."""
    ours, theirs = (side.list_columns() for _, side in tables.sides)
    if tables.is_one_table:
        return [_read_arrow(tables.key, list(dict.fromkeys(ours + theirs)))] * 2
    return [_read_arrow(tables.key, ours), _read_arrow(tables.response, theirs)]


def read_column_names(side: TableSide) -> list[str]:
    """Return the names of the columns of a side's table."""
    names: list[str] = _read_arrow(side).column_names
    return names


def _read_arrow(side: TableSide, columns: Sequence[str] = ()) -> Any:
    """Return a side's table in Arrow, from files or a frame, of which only these columns if given; CSV stays texts."""
    if not isinstance(side.table, str | Path):
        given = get_arrow_data(side.table, columns)
        reading = getattr(given, "read_all", None) or getattr(given, "to_table", None)
        data = given if reading is None else reading()
        return data if hasattr(data, "from_batches") else import_module("pyarrow").table(data)  # of a batch
    given = str(side.table)
    paths = list_files(given)
    pyarrow = import_module("pyarrow")
    read = [_read_file(pyarrow, path) for path in paths]
    try:
        return pyarrow.concat_tables(read)
    except pyarrow.ArrowInvalid as error:
        raise InputError(Fault(given, " ".join(str(error).split()), "files with the same columns")) from None


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


def _number_values(*columns: Any) -> tuple[list[Ints], Any]:
    """Return columns of Arrow as numbers, -1 for nothing, and the values that these stand for in all columns.

    Columns of different types are compared as texts. Integers that are near each other are their own numbers.
    """
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    if len({str(column.type) for column in columns}) > 1:
        columns = tuple(map(_write_texts, columns))
    joined = pyarrow.chunked_array([chunk for column in columns for chunk in column.chunks], columns[0].type)
    if pyarrow.types.is_floating(joined.type):
        joined = compute.add(joined, pyarrow.scalar(0, joined.type))  # -0.0 is 0.0
    ends = np.cumsum([len(column) for column in columns])[:-1]
    if len(joined) and not joined.null_count and pyarrow.types.is_integer(joined.type):
        values = joined.to_numpy()
        low, high = int(values.min()), int(values.max())
        if high - low < max(SPARSE * len(values), FEW) and high < FUSED:
            number = values.astype(np.int64)
            number -= low
            return np.split(number, ends), pyarrow.array(np.arange(low, high + 1))
    if not len(joined):
        return [np.zeros(0, dtype=np.int64) for _ in columns], pyarrow.array([], joined.type)
    try:
        encoded = compute.dictionary_encode(joined).combine_chunks()
    except pyarrow.ArrowNotImplementedError:
        raise InputError(Fault("a table", f"a column of {joined.type}", "numbers, texts, dates or times")) from None
    number = compute.fill_null(encoded.indices, NONE).to_numpy(zero_copy_only=False).astype(np.int64)
    return np.split(number, ends), encoded.dictionary


def _write_texts(column: Any) -> Any:
    """Return a column of Arrow as texts like those of SQL: 1 for the float 1.0, and no zeros at the end of a time."""
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    texts = column.cast("string")
    if pyarrow.types.is_floating(column.type):
        number = column.cast("float64")
        is_whole = compute.and_(compute.equal(number, compute.floor(number)), compute.less(compute.abs(number), EXACT))
        whole = compute.if_else(is_whole, number, 0.0).cast("int64").cast("string")
        return compute.if_else(is_whole, whole, texts)
    if pyarrow.types.is_timestamp(column.type):
        texts = compute.replace_substring_regex(texts, r"(\.\d*?)0+$", r"\1")
        return compute.replace_substring_regex(texts, r"\.$", "")
    return texts


def _list_objects(listed: Sequence[object]) -> Array:
    """Return an array of Python objects, which may be pairs."""
    return np.fromiter(listed, dtype=object, count=len(listed))


def _take_in_order(values: Any, number: Ints) -> Array:
    """Return the integers of Arrow that numbers stand for; of other values, their places in order."""
    if import_module("pyarrow").types.is_integer(values.type):
        return np.asarray(values.take(import_module("pyarrow").array(number)).to_numpy())
    try:
        order = import_module("pyarrow.compute").sort_indices(values).to_numpy()
    except import_module("pyarrow").ArrowNotImplementedError:  # intervals, say, have an order as texts only
        order = np.argsort([str(value) for value in values.to_pylist()], kind="stable")
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.arange(len(values))
    return place[number]


def _number_labels(column: Any, missing_labels: str) -> _Labels:
    """Return labels as numbers; if asked for, each missing one becomes one of its own."""
    (number,), values = _number_values(column)
    if missing_labels != "singleton" or not column.null_count:
        return _Labels(number, values)
    missing = np.flatnonzero(number == NONE)
    number[missing] = len(values) + np.arange(len(missing))
    names = [*map(str, values.to_pylist()), *(f"missing label of row {row + 1}" for row in missing.tolist())]
    return _Labels(number, import_module("pyarrow").array(names))


def _number_scopes(names: Sequence[str], data: Sequence[Any]) -> list[_Scope]:
    """Return the scopes of each table's rows by a column of texts, which not all tables have; 0 stands for none, ""."""
    if not any(names):
        return [_Scope(np.zeros(table.num_rows, dtype=np.int64), _list_objects([""])) for table in data]
    pyarrow = import_module("pyarrow")
    columns = [pyarrow.chunked_array([pyarrow.array([""])])]
    for name, table in zip(names, data, strict=True):
        nothing = pyarrow.chunked_array([pyarrow.nulls(table.num_rows, pyarrow.string())])
        columns.append((table.column(name).cast("string") if name else nothing).fill_null(""))
    (_, *numbers), values = _number_values(*columns)
    return [_Scope(number, _list_objects(values.to_pylist())) for number in numbers]


def _pair_columns(tables: RecordTables, table: Any) -> _Records:
    """Return the records of one table with a column of labels for each side."""
    key, response = (_number_labels(table.column(side.label), tables.missing_labels) for _, side in tables.sides)
    (document,), (part,) = (_number_scopes([name], [table]) for name in (tables.key.document, tables.key.by))
    return _Records(key, response, document, part)


def _join_tables(tables: RecordTables, data: Sequence[Any]) -> _Records:
    """Return the records of two tables, paired by id; an InputError if an id repeats, or none is common to both."""
    ids, records = _number_ids(tables, data)
    rows, labels = [], []
    for (_, side), table, own_ids in zip(tables.sides, data, ids, strict=True):
        number, values = _number_labels(table.column(side.label), tables.missing_labels)
        kept = np.flatnonzero(number != NONE) if tables.missing_labels == "drop" else np.arange(len(number))
        _check_repeated(side, table, own_ids[kept], kept, records)
        label = np.full(records, NONE)
        label[own_ids[kept]] = number[kept]
        rows.append(kept)
        labels.append(_Labels(label, values))
    ours, theirs = (label.number != NONE for label in labels)
    check_common_records(tables, int(ours.sum()), int(theirs.sum()), int((ours & theirs).sum()))
    columns = (tables.key.document, tables.response.document), (tables.key.by, tables.response.by)
    document, part = (_join_scopes(names, data, ids, rows, records) for names in columns)
    return _Records(labels[0], labels[1], document, part)


def _join_scopes(
    names: Sequence[str], data: Sequence[Any], ids: Sequence[Ints], rows: Sequence[Ints], records: int
) -> _Scope:
    """Return the scopes of records, given the rows with labels: the key's, or where it has none the response's."""
    number = np.zeros(records, dtype=np.int64)
    scopes = _number_scopes(names, data)
    for name, scope, own_ids, kept in reversed(list(zip(names, scopes, ids, rows, strict=True))):
        if name:
            number[own_ids[kept]] = scope.number[kept]
    return _Scope(number, scopes[0].names)


def _number_ids(tables: RecordTables, data: Sequence[Any]) -> tuple[list[Ints], int]:
    """Return for each side its rows' ids as numbers, equal where ids are, and how many numbers there may be."""
    names, documents = list(zip(tables.key.id, tables.response.id, strict=True)), None
    if tables.key.document:
        names.append(documents := (tables.key.document, tables.response.document))
    fused, many = None, 1
    for pair in names:
        columns = [table.column(name) for table, name in zip(data, pair, strict=True)]
        if pair == documents:
            columns = [column.cast("string").fill_null("") for column in columns]
        numbers, values = _number_values(*columns)
        number = np.concatenate(numbers)
        if fused is None:
            fused, many = number, len(values)
        else:
            found, fused = np.unique(fused * (len(values) + 1) + number + 1, return_inverse=True)
            many = len(found)
    assert fused is not None  # noqa: S101 - two tables have ids
    return np.split(fused.reshape(-1), [data[0].num_rows]), many


def _check_repeated(side: TableSide, table: Any, ids: Ints, rows: Ints, records: int) -> None:
    """Raise an InputError if some of these ids, each of a row, occur more than once; it shows the first by its text."""
    times = np.bincount(ids, minlength=records)
    if not (times > 1).any():
        return
    repeated, first = np.unique(ids, return_index=True)
    is_repeated = times[repeated] > 1
    names = [side.document, *side.id] if side.document else list(side.id)
    taken = table.select(list(dict.fromkeys(names))).take(rows[first[is_repeated]])
    texts = ["/".join(map(_write_value, (row[name] for name in names))) for row in taken.to_pylist()]
    examples = sorted(zip(texts, times[repeated[is_repeated]].tolist(), strict=True))
    raise_repeated(side, examples[:_EXAMPLES], len(examples))


def _write_value(value: object) -> str:
    """Return a value of Arrow as a text, as SQL writes it."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _count_cells(records: _Records, of: _Scope, *, with_tangle: bool) -> Histograms:
    """Return the histograms of records, by their scopes."""
    columns = (of.number, records.key.number, records.response.number)
    present = (records.key.number != NONE) | (records.response.number != NONE)
    (scope, a, b), n = count_rows(columns if present.all() else [column[present] for column in columns])
    counted = count_cells(NumberedCells(scope, a, b, n), of.names, with_tangle=with_tangle)
    if counted.tangle is None:
        return counted
    scope, a, b, *kind = counted.tangle
    labels = _take_in_order(records.key.values, a), _take_in_order(records.response.values, b)
    return replace(counted, tangle=(scope, *labels, *kind))
