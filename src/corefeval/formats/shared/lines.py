"""The lines of a text file, and their columns: found in a few passes over its bytes, no Python object per line.

Blanks and tabs separate columns, nothing else does: other control characters and no-break spaces are parts of words.
The last column of every line is found at once, others when someone asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.errors import Fault, InputError
from corefeval.formats.shared.columns import copy_places
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Page = NDArray[np.uint8]

_NEWLINE, _TAB, _RETURN, _SPACE, _HASH = b"\n\t\r #"
_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_BLOCK = 1 << 18  # bytes at a time: what is found in them stays in the processor's cache
_STEPS = 64  # characters that are passed in all lines at once; where there are more, line by line
_FEW_ROWS = 200  # lines that are rather looked at one by one
_BLANKS = bytes(range(_SPACE + 1))
_VISIBLE = bytes(range(_SPACE + 1, 256))
_BLANKS_OF_LINES = b" \t\r"
_CONTROLS = bytes(byte for byte in range(_SPACE) if byte not in b"\t\n\r")
_AS_LETTERS = bytes.maketrans(_CONTROLS, b"x" * len(_CONTROLS))
_IS_MARK = ~np.isin(np.arange(256), list(b"-_*"))


def normalize_text(data: bytes, source: str) -> bytes:
    """Return bytes without BOM, with LF at the end, and LF for each CR if there is no LF; InputError for NUL bytes."""
    place = data.find(b"\0")
    if place >= 0:
        line = data.count(b"\n", 0, place) + 1
        if data.startswith(_WIDE):
            raise InputError(Fault(source, "UTF-16 text", "UTF-8", "convert it: iconv -f UTF-16 -t UTF-8", line))
        raise InputError(Fault(source, "a NUL byte: this is not a text file", "UTF-8 text", line=line))
    data = data.removeprefix(_BOM)
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def decode_text(data: bytes, diagnostics: Diagnostics, kind: str = "encoding") -> str:
    """Return the text of a file with line feeds at line ends; if it is not UTF-8, add a notice and put in U+FFFD."""
    data = normalize_text(data, diagnostics.source)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "not UTF-8 from here on; characters that cannot be read are replaced by \ufffd"
        diagnostics.add_notice(kind, line, message)
        text = data.decode(errors="replace")
    return text.replace("\r\n", "\n")


def decode_strictly(data: bytes, diagnostics: Diagnostics, hint: str = "") -> str:
    """Return the text of a file with line feeds at line ends; add a fault for every line that is not UTF-8."""
    return check_text(data, diagnostics, hint).decode()


def check_text(data: bytes, diagnostics: Diagnostics, hint: str = "") -> bytes:
    """Return the text of a file as UTF-8 with line feeds at line ends; add a fault for every line that is not UTF-8."""
    data = normalize_text(data, diagnostics.source)
    try:
        data.decode()
    except UnicodeDecodeError:
        for number, line in enumerate(data.split(b"\n"), 1):
            if line != line.decode("utf-8", "replace").encode():
                diagnostics.add_fault(number, "bytes that are not UTF-8", "UTF-8 text", hint)
        data = data.decode("utf-8", "replace").encode()
    return data.replace(b"\r\n", b"\n")


def decode_exactly(data: bytes, diagnostics: Diagnostics) -> str | None:
    """Return the text of a file as it is, line ends and byte order mark included; None with a fault if not UTF-8."""
    normalize_text(data, diagnostics.source)  # refuses NUL bytes
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        diagnostics.add_fault(line, "bytes that are not UTF-8", "UTF-8 text", "offsets count characters")
        return None


def find_lines_with(block: bytes, words: tuple[bytes, ...]) -> list[int]:
    """Return where those lines begin that have one of these words in them, in order."""
    found: set[int] = set()
    for word in words:
        place = block.find(word)
        while place >= 0:
            found.add(block.rfind(b"\n", 0, place) + 1)
            place = block.find(word, place + len(word))
    return sorted(found)


class Lines(NamedTuple):
    """For every line where it is, and where its last column is; that of a blank line is empty.

    layout: the data with a letter for every control character that separates nothing.
    """

    data: bytes
    layout: bytes
    begin: Ints
    end: Ints
    last_begin: Ints
    last_end: Ints

    @property
    def page(self) -> Page:
        """The bytes of the layout as an array."""
        return np.frombuffer(self.layout, dtype=np.uint8)

    def read_line(self, row: int) -> bytes:
        """Return the bytes of the line with this number, from 0, without its line break."""
        return self.data[self.begin[row] : self.end[row]].rstrip(b"\r")

    def read_lines(self, rows: list[int]) -> list[bytes]:
        """Return the bytes of the lines with these numbers, from 0, without their line breaks."""
        places = zip(self.begin[rows].tolist(), self.end[rows].tolist(), strict=True)
        return [self.data[begin:end].rstrip(b"\r") for begin, end in places]

    def split_columns(self, row: int) -> list[bytes]:
        """Return the cells of the line with this number, from 0, which tabs and spaces separate."""
        return [column for column in self.read_line(row).replace(b"\t", b" ").split(b" ") if column]

    def find_visible_rows(self) -> Booleans:
        """Return booleans: which lines are not blank."""
        return self.last_begin < self.last_end

    def find_rows_starting_with(self, mark: bytes) -> list[int]:
        """Return the numbers, from 0, of all lines that begin with this byte."""
        rows: list[int] = np.flatnonzero(self.page[self.begin] == mark[0]).tolist()
        return rows

    def find_marked_rows(self) -> Booleans:
        """Return booleans: which lines may have something else than a single -, _ or * in their last cell."""
        page = self.page
        marked = (self.last_end - self.last_begin != 1) | _IS_MARK[page[self.last_begin]]
        if b"\t" in self.data:
            marked |= (self.last_begin > 0) & (page[self.last_begin - 1] == _SPACE)
        return marked

    def join_last_cells(self, rows: Ints, are_cells: Callable[[Sequence[bytes]], bool]) -> bytes:
        """Return the last cell of each of these lines, with LF behind each.

        Where tabs separate cells, they may hold blanks or be empty. are_cells: whether all can be what is looked for.
        """
        begin, end = self.last_begin[rows], self.last_end[rows]
        joined = copy_places(np.frombuffer(self.data, dtype=np.uint8), begin, end).tobytes()
        unusual = self.find_unusual_cells(rows)
        if not unusual:
            return joined
        cells = joined.split(b"\n")
        usual = self._count_usual_tabs()
        # Where every line ends in a tab, it is a slip if a cell stands before it, else the cell is empty.
        slip = usual is None and are_cells(cells[:-1])
        for number in unusual:
            line = self.read_line(int(rows[number]))
            by_tabs = line.split(b"\t")
            is_stray = slip if usual is None else len(by_tabs) - 1 > usual
            if is_stray and not by_tabs[-1].strip(b" "):
                by_tabs = [cell for cell in by_tabs if cell.strip(b" ")]
            if b"\t" in line:
                cells[number] = by_tabs[-1].strip(b" ")
        return b"\n".join(cells)

    def find_unusual_cells(self, rows: Ints) -> list[int]:
        """Return which of these lines may have blanks in their last cell or nothing, where tabs separate cells."""
        if b"\t" not in self.data:
            return []
        begin, end = self.last_begin[rows], self.last_end[rows]
        blank_before = (begin > self.begin[rows]) & (self.page[begin - 1] != _TAB)
        unusual: list[int] = np.flatnonzero(blank_before | (self.page[end] == _TAB)).tolist()
        return unusual

    def _count_usual_tabs(self) -> int | None:
        """Return how many tabs the first line of columns has that does not end in one; None if all end in one."""
        page = self.page
        several = self.last_begin > self.begin
        rows = np.flatnonzero(several & (page[self.last_end] != _TAB) & (page[self.begin] != _HASH))
        return self.read_line(int(rows[0])).count(b"\t") if len(rows) else None

    def find_column(self, rows: Ints, number: int) -> tuple[Ints, Ints]:
        """Return two arrays: where a column begins and ends in each of these lines; the line's end if it is missing."""
        page = self.page
        begin, end = np.zeros(len(self.end), dtype=np.int64), np.zeros(len(self.end), dtype=np.int64)
        place = row = 0
        while row < len(self.end):
            stop = int(np.searchsorted(self.end, place + _BLOCK)) + 1
            reach = int(self.end[min(stop, len(self.end)) - 1]) + 1
            _fill_places(page[place:reach], place, number, begin[row:stop], end[row:stop])
            place, row = reach, stop
        return begin[rows], end[rows]


def split_lines(data: bytes) -> Lines:
    """Return as `Lines` where each line of normalized text, and the last column of each, begins and ends."""
    end = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _NEWLINE)
    layout = _replace_controls(data, len(end))
    begin = np.zeros_like(end)
    np.add(end[:-1], 1, out=begin[1:])
    last_end = _walk_back(layout, begin, end, _BLANKS)
    last_begin = _walk_back(layout, begin, last_end - (last_end > begin), _VISIBLE)
    return Lines(data, layout, begin, end, last_begin, last_end)


def _replace_controls(data: bytes, lines: int) -> bytes:
    """Return text with an x for control characters but tabs and line ends; `lines`: how many line feeds it has."""
    usual = lines
    if _TAB in data:
        usual += _count_bytes(data, lambda block, out: np.equal(block, _TAB, out=out))
    if _RETURN in data:
        usual += _count_bytes(data, lambda block, out: np.equal(block, _RETURN, out=out))
    if _count_bytes(data, lambda block, out: np.less(block, _SPACE, out=out)) > usual:
        data = data.translate(_AS_LETTERS)
    if _RETURN in data and data.count(b"\r") > data.count(b"\r\n"):
        ends = ((line, line.rstrip(_BLANKS_OF_LINES)) for line in data.split(b"\n"))
        data = b"\n".join(visible.replace(b"\r", b"x") + line[len(visible) :] for line, visible in ends)
    return data


def _count_bytes(data: bytes, test: Callable[[Page, Booleans], object]) -> int:
    """Return how many bytes pass a test, which writes its answers into its second argument."""
    page = np.frombuffer(data, dtype=np.uint8)
    passed = np.empty(_BLOCK, dtype=np.bool_)
    count = 0
    for start in range(0, len(page), _BLOCK):
        block = page[start : start + _BLOCK]
        test(block, passed[: len(block)])
        count += int(np.count_nonzero(passed[: len(block)]))
    return count


def _walk_back(data: bytes, begin: Ints, place: Ints, characters: bytes) -> Ints:
    """Return the places, one per line, moved back over blanks or over visible bytes, at most to the line's begin."""
    page = np.frombuffer(data, dtype=np.uint8)
    blank = characters is _BLANKS
    rows = np.flatnonzero((page[place - 1] <= _SPACE) == blank)
    rows = rows[place[rows] > begin[rows]]
    if len(rows) == 0:
        return place
    place = place.copy()
    for _ in range(_STEPS):
        if len(rows) <= _FEW_ROWS:
            break
        moved = place[rows] - 1
        place[rows] = moved
        rows = rows[((page[moved - 1] <= _SPACE) == blank) & (moved > begin[rows])]
    for row in rows.tolist():
        place[row] = begin[row] + len(data[begin[row] : place[row]].rstrip(characters))
    return place


def _fill_places(page: Page, offset: int, number: int, begin: Ints, end: Ints) -> None:
    """Fill `begin` and `end` with the places of a column in each line of a page, the line's end where it is missing."""
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
