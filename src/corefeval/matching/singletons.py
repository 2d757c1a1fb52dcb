"""Singletons that are dropped by what the key says of them, or that only some measures skip."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.entity_names import number_entities

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.documents import PairedDocuments
    from corefeval.options import Options


class SingletonRule(NamedTuple):
    """What becomes of singletons beyond `keep` and `drop`.

    skipped: by measure, whose singletons it does not see: those of the "response", or of "both".
    drop: returns paired documents without some of them, before the documents of a group become one.
    """

    skipped: Mapping[str, str] = MappingProxyType({})
    drop: Callable[[PairedDocuments, Options], PairedDocuments] | None = None


def count_mentions(corpus: Corpus, group: Ints, options: Options) -> tuple[Ints, Ints]:
    """Return two things: for each entity the number of its entity in groups of documents, and their sizes.

    group: the number of each document's group, in which entities of the same name are one (see `number_entities`).
    """
    number = number_entities(corpus, group, options.entity_names)
    return number, np.bincount(number[corpus.entity], minlength=len(number))


def drop_key_singletons(paired: PairedDocuments, options: Options) -> PairedDocuments:
    """Return paired documents without the key's entities of one mention in all documents together."""
    key = paired.key
    number, size = count_mentions(key, np.zeros(len(key.documents), dtype=np.int64), options)
    return paired._replace(key=key.keep(size[number][key.entity] > 1))


KEY_ONLY = SingletonRule(drop=drop_key_singletons)
