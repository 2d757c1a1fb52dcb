"""Which response mention is which key mention: the only place that knows spans, words and documents.

From two corpora to the table: pair the documents, say which mentions are the same, settle mentions that stand in several
entities, and count who shares how many with whom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval import mentions
from corefeval.matching import documents, exact, repeats
from corefeval.overlap import Overlap, Side

if TYPE_CHECKING:
    from corefeval.corpus import Corpus
    from corefeval.notices import Notice

DUPLICATES = tuple(repeats.POLICIES)
"""What can be done about a mention that stands in several entities of one side; the first is the default."""


def overlap(key: Corpus, response: Corpus, *, duplicates: str) -> tuple[Overlap, tuple[Notice, ...]]:
    """The table of two corpora, with everything about it that a user should know."""
    paired = documents.pair(key, response)
    numbers = mentions.numbered(key.mentions, paired.response.mentions, key.document, paired.response.document)
    sides = repeats.Sides(key, paired.response, *numbers)
    if exact.repeats(sides.key_number) or exact.repeats(sides.response_number):
        settled = repeats.POLICIES[duplicates](sides)
    else:
        settled = repeats.Settled(sides, *exact.twins(sides.key_number, sides.response_number))
    table = Overlap.of_twins(
        _side(settled.sides.key),
        _side(settled.sides.response),
        settled.sides.key.entity[settled.twin_key],
        settled.sides.response.entity[settled.twin_response],
    )
    if settled.seen_twice is not None:
        table = settled.seen_twice(table)
    return table, (*key.notices, *response.notices, *paired.notices, *settled.notices)


def _side(corpus: Corpus) -> Side:
    size = np.bincount(corpus.entity, minlength=len(corpus.entity_document))
    return Side(size, corpus.entity_document, len(corpus.documents), corpus.entity_name, corpus.documents)
