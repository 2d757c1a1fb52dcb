"""Span errors: response mentions with the wrong span of a key mention (Kummerfeld & Klein 2013).

Among the mentions without a twin, a response mention has the wrong boundaries of a key mention

1. if both are the same words once leading punctuation and `the`, and trailing punctuation and `'s`, are left off;
2. or if they have the same head word, and no other mention without a twin on either side has it.

The head is the one that the file gives; else the last noun before a preposition, comma, verb or relative pronoun, where
there are parts of speech; else the last word before an English preposition, relative pronoun or comma. The analyser of
Kummerfeld & Klein takes heads from parse trees.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.heads import get_word_classes, guess_head
from corefeval.corpus.mentions import Spans
from corefeval.matching import places

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.overlap.views import Rows

_LEADING = frozenset({"the"})
_TRAILING = frozenset({"'s", "’s"})


class SpanErrors(NamedTuple):
    """Rows of key and response that are the same mention with different spans."""

    key: Ints
    response: Ints


def find_span_errors(rows: Rows) -> SpanErrors:
    """Match mentions without a twin; twins that share only part of their words are span errors, too."""
    spans = _KeyWords.from_rows(rows)
    partly = _find_overlapping(rows)
    if spans is None:
        return partly
    ours = _list_twinless(len(rows.key), rows.twin_key)
    theirs = _list_twinless(len(rows.response), rows.twin_response)
    pairs: list[tuple[int, int]] = []
    for name, several in ((spans.strip_words, True), (spans.find_head, False)):
        matched = _match_by_name(rows, ours, theirs, name, several=several)
        pairs += matched
        keys, responses = {key for key, _ in matched}, {response for _, response in matched}
        ours = [row for row in ours if row not in keys]
        theirs = [row for row in theirs if row not in responses]
    key, response = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    return SpanErrors(np.concatenate([partly.key, key]), np.concatenate([partly.response, response]))


def _find_overlapping(rows: Rows) -> SpanErrors:
    """Twins that are worth less than a whole mention, where the matching rule gives credit in parts."""
    less = np.zeros(len(rows.twin_key), dtype=np.bool_) if rows.credit is None else rows.credit < 1
    return SpanErrors(rows.twin_key[less], rows.twin_response[less])


def _list_twinless(count: int, twins: Ints) -> list[int]:
    alone = np.ones(count, dtype=np.bool_)
    alone[twins] = False
    return np.flatnonzero(alone).tolist()


def _match_by_name(
    rows: Rows,
    ours: Sequence[int],
    theirs: Sequence[int],
    name: Callable[[Corpus, int], Hashable],
    *,
    several: bool,
) -> list[tuple[int, int]]:
    """Mentions of one name, in order; unless `several`, only where each side has one."""
    having: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, (corpus, listed) in enumerate(((rows.key, ours), (rows.response, theirs))):
        for row in listed:
            named = name(corpus, row)
            if named is not None:
                having[int(corpus.document[row]), named][side].append(row)
    groups = having.values() if several else [both for both in having.values() if len(both[0]) == len(both[1]) == 1]
    return [pair for keys, responses in groups for pair in zip(keys, responses, strict=False)]


class _KeyWords:
    """The words of mentions of both sides, all as words of the key (or as characters of its text)."""

    def __init__(self, key: Corpus, words: Callable[[int], Sequence[str]]) -> None:
        self.key, self.step = key, places.find_step(key)
        self.words = words
        self._documents: dict[int, Sequence[str]] = {}

    @classmethod
    def from_rows(cls, rows: Rows) -> _KeyWords | None:
        key = rows.key
        if not isinstance(key.mentions, Spans) or not isinstance(rows.response.mentions, Spans):
            return None
        if key.tokens is not None:
            tokens = key.tokens.without_empty() if places.find_step(key) > 1 else key.tokens
            return cls(key, tokens.words)
        texts = key.texts
        return None if texts is None else cls(key, texts.__getitem__)

    def strip_words(self, corpus: Corpus, row: int) -> Hashable:
        """Return the places of its words but for articles and punctuation at its ends; None if no words are written."""
        found = self._find_places(corpus, row)
        words = self._list_words(int(corpus.document[row]))
        while len(found) > 1 and _is_left_off(words[found[0]], _LEADING):
            found = found[1:]
        while len(found) > 1 and _is_left_off(words[found[-1]], _TRAILING):
            found = found[:-1]
        return tuple(found) or None

    def find_head(self, corpus: Corpus, row: int) -> Hashable:
        """Return the place of its head word, given or guessed."""
        given = int(corpus.heads.start[row]) if corpus.heads is not None else -1
        if given >= 0:
            return self._keep_written([given])[0] if self._keep_written([given]) else None
        found = self.strip_words(corpus, row)
        if not isinstance(found, tuple):
            return None
        document = int(corpus.document[row])
        if self.step > 1:
            return found[-1]
        classes = None if self.key.tokens is None else get_word_classes(self.key.tokens, document, found)
        return found[guess_head([self._list_words(document)[place] for place in found], classes)]

    def _find_places(self, corpus: Corpus, row: int) -> list[int]:
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - see `from_rows`
        known = len(self._list_words(int(corpus.document[row])))
        found = self._keep_written(places.list_words(corpus.mentions.runs(row), self.step))
        return [place for place in found if place < known]

    def _keep_written(self, found: list[int]) -> list[int]:
        if self.step == 1:
            return found
        return [place // self.step - 1 for place in found if place % self.step == 0]

    def _list_words(self, document: int) -> Sequence[str]:
        if document not in self._documents:
            self._documents[document] = self.words(document)
        return self._documents[document]


def _is_left_off(word: str, words: frozenset[str]) -> bool:
    return word.lower() in words or not any(letter.isalnum() for letter in word)
