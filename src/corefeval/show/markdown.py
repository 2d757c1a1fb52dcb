"""A Markdown table, in per cent, the best values in bold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefeval.show import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import Evaluation

_SPECIAL = re.compile(r"[\\|*`<~]|(?<![^\W_])_|_(?![^\W_])")
"""What would start or end something; underscores within a word do not."""


def write(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> str:
    """A row for each measure and response, and the signature below."""
    fields = table.fields(evaluations)
    several = len(evaluations) > 1
    names = [*(["document"] if per_document else []), "measure", *(["response"] if several else [])]
    lines = [line([*names, *fields]), "|" + "---|" * len(names) + "---:|" * len(fields)]
    for row in table.rows(evaluations, per_document=per_document):
        document = [escaped(row.document if row.document is not None else "all")] if per_document else []
        response = [escaped(row.response)] if several else []
        values = [row.text(field, lambda text: f"**{text}**") for field in fields]
        lines.append(line([*document, str(row.measure), *response, *values]))
    return "\n".join([*lines, "", *(f"`{signature}`" for signature in table.signatures(evaluations))])


def line(cells: list[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Text that a table takes, and that is shown as it stands."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.splitlines()))
