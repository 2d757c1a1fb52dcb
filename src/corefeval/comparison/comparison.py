"""Which system is better? Scores with intervals, differences with p-values, and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Unpack

import numpy as np

from corefeval import measures as known
from corefeval.baselines import relative
from corefeval.comparison import bootstrap, ranking, significance
from corefeval.comparison.components import sample_components
from corefeval.comparison.differences import build_differences
from corefeval.comparison.notices import collect_notices
from corefeval.comparison.results import Comparison, Difference, Estimate, Settings, Standing
from corefeval.comparison.significance import SystemPair
from corefeval.comparison.systems import Study, SystemSamples, list_documents, number_strata
from corefeval.errors import OptionError, check_choice
from corefeval.measures import Measure
from corefeval.notices import Notice, Progress, announce_notices, check_strict, count_part
from corefeval.options import ScoringOptions
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Measures, Source, read, score

TESTS = ("randomisation", "bootstrap")
UNITS = ("documents", "components")
LEAST_RESAMPLES, MOST_RESAMPLES = 100, 10_000_000
"""The scores of all resamples are kept in memory: some megabytes for a million of one measure."""


class Runs(tuple["Source", ...]):
    """The responses of several runs of one system."""

    __slots__ = ()


@announce_notices
def compare(
    key: Source,
    systems: Mapping[str, Source | Runs],
    *,
    measures: Measures | None = None,
    test: str = TESTS[0],
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    correction: str = "holm",
    interval: str = bootstrap.INTERVALS[0],
    baseline: str | None = None,
    stratify: str | None = None,
    plan: float | None = None,
    relative_to: str | Source | None = None,
    resample: str = UNITS[0],
    progress: Progress | None = None,
    **options: Unpack[ScoringOptions],
) -> Comparison:
    """Score systems against a key, and return a Comparison: scores, intervals, differences, p-values, ranks.

    One system has scores and intervals only.
    systems: by name, a response each; or `Runs([...])`, several responses whose scores are averaged.
    measures: as in `score`.
    test: "randomisation" swaps documents between two systems, "bootstrap" draws documents.
    resamples, seed: how many, and the start of their random numbers; the same seed gives the same result.
    confidence: of intervals; 1 - confidence is the level of significance.
    correction: "holm", "bh" or "none", for the comparisons by one measure.
    interval: "bca" or "percentile".
    baseline: the system that all others are compared with; by default all pairs are compared.
    stratify: draw documents only within groups: "genre", "file", or a regular expression on their names.
    plan: a difference, such as 0.01; the result says how many documents would show it.
    relative_to: a kind of baseline, or a response, at 0, with a perfect response at 1: shown next to the plain scores.
    resample: what is drawn or swapped: "documents"; or "components", groups of entities that share mentions, within
        one table: measures that do not add up over these are left out, or refused if they were asked for.
    progress: called with the name of a step, how much of it is done, and of how much.
    options: as in `score`: profile, match, zeros, singletons, duplicates, macro, strict, format ...
    """
    selected = known.select_measures(measures)
    settings = Settings(test, resamples, seed, confidence, interval, correction, baseline, stratify, plan, resample)
    _check_settings(systems, settings)
    evaluations = _score_systems(key, systems, selected, options)
    comparison = compare_evaluations(evaluations, selected, settings, progress, may_drop=measures is None)
    if relative_to is not None:
        response_format = options.get("response_format") or options.get("format")
        comparison = _add_relative_scores(comparison, relative_to, response_format, progress)
    check_strict(comparison.notices, strict=options.get("strict", False))
    return comparison


def compare_evaluations(
    evaluations: Mapping[str, tuple[Evaluation, ...]],
    measures: tuple[Measure, ...],
    settings: Settings,
    progress: Progress | None = None,
    *,
    may_drop: bool = False,
) -> Comparison:
    """Return the comparison of systems by their runs' evaluations; an OptionError unless documents are the same.

    may_drop: leave out measures that cannot be resampled as the settings say, with a notice; otherwise an OptionError.
    """
    _check_documents(evaluations)
    left_out: tuple[Notice, ...] = ()
    if settings.resample == "components":
        systems, units, left_out = sample_components(evaluations, measures, may_drop=may_drop)
        measures = tuple(systems[0].samples)
    else:
        systems = [SystemSamples.from_runs(name, runs, measures) for name, runs in evaluations.items()]
        units = list_documents(systems[0].runs[0])
    first = systems[0].runs[0]
    strata = number_strata(first, settings.stratify)
    plan = bootstrap.ResamplingPlan(settings.resamples, settings.seed, strata, units.times)
    distributions = bootstrap.score_resamples(systems, measures, plan, progress)
    pairs = list(combinations(range(len(systems)), 2))
    if settings.baseline is not None:
        first_place = list(evaluations).index(settings.baseline)
        pairs = [(first_place, other) for other in range(len(systems)) if other != first_place]
    # Randomisation pairs the runs of two systems, so unequal numbers of runs need the bootstrap.
    by_swaps = settings.test == "randomisation"
    swappable = [(a, b) for a, b in pairs if by_swaps and len(systems[a].runs) == len(systems[b].runs)]
    others = [pair for pair in pairs if pair not in swappable]
    p_values = significance.run_randomisation_tests(systems, swappable, measures, plan, progress)
    p_values |= significance.run_bootstrap_tests(systems, others, measures, distributions, plan.strata)
    study = Study(systems, measures, pairs, settings, plan.strata, distributions, p_values, units)
    differences = tuple(build_differences(study))
    # Negative where less is better.
    scores = {str(measure): [each.observed(measure) * measure.sign for each in systems] for measure in measures}
    return Comparison(
        measures,
        tuple(sorted(first.document_names)),
        tuple(_estimate_scores(study, differences, scores)),
        differences,
        {(one, other): ranking.correlate_ranks(scores[one], scores[other]) for one, other in combinations(scores, 2)},
        settings,
        first.signature,
        (*collect_notices(study), *left_out),
        units=units.count,
    )


def _check_settings(systems: Mapping[str, object], settings: Settings) -> None:
    """Raise an OptionError without systems, for a setting that needs two, or if one has an impossible value."""
    if not isinstance(systems, Mapping):
        raise OptionError('systems are given by name: {"ours": …, "theirs": …}')
    if not systems:
        raise OptionError("there is no system to score")
    if len(systems) == 1 and (settings.baseline is not None or settings.plan is not None):
        raise OptionError(
            f"{'plan' if settings.baseline is None else 'baseline'} is about differences: it takes two systems or more"
        )
    check_choice("test", settings.test, TESTS)
    check_choice("correction", settings.correction, significance.CORRECTIONS)
    check_choice("interval", settings.interval, bootstrap.INTERVALS)
    check_choice("resample", settings.resample, UNITS)
    if settings.resample == "components" and settings.stratify is not None:
        raise OptionError("stratify is about documents: it takes resample=documents")
    if settings.baseline is not None:
        check_choice("baseline", settings.baseline, tuple(systems))
    confidence, resamples, plan = settings.confidence, settings.resamples, settings.plan
    possible = 0 < (1 - confidence) / 2 < (1 + confidence) / 2 < 1
    enough = LEAST_RESAMPLES <= resamples <= MOST_RESAMPLES
    for name, value, is_possible, takes in (
        ("confidence", confidence, possible, "a number between 0 and 1, such as 0.95"),
        ("resamples", resamples, enough, f"{LEAST_RESAMPLES:,} to {MOST_RESAMPLES:,}"),
        ("plan", plan, plan is None or 0 < plan < float("inf"), "a difference above 0, such as 0.01 for one point"),
        ("seed", settings.seed, settings.seed >= 0, "0 or more"),
    ):
        if not is_possible:
            raise OptionError(f"{name}={value} is not possible; it takes {takes}")


def _score_systems(
    key: Source, systems: Mapping[str, Source | Runs], measures: tuple[Measure, ...], options: ScoringOptions
) -> dict[str, tuple[Evaluation, ...]]:
    """Return each system's evaluations of its runs by name; take key_format out of `options`; OptionError if empty."""
    runs = {str(name): given if isinstance(given, Runs) else (given,) for name, given in systems.items()}
    for name, responses in runs.items():
        if not responses:
            raise OptionError(f"system {name!r} has no runs")
    corpus = read(key, options.pop("key_format", None) or options.get("format"), side="key")
    if not corpus.documents:
        raise OptionError(f"{corpus.source or 'the key'} has no documents: there is nothing to compare systems on")
    return {
        name: tuple(score(corpus, response, measures=measures, **options) for response in responses)
        for name, responses in runs.items()
    }


def _check_documents(evaluations: Mapping[str, tuple[Evaluation, ...]]) -> None:
    """Raise an OptionError unless all runs are scored on the same documents, and on one at least."""
    runs = [(run.response or system, run.document_names) for system, each in evaluations.items() for run in each]
    everything = {name for _, names in runs for name in names}
    if not everything:
        raise OptionError("there is no document to compare systems on: they have none of the key's")
    for response, names in runs:
        lacking = sorted(everything.difference(names))
        if lacking:
            some = count_part(len(lacking), len(everything), "document")
            raise OptionError(
                f"{response} lacks {some}, the first {lacking[0]!r}, and "
                "missing=skip leaves them out; systems are compared on the same documents only: missing=empty counts "
                "them as empty"
            )


def _estimate_scores(
    study: Study, differences: Sequence[Difference], scores: Mapping[str, list[float]]
) -> Iterator[Standing]:
    """Yield a Standing for every system: its scores with intervals, ranks and letters, by measure."""
    ranks = {}
    for name, own in scores.items():
        significant = [each.significant for each in differences if each.measure == name]
        ranks[name] = _rank_systems(own, dict(zip(study.pairs, significant, strict=True)))
    for number, system in enumerate(study.systems):
        estimates = {}
        for measure in study.measures:
            distribution, observed = study.distributions[number, measure], system.observed(measure)
            without_each = system.score_without_each(measure)
            runs = [sample.observed for sample in system.samples[measure]]
            estimates[str(measure)] = Estimate(
                observed,
                bootstrap.find_interval(distribution.by_all, observed, without_each, study.settings, study.strata),
                *ranks[str(measure)][number],
                float(np.std(runs, ddof=1)) if len(runs) > 1 else None,
                float(np.std(distribution.by_documents, ddof=1)),
            )
        yield Standing(system.name, estimates, system.runs)


def _rank_systems(scores: list[float], different: Mapping[SystemPair, bool]) -> list[tuple[int | None, str]]:
    """Return a list of (rank, letters) for every system; (None, "") for one alone, or unless all were compared."""
    if len(scores) == 1 or len(different) < len(scores) * (len(scores) - 1) // 2:
        return [(None, "")] * len(scores)
    return list(zip(ranking.rank_systems(scores, different), ranking.assign_letters(scores, different), strict=True))


def _add_relative_scores(
    comparison: Comparison, to: str | Source, response_format: str | None, progress: Progress | None
) -> Comparison:
    """Return the comparison with its systems' scores relative to a baseline, and the baseline's notices, added."""
    first = comparison.systems[0].runs[0]
    base = relative.score_baseline(first, to, seed=comparison.settings.seed, format=response_format, progress=progress)
    scores = (
        {str(each): relative.relate_score(system.measures[str(each)].score, each, base) for each in comparison.measures}
        for system in comparison.systems
    )
    relative_to = tuple(relative.Relative(base, each) for each in scores)
    return replace(comparison, relative_to=relative_to, notices=(*comparison.notices, *base.notices))
