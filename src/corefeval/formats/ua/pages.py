"""A CoNLL-UA file as pages of cells, one for every document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.formats.shared.diagnostics import Diagnostics

STANDARD = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
MARKED = ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "NOM_SEM")
UNTOLD = ("ID", "FORM", "HEAD", "DEPS", *MARKED)
"""Columns that are no attributes of words: they are something else, or refer to words by number."""

NOTHING = ("", "_")
PSEUDO = "-Pseudo"

_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\b\s*=?)?(.*)")
_SENTENCE = re.compile(r"#\s*sent_id\b")
_ID = re.compile(r"[0-9]+(?:(\.)[0-9]+|(-)[0-9]+)?")
_BLANKS = re.compile(r"[ \t]+")


class Columns(NamedTuple):
    """The columns of a file in their order, and how many of them every line must have."""

    names: tuple[str, ...]
    least: int


class Page:
    """A document as it stands in the file; `name` is None for words that no line declares to be a document."""

    def __init__(self, name: str | None, line: int) -> None:
        self.name, self.line = name, line
        self.columns = self.declared = _USUAL
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

    def add(self, row: list[str], line: int, *, empty: bool) -> None:
        """A word."""
        self.rows.append(row)
        self.lines.append(line)
        self.sentence.append(self._sentence)
        self.empty.append(empty)


def pages(text: str, found: Diagnostics) -> list[Page]:
    """The documents of a file."""
    columns = _USUAL
    opened: list[Page] = []
    for number, line in enumerate(text.split("\n"), 1):
        visible = line.strip(" \t\r")
        if _is_comment(visible, columns):
            if given := _COLUMNS.match(visible):
                columns = _columns(given[1].split(), number, found) or columns
            elif given := _DOCUMENT.match(visible):
                opened.append(Page(given[1].strip(), number))
            elif _SENTENCE.match(visible) and opened:
                opened[-1].end_sentence()
        elif visible:
            if not opened:
                opened.append(Page(None, number))
            _add_line(opened[-1], line, columns, number, found)
        elif opened:
            opened[-1].end_sentence()
    return opened


def _is_comment(line: str, columns: Columns) -> bool:
    # A word can be '#' too, but then something else is the first column, and tabs are between them.
    return line.startswith("#") and (columns.names[0] == "ID" or "\t" not in line)


def _columns(names: Sequence[str], line: int, found: Diagnostics) -> Columns | None:
    known = tuple(name.upper() if name.upper() in STANDARD else name for name in names)
    marked = [name for name in MARKED if name in known]
    if "FORM" in known and marked and len(set(known)) == len(known):
        return Columns(known, 1 + max(known.index("FORM"), known.index(marked[0])))
    expected = f"every column once, FORM and at least one of {', '.join(MARKED)} among them"
    found.add_fault(line, f"'# global.columns = {' '.join(names)[:80]}'", expected)
    return None


_USUAL = Columns(STANDARD, STANDARD.index("IDENTITY") + 1)


def _add_line(page: Page, line: str, columns: Columns, number: int, found: Diagnostics) -> None:
    """A word, or the written form of several words, which is passed over."""
    if not page.rows:
        page.columns = page.declared = columns
    elif columns != page.declared:
        found.add_fault(number, "other columns within a document", "'# global.columns' before '# newdoc'")
        page.declared = columns
    names, least = columns
    cells = _cells(line, columns)
    if not least <= len(cells) <= len(names):
        what = f"a line of {len(cells)} cells" if len(cells) > 1 else f"{cells[0][:40]!r} alone on a line"
        expected = f"{least} to {len(names)} cells: {' '.join(names)}"
        found.add_fault(number, what, expected, "tabs or blanks separate cells, and _ is an empty one")
        page.add([""] * len(page.columns.names), number, empty=False)
        return
    cells.extend([""] * (len(names) - len(cells)))
    written = cells[names.index("ID")] if "ID" in names else "1"
    identifier = _ID.fullmatch(written)
    if identifier is None:
        expected = "its number: 7, or 7.1 for a zero, or 7-8 for the form of several words"
        found.add_fault(number, f"{written[:40]!r} as the ID of a word", expected)
    elif identifier[2]:
        for name in MARKED:
            if name in names and cells[names.index(name)] not in NOTHING:
                found.add_fault(number, f"{name} on the form of several words", "it on the words themselves")
        return
    if columns != page.columns:
        known = dict(zip(names, cells, strict=True))
        cells = [known.get(name, "") for name in page.columns.names]
    page.add(cells, number, empty=identifier is not None and identifier[1] is not None)


def _cells(line: str, columns: Columns) -> list[str]:
    """By tabs, if that gives enough of them, else by blanks: both are in use."""
    if "\t" in line:
        cells = line.rstrip("\r").split("\t")
        if " " in line:
            cells = [cell.strip(" ") for cell in cells]
        while len(cells) > len(columns.names) and not cells[-1]:
            cells.pop()
        if len(cells) >= columns.least:
            return cells
    return _BLANKS.split(line.strip(" \t\r"))


def numbers(empty: Sequence[bool]) -> list[str]:
    """The number of every word of a document: from 1, with 7.1 for the first zero behind word 7."""
    found: list[str] = []
    words = zeros = 0
    for zero in empty:
        words, zeros = (words, zeros + 1) if zero else (words + 1, 0)
        found.append(f"{words}.{zeros}" if zero else str(words))
    return found
