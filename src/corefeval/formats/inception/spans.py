"""The spans of a WebAnno TSV file: which tokens each of them is on, and what its features say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import LazyMapping, NamedTuple
from corefeval.formats.inception.tokens import TokenTable, TsvLayer
from corefeval.formats.inception.values import StackedValues, unescape
from corefeval.formats.shared.columns import read_texts

ENTITY_FEATURES = {
    "type": ("entity", "entityType", "entity_type", "type", "value", "label"),
    "identity": ("identity",),
}
"""The attributes of entities, and the features that they come from."""


class TokenSpans(NamedTuple):
    """Spans in the order in which they begin, with first and last token.

    has_part: whether they begin or end within a word; has_gap: whether they leave words out.
    """

    first: Ints
    last: Ints
    has_part: Booleans
    has_gap: Booleans


def find_spans(span: Ints, token: Ints, tokens: TokenTable) -> TokenSpans:
    """Return the spans, given which tokens each is on: pairs of span and token, in the order of the tokens."""
    order = np.argsort(span, kind="stable")
    span, token = span[order], token[order]
    begins = np.diff(span, prepend=-1) != 0
    ends = np.append(begins[1:], True)[: len(begins)]
    count = int(begins.sum())
    has_part = np.bincount(span, tokens.is_part[token], count) > 0
    word = tokens.word[token]
    has_gap = np.bincount(span, ~begins & (np.diff(word, prepend=0) > 1), count) > 0
    return TokenSpans(token[begins], token[ends], has_part, has_gap)


class FeatureValues(NamedTuple):
    """The last value that each span has of a feature: rows of `values`, -1 for none.

    rank: when each span gets its first value of the feature, among all that the spans get.
    """

    values: StackedValues
    row: Ints
    rank: Ints

    def have_text(self, spans: Ints) -> Booleans:
        """Return booleans: which of these spans have a value that is something."""
        row = self.row[spans]
        there = row >= 0
        there[there] = self.values.have_text(row[there])
        return there

    def read_texts(self, spans: Ints) -> list[str]:
        """Return the value of each of these spans, "" for none."""
        values = self.values
        return read_texts(values.code, values.begin, values.end, self.row[spans], unescape)


def collect_values(values: StackedValues, rows: Ints, span: Ints, rank: Ints, count: int) -> FeatureValues:
    """Return a feature's values for all spans, `count` of them.

    rows, span, rank: rows of `values`, by rising rank, and the span of each.
    """
    last, first = (np.full(count, -1, dtype=np.int64) for _ in range(2))
    last[span] = rows  # of several values, the last one assigned stays
    first[span[::-1]] = rank[::-1]
    return FeatureValues(values, last, first)


def make_attributes(features: Mapping[str, FeatureValues], spans: Ints, layer: TsvLayer) -> Mapping[str, Sequence[str]]:
    """Return lazy columns of the features that some mentions, given as spans, have; the first one met comes first."""
    found: dict[str, tuple[int, int]] = {}
    for name, values in features.items():
        there = values.have_text(spans)
        if there.any():
            first = int(there.argmax())
            found[name] = first, int(values.rank[spans[first]])
    columns = {}
    for name in sorted(found, key=found.__getitem__):
        # The attribute of a feature has its name, but GUM's `entity` is a type.
        is_gum = name == "entity" and "type" not in layer.features
        columns["type" if is_gum else name] = partial(features[name].read_texts, spans)
    return LazyMapping(columns)


def make_entity_attributes(
    features: Mapping[str, FeatureValues], spans: Ints, entity: Ints, count: int
) -> Mapping[str, Sequence[str]]:
    """Return lazy columns of entities' attributes: what the first mention with such a feature says.

    spans, entity: those of each mention; count: how many entities there are.
    """
    found: dict[str, tuple[int, int]] = {}
    columns = {}
    for name, listed in ENTITY_FEATURES.items():
        known = [features[feature] for feature in listed if feature in features]
        source = np.full(len(spans), -1, dtype=np.int64)
        for number in reversed(range(len(known))):
            source[known[number].have_text(spans)] = number
        there = np.flatnonzero(source >= 0)
        if len(there):
            mention = np.full(count, -1, dtype=np.int64)
            mention[entity[there[::-1]]] = there[::-1]
            described = np.flatnonzero(mention >= 0)
            first = mention[described]
            found[name] = int(described[0]), int(first[0])
            columns[name] = partial(_read_entity_texts, known, source[first], spans[first], described, count)
    return LazyMapping({name: columns[name] for name in sorted(found, key=found.__getitem__)})


def _read_entity_texts(
    features: Sequence[FeatureValues], source: Ints, spans: Ints, entities: Ints, count: int
) -> list[str]:
    """Return a text for each entity, `count` of them: for the given ones that of a feature, by number, of a span."""
    texts = [""] * count
    for number, feature in enumerate(features):
        here = source == number
        for entity, text in zip(entities[here].tolist(), feature.read_texts(spans[here]), strict=True):
            texts[entity] = text
    return texts
