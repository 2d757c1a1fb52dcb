"""The brackets of CorefUD's Entity: where they are, the labels by which they are paired, and what their fields say.

    (e1-person-2    e1 is the label, and `corefud/fields.py` knows what the other fields are
    e2[1/2])        e2[1/2] is the label, of a part of a mention

Brackets and hyphens are found in a few passes over the bytes of all cells. Fields are places between them, and become
text when someone asks for them.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.formats.corefud.fields import PART
from corefeval.formats.corefud.table import read

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from corefeval._arrays import Booleans, Ints
    from corefeval.formats.corefud.fields import Fields
    from corefeval.formats.corefud.misc import Cells
    from corefeval.formats.shared.diagnostics import Diagnostics

_OPEN, _CLOSE, _HYPHEN, _SQUARE, _NEWLINE, _BLANK = b"()-]\n "


class Places(NamedTuple):
    """Where something is written in `code`."""

    code: NDArray[np.uint8]
    start: Ints
    end: Ints

    def texts(self) -> list[str]:
        """What is written there."""
        return read(self.code, self.start, self.end)


class Brackets(NamedTuple):
    """The brackets of a file in order: cell, whether they open or close (or both), and which of `fields` they have.

    names: those of all fields.
    code: what all cells say.
    mark: the places of brackets, hyphens and ends of cells in it; `first` and `last` are which of them are around each
        bracket's text.
    """

    cell: Ints
    opens: Booleans
    closes: Booleans
    declared: Ints
    fields: Sequence[Fields]
    names: Sequence[str]
    code: NDArray[np.uint8]
    mark: Ints
    first: Ints
    last: Ints

    def text(self, bracket: int) -> str:
        """What stands in a bracket."""
        here = slice(self.mark[self.first[bracket]] + 1, self.mark[self.last[bracket]])
        return self.code[here].tobytes().decode("utf-8", "replace")

    def rest(self, bracket: int) -> str:
        """What stands in an opening bracket besides the entity's id."""
        return self.fields[self.declared[bracket]].parted(self.text(bracket))[1]

    def labels(self) -> Places:
        """The ids of entities; a closing bracket may have nothing else in it."""
        place = np.array([each.id for each in self.fields], dtype=np.int64)[self.declared]
        if place.any():
            place[~self.opens & (self.last - self.first == 1)] = 0
        there = self.first + place < self.last
        start = self.mark[np.where(there, self.first + place, 0)] + 1
        return Places(self.code, start, np.where(there, self.mark[np.where(there, self.first + place + 1, 0)], start))

    def field(self, name: str, rows: Ints) -> Places:
        """A field of some opening brackets; hyphens too many belong to the last one that is declared."""
        first, last = self.first[rows], self.last[rows]
        start, end = np.zeros_like(first), np.zeros_like(first)
        code = self.code
        for number, fields in enumerate(self.fields):
            if name not in fields.names:
                continue
            begin = first + fields.names.index(name)
            there = np.flatnonzero((begin < last) & (self.declared[rows] == number))
            start[there] = self.mark[begin[there]] + 1
            end[there] = self.mark[last[there] if name == fields.names[-1] else begin[there] + 1]
            if name == fields.torn:
                for row in there[last[there] - first[there] > len(fields.names)].tolist():
                    text = fields.columns([self.rest(int(rows[row]))])[name][0].encode()
                    start[row], end[row] = len(code), len(code) + len(text)
                    code = np.append(code, np.frombuffer(text + b"\n", dtype=np.uint8))
        return Places(code, start, end)


class Labels(NamedTuple):
    """What brackets are paired by: which of `texts`, for every bracket, and what these say about parts of mentions.

    refused: openings without a label that makes sense.
    """

    number: Ints
    texts: list[str]
    parts: list[re.Match[str] | None]
    refused: Booleans


class Numbers:
    """The different texts in the order in which they come, and for each text which of them it is."""

    def __init__(self) -> None:
        self._known: defaultdict[str, int] = defaultdict(count().__next__)

    def of(self, texts: Sequence[str]) -> Ints:
        """The numbers of some texts."""
        return np.fromiter(map(self._known.__getitem__, texts), dtype=np.int64, count=len(texts))

    def texts(self) -> list[str]:
        """Those that have a number."""
        return list(self._known)


def found_in(cells: Cells, fields: Sequence[Fields], found: Diagnostics) -> Brackets:
    """The brackets with what is in them: what lies between two bounds, which are brackets and the ends of cells."""
    code = cells.joined()
    mark = np.flatnonzero((code == _OPEN) | (code == _CLOSE) | (code == _HYPHEN) | (code == _NEWLINE))
    kind = code[mark]
    bound = np.flatnonzero(kind != _HYPHEN)
    before, place = kind[bound[:-1]], mark[bound]
    opens, closes = before == _OPEN, kind[bound[1:]] == _CLOSE
    chosen = opens | closes
    junk = chosen != (np.diff(place) > 1)
    blank = np.flatnonzero((code <= _BLANK) & (code != _NEWLINE))
    junk[np.searchsorted(place, blank) - 1] = True
    cell = np.cumsum(before == _NEWLINE) - 1
    if junk.any():
        chosen &= ~_refused(cells, np.unique(cell[junk]), found)[cell]
    rows = np.flatnonzero(chosen)
    cell = cell[rows]
    used = np.bincount(cells.declared, minlength=len(fields)) > 0
    names = dict.fromkeys(name for each in fields for name in each.names if name != "eid")
    brackets = Brackets(
        cell,
        opens[rows],
        closes[rows],
        (np.cumsum(used) - 1)[cells.declared[cell]],
        [fields[number] for number in np.flatnonzero(used).tolist()],
        list(names),
        code,
        mark,
        bound[rows],
        bound[rows + 1],
    )
    _note_too_many(cells, brackets, found)
    return brackets


def _refused(cells: Cells, numbers: Ints, found: Diagnostics) -> Booleans:
    """Which cells are not as they should be: those of these numbers."""
    refused = np.zeros(len(cells.begin), dtype=np.bool_)
    refused[numbers] = True
    for number in numbers.tolist():
        what = f"{cells.entity(number)[:60]!r} is not a value of Entity"
        found.add_fault(int(cells.line[number]), what, "brackets such as (e1-person-1, e1) or (e1)")
    return refused


def _note_too_many(cells: Cells, brackets: Brackets, found: Diagnostics) -> None:
    """Say which openings have more fields than are declared."""
    most = np.array([len(each.names) for each in brackets.fields], dtype=np.int64)[brackets.declared]
    for bracket in np.flatnonzero(brackets.opens & (brackets.last - brackets.first > most)).tolist():
        if brackets.fields[brackets.declared[bracket]].has_too_many(brackets.rest(bracket)):
            message = f"({brackets.text(bracket)} has more fields than are declared; the last ones are taken as one"
            found.add_notice("too-many-fields", int(cells.line[brackets.cell[bracket]]), message)


def labels(cells: Cells, brackets: Brackets, found: Diagnostics) -> Labels:
    """What the brackets of a file are paired by."""
    numbers = Numbers()
    number = numbers.of(brackets.labels().texts())
    texts = numbers.texts()
    parts = [PART.fullmatch(text) if text[-1:] == "]" else None for text in texts]
    is_part, is_senseless = _booleans(part is not None for part in parts), _booleans(map(_is_senseless, texts, parts))
    refused = brackets.opens & is_senseless[number]
    for bracket in _with_squares(brackets).tolist():
        refused[bracket] |= not is_part[number[bracket]] and _ends_like_part(brackets.rest(bracket))
    for bracket in np.flatnonzero(refused).tolist():
        what = f"({brackets.text(bracket)} has no id of an entity"
        expected = "an id such as e1, or e1[1/2] for a part of a mention"
        found.add_fault(int(cells.line[brackets.cell[bracket]]), what, expected)
    return Labels(number, texts, parts, refused)


def _with_squares(brackets: Brackets) -> Ints:
    """The openings with a square bracket in them, or in a refused cell behind them."""
    square = np.flatnonzero(brackets.code == _SQUARE)
    within = np.unique(np.searchsorted(brackets.mark[brackets.first], square) - 1)
    within = within[within >= 0]
    return within[brackets.opens[within]]


def _is_senseless(label: str, part: re.Match[str] | None) -> bool:
    """Whether no mention can have this label."""
    return int(part[2]) > int(part[3]) if part else label == "" or label[-1] == "]"


def _ends_like_part(rest: str) -> bool:
    return rest[-1:] == "]" and PART.fullmatch(rest.rpartition("-")[2]) is not None


def _booleans(values: Iterable[bool]) -> Booleans:
    return np.array(list(values), dtype=np.bool_)
