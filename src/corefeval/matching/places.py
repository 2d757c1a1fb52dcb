"""Mentions where a side has words that are not written in the text, counted so that the same word is the same.

Spans are counted in places (`Tokens.order`), so zeros that only one side has move no other word, and those of
both are the same by their order.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.corpus.mentions import Carried, Spans
from corefeval.corpus.tokens import WORD

if TYPE_CHECKING:
    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces


def list_words(runs: Pieces, step: int) -> list[int]:
    """The words of a mention, one by one, so that a zero is not taken for part of the written words around it."""
    return [word for first, last in runs for word in range(first, last + 1, step)]


class PlacedSpans(Carried):
    """Spans counted in places."""

    __slots__ = ()


def find_step(corpus: Corpus) -> int:
    """What is between one written word and the next, in places or in words."""
    return WORD if isinstance(corpus.mentions, PlacedSpans) else 1


def count_in_places(corpus: Corpus) -> Corpus:
    """The corpus with its spans, heads and minimums counted in places; in its own words otherwise."""
    tokens = corpus.tokens
    if tokens is None or not isinstance(corpus.mentions, Spans):
        return corpus
    begin = tokens.bounds[corpus.document]

    def place(column: Spans) -> PlacedSpans:
        return PlacedSpans(_move_spans(column, begin, tokens.order, tokens.unwritten), column)

    return corpus.map_spans(place).replace(
        layers={name: count_in_places(layer) for name, layer in corpus.layers.items()}
    )


def _move_spans(spans: Spans, begin: Ints, place: Ints, empty: Booleans) -> Spans:
    given = np.flatnonzero(spans.start >= 0)
    start, end = np.full(len(spans), -1, dtype=np.int64), np.full(len(spans), -1, dtype=np.int64)
    first, last = spans.start[given] + begin[given], spans.end[given] + begin[given]
    start[given], end[given] = place[first], place[last]
    zeros = np.append(0, np.cumsum(empty))
    mixed = given[(zeros[last + 1] > zeros[first]) & (last > first)].tolist()
    pieces: dict[int, Pieces] = {}
    for row in {*spans.pieces, *mixed}:
        words = [int(begin[row]) + word for a, b in spans.runs(row) for word in range(a, b + 1)]
        runs = _split_runs(place[words].tolist())
        if len(runs) > 1:
            pieces[row] = runs
    return Spans(start, end, pieces)


def _split_runs(places: list[int]) -> Pieces:
    """Runs of written words, and every zero by itself."""
    breaks = [i + 1 for i, (a, b) in enumerate(pairwise(places)) if b - a != WORD or a % WORD]
    return tuple((places[a], places[b - 1]) for a, b in pairwise([0, *breaks, len(places)]))
