"""The tables and the JSON of an analysis: errors by type and what they cost, links, mentions without a right link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.analysis.errors import identification
from corefeval.analysis.errors import links as link_errors
from corefeval.analysis.errors.types import RULES
from corefeval.analysis.errors.wording import build_error_content, build_link_content, describe_error, list_errors
from corefeval.scoring.layout import format_main, list_scores
from corefeval.tables.table import (
    UNDEFINED,
    Table,
    format_percent,
    format_points,
    make_score_formatter,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.analysis.analyse import Analysis
    from corefeval.analysis.errors.types import Stage
    from corefeval.measures import Measure
    from corefeval.tables.table import Digits


def build_tables(analysis: Analysis, examples: int | None, digits: Digits) -> Iterator[Table]:
    """Yield errors by type, links, mentions without a right link, and some errors of each type."""
    yield _build_type_table(analysis, digits)
    yield _build_link_table(analysis)
    yield _build_identification_table(analysis, digits)
    if examples != 0:
        body = [
            [error.type, error.document, str(error.line or ""), describe_error(error)]
            for kind in RULES
            for error in [error for error in analysis.errors if error.type == kind][:examples]
        ]
        yield Table("Errors", ["type", "document", "line", "what is wrong"], body, 4)


def build_text_tables(analysis: Analysis, examples: int | None, digits: Digits) -> Iterator[Table]:
    """Yield the same for plain text, where errors are lists."""
    types, *others = list(build_tables(analysis, 0, digits))
    rules = tuple(f"{kind}: {rule}" for kind, rule in RULES.items())
    yield Table(types.title, types.head, types.rows, types.names, (*types.notes, "", *rules))
    yield from others
    for kind in RULES:
        errors = [error for error in analysis.errors if error.type == kind]
        if errors and examples != 0:
            yield list_errors(f"{kind} ({len(errors):,})", errors, examples)


def _build_type_table(analysis: Analysis, digits: Digits) -> Table:
    """What the response scores, what the correction of each type adds to that, and what it comes to."""
    write = make_score_formatter(digits)
    measures = [
        measure for measure in analysis.evaluation.measures if _get_number(analysis.stages[0], measure) is not None
    ]
    first, *others = analysis.stages
    body = [["as it is", "", *(format_main(first.evaluation, measure, write) for measure in measures)]]
    previous = first
    for stage in others:
        gains = [_format_gain(_get_number(stage, measure), _get_number(previous, measure)) for measure in measures]
        body.append([stage.type, f"{stage.errors:,}", *gains])
        previous = stage
    final = [format_main(previous.evaluation, measure, write) for measure in measures]
    body.append(["all corrected", f"{len(analysis.errors):,}", *final])
    note = "points that correcting all errors of a type adds, one type after another"
    return Table("Errors by type", ["errors", "count", *map(str, measures)], body, 1, (note,))


def _get_number(stage: Stage, measure: Measure) -> float | None:
    value = stage.evaluation[measure].values[measure.main]
    return None if isinstance(value, str) else float(value)


def _format_gain(after: float | None, before: float | None) -> str:
    return "" if after is None or before is None else format_points(after - before)


def _build_link_table(analysis: Analysis) -> Table:
    """Missed and wrong links by the types of both ends."""
    counted = {kind: link_errors.count_by_types(analysis.links, kind) for kind in ("missed", "wrong")}
    used = [name for name in link_errors.NAMES if any(name in pair for each in counted.values() for pair in each)]
    columns = [f"{kind}: {name}" if not place else name for kind in counted for place, name in enumerate(used)]
    body = [
        [anaphor, *(f"{counts.get((anaphor, name), 0):,}" for counts in counted.values() for name in used)]
        for anaphor in used
    ]
    totals = [f"{sum(counts.values()):,} {kind}" for kind, counts in counted.items()]
    title = f"links to antecedents: {' and '.join(totals)}, by type of anaphor and of antecedent"
    return Table(title, ["anaphor", *columns], body, 1)


def _build_identification_table(analysis: Analysis, digits: Digits) -> Table:
    """Mentions without a right link: how many, what they are credited with, and the scores without them."""
    effect, write = analysis.identification, make_score_formatter(digits)
    body = []
    for measure in identification.MEASURES:
        before, after, credit = analysis.evaluation[measure], effect.without[measure], effect.credit[measure]
        credited = [UNDEFINED] * 2 if credit is None else [format_percent(value) for value in credit]
        rates = [write(value) for score in (before, after) for value in (score.recall, score.precision, score.f1)]
        body.append([measure, *credited, *rates])
    head = ["measure", "credit: recall", "precision", "recall", "precision", "f1", "without them: recall", "precision",
            "f1"]  # fmt: skip
    title = f"mentions of both sides without a single right link: {len(effect.key_rows):,} of {effect.shared:,}"
    return Table(title, head, body, 1)


def build_content(analysis: Analysis) -> dict[str, object]:
    """Return scores on the way, and every error, as plain objects."""
    evaluation, effect = analysis.evaluation, analysis.identification
    return {
        "key": evaluation.key,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "types": [{"type": kind, "count": count, "rule": RULES[kind]} for kind, count in analysis.counts.items()],
        "stages": [
            {
                "corrected": stage.type,
                "count": stage.errors,
                "measures": list_scores(stage.evaluation, evaluation.measures),
            }
            for stage in analysis.stages
        ],
        "links": [build_link_content(link) for link in analysis.links],
        "identification": {
            "mentions": len(effect.key_rows),
            "shared": effect.shared,
            "credit": {name: None if credit is None else credit._asdict() for name, credit in effect.credit.items()},
            "without": {name: effect.without[name].to_dict() for name in identification.MEASURES},
        },
        "errors": [build_error_content(error) for error in analysis.errors],
        "notices": [notice.to_dict() for notice in analysis.notices],
    }
