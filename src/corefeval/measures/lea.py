"""LEA: how important is each entity, and how much of it is resolved?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corefeval._arrays import Array, ByDocument, Columns, Ints, np
from corefeval.measures.base import COUNTS, Measure, RecallPrecision, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.weights import (
    IMPORTANCE,
    READER,
    EntityWeights,
    WeighedByType,
    find_importance,
    weigh_sizes,
)
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views


class Lea(WeighedByType, RecallPrecision):
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

    importance: str | Callable[[Any], Any] = parameter(
        "an entity's importance by its size (log: of 1 + size, to the base 2); in Python also a function of an array",
        default="size",
        choices=tuple(IMPORTANCE),
        instance=Callable,
    )
    key_weights: EntityWeights | None = parameter(
        "the key entities' own weights, by name", default=None, instance=object, reader=READER
    )
    response_weights: EntityWeights | None = parameter(
        "the response entities' own weights, by name", default=None, instance=object, reader=READER
    )

    def count(self, views: Views) -> Columns:
        """Return four columns by document: for each side Σ importance · share of links resolved, over Σ importance."""
        recall, precision = views.recall, views.precision
        if self.derivation == "resolution":
            return make_counts(
                recall.sum_quotients(recall.resolved_links, np.maximum(recall.k - 1, 1)),
                recall.key.mentions,
                precision.sum_quotients(precision.resolved_links, np.maximum(precision.r - 1, 1)),
                precision.response.mentions,
            )
        key, response = self.find_importance(views)
        if self.weighs_by_size and not callable(self.importance):
            of_cells = weigh_sizes(self.importance, recall.k), weigh_sizes(self.importance, precision.r)
        else:
            of_cells = key[recall.cells.key], response[precision.cells.response]
        return make_counts(
            _sum_resolution(recall, recall.k, of_cells[0]),
            recall.key.sum(key),
            _sum_resolution(precision, precision.r, of_cells[1]),
            precision.response.sum(response),
        )

    @property
    def derivation(self) -> str:  # type: ignore[override]
        """How its counts come about, by sizes or with other weights: a key of the steps in `analysis`."""
        return "resolution" if self.weighs_by_size and self.importance == "size" else "weighted resolution"

    @property
    def weighs_by_size(self) -> bool:
        """Whether an entity's importance depends on nothing but the number of its mentions."""
        return not self.needs_mentions and self.key_weights is None and self.response_weights is None

    def find_importance(self, views: Views) -> tuple[Array, Array]:
        """Return the importance of every key entity, and of every response entity."""
        sides = (views.recall.key, self.load("key_weights")), (views.precision.response, self.load("response_weights"))
        weighed: list[tuple[Array, Array | None]] = [(side.size, None) for side, _ in sides]
        if self.needs_mentions:
            found = self.weigh_entities(views)
            weighed = [(found.key, found.key_factor), (found.response, found.response_factor)]
        key, response = (
            find_importance(*side, self.importance, *sizes) for side, sizes in zip(sides, weighed, strict=True)
        )
        return key, response

    def count_antecedents(self, views: Views) -> Columns:
        """Return LEA's four counts for each pair of split antecedents, without the weights of single entities."""
        return Lea(importance=self.importance).count(views)


def _sum_resolution(table: Overlap, size: Ints, importance: Array) -> ByDocument:
    """Return by document the share of its entity's links that each cell has, times that entity's importance, summed.

    `resolved_links` are twice the cell's links, and twice those of an entity are k (k - 1). Where its importance is its
    size, k, their product is links / (k - 1).
    """
    return table.sum(importance * (table.resolved_links / np.maximum(size * (size - 1), 1)))
