"""The lines of a CoNLL-UA file: its documents, and its words as rows of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.formats.shared.columns import TabbedLines, find_cells, match_places, strip_places
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.ua.columns import ANAPHORA_COLUMNS, STANDARD_COLUMNS

_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\b\s*=?)?(.*)")
_SENTENCE = re.compile(r"#\s*sent_id\b")
_MEANT = (b"global.columns", b"newdoc", b"sent_id")
_NUMBER = rb"[0-9]+"
_ID = re.compile(rb"[0-9]+(?:(\.)[0-9]+|(-)[0-9]+)?")
_WORD, _ZERO, _RANGE = range(3)
_HASH, _TAB, _SPACE, _UNDERSCORE = b"#\t _"


class ColumnNames(NamedTuple):
    """The columns of a file in their order, and how many of them every line must have."""

    names: tuple[str, ...]
    least: int


_USUAL_COLUMNS = ColumnNames(STANDARD_COLUMNS, STANDARD_COLUMNS.index("IDENTITY") + 1)
_NONE = ColumnNames((), 0)  # of lines that are no rows


class UaDocuments(NamedTuple):
    """The names of documents, None for words before the first one that has a header, and the rows where they begin."""

    names: list[str | None]
    row: Ints


class UaRows(NamedTuple):
    """Lines of words: their rows among all lines, their documents, and which of `known` columns they have.

    columns: -1 for a line that does not have as many cells as these.
    """

    lines: TabbedLines
    row: Ints
    document: Ints
    columns: Ints
    known: Sequence[ColumnNames]

    def find_places(self, name: str) -> Ints:
        """Return the place of a column among each of the known ones; -1 for none, and in the end, for lines without."""
        return np.array([*(each.names.index(name) if name in each.names else -1 for each in self.known), -1])

    def find_cells(self, place: Ints) -> tuple[Ints, Ints]:
        """Return two arrays: where the cell of each line at its place begins and ends; the same if it has none."""
        lines, row = self.lines, self.row
        there = (place >= 0) & (place < lines.cells[row])
        if there.all():
            start, end = lines.find_column(row, place)
        else:
            start = lines.begin[row]
            end = start.copy()
            start[there], end[there] = lines.find_column(row[there], place[there])
        return strip_places(lines.page, start, end, b" ")

    def select(self, rows: Ints | Booleans) -> UaRows:
        """Return some of the rows."""
        return self._replace(row=self.row[rows], document=self.document[rows], columns=self.columns[rows])


class UaWords(NamedTuple):
    """The words of a file, and where documents begin among them, and the last one ends.

    sentence: for every word how many words of its document there are before its sentence.
    is_zero: whether it is not written in the text.
    columns: which of the known columns each document has.
    """

    rows: UaRows
    bounds: Ints
    sentence: Ints
    is_zero: Booleans
    columns: Ints

    def list_columns(self) -> list[str]:
        """Return the names of all columns that documents with words have."""
        used = dict.fromkeys(self.columns[np.diff(self.bounds) > 0].tolist())
        return list(dict.fromkeys(name for number in used for name in self.rows.known[number].names))

    def find_column(self, name: str) -> tuple[Ints, Ints]:
        """Return two arrays: where the cell of every word in a column begins and ends; the same place if missing."""
        own = self.rows.find_places(name)
        is_known = own[self.columns][self.rows.document] >= 0
        return self.rows.find_cells(np.where(is_known, own[self.rows.columns], -1))

    def find_filled(self, name: str) -> tuple[Ints, Ints, Ints]:
        """Return three arrays: the words with something in a column, and where that begins and ends."""
        start, end = self.find_column(name)
        filled = _find_filled(self.rows.lines, start, end)
        return filled, start[filled], end[filled]


def read_words(data: bytes, diagnostics: Diagnostics) -> tuple[UaDocuments, UaWords]:
    """Return the documents and words of a file; add a fault for every line that is wrong."""
    lines = _strip_returns(find_cells(data))
    begin, end = strip_places(lines.page, lines.begin, lines.end, b" \t\r")
    comments = _read_comments(lines, begin, end, diagnostics)
    known = comments.known
    row = np.flatnonzero(comments.is_word)
    headers = comments.headers
    if len(row) and (not headers or row[0] < headers[0][1]):
        headers = [(None, int(row[0])), *headers]
    documents = UaDocuments([name for name, _ in headers], np.array([row for _, row in headers], dtype=np.int64))
    document = np.searchsorted(documents.row, row, side="right") - 1
    changes = np.array(list(comments.columns), dtype=np.int64)
    columns = np.array([0, *comments.columns.values()])[np.searchsorted(changes, row)]
    least, most = np.array([(each.least, len(each.names)) for each in known])[columns].reshape(-1, 2).T
    lines, cells = _separate_cells(lines, row, begin, end, least, most)
    fits = (cells >= least) & (cells <= most)
    rows = UaRows(lines, row, document, np.where(fits, columns, -1), known)
    kind, odd = _read_ids(rows)
    of_document = _find_columns_of_documents(rows._replace(columns=columns), kind, len(headers), diagnostics)
    for place in np.flatnonzero(~fits).tolist():
        names = known[columns[place]].names
        shown = lines.read_line(row[place]).decode()[:40]
        what = f"a line of {cells[place]} cells" if cells[place] > 1 else f"{shown!r} alone on a line"
        expected = f"{least[place]} to {most[place]} cells: {' '.join(names)}"
        hint = "tabs or blanks separate cells, and _ is an empty one"
        diagnostics.add_fault(int(row[place]) + 1, what, expected, hint)
    for place, written in odd.items():
        expected = "its number: 7, or 7.1 for a zero, or 7-8 for the form of several words"
        diagnostics.add_fault(int(row[place]) + 1, f"{written[:40]!r} as the ID of a word", expected)
    _refuse_filled_ranges(rows.select(kind == _RANGE), diagnostics)
    kept = kind != _RANGE
    rows = rows.select(kept)
    bounds = np.append(np.searchsorted(rows.document, np.arange(len(headers))), len(rows.row))
    sentence = _find_sentences(rows.row, comments.breaks, bounds[rows.document])
    return documents, UaWords(rows, bounds, sentence, kind[kept] == _ZERO, of_document)


def _strip_returns(lines: TabbedLines) -> TabbedLines:
    """Return the same lines without any CR at their ends."""
    return (
        lines._replace(end=strip_places(lines.page, lines.begin, lines.end, b"\r")[1]) if b"\r" in lines.data else lines
    )


class _Comments(NamedTuple):
    """What comments say.

    is_word: for every line whether it is none, nor blank; breaks: the rows where sentences end.
    headers: name and row of every document.
    columns: which of `known` are declared, by the row from which on they hold.
    """

    is_word: Booleans
    breaks: Ints
    headers: list[tuple[str | None, int]]
    columns: dict[int, int]
    known: list[ColumnNames]


def _read_comments(lines: TabbedLines, begin: Ints, end: Ints, diagnostics: Diagnostics) -> _Comments:
    """Return what comments say, given where the visible part of each line begins and ends; add faults."""
    visible = end > begin
    hashed = visible & (lines.page[begin] == _HASH)
    is_word, is_break = visible & ~hashed, ~visible
    found = _Comments(is_word, begin, [], {}, [_USUAL_COLUMNS])
    columns = _USUAL_COLUMNS
    for row in np.flatnonzero(hashed).tolist():
        comment = lines.data[begin[row] : end[row]]
        # A word can be '#' too, but then something else is the first column, and tabs are between them.
        if columns.names[0] != "ID" and b"\t" in comment:
            is_word[row] = True
            continue
        if not any(word in comment for word in _MEANT):
            continue
        text = comment.decode()
        if match := _COLUMNS.match(text):
            if declared := _parse_columns(match[1].split(), row + 1, diagnostics):
                columns = declared
                if columns not in found.known:
                    found.known.append(columns)
                found.columns[row] = found.known.index(columns)
        elif match := _DOCUMENT.match(text):
            found.headers.append((match[1].strip(" \t"), row))
        elif _SENTENCE.match(text):
            is_break[row] = True
    return found._replace(breaks=np.flatnonzero(is_break))


def _parse_columns(names: Sequence[str], line: int, diagnostics: Diagnostics) -> ColumnNames | None:
    """Return the columns of '# global.columns'; None, with a fault, if needed ones are missing or one is repeated."""
    known = tuple(name.upper() if name.upper() in STANDARD_COLUMNS else name for name in names)
    marked = [name for name in ANAPHORA_COLUMNS if name in known]
    if "FORM" in known and marked and len(set(known)) == len(known):
        return ColumnNames(known, 1 + max(known.index("FORM"), known.index(marked[0])))
    expected = f"every column once, FORM and at least one of {', '.join(ANAPHORA_COLUMNS)} among them"
    diagnostics.add_fault(line, f"'# global.columns = {' '.join(names)[:80]}'", expected)
    return None


def _separate_cells(
    lines: TabbedLines, row: Ints, begin: Ints, end: Ints, least: Ints, most: Ints
) -> tuple[TabbedLines, Ints]:
    """Return the lines with tabs between all cells of words, and how many cells each word has.

    Cells are those between tabs if they are enough, else those between blanks: both are in use. Empty cells at the end
    of a line do not count if there are too many.
    """
    cells = lines.cells[row].copy()
    rows = UaRows(lines, row, row, row, ())
    over = np.flatnonzero(cells > most)
    while len(over):
        start, stop = rows.select(over).find_cells(cells[over] - 1)
        over = over[start == stop]
        cells[over] -= 1
        over = over[cells[over] > most[over]]
    by_blanks = cells < least
    if not by_blanks.any():
        return lines, cells
    lines = _strip_returns(_replace_blanks(lines, row[by_blanks], begin, end))
    cells[by_blanks] = lines.cells[row[by_blanks]]
    return lines, cells


def _replace_blanks(lines: TabbedLines, rows: Ints, begin: Ints, end: Ints) -> TabbedLines:
    """Return the lines with a tab for each run of blanks in some of them, and none before begin and behind end."""
    page = lines.page
    step = np.zeros(len(page) + 1, dtype=np.int8)  # 1 where a visible part begins, -1 behind it
    step[begin[rows]] += 1
    step[end[rows]] -= 1
    inside = np.cumsum(step[:-1], dtype=np.int8).view(np.bool_)
    blank = (page == _SPACE) | (page == _TAB)
    again = blank[1:] & blank[:-1]
    # Of the lines, what is inside stays, but for blanks after blanks; of other lines and of line breaks, everything.
    step[:] = 0
    step[lines.begin[rows]] += 1
    step[lines.tabs[lines.first[rows] + lines.cells[rows] - 1]] -= 1
    keep = inside | ~np.cumsum(step[:-1], dtype=np.int8).view(np.bool_)
    keep[1:] &= ~(again & inside[1:])
    replaced = np.where(inside & blank, np.uint8(_TAB), page)[keep]
    return find_cells(replaced.tobytes())


def _find_filled(lines: TabbedLines, start: Ints, end: Ints) -> Ints:
    """Return the numbers of the cells that are neither empty nor an underscore."""
    return np.flatnonzero((end - start > 1) | ((end > start) & (lines.page[start] != _UNDERSCORE)))


def _read_ids(rows: UaRows) -> tuple[Ints, dict[int, str]]:
    """Return for each line whether it is a word, a zero or a range of words, by its ID; and IDs that are no such."""
    place = rows.find_places("ID")[rows.columns]
    start, end = rows.find_cells(place)
    kind = np.full(len(place), _WORD, dtype=np.int64)
    given = np.flatnonzero(place >= 0)
    others = given[~match_places(_NUMBER, rows.lines.page, start[given], end[given])]
    odd: dict[int, str] = {}
    for number in others.tolist():
        written = rows.lines.data[start[number] : end[number]]
        match = _ID.fullmatch(written)
        if match is None:
            odd[number] = written.decode()
        elif match[1] or match[2]:
            kind[number] = _ZERO if match[1] else _RANGE
    return kind, odd


def _find_columns_of_documents(rows: UaRows, kind: Ints, count: int, diagnostics: Diagnostics) -> Ints:
    """Return which columns each document has, those of its first word; add a fault where a line declares others."""
    columns, document = rows.columns, rows.document
    of_document = np.zeros(count, dtype=np.int64)
    of_document[document[::-1]] = columns[::-1]
    differs = np.flatnonzero((np.diff(columns) != 0) & (np.diff(document) == 0))
    for changing in dict.fromkeys(document[differs].tolist()):
        declared, has_words = -1, False
        for place in range(*np.searchsorted(document, [changing, changing + 1]).tolist()):
            if not has_words:
                of_document[changing] = declared = columns[place]
            elif columns[place] != declared:
                expected = "'# global.columns' before '# newdoc'"
                diagnostics.add_fault(int(rows.row[place]) + 1, "columns change within a document", expected)
                declared = columns[place]
            has_words |= kind[place] != _RANGE
    return of_document


def _refuse_filled_ranges(rows: UaRows, diagnostics: Diagnostics) -> None:
    """Add a fault for each column of anaphora with something on a line of a range of words."""
    for name in ANAPHORA_COLUMNS if len(rows.row) else ():
        start, end = rows.find_cells(rows.find_places(name)[rows.columns])
        for row in rows.row[_find_filled(rows.lines, start, end)].tolist():
            what = f"{name} on the form of several words"
            diagnostics.add_fault(row + 1, what, "it on the words themselves")


def _find_sentences(row: Ints, breaks: Ints, first: Ints) -> Ints:
    """Return how many words of its document are before the sentence of every word; first: its document's first word."""
    if len(breaks) == 0:
        return np.zeros(len(row), dtype=np.int64)
    nearest = np.searchsorted(breaks, row) - 1
    before = np.where(nearest >= 0, np.searchsorted(row, breaks)[nearest], 0)
    return np.maximum(before - first, 0)
