"""Responses that need no system: the boundaries of the scale, chance, and the same words or heads.

singletons    every mention of the key is an entity of its own
one-entity    all mentions of a document are one entity
random        the key's mentions, shuffled into entities of the key's sizes (Popescu-Belis 1999, 4.1)
string-match  mentions with the same words are one entity, whatever the case of their letters
head-match    mentions with the same head are one entity (Recasens & Hovy 2011, table 14)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.labels import number_by_first_occurrence
from corefeval.errors import OptionError, check_choice
from corefeval.notices import Notice
from corefeval.scoring.score import read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.scoring.score import Source

_NO_WORDS = frozenset("_")
_BEHIND_THE_HEAD = frozenset(
    [
        ",",
        "of",
        "in",
        "on",
        "at",
        "for",
        "from",
        "with",
        "to",
        "by",
        "about",
        "between",
        "who",
        "whom",
        "whose",
        "which",
        "that",
        "where",
        "when",
        "-LRB-",
        "(",
        ":",
        ";",
    ]
)


def baseline(key: Source, kind: str, *, seed: int = 0) -> Corpus:
    """A response to a key that a system should beat: "singletons", "one-entity", "random", "string-match", ..."""
    check_choice("kind", kind, tuple(KINDS))
    return KINDS[kind](read(key), seed)


def _singletons(key: Corpus, seed: int) -> Corpus:  # noqa: ARG001 - every kind has the same arguments
    return _grouped(key, np.arange(len(key)))


def _one_entity(key: Corpus, seed: int) -> Corpus:  # noqa: ARG001
    return _grouped(key, key.document)


def _random(key: Corpus, seed: int) -> Corpus:
    return _grouped(key, dealt(key, np.random.default_rng(seed)))


def dealt(corpus: Corpus, random: np.random.Generator) -> Ints:
    """An entity for every mention: each document's mentions in random order, dealt out to its entities."""
    rows = np.lexsort((random.random(len(corpus)), corpus.document))
    found = np.empty(len(corpus), dtype=np.int64)
    found[rows] = np.sort(corpus.entity)
    return found


def _string_match(key: Corpus, seed: int) -> Corpus:  # noqa: ARG001
    _needs_words(key, "string-match")
    return _alike(key, [key.words_of(row) or "" for row in range(len(key))])


def _head_match(key: Corpus, seed: int) -> Corpus:  # noqa: ARG001
    _needs_words(key, "head-match")
    if key.heads is None:
        found = _alike(key, [_guessed_head((key.words_of(row) or "").split()) for row in range(len(key))])
        message = (
            f"{key.source or 'the key'} gives no heads: the last word before a preposition, a relative pronoun or a "
            "comma is taken for the head, a rule for English"
        )
        return found.replaced(notices=(*found.notices, Notice("guessed-heads", message)))
    at_heads = key.replaced(mentions=key.heads)
    without = key.heads.start < 0
    words = [key.words_of(row) if without[row] else at_heads.words_of(row) for row in range(len(key))]
    return _alike(key, [word or "" for word in words])


KINDS: dict[str, Callable[[Corpus, int], Corpus]] = {
    "singletons": _singletons,
    "one-entity": _one_entity,
    "random": _random,
    "string-match": _string_match,
    "head-match": _head_match,
}


def _needs_words(key: Corpus, kind: str) -> None:
    if key.tokens is None and key.texts is None:
        raise OptionError(f"kind={kind} needs words, but {key.source or 'the key'} has none")


def _guessed_head(words: Sequence[str]) -> str:
    behind = next((place for place, word in enumerate(words) if place and word.lower() in _BEHIND_THE_HEAD), len(words))
    return words[behind - 1] if words else ""


def _alike(key: Corpus, words: Sequence[str]) -> Corpus:
    """Mentions of a document with the same words together; those without any, as zeros may be, by themselves."""
    seen: dict[tuple[int, str | int], int] = {}
    documents = key.document.tolist()
    places = [
        (document, row if set(word.split()) <= _NO_WORDS else word.casefold())
        for row, (document, word) in enumerate(zip(documents, words, strict=True))
    ]
    return _grouped(key, np.array([seen.setdefault(place, len(seen)) for place in places], dtype=np.int64))


def _grouped(key: Corpus, group: Ints) -> Corpus:
    """The key's mentions in other entities, those of a document one after another."""
    order = np.argsort(key.document, kind="stable")
    _, number = number_by_first_occurrence(group[order])
    entity = np.empty(len(key), dtype=np.int64)
    entity[order] = number
    entities = int(number.max(initial=-1)) + 1
    entity_document = np.zeros(entities, dtype=np.int64)
    entity_document[entity] = key.document
    first = np.searchsorted(entity_document, np.arange(len(key.documents)))
    names = (np.arange(entities) - first[entity_document]).astype(str).tolist()
    return key.replaced(
        entity=entity,
        entity_document=entity_document,
        entity_name=names,
        entity_attributes={},
        relations=(),
        layers={},
    )
