"""Reading the chosen columns of a table, whatever they mean: delimited text, Parquet or Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

from corefeval.errors import check_choice
from corefeval.formats.shared import lines
from corefeval.formats.table import sources
from corefeval.formats.table.columns import TableColumn, TableDiagnostics
from corefeval.formats.table.sources import MAGIC, SEPARATORS, Layout


class ChosenColumns(Protocol):
    """Columns to be read; those among `attributes` as text, whatever their type."""

    @property
    def attributes(self) -> Sequence[TableColumn]:
        """The columns that are read as text."""

    def __iter__(self) -> Iterator[TableColumn]: ...


Chosen = TypeVar("Chosen", bound="ChosenColumns")
Choose: TypeAlias = "Callable[[Sequence[str]], tuple[Chosen | None, list[tuple[str, str, str]]]]"
"""A function from the names of all columns to those that are to be read, or None, and faults: what, expected, hint."""

_HEADER = 4096  # bytes of a first row of column names


def find_separator(name: str) -> str:
    """Return a separator given by its name, such as "tab", or as it is; an OptionError if there is none such."""
    if name not in SEPARATORS.values():
        check_choice("separator", name, tuple(SEPARATORS))
    return SEPARATORS.get(name, name)


def split_header(beginning: bytes) -> Iterator[list[str]]:
    """Yield the names of columns in the first row of a text, split by each separator it has; none if it has numbers."""
    text = beginning[:_HEADER].removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n") + b"\n"
    begin, end = sources.find_header(text, quotes=True)
    record = text[begin:end]
    if record.count(b'"') % 2:
        return
    for separator in SEPARATORS.values():
        names = sources.split_names(record, separator, quotes=True) if separator.encode() in record else []
        if names and not any(name and not any(map(str.isalpha, name)) for name in names):
            yield names


def read_columns(
    data: bytes, choose: Choose[Chosen], diagnostics: TableDiagnostics, separator: str | None, *, quotes: bool
) -> Chosen:
    """Return the chosen columns, filled from a table in memory; an InputError for faults, or they are added.

    separator: of delimited text; None: guessed. quotes: whether they have a meaning there.
    """
    if data.startswith(tuple(MAGIC)):
        return _read_arrow(data, choose, diagnostics)
    return _read_text(data, choose, diagnostics, separator, quotes=quotes)


def _read_arrow(data: bytes, choose: Choose[Chosen], diagnostics: TableDiagnostics) -> Chosen:
    """Return the chosen columns, filled from a Parquet or Arrow file; an InputError if there are any faults."""
    table = sources.ArrowTable(data, diagnostics)
    diagnostics.raise_faults()
    columns = _choose_or_raise(choose, [name.strip() for name in table.names], None, diagnostics)
    for column in columns:
        table.fill(column, as_text=column in columns.attributes)
    diagnostics.raise_faults()
    if len({sum(map(len, column.blocks)) for column in columns}) > 1:
        diagnostics.add_fault(None, "damaged: its columns are of different lengths")
        diagnostics.raise_faults()
    return columns


def _read_text(
    data: bytes, choose: Choose[Chosen], diagnostics: TableDiagnostics, separator: str | None, *, quotes: bool
) -> Chosen:
    """Return the chosen columns, filled from delimited text; guess a missing separator; add faults or raise them."""
    text = lines.normalize_text(data, diagnostics.source)
    begin, end = sources.find_header(text, quotes=quotes)
    record, line = text[begin:end], text.count(b"\n", 0, begin) + 1
    if not record.strip():
        diagnostics.add_fault(1, "an empty file", "a first row with the names of the columns")
    elif quotes and record.count(b'"') % 2:
        diagnostics.add_fault(line, "a quoted cell begins here and never ends", "a closing quote")
    diagnostics.raise_faults()
    tried = [separator] if separator else sorted(SEPARATORS.values(), key=lambda each: -record.count(each.encode()))
    headers = [sources.split_names(record, each, quotes=quotes) for each in tried]
    best = next((i for i, names in enumerate(headers) if not choose(names)[1]), 0)
    columns = _choose_or_raise(choose, headers[best], line, diagnostics)
    sources.fill_from_text(text, end, Layout(tried[best], quotes, len(headers[best])), columns, diagnostics)
    return columns


def _choose_or_raise(
    choose: Choose[Chosen], names: Sequence[str], line: int | None, diagnostics: TableDiagnostics
) -> Chosen:
    """Return the columns chosen by their names; an InputError if some are missing, not clear, or of the same name."""
    for name in dict.fromkeys(name for name in names if name and names.count(name) > 1):
        what = f"{names.count(name)} columns are called {name!r}"
        diagnostics.add_fault(line, what, "different names", kind="column-twice")
    columns, faults = choose(names)
    for what, expected, hint in faults:
        diagnostics.add_fault(line, what, expected, hint, kind="column-missing")
    diagnostics.raise_faults()
    assert columns is not None  # noqa: S101 - there are faults otherwise
    return columns
