"""Why two scorers disagree: from one profile to the other, one decision after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefeval import measures as known
from corefeval.analysis import causes
from corefeval.errors import InputError, OptionError
from corefeval.options import DECISIONS
from corefeval.profiles import registry as profiles
from corefeval.scoring.score import read, scored
from corefeval.tables.result import Result
from corefeval.tables.table import Table, format_points, make_score_formatter
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.measures.score import Score
    from corefeval.notices import Notice
    from corefeval.options import Options
    from corefeval.profiles import Profile
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import Measures, Source
    from corefeval.tables.table import Digits

ORDER = (
    "missing", "extra", "split_antecedents", "singletons", "match", "zeros", "duplicates", "twinless", "boundary",
    "average",
)  # fmt: skip
"""What changes first: what is read, then what is matched, then what is counted."""

_GOES_ON = {"missing": "empty", "extra": "ignore", "duplicates": "keep"}
"""What to do where a scorer would refuse; where the data lack what its rule of matching needs, match exactly."""

_REFUSALS = (InputError, OptionError)
"""What is wrong with the data, and what they lack that a decision needs."""


CAUSES = 5
"""How many causes of a step are shown, unless more are asked for."""
_STILL = 5e-7  # what moves by less does not show


@dataclass(frozen=True, slots=True)
class DecisionStep:
    """One decision changed: from what to what, the evaluation then, and what is responsible for the difference.

    `refused` is what the scorer would say that takes no such files; the decision before it then stays.
    """

    decision: str
    before: str
    after: str
    evaluation: Evaluation
    causes: tuple[str, ...]
    refused: str = ""

    @property
    def title(self) -> str:
        """The decision, and its values before and after."""
        return f"{self.decision}: {self.before} → {self.after}"


@dataclass(frozen=True, slots=True)
class Explanation(Result):
    """The way from one profile's numbers to the other's, one decision after another."""

    from_: Profile
    to: Profile
    measures: tuple[Measure, ...]
    start: Evaluation
    steps: tuple[DecisionStep, ...]
    refused: str = ""

    @property
    def end(self) -> Evaluation:
        """The other profile's evaluation."""
        return self.steps[-1].evaluation if self.steps else self.start

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the scores to begin with."""
        return self.start.notices

    def changes(self, step: int, measure: Measure) -> dict[str, float]:
        """By how much a step moves each value of a measure."""
        before = self.steps[step - 1].evaluation if step else self.start
        one, other = before[measure], self.steps[step].evaluation[measure]
        return {field: _number(other, field) - _number(one, field) for field in measure.shown if _is_number(one, field)}

    def _moves(self, step: int) -> bool:
        """Whether a step moves any value."""
        return any(
            abs(change) >= _STILL for measure in self.measures for change in self.changes(step, measure).values()
        )

    def tables(self, *, digits: Digits = "round", examples: int | None = CAUSES) -> Iterator[Table]:
        """Yield a table with a row for each decision, and then what is responsible (None: all causes)."""
        write = make_score_formatter(digits)
        body = [
            [self.from_.name, "", *(write(self.start[measure].main) for measure in self.measures)],
            *([step.decision, f"{step.before} → {step.after}", *self._list_moves(place)]
              for place, step in enumerate(self.steps)),
            [self.to.name, "", *(write(self.end[measure].main) for measure in self.measures)],
        ]  # fmt: skip
        fields = {measure.main for measure in self.measures}
        notes = [f"{' and '.join(sorted(fields))}; changes in points, · is none"]
        if len(self.steps) > 1:
            notes.append(
                "decisions change one after the other, in this order; in another order each may move more or less"
            )
        yield Table("", ["", "", *map(str, self.measures)], body, 2, tuple(notes))
        for line in self._list_refusals():
            yield Table("", (), [[line]], 1)
        for place, step in enumerate(self.steps):
            if step.causes and self._moves(place):
                left = len(step.causes) - len(step.causes[:examples])
                more = [f"  and {left:,} more"] if left else []
                yield Table(
                    step.title, (), [[line] for line in [*(f"  {cause}" for cause in step.causes[:examples]), *more]], 1
                )

    def _list_moves(self, place: int) -> list[str]:
        """Write how much a step moves each measure's main value."""
        if self.steps[place].refused:
            return ["refused"] * len(self.measures)
        changes = [self.changes(place, measure)[measure.main] for measure in self.measures]
        return ["·" if abs(change) < _STILL else format_points(change) for change in changes]

    def _list_refusals(self) -> list[str]:
        lines = [f"{self.from_.name} itself would refuse these files: {self.refused}"] if self.refused else []
        return lines + [
            f"{self.to.name} itself would refuse these files ({step.decision}={step.after}): {step.refused}"
            for step in self.steps
            if step.refused
        ]

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each decision and measure, between those of the two profiles."""
        ways: list[tuple[str, str | None, str | None, Evaluation]] = [(self.from_.name, None, None, self.start)]
        ways += [(step.decision, step.before, step.after, step.evaluation) for step in self.steps]
        ways += [(self.to.name, None, None, self.end)]
        rows = [
            (*way, str(measure), *(evaluation[measure].values.get(field) for field in _FIELDS))
            for *way, evaluation in ways
            for measure in self.measures
        ]
        return collect_columns(("decision", "from", "to", "measure", *_FIELDS), rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects."""
        return {
            "key": self.start.key,
            "response": self.start.response,
            "from": self._list_end(self.from_, self.start) | {"refused": self.refused},
            "steps": [
                {
                    "decision": step.decision,
                    "from": step.before,
                    "to": step.after,
                    "refused": step.refused,
                    "changes": {str(measure): self.changes(place, measure) for measure in self.measures},
                    "scores": self._list_values(step.evaluation),
                    "causes": list(step.causes),
                }
                for place, step in enumerate(self.steps)
            ],
            "to": self._list_end(self.to, self.end),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def _list_end(self, profile: Profile, evaluation: Evaluation) -> dict[str, object]:
        scores = self._list_values(evaluation)
        return {"profile": profile.name, "signature": evaluation.signature, "scores": scores}

    def _list_values(self, evaluation: Evaluation) -> dict[str, object]:
        return {
            str(measure): {field: evaluation[measure].values[field] for field in measure.shown}
            for measure in self.measures
        }


_FIELDS = ("recall", "precision", "f1", "score")


def why(
    key: Source,
    response: Source,
    *,
    to: str,
    from_: str = profiles.DEFAULT,
    measures: Measures | None = None,
    format: str | None = None,  # noqa: A002 - the name that users expect
    key_format: str | None = None,
    response_format: str | None = None,
) -> Explanation:
    """Say what makes two scorers' numbers differ: change one decision at a time from one profile to the other.

    measures: by default those that the other scorer has, and the CoNLL average.
    """
    one, other = profiles.find_profile(from_), profiles.find_profile(to)
    ours, theirs = read(key, key_format or format), read(response, response_format or format)
    chosen = known.select(measures if measures is not None else (*other.measures, "conll"))
    return explain_profiles(ours, theirs, one, other, chosen)


def explain_profiles(
    key: Corpus, response: Corpus, one: Profile, other: Profile, measures: tuple[Measure, ...]
) -> Explanation:
    """The same, when everything is read."""
    options, refused = _possible(key, response, measures, one.options)
    start = scored(key, response, measures, options)
    steps: list[DecisionStep] = []
    before = start
    for decision in ORDER:
        value, wanted = getattr(options, decision), getattr(other.options, decision)
        if value == wanted:
            continue
        changed = options._replace(**{decision: wanted})
        try:
            after = scored(key, response, measures, changed)
        except _REFUSALS as error:
            steps.append(DecisionStep(decision, value, wanted, before, (), str(error)))
            continue
        found = causes.list_causes(decision, causes.DecisionChange(key, response, before, after))
        steps.append(DecisionStep(decision, value, wanted, after, found))
        options, before = changed, after
    return Explanation(one, other, measures, start, tuple(steps), refused)


def _possible(key: Corpus, response: Corpus, measures: tuple[Measure, ...], options: Options) -> tuple[Options, str]:
    """The options, or others that do not refuse, and what the refusal says."""
    try:
        scored(key, response, measures, options)
    except _REFUSALS as error:
        going_on = {name: value for name, value in _GOES_ON.items() if getattr(options, name) == "error"}
        if isinstance(error, OptionError):
            exact = DECISIONS["match"].default
            going_on = {"match": exact} if options.match != exact else {}
        if not going_on:
            raise
        possible, more = _possible(key, response, measures, options._replace(**going_on))
        return possible, "; ".join(filter(None, (str(error), more)))
    return options, ""


def _is_number(score: Score, field: str) -> bool:
    return not isinstance(score.values[field], str)


def _number(score: Score, field: str) -> float:
    return float(score.values[field])
