"""Two systems by one measure: the difference with its interval, its p-value, and the documents it rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefeval.comparison.bootstrap import find_interval
from corefeval.comparison.planning import PowerAnalysis
from corefeval.comparison.results import Difference
from corefeval.comparison.significance import correct_p_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.comparison.bootstrap import Distributions
    from corefeval.comparison.results import Settings
    from corefeval.comparison.significance import PValues, SystemPair
    from corefeval.comparison.systems import SystemSamples
    from corefeval.measures import Measure

_ALIKE = 1e-12
_MOST_DECIDING = 5


def describe_differences(
    systems: Sequence[SystemSamples],
    pairs: Sequence[SystemPair],
    measures: Sequence[Measure],
    p_values: PValues,
    distributions: Distributions,
    settings: Settings,
    strata: Ints | None,
) -> tuple[Difference, ...]:
    """Describe all pairs by all measures; p-values are corrected for the number of pairs, measure by measure."""
    found: list[Difference] = []
    for measure in measures:
        uncorrected = [p_values[pair, measure].p for pair in pairs]
        corrected = correct_p_values(uncorrected, settings.correction)
        for pair, p in zip(pairs, corrected, strict=True):
            described = _describe(systems, pair, measure, p_values, distributions, settings, strata)
            found.append(replace(described, p_corrected=p, significant=p <= 1 - settings.confidence + _ALIKE))
    return tuple(found)


def _describe(
    systems: Sequence[SystemSamples],
    pair: SystemPair,
    measure: Measure,
    p_values: PValues,
    distributions: Distributions,
    settings: Settings,
    strata: Ints | None,
) -> Difference:
    a, b = (systems[number] for number in pair)
    names = a.document_names
    observed = b.observed(measure) - a.observed(measure)
    without_each = b.score_without_each(measure) - a.score_without_each(measure)
    before, after = (distributions[number, measure] for number in pair)
    by_all, by_documents = after.by_all - before.by_all, after.by_documents - before.by_documents
    power = PowerAnalysis.from_resamples(by_all, by_documents, len(names), settings.confidence)
    gains = measure.sign * (b.score_documents(measure) - a.score_documents(measure))
    p = p_values[pair, measure]
    return Difference(
        a.name,
        b.name,
        str(measure),
        observed,
        find_interval(by_all, observed, without_each, settings, strata),
        p.p,
        p.p,
        significant=False,
        wins=int(np.count_nonzero(gains > _ALIKE)),
        ties=int(np.count_nonzero(np.abs(gains) <= _ALIKE)),
        losses=int(np.count_nonzero(gains < -_ALIKE)),
        exact=p.exact,
        tried=p.tried,
        deciding=_find_deciding(observed - without_each, names),
        detectable=power.detectable,
        needed=power.count_needed(observed),
        planned=None if settings.plan is None else power.count_needed(settings.plan),
    )


def _find_deciding(contributions: Floats, names: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """Return the documents that contribute most to a difference, either way, and how much."""
    order = np.argsort(-np.abs(contributions), kind="stable")[:_MOST_DECIDING].tolist()
    return tuple((names[place], float(contributions[place])) for place in order if abs(contributions[place]) > _ALIKE)
