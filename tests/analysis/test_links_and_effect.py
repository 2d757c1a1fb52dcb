"""LinkError errors as cort has them, and the mention identification effect of Moosavi & Strube 2016."""

from __future__ import annotations

import random
from typing import Any

import pytest

import corefeval
from corefeval.analysis.errors import links
from corefeval.overlap.twinless import FOR_ALL
from tests.analysis.decisions import evaluate_random, under_every_decision
from tests.analysis.drawing import documents, levelled
from tests.data import public_data

# cort/test/analysis/test_spanning_tree_algorithms.py: a gold entity with types, and a system's mentions
TYPES = {(0, 0): "NOM", (1, 1): "NAM", (2, 3): "PRO", (4, 5): "NAM", (5, 6): "NOM", (7, 7): "NOM"}
SYSTEM = [[(0, 0), (2, 3)], [(4, 5), (5, 6)], [(3, 4), (7, 8)]]


def pairs(found: tuple[links.LinkError, ...], kind: str, side: corefeval.Corpus) -> set[tuple[object, object]]:
    names = side.mentions.objects()
    return {(names[link.anaphor_row], names[link.antecedent_row]) for link in found if link.kind == kind}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        # the edges that cort's tests expect of the two trees, less those within a fragment
        ("closest", {((1, 1), (0, 0)), ((4, 5), (2, 3)), ((7, 7), (5, 6))}),
        ("accessibility", {((1, 1), (0, 0)), ((4, 5), (1, 1)), ((7, 7), (4, 5))}),
    ],
)
def test_missed_links_are_those_of_corts_tests(tree: str, expected: set[object]) -> None:
    key = corefeval.Corpus.from_entities({"": [list(TYPES)]}).replace(attributes={"level": list(TYPES.values())})
    rows = corefeval.score(key, SYSTEM).mentions
    assert rows is not None
    assert pairs(links.find_link_errors(rows, tree), "missed", rows.key) == expected


def test_errors_of_corts_extractor() -> None:
    """cort/test/analysis/test_error_extractors.py."""
    first = [(0, 0), (1, 1), (2, 3), (4, 5), (5, 6), (7, 7)]
    second = [(3, 4), (7, 8), (10, 10)]
    system = [[(0, 0), (2, 3)], [(7, 7), (10, 10)], [(4, 5), (5, 6)]]
    rows = corefeval.score([first, second], system).mentions
    assert rows is not None
    assert pairs(links.find_link_errors(rows, "closest"), "missed", rows.key) == {
        (first[1], first[0]),
        (first[3], first[2]),
        (first[5], first[4]),
        (second[1], second[0]),
        (second[2], second[1]),
    }


def test_there_are_as_many_as_muc_lacks() -> None:
    rng = random.Random(4)
    for _ in range(300):
        analysis = corefeval.analyse(documents(rng), documents(rng), measures=["muc"])
        muc = analysis.evaluation["muc"]
        kinds = [link.kind for link in analysis.links]
        assert kinds.count("missed") == muc.recall_denominator - muc.recall_numerator
        assert kinds.count("wrong") == muc.precision_denominator - muc.precision_numerator


def test_counts_by_type_of_both_ends() -> None:
    levels = ["NAM", "NOM", "PRO", "PRO"]
    key, response = [[(0, 0), (1, 1), (2, 2)]], [[(0, 0)], [(1, 1)], [(2, 2), (3, 3)]]
    analysis = corefeval.analyse(levelled(key, levels), levelled(response, levels))  # type: ignore[arg-type]
    table = list(analysis.tables())[1]
    assert list(table.head) == ["anaphor", "missed: pronoun", "name", "nominal", "wrong: pronoun", "name", "nominal"]
    assert [[*row] for row in table.rows] == [
        ["pronoun", *"001", *"100"],
        ["name", *"000", *"000"],
        ["nominal", *"010", *"000"],
    ]


def without_a_right_link(key, response) -> set[tuple[str, object]]:  # type: ignore[no-untyped-def]
    """As the paper defines it, by sets of links."""
    found = set()
    for name in key:
        ours, theirs = ({m: set(e) - {m} for e in side[name] for m in e} for side in (key, response))
        found |= {(name, m) for m in ours.keys() & theirs.keys() if theirs[m] and not ours[m] & theirs[m]}
    return found


def test_incorrectly_resolved_mentions_and_their_credit() -> None:
    rng = random.Random(5)
    for _ in range(200):
        key, response = documents(rng), documents(rng)
        analysis = corefeval.analyse(key, response)
        effect, rows = analysis.identification, analysis.rows
        expected = without_a_right_link(key, response)
        names = rows.key.mentions.objects()
        found = {(rows.key.documents[rows.key.document[row]], names[row]) for row in effect.key_rows.tolist()}
        assert found == expected
        left = {
            name: [kept for entity in listed if (kept := [m for m in entity if (name, m) not in expected])]
            for name, listed in response.items()
        }
        again = corefeval.score(key, left)
        for measure in ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea"):
            rates = [(s[measure].recall, s[measure].precision, s[measure].f1) for s in (effect.without, again)]
            assert rates[0] == pytest.approx(rates[1])
        before, after = analysis.evaluation, effect.without
        # recall finds as much without them by MUC and LEA, and as much less as they were credited with by B³
        assert after["muc"].recall == pytest.approx(before["muc"].recall)
        assert after["lea"].recall == pytest.approx(before["lea"].recall)
        credit = effect.credit["bcub"]
        assert credit is not None
        assert before["bcub"].recall - credit.recall == pytest.approx(after["bcub"].recall)


def test_a_response_that_links_nothing_rightly_is_credited_all_the_same() -> None:
    """Two key entities of two, crossed: MUC and LEA give 0, the others do not."""
    analysis = corefeval.analyse([["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]])
    effect = analysis.identification
    assert [len(effect.key_rows), effect.shared] == [4, 4]
    credit = {name: list(each or ()) for name, each in effect.credit.items()}
    assert credit["bcub"] == credit["ceafm"] == [0.5, 0.5]
    # 2 of 4 links apart are right, and half of BLANC is that
    assert credit["blanc"] == [0.25, 0.25]
    assert credit["muc"] == credit["lea"] == [0, 0]
    assert analysis.evaluation["lea"].f1 == 0
    assert effect.without["bcub"].recall == 0


def test_on_real_files_muc_and_lea_find_as_much_without_them() -> None:
    """Table 1 of the paper: MUC's recall stays, and CEAFe loses recall and precision."""
    folder = public_data("litbank")
    analysis = corefeval.analyse(folder / "key.conll.gz", folder / "response-20.conll.gz")
    before, after = analysis.evaluation, analysis.identification.without
    assert after["muc"].recall == pytest.approx(before["muc"].recall)
    assert after["lea"].recall == pytest.approx(before["lea"].recall)
    assert after["muc"].precision > before["muc"].precision
    assert after["ceafe"].recall < before["ceafe"].recall
    assert after["ceafe"].precision < before["ceafe"].precision
    assert after["blanc"].recall < before["blanc"].recall


def test_labels_without_order_have_links_too() -> None:
    analysis = corefeval.analyse([["a", "b", "c"]], [["a", "b"]])
    assert [(link.kind, link.anaphor, link.antecedent) for link in analysis.links] == [("missed", "'c'", "'b'")]
    assert {link.anaphor_type for link in analysis.links} == {"unknown"}


@under_every_decision
def test_what_bcub_credits_for_wrong_mentions_is_gone_without_them(options: dict[str, Any]) -> None:
    for seed in range(6):
        evaluation = evaluate_random(seed, options)
        if evaluation.options.singletons == "allennlp":
            return  # what is left of an entity may be a singleton, which that B³ does not see
        analysis = corefeval.Analysis(evaluation)
        effect = analysis.identification
        if evaluation.options.twinless in FOR_ALL:
            assert effect.credit["bcub"] is effect.credit["lea"] is None  # they are padded, or drop their twins
            return
        assert effect.without["muc"].recall == pytest.approx(evaluation["muc"].recall)
        assert effect.without["lea"].recall == pytest.approx(evaluation["lea"].recall)
        credit = effect.credit["bcub"]
        if credit is None:
            assert evaluation.options.twinless == "cai_strube"
        else:
            assert evaluation["bcub"].recall - credit.recall == pytest.approx(effect.without["bcub"].recall)
