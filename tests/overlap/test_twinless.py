"""Padding both sides with singletons, and discarding mentions without a twin: for any measure that counts on the table."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import OptionError, Signature
from corefeval.measures import Ceafm, Lea, parse
from corefeval.measures.registry import CLASSES
from corefeval.overlap import twinless
from corefeval.overlap.views import Views
from tests.oracles import measures as slow
from tests.oracles.test_slow import FOR_ALL, random_corpus
from tests.rounds import few_or_many

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]  # lacks e, and has h and i

ON_TABLES = tuple(name.partition(":")[0] for name in FOR_ALL[::2])


def score_one(measure: str, key: Any = KEY, response: Any = RESPONSE, **options: Any) -> corefeval.Score:
    return corefeval.score(key, response, measures=[measure], **options)[measure]


@pytest.mark.parametrize(
    ("measure", "recall", "precision"),
    [
        # h and i are entities of the key, e is one of the response
        (
            "bcub:twinless=pad",
            (4 / 3 + 1 / 3 + 1 / 4 + 1 / 4 + 1 + 1 + 1) / 9,
            (2 + 0.5 + 0.5 + 1 + 0.25 + 0.25 + 1) / 9,
        ),
        ("bcub:twinless=discard_both", (4 / 3 + 1 / 3 + 1 / 3 + 4 / 3) / 6, (2 + 0.5 + 0.5 + 2) / 6),
        ("lea:twinless=pad", (3 * 1 / 3 + 4 * 1 / 6) / 9, (2 + 4 * 1 / 6) / 9),
        ("lea:twinless=discard_both", (3 * 1 / 3 + 3 * 1 / 3) / 6, (2 + 2) / 6),
        ("ceafe:twinless=pad", (4 / 5 + 2 / 5 + 2 / 5) / 4, (4 / 5 + 2 / 5 + 2 / 5) / 4),
        ("ceafm:twinless=discard_both", 4 / 6, 4 / 6),
        ("purity:twinless=pad", (2 + 2 + 1 + 1) / 9, (2 + 1 + 2 + 1) / 9),
        ("muc:twinless=pad", 2 / 5, 2 / 5),
        ("muc:twinless=discard_both", 2 / 4, 2 / 3),
        # of 36 pairs, 9 are linked in the key, 8 in the response, 2 in both
        ("blanc:twinless=pad", (2 / 9 + 21 / 27) / 2, (2 / 8 + 21 / 28) / 2),
    ],
)
def test_the_reference_scorers_example_counted_by_hand(measure: str, recall: float, precision: float) -> None:
    score = score_one(measure)
    assert score.recall == pytest.approx(recall)
    assert score.precision == pytest.approx(precision)


@pytest.mark.parametrize("name", ON_TABLES)
@few_or_many(20, 200)
def test_scores_are_those_of_sides_that_are_written_so(rounds: int, name: str) -> None:
    rng = random.Random(19)
    for _ in range(rounds):
        key, response = random_corpus(rng, 3)
        for rule, rewrite in slow.REWRITES_FOR_ALL.items():
            made = {
                document: rewrite(slow.side(key[document]), slow.side(response.get(document, []))) for document in key
            }
            sides = ({document: list(map(list, pair[side])) for document, pair in made.items()} for side in (0, 1))
            assert score_one(f"{name}:twinless={rule}", key, response).values == score_one(name, *sides).values


@pytest.mark.parametrize("name", [name for name in ON_TABLES if name != "conll"])
@few_or_many(20, 200)
def test_padding_changes_nothing_for_measures_that_say_so_and_something_for_others(rounds: int, name: str) -> None:
    """On the table itself, for those that say so are not given a padded one; MUC and core are (PROP. 13) among them."""
    rng, measure, changed = random.Random(13), parse(name), False
    for _ in range(rounds):
        views = corefeval.score(*random_corpus(rng, 3), measures="muc").overlaps.views
        plain, padded = measure.count(views), measure.count(Views(twinless.pad(views.table)))
        changed = changed or any(not np.array_equal(plain[column], padded[column]) for column in plain)
    assert changed != measure.pads


def test_every_measure_of_tables_can_do_both_and_no_other() -> None:
    for name, measure in CLASSES.items():
        ways = measure.parameters["twinless"].choices if "twinless" in measure.parameters else ()
        assert {"pad", "discard_both"}.issubset(ways) == (name in (*ON_TABLES, "ceaf")), name


def test_nothing_changes_where_both_sides_have_the_same_mentions() -> None:
    both = [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    for measure in FOR_ALL:
        assert score_one(measure, *both).values == score_one(measure.partition(":")[0], *both).values


def test_the_decision_does_for_all_what_the_parameter_does_for_one() -> None:
    for rule in ("pad", "discard_both"):
        decided = corefeval.score(KEY, RESPONSE, measures="all", twinless=rule)
        for name in ON_TABLES:
            assert decided[name].values == score_one(f"{name}:twinless={rule}").values, name
        assert decided["mentions"].values == score_one("mentions").values
        assert decided["lea:twinless=keep"].values == score_one("lea").values
        assert f"|twinless:{rule}|" in decided.signature
        again: dict[str, Any] = Signature.parse(decided.signature).options()
        assert corefeval.score(KEY, RESPONSE, **again)["conll"] == decided["conll"]


def test_averages_rewrite_the_tables_of_all_their_measures() -> None:
    for rule in ("pad", "discard_both"):
        parts = [score_one(f"{name}:twinless={rule}").f1 for name in ("muc", "bcub", "ceafe")]
        assert score_one(f"conll:twinless={rule}").f1 == pytest.approx(sum(parts) / 3)
        mean = f"mean(lea:twinless={rule},blanc)"
        assert score_one(mean).f1 == pytest.approx((score_one(f"lea:twinless={rule}").f1 + score_one("blanc").f1) / 2)
    parts = [score_one(name).f1 for name in ("muc", "bcub:twinless=cai_strube", "ceafe:twinless=cai_strube")]
    assert score_one("conll:twinless=cai_strube").f1 == pytest.approx(sum(parts) / 3)


def test_blanc_of_shared_mentions_discards_the_others() -> None:
    assert score_one("blanc:mentions=shared").values == score_one("blanc:twinless=discard_both").values


def test_both_treat_key_and_response_alike() -> None:
    assert all(parse(measure).is_symmetric for measure in FOR_ALL if parse(measure.partition(":")[0]).is_symmetric)
    assert not parse("bcub:twinless=cai_strube").is_symmetric
    pair = {"a": KEY, "b": RESPONSE}
    for rule in ("pad", "discard_both"):
        agreed = corefeval.agree(pair, measures=["lea"], twinless=rule, draws=2)
        assert agreed.pairs[0].measures["lea"] == pytest.approx(score_one(f"lea:twinless={rule}").f1)
    with pytest.raises(OptionError, match="it treats key and response differently"):
        corefeval.agree(pair, twinless="cai_strube")


def test_weights_of_single_entities_are_none_of_singletons_that_are_added() -> None:
    weights: dict[str, Any] = {"key_weights": [1.0, 3.0], "response_weights": [1.0, 1.0, 2.0]}
    with pytest.raises(OptionError, match="lea: weights and twinless=pad do not go together"):
        corefeval.score(KEY, RESPONSE)[Lea(twinless="pad", **weights)]
    found = corefeval.score(KEY, RESPONSE)[Lea(twinless="discard_both", **weights)]
    assert found.recall == pytest.approx((1 / 3 + 3 / 3) / 4)
    assert found.precision == pytest.approx((1 + 0 + 2) / 4)
    by_size = corefeval.score(KEY, RESPONSE)[Lea(twinless="pad", importance=lambda size: size)]
    assert by_size.recall == pytest.approx(score_one("lea:twinless=pad").recall)
    with pytest.raises(OptionError, match="weights and twinless=pad do not go together"):
        corefeval.score(KEY, RESPONSE)[Ceafm(mention_weights={"x": 1}, twinless="pad")]
