"""Coval's options beside its profile: minimum spans, verb phrases, nested mentions, singletons.

Numbers are those that coval 0.0.1 prints for these files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import OptionError
from tests.cli.running import get_output

if TYPE_CHECKING:
    from pathlib import Path

WORDS = (
    ("that", "DT", "(TOP(S(NP*)", "(1)", "(1)"),
    ("says", "VBZ", "(VP*", "-", "-"),
    ("that", "DT", "(NP*)", "(2)", "(2)"),
    ("saw", "VBD", "(VP*", "(3", "(3"),
    ("the", "DT", "(NP(NP*", "(1", "-"),
    ("man", "NN", "*)", "3)", "(1)|3)"),
    ("who", "WP", "(SBAR(WHNP*)", "-", "-"),
    ("left", "VBD", "(S(VP*)))))))))", "(3)|1)", "(3)"),
    ("he", "PRP", "(TOP(S(NP*)", "(1)", "(1)"),
    ("left", "VBD", "(VP*)", "(2", "(2"),
    ("town", "NN", "(NP*)))", "(2)|2)", "(2)|2)"),
)
"""Word, part of speech, bit of the tree, and the marks of key and response."""

SECOND_SENTENCE = 8


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = []
    for side, name in enumerate(("key.conll", "response.conll")):
        lines = ["#begin document (d); part 000"]
        for number, (word, pos, bit, *marks) in enumerate(WORDS):
            if number == SECOND_SENTENCE:
                lines.append("")
            lines.append("\t".join(["d", "0", str(number), word, pos, bit, *"-----", marks[side]]))
        paths.append(tmp_path / name)
        paths[-1].write_text("\n".join([*lines, "", "#end document", ""]), encoding="utf-8")
    return paths[0], paths[1]


def f1(evaluation: corefeval.Evaluation) -> list[float]:
    return [round(100 * evaluation[name].f1, 2) for name in ("mentions", "muc", "bcub", "ceafe", "lea", "conll")]


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({}, [87.5, 80, 79.17, 88.89, 75, 82.69]),
        ({"match": "minspan"}, [83.33, 60, 70.83, 88.89, 62.5, 73.24]),
        ({"verb_phrases": "drop"}, [83.33, 75, 72.22, 83.33, 66.67, 76.85]),
        ({"nested": "drop"}, [85.71, 75, 76.19, 88.89, 71.43, 80.03]),
        ({"singletons": "drop"}, [87.5, 80, 79.17, 88.89, 75, 82.69]),
    ],
)
def test_options_of_coval_give_its_numbers(
    files: tuple[Path, Path], option: dict[str, str], expected: list[float]
) -> None:
    assert f1(corefeval.score(*files, profile="coval", **option)) == expected  # type: ignore[arg-type]


def test_a_key_against_itself_is_not_perfect_with_minimum_spans_of_coval(files: tuple[Path, Path]) -> None:
    """Two `that` of one sentence are one mention to it; our own rule keeps them apart."""
    own = corefeval.score(files[0], files[0], profile="coval", match="minspan")
    assert f1(own) == [100, 80, 83.33, 100, 75, 87.78]
    assert own.options.match == "coval-minspan"
    again = corefeval.Signature.parse(own.signature).options()
    assert corefeval.score(files[0], files[0], **again)["muc"].f1 == own["muc"].f1  # type: ignore[arg-type]
    assert f1(corefeval.score(files[0], files[0], match="minspan")) == [100] * 6


def test_a_nested_mention_goes_even_if_another_one_is_then_alone() -> None:
    """Coval keeps both in its entity then, or drops the entity where singletons are dropped."""
    key = [[(0, 5), (1, 2)], [(3, 3), (7, 7)]]
    assert corefeval.score(key, key, nested="drop")["mentions"].recall_denominator == 3
    assert corefeval.score(key, key, profile="coval", nested="drop")["mentions"].recall_denominator == 4
    both = corefeval.score(key, key, profile="coval", nested="drop", singletons="drop")
    assert both["mentions"].recall_denominator == 2


def test_the_same_mention_twice_is_not_nested() -> None:
    key = [[(0, 5), (0, 5), (0, 4), (1, 5), (2, 3)], [(0, 5), (6, 6)]]
    for duplicates in ("keep", "coval"):
        made = corefeval.score(key, key, nested="drop", duplicates=duplicates)
        assert made.table.key.mentions == 4


def test_an_entity_that_lists_one_mention_twice_is_no_singleton_to_coval() -> None:
    key = [[(0, 0), (0, 0)], [(1, 1), (2, 2)]]
    assert corefeval.score(key, key, singletons="drop")["ceafe"].recall_denominator == 1
    assert corefeval.score(key, key, profile="coval", singletons="drop")["ceafe"].recall_denominator == 2


@pytest.mark.parametrize("option", [{"match": "coval-minspan"}, {"verb_phrases": "drop"}])
def test_a_key_without_trees_is_refused(option: dict[str, str]) -> None:
    with pytest.raises(OptionError, match="parse trees of the key, but the key has none"):
        corefeval.score([[(0, 0), (1, 1)]], [[(0, 0)]], **option)  # type: ignore[arg-type]


def test_the_command_has_these_options(files: tuple[Path, Path]) -> None:
    shown = get_output("score", *map(str, files), "--profile", "coval", "--verb-phrases", "drop", "-m", "muc")
    assert "verb_phrases:coval" in shown
