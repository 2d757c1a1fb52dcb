"""Information that key and response share, normalised and corrected for chance; and how far they are apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import ClassVar

from corefeval._arrays import Columns, np
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.entropy import PartitionInformation, drop_rounding, x_log_x
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import choose, divide, take_root
from corefeval.measures.shared.chance import sum_expected
from corefeval.measures.shared.distance import Distance
from corefeval.overlap.views import Views


def _find_geometric_limit(key: Value, response: Value, whole: Value) -> Value:
    """Return the Σ x log x in common at which the shared information is the geometric mean of both sides'."""
    # √ab = (a + b) / 2 - (√a - √b)² / 2, and so there is no rounding where both are equal.
    apart = take_root(drop_rounding(whole - key, whole)) - take_root(drop_rounding(whole - response, whole))
    return (key + response) / 2 - apart * apart / 2


_LIMITS: Mapping[str, Callable[[Value, Value, Value], Value]] = {
    "arithmetic": lambda key, response, _: (key + response) / 2,
    "geometric": _find_geometric_limit,
    "min": lambda key, response, _: choose(key < response, key, response),
    "max": lambda key, response, _: choose(key > response, key, response),
}
"""By the mean of both sides' information: what Σ x log x of cells would be if they had so much in common.

From Σ x log x of key and response, and E log E: that of cells is I - E log E + Σ x log x of both, each times E.
"""


class _Normalised(PartitionInformation, SingleScore):
    """What both measures of shared information have in common."""

    symmetric_parameters = ("undefined", "mean")

    mean: str = parameter("the mean of both sides' information to divide by", default="arithmetic", choices=(*_LIMITS,))


class Nmi(_Normalised):
    """Information that both sides share, over the mean of theirs: 0 for independent sides, 1 for equal ones.

    A mention that one side lacks is a singleton there. With the arithmetic mean it is the F1 of `entropy`. Undefined,
    and then 1, where neither side carries information: both are a single entity.
    """

    name = "nmi"
    title = "normalised mutual information"
    formula = "I(K, R) / mean(H(K), H(R))"
    citation = (
        "Strehl & Ghosh 2002, Cluster ensembles; Vinh, Epps & Bailey 2010, Information theoretic measures for "
        "clusterings comparison"
    )
    derivation = "information"
    unit = "information, in which a mention that one annotator lacks is a singleton"

    undefined: int = parameter("what 0/0 counts as", default=1, choices=(0, 1))

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in: E·I over the mean of E·H of both sides."""
        whole = x_log_x(counts["mentions"])
        key, response = (f"({whole:.4f} - {counts[side]:.4f})" for side in ("key", "response"))
        above = f"({whole:.4f} + {counts['common']:.4f} - {counts['key']:.4f} - {counts['response']:.4f})"
        below = {"arithmetic": f"(({key} + {response}) / 2)", "geometric": f"√({key} · {response})"}
        return f"{above} / {below.get(self.mean, f'{self.mean}({key}, {response})')}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` shared information over the mean of both sides'; 0/0 is where neither has any."""
        whole, key, response = x_log_x(counts["mentions"]), counts["key"], counts["response"]

        def find_shared(common: Value) -> Value:
            """Return E times the information that both share if their cells' Σ x log x is this."""
            return drop_rounding(drop_rounding(whole - key, whole) - (response - common), whole)

        shared, mean = find_shared(counts["common"]), find_shared(_LIMITS[self.mean](key, response, whole))
        nothing = (drop_rounding(whole - key, whole) == 0) & (drop_rounding(whole - response, whole) == 0)
        score = divide(choose(shared > mean, mean, shared), mean)
        return {"score": choose(nothing, float(self.undefined), score), "undefined": {"score": nothing}}


class Ami(_Normalised):
    """Mutual information above what chance gives, over the most that it could be: 0 is chance, 1 are equal sides.

    A mention that one side lacks is a singleton there. By chance, the mentions of each document change places: entities
    keep their sizes and documents. Undefined where chance is certain, as for `adjusted_rand`.
    """

    name = "ami"
    title = "adjusted mutual information"
    formula = "(I(K, R) - e) / (mean(H(K), H(R)) - e),  e the mean of I over all orders of the mentions"
    citation = "Vinh, Epps & Bailey 2010, Information theoretic measures for clusterings comparison"
    adds_up = PartitionInformation.adds_up + "; by chance mentions change places within documents"
    derivation = "information above chance"
    size_terms: ClassVar = MappingProxyType({})  # what is expected is no sum over entities
    unit = Nmi.unit + "; chance at 0"

    def count(self, views: Views) -> Columns:
        """Return four columns by document as of entropy, and what Σ x log x of cells is by chance."""
        table = views.table
        sides = table.key.list_sizes(), table.response.list_sizes(), np.atleast_1d(table.union).tolist()
        expected = sum_expected(zip(*sides, strict=True))
        one = table.documents == 1
        return {**super().count(views), "expected": expected[0] if one else np.array(expected, dtype=np.float64)}

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in; both sides of the fraction are multiplied by E."""
        key, response, expected = (f"{counts[name]:.6f}" for name in ("key", "response", "expected"))
        limit = f"({key} + {response}) / 2"
        if self.mean != "arithmetic":
            limit = f"{_LIMITS[self.mean](counts['key'], counts['response'], x_log_x(counts['mentions'])):.6f}"
        return f"({counts['common']:.6f} - {expected}) / ({limit} - {expected})"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` shared information above chance over the greatest possible, and whether it is 0/0."""
        key, response, expected = counts["key"], counts["response"], counts["expected"]
        limit = _LIMITS[self.mean](key, response, x_log_x(counts["mentions"]))
        scale = key + response
        above, below = counts["common"] - expected, drop_rounding(limit - expected, scale)
        return self.score_fraction(choose(abs(above) > 1e-13 * scale, above, 0.0), below)


class Vi(PartitionInformation, Distance):
    """The information that only one side has, over the most it could be, log E: 0 for equal sides. Less is better.

    A mention that one side lacks is a singleton there. `distance` is the variation of information itself, in nats.
    """

    name = "vi"
    title = "variation of information"
    formula = "Σ (n/E) log(k r / n²) / log E"
    citation = "Meilă 2007, Comparing clusterings: an information based distance"
    derivation = "information"
    unit = Nmi.unit
    distance_unit = "nats"

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in; both sides of the fraction are multiplied by E."""
        key, response, common = (f"{counts[name]:.4f}" for name in ("key", "response", "common"))
        return f"({key} + {response} - 2 · {common}) / {x_log_x(counts['mentions']):.4f}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the distance over log E, as `distance` the distance in nats; whether `score` is 0/0."""
        whole = x_log_x(counts["mentions"])
        apart = drop_rounding(counts["key"] + counts["response"] - 2 * counts["common"], whole)
        apart = choose(apart > whole, whole, apart)
        return {**self.score_fraction(apart, whole), "distance": divide(apart, counts["mentions"])}
