"""Which words mentions have in common, and which lie within which: by their ends, or by their runs if there are gaps.

Where a side has zeros, words are counted in places (`places.py`), with a greater step from one to the next: a run is of
written words, or one zero, which is no part of the run of written words around it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.corpus.mentions import Spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces


def get_spans(corpus: Corpus) -> Spans:
    """The mentions of a corpus, which are spans wherever a rule compares words."""
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - see `base.require_spans`
    return corpus.mentions


def count_words(column: Spans, rows: Ints, step: int) -> Ints:
    """How many words the mentions at these rows have."""
    size = (column.end[rows] - column.start[rows]) // step + 1
    for place in find_gapped(column, rows):
        size[place] = sum((last - first) // step + 1 for first, last in column.pieces[int(rows[place])])
    return size


def count_shared_words(one: Spans, other: Spans, one_rows: Ints, other_rows: Ints, step: int) -> Ints:
    """How many words the mentions at these rows, pair by pair, have in common."""
    first = np.maximum(one.start[one_rows], other.start[other_rows])
    last = np.minimum(one.end[one_rows], other.end[other_rows])
    alike = (one.start[one_rows] % step == 0) == (other.start[other_rows] % step == 0)
    count = np.where((last >= first) & alike, (last - first) // step + 1, 0)
    for place in {*find_gapped(one, one_rows), *find_gapped(other, other_rows)}:
        count[place] = _count_in_runs(one.runs(int(one_rows[place])), other.runs(int(other_rows[place])), step)
    return count


def are_within(inner: Spans, outer: Spans, inner_rows: Ints, outer_rows: Ints, step: int) -> Booleans:
    """Whether all words of one mention are words of the other, pair by pair."""
    return count_shared_words(inner, outer, inner_rows, outer_rows, step) == count_words(inner, inner_rows, step)


def remove_zeros(column: Spans, step: int) -> Spans:
    """The mentions without the zeros in them; those of nothing else stay."""
    if step == 1:
        return column
    start, end = column.start.copy(), column.end.copy()
    pieces = {}
    for row, runs in column.pieces.items():
        left = _join_runs([run for run in runs if run[0] % step == 0] or list(runs), step)
        start[row], end[row] = left[0][0], left[-1][1]
        if len(left) > 1:
            pieces[row] = left
    return Spans(start, end, pieces)


def _join_runs(runs: list[tuple[int, int]], step: int) -> Pieces:
    """Runs with no written word between them as one."""
    breaks = [i for i in range(1, len(runs)) if runs[i][0] - runs[i - 1][1] != step]
    return tuple((runs[a][0], runs[b - 1][1]) for a, b in pairwise([0, *breaks, len(runs)]))


def find_touching(ours: tuple[Ints, Ints], theirs: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """All pairs of runs (first, last) that share a place: the one that begins later begins within the other."""
    one, other = _find_starts_within(*ours, theirs[0])
    back, forth = _find_starts_within(theirs[0] + 1, theirs[1], ours[0])
    return np.concatenate([one, forth]), np.concatenate([other, back])


def _find_starts_within(first: Ints, last: Ints, start: Ints) -> tuple[Ints, Ints]:
    """All pairs of a run and another that starts within it."""
    order = np.argsort(start, kind="stable")
    low = np.searchsorted(start[order], first, side="left")
    count = np.maximum(np.searchsorted(start[order], last, side="right") - low, 0)
    run = np.repeat(np.arange(len(first)), count)
    within = np.arange(len(run)) - np.repeat(np.cumsum(count) - count, count)
    return run, order[np.repeat(low, count) + within]


def find_gapped(column: Spans, rows: Ints) -> Iterator[int]:
    """Which of these rows have several runs."""
    if not column.pieces:
        return iter(())
    has = np.zeros(len(column), dtype=np.bool_)
    has[list(column.pieces)] = True
    return iter(np.flatnonzero(has[rows]).tolist())


def _count_in_runs(one: Pieces, other: Pieces, step: int) -> int:
    count = i = j = 0
    while i < len(one) and j < len(other):
        first, last = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if last >= first and (one[i][0] % step == 0) == (other[j][0] % step == 0):
            count += (last - first) // step + 1
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return count
