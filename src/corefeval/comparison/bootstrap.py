"""Bootstrap over documents, and over the runs of a system where it has several; all systems on the same documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from corefeval.comparison import resampling
from corefeval.comparison.stack import Stack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Floats
    from corefeval.comparison.resampling import Plan
    from corefeval.comparison.system import System
    from corefeval.measures import Measure


class Distribution(NamedTuple):
    """The resampled scores of a system by one measure.

    `documents` with its runs as they are, `all` with its runs drawn, too; the same where there is one run. `undefined`:
    the share of resamples on which the measure is 0/0.
    """

    all: Floats
    documents: Floats
    undefined: float


Distributions = dict[tuple[int, "Measure"], Distribution]
"""By system and measure."""


def distributions(
    systems: Sequence[System], measures: Sequence[Measure], plan: Plan, done: Callable[[int], None]
) -> Distributions:
    """Score every resample with every measure. `done` is told how many resamples are."""
    samples = [
        (number, measure, sample)
        for number, system in enumerate(systems)
        for measure in measures
        for sample in system.samples[measure]
    ]
    stack = Stack([sample for _, _, sample in samples])
    scores = np.empty((len(samples), plan.resamples))
    undefined = np.zeros(len(samples))
    row = 0
    for weights in resampling.drawn(stack.documents, plan):
        for place, sums in enumerate(stack.sums(weights)):
            own, missing = samples[place][2].scored(sums)
            scores[place, row : row + len(weights)] = own
            undefined[place] += np.count_nonzero(missing)
        row += len(weights)
        done(len(weights))
    found: Distributions = {}
    for number, system in enumerate(systems):
        for measure in measures:
            places = [place for place, each in enumerate(samples) if each[:2] == (number, measure)]
            documents = scores[places].mean(axis=0)
            drawn = _runs_drawn(scores[places], plan, system.name) if len(system.runs) > 1 else documents
            found[number, measure] = Distribution(drawn, documents, float(undefined[places].max()) / plan.resamples)
    return found


def _runs_drawn(scores: Floats, plan: Plan, system: str) -> Floats:
    """The mean of as many runs as there are, drawn with replacement, for every resample; the same for all measures.

    Each system has random numbers of its own, by its name: whoever else is compared does not change them.
    """
    random = np.random.default_rng([plan.seed, resampling.RUNS, crc32(system.encode(errors="surrogatepass"))])
    chosen = random.integers(0, len(scores), size=(len(scores), plan.resamples))
    return np.take_along_axis(scores, chosen, axis=0).mean(axis=0)
