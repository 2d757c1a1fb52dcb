"""Rows of cells with a separator between them (CSV, TSV), found in a few passes over the bytes: no object per row.

A cell may stand in double quotes, and then hold separators, line breaks, and quotes written twice (RFC 4180). A quote
anywhere else is a fault, for nobody can tell where such a cell ends; reading goes on with the next line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.errors import MOST_FAULTS
from corefeval.formats.table.cells import decoded, part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.formats.table.cells import Page, Part
    from corefeval.formats.table.findings import TableFindings

_NEWLINE, _RETURN, _QUOTE, _SPACE = b'\n\r" '
_NONE = np.zeros(0, dtype=np.int64)
_BLOCK = 1 << 18  # bytes at a time: what is found in them stays in the processor's cache
_CAUTIOUS = 1 << 12
_QUOTES = "quotes around a whole cell only, and written twice within it"
NO_QUOTES = "where quotes mean nothing: --format table:quotes=no"


class Layout(NamedTuple):
    """How cells are told apart, and how many a row has."""

    separator: bytes
    quotes: bool
    width: int


class Block(NamedTuple):
    """Rows that follow each other: the line of each, and their cells by wanted column.

    hollow: the lines of rows without content, which are left out; tall: those of rows that go on over several lines.
    """

    lines: Ints
    parts: list[Part]
    hollow: Ints
    tall: Ints


class _Stray(NamedTuple):
    """Where a cell begins that is not quoted as it should be, and what is wrong with it."""

    place: int
    what: str


class _Chunk(NamedTuple):
    """Some bytes from the beginning of a record on.

    marks: where separators and ends of records are; ends: which of the marks end a record.
    lines: those on which the records begin; last_lines: those on which they end.
    stray: a quote where none should be; the records are those before it.
    open: where a quoted cell begins that goes on behind these bytes.
    """

    page: Page
    marks: Ints
    ends: Ints
    lines: Ints
    last_lines: Ints
    quoted: bool
    doubled: bool
    stray: _Stray | None
    open: _Stray | None

    def length(self) -> int:
        """How many bytes the records have."""
        return int(self.marks[self.ends[-1]]) + 1 if len(self.ends) else 0


def first_record(text: bytes, *, quotes: bool) -> tuple[int, int, int]:
    """Where the first record that is not blank begins and ends, and its line."""
    begin = text.rfind(b"\n", 0, len(text) - len(text.lstrip())) + 1
    end = first_end = text.find(b"\n", begin) + 1
    is_open = quotes and text.count(b'"', begin, end) % 2 == 1
    while is_open and (closing := text.find(b'"', end)) >= 0:
        next_end = text.find(b"\n", closing) + 1
        is_open ^= text.count(b'"', end, next_end) % 2 == 1
        end = next_end
    return begin, first_end if is_open else end, text.count(b"\n", 0, begin) + 1


def cells(record: bytes, separator: bytes, *, quotes: bool) -> list[str]:
    """The cells of one record."""
    chunk = _chunk(np.frombuffer(record, dtype=np.uint8), Layout(separator, quotes, 0), 1)
    begin = np.concatenate([[0], chunk.marks[:-1] + 1])
    places = [_trimmed(chunk, begin[i : i + 1], chunk.marks[i : i + 1]) for i in range(len(chunk.marks))]
    return [_texts(chunk, *place)[0][0] for place in places]


def blocks(
    text: bytes, place: int, line: int, layout: Layout, wanted: Sequence[int], found: TableFindings
) -> Iterator[Block]:
    """The rows of a text from some place on, which is on some line."""
    whole = np.frombuffer(text, dtype=np.uint8)
    size = _BLOCK
    strays = 0
    while place < len(text) and strays < MOST_FAULTS:
        chunk = _chunk(whole[place : place + size], layout, line)
        done = chunk.length()
        stray = chunk.stray
        if stray is None and place + size >= len(text):
            stray = chunk.open
        elif stray is None and done == 0:
            size *= 2
            continue
        if done:
            yield _block(chunk, layout, wanted, found)
        if stray is not None:
            strays += 1
            found.add_fault(line + text.count(b"\n", place, place + stray.place), stray.what, _QUOTES, NO_QUOTES)
            done = text.find(b"\n", place + stray.place) + 1 - place
        line += text.count(b"\n", place, place + done)
        place += done
        # Where one quote is stray, others may be: looking far ahead would be in vain each time.
        size = min(_BLOCK, _CAUTIOUS if stray else 2 * size)


def _chunk(page: Page, layout: Layout, line: int) -> _Chunk:
    is_end = page == _NEWLINE
    is_mark = page == layout.separator[0]
    quote = np.flatnonzero(page == _QUOTE) if layout.quotes else _NONE
    stray = left_open = None
    doubled = False
    breaks = _NONE
    if len(quote):
        breaks = np.flatnonzero(is_end)
        outside = np.cumsum(page == _QUOTE, dtype=np.uint8) % 2 == 0
        is_end &= outside
        is_mark &= outside
        stray, left_open, doubled = _quotes(page, quote, layout.separator[0])
    is_mark |= is_end
    marks = np.flatnonzero(is_mark)
    ends = np.flatnonzero(page[marks] == _NEWLINE)
    if stray is not None:
        ends = ends[marks[ends] < stray.place]
    lines = last_lines = np.arange(line, line + len(ends))
    if len(breaks):
        last_lines = line + np.searchsorted(breaks, marks[ends])
        lines = np.append(line, last_lines[:-1] + 1)[: len(ends)]
    return _Chunk(page, marks, ends, lines, last_lines, len(quote) > 0, doubled, stray, left_open)


def _quotes(page: Page, quote: Ints, separator: int) -> tuple[_Stray | None, _Stray | None, bool]:
    """The first quote where none should be, the last cell if it is still open, and whether quotes are doubled."""
    opening, closing = quote[0::2], quote[1::2]
    again = np.zeros(len(opening), dtype=np.bool_)  # opened again: the second one of two quotes in a cell
    again[1:] = opening[1:] == closing[: len(opening) - 1] + 1
    is_mark = np.zeros(256, dtype=np.bool_)
    is_mark[[separator, _NEWLINE]] = True
    begins_cell = (opening == 0) | is_mark[page[opening - 1]]
    behind = np.minimum(closing + 1, len(page) - 1)
    ends_cell = is_mark[page[behind]] | (closing == behind)
    ends_cell |= (page[behind] == _RETURN) & ((behind + 1 == len(page)) | (page[(behind + 1) % len(page)] == _NEWLINE))
    ends_cell |= np.append(again[1:], False)[: len(closing)]
    within = _first(opening, ~begins_cell & ~again)
    beyond = _first(closing, ~ends_cell)
    stray = None
    if within is not None and (beyond is None or opening[within] < closing[beyond]):
        stray = _Stray(int(opening[within]), "a quote in a cell that does not begin with one")
    elif beyond is not None:
        stray = _Stray(_cell(opening, again, beyond), "a quoted cell goes on behind its closing quote")
    left_open = None
    if len(opening) > len(closing):
        left_open = _Stray(_cell(opening, again, len(opening) - 1), "a quoted cell begins here and never ends")
    return stray, left_open, bool(again.any())


def _first(places: Ints, chosen: Booleans) -> int | None:
    found = np.flatnonzero(chosen[: len(places)])
    return int(found[0]) if len(found) else None


def _cell(opening: Ints, again: Booleans, number: int) -> int:
    """Where the quoted cell begins that a quote is in."""
    return int(opening[np.flatnonzero(~again[: number + 1])[-1]])


def _block(chunk: _Chunk, layout: Layout, wanted: Sequence[int], found: TableFindings) -> Block:
    """The rows of a chunk; those with too few or too many cells are faults, those without any content are left out."""
    end = chunk.marks[chunk.ends]
    begin = np.concatenate([[0], end[:-1] + 1])
    length = end - begin - (chunk.page[end - 1] == _RETURN)
    count = np.diff(chunk.ends, prepend=-1)
    regular = count == layout.width
    hollow = regular & (length < layout.width)
    found.lines = chunk.lines
    found.faults_in(
        _with_content(chunk.page, begin, end, np.flatnonzero(~regular)),
        lambda row: f"{count[row]} cell{'s' if count[row] > 1 else ''}",
        f"{layout.width} as in the first row",
        "a cell with a separator in it stands in quotes",
    )
    rows = np.flatnonzero(regular & ~hollow)
    parts = []
    for column in wanted:
        mark = chunk.ends[rows] - (layout.width - 1 - column)
        cell = _trimmed(chunk, np.where(mark > 0, chunk.marks[mark - 1] + 1, 0), chunk.marks[mark])
        parts.append(part(chunk.page, *cell, lambda cell=cell: _texts(chunk, *cell)))  # type: ignore[misc]
    return Block(chunk.lines[rows], parts, chunk.lines[hollow], chunk.lines[chunk.last_lines > chunk.lines])


def _with_content(page: Page, begin: Ints, end: Ints, rows: Ints) -> Ints:
    """Those of some rows that are not blank lines."""
    if len(rows) == 0:
        return rows
    visible = np.append(0, np.cumsum(page > _SPACE))
    return rows[visible[end[rows]] > visible[begin[rows]]]


def _trimmed(chunk: _Chunk, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Cells without quotes around them and without the first half of a line break."""
    page = chunk.page
    end = end - ((page[end] == _NEWLINE) & (page[end - 1] == _RETURN) & (end > begin))
    if not chunk.quoted:
        return begin, end
    quoted = (page[begin] == _QUOTE) & (end > begin)
    return begin + quoted, end - quoted


def _texts(chunk: _Chunk, begin: Ints, end: Ints) -> tuple[list[str], Ints]:
    texts, garbled = decoded(chunk.page, begin, end)
    return [text.replace('""', '"') for text in texts] if chunk.doubled else texts, garbled
