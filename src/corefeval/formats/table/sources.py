"""Where the columns of a table come from: delimited text (CSV, TSV), Parquet and Arrow files.

Text is read by the standard library's csv module. Large files that turn out to be regular, with one row on each line
and nothing missing, are read by pyarrow.csv if it is installed: the same columns in less time. Whatever is unusual
goes the slow way, which finds all faults and their lines.

A cell may stand in double quotes, and then hold separators, line breaks, and quotes written twice (RFC 4180). A quote
anywhere else is a fault, for nobody can tell where such a cell ends; reading goes on with the next line.
"""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval.errors import MOST_FAULTS, Fault, InputError
from corefeval.formats.table.columns import NO_ROWS, NameColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from corefeval._arrays import Ints
    from corefeval.formats.table.columns import TableColumn, TableDiagnostics

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_LARGE = 1 << 23  # bytes from which on it takes less time to load pyarrow than it saves
_ROWS = 1 << 16  # at a time
_BYTES = 1 << 22  # at a time
_QUOTES = "quotes around a whole cell only, and written twice within it"
_NO_QUOTES = "where quotes mean nothing: --format table:quotes=no"
_UNENDED = "a quoted cell begins here and never ends"
_EXACT = 2.0**53  # whole numbers up to here are exact as floating-point numbers
_PARQUET, _ARROW_FILE = b"PAR1", b"ARROW1"
MAGIC = {_PARQUET: "Parquet", _ARROW_FILE: "Arrow", b"\xff\xff\xff\xff": "an Arrow stream"}
"""How files of a kind begin."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a text are written: what separates their cells, whether quotes have a meaning, how many cells."""

    separator: str
    quotes: bool
    width: int


# delimited text


def find_header(text: bytes, *, quotes: bool) -> tuple[int, int, int]:
    """Return where the first row that is not blank begins and ends, and its line; a quote may be left open."""
    begin = text.rfind(b"\n", 0, len(text) - len(text.lstrip())) + 1
    end = first_end = text.find(b"\n", begin) + 1
    is_open = quotes and text.count(b'"', begin, end) % 2 == 1
    while is_open and (closing := text.find(b'"', end)) >= 0:
        next_end = text.find(b"\n", closing) + 1
        is_open ^= text.count(b'"', end, next_end) % 2 == 1
        end = next_end
    return begin, first_end if is_open else end, text.count(b"\n", 0, begin) + 1


def split_names(record: bytes, separator: str, *, quotes: bool) -> list[str]:
    """Return the names of columns in a first row."""
    text = record.decode("utf-8", "backslashreplace")
    (names,) = _split_texts([text], separator, quotes=quotes)
    return [name.strip() for name in names]


def fill_from_text(
    text: bytes,
    place: int,
    line: int,
    layout: Layout,
    columns: Mapping[TableColumn, int],
    diagnostics: TableDiagnostics,
) -> None:
    """Fill columns, given with their numbers, with the rows of a text from some position and its line on."""
    if len(text) >= _LARGE and _fill_regular(text, place, layout, columns):
        length = next(iter(columns)).length
        diagnostics.row_lines = np.arange(line, line + length)
        return
    for column in columns:
        column.clear()
    source = io.BytesIO(text)
    source.seek(place)
    if b'"' not in text:
        layout = replace(layout, quotes=False)
    rows = _RowReader(layout, diagnostics)
    records = rows.find_records(io.TextIOWrapper(source, "utf-8", "surrogateescape", newline="\n"), line)
    longest = csv.field_size_limit(2**31 - 1)
    try:
        while block := list(islice(records, _ROWS)):
            cells = rows.split_records(block)
            for column, number in columns.items():
                column.add_texts(list(map(itemgetter(number), cells)))
    finally:
        csv.field_size_limit(longest)
    rows.report()


class _RowReader:
    """Splits a text into rows, and these into cells; reports rows that are not written as they should be."""

    def __init__(self, layout: Layout, diagnostics: TableDiagnostics) -> None:
        self._layout, self._diagnostics = layout, diagnostics
        separator = re.escape(layout.separator)
        cell = rf'(?:"[^"]*+(?:""[^"]*+)*+"|[^"\r\n{separator}]*+)'
        self._cell = re.compile(cell)
        self._cells_before = re.compile(rf"(?:{cell}{separator})*+")
        self._record = re.compile(rf"(?:{cell}{separator})*+{cell}\r?\n?")
        self._lines: list[Ints] = []
        self._empty: list[int] = []
        self._tall: list[int] = []

    def find_records(self, file: Iterable[str], line: int) -> Iterator[tuple[int, str]]:
        """Yield the rows as they are written, each with the number of its first line."""
        lines = iter(file)
        if not self._layout.quotes:
            yield from enumerate(lines, line)
            return
        waiting: deque[str] = deque()  # lines to be read again
        faults = 0
        while faults < MOST_FAULTS and (text := waiting.popleft() if waiting else next(lines, "")):
            if '"' not in text:
                yield line, text
                line += 1
                continue
            taken = [text]
            stray = self._find_stray(text)
            while stray and stray[1] == _UNENDED and (more := waiting.popleft() if waiting else next(lines, "")):
                taken.append(more)
                if more.count('"') % 2:  # the cell may end here
                    text = "".join(taken)
                    stray = self._find_stray(text)
            if stray is None:
                yield line, text
                self._tall += [line] * (len(taken) > 1)
                line += len(taken)
                continue
            place, what = stray
            line += text.count("\n", 0, place)
            self._diagnostics.add_fault(line, what, _QUOTES, _NO_QUOTES)
            faults += 1
            waiting.extendleft(reversed(taken[text.count("\n", 0, place) + 1 :]))
            line += 1

    def _find_stray(self, text: str) -> tuple[int, str] | None:
        """Return where the first cell begins that is not quoted as it should be, and what is wrong with it."""
        if self._record.fullmatch(text):
            return None
        before = self._cells_before.match(text)
        place = before.end() if before else 0
        cell = self._cell.match(text, place)
        end = cell.end() if cell else place
        if text.startswith('"', place):
            return place, _UNENDED if end == place else "a quoted cell goes on after its closing quote"
        is_quote = text.startswith('"', end)
        return (
            place,
            "a quote in a cell that does not begin with one" if is_quote else "a carriage return without quotes",
        )

    def split_records(self, records: Sequence[tuple[int, str]]) -> list[list[str]]:
        """Return the cells of rows, without rows that have too few or too many cells (faults) or no content."""
        lines, texts = map(list, zip(*records, strict=True))
        rows = _split_texts(texts, self._layout.separator, quotes=self._layout.quotes)
        width = self._layout.width
        if set(map(len, rows)) == {width} and all(map(any, rows)):
            self._lines.append(np.array(lines, dtype=np.int64))
            return rows
        self._diagnostics.row_lines = np.array(lines, dtype=np.int64)
        self._diagnostics.add_row_faults(
            np.flatnonzero(
                [len(cells) != width and text.strip() != "" for cells, text in zip(rows, texts, strict=True)]
            ),
            lambda row: f"{len(rows[row])} cell{'s' if len(rows[row]) > 1 else ''}",
            f"{width} as in the first row",
            "a cell with a separator in it stands in quotes",
        )
        regular = [row for row, cells in enumerate(rows) if len(cells) == width]
        kept = [row for row in regular if any(rows[row]) or '"' in texts[row]]
        self._empty += sorted({lines[row] for row in regular}.difference(lines[row] for row in kept))
        self._lines.append(self._diagnostics.row_lines[kept])
        return [rows[row] for row in kept]

    def report(self) -> None:
        """Report unusual rows, and tell the diagnostics the lines of the others."""
        for kind, lines, message in (
            ("skipped-line", self._empty, "rows without content are skipped"),
            ("line-break", self._tall, f"quoted cells go on over several lines; {_NO_QUOTES}"),
        ):
            self._diagnostics.row_lines = np.array(lines, dtype=np.int64)
            self._diagnostics.add_row_notice(np.arange(len(lines)), kind, message)
        self._diagnostics.row_lines = np.concatenate([NO_ROWS, *self._lines])


def _split_texts(texts: list[str], separator: str, *, quotes: bool) -> list[list[str]]:
    """Return the cells of rows, each given as it is written."""
    try:
        quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
        return list(csv.reader(texts, delimiter=separator, quoting=quoting))  # type: ignore[arg-type]
    except csv.Error:  # a carriage return in a cell without quotes is part of it
        if len(texts) > 1:
            return [cells for text in texts for cells in _split_texts([text], separator, quotes=quotes)]
        return [text.removesuffix("\n").removesuffix("\r").split(separator) for text in texts]


def _fill_regular(text: bytes, place: int, layout: Layout, columns: Mapping[TableColumn, int]) -> bool:
    """Fill columns by pyarrow.csv; False if it is not installed, or if not every line is a row with content."""
    page = np.frombuffer(text, dtype=np.uint8)[place:]
    if b"\r" in text and text.count(b"\r", place) != text.count(b"\r\n", place):
        return False
    if layout.quotes and not _has_regular_quotes(page, layout.separator):
        return False
    try:
        import pyarrow.csv as arrow_csv  # noqa: PLC0415 - takes longer to load than most files to read

        arrow = load_arrow("")
    except (ImportError, InputError):
        return False
    numbers = sorted(set(columns.values()))
    names = [str(number) for number in range(layout.width)]
    is_regular = True

    def refuse(_row: object) -> str:
        nonlocal is_regular
        is_regular = False
        return "skip"

    try:
        reader = arrow_csv.open_csv(
            arrow.BufferReader(arrow.py_buffer(text).slice(place)),
            arrow_csv.ReadOptions(column_names=names, block_size=_BYTES),
            arrow_csv.ParseOptions(
                delimiter=layout.separator,
                quote_char='"' if layout.quotes else False,
                ignore_empty_lines=False,
                invalid_row_handler=refuse,
            ),
            arrow_csv.ConvertOptions(
                include_columns=[names[number] for number in numbers],
                column_types=dict.fromkeys(names, arrow.large_string()),
                strings_can_be_null=False,
            ),
        )
        for batch in reader:
            if not is_regular:
                return False
            for column, number in columns.items():
                _add_strings(column, batch.column(numbers.index(number)), arrow)
    except arrow.ArrowException:
        return False
    empty = reduce(np.intersect1d, [column.missing for column in columns])
    length = next(iter(columns)).length
    return is_regular and len(empty) == 0 and length == text.count(b"\n", place)


def _has_regular_quotes(page: NDArray[np.uint8], separator: str) -> bool:
    """Whether quotes stand around whole cells, and in pairs within these."""
    quote = np.flatnonzero(page == ord('"'))
    if len(quote) % 2:
        return False
    opening, closing = quote[0::2], quote[1::2]
    # The second of two quotes in a cell closes it for a moment, and the next one opens it again.
    doubled = closing[:-1] + 1 == opening[1:]
    is_border = np.zeros(256, dtype=np.bool_)
    is_border[[ord(separator), ord("\n")]] = True
    begins_cell = (opening == 0) | is_border[page[opening - 1]]
    is_border[ord("\r")] = True  # before a line feed
    ends_cell = is_border[page[np.minimum(closing + 1, len(page) - 1)]]
    begins_cell[1:] |= doubled
    ends_cell[:-1] |= doubled
    return bool(begins_cell.all() and ends_cell.all())


# Parquet and Arrow


def load_arrow(source: str) -> Any:
    """Return the library pyarrow; raises an error that says how to get it."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - takes longer to load than most files to read
        import pyarrow.compute  # noqa: PLC0415
    except ImportError:
        what, hint = "Parquet and Arrow need pyarrow, which is not installed", 'pip install "corefeval[tables]"'
        raise InputError(Fault(source, what, hint=hint, kind="missing-package")) from None
    return pa


class ArrowTable:
    """A Parquet or Arrow file, whose columns are read one by one."""

    def __init__(self, data: bytes, diagnostics: TableDiagnostics) -> None:
        self._arrow, self._data, self._diagnostics = load_arrow(diagnostics.source), data, diagnostics
        self.names: list[str] = []
        try:
            file = self._open([])
            self.names = (file.schema_arrow if data.startswith(_PARQUET) else file.schema).names
        except self._errors() as error:
            self._add_fault(error)

    def fill(self, column: TableColumn, number: int, *, as_text: bool) -> None:
        """Fill a column with the cells of a column of the file; cells of any type are taken as text."""
        try:
            cells = self._read_cells(number)
            if as_text or self._is_text(cells):
                for chunk in cells.cast(self._arrow.large_string()).fill_null("").chunks:
                    _add_strings(column, chunk, self._arrow)
            elif self._arrow.types.is_integer(cells.type):
                for chunk in cells.chunks:
                    missing = np.flatnonzero(chunk.is_null().to_numpy(zero_copy_only=False))
                    column.add_integers(chunk.fill_null(0).cast(self._arrow.int64()).to_numpy(), missing)
            elif self._arrow.types.is_floating(cells.type):
                self._fill_whole_numbers(column, cells)
            else:
                self._add_type_fault(column, str(cells.type))
        except self._errors() as error:
            self._add_fault(error)

    def _open(self, fields: list[int]) -> Any:
        source = self._arrow.BufferReader(self._data)
        if self._data.startswith(_PARQUET):
            from pyarrow.parquet import ParquetFile  # noqa: PLC0415 - see load_arrow

            return ParquetFile(source)
        options = self._arrow.ipc.IpcReadOptions(included_fields=fields or None)
        opener = self._arrow.ipc.open_file if self._data.startswith(_ARROW_FILE) else self._arrow.ipc.open_stream
        return opener(source, options=options)

    def _read_cells(self, number: int) -> Any:
        file = self._open([number])
        if self._data.startswith(_PARQUET):
            cells = file.read(columns=[self.names[number]])[self.names[number]]
        else:
            cells = file.read_all().column(0)
        # Data may be damaged so that looking at it would crash.
        cells.validate(full=True)
        return cells.cast(cells.type.value_type) if self._arrow.types.is_dictionary(cells.type) else cells

    def _is_text(self, cells: Any) -> bool:
        """Whether cells are text, or something that is best written as text to see what it is."""
        kind, types = cells.type, self._arrow.types
        if types.is_uint64(kind):
            return (self._arrow.compute.max(cells).as_py() or 0) >= 2**63
        texts = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary, types.is_large_binary)
        whole = types.is_decimal(kind) and kind.scale == 0
        return whole or types.is_null(kind) or any(is_kind(kind) for is_kind in texts)

    def _fill_whole_numbers(self, column: TableColumn, cells: Any) -> None:
        """Add integers that became floating-point numbers, as they do in data frames with missing values."""
        values = cells.cast(self._arrow.float64()).to_numpy()
        missing = np.isnan(values)
        values = np.where(missing, 0, values)
        if ((np.abs(values) > _EXACT) | (np.floor(values) != values)).any():
            self._add_type_fault(column, f"{cells.type}, and not all are whole numbers")
        else:
            column.add_integers(values.astype(np.int64), np.flatnonzero(missing))

    def _errors(self) -> tuple[type[Exception], ...]:
        return (self._arrow.ArrowException, OSError, ValueError, LookupError, TypeError, MemoryError, OverflowError)

    def _add_fault(self, error: Exception) -> None:
        message = " ".join(str(error).split())[:200]
        self._diagnostics.add_fault(None, f"damaged, or of a kind that pyarrow cannot read ({message})")

    def _add_type_fault(self, column: TableColumn, kind: str) -> None:
        what = f"column {column.name!r} is of type {kind}"
        self._diagnostics.add_fault(None, what, "integers or text", "cast it to int64 or string", kind="column-type")


def _add_strings(column: TableColumn, texts: Any, arrow: Any) -> None:
    """Add an Arrow array of large strings to a column."""
    integers = _parse_integer_strings(texts, arrow)
    if integers is not None:
        column.add_integers(integers)
    elif isinstance(column, NameColumn):
        # The same names come again and again: it is enough to look at each once.
        coded = texts.dictionary_encode()
        column.add_distinct(coded.dictionary.to_pylist(), coded.indices.to_numpy())
    else:
        for begin in range(0, len(texts), _ROWS):
            column.add_texts(texts.slice(begin, _ROWS).to_pylist())


def _parse_integer_strings(texts: Any, arrow: Any) -> Ints | None:
    """Return the integers that texts spell, as `parse_integers` does; None unless all do, and are not negative."""
    if not arrow.compute.all(arrow.compute.ascii_is_decimal(texts), min_count=0).as_py():
        return None
    try:
        values = texts.cast(arrow.int64())
    except arrow.ArrowException:
        return None
    same = arrow.compute.equal(values.cast(texts.type), texts)
    return values.to_numpy() if arrow.compute.all(same, min_count=0).as_py() else None
