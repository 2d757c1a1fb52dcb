"""The words' places where a side has words that are not written in the text: the same on both sides for the same word.

A written word's place is its number among the written ones. A zero's is that of the word before it and a fraction: the
how-manieth it is there. So zeros that only one side has move no other word, and those of both are the same by their
order. Zeros before the first word of a sentence are others than those behind the last word of the one before.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from corefeval.mentions import Carried, Spans

if TYPE_CHECKING:
    from corefeval.arrays import Booleans, Ints
    from corefeval.corpus import Corpus
    from corefeval.mentions import Pieces
    from corefeval.tokens import Tokens

WORD = 1 << 20
"""From one written word to the next: there is room for as many zeros between them."""


class Placed(Carried):
    """Spans counted in places."""

    __slots__ = ()


def step(corpus: Corpus) -> int:
    """What is between one written word and the next, in places or in words."""
    return WORD if isinstance(corpus.mentions, Placed) else 1


def placed(corpus: Corpus) -> Corpus:
    """The corpus with its spans, heads and minimums counted in places; in its own words otherwise."""
    tokens, mentions = corpus.tokens, corpus.mentions
    if tokens is None or not isinstance(mentions, Spans):
        return corpus
    place, empty = _of_words(tokens), _empty(tokens)
    begin = tokens.bounds[corpus.document]
    return corpus.replaced(
        mentions=Placed(_moved(mentions, begin, place, empty), mentions),
        heads=None if corpus.heads is None else Placed(_moved(corpus.heads, begin, place, empty), corpus.heads),
        minimums=None if corpus.minimums is None else _moved(corpus.minimums, begin, place, empty),
        layers={name: placed(layer) for name, layer in corpus.layers.items()},
    )


def _of_words(tokens: Tokens) -> Ints:
    """The place of every word in its document, from 1 on."""
    empty = _empty(tokens)
    written = np.cumsum(~empty)
    first = np.minimum(tokens.bounds[:-1], len(empty) - 1)
    before_document = np.repeat((written - ~empty)[first] if len(empty) else written, np.diff(tokens.bounds))
    number = np.arange(len(empty))
    opens = np.diff(tokens.sentence, prepend=-1) != 0
    opens[tokens.bounds[:-1][np.diff(tokens.bounds) > 0]] = True
    anchor = np.maximum.accumulate(np.where(~empty | opens, number, 0))
    # A zero that opens its sentence is its own anchor, and is counted from there.
    heads_sentence = empty & empty[anchor]
    order = np.where(empty, number - anchor + heads_sentence, 0)
    return (written - before_document) * WORD + order + np.where(heads_sentence, WORD // 2, 0)


def _empty(tokens: Tokens) -> Booleans:
    return np.zeros(len(tokens), dtype=np.bool_) if tokens.empty is None else tokens.empty


def _moved(spans: Spans, begin: Ints, place: Ints, empty: Booleans) -> Spans:
    given = np.flatnonzero(spans.start >= 0)
    start, end = np.full(len(spans), -1, dtype=np.int64), np.full(len(spans), -1, dtype=np.int64)
    first, last = spans.start[given] + begin[given], spans.end[given] + begin[given]
    start[given], end[given] = place[first], place[last]
    zeros = np.append(0, np.cumsum(empty))
    mixed = given[(zeros[last + 1] > zeros[first]) & (last > first)].tolist()
    pieces: dict[int, Pieces] = {}
    for row in {*spans.pieces, *mixed}:
        words = [int(begin[row]) + word for a, b in spans.runs(row) for word in range(a, b + 1)]
        runs = _runs(place[words].tolist())
        if len(runs) > 1:
            pieces[row] = runs
    return Spans(start, end, pieces)


def _runs(places: list[int]) -> Pieces:
    """Runs of written words, and every zero by itself."""
    breaks = [i + 1 for i, (a, b) in enumerate(pairwise(places)) if b - a != WORD or a % WORD]
    return tuple((places[a], places[b - 1]) for a, b in pairwise([0, *breaks, len(places)]))
