"""Pairwise: are pairs of mentions rightly linked?"""

from __future__ import annotations

from corefeval._arrays import Columns
from corefeval.measures.base import COUNTS, RecallPrecision, make_counts
from corefeval.overlap.views import Views


class Pairwise(RecallPrecision):
    """The coreference half of BLANC. In record linkage this is simply called precision and recall.

    An entity of k mentions has k(k-1)/2 links, so large entities dominate.
    """

    name = "pairwise"
    title = "pairwise links"
    formula = "R = Σ C(n) / Σ C(k),  C(x) = x (x - 1) / 2"
    citation = "McCarthy & Lehnert 1995, Using decision trees for coreference resolution"
    adds_up = "links are pairs within a document; their counts are summed over documents"
    derivation = "links"
    unit = "pairs of mentions that are linked"
    symmetric = True
    pads = True
    antecedents = (COUNTS,)

    def count(self, views: Views) -> Columns:
        """Return four columns by document: pairs of mentions that both sides put together, over those of each side."""
        common = views.links.common_coreference
        return make_counts(common, views.links.key_coreference, common, views.links.response_coreference)
