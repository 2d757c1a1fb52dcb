"""The letters of a document, whatever they are divided into: what two texts are compared by.

Letters are the same whatever their case and Unicode form; quotes and dashes whatever their kind.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus

_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
_WRITTEN_OUT = "(?i)" + "|".join(_BRACKETS)
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
    if corpus.tokens is not None:
        words = corpus.tokens.words(document)
        if not written_out and re.search(_WRITTEN_OUT, " ".join(words)):
            words = [re.sub(_WRITTEN_OUT, _read_bracket, word) for word in words]
        units = ["".join(word.replace("\\/", "/").split()) for word in words]
        if corpus.tokens.empty is not None:
            empty = corpus.tokens.empty[corpus.tokens.rows(document)].tolist()
            units = ["" if is_empty else unit for unit, is_empty in zip(units, empty, strict=True)]
    else:
        assert corpus.texts is not None  # noqa: S101 - the caller has seen to it
        # Its first character stands for all of -LRB-, and blanks for the others, so that characters keep their places.
        text = corpus.texts[document]
        if not written_out:
            text = re.sub(_WRITTEN_OUT, lambda found: _read_bracket(found).ljust(len(found[0])), text)
        units = ["" if character.isspace() else character for character in text]
    owner = np.repeat(np.arange(len(units)), np.array([len(unit) for unit in units], dtype=np.int64))
    return Letters("".join(units), owner, len(units), blanks=corpus.tokens is None)


def _read_bracket(found: re.Match[str]) -> str:
    """Return the character that -LRB- and the like stand for."""
    return _BRACKETS[found[0].upper()]


def read_both_letters(key: Corpus, response: Corpus, document: int) -> tuple[Letters, Letters]:
    """Return two `Letters` of a document, of key and response; folded (case, Unicode form) if they differ otherwise."""
    ours, theirs = (read_letters(corpus, document, written_out=True) for corpus in (key, response))
    if ours.text == theirs.text:
        return ours, theirs  # -LRB- on both sides, which words may divide in different ways
    if any(re.search(_WRITTEN_OUT, side.text) for side in (ours, theirs)):
        ours, theirs = read_letters(key, document), read_letters(response, document)
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
    length = np.fromiter((len(folded[letter]) for letter in side.text), dtype=np.int64, count=len(side.text))
    return side._replace(text=text, unit=np.repeat(side.unit, length))


@lru_cache(maxsize=1 << 16)
def _fold_letter(letter: str) -> str:
    """Return a letter in lower case and decomposed, so that it is the same composed or not; quotes and dashes alike.

    >>> _fold_letter("\N{LATIN SMALL LIGATURE FI}"), _fold_letter("\N{EM DASH}"), len(_fold_letter("é"))
    ('fi', '-', 2)
    """
    decomposed = normalize("NFKD", normalize("NFKD", _ALIKE.get(letter, letter)).casefold())
    return "".join(_ALIKE.get(each, each) for each in decomposed if not each.isspace()) or letter
