"""The result of a sweep: scores at every threshold, the best ones, and the knee."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Booleans, Floats, Ints
from corefeval.errors import OptionError
from corefeval.measures import Measure
from corefeval.measures.score import Score
from corefeval.notices import Notice, count_things
from corefeval.tables.result import Result
from corefeval.tables.table import UNDEFINED, Cell, Digits, Table, format_count, make_score_formatter
from corefeval.tables.text import Style

_FEW = 2  # measures of which recall and precision are shown, too
_NOTHING = "none"  # the threshold above all scores, at which nothing is linked


@dataclass(frozen=True, slots=True)
class BestThreshold:
    """Where a measure is highest: the threshold, of equal ones the highest; infinite where nothing should be linked.

    interval: between which thresholds it lies when key entities are drawn anew; None where that is not known.
    scores: the measure's numbers there. knee: the threshold at which recall costs most precision from there on; None
    for a measure without these.
    """

    measure: str
    threshold: float
    interval: tuple[float, float] | None
    scores: Mapping[str, float]
    knee: float | None

    def to_dict(self) -> dict[str, object]:
        """Return all of it as plain objects for JSON; None for an infinite threshold."""
        return {
            "measure": self.measure,
            "threshold": to_finite(self.threshold),
            "interval": None if self.interval is None else [to_finite(each) for each in self.interval],
            **self.scores,
            "knee": None if self.knee is None else to_finite(self.knee),
        }


@dataclass(frozen=True, slots=True)
class ChosenThreshold:
    """A threshold that is shown, the state that it leaves records in, and the scores of all measures there."""

    threshold: float
    state: int
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class SweepSettings:
    """How the intervals of a sweep were made: how many draws, of how much confidence, among how many thresholds."""

    resamples: int
    confidence: float
    seed: int
    looked_at: int


@dataclass(frozen=True, slots=True, eq=False)
class Sweep(Result):
    """Scores of the closure of scored pairs, at every threshold.

    thresholds: every score that occurs, highest first; before them infinity, at which nothing is linked.
    pairs: how many pairs are linked at each; None where clusterings were given instead of pairs.
    entities: how many response entities there are at each.
    values, undefined: for each measure, by field, a number for each threshold, and whether it is 0/0. Measures that
        are not linear are in `chosen` only.
    chosen: the thresholds that are shown, with the scores of all measures.
    best: the best threshold of every measure that is in `values` and depends on links.
    """

    measures: tuple[Measure, ...]
    thresholds: Floats
    pairs: Ints | None
    entities: Ints
    values: Mapping[str, Mapping[str, Floats]]
    undefined: Mapping[str, Mapping[str, Booleans]]
    chosen: tuple[ChosenThreshold, ...]
    best: tuple[BestThreshold, ...]
    settings: SweepSettings
    records: int
    key_entities: int
    key: str = ""
    response: str = ""
    notices: tuple[Notice, ...] = ()

    def find_state(self, threshold: float) -> int:
        """Return the row of `thresholds` that holds for any threshold: the lowest score that is not below it."""
        return find_state(self.thresholds, threshold)

    def get_curve(self, measure: str | None = None) -> Mapping[str, Floats]:
        """Return a measure's numbers by field, a column over `thresholds` each; OptionError if it has none.

        measure: by default the first one.
        """
        name = next(iter(self.values), "") if measure is None else str(measure)
        if name not in self.values:
            raise OptionError(f"{name or 'no measure'} has no curve; there are those of {', '.join(self.values)}")
        return self.values[name]

    def describe(self, style: Style) -> list[str]:  # noqa: ARG002 - nothing here is coloured
        """Return two lines: what the key and the response are."""
        entities = count_things(self.key_entities, "entity")
        lines = [f"key       {self.key or 'truth'}: {entities}"]
        what = count_things(self.records, "record")
        linked = "" if self.pairs is None else f", {count_things(int(self.pairs[-1]), 'scored pair')}"
        levels = count_things(len(self.thresholds) - bool(np.isinf(self.thresholds[0])), "threshold")
        return [*lines, f"response  {self.response or 'edges'}: {what}{linked}, {levels}"]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that say what entities are at a threshold, and how intervals were made."""
        closure = "" if self.pairs is None else "Entities are the transitive closure of all pairs from a threshold on. "
        knee = "knee: where recall and precision, each stretched from its least to its greatest, have the largest sum. "
        if not any(each.interval for each in self.best):
            return (f"{closure}{knee}".strip(),)
        many = f"{self.settings.resamples:,} draws of key entities, each looking for the best of "
        looked = count_things(self.settings.looked_at, "threshold")
        drawn = f"interval: {self.settings.confidence:.0%} of {many}{looked}; it assumes that entities are independent."
        return (f"{closure}{knee}{drawn}",)

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield the scores at some thresholds, and the best threshold of every measure."""
        write = make_score_formatter(digits)
        yield self._build_threshold_table(write)
        if self.best:
            yield self._build_best_table(write)

    def _build_threshold_table(self, write: Callable[[float], str]) -> Table:
        """Return the table of the thresholds that are shown: one column, or three, for each measure."""
        best = {each.measure: each.threshold for each in self.best}
        fields = [
            (measure, field)
            for measure in self.measures
            for field in (measure.shown if len(self.measures) <= _FEW else (measure.main,))
        ]
        several = len(self.measures) > 1
        rows = []
        for row in self.chosen:
            cells: list[str | Cell] = [write_threshold(row.threshold)]
            cells += [] if self.pairs is None else [format_count(int(self.pairs[row.state]))]
            cells.append(format_count(int(self.entities[row.state])))
            for measure, field in fields:
                score = row.scores[str(measure)]
                is_best = best.get(str(measure)) == self.thresholds[row.state]
                cells.append(_write_field(score, field, write, best=is_best and field == measure.main))
            rows.append(cells)
        heads = [
            (f"{measure} {field}" if len(self.measures) <= _FEW and len(measure.shown) > 1 else str(measure))
            if several
            else field
            for measure, field in fields
        ]
        counts = ("entities",) if self.pairs is None else ("pairs", "entities")
        return Table("scores by threshold", ["threshold", *counts, *heads], rows, 1)

    def _build_best_table(self, write: Callable[[float], str]) -> Table:
        """Return the table of best thresholds, with intervals, scores and knees."""
        rows = []
        for each in self.best:
            interval = UNDEFINED
            if each.interval is not None:
                interval = f"[{', '.join(map(write_threshold, each.interval))}]"
            scores = [_write_number(each.scores.get(field), write) for field in ("recall", "precision")]
            main = each.scores.get("f1", each.scores.get("score"))
            knee = UNDEFINED if each.knee is None else write_threshold(each.knee)
            rows.append(
                [each.measure, write_threshold(each.threshold), interval, *scores, _write_number(main, write), knee]
            )
        head = ["measure", "best threshold", "interval", "recall", "precision", "f1 or score", "knee"]
        return Table("best thresholds", head, rows, 1)

    def build_columns(self) -> dict[str, Sequence[object]]:
        """Return {name: column}, a row for every threshold: pairs, entities, and each measure's numbers.

        Of measures that are not linear, only the rows of chosen thresholds have any.
        """
        columns: dict[str, Sequence[object]] = {"threshold": [to_finite(each) for each in self.thresholds.tolist()]}
        if self.pairs is not None:
            columns["pairs"] = self.pairs.tolist()
        columns["entities"] = self.entities.tolist()
        for measure in self.measures:
            for field in measure.shown:
                columns[f"{measure}.{field}"] = self._list_values(measure, field)
        return columns

    def _list_values(self, measure: Measure, field: str) -> list[object]:
        """Return a measure's numbers at all thresholds, None where they are not known."""
        if str(measure) in self.values:
            return list(self.values[str(measure)][field].tolist())
        listed: list[object] = [None] * len(self.thresholds)
        for row in self.chosen:
            listed[row.state] = row.scores[str(measure)].values[field]
        return listed

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON; a threshold at which nothing is linked is None."""
        return {
            "key": self.key,
            "response": self.response,
            "records": self.records,
            "key_entities": self.key_entities,
            "measures": [str(measure) for measure in self.measures],
            "best": [each.to_dict() for each in self.best],
            "chosen": [
                {
                    "threshold": to_finite(row.threshold),
                    "pairs": None if self.pairs is None else int(self.pairs[row.state]),
                    "entities": int(self.entities[row.state]),
                    "scores": {name: score.to_dict() for name, score in row.scores.items()},
                }
                for row in self.chosen
            ],
            "columns": dict(self.build_columns()),
            "intervals": {
                "resamples": self.settings.resamples,
                "confidence": self.settings.confidence,
                "seed": self.settings.seed,
                "thresholds": self.settings.looked_at,
            },
            "warnings": [notice.to_dict() for notice in self.notices],
        }


def find_state(thresholds: Floats, threshold: float) -> int:
    """Return the row of sorted thresholds, highest first, of the lowest that is not below this one; 0 if all are."""
    return max(int(np.searchsorted(-thresholds, -threshold, side="right")) - 1, 0)


def to_finite(threshold: float) -> float | None:
    """Return a threshold, None for infinity."""
    return threshold if math.isfinite(threshold) else None


def write_threshold(threshold: float) -> str:
    """Return a threshold as text with up to six digits; "none" for infinity, at which nothing is linked."""
    if not math.isfinite(threshold):
        return _NOTHING
    short = f"{threshold:.6g}"
    # Close to 1 six digits would make a threshold 1 that is not.
    return short if threshold == 1 or short != "1" else repr(threshold)


def _write_field(score: Score, field: str, write: Callable[[float], str], *, best: bool) -> str | Cell:
    """Return a cell with a field of a score, marked if it is the best; a dash where it is 0/0."""
    value = score.values[field]
    if field in score.undefined:
        return UNDEFINED
    return Cell(_write_number(value, write), best=best)


def _write_number(value: object, write: Callable[[float], str]) -> str:
    """Return a number as `write` writes it, text as it is, a dash for None."""
    if value is None:
        return UNDEFINED
    return write(value) if isinstance(value, int | float) else str(value)
