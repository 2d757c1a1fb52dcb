"""The mentions that CorefUD marks in the MISC column.

    Entity=(e1-person-2             a mention of e1 opens; what is behind the id is in `corefud/fields.py`
    Entity=e1)(e2[1/2]-place-1)     it closes; here is the first of two parts of a mention of e2

Brackets are read from left to right, and a closing one belongs to the last one opened with its label, which has the
part in it. A further part of a mention belongs to the last mention of its entity that has as many parts, lacks this one
and is not open, with the same fields if there is such a one. Parts with nothing between them are one run of words.

All is done in columns: for every bracket of the file, then for every mention.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.formats.conll import brackets
from corefeval.formats.corefud.fields import PART

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from corefeval.arrays import Booleans, Ints
    from corefeval.formats.corefud.fields import Fields
    from corefeval.formats.corefud.misc import Cells
    from corefeval.formats.shared.findings import Findings
    from corefeval.mentions import Pieces

_OPEN, _CLOSE, _NEWLINE, _BLANK = b"()\n "


class Mentions(NamedTuple):
    """The mentions in the order in which they open: the cell where they do, entity and words.

    names: those of the entities.
    said: for every mention, where in the columns of `fields` what its fields say is found.
    """

    cell: Ints
    entity: Ints
    start: Ints
    end: Ints
    pieces: dict[int, Pieces]
    names: list[str]
    said: Ints
    fields: dict[str, list[str]]


class _Events(NamedTuple):
    """The brackets of a file in order: text, cell, and whether they open or close (or both)."""

    text: list[str]
    cell: Ints
    opens: Booleans
    closes: Booleans


class _Labels(NamedTuple):
    """What brackets are paired by: which of `texts`, for every bracket, and what these say about parts of mentions.

    said, fields: what openings say besides.
    refused: openings without a label that makes sense.
    """

    number: Ints
    texts: list[str]
    parts: list[re.Match[str] | None]
    said: Ints
    fields: dict[str, list[str]]
    refused: Booleans


class _Runs(NamedTuple):
    """Pairs of brackets in the order in which they open: the places of the two among all brackets, cell and words."""

    opening: Ints
    closing: Ints
    cell: Ints
    start: Ints
    end: Ints


def mentions(cells: Cells, fields: Sequence[Fields], found: Findings) -> Mentions:
    """Read all brackets of a file."""
    events = _events(cells, found)
    labels = _labels(cells, events, fields, found)
    runs = _paired(cells, events, labels, found)
    names, entity = numbered([part[1] if part else text for part, text in zip(labels.parts, labels.texts, strict=True)])
    keep = np.ones(len(runs.opening), dtype=np.bool_)
    joined = _joined(cells, labels, runs, found)
    for rows in joined:
        keep[rows[1:]] = False
    place = np.cumsum(keep) - 1
    pieces = {int(place[rows[0]]): _pieces(runs.start[rows], runs.end[rows]) for rows in joined}
    end = runs.end[keep]
    for row, spans in pieces.items():
        end[row] = spans[-1][1]
    opening = runs.opening[keep]
    return Mentions(
        runs.cell[keep],
        entity[labels.number[opening]],
        runs.start[keep],
        end,
        {row: spans for row, spans in pieces.items() if len(spans) > 1},
        names,
        labels.said[opening],
        labels.fields,
    )


def numbered(texts: list[str]) -> tuple[list[str], Ints]:
    """The different texts in the order in which they come, and for each text which of them it is."""
    different = dict.fromkeys(texts)
    known = dict(zip(different, range(len(different)), strict=True))
    return list(different), np.array(list(map(known.__getitem__, texts)), dtype=np.int64)


def _events(cells: Cells, found: Findings) -> _Events:
    """The brackets with what is in them: what lies between two marks, which are brackets and the ends of cells."""
    joined = "\n".join(["", *cells.entity, ""])
    code = np.frombuffer(joined.encode("utf-32-le", "replace"), dtype="<u4")
    place = np.flatnonzero((code == _OPEN) | (code == _CLOSE) | (code == _NEWLINE))
    before, behind = code[place[:-1]], code[place[1:]]
    opens, closes = before == _OPEN, behind == _CLOSE
    length = np.diff(place) - 1
    junk = (opens | closes) != (length > 0)
    blank = np.flatnonzero((code <= _BLANK) & (code != _NEWLINE))
    junk[np.searchsorted(place, blank) - 1] = True
    cell: Ints = np.cumsum(before == _NEWLINE) - 1
    refused = np.unique(cell[junk])
    for number in refused.tolist():
        what = f"{cells.entity[number][:60]!r} is not a value of Entity"
        found.fault(int(cells.line[number]), what, "brackets such as (e1-person-1, e1) or (e1)")
    chosen = (opens | closes) & ~np.isin(cell, refused)
    first, last = (place[:-1] + 1)[chosen].tolist(), place[1:][chosen].tolist()
    text = [joined[a:b] for a, b in zip(first, last, strict=True)]
    return _Events(text, cell[chosen], opens[chosen], closes[chosen])


def _labels(cells: Cells, events: _Events, fields: Sequence[Fields], found: Findings) -> _Labels:
    count = len(events.cell)
    said, part_elsewhere = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
    texts, places = [], []
    columns: dict[str, list[str]] = {}
    before = 0
    for number, declared in enumerate(fields):
        here = cells.declared[events.cell] == number
        opens, closes = np.flatnonzero(events.opens & here), np.flatnonzero(events.closes & ~events.opens & here)
        labels, rests = declared.parted([events.text[event] for event in opens.tolist()])
        texts += labels + [declared.label(events.text[event]) for event in closes.tolist()]
        places += [opens, closes]
        different, rest = numbered(rests)
        said[opens] = rest + before
        part_elsewhere[opens] = _booleans(map(_ends_like_part, different))[rest]
        for event in opens[_booleans(map(declared.has_too_many, different))[rest]].tolist():
            message = f"({events.text[event]} has more fields than are declared; the last ones are taken as one"
            found.notice("too-many-fields", int(cells.line[events.cell[event]]), message)
        for name, values in declared.columns(different).items():
            column = columns.setdefault(name, [])
            column += [""] * (before - len(column)) + values
        before += len(different)
    labels, number_of = numbered(texts)
    label = np.zeros(count, dtype=np.int64)
    label[np.concatenate(places)] = number_of
    parts = [PART.fullmatch(text) if text[-1:] == "]" else None for text in labels]
    is_part, is_senseless = _booleans(part is not None for part in parts), _booleans(map(_is_senseless, labels, parts))
    refused = events.opens & (is_senseless[label] | (part_elsewhere & ~is_part[label]))
    for event in np.flatnonzero(refused).tolist():
        what = f"({events.text[event]} has no id of an entity"
        found.fault(int(cells.line[events.cell[event]]), what, "an id such as e1, or e1[1/2] for a part of a mention")
    padded = {name: column + [""] * (before - len(column)) for name, column in columns.items()}
    return _Labels(label, labels, parts, said, padded, refused)


def _is_senseless(label: str, part: re.Match[str] | None) -> bool:
    """Whether no mention can have this label."""
    return int(part[2]) > int(part[3]) if part else label == "" or label[-1] == "]"


def _ends_like_part(rest: str) -> bool:
    return rest[-1:] == "]" and PART.fullmatch(rest.rpartition("-")[2]) is not None


def _paired(cells: Cells, events: _Events, labels: _Labels, found: Findings) -> _Runs:
    group = cells.document[events.cell] * len(labels.texts) + labels.number
    longer = np.flatnonzero((events.opens != events.closes) & ~labels.refused)
    paired = brackets.pair(group[longer], events.opens[longer])
    for event in longer[paired.unopened].tolist():
        label = labels.texts[labels.number[event]]
        hint = "" if label[-1:] == "]" else "a part is closed with its number, such as e1[1/2])"
        found.fault(int(cells.line[events.cell[event]]), f"{label}) closes a mention that was not opened",
                    f"({label} before it", hint, kind="unbalanced-bracket")  # fmt: skip
    for event in longer[paired.unclosed].tolist():
        label = labels.texts[labels.number[event]]
        found.fault(int(cells.line[events.cell[event]]), f"({label} opens a mention that is never closed",
                    f"{label}) in the same document", kind="unbalanced-bracket")  # fmt: skip
    single = np.flatnonzero(events.opens & events.closes & ~labels.refused)
    opening = np.concatenate([single, longer[paired.opening]])
    order = np.argsort(opening)
    opening, closing = opening[order], np.concatenate([single, longer[paired.closing]])[order]
    cell = events.cell[opening]
    return _Runs(opening, closing, cell, cells.word[cell], cells.word[events.cell[closing]])


def _joined(cells: Cells, labels: _Labels, runs: _Runs, found: Findings) -> list[list[int]]:
    """The rows of the parts of every mention that has several."""
    unfinished: dict[tuple[int, str, int], list[list[int]]] = {}
    finished = []
    is_part = _booleans(part is not None for part in labels.parts)
    for row in np.flatnonzero(is_part[labels.number[runs.opening]]).tolist():
        part = labels.parts[labels.number[runs.opening[row]]]
        assert part is not None  # noqa: S101 - for the type checker
        entity, number, count = part[1], int(part[2]), int(part[3])
        waiting = unfinished.setdefault((int(cells.document[runs.cell[row]]), entity, count), [])
        if number == 1:
            waiting.append([])
        place = len(waiting) - 1 if number == 1 else _continued(waiting, number, row, labels, runs)
        if place is None:
            found.fault(int(cells.line[runs.cell[row]]), f"({part[0]} continues a mention that was not begun",
                        f"({entity}[{number - 1}/{count}] before it", kind="unbalanced-bracket")  # fmt: skip
            continue
        rows = waiting[place]
        rows.append(row)
        if not _same_fields(rows[0], row, labels, runs):
            message = f"a part of a mention of {entity!r} has other fields than its first part, whose fields are kept"
            found.notice("differing-fields", int(cells.line[runs.cell[row]]), message, entity=entity)
        if number == count:
            finished.append(waiting.pop(place))
    for (_, entity, count), waiting in unfinished.items():
        for rows in waiting:
            found.fault(int(cells.line[runs.cell[rows[0]]]), f"a mention of {entity} has {len(rows)} of {count} parts",
                        f"({entity}[{len(rows) + 1}/{count}] in the same document",
                        kind="unbalanced-bracket")  # fmt: skip
    return finished


def _continued(waiting: list[list[int]], number: int, row: int, labels: _Labels, runs: _Runs) -> int | None:
    """Which of the unfinished mentions this part belongs to."""
    last = None
    for place in range(len(waiting) - 1, -1, -1):
        rows = waiting[place]
        if len(rows) == number - 1 and runs.closing[rows[-1]] < runs.opening[row]:
            if _same_fields(rows[0], row, labels, runs):
                return place
            last = place if last is None else last
    return last


def _same_fields(one: int, other: int, labels: _Labels, runs: _Runs) -> bool:
    return bool(labels.said[runs.opening[one]] == labels.said[runs.opening[other]])


def _pieces(start: Ints, end: Ints) -> Pieces:
    """Runs, joined where nothing is left out between them."""
    joined: list[tuple[int, int]] = []
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def _booleans(values: Iterable[bool]) -> Booleans:
    return np.array(list(values), dtype=np.bool_)
