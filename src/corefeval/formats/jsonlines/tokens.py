"""The words of lines, from one buffer of all their parts: words, or sub-tokens that are put together."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.tokens import Tokens
from corefeval.formats.jsonlines.contents import SEPARATOR, SPECIAL, numbers, of_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.tokens import Places
    from corefeval.formats.jsonlines.contents import Content
    from corefeval.formats.shared.diagnostics import Diagnostics

_ZERO = SEPARATOR.encode()
_MARKS = tuple(mark.encode() for mark in ("##", "▁", "Ġ", " "))
_LONGEST = max(map(len, _MARKS))
_SPECIAL = frozenset(special.encode() for special in SPECIAL)


def tokens(contents: Sequence[Content], lines: Sequence[int], found: Diagnostics) -> Tokens | None:
    """The words of all documents, if they are known; a word with the separator in it is a fault."""
    if any(content.text is None for content in contents):
        return None
    parts = [content.words if content.part_word is None else len(content.part_word) for content in contents]
    buffer = _ZERO.join(_encoded(content.text) for content, count in zip(contents, parts, strict=True) if count)
    if np.count_nonzero(np.frombuffer(buffer, dtype=np.uint8) == 0) != max(0, sum(parts) - 1):
        for line, content, count in zip(lines, contents, parts, strict=True):
            if count and _encoded(content.text).count(_ZERO) != count - 1:
                found.add_fault(line, "a word has the character U+0000", "words of visible characters")
        return None
    counts = [content.words for content in contents]
    bounds = np.cumsum([0, *counts])
    sentence = _sentences(contents)
    places = partial(_between_separators, buffer, sum(parts))
    if any(content.part_word is not None for content in contents):
        word = _part_words(contents, bounds)
        cut = np.repeat([content.part_word is not None for content in contents], parts)
        buffer, places = _put_together(buffer, word, sum(counts), cut)
        sentence = of_words(sentence, word, sum(counts))
    return Tokens(buffer, places, np.repeat(lines, counts), bounds, numbers=sentence)


def _encoded(text: str | bytes | None) -> bytes:
    return text if isinstance(text, bytes) else (text or "").encode()


def _sentences(contents: Sequence[Content]) -> Ints:
    """The number of the sentence of every part."""
    if all(content.sentence is None for content in contents):
        return numbers(list(chain.from_iterable(content.sentences for content in contents)))
    return np.concatenate([numbers(each.sentences) if each.sentence is None else each.sentence for each in contents])


def _part_words(contents: Sequence[Content], bounds: Ints) -> Ints:
    """The word of every part, counted over all documents; -1 for none."""
    columns = [np.arange(each.words) if each.part_word is None else each.part_word for each in contents]
    word = np.concatenate(columns)
    return np.where(word < 0, -1, word + np.repeat(bounds[:-1], list(map(len, columns))))


def _between_separators(buffer: bytes, count: int) -> Places:
    """Where parts begin and end."""
    ends = np.append(np.flatnonzero(np.frombuffer(buffer, dtype=np.uint8) == 0), len(buffer))[:count]
    return np.append(0, ends[:-1] + 1)[:count], ends


def _put_together(buffer: bytes, word: Ints, count: int, cut: Booleans) -> tuple[bytes, partial[Places]]:
    """Join the sub-tokens of every word without their marks; words that have none are empty.

    cut: which parts are sub-tokens; others are words as they stand.
    """
    begin, end = _between_separators(buffer, len(word))
    page = np.frombuffer(bytearray(buffer + bytes(_LONGEST)), dtype=np.uint8)
    written = end - begin
    first = np.where(cut, page[begin], 0)
    for row in np.flatnonzero((first == ord("[")) | (first == ord("<")) | (word < 0)).tolist():
        if word[row] < 0 or buffer[begin[row] : end[row]] in _SPECIAL:
            page[begin[row] : end[row]] = 0
            written[row] = 0
    for mark in _MARKS:
        rows = np.flatnonzero((first == mark[0]) & (written >= len(mark)))
        for place, byte in enumerate(mark):
            rows = rows[page[begin[rows] + place] == byte]
        for place in range(len(mark)):
            page[begin[rows] + place] = 0
        written[rows] -= len(mark)
    return page.tobytes().translate(None, _ZERO), partial(_word_places, written, word, count)


def _word_places(written: Ints, word: Ints, count: int) -> Places:
    """Where words begin and end, from the lengths of sub-tokens."""
    ends = np.cumsum(written)
    inside = np.flatnonzero(word >= 0)
    first, last = (np.zeros(count, dtype=np.int64) for _ in range(2))
    last[word[inside]] = ends[inside]  # of several, the one that comes last stays
    inside = inside[::-1]
    first[word[inside]] = (ends - written)[inside]
    return first, last
