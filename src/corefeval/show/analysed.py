"""The errors of a response, as text for people, as JSON, CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from corefeval import __version__
from corefeval.analysis.errors import identification
from corefeval.analysis.errors import links as link_errors
from corefeval.analysis.errors.types import RULES
from corefeval.show import table
from corefeval.show.text import grid, plain, summary
from corefeval.show.titled import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefeval.analysis.analyse import Analysis
    from corefeval.analysis.errors.corrections import Stage
    from corefeval.analysis.errors.identification import Effect
    from corefeval.analysis.errors.links import Link
    from corefeval.analysis.errors.types import Error
    from corefeval.measures import Measure
    from corefeval.show.text import Style

EXAMPLES = 3
_MANY = 6  # mentions of an entity that are named before the rest is only counted

_SENTENCES: dict[str, Callable[[str, str], str]] = {
    "span error": lambda words, beside: f"{words} should be {beside}",
    "conflated entities": lambda words, beside: f"{words} together with {beside}",
    "extra mention": lambda words, beside: f"{words} together with {beside}",
    "extra entity": lambda words, _: words,
    "divided entity": lambda words, beside: f"{words} apart from {beside}",
    "missing mention": lambda words, beside: f"{words}, which belongs to {beside}",
    "missing entity": lambda words, _: words,
}


def text(analysis: Analysis, *, examples: int | None = EXAMPLES, style: Style = plain) -> str:
    """How many errors there are of each type, what they are worth, and some of each; all of them if None."""
    types, links, effect = _types(analysis), _links(analysis), _identification(analysis)
    lines = [*summary([analysis.evaluation], style), "", *grid(types.head, types.body, style, left=types.left)]
    lines += [*(style("quiet", note) for note in types.notes), ""]
    lines += [style("quiet", f"{kind}: {rule}") for kind, rule in RULES.items()]
    for each in (links, effect):
        lines += ["", style("head", each.title), *(grid(each.head, each.body, style, left=1) if each.body else [])]
    for kind in RULES:
        listed = [error for error in analysis.errors if error.type == kind]
        if listed and examples != 0:
            lines += ["", style("head", f"{kind} ({len(listed):,})"), *listed_errors(listed, examples)]
    return "\n".join([*lines, "", style("quiet", analysis.evaluation.signature)])


def tables(analysis: Analysis, *, examples: int | None = EXAMPLES) -> Iterator[Table]:
    """The same as tables: types, links, mentions without a right link, and some errors of each type."""
    yield _types(analysis)
    yield _links(analysis)
    yield _identification(analysis)
    if examples != 0:
        body = [
            [error.type, error.document, str(error.line or ""), in_words(error)]
            for kind in RULES
            for error in [error for error in analysis.errors if error.type == kind][:examples]
        ]
        yield Table("Errors", ["type", "document", "line", "what is wrong"], body, 4)


def _types(analysis: Analysis) -> Table:
    """What the response scores, what the correction of each type adds to that, and what it comes to."""
    measures = [measure for measure in analysis.evaluation.measures if _number(analysis.stages[0], measure) is not None]
    first, *others = analysis.stages
    body = [["as it is", "", *(_written(first, measure) for measure in measures)]]
    previous = first
    for stage in others:
        gains = [_gain(_number(stage, measure), _number(previous, measure)) for measure in measures]
        body.append([stage.type, f"{stage.errors:,}", *gains])
        previous = stage
    body.append(["all corrected", f"{len(analysis.errors):,}", *(_written(previous, m) for m in measures)])
    note = "points that correcting all errors of a type adds, one type after another"
    return Table("Errors by type", ["errors", "count", *map(str, measures)], body, 1, (note,))


def _links(analysis: Analysis) -> Table:
    """Links by the types of both ends."""
    counted = {kind: link_errors.counts(analysis.links, kind) for kind in ("missed", "wrong")}
    used = [name for name in link_errors.NAMES if any(name in pair for each in counted.values() for pair in each)]
    head = [
        "anaphor",
        *(f"{kind}: {name}" if not place else name for kind in counted for place, name in enumerate(used)),
    ]
    body = [
        [anaphor, *(f"{counts.get((anaphor, name), 0):,}" for counts in counted.values() for name in used)]
        for anaphor in used
    ]
    totals = [f"{sum(counts.values()):,} {kind}" for kind, counts in counted.items()]
    title = f"links to antecedents: {' and '.join(totals)}, by type of anaphor and of antecedent"
    return Table(title, head, body, 1)


def _identification(analysis: Analysis) -> Table:
    """Mentions without a right link: how many, what they are credited with, and the scores without them."""
    effect = analysis.identification
    title = f"mentions of both sides without a single right link: {len(effect.key_rows):,} of {effect.shared:,}"
    body = []
    for measure in identification.MEASURES:
        before, after, credit = analysis.evaluation[measure], effect.without[measure], effect.credit[measure]
        written = table.WRITTEN[analysis.evaluation.options.digits]
        fields = [written(value) for score in (before, after) for value in (score.recall, score.precision, score.f1)]
        shown = [table.UNDEFINED] * 2 if credit is None else [table.percent(value) for value in credit]
        body.append([measure, *shown, *fields])
    head = [
        "measure",
        "credit: recall",
        "precision",
        "recall",
        "precision",
        "f1",
        "without them: recall",
        "precision",
        "f1",
    ]
    return Table(title, head, body, 1)


def _number(stage: Stage, measure: Measure) -> float | None:
    value = stage.evaluation[measure].values[measure.main]
    return None if isinstance(value, str) else float(value)


def _written(stage: Stage, measure: Measure) -> str:
    """As `corefeval score` writes it."""
    return table.written(stage.evaluation, measure)


def _gain(after: float | None, before: float | None) -> str:
    return "" if after is None or before is None else f"{100 * (after - before):+.2f}"


def listed_errors(errors: Sequence[Error], most: int | None) -> Iterator[str]:
    """Errors in words, a line each; how many are left out is said."""
    yield from (f"  {sentence(error)}" for error in errors[:most])
    if most is not None and len(errors) > most:
        yield f"  and {len(errors) - most:,} more"


def sentence(error: Error) -> str:
    """An error in words, with its place."""
    place = ", ".join(part for part in (error.document, f"line {error.line}" if error.line else "") if part)
    return f"{place}{': ' if place else ''}{in_words(error)}"


def in_words(error: Error) -> str:
    """An error in words, where its type and its place are known."""
    names = [*error.words[:_MANY], *([f"{len(error.words) - _MANY} more"] if len(error.words) > _MANY else [])]
    return _SENTENCES[error.type](", ".join(names), error.beside)


def json_text(analysis: Analysis) -> str:
    """One object."""
    return json.dumps(as_dict(analysis), indent=1, ensure_ascii=False, allow_nan=False)


def as_dict(analysis: Analysis) -> dict[str, object]:
    """Scores on the way, and every error."""
    evaluation = analysis.evaluation
    return {
        "corefeval": __version__,
        "key": evaluation.key,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "types": [{"type": kind, "count": count, "rule": RULES[kind]} for kind, count in analysis.counts.items()],
        "stages": [
            {
                "corrected": stage.type,
                "count": stage.errors,
                "measures": {str(m): stage.evaluation[m].to_dict() for m in evaluation.measures},
            }
            for stage in analysis.stages
        ],
        "links": [link_dict(link) for link in analysis.links],
        "identification": _effect(analysis.identification),
        "errors": [error_dict(error) for error in analysis.errors],
        "notices": [notice.to_dict() for notice in analysis.notices],
    }


def link_dict(link: Link) -> dict[str, object]:
    """A link without the numbers that only this run knows."""
    return {name: value for name, value in link._asdict().items() if not name.endswith("_row")}


def _effect(effect: Effect) -> dict[str, object]:
    return {
        "mentions": len(effect.key_rows),
        "shared": effect.shared,
        "credit": {name: None if credit is None else credit._asdict() for name, credit in effect.credit.items()},
        "without": {name: effect.without[name].to_dict() for name in identification.MEASURES},
    }


def error_dict(error: Error) -> dict[str, object]:
    """An error without the numbers that only this run knows."""
    fields = error._asdict()
    return {name: fields[name] for name in ("type", "document", "line", "words", "beside")}


def csv_text(analysis: Analysis) -> str:
    """A row for each error."""
    return rows_as_csv(
        ("type", "document", "line", "words", "beside"),
        map(error_row, analysis.errors),
    )


def error_row(error: Error) -> tuple[object, ...]:
    """An error as a row of a file."""
    return error.type, error.document, error.line, " | ".join(error.words), error.beside


def rows_as_csv(head: Sequence[str], body: Iterable[Sequence[object]]) -> str:
    """A header and a line for each row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(body)
    return out.getvalue().rstrip("\n")
