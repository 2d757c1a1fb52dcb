"""Scores above chance, or above another baseline: the baseline is 0, a perfect response 1 (Popescu-Belis 1999, 4.1)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corefeval.baselines import layout
from corefeval.baselines.chance import DRAWS, estimate_chance, rebuild_views, shuffle_mentions
from corefeval.baselines.responses import KINDS, baseline
from corefeval.errors import OptionError, suggest_names
from corefeval.matching import table as matching
from corefeval.overlap.tables import Tables
from corefeval.overlap.views import Rows
from corefeval.scoring import score as evaluate
from corefeval.scoring.counting import Counter
from corefeval.tables.result import Result
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.options import Options
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import Source
    from corefeval.tables.table import Digits, Table

    Progress = Callable[[str, int, int], None]
    """Called with the name of a step, how much of it is done, and of how much."""


def count_progress(progress: Progress | None, step: str, total: int) -> Callable[[int], None]:
    """Return a function that takes how much more of a step is done, and reports how much is done in all."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(step, done, total)

    return advance


@dataclass(frozen=True, slots=True)
class BaselineScores:
    """A baseline's score by each measure; intervals, `draws` and `seed` where it is chance."""

    name: str
    scores: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    draws: int | None
    seed: int | None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class RelativeScore:
    """A score between a baseline (0) and a perfect response (1); `relative` is None where the baseline is perfect.

    The intervals are those of an estimated baseline, and of the relative score that follows from it.
    """

    score: float
    baseline: float
    relative: float | None
    baseline_interval: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Relative(Result):
    """The scores of a response relative to a baseline, by measure."""

    base: BaselineScores
    measures: Mapping[str, RelativeScore]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the baseline."""
        return self.base.notices

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield a table with a row for each measure."""
        yield layout.build_table([self], [""], digits)

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each measure."""
        rows = [
            (name, each.score, each.baseline, each.relative, *(each.interval or (None, None)))
            for name, each in self.measures.items()
        ]
        return collect_columns(("measure", "score", "baseline", "relative", "low", "high"), rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects."""
        how = {} if self.base.draws is None else {"draws": self.base.draws, "seed": self.base.seed}
        return {"baseline": self.base.name, **how, "measures": {name: asdict(v) for name, v in self.measures.items()}}


def relative(
    evaluation: Evaluation,
    to: str | Source = "random",
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002 - the name that users expect
    progress: Progress | None = None,
) -> Relative:
    """Return the main scores of an evaluation with a baseline at 0 and a perfect response at 1: (s - b) / (1 - b).

    to: a kind of baseline ("random", "singletons", "one-entity", "string-match", "head-match"), or a response.
    draws, seed: how many random partitions stand for chance, and the start of their random numbers.
    """
    return relate_evaluations([evaluation], to, draws=draws, seed=seed, format=format, progress=progress)[0]


def relate_evaluations(
    evaluations: Sequence[Evaluation],
    to: str | Source = "random",
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002
    progress: Progress | None = None,
) -> list[Relative]:
    """Return the relative scores of evaluations with one key; each way of scoring scores the baseline once."""
    if draws < 2:
        raise OptionError(f"draws={draws} is not possible; it takes 2 or more")
    if seed < 0:
        raise OptionError(f"seed={seed} is not possible; it takes 0 or more")
    bases: dict[tuple[Options, tuple[Measure, ...]], BaselineScores] = {}
    found = []
    for each in evaluations:
        way = each.options, each.measures
        if way not in bases:
            bases[way] = score_baseline(each, to, draws=draws, seed=seed, format=format, progress=progress)
        scores = {str(measure): relate_score(each[measure].main, measure, bases[way]) for measure in each.measures}
        found.append(Relative(bases[way], scores))
    return found


def relate_score(score: float, measure: Measure, base: BaselineScores) -> RelativeScore:
    """Return where a score lies between a baseline and a perfect response."""
    name, perfect = str(measure), float(measure.more_is_better)

    def rescale(low: float) -> float | None:
        return (score - low) / (perfect - low) if perfect != low else None

    around = base.intervals.get(name)
    # Where the baseline's interval reaches the perfect score, the relative score has no bounds.
    bounded = around is not None and (perfect - around[0]) * (perfect - around[1]) > 0
    ends = sorted(end for end in map(rescale, around) if end is not None) if around is not None and bounded else []
    interval = (ends[0], ends[1]) if ends else None
    return RelativeScore(score, base.scores[name], rescale(base.scores[name]), around, interval)


def score_baseline(
    evaluation: Evaluation,
    to: str | Source,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002
    progress: Progress | None = None,
) -> BaselineScores:
    """Score a baseline against the key of an evaluation, with its measures and options."""
    rows = evaluation.mentions
    if rows is None:
        raise OptionError("a baseline needs the key's mentions, which this evaluation no longer has")
    key = rows.key.in_own_words()
    if to == "random":
        return _score_chance(key, evaluation, draws, seed, progress)
    response = baseline(key, to) if isinstance(to, str) and to in KINDS else _read_baseline(to, format)
    scored = _score_response(key, response, evaluation)
    name = to if isinstance(to, str) else response.source or "the baseline"
    known = {notice.message for notice in evaluation.notices}
    new = {notice.message: notice for notice in (*response.notices, *scored.notices) if notice.message not in known}
    return BaselineScores(name, _list_main_scores(scored), {}, None, None, tuple(new.values()))


def _read_baseline(to: Source, format_: str | None) -> Corpus:
    if isinstance(to, str | PathLike) and not Path(to).exists() and str(to) != "-":
        raise OptionError(
            f"relative_to={to} is neither a file nor a kind of baseline; {suggest_names(str(to), list(KINDS))}"
        )
    return evaluate.read(to, format_)


def _score_chance(
    key: Corpus, evaluation: Evaluation, draws: int, seed: int, progress: Progress | None
) -> BaselineScores:
    measures = [str(measure) for measure in evaluation.measures]
    advance = count_progress(progress, "chance", draws)
    scores = np.empty((draws, len(measures)))
    for number, scored in enumerate(_score_random_partitions(key, evaluation, draws, seed)):
        scores[number] = [scored[name] for name in measures]
        advance(1)
    chance = {name: estimate_chance(scores[:, place]) for place, name in enumerate(measures)}
    means = {name: each.mean for name, each in chance.items()}
    return BaselineScores("random", means, {name: each.interval for name, each in chance.items()}, draws, seed)


def _score_random_partitions(
    key: Corpus, evaluation: Evaluation, draws: int, seed: int
) -> Iterator[Mapping[str, float]]:
    """Yield the scores of `baseline(key, "random", seed=...)` for one seed after another.

    Where every mention of the key is its own twin, and only that, the table is shuffled and not the corpus.
    """
    first = _score_response(key, baseline(key, "random", seed=seed), evaluation)
    yield _list_main_scores(first)
    views, rows = first.overlaps.views, first.mentions
    itself = np.arange(len(key))
    own_twins = Rows(key, key, itself, itself)
    plain = (
        not views.has_repeats and not views.has_partial_credit and rows is not None and len(rows.twin_key) == len(key)
    )
    for number in range(seed + 1, seed + draws):
        if plain:
            entity = shuffle_mentions(key, np.random.default_rng(number))
            shuffled = rebuild_views(views.table.key, views.table.key, own_twins, key.entity, entity)
            yield _list_main_scores(_score_tables(Tables(shuffled), evaluation))
        else:
            yield _list_main_scores(_score_response(key, baseline(key, "random", seed=number), evaluation))


def _score_response(key: Corpus, response: Corpus, like: Evaluation) -> Evaluation:
    tables, notices = matching.build_tables(key, evaluate.prepared(response, like.options), like.options)
    return _score_tables(tables, like, notices)


def _score_tables(tables: Tables, like: Evaluation, notices: tuple[Notice, ...] = ()) -> Evaluation:
    """Score tables in the same way as another evaluation."""
    return evaluate.evaluation(
        Counter(tables), like.measures, like.options, strict=False, notices=notices, names=like.document_names
    )


def _list_main_scores(evaluation: Evaluation) -> dict[str, float]:
    return {str(measure): evaluation[measure].main for measure in evaluation.measures}
