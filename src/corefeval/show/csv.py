"""Comma-separated values with full precision."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from corefeval.show import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import Evaluation


def write(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> str:
    """A header and a line for each measure."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = records.columns(evaluations, per_document=per_document)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue().rstrip("\n")
