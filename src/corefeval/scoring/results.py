"""Results: a Score for each measure, an Evaluation of them all. Frozen; measures asked for later are scored then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Unpack

import numpy as np

from corefeval import __version__
from corefeval import measures as known
from corefeval._arrays import Columns, Ints
from corefeval._lazy import LazyMapping, cached
from corefeval.measures import Measure
from corefeval.measures.base import Values
from corefeval.measures.mean import Average
from corefeval.measures.parameters import CUSTOM
from corefeval.measures.registry import blame_if_plugin
from corefeval.measures.score import Score, make_score
from corefeval.notices import Notice, check_strict, count_part, count_things, report_progress
from corefeval.options import Options, load_behaviour
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.summation import sum_documents
from corefeval.overlap.views import Rows, Tables
from corefeval.scoring.counting import Counter
from corefeval.scoring.layout import ScoreReport, build_score_content
from corefeval.scoring.signature import Signature
from corefeval.tables.result import Scope
from corefeval.tables.writers import stream_json

_RATES = ("recall", "precision", "f1", "score")


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(ScoreReport, Mapping[str, "Score"]):
    """A response judged against a key: a mapping of its measures, as users write them, to their scores.

    `evaluation["rand"]` works for a measure that was not asked for, too. `documents` has the scores of each document.
    key, response: the files. name: what the user calls the system, if anything.

    Two evaluations are equal if all their fields and scores are, whatever was computed on demand.
    """

    measures: tuple[Measure, ...]
    counter: Counter
    document_names: tuple[str, ...]
    options: Options
    notices: tuple[Notice, ...] = ()
    key: str = ""
    response: str = ""
    name: str = ""
    _scores: dict[Measure, Score] = field(init=False, default_factory=dict)
    _rows: dict[Measure, Values] = field(init=False, default_factory=dict)

    @property
    def mention_word(self) -> str:
        """What its mentions are called: records, where the key is a table of these."""
        rows = self.overlaps.mentions
        return "mention" if rows is None else rows.key.noun

    @property
    def document_word(self) -> str:
        """What its documents are called; "" where all records are one."""
        return "" if self.mention_word == "record" else "document"

    @property
    def overlaps(self) -> Tables:
        """All tables that measures count on: the usual ones, and those that only some measures need."""
        return self.counter.tables

    @property
    def table(self) -> Overlap:
        """The table of key and response entities that share mentions."""
        return self.counter.tables.table

    @property
    def mentions(self) -> Rows | None:
        """Both matched corpora and the rows of twins; None where they are gone, as after pickling."""
        return self.counter.tables.mentions

    def count(self, measure: Measure) -> Columns:
        """Return a measure's counts: columns with a number for each document; of a single document, plain numbers."""
        return self.counter.count(measure)

    def compute(self) -> None:
        """Compute and store the scores of all measures, on all documents and on each, and report progress."""
        for place, measure in enumerate(self.measures):
            report_progress("counting by measures", place, len(self.measures))
            self._get_score(measure)

    def __getitem__(self, measure: str | Measure) -> Score:
        return self._get_score(self.get_known_measure(measure))

    def get_known_measure(self, measure: str | Measure) -> Measure:
        """Return the measure that is meant; a text with Python objects, which it cannot name, is one of its own."""
        if isinstance(measure, str) and f"={CUSTOM}" in measure:
            measure = next((each for each in self.measures if str(each) == measure), measure)
        return known.resolve_measure(measure, self.options)

    def _get_score(self, measure: Measure) -> Score:
        """Return the score of a measure on all documents, or averaged over them if options say so; computed once."""
        score = self._scores.get(measure)
        if score is None:
            rows = self.score_documents(measure)
            values = rows if len(self.document_names) == 1 else measure.score(self._count_all(measure))
            if self.options.average != "micro" and self.document_names:
                values = _average_scores(values, rows, dict.fromkeys(measure.costs, self.weights["f1"]) | self.weights)
            score = self._scores[measure] = make_score(measure, values)
        return score

    def compute_main(self, measure: Measure) -> float:
        """Return a measure's main score on all documents, not computing those of each where they are not needed."""
        if self.options.average != "micro" or len(self.document_names) == 1:
            return self._get_score(measure).main
        return float(measure.score(self._count_all(measure))[measure.main])

    def _count_all(self, measure: Measure) -> Columns:
        """Return a measure's counts on all documents together, as plain numbers: the sums over documents."""
        return sum_counts(self.counter.count(measure))

    def score_documents(self, measure: Measure) -> Values:
        """Return scores by name as columns with a value for each document, computed once; of one, plain values."""
        rows = self._rows.get(measure)
        if rows is None:
            try:
                if measure.parts and isinstance(measure, Average):  # whose parts have been scored, mostly
                    parts = measure.named_parts.items()
                    rows = measure.average({name: self.score_documents(part) for name, part in parts})
                else:
                    rows = measure.score(self.counter.count(measure))
                self._rows[measure] = rows
            except BaseException:
                with blame_if_plugin(measure):
                    raise
        return rows

    def __iter__(self) -> Iterator[str]:
        return (str(measure) for measure in self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __contains__(self, measure: object) -> bool:
        return any(measure in (each, str(each)) for each in self.measures)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluation):
            return NotImplemented
        return self._fields == other._fields and dict(self) == dict(other) and self.documents == other.documents

    def __hash__(self) -> int:
        return hash(self._fields)

    @property
    def _fields(self) -> tuple[object, ...]:
        """What `==` compares beside the scores: measures, documents, options, messages and names of both sides."""
        messages = tuple(notice.message for notice in self.notices)
        return self.measures, self.document_names, self.options, messages, self.key, self.response, self.name

    @property
    def signature(self) -> str:
        """How these scores were made, in one line; `Signature.parse` reads it back."""
        measures = tuple(str(measure) for measure in self.measures)
        return str(Signature(__version__, measures, self.options, len(self.document_names)))

    @cached
    def weights(self) -> dict[str, Ints]:
        """The documents' weights in an average of scores: by the name of a rate, such as recall, an array."""
        weigh = load_behaviour("average", self.options.average)
        weights = {"f1": np.ones(self.table.documents, dtype=np.int64)} if weigh is None else weigh(self.table)
        return dict.fromkeys(_RATES, weights["f1"]) | weights

    @cached
    def documents(self) -> Mapping[str, DocumentScores]:
        """The scores of each document, by its name, in the key's order; computed when they are asked for."""
        return LazyMapping(
            {name: partial(DocumentScores, self, place) for place, name in enumerate(self.document_names)}
        )

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """A tuple of this evaluation alone: a report of one."""
        return (self,)

    def to_json(self, **scope: Unpack[Scope]) -> str:
        """Return JSON text with full precision: an object whose "evaluations" is a list of this one alone."""
        return super().to_json(**scope)

    def stream_json(self, *, per_document: bool = False) -> Iterator[str]:
        """Yield in parts what `to_json` returns: the scores of each document are long."""
        return stream_json({"evaluations": [build_score_content(self, per_document=per_document, streamed=True)]})

    def build_content(self, *, per_document: bool = False) -> dict[str, object]:
        """Return the evaluation as a dict of plain objects; with the scores of each document if `per_document`."""
        return build_score_content(self, per_document=per_document)

    def __repr__(self) -> str:
        return f"<Evaluation of {count_things(len(self.document_names), 'document')}: {', '.join(self)}>"


def make_evaluation(
    counter: Counter,
    measures: tuple[Measure, ...],
    options: Options,
    *,
    strict: bool,
    notices: tuple[Notice, ...],
    names: tuple[str, ...] | None = None,
    key: str = "",
    response: str = "",
    name: str = "",
) -> Evaluation:
    """Return the evaluation of a counter's tables, all scores computed; a StrictError if `strict` and notices exist."""
    if options.average != "micro":
        notices = (*notices, *_make_average_notices(counter, measures))
    names = tuple(counter.tables.table.key.document_name or ()) if names is None else names
    evaluation = Evaluation(measures, counter, names, options, notices=notices, key=key, response=response, name=name)
    evaluation.compute()
    check_strict(notices, strict=strict)
    return evaluation


def _make_average_notices(counter: Counter, measures: tuple[Measure, ...]) -> Iterable[Notice]:
    """Yield a notice for each field of a measure that is 0/0 in some documents: in how many, and as what it counts."""
    for measure in measures:
        rows = measure.score(dict(counter.count(measure)))
        for name, value in rows["undefined"].items():
            if np.any(value):
                count = int(np.count_nonzero(value))
                some = count_part(count, counter.tables.table.documents, "document")
                what = f"is undefined (0/0) in {some} and counts as {measure.get_undefined(name)} in their average"
                message = f"{measure}: {name} {what}"
                yield Notice("undefined-in-average", message, {"measure": str(measure), "field": name, "count": count})


class DocumentScores(Mapping[str, Score]):
    """The scores of one document."""

    def __init__(self, evaluation: Evaluation, number: int) -> None:
        self._evaluation, self._number = evaluation, number

    def __getitem__(self, measure: str | Measure) -> Score:
        asked = self._evaluation.get_known_measure(measure)
        rows = self._evaluation.score_documents(asked)
        return make_score(asked, rows if len(self._evaluation.document_names) == 1 else _take_row(rows, self._number))

    def __iter__(self) -> Iterator[str]:
        return iter(self._evaluation)

    def __len__(self) -> int:
        return len(self._evaluation)

    def __contains__(self, measure: object) -> bool:
        return measure in self._evaluation


def sum_counts(counts: Columns) -> dict[str, float | int]:
    """Return a dict of single numbers: every count summed up over all documents."""
    return {name: sum_documents(column) for name, column in counts.items()}


def _take_row(columns: Values, number: int) -> Values:
    """Return one document's values as plain numbers and words, from columns with a value for each document."""
    return {
        name: _take_row(column, number)
        if isinstance(column, dict)
        else np.asarray(column[number]).item()
        if isinstance(column, np.ndarray)
        else column
        for name, column in columns.items()
    }


def _average_scores(values: Values, rows: Values, weights: dict[str, Ints]) -> Values:
    """Return scores averaged over documents; numerators and denominators become weighted sums, the rest stays."""
    averaged: Values = {}
    for name, value in values.items():
        of = name.removesuffix("_numerator").removesuffix("_denominator")
        if name == "undefined":
            averaged[name] = {field: bool(np.all(missing)) for field, missing in rows[name].items()}
        elif isinstance(value, dict) and name != "links":
            averaged[name] = _average_scores(value, rows[name], weights)
        elif name in weights:
            total = sum_documents(weights[name])  # 0 where no document counts, and what they have together stands
            averaged[name] = sum_documents(rows[name] * weights[name]) / total if total else value
        elif of in weights:
            averaged[name] = sum_documents(weights[of] if name.endswith("_denominator") else rows[of] * weights[of])
        else:
            averaged[name] = value
    return averaged
