"""MUC: how many links are missing to put each entity's fragments together again?"""

from __future__ import annotations

from corefeval._arrays import Columns
from corefeval.measures.base import COUNTS, RecallPrecision, make_counts
from corefeval.overlap.views import Views


class Muc(RecallPrecision):
    """A key entity of k mentions needs k - 1 links; each fragment into which the response splits it costs one.

    Singletons have no links and do not count; where there are none on one side, that side is undefined.
    """

    name = "muc"
    title = "MUC"
    latex_name = "MUC"
    formula = "R = Σ (k - fragments of k) / Σ (k - 1) = (M - #(n > 0)) / Σ (k - 1)"
    citation = "Vilain et al. 1995, A model-theoretic coreference scoring scheme"
    adds_up = "links are summed over documents"
    derivation = "fragments"
    unit = "links that join the mentions of an entity, one fewer than its mentions"
    symmetric = True
    pads = True
    antecedents = (COUNTS,)

    def count(self, views: Views) -> Columns:
        """Return four columns by document: common spanning links, over those of the key and of the response."""
        recall, precision = views.recall, views.precision
        wanted, given = recall.key.spanning_links, precision.response.spanning_links
        return make_counts(recall.spanning_links, wanted, precision.spanning_links, given)

    def count_antecedents(self, views: Views) -> Columns:
        """Return MUC's counts for each pair of split antecedents, plus a link for each singleton, common if shared."""
        key, response = views.table.key, views.table.response
        found, right = (each.sum((each.k == 1) & (each.r == 1)) for each in (views.recall, views.precision))
        singletons = found, key.sum(key.size == 1), right, response.sum(response.size == 1)
        return {name: links + more for (name, links), more in zip(self.count(views).items(), singletons, strict=True)}
