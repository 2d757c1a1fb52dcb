"""Bridging: were the anaphors found, and what each is anchored to, as a mention and as an entity?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from typing import ClassVar

from corefeval._arrays import Columns, np
from corefeval.corpus.beyond_identity import find_anchors
from corefeval.corpus.corpus import Corpus
from corefeval.measures.base import RecallPrecision, make_counts
from corefeval.overlap.views import Views

Anchors = Mapping[Hashable, Hashable]  # of anaphors
Homes = Mapping[Hashable, int]  # the key entity of every mention of the key


class _Bridging(RecallPrecision):
    """Anaphors are the same if they are the same words, however mentions are matched."""

    citation = "Yu et al. 2022, The Universal Anaphora scorer"
    adds_up = "anaphors are summed over documents"
    needs_mentions: ClassVar[bool] = True
    scores_entities = False

    def count(self, views: Views) -> Columns:
        """Return four columns by document: bridging anaphors that are right, over the key's and over the response's."""
        rows = views.get_mentions()
        key, response = (find_anchors(side) for side in (rows.key, rows.response))
        homes = _find_homes(rows.key) if any(key) and any(response) else [{} for _ in key]
        right, wanted, given = (
            np.array(list(counts), dtype=np.int64)
            for counts in (map(self._count_right_anaphors, key, response, homes), map(len, key), map(len, response))
        )
        return make_counts(right, wanted, right, given)

    def _count_right_anaphors(self, key: Anchors, response: Anchors, homes: Homes) -> int:
        """Return how many of the anaphors that both sides of a document have are right, as `is_right` judges."""
        common = key.keys() & response.keys()
        return sum(self.is_right(key[anaphor], response[anaphor], homes) for anaphor in common)

    @abstractmethod
    def is_right(self, ours: Hashable, theirs: Hashable, homes: Homes) -> bool:
        """Return whether an anaphor of both sides is right, given its anchors in the key and in the response."""


class BridgingAnaphors(_Bridging):
    """Bridging anaphors that both sides have, whatever they are anchored to."""

    name = "bridging_anaphors"
    title = "bridging, anaphors"
    formula = "R = anaphors in common / anaphors of the key"

    def is_right(self, ours: Hashable, theirs: Hashable, homes: Homes) -> bool:  # noqa: ARG002 - all are the same
        """Return True, whatever the anchors."""
        return True


class BridgingMentions(_Bridging):
    """Bridging anaphors that both sides anchor to the same mention."""

    name = "bridging_mentions"
    title = "bridging, mentions"
    formula = "R = anaphors with the same anchor / anaphors of the key"

    def is_right(self, ours: Hashable, theirs: Hashable, homes: Homes) -> bool:  # noqa: ARG002 - anchors are enough
        """Return whether both anchors are the same mention."""
        return ours == theirs


class BridgingEntities(_Bridging):
    """Bridging anaphors whose anchors on both sides are mentions of the same key entity."""

    name = "bridging_entities"
    title = "bridging, entities"
    formula = "R = anaphors with anchors in the same key entity / anaphors of the key"

    def is_right(self, ours: Hashable, theirs: Hashable, homes: Homes) -> bool:
        """Return whether both anchors are the same mention, or mentions of one entity of the key."""
        return ours == theirs or (ours in homes and homes[ours] == homes.get(theirs))


def _find_homes(key: Corpus) -> list[dict[Hashable, int]]:
    """Return a list with a dict for each document: by mention of the key, the number of its entity."""
    homes: list[dict[Hashable, int]] = [{} for _ in key.documents]
    rows = zip(key.document.tolist(), key.mentions.objects(), key.entity.tolist(), strict=True)
    for document, mention, entity in rows:
        homes[document][mention] = entity
    return homes
