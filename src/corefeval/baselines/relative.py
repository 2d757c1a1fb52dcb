"""Scores above chance, or above another baseline: the baseline is 0, a perfect response 1 (Popescu-Belis 1999, 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from corefeval.baselines.chance import DRAWS, Shuffler, estimate_chance, score_draws, score_partitions, score_tables
from corefeval.baselines.responses import KINDS, baseline
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError, suggest_names
from corefeval.matching import matching
from corefeval.measures import Measure
from corefeval.notices import Notice, Progress, announce_notices, join_notices, make_progress_counter
from corefeval.options import Options
from corefeval.overlap.views import Rows
from corefeval.scoring import score as evaluate
from corefeval.scoring.layout import (
    MANY,
    Evaluations,
    ScoreReport,
    label_responses,
    list_evaluations,
    write_latex_name,
)
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Source
from corefeval.scoring.sides import prepare_corpus
from corefeval.tables.result import Result
from corefeval.tables.table import (
    UNDEFINED,
    Cell,
    Digits,
    Table,
    format_interval,
    format_optional,
    make_score_formatter,
)
from corefeval.tables.writers import collect_columns


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
        """The notices about the baseline, as a tuple."""
        return self.base.notices

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield one table with a row for each measure: score, baseline, its interval if random, relative score."""
        yield from build_relative_tables([self], [""], digits)

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each measure: score, baseline, relative score, ends of its interval or None."""
        rows = [
            (name, each.score, each.baseline, each.relative, *(each.interval or (None, None)))
            for name, each in self.measures.items()
        ]
        return collect_columns(("measure", "score", "baseline", "relative", "low", "high"), rows)

    def build_content(self) -> dict[str, object]:
        """Return a dict: the name of the baseline, draws and seed if random, and all measures' relative scores."""
        how = {} if self.base.draws is None else {"draws": self.base.draws, "seed": self.base.seed}
        return {"baseline": self.base.name, **how, "measures": {name: asdict(v) for name, v in self.measures.items()}}


@dataclass(frozen=True, slots=True)
class RelativeEvaluations(ScoreReport):
    """Evaluations, each with its scores relative to a baseline."""

    plain: Evaluations
    relatives: tuple[Relative, ...]

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The evaluations of one key that are shown together."""
        return self.plain.evaluations

    def tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the tables of the evaluations, then one of relative scores, or two from three responses on."""
        yield from self.plain.tables(digits=digits, per_document=per_document)
        yield from build_relative_tables(self.relatives, label_responses(self.evaluations), digits)

    def text_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the plain-text tables of the evaluations, then those of relative scores."""
        yield from self.plain.text_tables(digits=digits, per_document=per_document)
        yield from build_relative_tables(self.relatives, label_responses(self.evaluations), digits)

    def paper_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the table of the evaluations that papers print, then one of relative scores."""
        yield from self.plain.paper_tables(digits=digits, per_document=per_document)
        yield build_relative_paper_table(self.relatives, label_responses(self.evaluations), digits)

    def build_columns(self, *, per_document: bool = False) -> dict[str, list[object]]:
        """Return the columns of the evaluations and two more, baseline and relative, None for single documents."""
        records = self.plain.build_columns(per_document=per_document)
        by_name = dict(zip(label_responses(self.evaluations), self.relatives, strict=True))
        names = zip(records["response"], records["document"], records["measure"], strict=True)
        related = [by_name[str(each)].measures[str(by)] if document is None else None for each, document, by in names]
        more = ("baseline", "relative")
        return records | {field: [each and getattr(each, field) for each in related] for field in more}

    def build_content(self, *, per_document: bool = False) -> dict[str, object]:
        """Return a dict with a list of the evaluations as plain objects, each with its relative scores."""
        scores = list_evaluations(self.evaluations, per_document=per_document)
        both = zip(scores, self.relatives, strict=True)
        return {"evaluations": [score | {"relative_to": relative.to_dict()} for score, relative in both]}


def build_relative_tables(relatives: Sequence[Relative], names: Sequence[str], digits: Digits) -> Iterator[Table]:
    """Yield one table of relative scores, a row for each measure and response; from three responses on, two tables.

    From three responses on, there are two: one with a row for each response and a column for each measure, and one of
    the baseline's own scores.
    """
    if len(relatives) < MANY:
        yield _build_long_table(relatives, names, digits)
        return
    measures = list(relatives[0].measures)
    columns = [_format_relatives([each.measures[by].relative for each in relatives], digits) for by in measures]
    body = [[name, *cells] for name, cells in zip(names, zip(*columns, strict=True), strict=True)]
    title = f"Relative to {relatives[0].base.name}"
    yield Table(title, ["system", *measures], body, 1, (_describe_scale(relatives),))
    yield _build_baseline_table(relatives, names, digits)


def _format_relatives(values: Sequence[float | None], digits: Digits) -> list[str | Cell]:
    """Return a list, relative scores as text: a dash for None, the best in a marked cell unless all are alike."""
    write, known = make_score_formatter(digits), {value for value in values if value is not None}
    best = max(known) if len(known) > 1 else None
    return [
        Cell(write(value), best=True) if value is not None and value == best else format_optional(value, write)
        for value in values
    ]


def _build_baseline_table(relatives: Sequence[Relative], names: Sequence[str], digits: Digits) -> Table:
    """Build a table with the baseline's scores, a column for each measure, and a row of intervals if it is random.

    Where responses were scored with different options, each way has a baseline, with the name of its first response.
    """
    write, measures = make_score_formatter(digits), list(relatives[0].measures)
    bases = {id(each.base): (each, name) for each, name in reversed(list(zip(relatives, names, strict=True)))}
    body = []
    for relative, name in reversed(bases.values()):
        of = f" for {name}" if len(bases) > 1 else ""
        body.append([f"score{of}", *(write(relative.measures[by].baseline) for by in measures)])
        if relative.base.draws is not None:
            ends = [relative.measures[by].baseline_interval for by in measures]
            body.append([f"interval{of}", *("" if each is None else format_interval(each, write) for each in ends)])
    return Table(f"Scores of the baseline ({relatives[0].base.name})", ["", *measures], body, 1)


def _build_long_table(relatives: Sequence[Relative], names: Sequence[str], digits: Digits) -> Table:
    """Build a table with a row for each measure and response: score, baseline, interval if random, relative score."""
    write, base = make_score_formatter(digits), relatives[0].base
    records = []
    for measure in relatives[0].measures:
        for relative, name in zip(relatives, names, strict=True):
            score = relative.measures[measure]
            record = {"measure": measure, **({"response": name} if len(relatives) > 1 else {})}
            record |= {"score": write(score.score), "baseline": write(score.baseline)}
            if base.draws is not None:
                ends = score.baseline_interval
                record["interval"] = "" if ends is None else format_interval(ends, write)
            records.append(record | {"relative": format_optional(score.relative, write)})
    title, note = f"Relative to {base.name}", _describe_scale(relatives)
    return Table.from_records(title, records, 1 + (len(relatives) > 1), (note,), blank_repeats=True)


def build_relative_paper_table(relatives: Sequence[Relative], names: Sequence[str], digits: Digits) -> Table:
    """Build a table of relative scores with a row for each response, a column for each measure."""
    write, measures = make_score_formatter(digits), list(relatives[0].measures)
    body = [
        [name, *(format_optional(each.measures[measure].relative, write) for measure in measures)]
        for each, name in zip(relatives, names, strict=True)
    ]
    head: list[str | Cell] = ["response", *(Cell(name, latex=write_latex_name(name)) for name in measures)]
    title = f"relative to {' '.join(relatives[0].base.name.split())}; {_describe_scale(relatives)}"
    return Table(title, head, body, 1)


def _describe_scale(relatives: Sequence[Relative]) -> str:
    """Return the note below relative scores: what 0 and 100 stand for, and what a random baseline is."""
    base = relatives[0].base
    scale = "relative: the baseline is 0, a perfect response 100"
    if any(each.relative is None for relative in relatives for each in relative.measures.values()):
        scale += f"; {UNDEFINED} where the baseline is perfect"
    if base.draws is None:
        return scale
    how = f"the mean of {base.draws:,} random partitions with the key's sizes of entities"
    return f"{scale}; the baseline is {how} (seeds from {base.seed}), with a 95% interval"


@announce_notices
def relative(
    evaluation: Evaluation,
    to: str | Source = "random",
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002 - the name that users expect
    progress: Progress | None = None,
    processes: int = 1,
) -> Relative:
    """Return the main scores of an evaluation with a baseline at 0 and a perfect response at 1: (s - b) / (1 - b).

    to: a kind of baseline ("random", "singletons", "one-entity", "string-match", "head-match"), or a response.
    draws, seed: how many random partitions stand for chance, and the start of their random numbers.
    processes: how many may be at work on these at the same time, where the operating system can copy a process.
    """
    return relate_evaluations(
        [evaluation], to, draws=draws, seed=seed, format=format, progress=progress, processes=processes
    )[0]


def relate_evaluations(
    evaluations: Sequence[Evaluation],
    to: str | Source = "random",
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002
    progress: Progress | None = None,
    processes: int = 1,
) -> list[Relative]:
    """Return a list, the relative scores of each evaluation of one key; an OptionError for too few draws."""
    for name, value, least in (("draws", draws, 2), ("seed", seed, 0)):
        if value < least:
            raise OptionError(f"{name}={value} is not possible; it takes {least} or more")
    for measure in dict.fromkeys(measure for each in evaluations for measure in each.measures):
        if measure.names_entities:
            raise OptionError(f"{measure}: a baseline makes other entities, and the weights are for those of the files")
    bases: dict[tuple[Options, tuple[Measure, ...]], BaselineScores] = {}
    relatives = []
    for each in evaluations:
        scoring = each.options, each.measures
        if scoring not in bases:
            bases[scoring] = score_baseline(
                each, to, draws=draws, seed=seed, format=format, progress=progress, processes=processes
            )
        scores = {str(measure): relate_score(each[measure].main, measure, bases[scoring]) for measure in each.measures}
        relatives.append(Relative(bases[scoring], scores))
    return relatives


def relate_score(score: float, measure: Measure, base: BaselineScores) -> RelativeScore:
    """Return a RelativeScore: where a score is from baseline (0) to perfect response (1), None if these are equal."""
    perfect, lowest = float(measure.more_is_better), base.scores[str(measure)]
    relative = (score - lowest) / (perfect - lowest) if perfect != lowest else None
    around, interval = base.intervals.get(str(measure)), None
    # Where the baseline's interval reaches the perfect score, the relative score has no bounds.
    if around is not None and (perfect - around[0]) * (perfect - around[1]) > 0:
        low, high = sorted((score - end) / (perfect - end) for end in around)
        interval = low, high
    return RelativeScore(score, lowest, relative, around, interval)


def score_baseline(
    evaluation: Evaluation,
    to: str | Source,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    format: str | None = None,  # noqa: A002
    progress: Progress | None = None,
    processes: int = 1,
) -> BaselineScores:
    """Return a baseline's scores against an evaluation's key, by its measures and options; OptionError if unknown."""
    rows = evaluation.mentions
    if rows is None:
        raise OptionError("a baseline needs the key's mentions, which this evaluation no longer has")
    key = rows.key.in_own_words()
    if to == "random":
        return _score_chance(key, evaluation, draws, seed, progress, processes)
    if isinstance(to, str) and to in KINDS:
        response = baseline(key, to)
    elif isinstance(to, str | PathLike) and not Path(to).exists() and str(to) != "-":
        known = suggest_names(str(to), KINDS)
        raise OptionError(f"relative_to={to} is neither a file nor a kind of baseline; {known}")
    else:
        response = evaluate.read(to, format, side="response")
    scored = _score_response(key, response, evaluation)
    name = to if isinstance(to, str) else response.name or response.source or "the baseline"
    known_messages = {notice.message for notice in evaluation.notices}
    joined = join_notices((response.notices, scored.notices))
    new = tuple(notice for notice in joined if notice.message not in known_messages)
    return BaselineScores(name, {str(by): scored[by].main for by in scored.measures}, {}, None, None, new)


def _score_chance(
    key: Corpus, evaluation: Evaluation, draws: int, seed: int, progress: Progress | None, processes: int
) -> BaselineScores:
    """Return the mean scores, with intervals, of `draws` random responses, made with seeds from `seed` on.

    Where every mention of the key is its own twin, and only that, the table is shuffled and not the corpus.
    """
    scored = _score_response(key, baseline(key, "random", seed=seed), evaluation)
    views, rows = scored.overlaps.views, scored.mentions
    whole = rows is not None and len(rows.twin_key) == len(key)
    shuffles_table = whole and not views.has_repeats and not views.has_partial_credit
    own_twins = Rows(key, key, np.arange(len(key)), np.arange(len(key)))
    sides, shuffler = (views.table.key, views.table.key), Shuffler(key)

    def score_draw(draw: int) -> list[float]:
        """Return the main scores of one random response."""
        if shuffles_table:
            entity = shuffler.shuffle(np.random.default_rng(seed + draw))
            return score_partitions(evaluation, sides, own_twins, key.entity, entity)
        again = _score_response(key, baseline(key, "random", seed=seed + draw), evaluation)
        return [again[measure].main for measure in evaluation.measures]

    advance = make_progress_counter(progress, "chance", draws)
    scores = score_draws(score_draw, draws, len(key), processes, advance)
    chance = {str(by): estimate_chance(row) for by, row in zip(evaluation.measures, scores.T, strict=True)}
    intervals = {name: each.interval for name, each in chance.items()}
    return BaselineScores("random", {name: each.mean for name, each in chance.items()}, intervals, draws, seed)


def _score_response(key: Corpus, response: Corpus, like: Evaluation) -> Evaluation:
    """Return the evaluation of a response against a prepared key, by the measures and options of another evaluation."""
    tables, notices = matching.build_tables(key, prepare_corpus(response, like.options), like.options)
    return score_tables(like, tables, notices)
