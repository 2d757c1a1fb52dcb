"""Mentions that stand in several entities: never refused, settled by a stated rule, and every one of them named."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import InputError
from corefeval.formats.draft import Draft
from corefeval.options import DECISIONS, load_behaviour
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
