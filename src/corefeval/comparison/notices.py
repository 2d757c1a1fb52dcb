"""Notices about the limits of a comparison: few documents, few resamples, few runs, undefined scores."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from corefeval.comparison.planning import count_effective
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.comparison.bootstrap import Distributions
    from corefeval.comparison.results import Settings
    from corefeval.comparison.significance import PValues
    from corefeval.comparison.systems import SystemSamples
    from corefeval.measures import Measure

_FEW_DOCUMENTS = 30
_DOMINANT_SHARE = 0.5
_DOMINANT_OF_FEW = 1.5  # of two or three documents one is dominant only if it is worth so many average ones
_FEW_BEYOND = 5
_OFTEN_UNDEFINED = 0.01
_FEW_RUNS = 5


def collect_notices(
    systems: Sequence[SystemSamples],
    measures: Sequence[Measure],
    distributions: Distributions,
    p_values: PValues,
    settings: Settings,
    strata: Ints | None,
) -> tuple[Notice, ...]:
    """Collect the notices of all evaluations, without repetitions, and those of the comparison itself."""
    own = {notice.message: notice for system in systems for run in system.runs for notice in run.notices}
    return (
        *own.values(),
        *_check_documents(systems[0], measures),
        *_check_undefined(systems, measures, distributions),
        *_check_strata(strata, settings),
        *_check_differing_documents(p_values, settings),
        *_check_resamples(p_values, settings),
        *_check_interval_ends(settings),
        *_check_runs(systems, settings),
    )


def _check_documents(system: SystemSamples, measures: Sequence[Measure]) -> Iterator[Notice]:
    """Documents are the unit of resampling: too few of them, or one that outweighs the others, show little."""
    count = len(system.document_names)
    if count == 1:
        yield Notice(
            "one-document",
            "there is only one document: its mentions depend on each other, so nothing can be said about significance, "
            "and intervals have no width (records linked across documents are one such table)",
        )
        return
    if count < _FEW_DOCUMENTS:
        yield Notice(
            "few-documents", f"there are only {count} documents: intervals and p-values are rough", {"documents": count}
        )
    by_measure = {measure: system.samples[measure][0].weight for measure in measures}
    measure, weights = min(by_measure.items(), key=lambda each: count_effective(each[1]) or count)
    worth = count_effective(weights)
    share = float(weights.max() / weights.sum()) if worth else 0.0
    if share >= max(_DOMINANT_SHARE, _DOMINANT_OF_FEW / count) or 0 < worth < min(_FEW_DOCUMENTS, count) / 2:
        name = system.document_names[int(weights.argmax())]
        yield Notice(
            "uneven-documents",
            f"document {name!r} has {share:.0%} of what {measure} counts in the key: the {count} documents are worth "
            f"{worth:.1f} of equal size",
            {"document": name, "measure": str(measure), "share": share, "effective": worth},
        )


def _check_undefined(
    systems: Sequence[SystemSamples], measures: Sequence[Measure], distributions: Distributions
) -> Iterator[Notice]:
    for measure in measures:
        share = max(distributions[number, measure].undefined for number in range(len(systems)))
        if share > _OFTEN_UNDEFINED:
            yield Notice(
                "undefined-resamples",
                f"{measure} is undefined (0/0) on {share:.0%} of the resamples, where it counts as {measure.undefined}",
                {"measure": str(measure), "share": share},
            )


def _check_differing_documents(p_values: PValues, settings: Settings) -> Iterator[Notice]:
    """Systems may differ on so few documents that no p-value can be significant."""
    level = 1 - settings.confidence
    coarse = [each for each in p_values.values() if each.exact and 2 / each.tried > level and each.p < 1]
    if coarse:
        least = max(2 / each.tried for each in coarse)
        yield Notice(
            "coarse-test",
            f"{len(coarse)} of {len(p_values)} comparisons: the systems differ on so few documents that p cannot be "
            f"less than {least:.3g}",
            {"comparisons": len(coarse), "least": least},
        )


def _check_resamples(p_values: PValues, settings: Settings) -> Iterator[Notice]:
    """There may be so few resamples that no corrected p-value can be significant."""
    random = [measure for (_, measure), each in p_values.items() if not each.exact]
    family = max(Counter(random).values(), default=0) if settings.correction == "holm" else min(1, len(random))
    least = family / (settings.resamples + 1)
    if least > 1 - settings.confidence:
        yield Notice(
            "few-resamples",
            f"with {settings.resamples:,} resamples and {family:,} comparisons by one measure no corrected p can be "
            f"less than {least:.3g}: take more resamples",
            {"least": least},
        )


def _check_interval_ends(settings: Settings) -> Iterator[Notice]:
    """There may be so few resamples beyond the ends of an interval that these are chance."""
    beyond = settings.resamples * (1 - settings.confidence) / 2
    if beyond < _FEW_BEYOND:
        yield Notice(
            "rough-intervals",
            f"with {settings.resamples:,} resamples only {beyond:.2g} lie beyond each end of a "
            f"{settings.confidence:.6g} interval: take more resamples",
            {"beyond": beyond},
        )


def _check_strata(strata: Ints | None, settings: Settings) -> Iterator[Notice]:
    """One group changes nothing; a document that is alone in its group is in every resample."""
    if strata is None:
        return
    sizes = np.bincount(strata)
    alone = int(np.count_nonzero(sizes == 1)) if len(strata) > 1 else 0
    if len(sizes) == 1:
        yield Notice("one-group", f"stratify={settings.stratify} puts all documents into one group: it changes nothing")
    if alone:
        yield Notice(
            "small-groups",
            f"{alone} group{'s have' if alone > 1 else ' has'} only one document, which is in every resample: "
            "intervals are too narrow",
            {"groups": alone},
        )


def _check_runs(systems: Sequence[SystemSamples], settings: Settings) -> Iterator[Notice]:
    counts = {len(system.runs) for system in systems}
    fewest = min((count for count in counts if count > 1), default=_FEW_RUNS)
    if fewest < _FEW_RUNS:
        yield Notice(
            "few-runs",
            f"there are only {fewest} runs: intervals understate how much runs differ",
            {"runs": fewest},
        )
    if len(counts) > 1 and settings.test == "randomisation":
        yield Notice(
            "bootstrap-instead",
            "systems with different numbers of runs cannot be swapped: they are compared by bootstrap",
        )
