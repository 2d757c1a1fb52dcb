"""An evaluation of some of its mentions, or of one of its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.analysis.stages import scored
from corefeval.cells import Rows
from corefeval.errors import OptionError, near

if TYPE_CHECKING:
    from corefeval.arrays import Booleans, Ints
    from corefeval.results import Evaluation


def restricted(evaluation: Evaluation, key: Booleans, response: Booleans) -> Evaluation:
    """Discard all mentions but those chosen from both partitions (Popescu-Belis 1999, 4.4): twins are chosen alike."""
    rows = rows_of(evaluation)
    if key.all() and response.all():
        return evaluation
    kept = key[rows.twin_key] & response[rows.twin_response]
    return scored(
        evaluation,
        Rows(
            rows.key.keep(key),
            rows.response.keep(response),
            _moved(key, rows.twin_key[kept]),
            _moved(response, rows.twin_response[kept]),
            rows.missing,
            None if rows.credit is None else rows.credit[kept],
        ),
    )


def of_document(evaluation: Evaluation, name: str) -> Evaluation:
    """The evaluation of one document."""
    if name not in evaluation.names:
        raise OptionError(f"there is no document {name!r}; {near(name, evaluation.names[:100])}")
    if len(evaluation.names) == 1:
        return evaluation
    rows = rows_of(evaluation)
    number = evaluation.names.index(name)
    key, response = rows.key.document == number, rows.response.document == number
    here = key[rows.twin_key]
    found = Rows(
        rows.key.in_documents((name,)),
        rows.response.in_documents((name,)),
        _moved(key, rows.twin_key[here]),
        _moved(response, rows.twin_response[here]),
        credit=None if rows.credit is None else rows.credit[here],
    )
    return scored(evaluation, found, (name,))


def rows_of(evaluation: Evaluation) -> Rows:
    """The mentions behind the scores."""
    if evaluation.table.rows is None:
        raise OptionError("the mentions behind these scores are gone: score key and response themselves")
    return evaluation.table.rows


def _moved(chosen: Booleans, rows: Ints) -> Ints:
    """Where rows are once only the chosen ones are left."""
    return (np.cumsum(chosen) - 1)[rows]
