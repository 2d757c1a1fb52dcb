"""Mentions that stand in several entities: never refused, settled by a stated rule, and every one of them named."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import InputError, OptionError
from corefeval.formats.draft import Draft
from corefeval.options import DECISIONS, load_behaviour
from tests.oracles import measures as slow
from tests.rounds import few_or_many

if TYPE_CHECKING:
    from corefeval import Corpus

F1 = ("muc", "bcub", "ceafe", "blanc")


def f1(key: Any, response: Any, **options: Any) -> list[float]:
    evaluation = corefeval.score(key, response, **options)
    return [round(100 * evaluation[measure].f1, 2) for measure in F1]


REFERENCE = [
    # key, response, and what the reference scorer gives for MUC, B³, CEAFe and BLANC
    ([[0, 1], [2, 3]], [[0, 1], [1, 2, 3]], [100, 100, 100, 100]),
    ([[0, 1], [2, 3]], [[0, 1, 1], [2, 3]], [100, 100, 100, 100]),
    ([[0, 1], [2, 3]], [[0, 1, 5], [2, 3, 5]], [66.67, 61.54, 80, 55.77]),
    ([[0, 1], [1, 2, 3]], [[0, 1], [1, 2, 3]], [40, 66.27, 90, 73.33]),
    ([[0, 1], [1, 2, 3]], [[0, 1], [2, 3]], [40, 66.27, 90, 73.33]),
    ([[0, 1]], [[0, 1], [5], [5]], [100, 66.67, 50, 100]),
]


@pytest.mark.parametrize(("key", "response", "expected"), REFERENCE)
def test_default_is_the_reference_scorers_rule(key: Any, response: Any, expected: list[float]) -> None:
    assert f1(key, response) == pytest.approx(expected, abs=0.011)


# Found by comparing thousands of random files with the reference scorer: mentions twice in one entity, in several
# entities of the key, and pairs of mentions that share two entities. Counts as it prints them.
PRINTED = [
    (
        [[(0, 0), (0, 1), (2, 2), (0, 0)], [(1, 1), (0, 0), (0, 0), (1, 2), (2, 2)], [(1, 2)]],
        [[(0, 1)]],
        {"blanc.coreference": [0, 9, 0, 0]},
    ),
    (
        [[(4, 4), (0, 0), (3, 4)], [(2, 2)], [(6, 6)]],
        [[(0, 1), (6, 6), (1, 1), (1, 1)], [(0, 0), (3, 4), (1, 1), (1, 2), (3, 4), (3, 4), (1, 1), (1, 1)]],
        {"blanc.coreference": [1, 3, 1, 10]},
    ),
]


@pytest.mark.parametrize(("key", "response", "expected"), PRINTED)
def test_links_of_repeated_mentions_are_counted_as_sets(
    key: Any, response: Any, expected: dict[str, list[int]]
) -> None:
    score = corefeval.score(key, response)["blanc"].coreference
    counts = [score.recall_numerator, score.recall_denominator, score.precision_numerator, score.precision_denominator]
    assert counts == expected["blanc.coreference"]


def test_mention_detection_counts_a_repeated_mention_once() -> None:
    score = corefeval.score([[0, 1], [1, 2]], [[0, 5], [5, 1], [1]])["mentions"]
    assert (score.recall_numerator, score.recall_denominator, score.precision_denominator) == (2, 3, 3)


@pytest.mark.parametrize("policy", ["first", "merge", "keep"])
def test_a_file_with_repeats_against_itself_is_perfect(policy: str) -> None:
    entities = [[0, 1], [1, 2, 3], [3, 4], [7, 7, 8]]
    evaluation = corefeval.score(entities, entities, measures="all", duplicates=policy)
    assert {str(m): evaluation[m].main for m in evaluation.measures if m.more_is_better} == {
        str(m): 1.0 for m in evaluation.measures if m.more_is_better
    }


def test_first_keeps_a_mention_where_it_comes_first() -> None:
    evaluation = corefeval.score([[0, 1], [2, 3]], [[0, 1, 5], [2, 3, 5]], duplicates="first")
    assert evaluation.table.response.size.tolist() == [3, 2]


def test_merge_makes_one_entity_of_those_that_share_a_mention() -> None:
    evaluation = corefeval.score([[0, 1], [2, 3]], [[0, 1], [4], [1, 2], [2, 9]], duplicates="merge")
    assert evaluation.table.response.size.tolist() == [4, 1]


def test_keep_pairs_occurrences_with_the_entity_that_has_most_else_in_common() -> None:
    key = [["a", "b", "x"], ["c", "d", "x"]]
    swapped = [["c", "d", "x"], ["a", "b", "x"]]
    assert f1(key, swapped, duplicates="keep") == [100, 100, 100, 100]


def test_error_refuses_and_lists_every_repeat() -> None:
    with pytest.raises(InputError) as caught:
        corefeval.score([[0, 1], [1]], [[2], [2], [2, 0]], duplicates="error")
    assert len(caught.value.faults) == 3


def test_every_event_is_named() -> None:
    evaluation = corefeval.score({"d": [[0, 1], [2, 3]]}, {"d": [[0, 1], [1, 2, 3], [2]]})
    events = [notice for notice in evaluation.notices if notice.kind == "repeated-mention"]
    assert [event.details["entities"] for event in events] == [["0", "1"], ["1", "2"]]
    assert all(event.details["document"] == "d" and event.details["side"] == "response" for event in events)
    assert all("'d'" in event.message for event in events)


def test_thousands_of_repeats_are_counted_and_the_first_thousand_named() -> None:
    many = list(range(3000))
    evaluation = corefeval.score([many], [many, many])
    events = [notice for notice in evaluation.notices if notice.kind == "repeated-mention"]
    assert len(events) == 1001
    assert events[-1].details["more"] == 2000


def test_repeats_in_one_of_many_documents_do_not_touch_the_others() -> None:
    key = {"a": [[0, 1], [2]], "b": [[0, 1], [1, 2]], "c": []}
    response = {"a": [[0], [1, 2]], "b": [[0, 1, 1], [9], [9, 2]], "c": [[4]]}
    together = corefeval.score(key, response, measures="all")
    for name in key:
        alone = corefeval.score(key[name], response[name], measures="all")
        assert {str(m): together.documents[name][m].to_dict() for m in alone.measures} == {
            str(m): alone[m].to_dict() for m in alone.measures
        }


def test_every_value_of_duplicates_is_a_policy() -> None:
    values = DECISIONS["duplicates"].values
    assert all(callable(load_behaviour("duplicates", word)) for word in values)


def headed(*rows: tuple[str, tuple[int, int], int]) -> Corpus:
    draft = Draft("side")
    document = draft.add_document("d", words=["he"] * 7)
    for entity, span, head in rows:
        document.add_mention(entity, span, head=(head, head))
    return draft.build_corpus()


@pytest.mark.parametrize("duplicates", ["keep", "ua", "conll-8.01"])
@pytest.mark.parametrize("match", ["lenient", "partial"])
def test_a_mention_with_different_heads_is_matched_by_the_first_of_them(match: str, duplicates: str) -> None:
    """1-3 has the head 1 in one entity and 2 in the other; of 1 and 2 in the response, 1 is its twin."""
    rows = [("A", (1, 3), 1), ("A", (5, 5), 5), ("B", (1, 3), 2), ("B", (6, 6), 6)]
    response = headed(("A", (1, 1), 1), ("A", (5, 5), 5), ("B", (2, 2), 2), ("B", (6, 6), 6))
    for order in permutations(range(4)):
        made = corefeval.score(headed(*(rows[row] for row in order)), response, match=match, duplicates=duplicates)
        assert made.mentions is not None
        twins = made.mentions.response.mentions.take(made.mentions.twin_response).objects()
        assert set(twins) == {(1, 1), (5, 5), (6, 6)}


def _pair_occurrences_slowly(key: list[list[str]], response: list[list[str]]) -> list[tuple[int, int]]:
    """Rows of twins under duplicates=keep: of all pairs of occurrences, greedily by what their entities share else."""
    ours, theirs = ([(n, each) for n, entity in enumerate(side) for each in entity] for side in (key, response))
    once = [
        {each for each, times in Counter(each for _, each in side).items() if times == 1} for side in (ours, theirs)
    ]
    pairs = []
    for (row, (one, mention)), (place, (other, same)) in product(enumerate(ours), enumerate(theirs)):
        if mention == same:
            common = set(key[one]) & set(response[other]) & once[0] & once[1]
            pairs.append((-len(common), one, other, row, place))
    twins: dict[int, int] = {}
    for _, _, _, row, place in sorted(pairs):
        if row not in twins and place not in twins.values():
            twins[row] = place
    return sorted(twins.items())


@few_or_many(200, 5000)
def test_keep_pairs_occurrences_as_trying_all_pairs_does(rounds: int) -> None:
    rng = random.Random(3)
    for _ in range(rounds):
        sides = [[rng.choices("abcdefg", k=rng.randint(1, 4)) for _ in range(rng.randint(1, 5))] for _ in range(2)]
        rows = corefeval.score(*sides, duplicates="keep").mentions
        assert rows is not None
        found = sorted(zip(rows.twin_key.tolist(), rows.twin_response.tolist(), strict=True))
        assert found == _pair_occurrences_slowly(*sides), sides


def test_more_pairs_than_memory_holds_are_refused() -> None:
    same = [["a"]] * 20_000
    with pytest.raises(InputError, match="400,000,000 pairs of key and response mentions on the same words"):
        corefeval.score(same, same, profile="coval")
    assert corefeval.score(same, same, duplicates="keep")["bcub"].f1 == 1


def score_sets(key: Any, response: Any, measures: Any = tuple(slow.OF_SETS), **options: Any) -> corefeval.Evaluation:
    return corefeval.score(key, response, measures=measures, duplicates="sets", **options)


def test_sets_give_the_papers_formulas_counted_by_hand() -> None:
    """Moosavi & Strube 2016: B³ has credit for all repetitions (3.2), LEA for right links alone (4)."""
    scores = score_sets([["a", "b", "c"]], [["a", "b"], ["a", "c"], ["a", "x"]])
    assert scores["bcub"].recall == (4 / 3 + 4 / 3 + 1 / 3) / 3 == 1
    assert scores["bcub"].precision == (4 / 2 + 4 / 2 + 1 / 2) / 6
    assert scores["lea"].recall == 3 * (1 / 3 + 1 / 3 + 0) / 3 == pytest.approx(0.667, abs=5e-4)
    assert scores["lea"].precision == (2 * 1 + 2 * 1 + 2 * 0) / 6
    assert scores["ceafe"].recall == 2 * 2 / (3 + 2)
    assert (scores["mentions"].recall, scores["mentions"].precision) == (1, 3 / 4)
    assert scores.signature.count("duplicates:sets") == 1


def draw_sets(rng: random.Random) -> list[list[str]]:
    """Entities of a few mentions, some of which are in several of them, or twice in one."""
    return [rng.choices("abcdefg", k=rng.randint(1, 5)) for _ in range(rng.randint(0, 5))]


@few_or_many(150, 2000)
def test_sets_are_as_slow_sums_over_sets(rounds: int) -> None:
    rng, above_one = random.Random(2016), 0
    for _ in range(rounds):
        names = [f"d{number}" for number in range(rng.randint(1, 3))]
        key, response = ({name: draw_sets(rng) for name in names} for _ in range(2))
        scores = score_sets(key, response)
        for measure, expect in slow.OF_SETS.items():
            expected = expect(slow.documents(key, response), {})
            for field in ("recall", "precision", "f1", "recall_numerator", "precision_denominator"):
                assert getattr(scores[measure], field) == pytest.approx(slow.number(expected, field)), (key, response)
            assert set(scores[measure].undefined) == set(expected["undefined"])  # type: ignore[arg-type]
        above_one += scores["bcub"].recall > 1
    assert above_one


def test_sets_without_repeats_are_like_any_other_entities() -> None:
    key, response = [[1, 2, 3], [4, 5]], [[1, 2], [3, 4, 6]]
    assert score_sets(key, response, None)["conll"] == corefeval.score(key, response)["conll"]
    twice_in_one = score_sets(key, [[1, 2, 2], [3, 4, 6]], "all")
    assert twice_in_one["muc"].values == corefeval.score(key, response)["muc"].values


@few_or_many(10, 60)
def test_sets_of_parts_are_those_of_the_whole(rounds: int) -> None:
    """Whatever splits, joins, drops or pickles tables keeps what entities share."""
    rng = random.Random(8)
    for _ in range(rounds):
        key, response = ({f"d{number}": draw_sets(rng) for number in range(3)} for _ in range(2))
        whole = score_sets(key, response)
        scorer = corefeval.Scorer(measures=tuple(slow.OF_SETS), duplicates="sets")
        for name in key:
            scorer.update({name: key[name]}, {name: response[name]})
        found = scorer.compute()
        again = pickle.loads(pickle.dumps(found))
        for measure in slow.OF_SETS:
            assert found[measure].values == again[measure].values == whole[measure].values
        if found.overlaps.views.of_sets:
            with pytest.raises(OptionError, match="muc has no formula for entities that share mentions"):
                found["muc"]
        mirrored = score_sets(response, key)
        assert [whole[name].precision for name in whole] == [mirrored[name].recall for name in mirrored]


SHARING = [["a", "b", "c"], ["d"]], [["a", "b"], ["a", "c"], ["a", "x"]]


@pytest.mark.parametrize(
    "measure", ["muc", "blanc", "conll", "mean(lea,pairwise)", "purity", "exclusive_core", "bcub:weight=entity",
                "bcub:twinless=pad", "lea:twinless=discard_both", "mor"])  # fmt: skip
def test_measures_without_a_formula_of_sets_are_refused(measure: str) -> None:
    with pytest.raises(
        OptionError, match=r"has no formula for entities that share mentions.*bcub, ceafm, ceafe, ceaf and lea"
    ):
        score_sets(*SHARING, measure)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"twinless": "cai_strube"}, "duplicates='sets' needs twinless='keep'"),
        ({"profile": "conll-2012"}, "duplicates='sets' needs twinless='keep'"),
        ({"profile": "scorch-cli"}, "duplicates='sets' needs twinless='keep'"),
        ({"split_antecedents": "keep"}, "duplicates='sets' needs split_antecedents='drop'"),
        ({"zeros": "corefud-1.2"}, "duplicates='sets' needs zeros='order' or 'alone' or 'drop' or 'dependency'"),
    ],
)
def test_decisions_that_sets_have_no_place_for_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        score_sets(*SHARING, "bcub", **options)


@pytest.mark.parametrize("measure", ["bcub", "lea", "ceafm", "ceafe"])
def test_sets_are_explained_in_steps_that_come_to_the_score(measure: str) -> None:
    text = corefeval.explain(measure, *SHARING, duplicates="sets").text
    assert "otherwise" not in text
    assert "R2 = {a, c}" in text
    assert f"= {score_sets(*SHARING)[measure].recall:.4f}" in text


def test_costs_of_sets_are_what_scores_gain_without_them() -> None:
    analysis = corefeval.analyse(*SHARING, measures=["bcub", "lea"], duplicates="sets")
    for measure in ("bcub", "lea"):
        found = analysis.costs(measure)
        assert not found.exact
        without_a = score_sets([["b", "c"], ["d"]], [["b"], ["c"], ["x"]])[measure].f1
        assert found.key_mentions[0] == pytest.approx(without_a - analysis.evaluation[measure].f1)
    assert set(analysis.identification.credit) == {"bcub", "ceafm", "ceafe", "lea"}
    assert "muc" not in str(analysis)
