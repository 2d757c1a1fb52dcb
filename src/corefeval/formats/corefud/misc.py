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

    from corefeval.arrays import Ints
    from corefeval.formats.corefud.fields import Fields
    from corefeval.formats.corefud.table import Table
    from corefeval.formats.shared.findings import Findings

_PIPE = ord("|")
_FIRST_LETTER = np.isin(np.arange(256), list(b"EBS"))
_RELATIONS = {"Bridge": "Bridge", "SplitAnte": "SplitAnte", "Split": "SplitAnte"}  # the last one is of older editions


class Cells(NamedTuple):
    """Words with something in MISC: what Entity says there, document, word in it, line, and which fields are declared.

    `entity` has "" where there is no Entity.
    """

    entity: list[str]
    document: Ints
    word: Ints
    line: Ints
    declared: Ints


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
    table: Table, bounds: Ints, declarations: dict[int, Fields], fields: list[Fields], found: Findings
) -> tuple[Cells, list[Statement]]:
    """The words on which MISC says something about coreference, and what it says about relations.

    bounds: the first words of the documents.
    declarations: the fields of mentions, by the line (from 0) from which on they are so; `fields` has each once.
    """
    page = np.frombuffer(table.data, dtype=np.uint8)
    items = _items(table, page)
    entity = items.some(_begins(page, items, b"Entity="))
    others = items.some(np.union1d(_begins(page, items, b"Bridge="), _begins(page, items, b"Split")))
    related = _relations(table, others, found)
    _refuse_repeated(table, "Entity", entity.word, found)
    word = entity.word
    values = [text.rstrip(" ") for text in table.texts(entity.begin + len("Entity="), entity.end)]
    for place in [place for place, value in enumerate(values) if not value]:
        found.fault(int(table.row[word[place]]) + 1, "Entity says nothing", "brackets such as (e1), or no Entity")
    if related and not {at for at, _, _ in related} <= set(word.tolist()):
        known = dict(zip(word.tolist(), values, strict=True))
        word = np.union1d(word, [at for at, _, _ in related]).astype(np.int64)
        values = [known.get(at, "") for at in word.tolist()]
    document = np.searchsorted(bounds, word, side="right") - 1
    row = table.row[word]
    cells = Cells(values, document, word - bounds[document], row + 1, _declared(row, declarations, fields, found))
    return cells, [Statement(int(np.searchsorted(word, at)), key, value) for at, key, value in related]


def is_marked(misc: bytes) -> bool:
    """Whether MISC says something about coreference."""
    keys = {item.partition(b"=")[0].decode("utf-8", "replace") for item in misc.split(b"|")}
    return not keys.isdisjoint({"Entity", *_RELATIONS})


def _items(table: Table, page: NDArray[np.uint8]) -> _Items:
    """The items of MISC that begin with a letter that matters."""
    start, end = table.places(corefud_table.MISC)
    words = np.flatnonzero(end - start > 1)
    start, end = start[words], end[words]
    pipe = np.flatnonzero(page == _PIPE)
    cell = np.searchsorted(start, pipe, side="right") - 1
    inside = (cell >= 0) & (pipe < end[cell]) if len(words) else np.zeros(len(pipe), dtype=np.bool_)
    pipe, cell = pipe[inside], cell[inside]
    begin, cell = np.append(start, pipe + 1), np.append(np.arange(len(words)), cell)
    chosen = _FIRST_LETTER[page[begin]]
    order = np.argsort(begin[chosen])
    begin, cell = begin[chosen][order], cell[chosen][order]
    next_pipe = np.append(pipe, len(page))[np.searchsorted(pipe, begin)]
    return _Items(words[cell], begin, np.minimum(next_pipe, end[cell]))


def _begins(page: NDArray[np.uint8], items: _Items, text: bytes) -> Ints:
    """Which items begin with a text."""
    chosen = np.flatnonzero(items.end - items.begin >= len(text))
    for place, letter in enumerate(text):
        chosen = chosen[page[items.begin[chosen] + place] == letter]
    return chosen


def _relations(table: Table, items: _Items, found: Findings) -> list[tuple[int, str, str]]:
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


def _refuse_repeated(table: Table, key: str, word: Ints, found: Findings) -> None:
    for place in np.flatnonzero(np.diff(word) == 0).tolist():
        found.fault(int(table.row[word[place]]) + 1, f"{key} is there twice", "it once for a word")


def _declared(row: Ints, declarations: dict[int, Fields], fields: list[Fields], found: Findings) -> Ints:
    """Which fields are declared for the words of these lines; the first ones where nothing is."""
    before = np.searchsorted(np.array(list(declarations), dtype=np.int64), row)
    if len(row) and before[0] == 0:
        usual = "-".join(fields[0].names)
        message = f"no '# global.Entity' before the first mention; its fields are taken to be {usual}"
        found.notice("no-declaration", int(row[0]) + 1, message)
    return np.array([0, *map(fields.index, declarations.values())], dtype=np.int64)[before]
