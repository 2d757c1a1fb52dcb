"""Contrasts: the smallest responses that two measures rank oppositely, against brute force with the slow measures."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from corefeval.lab.contrast import contrast
from tests.cli.running import run
from tests.data import EXAMPLES
from tests.lab.brute_force import list_labelled_pairs, score_pair


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [("muc", "ceafe", True), ("muc", "bcub", False), ("lea", "bcub", True), ("rand", "kappa", True)],
)
def test_contrasts_are_the_smallest(first: str, second: str, same: bool) -> None:
    found = contrast(first, second, same_mentions=same)
    smallest = next((size for size in range(1, 4) if _are_ranked_oppositely(first, second, size, same=same)), 0)
    assert smallest in (found.mentions, 0 if found.mentions > 3 else None)
    for each in found.examples:
        assert each.scores_of_a[0] > each.scores_of_b[0]
        assert each.scores_of_a[1] < each.scores_of_b[1]


def _are_ranked_oppositely(first: str, second: str, mentions: int, *, same: bool) -> bool:
    by_key: dict[object, set[tuple[float, float]]] = {}
    for size in range(1, mentions + 1):
        for key, response in list_labelled_pairs(size, same=same):
            one, other = score_pair(first, key, response), score_pair(second, key, response)
            if one is not None and other is not None:
                by_key.setdefault(key, set()).add((round(one, 9), round(other, 9)))
    return any((a[0] - b[0]) * (a[1] - b[1]) < 0 for scores in by_key.values() for a, b in combinations(scores, 2))


def test_muc_and_ceafe_disagree_on_one_entity_of_three_mentions() -> None:
    """By hand: MUC of [a b c] is F(1, 1/2), CEAFe F((4/5)/2, (4/5)/1); of singletons 0 and F((5/3)/2, (5/3)/3)."""
    shown = [each for each in contrast("muc", "ceafe").examples if each.b == "[a] [b] [c]"]
    assert [(each.key, each.a) for each in shown] == [("[a b] [c]", "[a b c]")]
    assert shown[0].scores_of_a == pytest.approx((2 / 3, 8 / 15))
    assert shown[0].scores_of_b == pytest.approx((0, 2 / 3))


def test_measures_that_never_disagree_are_said_to() -> None:
    found = contrast("mentions", "bcub")  # with the same mentions the first is always 1
    assert (found.mentions, found.examples) == (0, ())
    assert "rank no two responses" in str(found)


def test_the_command_shows_and_refuses() -> None:
    content = json.loads(run("contrast", "muc", "ceafe", "--examples", 1, "--any-mentions", "--json").stdout)
    assert (len(content["examples"]), content["same_mentions"]) == (1, False)
    assert run("contrast", "muc", "muc").returncode == 2
    assert run("contrast", "muc", "ceafx").returncode == 2


def test_measures_that_ask_for_more_than_entities_are_refused(tmp_path: Path) -> None:
    """What is searched is numbers in entities: neither places nor names, and so no file is to blame."""
    weights = tmp_path / "w.csv"
    weights.write_text("entity,weight\n0,1\n", encoding="utf-8")
    for measure in ("mor", "anaphor", "ace_value", "bridging_anaphors", f"lea:key_weights={weights}"):
        for command in (("contrast", measure, "muc"), ("criteria", measure)):
            done = run(*command)
            assert (done.returncode, done.stderr) == (
                2, f"{measure} asks for more than which mentions are together, and here they are but numbers\n",
            )  # fmt: skip
    done = run("advise", EXAMPLES / "key.conll", "-m", "anaphor")
    assert done.returncode == 2
    assert "anaphor asks for more" in done.stderr
