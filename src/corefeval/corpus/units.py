"""Words and characters: a corpus in the unit that is wanted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.corpus.remapping import MovedCorpus, NewPlaces, move_corpus
from corefeval.corpus.tokens import Tokens

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

_WORD = re.compile(r"\w+|[^\w\s]")


def convert_to_words(corpus: Corpus) -> MovedCorpus:
    """A corpus of characters in words. Words end where mentions do, so only mentions of nothing but blanks are lost."""
    assert corpus.texts is not None  # noqa: S101 - characters come with their text
    cuts = _cuts(corpus)
    words: list[list[str]] = []
    numbers: list[int] = []
    places = []
    for text, cut in zip(corpus.texts, cuts, strict=True):
        spans = [span for match in _WORD.finditer(text) for span in _cut(*match.span(), cut)]
        words.append([text[a:b] for a, b in spans])
        before = np.cumsum(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4") == ord("\n"))
        numbers.extend(int(before[a]) for a, _ in spans)
        places.append(_characters_to_words(spans, len(text)))
    found, lost = move_corpus(corpus, places)
    tokens = Tokens.of_words(words, numbers=np.array(numbers, dtype=np.int64))
    return MovedCorpus(found.replaced(tokens=tokens, texts=None, layers=_with(found, tokens=tokens, texts=None)), lost)


def convert_to_characters(corpus: Corpus) -> MovedCorpus:
    """A corpus of words in characters: words with blanks between them, sentences on lines of their own.

    Mentions of words without letters are lost. Words that are not written in the text must have been left out before.
    """
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    texts = []
    places = []
    for document in range(len(corpus.documents)):
        sentences = corpus.tokens.sentences(document)
        length = np.array([len(word) for sentence in sentences for word in sentence], dtype=np.int64)
        start = np.cumsum(length + 1) - length - 1
        texts.append("\n".join(" ".join(sentence) for sentence in sentences))
        places.append(NewPlaces(start, start + length - 1))
    found, lost = move_corpus(corpus, places)
    layers = _with(found, tokens=None, texts=tuple(texts))
    return MovedCorpus(found.replaced(tokens=None, texts=tuple(texts), layers=layers), lost)


def remove_empty_words(corpus: Corpus) -> MovedCorpus:
    """A corpus without the words that are not written in its text, and without the mentions that consist of them."""
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    places = []
    for document in range(len(corpus.documents)):
        here = slice(int(corpus.tokens.bounds[document]), int(corpus.tokens.bounds[document + 1]))
        empty = np.zeros(here.stop - here.start, dtype=np.bool_)
        if corpus.tokens.empty is not None:
            empty = corpus.tokens.empty[here]
        last = np.cumsum(~empty) - 1
        places.append(NewPlaces(last + empty, last))
    found, lost = move_corpus(corpus, places)
    tokens = corpus.tokens.without_empty()
    return MovedCorpus(found.replaced(tokens=tokens, layers=_with(found, tokens=tokens)), lost)


def _with(corpus: Corpus, **changes: object) -> dict[str, Corpus]:
    """The layers of a corpus over other words."""
    return {name: layer.replaced(**changes) for name, layer in corpus.layers.items()}


def _cuts(corpus: Corpus) -> list[set[int]]:
    """Where words must end in each document, because something marked begins or ends there."""
    cuts: list[set[int]] = [set() for _ in corpus.documents]
    for part in (corpus, *corpus.layers.values()):
        for column in (part.mentions, part.heads, part.minimums):
            if not isinstance(column, Spans):
                continue
            for row, document in enumerate(part.document.tolist()):
                for first, last in column.runs(row):
                    cuts[document].update((first, last + 1))
    return cuts


def _cut(begin: int, end: int, cuts: set[int]) -> list[tuple[int, int]]:
    """A word in as many words as there are cuts in it."""
    inside = [place for place in range(begin + 1, end) if place in cuts]
    return list(zip([begin, *inside], [*inside, end], strict=True))


def _characters_to_words(spans: list[tuple[int, int]], length: int) -> NewPlaces:
    """For every character the word that it is in; for a blank, the word behind or before it."""
    starts, ends = (np.array(column, dtype=np.int64) for column in (zip(*spans, strict=True) if spans else ((), ())))
    character = np.arange(length)
    return NewPlaces(
        np.searchsorted(ends, character, side="right"), np.searchsorted(starts, character, side="right") - 1
    )
