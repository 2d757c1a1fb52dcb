"""Span errors: response mentions with the wrong span of a key mention (Kummerfeld & Klein 2013).

Among the mentions without a twin, a response mention has the wrong boundaries of a key mention

1. if both are the same words once leading punctuation and `the`, and trailing punctuation and `'s`, are left off, where
   punctuation is a word of one character that is no letter or digit;
2. or if they have the same head word, and no other mention without a twin on either side has it.

The head is the one that the file gives; else, where the key has parse trees, that of the constituent which the mention
is, or its last word if it is none, as in the analyser of Kummerfeld & Klein; else the last noun before a preposition,
comma, verb or relative pronoun, where there are parts of speech; else the last word before an English preposition,
relative pronoun or comma.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import cache

import numpy as np

from corefeval._arrays import Ints
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.heads import get_word_classes, guess_head
from corefeval.corpus.mentions import Spans
from corefeval.corpus.trees import find_constituent_heads
from corefeval.matching import places
from corefeval.overlap.views import Rows

_LEADING = frozenset({"the"})
_TRAILING = frozenset({"'s", "’s"})


def find_span_errors(rows: Rows) -> tuple[Ints, Ints]:
    """Return key rows and response rows, two arrays, of mentions that are the same but for their spans.

    They are mentions without a twin, and twins that share only part of their words.
    """
    partial = np.zeros(0, dtype=np.int64) if rows.credit is None else np.flatnonzero(rows.credit < 1)
    key, response = rows.twin_key[partial], rows.twin_response[partial]
    words = _KeyWords.from_rows(rows)
    if words is None:
        return key, response
    ours, theirs = (np.flatnonzero(twin < 0).tolist() for twin in rows.find_twins())
    pairs: list[tuple[int, int]] = []
    for name, several in ((words.list_inner_words, True), (words.find_head, False)):
        pairs += _pair_by_name(rows, ours, theirs, name, several=several)
        paired = [frozenset(side) for side in zip(*pairs, strict=True)] or [frozenset(), frozenset()]
        ours, theirs = (
            [row for row in left if row not in gone] for left, gone in zip((ours, theirs), paired, strict=True)
        )
    more_key, more_response = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    return np.concatenate([key, more_key]), np.concatenate([response, more_response])


def _pair_by_name(
    rows: Rows, ours: Sequence[int], theirs: Sequence[int], name: Callable[[Corpus, int], Hashable], *, several: bool
) -> list[tuple[int, int]]:
    """Return pairs (key row, response row) of a document that `name` names alike; unless `several`, only if unique."""
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
        self.words = cache(words)  # of a document
        self._find_constituent_heads = cache(self._read_trees)

    def _read_trees(self, document: int) -> dict[tuple[int, int], int]:
        """Return {(first word, last word): head word} of a document's constituents; empty if the key has no trees."""
        tokens = self.key.tokens
        if tokens is None or self.step > 1 or not {"parse", "pos"} <= tokens.attributes.keys():
            return {}
        own = tokens.rows(document)
        return find_constituent_heads(*(list(tokens.attributes[name])[own] for name in ("parse", "pos")))

    @classmethod
    def from_rows(cls, rows: Rows) -> _KeyWords | None:
        """Return _KeyWords of the key; None unless mentions of both sides are spans, and the key has a text."""
        key = rows.key
        if not isinstance(key.mentions, Spans) or not isinstance(rows.response.mentions, Spans):
            return None
        if key.tokens is not None:
            tokens = key.tokens.without_empty() if places.find_step(key) > 1 else key.tokens
            return cls(key, lambda document: tokens.all_words[tokens.rows(document)])
        return None if key.texts is None else cls(key, key.texts.__getitem__)

    def list_inner_words(self, corpus: Corpus, row: int) -> tuple[int, ...] | None:
        """Return places of a mention's words without articles and punctuation at its ends; None if none is written."""
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - see `from_rows`
        words = self.words(int(corpus.document[row]))
        written = self._list_written_words(places.list_words(corpus.mentions.runs(row), self.step))
        found = [place for place in written if place < len(words)]
        first, last = 0, len(found) - 1
        while first < last and _is_listed_or_punctuation(words[found[first]], _LEADING):
            first += 1
        while first < last and _is_listed_or_punctuation(words[found[last]], _TRAILING):
            last -= 1
        return tuple(found[first : last + 1]) or None

    def find_head(self, corpus: Corpus, row: int) -> int | None:
        """Return the place of a mention's head word, given or guessed; None if it has no written words."""
        given = int(corpus.heads.start[row]) if corpus.heads is not None else -1
        if given >= 0:
            return next(iter(self._list_written_words([given])), None)
        document = int(corpus.document[row])
        by_tree = self._find_head_by_tree(corpus, row, document)
        if by_tree is not None:
            return by_tree
        found = self.list_inner_words(corpus, row)
        if found is None:
            return None
        if self.step > 1:
            return found[-1]
        classes = None if self.key.tokens is None else get_word_classes(self.key.tokens, document, found)
        return found[guess_head([self.words(document)[place] for place in found], classes)]

    def _find_head_by_tree(self, corpus: Corpus, row: int, document: int) -> int | None:
        """Return the head's place in the constituent that a mention is, or its last word's; None without trees."""
        heads = self._find_constituent_heads(document)
        if not heads:
            return None
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - see `from_rows`
        first, last = int(corpus.mentions.start[row]), int(corpus.mentions.end[row])
        return last if first == last else heads.get((first, last), last)

    def _list_written_words(self, found: list[int]) -> list[int]:
        """Return these places as numbers of the key's words; places between words, which zeros have, are dropped."""
        if self.step == 1:
            return found
        return [place // self.step - 1 for place in found if place % self.step == 0]


def _is_listed_or_punctuation(word: str, words: frozenset[str]) -> bool:
    """Return whether a word is one of `words`, or a single character that is no letter or digit."""
    return word in words or (len(word) == 1 and not word.isalnum())
