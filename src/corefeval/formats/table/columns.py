"""The columns of a table, and the corpus that they make.

A label is the integer that it spells where it spells one as a program would, without zeros before it, plus sign or
blanks, within 64 bits. It is a tuple where it is a list in JSON, of integers, texts and such lists, as Python writes
it: [0, 3]. Any other label is text. So it does not matter what else is in the column, or whether the file knows types:
7 in one file is "7" in another, and "007" is neither.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Labels, Objects, Spans
from corefeval.errors import MOST_FAULTS, InputError
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.mentions import MentionColumn

LIMIT = 2**31
"""No text has as many words."""

BLANKS = " \t\n\r\v\f"
NO_ROWS: Ints = np.zeros(0, dtype=np.int64)

_LEAST, _MOST = -(2**63), 2**64 - 1
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,19}")
_VALUE_BEGINS = frozenset("-0123456789[")
_UNDECODED = re.compile("[\udc80-\udcff]")  # bytes that were no UTF-8
_SHOWN = 40  # characters of a cell in a message
_NO_NAMES = ("NULL", "null", "None", "NaN", "nan", "NA", "N/A", "n/a", "<NA>", r"\N")
_SINGLETONS = "give each singleton its own id"


class TableDiagnostics(Diagnostics):
    """Diagnostics by row. Rows have the lines in `row_lines`, if the file has lines.

    There may be as many faults as rows: those that would not be shown are only counted.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.row_lines: Ints | None = None
        self._more = 0

    def add_row_faults(
        self, rows: Ints, describe: Callable[[int], str], expected: str, hint: str = "", *, kind: str = "syntax"
    ) -> None:
        """Add a fault for each of these rows."""
        for row in rows[:MOST_FAULTS].tolist():
            line, place = self._locate(row)
            self.add_fault(line, f"{place}{describe(row)}", expected, hint, kind=kind)
        self._more += max(0, len(rows) - MOST_FAULTS)

    def add_row_notice(self, rows: Ints, kind: str, message: str) -> None:
        """Add one notice for these rows, if there are any, at the place of the first one."""
        if len(rows):
            line, place = self._locate(int(rows[0]))
            many = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
            self.add_notice(kind, line, f"{place}{message} ({many})", count=len(rows))

    def raise_faults(self) -> None:
        """Raise all faults at once, by line."""
        if self.faults:
            raise InputError(sorted(self.faults, key=lambda fault: fault.line or 0), more=self._more)

    def _locate(self, row: int) -> tuple[int | None, str]:
        return (None, f"row {row + 1}: ") if self.row_lines is None else (int(self.row_lines[row]), "")


class TableColumn:
    """A column, filled block by block: integers where all cells of a block are some, else texts.

    The rows of its unusual cells: `missing` (nothing but blanks), `padded` (blanks around), `garbled` (not UTF-8).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.clear()

    def clear(self) -> None:
        """Forget all cells."""
        self.length = 0
        self.missing, self.padded, self.garbled = NO_ROWS, NO_ROWS, NO_ROWS
        self._blocks: list[Ints | list[str]] = []

    def add_integers(self, values: Ints, missing: Ints = NO_ROWS) -> None:
        """Add a block of integers, some of which may be missing."""
        self.missing = np.append(self.missing, missing + self.length)
        self._blocks.append(values)
        self.length += len(values)

    def add_texts(self, cells: Sequence[str]) -> None:
        """Add a block of texts."""
        integers = parse_integers(cells)
        if integers is not None:
            self.add_integers(integers)
            return
        texts = list(cells)
        self._note_unusual(texts, lambda rows: rows)
        self._blocks.append(texts)
        self.length += len(texts)

    def _note_unusual(self, texts: list[str], find_rows: Callable[[Ints], Ints]) -> None:
        """Remember the unusual cells among texts; `find_rows` says in which rows of the block they are."""
        marked = "\0" + "\0".join(texts) + "\0"
        if any(f"\0{blank}" in marked or f"{blank}\0" in marked for blank in (*BLANKS, "\0")):
            bare = [text.strip(BLANKS) for text in texts]
            missing = _rows(row for row, text in enumerate(bare) if not text)
            padded = _rows(row for row, text in enumerate(bare) if text and text != texts[row])
            self.missing = np.append(self.missing, find_rows(missing) + self.length)
            self.padded = np.append(self.padded, find_rows(padded) + self.length)
        if not marked.isascii() and _UNDECODED.search(marked):
            undecoded = _rows(row for row, text in enumerate(texts) if _UNDECODED.search(text))
            for row in undecoded.tolist():
                texts[row] = texts[row].encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            self.garbled = np.append(self.garbled, find_rows(undecoded) + self.length)

    def to_texts(self) -> list[str]:
        """Return the cells as texts."""
        return [text for block in self._blocks for text in (block if isinstance(block, list) else _spell(block))]

    def to_mentions(self) -> MentionColumn:
        """Return the cells as labels: an array where all are integers, else Python objects."""
        blocks, self._blocks = self._blocks, []
        arrays = [block for block in blocks if not isinstance(block, list)]
        if len(arrays) == len(blocks):
            return Labels(np.concatenate([NO_ROWS, *arrays]))
        labels: list[Any] = []
        for block in blocks:
            if isinstance(block, list):
                labels += [parse_label(text) if text[:1] in _VALUE_BEGINS else text for text in block]
            else:
                labels += block.tolist()
        if all(type(label) is int for label in labels):
            least, most = min(labels), max(labels)
            if most < 2**63 or least >= 0:
                return Labels(np.array(labels, dtype=np.int64 if most < 2**63 else np.uint64))
        return Objects(labels)

    def to_positions(self) -> tuple[Ints, Ints]:
        """Return the positions in a text that cells spell, and the rows of cells that spell none."""
        blocks = [_parse_positions(block) if isinstance(block, list) else block for block in self._blocks]
        positions = np.concatenate([NO_ROWS, *blocks])
        return positions, np.setdiff1d(np.flatnonzero((positions < 0) | (positions >= LIMIT)), self.missing)


class NameColumn(TableColumn):
    """A column of names, which only tell rows of this file apart: blocks of integers, or of numbers of names."""

    def clear(self) -> None:
        """Forget all cells."""
        super().clear()
        self._coded: list[bool] = []  # whether the integers of a block are numbers of names
        self._number = _numbering()

    def add_integers(self, values: Ints, missing: Ints = NO_ROWS) -> None:
        """Add a block of integers, some of which may be missing."""
        super().add_integers(values, missing)
        self._coded.append(False)

    def add_texts(self, cells: Sequence[str]) -> None:
        """Add a block of texts."""
        place = _numbering()
        rows = _look_up(place, cells)
        self.add_distinct(list(place), rows)

    def add_distinct(self, names: list[str], rows: Ints) -> None:
        """Add a block of cells, each given by its place among distinct names."""
        integers = parse_integers(names)
        if integers is not None:
            self.add_integers(integers[rows])
            return
        self._note_unusual(names, lambda unusual: np.flatnonzero(np.isin(rows, unusual)))
        self._blocks.append(_look_up(self._number, names)[rows])
        self._coded.append(True)
        self.length += len(rows)

    def to_labels(self) -> tuple[Ints, list[str] | None]:
        """Return an integer for every row, and the names that they number, unless they are names themselves."""
        blocks = [np.asarray(block, dtype=np.int64) for block in self._blocks]
        if not any(self._coded):
            return np.concatenate([NO_ROWS, *blocks]), None
        for place, coded in enumerate(self._coded):
            if not coded:
                blocks[place] = _look_up(self._number, _spell(blocks[place]))
        return np.concatenate(blocks), list(self._number)


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table; the mention is one column of labels, or two of positions."""

    mention: Sequence[TableColumn]
    entity: NameColumn
    document: NameColumn | None
    attributes: Sequence[TableColumn]

    def required(self) -> tuple[TableColumn, ...]:
        """Return the columns that need a value in every row."""
        return (*self.mention, self.entity, *(() if self.document is None else (self.document,)))


def build_corpus(columns: TableColumns, diagnostics: TableDiagnostics, *, ends_excluded: bool) -> Corpus:
    """Return the corpus that columns make; raises all faults of the table."""
    _add_cell_faults(columns, diagnostics)
    if len(columns.mention) == 1:
        mentions = columns.mention[0].to_mentions()
    else:
        mentions = _build_spans(columns.mention, diagnostics, ends_excluded=ends_excluded)
    diagnostics.raise_faults()
    entity, entity_names = columns.entity.to_labels()
    document, document_names = columns.document.to_labels() if columns.document else (None, None)
    _add_notices(columns, mentions, entity, entity_names, diagnostics)
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
    for column in columns.required():
        what = f"nothing in column {column.name!r}"
        expected, hint = "a value in every row", ""
        if column is columns.entity:
            what, expected, hint = f"empty cluster id in column {column.name!r}", "", _SINGLETONS
        diagnostics.add_row_faults(column.missing, lambda _, what=what: what, expected, hint, kind="missing-value")  # type: ignore[misc]
    for column in (*columns.required(), *columns.attributes):
        what, hint = f"column {column.name!r} is not UTF-8", "convert it: iconv -f LATIN1 -t UTF-8"
        diagnostics.add_row_faults(column.garbled, lambda _, what=what: what, "UTF-8", hint, kind="encoding")  # type: ignore[misc]


def _build_spans(columns: Sequence[TableColumn], diagnostics: TableDiagnostics, *, ends_excluded: bool) -> Spans:
    hint = "where start and end are something else, name the mention: --format table:mention=NAME"
    (first, wrong_first), (behind, wrong_last) = (column.to_positions() for column in columns)
    last = behind - ends_excluded
    known = np.ones(len(first), dtype=np.bool_)
    for column, wrong in zip(columns, (wrong_first, wrong_last), strict=True):
        texts = column.to_texts() if len(wrong) else []
        describe = lambda row, name=column.name, texts=texts: f"{name} is {texts[row][:_SHOWN]!r}"  # noqa: E731
        diagnostics.add_row_faults(wrong, describe, f"a whole number from 0 to {LIMIT - 1}", hint)
        known[wrong] = known[column.missing] = False
    diagnostics.add_row_faults(
        np.flatnonzero(known & (last < first)),
        lambda row: f"a mention from {first[row]} to {behind[row]}",
        "first word, and the one after the last" if ends_excluded else "first and last word",
        kind="mention-outside",
    )
    return Spans(first, last)


def _add_notices(
    columns: TableColumns,
    mentions: MentionColumn,
    entity: Ints,
    entity_names: list[str] | None,
    diagnostics: TableDiagnostics,
) -> None:
    """Report what may not be meant as it is written."""
    for column in columns.required():
        if len(columns.mention) == 1 or column not in columns.mention:
            message = f"cells of column {column.name!r} begin or end with a blank, which is kept"
            diagnostics.add_row_notice(column.padded, "blank-kept", message)
    names = {} if entity_names is None else {name: number for number, name in enumerate(entity_names)}
    for name in _NO_NAMES:
        if name in names:
            message = f"{name!r} is taken as the name of one entity; {_SINGLETONS}"
            diagnostics.add_row_notice(np.flatnonzero(entity == names[name]), "unlikely-name", message)
    if isinstance(mentions, Objects) and all(isinstance(each, str) and each.endswith(".0") for each in mentions.values):
        label = str(mentions.values[0])
        message = f"mentions are called {label} and the like, and {label} is another label than {label[:-2]}"
        diagnostics.add_row_notice(np.arange(len(mentions)), "decimal-label", message)
    if columns.entity.length == 0:
        diagnostics.add_notice("no-rows", None, "a table without rows")


def parse_integers(cells: Sequence[str]) -> Ints | None:
    """Return the integers that cells spell; None unless all do as a program would, within 64 bits."""
    try:
        values = list(map(int, cells))
        # int() reads more than that: "+7", "007", " 7", "1_000".
        return np.array(values, dtype=np.int64) if list(map(str, values)) == list(cells) else None
    except (ValueError, OverflowError):
        return None


def parse_label(text: str) -> Hashable:
    """Return what a text spells: an integer, a tuple, or only itself."""
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
    """Return a list as a tuple; refuses what equals something that is written otherwise, such as 1.0 and true."""
    if type(value) is list:
        return tuple(map(_to_tuple, value))
    if type(value) not in (int, str):
        raise TypeError
    return value


def _parse_positions(cells: list[str]) -> Ints:
    """Return the positions that cells spell, -1 for what is none."""
    values = [int(cell) if _INTEGER.fullmatch(cell) else -1 for cell in cells]
    return np.array([value if value < LIMIT else -1 for value in values], dtype=np.int64)


def _spell(integers: Ints) -> list[str]:
    return list(map(str, integers.tolist()))


def _rows(rows: Iterator[int]) -> Ints:
    return np.array(list(rows), dtype=np.int64)


def _numbering() -> defaultdict[str, int]:
    """Return a dictionary in which a name that is asked for and not yet there gets the next number."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers


def _look_up(numbers: defaultdict[str, int], names: Sequence[str]) -> Ints:
    return np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
