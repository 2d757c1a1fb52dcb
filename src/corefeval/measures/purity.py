"""Purity: how much of each entity is in the one entity that has most of it?"""

from __future__ import annotations

from corefeval._arrays import Columns
from corefeval.measures.base import RecallPrecision, make_counts
from corefeval.overlap.views import Views


class Purity(RecallPrecision):
    """Precision is purity, the share of mentions that are in the majority of their response entity; recall its inverse.

    Recall is inverse purity: the share of mentions that are in the largest fragment of their key entity. A mention that
    the other side lacks is in no fragment. F1 is the F-score of both.
    """

    name = "purity"
    title = "purity"
    latex_name = "Purity"
    formula = "R = Σ_i max_j n / K,  P = Σ_j max_i n / R"
    citation = (
        "Zhao & Karypis 2001, Criterion functions for document clustering; with inverse purity and F, "
        "Amigó et al. 2009, A comparison of extrinsic clustering evaluation metrics"
    )
    adds_up = "mentions in largest fragments are summed over documents"
    derivation = "largest fragments"
    unit = "mentions"
    symmetric = True

    def count(self, views: Views) -> Columns:
        """Return four columns by document: mentions in the largest fragments of a side's entities, over all of it."""
        table, key, response = views.table, views.table.key, views.table.response
        return make_counts(
            key.sum(table.key_largest), key.mentions, response.sum(table.response_largest), response.mentions
        )
