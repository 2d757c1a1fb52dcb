"""The response on its way to the key: what it scores after the errors of each type have been corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.errors.types import TYPES
from corefeval.analysis.errors.types import counts as counted
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mention_types import MentionTypes, find_types_of_sides, set_mention_types
from corefeval.corpus.mentions import Carried, Spans, join_columns, join_spans
from corefeval.matching import table
from corefeval.overlap import rewriting
from corefeval.overlap.cells import Rows
from corefeval.scoring.results import Evaluation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Ints
    from corefeval.analysis.errors.types import Found
    from corefeval.analysis.items import Items
    from corefeval.notices import Notice
    from corefeval.options import Options


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
    key = listed.rows.key
    own = np.flatnonzero((label >= 0) & (listed.key_row >= 0))
    extra = np.flatnonzero((label >= 0) & (listed.key_row < 0))
    present = np.concatenate([own, extra])
    width = int(label.max(initial=0)) + 1
    fused, entity = np.unique(listed.document[present] * width + label[present], return_inverse=True)
    ours, theirs = listed.key_row[own], listed.response_row[extra]
    numbered = entity.reshape(-1).astype(np.int64)
    corpus = joined_mentions(listed.rows, ours, theirs, fused // width, list(range(len(fused))), numbered)
    return Rows(key, corpus, ours, np.arange(len(ours)))


def joined_mentions(
    rows: Rows, ours: Ints, theirs: Ints, entity_document: Ints, entity_name: Sequence[str | int], entity: Ints
) -> Corpus:
    """Some mentions of the key, then some of the response, in these entities."""
    key, response = rows.key, rows.response
    carried = isinstance(key.mentions, Carried) or isinstance(response.mentions, Carried)
    names = dict.fromkeys((*key.attributes, *response.attributes))
    made = Corpus(
        key.documents,
        entity_document,
        entity_name,
        entity,
        join_columns([key.mentions.take(ours), response.mentions.take(theirs)]),
        # Words of two files that count them differently cannot be told by one number.
        None if carried else key.tokens,
        texts=key.texts,
        heads=None if key.heads is None and response.heads is None else _heads(key, ours, response, theirs),
        attributes={name: [*_values(key, name, ours), *_values(response, name, theirs)] for name in names},
        source=response.source,
    )
    if not carried:
        return made
    one, other = find_types_of_sides(rows)
    code = np.concatenate([one.code[ours], other.code[theirs]])
    return set_mention_types(made, MentionTypes(code, np.concatenate([one.guessed[ours], other.guessed[theirs]])))


def scored(
    evaluation: Evaluation,
    rows: Rows,
    names: tuple[str, ...] | None = None,
    *,
    options: Options | None = None,
    notices: tuple[Notice, ...] = (),
) -> Evaluation:
    """The same measures on other rows, of the same documents and with the same options unless others are given."""
    decided = evaluation.options if options is None else options
    return Evaluation(
        evaluation.measures,
        rewriting.viewed(table.rebuild_table(rows, decided), decided),
        evaluation.document_names if names is None else names,
        decided,
        notices=notices,
        key=evaluation.key,
        response=evaluation.response,
    )


def _values(corpus: Corpus, name: str, rows: Ints) -> list[str]:
    values = corpus.attributes.get(name)
    return [""] * len(rows) if values is None else [values[row] for row in rows.tolist()]


def _heads(key: Corpus, ours: Ints, response: Corpus, theirs: Ints) -> Spans:
    return join_spans([_taken(key.heads, ours), _taken(response.heads, theirs)])


def _taken(heads: Spans | None, rows: Ints) -> Spans:
    if heads is None:
        none = np.full(len(rows), -1, dtype=np.int64)
        return Spans(none, none)
    return heads.take(rows)
