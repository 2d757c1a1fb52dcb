"""Why two scorers disagree: from one profile to the other, one decision after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval import measures as known
from corefeval.analysis import causes
from corefeval.errors import InputError, OptionError
from corefeval.options import DECISIONS
from corefeval.profiles import profiles
from corefeval.scoring.score import read, scored

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.options import Options
    from corefeval.profiles.profile import Profile
    from corefeval.scoring.results import Evaluation, Score
    from corefeval.scoring.score import Measures, Source

ORDER = (
    "missing", "extra", "split_antecedents", "singletons", "match", "zeros", "duplicates", "twinless", "boundary",
    "average", "digits",
)  # fmt: skip
"""What changes first: what is read, then what is matched, then what is counted, then how it is put."""

_GOES_ON = {"missing": "empty", "extra": "ignore", "duplicates": "keep"}
"""What to do where a scorer would refuse; where the data lack what its rule of matching needs, match exactly."""

_REFUSALS = (InputError, OptionError)
"""What is wrong with the data, and what they lack that a decision needs."""


class Step(NamedTuple):
    """One decision changed: from what to what, the evaluation then, and what is responsible for the difference.

    `refused` is what the scorer would say that takes no such files; the decision before it then stays.
    """

    decision: str
    before: str
    after: str
    evaluation: Evaluation
    causes: tuple[str, ...]
    refused: str = ""


class Explanation(NamedTuple):
    """The way from one profile's numbers to the other's."""

    from_: Profile
    to: Profile
    measures: tuple[Measure, ...]
    start: Evaluation
    steps: tuple[Step, ...]
    refused: str = ""

    @property
    def end(self) -> Evaluation:
        """The other profile's evaluation."""
        return self.steps[-1].evaluation if self.steps else self.start

    def changes(self, step: int, measure: Measure) -> dict[str, float]:
        """By how much a step moves each value of a measure."""
        before = self.steps[step - 1].evaluation if step else self.start
        one, other = before[measure], self.steps[step].evaluation[measure]
        return {field: _number(other, field) - _number(one, field) for field in measure.shown if _is_number(one, field)}

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        from corefeval.show import explained  # noqa: PLC0415 - reports are loaded when one is asked for

        return explained.as_dict(self)

    def __str__(self) -> str:
        from corefeval.show import explained  # noqa: PLC0415

        return explained.write(self)


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
    one, other = profiles.find(from_), profiles.find(to)
    ours, theirs = read(key, key_format or format), read(response, response_format or format)
    chosen = known.select(measures if measures is not None else (*other.measures, "conll"))
    return explained(ours, theirs, one, other, chosen)


def explained(
    key: Corpus, response: Corpus, one: Profile, other: Profile, measures: tuple[Measure, ...]
) -> Explanation:
    """The same, when everything is read."""
    options, refused = _possible(key, response, measures, one.options)
    start = scored(key, response, measures, options)
    steps: list[Step] = []
    before = start
    for decision in ORDER:
        value, wanted = getattr(options, decision), getattr(other.options, decision)
        if value == wanted:
            continue
        changed = options._replace(**{decision: wanted})
        try:
            after = scored(key, response, measures, changed)
        except _REFUSALS as error:
            steps.append(Step(decision, value, wanted, before, (), str(error)))
            continue
        found = causes.of(decision, causes.Change(key, response, before, after))
        steps.append(Step(decision, value, wanted, after, found))
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
