"""Lines of cells with tabs between them as columns of numbers: found in a few passes over the bytes of a file.

    table = find_cells(data)
    start, end = table.find_column(rows, 2)
    texts = decode_places(table.page, start, end)

Cells are places in the file and become text when something uses them: there is no Python object per line or cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints, number_values
from corefeval._lazy import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

_NEWLINE, _TAB, _RETURN, _ZERO, _BLANK = b"\n\t\r0 "
_LONGEST_NUMBER = 9
_BLOCK = 1 << 16  # bytes at a time: what is found in them stays in the processor's cache
_STEPS = 12  # blanks that are passed in all texts at once


class TabbedLines(NamedTuple):
    """Where lines begin and end; where tabs and line breaks are; and how many cells each line has.

    tabs: the places of tabs and of line breaks: those of a line are next to each other, from number `first` on.
    """

    data: bytes
    begin: Ints
    end: Ints
    tabs: Ints
    first: Ints
    cells: Ints

    @property
    def page(self) -> Bytes:
        """The bytes of the file as an array."""
        return np.frombuffer(self.data, dtype=np.uint8)

    def read_line(self, row: int) -> bytes:
        """Return the bytes of the line with this number, from 0, without its line break."""
        return self.data[self.begin[row] : self.end[row]]

    def find_column(self, rows: Ints, column: int | Ints) -> tuple[Ints, Ints]:
        """Return two arrays: where a cell, counted from 0, begins and ends in each of these lines, which have it.

        column: the same for all lines, or that of each.
        """
        tab = self.first[rows] + column
        start = self.tabs[tab - 1] + 1
        if np.any(np.equal(column, 0)):
            start = np.where(np.equal(column, 0), self.begin[rows], start)
        return start, np.minimum(self.tabs[tab], self.end[rows])

    def without_returns(self) -> TabbedLines:
        """Return the same lines without CR at their ends."""
        if _RETURN not in self.data:
            return self
        is_return = (self.end > self.begin) & (self.page[self.end - 1] == _RETURN)
        return self._replace(end=self.end - is_return)


def find_cells(data: bytes) -> TabbedLines:
    """Return as `TabbedLines` where lines and cells are in normalized text, in which every line ends in LF."""
    page = np.frombuffer(data, dtype=np.uint8)
    # Tabs and line breaks are neighbours in ASCII.
    tabs = find_bytes(
        page, lambda part, out: np.less_equal(np.subtract(part, _TAB, out=out.view(np.uint8)), 1, out=out)
    )
    past = np.flatnonzero(page[tabs] == _NEWLINE)
    end = tabs[past]
    begin = np.append(0, end[:-1] + 1)
    cells = np.diff(past, prepend=-1)
    return TabbedLines(data, begin, end, tabs, past + 1 - cells, cells)


def find_bytes(page: Bytes, test: Callable[[Bytes, Booleans], object]) -> Ints:
    """Return the places of the bytes that pass a test, which writes its answers into its second argument.

    Block by block, because getting new memory takes longer than filling it.
    """
    passed = np.empty(_BLOCK, dtype=np.bool_)
    places = np.empty(len(page) // 8 + _BLOCK, dtype=np.int64)
    count = 0
    for start in range(0, len(page), _BLOCK):
        block = page[start : start + _BLOCK]
        test(block, passed[: len(block)])
        here = np.flatnonzero(passed[: len(block)])
        if count + len(here) > len(places):
            places = np.append(places, np.empty_like(places))
        np.add(here, start, out=places[count : count + len(here)])
        count += len(here)
    return places[:count]


def copy_places(page: Bytes, start: Ints, end: Ints) -> Bytes:
    """Return the bytes at these places, one place after another, with a line break after each."""
    if len(start) == 0:
        return page[:0]
    size = end - start + 1
    stop = np.cumsum(size)
    # The bytes of each place are counted on from its start; the one behind its end becomes the line break.
    copy = page[np.arange(int(stop[-1])) + np.repeat(start - stop + size, size)]
    copy[stop - 1] = _NEWLINE
    return copy


def decode_places(page: Bytes, start: Ints, end: Ints) -> list[str]:
    """Return a list of the texts at these places (from start to end in the page), which have no line breaks in them."""
    if len(start) == 0:
        return []
    return copy_places(page, start, end)[:-1].tobytes().decode("utf-8", "replace").split("\n")


def parse_numbers(page: Bytes, start: Ints, end: Ints) -> Ints:
    """Return the numbers at places that hold nothing but digits; -1 for other places."""
    length = end - start
    number = np.where((length > 0) & (length <= _LONGEST_NUMBER), 0, -1)
    rows, place = np.flatnonzero(number == 0), 0
    while len(rows):
        digit = page[start[rows] + place] - np.uint8(_ZERO)
        number[rows] = np.where(digit <= 9, number[rows] * 10 + digit, -1)
        place += 1
        rows = rows[(length[rows] > place) & (digit <= 9)]
    return number


def begin_with(text: bytes, page: Bytes, begin: Ints) -> Booleans:
    """Return booleans: whether a text begins at each of these places; the page must not end in one of its bytes."""
    matches = np.ones(len(begin), dtype=np.bool_)
    for offset, letter in enumerate(text):
        matches &= page[np.minimum(begin + offset, len(page) - 1)] == letter
        if not matches.any():
            break
    return matches


def match_places(pattern: bytes, page: Bytes, start: Ints, end: Ints) -> Booleans:
    """Return booleans: which places hold nothing but a match of a pattern, which has no line breaks."""
    joined = copy_places(page, start, end).tobytes()
    if re.fullmatch(rb"(?:(?:%b)\n)*+" % pattern, joined):  # as nearly always
        return np.ones(len(start), dtype=np.bool_)
    only = re.compile(pattern)
    return np.array([only.fullmatch(text) is not None for text in joined.split(b"\n")[:-1]], dtype=np.bool_)


def strip_places(page: Bytes, start: Ints, end: Ints, blanks: bytes) -> tuple[Ints, Ints]:
    """Return where texts at these places begin and end without blanks at their ends; both the same for empty ones.

    blanks: which they are, none of them above the space.
    """
    is_blank = np.zeros(256, dtype=np.bool_)
    is_blank[list(blanks)] = True
    rows = np.flatnonzero(((page[start] <= _BLANK) | (page[end - 1] <= _BLANK)) & (end > start))
    if len(rows) == 0:
        return start, end
    start, end = start.copy(), end.copy()
    for places, step, seen in ((end, -1, -1), (start, 1, 0)):
        left, steps = rows, 0
        while len(left := left[(end[left] > start[left])]) and len(left := left[is_blank[page[places[left] + seen]]]):
            places[left] += step
            steps += 1
            if steps == _STEPS:  # few have more, and what is left is looked at text by text
                for row in left.tolist():
                    text = page[start[row] : end[row]].tobytes()
                    rest = text.rstrip(blanks) if step < 0 else text.lstrip(blanks)
                    places[row] += step * (len(text) - len(rest))
                break
    return start, end


def read_texts(code: Bytes, begin: Ints, end: Ints, rows: Ints, convert: Callable[[str], str] = str) -> list[str]:
    """Return a text for each of `rows`: what is at the place of this number, converted; "" for a negative number."""
    there = rows >= 0
    found = rows[there]
    texts, number = number_values(decode_places(code, begin[found], end[found]))
    chosen = np.zeros(len(rows), dtype=np.int64)
    chosen[there] = number + 1
    listed = ["", *map(convert, texts)]
    return [listed[each] for each in chosen.tolist()]
