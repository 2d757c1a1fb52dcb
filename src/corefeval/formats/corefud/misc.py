"""What the MISC column says about coreference: `Entity=`, `Bridge=` and `SplitAnte=` among other items.

    Bridge=e1<e2:subset|Entity=(e2-place-1)|SpaceAfter=No

Items are found in a few passes over the bytes of the column; only those about relations, which are few, one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.formats.corefud import table as corefud_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corefeval._arrays import Booleans, Ints
    from corefeval.formats.corefud.fields import Fields
    from corefeval.formats.corefud.table import Table
    from corefeval.formats.shared.diagnostics import Diagnostics

_PIPE, _BLANK = b"| "
_CHUNK = 8
_FIRST_LETTER = np.isin(np.arange(256), list(b"EBS"))
_RELATIONS = {"Bridge": "Bridge", "SplitAnte": "SplitAnte", "Split": "SplitAnte"}  # the last one is of older editions


class Cells(NamedTuple):
    """Words with something in MISC: what Entity says there, document, word in it, line, and which fields are declared.

    begin, end: where in `data` the value of Entity stands; the same place twice where there is none.
    """

    data: bytes
    begin: Ints
    end: Ints
    document: Ints
    word: Ints
    line: Ints
    declared: Ints

    def entity(self, cell: int) -> str:
        """What Entity says in a cell."""
        return self.data[self.begin[cell] : self.end[cell]].decode("utf-8", "replace")

    def joined(self) -> NDArray[np.uint8]:
        """What Entity says in all cells, with a line break before and behind each."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        return corefud_table.copied(page, np.append(0, self.begin), np.append(0, self.end))


class Statement(NamedTuple):
    """What MISC says about a relation: the cell, Bridge or SplitAnte, and the value."""

    cell: int
    key: str
    value: str


class _Items(NamedTuple):
    """Items of MISC: their words, and where they begin and end."""

    word: Ints
    begin: Ints
    end: Ints

    def some(self, chosen: Ints) -> _Items:
        return _Items(self.word[chosen], self.begin[chosen], self.end[chosen])


def read(
    table: Table, bounds: Ints, declarations: dict[int, Fields], fields: list[Fields], found: Diagnostics
) -> tuple[Cells, list[Statement]]:
    """The words on which MISC says something about coreference, and what it says about relations.

    bounds: the first words of the documents.
    declarations: the fields of mentions, by the line (from 0) from which on they are so; `fields` has each once.
    """
    page = np.frombuffer(table.data, dtype=np.uint8)
    entity, others = _items(table, page)
    related = _relations(table, others, found)
    _refuse_repeated(table, "Entity", entity.word, found)
    word, begin = entity.word, entity.begin + len("Entity=")
    end = _stripped(table, page, begin, entity.end)
    for silent in np.flatnonzero(begin == end).tolist():
        found.add_fault(int(table.row[word[silent]]) + 1, "Entity says nothing", "brackets such as (e1), or no Entity")
    at = np.array([at for at, _, _ in related], dtype=np.int64)
    if not np.isin(at, word).all():
        known, word = word, np.union1d(word, at)
        place = np.searchsorted(known, word, side="right") - 1
        there = np.isin(word, known)
        begin, end = (np.where(there, np.append(places, 0)[place], 0) for places in (begin, end))
    document = np.searchsorted(bounds, word, side="right") - 1
    row = table.row[word]
    declared = _declared(row, declarations, fields, found)
    cells = Cells(table.data, begin, end, document, word - bounds[document], row + 1, declared)
    places = np.searchsorted(word, at).tolist()
    return cells, [Statement(place, key, value) for place, (_, key, value) in zip(places, related, strict=True)]


def is_marked(misc: bytes) -> bool:
    """Whether MISC says something about coreference."""
    keys = {item.partition(b"=")[0].decode("utf-8", "replace") for item in misc.split(b"|")}
    return not keys.isdisjoint({"Entity", *_RELATIONS})


def _items(table: Table, page: NDArray[np.uint8]) -> tuple[_Items, _Items]:
    """The items of MISC that begin with Entity=, and those that begin with Bridge= or Split."""
    start, end = table.places(corefud_table.MISC)
    words = np.flatnonzero(end - start > 1)
    if len(words) == 0:
        return _Items(words, words, words), _Items(words, words, words)
    start, end = start[words], end[words]
    pipe = corefud_table.where(page, lambda block, out: np.equal(block, _PIPE, out=out))
    begin = pipe[_FIRST_LETTER[page[pipe + 1]]] + 1  # the data end in a line break, so that something is behind a bar
    begin = np.sort(np.append(begin, start[_FIRST_LETTER[page[start]]]))
    chunk = _chunks(page, begin)
    is_entity = _begins(chunk, b"Entity=")
    chosen = np.flatnonzero(is_entity | _begins(chunk, b"Bridge=") | _begins(chunk, b"Split"))
    begin, is_entity = begin[chosen], is_entity[chosen]
    cell = np.searchsorted(start, begin, side="right") - 1
    next_pipe = np.append(pipe, len(page))[np.searchsorted(pipe, begin)]
    items = _Items(words[cell], begin, np.minimum(next_pipe, end[cell]))
    inside = (cell >= 0) & (begin < end[cell])
    return items.some(np.flatnonzero(inside & is_entity)), items.some(np.flatnonzero(inside & ~is_entity))


def _chunks(page: NDArray[np.uint8], begin: Ints) -> NDArray[np.uint64]:
    """Eight bytes from each of these places on, as a number; zeros for what is behind the last byte."""
    there = np.minimum(begin, len(page) - _CHUNK)
    windows = np.lib.stride_tricks.sliding_window_view(page, _CHUNK)
    chunk: NDArray[np.uint64] = np.ascontiguousarray(windows[there]).view("<u8").reshape(-1)
    return np.right_shift(chunk, ((begin - there) * 8).astype(np.uint64))


def _begins(chunk: NDArray[np.uint64], text: bytes) -> Booleans:
    """Which chunks begin with a text."""
    matches: Booleans = chunk & np.uint64((1 << 8 * len(text)) - 1) == int.from_bytes(text, "little")
    return matches


def _stripped(table: Table, page: NDArray[np.uint8], begin: Ints, end: Ints) -> Ints:
    """Where values end without the blanks behind them."""
    end = end.copy()
    for place in np.flatnonzero((end > begin) & (page[end - 1] == _BLANK)).tolist():
        end[place] = begin[place] + len(table.data[begin[place] : end[place]].rstrip(b" "))
    return end


def _relations(table: Table, items: _Items, found: Diagnostics) -> list[tuple[int, str, str]]:
    """Word, key and value of the items that are about relations."""
    related = []
    for word, text in zip(items.word.tolist(), table.texts(items.begin, items.end), strict=True):
        key, sign, value = text.partition("=")
        if sign and key in _RELATIONS:
            related.append((word, _RELATIONS[key], value.rstrip(" ")))
    for key in ("Bridge", "SplitAnte"):
        words = [word for word, of, _ in related if of == key]
        _refuse_repeated(table, key, np.array(words, dtype=np.int64), found)
    return related


def _refuse_repeated(table: Table, key: str, word: Ints, found: Diagnostics) -> None:
    for place in np.flatnonzero(np.diff(word) == 0).tolist():
        found.add_fault(int(table.row[word[place]]) + 1, f"{key} is there twice", "it once for a word")


def _declared(row: Ints, declarations: dict[int, Fields], fields: list[Fields], found: Diagnostics) -> Ints:
    """Which fields are declared for the words of these lines; the first ones where nothing is."""
    before = np.searchsorted(np.array(list(declarations), dtype=np.int64), row)
    if len(row) and before[0] == 0:
        usual = "-".join(fields[0].names)
        message = f"no '# global.Entity' before the first mention; its fields are taken to be {usual}"
        found.add_notice("no-declaration", int(row[0]) + 1, message)
    return np.array([0, *map(fields.index, declarations.values())], dtype=np.int64)[before]
