"""A file as lines of columns, found in a few passes over its bytes: no Python object per line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from corefeval.arrays import Booleans, Ints

_NEWLINE, _TAB, _SPACE = 10, 9, 32
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_NO_MENTION = np.zeros(256, dtype=np.bool_)
_NO_MENTION[list(b"-_*")] = True


@dataclass(frozen=True, eq=False)
class Lines:
    """Columns are runs of visible characters; those of line i are `first[i]` to `first[i + 1]`."""

    data: bytes
    line_start: Ints
    line_end: Ints
    start: Ints
    end: Ints
    first: Ints
    columns: Ints
    is_none: Booleans
    tabbed: bool

    def text(self, row: int) -> bytes:
        """A line without its line break."""
        return self.data[self.line_start[row] : self.line_end[row]]

    def starting_with(self, mark: bytes) -> list[int]:
        """The lines that begin with a character."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        filled = np.flatnonzero(self.columns > 0)
        found: list[int] = filled[page[self.start[self.first[filled]]] == mark[0]].tolist()
        return found

    def last(self, row: int) -> bytes:
        """The last column of a line."""
        place = self.first[row + 1] - 1
        return self.data[self.start[place] : self.end[place]]

    def column(self, rows: Ints, number: int) -> tuple[Ints, Ints]:
        """Where a column of these lines begins and ends."""
        place = self.first[rows] + number
        return self.start[place], self.end[place]

    def cells(self, rows: Ints) -> list[bytes]:
        """The last cell of these lines; with tabs it may hold blanks, and it may be empty."""
        place = self.first[rows + 1] - 1
        spans = zip(self.start[place].tolist(), self.end[place].tolist(), strict=True)
        cells = [self.data[a:b] for a, b in spans]
        if self.tabbed:
            for number in self._unusual(rows, place):
                cells[number] = self._tabbed_cell(int(rows[number]))
        return cells

    def _unusual(self, rows: Ints, place: Ints) -> list[int]:
        """Lines whose last cell has a blank in it, or a tab behind it."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        begin, end = self.start[place], self.end[place]
        blank_before = (begin > self.line_start[rows]) & (page[np.maximum(begin - 1, 0)] != _TAB)
        more_behind = end < self.line_end[rows]
        more_behind &= page[np.minimum(end, len(page) - 1)] == _TAB
        found: list[int] = np.flatnonzero(blank_before | more_behind).tolist()
        return found

    def _tabbed_cell(self, row: int) -> bytes:
        """The last cell of a line by its tabs. One tab more than the lines around have is not a cell but a slip."""
        cells = self.text(row).rstrip(b"\r").split(b"\t")
        if len(cells) == 1:
            return self.last(row)
        if not cells[-1].strip() and len(cells) > self._usual_width(row):
            cells = [cell for cell in cells if cell.strip()]
        return cells[-1].strip()

    def _usual_width(self, row: int) -> int:
        """How many cells the nearest line with words has that does not end in a tab."""
        for step in range(1, 1000):
            for other in (row - step, row + step):
                if 0 <= other < len(self.columns) and self.columns[other] > 1:
                    text = self.text(other).rstrip(b"\r")
                    if b"\t" in text and not text.endswith(b"\t"):
                        return text.count(b"\t") + 1
        return 0


def split(data: bytes, source: str) -> Lines:
    """Find lines and columns. Text only: anything with NUL bytes is refused."""
    _refuse_binary(data, source)
    data = data.removeprefix(_BOM)
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    page = np.frombuffer(data, dtype=np.uint8)
    gaps = np.flatnonzero(page <= _SPACE)
    line_end = gaps[page[gaps] == _NEWLINE]
    line_start = np.concatenate([np.zeros(1, dtype=np.int64), line_end[:-1] + 1])
    before = np.concatenate([np.full(1, -1, dtype=np.int64), gaps[:-1]])
    filled = gaps - before > 1
    start, end = before[filled] + 1, gaps[filled]
    first = np.append(np.searchsorted(start, line_start), len(start))
    columns = np.diff(first)
    tabbed = b"\t" in data
    return Lines(data, line_start, line_end, start, end, first, columns, _marks(page, start, end, first, tabbed=tabbed), tabbed)


def _marks(page: np.ndarray[tuple[int], np.dtype[np.uint8]], start: Ints, end: Ints, first: Ints, *, tabbed: bool) -> Booleans:
    """Lines whose last cell is a single -, _ or *."""
    last = np.maximum(first[1:] - 1, 0)
    if len(start) == 0:
        return np.zeros(len(last), dtype=np.bool_)
    begin = start[last]
    marks = (end[last] - begin == 1) & _NO_MENTION[page[begin]] & (np.diff(first) > 0)
    if tabbed:
        marks &= (begin == 0) | (page[np.maximum(begin - 1, 0)] != _SPACE)
    return marks


def _refuse_binary(data: bytes, source: str) -> None:
    place = data.find(b"\0")
    if place < 0:
        return
    line = data.count(b"\n", 0, place) + 1
    if data.startswith(_WIDE):
        raise InputError(Fault(source, "UTF-16 text", "UTF-8", "convert it: iconv -f UTF-16 -t UTF-8", line))
    raise InputError(Fault(source, "a NUL byte: this is not a text file", "UTF-8 text", line=line))
