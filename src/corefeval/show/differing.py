"""What one response fixed and broke, as text, JSON, CSV, Markdown and LaTeX."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from corefeval import __version__
from corefeval.show import table
from corefeval.show.analysed import EXAMPLES, error_dict, error_row, in_words, listed_errors, rows_as_csv
from corefeval.show.text import grid, plain, summary
from corefeval.show.titled import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.analysis.diff import Diff
    from corefeval.analysis.errors.types import Error
    from corefeval.scoring.results import Evaluation
    from corefeval.show.text import Style

_LETTERS = ("A", "B")


def text(diff: Diff, *, examples: int | None = EXAMPLES, style: Style = plain) -> str:
    """The scores of both, the errors by type, and some of those that are fixed or broken; all of them if None."""
    both = [diff.a.evaluation, diff.b.evaluation]
    lines = _summary(both, style)
    for each in (_scores(diff), _types(diff)):
        lines += ["", *grid(each.head, each.body, style, left=each.left)]
    for change in diff.changes:
        for what, errors in (("fixed", change.fixed), ("broken", change.broken)):
            if errors and examples != 0:
                heading = style("head", f"{change.type}, {what} by B ({len(errors):,})")
                lines += ["", heading, *listed_errors(errors, examples)]
    signatures = dict.fromkeys(each.signature for each in both)
    return "\n".join([*lines, "", *(style("quiet", signature) for signature in signatures)])


def tables(diff: Diff, *, examples: int | None = EXAMPLES) -> Iterator[Table]:
    """The same as tables."""
    yield _scores(diff)
    yield _types(diff)
    body = [
        [what, error.type, error.document, str(error.line or ""), in_words(error)]
        for what, error in _changed(diff, examples)
    ]
    if body:
        yield Table("Fixed and broken by B", ["", "type", "document", "line", "what is wrong"], body, 5)


def _changed(diff: Diff, examples: int | None = None) -> Iterator[tuple[str, Error]]:
    """Errors that one of them has, by type, as many of a kind as are asked for."""
    for change in diff.changes:
        for what, errors in (("fixed", change.fixed), ("broken", change.broken)):
            yield from ((what, error) for error in errors[:examples])


def _summary(both: Sequence[Evaluation], style: Style) -> list[str]:
    """The key, A and B."""
    key, *responses = summary(both, style)
    named = zip(responses, _LETTERS, strict=True)
    return [key, *(line.replace(f"{'response':<8}", f"{letter:<8}", 1) for line, letter in named)]


def _scores(diff: Diff) -> Table:
    body = []
    for measure in diff.a.evaluation.measures:
        values = [each.evaluation[measure].values[measure.main] for each in (diff.a, diff.b)]
        if not any(isinstance(value, str) for value in values):
            a, b = (float(value) for value in values)
            shown = [table.written(each.evaluation, measure) for each in (diff.a, diff.b)]
            body.append([str(measure), *shown, f"{100 * (b - a):+.2f}"])
    return Table("Scores", ["measure", "A", "B", "B - A"], body, 1)


def _types(diff: Diff) -> Table:
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
    return Table("Errors by type", ["errors", "A", "B", "fixed by B", "broken by B", "of both"], body, 1)


def csv_text(diff: Diff) -> str:
    """A row for each error that only one of them has."""
    head = ("change", "type", "document", "line", "words", "beside")
    return rows_as_csv(head, ((what, *error_row(error)) for what, error in _changed(diff)))


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
            "notices": [notice.to_dict() for notice in diff.notices],
        },
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )
