"""Exact entities: how many entities are right to the last mention?"""

from __future__ import annotations

from corefeval._arrays import Columns
from corefeval.measures.base import RecallPrecision, make_counts
from corefeval.overlap.views import Views


class ExactEntities(RecallPrecision):
    """An entity counts if the other side has the same one, mention by mention; all others count nothing.

    Record linkage calls this cluster recall and cluster precision. It is CEAF with φ1, without an alignment.
    """

    name = "exact_entities"
    title = "exact entities"
    formula = "R = #(n = k = r) / |key entities|"
    citation = "Menestrina, Whang & Garcia-Molina 2010, Evaluating entity resolution results (cluster F1)"
    adds_up = "entities are summed over documents"
    derivation = "exact entities"
    unit = "entities"
    symmetric = True

    def count(self, views: Views) -> Columns:
        """Return four columns by document: entities that both sides have, over those of each side."""
        table = views.table
        exact = table.sum((table.n == table.k) & (table.n == table.r))
        return make_counts(exact, table.key.entities, exact, table.response.entities)
