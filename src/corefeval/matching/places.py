"""Mentions where a side has words that are not written in the text, counted so that the same word is the same.

Spans are counted in places (`Tokens.order`), so zeros that only one side has move no other word, and those of
both are the same by their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import Booleans, Ints, np
from corefeval.corpus.mentions import Carried, Pieces, Spans, join_runs
from corefeval.corpus.tokens import WORD

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


def list_words(runs: Pieces, step: int) -> list[int]:
    """Return the numbers of the words in these runs one by one; words of one run are `step` apart."""
    return [word for first, last in runs for word in range(first, last + 1, step)]


class PlacedSpans(Carried):
    """Spans counted in places."""

    __slots__ = ()


def find_step(corpus: Corpus) -> int:
    """Return how far apart the numbers of adjacent written words are in a corpus: 1 in words, more in places."""
    return WORD if isinstance(corpus.mentions, PlacedSpans) else 1


def convert_to_places(corpus: Corpus) -> Corpus:
    """Return the corpus with spans, also of layers, in places, where zeros have room; unchanged without words."""
    tokens = corpus.tokens
    if tokens is None or not isinstance(corpus.mentions, Spans):
        return corpus
    begin = tokens.bounds[corpus.document]

    def convert_column(column: Spans) -> PlacedSpans:
        """Return a column of spans at places, which also has the spans as they were."""
        return PlacedSpans(_convert_spans_to_places(column, begin, tokens.order, tokens.unwritten), column)

    return corpus.map_spans(convert_column).replace(
        layers={name: convert_to_places(layer) for name, layer in corpus.layers.items()}
    )


def _convert_spans_to_places(spans: Spans, begin: Ints, place: Ints, empty: Booleans) -> Spans:
    """Return spans renumbered from words to places; a zero within a span becomes a run of its own."""
    given = np.flatnonzero(spans.start >= 0)
    start, end = np.full(len(spans), -1, dtype=np.int64), np.full(len(spans), -1, dtype=np.int64)
    first, last = spans.start[given] + begin[given], spans.end[given] + begin[given]
    start[given], end[given] = place[first], place[last]
    zeros = np.append(0, np.cumsum(empty))

    def is_gap(last: int, first: int) -> bool:
        """Return whether two places are not those of adjacent written words: every zero is a run by itself."""
        return first - last != WORD or last % WORD != 0

    mixed = given[(zeros[last + 1] > zeros[first]) & (last > first)].tolist()
    pieces: dict[int, Pieces] = {}
    for row in {*spans.pieces, *mixed}:
        words = place[[int(begin[row]) + word for a, b in spans.runs(row) for word in range(a, b + 1)]].tolist()
        runs = join_runs(zip(words, words, strict=True), is_gap)
        if len(runs) > 1:
            pieces[row] = runs
    return Spans(start, end, pieces)
