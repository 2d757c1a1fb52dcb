"""How a measure comes to its number, as text, JSON, CSV, Markdown and LaTeX."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from corefeval import __version__
from corefeval.analysis.steps.explain import steps
from corefeval.show.analysed import rows_as_csv

if TYPE_CHECKING:
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation, Score


def json_text(evaluation: Evaluation, measure: Measure, document: str | None) -> str:
    """One object: the steps as they read, the score, and what each document counts."""
    names = _names(evaluation, document)
    return json.dumps(
        {
            "corefeval": __version__,
            "key": evaluation.key,
            "response": evaluation.response,
            "signature": evaluation.signature,
            "measure": str(measure),
            "title": measure.title,
            "formula": measure.formula,
            "citation": measure.citation,
            "document": document,
            "steps": steps(evaluation, measure, document),
            "score": _score(evaluation, measure, document).to_dict(),
            "documents": {
                name: {
                    "counts": _counts(evaluation, measure, name),
                    "score": evaluation.documents[name][measure].to_dict(),
                }
                for name in names
            },
            "notices": [notice.to_dict() for notice in evaluation.notices],
        },
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )


def csv_text(evaluation: Evaluation, measure: Measure, document: str | None) -> str:
    """A row for each document: its counts, and what the formula makes of them; the last row is the whole."""
    names = _names(evaluation, document)
    counts = [_counts(evaluation, measure, name) for name in names]
    columns = list(counts[0]) if counts else []
    rows = [
        (name, *own.values(), *_shown(measure, evaluation.documents[name][measure]))
        for name, own in zip(names, counts, strict=True)
    ]
    if document is None:
        sums = [sum(own[column] for own in counts) for column in columns]
        rows.append(("", *sums, *_shown(measure, evaluation[measure])))
    return rows_as_csv(("document", *columns, *measure.shown), rows)


def markdown(evaluation: Evaluation, measure: Measure, document: str | None) -> str:
    """The steps as they stand."""
    head = [f"**{measure}: {measure.title}**", "", f"`{measure.formula}`", f"({measure.citation})", ""]
    return "\n".join([*head, "```", *steps(evaluation, measure, document), "```", "", f"`{evaluation.signature}`"])


def latex(evaluation: Evaluation, measure: Measure, document: str | None) -> str:
    """The steps as they stand, in a verbatim (LuaLaTeX and XeLaTeX set their signs)."""
    head = [f"% {line}" for line in (f"{measure}: {measure.title}", measure.formula, evaluation.signature)]
    return "\n".join([*head, r"\begin{verbatim}", *steps(evaluation, measure, document), r"\end{verbatim}"])


def _names(evaluation: Evaluation, document: str | None) -> tuple[str, ...]:
    return evaluation.document_names if document is None else (document,)


def _score(evaluation: Evaluation, measure: Measure, document: str | None) -> Score:
    return (evaluation if document is None else evaluation.documents[document])[measure]


def _counts(evaluation: Evaluation, measure: Measure, name: str) -> dict[str, float]:
    place = evaluation.document_names.index(name)
    return {what: np.atleast_1d(column)[place].item() for what, column in evaluation.table.count(measure).items()}


def _shown(measure: Measure, score: Score) -> list[object]:
    return [score.values[field] for field in measure.shown]
