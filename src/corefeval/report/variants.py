"""One column for each way of scoring: the four of the CRAC shared tasks' tables side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.report import table, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.report.text import Style
    from corefeval.results import Evaluation


def write(evaluations: Sequence[Evaluation], columns: Sequence[str], *, style: Style = text.plain) -> str:
    """A row for each measure and response. Evaluations of a response stand together, in the order of the columns."""
    width = len(columns)
    responses = [evaluations[start : start + width] for start in range(0, len(evaluations), width)]
    named = table.labels([each[0] for each in responses])
    body = []
    for measure in evaluations[0].measures:
        values = [[each[measure].main for each in response] for response in responses]
        best = [max(column) if len(set(column)) > 1 else None for column in zip(*values, strict=True)]
        for place, (name, row) in enumerate(zip(named, values, strict=True)):
            cells = [
                style("best", table.percent(value)) if value == top else table.percent(value)
                for value, top in zip(row, best, strict=True)
            ]
            body.append([str(measure) if place == 0 else "", name, *cells])
    lines = text.grid(["measure", "response", *columns], body, style, left=2)
    if len(responses) > 1:
        lines += ["", style("quiet", "* best")]
    return "\n".join([*lines, "", *(style("quiet", signature) for signature in table.signatures(evaluations))])
