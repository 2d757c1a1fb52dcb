"""Estimates of ratios from a sample: corrected for bias, with standard errors and intervals.

n entities are drawn with chances in proportion to 1/w. A_i and B_i are w times what entity i adds to a denominator and
to a numerator, and Ā and B̄ their means. B̄/Ā is biased, as Ā varies, by a part that the sample shows:

    estimate = B̄/Ā · (1 + mean(A (B/B̄ - A/Ā)) / ((n - 1) Ā))
    error²   = Σ (B - (B̄/Ā) A)² / (n (n - 1) Ā²)

(Cochran 1977, 6.3 and 6.8; for record linkage Binette et al. 2022, 2023). Intervals are symmetric on the scale of
log-odds, so that they stay between 0 and 1, and as wide as Student's t says, with fewer degrees of freedom the more few
entities matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, tanh

from corefeval._arrays import Floats
from corefeval.comparison.bootstrap import find_t_quantile
from corefeval.sampling.terms import Ratio, Terms

_NOISE = 1e-12  # of entities that are all alike but for rounding


@dataclass(frozen=True, slots=True)
class SampledRate:
    """A rate estimated from a sample of entities.

    value: corrected for bias, at least 0 and at most 1; uncorrected: the plain ratio of weighted sums.
    error: its standard error. low, high: its confidence interval.
    effective: how many entities of equal weight in the denominator the sample is worth (Kish 1965).
    """

    value: float
    uncorrected: float
    error: float
    low: float
    high: float
    effective: float


@dataclass(frozen=True, slots=True)
class _Expansion:
    """An estimate not yet kept within 0 and 1; what each entity moves it, which adds up to 0; its effective sample."""

    value: float
    uncorrected: float
    influence: Floats
    effective: float


def estimate_rates(terms: Terms, weights: Floats, confidence: float) -> dict[str, SampledRate | None]:
    """Return recall, precision and f1 by name, estimated from the terms of sampled entities; None for those 0/0."""
    recall, precision = (_expand_ratio(each, weights) for each in (terms.recall, terms.precision))
    if terms.has_one_numerator:
        # 2 RP / (R + P) is itself a ratio: twice the numerator, over both denominators.
        (common, wanted), (_, given) = terms.recall, terms.precision
        f1 = _expand_ratio(Ratio(2 * common, wanted + given), weights)
    else:
        f1 = None if recall is None or precision is None else _expand_f1(recall, precision)
    found = {"recall": recall, "precision": precision, "f1": f1}
    return {name: None if each is None else _make_rate(each, confidence) for name, each in found.items()}


def _expand_ratio(ratio: Ratio, weights: Floats) -> _Expansion | None:
    """Return the estimate of a ratio; None if its denominator is 0 in all sampled entities."""
    a, b = weights * ratio.denominator, weights * ratio.numerator
    count, mean = len(a), float(a.mean())
    if not mean:
        return None
    plain = float(b.mean()) / mean
    influence = (b - plain * a) / (count * mean)
    # mean(A (B/B̄ - A/Ā)) / Ā times the plain ratio B̄/Ā: written so that it holds for B̄ = 0, too.
    correction = float((a * (b - plain * a)).mean()) / (mean * mean * (count - 1))
    return _Expansion(plain + correction, plain, influence, float(a.sum() ** 2 / (a * a).sum()))


def _expand_f1(recall: _Expansion, precision: _Expansion) -> _Expansion | None:
    """Return the estimate of f1 = 2 RP / (R + P), by Taylor's series to the second order; None if R = P = 0."""
    r, p = recall.uncorrected, precision.uncorrected
    if not r + p:
        return None
    influence = 2 * (p * p * recall.influence + r * r * precision.influence) / (r + p) ** 2
    # f1 is concave: it is too low by half of its second derivatives times the variances, which is this.
    bend = 2 * _find_variance(p * recall.influence - r * precision.influence) / (r + p) ** 3
    corrected = recall.value, precision.value
    value = 2 * corrected[0] * corrected[1] / sum(corrected) + bend if sum(corrected) else 0.0
    return _Expansion(value, 2 * r * p / (r + p), influence, min(recall.effective, precision.effective))


def _find_variance(influence: Floats) -> float:
    """Return the variance of an estimate, from what each sampled entity moves it."""
    return float((influence * influence).sum()) * len(influence) / (len(influence) - 1)


def _make_rate(found: _Expansion, confidence: float) -> SampledRate:
    """Return the estimate, kept between 0 and 1, with error and interval; without width if all entities are alike."""
    error = _find_variance(found.influence) ** 0.5
    value = min(1.0, max(0.0, found.value))
    if error < _NOISE:
        return SampledRate(value, found.uncorrected, error, value, value, found.effective)
    # The correction may carry an estimate to the end of the scale, where odds have no logarithm.
    middle = value if 0 < value < 1 else found.uncorrected
    width = find_t_quantile(found.influence, confidence) * error / (middle * (1 - middle))
    odds = log(middle / (1 - middle))
    low, high = ((1 + tanh((odds + end) / 2)) / 2 for end in (-width, width))  # the inverse of log(x / (1 - x))
    return SampledRate(value, found.uncorrected, error, min(low, value), max(high, value), found.effective)
