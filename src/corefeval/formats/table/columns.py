"""The columns of a table: which of them are read, what stands in them, and the corpus that they make.

A label is the integer that it spells where it spells one as a program would, without zeros before it, plus sign or
blanks, within 64 bits. It is a tuple where it is a list in JSON, of integers, texts and such lists, as Python writes
it: [0, 3]. Any other label is text. So it does not matter what else is in the column, or whether the file knows types:
7 in one file is "7" in another, and "007" is neither.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Labels, MentionColumn, Objects, Spans
from corefeval.errors import MOST_FAULTS, suggest_names
from corefeval.formats.shared.diagnostics import Diagnostics

NAMES = {
    "document": ("document", "doc", "doc_id", "document_id"),
    "mention": ("mention", "mention_id", "record", "record_id", "id"),
    "start": ("start", "begin"),
    "end": ("end",),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label"),
}
"""The usual names of the columns for each part of a row."""

LIMIT = 2**31
"""No text has as many words."""

BLANKS = " \t\n\r\v\f"
NO_ROWS: Ints = np.zeros(0, dtype=np.int64)

_SAY = "say which: --format table:"
_LEAST, _MOST = -(2**63), 2**64 - 1
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,19}")
_POSITION = re.compile(r"0|[1-9][0-9]{0,9}")
_INTEGER_LINES = re.compile(r"(?:(?:0|-?[1-9][0-9]{0,18})\n)++")
_VALUE_BEGINS = frozenset("-0123456789[")
_UNDECODED = re.compile("[\udc80-\udcff]")  # bytes that were no UTF-8
_SHOWN = 40  # characters of a cell in a message
_NO_NAMES = ("NULL", "null", "None", "NaN", "nan", "NA", "N/A", "n/a", "<NA>", r"\N")
_SINGLETONS = "give each singleton its own id"


class TableDiagnostics(Diagnostics):
    """Diagnostics by row. Rows have the lines in `row_lines`, if the file has lines.

    There may be as many faults as rows: those that would not be shown are only counted.
    """

    row_lines: Ints | None = None

    def add_row_faults(
        self, rows: Ints, describe: Callable[[int], str], expected: str, hint: str = "", *, kind: str = "syntax"
    ) -> None:
        """Add a fault for each of these rows."""
        for row in rows[:MOST_FAULTS].tolist():
            line, place = self._locate(row)
            self.add_fault(line, f"{place}{describe(row)}", expected, hint, kind=kind)
        self.more_faults += max(0, len(rows) - MOST_FAULTS)

    def add_row_notice(self, rows: Ints, kind: str, message: str) -> None:
        """Add one notice for these rows, if there are any, at the place of the first one."""
        if len(rows):
            line, place = self._locate(int(rows[0]))
            many = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
            self.add_notice(kind, line, f"{place}{message} ({many})", count=len(rows))

    def _locate(self, row: int) -> tuple[int | None, str]:
        """Return the line of a row and "", or None and the row as the beginning of a message."""
        return (None, f"row {row + 1}: ") if self.row_lines is None else (int(self.row_lines[row]), "")


# What stands in them


class UnusualRows(NamedTuple):
    """The rows whose cell has nothing but blanks in it, has blanks around it, or is not UTF-8."""

    missing: Ints
    padded: Ints
    garbled: Ints


class TableColumn:
    """A column that is filled block by block: an array where all cells of a block are integers, else a list of texts.

    number: its place among the columns of the file.
    """

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number
        self.blocks: list[Ints | list[str]] = []

    def add_cells(self, cells: Sequence[str]) -> None:
        """Add a block of cells, as integers if all of them are."""
        integers = parse_integers(cells)
        self.blocks.append(list(cells) if integers is None else integers)

    def add_integers(self, values: Ints) -> None:
        """Add a block of integers."""
        self.blocks.append(values)

    @cached
    def unusual(self) -> UnusualRows:
        """The rows of cells that are missing, have blanks around them, or are garbled."""
        has_texts = any(isinstance(block, list) for block in self.blocks)
        return find_unusual(self.to_texts() if has_texts else ())

    def to_texts(self) -> list[str]:
        """Return the cells as texts."""
        return [
            text for block in self.blocks for text in (block if isinstance(block, list) else _spell_integers(block))
        ]

    def to_mentions(self) -> MentionColumn:
        """Return the cells as labels: an array where all are integers, else Python objects."""
        if not any(isinstance(block, list) for block in self.blocks):
            return Labels(np.concatenate([NO_ROWS, *self.blocks]))
        labels: list[Any] = []
        for block in self.blocks:
            if isinstance(block, list):
                labels += [parse_label(text) if text[:1] in _VALUE_BEGINS else text for text in block]
            else:
                labels += block.tolist()
        if all(type(label) is int for label in labels):
            least, most = min(labels), max(labels)
            if most < 2**63 or least >= 0:
                return Labels(np.array(labels, dtype=np.int64 if most < 2**63 else np.uint64))
        return Objects(labels)

    def to_positions(self) -> Ints:
        """Return the positions in a text that cells give, -1 for cells that give none."""
        blocks = [
            [int(cell) if _POSITION.fullmatch(cell) else -1 for cell in block] if isinstance(block, list) else block
            for block in self.blocks
        ]
        positions = np.concatenate([NO_ROWS, *blocks])
        return np.where(positions < LIMIT, positions, -1)


class NameColumn(TableColumn):
    """A column of names, which only tell rows of this file apart: blocks of integers, or of the numbers of names."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(name, number)
        # A name that is asked for and not yet there gets the next number.
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._is_numbered: list[bool] = []

    def add_integers(self, values: Ints, *, is_numbered: bool = False) -> None:
        """Add a block of integers, which may be numbers of names."""
        self.blocks.append(values)
        self._is_numbered.append(is_numbered)

    def add_cells(self, cells: Sequence[str], rows: Ints | slice = slice(None)) -> None:
        """Add a block of cells; `rows` has the place of each among `cells`, if these are the distinct ones."""
        integers = parse_integers(cells)
        if integers is not None:
            self.add_integers(integers[rows])
        else:
            self.add_integers(self._number_names(cells)[rows], is_numbered=True)

    def _number_names(self, names: Sequence[str]) -> Ints:
        return np.fromiter(map(self._numbers.__getitem__, names), np.int64, len(names))

    @cached
    def labels(self) -> tuple[Ints, list[str] | None]:
        """An integer for every row, and the names that these number; None where the integers are the names."""
        blocks = [np.asarray(block) for block in self.blocks]
        if not any(self._is_numbered):
            return np.concatenate([NO_ROWS, *blocks]), None
        for place, is_numbered in enumerate(self._is_numbered):
            if not is_numbered:
                blocks[place] = self._number_names(_spell_integers(blocks[place]))
        return np.concatenate(blocks), list(self._numbers)

    @cached
    def unusual(self) -> UnusualRows:
        """The rows of cells that are missing, have blanks around them, or are garbled."""
        labels, names = self.labels
        return UnusualRows(*(np.flatnonzero(np.isin(labels, numbers)) for numbers in find_unusual(names or ())))


def find_unusual(texts: Sequence[str]) -> UnusualRows:
    """Return the rows of texts that are missing, have blanks around them, or are garbled."""
    edged = [row for row, text in enumerate(texts) if not text or text.strip(BLANKS) != text]
    garbled = []
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        garbled = [row for row, text in enumerate(texts) if _UNDECODED.search(text)]
    missing = [row for row in edged if not texts[row].strip(BLANKS)]
    padded = [row for row in edged if texts[row].strip(BLANKS)]
    return UnusualRows(*(np.array(rows, dtype=np.int64) for rows in (missing, padded, garbled)))


def parse_integers(cells: Sequence[str]) -> Ints | None:
    """Return the integers written in cells; None if any cell is not one in plain digits of at most 64 bits."""
    if not cells:
        return NO_ROWS
    lines = "\n".join(cells) + "\n"
    if not _INTEGER_LINES.fullmatch(lines):
        return None
    values = np.fromstring(lines, dtype=np.int64, sep="\n")
    # What is beyond 64 bits becomes the largest or the smallest integer within; a cell may have had line breaks.
    return values if len(values) == len(cells) and _LEAST < values.min() <= values.max() < 2**63 - 1 else None


def parse_label(text: str) -> Hashable:
    """Return the integer, or the tuple for a JSON list, that a cell spells; else its text."""
    if _INTEGER.fullmatch(text):
        value = int(text)
        return value if _LEAST <= value <= _MOST else text
    if not text.startswith("["):
        return text
    try:
        listed = json.loads(text)
        return _to_tuple(listed) if json.dumps(listed, ensure_ascii=False) == text else text
    except (ValueError, TypeError, RecursionError):
        return text


def _to_tuple(value: Any) -> Hashable:
    """Return lists as tuples, integers and texts as they are; raises TypeError for anything else (1.0 equals 1)."""
    if type(value) is list:
        return tuple(map(_to_tuple, value))
    if type(value) not in (int, str):
        raise TypeError
    return value


def _spell_integers(integers: Ints) -> list[str]:
    return list(map(str, integers.tolist()))


# Which columns are read


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table; the mention is one column of labels, or two of positions."""

    mention: Sequence[TableColumn]
    entity: NameColumn
    document: NameColumn | None
    attributes: Sequence[TableColumn]

    @property
    def required(self) -> tuple[TableColumn, ...]:
        """The columns that need a value in every row."""
        return (*self.mention, self.entity, *(() if self.document is None else (self.document,)))

    def __iter__(self) -> Iterator[TableColumn]:
        return iter((*self.required, *self.attributes))


def choose_columns(
    names: Sequence[str], asked: Mapping[str, str], attributes: str
) -> tuple[TableColumns | None, list[tuple[str, str, str]]]:
    """Return the columns that a user asks for by name, and of the others those with a usual name, still empty.

    attributes: names of further columns, "type+head", or "*" for all. Positions go before labels. Where columns are
    missing or not clear, faults are returned instead: what, expected, hint.
    """
    parts: dict[str, int] = {}
    faults: list[tuple[str, str, str]] = []
    for part, name in asked.items():
        column = _find_column(name, names)
        if column in parts.values():
            faults.append((f"column {name!r} cannot be two things at once", "", ""))
        elif column is not None:
            parts[part] = column
        elif name or part != "document":
            faults.append((f"no column is called {name!r}", "", suggest_names(name, names)))
    usual = {part: _find_candidates(part, names, set(parts.values())) for part in NAMES}
    has_positions = {"start", "end"} & asked.keys() or (usual["start"] and usual["end"])
    mention = ("start", "end") if has_positions and "mention" not in asked else ("mention",)
    for part in ("document", "entity", *mention):
        columns = [] if part in asked else usual[part]
        if len(columns) > 1:
            both = " and ".join(repr(names[column]) for column in columns)
            faults.append((f"{both} may both be the {part}", "one", f"{_SAY}{part}={names[columns[0]]}"))
        elif columns:
            parts[part] = columns[0]
        elif part not in asked and part != "document":
            either = ", or start and end" if part == "mention" else ""
            free = [name for i, name in enumerate(names) if name and i not in parts.values()] or names
            hint = f"{suggest_names(part, free)}; {_SAY}{part}=NAME"
            faults.append((f"no column for the {part}", f"{', '.join(NAMES[part])}{either}", hint))
    if attributes == "*":
        further = [number for number, name in enumerate(names) if name and number not in parts.values()]
    else:
        found = {name: _find_column(name, names) for name in attributes.split("+") if name}
        faults += [(f"no column is called {n!r}", "", suggest_names(n, names)) for n, i in found.items() if i is None]
        further = list(dict.fromkeys(number for number in found.values() if number is not None))
    if faults:
        return None, faults
    return TableColumns(
        [TableColumn(names[parts[part]], parts[part]) for part in mention],
        NameColumn(names[parts["entity"]], parts["entity"]),
        NameColumn(names[parts["document"]], parts["document"]) if "document" in parts else None,
        [TableColumn(names[number], number) for number in further],
    ), []


def _find_column(name: str, names: Sequence[str]) -> int | None:
    """Return the column of a name as it is written, or else the only one that differs in case."""
    if not name:
        return None
    if name in names:
        return names.index(name)
    alike = [column for column, other in enumerate(names) if other.lower() == name.lower()]
    return alike[0] if len(alike) == 1 else None


def _find_candidates(part: str, names: Sequence[str], taken: set[int]) -> list[int]:
    """Return the columns named as the part itself; if there is none, those with another usual name for it."""
    alike = [column for column, name in enumerate(names) if name.lower() in NAMES[part] and column not in taken]
    return [column for column in alike if names[column].lower() == part] or alike


# The corpus that they make


def build_corpus(columns: TableColumns, diagnostics: TableDiagnostics, *, ends_excluded: bool) -> Corpus:
    """Return the corpus that columns make; raises all faults of the table."""
    _add_cell_faults(columns, diagnostics)
    if len(columns.mention) == 1:
        mentions = columns.mention[0].to_mentions()
    else:
        mentions = _build_spans(columns.mention, diagnostics, ends_excluded=ends_excluded)
    diagnostics.raise_faults()
    entity, entity_names = columns.entity.labels
    document, document_names = columns.document.labels if columns.document else (None, None)
    _add_notices(columns, mentions, diagnostics)
    corpus = Corpus.from_labels(mention=entity, entity=entity, document=document)
    if entity_names is not None:
        numbers = np.asarray(corpus.entity_name).tolist()
        corpus = corpus.replace(entity_name=[entity_names[number] for number in numbers])
    if document_names is not None:
        corpus = corpus.replace(documents=tuple(document_names[int(number)] for number in corpus.documents))
    return corpus.replace(
        mentions=mentions,
        lines=diagnostics.row_lines,
        attributes={column.name: column.to_texts() for column in columns.attributes},
        source=diagnostics.source,
        notices=diagnostics.limit_notices(),
    )


def _add_cell_faults(columns: TableColumns, diagnostics: TableDiagnostics) -> None:
    """Add faults of required cells that are empty, and of cells that are not UTF-8."""
    for column in columns.required:
        message, expected, hint = f"nothing in column {column.name!r}", "a value in every row", ""
        if column is columns.entity:
            message, expected, hint = f"empty cluster id in column {column.name!r}", "", _SINGLETONS
        diagnostics.add_row_faults(column.unusual.missing, lambda _, m=message: m, expected, hint, kind="missing-value")  # type: ignore[misc]
    for column in columns:
        message, hint = f"column {column.name!r} is not UTF-8", "convert it: iconv -f LATIN1 -t UTF-8"
        diagnostics.add_row_faults(column.unusual.garbled, lambda _, m=message: m, "UTF-8", hint, kind="encoding")  # type: ignore[misc]


def _build_spans(columns: Sequence[TableColumn], diagnostics: TableDiagnostics, *, ends_excluded: bool) -> Spans:
    """Return the spans of start and end; add faults of cells that are no positions, and of ends before starts."""
    hint = "where start and end are something else, name the mention: --format table:mention=NAME"
    first, behind = (column.to_positions() for column in columns)
    last = behind - ends_excluded
    for column, positions in zip(columns, (first, behind), strict=True):
        wrong = np.setdiff1d(np.flatnonzero(positions < 0), column.unusual.missing)
        texts = column.to_texts() if len(wrong) else []
        describe = lambda row, name=column.name, texts=texts: f"{name} is {texts[row][:_SHOWN]!r}"  # noqa: E731
        diagnostics.add_row_faults(wrong, describe, f"a whole number from 0 to {LIMIT - 1}", hint)
    diagnostics.add_row_faults(
        np.flatnonzero((first >= 0) & (behind >= 0) & (last < first)),
        lambda row: f"a mention from {first[row]} to {behind[row]}",
        "first word, and the one after the last" if ends_excluded else "first and last word",
        kind="mention-outside",
    )
    return Spans(first, last)


def _add_notices(columns: TableColumns, mentions: MentionColumn, diagnostics: TableDiagnostics) -> None:
    """Add notices of cells that may not be meant as written."""
    for column in columns.required:
        if len(columns.mention) == 1 or column not in columns.mention:
            message = f"cells of column {column.name!r} begin or end with a blank, which is kept"
            diagnostics.add_row_notice(column.unusual.padded, "blank-kept", message)
    entity, entity_names = columns.entity.labels
    for number, name in enumerate(entity_names or ()):
        if name in _NO_NAMES:
            message = f"{name!r} is taken as the name of one entity; {_SINGLETONS}"
            diagnostics.add_row_notice(np.flatnonzero(entity == number), "unlikely-name", message)
    if isinstance(mentions, Objects) and all(isinstance(each, str) and each.endswith(".0") for each in mentions.values):
        label = str(mentions.values[0])
        message = f"mentions are called {label} and the like, and {label} is another label than {label[:-2]}"
        diagnostics.add_row_notice(np.arange(len(mentions)), "decimal-label", message)
    if len(entity) == 0:
        diagnostics.add_notice("no-rows", None, "a table without rows")
