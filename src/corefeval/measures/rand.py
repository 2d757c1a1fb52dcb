"""The Rand index: on how many pairs of mentions do key and response agree?"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.rates import exact
from corefeval.overlap.cells import count_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Columns
    from corefeval.overlap.table import Overlap
    from corefeval.overlap.views import Views

_ADDS_UP = "pairs within a document are summed over documents"
_PAIRS = "pairs of mentions of a document; a mention that one of two annotators lacks is a singleton there"
_SIZE_TERMS = MappingProxyType(
    {
        "all_pairs": ("all", count_pairs),
        "key_pairs": ("key", count_pairs),
        "response_pairs": ("response", count_pairs),
        "common_pairs": ("common", count_pairs),
    }
)


class Rand(SingleScore):
    """The share of pairs that both sides link or both keep apart; a mention that one side lacks is a singleton there.

    Almost all pairs are apart in any text, so it is close to 1 for everything.
    """

    name = "rand"
    title = "Rand index"
    formula = "(C(E) - Σ C(k) - Σ C(r) + 2 Σ C(n)) / C(E)"
    citation = "Rand 1971, Objective criteria for the evaluation of clustering methods"
    adds_up = _ADDS_UP
    derivation = "pairs"
    size_terms = _SIZE_TERMS
    unit = _PAIRS
    symmetric = True

    def count(self, views: Views) -> Columns:
        """Count pairs."""
        return _count_pairs(views.table)

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula with the counts put in."""
        every, key, response, common = (f"{counts[name]:,}" for name in _COLUMNS)
        return f"({every} - {key} - {response} + 2 · {common}) / {every}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Agreeing pairs over all pairs."""
        differing = counts["key_pairs"] + counts["response_pairs"] - 2 * counts["common_pairs"]
        return self.divide(counts["all_pairs"] - differing, counts["all_pairs"])


class AdjustedRand(SingleScore):
    """The Rand index with the agreement that chance would give at 0 and full agreement at 1; it can be negative.

    Undefined where both sides have only singletons, or both a single entity: chance is certain then.
    """

    name = "adjusted_rand"
    title = "adjusted Rand index"
    formula = "(Σ C(n) - e) / ((Σ C(k) + Σ C(r)) / 2 - e),  e = Σ C(k) Σ C(r) / C(E)"
    citation = "Hubert & Arabie 1985, Comparing partitions"
    adds_up = _ADDS_UP + "; chance is computed from the sums"
    derivation = "pairs"
    size_terms = _SIZE_TERMS
    unit = _PAIRS + "; chance at 0"
    symmetric = True

    def count(self, views: Views) -> Columns:
        """Count pairs."""
        return _count_pairs(views.table)

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002
        """Return the formula with the counts put in."""
        every, key, response, common = (f"{counts[name]:,}" for name in _COLUMNS)
        chance = f"{key}·{response}/{every}"
        return f"({common} - {chance}) / (({key} + {response}) / 2 - {chance})"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Agreement above chance, with products in integers of any size."""
        whole, key, response, common = (exact(counts[name]) for name in _COLUMNS)
        chance = 2 * key * response
        return self.divide(2 * common * whole - chance, (key + response) * whole - chance)


_COLUMNS = ("all_pairs", "key_pairs", "response_pairs", "common_pairs")


def _count_pairs(table: Overlap) -> Columns:
    whole = table.union * (table.union - 1) // 2
    return dict(zip(_COLUMNS, (whole, table.key.pairs, table.response.pairs, table.pairs), strict=True))
