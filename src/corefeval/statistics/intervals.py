"""Confidence intervals from a bootstrap distribution: percentiles, or BCa (Efron 1987)."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefeval.arrays import Floats

INTERVALS = ("bca", "percentile")
Interval = tuple[float, float]
_NORMAL = NormalDist()


def percentile(distribution: Floats, confidence: float) -> Interval:
    """The middle part of the distribution."""
    low, high = np.quantile(distribution, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def bca(distribution: Floats, observed: float, without_each: Floats, confidence: float) -> Interval:
    """Percentiles corrected for bias, and for a spread that changes with the value (by the jackknife).

    Where all resamples lie on one side of what was observed, or all are alike, there is nothing to correct with, and it
    is the plain percentiles.
    """
    below = (np.count_nonzero(distribution < observed) + np.count_nonzero(distribution <= observed)) / 2
    share = below / len(distribution)
    if not 0 < share < 1:
        return percentile(distribution, confidence)
    bias = _NORMAL.inv_cdf(share)
    acceleration = _acceleration(without_each)
    limits = [_corrected(_NORMAL.inv_cdf(p), bias, acceleration) for p in ((1 - confidence) / 2, (1 + confidence) / 2)]
    low, high = np.quantile(distribution, limits)
    return float(low), float(high)


def _acceleration(without_each: Floats) -> float:
    distance = without_each.mean() - without_each
    spread = float((distance**2).sum()) ** 1.5
    return float((distance**3).sum()) / (6 * spread) if spread else 0.0


def _corrected(z: float, bias: float, acceleration: float) -> float:
    return _NORMAL.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
