"""Mentions that contain the core of another one and stay within it, and the best of them for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval import alignment
from corefeval.matching import places
from corefeval.matching.rules import Pairs
from corefeval.mentions import Spans

if TYPE_CHECKING:
    from corefeval.arrays import Array, Booleans, Ints
    from corefeval.corpus import Corpus
    from corefeval.matching.rules import Left

_EARLIER = 1e-9  # what being early is worth: less than any difference in what is compared


def twins(left: Left, core: Spans) -> Pairs:
    """One-to-one pairs of candidates whose response mentions have the greatest share of the key mentions' words."""
    pairs = candidates(left, core)
    return best(left, pairs, share(left, *pairs))


def candidates(left: Left, core: Spans) -> tuple[Ints, Ints]:
    """Rows of key and response whose response mention contains the key mention's core and no word outside that.

    `core` has a part of every key mention, -1 where none is given.
    """
    key_rows = left.key_rows[core.start[left.key_rows] >= 0]
    ours, theirs = spans_of(left.key), spans_of(left.response)
    key_base, response_base = bases(left)
    starts = response_base[left.response_rows] + theirs.start[left.response_rows]
    order = np.argsort(starts, kind="stable")
    base = key_base[key_rows]
    owner, found = between(starts[order], base + ours.start[key_rows], base + core.start[key_rows])
    key, response = key_rows[owner], left.response_rows[order[found]]
    fits = (theirs.end[response] >= core.end[key]) & (theirs.end[response] <= ours.end[key])
    key, response = key[fits], response[fits]
    kept = _within_words(left, core, key, response)
    return key[kept], response[kept]


def share(left: Left, key: Ints, response: Ints) -> Array:
    """For every pair, how large a part of the key mention's words the response mention has, being within it."""
    step = places.step(left.key)
    return sizes(left.response, step)[response] / sizes(left.key, step)[key]


def best(left: Left, pairs: tuple[Ints, Ints], score: Array) -> Pairs:
    """Choose pairs, one to one, of the greatest total score; where that leaves a choice, what comes earlier."""
    key, response = pairs
    early = _earliness(left.key, left.key_rows)[key] * _earliness(left.response, left.response_rows)[response]
    chosen = alignment.best(key, response, np.where(score > 0, score + _EARLIER * early, 0.0))
    return Pairs(key[chosen], response[chosen])


def spans_of(corpus: Corpus) -> Spans:
    """The mentions as spans."""
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - see `rules.Left`
    return corpus.mentions


def sizes(corpus: Corpus, step: int) -> Ints:
    """How many words (or characters) every mention has, gaps left out."""
    spans = spans_of(corpus)
    size = (spans.end - spans.start) // step + 1
    for row, runs in spans.pieces.items():
        size[row] = len(places.words(runs, step))
    return size


def bases(left: Left) -> tuple[Ints, Ints]:
    """What to add to the words' numbers so that documents follow each other."""
    width = 1 + max(int(spans_of(side).end.max(initial=0)) for side in (left.key, left.response))
    return left.key.document * width, left.response.document * width


def between(numbers: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """For every pair of bounds the places of all sorted numbers within them: which pair, and which number."""
    first, behind = np.searchsorted(numbers, low), np.searchsorted(numbers, high, side="right")
    count = np.maximum(behind - first, 0)
    owner = np.repeat(np.arange(len(low)), count)
    return owner, np.arange(len(owner)) + np.repeat(first - (np.cumsum(count) - count), count)


def _within_words(left: Left, core: Spans, key: Ints, response: Ints) -> Booleans:
    """Which candidates stay within the key mention, and contain its core, word by word: few have gaps."""
    ours, theirs, step = spans_of(left.key), spans_of(left.response), places.step(left.key)
    fits = np.ones(len(key), dtype=np.bool_)
    for pair in np.flatnonzero(with_gaps(ours, key) | with_gaps(theirs, response) | with_gaps(core, key)).tolist():
        one, other = int(key[pair]), int(response[pair])
        words = set(places.words(theirs.runs(other), step))
        fits[pair] = words.issuperset(places.words(core.runs(one), step)) and words.issubset(
            places.words(ours.runs(one), step)
        )
    return fits


def with_gaps(spans: Spans, rows: Ints) -> Booleans:
    """Which of these mentions have gaps."""
    gaps = np.zeros(len(spans), dtype=np.bool_)
    gaps[list(spans.pieces)] = True
    return gaps[rows]


def _earliness(corpus: Corpus, rows: Ints) -> Array:
    """For the mentions of these rows a number from 1, for the first of its document, down to 0."""
    spans = spans_of(corpus)
    document = corpus.document[rows]
    order = np.lexsort((spans.end[rows], spans.start[rows], document))
    count = np.bincount(document, minlength=len(corpus.documents))
    first = (np.cumsum(count) - count)[document[order]]
    found = np.zeros(len(spans))
    found[rows[order]] = 1 - (np.arange(len(rows)) - first) / count[document[order]]
    return found
