"""The mention identification effect (Moosavi & Strube 2016, section 2).

A response mention that the key has, too, is resolved incorrectly if it has links in its response entity and not one of
them is right. Without such mentions a response is more precise and finds as much; so a measure of coreference should
credit nothing for them. MUC and LEA do not. B³, CEAF and BLANC do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import alignment
from corefeval.analysis.subsets import restricted, rows_of
from corefeval.analysis.sums import sides
from corefeval.measures import Blanc, Ceafe, Ceafm

if TYPE_CHECKING:
    from corefeval.arrays import Ints
    from corefeval.overlap import Overlap
    from corefeval.results import Evaluation

MEASURES = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")


class Credit(NamedTuple):
    """What of a measure's recall and precision is credit for mentions that are resolved incorrectly."""

    recall: float
    precision: float


class Effect(NamedTuple):
    """Mentions of both sides without a single right link.

    key_rows, response_rows: these mentions. shared: how many mentions both sides have.
    credit: by measure; for BLANC the non-coreference links that are right only for them, in its two averages.
    without: the evaluation of the response without these mentions.
    """

    key_rows: Ints
    response_rows: Ints
    shared: int
    credit: dict[str, Credit]
    without: Evaluation


def effect(evaluation: Evaluation) -> Effect:
    """Find them, and what they are credited with."""
    rows, table = rows_of(evaluation), evaluation.table
    ours, theirs = sides(evaluation)
    wrong = (ours.fragment[rows.twin_key] == 1) & (theirs.size[rows.twin_response] > 1)
    key, response = rows.twin_key[wrong], rows.twin_response[wrong]
    left = np.ones(len(rows.response), dtype=np.bool_)
    left[response] = False
    without = restricted(evaluation, np.ones(len(rows.key), dtype=np.bool_), left)
    sizes = int(table.key.size.sum()), int(table.response.size.sum())
    credit = {
        "muc": Credit(0.0, 0.0),
        "bcub": Credit(
            _ratio(float((1 / ours.size[key]).sum()), sizes[0]),
            _ratio(float((1 / theirs.size[response]).sum()), sizes[1]),
        ),
        "ceafm": _aligned(Ceafm(), table, sizes),
        "ceafe": _aligned(Ceafe(), table, (len(table.key.size), len(table.response.size))),
        "blanc": _kept_apart(evaluation, without),
        "lea": Credit(0.0, 0.0),
    }
    return Effect(key, response, len(rows.twin_key), credit, without)


def _aligned(measure: Ceafm, table: Overlap, wholes: tuple[int, int]) -> Credit:
    """The similarities of aligned entities that share one such mention and nothing else."""
    weights = np.asarray(measure.similarity()(table.n, table.k, table.r), dtype=np.float64)
    best = alignment.best(table.cell_key, table.cell_response, weights)
    only = best[(table.n[best] == 1) & (table.r[best] > 1)]
    total = float(weights[only].sum())
    return Credit(_ratio(total, wholes[0]), _ratio(total, wholes[1]))


def _kept_apart(evaluation: Evaluation, without: Evaluation) -> Credit:
    blanc = Blanc()
    before, after = evaluation[blanc], without[blanc]
    lost = before.links["common_noncoreference"] - after.links["common_noncoreference"]
    weight = 1 - blanc.alpha
    return Credit(
        weight * _ratio(lost, before.links["key_noncoreference"]),
        weight * _ratio(lost, before.links["response_noncoreference"]),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
