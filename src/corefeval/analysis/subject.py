"""What is analysed: an evaluation whose table is that of its mentions, one to one, and of nothing else.

Most are. Two decisions make a table of more than the mentions of both files. Split antecedents are members of entities
that are no mentions: they are left out, and a warning says so; so are measures of other things than entities. With
`twinless=scorch-cli` mentions that only the response has are singletons of the key: here they are mentions of the key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import measures as known
from corefeval.analysis.errors.corrections import joined_mentions, scored
from corefeval.analysis.subsets import rows_of
from corefeval.errors import OptionError
from corefeval.notices import Notice
from corefeval.scoring.results import Evaluation

if TYPE_CHECKING:
    from corefeval.overlap.cells import Rows


class Subject(NamedTuple):
    """An evaluation that can be analysed, and what is to be said about it."""

    evaluation: Evaluation
    notices: tuple[Notice, ...] = ()


BEYOND = frozenset({*known.GROUPS["beyond"], *known.GROUPS["bridging"], "ace_value"})
"""Measures that look at relations, layers or types, of which errors in mentions and entities say nothing."""


def subject(evaluation: Evaluation) -> Subject:
    """What stands for the evaluation."""
    found = _of_mentions(evaluation)
    beyond = [str(measure) for measure in evaluation.measures if measure.name in BEYOND]
    if not beyond:
        return found
    message = (
        f"{', '.join(beyond)}: left out, as the analysis is of mentions and entities, "
        "and this is of relations, layers or types"
    )
    notice = Notice("left-out", message, {"measures": beyond})
    return Subject(_without(found.evaluation, beyond), (*found.notices, notice))


def _without(evaluation: Evaluation, measures: list[str]) -> Evaluation:
    """The evaluation without these measures; with the usual ones, if there are no others."""
    left = tuple(measure for measure in evaluation.measures if str(measure) not in measures)
    return Evaluation(
        left or known.decided(known.select(None), evaluation.options),
        evaluation.table,
        evaluation.document_names,
        evaluation.options,
        notices=evaluation.notices,
        key=evaluation.key,
        response=evaluation.response,
    )


def _of_mentions(evaluation: Evaluation) -> Subject:
    rows, table = rows_of(evaluation), evaluation.table
    if table.before is not None:
        return Subject(scored(evaluation, with_twinless_in_key(rows), notices=evaluation.notices))
    if table.splits is None:
        return Subject(evaluation)
    if table.splits.only:
        raise OptionError(
            "split antecedents alone are scored, and no mentions that could be analysed: "
            "leave out --split-antecedents only"
        )
    count = len(table.splits.key) + len(table.splits.response)
    message = (
        f"{count} split antecedents of key and response are left out: "
        "the scores of this analysis are those of --split-antecedents drop"
    )
    options = evaluation.options._replace(split_antecedents="drop")
    left = scored(evaluation, rows, options=options, notices=evaluation.notices)
    return Subject(left, (Notice("left-out", message, {"count": count}),))


def with_twinless_in_key(rows: Rows) -> Rows:
    """The mentions that only the response has as singletons of the key, behind those that it has."""
    alone = np.ones(len(rows.response), dtype=np.bool_)
    alone[rows.twin_response] = False
    extra = np.flatnonzero(alone)
    documents = np.concatenate([rows.key.entity_document, rows.response.document[extra]])
    order = np.argsort(documents, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    ours = np.arange(len(rows.key))
    names = [*rows.key.entity_name, *(f"added {number + 1}" for number in range(len(extra)))]
    entity = place[np.concatenate([rows.key.entity, len(rows.key.entity_document) + np.arange(len(extra))])]
    key = joined_mentions(rows, ours, extra, documents[order], [names[number] for number in order.tolist()], entity)
    lines = [rows.key.line(row) or 0 for row in ours.tolist()] + [
        rows.response.line(row) or 0 for row in extra.tolist()
    ]
    types = {name: [*values, *[""] * len(extra)] for name, values in rows.key.entity_attributes.items()}
    return rows._replace(
        key=key.replace(
            source=rows.key.source,
            files=rows.key.files,
            lines=np.array(lines, dtype=np.int64),
            entity_attributes={name: [values[number] for number in order.tolist()] for name, values in types.items()},
        ),
        twin_key=np.concatenate([rows.twin_key, len(ours) + np.arange(len(extra))]),
        twin_response=np.concatenate([rows.twin_response, extra]),
        credit=None if rows.credit is None else np.concatenate([rows.credit, np.ones(len(extra))]),
        repeated=None,
    )
