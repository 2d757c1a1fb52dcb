"""The mention identification effect (Moosavi & Strube 2016, section 2).

A response mention with a twin is resolved incorrectly if it has links in its response entity and not one of
them is right. Without such mentions a response is more precise and finds as much; so a measure of coreference should
credit nothing for them. MUC and LEA do not. B³, CEAF and BLANC do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import measures as known
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows, hide_singletons, restrict_mentions
from corefeval.measures import Bcub, Blanc, Ceafe, Ceafm
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, Booleans, ByDocument, Ints
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation

RATES = ("recall", "precision")


class UndueCredit(NamedTuple):
    """The part of a measure's recall and precision that credits mentions which are resolved incorrectly."""

    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class IdentificationEffect:
    """Mentions of both sides without a single right link.

    key_rows, response_rows: these mentions. shared: how many mentions both sides have.
    credit: by measure; for BLANC the non-coreference links that are right only for them, in its two averages. None
    where a measure rewrites the table (twinless=cai_strube), so that no part of it is theirs.
    without: the evaluation of the response without these mentions.
    """

    key_rows: Ints
    response_rows: Ints
    shared: int
    credit: dict[str, UndueCredit | None]
    without: Evaluation


def measure_effect(evaluation: Evaluation) -> IdentificationEffect:
    """Find mentions that are resolved incorrectly, and what measures credit them with."""
    rows = get_rows(evaluation)
    wrong = _find_wrong(evaluation)
    key, response = rows.twin_key[wrong], rows.twin_response[wrong]
    left = np.ones(len(rows.response), dtype=np.bool_)
    left[response] = False
    without = restrict_mentions(evaluation, np.ones(len(rows.key), dtype=np.bool_), left)
    credit = {name: find(evaluation, without) for name, find in _FIND_CREDIT.items()}
    return IdentificationEffect(key, response, len(rows.twin_key), credit, without)


def _find_wrong(evaluation: Evaluation) -> Booleans:
    """Return which twins have links in the response, and not a right one."""
    rows = get_rows(evaluation)
    ours, theirs = view_sides(evaluation)[:2]
    return (ours.fragment[rows.twin_key] == 1) & (theirs.size[rows.twin_response] > 1)


def _credit_nothing(_: Evaluation, __: Evaluation) -> UndueCredit | None:
    return UndueCredit(0.0, 0.0)


def _credit_mentions(evaluation: Evaluation, _: Evaluation) -> UndueCredit | None:
    """B³ credits each such mention with itself."""
    measure = known.resolve_measure("bcub", evaluation.options)
    if measure != Bcub():
        return None
    part = hide_singletons(evaluation, measure).evaluation
    rows, (ours, theirs) = get_rows(part), view_sides(part)[:2]
    wrong = _find_wrong(part)
    key, response = rows.twin_key[wrong], rows.twin_response[wrong]
    documents = len(evaluation.document_names)
    recall = np.bincount(rows.key.document[key], weights=1 / ours.size[key], minlength=documents)
    precision = np.bincount(rows.response.document[response], weights=1 / theirs.size[response], minlength=documents)
    return _divide_both(evaluation, measure, recall, precision)


def _credit_aligned(plain: Ceafm) -> Callable[[Evaluation, Evaluation], UndueCredit | None]:
    """Return a function for CEAF, which credits aligned entities that share one such mention and nothing else."""

    def credit(evaluation: Evaluation, _: Evaluation) -> UndueCredit | None:
        measure = known.resolve_measure(plain, evaluation.options)
        if measure != plain:
            return None
        views = hide_singletons(evaluation, plain).evaluation.overlaps.views
        table = views.table
        members, size, other = views.recall_sets.cells, table.key.size, table.response.size
        weights = plain.similarity()(members.worth, size[members.key], other[members.response])
        weights = np.asarray(weights, dtype=np.float64)
        best = alignment.best(members.key, members.response, weights)
        shared = dict(zip(zip(table.cell_key, table.cell_response, strict=True), table.n.tolist(), strict=True))
        only = best[[shared.get((members.key[c], members.response[c])) == 1 for c in best]]
        only = only[other[members.response[only]] > 1]
        total = np.bincount(table.key.document[members.key[only]], weights=weights[only], minlength=table.documents)
        return _divide_both(evaluation, plain, total, total)

    return credit


def _credit_nonlinks(evaluation: Evaluation, without: Evaluation) -> UndueCredit | None:
    """BLANC credits right non-coreference links that are gone without such mentions, in its two averages."""
    blanc = known.resolve_measure("blanc", evaluation.options)
    before, after = (each.count(blanc) for each in (evaluation, without))
    lost = np.atleast_1d(before["common_noncoreference"]) - np.atleast_1d(after["common_noncoreference"])
    wholes = (before["key_noncoreference"], before["response_noncoreference"])
    weight = 1 - Blanc().alpha
    return UndueCredit(
        *(weight * _divide(evaluation, lost, whole, what) for whole, what in zip(wholes, RATES, strict=True))
    )


def _divide_both(evaluation: Evaluation, measure: Measure, recall: Array, precision: Array) -> UndueCredit:
    counts = evaluation.count(measure)
    return UndueCredit(
        *(
            _divide(evaluation, part, counts[f"{what}_denominator"], what)
            for part, what in zip((recall, precision), RATES, strict=True)
        )
    )


def _divide(evaluation: Evaluation, part: Array, whole: ByDocument, what: str) -> float:
    """Return a part over the denominator of recall or precision, averaged over documents as these are."""
    below = np.atleast_1d(np.asarray(whole, dtype=np.float64))
    if evaluation.options.average == "micro":
        return _divide_or_zero(float(part.sum()), float(below.sum()))
    weights = np.asarray(evaluation.weights[what], dtype=np.float64)
    rates = np.divide(part, below, out=np.zeros(len(below)), where=below > 0)
    return _divide_or_zero(float(weights @ rates), float(weights.sum()))


def _divide_or_zero(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


_FIND_CREDIT: dict[str, Callable[[Evaluation, Evaluation], UndueCredit | None]] = {
    "muc": _credit_nothing,
    "bcub": _credit_mentions,
    "ceafm": _credit_aligned(Ceafm()),
    "ceafe": _credit_aligned(Ceafe()),
    "blanc": _credit_nonlinks,
    "lea": _credit_nothing,
}
MEASURES = tuple(_FIND_CREDIT)
