"""B³: for every mention, how much of its entity was found?"""

from __future__ import annotations

from corefeval._arrays import Columns
from corefeval._lazy import cached
from corefeval.measures.base import COUNTS, RecallPrecision, make_counts, make_twinless_parameter
from corefeval.measures.parameters import parameter
from corefeval.overlap.twinless import REWRITES
from corefeval.overlap.views import Views

_DERIVATIONS = {"entity": "entity credits", "key": "key entity credits", "printed": "printed credits"}
"""How counts come about by the weights other than those of mentions."""


class Bcub(RecallPrecision):
    """A key mention earns the share of its key entity that is together with it in the response; recall is the mean.

    `weight=entity` gives every entity the same weight: its mentions' credits are divided by its size, and the sum by
    the number of entities. `weight=key` weighs mentions by their key entities for precision, too, for which those that
    the key lacks weigh nothing themselves. `weight=printed` has the divisor that Popescu-Belis prints for it (DEF. 10),
    the number of mentions: a perfect response then reaches the number of entities over that of mentions, not 1.
    """

    name = "bcub"
    title = "B³"
    latex_name = "B$^3$"
    formula = (
        "R = Σ n² / k  over  K;  weight=entity: Σ (n/k)²  over  |entities|;  weight=printed: over  E;  "
        "weight=key: P = Σ n²/(k r)  over  Σ n/k"
    )
    citation = "Bagga & Baldwin 1998, Algorithms for scoring coreference chains"
    adds_up = "mention credits are summed over documents"
    derivation_parameters = ("undefined", "beta", "weight", "twinless")
    unit = "mentions"
    symmetric = True
    antecedents = (COUNTS,)

    weight: str = parameter("what weighs the same", default="mention", choices=("mention", *_DERIVATIONS))
    twinless: str = make_twinless_parameter(*REWRITES)

    @cached
    def derivation(self) -> str:
        """The way its counts come about, as `analysis` names it; "" if both weight and twinless are not the default."""
        if self.twinless in REWRITES:
            return "rewritten credits" if self.weight == "mention" else ""
        return _DERIVATIONS.get(self.weight, "credits")

    @cached
    def takes_sets(self) -> bool:
        """Whether mentions have the same weight, for which the formula is Σ |k ∩ r|² / |k|."""
        return self.weight == "mention"

    def count(self, views: Views) -> Columns:
        """Return four columns by document: B³'s summed credits of each side, over its mentions or entities."""
        recall, precision = views.recall, views.precision
        k, r = recall.k, precision.r
        wanted, given = recall.key.mentions, precision.response.mentions
        if self.weight != "mention":
            k, r = k * k, r * (r if self.weight != "key" else precision.k)
            wanted, given = recall.key.entities, precision.response.entities
        if self.weight == "printed":
            wanted, given = recall.union, precision.union
        if self.weight == "key":
            given = precision.sum_quotients(precision.n, precision.k)
        found = recall.sum_quotients(recall.cells.together, k)
        return make_counts(found, wanted, precision.sum_quotients(precision.cells.together, r), given)
