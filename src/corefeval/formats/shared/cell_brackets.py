"""The brackets within CoNLL's coreference cells, such as `(1|(2)|3)`, of all cells of a file at once.

A name is what stands between brackets, bars and the borders of its cell. With brackets on both sides it is a mention of
one word, with one it is where a mention begins or ends. Bars may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from corefeval._arrays import Booleans, Ints, number_by_first_occurrence, number_values
from corefeval._lazy import NamedTuple

SINGLE, OPEN, CLOSE = range(3)

_SPLIT_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
_BORDER, _OPENING, _CLOSING = b"\n()"
_IS_NAME, _IS_NOTHING = np.ones(256, dtype=np.bool_), np.zeros(256, dtype=np.bool_)
_IS_NAME[list(b"()|\n")] = False
_IS_NOTHING[list(b"-_*")] = True  # in a cell of a single letter
_APART = bytes.maketrans(b"()|", b"\n\n\n")


class CellBrackets(NamedTuple):
    """All brackets of some cells in order: the number of the cell, which of `names` the entity has, and the kind.

    Within a cell they are ordered by kind, as the reference scorer takes them. malformed: which cells are none; they
    have no brackets. left_out: mentions of several entities, such as (1+2): the numbers of their cells, and the names.
    """

    cell: Ints
    name: Ints
    kind: Ints
    names: list[bytes]
    malformed: list[int]
    left_out: list[tuple[int, bytes]]


def find_brackets(cells: Sequence[bytes]) -> CellBrackets:
    """Return the brackets of cells, in which blanks count for nothing."""
    text = b"\n".join([b"", *cells, b""]).translate(None, b" \t\r")
    page = np.frombuffer(text, dtype=np.uint8)
    is_name = _IS_NAME[page]
    edges = np.flatnonzero(is_name[1:] != is_name[:-1]) + 1
    begin, end = edges[::2], edges[1::2]
    before, after = page[begin - 1], page[end]
    opened, closed = before == _OPENING, after == _CLOSING
    borders = np.flatnonzero(page == _BORDER)
    is_nothing = (before == _BORDER) & (after == _BORDER) & (end - begin == 1) & _IS_NOTHING[page[begin]]
    wrong = [begin[~(opened | closed | is_nothing)]]
    for bracket, at_names in ((_OPENING, opened), (_CLOSING, closed)):
        place = np.flatnonzero(page == bracket)
        if len(place) > np.count_nonzero(at_names):
            wrong.append(place[~is_name[place + (1 if bracket == _OPENING else -1)]])
    malformed = sorted(set((np.searchsorted(borders, np.concatenate(wrong)) - 1).tolist()))

    cell = np.searchsorted(borders, begin) - 1
    kind = np.where(opened, np.where(closed, SINGLE, OPEN), CLOSE)
    kept = ~is_nothing
    if malformed:
        kept &= ~np.isin(cell, malformed)
    left_out = []
    if b"+" in text:
        for row in np.flatnonzero(kept & (kind == SINGLE)).tolist():
            if _SPLIT_ANTECEDENT.fullmatch(text, begin[row], end[row]):
                kept[row] = False
                left_out.append((int(cell[row]), text[begin[row] : end[row]]))
    order = _sort_kept(kept, cell * 3 + kind)
    spelt, number = number_values(filter(None, text.translate(_APART).split(b"\n")))
    listed, name = number_by_first_occurrence(number[order])
    names = [spelt[each] for each in listed.tolist()]
    return CellBrackets(cell[order], name, kind[order], names, malformed, left_out)


def are_cells(cells: Sequence[bytes]) -> bool:
    """Return whether all of these can be coreference cells."""
    return not find_brackets(cells).malformed


def _sort_kept(kept: Booleans, place: Ints) -> Ints:
    """Return the rows that are kept, by their places."""
    rows = np.flatnonzero(kept)
    return rows[np.argsort(place[rows], kind="stable")]
