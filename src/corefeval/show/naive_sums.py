"""Sums of B³ and CEAFe as the reference scorer adds them up: one by one, rounding as it goes.

Our own are rounded once, at the end. The difference is in the sixteenth digit, but shows where per cents are cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.matching import numbers
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from corefeval._arrays import Floats, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.overlap.table import Overlap


class Sums(NamedTuple):
    """Numerators of recall and precision, by document."""

    recall: list[float]
    precision: list[float]


def order(corpus: Corpus) -> Ints:
    """The mentions' rows by entity, and there as their last words come: the reference scorer's order."""
    spans = corpus.mentions if isinstance(corpus.mentions, Spans) else Spans(corpus.entity, corpus.entity)
    return np.lexsort((-spans.start, spans.end > spans.start, spans.end, corpus.entity))


def bcub(table: Overlap) -> Sums:
    """Credit by credit of the response's mentions."""
    assert table.rows is not None  # noqa: S101 - evaluations of this process have them
    rows = table.rows
    credit = table.n if table.repeats is None else table.repeats.credit
    twin = numbers.find_last_rows(rows.twin_response, order(rows.response))
    twin = twin[twin >= 0]
    key, response = rows.key.entity[rows.twin_key[twin]], rows.response.entity[rows.twin_response[twin]]
    width = max(1, len(table.response.size))
    found = credit[numbers.find_last_rows(table.cell_key * width + table.cell_response, key * width + response)]
    document = table.response.document[response]
    return Sums(
        _added(found / table.key.size[key], document, table.documents),
        _added(found / table.response.size[response], document, table.documents),
    )


def ceafe(table: Overlap) -> Sums:
    """Similarity by similarity of the key's entities."""
    cells = table.members
    similar = 2 * cells.n / (table.key.size[cells.key] + table.response.size[cells.response])
    chosen = alignment.best(cells.key, cells.response, similar)
    # It looks for the least of 1 - similarity.
    sums = _added(1 - (1 - similar[chosen]), table.key.document[cells.key[chosen]], table.documents)
    return Sums(sums, sums)


def _added(values: Floats, document: Ints, documents: int) -> list[float]:
    """One after the other, by document."""
    found = [0.0] * documents
    for value, place in zip(values.tolist(), document.tolist(), strict=True):
        found[place] += value
    return found
