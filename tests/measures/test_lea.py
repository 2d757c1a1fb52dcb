"""LEA with an importance of the user's own."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import corefeval
from corefeval import OptionError
from corefeval.measures import Lea
from tests.data import EXAMPLES
from tests.oracles import measures as slow
from tests.oracles.test_slow import random_pair
from tests.rounds import few_or_many


def test_tiny_importance_is_not_lost() -> None:
    key = [[2 * i, 2 * i + 1] for i in range(200)]
    for scale in (1e-31, 1e-20, 1e-5):
        assert corefeval.score(key, key)[Lea(importance=partial(np.multiply, scale))].f1 == 1


def test_lea_with_an_importance_function() -> None:
    key, response = [[0, 1, 2], [3, 4]], [[0, 1, 2], [3], [4]]
    equal = corefeval.score(key, response)[Lea(importance=np.ones_like)]
    assert equal.recall == 0.5
    assert equal.recall_denominator == 2
    assert str(Lea(importance=np.ones_like)) == "lea:importance=custom"


def test_lea_with_weights_for_each_entity() -> None:
    key, response = [[0, 1, 2], [3, 4]], [[0, 1, 2], [3], [4]]
    weighted = corefeval.score(key, response, measures=[Lea(key_weights=[1, 9], response_weights=[2, 1, 1])])
    score = weighted[weighted.measures[0]]
    assert (score.recall, score.precision) == (0.1, 0.5)
    by_document = Lea(key_weights={"d": [1, 9], "e": {0: 5}})
    result = corefeval.score({"d": key, "e": [[7, 8]]}, {"d": response, "e": [[7, 8]]})[by_document]
    assert result.recall == (1 + 5) / 15
    by_name = Lea(key_weights={"0": 2, "1": 3, "2": 0, "3": 1, "4": 1, "5": 1, "6": 1})
    corefeval.score(EXAMPLES / "key.conll", EXAMPLES / "key.conll")[by_name]
    with pytest.raises(OptionError, match="no weight for entity 1"):
        corefeval.score(key, response)[Lea(key_weights=[1])]
    with pytest.raises(OptionError, match="must be 0, or a number from 1e-35 to 1e35"):
        corefeval.score(key, response)[Lea(importance=lambda size: -size)]
    with pytest.raises(OptionError, match="must be 0, or a number from 1e-35 to 1e35"):
        corefeval.score(key, response)[Lea(importance=lambda size: size * 1e307)]


def count_others(key: slow.Side, response: slow.Side) -> tuple[Fraction, int]:
    """ELM: for each mention the share of the others of its entity that are together with it on the other side."""
    found = sum(
        Fraction(len(entity & slow.home(mention, response) - {mention}), len(entity) - 1)
        for entity in key
        for mention in entity
    )
    return Fraction(found), sum(map(len, key))


@few_or_many(200, 2000)
def test_elm_is_lea_for_entities_of_two_and_more(rounds: int) -> None:
    """k · Σ C(n) / C(k) = Σ n (n - 1) / (k - 1), of which the left is LEA's and the right is summed over mentions."""
    rng = random.Random(2024)
    for _ in range(rounds):
        key, response = ([entity for entity in side if len(entity) > 1] for side in random_pair(rng, 20))
        score = corefeval.score(key, response, measures="lea")["lea"]
        both = (slow.side(key), slow.side(response))
        for pair, found, mentions in (
            (both, score.recall_numerator, score.recall_denominator),
            (both[::-1], score.precision_numerator, score.precision_denominator),
        ):
            above, below = count_others(*pair)
            assert found == pytest.approx(float(above))
            assert mentions == below


def test_weights_by_name_and_split_antecedents_do_not_go_together() -> None:
    with pytest.raises(OptionError, match="weights have no definition for split antecedents"):
        Lea(key_weights=[1.0]).check_split_antecedents()
    Lea(importance="log").check_split_antecedents()


def test_weights_by_type_and_rewritten_mentions_do_not_go_together() -> None:
    for way in ("pad", "discard_both"):
        with pytest.raises(OptionError, match=f"lea: weights and twinless={way} do not go together"):
            corefeval.score([["a", "b"]], [["a"]])[Lea(mention_weights={"": 1}, twinless=way)]


def test_weights_by_name_are_for_the_entities_of_the_files_alone() -> None:
    key, response = [["a", "b"], ["c", "d"]], [["a", "b", "c"], ["d"]]
    weighed = Lea(key_weights=[1.0, 2.0])
    with pytest.raises(OptionError, match="a study makes other entities"):
        corefeval.lab.study("sensitivity", key, measures=[weighed])
    with pytest.raises(OptionError, match="a baseline makes other entities"):
        corefeval.relative(corefeval.score(key, response, measures=[weighed]), draws=2)
    found = corefeval.analyse(key, response, measures=[weighed, "muc"])
    assert [str(measure) for measure in found.evaluation.measures] == ["muc"]
    assert "left out of the analysis, which corrects entities" in found.notices[0].message


def test_scores_with_python_objects_are_found_by_their_names() -> None:
    weighed = Lea(key_weights=[1.0, 3.0])
    found = corefeval.score([["a", "b"], ["c"]], [["a", "b", "c"]], measures=[weighed, "muc"])
    assert dict(found) == {"lea:key_weights=custom": found[weighed], "muc": found["muc"]}
    assert found["lea:key_weights=custom"].recall == pytest.approx(1 / 4)
