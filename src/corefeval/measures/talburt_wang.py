"""The Talburt-Wang index: into how many pieces do both sides together cut the mentions?"""

from __future__ import annotations

from collections.abc import Mapping

from corefeval._arrays import Columns
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import divide, take_root
from corefeval.overlap.views import Views


class TalburtWang(SingleScore):
    """The geometric mean of both sides' entities over all pairs of entities that share mentions: 1 for equal sides.

    A mention that one side lacks is a singleton there. Tools disagree about the root: `form=square` leaves it out, and
    is the square of the index.
    """

    name = "talburt_wang"
    title = "Talburt-Wang index"
    formula = "√(|key entities| · |response entities|) / #(n > 0);  form=square: without the root, over the square"
    citation = (
        "Talburt, Wang, Hess & Kuo 2007, An algebraic approach to data quality metrics for entity resolution over "
        "large datasets; Talburt 2011, Entity resolution and information quality"
    )
    adds_up = "entities and pairs of entities that share mentions are summed over documents"
    derivation = "pieces"
    unit = (
        "entities, and pairs of entities that share mentions; a mention that one annotator lacks is a singleton there"
    )
    symmetric = True
    pads = True
    symmetric_parameters = ("undefined", "form")

    form: str = parameter("the index, or its square", default="root", choices=("root", "square"))

    def count(self, views: Views) -> Columns:
        """Return three columns by document: entities of the key, of the response, and pairs that share mentions."""
        table = views.table
        missing, spurious = table.key.mentions - table.shared, table.response.mentions - table.shared
        shared = table.shared - table.spanning_links
        return {
            "key": table.key.entities + spurious,
            "response": table.response.entities + missing,
            "pieces": shared + missing + spurious,
        }

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "√(3 · 4) / 5"."""
        entities, pieces = f"{counts['key']:,} · {counts['response']:,}", f"{counts['pieces']:,}"
        return f"√({entities}) / {pieces}" if self.form == "root" else f"{entities} / {pieces}²"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return the index, or its square, as `score`, and whether it is 0/0."""
        key, response = (divide(counts[side], counts["pieces"], self.undefined) for side in ("key", "response"))
        score = key * response if self.form == "square" else take_root(key * response)
        return {"score": score, "undefined": {"score": counts["pieces"] == 0}}
