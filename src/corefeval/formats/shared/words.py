"""What writers of formats with a word on every line share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefeval.corpus.corpus import Corpus


def check_length(corpus: Corpus, document: int, length: int) -> None:
    """Raise an error if a document, whose mentions reach over `length` words, is known to have fewer."""
    if corpus.tokens is not None and length > corpus.tokens.length(document):
        what = f"a mention ends after the last word of document {corpus.documents[document]!r}"
        raise InputError(Fault(corpus.source or "corpus", what))


def number_words(is_zero: Iterable[bool]) -> list[str]:
    """The ids of words: numbers from 1, and 7.1 for the first zero after word 7.

    >>> number_words([False, True, False])
    ['1', '1.1', '2']
    """
    ids = []
    word = zero = 0
    for each in is_zero:
        word, zero = (word, zero + 1) if each else (word + 1, 0)
        ids.append(f"{word}.{zero}" if each else str(word))
    return ids
