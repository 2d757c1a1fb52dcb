"""What all tables have in common: which rows there are, which values are best, and how a number is written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval.measures import Measure
    from corefeval.options import Options
    from corefeval.scoring.results import Evaluation, Score

FIELDS = ("recall", "precision", "f1", "score", "direction")
COSTS = ("misses", "false_alarms", "mistakes")  # columns for the few measures that say what was lost; less is better
UNDEFINED = "–"


class Row(NamedTuple):
    """One score: of a measure, for a response, on a document or (document None) on all of them."""

    measure: Measure
    response: str
    document: str | None
    score: Score
    best: frozenset[str]
    digits: str = "round"

    def text(self, field: str, mark: Callable[[str], str] = str) -> str:
        """A value as people read it: in per cent; a dash where it is undefined; marked where it is the best."""
        value = self.score.values.get(field)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        text = UNDEFINED if field in self.score.undefined else WRITTEN[self.digits](value)
        return mark(text) if field in self.best else text


def rows(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> list[Row]:
    """Measure by measure, each for all responses; then the same for every document."""
    found = _rows(evaluations, None)
    if per_document:
        for name in evaluations[0].document_names:
            found += _rows(evaluations, name)
    return found


def _rows(evaluations: Sequence[Evaluation], document: str | None) -> list[Row]:
    named = labels(evaluations)
    found = []
    for measure in evaluations[0].measures:
        scores = [each[measure] if document is None else each.documents[document][measure] for each in evaluations]
        best = _best(measure, scores, [each.options for each in evaluations])
        found += [
            Row(measure, label, document, score, marks, each.options.digits)
            for label, score, marks, each in zip(named, scores, best, evaluations, strict=True)
        ]
    return found


def _best(measure: Measure, scores: Sequence[Score], settings: Sequence[Options]) -> list[frozenset[str]]:
    """Which values are the best of their column among those made with the same settings.

    None where all are alike, or where more is not better.
    """
    marks: list[set[str]] = [set() for _ in scores]
    for field in measure.shown if measure.more_is_better else ():
        sign = -1 if field in COSTS else 1
        values = [sign * float(score.values[field]) for score in scores]
        for mark, value, setting in zip(marks, values, settings, strict=True):
            rivals = [other for other, its in zip(values, settings, strict=True) if its == setting]
            if min(rivals) < value == max(rivals):
                mark.add(field)
    return [frozenset(mark) for mark in marks]


def fields(evaluations: Sequence[Evaluation]) -> list[str]:
    """The columns that some measure fills."""
    shown = {field for each in evaluations for measure in each.measures for field in measure.shown}
    return [field for field in (*FIELDS, *COSTS) if field in shown]


def labels(evaluations: Sequence[Evaluation]) -> list[str]:
    """A short name for every response: its file name, or its path where file names are alike."""
    paths = [each.response or f"response {place + 1}" for place, each in enumerate(evaluations)]
    short = [os.path.basename(path) or path for path in paths]
    alike = len(set(short)) < len(set(paths))
    named = paths if alike else short
    return [
        f"{name} ({settings})" if settings else name
        for name, settings in zip(named, _settings(evaluations), strict=True)
    ]


def _settings(evaluations: Sequence[Evaluation]) -> list[str]:
    """How each was made, as far as they were made in different ways."""
    differ = [
        name for name in evaluations[0].options._fields
        if len({getattr(each.options, name) for each in evaluations}) > 1
    ]  # fmt: skip
    return [", ".join(_setting(name, getattr(each.options, name)) for name in differ) for each in evaluations]


def _setting(name: str, value: str) -> str:
    if name == "layer":
        return value
    if name == "singletons":
        return "without singletons" if value == "drop" else "with singletons"
    return f"{name} {value}"


def signatures(evaluations: Sequence[Evaluation]) -> list[str]:
    """Every signature once."""
    return list(dict.fromkeys(each.signature for each in evaluations))


def written(evaluation: Evaluation, measure: Measure) -> str:
    """The main value of a measure, as a score is written; a dash where it is undefined."""
    found = evaluation[measure]
    value = found.values[measure.main]
    if measure.main in found.undefined:
        return UNDEFINED
    return value if isinstance(value, str) else WRITTEN[evaluation.options.digits](float(value))


def percent(value: float) -> str:
    """Per cent with two decimals, as most tools print."""
    return f"{100 * value:.2f}"


def truncated(value: float) -> str:
    """Per cent, cut off behind two decimals as they are in floating point, as the reference scorer does."""
    return f"{int(value * 10000) / 100:.2f}"


def full(value: float) -> str:
    """The number as it is."""
    return repr(float(value))


WRITTEN: dict[str, Callable[[float], str]] = {"truncate": truncated, "round": percent, "full": full}
"""How a score is written, by the decision `digits`."""
