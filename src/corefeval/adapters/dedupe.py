"""Clusters of dedupe, as `Dedupe.partition` and `Dedupe.cluster` return them.

Each is a tuple of the ids of its records, and the confidence that each belongs there: ((1, 2), (0.9, 0.9)). Confidences
are left aside.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError


def read(clusters: Iterable[tuple[Any, Any]]) -> Corpus:
    """Return the corpus, of one document, of clusters with confidences; an InputError if one has another shape."""
    entities: list[list[Hashable]] = []
    for number, cluster in enumerate(clusters, 1):
        if not isinstance(cluster, tuple) or len(cluster) != 2 or len(cluster[0]) != len(cluster[1]):
            raise InputError(Fault("dedupe", f"cluster {number} has another shape", "ids and as many confidences"))
        entities.append([each.item() if hasattr(each, "item") else each for each in cluster[0]])
    return Corpus.from_entities({"": entities}, source="dedupe")
