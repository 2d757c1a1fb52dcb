"""What writers share: names that a file can carry, and the words of a document with their ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import count, groupby, repeat

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.limits import MAX_OFFSET, get_limit, tell_how_to_raise
from corefeval.errors import Fault, InputError


def make_distinct(
    names: Iterable[str], groups: Iterable[Hashable] = repeat(0), seen_as: Callable[[str], str] = str
) -> list[str]:
    """Return the names, with numbers behind those that are taken already; "_" stands for an empty one.

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


def respell_names(names: Sequence[str], spell: Callable[[str], str], seen_as: Callable[[str], str] = str) -> list[str]:
    """Return names as a format can spell them, still different from each other; those that it can spell stay.

    spell: returns the nearest name that the format has; "" for "" means that it can leave a document unnamed.

    >>> respell_names(["a b", "a_b", "c"], lambda name: name.replace(" ", "_"))
    ['a_b_2', 'a_b', 'c']
    """
    wanted = [spell(name) for name in names]
    order = sorted(range(len(wanted)), key=lambda row: wanted[row] != names[row])
    distinct = dict(zip(order, make_distinct((wanted[row] for row in order), seen_as=seen_as), strict=True))
    return ["" if name == wanted[row] == "" else distinct[row] for row, name in enumerate(names)]


def replace_surrogates(text: str, by: str = "\ufffd") -> str:
    """Return a text with every surrogate (half a character, which no file can hold) replaced, by default by U+FFFD."""
    return re.sub(_SURROGATE, by, text)


def spell_in_header(name: str) -> str:
    """Return a document's name as the line that begins it can have it: single blanks, no line break, no surrogates.

    >>> spell_in_header(" a \\n b")
    'a b'
    """
    return re.sub(_BLANKS, " ", replace_surrogates(name)).strip(" ")


def encode_words(text: str) -> bytes:
    """Return text as UTF-8 bytes; surrogates that stand for bytes become these bytes, other surrogates U+FFFD."""
    return re.sub(_NO_BYTE, "\ufffd", text).encode("utf-8", "surrogateescape")


def avoid_names(wanted: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Return for each wanted name, by itself, the name to use: with underscores behind it where it is taken already.

    >>> avoid_names(["a", "b"], ["a"])
    {'a': 'a_', 'b': 'b'}
    """
    used = set(taken)
    names = {}
    for key in wanted:
        name = key
        while name in used:
            name += "_"
        used.add(name)
        names[key] = name
    return names


SEPARATORS = r"[\0 \t\n\r]"
"""What no cell of a file with columns can have in it: what separates columns and lines, and NUL."""

_SURROGATE = "[\ud800-\udfff]"
_BLANKS = rf"{SEPARATORS}+"
_NO_BYTE = "[\ud800-\udc7f\udd00-\udfff]"


class DocumentWords(NamedTuple):
    """The words of a document, the sentence of each, which of them are zeros, and where they are in the corpus."""

    forms: list[str]
    sentence: list[int]
    is_zero: list[bool]
    here: slice

    def split_sentences(self) -> list[list[int]]:
        """Return a list for every sentence: the numbers of its words in the document, from 0."""
        return [list(places) for _, places in groupby(range(len(self.sentence)), self.sentence.__getitem__)]


def get_words(corpus: Corpus, document: int, length: int) -> DocumentWords:
    """Return the words of a document, their sentences and zeros; `length` underscores if the corpus has no words.

    Raises an error if the document has fewer words than `length`, which its mentions need.
    """
    tokens = corpus.tokens
    if tokens is None:
        if length > get_limit(MAX_OFFSET):
            what = f"a mention of document {corpus.documents[document]!r} ends at {length - 1}"
            hint = tell_how_to_raise(MAX_OFFSET)
            raise InputError(Fault(corpus.source or "corpus", what, f"at most {get_limit(MAX_OFFSET):,} words", hint))
        return DocumentWords(["_"] * length, [0] * length, [False] * length, slice(0, length))
    if length > tokens.length(document):
        what = f"a mention ends after the last word of document {corpus.documents[document]!r}"
        raise InputError(Fault(corpus.source or "corpus", what))
    here = tokens.rows(document)
    return DocumentWords(tokens.words(document), tokens.sentence[here].tolist(), tokens.unwritten[here].tolist(), here)


def number_words(is_zero: Iterable[bool]) -> list[str]:
    """Return the ids of words: numbers from 1, and 7.1 for the first zero after word 7.

    >>> number_words([False, True, False])
    ['1', '1.1', '2']
    """
    ids = []
    word = zero = 0
    for each in is_zero:
        word, zero = (word, zero + 1) if each else (word + 1, 0)
        ids.append(f"{word}.{zero}" if each else str(word))
    return ids
