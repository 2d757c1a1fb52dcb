"""Paired randomisation (Noreen 1989): if two systems are alike, it does not matter whose output a document has.

Each swap exchanges the two systems' counts on some documents. p is the share of swaps whose difference is at least as
large, either way, as the one observed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.comparison import resampling
from corefeval.comparison.stack import Stack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.comparison.resampling import Plan
    from corefeval.comparison.sample import Sample
    from corefeval.comparison.system import System
    from corefeval.measures import Measure

_NOISE = 1e-12  # of sums of floating-point counts in another order

Pair = tuple[int, int]
Samples = tuple["Sample", ...]
"""Of the runs of a system."""


class Test(NamedTuple):
    """p, whether all swaps were tried, and how many were."""

    p: float
    exact: bool
    tried: int


def tests(
    systems: Sequence[System],
    pairs: Sequence[Pair],
    measures: Sequence[Measure],
    plan: Plan,
    done: Callable[[int], None],
    settled: Callable[[int], None],
) -> dict[tuple[Pair, Measure], Test]:
    """Test every pair by every measure.

    `done` is told how many random swaps have been tried, `settled` how many tests are done or need random swaps.
    """
    found: dict[tuple[Pair, Measure], Test] = {}
    many: list[tuple[Pair, Measure]] = []
    for pair in pairs:
        a, b = (systems[number] for number in pair)
        for measure in measures:
            differing = _differing(a.samples[measure], b.samples[measure])
            if len(differing) <= resampling.EXACT:
                found[pair, measure] = _exact(a.samples[measure], b.samples[measure], differing)
            else:
                many.append((pair, measure))
            settled(1)
    return found | _random(systems, many, plan, done) if many else found


def _differing(a: Samples, b: Samples) -> Ints:
    """The documents on which the counts of some run differ."""
    return np.flatnonzero(np.any([(y.counts != x.counts).any(axis=1) for x, y in zip(a, b, strict=True)], axis=0))


def _exact(a: Samples, b: Samples, differing: Ints) -> Test:
    least = _least(a, b)
    hits = tried = 0
    runs = [resampling.every_sum((y.counts - x.counts)[differing]) for x, y in zip(a, b, strict=True)]
    for moved in zip(*runs, strict=True):
        hits += _hits(a, b, [change.T for change in moved], least)
        tried += moved[0].shape[1]
    return Test(hits / tried, exact=True, tried=1 << len(differing))


def _random(
    systems: Sequence[System], many: list[tuple[Pair, Measure]], plan: Plan, done: Callable[[int], None]
) -> dict[tuple[Pair, Measure], Test]:
    hits = dict.fromkeys(many, 0)
    least = {(pair, by): _least(*(systems[number].samples[by] for number in pair)) for pair, by in many}
    involved = list(dict.fromkeys((number, measure) for pair, measure in many for number in pair))
    samples = [(key, sample) for key in involved for sample in systems[key[0]].samples[key[1]]]
    stack = Stack([sample for _, sample in samples])
    for swaps in resampling.swapped(stack.documents, plan):
        # What a system has on the swapped documents is the same whoever it is compared with.
        there: dict[tuple[int, Measure], list[Floats]] = {key: [] for key in involved}
        for (key, _), sums in zip(samples, stack.sums(swaps), strict=True):
            there[key].append(sums)
        for pair, measure in many:
            a, b = (systems[number].samples[measure] for number in pair)
            moved = [y - x for x, y in zip(there[pair[0], measure], there[pair[1], measure], strict=True)]
            hits[pair, measure] += _hits(a, b, moved, least[pair, measure])
        done(len(swaps))
    return {
        key: Test((count + 1) / (plan.resamples + 1), exact=False, tried=plan.resamples) for key, count in hits.items()
    }


def _hits(a: Samples, b: Samples, moved: Sequence[Floats], least: float) -> int:
    """How many swaps make a difference of at least so much; runs are paired in their order."""
    differences = [
        y.score(y.total - change) - x.score(x.total + change) for x, y, change in zip(a, b, moved, strict=True)
    ]
    mean = differences[0] if len(differences) == 1 else np.mean(differences, axis=0)
    return int(np.count_nonzero(np.abs(mean) >= least))


def _least(a: Samples, b: Samples) -> float:
    """The difference observed, but for noise."""
    return abs(float(np.mean([y.observed - x.observed for x, y in zip(a, b, strict=True)]))) - _NOISE
