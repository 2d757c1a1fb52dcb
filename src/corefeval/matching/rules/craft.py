"""The rule of CRAFT 2019 for mentions with gaps: a part of the response mention lies within the key mention's first.

As in the Universal Anaphora scorer: response mentions are taken as they come in the text, and each goes to the first
key mention that it fits; if that one is taken already, it goes to none. Zeros are matched only with the same zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.matching.rules.assignment import sort_by_text
from corefeval.matching.rules.base import Rule, TwinPairs, number_by_words
from corefeval.matching.rules.spans import find_gapped, get_spans, remove_zeros

if TYPE_CHECKING:
    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Spans
    from corefeval.matching.rules.base import Unmatched


def match_by_first_runs(left: Unmatched) -> TwinPairs:
    """Match each response mention with the first key mention whose first part contains a part of it, if it is free."""
    key, response = (
        _WrittenMentions.from_corpus(left.key, left.key_rows, left.step),
        _WrittenMentions.from_corpus(left.response, left.response_rows, left.step),
    )
    if len(key.rows) == 0 or len(response.rows) == 0:
        return TwinPairs(key.rows[:0], response.rows[:0])
    first_fit = _find_first_fit(key, response)
    goes = np.flatnonzero(first_fit < len(key.rows))
    taken, first = np.unique(first_fit[goes], return_index=True)
    return TwinPairs(key.rows[taken], response.rows[goes[first]])


class _OwnedRuns(NamedTuple):
    """Runs of words: whose they are, where they begin and end."""

    owner: Ints
    document: Ints
    start: Ints
    end: Ints


class _WrittenMentions(NamedTuple):
    """The mentions of a side that are written, in their order; zeros within them neither divide them nor count."""

    spans: Spans
    document: Ints
    rows: Ints

    @classmethod
    def from_corpus(cls, corpus: Corpus, rows: Ints, step: int) -> _WrittenMentions:
        whole = get_spans(corpus)
        spans = remove_zeros(whole, step)
        overt = sort_by_text(whole, corpus.document, rows[~corpus.zeros[rows]], step)
        return cls(spans, corpus.document, sort_by_text(spans, corpus.document, overt, step))

    def first_runs(self) -> _OwnedRuns:
        end = self.spans.end[self.rows]
        for place in find_gapped(self.spans, self.rows):
            end[place] = self.spans.pieces[int(self.rows[place])][0][1]
        return _OwnedRuns(np.arange(len(self.rows)), self.document[self.rows], self.spans.start[self.rows], end)

    def all_runs(self) -> _OwnedRuns:
        gaps = list(find_gapped(self.spans, self.rows))
        whole = np.ones(len(self.rows), dtype=np.bool_)
        whole[gaps] = False
        parts = [(place, *run) for place in gaps for run in self.spans.pieces[int(self.rows[place])]]
        owners, starts, ends = np.array(parts, dtype=np.int64).reshape(-1, 3).T
        owner = np.concatenate([np.flatnonzero(whole), owners])
        start = np.concatenate([self.spans.start[self.rows[whole]], starts])
        end = np.concatenate([self.spans.end[self.rows[whole]], ends])
        return _OwnedRuns(owner, self.document[self.rows[owner]], start, end)


def _find_first_fit(key: _WrittenMentions, response: _WrittenMentions) -> Ints:
    """For every response mention the first key mention that it fits; their number where there is none."""
    firsts, runs = key.first_runs(), response.all_runs()
    count = len(key.rows)
    width = 1 + max(int(firsts.end.max()), int(runs.end.max()))
    # Keys come by their beginnings: of those that end late enough, the first is the one that begins first.
    reach = np.maximum.accumulate(firsts.document * width + firsts.end)
    found = np.searchsorted(reach, runs.document * width + runs.end)
    there = np.minimum(found, count - 1)
    fits = (found < count) & (firsts.document[there] == runs.document) & (firsts.start[there] <= runs.start)
    fit = np.full(len(response.rows), count, dtype=np.int64)
    np.minimum.at(fit, runs.owner[fits], found[fits])
    return fit


RULE = Rule(number_by_words, match_by_first_runs)
