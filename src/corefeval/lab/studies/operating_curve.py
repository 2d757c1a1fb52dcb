"""A response with fewer and fewer links, down to none, and with more and more, up to one entity."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from corefeval._arrays import Ints
from corefeval.lab.findings import Findings
from corefeval.lab.sides import NumberedSide, draw_scores, name_left_out, number_sides, select_rates
from corefeval.lab.subject import StudySubject
from corefeval.measures.score import Score

TITLE = "Recall against precision as a response is linked less, and more"
SOURCE = "Recasens & Hovy 2011, tables 3 and 16, whose two baselines are the ends of the curve"
PROCEDURE = (
    "The mentions of each response entity are linked one to the next. At -100 to 0 %, that share of the links is "
    "removed: -100 is all singletons; 0 is the response; at 0 to 100 %, entities of a document, in random "
    "order, are linked one to the next: 100 is one entity. Links are drawn with a seed; what is removed or added "
    "stays so further on."
)
TAKES = (1, 1)
PLACES = (-100, -75, -50, -25, 0, 25, 50, 75, 100)


def run(subject: StudySubject) -> Findings:
    """Return recall, precision and f1 by measure at each place, and where they go against the direction of links."""
    sides = number_sides(select_rates(subject), *subject.responses.values())
    scores = sides.score(link_mentions(sides.response, place / 100, subject.seed) for place in PLACES)
    odd_recall = [name for name, own in scores.items() if not _is_monotonous(own, "recall", 1)]
    odd_precision = [name for name, own in scores.items() if not _is_monotonous(own, "precision", -1)]
    f1 = {name: {place: each.f1 for place, each in zip(PLACES, own, strict=True)} for name, own in scores.items()}
    best = {name: max(PLACES, key=lambda place: (own[place], place == 0)) for name, own in f1.items()}
    sentences = [
        f"Recall falls somewhere as links are added by: {', '.join(odd_recall) or 'none'}.",
        f"Precision rises somewhere as links are added by: {', '.join(odd_precision) or 'none'}.",
        f"F1 is best, by links in %, at: {', '.join(f'{name} {best[name]}' for name in best)}; the response is at 0.",
        *name_left_out(subject),
    ]
    figures = [draw_scores("links, %", field, PLACES, scores, field) for field in ("recall", "precision", "f1")]
    return Findings(figures=figures, sentences=sentences, notices=sides.notices, seed=subject.seed)


def link_mentions(response: NumberedSide, share: float, seed: int) -> NumberedSide:
    """Return a response with a share of its links removed (-1: all), or of merges of entities made (1: all)."""
    random = np.random.default_rng(seed)
    if share < 0:
        return response._replace(entity=_join_neighbours(response.entity, 1 + share, random))
    document = np.zeros(int(response.entity.max(initial=-1)) + 1, dtype=np.int64)
    document[response.entity] = response.document
    return response._replace(entity=_join_neighbours(document, share, random)[response.entity])


def _join_neighbours(group: Ints, share: float, random: np.random.Generator) -> Ints:
    """Return the sets, as numbers, that a share of all links within groups makes, each in random order in a line.

    >>> _join_neighbours(np.array([0, 0, 1, 1]), 1.0, np.random.default_rng(0)).tolist()
    [0, 0, 1, 1]
    """
    order = np.lexsort((random.random(len(group)), group))
    links = np.flatnonzero(group[order][1:] == group[order][:-1]) + 1
    begins = np.ones(len(group), dtype=np.int64)
    begins[random.permutation(links)[: round(share * len(links))]] = 0
    number = np.empty(len(group), dtype=np.int64)
    number[order] = np.cumsum(begins) - 1
    return number


def _is_monotonous(scores: Sequence[Score], field: str, sign: int) -> bool:
    """Return whether a field only rises (sign 1) or falls (-1), rounding aside, where it is not 0/0."""
    values = [sign * getattr(each, field) for each in scores if field not in each.undefined]
    return all(after >= before - 1e-12 for before, after in pairwise(values))
