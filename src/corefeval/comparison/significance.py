"""p-values: paired randomisation, the bootstrap test, and corrections for the number of comparisons.

Randomisation (Noreen 1989): if two systems are alike, it does not matter whose output a document has. Each swap
exchanges the two systems' counts on some documents; p is the share of swaps whose difference is at least as large,
either way, as the observed one. Where systems cannot be swapped, the bootstrap tests them: p is the share of resampled
differences that are as far from the observed one as that is from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval._lazy import NamedTuple
from corefeval.comparison.bootstrap import SWAPPED, Distributions, ResamplingPlan, StackedCounts, split_blocks
from corefeval.measures import Measure
from corefeval.notices import Progress, make_progress_counter

if TYPE_CHECKING:
    from corefeval.comparison.systems import Sample, SystemSamples

MOST_FOR_ALL_SWAPS = 20
"""Up to how many differing documents all possible swaps are tried."""
_BLOCK_DOCUMENTS = 13  # documents whose subsets make one block
CORRECTIONS = ("holm", "bh", "none")
_NOISE = 1e-12  # of sums of floating-point counts in another order

SystemPair = tuple[int, int]
"""The numbers of two systems."""
PairedRuns = list[tuple["Sample", "Sample"]]
"""The samples of two systems' runs by one measure, paired in their order."""


class PValue(NamedTuple):
    """An uncorrected p-value, whether it is exact (from all possible swaps), and how many resamples it is from."""

    p: float
    exact: bool
    tried: int


PValues = dict[tuple[SystemPair, "Measure"], PValue]


def run_randomisation_tests(
    systems: Sequence[SystemSamples],
    pairs: Sequence[SystemPair],
    measures: Sequence[Measure],
    plan: ResamplingPlan,
    progress: Progress | None = None,
) -> PValues:
    """Return p-values by pair and measure: from all swaps where up to 20 documents differ, else from random ones."""
    advance = make_progress_counter(progress, "all swaps", len(pairs) * len(measures))
    p_values: PValues = {}
    untested: dict[tuple[SystemPair, Measure], PairedRuns] = {}
    for pair, measure in product(pairs, measures):
        runs = list(zip(*(systems[number].samples[measure] for number in pair), strict=True))
        differing = np.flatnonzero(np.any([(b.counts != a.counts).any(axis=1) for a, b in runs], axis=0))
        if plan.times is not None:
            differing = np.repeat(differing, np.minimum(plan.times[differing], MOST_FOR_ALL_SWAPS + 1))
        if len(differing) <= MOST_FOR_ALL_SWAPS:
            p_values[pair, measure] = _try_all_swaps(runs, differing)
        else:
            untested[pair, measure] = runs
        advance(1)
    return p_values | _try_random_swaps(systems, untested, plan, progress) if untested else p_values


def _try_all_swaps(runs: PairedRuns, differing: Ints) -> PValue:
    """Return the exact p-value: the share of all swaps of differing documents that reach the observed difference."""
    threshold = _find_threshold(runs)
    hits = tried = 0
    for moved in zip(*(sum_all_subsets((b.counts - a.counts)[differing]) for a, b in runs), strict=True):
        hits += _count_hits(runs, [change.T for change in moved], threshold)
        tried += moved[0].shape[1]
    return PValue(hits / tried, exact=True, tried=1 << len(differing))


def _try_random_swaps(
    systems: Sequence[SystemSamples],
    tests: Mapping[tuple[SystemPair, Measure], PairedRuns],
    plan: ResamplingPlan,
    progress: Progress | None,
) -> PValues:
    """Return p-values by pair and measure: the share of random swaps that reach the observed difference."""
    advance = make_progress_counter(progress, "differences", plan.resamples)
    thresholds = {test: _find_threshold(runs) for test, runs in tests.items()}
    hits = dict.fromkeys(tests, 0)
    stack = StackedCounts(systems, dict.fromkeys((number, measure) for pair, measure in tests for number in pair))
    for swaps in draw_swaps(stack.documents, plan):
        # What a system counts on the swapped documents is the same for all pairs that it is in.
        swapped = dict(stack.sum_counts(swaps))
        for test, runs in tests.items():
            (a, b), measure = test
            moved = [y - x for x, y in zip(swapped[a, measure], swapped[b, measure], strict=True)]
            hits[test] += _count_hits(runs, moved, thresholds[test])
        advance(len(swaps))
    tried = plan.resamples
    return {test: PValue((count + 1) / (tried + 1), exact=False, tried=tried) for test, count in hits.items()}


def _count_hits(runs: PairedRuns, moved: Sequence[Floats], threshold: float) -> int:
    """Return how many swaps have a difference, averaged over runs, that reaches the threshold either way.

    moved: for each run, the counts that go from b to a, less those that go from a to b; a row for each swap.
    """
    differences = [
        b.score(b.total - change) - a.score(a.total + change) for (a, b), change in zip(runs, moved, strict=True)
    ]
    mean = differences[0] if len(differences) == 1 else np.mean(differences, axis=0)
    return int(np.count_nonzero(np.abs(mean) >= threshold))


def _find_threshold(runs: PairedRuns) -> float:
    """Return the absolute observed difference, averaged over pairs of runs, less rounding noise."""
    return abs(float(np.mean([b.observed - a.observed for a, b in runs]))) - _NOISE


def draw_swaps(documents: int, plan: ResamplingPlan) -> Iterator[Floats]:
    """Yield matrices of random swaps (rows): 1 for each document (column) that two systems exchange, 0 for others.

    Where a column stands for several units: how many of these are exchanged.
    """
    for rows, random in split_blocks(documents, plan, SWAPPED):
        if plan.times is not None:
            yield random.binomial(plan.times, 0.5, size=(rows, documents)).astype(np.float64)
            continue
        bits = np.unpackbits(np.frombuffer(random.bytes(rows * -(-documents // 8)), dtype=np.uint8))
        yield bits.reshape(rows, -1)[:, :documents].astype(np.float64)


def sum_all_subsets(counts: Floats) -> Iterator[Floats]:
    """Yield blocks of columns, each the sum of the rows in one subset, for every subset that lacks the last row."""
    # A subset and its complement exchange the same two systems, so one of the two is enough.
    free = counts[:-1]
    small = _sum_subsets(free[:_BLOCK_DOCUMENTS])
    for more in _sum_subsets(free[_BLOCK_DOCUMENTS:]).T:
        yield small + more[:, np.newaxis]


def _sum_subsets(counts: Floats) -> Floats:
    """Return a matrix with a column for each subset of the rows: their sum."""
    sums = np.zeros((counts.shape[1], 1))
    for row in counts:
        sums = np.concatenate([sums, sums + row[:, np.newaxis]], axis=1)
    return sums


def run_bootstrap_tests(
    systems: Sequence[SystemSamples],
    pairs: Sequence[SystemPair],
    measures: Sequence[Measure],
    distributions: Distributions,
    strata: Ints | None,
) -> PValues:
    """Return p-values by pair and measure: the share of resampled differences as far from the observed as that from 0.

    Few documents make few different resamples: an event that none of them shows may still be as likely as the rarest of
    them, on either side, so no p is less than that. The rarest draws one document every time, in each stratum (n^-n).
    """
    sizes = np.array([systems[0].samples[measures[0]][0].size]) if strata is None else np.bincount(strata)
    least = min(1.0, 2 * float(np.prod(sizes.astype(np.float64) ** -sizes)))
    p_values: PValues = {}
    for (a, b), measure in product(pairs, measures):
        observed = systems[b].observed(measure) - systems[a].observed(measure)
        differences = distributions[b, measure].by_all - distributions[a, measure].by_all
        hits = int(np.count_nonzero(np.abs(differences - observed) >= abs(observed) - _NOISE))
        p = max((hits + 1) / (len(differences) + 1), least)
        p_values[(a, b), measure] = PValue(p, exact=False, tried=len(differences))
    return p_values


def correct_p_values(p: Sequence[float], method: str) -> list[float]:
    """Return a list of the p-values, in their order, corrected for how many there are, by "holm", "bh" or "none".

    "holm" keeps the chance of even one false discovery below the level (Holm 1979), "bh" the expected share of false
    discoveries (Benjamini & Hochberg 1995), "none" changes nothing.
    """
    if method == "none":
        return list(p)
    order, count = np.argsort(p), len(p)
    ascending = np.asarray(p, dtype=np.float64)[order]
    if method == "holm":
        stepped = np.maximum.accumulate(ascending * np.arange(count, 0, -1))
    else:
        stepped = np.minimum.accumulate((ascending * count / np.arange(1, count + 1))[::-1])[::-1]
    corrected = np.empty(count)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected.tolist()
