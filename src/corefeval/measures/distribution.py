"""Distributional measures: do the sizes of the entities match, whatever is in them?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from corefeval._arrays import Columns, Ints, np
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.rates import choose
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views

_GUIDE = "Popescu-Belis 1999, Evaluating reference resolution"


class Dmt(SingleScore):
    """How far the sorted entity sizes of key and response agree: 1 for equal profiles, whatever the entities.

    A mention that one side lacks is a singleton there. Not a score to use alone.
    """

    name = "dmt"
    title = "distributional match"
    formula = "1 - Σ |sorted k - sorted r| / (2 (E - 1))"
    citation = _GUIDE + " (DEF. 18, with the divisor of its example)"
    adds_up = "sizes are sorted within documents; distances and their largest possible values are summed"
    derivation = "sorted sizes"
    symmetric = True

    def count(self, views: Views) -> Columns:
        """Return two columns by document: the distance of both sides' sorted sizes, and the largest it could be."""
        _, surplus, bounds = _compute_surplus(views.table)
        return {
            "distance": views.table.sum(np.abs(surplus), bounds),
            "largest": 2 * np.maximum(views.table.union - 1, 0),
        }

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "1 - 4 / 18"."""
        return f"1 - {counts['distance']:,} / {counts['largest']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` 1 less the distance over its largest possible value, and whether that is 0/0."""
        return self.score_fraction(counts["largest"] - counts["distance"], counts["largest"])


class DistributionalError(SingleScore):
    """Whether the response's surplus is in small entities (it splits: a recall error) or in large ones (precision).

    The paper describes this measure without a formula, and its figures cannot be derived from the text. Here: number
    the entities of each side from the largest on, and compare the mean position of a mention; the largest possible
    difference, all mentions in one entity against singletons, is 1. `direction` says which kind of error prevails.
    """

    name = "distributional_error"
    title = "distributional error"
    formula = "|Σ i (r_i - k_i)| / C(E), sizes sorted, largest first; recall error if the sum is positive"
    citation = _GUIDE + " (3.7; formula ours)"
    adds_up = "positions are within documents; shifts and their largest possible values are summed"
    derivation = "shifted sizes"
    symmetric = True
    shown: ClassVar[tuple[str, ...]] = ("score", "direction")
    more_is_better = False

    def count(self, views: Views) -> Columns:
        """Return two columns by document: how far response mentions are behind the key's, and the most it could be."""
        position, surplus, bounds = _compute_surplus(views.table)
        union = views.table.union
        return {"shift": views.table.sum(position * surplus, bounds), "largest": union * (union - 1) // 2}

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002
        """Return the formula as text with the counts put in, such as "|4| / 18"."""
        return f"|{counts['shift']:,}| / {counts['largest']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the absolute shift over the largest possible; as `direction` recall, precision or none."""
        shift = counts["shift"]
        towards = choose(shift > 0, "recall", choose(shift < 0, "precision", "none"))
        return {**self.score_fraction(abs(shift), counts["largest"]), "direction": towards}


def _compute_surplus(table: Overlap) -> tuple[Ints, Ints, Ints]:
    """Return three columns: positions i in documents' sizes, largest first; r_i - k_i; and where documents begin."""
    key_padding = table.response.mentions - table.shared
    response_padding = table.key.mentions - table.shared
    length = np.maximum(table.key.entities + key_padding, table.response.entities + response_padding)
    bounds = np.append(0, np.cumsum(length))
    surplus = np.zeros(bounds[-1], dtype=np.int64)
    for side, padding, sign in ((table.response, response_padding, 1), (table.key, key_padding, -1)):
        order = np.lexsort((-side.size, side.document)) if side.documents > 1 else np.argsort(-side.size)
        place = np.arange(len(order)) + np.repeat(bounds[:-1] - side.bounds[:-1], side.entities)
        surplus[place] += sign * side.size[order]
        # Singletons for missing mentions stand behind a document's own entities.
        begin = bounds[:-1] + side.entities - (np.cumsum(padding) - padding)
        surplus[np.arange(np.sum(padding)) + np.repeat(begin, padding)] += sign
    return np.arange(len(surplus)) - np.repeat(bounds[:-1], length) + 1, surplus, bounds
