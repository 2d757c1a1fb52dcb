"""Scores above chance, or above another baseline: the baseline is 0, a perfect response 1 (Popescu-Belis 1999, 4.1).

What chance would score is the mean of many random partitions with the key's own sizes of entities.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.baselines.responses import KINDS, baseline, dealt
from corefeval.errors import OptionError, near
from corefeval.matching import table as matching
from corefeval.overlap.cells import Rows
from corefeval.overlap.table import Overlap
from corefeval.scoring import score as evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.comparison.results import Comparison
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.options import Options
    from corefeval.overlap.side import Side
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import Source

    Progress = Callable[[str, int, int], None]

DRAWS = 100
"""How many random partitions there are, unless something else is asked for."""
CONFIDENCE = 0.95


class Chance(NamedTuple):
    """What random partitions score: their mean with an interval, how far single ones spread, and how many."""

    mean: float
    interval: tuple[float, float]
    spread: float
    draws: int


class Base(NamedTuple):
    """What a baseline scores by each measure; `draws` and `seed` where it is chance, else None."""

    name: str
    scores: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    draws: int | None
    seed: int | None
    notices: tuple[Notice, ...] = ()


class Placed(NamedTuple):
    """A score between a baseline (0) and a perfect response (1); None where the baseline is perfect itself.

    The intervals are those of an estimated baseline, and of what the score is relative to it.
    """

    score: float
    baseline: float
    relative: float | None
    baseline_interval: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None


class Relative(NamedTuple):
    """The scores of a response relative to a baseline, by measure; and how scores are printed."""

    base: Base
    measures: Mapping[str, Placed]
    digits: str = "round"

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        how = {} if self.base.draws is None else {"draws": self.base.draws, "seed": self.base.seed}
        return {"baseline": self.base.name, **how, "measures": {k: v._asdict() for k, v in self.measures.items()}}


def relative(
    evaluation: Evaluation,
    to: str | Source = "random",
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002 - the name that users expect
    progress: Progress | None = None,
) -> Relative:
    """The main scores of an evaluation with a baseline at 0 and a perfect response at 1: (s - b) / (1 - b).

    to: a kind of baseline ("random", "singletons", "one-entity", "string-match", "head-match"), or a response.
    draws, seed: how many random partitions stand for chance, and where their random numbers begin.
    """
    return relatives([evaluation], to, draws=draws, seed=seed, format=format, progress=progress)[0]


def relatives(
    evaluations: Sequence[Evaluation],
    to: str | Source = "random",
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002
    progress: Progress | None = None,
) -> list[Relative]:
    """The same for several evaluations with one key: the baseline is scored once for each way of scoring."""
    if draws < 2:
        raise OptionError(f"draws={draws} is not possible; it takes 2 or more")
    if seed < 0:
        raise OptionError(f"seed={seed} is not possible; it takes 0 or more")
    bases: dict[tuple[Options, tuple[Measure, ...]], Base] = {}
    for each in evaluations:
        if (each.options, each.measures) not in bases:
            bases[each.options, each.measures] = _base(each, to, draws, seed, format, progress)
    return [placed(each, bases[each.options, each.measures]) for each in evaluations]


def of_systems(
    comparison: Comparison,
    to: str | Source,
    *,
    seed: int = 0,
    format: str | None = None,  # noqa: A002
    progress: Progress | None = None,
) -> Comparison:
    """A comparison with its systems' scores relative to a baseline."""
    base = _base(comparison.systems[0].runs[0], to, DRAWS, seed, format, progress)
    return comparison._replace(
        relative_to=tuple(
            Relative(
                base,
                {str(each): between(system.measures[str(each)].score, each, base) for each in comparison.measures},
                system.runs[0].options.digits,
            )
            for system in comparison.systems
        ),
        notices=(*comparison.notices, *base.notices),
    )


def placed(evaluated: Evaluation, base: Base) -> Relative:
    """The scores of an evaluation between a baseline and a perfect response."""
    scores = {str(measure): between(evaluated[measure].main, measure, base) for measure in evaluated.measures}
    return Relative(base, scores, evaluated.options.digits)


def between(score: float, measure: Measure, base: Base) -> Placed:
    """A score between a baseline and a perfect response."""
    name, perfect = str(measure), float(measure.more_is_better)

    def moved(low: float) -> float | None:
        return (score - low) / (perfect - low) if perfect != low else None

    around = base.intervals.get(name)
    # Where the baseline may be perfect, or more than that, what is relative to it may be anything.
    bounded = around is not None and (perfect - around[0]) * (perfect - around[1]) > 0
    ends = sorted(end for end in map(moved, around) if end is not None) if around is not None and bounded else []
    interval = (ends[0], ends[1]) if ends else None
    return Placed(score, base.scores[name], moved(base.scores[name]), around, interval)


def _base(
    evaluated: Evaluation,
    to: str | Source,
    draws: int,
    seed: int,
    format_: str | None,
    progress: Progress | None,
) -> Base:
    rows = evaluated.table.rows
    if rows is None:
        raise OptionError("a baseline needs the key's mentions, which this evaluation has no longer")
    key = rows.key.in_own_words()
    if to == "random":
        return _chance(key, evaluated, draws, seed, progress)
    response = baseline(key, to) if isinstance(to, str) and to in KINDS else _read(to, format_)
    found = _scored(key, response, evaluated)
    name = to if isinstance(to, str) else response.source or "the baseline"
    known = {notice.message for notice in evaluated.notices}
    said = {notice.message: notice for notice in (*response.notices, *found.notices) if notice.message not in known}
    return Base(name, _mains(found), {}, None, None, tuple(said.values()))


def _read(to: Source, format_: str | None) -> Corpus:
    if isinstance(to, str | PathLike) and not Path(to).exists() and str(to) != "-":
        raise OptionError(f"relative_to={to} is neither a file nor a kind of baseline; {near(str(to), list(KINDS))}")
    return evaluate.read(to, format_)


def _chance(key: Corpus, evaluated: Evaluation, draws: int, seed: int, progress: Progress | None) -> Base:
    measures = [str(measure) for measure in evaluated.measures]
    scores = np.empty((draws, len(measures)))
    for number, scored in enumerate(_random_partitions(key, evaluated, draws, seed)):
        scores[number] = [scored[name] for name in measures]
        if progress is not None:
            progress("chance", number + 1, draws)
    found = {name: estimated(scores[:, place]) for place, name in enumerate(measures)}
    return Base(
        "random",
        {name: each.mean for name, each in found.items()},
        {name: each.interval for name, each in found.items()},
        draws,
        seed,
    )


def _random_partitions(key: Corpus, evaluated: Evaluation, draws: int, seed: int) -> Iterator[Mapping[str, float]]:
    """The scores of `baseline(key, "random", seed=...)` for one seed after another.

    Where every mention of the key has itself for a twin, once, what is shuffled is the table and not the corpus.
    """
    first = _scored(key, baseline(key, "random", seed=seed), evaluated)
    yield _mains(first)
    table, rows = first.table, first.table.rows
    itself = np.arange(len(key))
    alike = Rows(key, key, itself, itself)
    plain = table.repeats is None and table.credit is None and rows is not None and len(rows.twin_key) == len(key)
    for number in range(seed + 1, seed + draws):
        if plain:
            entity = dealt(key, np.random.default_rng(number))
            yield _mains(_evaluated(shuffled(table.key, table.key, alike, key.entity, entity), evaluated))
        else:
            yield _mains(_scored(key, baseline(key, "random", seed=number), evaluated))


def shuffled(key: Side, response: Side, rows: Rows, key_entity: Ints, response_entity: Ints) -> Overlap:
    """The table of two sides with their mentions in other entities of the same sizes."""
    return Overlap.of_twins(
        key,
        response,
        key_entity[rows.twin_key],
        response_entity[rows.twin_response],
        rows._replace(
            key=rows.key.replaced(entity=key_entity), response=rows.response.replaced(entity=response_entity)
        ),
    )


def _scored(key: Corpus, response: Corpus, like: Evaluation) -> Evaluation:
    table, notices = matching.overlap(key, evaluate.prepared(response, like.options), like.options)
    return _evaluated(table, like, notices)


def _evaluated(table: Overlap, like: Evaluation, notices: tuple[Notice, ...] = ()) -> Evaluation:
    """A table scored in the same way as another one."""
    return evaluate.evaluation(
        table, like.measures, like.options, strict=False, notices=notices, names=like.document_names
    )


def _mains(evaluated: Evaluation) -> dict[str, float]:
    return {str(measure): evaluated[measure].main for measure in evaluated.measures}


def estimated(scores: Floats) -> Chance:
    """The mean of random scores, with Student's interval for it."""
    from scipy.special import stdtrit  # noqa: PLC0415 - few evaluations ask for chance

    draws = len(scores)
    mean, spread = float(np.mean(scores)), float(np.std(scores, ddof=1)) if draws > 1 else 0.0
    half = float(stdtrit(draws - 1, (1 + CONFIDENCE) / 2)) * spread / draws**0.5 if draws > 1 else 0.0
    return Chance(mean, (mean - half, mean + half), spread, draws)
