"""Criteria: the search against brute force with the slow measures, facts from papers and by hand, and the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

import pytest

import corefeval
from corefeval.lab.criteria import explain_verdict, judge_measures
from corefeval.lab.criteria.claims import CLAIMS
from corefeval.lab.criteria.definitions import CRITERIA, CRITERIA_BY_NAME
from corefeval.lab.criteria.judging import CACHE, load_cache, search_verdicts, write_cache
from corefeval.lab.criteria.pairs import Pair, list_bases, list_pairs, normalise_pair
from corefeval.lab.papers import load_papers
from corefeval.measures import parse, select_measures
from tests.cli.running import run
from tests.lab.brute_force import Entities, list_labelled_pairs, list_links, score_pair

MEASURES = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "kappa", "core", "rand")


def test_pairs_up_to_relabelling_are_as_many_as_in_the_encyclopedia() -> None:
    same = [sum(pair.has_same_mentions for pair in list_pairs(size)) for size in range(1, 7)]
    assert same == [1, 4, 10, 33, 91, 298]  # OEIS A007716: matrices with this sum, up to orders of rows and columns


@pytest.mark.parametrize("mentions", [1, 2, 3, 4])
def test_pairs_up_to_relabelling_are_all(mentions: int) -> None:
    labelled = [
        Pair(tuple(map(tuple, key)), tuple(map(tuple, response)))
        for key, response in list_labelled_pairs(mentions, same=False)
    ]
    assert {normalise_pair(pair) for pair in labelled} == set(list_pairs(mentions))
    assert len(set(list_pairs(mentions))) == len(list_pairs(mentions))


def _mark(signs: Iterator[int | None]) -> str:
    found = {sign for sign in signs if sign is not None}
    return "–" if not found else "✗" if -1 in found else "=" if 0 in found else "✓"


def _hold(holds: bool | None) -> int | None:
    return None if holds is None else 1 if holds else -1


def _judge_by_brute_force(measure: str, criterion: str, most: int, *, same: bool) -> str:
    pairs = list(chain(*(list_labelled_pairs(size, same=same) for size in range(1, most + 1))))
    scores = {pair: score_pair(measure, *pair) for pair in pairs}

    def judge() -> Iterator[int | None]:
        for (key, response), value in scores.items():
            if criterion == "upper-limit" and value is not None:
                yield _hold((abs(value - 1) < 1e-9) == (key == response))
            elif criterion == "range" and value is not None:
                yield _hold(-1e-9 <= value <= 1 + 1e-9)
            elif criterion == "symmetry" and response and value is not None:
                other = scores[response, key]
                yield None if other is None else _hold(abs(value - other) < 1e-9)
            elif criterion == "no-right-link" and value is not None and response and list_links(key):
                right = list_links(key) & list_links(response) or {e for e in key & response if len(e) == 1}
                yield None if right else _hold(abs(value) < 1e-9)
            elif criterion == "monotonicity" and value is not None:
                yield from _compare_improvements(key, response, value)

    def _compare_improvements(key: Entities, response: Entities, value: float) -> Iterator[int | None]:
        """By the definition: every pair of mentions that is right in the response is right in the better one, too."""
        every = {frozenset((a, b)) for a in range(most) for b in range(a) if {a, b} <= set(chain(*key))}
        truth, links = list_links(key), list_links(response)
        for (of_key, better), more in scores.items():
            if of_key != key or better == response or set(chain(*better)) != set(chain(*response)) or more is None:
                continue
            now = list_links(better)
            if all((link in now) == (link in truth) for link in every if (link in links) == (link in truth)):
                yield 0 if abs(more - value) < 1e-9 else 1 if more > value else -1

    return _mark(judge())


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("criterion", ["upper-limit", "range", "symmetry", "no-right-link"])
def test_verdicts_are_those_of_brute_force(criterion: str, same: bool) -> None:
    _compare_with_brute_force(criterion, 3, same=same)


def test_steps_of_monotonicity_are_all_improvements_by_definition() -> None:
    _compare_with_brute_force("monotonicity", 3, same=True)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["upper-limit", "range", "symmetry", "no-right-link", "monotonicity"])
def test_verdicts_on_four_mentions_are_those_of_brute_force(criterion: str) -> None:
    _compare_with_brute_force(criterion, 4, same=True)


def _compare_with_brute_force(criterion: str, most: int, *, same: bool) -> None:
    bases = tuple(pair for size in range(1, most + 1) for pair in list_pairs(size))
    found = search_verdicts([parse(name) for name in MEASURES], bases)
    marks = {name: found[name, criterion][same].mark for name in MEASURES}
    assert marks == {name: _judge_by_brute_force(name, criterion, most, same=same) for name in MEASURES}
    assert set(marks.values()) - {"–"}


def test_muc_does_not_see_singletons() -> None:
    verdict = judge_measures("muc")["muc", "upper-limit"].any_mentions
    assert verdict.mark == "✗"
    assert verdict.example is not None
    assert verdict.example.mentions == 3  # two make a link, one is the singleton
    (seen,) = verdict.example.responses
    assert seen.score == 1.0
    assert seen.key != seen.response


def test_every_counterexample_is_one() -> None:
    """The scores of all examples are those of the slow measures."""
    for name in MEASURES:
        for criterion, judgement in judge_measures(name).judged[0].judgements.items():
            for verdict in judgement:
                for each in verdict.example.responses if verdict.example else ():
                    if each.number > 1:  # a mean, or a least score
                        continue
                    field = CRITERIA_BY_NAME[criterion].field if name not in ("kappa", "rand") else ""
                    sides = [frozenset(map(frozenset, _read(text))) for text in (each.key, each.response)]
                    assert score_pair(name, sides[0], sides[1], field) == pytest.approx(each.score), (name, criterion)


def _read(picture: str) -> list[list[int]]:
    inside = picture.strip("[]").split("] [") if picture.startswith("[") else []
    return [[ord(letter) for letter in entity.split()] for entity in inside]


def test_claims_of_papers_that_are_not_confirmed_are_listed() -> None:
    """All others are confirmed: what papers prove, and what the search finds, are two ways to the same verdicts."""
    found = {(claim.measure, claim.criterion): mark for claim, mark in judge_measures().disagreements}
    named = {judged.measure for judged in judge_measures().judged}
    assert {each for each in found if each[0] in named} == {
        ("blanc", "precision-over-recall"),  # as on the paper's own Gold 1, below
        ("entropy", "direct-lower-limit"),  # key [a b c] has no information that [a b] [c] could have in common
        ("entropy", "reciprocal-lower-limit"),  # all singletons: they lose nothing, and say too much
    }
    assert {each.criterion for each in CLAIMS} <= set(CRITERIA_BY_NAME)
    assert {each.measure for each in CLAIMS} <= {judged.measure for judged in judge_measures().judged}


def test_chance_and_distance_are_as_proved() -> None:
    """The adjusted Rand index is 0 by chance by construction; 1 - Rand counts pairs that differ, which is a metric."""
    found = judge_measures("rand,adjusted_rand")
    assert found["adjusted_rand", "constant-baseline"].mark == "✓"
    assert found["rand", "constant-baseline"].mark == "✗"
    assert found["rand", "distance"].mark == "✓"


def test_the_core_measure_is_never_above_muc() -> None:
    assert "muc" in judge_measures().severer["core"]  # Popescu-Belis, PROP.8
    assert "core" not in judge_measures().severer["muc"]


def test_one_wrong_link_costs_less_than_one_missed_link_on_gold_1() -> None:
    """By hand from the formula: 10 coreference links, 2405 others (Recasens & Hovy 2011, table 5)."""
    key = next(case["key"] for case in load_papers()["cases"] if case["id"].startswith("blanc") and _has_gold_1(case))
    couple = next(entity for entity in key if len(entity) == 2)
    one, other = [entity for entity in key if len(entity) == 1][:2]
    missed = [each for each in key if each != couple] + [[mention] for mention in couple]
    wrong = [each for each in key if each not in (one, other)] + [[*one, *other]]

    def compute_f1(recall: float, precision: float) -> float:
        return 2 * recall * precision / (recall + precision)

    of_missed = (compute_f1(9 / 10, 1) + compute_f1(1, 2405 / 2406)) / 2
    of_wrong = (compute_f1(1, 10 / 11) + compute_f1(2404 / 2405, 1)) / 2
    assert corefeval.score(key, missed)["blanc"].f1 == pytest.approx(of_missed)
    assert corefeval.score(key, wrong)["blanc"].f1 == pytest.approx(of_wrong)
    assert of_wrong > of_missed
    assert judge_measures("blanc", key)["blanc", "precision-over-recall"].mark == "✗"


def _has_gold_1(case: dict[str, list[list[str]]]) -> bool:
    links = sum(len(entity) * (len(entity) - 1) // 2 for entity in case["key"])
    return links == 10 and sum(map(len, case["key"])) == 70


def test_a_cell_is_explained_with_pictures() -> None:
    """By hand: the entity of four, divided, is aligned with its clean half, so the stray in the other is free to be."""
    shown = run("criteria", "ceafm", "rag-bag").stdout
    assert shown.startswith("ceafm, rag-bag: ✗")
    assert "key         [a b c d] [e] [f] [g]" in shown
    assert "Amigó" in shown
    content = json.loads(run("criteria", "ceafm", "rag-bag", "--json").stdout)
    assert content["same_mentions"]["example"]["mentions"] == 7
    assert run("criteria", "lea", "--csv").stdout.count("\n") == 1 + 2 * len(CRITERIA)


def test_a_key_can_be_typed() -> None:
    shown = run("criteria", "muc", "upper-limit", "--key", "x y | z").stdout
    assert "responses to [a b] [c]" in shown
    assert run("criteria", "muc", "upper-limit", "--key", "-", stdin="x y | z\n").stdout == shown


def test_wrong_names_are_refused() -> None:
    refused = run("criteria", "lea", "rag-bags")
    assert refused.returncode == 2
    assert "rag-bag" in refused.stderr
    assert run("criteria", "leah").returncode == 2


def test_a_measure_that_is_not_shipped_is_judged_by_a_search() -> None:
    assert "lea:beta=2" not in load_cache()[0]
    assert explain_verdict("lea:beta=2", "no-right-link", [["a", "b"], ["c"]]).judgement.mark == "✓"


@pytest.mark.slow
def test_what_is_shipped_is_what_a_search_finds() -> None:
    shipped, _ = load_cache()
    found = search_verdicts(select_measures("all"), list_bases())
    assert {judged.measure: judged for judged in found.judged if judged.measure in shipped} == shipped
    missing = [judged.measure for judged in found.judged if judged.measure not in shipped]
    assert not missing, f"not in {CACHE}: run python -m corefeval.lab.criteria"
    assert json.loads(write_cache(found))["never_above"] == {name: list(each) for name, each in found.severer.items()}
