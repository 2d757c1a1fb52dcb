"""The mentions that CorefUD marks with brackets in Entity.

    Entity=(e1-person-2             a mention of e1 opens; what follows the id is in `corefud/fields.py`
    Entity=e1)(e2[1/2]-place-1)     it closes; here is the first of two parts of a mention of e2

Brackets are read from left to right, and a closing one belongs to the last one opened with its label, which is the id
(e1) or, for a part of a mention, id and part (e2[1/2]). A further part of a mention belongs to the last mention of its
entity that has as many parts, lacks this one and is not open, with the same fields if there is such a one. Parts with
nothing between them are one run of words.

Brackets and hyphens are found in a few passes over the bytes of all cells. Fields are places between them, and become
text when something uses them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.mentions import join_runs
from corefeval.formats.corefud.conllu import copy_places, decode_places
from corefeval.formats.corefud.fields import PART
from corefeval.formats.shared.brackets import pair_brackets, report_unpaired

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.corefud.conllu import Bytes, ConlluTable, EntityItems
    from corefeval.formats.corefud.fields import Declarations, Fields
    from corefeval.formats.shared.diagnostics import Diagnostics

_OPEN, _CLOSE, _HYPHEN, _SQUARE, _NEWLINE, _BLANK = b"()-]\n "


class EntityCells(NamedTuple):
    """The words with a value of Entity: where in `data` it is, document, word in it, line, and number in the file.

    declared: which of the declared fields hold there.
    """

    data: bytes
    begin: Ints
    end: Ints
    document: Ints
    place: Ints
    line: Ints
    word: Ints
    declared: Ints

    def text(self, cell: int) -> str:
        """The value of Entity."""
        return self.data[self.begin[cell] : self.end[cell]].decode("utf-8", "replace")

    def join(self) -> Bytes:
        """The values of all cells, with a line break before and after each."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        return copy_places(page, np.append(0, self.begin), np.append(0, self.end))


def place_cells(
    table: ConlluTable, items: EntityItems, bounds: Ints, declarations: Declarations, diagnostics: Diagnostics
) -> EntityCells:
    """The values of Entity with their places in the documents, whose first words are `bounds`."""
    row = table.row[items.word]
    if len(row) and not declarations.is_declared(int(row[0])):
        usual = "-".join(declarations.fields[0].names)
        message = f"no '# global.Entity' before the first mention; its fields are taken to be {usual}"
        diagnostics.add_notice("no-declaration", int(row[0]) + 1, message)
    document = np.searchsorted(bounds, items.word, side="right") - 1
    return EntityCells(
        table.data, items.begin, items.end, document, items.word - bounds[document], row + 1, items.word,
        declarations.find_numbers(row),
    )  # fmt: skip


class FieldPlaces(NamedTuple):
    """Where the values of a field are in `code`."""

    code: Bytes
    start: Ints
    end: Ints

    def texts(self) -> list[str]:
        """The values."""
        return decode_places(self.code, self.start, self.end)


@dataclass(frozen=True, slots=True)
class EntityBrackets:
    """The brackets of a file in order: cell, whether they open or close (or both), and which of `fields` they have.

    code: the values of all cells.
    mark: the places of brackets, hyphens and ends of cells in it; `first` and `last` say which of these marks are
        around each bracket's text.
    """

    cell: Ints
    opens: Booleans
    closes: Booleans
    declared: Ints
    fields: Sequence[Fields]
    code: Bytes
    mark: Ints
    first: Ints
    last: Ints

    def field_names(self) -> list[str]:
        """The names of all fields but the id."""
        return list(dict.fromkeys(name for each in self.fields for name in each.names if name != "eid"))

    def text(self, bracket: int) -> str:
        """What is in a bracket."""
        here = slice(self.mark[self.first[bracket]] + 1, self.mark[self.last[bracket]])
        return self.code[here].tobytes().decode("utf-8", "replace")

    def fields_text(self, bracket: int) -> str:
        """What is in an opening bracket besides the entity's id."""
        return self.fields[self.declared[bracket]].split_id(self.text(bracket))[1]

    def find_labels(self) -> FieldPlaces:
        """The ids of entities; a closing bracket may have nothing else in it."""
        place = np.array([each.id for each in self.fields], dtype=np.int64)[self.declared]
        if place.any():
            place[~self.opens & (self.last - self.first == 1)] = 0
        there = self.first + place < self.last
        start = self.mark[np.where(there, self.first + place, 0)] + 1
        end = np.where(there, self.mark[np.where(there, self.first + place + 1, 0)], start)
        return FieldPlaces(self.code, start, end)

    def find_field(self, name: str, rows: Ints) -> FieldPlaces:
        """A field of some opening brackets; hyphens too many belong to the last one that is declared."""
        first, last, declared = self.first[rows], self.last[rows], self.declared[rows]
        start, end = np.zeros_like(first), np.zeros_like(first)
        code = self.code
        for number in np.flatnonzero(np.bincount(declared)).tolist():
            fields = self.fields[number]
            if name not in fields.names:
                continue
            begin = first + fields.names.index(name)
            there = np.flatnonzero((begin < last) & (declared == number))
            start[there] = self.mark[begin[there]] + 1
            end[there] = self.mark[last[there] if name == fields.names[-1] else begin[there] + 1]
            if name == fields.torn:
                # The value is in two pieces around the id: it is put together behind all others.
                for row in there[last[there] - first[there] > len(fields.names)].tolist():
                    text = fields.find_value(name, self.fields_text(int(rows[row]))).encode()
                    start[row], end[row] = len(code), len(code) + len(text)
                    code = np.append(code, np.frombuffer(text + b"\n", dtype=np.uint8))
        return FieldPlaces(code, start, end)


class TextNumbers:
    """Numbers for texts, equal for equal texts, in the order in which texts first come."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)

    def assign(self, texts: Sequence[str]) -> Ints:
        """The numbers of some texts."""
        return np.fromiter(map(self._numbers.__getitem__, texts), dtype=np.int64, count=len(texts))

    def texts(self) -> list[str]:
        """The distinct texts, by number."""
        return list(self._numbers)


class CorefudMentions(NamedTuple):
    """The mentions in the order in which they open: the cell where they do, entity and words.

    names: those of the entities.
    opening, brackets: which bracket opens each, and all brackets, which hold the fields of mentions.
    """

    cell: Ints
    entity: Ints
    start: Ints
    end: Ints
    pieces: dict[int, Pieces]
    names: list[str]
    opening: Ints
    brackets: EntityBrackets


def read_mentions(cells: EntityCells, fields: Sequence[Fields], diagnostics: Diagnostics) -> CorefudMentions:
    """The mentions of a file, whose cells have one or another of these fields."""
    brackets = _find_brackets(cells, fields, diagnostics)
    labels = _read_labels(cells, brackets, diagnostics)
    spans = _pair_brackets(cells, brackets, labels, diagnostics)
    names = TextNumbers()
    entity = names.assign([part[1] if part else text for part, text in zip(labels.parts, labels.texts, strict=True)])
    is_mention = np.ones(len(spans.opening), dtype=np.bool_)
    groups = _group_parts(cells, brackets, labels, spans, diagnostics)
    for rows in groups:
        is_mention[rows[1:]] = False
    number = np.cumsum(is_mention) - 1
    pieces: dict[int, Pieces] = {}
    end = spans.end[is_mention]
    for rows in groups:
        runs = join_runs(zip(spans.start[rows].tolist(), spans.end[rows].tolist(), strict=True))
        mention = int(number[rows[0]])
        end[mention] = runs[-1][1]
        if len(runs) > 1:
            pieces[mention] = runs
    opening = spans.opening[is_mention]
    return CorefudMentions(
        spans.cell[is_mention], entity[labels.number[opening]], spans.start[is_mention], end, pieces, names.texts(),
        opening, brackets,
    )  # fmt: skip


def _find_brackets(cells: EntityCells, fields: Sequence[Fields], diagnostics: Diagnostics) -> EntityBrackets:
    """The brackets with what is in them: what lies between two bounds, which are brackets and the ends of cells."""
    code = cells.join()
    mark = np.flatnonzero((code == _OPEN) | (code == _CLOSE) | (code == _HYPHEN) | (code == _NEWLINE))
    kind = code[mark]
    bound = np.flatnonzero(kind != _HYPHEN)
    before, place = kind[bound[:-1]], mark[bound]
    opens, closes = before == _OPEN, kind[bound[1:]] == _CLOSE
    is_bracket = opens | closes
    # There must be text in brackets, none outside of them, and no blank anywhere.
    malformed = is_bracket != (np.diff(place) > 1)
    blank = np.flatnonzero((code <= _BLANK) & (code != _NEWLINE))
    malformed[np.searchsorted(place, blank) - 1] = True
    cell = np.cumsum(before == _NEWLINE) - 1
    if malformed.any():
        refused = np.unique(cell[malformed])
        for number in refused.tolist():
            what = f"{cells.text(number)[:60]!r} is not a value of Entity"
            diagnostics.add_fault(int(cells.line[number]), what, "brackets such as (e1-person-1, e1) or (e1)")
        is_bracket &= ~np.isin(cell, refused)
    rows = np.flatnonzero(is_bracket)
    cell = cell[rows]
    brackets = EntityBrackets(
        cell, opens[rows], closes[rows], cells.declared[cell], fields, code, mark, bound[rows], bound[rows + 1]
    )
    _note_too_many_fields(cells, brackets, diagnostics)
    return brackets


def _note_too_many_fields(cells: EntityCells, brackets: EntityBrackets, diagnostics: Diagnostics) -> None:
    """Add a notice for every opening bracket with more fields than are declared."""
    most = np.array([len(each.names) for each in brackets.fields], dtype=np.int64)[brackets.declared]
    for bracket in np.flatnonzero(brackets.opens & (brackets.last - brackets.first > most)).tolist():
        if brackets.fields[brackets.declared[bracket]].has_too_many(brackets.fields_text(bracket)):
            message = f"({brackets.text(bracket)} has more fields than are declared; the last ones are read as one"
            diagnostics.add_notice("too-many-fields", int(cells.line[brackets.cell[bracket]]), message)


class _BracketLabels(NamedTuple):
    """What brackets are paired by: which of `texts`, for every bracket, and what these say about parts of mentions.

    refused: opening brackets without a proper label.
    """

    number: Ints
    texts: list[str]
    parts: list[re.Match[str] | None]
    refused: Booleans


def _read_labels(cells: EntityCells, brackets: EntityBrackets, diagnostics: Diagnostics) -> _BracketLabels:
    """The labels of all brackets."""
    numbers = TextNumbers()
    number = numbers.assign(brackets.find_labels().texts())
    texts = numbers.texts()
    parts = [PART.fullmatch(text) if text[-1:] == "]" else None for text in texts]
    is_part = np.array([part is not None for part in parts], dtype=np.bool_)
    is_improper = np.array(list(map(_is_improper, texts, parts)), dtype=np.bool_)
    refused = brackets.opens & is_improper[number]
    for bracket in _find_square_brackets(brackets).tolist():
        refused[bracket] |= not is_part[number[bracket]] and _ends_like_part(brackets.fields_text(bracket))
    for bracket in np.flatnonzero(refused).tolist():
        what = f"({brackets.text(bracket)} has no entity id"
        expected = "an id such as e1, or e1[1/2] for a part of a mention"
        diagnostics.add_fault(int(cells.line[brackets.cell[bracket]]), what, expected)
    return _BracketLabels(number, texts, parts, refused)


def _is_improper(label: str, part: re.Match[str] | None) -> bool:
    """Whether no mention can have this label."""
    return int(part[2]) > int(part[3]) if part else label == "" or label[-1] == "]"


def _find_square_brackets(brackets: EntityBrackets) -> Ints:
    """The opening brackets with a square bracket in them, or in a refused cell behind them."""
    square = np.flatnonzero(brackets.code == _SQUARE)
    within = np.unique(np.searchsorted(brackets.mark[brackets.first], square) - 1)
    within = within[within >= 0]
    return within[brackets.opens[within]]


def _ends_like_part(fields: str) -> bool:
    return fields[-1:] == "]" and PART.fullmatch(fields.rpartition("-")[2]) is not None


class _BracketSpans(NamedTuple):
    """Pairs of brackets in the order in which they open: the numbers of the two, cell and words."""

    opening: Ints
    closing: Ints
    cell: Ints
    start: Ints
    end: Ints


def _pair_brackets(
    cells: EntityCells, brackets: EntityBrackets, labels: _BracketLabels, diagnostics: Diagnostics
) -> _BracketSpans:
    group = cells.document[brackets.cell] * len(labels.texts) + labels.number
    longer = np.flatnonzero((brackets.opens != brackets.closes) & ~labels.refused)
    pairs = pair_brackets(group, brackets.opens, longer)

    def describe(bracket: int) -> tuple[int, str, str]:
        label = labels.texts[labels.number[bracket]]
        hint = "" if label[-1:] == "]" else "a part is closed with its number, such as e1[1/2])"
        return int(cells.line[brackets.cell[bracket]]), label, hint

    report_unpaired(pairs, describe, diagnostics)
    single = np.flatnonzero(brackets.opens & brackets.closes & ~labels.refused)
    opening = np.concatenate([single, pairs.opening])
    order = np.argsort(opening)
    opening, closing = opening[order], np.concatenate([single, pairs.closing])[order]
    cell = brackets.cell[opening]
    return _BracketSpans(opening, closing, cell, cells.place[cell], cells.place[brackets.cell[closing]])


def _group_parts(
    cells: EntityCells,
    brackets: EntityBrackets,
    labels: _BracketLabels,
    spans: _BracketSpans,
    diagnostics: Diagnostics,
) -> list[list[int]]:
    """The rows, among the spans, of the parts of every mention that has several."""
    unfinished: dict[tuple[int, str, int], list[list[int]]] = {}
    finished = []
    is_part = np.array([part is not None for part in labels.parts], dtype=np.bool_)
    for row in np.flatnonzero(is_part[labels.number[spans.opening]]).tolist():
        part = labels.parts[labels.number[spans.opening[row]]]
        assert part is not None  # noqa: S101 - for the type checker
        entity, number, total = part[1], int(part[2]), int(part[3])
        line = int(cells.line[spans.cell[row]])
        waiting = unfinished.setdefault((int(cells.document[spans.cell[row]]), entity, total), [])
        if number == 1:
            waiting.append([])
        place = len(waiting) - 1 if number == 1 else _find_continued(waiting, number, row, brackets, spans)
        if place is None:
            what, expected = f"({part[0]} continues a mention that was not begun", f"({entity}[{number - 1}/{total}]"
            diagnostics.add_fault(line, what, f"{expected} before it", kind="unbalanced-bracket")
            continue
        rows = waiting[place]
        rows.append(row)
        if not _have_same_fields(rows[0], row, brackets, spans):
            message = f"a part of a mention of {entity!r} has other fields than its first part, whose fields are kept"
            diagnostics.add_notice("differing-fields", line, message, entity=entity)
        if number == total:
            finished.append(waiting.pop(place))
    for (_, entity, total), waiting in unfinished.items():
        for rows in waiting:
            what = f"a mention of {entity} has {len(rows)} of {total} parts"
            expected = f"({entity}[{len(rows) + 1}/{total}] in the same document"
            diagnostics.add_fault(int(cells.line[spans.cell[rows[0]]]), what, expected, kind="unbalanced-bracket")
    return finished


def _find_continued(
    waiting: list[list[int]], number: int, row: int, brackets: EntityBrackets, spans: _BracketSpans
) -> int | None:
    """Which of the unfinished mentions a part with this number belongs to."""
    last = None
    for place in range(len(waiting) - 1, -1, -1):
        rows = waiting[place]
        if len(rows) == number - 1 and spans.closing[rows[-1]] < spans.opening[row]:
            if _have_same_fields(rows[0], row, brackets, spans):
                return place
            last = place if last is None else last
    return last


def _have_same_fields(one: int, other: int, brackets: EntityBrackets, spans: _BracketSpans) -> bool:
    first, second = int(spans.opening[one]), int(spans.opening[other])
    same_names = bool(brackets.declared[first] == brackets.declared[second])
    return same_names and brackets.fields_text(first) == brackets.fields_text(second)
