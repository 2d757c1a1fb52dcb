"""What mentions in several entities cost, counted here once more on plain lists and sets."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval.analysis.costs.costs import compute_costs
from tests.analysis.decisions import MEASURES, evaluate_random, under_every_decision

if TYPE_CHECKING:
    from collections.abc import Callable


Entities = list[list[str]]
Occurrences = list[tuple[int, str]]


def drawn(rng: random.Random) -> Entities:
    """A few entities that share mentions; some have one twice."""
    entities: Entities = [[] for _ in range(rng.choice((2, 3, 4)))]
    for mention in "abcdefgh":
        for _ in range(rng.choices((0, 1, 2, 3), (2, 8, 3, 1))[0]):
            rng.choice(entities).append(mention)
    return [entity for entity in entities if entity]


def occurrences(entities: Entities) -> Occurrences:
    return [(number, mention) for number, entity in enumerate(entities) for mention in entity]


def looked_up(own: Entities, other: Entities) -> list[int | None]:
    """For every occurrence the last entity of the other side that has it."""
    last = {mention: number for number, entity in enumerate(other) for mention in entity}
    return [last.get(mention) for _, mention in occurrences(own)]


def fragments(own: Entities, other: Entities) -> list[int]:
    """For every occurrence how many of its entity are found where it is."""
    there = looked_up(own, other)
    cells = Counter((entity, where) for (entity, _), where in zip(occurrences(own), there, strict=True))
    return [
        cells[entity, where] if where is not None else 0
        for (entity, _), where in zip(occurrences(own), there, strict=True)
    ]


def of_muc(own: Entities, other: Entities) -> list[float]:
    sizes = [len(own[entity]) for entity, _ in occurrences(own)]
    return [1 / max(n, 1) - 1 / k for n, k in zip(fragments(own, other), sizes, strict=True)]


def of_bcub(own: Entities, other: Entities) -> list[float]:
    sizes = [len(own[entity]) for entity, _ in occurrences(own)]
    return [1 - n / k for n, k in zip(fragments(own, other), sizes, strict=True)]


def of_lea(own: Entities, other: Entities) -> list[float]:
    """Each occurrence's share in k · (links missed / links)."""
    missed = []
    for (entity, _), n, where in zip(occurrences(own), fragments(own, other), looked_up(own, other), strict=True):
        k = len(own[entity])
        alone = where is not None and len(other[where]) == 1
        missed.append(((k - 1) - (n - 1 if n else 0)) / (k - 1) if k > 1 else float(not alone))
    return missed


def shares(recall: float, precision: float) -> tuple[float, float]:
    if recall + precision < 1e-12:
        return 0.5, 0.5
    return precision / (recall + precision), recall / (recall + precision)


EACH: dict[str, tuple[Callable[[Entities, Entities], list[float]], Callable[[Entities], float]]] = {
    "muc": (of_muc, lambda side: sum(len(entity) - 1 for entity in side)),
    "bcub": (of_bcub, lambda side: sum(map(len, side))),
    "lea": (of_lea, lambda side: sum(map(len, side))),
}


@pytest.mark.parametrize("measure", EACH)
@pytest.mark.parametrize("duplicates", ["allennlp", "coval"])
def test_occurrences_are_looked_up_one_by_one(measure: str, duplicates: str) -> None:
    lacking, full = EACH[measure]
    rng = random.Random(1)
    for _ in range(80):
        key, response = drawn(rng), drawn(rng)
        evaluation = corefeval.score(key, response, measures=[measure], duplicates=duplicates)
        found = compute_costs(evaluation, evaluation.measures[0])
        ours, theirs = lacking(key, response), lacking(response, key)
        wholes = full(key), full(response)
        if not all(wholes):
            continue
        assert found.exact
        weights = shares(1 - sum(ours) / wholes[0], 1 - sum(theirs) / wholes[1])
        assert found.key_mentions.tolist() == pytest.approx([weights[0] * each / wholes[0] for each in ours])
        assert found.response_mentions.tolist() == pytest.approx([weights[1] * each / wholes[1] for each in theirs])
        assert found.rest == 0


def test_ceaf_aligns_entities_that_count_occurrences() -> None:
    """φ4 of the occurrences of a key entity that a response entity has; all alignments are tried."""
    rng = random.Random(2)
    for _ in range(80):
        key, response = drawn(rng), drawn(rng)
        evaluation = corefeval.score(key, response, measures=["ceafe"], duplicates="allennlp")
        found = compute_costs(evaluation, evaluation.measures[0])
        similar = [[2 * sum(m in r for m in k) / (len(k) + len(r)) for r in response] for k in key]
        short, long = sorted((len(key), len(response)))
        best = max(
            sum(similar[i][j] if len(key) <= len(response) else similar[j][i] for i, j in enumerate(chosen))
            for chosen in permutations(range(long), short)
        )
        recall, precision = best / len(key), best / len(response)
        if max(recall, precision) > 1:
            assert not found.exact
            continue
        weights = shares(recall, precision)
        assert found.key_entities.sum() == pytest.approx(weights[0] * (1 - recall))
        assert found.response_entities.sum() == pytest.approx(weights[1] * (1 - precision))


def lack_by_look_up(key: Entities, response: Entities, *, coreferent: bool) -> tuple[list[float], list[float]]:
    """Links of occurrences; what the key's have in common with the response's goes back to where they were found."""
    ours, theirs, there = occurrences(key), occurrences(response), looked_up(key, response)
    place = [
        None if where is None else max(at for at, each in enumerate(theirs) if each == (where, mention))
        for (_, mention), where in zip(ours, there, strict=True)
    ]
    lacking = [0.0] * len(ours), [0.0] * len(theirs)
    for side, listed in enumerate((ours, theirs)):
        for one, other in combinations(range(len(listed)), 2):
            if (listed[one][0] == listed[other][0]) == coreferent:
                lacking[side][one] += 0.5
                lacking[side][other] += 0.5
    for one, other in combinations(range(len(ours)), 2):
        back = place[one], place[other]
        if back[0] is None or back[1] is None:
            continue
        if (ours[one][0] == ours[other][0]) == (there[one] == there[other]) == coreferent:
            for side, ends in enumerate(((one, other), back)):
                for end in ends:
                    lacking[side][end] -= 0.5  # type: ignore[index]
    return lacking


def settled(lacking: list[float], entities: list[int]) -> list[float]:
    """What is too much is taken off the entities that lack something, then off the mentions of each, in proportion."""
    if min(lacking, default=0) >= 0:
        return lacking
    whole = [sum(lack for lack, where in zip(lacking, entities, strict=True) if where == e) for e in set(entities)]
    total, positive = sum(whole), sum(max(each, 0) for each in whole)
    found = []
    for lack, where in zip(lacking, entities, strict=True):
        of_entity = max(whole[where], 0) * total / positive if positive else 0.0
        others = sum(max(each, 0) for each, e in zip(lacking, entities, strict=True) if e == where)
        found.append(of_entity * max(lack, 0) / others if others else 0.0)
    return found


def test_links_of_occurrences_are_those_of_the_key_looked_up() -> None:
    rng = random.Random(3)
    exact = 0
    for _ in range(120):
        key, response = drawn(rng), drawn(rng)
        evaluation = corefeval.score(key, response, measures=["pairwise"], duplicates="allennlp")
        links = evaluation["pairwise"].values
        found = compute_costs(evaluation, evaluation.measures[0])
        lacking = lack_by_look_up(key, response, coreferent=True)
        wholes = float(links["recall_denominator"]), float(links["precision_denominator"])
        assert sum(lacking[1]) == pytest.approx(wholes[1] - float(links["precision_numerator"]))
        assert found.exact == (min(map(sum, lacking)) >= 0)
        if found.exact and all(wholes):
            exact += 1
            weights = shares(evaluation["pairwise"].recall, evaluation["pairwise"].precision)
            sides = zip(lacking, (key, response), weights, wholes, found.columns[2:], strict=True)
            for lack, side, weight, whole, costing in sides:
                expected = settled(lack, [entity for entity, _ in occurrences(side)])
                assert costing.tolist() == pytest.approx([weight * each / whole for each in expected])
    assert exact > 60


def sets(entities: Entities) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Coreference and non-coreference links as the reference scorer has them: pairs of mentions, each once."""
    together = {tuple(sorted(pair)) for entity in entities for pair in combinations(entity, 2)}
    apart = {tuple(sorted((a, b))) for one, other in combinations(entities, 2) for a in one for b in other}
    return together, apart  # type: ignore[return-value]


def as_reference_scorer(key: Entities, response: Entities) -> Entities:
    """A mention of the key stays where it comes first."""
    ours, seen, left = {mention for entity in key for mention in entity}, set(), []
    for entity in response:
        kept = []
        for mention in entity:
            if mention not in ours or mention not in seen:
                kept.append(mention)
            seen.add(mention)
        left.append(kept)
    return [entity for entity in left if entity]


@pytest.mark.parametrize("alpha", [0, 1])
def test_links_of_the_reference_scorer_are_sets(alpha: int) -> None:
    """All that a mention costs, wherever it stands: half of every link that the other side has not."""
    rng = random.Random(4)
    for _ in range(120):
        key, response = drawn(rng), drawn(rng)
        measure = f"blanc:alpha={alpha},boundary=none"
        evaluation = corefeval.score(key, response, measures=[measure])
        found = compute_costs(evaluation, evaluation.measures[0])
        assert found.exact
        ours, theirs = (sets(side)[1 - alpha] for side in (key, as_reference_scorer(key, response)))
        if not ours or not theirs:
            continue
        weights = shares(len(ours & theirs) / len(ours), len(ours & theirs) / len(theirs))
        rows = evaluation.mentions
        assert rows is not None
        for corpus, costing, own, other, weight in (
            (rows.key, found.key_mentions, ours, theirs, weights[0]),
            (rows.response, found.response_mentions, theirs, ours, weights[1]),
        ):
            names = [str(mention) for mention in corpus.mentions.objects()]
            for name in set(names):
                lost = sum(pair.count(name) / 2 for pair in own - other)
                of_all = sum(cost for cost, each in zip(costing.tolist(), names, strict=True) if each == name)
                assert of_all == pytest.approx(weight * lost / len(own)), (key, response, name)


def test_a_mention_is_left_out_of_every_entity_that_has_it() -> None:
    """Leave-one-out, done here on the lists."""
    rng = random.Random(5)
    for _ in range(15):
        key, response = drawn(rng), drawn(rng)
        for duplicates in ("conll-8.01", "allennlp"):
            evaluation = corefeval.score(key, response, measures=["rand"], duplicates=duplicates)
            found = compute_costs(evaluation, evaluation.measures[0])
            rows = evaluation.mentions
            assert rows is not None

            def without(gone: str, sides: tuple[Entities, Entities] = (key, response), how: str = duplicates) -> float:
                left = [[[m for m in entity if m != gone] for entity in side] for side in sides]
                kept = [[entity for entity in side if entity] for side in left]
                return corefeval.score(*kept, measures=["rand"], duplicates=how)["rand"].main

            gains = [without(str(m)) - evaluation["rand"].main for m in rows.key.mentions.objects()]
            assert found.key_mentions.tolist() == pytest.approx(gains)


def fractions(score: corefeval.Score) -> list[float]:
    """Recall and precision of a measure and of the parts of which it is made."""
    own = [float(score.values[name]) for name in ("recall", "precision") if name in score.values]
    return own + [value for part in score.parts.values() for value in fractions(part)]


@under_every_decision
def test_costs_of_repeated_mentions_are_the_whole_loss(options: dict[str, Any]) -> None:
    """Costs are a sum unless some recall or precision is above 1, and what is nobody's is never less than nothing."""
    for seed in range(12):
        evaluation = evaluate_random(seed, options, again=0.2, twice=seed % 2 == 1)
        analysis = corefeval.Analysis(evaluation)
        documents = list(evaluation.documents.values())
        measures = [measure for measure in MEASURES if measure in evaluation]
        for measure in measures:
            found = analysis.costs(measure)
            assert found.loss == pytest.approx(1 - evaluation[measure].main)
            if not found.exact:
                parts = ["bcub", "ceafe"] if measure == "conll" else [measure]
                scores = [evaluation[part] for part in parts] + [each[part] for part in parts for each in documents]
                rewritten = evaluation.options.twinless != "keep" or evaluation.options.duplicates == "sets"
                assert rewritten or any(max(fractions(score)) > 1 for score in scores), measure
                continue
            of_entities = found.key_entities.sum() + found.response_entities.sum()
            of_mentions = found.key_mentions.sum() + found.response_mentions.sum()
            assert of_entities == pytest.approx(of_mentions)
            assert of_entities + found.rest == pytest.approx(found.loss)
            assert min(column.min(initial=0) for column in found.columns) > -1e-9
            assert found.rest >= 0
            assert found.rest == 0 or any(scored[name].undefined for scored in documents for name in measures), measure
