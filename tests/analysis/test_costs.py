"""What mentions and entities cost adds up to the loss, entity by entity as plain counting has it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import corefeval
from corefeval.analysis.costs import changed_counts, leave_one_out
from corefeval.analysis.costs.costs import compute_costs
from tests.analysis.decisions import MEASURES, evaluate_random, under_every_decision
from tests.analysis.drawing import documents
from tests.rounds import few_or_many

SUMS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "ceaf:phi=1", "ceaf:phi=2", "lea", "core", "pairwise", "blanc",
        "blanc:alpha=0.2", "conll", "bcub:beta=2", "muc:undefined=1")  # fmt: skip
KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


@pytest.mark.parametrize("macro", [False, True])
@pytest.mark.parametrize("measure", SUMS)
@few_or_many(30, 150)
def test_costs_add_up_to_the_loss(rounds: int, measure: str, macro: bool) -> None:
    rng = random.Random(1)
    for _ in range(rounds):
        evaluation = corefeval.score(documents(rng), documents(rng), measures=[measure], macro=macro)
        found = compute_costs(evaluation, evaluation.measures[0])
        assert found.exact
        assert found.loss == pytest.approx(1 - evaluation[measure].main)
        entities = found.key_entities.sum() + found.response_entities.sum()
        mentions = found.key_mentions.sum() + found.response_mentions.sum()
        assert entities + found.rest == pytest.approx(found.loss)
        assert mentions + found.rest == pytest.approx(found.loss)
        defined = [document[measure].undefined for document in evaluation.documents.values()]
        if not any(defined):
            assert found.rest == 0


@pytest.mark.parametrize("measure", SUMS)
def test_an_entity_costs_what_its_mentions_cost(measure: str) -> None:
    rng = random.Random(2)
    for _ in range(50):
        evaluation = corefeval.score(documents(rng), documents(rng), measures=[measure])
        found = compute_costs(evaluation, evaluation.measures[0])
        rows = evaluation.mentions
        assert rows is not None
        for corpus, of_entities, of_mentions in (
            (rows.key, found.key_entities, found.key_mentions),
            (rows.response, found.response_entities, found.response_mentions),
        ):
            for entity, cost in enumerate(of_entities.tolist()):
                assert cost == pytest.approx(of_mentions[corpus.entity == entity].sum())


def f_share(recall: Fraction, precision: Fraction) -> tuple[Fraction, Fraction]:
    """The weights with which what recall and precision lack are what F1 lacks."""
    return precision / (precision + recall), recall / (precision + recall)


def test_the_worked_example_by_hand() -> None:
    """Pradhan et al. 2014: MUC misses 1 of K1's 2 links and 2 of K2's 3; R1 0, R2 1 of 1, R3 2 of 3."""
    evaluation = corefeval.score(KEY, RESPONSE, measures=["muc", "bcub", "ceafe"])
    muc = compute_costs(evaluation, evaluation.measures[0])
    half = f_share(Fraction(2, 5), Fraction(2, 5))[0]
    assert muc.key_entities.tolist() == pytest.approx([float(half * f) for f in (Fraction(1, 5), Fraction(2, 5))])
    assert muc.response_entities.tolist() == pytest.approx([0, 0.1, 0.2])
    # B³: a lacks 1/3 of its credit, c 2/3, e all of it
    bcub = compute_costs(evaluation, evaluation.measures[1])
    share = f_share(Fraction(35, 84), Fraction(1, 2))
    lacking = [Fraction(1, 3), Fraction(1, 3), Fraction(2, 3), Fraction(3, 4), 1, Fraction(1, 2), Fraction(1, 2)]
    assert bcub.key_mentions.tolist() == pytest.approx([float(share[0]) * float(each) / 7 for each in lacking])
    # CEAFe: K1 lacks 0.2 of its φ, K2 0.5; R1 0.2, R2 all, R3 0.5
    ceafe = compute_costs(evaluation, evaluation.measures[2])
    recall, precision = Fraction(13, 20), Fraction(13, 30)
    share = f_share(recall, precision)
    assert ceafe.key_entities.tolist() == pytest.approx([float(share[0]) * each / 2 for each in (0.2, 0.5)])
    assert ceafe.response_entities.tolist() == pytest.approx([float(share[1]) * each / 3 for each in (0.2, 1, 0.5)])


OTHERS = ("rand", "entropy", "kappa", "adjusted_rand", "exclusive_core", "dmt", "van_dongen", "talburt_wang", "bcub:twinless=cai_strube", "distributional_error", "purity",
          "nmi:mean=min", "ami", "vi", "matthews", "correlation_distance", "merge_distance:cost=pairs,split=2", "lea:twinless=pad", "blanc:twinless=discard_both",
          "rand:twinless=pad", "rand:twinless=discard_both")  # fmt: skip


@pytest.mark.parametrize("macro", [False, True])
@pytest.mark.parametrize("measure", OTHERS)
def test_other_measures_are_scored_without_each_entity_and_mention(measure: str, macro: bool) -> None:
    """Leaving out is done here on the entities themselves, and scored anew."""
    rng, sign = random.Random(3), 1 if corefeval.measures.parse(measure).more_is_better else -1
    for _ in range(6):
        key, response = documents(rng), documents(rng)
        evaluation = corefeval.score(key, response, measures=[measure], macro=macro)
        found = compute_costs(evaluation, evaluation.measures[0])
        assert not found.exact
        whole = evaluation[measure].main

        def gain(document: str, gone: set[object], key=key, response=response, whole=whole) -> float:  # type: ignore[no-untyped-def]
            left = []
            for side in (key, response):
                kept = {
                    name: [[m for m in entity if name != document or m not in gone] for entity in listed]
                    for name, listed in side.items()
                }
                left.append({name: [entity for entity in listed if entity] for name, listed in kept.items()})
            return sign * (corefeval.score(*left, measures=[measure], macro=macro)[measure].main - whole)

        entities = [(name, set(entity)) for name, listed in key.items() for entity in listed]
        assert found.key_entities.tolist() == pytest.approx([gain(*each) for each in entities])
        entities = [(name, set(entity)) for name, listed in response.items() for entity in listed]
        assert found.response_entities.tolist() == pytest.approx([gain(*each) for each in entities])
        for side, costing in ((key, found.key_mentions), (response, found.response_mentions)):
            mentions = [(name, {m}) for name, listed in side.items() for entity in listed for m in entity]
            assert costing.tolist() == pytest.approx([gain(*each) for each in mentions])


@pytest.mark.parametrize("macro", [False, True])
@pytest.mark.parametrize(
    "measure", ["exclusive_core", "purity", "van_dongen", "talburt_wang", "dmt", "distributional_error"]
)
@few_or_many(20, 200)
def test_counts_of_a_part_say_what_scoring_again_says(
    rounds: int, measure: str, macro: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed_counts, "_AT_ONCE", 7)
    rng = random.Random(4)
    for _ in range(rounds):
        evaluation = corefeval.score(documents(rng), documents(rng), measures=[measure], macro=macro)
        assert changed_counts.find_count_changes(evaluation, evaluation.measures[0]) is not None
        found = leave_one_out.measure_gains(evaluation, evaluation.measures[0])
        expected = leave_one_out.score_without_each(evaluation, evaluation.measures[0])
        for gains, others in zip(found, expected, strict=True):
            assert gains.tolist() == (pytest.approx(others.tolist()) if macro else others.tolist())


@pytest.mark.parametrize(
    "measure", ["vi", "merge_distance", "correlation_distance", "van_dongen", "distributional_error"]
)
def test_what_is_wrong_costs_by_measures_of_which_less_is_better(measure: str) -> None:
    """A mention in the wrong entity is the only error: without it, key and response are equal, at a distance of 0."""
    evaluation = corefeval.score(
        [["a", "b", "c"], ["d", "e", "f"]], [["a", "b"], ["c", "d", "e", "f"]], measures=[measure]
    )
    found = compute_costs(evaluation, evaluation.measures[0])
    assert found.key_mentions.tolist().index(max(found.key_mentions)) == 2
    assert found.key_mentions[2] == pytest.approx(evaluation[measure].main)


def test_the_worst_come_first_and_twins_are_one_mention() -> None:
    analysis = corefeval.analyse(KEY, RESPONSE, measures=["muc", "bcub", "rand"])
    worst = analysis.worst(3, "bcub")
    assert worst.exact == {"bcub": True, "muc": True, "rand": False}
    assert [each.side for each in worst.entities][:2] == ["key", "response"]
    assert worst.entities[0].words == ("'d'", "'e'", "'f'", "'g'")
    listed = [each.cost["bcub"] for each in analysis.worst(100, "bcub").mentions]
    assert listed == sorted(listed, reverse=True)
    assert sum(listed) == pytest.approx(1 - analysis.evaluation["bcub"].f1)
    assert {each.side for each in analysis.worst(100, "bcub").mentions} == {"key", "response", "both"}


@under_every_decision
def test_costs_are_the_whole_loss(options: dict[str, Any]) -> None:
    for seed in range(12):
        evaluation = evaluate_random(seed, options)
        analysis = corefeval.Analysis(evaluation)
        undefined = [scores[name].undefined for scores in evaluation.documents.values() for name in MEASURES]
        for measure in MEASURES:
            found = analysis.costs(measure)
            assert found.loss == pytest.approx(1 - evaluation[measure].main)
            if found.exact:
                of_entities = found.key_entities.sum() + found.response_entities.sum()
                of_mentions = found.key_mentions.sum() + found.response_mentions.sum()
                assert of_entities == pytest.approx(of_mentions)
                assert of_entities + found.rest == pytest.approx(found.loss)
                assert min(column.min(initial=0) for column in found.columns) > -1e-9
                assert found.rest == 0 or any(undefined), measure
