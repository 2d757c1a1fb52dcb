"""Entities typed by hand: on the command line, in standard input, in a file; and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefeval
from tests.cli.running import run


def test_entities_are_scored_as_lists_are() -> None:
    typed = corefeval.score("a b c | d e", "a b | c d e")
    listed = corefeval.score([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]])
    assert dict(typed) == dict(listed)


def test_the_command_takes_them_by_hand_and_from_standard_input() -> None:
    typed = run("score", "a b c | d e", "ours=a b | c d e", "a b c d e |", "-m", "muc", "-b")
    assert (typed.returncode, typed.stdout.split()) == (0, ["66.67", "85.71"])  # 2/3; 2·(3/4)/(7/4) = 6/7
    piped = run("score", "-", "a b | c d e", "a b c d e |", "-m", "muc", "-b", stdin="a b c | d e\n")
    assert piped.stdout == typed.stdout


def test_kappa_reaches_minus_three() -> None:
    """Popescu-Belis 3.3 says that it lies between -1 and 1: 3 x 3 mentions, (0 - 4 - 5)/(8 - 5) by hand."""
    shown = run("explain", "kappa", "a b c | d e f | g h i", "a d g | b e h | c f i")
    assert shown.returncode == 0
    assert "-3" in shown.stdout


def test_a_file_of_that_name_is_read_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a b | c").write_text("x y z | w\n", encoding="utf-8")
    assert corefeval.read("a b | c").entities() == {"": [["x", "y", "z"], ["w"]]}
    assert corefeval.read("a b | d").entities() == {"": [["a", "b"], ["d"]]}


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("a | | b", 65, "a | | b:1: entity 2 is empty; expected mentions between bars"),
        ("| a", 65, "| a:1: entity 1 is empty"),
        ("|", 65, "entity 1 is empty"),
        ("a b c", 66, "a b c: no such file; entities typed by hand need a bar"),
        ("my corpus.conll", 66, "my corpus.conll: no such file\n"),
        ("a|b", 66, "a|b: no such file\n"),
    ],
)
def test_what_is_wrong_is_said(text: str, code: int, message: str) -> None:
    refused = run("score", text, "a | b")
    assert (refused.returncode, refused.stdout) == (code, "")
    assert message in refused.stderr


def test_a_second_line_is_refused() -> None:
    refused = run("score", "--key-format", "typed", "-", "a | b", stdin="a | b\nc | d\n")
    assert refused.returncode == 65
    assert "standard input:2: a second line" in refused.stderr
