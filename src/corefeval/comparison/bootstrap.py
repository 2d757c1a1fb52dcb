"""The bootstrap: scores of resampled documents (and runs), and confidence intervals from them.

All systems are scored on the same resamples. Intervals are percentiles, or BCa (Efron 1987).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from corefeval.baselines.relative import count_progress
from corefeval.comparison.resampling import RUNS, StackedCounts, draw_documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.baselines.relative import Progress
    from corefeval.comparison.resampling import ResamplingPlan
    from corefeval.comparison.results import Settings
    from corefeval.comparison.systems import SystemSamples
    from corefeval.measures import Measure

INTERVALS = ("bca", "percentile")
Interval = tuple[float, float]
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Distribution:
    """The resampled scores of a system by one measure.

    by_documents: with documents drawn and the runs as they are; by_all: with the runs drawn, too (the same array where
    there is one run). undefined: the share of resamples on which the measure is 0/0.
    """

    by_all: Floats
    by_documents: Floats
    undefined: float


Distributions = dict[tuple[int, "Measure"], Distribution]
"""By number of the system and measure."""


def score_resamples(
    systems: Sequence[SystemSamples],
    measures: Sequence[Measure],
    plan: ResamplingPlan,
    progress: Progress | None = None,
) -> Distributions:
    """Score the same resamples of documents with every system and measure."""
    advance = count_progress(progress, "intervals", plan.resamples)
    selected = list(product(range(len(systems)), measures))
    stack = StackedCounts(systems, selected)
    scores = {(number, by): np.empty((len(systems[number].samples[by]), plan.resamples)) for number, by in selected}
    undefined = {each: np.zeros(len(scores[each])) for each in selected}
    done = 0
    for weights in draw_documents(stack.documents, plan):
        block = slice(done, done + len(weights))
        for (number, measure), sums_of_runs in stack.sum_counts(weights):
            samples = systems[number].samples[measure]
            for run, (sample, sums) in enumerate(zip(samples, sums_of_runs, strict=True)):
                scores[number, measure][run, block], missing = sample.score_and_check(sums)
                undefined[number, measure][run] += np.count_nonzero(missing)
        done = block.stop
        advance(len(weights))
    distributions: Distributions = {}
    for number, measure in selected:
        of_runs = scores[number, measure]
        by_documents = of_runs.mean(axis=0)
        by_all = _draw_runs(of_runs, plan, systems[number].name) if len(of_runs) > 1 else by_documents
        share = float(undefined[number, measure].max()) / plan.resamples
        distributions[number, measure] = Distribution(by_all, by_documents, share)
    return distributions


def _draw_runs(scores: Floats, plan: ResamplingPlan, system: str) -> Floats:
    """Return, for every resample, the mean of as many runs as there are, drawn with replacement.

    The draws are the same for all measures. Each system has random numbers of its own, by its name: they do not depend
    on which others it is compared with.
    """
    random = np.random.default_rng([plan.seed, RUNS, crc32(system.encode(errors="surrogatepass"))])
    chosen = random.integers(0, len(scores), size=(len(scores), plan.resamples))
    return np.take_along_axis(scores, chosen, axis=0).mean(axis=0)


def find_interval(
    distribution: Floats, observed: float, without_each: Floats, settings: Settings, strata: Ints | None
) -> Interval:
    """Return the confidence interval of the kind that the settings name."""
    if settings.interval == "percentile":
        return find_percentiles(distribution, settings.confidence)
    return find_bca(distribution, observed, without_each, settings.confidence, strata)


def find_percentiles(distribution: Floats, confidence: float) -> Interval:
    """Return the ends of the middle part of a distribution."""
    low, high = np.quantile(distribution, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def find_bca(
    distribution: Floats, observed: float, without_each: Floats, confidence: float, strata: Ints | None = None
) -> Interval:
    """Return percentiles corrected for bias, and for a spread that changes with the value (by the jackknife).

    Documents that are drawn within strata are compared with others of their stratum only (Davison & Hinkley 1997,
    5.3.2). Where all resamples lie on one side of the observed value there is nothing to correct with: these are plain
    percentiles.
    """
    below = (np.count_nonzero(distribution < observed) + np.count_nonzero(distribution <= observed)) / 2
    share = below / len(distribution)
    if not 0 < share < 1:
        return find_percentiles(distribution, confidence)
    bias = _NORMAL.inv_cdf(share)
    centered = without_each if strata is None else _center_strata(without_each, strata)
    distance = centered.mean() - centered
    spread = float((distance**2).sum()) ** 1.5
    acceleration = float((distance**3).sum()) / (6 * spread) if spread else 0.0
    ends = (1 - confidence) / 2, (1 + confidence) / 2
    low, high = np.quantile(distribution, [_correct_level(_NORMAL.inv_cdf(p), bias, acceleration) for p in ends])
    return float(low), float(high)


def _center_strata(without_each: Floats, strata: Ints) -> Floats:
    """Return jackknife values less the mean of their stratum, times (n - 1) / n of the stratum."""
    count = np.bincount(strata)
    mean = np.bincount(strata, weights=without_each) / np.maximum(count, 1)
    return (without_each - mean[strata]) * ((count - 1) / np.maximum(count, 1))[strata]


def _correct_level(z: float, bias: float, acceleration: float) -> float:
    """Return the quantile that stands in for the one at `z` standard deviations."""
    shifted = bias + z
    stretch = 1 - acceleration * shifted
    if stretch <= 0:  # so far out that the correction has passed the end of the scale
        return float(shifted > 0)
    return _NORMAL.cdf(bias + shifted / stretch)
