"""Which response mention is which key mention: the only place that knows spans, words and documents.

From two corpora to the table: pair the documents, say which mentions are the same, settle mentions that stand in
several entities, and count who shares how many with whom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval import mentions
from corefeval.cells import Rows
from corefeval.matching import documents, exact
from corefeval.matching.sides import Settled, Sides
from corefeval.notices import Notice
from corefeval.overlap import Overlap, Side

if TYPE_CHECKING:
    from corefeval.corpus import Corpus


def overlap(
    key: Corpus, response: Corpus, *, duplicates: str, split_antecedents: str = "drop"
) -> tuple[Overlap, tuple[Notice, ...]]:
    """The table of two corpora, with everything about it that a user should know."""
    paired = documents.pair(key, response)
    said = (*key.notices, *response.notices, *paired.notices)
    if split_antecedents == "drop":
        table, settled = _table(paired.key, paired.response, duplicates)
        if key.relations or response.relations:
            said += _unscored(paired.key, paired.response)
        return table, (*said, *settled.notices, *_strangers(settled))
    from corefeval.matching import splits  # noqa: PLC0415 - few ask for them

    ours, theirs = splits.found(paired.key), splits.found(paired.response)
    table, settled = _table(ours.corpus, theirs.corpus, duplicates)
    table = splits.added(table, settled, ours, theirs, only=split_antecedents == "only")
    return table, (*said, *ours.notices, *theirs.notices, *settled.notices, *_strangers(settled))


def _unscored(key: Corpus, response: Corpus) -> tuple[Notice, ...]:
    from corefeval.matching import splits  # noqa: PLC0415 - few files have relations

    return (*splits.unscored("key", key), *splits.unscored("response", response))


def _table(key: Corpus, response: Corpus, duplicates: str) -> tuple[Overlap, Settled]:
    settled = _objects(key, response) or _settled(key, response, duplicates)
    table = Overlap.of_twins(
        _side(settled.sides.key),
        _side(settled.sides.response),
        settled.sides.key.entity[settled.twin_key],
        settled.sides.response.entity[settled.twin_response],
        Rows(settled.sides.key, settled.sides.response, settled.twin_key, settled.twin_response),
    )
    if settled.seen_twice is not None:
        table = settled.seen_twice(table)
    return table, settled


def _strangers(settled: Settled) -> tuple[Notice, ...]:
    """Say so if nothing matches at all: it is seldom the system's fault."""
    key, response = settled.sides.key, settled.sides.response
    if len(settled.twin_key) or not len(key) or not len(response):
        return ()
    ours, theirs = (side.mentions.take(np.zeros(1, dtype=np.int64)).objects()[0] for side in (key, response))
    shown = f"the key has {ours!r} ({type(ours).__name__}), the response {theirs!r} ({type(theirs).__name__})"
    return (Notice("nothing-in-common", f"key and response have no mention in common; e.g. {shown}"),)


def _objects(key: Corpus, response: Corpus) -> Settled | None:
    """Python objects of one document need no numbers, unless some are repeated: a dictionary finds the twins."""
    ours, theirs = key.mentions, response.mentions
    if len(key.documents) != 1 or not isinstance(ours, mentions.Objects) or not isinstance(theirs, mentions.Objects):
        return None
    twins = exact.same_objects(ours.values, theirs.values)
    none = np.zeros(0, dtype=np.int64)
    return None if twins is None else Settled(Sides(key, response, none, none), *twins)


def _settled(key: Corpus, response: Corpus, duplicates: str) -> Settled:
    sides = Sides(key, response, *mentions.numbered(key.mentions, response.mentions, key.document, response.document))
    if exact.repeats(sides.key_number) or exact.repeats(sides.response_number):
        from corefeval.matching import repeats  # noqa: PLC0415 - most data has none

        return repeats.POLICIES[duplicates](sides)
    return Settled(sides, *exact.twins(sides.key_number, sides.response_number))


def _side(corpus: Corpus) -> Side:
    size = np.bincount(corpus.entity, minlength=len(corpus.entity_document))
    return Side(size, corpus.entity_document, len(corpus.documents), corpus.entity_name, corpus.documents)
