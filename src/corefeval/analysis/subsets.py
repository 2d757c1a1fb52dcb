"""An evaluation of some of its mentions, or of one of its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.errors.corrections import scored
from corefeval.errors import OptionError, suggest_names
from corefeval.options import load_behaviour
from corefeval.overlap.cells import Rows

if TYPE_CHECKING:
    from corefeval._arrays import Booleans, Ints
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation


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
            None if rows.repeated is None else rows.repeated.keep(key, response),
        ),
    )


class Seen(NamedTuple):
    """What a measure sees of an evaluation, and which mentions of key and response those are."""

    evaluation: Evaluation
    key: Booleans
    response: Booleans


def seen_by(evaluation: Evaluation, measure: Measure) -> Seen:
    """Without the singletons that the measure leaves out."""
    rows = rows_of(evaluation)
    whose = (load_behaviour("singletons", evaluation.options.singletons) or {}).get(measure.name)
    hidden = (whose == "both", whose is not None)
    key, response = (
        corpus.sizes[corpus.entity] > 1 if hide else np.ones(len(corpus), dtype=np.bool_)
        for corpus, hide in zip((rows.key, rows.response), hidden, strict=True)
    )
    return Seen(restricted(evaluation, key, response), key, response)


def of_document(evaluation: Evaluation, name: str) -> Evaluation:
    """The evaluation of one document."""
    return of_documents(evaluation, (check_document(evaluation, name),))


def of_documents(evaluation: Evaluation, names: tuple[str, ...]) -> Evaluation:
    """The evaluation of some documents, in the order that they have in it."""
    if names == evaluation.document_names:
        return evaluation
    rows = rows_of(evaluation)
    numbers = [evaluation.document_names.index(name) for name in names]
    key, response = np.isin(rows.key.document, numbers), np.isin(rows.response.document, numbers)
    here = key[rows.twin_key]
    found = Rows(
        rows.key.in_documents(names),
        rows.response.in_documents(names),
        _moved(key, rows.twin_key[here]),
        _moved(response, rows.twin_response[here]),
        credit=None if rows.credit is None else rows.credit[here],
        repeated=None if rows.repeated is None else rows.repeated.keep(key, response),
    )
    return scored(evaluation, found, names)


def check_document(evaluation: Evaluation, name: str) -> str:
    """The name, if there is a document of that name."""
    if name not in evaluation.document_names:
        raise OptionError(f"there is no document {name!r}; {suggest_names(name, evaluation.document_names[:100])}")
    return name


def rows_of(evaluation: Evaluation) -> Rows:
    """The mentions behind the scores."""
    if evaluation.table.rows is None:
        raise OptionError("the mentions behind these scores are gone: score key and response themselves")
    return evaluation.table.rows


def _moved(chosen: Booleans, rows: Ints) -> Ints:
    """Where rows are once only the chosen ones are left."""
    return (np.cumsum(chosen) - 1)[rows]
