"""A file as lines of columns, found in a few passes over its bytes: no Python object per line.

Columns are runs of visible characters. The last one of every line is found at once, others when someone asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from corefeval._arrays import Booleans, Ints

    Page = NDArray[np.uint8]

_NEWLINE, _TAB, _SPACE, _HASH = b"\n\t #"
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_BLOCK = 1 << 18  # bytes at a time: what is found in them stays in the processor's cache
_STEPS = 12  # characters that are passed in all lines at once; in the few lines with more, line by line
_BLANKS = bytes(range(_SPACE + 1))
_VISIBLE = bytes(range(_SPACE + 1, 256))
_PLAIN_BLANKS = bytes(max(_SPACE, byte) for byte in range(256))
_SOMETHING = np.ones(256, dtype=np.bool_)
_SOMETHING[list(b"-_*")] = False


class Lines(NamedTuple):
    """For every line where it is, and where its last column is; that of a blank line is empty."""

    data: bytes
    begin: Ints
    end: Ints
    last_begin: Ints
    last_end: Ints
    tabbed: bool

    def text(self, row: int) -> bytes:
        """A line without its line break."""
        return self.data[self.begin[row] : self.end[row]].rstrip(b"\r")

    def columns(self, row: int) -> list[bytes]:
        """The columns of a line."""
        return self.text(row).translate(_PLAIN_BLANKS).split()

    def visible(self) -> Booleans:
        """The lines that are not blank."""
        return self.last_begin < self.last_end

    def last(self, row: int) -> bytes:
        """The last column of a line."""
        return self.data[self.last_begin[row] : self.last_end[row]]

    def starting_with(self, mark: bytes) -> list[int]:
        """The lines whose first character is this one."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        found: list[int] = np.flatnonzero(page[self.begin] == mark[0]).tolist()
        return found

    def with_mention(self) -> Booleans:
        """The lines whose last cell is not a single -, _ or *."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        marks = (self.last_end - self.last_begin != 1) | _SOMETHING[page[self.last_begin]]
        if self.tabbed:
            marks |= (self.last_begin > 0) & (page[self.last_begin - 1] == _SPACE)
        return marks

    def cells(self, rows: Ints, is_cell: Callable[[bytes], bool]) -> list[bytes]:
        """The last cell of these lines; with tabs it may hold blanks, and it may be empty."""
        spans = zip(self.last_begin[rows].tolist(), self.last_end[rows].tolist(), strict=True)
        cells = [self.data[a:b] for a, b in spans]
        unusual = self._unusual(rows) if self.tabbed else []
        if unusual:
            usual = self._usual_tabs()
            # Where every line ends in a tab, it is a slip if a cell stands before it, else the cell is empty.
            slip = usual is None and all(is_cell(cell) for cell in set(cells))
            for number in unusual:
                row = int(rows[number])
                stray = slip if usual is None else self.text(row).count(b"\t") > usual
                cells[number] = self._tabbed_cell(row, stray=stray)
        return cells

    def _unusual(self, rows: Ints) -> list[int]:
        """Lines whose last cell has a blank in it, or a tab behind it."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        begin, end = self.last_begin[rows], self.last_end[rows]
        blank_before = (begin > self.begin[rows]) & (page[begin - 1] != _TAB)
        found: list[int] = np.flatnonzero(blank_before | (page[end] == _TAB)).tolist()
        return found

    def _tabbed_cell(self, row: int, *, stray: bool) -> bytes:
        """The last cell of a line by its tabs; with a stray tab at the end, the last one that is not empty."""
        cells = self.text(row).split(b"\t")
        if len(cells) == 1:
            return self.last(row)
        if stray and not cells[-1].strip():
            cells = [cell for cell in cells if cell.strip()]
        return cells[-1].strip()

    def _usual_tabs(self) -> int | None:
        """How many tabs the first line of columns has that does not end in one; None if all end in one."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        several = self.last_begin > self.begin
        rows = np.flatnonzero(several & (page[self.last_end] != _TAB) & (page[self.begin] != _HASH))
        return self.text(int(rows[0])).count(b"\t") if len(rows) else None


def normalize_text(data: bytes, source: str) -> bytes:
    """The content of a text file with line feeds at the end of lines; anything with NUL bytes is refused."""
    _refuse_binary(data, source)
    data = data.removeprefix(_BOM)
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def split_lines(data: bytes) -> Lines:
    """Find the lines of cleaned data."""
    page = np.frombuffer(data, dtype=np.uint8)
    end = np.flatnonzero(page == _NEWLINE)
    begin = np.zeros_like(end)
    np.add(end[:-1], 1, out=begin[1:])
    last_end = _walk_back(data, begin, end, _BLANKS)
    last_begin = _walk_back(data, begin, last_end - (last_end > begin), _VISIBLE)
    return Lines(data, begin, end, last_begin, last_end, tabbed=b"\t" in data)


def _walk_back(data: bytes, begin: Ints, place: Ints, characters: bytes) -> Ints:
    """The places moved back over some characters, at most to where their lines begin."""
    page = np.frombuffer(data, dtype=np.uint8)
    blank = characters is _BLANKS
    rows = np.flatnonzero((page[place - 1] <= _SPACE) == blank)
    rows = rows[place[rows] > begin[rows]]
    if len(rows) == 0:
        return place
    place = place.copy()
    for _ in range(_STEPS):
        if len(rows) == 0:
            return place
        moved = place[rows] - 1
        place[rows] = moved
        rows = rows[((page[moved - 1] <= _SPACE) == blank) & (moved > begin[rows])]
    for row in rows.tolist():
        place[row] = begin[row] + len(data[begin[row] : place[row]].rstrip(characters))
    return place


def find_column(lines: Lines, rows: Ints, number: int) -> tuple[Ints, Ints]:
    """Where a column of some lines, in their order, begins and ends; at the end of the line where it has none."""
    page = np.frombuffer(lines.data, dtype=np.uint8)
    begin, end = np.zeros(len(lines.end), dtype=np.int64), np.zeros(len(lines.end), dtype=np.int64)
    place = row = 0
    while row < len(lines.end):
        stop = int(np.searchsorted(lines.end, place + _BLOCK)) + 1
        reach = int(lines.end[min(stop, len(lines.end)) - 1]) + 1
        _fill_places(page[place:reach], place, number, begin[row:stop], end[row:stop])
        place, row = reach, stop
    return begin[rows], end[rows]


def _fill_places(page: Page, offset: int, number: int, begin: Ints, end: Ints) -> None:
    """Fill in where a column of the lines of a page begins and ends."""
    visible = page > _SPACE
    changes = np.empty(len(page) + 1, dtype=np.bool_)
    changes[0], changes[-1] = visible[0], visible[-1]
    np.not_equal(visible[1:], visible[:-1], out=changes[1:-1])
    edges = np.flatnonzero(changes)  # begin, end, begin, end, … of columns
    line_end = np.flatnonzero(page == _NEWLINE)
    first = np.searchsorted(edges, np.append(0, line_end[:-1] + 1))
    wanted = first + 2 * number
    there = wanted + 1 < np.append(first[1:], len(edges))
    begin[:] = line_end + offset
    end[:] = begin
    begin[there] = edges[wanted[there]] + offset
    end[there] = edges[wanted[there] + 1] + offset


def _refuse_binary(data: bytes, source: str) -> None:
    place = data.find(b"\0")
    if place < 0:
        return
    line = data.count(b"\n", 0, place) + 1
    if data.startswith(_WIDE):
        raise InputError(Fault(source, "UTF-16 text", "UTF-8", "convert it: iconv -f UTF-16 -t UTF-8", line))
    raise InputError(Fault(source, "a NUL byte: this is not a text file", "UTF-8 text", line=line))
