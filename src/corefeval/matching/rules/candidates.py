"""Pairs of key and response mentions that may be the same, found by sorting, and how many words they share.

Where a side has zeros, words are counted in places (`places.py`), with a greater step from one to the next: a run is of
written words, or one zero, which is no part of the run of written words around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from corefeval._arrays import Array, Booleans, Floats, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Pieces, Spans
from corefeval.matching.numbers import check_pairs, pair_ranges

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.rules.base import Unmatched

_AT_ONCE = 1 << 18  # pairs that are looked at together


class Candidates(NamedTuple):
    """Rows of key and response that may be matched, each pair once, and how well they fit: above 0."""

    key: Ints
    response: Ints
    score: Floats

    def select(self, which: Booleans | slice) -> Candidates:
        """Return Candidates of only these pairs."""
        return Candidates(self.key[which], self.response[which], self.score[which])


def cut_in_blocks(candidates: Candidates) -> Iterator[Candidates]:
    """Yield the candidates in order, in blocks of 2**18 pairs at most."""
    for begin in range(0, len(candidates.key), _AT_ONCE):
        yield candidates.select(slice(begin, begin + _AT_ONCE))


def get_spans(corpus: Corpus) -> Spans:
    """Return the mentions of a corpus, asserting that they are spans: `base.require_spans` has seen to it."""
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - see `base.require_spans`
    return corpus.mentions


def find_equal(left: Unmatched, key: Ints, response: Ints) -> Candidates:
    """Return unmatched pairs that share words and have equal numbers in these columns, scored by key words shared."""
    order = left.response_rows[np.argsort(response[left.response_rows], kind="stable")]
    ordered, wanted = response[order], key[left.key_rows]
    begin, end = np.searchsorted(ordered, wanted), np.searchsorted(ordered, wanted, side="right")
    return join_candidates(_score_pairs(left, *block) for block in _pair_in_blocks(left.key_rows, begin, end, order))


def find_around(left: Unmatched, cores: Spans) -> Candidates:
    """Return scored pairs of unmatched mentions in which the response's lies within the key's and contains its core.

    The core of a mention is -1 where it has none.
    """
    ours, theirs = get_spans(left.key), get_spans(left.response)
    key, response = left.key_rows[cores.start[left.key_rows] >= 0], left.response_rows
    # From here on places are counted over all documents.
    width = 1 + max(int(ours.end[key].max(initial=0)), int(theirs.end[response].max(initial=0)))
    before = left.key.document[key] * width
    start, end, core_start, core_end = (
        before + column[key] for column in (ours.start, ours.end, cores.start, cores.end)
    )
    behind = left.response.document[response] * width
    their_start, their_end = behind + theirs.start[response], behind + theirs.end[response]
    # Mentions start between start and core_start and end between core_end and end: go through the fewer of the two.
    by_start, by_end = np.argsort(their_start, kind="stable"), np.argsort(their_end, kind="stable")
    starts = _find_bounds(their_start[by_start], start, core_start)
    ends = _find_bounds(their_end[by_end], core_end, end)
    few_starts = starts[1] - starts[0] <= ends[1] - ends[0]
    found = []
    for (first, past), order, chosen in ((starts, by_start, few_starts), (ends, by_end, ~few_starts)):
        places = np.flatnonzero(chosen)
        for one, other in _pair_in_blocks(places, first[places], past[places], order):
            fits = (their_start[other] >= start[one]) & (their_start[other] <= core_start[one])
            fits &= (their_end[other] >= core_end[one]) & (their_end[other] <= end[one])
            ours_here, theirs_here = key[one[fits]], response[other[fits]]
            # Those that fit by their ends may not do so word by word.
            within = _are_within(theirs, ours, theirs_here, ours_here, left.step)
            within &= _are_within(cores, theirs, ours_here, theirs_here, left.step)
            found.append(_score_pairs(left, ours_here[within], theirs_here[within]))
    return join_candidates(found)


def find_touching(ours: tuple[Ints, Ints], theirs: tuple[Ints, Ints]) -> Iterator[tuple[Ints, Ints]]:
    """Yield two columns, indices of ours and of theirs, in blocks: pairs of runs (first, last) that share a place."""
    yield from _find_starts_within(*ours, theirs[0])
    for one, other in _find_starts_within(theirs[0] + 1, theirs[1], ours[0]):
        yield other, one


def _find_starts_within(first: Ints, last: Ints, start: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield two columns, block by block: the index of each run, and beside it that of each start within it."""
    order = np.argsort(start, kind="stable")
    return _pair_in_blocks(np.arange(len(first)), *_find_bounds(start[order], first, last), order)


def _find_bounds(ordered: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Return two columns: where, among sorted numbers, those from low[i] to high[i] begin, and where they end."""
    return np.searchsorted(ordered, low), np.searchsorted(ordered, high, side="right")


def _pair_in_blocks(rows: Ints, begin: Ints, end: Ints, order: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield two columns, rows[i] and each of order[begin[i]:end[i]], in blocks; InputError for too many pairs."""
    count = np.cumsum(np.maximum(end - begin, 0))
    check_pairs(int(count[-1]) if len(count) else 0)
    block = count // _AT_ONCE
    for number in np.unique(block).tolist():
        here = slice(*np.searchsorted(block, [number, number + 1]).tolist())
        place, other = pair_ranges(begin[here], end[here], order)
        yield rows[here][place], other


def _score_pairs(left: Unmatched, key: Ints, response: Ints) -> Candidates:
    """Return those pairs that share words as Candidates, scored by the share of the key mention's words."""
    ours, theirs = get_spans(left.key), get_spans(left.response)
    shared = count_shared_words(ours, theirs, key, response, left.step)
    fits = shared > 0
    score = shared[fits] / ours.lengths(left.step)[key[fits]]
    return Candidates(key[fits], response[fits], score)


def join_candidates(parts: Iterable[Candidates]) -> Candidates:
    """Return the candidates of several blocks as one."""
    none = np.zeros(0, dtype=np.int64)
    columns: tuple[list[Array], ...] = [none], [none], [np.zeros(0)]
    for part in parts:
        for column, block in zip(columns, part, strict=True):
            column.append(block)
    joined = []
    for column in columns:  # there can be millions of pairs: the blocks of one column go before the next is joined
        joined.append(np.concatenate(column))
        column.clear()
    return Candidates(*joined)


def count_shared_words(one: Spans, other: Spans, one_rows: Ints, other_rows: Ints, step: int) -> Ints:
    """Return, for each pair of rows, how many words the two mentions have in common."""
    first = np.maximum(one.start[one_rows], other.start[other_rows])
    last = np.minimum(one.end[one_rows], other.end[other_rows])
    alike = (one.start[one_rows] % step == 0) == (other.start[other_rows] % step == 0)
    count = np.where((last >= first) & alike, (last - first) // step + 1, 0)
    if one.pieces or other.pieces:
        gapped = np.isin(one_rows, list(one.pieces)) | np.isin(other_rows, list(other.pieces))
        for place in np.flatnonzero(gapped).tolist():
            count[place] = _count_in_runs(one.runs(int(one_rows[place])), other.runs(int(other_rows[place])), step)
    return count


def _count_in_runs(one: Pieces, other: Pieces, step: int) -> int:
    """Return how many words the runs of two mentions have in common."""
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


def _are_within(inner: Spans, outer: Spans, inner_rows: Ints, outer_rows: Ints, step: int) -> Booleans:
    """Return, for each pair of rows, whether all words of the inner mention are words of the outer one."""
    shared = count_shared_words(inner, outer, inner_rows, outer_rows, step)
    return shared == inner.lengths(step)[inner_rows]
