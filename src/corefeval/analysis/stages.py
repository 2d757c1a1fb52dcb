"""The response on its way to the key: what it scores after the errors of each type have been corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.error_types import TYPES
from corefeval.analysis.error_types import counts as counted
from corefeval.cells import Rows
from corefeval.corpus import Corpus
from corefeval.mentions import Carried, Spans, joined, joined_spans
from corefeval.overlap import Overlap
from corefeval.results import Evaluation
from corefeval.side import Side

if TYPE_CHECKING:
    from corefeval.analysis.error_types import Found
    from corefeval.analysis.items import Items
    from corefeval.arrays import Array, Ints


class Stage(NamedTuple):
    """A step of correction: all errors of one type, how many, and the evaluation of the response after it.

    The first stage has the type "" and is the response as it was.
    """

    type: str
    errors: int
    evaluation: Evaluation


def stages(evaluation: Evaluation, found: Found) -> tuple[Stage, ...]:
    """The response as it was, and after each type's correction; the last one is the key."""
    number = counted(found.errors)
    after = [
        Stage(kind, number[kind], scored(evaluation, corrected(found.items, found.labels(place + 1))))
        for place, kind in enumerate(TYPES)
    ]
    return (Stage("", 0, evaluation), *after)


def corrected(listed: Items, label: Ints) -> Rows:
    """The key and a response whose entities these labels say, -1 for items that it has not."""
    key, response = listed.rows.key, listed.rows.response
    own = np.flatnonzero((label >= 0) & (listed.key_row >= 0))
    extra = np.flatnonzero((label >= 0) & (listed.key_row < 0))
    present = np.concatenate([own, extra])
    width = int(label.max(initial=0)) + 1
    fused, entity = np.unique(listed.document[present] * width + label[present], return_inverse=True)
    ours, theirs = listed.key_row[own], listed.response_row[extra]
    carried = isinstance(key.mentions, Carried) or isinstance(response.mentions, Carried)
    names = dict.fromkeys((*key.attributes, *response.attributes))
    corpus = Corpus(
        key.documents,
        fused // width,
        list(range(len(fused))),
        entity.reshape(-1).astype(np.int64),
        joined([key.mentions.take(ours), response.mentions.take(theirs)]),
        # Words of two files that count them differently cannot be told by one number.
        None if carried else key.tokens,
        texts=key.texts,
        heads=None if key.heads is None and response.heads is None else _heads(key, ours, response, theirs),
        attributes={name: [*_values(key, name, ours), *_values(response, name, theirs)] for name in names},
        source=response.source,
    )
    return Rows(key, corpus, ours, np.arange(len(ours)))


def scored(evaluation: Evaluation, rows: Rows, names: tuple[str, ...] | None = None) -> Evaluation:
    """The same measures on other rows, of the same documents unless others are named."""
    table = Overlap.of_twins(
        _side(rows.key),
        _side(rows.response),
        rows.key.entity[rows.twin_key],
        rows.response.entity[rows.twin_response],
        rows,
    )
    return Evaluation(
        evaluation.measures,
        table if rows.credit is None else table.with_credit(_by_cell(table, rows, rows.credit), rows),
        evaluation.names if names is None else names,
        evaluation.options,
        key=evaluation.key,
        response=evaluation.response,
    )


def _by_cell(table: Overlap, rows: Rows, credit: Array) -> Array:
    """What the twins that two entities share are worth."""
    width = len(table.response.size)
    fused = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    cell = np.searchsorted(table.cell_key * width + table.cell_response, fused)
    return np.bincount(cell, weights=credit, minlength=len(table.n))


def _side(corpus: Corpus) -> Side:
    return Side(corpus.sizes, corpus.entity_document, len(corpus.documents), corpus.entity_name, corpus.documents)


def _values(corpus: Corpus, name: str, rows: Ints) -> list[str]:
    values = corpus.attributes.get(name)
    return [""] * len(rows) if values is None else [values[row] for row in rows.tolist()]


def _heads(key: Corpus, ours: Ints, response: Corpus, theirs: Ints) -> Spans:
    return joined_spans([_taken(key.heads, ours), _taken(response.heads, theirs)])


def _taken(heads: Spans | None, rows: Ints) -> Spans:
    if heads is None:
        none = np.full(len(rows), -1, dtype=np.int64)
        return Spans(none, none)
    return heads.take(rows)
