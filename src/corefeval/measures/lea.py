"""LEA: how important is each entity, and how much of it is resolved?"""

from __future__ import annotations

from corefeval._arrays import Array, ByDocument, Columns, Ints, np
from corefeval._lazy import cached
from corefeval.measures.base import COUNTS, Measure, RecallPrecision, make_counts
from corefeval.measures.shared.importance import WeighedByImportance
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views


class Lea(WeighedByImportance, RecallPrecision):
    """Each entity counts by its importance, by default its size, times the share of its links that the other side has.

    A singleton has one link, to itself, and it is resolved only if the other side has the same singleton. `importance`
    is another function of sizes; `mention_weights` make an entity's size the sum of its mentions' weights, by their
    types, and `entity_weights` multiply its importance by its type; `key_weights` and `response_weights` give each
    entity its own. Weights are in files: tables with a column weight and one named level, type or entity, or JSON; in
    Python also dictionaries.
    """

    name = "lea"
    title = "LEA"
    latex_name = "LEA"
    formula = "R = Σ w(k) · [Σ C(n) / C(k)] / Σ w(k),  w(k) = k"
    citation = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?"
    adds_up = "importance and resolved importance are summed over documents"
    derivation_parameters = (
        *Measure.derivation_parameters,
        "importance",
        "key_weights",
        "response_weights",
        "mention_weights",
        "entity_weights",
    )
    unit = "links of entities, weighted by the number of their mentions"
    symmetric = True
    antecedents = (COUNTS,)
    takes_sets = True

    @cached
    def derivation(self) -> str:
        """How its counts come about, by sizes or with other weights: a key of the steps in `analysis`."""
        return "resolution" if self.weighs_by_size and self.importance == "size" else "weighted resolution"

    def count(self, views: Views) -> Columns:
        """Return four columns by document: for each side Σ importance · share of links resolved, over Σ importance."""
        recall, precision = views.recall, views.precision
        if self.derivation == "resolution":  # w(k) = k, and k · links / (k (k - 1)) = links / (k - 1)
            return make_counts(
                recall.sum_quotients(recall.resolved_links, np.maximum(recall.k - 1, 1)),
                recall.key.mentions,
                precision.sum_quotients(precision.resolved_links, np.maximum(precision.r - 1, 1)),
                precision.response.mentions,
            )
        weight = self.find_importance(views)
        return make_counts(
            _sum_resolution(recall, recall.k, weight.cell_key),
            recall.key.sum(weight.key),
            _sum_resolution(precision, precision.r, weight.cell_response),
            precision.response.sum(weight.response),
        )

    def count_antecedents(self, views: Views) -> Columns:
        """Return LEA's four counts for each pair of split antecedents, without the weights of single entities."""
        return Lea(importance=self.importance).count(views)


def _sum_resolution(table: Overlap, size: Ints, importance: Array) -> ByDocument:
    """Return by document the share of its entity's links that each cell has, times that entity's importance, summed.

    `resolved_links` are twice the cell's links, and twice those of an entity are k (k - 1).
    """
    return table.sum(importance * (table.resolved_links / np.maximum(size * (size - 1), 1)))
