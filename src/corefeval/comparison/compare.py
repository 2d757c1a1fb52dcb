"""Which system is better? Scores with intervals, differences with p-values, ranks: compare()."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval import measures as known
from corefeval.comparison import (
    bootstrap,
    by_bootstrap,
    differences,
    intervals,
    randomisation,
    ranking,
    strata,
    warnings,
)
from corefeval.comparison.resampling import Plan
from corefeval.comparison.results import Comparison, Difference, Estimate, Settings, Standing
from corefeval.comparison.system import System
from corefeval.errors import Fault, OptionError, StrictError, check_choice
from corefeval.scoring.score import read, score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.comparison.bootstrap import Distributions
    from corefeval.comparison.randomisation import Pair, Test
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import Measures, Source

TESTS = ("randomisation", "bootstrap")
LEAST, MOST = 100, 10_000_000
"""How many resamples there can be: their scores are kept, some megabytes for a million of one measure."""


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
    interval: str = intervals.INTERVALS[0],
    baseline: str | None = None,
    stratify: str | None = None,
    plan: float | None = None,
    relative_to: str | Source | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    **options: Any,
) -> Comparison:
    """Judge systems against a key, and against each other.

    systems: by name, a response each; or `Runs([...])`, several responses whose scores are averaged.
    measures: as in `score`.
    test: "randomisation" swaps documents between two systems, "bootstrap" draws documents.
    resamples, seed: how many, and where their random numbers begin; the same seed gives the same result.
    confidence: of intervals; 1 - confidence is the level of significance.
    correction: "holm", "bh" or "none", for the comparisons by one measure.
    interval: "bca" or "percentile".
    baseline: the system that all others are compared with; by default every pair is.
    stratify: documents are drawn within groups only: "genre", "file", or a regular expression on their names.
    plan: a difference, such as 0.01, for which to say how many documents would show it.
    relative_to: a kind of baseline, or a response, at 0, with a perfect response at 1: shown next to the plain scores.
    progress: called with what is done, how much of it, and of how much.
    options: as in `score`: profile, match, zeros, singletons, duplicates, macro, strict, format ...
    """
    chosen = known.select(measures)
    _check(systems, test=test, resamples=resamples, confidence=confidence, correction=correction, interval=interval,
           baseline=baseline, seed=seed, plan=plan)  # fmt: skip
    settings = Settings(test, resamples, seed, confidence, interval, correction, baseline, stratify, plan)
    evaluated = _evaluated(key, systems, chosen, options)
    found = judged(evaluated, chosen, settings, progress)
    if relative_to is not None:
        from corefeval.baselines import relative  # noqa: PLC0415 - few comparisons ask for it

        found = relative.of_systems(found, relative_to, seed=seed, format=_response_format(options), progress=progress)
    if options.get("strict") and found.notices:
        raise StrictError(Fault("", notice.message) for notice in found.notices)
    return found


def _response_format(options: Mapping[str, Any]) -> str | None:
    return options.get("response_format") or options.get("format")


class Runs(tuple["Source", ...]):
    """The responses of several runs of one system."""

    __slots__ = ()


def judged(
    evaluated: Mapping[str, tuple[Evaluation, ...]],
    measures: tuple[Measure, ...],
    settings: Settings,
    progress: Callable[[str, int, int], None] | None = None,
) -> Comparison:
    """Compare systems that have been evaluated, on the same documents."""
    _check_documents(evaluated)
    listed = [System.of(name, runs, measures) for name, runs in evaluated.items()]
    names = listed[0].documents
    plan = Plan(settings.resamples, settings.seed, strata.numbered(listed[0].runs[0], settings.stratify))
    told = _Told(progress, settings.resamples)
    drawn = bootstrap.distributions(listed, measures, plan, told.about("intervals"))
    pairs = _pairs(listed, settings.baseline)
    tested = _tested(listed, pairs, measures, settings, plan, drawn, told)
    found = [
        differences.difference(listed, pair, measure, tested[pair, measure], drawn, settings, names, plan.strata)
        for measure in measures
        for pair in pairs
    ]
    found = differences.corrected(found, settings)
    return Comparison(
        measures,
        len(names),
        tuple(_standings(listed, measures, drawn, found, settings, plan.strata)),
        tuple(found),
        _agreement(listed, measures),
        settings,
        listed[0].runs[0].signature,
        warnings.found(listed, measures, drawn, tested, settings, plan.strata),
    )


def _check_documents(evaluated: Mapping[str, tuple[Evaluation, ...]]) -> None:
    """Documents are swapped between systems, so all must be judged on the same ones."""
    runs = [
        (run.response or system, frozenset(run.document_names)) for system, each in evaluated.items() for run in each
    ]
    every = frozenset[str]().union(*(names for _, names in runs))
    if not every:
        raise OptionError("there is no document to judge systems on: they have none of the key's")
    for response, names in runs:
        lacking = sorted(every - names)
        if lacking:
            raise OptionError(
                f"{response} lacks {len(lacking)} of {len(every)} documents, the first {lacking[0]!r}, and "
                "missing=skip leaves them out; systems are compared on the same documents only: missing=empty counts "
                "them as empty"
            )


class _Told:
    """Passes on how far a step is."""

    def __init__(self, progress: Callable[[str, int, int], None] | None, steps: int) -> None:
        self._progress, self._steps = progress, steps

    def about(self, what: str, steps: int | None = None) -> Callable[[int], None]:
        done, of = 0, steps or self._steps

        def tell(more: int) -> None:
            nonlocal done
            done += more
            if self._progress is not None:
                self._progress(what, done, of)

        return tell


def _check(
    systems: Mapping[str, object],
    *,
    test: str,
    resamples: int,
    confidence: float,
    correction: str,
    interval: str,
    baseline: str | None,
    seed: int,
    plan: float | None,
) -> None:
    from corefeval.comparison.correction import CORRECTIONS  # noqa: PLC0415 - the keyword hides the module

    if not isinstance(systems, Mapping):
        raise OptionError('systems are given by name: {"ours": …, "theirs": …}')
    if len(systems) < 2:
        raise OptionError("a comparison needs two systems or more")
    check_choice("test", test, TESTS)
    check_choice("correction", correction, tuple(CORRECTIONS))
    check_choice("interval", interval, intervals.INTERVALS)
    if baseline is not None:
        check_choice("baseline", baseline, tuple(systems))
    if not 0 < (1 - confidence) / 2 < (1 + confidence) / 2 < 1:
        raise OptionError(f"confidence={confidence} is not possible; it takes a number between 0 and 1, such as 0.95")
    if not LEAST <= resamples <= MOST:
        raise OptionError(f"resamples={resamples} is not possible; it takes {LEAST:,} to {MOST:,}")
    if plan is not None and not 0 < plan < float("inf"):
        raise OptionError(f"plan={plan} is not possible; it takes a difference above 0, such as 0.01 for one point")
    if seed < 0:
        raise OptionError(f"seed={seed} is not possible; it takes 0 or more")


def _evaluated(
    key: Source,
    systems: Mapping[str, Source | Runs],
    measures: tuple[Measure, ...],
    options: dict[str, Any],
) -> dict[str, tuple[Evaluation, ...]]:
    for name, given in systems.items():
        if isinstance(given, Runs) and not given:
            raise OptionError(f"system {name!r} has no runs")
    whole = read(key, options.pop("key_format", None) or options.get("format"))
    if not whole.documents:
        raise OptionError(f"{whole.source or 'the key'} has no documents: there is nothing to compare systems on")
    return {
        str(name): tuple(score(whole, response, measures=measures, **options) for response in _responses(given))
        for name, given in systems.items()
    }


def _responses(given: Source | Runs) -> Iterable[Source]:
    return given if isinstance(given, Runs) else (given,)


def _pairs(systems: Sequence[System], baseline: str | None) -> list[Pair]:
    everyone = range(len(systems))
    if baseline is None:
        return list(combinations(everyone, 2))
    first = next(number for number in everyone if systems[number].name == baseline)
    return [(first, other) for other in everyone if other != first]


def _tested(
    systems: Sequence[System],
    pairs: Sequence[Pair],
    measures: tuple[Measure, ...],
    settings: Settings,
    plan: Plan,
    drawn: Distributions,
    told: _Told,
) -> dict[tuple[Pair, Measure], Test]:
    """Randomisation needs as many runs on both sides; where there are not, it is the bootstrap."""
    if settings.test == "bootstrap":
        swappable: list[Pair] = []
    else:
        swappable = [pair for pair in pairs if len({len(systems[number].runs) for number in pair}) == 1]
    every = told.about("all swaps", len(swappable) * len(measures))
    found = randomisation.tests(systems, swappable, measures, plan, told.about("differences"), every)
    others = [pair for pair in pairs if pair not in swappable]
    return found | by_bootstrap.tests(systems, others, measures, drawn, plan.strata)


def _standings(
    systems: Sequence[System],
    measures: tuple[Measure, ...],
    drawn: Distributions,
    differences: Sequence[Difference],
    settings: Settings,
    groups: Ints | None,
) -> Iterator[Standing]:
    """Ranks and letters need every pair: against a baseline alone there are none, unless that is all there is."""
    place = {each.name: at for at, each in enumerate(systems)}
    everyone = len(systems)
    ranks: dict[Measure, list[int | None]] = dict.fromkeys(measures, [None] * everyone)
    letters: dict[Measure, list[str]] = dict.fromkeys(measures, [""] * everyone)
    compared_all = len(differences) == len(measures) * everyone * (everyone - 1) // 2
    for measure in measures if compared_all else ():
        different = {
            (min(place[each.a], place[each.b]), max(place[each.a], place[each.b])): each.significant
            for each in differences
            if each.measure == str(measure)
        }
        scores = _scores(systems, measure)
        ranks[measure] = [*ranking.ranks(scores, different)]
        letters[measure] = ranking.letters(scores, different)
    for number, system in enumerate(systems):
        estimates = {}
        for measure in measures:
            distribution, observed = drawn[number, measure], system.observed(measure)
            runs = [sample.observed for sample in system.samples[measure]]
            estimates[str(measure)] = Estimate(
                observed,
                intervals.chosen(distribution.all, observed, system.without_each(measure), settings, groups),
                ranks[measure][number],
                letters[measure][number],
                float(np.std(runs, ddof=1)) if len(runs) > 1 else None,
                float(np.std(distribution.documents, ddof=1)),
            )
        yield Standing(system.name, estimates, system.runs)


def _scores(systems: Sequence[System], measure: Measure) -> list[float]:
    """The systems' scores, turned round where less is better."""
    return [each.observed(measure) * (1 if measure.more_is_better else -1) for each in systems]


def _agreement(systems: Sequence[System], measures: tuple[Measure, ...]) -> dict[tuple[str, str], float | None]:
    """How far each two measures rank the systems alike: Kendall's τ."""
    scores = {str(measure): _scores(systems, measure) for measure in measures}
    return {(one, other): ranking.kendall(scores[one], scores[other]) for one, other in combinations(scores, 2)}
