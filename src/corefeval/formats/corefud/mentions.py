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

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints, number_values
from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Pieces, Spans, join_runs
from corefeval.formats.shared.brackets import pair_brackets, report_unpaired
from corefeval.formats.shared.columns import copy_places, decode_places
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from corefeval.formats.corefud.conllu import ConlluTable, EntityItems
    from corefeval.formats.corefud.fields import Declarations, Fields
    from corefeval.formats.shared.columns import Bytes

    BracketRows = tuple[Ints, Ints]  # which bracket opens and which one closes each mention or part of one

_OPEN, _CLOSE, _HYPHEN, _SQUARE, _NEWLINE, _BLANK = b"()-]\n "
_BRACKET = re.compile(r"\(([^()]*)|([^()]+)(?=\))")
_PART = re.compile(r"(.+)\[([1-9]\d{0,8})/([1-9]\d{0,8})\]", re.ASCII)


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

    def read_text(self, cell: int) -> str:
        """Return the value of Entity in a cell, by its number."""
        return self.data[self.begin[cell] : self.end[cell]].decode("utf-8", "replace")

    def join(self, fields: Sequence[Fields]) -> Bytes:
        """Return the bytes of all cells, line breaks around each, with ids moved before other declared fields."""
        page = np.frombuffer(self.data, dtype=np.uint8)
        code = copy_places(page, np.append(0, self.begin), np.append(0, self.end))
        if not any(each.id for each in fields):
            return code
        cells = code.tobytes().decode("latin-1").split("\n")[1:-1]
        moved = [
            _BRACKET.sub(fields[number].move_id, cell)
            for cell, number in zip(cells, self.declared.tolist(), strict=True)
        ]
        return np.frombuffer("\n".join(["", *moved, ""]).encode("latin-1"), dtype=np.uint8)


def place_cells(
    table: ConlluTable, items: EntityItems, bounds: Ints, declarations: Declarations, diagnostics: Diagnostics
) -> EntityCells:
    """Return the values of Entity with their places in the documents, whose first words are `bounds`; add notices."""
    row = table.row[items.word]
    if len(row) and not (declarations.rows < row[0]).any():
        usual = "-".join(["eid", *declarations.fields[0].names])
        message = f"no '# global.Entity' before the first mention; its fields are taken to be {usual}"
        diagnostics.add_notice("no-declaration", int(row[0]) + 1, message)
    document = np.searchsorted(bounds, items.word, side="right") - 1
    place, declared = items.word - bounds[document], declarations.find_numbers(row)
    return EntityCells(table.data, items.begin, items.end, document, place, row + 1, items.word, declared)


class EntityBrackets(NamedTuple):
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

    def read_text(self, bracket: int) -> str:
        """Return the text in a bracket, given by its number."""
        here = slice(self.mark[self.first[bracket]] + 1, self.mark[self.last[bracket]])
        return self.code[here].tobytes().decode("utf-8", "replace")

    def have_same_fields(self, one: int, other: int) -> bool:
        """Return whether two opening brackets have the same in them, but for the entity's id."""
        texts = [self.read_text(bracket).partition("-")[2] for bracket in (one, other)]
        return bool(self.declared[one] == self.declared[other]) and texts[0] == texts[1]

    def find_field(self, name: str, rows: Ints) -> tuple[Ints, Ints]:
        """Return two arrays: where a field of these opening brackets begins and ends in `code`; equal if missing."""
        first, last, declared = self.first[rows], self.last[rows], self.declared[rows]
        start, end = np.zeros_like(first), np.zeros_like(first)
        for number in np.flatnonzero(np.bincount(declared)).tolist():
            names = self.fields[number].names
            if name in names:
                begin = first + names.index(name) + 1
                there = np.flatnonzero((begin < last) & (declared == number))
                start[there] = self.mark[begin[there]] + 1
                end[there] = self.mark[last[there] if name == names[-1] else begin[there] + 1]
        return start, end

    def read_field(self, name: str, rows: Ints) -> tuple[list[str], Ints]:
        """Return the distinct values of a field of some opening brackets, and which of them, by number, each has."""
        return number_values(decode_places(self.code, *self.find_field(name, rows)))


class CorefudMentions(NamedTuple):
    """The mentions in the order in which they open: the cell where they do, entity and words.

    names: those of the entities.
    opening, brackets: which bracket opens each, and all brackets, which hold the fields of mentions.
    """

    cell: Ints
    entity: Ints
    spans: Spans
    names: list[str]
    opening: Ints
    brackets: EntityBrackets


def read_mentions(cells: EntityCells, fields: Sequence[Fields], diagnostics: Diagnostics) -> CorefudMentions:
    """Return the mentions of a file, whose cells have one or another of these fields; add faults and notices."""
    brackets = _find_brackets(cells, fields, diagnostics)
    labels = _read_labels(cells, brackets, diagnostics)
    pairs = _pair_brackets(cells, brackets, labels, diagnostics)
    opening, closing = pairs
    cell = brackets.cell[opening]
    start, end = cells.place[cell], cells.place[brackets.cell[closing]]
    groups = _group_parts(cells, brackets, labels, pairs, diagnostics)
    is_mention = np.ones(len(opening), dtype=np.bool_)
    for rows in groups:
        is_mention[rows[1:]] = False
    number = np.cumsum(is_mention) - 1
    pieces: dict[int, Pieces] = {}
    for rows in groups:
        runs = join_runs(zip(start[rows].tolist(), end[rows].tolist(), strict=True))
        end[rows[0]] = runs[-1][1]
        if len(runs) > 1:
            pieces[int(number[rows[0]])] = runs
    ids = [part[1] if part else text for part, text in zip(labels.parts, labels.texts, strict=True)]
    names, entity = number_values(ids)
    opening = opening[is_mention]
    spans = Spans(start[is_mention], end[is_mention], pieces)
    return CorefudMentions(cell[is_mention], entity[labels.number[opening]], spans, names, opening, brackets)


def _find_brackets(cells: EntityCells, fields: Sequence[Fields], diagnostics: Diagnostics) -> EntityBrackets:
    """Return the brackets of all cells, but of malformed ones, which are faults; add notices of too many fields."""
    code = cells.join(fields)
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
            what = f"{cells.read_text(number)[:60]!r} is not a value of Entity"
            diagnostics.add_fault(int(cells.line[number]), what, "brackets such as (e1-person-1, e1) or (e1)")
        is_bracket &= ~np.isin(cell, refused)
    rows = np.flatnonzero(is_bracket)
    cell = cell[rows]
    declared = cells.declared[cell]
    brackets = EntityBrackets(
        cell, opens[rows], closes[rows], declared, fields, code, mark, bound[rows], bound[rows + 1]
    )
    most = np.array([len(each.names) + 1 for each in fields], dtype=np.int64)[declared]
    for bracket in np.flatnonzero(brackets.opens & (brackets.last - brackets.first > most)).tolist():
        message = f"({brackets.read_text(bracket)} has more fields than are declared; the last ones are read as one"
        diagnostics.add_notice("too-many-fields", int(cells.line[cell[bracket]]), message)
    return brackets


class _BracketLabels(NamedTuple):
    """What brackets are paired by: which of `texts`, for every bracket, and what these say about parts of mentions.

    refused: opening brackets without a proper label.
    """

    number: Ints
    texts: list[str]
    parts: list[re.Match[str] | None]
    is_part: Booleans
    refused: Booleans


def _read_labels(cells: EntityCells, brackets: EntityBrackets, diagnostics: Diagnostics) -> _BracketLabels:
    """Return the label of every bracket: the entity's id, which comes first in it, maybe with a part; add faults."""
    code, mark = brackets.code, brackets.mark
    texts, number = number_values(decode_places(code, mark[brackets.first] + 1, mark[brackets.first + 1]))
    parts = [_PART.fullmatch(text) if text[-1:] == "]" else None for text in texts]
    is_part = np.array([part is not None for part in parts], dtype=np.bool_)
    is_proper = [
        int(part[2]) <= int(part[3]) if part else text[-1:] not in ("", "]")
        for text, part in zip(texts, parts, strict=True)
    ]
    refused = brackets.opens & ~np.array(is_proper, dtype=np.bool_)[number]
    for bracket in np.flatnonzero(brackets.opens & (code[mark[brackets.last] - 1] == _SQUARE)).tolist():
        # The number of a part behind other fields than the id.
        last = brackets.read_text(bracket).rpartition("-")[2]
        refused[bracket] |= not is_part[number[bracket]] and _PART.fullmatch(last) is not None
    for bracket in np.flatnonzero(refused).tolist():
        what = f"({brackets.read_text(bracket)} has no entity id"
        expected = "an id such as e1, or e1[1/2] for a part of a mention"
        diagnostics.add_fault(int(cells.line[brackets.cell[bracket]]), what, expected)
    return _BracketLabels(number, texts, parts, is_part, refused)


def _pair_brackets(
    cells: EntityCells, brackets: EntityBrackets, labels: _BracketLabels, diagnostics: Diagnostics
) -> BracketRows:
    """Return two arrays, opening and closing bracket of each mention or part, in order of opening; add faults."""
    group = cells.document[brackets.cell] * len(labels.texts) + labels.number
    longer = np.flatnonzero((brackets.opens != brackets.closes) & ~labels.refused)
    pairs = pair_brackets(group, brackets.opens, longer)

    def locate_bracket(bracket: int) -> tuple[int, str, str]:
        """Return the line of a bracket, its label and a hint, for messages."""
        label = labels.texts[labels.number[bracket]]
        hint = "" if label[-1:] == "]" else "a part is closed with its number, such as e1[1/2])"
        return int(cells.line[brackets.cell[bracket]]), label, hint

    report_unpaired(pairs, locate_bracket, diagnostics)
    single = np.flatnonzero(brackets.opens & brackets.closes & ~labels.refused)
    opening = np.concatenate([single, pairs.opening])
    order = np.argsort(opening)
    return opening[order], np.concatenate([single, pairs.closing])[order]


def _group_parts(
    cells: EntityCells, brackets: EntityBrackets, labels: _BracketLabels, pairs: BracketRows, diagnostics: Diagnostics
) -> list[list[int]]:
    """Return for each mention with numbered parts the rows of these among pairs of brackets; add faults and notices."""
    opening, _ = pairs
    unfinished: dict[tuple[int, str, int], list[list[int]]] = {}
    finished = []
    for row in np.flatnonzero(labels.is_part[labels.number[opening]]).tolist():
        part = labels.parts[labels.number[opening[row]]]
        assert part is not None  # noqa: S101 - for the type checker
        entity, number, total = part[1], int(part[2]), int(part[3])
        cell = brackets.cell[opening[row]]
        line = int(cells.line[cell])
        waiting = unfinished.setdefault((int(cells.document[cell]), entity, total), [])
        if number == 1:
            waiting.append([])
        rows = waiting[-1] if number == 1 else _find_continued(waiting, number, row, brackets, pairs)
        if rows is None:
            what, expected = f"({part[0]} continues a mention that was not begun", f"({entity}[{number - 1}/{total}]"
            diagnostics.add_fault(line, what, f"{expected} before it", kind="unbalanced-bracket")
            continue
        rows.append(row)
        if not brackets.have_same_fields(int(opening[rows[0]]), int(opening[row])):
            message = f"a part of a mention of {entity!r} has other fields than its first part, whose fields are kept"
            diagnostics.add_notice("differing-fields", line, message, entity=entity)
        if number == total:
            waiting.remove(rows)
            finished.append(rows)
    for (_, entity, total), waiting in unfinished.items():
        for rows in waiting:
            what = f"a mention of {entity} has {len(rows)} of {total} parts"
            expected = f"({entity}[{len(rows) + 1}/{total}] in the same document"
            line = int(cells.line[brackets.cell[opening[rows[0]]]])
            diagnostics.add_fault(line, what, expected, kind="unbalanced-bracket")
    return finished


def _find_continued(
    waiting: list[list[int]], number: int, row: int, brackets: EntityBrackets, pairs: BracketRows
) -> list[int] | None:
    """Return the rows of the unfinished mention, best with the same fields, that a part continues; None if none."""
    opening, closing = pairs
    last = None
    for rows in reversed(waiting):
        if len(rows) == number - 1 and closing[rows[-1]] < opening[row]:
            if brackets.have_same_fields(int(opening[rows[0]]), int(opening[row])):
                return rows
            last = last or rows
    return last
