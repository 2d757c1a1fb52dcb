"""Coreference cells such as (1|(2)3): what they say, and which closing bracket belongs to which opening one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Booleans, Ints

SINGLE, OPEN, CLOSE = range(3)

_BRACKET = re.compile(rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|\|")
_SPLIT_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
_NONE = (b"-", b"_", b"*", b"")


class Cell(NamedTuple):
    """One-word mentions, openings and closings by their entities, in the order that the reference scorer takes them."""

    names: tuple[bytes, ...] = ()
    kinds: tuple[int, ...] = ()
    left_out: tuple[bytes, ...] = ()
    malformed: bool = False


def parse(cell: bytes) -> Cell:
    """Read one cell. A mention of several entities, (1+2), is left out, as in the reference scorer."""
    text = b"".join(cell.split())
    if text in _NONE:
        return Cell()
    found: tuple[list[bytes], list[bytes], list[bytes]] = [], [], []
    left_out = []
    place = 0
    while match := _BRACKET.match(text, place):
        place = match.end()
        if match[1] and _SPLIT_ANTECEDENT.fullmatch(match[1]):
            left_out.append(match[1])
        elif match.lastindex:
            found[match.lastindex - 1].append(match[match.lastindex])
    if place != len(text):
        return Cell(malformed=True)
    names = tuple(name for kind in found for name in kind)
    kinds = tuple(kind for kind in (SINGLE, OPEN, CLOSE) for _ in found[kind])
    return Cell(names, kinds, tuple(left_out))


class Events(NamedTuple):
    """All brackets of a file in order: in which cell, of which entity name, of which kind; and the cells themselves."""

    cell: Ints
    name: Ints
    kind: Ints
    names: list[bytes]
    unusual: list[tuple[int, Cell]]


def events(cells: Sequence[bytes]) -> Events:
    """Read the cells of a file, each different one once."""
    known = {cell: number for number, cell in enumerate(dict.fromkeys(cells))}
    code = np.array(list(map(known.__getitem__, cells)), dtype=np.int64)
    parsed = [parse(cell) for cell in known]
    names: dict[bytes, int] = {}
    flat_names = [names.setdefault(name, len(names)) for cell in parsed for name in cell.names]
    flat_kinds = [kind for cell in parsed for kind in cell.kinds]
    count = np.array([len(cell.names) for cell in parsed], dtype=np.int64)
    start = np.cumsum(count) - count
    per_cell = count[code]
    before = np.cumsum(per_cell) - per_cell
    place = np.arange(int(per_cell.sum())) + np.repeat(start[code] - before, per_cell)
    odd = np.array([cell.malformed or bool(cell.left_out) for cell in parsed], dtype=np.bool_)
    return Events(
        np.repeat(np.arange(len(code)), per_cell),
        np.array(flat_names, dtype=np.int64)[place],
        np.array(flat_kinds, dtype=np.int64)[place],
        list(names),
        [(row, parsed[code[row]]) for row in np.flatnonzero(odd[code]).tolist()],
    )


class Paired(NamedTuple):
    """Places of opening and closing brackets that belong together, and of those that are alone."""

    opening: Ints
    closing: Ints
    unopened: Ints
    unclosed: Ints


def pair(entity: Ints, opens: Booleans) -> Paired:
    """Give every closing bracket the last opening one of its entity that is still free. Brackets come in file order."""
    order = np.argsort(entity, kind="stable")
    step = np.where(opens[order], 1, -1)
    new = _changes(entity[order])
    unopened = _unopened(step, new)
    alone_at_end = order[unopened]
    if len(alone_at_end):
        order, step = order[~unopened], step[~unopened]
        new = _changes(entity[order])
    depth = _running(step, new)
    level = np.where(step > 0, depth, depth + 1)
    # On one level of one entity, brackets open and close in turn; the last may stay open.
    by_level = np.lexsort((level, entity[order])) if len(order) else order
    turn = _changes(entity[order][by_level]) | _changes(level[by_level])
    sorted_order = order[by_level]
    opening = opens[sorted_order]
    alone = opening & np.append(turn[1:], True)[: len(opening)]
    return Paired(
        sorted_order[opening & ~alone],
        sorted_order[~opening],
        alone_at_end,
        sorted_order[alone],
    )


def _changes(values: Ints) -> Booleans:
    changes = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def _running(step: Ints, new: Booleans) -> Ints:
    """Sums that start over where a new group does."""
    running = np.cumsum(step)
    starts = np.flatnonzero(new)
    return running - np.repeat(running[starts] - step[starts], np.diff(starts, append=len(step)))


def _unopened(step: Ints, new: Booleans) -> Booleans:
    """Closing brackets at which more have been closed than opened than ever before."""
    running = _running(step, new)
    if len(running) == 0 or running.min() >= 0:
        return np.zeros(len(running), dtype=np.bool_)
    # Each group lies below all before it, so the minimum so far is that of the group itself.
    below = running - (np.cumsum(new) * (2 * len(step) + 1))
    lowest = np.minimum.accumulate(below)
    first_time = np.append(True, lowest[1:] < lowest[:-1])
    return first_time & (running < 0)
