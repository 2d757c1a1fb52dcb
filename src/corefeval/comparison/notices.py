"""Notices about the limits of a comparison: few documents, few resamples, few runs, undefined scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from corefeval._arrays import Floats
from corefeval.comparison.systems import COMPONENT, DOCUMENT, Study
from corefeval.notices import Notice, count_part, count_things, join_notices

_FEW_DOCUMENTS = 30
_DOMINANT_SHARE = 0.5
_DOMINANT_OF_FEW = 1.5  # of two or three documents one is dominant only if it is worth so many average ones
_FEW_BEYOND = 5
_OFTEN_UNDEFINED = 0.01
_FEW_RUNS = 5
_ONE_UNIT = {
    DOCUMENT: "there is only one document: its mentions depend on each other, so nothing can be said about "
    "significance, and intervals have no width; for one table of records, resample=components draws groups of entities",
    COMPONENT: "there is only one component, as all entities hang together by shared mentions: nothing can be said "
    "about significance, and intervals have no width",
}


def collect_notices(study: Study) -> tuple[Notice, ...]:
    """Return the notices of all evaluations, each once, then those of the comparison itself."""
    own = join_notices(run.notices for system in study.systems for run in system.runs)
    checks = (_check_documents, _check_undefined, _check_strata, _check_resamples, _check_runs)
    return (*own, *(notice for check in checks for notice in check(study)))


def _check_documents(study: Study) -> Iterator[Notice]:
    """Yield a notice of a single document or component, or notices of few, and of one that outweighs the others."""
    system, units = study.systems[0], study.units
    noun, count = units.noun, units.count
    if count == 1:
        yield Notice(f"one-{noun}", _ONE_UNIT[noun])
        return
    documents = len(system.runs[0].document_names)
    if noun == COMPONENT and documents > 1:
        yield Notice(
            "components-of-documents",
            f"components of the same document depend on each other: with {documents:,} documents, these should be "
            "resampled (resample=documents)",
            {"documents": documents},
        )
    if count < _FEW_DOCUMENTS:
        message = f"there are only {count_things(count, noun)}: intervals and p-values are rough"
        yield Notice(f"few-{noun}s", message, {f"{noun}s": count})
    by_measure = {measure: system.samples[measure][0].weight for measure in study.measures}
    measure, weights = min(by_measure.items(), key=lambda each: _count_effective(each[1]) or count)
    worth = _count_effective(weights)
    share = float(weights.max() / weights.sum()) if worth else 0.0
    if share >= max(_DOMINANT_SHARE, _DOMINANT_OF_FEW / count) or 0 < worth < min(_FEW_DOCUMENTS, count) / 2:
        name = units.name_unit(int(weights.argmax()))
        yield Notice(
            f"uneven-{noun}s",
            f"{noun} {name!r} has {share:.0%} of what {measure} counts in the key: the {count} {noun}s are worth "
            f"{worth:.1f} of equal size",
            {noun: name, "measure": str(measure), "share": share, "effective": worth},
        )


def _count_effective(weight: Floats) -> float:
    """Return how many documents of equal weight these weights amount to (Kish 1965), not rounded; 0 if all are 0."""
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0


def _check_undefined(study: Study) -> Iterator[Notice]:
    """Yield a notice of every measure that is undefined (0/0) on more than 1 % of a system's resamples."""
    for measure in study.measures:
        share = max(study.distributions[number, measure].undefined for number in range(len(study.systems)))
        if share > _OFTEN_UNDEFINED:
            message = f"{measure} is undefined (0/0) on {share:.0%} of the resamples, where it counts as"
            details = {"measure": str(measure), "share": share}
            yield Notice("undefined-resamples", f"{message} {measure.undefined}", details)


def _check_strata(study: Study) -> Iterator[Notice]:
    """Yield notices of a single stratum, and of strata of one document; nothing without strata."""
    if study.strata is None:
        return
    sizes = np.bincount(study.strata)
    if len(sizes) == 1:
        what = f"stratify={study.settings.stratify}"
        yield Notice("one-group", f"{what} puts all documents into one group: it changes nothing")
    alone = int(np.count_nonzero(sizes == 1)) if len(study.strata) > 1 else 0
    if alone:
        groups = f"{alone} group{'s have' if alone > 1 else ' has'}"
        message = f"{groups} only one document, which is in every resample: intervals are too narrow"
        yield Notice("small-groups", message, {"groups": alone})


def _check_resamples(study: Study) -> Iterator[Notice]:
    """Yield notices if documents or resamples are too few for p to be significant, or for sound intervals."""
    settings, p_values = study.settings, study.p_values
    level = 1 - settings.confidence
    coarse = [each for each in p_values.values() if each.exact and 2 / each.tried > level and each.p < 1]
    if coarse:
        least = max(2 / each.tried for each in coarse)
        yield Notice(
            "coarse-test",
            f"{count_part(len(coarse), len(p_values), 'comparison')}: the systems differ on so few {study.units.noun}s "
            f"that p cannot be less than {least:.3g}",
            {"comparisons": len(coarse), "least": least},
        )
    random = [measure for (_, measure), each in p_values.items() if not each.exact]
    family = max(Counter(random).values(), default=0) if settings.correction == "holm" else min(1, len(random))
    least, resamples = family / (settings.resamples + 1), count_things(settings.resamples, "resample")
    if least > level:
        yield Notice(
            "few-resamples",
            f"with {resamples} and {count_things(family, 'comparison')} by one measure no corrected p can be "
            f"less than {least:.3g}: take more resamples",
            {"least": least},
        )
    beyond = settings.resamples * (1 - settings.confidence) / 2
    if beyond < _FEW_BEYOND:
        yield Notice(
            "rough-intervals",
            f"with {resamples} only {beyond:.2g} lie beyond each end of a "
            f"{settings.confidence:.6g} interval: take more resamples",
            {"beyond": beyond},
        )


def _check_runs(study: Study) -> Iterator[Notice]:
    """Yield notices of systems with two to four runs, and of unequal numbers of runs if the test is randomisation."""
    counts = {len(system.runs) for system in study.systems}
    fewest = min((count for count in counts if count > 1), default=_FEW_RUNS)
    if fewest < _FEW_RUNS:
        message = f"there are only {fewest} runs: intervals understate how much runs differ"
        yield Notice("few-runs", message, {"runs": fewest})
    if len(counts) > 1 and study.settings.test == "randomisation":
        message = "systems with different numbers of runs cannot be swapped: they are compared by bootstrap"
        yield Notice("bootstrap-instead", message)
