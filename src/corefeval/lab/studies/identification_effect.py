"""The mention identification effect: a response made better, or worse, that some measures take for the opposite."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval.lab.findings import Claim, Figure, Findings
from corefeval.lab.sides import NumberedSide, Scores, draw_scores, name_left_out, number_sides, select_rates
from corefeval.lab.subject import StudySubject

TITLE = "Do recall and precision go the right way when a response is made more, or less, precise?"
SOURCE = "Moosavi & Strube 2016, LEA, section 2 and table 1"
PROCEDURE = (
    "More precise: without the mentions that have links in key and response, none of them right; what is left of "
    "their entities stays. Less precise, of a document's key mentions that the response lacks: (a) as many "
    "entities as possible of two that do not corefer; (b) entities of mentions none of which corefer, as large as "
    "possible: the first has one mention of each key entity, the next one of each that has two, and so on. The "
    "text's (b) links a mention to all that do not corefer with it, some of which corefer with each other: these "
    "would be right links."
)
TAKES = (1, 1)
_ALIKE = 1e-12
_WAYS: dict[str, Callable[[float], bool]] = {
    "stays": lambda change: abs(change) <= _ALIKE,
    "changes": lambda change: abs(change) > _ALIKE,
    "falls": lambda change: change < -_ALIKE,
    "rises": lambda change: change > _ALIKE,
}
_RECALL = (("recall", "stays", ("muc", "lea")), ("recall", "changes", ("bcub", "ceafe", "blanc")))
CLAIMS = {
    "more precise": (*_RECALL, ("precision", "falls", ("ceafe",)), ("f1", "falls", ("blanc",))),
    "less precise (a)": (*_RECALL, ("f1", "rises", ("bcub", "ceafe", "blanc"))),
    "less precise (b)": (*_RECALL, ("f1", "rises", ("bcub", "ceafe", "blanc"))),
}
"""What section 2 says of the responses; of LEA, section 4 says it."""
CASES = ("base", *CLAIMS)


def run(subject: StudySubject) -> Findings:
    """Return recall, precision and f1 of the four responses by measure, and what the paper says of their changes."""
    sides = number_sides(select_rates(subject), *subject.responses.values())
    made = dict(zip(CASES, make_responses(sides.key, sides.response), strict=True))
    scores = sides.score(made.values())
    sizes = {name: len(each.mention) for name, each in made.items()}
    counts = {"mentions": list(sizes.values()), "entities": [len(np.unique(each.entity)) for each in made.values()]}
    figures = [Figure("response", "responses", CASES, counts)]
    figures += [draw_scores("response", field, CASES, scores, field) for field in ("recall", "precision", "f1")]
    claims = [
        _check_claim(scores, case, measure, field, way)
        for case in CLAIMS
        for field, way, of in CLAIMS[case]
        for measure in of
        if measure in scores and sizes[case] != sizes["base"]
    ]
    same = [case for case in CLAIMS if sizes[case] == sizes["base"]]
    sentences = [f"As the base, so that no claim is about it: {case}." for case in same]
    sentences += name_left_out(subject)
    return Findings(claims=claims, figures=figures, sentences=sentences, notices=sides.notices)


def make_responses(key: NumberedSide, response: NumberedSide) -> tuple[NumberedSide, ...]:
    """Return the response as it is, more precise, and less precise in both ways."""
    missing = key.keep(~np.isin(key.mention, response.mention))
    more = response.keep(~find_incorrect(key, response))
    less = [_add_entities(response, missing, *groups) for groups in (pair_mentions(missing), group_mutually(missing))]
    return response, more, *less


def find_incorrect(key: NumberedSide, response: NumberedSide) -> Booleans:
    """Return for each response mention whether it has links in key and response, and none of the latter is right."""
    entity = np.full(1 + int(max(key.mention.max(initial=-1), response.mention.max(initial=-1))), -1, dtype=np.int64)
    entity[key.mention] = key.entity
    own = entity[response.mention]
    sizes = np.bincount(key.entity)
    shared, count = _number_pairs(own + 1, response.entity)
    linked = np.bincount(response.entity)[response.entity] > 1
    coreferent = (own >= 0) & (sizes[np.maximum(own, 0)] > 1)
    found: Booleans = coreferent & linked & (count[shared] == 1)
    return found


def pair_mentions(missing: NumberedSide) -> tuple[Ints, Booleans]:
    """Return a group for each mention, and which have one: of two mentions that do not corefer, as many as possible.

    In the order of entities, mentions half of a document apart are of one entity only if it has more than half.
    """
    order = np.lexsort((missing.entity, missing.document))
    document = missing.document[order]
    count = np.bincount(document, minlength=len(missing.names))[document]
    place = np.arange(len(order)) - np.searchsorted(document, document)
    half = (count + 1) // 2
    first = np.flatnonzero(place < count // 2)
    one, other = order[first], order[first + half[first]]
    apart = missing.entity[one] != missing.entity[other]
    group, paired = np.zeros(len(order), dtype=np.int64), np.zeros(len(order), dtype=np.bool_)
    for rows in (one, other):
        group[rows], paired[rows] = np.arange(len(first)), apart
    return group, paired


def group_mutually(missing: NumberedSide) -> tuple[Ints, Booleans]:
    """Return a group for each mention, the n-th ones of all key entities, and which are in groups of two or more."""
    order = np.argsort(missing.entity, kind="stable")
    entity = missing.entity[order]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.searchsorted(entity, entity)
    group, count = _number_pairs(missing.document, place)
    return group, count[group] > 1


def _number_pairs(one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Return a number for each pair of values in the same row, equal for equal pairs; and how often each occurs."""
    pairs = one * (1 + int(other.max(initial=0))) + other
    _, number, count = np.unique(pairs, return_inverse=True, return_counts=True)
    return number.reshape(-1).astype(np.int64), count


def _add_entities(response: NumberedSide, missing: NumberedSide, group: Ints, chosen: Booleans) -> NumberedSide:
    """Return the response with groups of the chosen missing mentions as new entities."""
    new = missing._replace(entity=group + 1 + int(response.entity.max(initial=-1))).keep(chosen)
    return response.add(new.mention, new.document, new.entity)


def _check_claim(scores: Scores, case: str, measure: str, field: str, way: str) -> Claim:
    """Return whether a measure's recall, precision or f1 goes a way of _WAYS from the base to another of the CASES."""
    before, after = (getattr(scores[measure][CASES.index(each)], field) for each in ("base", case))
    numbers = f"{100 * before:.2f} → {100 * after:.2f}"
    return Claim(f"{case}: {field} of {measure} {way}", _WAYS[way](after - before), numbers)
