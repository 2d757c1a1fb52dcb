"""Scores by the values of a field, as text, JSON, CSV, Markdown and LaTeX."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from corefeval import __version__
from corefeval.analysis.breakdowns.breakdown import group as group_of
from corefeval.analysis.subsets import rows_of
from corefeval.show import table
from corefeval.show.analysed import rows_as_csv
from corefeval.show.text import grid, plain, summary
from corefeval.show.titled import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.analysis.breakdowns.breakdown import Breakdown, Group
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation
    from corefeval.show.text import Style

_NOTES = (
    "each row: the scores if key and response had these mentions only (their f1, or single score)",
    "B³ of mentions: the recall and precision of these mentions, all others being there (Popescu-Belis 1999, 4.4)",
)


def text(evaluation: Evaluation, breakdowns: Sequence[Breakdown], *, style: Style = plain) -> str:
    """A table for each field, the whole in its last row."""
    lines = summary([evaluation], style)
    for each in tables(evaluation, breakdowns):
        lines += ["", *grid(each.head, each.body, style, left=each.left)]
    return "\n".join([*lines, "", *(style("quiet", note) for note in _NOTES), style("quiet", evaluation.signature)])


def tables(evaluation: Evaluation, breakdowns: Sequence[Breakdown]) -> Iterator[Table]:
    """A table for each field."""
    for each in breakdowns:
        head = [
            each.field,
            "key",
            "response",
            *map(str, evaluation.measures),
            "B³ of mentions: recall",
            "precision",
            "f1",
        ]
        body = [_row(group, evaluation.measures) for group in (*each.groups, _whole(evaluation))]
        yield Table(f"Scores by {each.field}", head, body, 1, _NOTES)


def _whole(evaluation: Evaluation) -> Group:
    rows = rows_of(evaluation)
    everything = (np.ones(len(side), dtype=np.bool_) for side in (rows.key, rows.response))
    return group_of(evaluation, "all", *everything)


def _row(group: Group, measures: Sequence[Measure]) -> list[str]:
    scores = [table.written(group.restricted, measure) for measure in measures]
    sizes = [f"{group.key_mentions:,}", f"{group.response_mentions:,}"]
    written = table.WRITTEN[group.restricted.options.digits]
    return [group.label, *sizes, *scores, *(written(value) for value in group.average)]


def json_text(evaluation: Evaluation, breakdowns: Sequence[Breakdown]) -> str:
    """One object."""
    return json.dumps(
        {
            "corefeval": __version__,
            "key": evaluation.key,
            "response": evaluation.response,
            "signature": evaluation.signature,
            "breakdowns": [as_dict(each) for each in breakdowns],
            "all": _group_dict(_whole(evaluation)),
            "notices": [notice.to_dict() for notice in evaluation.notices],
        },
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )


def as_dict(breakdown: Breakdown) -> dict[str, object]:
    """One field."""
    return {
        "field": breakdown.field,
        "groups": [{"label": group.label, **_group_dict(group)} for group in breakdown.groups],
        "notices": [notice.to_dict() for notice in breakdown.notices],
    }


def _group_dict(group: Group) -> dict[str, object]:
    return {
        "key_mentions": group.key_mentions,
        "response_mentions": group.response_mentions,
        "measures": {str(m): group.restricted[m].to_dict() for m in group.restricted.measures},
        "bcub_of_mentions": group.average._asdict(),
    }


def csv_text(evaluation: Evaluation, breakdowns: Sequence[Breakdown]) -> str:
    """A row for each label and measure; the rows of no field are of all mentions."""
    head = ("field", "label", "key_mentions", "response_mentions", "measure", "recall", "precision", "f1", "score")
    labelled = [(each.field, group) for each in breakdowns for group in each.groups]
    return rows_as_csv(
        head, (row for field, group in [*labelled, ("", _whole(evaluation))] for row in _rows(field, group))
    )


def _rows(field: str, group: Group) -> list[tuple[object, ...]]:
    start = (field, group.label, group.key_mentions, group.response_mentions)
    scores = [(str(measure), group.restricted[measure].values) for measure in group.restricted.measures]
    found: list[tuple[object, ...]] = [
        (*start, name, *(values.get(part) for part in ("recall", "precision", "f1", "score")))
        for name, values in scores
    ]
    return [*found, (*start, "bcub of mentions", *group.average, None)]
