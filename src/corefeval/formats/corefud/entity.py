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
from corefeval.formats.corefud import brackets as corefud_brackets
from corefeval.formats.corefud.brackets import Numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.corefud.brackets import Brackets, Labels
    from corefeval.formats.corefud.fields import Fields
    from corefeval.formats.corefud.misc import Cells
    from corefeval.formats.shared.diagnostics import Diagnostics


class Mentions(NamedTuple):
    """The mentions in the order in which they open: the cell where they do, entity and words.

    names: those of the entities.
    opening, brackets: which bracket opens each, and all brackets, which say what fields mentions have.
    """

    cell: Ints
    entity: Ints
    start: Ints
    end: Ints
    pieces: dict[int, Pieces]
    names: list[str]
    opening: Ints
    brackets: Brackets


class _Runs(NamedTuple):
    """Pairs of brackets in the order in which they open: the places of the two among all brackets, cell and words."""

    opening: Ints
    closing: Ints
    cell: Ints
    start: Ints
    end: Ints


def mentions(cells: Cells, fields: Sequence[Fields], found: Diagnostics) -> Mentions:
    """Read all brackets of a file."""
    events = corefud_brackets.found_in(cells, fields, found)
    labels = corefud_brackets.labels(cells, events, found)
    runs = _paired(cells, events, labels, found)
    names = Numbers()
    entity = names.of([part[1] if part else text for part, text in zip(labels.parts, labels.texts, strict=True)])
    keep = np.ones(len(runs.opening), dtype=np.bool_)
    joined = _joined(cells, events, labels, runs, found)
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
        names.texts(),
        opening,
        events,
    )


def _paired(cells: Cells, events: Brackets, labels: Labels, found: Diagnostics) -> _Runs:
    group = cells.document[events.cell] * len(labels.texts) + labels.number
    longer = np.flatnonzero((events.opens != events.closes) & ~labels.refused)
    paired = brackets.pair(group[longer], events.opens[longer])
    for event in np.sort(longer[paired.unopened]).tolist():
        label = labels.texts[labels.number[event]]
        hint = "" if label[-1:] == "]" else "a part is closed with its number, such as e1[1/2])"
        found.add_fault(int(cells.line[events.cell[event]]), f"{label}) closes a mention that was not opened",
                    f"({label} before it", hint, kind="unbalanced-bracket")  # fmt: skip
    for event in np.sort(longer[paired.unclosed]).tolist():
        label = labels.texts[labels.number[event]]
        found.add_fault(int(cells.line[events.cell[event]]), f"({label} opens a mention that is never closed",
                    f"{label}) in the same document", kind="unbalanced-bracket")  # fmt: skip
    single = np.flatnonzero(events.opens & events.closes & ~labels.refused)
    opening = np.concatenate([single, longer[paired.opening]])
    order = np.argsort(opening)
    opening, closing = opening[order], np.concatenate([single, longer[paired.closing]])[order]
    cell = events.cell[opening]
    return _Runs(opening, closing, cell, cells.word[cell], cells.word[events.cell[closing]])


def _joined(cells: Cells, events: Brackets, labels: Labels, runs: _Runs, found: Diagnostics) -> list[list[int]]:
    """The rows of the parts of every mention that has several."""
    unfinished: dict[tuple[int, str, int], list[list[int]]] = {}
    finished = []
    is_part = np.array([part is not None for part in labels.parts], dtype=np.bool_)
    for row in np.flatnonzero(is_part[labels.number[runs.opening]]).tolist():
        part = labels.parts[labels.number[runs.opening[row]]]
        assert part is not None  # noqa: S101 - for the type checker
        entity, number, count = part[1], int(part[2]), int(part[3])
        waiting = unfinished.setdefault((int(cells.document[runs.cell[row]]), entity, count), [])
        if number == 1:
            waiting.append([])
        place = len(waiting) - 1 if number == 1 else _continued(waiting, number, row, events, runs)
        if place is None:
            found.add_fault(int(cells.line[runs.cell[row]]), f"({part[0]} continues a mention that was not begun",
                        f"({entity}[{number - 1}/{count}] before it", kind="unbalanced-bracket")  # fmt: skip
            continue
        rows = waiting[place]
        rows.append(row)
        if not _same_fields(rows[0], row, events, runs):
            message = f"a part of a mention of {entity!r} has other fields than its first part, whose fields are kept"
            found.add_notice("differing-fields", int(cells.line[runs.cell[row]]), message, entity=entity)
        if number == count:
            finished.append(waiting.pop(place))
    for (_, entity, count), waiting in unfinished.items():
        for rows in waiting:
            found.add_fault(
                int(cells.line[runs.cell[rows[0]]]),
                f"a mention of {entity} has {len(rows)} of {count} parts",
                f"({entity}[{len(rows) + 1}/{count}] in the same document",
                kind="unbalanced-bracket",
            )
    return finished


def _continued(waiting: list[list[int]], number: int, row: int, events: Brackets, runs: _Runs) -> int | None:
    """Which of the unfinished mentions this part belongs to."""
    last = None
    for place in range(len(waiting) - 1, -1, -1):
        rows = waiting[place]
        if len(rows) == number - 1 and runs.closing[rows[-1]] < runs.opening[row]:
            if _same_fields(rows[0], row, events, runs):
                return place
            last = place if last is None else last
    return last


def _same_fields(one: int, other: int, events: Brackets, runs: _Runs) -> bool:
    first, second = int(runs.opening[one]), int(runs.opening[other])
    return bool(events.declared[first] == events.declared[second]) and events.rest(first) == events.rest(second)


def _pieces(start: Ints, end: Ints) -> Pieces:
    """Runs, joined where nothing is left out between them."""
    joined: list[tuple[int, int]] = []
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)
