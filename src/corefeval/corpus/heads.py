"""The head of a mention: the word that stands for all of it.

It is the one that the file gives. Where none is given, it is guessed: by parts of speech (CoNLL-2012, CorefUD and
CoNLL-U Plus have them) the last noun before the first preposition, comma, verb or relative pronoun, a possessor left
aside; without them, the last word before an English preposition, relative pronoun, comma or the like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval.corpus.mentions import Spans

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.tokens import Tokens

UNTAGGED, PRONOUN, NAME, NOUN, POSSESSIVE, STOP, RELATIVE, DETERMINER, OTHER = range(-1, 8)
"""What a part of speech says about a word: a mention's head comes before the first STOP or RELATIVE behind a noun.

A PRONOUN, RELATIVE or DETERMINER that is a whole mention is a pronoun: "which", "this".
"""

PRONOUNS = (PRONOUN, RELATIVE, DETERMINER)

_TAG_ATTRIBUTES = ("upos", "pos", "xpos")
_WORD_CLASSES = {
    **dict.fromkeys(("PRON", "PRP", "PRP$", "WP", "WP$", "PPER", "PPOSAT", "PRELS", "PRF", "PDS"), PRONOUN),
    **dict.fromkeys(("PROPN", "NNP", "NNPS", "NE", "NR"), NAME),
    **dict.fromkeys(("NOUN", "NN", "NNS"), NOUN),
    **dict.fromkeys(("ADP", "SCONJ", "VERB", "AUX", "PUNCT", "IN", "TO", ",", ":", "-LRB-", "VBD", "VBZ", "VBP", "MD"),
                    STOP),
    **dict.fromkeys(("WDT", "WRB"), RELATIVE),
    **dict.fromkeys(("DT", "DET"), DETERMINER),
    "POS": POSSESSIVE,
}  # fmt: skip
_STOP_WORDS = """
of in on at by for from with without within to into onto over under about against between among through during near
behind beside beyond across along around above below since until till like as than who whom whose which that where when
, ( -lrb- : ;
"""
_ENGLISH_STOPS = frozenset(_STOP_WORDS.split())


def fill_missing_heads(heads: Spans | None, default: Ints) -> Spans:
    """Return the span of each mention's head: as given, or of the one default word where none is given."""
    if heads is None:
        return Spans(default, default)
    given = heads.start >= 0
    return Spans(np.where(given, heads.start, default), np.where(given, heads.end, default), heads.pieces)


def guess_head(words: Sequence[str], classes: Sequence[int] | None) -> int:
    """Return the head's place among a mention's words: by word classes, or if these are None, by English stop words.

    >>> guess_head(["the", "mayor", "of", "Kyiv"], None)
    1
    """
    if classes is None:
        stops = (place for place, word in enumerate(words) if place and word.lower() in _ENGLISH_STOPS)
        return next(stops, len(words)) - 1
    return guess_head_by_classes(classes)


def guess_head_by_classes(classes: Sequence[int]) -> int:
    """Return the head's place in a list of word classes: the last noun before a stop, no possessor; else the last."""
    head = -1
    for place, word_class in enumerate(classes):
        if word_class in (NAME, NOUN):
            head = place
        elif word_class == POSSESSIVE:
            head = -1
        elif word_class in (STOP, RELATIVE) and head >= 0:
            break
    return head if head >= 0 else len(classes) - 1


def guess_head_text(corpus: Corpus, row: int) -> str:
    """Return the word guessed to be the head of a mention, whatever the file gives; "" where no words are known."""
    spans, tokens = corpus.in_own_words().mentions, corpus.tokens
    if tokens is None:
        words = (corpus.words_of(row) or "").split()
        return words[guess_head(words, None)] if words else ""
    runs, document = spans.runs(row), int(corpus.document[row])  # type: ignore[union-attr]
    places = [place for first, last in runs for place in range(first, last + 1)]
    words = [word for run in runs for word in tokens.words(document, *run)]
    return words[guess_head(words, get_word_classes(tokens, document, places))]


def get_word_classes(tokens: Tokens, document: int, places: Sequence[int]) -> list[int] | None:
    """Return the class codes of the words at these places of a document; None if no parts of speech are known."""
    if tokens.word_classes is None:
        return None
    classes: list[int] = tokens.word_classes[tokens.rows(document)][list(places)].tolist()
    return classes


def list_tag_attributes(attributes: Mapping[str, object]) -> list[str]:
    """Return those names of attributes that mean parts of speech: upos, pos and xpos in any case, in this order."""
    named = {name.lower(): name for name in attributes}
    return [named[name] for name in _TAG_ATTRIBUTES if name in named]


def find_word_classes(attributes: Mapping[str, Sequence[str]]) -> Ints | None:
    """Return a class code for every word, by the first attribute with known parts of speech; None if there is none."""
    for name in list_tag_attributes(attributes):
        tags = list(attributes[name])
        if not _WORD_CLASSES.keys().isdisjoint(tags):
            return np.array([_WORD_CLASSES.get(tag, OTHER) if tag else UNTAGGED for tag in tags], dtype=np.int64)
    return None
