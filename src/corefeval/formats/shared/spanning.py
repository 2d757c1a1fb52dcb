"""Entities that seem to span documents: their names recur, and are no numbers that begin anew in every document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.entity_names import begin_anew, list_entity_names
from corefeval.notices import Notice, count_things

SPANNING = "spanning-entities"
"""The kind of notice."""

_TOPIC = re.compile(r"\(?([^/]+)/.")


def has_topics(documents: Sequence[str]) -> bool:
    """Return whether the names of all documents look like topic/…, with or without CoNLL's brackets and part."""
    return all(map(_TOPIC.match, documents))


def advise_level(corpus: Corpus) -> str:
    """Return how to score across documents, for formats in which an entity's name means the same in all of them."""
    level = "topic" if has_topics(corpus.documents) else "corpus"
    return f"level={level} scores across documents"


def make_spanning_notices(corpus: Corpus, advice: str, level: str = "document") -> tuple[Notice, ...]:
    """Return one notice if names of entities recur in several documents and seem to mean the same entity; else ().

    advice: how to score across documents. level: what a document is, such as "topic".
    """
    names = list_entity_names(corpus)
    if len(corpus.documents) < 2 or len(set(names)) == len(names):
        return ()
    if corpus.shared_names is False or (corpus.shared_names is None and begin_anew(corpus, names)):
        return ()
    found: dict[object, list[int]] = defaultdict(list)
    for name, document in zip(names, corpus.entity_document.tolist(), strict=True):
        found[name].append(document)
    spanning = {name: numbers for name, numbers in found.items() if len(numbers) > 1}
    if corpus.shared_names is None and _recur_across_topics(corpus, spanning):
        return ()
    name, (one, other, *_) = next(iter(spanning.items()))
    count = len(spanning)
    many = count_things(count, "entity name", "recurs", "recur")
    where = f"{str(name)!r} in {corpus.documents[one]!r} and {corpus.documents[other]!r}"
    what = f"{many} in several {level}s, e.g. {where}; such entities are cut at {level} borders; {advice}"
    details = {"count": count, "entity": str(name), "documents": [corpus.documents[n] for n in spanning[name]]}
    return (Notice.at(SPANNING, corpus.source, None, what, details),)


def _recur_across_topics(corpus: Corpus, spanning: Mapping[object, Collection[int]]) -> bool:
    """Return whether documents have topics, all names that recur are numbers, and most recur across topics."""
    if not has_topics(corpus.documents) or not all(str(name).isdecimal() for name in spanning):
        return False
    topics = [name.lstrip("(").partition("/")[0] for name in corpus.documents]
    across = sum(len({topics[document] for document in numbers}) > 1 for numbers in spanning.values())
    return 2 * across > len(spanning)
