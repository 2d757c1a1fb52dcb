"""The rule of CRAFT 2019 for mentions with gaps: a part of the response mention lies within the key mention's first.

Response mentions are taken as they come in the text, and each goes to the first key mention that it fits; if that one
is taken already, it goes to none. Zeros are matched only with the same zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Spans, join_runs
from corefeval.matching.rules.assignment import sort_by_text
from corefeval.matching.rules.base import Rule, TwinPairs, Unmatched, number_by_words
from corefeval.matching.rules.candidates import get_spans

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


def match_by_first_runs(left: Unmatched) -> TwinPairs:
    """Return twins: each response mention and the first key mention whose first part contains a part of it, if free."""
    key, response = (
        _select_written(corpus, rows, left.step)
        for corpus, rows in ((left.key, left.key_rows), (left.response, left.response_rows))
    )
    if len(key.rows) == 0 or len(response.rows) == 0:
        return TwinPairs(key.rows[:0], response.rows[:0])
    first_fit = _find_first_fit(key, response)
    fitting = np.flatnonzero(first_fit < len(key.rows))
    taken, first = np.unique(first_fit[fitting], return_index=True)
    return TwinPairs(key.rows[taken], response.rows[fitting[first]])


class _WrittenMentions(NamedTuple):
    """The mentions of a side that are written, in their order; zeros within them neither divide them nor count."""

    spans: Spans
    document: Ints
    rows: Ints


def _select_written(corpus: Corpus, rows: Ints, step: int) -> _WrittenMentions:
    """Return those of these rows' mentions that are no zeros, in the order of the text, without zeros in them."""
    whole = get_spans(corpus)
    spans = _remove_zeros(whole, step)
    overt = sort_by_text(whole, corpus.document, rows[~corpus.zeros[rows]], step)
    ordered = sort_by_text(spans, corpus.document, overt, step)
    return _WrittenMentions(spans.take(ordered), corpus.document[ordered], ordered)


def _remove_zeros(column: Spans, step: int) -> Spans:
    """Return the spans without the zeros in them; spans of nothing but zeros stay as they are."""
    if step == 1:
        return column
    start, end = column.start.copy(), column.end.copy()
    pieces = {}
    for row, runs in column.pieces.items():
        left = [run for run in runs if run[0] % step == 0] or runs
        joined = join_runs(left, lambda last, first: first - last != step)
        start[row], end[row] = joined[0][0], joined[-1][1]
        if len(joined) > 1:
            pieces[row] = joined
    return Spans(start, end, pieces)


def _find_first_fit(key: _WrittenMentions, response: _WrittenMentions) -> Ints:
    """Return for every response mention the index of the first key mention that it fits; the count of these if none."""
    count = len(key.rows)
    first_end = key.spans.end.copy()
    for place, pieces in key.spans.pieces.items():
        first_end[place] = pieces[0][1]
    spans = response.spans
    whole = np.setdiff1d(np.arange(len(spans)), list(spans.pieces))
    parts = [(place, *run) for place, pieces in spans.pieces.items() for run in pieces]
    runs = (
        np.array(parts, dtype=np.int64).reshape(-1, 3),
        np.stack([whole, spans.start[whole], spans.end[whole]], axis=1),
    )
    owner, start, end = np.concatenate(runs).T
    document = response.document[owner]
    width = 1 + max(int(first_end.max()), int(end.max()))
    # Keys come by their beginnings: of those that end late enough, the first is the one that begins first.
    reach = np.maximum.accumulate(key.document * width + first_end)
    found = np.searchsorted(reach, document * width + end)
    there = np.minimum(found, count - 1)
    fits = (found < count) & (key.document[there] == document) & (key.spans.start[there] <= start)
    first_fit = np.full(len(response.rows), count, dtype=np.int64)
    np.minimum.at(first_fit, owner[fits], found[fits])
    return first_fit


RULE = Rule(number_by_words, match_by_first_runs)
