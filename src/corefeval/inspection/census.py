"""What a corpus consists of: the numbers that a paper's data section needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus import span_properties
from corefeval.corpus.mentions import Spans

if TYPE_CHECKING:
    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus


class Spread(NamedTuple):
    """How numbers are spread: their mean, median, the ninth decile, the greatest, and how often each occurs."""

    mean: float
    median: float
    decile: float
    most: int
    times: dict[int, int]

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        return {"mean": self.mean, "median": self.median, "decile_9": self.decile, "max": self.most,
                "times": {str(value): times for value, times in self.times.items()}}  # fmt: skip


class Census(NamedTuple):
    """The numbers of a corpus, or of one document. What cannot be known (words of labels, say) is None.

    `unit` says what lengths and distances count: words, or characters.
    """

    name: str
    documents: int
    sentences: int | None
    words: int | None
    characters: int | None
    mentions: int
    entities: int
    singletons: int
    unit: str
    nested: int | None
    depth: int | None
    discontinuous: int | None
    zeros: int | None
    entity_size: Spread
    mention_length: Spread | None
    distance: Spread | None
    sentence_distance: Spread | None

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        return {name: v.to_dict() if isinstance(v, Spread) else v for name, v in self._asdict().items()}


def census(corpus: Corpus) -> Census:
    """Count what is in a corpus."""
    everything = np.ones(len(corpus), dtype=np.bool_)
    return _Columns(corpus).of(corpus.source, len(corpus.documents), everything, slice(None))


def by_document(corpus: Corpus) -> list[Census]:
    """Count what is in each document."""
    columns = _Columns(corpus)
    return [
        columns.of(name, 1, corpus.document == number, slice(number, number + 1))
        for number, name in enumerate(corpus.documents)
    ]


class _Columns:
    """What is known of every mention, found once for the whole corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.placed = isinstance(corpus.mentions, Spans)
        if not isinstance(corpus.mentions, Spans):
            return
        self.depth = span_properties.measure_depth(corpus)
        self.gaps = span_properties.find_discontinuous(corpus)
        self.zeros = corpus.zeros
        self.lengths = corpus.mentions.lengths()
        self.antecedent = span_properties.find_previous_mentions(
            corpus.entity, corpus.mentions.text_order(corpus.document)
        )

    def of(self, name: str, documents: int, rows: Booleans, here: slice) -> Census:
        corpus = self.corpus
        numbers = np.arange(len(corpus.documents))[here]
        entities = corpus.sizes[np.isin(corpus.entity_document, numbers)]
        tokens = corpus.tokens
        texts = None if corpus.texts is None else corpus.texts[here]
        words = None if tokens is None else [tokens.length(number) for number in numbers.tolist()]
        empty = None if tokens is None or tokens.empty is None else tokens.empty
        if words is not None and empty is not None and tokens is not None:
            words = [int(np.count_nonzero(~empty[tokens.bounds[n] : tokens.bounds[n + 1]])) for n in numbers.tolist()]
        return Census(
            name=name,
            documents=documents,
            sentences=None if tokens is None else sum(_sentences(corpus, number) for number in numbers.tolist()),
            words=None if words is None else sum(words),
            characters=None if texts is None or tokens is not None else sum(map(len, texts)),
            mentions=int(np.count_nonzero(rows)),
            entities=len(entities),
            singletons=int(np.count_nonzero(entities == 1)),
            unit=corpus.unit,
            nested=int(np.count_nonzero(self.depth[rows])) if self.placed else None,
            depth=int(self.depth[rows].max(initial=0)) if self.placed else None,
            discontinuous=int(np.count_nonzero(self.gaps[rows])) if self.placed else None,
            zeros=int(np.count_nonzero(self.zeros[rows])) if self.placed else None,
            entity_size=_spread(entities),
            mention_length=_spread(self.lengths[rows & ~self.zeros]) if self.placed else None,
            distance=_spread(self._distance(rows)) if self.placed else None,
            sentence_distance=_spread(self._sentence_distance(rows)) if tokens is not None and self.placed else None,
        )

    def _distance(self, rows: Booleans) -> Ints:
        """How many words (or characters) after its antecedent each mention begins."""
        assert isinstance(self.corpus.mentions, Spans)  # noqa: S101 - the caller has seen to it
        linked = np.flatnonzero(rows & (self.antecedent >= 0))
        start = self.corpus.mentions.start
        return start[linked] - start[self.antecedent[linked]]

    def _sentence_distance(self, rows: Booleans) -> Ints:
        """How many sentences after its antecedent each mention begins."""
        tokens, mentions = self.corpus.tokens, self.corpus.mentions
        assert tokens is not None and isinstance(mentions, Spans)  # noqa: S101, PT018 - the caller has seen to it
        linked = np.flatnonzero(rows & (self.antecedent >= 0))
        place = tokens.bounds[self.corpus.document] + mentions.start
        return tokens.sentence[place[linked]] - tokens.sentence[place[self.antecedent[linked]]]


def _sentences(corpus: Corpus, document: int) -> int:
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    begin, end = int(corpus.tokens.bounds[document]), int(corpus.tokens.bounds[document + 1])
    return int(corpus.tokens.sentence[end - 1]) + 1 if end > begin else 0


def _spread(numbers: Ints) -> Spread:
    if len(numbers) == 0:
        return Spread(0.0, 0.0, 0.0, 0, {})
    values, times = np.unique(numbers, return_counts=True)
    median, decile = np.quantile(numbers, [0.5, 0.9]).tolist()
    return Spread(float(numbers.mean()), median, decile, int(values[-1]),
                  dict(zip(values.tolist(), times.tolist(), strict=True)))  # fmt: skip
