"""The letters of a document, whatever they are divided into: what two texts are compared by.

Letters are the same whatever their case and Unicode form; quotes and dashes whatever their kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from unicodedata import normalize

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus

_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
_WRITTEN_OUT = re.compile("|".join(_BRACKETS), re.IGNORECASE)
_ALIKE = {
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‘’‚‛′´`‹›", "'"),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
}
"""Quotes and dashes, and what they are read as."""


class Letters(NamedTuple):
    """What is visible of a document, the word (or character) of every letter, and how many of those there are.

    Units without a letter are zeros among words, and blanks among characters.
    """

    text: str
    unit: Ints
    units: int
    blanks: bool


def read_letters(corpus: Corpus, document: int, *, written_out: bool = False) -> Letters:
    """Return the visible characters of a document as `Letters`, each with its unit (word or character).

    Brackets and quotes that treebanks write out are read as what they stand for: "(" for -LRB-, in words and in text;
    written_out: as they are written.
    """
    return _read_letters(corpus, document, _read_words(corpus, document), written_out=written_out)


def _read_words(corpus: Corpus, document: int) -> list[str]:
    """Return the words of a document, "" for those that are not written in the text; [] if there are characters."""
    if corpus.tokens is None:
        return []
    words = corpus.tokens.words(document)
    if corpus.tokens.empty is None:
        return words
    empty = corpus.tokens.empty[corpus.tokens.rows(document)].tolist()
    return ["" if is_empty else word for word, is_empty in zip(words, empty, strict=True)]


def _read_letters(corpus: Corpus, document: int, words: list[str], *, written_out: bool) -> Letters:
    """Return what `read_letters` does, given what `_read_words` does."""
    if corpus.tokens is not None:
        visible = {word: _read_word(word, written_out=written_out) for word in set(words)}
        units = [visible[word] for word in words]
        owner = np.repeat(np.arange(len(units)), np.fromiter(map(len, units), dtype=np.int64, count=len(units)))
        return Letters("".join(units), owner, len(units), blanks=False)
    assert corpus.texts is not None  # noqa: S101 - the caller has seen to it
    # Its first character stands for all of -LRB-, and blanks for the others, so that characters keep their places.
    text = corpus.texts[document]
    if not written_out:
        text = _WRITTEN_OUT.sub(lambda found: _read_bracket(found).ljust(len(found[0])), text)
    is_visible = _look_up(text, lambda character: not character.isspace())
    blanks = {ord(character): None for character in set(text) if character.isspace()}
    return Letters(text.translate(blanks), np.flatnonzero(is_visible), len(text), blanks=True)


def _read_word(word: str, *, written_out: bool) -> str:
    """Return the visible characters of a word; with `written_out`, brackets that treebanks write out as they are."""
    word = word if written_out else _WRITTEN_OUT.sub(_read_bracket, word)
    return "".join(word.replace("\\/", "/").split())


def _look_up(text: str, find: Callable[[str], int]) -> Ints:
    """Return what `find` returns for each character of a text, having asked once for each that there is."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    table = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)
    for character in set(text):
        table[ord(character)] = find(character)
    return table[codes]


def _read_bracket(found: re.Match[str]) -> str:
    """Return the character that -LRB- and the like stand for."""
    return _BRACKETS[found[0].upper()]


def read_both_letters(key: Corpus, response: Corpus, document: int) -> tuple[Letters, Letters]:
    """Return two `Letters` of a document, of key and response; folded (case, Unicode form) if they differ otherwise."""
    sides = [(corpus, document, _read_words(corpus, document)) for corpus in (key, response)]
    ours, theirs = (_read_letters(*side, written_out=True) for side in sides)
    if ours.text == theirs.text:
        return ours, theirs  # -LRB- on both sides, which words may divide in different ways
    if any(_WRITTEN_OUT.search(side.text) for side in (ours, theirs)):
        ours, theirs = (_read_letters(*side, written_out=False) for side in sides)
    return (ours, theirs) if ours.text == theirs.text else (_fold_letters(ours), _fold_letters(theirs))


def read_folded_text(corpus: Corpus, document: int) -> str:
    """Return the letters of a document, the same for every case, Unicode form and division into words."""
    return _fold_letters(read_letters(corpus, document)).text


def _fold_letters(side: Letters) -> Letters:
    """Return `Letters` without differences of case and Unicode form; all that a letter becomes keep its unit."""
    folded = {letter: _fold_letter(letter) for letter in set(side.text)}
    text = side.text.translate({ord(letter): form for letter, form in folded.items()})
    if all(len(letter) == 1 for letter in folded.values()):
        return side._replace(text=text)
    return side._replace(text=text, unit=np.repeat(side.unit, _look_up(side.text, lambda letter: len(folded[letter]))))


@lru_cache(maxsize=1 << 16)
def _fold_letter(letter: str) -> str:
    """Return a letter in lower case and decomposed, so that it is the same composed or not; quotes and dashes alike.

    >>> _fold_letter("\N{LATIN SMALL LIGATURE FI}"), _fold_letter("\N{EM DASH}"), len(_fold_letter("é"))
    ('fi', '-', 2)
    """
    decomposed = normalize("NFKD", normalize("NFKD", _ALIKE.get(letter, letter)).casefold())
    return "".join(_ALIKE.get(each, each) for each in decomposed if not each.isspace()) or letter
