"""Ratio estimators: what is expected of them over all possible samples, and how they react to single entities."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import corefeval
from corefeval import Corpus
from corefeval.matching.matching import build_tables
from corefeval.profiles.registry import resolve_options
from corefeval.sampling.ratios import estimate_rates
from corefeval.sampling.terms import LISTS, Ratio, Terms
from tests.rounds import few_or_many
from tests.sampling.worlds import make_world


def list_terms(key: Corpus, response: Corpus, measure: str) -> Terms:
    return LISTS[measure](build_tables(key, response, resolve_options(None))[0].table)


def take(terms: Terms, chosen: list[int]) -> Terms:
    recall = Ratio(*(each[chosen] for each in terms.recall))
    numerator = recall.numerator if terms.has_one_numerator else terms.precision.numerator[chosen]
    return Terms(recall, Ratio(numerator, terms.precision.denominator[chosen]))


@few_or_many(20, 300)
def test_the_terms_of_all_entities_add_up_to_the_score(rounds: int) -> None:
    random = np.random.default_rng(rounds)
    for _ in range(rounds):
        world = make_world(random, 30, largest=8, errors=random.random())
        key, response = world.build_key(), world.build_response()
        scores = corefeval.score(key, response, measures=list(LISTS))
        for measure in LISTS:
            rates = estimate_rates(list_terms(key, response, measure), np.ones(len(key.sizes)), 0.95)
            for name, rate in rates.items():
                expected = getattr(scores[measure], name)
                assert rate is None or rate.uncorrected == pytest.approx(expected, abs=1e-12), (measure, name)
                assert rate is not None or name in scores[measure].undefined


@few_or_many(5, 50)
def test_no_entity_adds_more_to_a_numerator_than_to_its_denominator(rounds: int) -> None:
    random = np.random.default_rng(rounds + 1)
    for _ in range(rounds):
        world = make_world(random, 50, largest=10, errors=random.random())
        for measure in LISTS:
            for ratio in list_terms(world.build_key(), world.build_response(), measure):
                assert (ratio.numerator <= ratio.denominator + 1e-12).all(), measure


@pytest.mark.parametrize("measure", list(LISTS))
def test_the_correction_removes_most_of_the_bias(measure: str) -> None:
    # Five entities; every sample of five draws with replacement, all equally likely: 3125 of them.
    entities = [["a", "b", "c", "d"], ["e", "f", "g"], ["h", "i"], ["j", "k", "l"], ["m", "n"]]
    given = [["a", "b", "c"], ["d", "e", "f"], ["g"], ["h", "i"], ["j", "k"], ["l", "m", "n"]]
    terms = list_terms(Corpus.from_entities({"": entities}), Corpus.from_entities({"": given}), measure)
    truth = estimate_rates(terms, np.ones(5), 0.95)
    samples = [estimate_rates(take(terms, list(each)), np.ones(5), 0.95) for each in product(range(5), repeat=5)]
    biased = 0
    for name in ("recall", "precision", "f1"):
        exact = truth[name].uncorrected  # type: ignore[union-attr]
        plain = float(np.mean([each[name].uncorrected for each in samples])) - exact  # type: ignore[union-attr]
        corrected = float(np.mean([each[name].value for each in samples])) - exact  # type: ignore[union-attr]
        assert abs(corrected) < 0.005
        if abs(plain) > 0.004:
            assert abs(corrected) < 0.3 * abs(plain), (name, plain, corrected)
            biased += 1
    assert biased


@pytest.mark.parametrize("measure", list(LISTS))
def test_the_standard_error_is_that_of_the_infinitesimal_jackknife(measure: str) -> None:
    # A ratio's error follows from how it moves when an entity's weight does; here by differences instead of formulas.
    world = make_world(np.random.default_rng(3), 40, largest=10, errors=0.4)
    terms = list_terms(world.build_key(), world.build_response(), measure)
    count = len(terms.recall.numerator)
    weights = np.random.default_rng(4).uniform(0.5, 2, count)
    rates = estimate_rates(terms, weights, 0.95)
    for name in ("recall", "precision", "f1"):
        moves = []
        for entity in range(count):
            near = [weights.copy(), weights.copy()]
            near[0][entity] *= 1 - 1e-5
            near[1][entity] *= 1 + 1e-5
            low, high = (estimate_rates(terms, each, 0.95)[name].uncorrected for each in near)  # type: ignore[union-attr]
            moves.append((high - low) / 2e-5)
        expected = (np.square(moves).sum() * count / (count - 1)) ** 0.5
        assert rates[name].error == pytest.approx(expected, rel=1e-5)  # type: ignore[union-attr]


def test_an_interval_stays_between_0_and_1_and_holds_the_estimate() -> None:
    random = np.random.default_rng(8)
    for _ in range(200):
        denominator = random.uniform(0, 5, 4)
        ratio = Ratio(denominator * random.choice([0.0, 0.5, 1.0], 4), denominator)
        for rate in estimate_rates(Terms(ratio, ratio), np.ones(4), 0.95).values():
            assert rate is not None
            assert 0 <= rate.low <= rate.value <= rate.high <= 1


def test_what_is_0_over_0_is_none_and_a_wider_confidence_is_a_wider_interval() -> None:
    nothing = Ratio(np.zeros(3), np.zeros(3))
    some = Ratio(np.array([1.0, 0, 1]), np.ones(3))
    rates = estimate_rates(Terms(nothing, some), np.ones(3), 0.95)
    assert rates["recall"] is None
    assert rates["f1"] is None
    narrow, wide = (estimate_rates(Terms(some, some), np.ones(3), each)["recall"] for each in (0.8, 0.99))
    assert narrow is not None
    assert wide is not None
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.slow
@pytest.mark.parametrize(("how", "count"), [("uniform", 200), ("uniform", 1000), ("size", 200), ("size", 1000)])
def test_intervals_hold_the_truth_about_as_often_as_they_say(how: str, count: int) -> None:
    random = np.random.default_rng(20)
    world = make_world(random, 20_000, largest=50, errors=0.1)
    key, response = world.build_key(), world.build_response()
    sizes, samples = key.sizes, 600
    chances = sizes / sizes.sum() if how == "size" else None
    drawn = [random.choice(len(sizes), count, p=chances) for _ in range(samples)]
    for measure in LISTS:
        terms = list_terms(key, response, measure)
        truth = estimate_rates(terms, np.ones(len(sizes)), 0.95)
        held = dict.fromkeys(truth, 0)
        for chosen in drawn:
            weights = 1 / sizes[chosen] if how == "size" else np.ones(count)
            for name, rate in estimate_rates(take(terms, chosen.tolist()), weights, 0.95).items():
                held[name] += rate is not None and rate.low <= truth[name].uncorrected <= rate.high  # type: ignore[union-attr]
        # Pairs of the few largest entities decide pairwise scores: samples that have none of them are too sure.
        least = 0.85 if measure == "pairwise" else 0.92
        for name, times in held.items():
            assert least <= times / samples <= 0.995, (measure, name, times / samples)
