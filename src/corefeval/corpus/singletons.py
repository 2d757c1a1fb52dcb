"""Entities of one mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.corpus.mentions import number_mentions

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


def drop_singletons(corpus: Corpus) -> Corpus:
    """Return the corpus without entities that have one distinct mention only, even if it is there twice."""
    number, _ = number_mentions(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
    order = np.lexsort((number, corpus.entity))
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.diff(corpus.entity[order]).astype(np.bool_) | np.diff(number[order]).astype(np.bool_)
    distinct = np.bincount(corpus.entity[order[new]], minlength=len(corpus.entity_document))
    return corpus.keep(distinct[corpus.entity] > 1)
