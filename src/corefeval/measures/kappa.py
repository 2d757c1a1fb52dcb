"""Kappa: agreement on MUC's links above what chance would give."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corefeval._arrays import Columns, np
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.rates import make_exact
from corefeval.overlap.views import Views


def count_spanning_links(size: Value) -> Value:
    """Return how many spanning links join `size` mentions: one fewer, 0 for none."""
    return np.maximum(size - 1, 0)


class Kappa(SingleScore):
    """MUC's counts as a table of links present or absent on each side, E - 1 in all, and the kappa of that table.

    1 is full agreement, 0 is chance. Partitions that cross each other a lot make the number of links absent on both
    sides negative, and there is no least value: where n entities of n mentions each cross n others, it is -n. Undefined
    where both sides have no link, or both all of them.
    """

    name = "kappa"
    title = "kappa (κ)"
    formula = "(p_observed - p_chance) / (1 - p_chance); links: a common, a+c = Σ (k-1), a+b = Σ (r-1), all E-1"
    citation = "Passonneau 1997, Applying reliability metrics to co-reference annotation; Popescu-Belis 1999 (DEF. 7)"
    adds_up = "the cells of the table of links are summed over documents; chance is computed from the sums"
    derivation = "spanning links"
    size_terms = MappingProxyType(
        {
            "common": ("common", count_spanning_links),
            "key": ("key", count_spanning_links),
            "response": ("response", count_spanning_links),
            "possible": ("all", count_spanning_links),
        }
    )
    unit = (
        "MUC's links, of as many as join all mentions of a document (of both annotators); chance as if links were "
        "independent of each other"
    )
    symmetric = True
    pads = True

    def count(self, views: Views) -> Columns:
        """Return four columns by document: spanning links in common, of the key, of the response, and possible ones."""
        table = views.table
        return {
            "common": table.spanning_links,
            "key": table.key.spanning_links,
            "response": table.response.spanning_links,
            "possible": np.maximum(table.union - 1, 0),
        }

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` agreement above chance over the greatest possible, computed exactly; whether it is 0/0."""
        common, key, response, possible = (make_exact(counts[name]) for name in self.size_terms)
        absent = possible - key - response + common
        chance = key * response + (possible - key) * (possible - response)
        return self.score_fraction((common + absent) * possible - chance, possible * possible - chance)

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula of kappa as text with the counts put in."""
        common, key, response, possible = (counts[name] for name in self.size_terms)
        observed = f"({common:,} + {possible - key - response + common:,})/{possible:,}"
        chance = f"({key:,}·{response:,} + {possible - key:,}·{possible - response:,})/{possible:,}²"
        return f"({observed} - {chance}) / (1 - {chance})"
