"""All annotators at once: the mean of their pairs, α, and how many have marked a mention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.agreement.alpha import DISTANCES, alpha
from corefeval.agreement.results import Coefficient, Marks, Summary
from corefeval.agreement.symmetry import units
from corefeval.baselines.chance import Chance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.agreement.alpha import Values
    from corefeval.agreement.disagreements import Annotations
    from corefeval.agreement.results import PairAgreement
    from corefeval.measures import Measure


def summary(pairs: Sequence[PairAgreement], measure: Measure) -> Summary:
    """A measure over all pairs."""
    name = str(measure)
    values = [pair.measures[name] for pair in pairs]
    mean = float(np.mean(values))
    expected = _mean_chance([pair.chance[name] for pair in pairs])
    full = float(measure.more_is_better)
    found = Summary(
        mean,
        float(np.std(values, ddof=1)) if len(values) > 1 else None,
        min(values),
        max(values),
        expected,
        (mean - expected.mean) / (full - expected.mean) if full != expected.mean else None,
        units(measure),
    )
    return found._replace(above_chance=None) if found.fixed else found


def _mean_chance(chances: Sequence[Chance]) -> Chance:
    """Of several pairs, whose random partitions have nothing to do with each other."""
    mean = float(np.mean([each.mean for each in chances]))
    half = float(np.sqrt(sum((each.interval[1] - each.mean) ** 2 for each in chances))) / len(chances)
    spread = float(np.mean([each.spread for each in chances]))
    return Chance(mean, (mean - half, mean + half), spread, chances[0].draws)


def coefficients(values: Values) -> Iterator[Coefficient]:
    """Krippendorff's α, with every distance, and with and without the mention itself in its set."""
    for itself in (False, True):
        sets = "all mentions of its entity" if itself else "the other mentions of its entity"
        for name, distance in DISTANCES.items():
            found = alpha(values, distance, itself=itself)
            counted = f"{found.units:,} mentions that two annotators or more have marked"
            said = f"{counted}; the value of one is {sets}; chance: two values of the same document"
            yield Coefficient(name, itself, found, said)


def marks(annotations: Annotations) -> Marks:
    """By how many annotators mentions were marked, of documents that two or more have."""
    values = annotations.values
    times = np.bincount(values.unit)
    document = np.zeros(len(times), dtype=np.int64)
    document[values.unit] = values.document[values.entity]
    everyone = annotations.present.sum(axis=0)[document]
    several = everyone > 1
    by = np.bincount(times[several])
    return Marks(
        int(np.count_nonzero(several)),
        int(np.count_nonzero(several & (times == everyone))),
        int(np.count_nonzero(several & (times == 1))),
        {number: int(by[number]) for number in range(1, len(by)) if by[number]},
    )
