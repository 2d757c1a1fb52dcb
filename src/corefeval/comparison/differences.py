"""Two systems by one measure: the difference with its interval, its p-value, and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.comparison import correction, intervals, planning
from corefeval.comparison.results import Difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.comparison.bootstrap import Distributions
    from corefeval.comparison.randomisation import Pair, Test
    from corefeval.comparison.results import Settings
    from corefeval.comparison.system import System
    from corefeval.measures import Measure

_ALIKE = 1e-12
_DECIDING = 5


def difference(
    systems: Sequence[System],
    pair: Pair,
    measure: Measure,
    test: Test,
    drawn: Distributions,
    settings: Settings,
    names: Sequence[str],
    groups: Ints | None,
) -> Difference:
    """What is found about two systems by one measure; p is not yet corrected for how many pairs there are."""
    a, b = (systems[number] for number in pair)
    observed = b.observed(measure) - a.observed(measure)
    without = b.without_each(measure) - a.without_each(measure)
    distribution = drawn[pair[1], measure].all - drawn[pair[0], measure].all
    of_documents = drawn[pair[1], measure].documents - drawn[pair[0], measure].documents
    plan = planning.planned(distribution, of_documents, len(names), settings.confidence)
    better = 1 if measure.more_is_better else -1
    by_document = better * (b.by_document(measure) - a.by_document(measure))
    return Difference(
        a.name,
        b.name,
        str(measure),
        observed,
        intervals.chosen(distribution, observed, without, settings, groups),
        test.p,
        test.p,
        significant=False,
        wins=int(np.count_nonzero(by_document > _ALIKE)),
        ties=int(np.count_nonzero(np.abs(by_document) <= _ALIKE)),
        losses=int(np.count_nonzero(by_document < -_ALIKE)),
        exact=test.exact,
        tried=test.tried,
        deciding=_deciding(observed - without, names),
        detectable=plan.detectable,
        needed=plan.needed(observed),
        planned=None if settings.plan is None else plan.needed(settings.plan),
    )


def _deciding(adds: Floats, names: Sequence[str]) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-np.abs(adds), kind="stable")[:_DECIDING].tolist()
    return tuple((names[place], float(adds[place])) for place in order if abs(adds[place]) > _ALIKE)


def corrected(differences: list[Difference], settings: Settings) -> list[Difference]:
    """Comparisons by one measure belong together."""
    found: list[Difference] = []
    for measure in dict.fromkeys(each.measure for each in differences):
        family = [each for each in differences if each.measure == measure]
        p = correction.corrected([each.p for each in family], settings.correction)
        found += [
            each._replace(p_corrected=value, significant=value <= 1 - settings.confidence + _ALIKE)
            for each, value in zip(family, p, strict=True)
        ]
    return found
