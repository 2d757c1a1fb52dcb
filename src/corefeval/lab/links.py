"""Scores from link counts, where a paper prints these and no partitions."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from corefeval.errors import OptionError
from corefeval.measures.base import make_counts
from corefeval.measures.registry import parse
from corefeval.measures.score import Score, make_score

MEASURES = ("blanc", "pairwise", "rand", "adjusted_rand")
"""The measures that are made of links alone."""


def score_links(
    right_coreference: int,
    right_noncoreference: int,
    wrong_coreference: int,
    wrong_noncoreference: int,
    *,
    measure: str = "blanc",
) -> Score:
    """Return the score of a response of which only its numbers of links are known.

    The counts are those of BLANC's tables, in their order, and have their names in `links` of a BLANC score. Right: as
    in the key. A wrong coreference link is one that the key does not have; a wrong non-coreference link is one that the
    response misses. measure: blanc, pairwise, rand or adjusted_rand, with parameters if need be ("blanc:alpha=0.2").

    >>> round(score_links(2, 84, wrong_coreference=3, wrong_noncoreference=2).f1, 4)
    0.7078
    """
    given: tuple[Any, ...] = (right_coreference, right_noncoreference, wrong_coreference, wrong_noncoreference)
    if not all(isinstance(each, Integral) and int(each) >= 0 for each in given):
        raise OptionError(f"numbers of links are whole numbers from 0 on, and these are {given}")
    found = parse(measure)
    if found.name not in MEASURES:
        raise OptionError(f"{found} is not made of links alone; these are: {', '.join(MEASURES)}")
    right, apart, wrong, missed = map(int, given)
    key, response = right + missed, right + wrong
    counts = {
        "key_coreference": key,
        "response_coreference": response,
        "common_coreference": right,
        "key_noncoreference": apart + wrong,
        "response_noncoreference": apart + missed,
        "common_noncoreference": apart,
        **make_counts(right, key, right, response),
        "all_pairs": sum(given),
        "key_pairs": key,
        "response_pairs": response,
        "common_pairs": right,
    }
    return make_score(found, found.score(counts))
