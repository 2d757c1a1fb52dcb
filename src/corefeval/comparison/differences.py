"""Two systems by one measure: the difference with its interval and p-value, the documents it rests on, and its power.

Power: how small a difference can be detected with so many documents, and how many documents it takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from corefeval._arrays import Floats
from corefeval.comparison.bootstrap import find_interval
from corefeval.comparison.results import Difference
from corefeval.comparison.significance import SystemPair, correct_p_values
from corefeval.comparison.systems import Study
from corefeval.measures import Measure

POWER = 0.8
_NORMAL = NormalDist()
_ALIKE = 1e-12
_NOISE = 1e-20  # variance of scores that are equal but for rounding
_MOST_DECIDING = 5


def build_differences(study: Study) -> Iterator[Difference]:
    """Yield a Difference for each measure and pair, whose p-value is corrected for the number of pairs."""
    for measure in study.measures:
        uncorrected = [study.p_values[pair, measure].p for pair in study.pairs]
        corrected = correct_p_values(uncorrected, study.settings.correction)
        for pair, p in zip(study.pairs, corrected, strict=True):
            yield _build_difference(study, pair, measure, p)


def _build_difference(study: Study, pair: SystemPair, measure: Measure, p_corrected: float) -> Difference:
    """Return a Difference, b minus a, of two systems by a measure: interval, p-value, deciding documents, power."""
    a, b = (study.systems[number] for number in pair)
    settings, units, p = study.settings, study.units, study.p_values[pair, measure]
    observed = b.observed(measure) - a.observed(measure)
    without_each = b.score_without_each(measure) - a.score_without_each(measure)
    before, after = (study.distributions[number, measure] for number in pair)
    by_all, by_documents = after.by_all - before.by_all, after.by_documents - before.by_documents
    power = PowerAnalysis.from_resamples(by_all, by_documents, units.count, settings.confidence)
    gains = measure.sign * (b.score_documents(measure) - a.score_documents(measure))
    contributions = observed - without_each
    largest = np.argsort(-np.abs(contributions), kind="stable")[:_MOST_DECIDING].tolist()
    return Difference(
        a.name,
        b.name,
        str(measure),
        observed,
        find_interval(by_all, observed, without_each, settings, study.strata),
        p.p,
        p_corrected,
        significant=p_corrected <= 1 - settings.confidence + _ALIKE,
        wins=int(np.count_nonzero(gains > _ALIKE)),
        ties=int(np.count_nonzero(np.abs(gains) <= _ALIKE)),
        losses=int(np.count_nonzero(gains < -_ALIKE)),
        exact=p.exact,
        tried=p.tried,
        deciding=tuple(
            (units.name_unit(place), float(contributions[place]))
            for place in largest
            if abs(contributions[place]) > _ALIKE
        ),
        detectable=power.detectable,
        needed=power.count_needed(observed),
        planned=None if settings.plan is None else power.count_needed(settings.plan),
    )


@dataclass(frozen=True, slots=True)
class PowerAnalysis:
    """What the standard error of a difference says about other numbers of documents."""

    by_documents: float  # the variance of the difference that comes from documents
    by_runs: float  # and that from the runs of the systems
    documents: int
    factor: float  # how many standard errors a difference must have to be significant with 80 % power
    least: int  # fewer documents can never be significant, whatever the difference: they have too few swaps

    @classmethod
    def from_resamples(cls, by_all: Floats, by_documents: Floats, documents: int, confidence: float) -> PowerAnalysis:
        """Return the analysis of resampled differences: what variance of them is due to documents, and what to runs."""
        whole, own = (float(np.var(each, ddof=1)) if len(each) > 1 else 0.0 for each in (by_all, by_documents))
        own = own if own > _NOISE else 0.0
        factor = _NORMAL.inv_cdf((1 + confidence) / 2) + _NORMAL.inv_cdf(POWER)
        # n documents have 2^(n-1) different swaps, so p is at least 2^-(n-1).
        least = 1 + int(np.ceil(-np.log2(1 - confidence) - 1e-9))
        return cls(own, max(0.0, whole - own), documents, factor, least)

    @property
    def detectable(self) -> float | None:
        """The smallest difference found with 80 % power; None with too few documents, or if all resamples are alike."""
        if self.documents < self.least or not self.by_documents:
            return None
        return self.factor * float(np.sqrt(self.by_documents + self.by_runs))

    def count_needed(self, difference: float) -> int | None:
        """Return how many documents like these show a difference with 80 % power; None where no number would do."""
        # More documents do not make the runs of a system differ less.
        left = (difference / self.factor) ** 2 - self.by_runs
        if left <= 0 or not self.by_documents:
            return None
        return max(self.least, int(np.ceil(self.documents * self.by_documents / left)))
