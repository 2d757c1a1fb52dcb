"""The same mentions counted in other units: from words to characters, from one division into words to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.mentions import Spans

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.corpus.relations import Relation

NOWHERE = -2  # -1 is the end of a run before the first word
_NONE = -1


class NewPlaces(NamedTuple):
    """For every word (or character) of a document: where a run that begins or ends with it begins or ends now.

    A run that begins behind its end is gone; one with an end that is NOWHERE takes its mention with it.
    """

    first: Ints
    last: Ints


class MovedCorpus(NamedTuple):
    """A corpus in its new units, and which of the old mentions have no place there."""

    corpus: Corpus
    lost: Booleans


def move_corpus(corpus: Corpus, documents: Sequence[NewPlaces]) -> MovedCorpus:
    """Count the spans of a corpus anew. Its tokens and texts are left to the caller."""
    places = _Flat(documents)
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - labels have no units
    mentions = places.of(corpus.mentions, corpus.document)
    lost = mentions.start == _NONE
    heads = None if corpus.heads is None else places.of(corpus.heads, corpus.document)
    minimums = None if corpus.minimums is None else places.of(corpus.minimums, corpus.document)
    found = corpus.replaced(
        mentions=mentions,
        heads=heads,
        minimums=minimums,
        relations=tuple(_relation(each, corpus, places) for each in corpus.relations),
        layers={name: move_corpus(layer, documents).corpus for name, layer in corpus.layers.items()},
    )
    return MovedCorpus(found.keep(~lost) if lost.any() else found, lost)


def move_spans(column: Spans, document: Ints, documents: Sequence[NewPlaces]) -> Spans:
    """A column of spans counted anew; -1 for those that have no place."""
    return _Flat(documents).of(column, document)


def _relation(relation: Relation, corpus: Corpus, places: _Flat) -> Relation:
    if not isinstance(relation.source, tuple):
        return relation
    source = relation.source if isinstance(relation.source[0], tuple) else (relation.source,)
    runs = places.runs(source, corpus.documents.index(relation.document))
    return relation._replace(source=_object(runs) if runs else relation.source)


class _Flat:
    """The documents' places one after another."""

    def __init__(self, documents: Sequence[NewPlaces]) -> None:
        none = np.zeros(0, dtype=np.int64)
        self.first = np.concatenate([none, *(document.first for document in documents)])
        self.last = np.concatenate([none, *(document.last for document in documents)])
        self.begin = np.cumsum([0, *(len(document.first) for document in documents)])

    def of(self, spans: Spans, document: Ints) -> Spans:
        """Spans in the new units; -1 for those that have no place."""
        start, end = np.full(len(spans), _NONE), np.full(len(spans), _NONE)
        given = np.flatnonzero(spans.start >= 0)
        start[given] = self.first[spans.start[given] + self.begin[document[given]]]
        end[given] = self.last[spans.end[given] + self.begin[document[given]]]
        gone = (start == NOWHERE) | (end == NOWHERE) | (start > end)
        pieces = {}
        for row, old in spans.pieces.items():
            runs = self.runs(old, int(document[row]))
            gone[row] = not runs
            if runs:
                start[row], end[row] = runs[0][0], runs[-1][1]
            if len(runs) > 1:
                pieces[row] = runs
        start[gone] = end[gone] = _NONE
        return Spans(start, end, pieces)

    def runs(self, runs: Pieces, document: int) -> Pieces:
        """The runs of one mention; those that touch become one."""
        found: list[tuple[int, int]] = []
        begin = int(self.begin[document])
        for old_first, old_last in runs:
            first, last = int(self.first[old_first + begin]), int(self.last[old_last + begin])
            if NOWHERE in (first, last):
                return ()
            if first > last:
                continue
            if found and first <= found[-1][1] + 1:
                found[-1] = (found[-1][0], max(last, found[-1][1]))
            else:
                found.append((first, last))
        return tuple(found)


def _object(runs: Pieces) -> Hashable:
    return runs if len(runs) > 1 else runs[0]
