"""Brackets around mentions, for all of a file at once: where they are in cells, and which ones belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from corefeval.formats.shared.columns import Bytes

_OPEN, _CLOSE, _NEWLINE = b"()\n"


class CellSegments(NamedTuple):
    """The texts between brackets, and other marks, in cells: where each begins and ends, and the number of its cell.

    opens: whether there is an opening bracket before it; closes: whether there is a closing one behind it.
    is_first, is_last: whether it is at the beginning, and at the end of its cell.
    """

    begin: Ints
    end: Ints
    cell: Ints
    opens: Booleans
    closes: Booleans
    is_first: Booleans
    is_last: Booleans


def split_cells(code: Bytes, others: bytes = b"") -> CellSegments:
    """Return the segments of cells, between line breaks, at brackets and at other marks."""
    is_mark = (code == _OPEN) | (code == _CLOSE) | (code == _NEWLINE)
    for letter in others:
        is_mark |= code == letter
    end = np.flatnonzero(is_mark)
    begin = np.append(0, end[:-1] + 1)[: len(end)]
    after = code[end]
    is_last = after == _NEWLINE
    is_first = np.append(True, is_last[:-1])[: len(end)]
    opens = np.append(False, after[:-1] == _OPEN)[: len(end)]
    return CellSegments(begin, end, np.cumsum(is_first) - 1, opens, after == _CLOSE, is_first, is_last)


class BracketPairs(NamedTuple):
    """Opening and closing brackets that belong together, row by row, and those without a partner."""

    opening: Ints
    closing: Ints
    unopened: Ints
    unclosed: Ints


def pair_brackets(group: Ints, opens: Booleans, rows: Ints) -> BracketPairs:
    """Return pairs of every closing bracket and the last free opening one of its group, and brackets without partner.

    group, opens: for all brackets, in the order of the file, a label's number and whether the bracket opens.
    rows: the brackets to pair; the result is in these numbers.

    `(1 (1 1) 1)` is group [0, 0, 0, 0], opens [True, True, False, False]: 1 belongs to 2, and 0 to 3.
    """
    group, opens = group[rows], opens[rows]
    order = np.argsort(group, kind="stable")
    step = np.where(opens[order], 1, -1)
    unopened = _find_unopened(step, _find_changes(group[order]))
    unopened_rows = rows[order[unopened]]
    if len(unopened_rows):
        order, step = order[~unopened], step[~unopened]
    depth = _sum_within_groups(step, _find_changes(group[order]))
    level = np.where(step > 0, depth, depth + 1)
    # On one level of one group, brackets open and close in turn, so that neighbours are pairs; the last may stay open.
    by_level = np.lexsort((level, group[order])) if len(order) else order
    is_first = _find_changes(group[order][by_level]) | _find_changes(level[by_level])
    order = order[by_level]
    opening = opens[order]
    unclosed = opening & np.append(is_first[1:], True)[: len(opening)]
    return BracketPairs(rows[order[opening & ~unclosed]], rows[order[~opening]], unopened_rows, rows[order[unclosed]])


def report_unpaired(
    pairs: BracketPairs, locate_bracket: Callable[[int], tuple[int, str, str]], diagnostics: Diagnostics
) -> None:
    """Add a fault for every bracket without a partner.

    locate_bracket: the line and the label of a bracket, and a hint for the case that it closes nothing.
    """
    for bracket in np.sort(pairs.unopened).tolist():
        line, label, hint = locate_bracket(bracket)
        what, expected = f"{label}) closes a mention that was not opened", f"({label} before it"
        diagnostics.add_fault(line, what, expected, hint, kind="unbalanced-bracket")
    for bracket in np.sort(pairs.unclosed).tolist():
        line, label, _ = locate_bracket(bracket)
        what, expected = f"({label} opens a mention that is never closed", f"{label}) in the same document"
        diagnostics.add_fault(line, what, expected, kind="unbalanced-bracket")


def _find_changes(values: Ints) -> Booleans:
    """Return booleans: which values differ from the one before; the first one counts as different."""
    changes = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def _sum_within_groups(step: Ints, is_first: Booleans) -> Ints:
    """Return the running sum of steps at each place, which starts over wherever a new group does (`is_first`)."""
    running = np.cumsum(step)
    starts = np.flatnonzero(is_first)
    return running - np.repeat(running[starts] - step[starts], np.diff(starts, append=len(step)))


def _find_unopened(step: Ints, is_first: Booleans) -> Booleans:
    """Return booleans: which brackets close nothing, since the running sum of their group is lower than ever before."""
    running = _sum_within_groups(step, is_first)
    if len(running) == 0 or running.min() >= 0:
        return np.zeros(len(running), dtype=np.bool_)
    # Each group is moved below all before it, so that the lowest sum so far is that of the group itself.
    below = running - (np.cumsum(is_first) * (2 * len(step) + 1))
    lowest = np.minimum.accumulate(below)
    is_new_low = np.append(True, lowest[1:] < lowest[:-1])
    return is_new_low & (running < 0)
