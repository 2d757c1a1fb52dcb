"""A CoNLL-U file as columns of numbers, found in a few passes over its bytes: no Python object per word.

    1	Kim	_	_	_	_	2	nsubj	_	Bridge=e1<e2:subset|Entity=(e2-place-1)|SpaceAfter=No

Ten columns with tabs between them; an empty line ends a sentence. Lines whose id is a number are words, those with a
decimal one (3.1) are empty nodes, those with a range (3-4) only say how words are spelled, and are no words.

Of the last column, MISC, the items about coreference are found: `Entity`, `Bridge` and `SplitAnte`.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.formats.shared.columns import (
    TabbedLines,
    begin_with,
    decode_places,
    find_bytes,
    find_cells,
    parse_numbers,
)
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from corefeval.formats.shared.columns import Bytes

ID, FORM, UPOS, HEAD, DEPREL, DEPS, MISC = 0, 1, 3, 6, 7, 8, 9
_COLUMNS = 10
_HASH, _PIPE, _BLANK = b"#| "
_DECODED = 1 << 14  # bytes at a time: most blocks of this size are plain ASCII, which is decoded much faster
_BEGINS_ITEM = np.isin(np.arange(256), list(b"EBS"))  # the first letters of Entity, Bridge and SplitAnte
_RANGE = re.compile(rb"\d+-\d+")
_EMPTY = re.compile(rb"\d+\.\d+")
_ITEM = re.compile(rb"[\t|](?:Entity|Bridge|SplitAnte|Split)(?![^=|\n\r])")
_RELATION_KEYS = {"Bridge": "Bridge", "SplitAnte": "SplitAnte", "Split": "SplitAnte"}  # Split in older editions


class ConlluTable(NamedTuple):
    """The lines of a file, and which of them are words.

    comment: the rows (lines from 0) of comments.
    row: for every word its row.
    empty, sentence: for every word whether it is an empty node, and its sentence.
    ranges: the rows that only say how words are spelled.
    """

    lines: TabbedLines
    comment: Ints
    row: Ints
    empty: Booleans
    sentence: Ints
    ranges: Ints

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.lines.data

    def find_comment_rows(self) -> list[int]:
        """Return the rows, from 0, of comments that may begin with newdoc or global; others are left out."""
        page = self.lines.page
        begin = self.lines.begin[self.comment] + 1
        begin = np.minimum(begin + (page[begin] == _BLANK), len(page) - 1)
        may = (page[begin] <= _BLANK) | begin_with(b"newdoc", page, begin) | begin_with(b"global", page, begin)
        rows: list[int] = self.comment[may].tolist()
        return rows

    def find_column(self, column: int) -> tuple[Ints, Ints]:
        """Return two arrays: where the cell of each word in a column begins and ends in the file."""
        return self.lines.find_column(self.row, column)

    def read_column(self, column: int) -> list[str]:
        """Return the texts of a column's cells, for all words; "" for an underscore."""
        return ["" if text == "_" else text for text in decode_places(self.lines.page, *self.find_column(column))]


def read_table(data: bytes, diagnostics: Diagnostics) -> ConlluTable:
    """Return the lines, columns and words of normalized text; add faults and notices of malformed ones."""
    _check_encoding(data, diagnostics)
    table = find_cells(data).without_returns()
    page, begin, end, columns = table.page, table.begin, table.end, table.cells
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
    number = parse_numbers(page, *table.find_column(row, ID))
    is_word, empty = number >= 0, np.zeros(len(row), dtype=np.bool_)
    is_range = np.zeros(len(row), dtype=np.bool_)
    others = np.flatnonzero(~is_word)
    for place, line in zip(others.tolist(), row[others].tolist(), strict=True):
        cell = data[begin[line] : table.tabs[table.first[line]]]
        if _RANGE.fullmatch(cell):
            is_range[place] = True
        elif _EMPTY.fullmatch(cell):
            is_word[place] = empty[place] = True
        else:
            shown = cell[:40].decode("utf-8", "backslashreplace")
            diagnostics.add_fault(line + 1, f"{shown!r} is not the id of a word", "an id such as 1, 1-2 or 1.1")
    sentence = np.cumsum(blank)[row[is_word]]
    _check_order(row[is_word], number[is_word], sentence, diagnostics)
    return ConlluTable(table, np.flatnonzero(comment), row[is_word], empty[is_word], sentence, row[is_range])


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
    before = table.lines.find_column(table.ranges, DEPS)[1]
    for row, begin in zip(table.ranges.tolist(), before.tolist(), strict=True):
        if _ITEM.search(table.data, begin, table.lines.end[row]):
            what = "a mention or a relation on a line that is not a word"
            hint = "ids such as 1-2 only say how words are spelled"
            diagnostics.add_fault(row + 1, what, "it on the lines of the words", hint)
    page = table.lines.page
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
    pipe = find_bytes(page, lambda block, out: np.equal(block, _PIPE, out=out))
    begin = pipe[_BEGINS_ITEM[page[pipe + 1]]] + 1  # the data end in a line break, so that something follows a bar
    begin = np.sort(np.append(begin, start[_BEGINS_ITEM[page[start]]]))
    is_entity = begin_with(b"Entity=", page, begin)
    is_item = is_entity | begin_with(b"Bridge=", page, begin) | begin_with(b"Split", page, begin)
    begin, is_entity = begin[is_item], is_entity[is_item]
    cell = np.searchsorted(start, begin, side="right") - 1
    inside = (cell >= 0) & (begin < end[cell])
    begin, cell = begin[inside], cell[inside]
    next_pipe = np.append(pipe, len(page))[np.searchsorted(pipe, begin)]
    return words[cell], begin, np.minimum(next_pipe, end[cell]), is_entity[inside]


def _refuse_repeated_key(table: ConlluTable, key: str, word: Ints, diagnostics: Diagnostics) -> None:
    """Add a fault where a word has several items of a key; word: the words of these items, in order."""
    for place in np.flatnonzero(np.diff(word) == 0).tolist():
        diagnostics.add_fault(int(table.row[word[place]]) + 1, f"{key} is given twice", f"{key} once per word")
