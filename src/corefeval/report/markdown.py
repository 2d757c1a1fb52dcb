"""A Markdown table, in per cent, the best values in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.report import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.results import Evaluation


def write(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> str:
    """A row for each measure and response, and the signature below."""
    fields = table.fields(evaluations)
    several = len(evaluations) > 1
    names = [*(["document"] if per_document else []), "measure", *(["response"] if several else [])]
    lines = [_line([*names, *fields]), "|" + "---|" * len(names) + "---:|" * len(fields)]
    for row in table.rows(evaluations, per_document=per_document):
        document = [_escaped(row.document if row.document is not None else "all")] if per_document else []
        response = [_escaped(row.response)] if several else []
        values = [row.text(field, lambda text: f"**{text}**") for field in fields]
        lines.append(_line([*document, str(row.measure), *response, *values]))
    return "\n".join([*lines, "", *(f"`{signature}`" for signature in table.signatures(evaluations))])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")
