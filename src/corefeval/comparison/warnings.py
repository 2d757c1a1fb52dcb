"""What a reader of a comparison should know about its limits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from corefeval.comparison.planning import effective
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefeval._arrays import Ints
    from corefeval.comparison.bootstrap import Distributions
    from corefeval.comparison.randomisation import Pair, Test
    from corefeval.comparison.results import Settings
    from corefeval.comparison.system import System
    from corefeval.measures import Measure

_FEW = 30
_DOMINATES = 0.5
_OF_FEW = 1.5  # documents that one of them must be worth to dominate where there are two or three
_AT_THE_ENDS = 5
_OFTEN = 0.01
_FEW_RUNS = 5


def found(
    systems: Sequence[System],
    measures: Sequence[Measure],
    drawn: Distributions,
    tested: Mapping[tuple[Pair, Measure], Test],
    settings: Settings,
    strata: Ints | None,
) -> tuple[Notice, ...]:
    """The evaluations' own warnings, each once, and what is to be said about the comparison."""
    own = {notice.message: notice for system in systems for run in system.runs for notice in run.notices}
    return (
        *own.values(),
        *_documents(systems[0], measures),
        *_undefined(systems, measures, drawn),
        *_groups(strata, settings),
        *_resolution(tested, settings),
        *_too_few(tested, settings),
        *_ends(settings),
        *_runs(systems, settings),
    )


def _documents(system: System, measures: Sequence[Measure]) -> Iterator[Notice]:
    """Documents are the unit: too few of them, or one that outweighs the others, say little."""
    count = len(system.runs[0].document_names)
    if count == 1:
        yield Notice(
            "one-document",
            "there is one document only: its mentions depend on each other, so nothing can be said about significance, "
            "and intervals have no width (records linked across documents are one such table)",
        )
        return
    if count < _FEW:
        yield Notice(
            "few-documents", f"there are {count} documents only: intervals and p-values are rough", {"documents": count}
        )
    by_measure = {measure: system.samples[measure][0].weight for measure in measures}
    measure, weights = min(by_measure.items(), key=lambda each: effective(each[1]) or count)
    worth = effective(weights)
    share = float(weights.max() / weights.sum()) if worth else 0.0
    if share >= max(_DOMINATES, _OF_FEW / count) or 0 < worth < min(_FEW, count) / 2:
        name = system.documents[int(weights.argmax())]
        yield Notice(
            "uneven-documents",
            f"document {name!r} has {share:.0%} of what {measure} counts in the key: the {count} documents count as "
            f"{worth:.1f} of equal size",
            {"document": name, "measure": str(measure), "share": share, "effective": worth},
        )


def _undefined(systems: Sequence[System], measures: Sequence[Measure], drawn: Distributions) -> Iterator[Notice]:
    for measure in measures:
        share = max(drawn[number, measure].undefined for number in range(len(systems)))
        if share > _OFTEN:
            yield Notice(
                "undefined-resamples",
                f"{measure} is undefined (0/0) on {share:.0%} of the resamples, where it counts as {measure.undefined}",
                {"measure": str(measure), "share": share},
            )


def _resolution(tested: Mapping[tuple[Pair, Measure], Test], settings: Settings) -> Iterator[Notice]:
    """Where so few documents differ that no p-value can be small enough."""
    level = 1 - settings.confidence
    coarse = [test for test in tested.values() if test.exact and 2 / test.tried > level and test.p < 1]
    if coarse:
        least = max(2 / test.tried for test in coarse)
        yield Notice(
            "coarse-test",
            f"{len(coarse)} of {len(tested)} comparisons: the systems differ on so few documents that p cannot be less "
            f"than {least:.3g}",
            {"comparisons": len(coarse), "least": least},
        )


def _too_few(tested: Mapping[tuple[Pair, Measure], Test], settings: Settings) -> Iterator[Notice]:
    """Where so few resamples were tried that no corrected p-value can be small enough."""
    rough = [measure for (_, measure), test in tested.items() if not test.exact]
    family = max(Counter(rough).values(), default=0) if settings.correction == "holm" else min(1, len(rough))
    least = family / (settings.resamples + 1)
    if least > 1 - settings.confidence:
        yield Notice(
            "few-resamples",
            f"with {settings.resamples:,} resamples and {family:,} comparisons by one measure no corrected p can be "
            f"less than {least:.3g}: take more resamples",
            {"least": least},
        )


def _ends(settings: Settings) -> Iterator[Notice]:
    """Where so few resamples lie outside of an interval that its ends are chance."""
    outside = settings.resamples * (1 - settings.confidence) / 2
    if outside < _AT_THE_ENDS:
        yield Notice(
            "rough-intervals",
            f"with {settings.resamples:,} resamples only {outside:.2g} lie beyond each end of a "
            f"{settings.confidence:.6g} interval: take more resamples",
            {"beyond": outside},
        )


def _groups(strata: Ints | None, settings: Settings) -> Iterator[Notice]:
    """Groups that change nothing, and documents that are alone in their group and so in every resample."""
    if strata is None:
        return
    sizes = np.bincount(strata)
    alone = int(np.count_nonzero(sizes == 1)) if len(strata) > 1 else 0
    if len(sizes) == 1:
        yield Notice("one-group", f"stratify={settings.stratify} puts all documents into one group: it changes nothing")
    if alone:
        yield Notice(
            "small-groups",
            f"{alone} group{'s have' if alone > 1 else ' has'} one document only, which is in every resample: "
            "intervals are too narrow",
            {"groups": alone},
        )


def _runs(systems: Sequence[System], settings: Settings) -> Iterator[Notice]:
    counts = {len(system.runs) for system in systems}
    fewest = min((count for count in counts if count > 1), default=_FEW_RUNS)
    if fewest < _FEW_RUNS:
        yield Notice(
            "few-runs",
            f"there are {fewest} runs only: intervals understate how much runs differ",
            {"runs": fewest},
        )
    if len(counts) > 1 and settings.test == "randomisation":
        yield Notice(
            "bootstrap-instead",
            "systems with different numbers of runs cannot be swapped: they are compared by bootstrap",
        )
