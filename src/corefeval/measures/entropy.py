"""The H measure: how much referring information is lost, how much is made up?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corefeval._arrays import Columns, np
from corefeval.measures.base import Measure, RecallPrecision, Value, Values, compute_rates, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import choose
from corefeval.overlap.views import Views


def x_log_x(x: Value) -> Value:
    """Return x log x (natural logarithm) of a number, or of each number of an array of counts; 0 for 0."""
    if isinstance(x, int | float):
        return float(x * np.log(x)) if x else 0.0
    size = x.astype(np.float64)
    return size * np.log(np.maximum(size, 1))


class PartitionInformation(Measure):
    """What measures of information have in common: Σ x log x of key, response and cells, of which entropies are made.

    Each side is a partition of the mentions of both: a mention that one side lacks is a singleton there.
    """

    adds_up = "Σ x log x and the number of mentions are summed: the corpus is one partition of all its mentions"
    size_terms = MappingProxyType(
        {
            "mentions": ("all", lambda size: size),
            "key": ("key", x_log_x),
            "response": ("response", x_log_x),
            "common": ("common", x_log_x),
        }
    )
    symmetric = True
    pads = True

    def count(self, views: Views) -> Columns:
        """Return columns by document: mentions, and Σ x log x of key entities, response entities and cells."""
        table = views.table
        return {
            "mentions": table.union,
            "key": table.key.sum(x_log_x(table.key.size)),
            "response": table.response.sum(x_log_x(table.response.size)),
            "common": table.sum(x_log_x(table.n)),
        }


class Entropy(PartitionInformation, RecallPrecision):
    """Recall is the share of the response's information that the key justifies, precision of the key's that arrives.

    A mention that one side lacks is a singleton there. A side of a single entity carries no information: 0/0, which
    counts as 1 by the paper's definition. Recall, precision and F1 are what Rosenberg & Hirschberg 2007 call
    completeness, homogeneity and V-measure.
    """

    name = "entropy"
    title = "entropy (H)"
    formula = "R = 1 - H(R|K) / H(R),  P = 1 - H(K|R) / H(K)"
    citation = "Popescu-Belis 1999, Evaluating reference resolution: a guide to numeric measures (DEF. 15-17)"
    derivation = "entropy"

    undefined: int = parameter("what 0/0 counts as", default=1, choices=(0, 1))

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return shared information over the response's as recall, over the key's as precision; f1; which are 0/0."""
        size = counts["mentions"]
        whole = x_log_x(size)
        # H = log E - Σ x log x / E; both sides of each fraction are multiplied by E here
        key, response = (drop_rounding(whole - counts[side], whole) for side in ("key", "response"))
        lost = drop_rounding(counts["response"] - counts["common"], whole)
        made_up = drop_rounding(counts["key"] - counts["common"], whole)
        fraction = make_counts(
            drop_rounding(response - made_up, whole), response, drop_rounding(key - lost, whole), key
        )
        return compute_rates(fraction, undefined=self.undefined, beta=self.beta)


def drop_rounding(value: Value, scale: Value) -> Value:
    """Return the values, with 0 for those that are negative or mere rounding beside `scale`."""
    return choose(value > 1e-13 * scale, value, 0.0)
