"""The bootstrap: documents (and runs) drawn with replacement, their scores, and confidence intervals from them.

Resamples are rows of weights, one for each document, the same for all systems. They are made in blocks, so that memory
stays bounded; each block has a random stream of its own. Intervals are percentiles, at levels that allow for few and
unlike documents unless plain ones are asked for, or BCa (Efron 1987).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval.comparison.results import Settings
from corefeval.measures import Measure
from corefeval.notices import Progress, make_progress_counter

if TYPE_CHECKING:
    from corefeval.comparison.systems import SystemSamples

INTERVALS = ("calibrated", "bca", "percentile")
Interval = tuple[float, float]
DRAWN, SWAPPED, RUNS = range(3)
"""Purposes of random numbers; each has streams of its own."""
_NORMAL = NormalDist()
_BLOCK_CELLS = 1 << 19  # weights in one block: 4 megabytes
_CACHE_CELLS = 1 << 16  # weights drawn at once: these stay in the processor's cache
_UNTHREADED = 1 << 18  # multiplications up to which OpenBLAS starts no threads, which spin after every product
_PRODUCT_ROWS = 32
_LEAST_FREEDOM = 4.0  # degrees of freedom: with less, intervals have hardly an end


@dataclass(frozen=True, slots=True)
class ResamplingPlan:
    """How many resamples, from which seed, and the number of each document's stratum if draws stay within strata.

    times: for every row of counts, how many units (documents or components) it stands for; None if one each.
    """

    resamples: int
    seed: int
    strata: Ints | None = None
    times: Ints | None = None


def draw_documents(documents: int, plan: ResamplingPlan) -> Iterator[Floats]:
    """Yield blocks of weights: how often each document (column) is drawn, within its stratum, in a resample (row).

    Where a column stands for several units, it is drawn as often as all of these together.
    """
    if plan.times is not None:
        total, chances = int(plan.times.sum()), plan.times / plan.times.sum()
        for rows, random in split_blocks(documents, plan, DRAWN):
            yield random.multinomial(total, chances, size=rows).astype(np.float64)
        return
    strata = np.zeros(documents, dtype=np.int64) if plan.strata is None else plan.strata
    groups = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata).tolist()]
    for rows, random in split_blocks(documents, plan, DRAWN):
        if len(groups) == 1:
            yield _draw_block(rows, documents, random)
            continue
        weights = np.empty((rows, documents))
        for group in groups:
            weights[:, group] = _draw_block(rows, len(group), random)
        yield weights


def _draw_block(rows: int, documents: int, random: np.random.Generator) -> Floats:
    """Return a matrix: how often each document (column) is drawn at random in each resample (row)."""
    weights = np.empty((rows, documents))
    step = max(1, _CACHE_CELLS // documents)
    first = np.arange(0, step * documents, documents)[:, np.newaxis]
    for start in range(0, rows, step):
        part = weights[start : start + step]
        chosen = random.integers(0, documents, size=part.shape)
        # Numbers of cells instead of documents, so that one bincount counts the draws of all rows.
        chosen += first[: len(part)]
        part[:] = np.bincount(chosen.reshape(-1), minlength=part.size).reshape(part.shape)
    return weights


def split_blocks(documents: int, plan: ResamplingPlan, purpose: int) -> Iterator[tuple[int, np.random.Generator]]:
    """Yield for each block of resamples how many it has, and a random generator of its own."""
    step = max(1, _BLOCK_CELLS // max(1, documents))
    starts = range(0, plan.resamples, step)
    streams = np.random.SeedSequence([plan.seed, purpose]).spawn(len(starts))
    for start, stream in zip(starts, streams, strict=True):
        yield min(step, plan.resamples - start), np.random.Generator(np.random.PCG64(stream))


class StackedCounts:
    """The counts of systems by measures, stacked for one matrix product; columns that they share are stacked once."""

    def __init__(self, systems: Sequence[SystemSamples], selected: Iterable[tuple[int, Measure]]) -> None:
        contents: dict[bytes, int] = {}
        self._positions = {
            (number, measure): [
                [contents.setdefault(column.tobytes(), len(contents)) for column in sample.counts.T]
                for sample in systems[number].samples[measure]
            ]
            for number, measure in selected
        }
        counts = np.array([np.frombuffer(content) for content in contents])
        # A product of another shape may be rounded otherwise; in whole parts, no score depends on what else is stacked.
        self._counts = np.pad(counts, ((0, -len(counts) % _PRODUCT_ROWS), (0, 0)))
        self.documents = int(self._counts.shape[1])

    def sum_counts(self, weights: Floats) -> Iterator[tuple[tuple[int, Measure], list[Floats]]]:
        """Yield (system, measure) and, for each run, an array of its counts summed up with each row of weights."""
        sums = np.empty((len(self._counts), len(weights)))
        # A matrix product in parts too small for threads, whose waiting would cost more.
        step = max(1, _UNTHREADED // (_PRODUCT_ROWS * max(1, self.documents)))
        for row in range(0, len(sums), _PRODUCT_ROWS):
            for column in range(0, len(weights), step):
                rows, columns = slice(row, row + _PRODUCT_ROWS), slice(column, column + step)
                np.matmul(self._counts[rows], weights[columns].T, out=sums[rows, columns])
        for selected, runs in self._positions.items():
            yield selected, [sums[own].T for own in runs]


@dataclass(frozen=True, slots=True)
class Distribution:
    """The resampled scores of a system by one measure."""

    by_all: Floats  # with documents and runs drawn; the same array as by_documents where there is one run
    by_documents: Floats  # with documents drawn, and the runs as they are
    undefined: float  # the share of resamples on which the measure is 0/0


Distributions = dict[tuple[int, "Measure"], Distribution]
"""By number of the system and measure."""


def score_resamples(
    systems: Sequence[SystemSamples],
    measures: Sequence[Measure],
    plan: ResamplingPlan,
    progress: Progress | None = None,
) -> Distributions:
    """Return a Distribution by (system, measure): scores, averaged over runs, on the same resamples for all."""
    advance = make_progress_counter(progress, "intervals", plan.resamples)
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
    """Return an array: for every resample the mean score of runs drawn with replacement, as many as there are."""
    # The same draws for all measures; started by the system's name, they do not depend on what it is compared with.
    random = np.random.default_rng([plan.seed, RUNS, crc32(system.encode(errors="surrogatepass"))])
    chosen = random.integers(0, len(scores), size=(len(scores), plan.resamples))
    return np.take_along_axis(scores, chosen, axis=0).mean(axis=0)


def find_interval(
    distribution: Floats, observed: float, without_each: Floats, settings: Settings, strata: Ints | None
) -> Interval:
    """Return the ends of a confidence interval, by calibrated or plain percentiles or BCa, as the settings say."""
    if settings.interval == "bca":
        return find_bca_interval(distribution, observed, without_each, settings.confidence, strata)
    confidence = settings.confidence
    if settings.interval == "calibrated":
        confidence = calibrate_confidence(without_each, confidence, strata)
    return find_percentile_interval(distribution, confidence)


def calibrate_confidence(without_each: Floats, confidence: float, strata: Ints | None = None) -> float:
    """Return the confidence at which percentiles hold the truth about as often as `confidence` says.

    Resamples of n documents vary less than samples do, by √((n-1)/n), and how much they vary is itself uncertain, so
    that Student's t takes the place of the normal distribution (Hesterberg 2015, 3.3). Its degrees of freedom are fewer
    than n-1 where few documents matter most: 2n/(κ-1) - 1, by the kurtosis κ of what each document changes.
    """
    centered = _center_within_strata(without_each, strata)
    deviations = centered - centered.mean()
    count = len(deviations)
    if count < 2 or not (deviations**2).any():
        return confidence
    return 2 * _NORMAL.cdf(find_t_quantile(deviations, confidence) * (count / (count - 1)) ** 0.5) - 1


def find_t_quantile(deviations: Floats, confidence: float) -> float:
    """Return how many standard errors wide either half of an interval is, by Student's t; deviations add up to 0.

    deviations: what each unit of a sample, two at least, moves an estimate; not all are 0. Where few of them matter
    most, degrees of freedom are fewer than their number less 1, as in `calibrate_confidence`.
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - loading SciPy costs more than most evaluations

    squares, count = deviations**2, len(deviations)
    kurtosis = count * float((squares**2).sum()) / float(squares.sum()) ** 2
    freedom = min(count - 1.0, 2 * count / (kurtosis - 1) - 1) if kurtosis > 1 else count - 1.0
    return float(stdtrit(max(freedom, min(_LEAST_FREEDOM, count - 1.0)), (1 + confidence) / 2))


def find_percentile_interval(distribution: Floats, confidence: float) -> Interval:
    """Return the two ends between which the middle part of a distribution lies: 95 % of it if confidence is 0.95."""
    low, high = np.quantile(distribution, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def find_bca_interval(
    distribution: Floats, observed: float, without_each: Floats, confidence: float, strata: Ints | None = None
) -> Interval:
    """Return the ends of the BCa interval: percentiles corrected for bias, and for a spread that varies with the value.

    The spread is estimated by the jackknife; documents that are drawn within strata are compared with others of their
    stratum only (Davison & Hinkley 1997, 5.3.2). Where all resamples lie on one side of the observed value there is
    nothing to correct with: these are plain percentiles.
    """
    below = (np.count_nonzero(distribution < observed) + np.count_nonzero(distribution <= observed)) / 2
    share = below / len(distribution)
    if not 0 < share < 1:
        return find_percentile_interval(distribution, confidence)
    bias = _NORMAL.inv_cdf(share)
    centered = _center_within_strata(without_each, strata)
    distance = centered.mean() - centered
    spread = float((distance**2).sum()) ** 1.5
    acceleration = float((distance**3).sum()) / (6 * spread) if spread else 0.0
    levels = []
    for end in ((1 - confidence) / 2, (1 + confidence) / 2):
        shifted = bias + _NORMAL.inv_cdf(end)
        stretch = 1 - acceleration * shifted
        # So far out that the correction has passed the end of the scale, it is that end.
        levels.append(_NORMAL.cdf(bias + shifted / stretch) if stretch > 0 else float(shifted > 0))
    low, high = np.quantile(distribution, levels)
    return float(low), float(high)


def _center_within_strata(without_each: Floats, strata: Ints | None) -> Floats:
    """Return an array: each document's jackknife score less its stratum's mean, scaled; unchanged without strata."""
    if strata is None:
        return without_each
    count = np.maximum(np.bincount(strata), 1)
    mean = np.bincount(strata, weights=without_each) / count
    return (without_each - mean[strata]) * ((count - 1) / count)[strata]
