"""Core classes: how much of each entity is in the entity that matches it best?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.measures.base import RecallPrecision
from corefeval.measures.parameters import parameter

if TYPE_CHECKING:
    from corefeval._arrays import Columns, Ints
    from corefeval.overlap.views import Views


class Core(RecallPrecision):
    """Every mention of a key entity outside its core, the largest fragment, is a recall error; never above MUC.

    Where there is nothing to link the paper counts 0/0 as 1.
    """

    name = "core"
    title = "core classes (C)"
    formula = "R = Σ (max_j n - 1) / Σ (k - 1)"
    citation = "Popescu-Belis & Robba 1998; Popescu-Belis 1999, Evaluating reference resolution (DEF. 11-14)"
    adds_up = "mentions in cores are summed over documents"
    derivation = "cores"
    symmetric = True

    undefined: int = parameter("what 0/0 counts as", default=1, choices=(0, 1))

    def count(self, views: Views) -> Columns:
        """Sum the cores of each side."""
        table = views.table
        return {
            "recall_numerator": table.key.sum(_largest(table.n, table.cell_key, len(table.key.size)) - 1),
            "recall_denominator": table.key.mentions - table.key.entities,
            "precision_numerator": table.response.sum(
                _largest(table.n, table.cell_response, len(table.response.size)) - 1
            ),
            "precision_denominator": table.response.mentions - table.response.entities,
        }


def _largest(n: Ints, entity: Ints, entities: int) -> Ints:
    """The largest fragment of every entity; one whose mentions have no twin falls into fragments of 1."""
    largest = np.ones(entities, dtype=np.int64)
    np.maximum.at(largest, entity, n)
    return largest
