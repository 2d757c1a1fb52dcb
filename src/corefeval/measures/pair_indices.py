"""Indices of pairs of mentions, each linked or not by key and response: Fowlkes-Mallows, Jaccard, correlation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corefeval._arrays import Columns, np
from corefeval.measures.base import Value, Values
from corefeval.measures.parameters import parameter
from corefeval.measures.rand import PAIR_COLUMNS, PairIndex
from corefeval.measures.rates import choose, divide, make_exact, take_root
from corefeval.overlap.views import Views

_ANALYSIS = "Gösgens, Tikhonov & Prokhorenkova 2021, Systematic analysis of cluster similarity indices"
_LINKED = PAIR_COLUMNS[1:]  # pairs that no side links do not count


class _LinkedPairs(PairIndex):
    """What indices of linked pairs have in common: pairs that neither side links are not counted."""

    size_terms = MappingProxyType({name: PairIndex.size_terms[name] for name in _LINKED})
    unit = "pairs of mentions of a document that are linked"

    def count(self, views: Views) -> Columns:
        """Return three columns by document: the pairs of mentions that key, response and both link."""
        counts = super().count(views)
        return {name: counts[name] for name in _LINKED}


class FowlkesMallows(_LinkedPairs):
    """The geometric mean of pairwise recall and precision; undefined where a side has no links."""

    name = "fowlkes_mallows"
    title = "Fowlkes-Mallows index"
    formula = "Σ C(n) / √(Σ C(k) · Σ C(r)),  C(x) = x (x - 1) / 2"
    citation = "Fowlkes & Mallows 1983, A method for comparing two hierarchical clusterings"

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "2 / √(4 · 3)"."""
        key, response, common = (f"{counts[name]:,}" for name in _LINKED)
        return f"{common} / √({key} · {response})"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the root of recall times precision of pairs, and whether one of them is 0/0."""
        key, response, common = (counts[name] for name in _LINKED)
        without = (key == 0) | (response == 0)
        mean = take_root(divide(common, key) * divide(common, response))
        return {"score": choose(without, float(self.undefined), mean), "undefined": {"score": without}}


class Jaccard(_LinkedPairs):
    """The share of pairs that both sides link among those that at least one of them links."""

    name = "jaccard"
    title = "Jaccard index of pairs"
    formula = "Σ C(n) / (Σ C(k) + Σ C(r) - Σ C(n)),  C(x) = x (x - 1) / 2"
    citation = "Jaccard 1901; for pairs, Ben-Hur, Elisseeff & Guyon 2002, A stability based method"

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "2 / (4 + 3 - 2)"."""
        key, response, common = (f"{counts[name]:,}" for name in _LINKED)
        return f"{common} / ({key} + {response} - {common})"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` pairs that both sides link over those that one does, and whether it is 0/0."""
        key, response, common = (counts[name] for name in _LINKED)
        return self.score_fraction(common, key + response - common)


class _Correlation(PairIndex):
    """What both measures of correlation have in common; a mention that one side lacks is a singleton there."""

    adds_up = PairIndex.adds_up + "; the correlation is that of the sums"

    def correlate(self, counts: Mapping[str, Value]) -> tuple[Value, Value, Value]:
        """Return the correlation of pairs, the square that it lacks to 1, and whether it is 0/0; both are 0 then."""
        whole, key, response, common = (make_exact(counts[name]) for name in PAIR_COLUMNS)
        covariance = common * whole - key * response
        key_variance, response_variance = key * (whole - key), response * (whole - response)
        # Squared by parts, each of which is 1 for equal sides, so that these are at 1 without rounding.
        square = divide(covariance, key_variance) * divide(covariance, response_variance)
        variances = key_variance * response_variance
        rest = divide(variances - covariance * covariance, variances)
        correlation = take_root(square) * choose(covariance < 0, -1.0, 1.0)
        return correlation, choose(rest > 0, rest, 0.0), variances == 0

    def write_correlation(self, counts: Mapping[str, Value]) -> str:
        """Return the formula of the correlation as text with the counts put in."""
        whole, key, response, common = (f"{counts[name]:,}" for name in PAIR_COLUMNS)
        variances = f"{key}·({whole} - {key})·{response}·({whole} - {response})"
        return f"({common}·{whole} - {key}·{response}) / √({variances})"


class Matthews(_Correlation):
    """The correlation of key and response as two yes-or-no answers to every pair of mentions: 0 is chance.

    A mention that one side lacks is a singleton there. Undefined where a side links no pair, or all of them.
    """

    name = "matthews"
    title = "Matthews correlation"
    formula = "(Σ C(n) C(E) - Σ C(k) Σ C(r)) / √(Σ C(k) (C(E) - Σ C(k)) Σ C(r) (C(E) - Σ C(r)))"
    citation = f"Matthews 1975; for pairs, {_ANALYSIS}"
    unit = PairIndex.unit + "; chance at 0"

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in."""
        return self.write_correlation(counts)

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the correlation of linked pairs, from -1 to 1, and whether it is 0/0."""
        correlation, _, undefined = self.correlate(counts)
        return {"score": choose(undefined, float(self.undefined), correlation), "undefined": {"score": undefined}}


class CorrelationDistance(_Correlation):
    """The angle of key and response as vectors of pairs, over π: 0 for equal sides, 0.5 by chance. Less is better.

    It is a distance, for which the triangle inequality holds. Undefined as `matthews` is, which counts as 1.
    """

    name = "correlation_distance"
    title = "correlation distance"
    formula = "arccos(matthews) / π"
    citation = _ANALYSIS
    unit = PairIndex.unit + "; chance at 0.5"
    more_is_better = False

    undefined: int = parameter("what 0/0 counts as", default=1, choices=(0, 1))

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in."""
        return f"arccos({self.write_correlation(counts)}) / π"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the angle over π, from 0 to 1, and whether it is undefined."""
        correlation, rest, undefined = self.correlate(counts)
        # The angle from both of its sides is exact where it is small, as arccos is not.
        angle = np.arctan2(take_root(rest), correlation) / np.pi
        score = choose(undefined, float(self.undefined), angle if isinstance(angle, np.ndarray) else float(angle))
        return {"score": score, "undefined": {"score": undefined}}
