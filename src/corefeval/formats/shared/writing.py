"""What writers share: names and ids that a file can carry, and the order of brackets around mentions."""

from __future__ import annotations

from itertools import count, repeat
from typing import TYPE_CHECKING

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from corefeval.corpus.corpus import Corpus


def make_distinct(
    names: Iterable[str], groups: Iterable[Hashable] = repeat(0), seen_as: Callable[[str], str] = str
) -> list[str]:
    """The names, with numbers behind those that are taken already; "_" stands for an empty one.

    groups: the group of every name, within which names must differ; by default all are in one.
    seen_as: what must differ of names.

    >>> make_distinct(["a", "b", "a", ""])
    ['a', 'b', 'a_2', '_']
    """
    taken: set[tuple[Hashable, str]] = set()
    numbers = count(2)
    distinct = []
    for wanted, group in zip(names, groups, strict=False):
        name = wanted or "_"
        while (group, seen_as(name)) in taken:
            name = f"{wanted}_{next(numbers)}"
        taken.add((group, seen_as(name)))
        distinct.append(name)
    return distinct


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
