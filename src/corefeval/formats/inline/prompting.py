"""Prompts for language models from a key, with or without its mentions; long documents in windows that overlap.

Mark every mention … as [words of the mention](#1) …

Text:
Tom went home . He slept .

Answer:
[Tom](#1) went home . [He](#1) slept .
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError, OptionError, check_choice, suggest_names
from corefeval.formats import read
from corefeval.formats.inline import crac, markdown, xml
from corefeval.formats.inline.writing import MarkedWord, mark_words, write_text
from corefeval.formats.shared.fitting import fit_corpus
from corefeval.notices import Notice

NOTATIONS = {"markdown": markdown, "xml": xml, "crac": crac}


class Prompt(NamedTuple):
    """A prompt: its document, the number of its window in it, its first word, counted from 0, and how many it has.

    text: what the model is to read. answer: the same with mentions; "" if the prompt is to be answered.
    instruction: what is to be done with it; "" if that is said elsewhere.
    """

    document: str
    window: int
    first: int
    words: int
    instruction: str
    text: str
    answer: str

    def __str__(self) -> str:
        instruction = f"{self.instruction}\n\n" if self.instruction else ""
        return f"{instruction}Text:\n{self.text}\nAnswer:\n{self.answer}"

    def to_dict(self) -> dict[str, object]:
        """Return the place of the prompt in its document, and the prompt, for JSON."""
        return {
            "document": self.document,
            "window": self.window,
            "first": self.first,
            "words": self.words,
            "prompt": str(self),
        }


class Prompts(NamedTuple):
    """Prompts in the order of the text, and notices of what they leave out of the key."""

    prompts: tuple[Prompt, ...]
    notices: tuple[Notice, ...]


def prompt(
    key: Corpus | str | os.PathLike[str],
    notation: str = "markdown",
    *,
    documents: Sequence[str] = (),
    window: int | None = None,
    overlap: int = 0,
    plain: bool = False,
    instruction: bool = True,
) -> Prompts:
    """Return a prompt for each document of a key, or for each window of it: examples, or, `plain`, to be answered.

    notation: how mentions are marked: "markdown", "xml" or "crac". documents: their names; all by default.
    window: at most how many words a window has; it ends with a sentence, if one ends in its second half.
    overlap: how many of its words are the next window's as well. instruction: whether it begins with what to do.
    """
    check_choice("notation", notation, tuple(NOTATIONS))
    if window is not None and not 0 <= 2 * overlap < window:
        raise OptionError(f"window={window}, overlap={overlap}: expected an overlap of less than half a window")
    if window is None and overlap:
        raise OptionError(f"overlap={overlap} without a window; say how many words it has: window=500")
    corpus = key if isinstance(key, Corpus) else read(key, side="key")
    if corpus.tokens is None and corpus.texts is None:
        raise InputError(Fault(corpus.source or "key", "the words are not known, so there is no text for a prompt"))
    for name in documents:
        if name not in corpus.documents:
            raise OptionError(f"there is no document {name!r}; {suggest_names(name, corpus.documents[:100])}")
    writer = NOTATIONS[notation]
    capacity = writer.CAPACITY._replace(document_names=None, names=True)
    part, notices = fit_corpus(corpus.select_documents(tuple(documents)) if documents else corpus, capacity, notation)
    made: list[Prompt] = []
    for document, name in enumerate(part.documents):
        words = mark_words(part, document)
        for number, (begin, end) in enumerate(_divide([word.sentence for word in words], window, overlap)):
            marked = mark_words(part, document, begin=begin, end=end, numbered=True)
            text = write_text([_unmark(word) for word in marked], writer.write_word)
            answer = "" if plain else write_text(marked, writer.write_word)
            said = writer.INSTRUCTION if instruction else ""
            made.append(Prompt(name, number, begin, end - begin, said, text, answer))
    return Prompts(tuple(made), notices)


def _unmark(word: MarkedWord) -> MarkedWord:
    """Return a word without mentions."""
    return word._replace(opening=(), single=(), closing=())


def _divide(sentence: Sequence[int], window: int | None, overlap: int) -> Iterator[tuple[int, int]]:
    """Yield where windows of words begin and end, given the sentence of each word; one of all words without `window`.

    >>> list(_divide([0, 0, 0, 1, 1, 1, 1], 4, 1))
    [(0, 3), (2, 6), (5, 7)]
    """
    begin, size = 0, len(sentence)
    while window is not None and size - begin > window:
        end = begin + window
        at_sentence = [
            place for place in range(begin + window // 2 + 1, end + 1) if sentence[place - 1] != sentence[place]
        ]
        end = at_sentence[-1] if at_sentence else end
        yield begin, end
        begin = end - overlap
    yield begin, size
