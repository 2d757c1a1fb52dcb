"""The Rand index: on how many pairs of mentions do key and response agree?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corefeval._arrays import Columns
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.rates import make_exact
from corefeval.overlap.cells import count_pairs
from corefeval.overlap.views import Views

PAIR_COLUMNS = ("all_pairs", "key_pairs", "response_pairs", "common_pairs")


class PairIndex(SingleScore):
    """What indices of pairs have in common: they count the pairs of mentions that key, response and both link."""

    adds_up = "pairs within a document are summed over documents"
    derivation = "pairs"
    size_terms = MappingProxyType({name: (name.removesuffix("_pairs"), count_pairs) for name in PAIR_COLUMNS})
    unit = "pairs of mentions of a document; a mention that one of two annotators lacks is a singleton there"
    symmetric = True
    pads = True

    def count(self, views: Views) -> Columns:
        """Return four columns by document: all pairs of mentions, and those that key, response and both link."""
        table = views.table
        whole = table.union * (table.union - 1) // 2
        return dict(zip(PAIR_COLUMNS, (whole, table.key.pairs, table.response.pairs, table.pairs), strict=True))


class Rand(PairIndex):
    """The share of pairs that both sides link or both keep apart; a mention that one side lacks is a singleton there.

    Almost all pairs are apart in any text, so it is close to 1 for everything.
    """

    name = "rand"
    title = "Rand index"
    formula = "(C(E) - Σ C(k) - Σ C(r) + 2 Σ C(n)) / C(E)"
    citation = "Rand 1971, Objective criteria for the evaluation of clustering methods"

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula of the Rand index as text with the counts put in."""
        every, key, response, common = (f"{counts[name]:,}" for name in PAIR_COLUMNS)
        return f"({every} - {key} - {response} + 2 · {common}) / {every}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the share of pairs on which both sides agree, and whether it is 0/0."""
        differing = counts["key_pairs"] + counts["response_pairs"] - 2 * counts["common_pairs"]
        return self.score_fraction(counts["all_pairs"] - differing, counts["all_pairs"])


class AdjustedRand(PairIndex):
    """The Rand index with the agreement that chance would give at 0 and full agreement at 1; it can be negative.

    Undefined where both sides have only singletons, or both a single entity: chance is certain then.
    """

    name = "adjusted_rand"
    title = "adjusted Rand index"
    formula = "(Σ C(n) - e) / ((Σ C(k) + Σ C(r)) / 2 - e),  e = Σ C(k) Σ C(r) / C(E)"
    citation = "Hubert & Arabie 1985, Comparing partitions"
    adds_up = PairIndex.adds_up + "; chance is computed from the sums"
    unit = PairIndex.unit + "; chance at 0"

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002
        """Return the formula of the adjusted Rand index as text with the counts put in."""
        every, key, response, common = (f"{counts[name]:,}" for name in PAIR_COLUMNS)
        chance = f"{key}·{response}/{every}"
        return f"({common} - {chance}) / (({key} + {response}) / 2 - {chance})"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` agreement above chance over the greatest possible, computed exactly; whether it is 0/0."""
        whole, key, response, common = (make_exact(counts[name]) for name in PAIR_COLUMNS)
        chance = 2 * key * response
        return self.score_fraction(2 * common * whole - chance, (key + response) * whole - chance)
