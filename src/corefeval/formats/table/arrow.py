"""Parquet and Arrow files, by way of pyarrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval.errors import Fault, InputError
from corefeval.formats.table.cells import Part, part
from corefeval.formats.table.columns import NameColumn, TextColumn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Ints
    from corefeval.formats.shared.diagnostics import Diagnostics
    from corefeval.formats.table.columns import Column

_PARQUET, _FILE = b"PAR1", b"ARROW1"
_ROWS = 1 << 16  # at a time
_EXACT = 2.0**53  # whole numbers up to here are exact as floating-point numbers
_NONE = np.zeros(0, dtype=np.int64)


def needed(source: str) -> Any:
    """The library pyarrow, or an error that says how to get it."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - takes longer to load than most files to read
        import pyarrow.compute  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        what, hint = "Parquet and Arrow need pyarrow, which is not installed", 'pip install "corefeval[tables]"'
        raise InputError(Fault(source, what, hint=hint, kind="missing-package")) from None
    return pa


class Opened:
    """A file whose columns can be read one by one."""

    def __init__(self, data: bytes, found: Diagnostics) -> None:
        self._arrow, self._data, self._found = needed(found.source), data, found
        self.names: list[str] = []
        try:
            self.names = self._open([]).schema_arrow.names if data.startswith(_PARQUET) else self._open([]).schema.names
        except self._errors() as error:
            self._refuse(error)

    def fill(self, column: Column, number: int) -> None:
        """Fill a column with the cells of a column of the file."""
        try:
            cells = self._cells(number)
            if isinstance(column, TextColumn) or self._is_text(cells):
                self._fill_text(column, cells.cast(self._arrow.large_string()).fill_null(""))
            elif self._arrow.types.is_integer(cells.type):
                for chunk in cells.chunks:
                    missing = np.flatnonzero(chunk.is_null().to_numpy(zero_copy_only=False))
                    values = chunk.fill_null(0).cast(self._arrow.int64())
                    column.add(Part(values.to_numpy(), [], missing=missing))
            elif self._arrow.types.is_floating(cells.type):
                self._fill_whole_numbers(column, cells)
            else:
                self._refuse_type(column, str(cells.type))
        except self._errors() as error:
            self._refuse(error)

    def _open(self, fields: list[int]) -> Any:
        source = self._arrow.BufferReader(self._data)
        if self._data.startswith(_PARQUET):
            return self._arrow.parquet.ParquetFile(source)
        options = self._arrow.ipc.IpcReadOptions(included_fields=fields or None)
        opener = self._arrow.ipc.open_file if self._data.startswith(_FILE) else self._arrow.ipc.open_stream
        return opener(source, options=options)

    def _cells(self, number: int) -> Any:
        file = self._open([number])
        if self._data.startswith(_PARQUET):
            column = file.read(columns=[self.names[number]])[self.names[number]]
        else:
            column = file.read_all().column(0)
        # Data may be damaged so that looking at it would crash.
        column.validate(full=True)
        if self._arrow.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        return column

    def _is_text(self, cells: Any) -> bool:
        """Whether cells are text, or something that is best written as text to see what it is."""
        kind, types = cells.type, self._arrow.types
        if types.is_uint64(kind):
            return (self._arrow.compute.max(cells).as_py() or 0) >= 2**63
        texts = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary, types.is_large_binary)
        whole = types.is_decimal(kind) and kind.scale == 0
        return whole or types.is_null(kind) or any(is_kind(kind) for is_kind in texts)

    def _fill_text(self, column: Column, cells: Any) -> None:
        if isinstance(column, NameColumn):
            # The same names come again and again: it is enough to look at each once.
            coded = cells.dictionary_encode().combine_chunks()
            column.add_coded(_part(coded.dictionary), coded.indices.to_numpy())
            return
        for chunk in cells.chunks:
            for begin in range(0, len(chunk), _ROWS):
                column.add(_part(chunk.slice(begin, _ROWS)))

    def _fill_whole_numbers(self, column: Column, cells: Any) -> None:
        """Integers that became floating-point numbers on their way, as they do in data frames with missing values."""
        values = cells.cast(self._arrow.float64()).to_numpy()
        missing = np.isnan(values)
        values = np.where(missing, 0, values)
        if ((np.abs(values) > _EXACT) | (np.floor(values) != values)).any():
            self._refuse_type(column, f"{cells.type}, and not all are whole numbers")
        else:
            column.add(Part(values.astype(np.int64), [], missing=np.flatnonzero(missing)))

    def _errors(self) -> tuple[type[Exception], ...]:
        return (self._arrow.ArrowException, OSError, ValueError, LookupError, TypeError, MemoryError, OverflowError)

    def _refuse(self, error: Exception) -> None:
        said = " ".join(str(error).split())[:200]
        self._found.add_fault(None, f"damaged, or of a kind that pyarrow cannot read ({said})")

    def _refuse_type(self, column: Column, kind: str) -> None:
        what = f"column {column.name!r} is of type {kind}"
        self._found.add_fault(None, what, "integers or text", "cast it to int64 or string", kind="column-type")


def _part(texts: Any) -> Part:
    """An array of large strings, by the bytes that it consists of."""
    if len(texts) == 0:
        return Part(_NONE, [])
    place = np.frombuffer(texts.buffers()[1], dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    content = np.frombuffer(texts.buffers()[2] or b"", dtype=np.uint8)[place[0] : place[-1]]
    # An empty text at the end needs a byte to point to.
    page = np.append(content, np.uint8(0))
    return part(page, place[:-1] - place[0], place[1:] - place[0], lambda: (texts.to_pylist(), _NONE))


def write(columns: Mapping[str, Ints | list[str]], suffix: str) -> bytes:
    """A table as Parquet, or else as an Arrow file."""
    arrow = needed(f"a {suffix} file")
    table = arrow.table({name: arrow.array(values) for name, values in columns.items()})
    sink = arrow.BufferOutputStream()
    if suffix == ".parquet":
        arrow.parquet.write_table(table, sink)
    else:
        with arrow.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    return bytes(sink.getvalue())
