"""The mention identification effect (Moosavi & Strube 2016, section 2).

A response mention with a twin is resolved incorrectly if it has links in its response entity and not one of
them is right. Without such mentions a response is more precise and finds as much; so a measure of coreference should
credit nothing for them. MUC and LEA do not. B³, CEAF and BLANC do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from corefeval import measures as known
from corefeval._arrays import Array, Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.costs.leave_one_out import normalise_weights
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows, hide_singletons, restrict_mentions
from corefeval.matching.numbers import pair_equal_numbers
from corefeval.measures import Measure
from corefeval.overlap import alignment
from corefeval.scoring.results import Evaluation

_DENOMINATORS = ("recall_denominator", "precision_denominator")


class UndueCredit(NamedTuple):
    """The part of a measure's recall and precision that credits mentions which are resolved incorrectly."""

    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class IdentificationEffect:
    """Mentions of both sides without a single right link.

    key_rows, response_rows: these mentions. shared: how many mentions both sides have.
    credit: by measure; for BLANC the non-coreference links that are right only for them, in its two averages. None
    where a measure rewrites the table (twinless=cai_strube), or entities are sets that share mentions, so that no part
    of it is theirs alone.
    without: the evaluation of the response without these mentions.
    """

    key_rows: Ints
    response_rows: Ints
    shared: int
    credit: dict[str, UndueCredit | None]
    without: Evaluation


def measure_effect(evaluation: Evaluation) -> IdentificationEffect:
    """Return the IdentificationEffect: twins without a right link, measures' credit for them, scores without them."""
    rows = get_rows(evaluation)
    wrong = _find_wrong_twins(evaluation)
    key, response = rows.twin_key[wrong], rows.twin_response[wrong]
    left = np.ones(len(rows.response), dtype=np.bool_)
    left[response] = False
    without = restrict_mentions(evaluation, np.ones(len(rows.key), dtype=np.bool_), left)
    of_sets = evaluation.overlaps.views.of_sets
    credit: dict[str, UndueCredit | None] = {}
    for name in known.DEFAULT:
        measure = known.resolve_measure(name, evaluation.options)
        if known.parse(name).derivation in _FIND_UNDUE_CREDIT and (measure.takes_sets or not of_sets):
            is_plain = measure.has_plain_derivation and not of_sets
            find = _FIND_UNDUE_CREDIT.get(measure.derivation) if is_plain else None
            credit[name] = None if find is None else find(measure, evaluation, without)
    return IdentificationEffect(key, response, len(rows.twin_key), credit, without)


def _find_wrong_twins(evaluation: Evaluation) -> Booleans:
    """Return an array: whether each pair of twins has links in the response, none of which is right."""
    rows = get_rows(evaluation)
    ours, theirs, views = view_sides(evaluation)
    alone = ours.fragment[rows.twin_key] == 1
    if views.of_sets:  # a credit of 1 for each key entity that has the mention: it shares nothing else with any
        times = np.bincount(pair_equal_numbers(theirs.number, ours.number)[0], minlength=len(theirs.number))
        alone = (theirs.credit == times)[rows.twin_response]
    return alone & (theirs.size[rows.twin_response] > 1)


def _find_undue_bcub_credit(measure: Measure, evaluation: Evaluation, _: Evaluation) -> UndueCredit:
    """Return the parts of B³'s recall and precision that wrong twins have: 1 over their entity's size each."""
    part = hide_singletons(evaluation, measure)
    rows, wrong, parts = get_rows(part), _find_wrong_twins(part), []
    for corpus, twins, side in zip(
        (rows.key, rows.response), (rows.twin_key, rows.twin_response), view_sides(part)[:2], strict=True
    ):
        chosen = twins[wrong]
        parts.append(np.bincount(corpus.document[chosen], 1 / side.size[chosen], len(evaluation.document_names)))
    return _divide_by_counts(evaluation, measure, parts, _DENOMINATORS)


def _find_undue_ceaf_credit(measure: Any, evaluation: Evaluation, _: Evaluation) -> UndueCredit:
    """Return the parts of CEAF's rates from aligned entities that share a single mention, response singletons aside."""
    views = hide_singletons(evaluation, measure).overlaps.views
    table, sets, members = views.table, views.recall_sets, views.recall_sets.cells
    weights = np.asarray(measure.compare_entities(members.worth, sets.k, sets.r), dtype=np.float64)
    best = alignment.find_best(members.key, members.response, weights)
    width = max(1, len(table.response.size))
    # Behind all cells, in their order, comes one that is no pair's, for pairs that share nothing one to one.
    cells = np.append(table.cells.key * width + table.cells.response, len(table.key.size) * width)
    pairs = members.key[best] * width + members.response[best]
    place = np.searchsorted(cells, pairs)
    only = best[(cells[place] == pairs) & (np.append(table.n, 0)[place] == 1) & (sets.r[best] > 1)]
    total = np.bincount(table.key.document[members.key[only]], weights=weights[only], minlength=table.documents)
    return _divide_by_counts(evaluation, measure, [total, total], _DENOMINATORS)


def _find_undue_blanc_credit(measure: Any, evaluation: Evaluation, without: Evaluation) -> UndueCredit:
    """Return the parts of BLANC's rates from right non-coreference links that are gone without wrong twins."""
    before, after = (each.count(measure) for each in (evaluation, without))
    lost = np.atleast_1d(before["common_noncoreference"]) - np.atleast_1d(after["common_noncoreference"])
    part = (1 - measure.alpha) * lost
    return _divide_by_counts(evaluation, measure, [part, part], ("key_noncoreference", "response_noncoreference"))


def _divide_by_counts(
    evaluation: Evaluation, measure: Measure, parts: list[Array], names: tuple[str, str]
) -> UndueCredit:
    """Return UndueCredit: `parts` of recall and precision by document over the counts `names`, averaged like scores."""
    counts, credit = evaluation.count(measure), []
    for rate, part, name in zip(UndueCredit._fields, parts, names, strict=True):
        above, below = part, np.atleast_1d(np.asarray(counts[name], dtype=np.float64))
        weights = np.asarray(evaluation.weights[rate], dtype=np.float64)
        if evaluation.options.average == "micro":
            weights, above, below = np.ones(1), above.sum(keepdims=True), below.sum(keepdims=True)
        rates = np.divide(above, below, out=np.zeros(len(below)), where=below > 0)
        credit.append(float(normalise_weights(weights) @ rates))
    return UndueCredit(*credit)


_FIND_UNDUE_CREDIT: dict[str, Callable[[Any, Evaluation, Evaluation], UndueCredit]] = {
    "fragments": lambda *_: UndueCredit(0.0, 0.0),
    "credits": _find_undue_bcub_credit,
    "aligned mentions": _find_undue_ceaf_credit,
    "aligned entities": _find_undue_ceaf_credit,
    "links of two kinds": _find_undue_blanc_credit,
    "resolution": lambda *_: UndueCredit(0.0, 0.0),
}
"""By the derivation of a measure."""
