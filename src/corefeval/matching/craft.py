"""The rule of CRAFT 2019 for mentions with gaps: a part of the response mention lies within the key mention's first.

As in the Universal Anaphora scorer: response mentions are taken as they come in the text, and each goes to the first
key mention that it fits; if that one is taken already, it goes to none. Zeros are matched only with the same zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import shapes
from corefeval.matching import assigning, containment, rules

if TYPE_CHECKING:
    from corefeval.arrays import Ints
    from corefeval.corpus import Corpus
    from corefeval.matching.rules import Left


def identity(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Numbers that are equal for mentions of the same words."""
    return rules.by_words(key, response)


def twins(left: Left) -> rules.Pairs:
    """Who is matched with whom among the others."""
    key = assigning.in_order(left.key, left.key_rows[~shapes.zeros(left.key)[left.key_rows]])
    response = assigning.in_order(left.response, left.response_rows[~shapes.zeros(left.response)[left.response_rows]])
    if len(key) == 0 or len(response) == 0:
        return rules.Pairs(key[:0], response[:0])
    first_fit = _first_fit(left, key, response)
    goes = np.flatnonzero(first_fit < len(key))
    taken, first = np.unique(first_fit[goes], return_index=True)
    return rules.Pairs(key[taken], response[goes[first]])


class _Runs(NamedTuple):
    """Runs of words: whose they are, where they begin and end."""

    owner: Ints
    document: Ints
    start: Ints
    end: Ints


def _first_fit(left: Left, key: Ints, response: Ints) -> Ints:
    """For every response mention the first key mention that it fits; their number where there is none."""
    runs = _all_runs(left.response, response)
    firsts = _first_runs(left.key, key)
    width = 1 + max(int(firsts.end.max()), int(runs.end.max()))
    # Keys come by their beginnings: the first that ends late enough is the one that begins first of those that do.
    reach = np.maximum.accumulate(firsts.document * width + firsts.end)
    found = np.searchsorted(reach, runs.document * width + runs.end)
    there = np.minimum(found, len(key) - 1)
    fits = (found < len(key)) & (firsts.document[there] == runs.document) & (firsts.start[there] <= runs.start)
    fit = np.full(len(response), len(key), dtype=np.int64)
    np.minimum.at(fit, runs.owner[fits], found[fits])
    return fit


def _first_runs(corpus: Corpus, rows: Ints) -> _Runs:
    spans = containment.spans(corpus)
    end = spans.end[rows]
    for place in containment.with_gaps(spans, rows):
        end[place] = spans.pieces[int(rows[place])][0][1]
    return _Runs(np.arange(len(rows)), corpus.document[rows], spans.start[rows], end)


def _all_runs(corpus: Corpus, rows: Ints) -> _Runs:
    spans = containment.spans(corpus)
    gaps = list(containment.with_gaps(spans, rows))
    whole = np.ones(len(rows), dtype=np.bool_)
    whole[gaps] = False
    owner = np.flatnonzero(whole)
    parts = [(place, *run) for place in gaps for run in spans.pieces[int(rows[place])]]
    more_owners, more_starts, more_ends = np.array(parts, dtype=np.int64).reshape(-1, 3).T
    owner = np.concatenate([owner, more_owners])
    start = np.concatenate([spans.start[rows[whole]], more_starts])
    end = np.concatenate([spans.end[rows[whole]], more_ends])
    return _Runs(owner, corpus.document[rows[owner]], start, end)
