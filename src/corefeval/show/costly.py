"""What costs most, as text, JSON, CSV, Markdown and LaTeX."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from corefeval import __version__
from corefeval.show.analysed import rows_as_csv
from corefeval.show.text import grid, plain, summary
from corefeval.show.titled import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.analysis.analyse import Analysis
    from corefeval.analysis.costs.worst import Costly, Worst
    from corefeval.show.text import Style

_SHOWN = 3  # mentions of an entity that are named
_WIDEST = 70


def text(analysis: Analysis, worst: Worst, *, style: Style = plain) -> str:
    """A table of entities, and one of mentions."""
    lines = [*summary([analysis.evaluation], style)]
    for each in tables(worst):
        shown = grid(each.head, each.body, style, left=each.left) if each.body else ["none"]
        lines += ["", style("head", each.title), *shown]
    quiet = [*_notes(analysis, worst), analysis.evaluation.signature]
    return "\n".join([*lines, "", *(style("quiet", note) for note in quiet)])


def tables(worst: Worst) -> Iterator[Table]:
    """Entities, and mentions."""
    for title, listed in (("Entities", worst.entities), ("Mentions", worst.mentions)):
        yield _table(f"{title} that cost most by {worst.measure}, in points", listed, worst)


def _table(title: str, listed: Sequence[Costly], worst: Worst) -> Table:
    names = list(worst.exact)
    head = ["words", "in", "document", "line", *names]
    body = []
    for each in listed:
        points = [f"{100 * each.cost[name]:.3f}" for name in names]
        body.append([_words(each), each.side, each.document, str(each.line or ""), *points])
    return Table(title, head, body, 3)


def _words(each: Costly) -> str:
    shown = ", ".join(each.words[:_SHOWN])
    shown = shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 3]}..."
    return shown if len(each.words) <= _SHOWN else f"{shown} and {len(each.words) - _SHOWN} more"


def _notes(analysis: Analysis, worst: Worst) -> list[str]:
    sums = [name for name, exact in worst.exact.items() if exact]
    others = [name for name, exact in worst.exact.items() if not exact]
    notes = [f"{', '.join(sums)}: the costs of all entities, and of all mentions, add up to the loss"] if sums else []
    left = {name: analysis.costs(name).rest for name in sums}
    if any(left.values()):
        points = ", ".join(f"{name} {100 * rest:.3f}" for name, rest in left.items() if rest)
        notes.append(f"beside what is nobody's, as there is nothing on a side (0/0): {points}")
    if others:
        notes.append(f"{', '.join(others)}: what the score gains without it (leave-one-out); that does not add up")
    return notes


def json_text(analysis: Analysis, worst: Worst) -> str:
    """One object."""
    evaluation = analysis.evaluation
    return json.dumps(
        {
            "corefeval": __version__,
            "key": evaluation.key,
            "response": evaluation.response,
            "signature": evaluation.signature,
            "ranked_by": worst.measure,
            "measures": {
                name: {"exact": exact, "loss": analysis.costs(name).loss, "rest": analysis.costs(name).rest}
                for name, exact in worst.exact.items()
            },
            "entities": [_dict(each) for each in worst.entities],
            "mentions": [_dict(each) for each in worst.mentions],
            "notices": [notice.to_dict() for notice in (*evaluation.notices, *analysis.left_out)],
        },
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )


def _dict(each: Costly) -> dict[str, object]:
    return {name: value for name, value in each._asdict().items() if name != "number"}


def csv_text(worst: Worst) -> str:
    """A row for each entity, then for each mention."""
    names = list(worst.exact)
    return rows_as_csv(
        ("what", "side", "document", "line", "words", *names),
        (
            (what, each.side, each.document, each.line, " | ".join(each.words), *(each.cost[name] for name in names))
            for what, listed in (("entity", worst.entities), ("mention", worst.mentions))
            for each in listed
        ),
    )
