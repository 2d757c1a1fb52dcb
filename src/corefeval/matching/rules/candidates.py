"""Pairs of key and response mentions that may be the same, found by sorting."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.matching.rules.spans import are_within, count_shared_words, count_words, get_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Floats, Ints
    from corefeval.corpus.mentions import Spans
    from corefeval.matching.rules.base import Unmatched

_AT_ONCE = 1 << 20  # pairs that are looked at together


class Candidates(NamedTuple):
    """Rows of key and response that may be matched, each pair once, and how well they fit: above 0."""

    key: Ints
    response: Ints
    score: Floats


def find_equal(left: Unmatched, key: Ints, response: Ints) -> Candidates:
    """Mentions for which a column (of key and response) has the same number, as far as they share words."""
    order = left.response_rows[np.argsort(response[left.response_rows], kind="stable")]
    ordered, wanted = response[order], key[left.key_rows]
    begin, end = np.searchsorted(ordered, wanted, side="left"), np.searchsorted(ordered, wanted, side="right")
    return _concatenate([_score_pairs(left, *block) for block in _pair_in_blocks(left.key_rows, begin, end, order)])


def find_around(left: Unmatched, cores: Spans) -> Candidates:
    """Response mentions that are within a key mention, and that have all words of its core in them.

    The core of a mention is -1 where it has none.
    """
    key, response = _MentionEnds.from_unmatched(left, cores)
    by_start, by_end = np.argsort(response.start, kind="stable"), np.argsort(response.end, kind="stable")
    starts = (
        np.searchsorted(response.start[by_start], key.start, side="left"),
        np.searchsorted(response.start[by_start], key.core_start, side="right"),
    )
    ends = (
        np.searchsorted(response.end[by_end], key.core_end, side="left"),
        np.searchsorted(response.end[by_end], key.end, side="right"),
    )
    few_starts = starts[1] - starts[0] <= ends[1] - ends[0]
    found = []
    for (begin, end), order, chosen in ((starts, by_start, few_starts), (ends, by_end, ~few_starts)):
        places = np.flatnonzero(chosen)
        for one, other in _pair_in_blocks(places, begin[places], end[places], order):
            fits = (
                (response.start[other] >= key.start[one])
                & (response.start[other] <= key.core_start[one])
                & (response.end[other] >= key.core_end[one])
                & (response.end[other] <= key.end[one])
            )
            found.append(_filter_by_words(left, cores, key.row[one[fits]], response.row[other[fits]]))
    return _concatenate(found)


def _filter_by_words(left: Unmatched, cores: Spans, key: Ints, response: Ints) -> Candidates:
    """Those pairs that fit word by word, not only by their ends."""
    ours, theirs = get_spans(left.key), get_spans(left.response)
    fits = are_within(theirs, ours, response, key, left.step)
    fits &= are_within(cores, theirs, key, response, left.step)
    return _score_pairs(left, key[fits], response[fits])


class _MentionEnds(NamedTuple):
    """Where mentions begin and end, and their cores, counted over all documents."""

    row: Ints
    start: Ints
    end: Ints
    core_start: Ints
    core_end: Ints

    @classmethod
    def from_unmatched(cls, left: Unmatched, cores: Spans) -> tuple[_MentionEnds, _MentionEnds]:
        """The ends of key mentions that have cores, and of response mentions."""
        ours, theirs = get_spans(left.key), get_spans(left.response)
        key, response = left.key_rows[cores.start[left.key_rows] >= 0], left.response_rows
        width = 1 + max(int(ours.end[key].max(initial=0)), int(theirs.end[response].max(initial=0)))
        before, behind = left.key.document[key] * width, left.response.document[response] * width
        none = behind[:0]
        return (
            cls(key, *(before + place[key] for place in (ours.start, ours.end, cores.start, cores.end))),
            cls(response, behind + theirs.start[response], behind + theirs.end[response], none, none),
        )


def _score_pairs(left: Unmatched, key: Ints, response: Ints) -> Candidates:
    """Pairs with the share of the key mention's words that the response mention has, where it has any."""
    ours, theirs = get_spans(left.key), get_spans(left.response)
    shared = count_shared_words(ours, theirs, key, response, left.step)
    fits = shared > 0
    score = shared[fits] / count_words(ours, key[fits], left.step)
    return Candidates(key[fits], response[fits], score)


def _pair_in_blocks(rows: Ints, begin: Ints, end: Ints, order: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Every row with each of order[begin:end], in blocks that are not too large."""
    count = np.maximum(end - begin, 0)
    block = np.cumsum(count) // _AT_ONCE
    for number in np.unique(block).tolist():
        first, past = np.searchsorted(block, [number, number + 1]).tolist()
        here = count[first:past]
        stop = np.cumsum(here)
        place = np.arange(int(stop[-1])) + np.repeat(begin[first:past] - stop + here, here)
        yield np.repeat(rows[first:past], here), order[place]


def _concatenate(parts: list[Candidates]) -> Candidates:
    if not parts:
        none = np.zeros(0, dtype=np.int64)
        return Candidates(none, none, np.zeros(0))
    return Candidates(*(np.concatenate(column) for column in zip(*parts, strict=True)))
