"""What people have in memory: mentions as tuples, lists and rows of arrays are the same mentions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import InputError

TUPLES = [[(0, 1), (3, 4)], [(5, 5), (7, 8)]]
SAME: dict[str, Any] = {
    "lists": [[[0, 1], [3, 4]], [[5, 5], [7, 8]]],
    "arrays of rows": [np.array([[0, 1], [3, 4]]), np.array([[5, 5], [7, 8]])],
    "lists of rows": [[np.array([0, 1]), np.array([3, 4])], [np.array([5, 5]), np.array([7, 8])]],
    "one array": np.array([[[0, 1], [3, 4]], [[5, 5], [7, 8]]]),
    "a mixture": [[[0, 1], (3, 4)], {(5, 5), (7, 8)}],
    "lists by document": {"": [[[0, 1], [3, 4]], [[5, 5], [7, 8]]]},
}


@pytest.mark.parametrize("form", SAME)
def test_lists_and_rows_are_mentions(form: str) -> None:
    for key, response in ((SAME[form], TUPLES), (TUPLES, SAME[form]), (SAME[form], SAME[form])):
        evaluation = corefeval.score(key, response, measures=["mentions", "muc"])
        assert (evaluation["mentions"].f1, evaluation["muc"].f1, evaluation.notices) == (1, 1, ())
    partly = corefeval.score(SAME[form], [[(0, 1), (3, 4)], [(5, 5), (7, 9)]], measures="mentions")
    assert partly["mentions"].recall == 3 / 4


def test_mentions_of_lists_match_by_their_words() -> None:
    assert corefeval.score([[[0, 2], [4, 4]]], [[[0, 1], [4, 4]]], match="overlap")["muc"].f1 == 1


@pytest.mark.parametrize("documents", [[[[[0, 1], [3, 4]]]], [np.zeros((1, 2, 2), dtype=int)], [[[(0, 1), (3, 4)]]]])
def test_lists_of_documents_are_refused_with_what_to_do(documents: Any) -> None:
    with pytest.raises(InputError, match="several documents go into a dict"):
        corefeval.score(documents, documents)


def test_what_cannot_be_a_mention_is_refused() -> None:
    for mention in ({1}, {"a": 1}, [{1}]):
        with pytest.raises(InputError, match="cannot be hashed"):
            corefeval.score([[mention]], [[mention]])
