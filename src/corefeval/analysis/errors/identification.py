"""The mention identification effect (Moosavi & Strube 2016, section 2).

A response mention that the key has, too, is resolved incorrectly if it has links in its response entity and not one of
them is right. Without such mentions a response is more precise and finds as much; so a measure of coreference should
credit nothing for them. MUC and LEA do not. B³, CEAF and BLANC do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import measures as known
from corefeval.analysis.costs.sides import seen
from corefeval.analysis.subsets import restricted, rows_of, seen_by
from corefeval.measures import Bcub, Blanc, Ceafe, Ceafm
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, Booleans, ByDocument, Ints
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation

RATES = ("recall", "precision")


class Credit(NamedTuple):
    """What of a measure's recall and precision is credit for mentions that are resolved incorrectly."""

    recall: float
    precision: float


class Effect(NamedTuple):
    """Mentions of both sides without a single right link.

    key_rows, response_rows: these mentions. shared: how many mentions both sides have.
    credit: by measure; for BLANC the non-coreference links that are right only for them, in its two averages. None
    where a measure rewrites the table (twinless=cai_strube), so that no part of it is theirs.
    without: the evaluation of the response without these mentions.
    """

    key_rows: Ints
    response_rows: Ints
    shared: int
    credit: dict[str, Credit | None]
    without: Evaluation


def effect(evaluation: Evaluation) -> Effect:
    """Find them, and what they are credited with."""
    rows = rows_of(evaluation)
    wrong = _wrong(evaluation)
    key, response = rows.twin_key[wrong], rows.twin_response[wrong]
    left = np.ones(len(rows.response), dtype=np.bool_)
    left[response] = False
    without = restricted(evaluation, np.ones(len(rows.key), dtype=np.bool_), left)
    credit = {name: credited(evaluation, without) for name, credited in _CREDITED.items()}
    return Effect(key, response, len(rows.twin_key), credit, without)


def _wrong(evaluation: Evaluation) -> Booleans:
    """Which twins have links in the response, and not a right one."""
    rows = rows_of(evaluation)
    ours, theirs = seen(evaluation)[:2]
    return (ours.fragment[rows.twin_key] == 1) & (theirs.size[rows.twin_response] > 1)


def _none(_: Evaluation, __: Evaluation) -> Credit | None:
    return Credit(0.0, 0.0)


def _of_mentions(evaluation: Evaluation, _: Evaluation) -> Credit | None:
    """B³ credits each of them with itself."""
    measure = known.meant("bcub", evaluation.options)
    if measure != Bcub():
        return None
    part = seen_by(evaluation, measure).evaluation
    rows, (ours, theirs) = rows_of(part), seen(part)[:2]
    wrong = _wrong(part)
    key, response = rows.twin_key[wrong], rows.twin_response[wrong]
    documents = len(evaluation.document_names)
    recall = np.bincount(rows.key.document[key], weights=1 / ours.size[key], minlength=documents)
    precision = np.bincount(rows.response.document[response], weights=1 / theirs.size[response], minlength=documents)
    return _rates(evaluation, measure, recall, precision)


def _aligned(plain: Ceafm) -> Callable[[Evaluation, Evaluation], Credit | None]:
    """The similarities of aligned entities that share one such mention and nothing else."""

    def credit(evaluation: Evaluation, _: Evaluation) -> Credit | None:
        measure = known.meant(plain, evaluation.options)
        if measure != plain:
            return None
        table = seen_by(evaluation, plain).evaluation.table
        members, size, other = table.members, table.key.size, table.response.size
        weights = plain.similarity()(members.n, size[members.key], other[members.response])
        weights = np.asarray(weights, dtype=np.float64)
        best = alignment.best(members.key, members.response, weights)
        shared = dict(zip(zip(*table.own[:2], strict=True), table.n.tolist(), strict=True))
        only = best[[shared.get((members.key[c], members.response[c])) == 1 for c in best]]
        only = only[other[members.response[only]] > 1]
        total = np.bincount(table.key.document[members.key[only]], weights=weights[only], minlength=table.documents)
        return _rates(evaluation, plain, total, total)

    return credit


def _kept_apart(evaluation: Evaluation, without: Evaluation) -> Credit | None:
    """Right non-coreference links that are gone without them, in BLANC's two averages."""
    blanc = known.meant("blanc", evaluation.options)
    before, after = (each.table.count(blanc) for each in (evaluation, without))
    lost = np.atleast_1d(before["common_noncoreference"]) - np.atleast_1d(after["common_noncoreference"])
    wholes = (before["key_noncoreference"], before["response_noncoreference"])
    weight = 1 - Blanc().alpha
    return Credit(*(weight * _rate(evaluation, lost, whole, what) for whole, what in zip(wholes, RATES, strict=True)))


def _rates(evaluation: Evaluation, measure: Measure, recall: Array, precision: Array) -> Credit:
    counts = evaluation.table.count(measure)
    return Credit(
        *(
            _rate(evaluation, part, counts[f"{what}_denominator"], what)
            for part, what in zip((recall, precision), RATES, strict=True)
        )
    )


def _rate(evaluation: Evaluation, part: Array, whole: ByDocument, what: str) -> float:
    """A part of what recall or precision is of, averaged over documents as these are."""
    below = np.atleast_1d(np.asarray(whole, dtype=np.float64))
    if evaluation.options.average == "micro":
        return _ratio(float(part.sum()), float(below.sum()))
    weights = np.asarray(evaluation.weights[what], dtype=np.float64)
    rates = np.divide(part, below, out=np.zeros(len(below)), where=below > 0)
    return _ratio(float(weights @ rates), float(weights.sum()))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


_CREDITED: dict[str, Callable[[Evaluation, Evaluation], Credit | None]] = {
    "muc": _none,
    "bcub": _of_mentions,
    "ceafm": _aligned(Ceafm()),
    "ceafe": _aligned(Ceafe()),
    "blanc": _kept_apart,
    "lea": _none,
}
MEASURES = tuple(_CREDITED)
