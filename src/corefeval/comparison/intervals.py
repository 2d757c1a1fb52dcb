"""Confidence intervals from a bootstrap distribution: percentiles, or BCa (Efron 1987)."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefeval._arrays import Floats, Ints
    from corefeval.comparison.results import Settings

INTERVALS = ("bca", "percentile")
Interval = tuple[float, float]
_NORMAL = NormalDist()


def chosen(
    distribution: Floats, observed: float, without_each: Floats, settings: Settings, strata: Ints | None
) -> Interval:
    """The kind of interval that is asked for."""
    if settings.interval == "percentile":
        return percentile(distribution, settings.confidence)
    return bca(distribution, observed, without_each, settings.confidence, strata)


def percentile(distribution: Floats, confidence: float) -> Interval:
    """The middle part of the distribution."""
    low, high = np.quantile(distribution, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def bca(
    distribution: Floats, observed: float, without_each: Floats, confidence: float, strata: Ints | None = None
) -> Interval:
    """Percentiles corrected for bias, and for a spread that changes with the value (by the jackknife).

    Documents that are drawn within strata differ from others of their stratum only (Davison & Hinkley 1997, 5.3.2).
    Where all resamples lie on one side of what was observed, or all are alike, there is nothing to correct with, and it
    is the plain percentiles.
    """
    below = (np.count_nonzero(distribution < observed) + np.count_nonzero(distribution <= observed)) / 2
    share = below / len(distribution)
    if not 0 < share < 1:
        return percentile(distribution, confidence)
    bias = _NORMAL.inv_cdf(share)
    acceleration = _acceleration(without_each if strata is None else _within(without_each, strata))
    limits = [_corrected(_NORMAL.inv_cdf(p), bias, acceleration) for p in ((1 - confidence) / 2, (1 + confidence) / 2)]
    low, high = np.quantile(distribution, limits)
    return float(low), float(high)


def _acceleration(without_each: Floats) -> float:
    distance = without_each.mean() - without_each
    spread = float((distance**2).sum()) ** 1.5
    return float((distance**3).sum()) / (6 * spread) if spread else 0.0


def _within(without_each: Floats, strata: Ints) -> Floats:
    """Differences from the mean of the stratum, those of larger strata with somewhat more weight."""
    count = np.bincount(strata)
    mean = np.bincount(strata, weights=without_each) / np.maximum(count, 1)
    return (without_each - mean[strata]) * ((count - 1) / np.maximum(count, 1))[strata]


def _corrected(z: float, bias: float, acceleration: float) -> float:
    shifted = bias + z
    stretch = 1 - acceleration * shifted
    if stretch <= 0:  # so far out that the correction has passed the end of the scale
        return float(shifted > 0)
    return _NORMAL.cdf(bias + shifted / stretch)
