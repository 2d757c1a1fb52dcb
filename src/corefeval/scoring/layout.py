"""The tables, records and JSON of evaluations: which rows there are, which values are best, how responses are named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corefeval._lazy import NamedTuple
from corefeval.errors import escape_controls
from corefeval.measures import Measure
from corefeval.measures.base import COUNTS
from corefeval.measures.registry import find_class, list_names
from corefeval.measures.score import Score
from corefeval.notices import Notice, count_things, join_notices
from corefeval.options import Options
from corefeval.overlap.overlap import Side
from corefeval.overlap.summation import sum_documents
from corefeval.scoring.naming import name_systems
from corefeval.scoring.streamed_json import stream_documents
from corefeval.tables.result import Result
from corefeval.tables.table import UNDEFINED, Cell, Digits, Table, make_score_formatter
from corefeval.tables.text import Style, measure_width, pad_text, shorten_middle
from corefeval.tables.writers import StreamedObject, escape_latex, stream_json

if TYPE_CHECKING:
    from corefeval.scoring.results import DocumentScores, Evaluation

FIELDS = ("recall", "precision", "f1", "score", "direction")
MANY = 3
"""So many responses have a row each, with measures as columns."""

_LATEX_FIELDS = {"recall": "R", "precision": "P", "f1": "F$_1$", "score": "", "direction": ""}


class EvaluationResult(Result):
    """A result about one evaluation: it says whose, and how its scores were made. left_out: notices of its own."""

    __slots__ = ()
    evaluation: Evaluation
    left_out: tuple[Notice, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know: the notices of the evaluation, then those of this result."""
        return (*self.evaluation.notices, *self.left_out)

    @property
    def signatures(self) -> tuple[str, ...]:
        """A tuple of one: the signature of the evaluation."""
        return (self.evaluation.signature,)

    def describe(self, style: Style) -> list[str]:
        """Return two lines of text, for the key and for the response: name, mentions, entities."""
        return self.evaluation.describe(style)

    def frame_content(self, content: Mapping[str, object]) -> dict[str, object]:
        """Return a dict: key, system, response and signature, then the content given, then the notices."""
        evaluation = self.evaluation
        sides = {"key": evaluation.key, "system": get_system_name(evaluation), "response": evaluation.response}
        sides["signature"] = evaluation.signature
        return {**sides, **content, "notices": [notice.to_dict() for notice in self.notices]}


class ScoreReport(Result):
    """What one evaluation and several in one table have in common: how they are shown."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def evaluations(self) -> tuple[Evaluation, ...]:
            """The evaluations of one key that are shown together."""

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signatures of the evaluations, each once."""
        return tuple(dict.fromkeys(each.signature for each in self.evaluations))

    def describe(self, style: Style) -> list[str]:
        """Return a list of lines, for the key and for each response: name, mentions, entities."""
        return describe_sides(self.evaluations, style)

    def tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield one table: a row per measure and response, or response from three on; by document, too, if asked for.

        From three responses on, it is the table that papers print.
        """
        if len(self.evaluations) < MANY:
            yield _build_long_table(self.evaluations, digits, per_document=per_document)
        else:
            yield from self.paper_tables(digits=digits, per_document=per_document)

    def text_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield a table of totals, by measure, or by response from three on; if `per_document`, one by document, too.

        From three responses on, the table of totals has a row for each, and a column for each measure.
        """
        if len(self.evaluations) < MANY:
            yield _build_long_table(self.evaluations, digits, per_document=False)
        else:
            yield _build_short_table(self.evaluations, digits)
        if per_document:
            yield _build_document_table(self.evaluations, digits)

    def paper_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield one table, columns for measures, a row for each response; on each document, too, if `per_document`."""
        yield _build_wide_table(self.evaluations, digits, per_document=per_document)

    def build_columns(self, *, per_document: bool = False) -> dict[str, list[object]]:
        """Return columns, a row for each measure and response: on all documents (None); if `per_document`, on each."""
        return _build_score_columns(self.evaluations, per_document=per_document)


@dataclass(frozen=True)
class Evaluations(ScoreReport):
    """Several evaluations in one table. ways: names of columns, if every response was scored in so many ways."""

    evaluations: tuple[Evaluation, ...]
    ways: tuple[str, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of all evaluations, each message once."""
        return join_notices(each.notices for each in self.evaluations)

    def describe(self, style: Style) -> list[str]:
        """Return a line for the key and one for each response; [] if a column stands for each way of scoring."""
        return [] if self.ways else ScoreReport.describe(self, style)

    def text_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield one table with a column for each way of scoring; without ways, or by document, the usual tables."""
        if self.ways and not per_document:
            yield _build_table_of_ways(self.evaluations, self.ways, digits)
        else:
            yield from ScoreReport.text_tables(self, digits=digits, per_document=per_document)

    def build_content(self, *, per_document: bool = False) -> dict[str, object]:
        """Return a dict with a list of all evaluations as plain objects; of each document, too, if `per_document`."""
        return {"evaluations": list_evaluations(self.evaluations, per_document=per_document)}

    def stream_json(self, *, per_document: bool = False) -> Iterator[str]:
        """Yield in parts what `to_json` returns: the scores of each document are long."""
        return stream_json(
            {"evaluations": list_evaluations(self.evaluations, per_document=per_document, streamed=True)}
        )


class ScoreRow(NamedTuple):
    """One score: of a measure, for a response, on a document or (document None) on all of them."""

    measure: Measure
    response: str
    document: str | None
    score: Score
    best: frozenset[str]

    def make_cell(self, field: str, write: Callable[[float], str]) -> str | Cell:
        """Return a field as text, in a Cell if it is the best; a dash if it is undefined, "" if there is none."""
        value = self.score.values.get(field)
        if value is None or isinstance(value, str):
            return value or ""
        text = UNDEFINED if field in self.score.undefined else write(value)
        return Cell(text, best=True) if field in self.best else text


def build_rows(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> list[ScoreRow]:
    """Return a list of rows by measure, then response; if `per_document`, then the same for every document."""
    documents = (None, *(evaluations[0].document_names if per_document else ()))
    return [row for document in documents for row in _make_rows(evaluations, document)]


def _make_rows(evaluations: Sequence[Evaluation], document: str | None) -> Iterator[ScoreRow]:
    """Yield rows by measure, then response, on one document or (None) on all together."""
    labels = label_responses(evaluations)
    options = [each.options for each in evaluations]
    for measure in evaluations[0].measures:
        scores = [each[measure] if document is None else each.documents[document][measure] for each in evaluations]
        for label, score, best in zip(labels, scores, _find_best_fields(measure, scores, options), strict=True):
            yield ScoreRow(measure, label, document, score, best)


def _find_best_fields(measure: Measure, scores: Sequence[Score], options: Sequence[Options]) -> list[frozenset[str]]:
    """Return for each score the set of its fields that are the best for their options; empty if all are alike."""
    marks: list[set[str]] = [set() for _ in scores]
    for field in measure.shown:
        if isinstance(scores[0].values[field], str):
            continue
        sign = -1 if field in measure.costs else measure.sign
        values = [sign * float(score.values[field]) for score in scores]
        for mark, value, own in zip(marks, values, options, strict=True):
            rivals = [other for other, its in zip(values, options, strict=True) if its == own]
            if min(rivals) < value == max(rivals):
                mark.add(field)
    return [frozenset(mark) for mark in marks]


def list_fields(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return the names of the fields that measures show, each once: the usual ones first, then those of few."""
    shown = dict.fromkeys(field for each in evaluations for measure in each.measures for field in measure.shown)
    return [*(field for field in FIELDS if field in shown), *(field for field in shown if field not in FIELDS)]


def label_responses(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return a list, a name for every response: the one it was given, or a short form of its path (`name_systems`).

    Where responses were scored with different options, these stand behind their names.
    """
    paths = [each.response or f"response {place + 1}" for place, each in enumerate(evaluations)]
    names = name_systems(paths, [each.name for each in evaluations])
    options = [each.options for each in evaluations]
    differing = [name for name in options[0]._fields if len({getattr(each, name) for each in options}) > 1]
    settings = [", ".join(_describe_setting(name, getattr(each, name)) for name in differing) for each in options]
    return [f"{name} ({setting})" if setting else name for name, setting in zip(names, settings, strict=True)]


def list_system_names(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return the name of each evaluation's system, given or from its file, without the options of its scores."""
    return name_systems([each.response for each in evaluations], [each.name for each in evaluations])


def get_system_name(evaluation: Evaluation) -> str:
    """Return the name of the system of one evaluation; "" where it has neither a name nor a file."""
    return list_system_names([evaluation])[0]


def _describe_setting(name: str, value: str) -> str:
    """Return an option in words: "without singletons", "topic level", "match head"; of a layer its name."""
    if name in ("layer", "where"):
        return value
    if name == "level":
        return f"{value} level"
    if name == "singletons":
        return "without singletons" if value.startswith("drop") else "with singletons"
    return f"{name} {value}"


def describe_sides(evaluations: Sequence[Evaluation], style: Style, letters: Sequence[str] = ()) -> list[str]:
    """Return a line for the key and one for each response: name, mentions, entities; `letters` replace "response"."""
    first = evaluations[0]
    word = first.mention_word
    documents = f"{count_things(len(first.document_names), first.document_word)}, " if first.document_word else ""
    lines = [("key", first.key, f"{documents}{_describe_size(first.overlaps.views.table.key, word)}")]
    for place, (label, each) in enumerate(zip(label_responses(evaluations), evaluations, strict=True)):
        name = label if len(evaluations) > 1 else each.name or each.response
        what = letters[place] if letters else "response"
        lines.append((what, name, _describe_size(each.overlaps.views.table.response, word)))
    lines = [(what, style.spell(escape_controls(name)), size) for what, name, size in lines]
    width = max(measure_width(name) for _, name, _ in lines)
    if style.width is not None:
        width = max(1, min(width, style.width - 12 - max(len(size) for _, _, size in lines)))
    gap, ellipsis = "  " if width else "", style.spell("…")
    names = [pad_text(shorten_middle(name, width, ellipsis), width) for _, name, _ in lines]
    return [
        f"{style('head', f'{what:<8}')}  {name}{gap}{style('quiet', size)}"
        for name, (what, _, size) in zip(names, lines, strict=True)
    ]


def _describe_size(side: Side, word: str) -> str:
    """Return the size of a side in words, given that of a mention: "12 mentions in 5 entities"."""
    mentions, entities = int(sum_documents(side.mentions)), int(sum_documents(side.entities))
    return f"{count_things(mentions, word)} in {count_things(entities, 'entity')}"


def write_latex_name(measure: str) -> str:
    """Return the name of a measure in LaTeX, as papers set it; where they do not, as users write it, escaped."""
    latex = find_class(measure).latex_name if measure in list_names() else ""
    return latex or escape_latex(measure)


def format_main(scores: Evaluation | DocumentScores, measure: Measure, write: Callable[[float], str]) -> str:
    """Return the main value among scores by a measure as text, written by `write`; a dash where it is undefined."""
    score = scores[measure]
    value = score.values[measure.main]
    if measure.main in score.undefined:
        return UNDEFINED
    return value if isinstance(value, str) else write(float(value))


def _build_long_table(evaluations: Sequence[Evaluation], digits: Digits, *, per_document: bool) -> Table:
    """Build a table with a row for each measure and response, on all documents; if `per_document`, on each, too."""
    fields, write, several = list_fields(evaluations), make_score_formatter(digits), len(evaluations) > 1
    rows = build_rows(evaluations, per_document=per_document)
    records: list[dict[str, str | Cell]] = [
        {
            **({"document": "all" if row.document is None else row.document} if per_document else {}),
            "measure": str(row.measure),
            **({"response": row.response} if several else {}),
            **{field: row.make_cell(field, write) for field in fields},
        }
        for row in rows
    ]
    notes = tuple(_list_notes(rows, several=several))
    return Table.from_records("", records, 1 + per_document + several, notes, blank_repeats=not per_document)


def _build_short_table(evaluations: Sequence[Evaluation], digits: Digits) -> Table:
    """Build a table with a row for each response, columns for each measure's main value, or a single one's values."""
    write, measures = make_score_formatter(digits), evaluations[0].measures
    rows = list(_make_rows(evaluations, None))
    body = [
        [
            mine[0].response,
            *(row.make_cell(field, write) for row in mine for field in _list_short_fields(measures, row)),
        ]
        for mine in _group_by_response(iter(rows), len(evaluations))
    ]
    head = list(measures[0].shown) if len(measures) == 1 else [str(measure) for measure in measures]
    return Table("", ["system", *head], body, 1, tuple(_list_notes(rows, several=True)))


def _list_short_fields(measures: Sequence[Measure], row: ScoreRow) -> tuple[str, ...]:
    """Return the names of a row's fields that a short table has: the main one, or all if there is a single measure."""
    return row.measure.shown if len(measures) == 1 else (row.measure.main,)


def _build_document_table(evaluations: Sequence[Evaluation], digits: Digits) -> Table:
    """Build a table with a row for each document and response, a column for each measure's main value."""
    write, several = make_score_formatter(digits), len(evaluations) > 1
    body = []
    for document in evaluations[0].document_names:
        for place, mine in enumerate(_group_by_response(_make_rows(evaluations, document), len(evaluations))):
            names = [document if place == 0 else "", *([mine[0].response] if several else [])]
            body.append([*names, *(row.make_cell(row.measure.main, write) for row in mine)])
    head = ["document", *(["response"] if several else []), *(str(measure) for measure in evaluations[0].measures)]
    return Table("", head, body, 1 + several)


def _group_by_response(rows: Iterator[ScoreRow], responses: int) -> list[list[ScoreRow]]:
    """Return a list of rows for each response, in a list, from rows that come by measure, then response."""
    listed = list(rows)
    return [listed[place::responses] for place in range(responses)]


def _build_wide_table(evaluations: Sequence[Evaluation], digits: Digits, *, per_document: bool) -> Table:
    """Build a table: a row for each response (and document, if `per_document`), columns for all fields of measures."""
    write, measures = make_score_formatter(digits), evaluations[0].measures
    body = []
    for document in (None, *(evaluations[0].document_names if per_document else ())):
        for mine in _group_by_response(_make_rows(evaluations, document), len(evaluations)):
            names = [*(["all" if document is None else document] if per_document else []), mine[0].response]
            body.append([*names, *(row.make_cell(field, write) for row in mine for field in row.measure.shown)])
    fields = [
        Cell(f"{measure} {field}", latex={**_LATEX_FIELDS, **measure.costs}.get(field, escape_latex(field)))
        for measure in measures
        for field in measure.shown
    ]
    names = [*(["document"] if per_document else []), "system"]
    groups = tuple((Cell(str(by), latex=write_latex_name(str(by))), len(by.shown)) for by in measures)
    return Table("", [*names, *fields], body, len(names), groups=groups)


def _build_table_of_ways(evaluations: Sequence[Evaluation], ways: Sequence[str], digits: Digits) -> Table:
    """Build a table with a row for each measure and response, a column for each way: the main value scored in that way.

    The evaluations of a response stand together.
    """
    write = make_score_formatter(digits)
    columns = [build_rows(evaluations[place :: len(ways)]) for place in range(len(ways))]
    records: list[dict[str, str | Cell]] = [
        {
            "measure": str(scores[0].measure),
            "response": scores[0].response,
            **{way: each.make_cell(each.measure.main, write) for way, each in zip(ways, scores, strict=True)},
        }
        for scores in zip(*columns, strict=True)
    ]
    return Table.from_records("", records, 2, blank_repeats=True)


def _list_notes(rows: Sequence[ScoreRow], *, several: bool) -> dict[str, None]:
    """Return the notes below a table as keys of a dict: what is undefined, the remarks of measures, undefined parts."""
    notes: dict[str, None] = {}
    if any(field in row.score.undefined for row in rows for field in row.measure.shown):
        notes[f"{UNDEFINED} is undefined: 0/0"] = None
    totals = [row for row in rows if row.document is None]
    for row in totals:
        remark = row.measure.remark(row.score)
        if remark:
            notes[f"{row.measure}{f' ({row.response})' if several else ''}: {remark}"] = None
    for row in totals:
        parts: dict[int, list[str]] = {}
        for name in (each for each in row.score.undefined if "." in each):
            parts.setdefault(row.measure.get_undefined(name), []).append(name)
        for value, names in parts.items():
            is_, counts = ("is", "counts") if len(names) == 1 else ("are", "count")
            notes[f"{row.measure}: {', '.join(names)} {is_} undefined (0/0) and {counts} as {value}"] = None
    return notes


def _build_score_columns(evaluations: Sequence[Evaluation], *, per_document: bool) -> dict[str, list[object]]:
    """Return columns by name, a row for each measure and response; if `per_document`, also for each document."""
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


def build_score_content(
    evaluation: Evaluation, *, per_document: bool = False, system: str | None = None, streamed: bool = False
) -> dict[str, object]:
    """Return one evaluation as a dict of plain objects; with the scores of each document if `per_document`.

    system: the system's name, where there are several and it is no short form of its file's.
    streamed: whether the scores of each document are a StreamedObject, and no plain one.
    """
    content: dict[str, object] = {
        "key": evaluation.key,
        "system": get_system_name(evaluation) if system is None else system,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "documents": len(evaluation.document_names),
        "measures": list_scores(evaluation, evaluation.measures),
    }
    if per_document and streamed:
        content["per_document"] = StreamedObject(partial(stream_documents, evaluation))
    elif per_document:
        content["per_document"] = {
            name: {"measures": list_scores(scores, evaluation.measures)}
            for name, scores in evaluation.documents.items()
        }
    return content | {"notices": [notice.to_dict() for notice in evaluation.notices]}


def list_evaluations(
    evaluations: Sequence[Evaluation], *, per_document: bool, streamed: bool = False
) -> list[dict[str, object]]:
    """Return a list of evaluations of one key as plain objects, with names that tell their systems apart."""
    return [
        build_score_content(each, per_document=per_document, system=name, streamed=streamed)
        for each, name in zip(evaluations, list_system_names(evaluations), strict=True)
    ]


def list_scores(scores: Evaluation | DocumentScores, measures: Sequence[Measure]) -> dict[str, Mapping[str, object]]:
    """Return a dict: for each measure, as users write it, its score as plain objects."""
    return {str(measure): scores[measure].to_dict() for measure in measures}
