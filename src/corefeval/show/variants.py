"""One column for each way of scoring: the four of the CRAC shared tasks' tables side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.show import table, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import Evaluation
    from corefeval.show.text import Style


def write(evaluations: Sequence[Evaluation], columns: Sequence[str], *, style: Style = text.plain) -> str:
    """A row for each measure and response. Evaluations of a response stand together, in the order of the columns."""
    width = len(columns)
    shown = [table.rows(evaluations[place::width]) for place in range(width)]
    body = []
    previous = None
    for row in zip(*shown, strict=True):
        first = row[0]
        cells = [each.text(each.measure.main, lambda cell: style("best", cell)) for each in row]
        body.append(["" if first.measure == previous else str(first.measure), first.response, *cells])
        previous = first.measure
    lines = text.grid(["measure", "response", *columns], body, style, left=2)
    if any(each.best for column in shown for each in column):
        lines += ["", style("quiet", "* best")]
    return "\n".join([*lines, "", *(style("quiet", signature) for signature in table.signatures(evaluations))])
