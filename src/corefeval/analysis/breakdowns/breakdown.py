"""Scores of some mentions only, in both ways of Popescu-Belis (1999, 4.4).

Restricting the partitions discards all other mentions from both sides, and with them their links; it does for every
measure. Averaging B³ takes the recall of each key mention and the precision of each response mention as they are, and
averages those of the chosen mentions; links to other mentions count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.breakdowns.fields import labels
from corefeval.analysis.costs.sides import seen
from corefeval.analysis.subsets import of_documents, restricted, rows_of
from corefeval.measures import Bcub
from corefeval.measures.rates import recall_precision_f

if TYPE_CHECKING:
    from corefeval._arrays import Booleans
    from corefeval.notices import Notice
    from corefeval.overlap.cells import Rows
    from corefeval.scoring.results import Evaluation


class Average(NamedTuple):
    """B³ averaged over some mentions; 0 over no mentions."""

    recall: float
    precision: float
    f1: float


class Group(NamedTuple):
    """The mentions with one label: how many each side has, their scores if there were no others, and their B³."""

    label: str
    key_mentions: int
    response_mentions: int
    restricted: Evaluation
    average: Average


class Breakdown(NamedTuple):
    """Scores by the values of a field."""

    field: str
    groups: tuple[Group, ...]
    notices: tuple[Notice, ...]


def breakdown(evaluation: Evaluation, field: str) -> Breakdown:
    """The scores of each group of mentions that a field tells apart."""
    found = labels(evaluation, rows_of(evaluation), field)
    ours, theirs = (np.array(side, dtype=np.str_) for side in (found.key, found.response))
    groups = [
        group(evaluation, label, ours == label, theirs == label)
        for label in found.order
        if (ours == label).any() or (theirs == label).any()
    ]
    return Breakdown(field, tuple(groups), found.notices)


def group(evaluation: Evaluation, label: str, key: Booleans, response: Booleans) -> Group:
    """The scores of the mentions chosen."""
    return Group(
        label,
        int(key.sum()),
        int(response.sum()),
        _restricted(evaluation, key, response),
        average(evaluation, key, response),
    )


def _restricted(evaluation: Evaluation, key: Booleans, response: Booleans) -> Evaluation:
    """As if there were no other mentions; an average of documents is over those that have some of the group."""
    found = restricted(evaluation, key, response)
    if evaluation.options.average == "micro":
        return found
    rows, before = rows_of(found), rows_of(evaluation)
    emptied = _documents(before) - _documents(rows)
    return of_documents(found, tuple(name for number, name in enumerate(found.document_names) if number not in emptied))


def _documents(rows: Rows) -> set[int]:
    """Those with mentions."""
    return {*rows.key.document.tolist(), *rows.response.document.tolist()}


def average(evaluation: Evaluation, key: Booleans, response: Booleans) -> Average:
    """B³'s recall averaged over the key mentions chosen, and its precision over the response mentions chosen.

    Those that B³ does not see, as singletons of some scorers, are not among them.
    """
    ours, theirs = (
        (side.credit / side.size)[chosen[side.kept]]
        for chosen, side in zip((key, response), seen(evaluation, Bcub())[:2], strict=True)
    )
    return Average(*recall_precision_f(float(ours.sum()), len(ours), float(theirs.sum()), len(theirs), 0, 1.0))
