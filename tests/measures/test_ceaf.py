"""CEAF with a similarity of the user's own."""

from __future__ import annotations

import pytest

import corefeval
from corefeval import OptionError
from corefeval.measures import Ceaf, Ceafe

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]

RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def test_ceaf_with_a_similarity_of_ones_own() -> None:
    evaluation = corefeval.score(KEY, RESPONSE)
    jaccard = evaluation[Ceaf(phi=lambda n, k, r: n / (k + r - n))]
    assert jaccard.recall == pytest.approx((2 / 3 + 2 / 6) / 2)
    same = evaluation[Ceaf(phi=lambda n, k, r: 2 * n / (k + r))]
    assert same.values == evaluation[Ceafe()].values
    with pytest.raises(OptionError, match="0 for entities that share nothing"):
        evaluation[Ceaf(phi=lambda n, k, r: n + 1)]
