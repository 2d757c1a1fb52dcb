"""What one response fixed and broke, as text and JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from corefeval import __version__
from corefeval.report import table
from corefeval.report.analysed import EXAMPLES, error_dict, sentence
from corefeval.report.text import grid, plain, summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.analysis.diffing import Diff
    from corefeval.analysis.error_types import Error
    from corefeval.report.text import Style
    from corefeval.results import Evaluation

_LETTERS = ("A", "B")


def text(diff: Diff, *, examples: int | None = EXAMPLES, style: Style = plain) -> str:
    """The scores of both, the errors by type, and some of those that are fixed or broken; all of them if None."""
    both = [diff.a.evaluation, diff.b.evaluation]
    lines = [*_summary(both, style), "", *_scores(diff, style), "", *_types(diff, style)]
    for change in diff.changes:
        for what, errors in (("fixed", change.fixed), ("broken", change.broken)):
            if errors and examples != 0:
                heading = style("head", f"{change.type}, {what} by B ({len(errors):,})")
                lines += ["", heading, *_listed(errors, examples)]
    return "\n".join(lines)


def _summary(both: Sequence[Evaluation], style: Style) -> list[str]:
    """The key, A and B."""
    key, *responses = summary(both, style)
    named = zip(responses, _LETTERS, strict=True)
    return [key, *(line.replace(f"{'response':<8}", f"{letter:<8}", 1) for line, letter in named)]


def _listed(errors: Sequence[Error], most: int | None) -> Iterator[str]:
    yield from (f"  {sentence(error)}" for error in errors[:most])
    if most is not None and len(errors) > most:
        yield f"  and {len(errors) - most:,} more"


def _scores(diff: Diff, style: Style) -> list[str]:
    body = []
    for measure in diff.a.evaluation.measures:
        values = [each.evaluation[measure].values[measure.main] for each in (diff.a, diff.b)]
        if not any(isinstance(value, str) for value in values):
            a, b = (float(value) for value in values)
            body.append([str(measure), table.percent(a), table.percent(b), f"{100 * (b - a):+.2f}"])
    return grid(["measure", "A", "B", "B - A"], body, style, left=1)


def _types(diff: Diff, style: Style) -> list[str]:
    body = [
        [
            change.type,
            f"{change.both + len(change.fixed):,}",
            f"{change.both + len(change.broken):,}",
            f"{len(change.fixed):,}",
            f"{len(change.broken):,}",
            f"{change.both:,}",
        ]
        for change in diff.changes
    ]
    return grid(["errors", "A", "B", "fixed by B", "broken by B", "of both"], body, style, left=1)


def json_text(diff: Diff) -> str:
    """One object."""
    sides = zip(_LETTERS, (diff.a.evaluation, diff.b.evaluation), strict=True)
    return json.dumps(
        {
            "corefeval": __version__,
            "key": diff.a.evaluation.key,
            "responses": {
                letter: {
                    "response": each.response,
                    "signature": each.signature,
                    "measures": {str(measure): each[measure].to_dict() for measure in each.measures},
                }
                for letter, each in sides
            },
            "types": [
                {
                    "type": change.type,
                    "fixed": [error_dict(error) for error in change.fixed],
                    "broken": [error_dict(error) for error in change.broken],
                    "both": change.both,
                }
                for change in diff.changes
            ],
        },
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )
