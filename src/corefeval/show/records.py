"""Scores as flat records, a row for each measure: for CSV and for data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.measures.base import COUNTS
from corefeval.show import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import Evaluation

COLUMNS = ("response", "document", "measure", *table.FIELDS, *COUNTS, "undefined", "signature")


def columns(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> dict[str, list[object]]:
    """The records as columns; a value that a measure does not have is None, and so is the document of a total."""
    costs = [field for field in table.fields(evaluations) if field in table.COSTS]
    found: dict[str, list[object]] = {name: [] for name in (*COLUMNS, *costs)}
    signature = dict(zip(table.labels(evaluations), (each.signature for each in evaluations), strict=True))
    for row in table.rows(evaluations, per_document=per_document):
        found["response"].append(row.response)
        found["document"].append(row.document)
        found["measure"].append(str(row.measure))
        for name in (*table.FIELDS, *COUNTS, *costs):
            value = row.score.values.get(name)
            found[name].append(value if value is None or isinstance(value, str) else float(value))
        found["undefined"].append(" ".join(row.score.undefined))
        found["signature"].append(signature[row.response])
    return found
