"""CoNLL-U as a table, found in a few passes over the bytes of a file: no Python object per word.

Ten columns with tabs between them; an empty line ends a sentence. Lines whose id is a number are words, those with a
decimal one (3.1) are empty nodes, those with a range (3-4) only say how words are spelled, and are no words.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from corefeval._lazy import kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from corefeval._arrays import Booleans, Ints
    from corefeval.formats.shared.diagnostics import Diagnostics

ID, FORM, UPOS, HEAD, DEPREL, DEPS, MISC = 0, 1, 3, 6, 7, 8, 9
_COLUMNS = 10
_NEWLINE, _TAB, _HASH, _RETURN, _ZERO = b"\n\t#\r0"
_LONGEST_NUMBER = 9
_BLOCK = 1 << 16  # bytes at a time: what is found in them stays in the processor's cache
_DECODED = 1 << 14  # bytes at a time: most blocks of this size are plain ASCII, which is decoded much faster
_IS_BLANK = np.isin(np.arange(256), list(b" \t\v\f\r"))
_RANGE = re.compile(rb"\d+-\d+")
_EMPTY = re.compile(rb"\d+\.\d+")


class Table(NamedTuple):
    """Where lines begin and end, where tabs are, and which lines are words.

    tabs: the places of tabs and of line breaks: those of a line stand one after another.
    row, tab: for every word its line (from 0) and which tab is its first one.
    number, empty, sentence: for every word its id, -1 if it is an empty node; whether it is one; and its sentence.
    spelled: the lines that only say how words are spelled, and the first tab of each.
    """

    data: bytes
    begin: Ints
    end: Ints
    tabs: Ints
    comment: Ints
    row: Ints
    tab: Ints
    number: Ints
    empty: Booleans
    sentence: Ints
    spelled: list[tuple[int, int]]

    def text(self, row: int) -> bytes:
        """A line without its line break."""
        return self.data[self.begin[row] : self.end[row]]

    def comments(self, *words: bytes) -> list[int]:
        """The comments that may begin with one of these words: most do not, and need not be looked at."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        begin = self.begin[self.comment] + 1
        blank = _IS_BLANK[page[begin]]
        begin = np.minimum(begin + blank, len(page) - 1)
        may = blank & _IS_BLANK[page[begin]]
        for word in words:
            rows = np.flatnonzero(page[begin] == word[0])
            for place, letter in enumerate(word):
                rows = rows[page[np.minimum(begin[rows] + place, len(page) - 1)] == letter]
            may[rows] = True
        found: list[int] = self.comment[may].tolist()
        return found

    def places(self, column: int) -> tuple[Ints, Ints]:
        """Where the cells of a column begin and end, for all words."""
        start = self.begin[self.row] if column == ID else self.tabs[self.tab + column - 1] + 1
        end = self.end[self.row] if column == MISC else self.tabs[self.tab + column]
        return start, end

    def texts(self, start: Ints, end: Ints) -> list[str]:
        """What is written at these places, which have no line breaks in them."""
        return read(np.frombuffer(self.data, dtype=np.uint8), start, end)


class Column(Sequence[str]):
    """A column of a table, found and decoded when someone asks for it; cells with an underscore are empty."""

    def __init__(self, table: Table, column: int) -> None:
        self._table, self._column = table, column

    def __len__(self) -> int:
        return len(self._table.row)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        start, end = self._places
        if isinstance(place, slice):
            return ["" if text == "_" else text for text in self._table.texts(start[place], end[place])]
        text = self._table.data[start[place] : end[place]].decode("utf-8", "replace")
        return "" if text == "_" else text

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    @kept
    def _places(self) -> tuple[Ints, Ints]:
        return self._table.places(self._column)


def table(data: bytes, found: Diagnostics) -> Table:
    """Find lines, columns and words of cleaned data."""
    _check_encoding(data, found)
    page = np.frombuffer(data, dtype=np.uint8)
    tabs = _tabs(page)
    past = np.flatnonzero(page[tabs] == _NEWLINE)
    end = tabs[past]
    begin = np.append(0, end[:-1] + 1)
    columns = np.diff(past, prepend=-1)
    if _RETURN in data:
        end -= (end > begin) & (page[end - 1] == _RETURN)
    blank = end == begin
    comment = ~blank & (page[begin] == _HASH)
    for line in np.flatnonzero(~blank & ~comment & (columns != _COLUMNS)).tolist():
        if data[begin[line] : end[line]].strip():
            _refuse_columns(line + 1, int(columns[line]), found)
        else:
            blank[line] = True
    row = np.flatnonzero(~blank & ~comment & (columns == _COLUMNS))
    tab = past[row] - _COLUMNS + 1
    number = numbers(page, begin[row], tabs[tab])
    is_word, empty = number >= 0, np.zeros(len(row), dtype=np.bool_)
    spelled = []
    others = np.flatnonzero(~is_word)
    for place, line, first in zip(others.tolist(), row[others].tolist(), tab[others].tolist(), strict=True):
        cell = data[begin[line] : tabs[first]]
        if _RANGE.fullmatch(cell):
            spelled.append((line, first))
        elif _EMPTY.fullmatch(cell):
            is_word[place] = empty[place] = True
        else:
            shown = cell[:40].decode("utf-8", "backslashreplace")
            found.add_fault(line + 1, f"{shown!r} is not the id of a word", "an id such as 1, 1-2 or 1.1")
    sentence = np.cumsum(blank)[row[is_word]]
    _check_order(row[is_word], number[is_word], sentence, found)
    return Table(data, begin, end, tabs, np.flatnonzero(comment), row[is_word], tab[is_word],
                 number[is_word], empty[is_word], sentence, spelled)  # fmt: skip


def copied(page: NDArray[np.uint8], start: Ints, end: Ints) -> NDArray[np.uint8]:
    """What is written at these places, with a line break behind each."""
    if len(start) == 0:
        return page[:0]
    size = end - start + 1
    stop = np.cumsum(size)
    copy = page[np.arange(int(stop[-1])) + np.repeat(start - stop + size, size)]
    copy[stop - 1] = _NEWLINE
    return copy


def read(page: NDArray[np.uint8], start: Ints, end: Ints) -> list[str]:
    """What is written at these places, which have no line breaks in them, as texts."""
    if len(start) == 0:
        return []
    return copied(page, start, end)[:-1].tobytes().decode("utf-8", "replace").split("\n")


def _tabs(page: NDArray[np.uint8]) -> Ints:
    """The places of tabs and line breaks, which are neighbours in ASCII."""
    return where(page, lambda block, out: np.less_equal(np.subtract(block, _TAB, out=out.view(np.uint8)), 1, out=out))


def where(page: NDArray[np.uint8], test: Callable[[NDArray[np.uint8], Booleans], object]) -> Ints:
    """The places of the bytes that pass a test, which is told where to put its answers.

    Block by block, for memory that is new takes longer to get than to fill.
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


def numbers(page: NDArray[np.uint8], start: Ints, end: Ints) -> Ints:
    """The numbers in cells of digits; -1 for other cells."""
    length = end - start
    number = np.where((length > 0) & (length <= _LONGEST_NUMBER), 0, -1)
    rows, place = np.flatnonzero(number == 0), 0
    while len(rows):
        digit = page[start[rows] + place] - np.uint8(_ZERO)
        number[rows] = np.where(digit <= 9, number[rows] * 10 + digit, -1)
        place += 1
        rows = rows[(length[rows] > place) & (digit <= 9)]
    return number


def _refuse_columns(line: int, columns: int, found: Diagnostics) -> None:
    what = "1 column" if columns == 1 else f"{columns} columns"
    hint = "blanks do not separate columns" if columns == 1 else ""
    found.add_fault(line, what, "ten columns with tabs between them", hint)


def _check_encoding(data: bytes, found: Diagnostics) -> None:
    view, place = memoryview(data), 0
    try:
        while place < len(data):
            final = place + _DECODED >= len(data)
            place += codecs.utf_8_decode(view[place : place + _DECODED], "strict", final)[1]
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, place + error.start) + 1
        found.add_notice("encoding", line, "not UTF-8 from here on; what cannot be read is shown as \ufffd")


def _check_order(row: Ints, number: Ints, sentence: Ints, found: Diagnostics) -> None:
    """Say where the words of a sentence are not numbered one by one."""
    row, sentence, number = row[number >= 0], sentence[number >= 0], number[number >= 0]
    for place in np.flatnonzero((np.diff(number) != 1) & (np.diff(sentence) == 0)).tolist():
        before, here = int(number[place]), int(number[place + 1])
        message = (
            f"word {here} follows word {before} in the same sentence; "
            "a line may be missing, or the empty line between two sentences"
        )
        found.add_notice("word-order", int(row[place + 1]) + 1, message)
