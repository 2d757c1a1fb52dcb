"""Baseline responses: the ends of the scale, chance, and the same words or heads.

singletons    every mention of the key is an entity of its own
one-entity    all mentions of a document are one entity
random        the key's mentions, shuffled into entities of the key's sizes (Popescu-Belis 1999, 4.1)
string-match  mentions with the same words are one entity, whatever the case of their letters
head-match    mentions with the same head are one entity (Recasens & Hovy 2011, table 14)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corefeval._arrays import Ints, number_by_first_occurrence
from corefeval.baselines.chance import Shuffler
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.heads import guess_head_text
from corefeval.errors import OptionError, check_choice
from corefeval.notices import Notice, announce_notices
from corefeval.scoring.score import Source, read

KINDS = ("singletons", "one-entity", "random", "string-match", "head-match")
NEED_WORDS = ("string-match", "head-match")
_NO_WORDS = frozenset("_")


@announce_notices
def baseline(key: Source, kind: str, *, seed: int = 0) -> Corpus:
    """Return a response to beat: "singletons", "one-entity", "random", "string-match", "head-match" of the key."""
    check_choice("kind", kind, KINDS)
    corpus = read(key, side="key")
    if kind == "singletons":
        return group_mentions(corpus, np.arange(len(corpus)))
    if kind == "one-entity":
        return group_mentions(corpus, corpus.document)
    if kind == "random":
        return group_mentions(corpus, Shuffler(corpus).shuffle(np.random.default_rng(seed)))
    if corpus.tokens is None and corpus.texts is None:
        raise OptionError(f"kind={kind} needs words, but {corpus.source or 'the key'} has none")
    if kind == "string-match":
        return _group_same_words(corpus, [corpus.words_of(row) or "" for row in range(len(corpus))])
    return _group_same_heads(corpus)


def _group_same_heads(key: Corpus) -> Corpus:
    """Return the corpus with new entities: a document's mentions of one head; a notice if heads had to be guessed."""
    if key.heads is None:
        response = _group_same_words(key, [guess_head_text(key, row) for row in range(len(key))])
        message = (
            f"{key.source or 'the key'} has no heads: the last word before a preposition, a relative pronoun or a "
            "comma is taken as the head, a rule for English"
        )
        return response.replace(notices=(*response.notices, Notice("guessed-heads", message)))
    at_heads = key.replace(mentions=key.heads)
    without = key.heads.start < 0
    words = [key.words_of(row) if without[row] else at_heads.words_of(row) for row in range(len(key))]
    return _group_same_words(key, [word or "" for word in words])


def _group_same_words(key: Corpus, words: Sequence[str]) -> Corpus:
    """Return the corpus with new entities: a document's mentions of the same words in any case; wordless ones alone."""
    seen: dict[tuple[int, str | int], int] = {}
    documents = key.document.tolist()
    places = [
        (document, row if set(word.split()) <= _NO_WORDS else word.casefold())
        for row, (document, word) in enumerate(zip(documents, words, strict=True))
    ]
    return group_mentions(key, np.array([seen.setdefault(place, len(seen)) for place in places], dtype=np.int64))


def group_mentions(key: Corpus, group: Ints) -> Corpus:
    """Return the corpus, less relations and layers, with an entity for each group, numbered document by document."""
    order = np.argsort(key.document, kind="stable")
    _, number = number_by_first_occurrence(group[order])
    entity = np.empty(len(key), dtype=np.int64)
    entity[order] = number
    entities = int(number.max(initial=-1)) + 1
    entity_document = np.zeros(entities, dtype=np.int64)
    entity_document[entity] = key.document
    first = np.searchsorted(entity_document, np.arange(len(key.documents)))
    names = (np.arange(entities) - first[entity_document]).astype(str).tolist()
    return key.replace(
        entity=entity, entity_document=entity_document, entity_name=names, entity_attributes={}, relations=(), layers={}
    )
