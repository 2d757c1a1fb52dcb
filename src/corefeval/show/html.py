"""An HTML table, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from corefeval.show import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import Evaluation


def write(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> str:
    """A table in per cent, with the signature as its caption."""
    fields = table.fields(evaluations)
    several = len(evaluations) > 1
    names = [*(["document"] if per_document else []), "measure", *(["response"] if several else [])]
    aligned = [("left", name) for name in names] + [("right", name) for name in fields]
    head = "".join(f'<th style="text-align:{side}">{name}</th>' for side, name in aligned)
    body = []
    for row in table.rows(evaluations, per_document=per_document):
        texts = [
            *([row.document if row.document is not None else "all"] if per_document else []),
            str(row.measure),
            *([row.response] if several else []),
        ]
        cells = "".join(f'<th scope="row" style="text-align:left">{escape(text)}</th>' for text in texts)
        values = [row.text(field, lambda text: f"<b>{text}</b>") for field in fields]
        cells += "".join(f'<td style="text-align:right">{value}</td>' for value in values)
        body.append(f"<tr>{cells}</tr>")
    caption = "<br>".join(escape(signature) for signature in table.signatures(evaluations))
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
        f'<caption style="caption-side:bottom;text-align:left;font-size:smaller">{caption}</caption></table>'
    )
