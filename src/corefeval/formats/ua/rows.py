"""The lines of a CoNLL-UA file as rows of cells, by document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.formats.shared.diagnostics import Diagnostics

STANDARD_COLUMNS = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
ANAPHORA_COLUMNS = ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "NOM_SEM")
NOT_ATTRIBUTES = ("ID", "FORM", "HEAD", "DEPS", *ANAPHORA_COLUMNS)
"""Columns that are no attributes of words: they are something else, or refer to words by number."""

EMPTY_CELLS = ("", "_")

_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\b\s*=?)?(.*)")
_SENTENCE = re.compile(r"#\s*sent_id\b")
_ID = re.compile(r"[0-9]+(?:(\.)[0-9]+|(-)[0-9]+)?")
_BLANKS = re.compile(r"[ \t]+")


class ColumnNames(NamedTuple):
    """The columns of a file in their order, and how many of them every line must have."""

    names: tuple[str, ...]
    least: int


_USUAL_COLUMNS = ColumnNames(STANDARD_COLUMNS, STANDARD_COLUMNS.index("IDENTITY") + 1)


class DocumentCells:
    """A document as it stands in the file; `name` is None for words before the first line that begins a document."""

    def __init__(self, name: str | None, line: int) -> None:
        self.name, self.line = name, line
        self.columns = self.declared = _USUAL_COLUMNS
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.sentence: list[int] = []
        self.empty: list[bool] = []
        self._sentence = 0

    def column(self, name: str) -> list[str]:
        """The cells of a column; none, if the file does not have it."""
        if name not in self.columns.names:
            return []
        place = self.columns.names.index(name)
        return [row[place] for row in self.rows]

    def end_sentence(self) -> None:
        """Let the next word begin a sentence."""
        self._sentence = len(self.rows)

    def add_row(self, row: list[str], line: int, *, empty: bool) -> None:
        """Add a word; an empty one is a zero."""
        self.rows.append(row)
        self.lines.append(line)
        self.sentence.append(self._sentence)
        self.empty.append(empty)


def split_documents(text: str, diagnostics: Diagnostics) -> list[DocumentCells]:
    """The documents of a file."""
    columns = _USUAL_COLUMNS
    documents: list[DocumentCells] = []
    for number, line in enumerate(text.split("\n"), 1):
        visible = line.strip(" \t\r")
        if _is_comment(visible, columns):
            if match := _COLUMNS.match(visible):
                columns = _parse_columns(match[1].split(), number, diagnostics) or columns
            elif match := _DOCUMENT.match(visible):
                documents.append(DocumentCells(match[1].strip(), number))
            elif _SENTENCE.match(visible) and documents:
                documents[-1].end_sentence()
        elif visible:
            if not documents:
                documents.append(DocumentCells(None, number))
            _add_line(documents[-1], line, columns, number, diagnostics)
        elif documents:
            documents[-1].end_sentence()
    return documents


def _is_comment(line: str, columns: ColumnNames) -> bool:
    # A word can be '#' too, but then something else is the first column, and tabs are between them.
    return line.startswith("#") and (columns.names[0] == "ID" or "\t" not in line)


def _parse_columns(names: Sequence[str], line: int, diagnostics: Diagnostics) -> ColumnNames | None:
    """The columns that '# global.columns' lists; None, with a fault, if needed ones are missing or one is repeated."""
    known = tuple(name.upper() if name.upper() in STANDARD_COLUMNS else name for name in names)
    marked = [name for name in ANAPHORA_COLUMNS if name in known]
    if "FORM" in known and marked and len(set(known)) == len(known):
        return ColumnNames(known, 1 + max(known.index("FORM"), known.index(marked[0])))
    expected = f"every column once, FORM and at least one of {', '.join(ANAPHORA_COLUMNS)} among them"
    diagnostics.add_fault(line, f"'# global.columns = {' '.join(names)[:80]}'", expected)
    return None


def _add_line(document: DocumentCells, line: str, columns: ColumnNames, number: int, diagnostics: Diagnostics) -> None:
    """Add a word to a document; the written form of several words is skipped."""
    if not document.rows:
        document.columns = document.declared = columns
    elif columns != document.declared:
        diagnostics.add_fault(number, "columns change within a document", "'# global.columns' before '# newdoc'")
        document.declared = columns
    names, least = columns
    cells = _split_cells(line, columns)
    if not least <= len(cells) <= len(names):
        what = f"a line of {len(cells)} cells" if len(cells) > 1 else f"{cells[0][:40]!r} alone on a line"
        expected = f"{least} to {len(names)} cells: {' '.join(names)}"
        diagnostics.add_fault(number, what, expected, "tabs or blanks separate cells, and _ is an empty one")
        document.add_row([""] * len(document.columns.names), number, empty=False)
        return
    cells.extend([""] * (len(names) - len(cells)))
    written = cells[names.index("ID")] if "ID" in names else "1"
    identifier = _ID.fullmatch(written)
    if identifier is None:
        expected = "its number: 7, or 7.1 for a zero, or 7-8 for the form of several words"
        diagnostics.add_fault(number, f"{written[:40]!r} as the ID of a word", expected)
    elif identifier[2]:
        for name in ANAPHORA_COLUMNS:
            if name in names and cells[names.index(name)] not in EMPTY_CELLS:
                diagnostics.add_fault(number, f"{name} on the form of several words", "it on the words themselves")
        return
    if columns != document.columns:
        known = dict(zip(names, cells, strict=True))
        cells = [known.get(name, "") for name in document.columns.names]
    document.add_row(cells, number, empty=identifier is not None and identifier[1] is not None)


def _split_cells(line: str, columns: ColumnNames) -> list[str]:
    """The cells of a line, by tabs if that gives enough of them, else by blanks: both are in use."""
    if "\t" in line:
        cells = line.rstrip("\r").split("\t")
        if " " in line:
            cells = [cell.strip(" ") for cell in cells]
        while len(cells) > len(columns.names) and not cells[-1]:
            cells.pop()
        if len(cells) >= columns.least:
            return cells
    return _BLANKS.split(line.strip(" \t\r"))
