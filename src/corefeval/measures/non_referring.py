"""Non-referring expressions: were they told from mentions that refer?"""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from corefeval._arrays import Columns, np
from corefeval.corpus.beyond_identity import NON_REFERRING
from corefeval.corpus.corpus import Corpus
from corefeval.measures.base import RecallPrecision, make_counts
from corefeval.overlap.views import Views


class NonReferring(RecallPrecision):
    """Expletives, predicates and the like: those that both sides mark as such, by their words.

    They are no mentions, and no other measure sees them. An entity of several of them counts by its first one.
    """

    name = "non_referring"
    title = "non-referring expressions"
    formula = "R = non-referring expressions in common / those of the key"
    citation = "Yu et al. 2022, The Universal Anaphora scorer"
    adds_up = "expressions are summed over documents"
    needs_mentions: ClassVar[bool] = True
    scores_entities = False

    def count(self, views: Views) -> Columns:
        """Return four columns by document: non-referring expressions in common, over those of key and response."""
        rows = views.get_mentions()
        key, response = _collect_first_mentions(rows.key), _collect_first_mentions(rows.response)
        both = [ours & theirs for ours, theirs in zip(key, response, strict=True)]
        common, wanted, given = (np.array(list(map(len, sets)), dtype=np.int64) for sets in (both, key, response))
        return make_counts(common, wanted, common, given)


def _collect_first_mentions(corpus: Corpus) -> list[set[Hashable]]:
    """Return a list with a set for each document: the first mentions of its non-referring entities."""
    found: list[set[Hashable]] = [set() for _ in corpus.documents]
    layer = corpus.layers.get(NON_REFERRING)
    if layer is not None and len(layer):
        rows, bounds = layer.by_entity
        first = layer.mentions.take(rows[bounds[:-1]]).objects()
        for document, mention in zip(layer.entity_document.tolist(), first, strict=True):
            found[document].add(mention)
    return found
