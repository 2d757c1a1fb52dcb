"""Distances of partitions: how many mentions must move, how many entities must be split and merged?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corefeval._arrays import Columns, np
from corefeval._lazy import cached
from corefeval.measures.base import SizeTerm, Value, Values
from corefeval.measures.kappa import count_spanning_links
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.distance import Distance
from corefeval.overlap.cells import count_pairs
from corefeval.overlap.views import Views


class VanDongen(Distance):
    """Mentions outside the largest fragments of key and response entities, over 2 E. Less is better.

    A mention that one side lacks is a singleton there. `distance` counts the mentions.
    """

    name = "van_dongen"
    title = "van Dongen distance"
    formula = "(2 E - Σ_i max_j n - Σ_j max_i n) / (2 E)"
    citation = "van Dongen 2000, Performance criteria for graph clustering and Markov cluster experiments"
    adds_up = "mentions outside of largest fragments are summed over documents"
    derivation = "padded fragments"
    unit = "mentions; one that an annotator lacks is a singleton there"
    symmetric = True
    pads = True

    def count(self, views: Views) -> Columns:
        """Return three columns by document: mentions in largest fragments of key and response entities; all mentions.

        An entity without twins has fragments of one mention, and so has what one side lacks.
        """
        table = views.table
        return {
            "key": table.key.sum(np.maximum(table.key_largest, 1)) + table.response.mentions - table.shared,
            "response": table.response.sum(np.maximum(table.response_largest, 1)) + table.key.mentions - table.shared,
            "mentions": table.union,
        }

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "(2·6 - 4 - 5) / (2·6)"."""
        whole = f"2·{counts['mentions']:,}"
        return f"({whole} - {counts['key']:,} - {counts['response']:,}) / ({whole})"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the distance over 2 E, as `distance` mentions outside of largest fragments; what is 0/0."""
        largest = 2 * counts["mentions"]
        return self.score_distance(largest - counts["key"] - counts["response"], largest)


_SIZE_FUNCTIONS = {"unit": count_spanning_links, "pairs": count_pairs}
"""By what a merge or a split costs: what making an entity of single mentions costs in all."""


class MergeDistance(Distance):
    """What it costs to make the key of the response by splits, then merges, over the way by singletons. Less is better.

    A mention that one side lacks is a singleton there. `cost=unit`: each operation costs 1 (basic merge distance), and
    1 - score is MUC's F1. `cost=pairs`: as many as pairs of mentions are parted or joined, and 1 - score is the F1 of
    `pairwise`. `split` and `merge` are factors: a wrong merge can cost more than a missed one. `distance` is the cost
    itself. It does not depend on the order of operations, so that the cheapest way is known without a search.
    """

    name = "merge_distance"
    title = "generalised merge distance"
    formula = "(split · Σ_j (f(r) - Σ_i f(n)) + merge · Σ_i (f(k) - Σ_j f(n))) / (split · Σ f(r) + merge · Σ f(k))"
    citation = "Menestrina, Whang & Garcia-Molina 2010, Evaluating entity resolution results"
    adds_up = "costs within documents are summed"
    unit = "splits and merges; a mention that one annotator lacks is a singleton there"
    symmetric = True
    pads = True
    symmetric_parameters = ("undefined", "cost")

    cost: str = parameter(
        "what an operation costs: 1, or pairs of mentions", default="unit", choices=(*_SIZE_FUNCTIONS,)
    )
    split: float = parameter("the factor of splits", default=1.0)
    merge: float = parameter("the factor of merges", default=1.0)

    @cached
    def derivation(self) -> str:
        """The way its counts come about, as `analysis` names it."""
        return "spanning links" if self.cost == "unit" else "pairs of sizes"

    @property
    def size_terms(self) -> Mapping[str, SizeTerm]:  # type: ignore[override]
        """The counts as sums of functions of sizes: of what both share, of key and response entities."""
        return MappingProxyType({name: (name, _SIZE_FUNCTIONS[self.cost]) for name in ("common", "key", "response")})

    def count(self, views: Views) -> Columns:
        """Return three columns by document: what merging the mentions of cells, key and response entities costs."""
        table = views.table
        sides = ("common", table), ("key", table.key), ("response", table.response)
        return {name: each.spanning_links if self.cost == "unit" else each.pairs for name, each in sides}

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in."""
        common, key, response = (f"{counts[name]:,}" for name in ("common", "key", "response"))
        above = f"{self.split:g}·({response} - {common}) + {self.merge:g}·({key} - {common})"
        return f"({above}) / ({self.split:g}·{response} + {self.merge:g}·{key})"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the cost over that of the way by singletons, as `distance` the cost; what is 0/0."""
        common, key, response = (counts[name] for name in ("common", "key", "response"))
        cost = self.split * (response - common) + self.merge * (key - common)
        return self.score_distance(cost, self.split * response + self.merge * key)
