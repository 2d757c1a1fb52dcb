"""A CoNLL-U file as columns of numbers, found in a few passes over its bytes: no Python object per word.

    1	Kim	_	_	_	_	2	nsubj	_	Bridge=e1<e2:subset|Entity=(e2-place-1)|SpaceAfter=No

Ten columns with tabs between them; an empty line ends a sentence. Lines whose id is a number are words, those with a
decimal one (3.1) are empty nodes, those with a range (3-4) only say how words are spelled, and are no words.

Of the last column, MISC, the items about coreference are found: `Entity`, `Bridge` and `SplitAnte`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

ID, FORM, UPOS, HEAD, DEPREL, DEPS, MISC = 0, 1, 3, 6, 7, 8, 9
_COLUMNS = 10
_NEWLINE, _TAB, _HASH, _RETURN, _ZERO, _PIPE, _BLANK = b"\n\t#\r0| "
_LONGEST_NUMBER = 9
_BLOCK = 1 << 16  # bytes at a time: what is found in them stays in the processor's cache
_DECODED = 1 << 14  # bytes at a time: most blocks of this size are plain ASCII, which is decoded much faster
_BEGINS_ITEM = np.isin(np.arange(256), list(b"EBS"))  # the first letters of Entity, Bridge and SplitAnte
_RANGE = re.compile(rb"\d+-\d+")
_EMPTY = re.compile(rb"\d+\.\d+")
_ITEM = re.compile(rb"[\t|](?:Entity|Bridge|SplitAnte|Split)(?![^=|\n\r])")
_RELATION_KEYS = {"Bridge": "Bridge", "SplitAnte": "SplitAnte", "Split": "SplitAnte"}  # Split in older editions


class ConlluTable(NamedTuple):
    """Where lines begin and end, where tabs are, and which lines are words.

    tabs: the places of tabs and of line breaks: those of a line are next to each other.
    comment: the rows (lines from 0) of comments.
    row, tab: for every word its row and which of `tabs` is its first one.
    empty, sentence: for every word whether it is an empty node, and its sentence.
    ranges: the rows that only say how words are spelled, and the first tab of each.
    """

    data: bytes
    begin: Ints
    end: Ints
    tabs: Ints
    comment: Ints
    row: Ints
    tab: Ints
    empty: Booleans
    sentence: Ints
    ranges: list[tuple[int, int]]

    def read_line(self, row: int) -> bytes:
        """Return the bytes of the line with this number, from 0, without its line break."""
        return self.data[self.begin[row] : self.end[row]]

    def find_comment_rows(self) -> list[int]:
        """Return the rows, from 0, of comments that may begin with newdoc or global; others are left out."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        begin = self.begin[self.comment] + 1
        begin = np.minimum(begin + (page[begin] == _BLANK), len(page) - 1)
        may = (page[begin] <= _BLANK) | _begin_with(b"newdoc", page, begin) | _begin_with(b"global", page, begin)
        rows: list[int] = self.comment[may].tolist()
        return rows

    def find_column(self, column: int) -> tuple[Ints, Ints]:
        """Return two arrays: where the cell of each word in a column begins and ends in the file."""
        start = self.begin[self.row] if column == ID else self.tabs[self.tab + column - 1] + 1
        end = self.end[self.row] if column == MISC else self.tabs[self.tab + column]
        return start, end

    def read_column(self, column: int) -> list[str]:
        """Return the texts of a column's cells, for all words; "" for an underscore."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        return ["" if text == "_" else text for text in decode_places(page, *self.find_column(column))]


def read_table(data: bytes, diagnostics: Diagnostics) -> ConlluTable:
    """Return the lines, columns and words of normalized text; add faults and notices of malformed ones."""
    _check_encoding(data, diagnostics)
    page = np.frombuffer(data, dtype=np.uint8)
    # Tabs and line breaks are neighbours in ASCII.
    tabs = _find_bytes(
        page, lambda part, out: np.less_equal(np.subtract(part, _TAB, out=out.view(np.uint8)), 1, out=out)
    )
    past = np.flatnonzero(page[tabs] == _NEWLINE)
    end = tabs[past]
    begin = np.append(0, end[:-1] + 1)
    columns = np.diff(past, prepend=-1)
    if _RETURN in data:
        end -= (end > begin) & (page[end - 1] == _RETURN)
    blank = end == begin
    comment = ~blank & (page[begin] == _HASH)
    for line in np.flatnonzero(~blank & ~comment & (columns != _COLUMNS)).tolist():
        if not data[begin[line] : end[line]].strip():
            blank[line] = True
        elif columns[line] == 1:
            hint = "blanks do not separate columns"
            diagnostics.add_fault(line + 1, "1 column", "ten columns with tabs between them", hint)
        else:
            diagnostics.add_fault(line + 1, f"{columns[line]} columns", "ten columns with tabs between them")
    row = np.flatnonzero(~blank & ~comment & (columns == _COLUMNS))
    tab = past[row] - _COLUMNS + 1
    number = parse_numbers(page, begin[row], tabs[tab])
    is_word, empty = number >= 0, np.zeros(len(row), dtype=np.bool_)
    ranges = []
    others = np.flatnonzero(~is_word)
    for place, line, first in zip(others.tolist(), row[others].tolist(), tab[others].tolist(), strict=True):
        cell = data[begin[line] : tabs[first]]
        if _RANGE.fullmatch(cell):
            ranges.append((line, first))
        elif _EMPTY.fullmatch(cell):
            is_word[place] = empty[place] = True
        else:
            shown = cell[:40].decode("utf-8", "backslashreplace")
            diagnostics.add_fault(line + 1, f"{shown!r} is not the id of a word", "an id such as 1, 1-2 or 1.1")
    sentence = np.cumsum(blank)[row[is_word]]
    _check_order(row[is_word], number[is_word], sentence, diagnostics)
    return ConlluTable(
        data, begin, end, tabs, np.flatnonzero(comment), row[is_word], tab[is_word], empty[is_word], sentence, ranges
    )


def _check_encoding(data: bytes, diagnostics: Diagnostics) -> None:
    """Add a notice if the data are not UTF-8."""
    view, place = memoryview(data), 0
    try:
        while place < len(data):
            final = place + _DECODED >= len(data)
            place += codecs.utf_8_decode(view[place : place + _DECODED], "strict", final)[1]
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, place + error.start) + 1
        message = "not UTF-8 from here on; characters that cannot be read are shown as \ufffd"
        diagnostics.add_notice("encoding", line, message)


def _check_order(row: Ints, number: Ints, sentence: Ints, diagnostics: Diagnostics) -> None:
    """Add a notice where the words of a sentence are not numbered consecutively."""
    row, sentence, number = row[number >= 0], sentence[number >= 0], number[number >= 0]
    for place in np.flatnonzero((np.diff(number) != 1) & (np.diff(sentence) == 0)).tolist():
        message = (
            f"word {number[place + 1]} follows word {number[place]} in the same sentence; "
            "a line may be missing, or the empty line between two sentences"
        )
        diagnostics.add_notice("word-order", int(row[place + 1]) + 1, message)


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


def _find_bytes(page: Bytes, test: Callable[[Bytes, Booleans], object]) -> Ints:
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


class EntityItems(NamedTuple):
    """The values of Entity: for each the number of its word, and where it begins and ends in the file."""

    word: Ints
    begin: Ints
    end: Ints


class RelationItem(NamedTuple):
    """A value of Bridge or SplitAnte, with the number of its word."""

    word: int
    key: str
    value: str


def find_items(table: ConlluTable, diagnostics: Diagnostics) -> tuple[EntityItems, list[RelationItem]]:
    """Return MISC's items about coreference: those of Entity, and a list for Bridge and SplitAnte; add faults."""
    for row, tab in table.ranges:
        if _ITEM.search(table.data, table.tabs[tab + MISC - 1], table.end[row]):
            what = "a mention or a relation on a line that is not a word"
            hint = "ids such as 1-2 only say how words are spelled"
            diagnostics.add_fault(row + 1, what, "it on the lines of the words", hint)
    page = np.frombuffer(table.data, dtype=np.uint8)
    word, begin, end, is_entity = _locate_items(table, page)
    entity = EntityItems(word[is_entity], begin[is_entity] + len("Entity="), end[is_entity])
    _refuse_repeated_key(table, "Entity", entity.word, diagnostics)
    for place in np.flatnonzero((entity.end > entity.begin) & (page[entity.end - 1] == _BLANK)).tolist():
        stripped = table.data[entity.begin[place] : entity.end[place]].rstrip(b" ")
        entity.end[place] = entity.begin[place] + len(stripped)
    for row in table.row[entity.word[entity.begin == entity.end]].tolist():
        diagnostics.add_fault(row + 1, "Entity is empty", "brackets such as (e1), or no Entity")
    relations = []
    texts = decode_places(page, begin[~is_entity], end[~is_entity])
    for place, text in zip(word[~is_entity].tolist(), texts, strict=True):
        key, sign, value = text.partition("=")
        if sign and key in _RELATION_KEYS:
            relations.append(RelationItem(place, _RELATION_KEYS[key], value.rstrip(" ")))
    for key in ("Bridge", "SplitAnte"):
        words = np.array([item.word for item in relations if item.key == key], dtype=np.int64)
        _refuse_repeated_key(table, key, words, diagnostics)
    return entity, relations


def _locate_items(table: ConlluTable, page: Bytes) -> tuple[Ints, Ints, Ints, Booleans]:
    """Return four columns for MISC's items Entity=, Bridge= and Split: word, begin, end, and whether it is Entity=."""
    start, end = table.find_column(MISC)
    words = np.flatnonzero(end - start > 1)
    if len(words) == 0:
        return words, words, words, words > 0
    start, end = start[words], end[words]
    pipe = _find_bytes(page, lambda block, out: np.equal(block, _PIPE, out=out))
    begin = pipe[_BEGINS_ITEM[page[pipe + 1]]] + 1  # the data end in a line break, so that something follows a bar
    begin = np.sort(np.append(begin, start[_BEGINS_ITEM[page[start]]]))
    is_entity = _begin_with(b"Entity=", page, begin)
    is_item = is_entity | _begin_with(b"Bridge=", page, begin) | _begin_with(b"Split", page, begin)
    begin, is_entity = begin[is_item], is_entity[is_item]
    cell = np.searchsorted(start, begin, side="right") - 1
    inside = (cell >= 0) & (begin < end[cell])
    begin, cell = begin[inside], cell[inside]
    next_pipe = np.append(pipe, len(page))[np.searchsorted(pipe, begin)]
    return words[cell], begin, np.minimum(next_pipe, end[cell]), is_entity[inside]


def _begin_with(text: bytes, page: Bytes, begin: Ints) -> Booleans:
    """Return booleans: whether a text begins at each of these places; the page must not end in one of its bytes."""
    matches = np.ones(len(begin), dtype=np.bool_)
    for offset, letter in enumerate(text):
        matches &= page[np.minimum(begin + offset, len(page) - 1)] == letter
        if not matches.any():
            break
    return matches


def _refuse_repeated_key(table: ConlluTable, key: str, word: Ints, diagnostics: Diagnostics) -> None:
    """Add a fault where a word has several items of a key; word: the words of these items, in order."""
    for place in np.flatnonzero(np.diff(word) == 0).tolist():
        diagnostics.add_fault(int(table.row[word[place]]) + 1, f"{key} is given twice", f"{key} once per word")
