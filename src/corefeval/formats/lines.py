"""A file as lines of columns, found in a few passes over its bytes: no Python object per line.

Columns are runs of visible characters. Only what readers ask for is kept of a line: its last column, and the one with
the word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from corefeval.arrays import Booleans, Ints

    Page = NDArray[np.uint8]

_NEWLINE, _TAB, _SPACE, _HASH = b"\n\t #"
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_BLOCK = 1 << 18  # bytes at a time: what is found in them stays in the processor's cache
_USUAL_GAP = 4  # blanks between columns that are passed one by one; wider gaps take a pass over the block
_NO_MENTION = np.zeros(256, dtype=np.bool_)
_NO_MENTION[list(b"-_*")] = True


class Lines(NamedTuple):
    """For every line: where it is, how many columns it has, and where the last one and that of the word are.

    What is said of the columns of a line that has none, or no such column, means nothing.
    """

    data: bytes
    begin: Ints
    end: Ints
    columns: Ints
    last_begin: Ints
    last_end: Ints
    word_begin: Ints
    word_end: Ints
    word_column: int
    tabbed: bool

    def text(self, row: int) -> bytes:
        """A line without its line break."""
        return self.data[self.begin[row] : self.end[row]].rstrip(b"\r")

    def last(self, row: int) -> bytes:
        """The last column of a line."""
        return self.data[self.last_begin[row] : self.last_end[row]]

    def starting_with(self, mark: bytes) -> list[int]:
        """The lines whose first character is this one."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        found: list[int] = np.flatnonzero(page[self.begin] == mark[0]).tolist()
        return found

    def without_mention(self) -> Booleans:
        """The lines whose last cell is a single -, _ or *."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        marks = (self.last_end - self.last_begin == 1) & _NO_MENTION[page[self.last_begin]] & (self.columns > 0)
        if self.tabbed:
            marks &= (self.last_begin == 0) | (page[self.last_begin - 1] != _SPACE)
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
        rows = np.flatnonzero((self.columns > 1) & (page[self.last_end] != _TAB) & (page[self.begin] != _HASH))
        return self.text(int(rows[0])).count(b"\t") if len(rows) else None


def clean(data: bytes, source: str) -> bytes:
    """The content of a text file with line feeds at the end of lines; anything with NUL bytes is refused."""
    _refuse_binary(data, source)
    data = data.removeprefix(_BOM)
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def split(data: bytes, word_column: int) -> Lines:
    """Find lines and columns of cleaned data, block by block."""
    page = np.frombuffer(data, dtype=np.uint8)
    found = np.empty((6, data.count(b"\n")), dtype=np.int64)
    place = row = 0
    while place < len(data):
        stop = data.find(b"\n", place + _BLOCK) + 1 or len(data)
        row = _search(page[place:stop], place, word_column, found, row)
        place = stop
    end, columns, last_begin, last_end, word_begin, word_end = found
    begin = np.zeros_like(end)
    np.add(end[:-1], 1, out=begin[1:])
    return Lines(
        data, begin, end, columns, last_begin, last_end, word_begin, word_end, word_column, tabbed=b"\t" in data
    )


def _search(page: Page, offset: int, word_column: int, found: Ints, row: int) -> int:
    """Fill in some lines: their ends, how many columns they have, where the last and the word's column are."""
    visible = page > _SPACE
    begins = visible.copy()
    begins[1:] &= ~visible[:-1]
    column = np.flatnonzero(begins)
    end = np.flatnonzero(page == _NEWLINE)
    out = found[:, row : row + len(end)]
    np.add(end, offset, out=out[0])
    if len(column) == 0:
        out[1:] = 0
        return row + len(end)
    past = np.searchsorted(column, end)
    columns = np.diff(past, prepend=0)
    word = np.minimum(past - columns + word_column, len(column) - 1)
    last_end = _trimmed(end, visible)
    # The word reaches to the column behind it, or, where there is none, as far as the last column does.
    word_end = np.where(columns > word_column + 1, column[np.minimum(word + 1, len(column) - 1)], last_end)
    out[1] = columns
    np.add(column[past - 1], offset, out=out[2])
    np.add(last_end, offset, out=out[3])
    np.add(column[word], offset, out=out[4])
    np.add(_trimmed(word_end, visible), offset, out=out[5])
    return row + len(end)


def _trimmed(end: Ints, visible: Booleans) -> Ints:
    """The ends moved back over blanks."""
    end = end.copy()
    blank = np.flatnonzero(~visible[end - 1] & (end > 0))
    for _ in range(_USUAL_GAP):
        if len(blank) == 0:
            return end
        end[blank] -= 1
        blank = blank[~visible[end[blank] - 1] & (end[blank] > 0)]
    last_visible = np.maximum.accumulate(np.where(visible, np.arange(len(visible)), -1))
    end[blank] = last_visible[end[blank] - 1] + 1
    return end


def _refuse_binary(data: bytes, source: str) -> None:
    place = data.find(b"\0")
    if place < 0:
        return
    line = data.count(b"\n", 0, place) + 1
    if data.startswith(_WIDE):
        raise InputError(Fault(source, "UTF-16 text", "UTF-8", "convert it: iconv -f UTF-16 -t UTF-8", line))
    raise InputError(Fault(source, "a NUL byte: this is not a text file", "UTF-8 text", line=line))
