"""Where the columns of a table come from: delimited text (CSV, TSV), Parquet and Arrow files.

Text is read in blocks of lines. A regular block, with one row of content on each line, is split by the standard library
(in large files by pyarrow.csv, if that is installed). Any other one goes the slow way, cell by cell, which finds all
faults and their lines.

A cell may stand in double quotes, and then hold separators, line breaks, and quotes written twice (RFC 4180). A quote
anywhere else is a fault, for nobody can tell where such a cell ends; reading goes on with the next line.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from corefeval._arrays import Ints
from corefeval.errors import MOST_FAULTS, InputError
from corefeval.formats.shared.arrow import load_arrow
from corefeval.formats.table.arrow_texts import are_plain_digits, list_possible_integers
from corefeval.formats.table.columns import NO_ROWS, TableColumn, TableDiagnostics

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_LARGE = 1 << 20  # bytes from which on it takes less time to load pyarrow than it saves
_BYTES = 1 << 22  # at a time
_FEW = 100  # cells, of which one is no integer in most columns of texts
_QUOTES = "quotes around a whole cell only, and written twice within it"
_NO_QUOTES = "where quotes mean nothing: --format table:quotes=no"
_EXACT = 2.0**53  # whole numbers up to here are exact as floating-point numbers
_PARQUET, _ARROW_FILE = b"PAR1", b"ARROW1"
MAGIC = {_PARQUET: "Parquet", _ARROW_FILE: "Arrow", b"\xff\xff\xff\xff": "an Arrow stream"}
"""How files of a kind begin."""

_BLANK = re.compile(rb"\s*")
_RECORD = re.compile(rb'[^"\n]*+(?:"[^"]*+"[^"\n]*+)*+\n')


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a text are written: what separates their cells, whether quotes have a meaning, how many cells."""

    separator: str
    quotes: bool
    width: int


# delimited text


def find_header(text: bytes, *, quotes: bool) -> tuple[int, int]:
    """Return where the first row that is not blank begins and ends; a quote may be left open."""
    begin = text.rfind(b"\n", 0, _BLANK.match(text).end()) + 1  # type: ignore[union-attr]
    record = _RECORD.match(text, begin) if quotes else None
    return begin, record.end() if record else text.find(b"\n", begin) + 1


def split_names(record: bytes, separator: str, *, quotes: bool) -> list[str]:
    """Return the names of columns in a first row, without blanks around them."""
    text = record.decode("utf-8", "backslashreplace").rstrip("\r\n")
    try:
        rows = csv.reader([text], delimiter=separator, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE)
        return [name.strip() for name in next(rows, [])]
    except csv.Error:  # a carriage return in a cell without quotes is part of it
        return [name.strip() for name in text.split(separator)]


def fill_from_text(
    text: bytes, place: int, layout: Layout, columns: Iterable[TableColumn], diagnostics: TableDiagnostics
) -> None:
    """Fill columns with a text's rows from a position on; set the diagnostics' `row_lines`; add faults and notices."""
    arrow = None
    if len(text) >= _LARGE:
        with suppress(InputError):
            arrow = load_arrow("")
    reader = _RowReader(layout, diagnostics)
    numbers = [column.number for column in columns]
    line = 1 + text.count(b"\n", 0, place)
    lines = [NO_ROWS]
    while place < len(text):
        end = text.find(b"\n", place + _BYTES) + 1 or len(text)
        cells = split_regular(text[place:end], layout, numbers, arrow)
        if cells is None:
            end, rows, row_lines = reader.split_rows(text, place, end, line)
            cells = list(zip(*rows, strict=True))
            cells = [cells[number] for number in numbers] if cells else [()] * len(numbers)
        else:
            row_lines = np.arange(line, line + len(cells[0]))
        lines.append(row_lines)
        for column, added in zip(columns, cells, strict=True):
            _add_cells(column, added, arrow)
        line += text.count(b"\n", place, end)
        place = end
    reader.add_diagnostics()
    diagnostics.row_lines = np.concatenate(lines)


def split_regular(block: bytes, layout: Layout, numbers: Sequence[int], arrow: Any) -> list[Any] | None:
    """Return the cells of each column number from a block of lines; None if not every line is a row with content."""
    separator, width = layout.separator, layout.width
    block = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    page = np.frombuffer(block, dtype=np.uint8)
    is_line_end = page == ord("\n")
    # A row without content is nothing but separators.
    if not block or b"\r" in block or np.diff(np.flatnonzero(is_line_end), prepend=-1).min() <= width:
        return None
    is_quoted = layout.quotes and b'"' in block
    if is_quoted:
        cell = rf'(?:"[^"\n]*+(?:""[^"\n]*+)*+"|[^"\n{separator}]*+)'
        row = rf"(?:{cell}\{separator}){{{width - 1}}}{cell}\n"
        if not re.fullmatch(rf"(?:{row})++".encode(), block):
            return None
    if arrow is not None:
        try:
            return _split_by_arrow(block, layout, numbers, arrow)
        except arrow.ArrowException:
            pass
    text = block.decode("utf-8", "surrogateescape")
    if is_quoted:
        try:
            cells = list(chain.from_iterable(csv.reader(text.split("\n"), delimiter=separator)))
        except csv.Error:  # a cell is too long
            return None
    else:
        is_last = is_line_end[is_line_end | (page == ord(separator))]  # of the cells of its row
        if len(is_last) % width or (is_last.reshape(-1, width) != (np.arange(width) == width - 1)).any():
            return None
        cells = text.replace("\n", separator).split(separator)
        cells.pop()
    return [cells[number::width] for number in numbers]


class _RowReader:
    """Splits a text cell by cell into rows, and reports those that are not written as they should be."""

    def __init__(self, layout: Layout, diagnostics: TableDiagnostics) -> None:
        self._layout, self._diagnostics = layout, diagnostics
        separator = re.escape(layout.separator).encode()
        quoted, plain = (rb'"([^"]*+(?:""[^"]*+)*+)"', b'"') if layout.quotes else (b"((?!))", b"")
        self._cell = re.compile(rb"(?:%b|([^%b\n%b]*+))(?:%b|(\r?\n))" % (quoted, plain, separator, separator))
        self._quoted = re.compile(quoted)
        self._strays = 0
        self._uneven: list[tuple[int, int]] = []
        self._empty: list[int] = []
        self._tall: list[int] = []

    def split_rows(self, text: bytes, place: int, end: int, line: int) -> tuple[int, list[list[str]], Ints]:
        """Split the rows that begin between two positions; return where the last one ends, the rows, and their lines.

        Rows without content, or with too few or too many cells, are left out.
        """
        rows, lines = [], []
        while place < end:
            cells, is_quoted, next_place = self._split_row(text, place, line)
            if len(cells) != self._layout.width:
                if cells and text[place:next_place].strip():
                    self._uneven.append((line, len(cells)))
            elif is_quoted or any(cells):
                rows.append(cells)
                lines.append(line)
            else:
                self._empty.append(line)
            height = text.count(b"\n", place, next_place)
            self._tall += [line] * (len(cells) > 0 and height > 1)
            place, line = next_place, line + height
        return place, rows, np.array(lines, dtype=np.int64)

    def _split_row(self, text: bytes, place: int, line: int) -> tuple[list[str], bool, int]:
        """Return a row's cells ([] with a fault for a stray quote), whether any is quoted, and where the row ends.

        A row with a quote that should not be there is a fault: it has no cells and ends with the line of that quote.
        """
        begin, cells, is_quoted = place, [], False
        while cell := self._cell.match(text, place):
            quoted, plain, line_end = cell.groups()
            if quoted is not None:
                is_quoted, content = True, quoted.replace(b'""', b'"')
            else:
                content = plain.removesuffix(b"\r") if line_end else plain
            cells.append(content.decode("utf-8", "surrogateescape"))
            place = cell.end()
            if line_end:
                return cells, is_quoted, place
        if not text.startswith(b'"', place):
            what = "a quote in a cell that does not begin with one"
        elif self._quoted.match(text, place):
            what = "a quoted cell goes on after its closing quote"
        else:
            what = "a quoted cell begins here and never ends"
        self._diagnostics.add_fault(line + text.count(b"\n", begin, place), what, _QUOTES, _NO_QUOTES)
        self._strays += 1
        return [], False, text.find(b"\n", place) + 1 if self._strays < MOST_FAULTS else len(text)

    def add_diagnostics(self) -> None:
        """Add faults of rows of another width, and notices of blank rows and of cells over several lines."""
        expected, hint = f"{self._layout.width} as in the first row", "a cell with a separator in it stands in quotes"
        for line, count in self._uneven[:MOST_FAULTS]:
            self._diagnostics.add_fault(line, f"{count} cell{'s' if count > 1 else ''}", expected, hint)
        self._diagnostics.unlisted_faults["syntax"] += max(0, len(self._uneven) - MOST_FAULTS)
        for kind, lines, message in (
            ("skipped-line", self._empty, "rows without content are skipped"),
            ("line-break", self._tall, f"quoted cells go on over several lines; {_NO_QUOTES}"),
        ):
            self._diagnostics.row_lines = np.array(lines, dtype=np.int64)
            self._diagnostics.add_row_notice(np.arange(len(lines)), kind, message)


def _split_by_arrow(block: bytes, layout: Layout, numbers: Sequence[int], arrow: Any) -> list[Any]:
    """Return an Arrow array of cells per column number from a regular block; an ArrowException if a line is no row."""
    import pyarrow.csv as arrow_csv  # noqa: PLC0415 - see load_arrow

    names = [str(number) for number in range(layout.width)]
    table = arrow_csv.read_csv(
        arrow.BufferReader(block),
        arrow_csv.ReadOptions(column_names=names, block_size=len(block)),
        arrow_csv.ParseOptions(
            delimiter=layout.separator, quote_char='"' if layout.quotes else False, ignore_empty_lines=False
        ),
        arrow_csv.ConvertOptions(
            include_columns=[names[number] for number in sorted(set(numbers))],
            column_types=dict.fromkeys(names, arrow.large_string()),
            strings_can_be_null=False,
        ),
    )
    return [table.column(names[number]).combine_chunks() for number in numbers]


# Parquet and Arrow


class ArrowTable:
    """A Parquet or Arrow file, whose columns are read one by one."""

    def __init__(self, data: bytes, diagnostics: TableDiagnostics) -> None:
        self._arrow, self._data, self._diagnostics = load_arrow(diagnostics.source), data, diagnostics
        self.names: list[str] = []
        with self._report_damage():
            file = self._open([])
            self.names = (file.schema_arrow if data.startswith(_PARQUET) else file.schema).names

    def fill(self, column: TableColumn, *, as_text: bool) -> None:
        """Fill a column with its cells from the file, of any type if `as_text`; else a fault if they are no labels."""
        types = self._arrow.types
        with self._report_damage():
            cells = self._read_cells(column.number)
            if types.is_floating(cells.type) and not as_text:
                cells = self._convert_floats(cells)
            if not as_text and not self._has_labels(cells.type):
                kind = f"{cells.type}{', and not all are whole numbers' if types.is_floating(cells.type) else ''}"
                what, hint = f"column {column.name!r} is of type {kind}", "cast it to int64 or string"
                self._diagnostics.add_fault(None, what, "integers or text", hint, kind="column-type")
            elif types.is_integer(cells.type) and not types.is_uint64(cells.type) and not cells.null_count:
                column.add_integers(cells.cast(self._arrow.int64()).to_numpy())
            else:
                for chunk in cells.cast(self._arrow.large_string()).fill_null("").chunks:
                    _add_cells(column, chunk, self._arrow)

    @contextmanager
    def _report_damage(self) -> Iterator[None]:
        """Return a context manager that turns any error within it into a fault that the file is damaged."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - pyarrow raises errors of many kinds where data is damaged
            message = " ".join(str(error).split())[:200]
            self._diagnostics.add_fault(None, f"damaged, or of a kind that pyarrow cannot read ({message})")

    def _open(self, fields: list[int]) -> Any:
        """Return a pyarrow reader of the file, in Arrow only for these columns ([] for all), in Parquet for all."""
        source = self._arrow.BufferReader(self._data)
        if self._data.startswith(_PARQUET):
            from pyarrow.parquet import ParquetFile  # noqa: PLC0415 - see load_arrow

            return ParquetFile(source)
        options = self._arrow.ipc.IpcReadOptions(included_fields=fields or None)
        opener = self._arrow.ipc.open_file if self._data.startswith(_ARROW_FILE) else self._arrow.ipc.open_stream
        return opener(source, options=options)

    def _read_cells(self, number: int) -> Any:
        """Return a column's cells as an Arrow array without dictionary; pyarrow's error if they are not valid."""
        file = self._open([number])
        is_parquet = self._data.startswith(_PARQUET)
        cells = (file.read(columns=[self.names[number]]) if is_parquet else file.read_all()).column(0)
        # Data may be damaged so that looking at it would crash.
        cells.validate(full=True)
        return cells.cast(cells.type.value_type) if self._arrow.types.is_dictionary(cells.type) else cells

    def _has_labels(self, kind: Any) -> bool:
        """Return whether cells of an Arrow type can be labels: whole numbers, texts, bytes, or nothing but null."""
        types = self._arrow.types
        whole = types.is_integer(kind) or (types.is_decimal(kind) and kind.scale == 0)
        texts = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary, types.is_large_binary)
        return whole or types.is_null(kind) or any(is_kind(kind) for is_kind in texts)

    def _convert_floats(self, cells: Any) -> Any:
        """Return floating-point cells as integers, null for NaN, if all are whole numbers; else as they are.

        Data frames turn integers into floating-point numbers where values are missing.
        """
        values = cells.cast(self._arrow.float64()).to_numpy()
        missing = np.isnan(values)
        values = np.where(missing, 0, values)
        if ((np.abs(values) > _EXACT) | (np.floor(values) != values)).any():
            return cells
        return self._arrow.chunked_array([self._arrow.array(values.astype(np.int64), mask=missing)])


def _add_cells(column: TableColumn, cells: Any, arrow: Any) -> None:
    """Add cells, texts or an Arrow array of large strings, to a column as a block, of integers if all are."""
    if isinstance(cells, list | tuple):
        column.add_cells(cells)
        return
    integers = _parse_integer_strings(cells, arrow)
    if integers is not None:
        column.add_integers(integers)
    elif any(len(list_possible_integers(some)) < len(some) for some in (cells.slice(0, _FEW), cells)):
        column.add_array(cells)
    else:
        column.add_cells(cells.to_pylist())


def _parse_integer_strings(texts: Any, arrow: Any) -> Ints | None:
    """Return the integers that texts spell, as `parse_integers` does; None unless all do, and are not negative."""
    if not arrow.compute.all(arrow.compute.ascii_is_decimal(texts), min_count=0).as_py() or not are_plain_digits(texts):
        return None
    try:
        values: Ints = texts.cast(arrow.int64()).to_numpy()
    except arrow.ArrowException:
        return None
    return values
