"""LEA: how important is each entity, and how much of it is resolved?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corefeval._arrays import Array, ByDocument, Columns, Ints, np
from corefeval.errors import OptionError
from corefeval.measures.base import COUNTS, RecallPrecision, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.weights import EntityWeights, find_importance
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views


class Lea(RecallPrecision):
    """Each entity counts by its importance, by default its size, times the share of its links that the other side has.

    A singleton has one link, to itself, and it is resolved only if the other side has the same singleton. In Python,
    `importance` is any function of an array of sizes; `key_weights` and `response_weights` give each entity its own.
    """

    name = "lea"
    title = "LEA"
    latex_name = "LEA"
    formula = "R = Σ w(k) · [Σ C(n) / C(k)] / Σ w(k),  w(k) = k"
    citation = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?"
    adds_up = "importance and resolved importance are summed over documents"
    derivation = "resolution"
    unit = "links of entities, weighted by the number of their mentions"
    symmetric = True
    antecedents = (COUNTS,)
    takes_sets = True

    importance: Callable[[Any], Any] | None = parameter(
        "a function from an array of entity sizes to their weights", default=None, api_only=True
    )
    key_weights: EntityWeights | None = parameter("the key entities' weights", default=None, api_only=True)
    response_weights: EntityWeights | None = parameter("the response entities' weights", default=None, api_only=True)

    def count(self, views: Views) -> Columns:
        """Return four columns by document: for each side Σ importance · share of links resolved, over Σ importance."""
        if self.rewrite == "pad" and (self.key_weights, self.response_weights) != (None, None):
            raise OptionError("lea: the singletons that twinless=pad adds have no weights of their own")
        recall, precision = views.recall, views.precision
        key = find_importance(recall.key, self.key_weights, self.importance)
        response = find_importance(precision.response, self.response_weights, self.importance)
        return make_counts(
            _sum_resolution(recall, recall.k, key, "key"),
            recall.key.mentions if key is None else recall.key.sum(key),
            _sum_resolution(precision, precision.r, response, "response"),
            precision.response.mentions if response is None else precision.response.sum(response),
        )

    def count_antecedents(self, views: Views) -> Columns:
        """Return LEA's four counts for each pair of split antecedents, without the weights of single entities."""
        return Lea(importance=self.importance).count(views)


def _sum_resolution(table: Overlap, size: Ints, importance: Array | None, side: str) -> ByDocument:
    """Return by document the share of its entity's links that each cell has, times its importance (None: size), summed.

    `resolved_links` are twice the cell's links, and twice those of an entity are k (k - 1). Where its importance is its
    size, k, that is links / (k - 1).
    """
    links = table.resolved_links
    if importance is None:
        return table.sum_quotients(links, np.maximum(size - 1, 1))
    return table.sum(importance[getattr(table.cells, side)] * (links / np.maximum(size * (size - 1), 1)))
