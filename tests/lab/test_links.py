"""Scores from numbers of links are those of partitions with as many links, and those that a paper prints."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import corefeval
from corefeval.errors import OptionError
from corefeval.lab import score_links
from corefeval.lab.papers import load_papers

COUNTED = [case for case in load_papers()["cases"] if "right_coreference" in case.get("links", {})]
MEASURES = ("blanc", "blanc:alpha=0.2", "pairwise", "rand", "adjusted_rand")


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("case", COUNTED, ids=lambda case: case["id"])
def test_printed_links_score_as_their_partitions(case: dict[str, Any], measure: str) -> None:
    scored = corefeval.score(case["key"], case["response"], measures=measure)[measure]
    assert score_links(**case["links"], measure=measure) == scored


def test_blanc_is_the_mean_of_two_f_scores() -> None:
    right, wrong, apart, missed = 506, 112, 39560, 1766
    linked = Fraction(2 * right, 2 * right + wrong + missed)
    unlinked = Fraction(2 * apart, 2 * apart + wrong + missed)
    found = score_links(
        right_coreference=right, wrong_coreference=wrong, right_noncoreference=apart, wrong_noncoreference=missed
    )
    assert found.f1 == pytest.approx(float((linked + unlinked) / 2), abs=1e-15)
    assert f"{100 * found.f1:.2f}" == "66.35"


@pytest.mark.parametrize("count", [-1, 1.5, "2"])
def test_numbers_of_links_are_whole(count: Any) -> None:
    with pytest.raises(OptionError, match="whole numbers from 0 on"):
        score_links(right_coreference=count, wrong_coreference=0, right_noncoreference=0, wrong_noncoreference=0)


def test_other_measures_cannot_be_computed_from_links() -> None:
    with pytest.raises(OptionError, match="muc is not made of links alone"):
        score_links(
            right_coreference=1, wrong_coreference=0, right_noncoreference=0, wrong_noncoreference=0, measure="muc"
        )
