"""B³ with entities of the same weight, counted by hand on the first example of Popescu-Belis."""

from __future__ import annotations

import pytest

import corefeval

KEY = [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
RESPONSE = [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]]
SHARES = {
    "recall": 1 + 1 + (5 / 7) ** 2 + (2 / 7) ** 2 + (4 / 5) ** 2 + (1 / 5) ** 2,
    "precision": (2 / 7) ** 2 + (5 / 7) ** 2 + (3 / 9) ** 2 + (2 / 9) ** 2 + (4 / 9) ** 2 + 1,
}


def test_entities_of_the_same_weight_are_divided_by_their_number() -> None:
    score = corefeval.score(KEY, RESPONSE, measures="bcub:weight=entity")["bcub:weight=entity"]
    assert score.recall == pytest.approx(SHARES["recall"] / 4)
    assert score.precision == pytest.approx(SHARES["precision"] / 3)


def test_the_printed_form_divides_by_the_number_of_mentions() -> None:
    score = corefeval.score(KEY, RESPONSE, measures="bcub:weight=printed")["bcub:weight=printed"]
    assert score.recall == pytest.approx(SHARES["recall"] / 17)
    assert score.precision == pytest.approx(SHARES["precision"] / 17)


def test_a_perfect_response_scores_one_in_one_of_them() -> None:
    scores = corefeval.score(KEY, KEY, measures=["bcub:weight=entity", "bcub:weight=printed"])
    assert scores["bcub:weight=entity"].f1 == 1
    assert scores["bcub:weight=printed"].f1 == pytest.approx(4 / 17)


def test_entities_are_summed_over_documents() -> None:
    scores = corefeval.score({"a": KEY, "b": [[1]]}, {"a": RESPONSE, "b": [[1]]}, measures="bcub:weight=entity")
    assert scores["bcub:weight=entity"].recall == pytest.approx((SHARES["recall"] + 1) / 5)
