"""The tables, records and JSON of evaluations: which rows there are, which values are best, how responses are named."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefeval.measures import Measure
from corefeval.measures.base import COUNTS
from corefeval.measures.registry import find_class, list_names
from corefeval.measures.score import Score
from corefeval.notices import Notice
from corefeval.options import Options
from corefeval.overlap.overlap import Side
from corefeval.tables.result import Result
from corefeval.tables.table import UNDEFINED, Cell, Digits, Table, make_score_formatter
from corefeval.tables.text import Style
from corefeval.tables.writers import escape_latex

if TYPE_CHECKING:
    from corefeval.scoring.results import DocumentScores, Evaluation

FIELDS = ("recall", "precision", "f1", "score", "direction")
_LATEX_FIELDS = {"recall": "R", "precision": "P", "f1": "F$_1$", "score": "", "direction": ""}


class EvaluationResult(Result):
    """A result about one evaluation: it says whose, and how its scores were made. left_out: notices of its own."""

    __slots__ = ()
    evaluation: Evaluation
    left_out: tuple[Notice, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the scores."""
        return (*self.evaluation.notices, *self.left_out)

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signature of the evaluation."""
        return (self.evaluation.signature,)

    def describe(self, style: Style) -> list[str]:
        """Return a line for the key and one for the response."""
        return self.evaluation.describe(style)

    def frame_content(self, content: Mapping[str, object]) -> dict[str, object]:
        """Return these plain objects between the names of both sides with the signature, and the notices."""
        evaluation = self.evaluation
        sides = {"key": evaluation.key, "response": evaluation.response, "signature": evaluation.signature}
        return {**sides, **content, "notices": [notice.to_dict() for notice in self.notices]}


class ScoreReport(Result):
    """What one evaluation and several in one table have in common: how they are shown."""

    __slots__ = ()

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The evaluations of one key that are shown together."""
        raise NotImplementedError

    @property
    def signatures(self) -> tuple[str, ...]:
        """The different signatures of the evaluations."""
        return tuple(dict.fromkeys(each.signature for each in self.evaluations))

    def describe(self, style: Style) -> list[str]:
        """Return a line for the key and for each response: name, mentions, entities."""
        return describe_sides(self.evaluations, style)

    def tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield a table with a row for each measure and response, and for each document."""
        yield _build_long_table(self.evaluations, digits, per_document=per_document)

    def text_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield a table of the whole, then one with a row for each document, a column for each measure."""
        yield _build_long_table(self.evaluations, digits, per_document=False)
        if per_document:
            yield _build_document_table(self.evaluations, digits)

    def paper_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield a table with a row for each response, and columns for each measure."""
        yield _build_wide_table(self.evaluations, digits, per_document=per_document)

    def build_columns(self, *, per_document: bool = False) -> dict[str, list[object]]:
        """Return a row for each measure, response and document; the document of a total is None."""
        return _build_score_records(self.evaluations, per_document=per_document)


@dataclass(frozen=True, slots=True)
class Evaluations(ScoreReport):
    """Several evaluations in one table. ways: names of columns, if every response was scored in so many ways."""

    members: tuple[Evaluation, ...]
    ways: tuple[str, ...] = ()

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The evaluations of one key that are shown together."""
        return self.members

    def describe(self, style: Style) -> list[str]:
        """Return a line for the key and for each response; none where a column stands for each way of scoring."""
        return [] if self.ways else ScoreReport.describe(self, style)

    def text_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the tables of all evaluations, or one with a column for each way of scoring."""
        if self.ways and not per_document:
            yield _build_table_of_ways(self.members, self.ways, digits)
        else:
            yield from ScoreReport.text_tables(self, digits=digits, per_document=per_document)

    def build_content(self, *, per_document: bool = False) -> dict[str, object]:
        """Return all evaluations as plain objects."""
        return {"evaluations": [each.to_dict(per_document=per_document) for each in self.members]}


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score: of a measure, for a response, on a document or (document None) on all of them."""

    measure: Measure
    response: str
    document: str | None
    score: Score
    best: frozenset[str]

    def get_cell(self, field: str, write: Callable[[float], str]) -> str | Cell:
        """Return a value as people read it: a dash where it is undefined, marked where it is the best."""
        value = self.score.values.get(field)
        if value is None or isinstance(value, str):
            return value or ""
        text = UNDEFINED if field in self.score.undefined else write(value)
        return Cell(text, best=True) if field in self.best else text


def build_rows(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> list[ScoreRow]:
    """Return rows measure by measure, each for all responses; then the same for every document."""
    rows = list(_iterate_rows(evaluations, None))
    for name in evaluations[0].document_names if per_document else ():
        rows += _iterate_rows(evaluations, name)
    return rows


def _iterate_rows(evaluations: Sequence[Evaluation], document: str | None) -> Iterator[ScoreRow]:
    """Yield rows measure by measure, each for all responses, of one document or (None) of all together."""
    labels = label_responses(evaluations)
    options = [each.options for each in evaluations]
    for measure in evaluations[0].measures:
        scores = [each[measure] if document is None else each.documents[document][measure] for each in evaluations]
        for label, score, best in zip(labels, scores, _find_best(measure, scores, options), strict=True):
            yield ScoreRow(measure, label, document, score, best)


def _find_best(measure: Measure, scores: Sequence[Score], options: Sequence[Options]) -> list[frozenset[str]]:
    """Return, for each score, the fields that are the best among those made with the same options.

    None where all are alike, or where more is not better.
    """
    marks: list[set[str]] = [set() for _ in scores]
    for field in measure.shown if measure.more_is_better else ():
        sign = -1 if field in measure.costs else 1
        values = [sign * float(score.values[field]) for score in scores]
        for mark, value, own in zip(marks, values, options, strict=True):
            rivals = [other for other, its in zip(values, options, strict=True) if its == own]
            if min(rivals) < value == max(rivals):
                mark.add(field)
    return [frozenset(mark) for mark in marks]


def list_fields(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return the columns that some measure fills: the usual ones, then those that only some measures have."""
    shown = dict.fromkeys(field for each in evaluations for measure in each.measures for field in measure.shown)
    return [*(field for field in FIELDS if field in shown), *(field for field in shown if field not in FIELDS)]


def label_responses(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return a short name for every response: its file name, or its path where file names are alike.

    Responses that were scored with different options have these behind their names.
    """
    paths = [each.response or f"response {place + 1}" for place, each in enumerate(evaluations)]
    short = [os.path.basename(path) or path for path in paths]  # noqa: PTH119 - pathlib takes time to load
    names = paths if len(set(short)) < len(set(paths)) else short
    options = [each.options for each in evaluations]
    differing = [name for name in options[0]._fields if len({getattr(each, name) for each in options}) > 1]
    settings = [", ".join(_describe_setting(name, getattr(each, name)) for name in differing) for each in options]
    return [f"{name} ({setting})" if setting else name for name, setting in zip(names, settings, strict=True)]


def _describe_setting(name: str, value: str) -> str:
    """Return an option in words: "without singletons", "match head"."""
    if name == "layer":
        return value
    if name == "singletons":
        return "without singletons" if value == "drop" else "with singletons"
    return f"{name} {value}"


def describe_sides(evaluations: Sequence[Evaluation], style: Style, letters: Sequence[str] = ()) -> list[str]:
    """Return a line for the key and for each response: name, mentions, entities; letters stand for 'response'."""
    first = evaluations[0]
    documents = f"{len(first.document_names)} document{'' if len(first.document_names) == 1 else 's'}"
    lines = [("key", first.key, f"{documents}, {_describe_size(first.overlaps.views.table.key)}")]
    for place, (label, each) in enumerate(zip(label_responses(evaluations), evaluations, strict=True)):
        name = label if len(evaluations) > 1 else each.response
        what = letters[place] if letters else "response"
        lines.append((what, name, _describe_size(each.overlaps.views.table.response)))
    width = max(len(name) for _, name, _ in lines)
    gap = "  " if width else ""
    return [f"{style('head', f'{what:<8}')}  {name:<{width}}{gap}{style('quiet', size)}" for what, name, size in lines]


def _describe_size(side: Side) -> str:
    """Return how many mentions a side has, in how many entities."""
    return f"{side.size.sum():,} mentions in {len(side.size):,} entities"


def name_in_latex(measure: str) -> str:
    """Return the name of a measure as papers set it; with parameters, as users write it."""
    latex = find_class(measure).latex_name if measure in list_names() else ""
    return latex or escape_latex(measure)


def format_main(evaluation: Evaluation, measure: Measure, write: Callable[[float], str]) -> str:
    """Write the main value of a measure; a dash where it is undefined."""
    score = evaluation[measure]
    value = score.values[measure.main]
    if measure.main in score.undefined:
        return UNDEFINED
    return value if isinstance(value, str) else write(float(value))


def _build_long_table(evaluations: Sequence[Evaluation], digits: Digits, *, per_document: bool) -> Table:
    """Build a table with a row for each document, measure and response."""
    fields, write, several = list_fields(evaluations), make_score_formatter(digits), len(evaluations) > 1
    rows = build_rows(evaluations, per_document=per_document)
    records: list[dict[str, str | Cell]] = [
        {
            **({"document": "all" if row.document is None else row.document} if per_document else {}),
            "measure": str(row.measure),
            **({"response": row.response} if several else {}),
            **{field: row.get_cell(field, write) for field in fields},
        }
        for row in rows
    ]
    notes = tuple(_list_notes(rows, several=several))
    return Table.from_records("", records, 1 + per_document + several, notes, blank_repeats=not per_document)


def _build_document_table(evaluations: Sequence[Evaluation], digits: Digits) -> Table:
    """Build a table with a row for each document and response, with each measure's main value."""
    write, several = make_score_formatter(digits), len(evaluations) > 1
    body = []
    for document in evaluations[0].document_names:
        for place, mine in enumerate(_group_by_response(_iterate_rows(evaluations, document), len(evaluations))):
            names = [document if place == 0 else "", *([mine[0].response] if several else [])]
            body.append([*names, *(row.get_cell(row.measure.main, write) for row in mine)])
    head = ["document", *(["response"] if several else []), *(str(measure) for measure in evaluations[0].measures)]
    return Table("", head, body, 1 + several)


def _group_by_response(rows: Iterator[ScoreRow], responses: int) -> list[list[ScoreRow]]:
    """Return the rows of one document by response; they come measure by measure."""
    listed = list(rows)
    return [listed[place::responses] for place in range(responses)]


def _build_wide_table(evaluations: Sequence[Evaluation], digits: Digits, *, per_document: bool) -> Table:
    """Build a table with a row for each document and response, columns for each measure."""
    write, measures = make_score_formatter(digits), evaluations[0].measures
    body = []
    for document in (None, *(evaluations[0].document_names if per_document else ())):
        for mine in _group_by_response(_iterate_rows(evaluations, document), len(evaluations)):
            names = [*(["all" if document is None else document] if per_document else []), mine[0].response]
            body.append([*names, *(row.get_cell(field, write) for row in mine for field in row.measure.shown)])
    fields = [
        Cell(field, latex={**_LATEX_FIELDS, **measure.costs}.get(field, escape_latex(field)))
        for measure in measures
        for field in measure.shown
    ]
    names = [*(["document"] if per_document else []), "response"]
    groups = tuple((Cell(str(measure), latex=name_in_latex(str(measure))), len(measure.shown)) for measure in measures)
    return Table("", [*names, *fields], body, len(names), groups=groups)


def _build_table_of_ways(evaluations: Sequence[Evaluation], ways: Sequence[str], digits: Digits) -> Table:
    """Build a table with a row for each measure and response, a column for each way of scoring.

    The evaluations of a response stand together.
    """
    write = make_score_formatter(digits)
    columns = [build_rows(evaluations[place :: len(ways)]) for place in range(len(ways))]
    records: list[dict[str, str | Cell]] = [
        {
            "measure": str(scores[0].measure),
            "response": scores[0].response,
            **{way: each.get_cell(each.measure.main, write) for way, each in zip(ways, scores, strict=True)},
        }
        for scores in zip(*columns, strict=True)
    ]
    return Table.from_records("", records, 2, blank_repeats=True)


def _list_notes(rows: Sequence[ScoreRow], *, several: bool) -> dict[str, None]:
    """Return the notes below a table: what is undefined, and the remarks of measures."""
    notes: dict[str, None] = {}
    if any(field in row.score.undefined for row in rows for field in row.measure.shown):
        notes[f"{UNDEFINED} is undefined: 0/0"] = None
    totals = [row for row in rows if row.document is None]
    for row in totals:
        remark = row.measure.remark(row.score)
        if remark:
            notes[f"{row.measure}{f' ({row.response})' if several else ''}: {remark}"] = None
    for row in totals:
        parts = [name for name in row.score.undefined if "." in name]
        if parts:
            convention = row.measure.undefined
            notes[f"{row.measure}: {', '.join(parts)} is undefined (0/0) and counts as {convention}"] = None
    return notes


def _build_score_records(evaluations: Sequence[Evaluation], *, per_document: bool) -> dict[str, list[object]]:
    """Return the columns of a data frame, with a row for each measure, response and document."""
    others = [field for field in list_fields(evaluations) if field not in FIELDS]
    columns = ("response", "document", "measure", *FIELDS, *COUNTS, "undefined", "signature", *others)
    records: dict[str, list[object]] = {name: [] for name in columns}
    signature = dict(zip(label_responses(evaluations), (each.signature for each in evaluations), strict=True))
    for row in build_rows(evaluations, per_document=per_document):
        records["response"].append(row.response)
        records["document"].append(row.document)
        records["measure"].append(str(row.measure))
        for name in (*FIELDS, *COUNTS, *others):
            value = row.score.values.get(name)
            records[name].append(value if value is None or isinstance(value, str) else float(value))
        records["undefined"].append(" ".join(row.score.undefined))
        records["signature"].append(signature[row.response])
    return records


def build_score_content(evaluation: Evaluation, *, per_document: bool = False) -> dict[str, object]:
    """Return one evaluation as plain objects."""
    content: dict[str, object] = {
        "key": evaluation.key,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "documents": len(evaluation.document_names),
        "measures": list_scores(evaluation, evaluation.measures),
    }
    if per_document:
        content["per_document"] = {
            name: {"measures": list_scores(scores, evaluation.measures)}
            for name, scores in evaluation.documents.items()
        }
    return content | {"notices": [notice.to_dict() for notice in evaluation.notices]}


def list_scores(scores: Evaluation | DocumentScores, measures: Sequence[Measure]) -> dict[str, Mapping[str, object]]:
    """Return the scores of some measures as plain objects."""
    return {str(measure): scores[measure].to_dict() for measure in measures}
