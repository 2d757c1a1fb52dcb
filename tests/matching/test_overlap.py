"""Partial credit for mentions that overlap, and weights by type, in CEAF (Luo 2005, 2.2)."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import corefeval
from corefeval import Corpus, OptionError
from corefeval.formats.draft import Draft
from corefeval.measures.ceaf import Ceafe, Ceafm
from tests.oracles import matching as slow_matching
from tests.oracles import measures as slow
from tests.rounds import few_or_many

Runs = slow_matching.Runs
Entities = list[list[Runs]]


def corpus(documents: list[Entities]) -> Corpus:
    return slow_matching.corpus([[[(runs, None) for runs in entity] for entity in each] for each in documents], 30)


def dice(one: Runs, other: Runs) -> Fraction:
    ours, theirs = slow_matching.words_of(one), slow_matching.words_of(other)
    return Fraction(2 * len(ours & theirs), len(ours) + len(theirs))


def random_entities(rng: random.Random) -> Entities:
    entities: Entities = [[], [], []]
    for runs in dict.fromkeys(slow_matching.random_runs(rng, 12) for _ in range(rng.randint(1, 7))):
        rng.choice(entities).append(runs)
    return [entity for entity in entities if entity]


def slow_ceaf(key: list[Entities], response: list[Entities], credit: dict[tuple[Any, Any], Fraction]) -> slow.Fractions:
    """Σ of the best alignment, and the sizes, for φ3; credits by (document, mention) of both sides."""
    total = Fraction(0)
    for number, (ours, theirs) in enumerate(zip(key, response, strict=True)):
        table: list[list[slow.Exact]] = [
            [sum(credit.get(((number, a), (number, b)), Fraction(0)) for a, b in product(i, j)) for j in theirs]
            for i in ours
        ]
        total += slow.best_alignment(table)
    sizes = [sum(len(entity) for each in side for entity in each) for side in (key, response)]
    return total, sizes[0], total, sizes[1]


@few_or_many(60, 300)
def test_the_greatest_total_overlap_among_all_pairs_and_its_ceaf(rounds: int) -> None:
    rng = random.Random(8)
    partial = 0
    for _ in range(rounds):
        key, response = ([random_entities(rng) for _ in range(2)] for _ in range(2))
        ours, theirs = ([(d, m) for d, each in enumerate(side) for e in each for m in e] for side in (key, response))
        pairs = slow_matching.matched(corpus(key), corpus(response), "overlap")
        same = [(i, j) for i, j in product(range(len(ours)), range(len(theirs))) if ours[i] == theirs[j]]
        assert set(same) <= set(pairs)
        left = [pair for pair in pairs if pair not in same]

        def credit(i: int, j: int, ours: list[Any] = ours, theirs: list[Any] = theirs) -> Fraction:
            return dice(ours[i][1], theirs[j][1]) if ours[i][0] == theirs[j][0] else Fraction(0)

        free = [i for i in range(len(ours)) if i not in {i for i, _ in same}]
        their_free = [j for j in range(len(theirs)) if j not in {j for _, j in same}]
        assert sum(credit(i, j) for i, j in left) == slow_matching.best_total(free, their_free, credit)
        expected = slow_ceaf(key, response, {(ours[i], theirs[j]): credit(i, j) for i, j in pairs})
        found = corefeval.score(corpus(key), corpus(response), match="overlap", measures="ceafm")["ceafm"]
        assert found.recall_numerator == pytest.approx(float(expected[0]))
        assert (found.recall_denominator, found.precision_denominator) == (expected[1], expected[3])
        partial += len(left)
    assert partial > 2 * rounds // 3


KEY: Entities = [[((0, 2),), ((10, 10),)], [((5, 6),), ((12, 12),)]]
RESPONSE: Entities = [[((1, 2),), ((10, 10),)], [((5, 5),), ((12, 12),)]]


def test_credit_by_hand() -> None:
    """Three words against two of them: 4/5; two against one: 2/3. Both other mentions are the same."""
    evaluation = corefeval.score(corpus([KEY]), corpus([RESPONSE]), match="overlap", measures=["ceafm", "ceafe", "muc"])
    first, second = Fraction(4, 5), Fraction(2, 3)
    assert evaluation["ceafm"].recall == pytest.approx(float((2 + first + second) / 4))
    similarity = 2 * (1 + first) / 4 + 2 * (1 + second) / 4
    assert evaluation["ceafe"].precision == pytest.approx(float(similarity / 2))
    assert evaluation["muc"].f1 == 1.0
    assert [warning.kind for warning in evaluation.notices] == ["partial-credit"]
    assert "2 pairs of mentions overlap" in evaluation.notices[0].message
    exact = corefeval.score(corpus([KEY]), corpus([RESPONSE]), measures="ceafm")["ceafm"]
    assert exact.recall == 0.5


def test_other_similarities_count_credits_too() -> None:
    measures = ["ceaf:phi=1", "ceaf:phi=2", "ceaf:phi=3", "ceaf:phi=4"]
    evaluation = corefeval.score(
        corpus([KEY]), corpus([RESPONSE]), match="overlap", measures=[*measures, "ceafm", "ceafe"]
    )
    assert evaluation["ceaf:phi=1"].f1 == 0.0
    assert evaluation["ceaf:phi=2"].f1 == 1.0
    assert evaluation["ceaf:phi=3"].f1 == evaluation["ceafm"].f1
    assert evaluation["ceaf:phi=4"].f1 == evaluation["ceafe"].f1


@pytest.mark.parametrize("twinless", ["rahman_ng", "cai_strube"])
def test_credits_go_through_rewritten_tables(twinless: str) -> None:
    """Nothing here is twinless, so rewriting changes nothing; a mention that the key lacks does not take credit away."""
    measure = f"ceafm:twinless={twinless}"
    plain = corefeval.score(corpus([KEY]), corpus([RESPONSE]), match="overlap", measures=["ceafm", measure])
    assert plain[measure].f1 == pytest.approx(plain["ceafm"].f1)
    more: Entities = [*RESPONSE, [((20, 20),)]]
    assert corefeval.score(corpus([KEY]), corpus([more]), match="overlap", measures=[measure])[
        measure
    ].recall == pytest.approx(plain["ceafm"].recall)


def test_document_by_document_and_after_pickling() -> None:
    whole = corefeval.score(corpus([KEY, KEY]), corpus([RESPONSE, KEY]), match="overlap", measures=["ceafm", "ceafe"])
    scorer = corefeval.Scorer(["ceafm", "ceafe"], match="overlap")
    for number, response in enumerate((RESPONSE, KEY)):
        scorer.update(corpus([KEY]), corpus([response]), document=f"d{number}")
    parts = scorer.compute()
    again = pickle.loads(pickle.dumps(whole))
    for name in ("ceafm", "ceafe"):
        assert parts[name].f1 == pytest.approx(whole[name].f1)
        assert again[name].f1 == whole[name].f1


def test_mentions_in_several_entities() -> None:
    """CEAF compares entities as sets: a repeated mention is in both, and is worth what it overlaps in each."""
    repeated: Entities = [[((0, 2),), ((10, 10),)], [((0, 2),), ((5, 6),)]]
    response: Entities = [[((1, 2),), ((10, 10),)], [((5, 6),)]]
    evaluation = corefeval.score(corpus([repeated]), corpus([response]), match="overlap", measures="ceafm")
    assert evaluation["ceafm"].recall_numerator == pytest.approx(1 + 4 / 5 + 1)
    swapped = corefeval.score(corpus([response]), corpus([repeated]), match="overlap", measures="ceafm")
    assert swapped["ceafm"].recall_numerator == pytest.approx(1 + 4 / 5 + 1)


def test_zeros_of_one_side_are_no_part_of_the_words_around_them() -> None:
    key, response = Draft("key"), Draft("response")
    document = key.add_document("d", words=["a", "b", "c"])
    document.add_mention("1", (0, 2))
    document = response.add_document("d", words=["a", "", "b", "c"], empty=[False, True, False, False])
    document.add_mention("1", (1, 1))
    assert slow_matching.matched(key.build_corpus(), response.build_corpus(), "overlap") == []
    document.add_mention("2", (0, 1))
    found = corefeval.score(key.build_corpus(), response.build_corpus(), match="overlap", measures="ceafm")["ceafm"]
    assert found.recall_numerator == pytest.approx(2 * 1 / (3 + 2))


LEVELS = {"NAM": 1, "NOM": 0.5, "PRO": 0.25}


def typed(entities: list[tuple[str, list[tuple[int, str]]]], name: str = "level") -> Corpus:
    """Entities of a type, with one-word mentions of a level."""
    draft = Draft("typed")
    document = draft.add_document("d", words=[str(word) for word in range(12)])
    for number, (kind, mentions) in enumerate(entities):
        if kind:
            document.describe_entity(str(number), type=kind)
        for word, level in mentions:
            document.add_mention(str(number), (word, word), attributes={name: level} if level else {})
    return draft.build_corpus()


def test_mentions_weigh_by_their_level() -> None:
    key = typed([("PER", [(0, "NAM"), (1, "NOM"), (2, "PRO")]), ("LOC", [(3, "NAM"), (4, "PRO")])])
    response = typed([("PER", [(0, "NAM"), (2, "PRO")]), ("PER", [(1, "NOM"), (3, "NAM"), (4, "PRO")])])
    measures = Ceafm(mention_weights=LEVELS), Ceafe(mention_weights=LEVELS)
    evaluation = corefeval.score(key, response, measures=measures)
    mentions, entities = (evaluation[measure] for measure in measures)
    # Shared: 1 + 0.25 of the first pair, 1 + 0.25 of the second; the key weighs 1.75 + 1.25, the response 1.25 + 1.75.
    assert (mentions.recall_numerator, mentions.recall_denominator) == (2.5, 3.0)
    assert (mentions.precision_numerator, mentions.precision_denominator) == (2.5, 3.0)
    assert entities.recall_numerator == pytest.approx(2 * 1.25 / (1.75 + 1.25) + 2 * 1.25 / (1.25 + 1.75))
    assert entities.recall_denominator == 2


def test_entities_weigh_by_their_type_and_the_lesser_counts() -> None:
    key = typed([("PER", [(0, "NAM"), (1, "NOM")]), ("LOC", [(3, "NAM"), (4, "PRO")])])
    response = typed([("PER", [(0, "NAM"), (1, "NOM")]), ("PER", [(3, "NAM"), (4, "PRO")])])
    measure = Ceafm(entity_weights={"PER": 2, "LOC": 1})
    score = corefeval.score(key, response, measures=measure)[measure]
    assert (score.recall_numerator, score.recall_denominator, score.precision_denominator) == (2 * 2 + 2 * 1, 6, 8)
    confused = Ceafm(entity_weights={"PER": 2, "LOC": 1, ("LOC", "PER"): 0.25})
    assert corefeval.score(key, response, measures=confused)[confused].recall_numerator == 2 * 2 + 2 * 0.25


def test_a_response_without_types_has_those_of_its_twins() -> None:
    key = typed([("", [(0, "NAM"), (1, "PRO")])])
    plain = typed([("", [(0, ""), (1, "")])])
    measure = Ceafm(mention_weights=LEVELS)
    assert corefeval.score(key, plain, measures=measure)[measure].f1 == 1.0
    stranger = typed([("", [(0, ""), (1, ""), (7, "")])])
    with pytest.raises(OptionError, match="mention_weights has no weight for level ''"):
        corefeval.score(key, stranger, measures=measure)
    known = Ceafm(mention_weights=LEVELS | {"": 0.5})
    assert corefeval.score(key, stranger, measures=known)[known].precision_denominator == 1.75


def test_weights_of_one_are_no_weights() -> None:
    rng = random.Random(5)
    for _ in range(100):
        sides = []
        for _ in range(2):
            words = rng.sample(range(12), rng.randint(1, 9))
            sides.append(typed([("PER", [(word, rng.choice(list(LEVELS))) for word in words[i::3]]) for i in range(3)]))
        for kind in (Ceafm, Ceafe):
            measure = kind(mention_weights=dict.fromkeys(LEVELS, 1), entity_weights={"PER": 1})
            evaluation = corefeval.score(*sides, measures=[measure, kind()])
            assert evaluation[measure].f1 == pytest.approx(evaluation[kind()].f1)


def test_weights_and_credit_together() -> None:
    key, response = Draft("key"), Draft("response")
    document = key.add_document("d", words=list("abcdef"))
    document.add_mention("1", (0, 2), attributes={"level": "NOM"})
    response.add_document("d", words=list("abcdef")).add_mention("1", (1, 2))
    measure = Ceafm(mention_weights=LEVELS)
    score = corefeval.score(key.build_corpus(), response.build_corpus(), match="overlap", measures=measure)[measure]
    assert score.recall_numerator == pytest.approx(0.5 * 4 / 5)
    assert score.recall_denominator == 0.5


def test_another_attribute_and_what_weights_cannot_be() -> None:
    key = typed([("", [(0, "x"), (1, "y")])], name="role")
    measure = Ceafm(mention_weights={"role": {"x": 1, "y": 0}})
    assert corefeval.score(key, key, measures=measure)[measure].recall_denominator == 1
    for weights, message in (
        (LEVELS, "needs an attribute 'level' or 'type', which neither side has; there are: role"),
        ({"role": {"x": 1}}, "no weight for role 'y'"),
        ({"role": {"x": 1, "y": -1}}, "'y' must be 0, or a number from 1e-35 to 1e35"),
        ({"role": {"x": 1, "y": "many"}}, "'y' must be 0, or a number from 1e-35 to 1e35"),
    ):
        with pytest.raises(OptionError, match=message):
            corefeval.score(key, key, measures=Ceafm(mention_weights=weights))
    both = Ceafm(mention_weights={"role": {"x": 1, "y": 1}}, twinless="rahman_ng")
    with pytest.raises(OptionError, match="do not go together"):
        corefeval.score(key, key, measures=both)


def test_a_scorer_weighs_while_it_has_the_mentions() -> None:
    key = typed([("PER", [(0, "NAM"), (1, "PRO")])])
    measure = Ceafm(mention_weights=LEVELS)
    scorer = corefeval.Scorer([measure])
    scorer.update(key, key, document="one")
    scorer.update(key, key, document="two")
    assert scorer.compute()[measure].recall_denominator == 2.5


def test_spans_of_python_are_spans() -> None:
    key, response = [[(0, 1), (3, 4)], [(6, 9)]], [[(0, 1), (3, 5)], [(6, 9)]]
    made = corefeval.score(key, response, match="overlap")
    assert made["ceafm"].recall == pytest.approx((2 + 2 * 2 / 5) / 3)  # (3, 4) and (3, 5): 2·2 words of 2 + 3
    assert corefeval.score(key, response, match="craft")["mentions"].recall == pytest.approx(2 / 3)
    assert corefeval.score(response, key, match="craft")["mentions"].recall == 1  # (3, 4) lies within (3, 5)
    for words in ([["Ann"]], [[(3, 1)]], [[(0, 1), "Ann"]]):
        with pytest.raises(OptionError, match=r"mentions here are labels such as .*; spans are \(first, last\)"):
            corefeval.score(words, words, match="overlap")


def test_overlaps_count_in_every_entity_that_has_the_mention() -> None:
    """The key's (0, 2) overlaps with (1, 2), which is in both response entities: 4/5 of a mention in either."""
    key, response = [[(0, 2), (10, 10)], [(5, 6)]], [[(1, 2), (10, 10)], [(1, 2), (5, 6)]]
    for entities in (response, response[::-1], [each[::-1] for each in response]):
        made = corefeval.score(key, entities, match="overlap", duplicates="ua")
        assert made["ceafm"].recall_numerator == pytest.approx(1 + 4 / 5 + 1)


def test_zeros_that_are_looked_up_as_others_go_with_overlaps() -> None:
    """The key's zeros stand in each other's places in the response, as for the CorefUD scorer 1.2."""

    def side(*depends: str) -> Corpus:
        draft = Draft("side")
        columns = {"deps": ["", *depends, ""]}
        empty = [False, True, True, True, False]
        document = draft.add_document("d", words=["a", "_", "_", "_", "b"], empty=empty, word_attributes=columns)
        for place in (1, 2, 3):
            document.add_mention(f"e{place}", (place, place))
        return draft.build_corpus()

    key, response = side("1:x", "2:x", "3:x"), side("2:x", "3:x", "1:x")
    right, crossed = (corefeval.score(key, response, match="overlap", zeros=z) for z in ("dependency", "corefud-1.2"))
    assert right["ceafm"].f1 == 1
    assert "crossed-zeros" in {notice.kind for notice in crossed.notices}
    assert crossed["ceafm"].f1 == corefeval.score(key, response, zeros="corefud-1.2")["ceafm"].f1  # all are whole
