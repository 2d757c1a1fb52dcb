"""`--crac`: the four columns of the CRAC shared tasks' tables. The numbers are the CorefUD scorer's own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from tests.cli.running import Finished, run
from tests.corpus.drafts import draft_corpus

if TYPE_CHECKING:
    from pathlib import Path


WORDS = ["The", "old", "man", "saw", "Ann", ",", "and", "the", "man", "greeted", "her", "."]
KEY = {1: "(e1-p-3", 3: "e1)", 4: "(e3--1)", 5: "(e2-p-1)", 8: "(e1-p-2", 9: "e1)", 11: "(e2-p-1)"}
RESPONSE = {2: "(e1-p-2", 3: "e1)", 4: "(e4--1)", 5: "(e2-p-1)", 9: "(e1-p-1)", 11: "(e1-p-1)", 12: "(e2-p-1)"}
CONLL = ["53.31", "53.31", "15.00", "60.09"]  # -a head; -a partial; -a exact; -a head -s


def written(cells: dict[int, str]) -> str:
    """A CorefUD file."""
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head", "# sent_id = 1"]
    for number, word in enumerate(WORDS, 1):
        entity = f"Entity={cells[number]}" if number in cells else "_"
        lines.append("\t".join([str(number), word, *"____", "0" if number == 1 else "1", "_", "_", entity]))
    return "\n".join([*lines, "", ""])


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A key and a response."""
    paths = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
    for path, cells in zip(paths, (KEY, RESPONSE), strict=True):
        path.write_text(written(cells))
    return [str(path) for path in paths]


def test_the_four_columns_are_the_corefud_scorers(files: list[str]) -> None:
    done = run("score", *files, "--crac", "-q")
    assert done.returncode == 0, done.stderr
    head, _, row = done.stdout.splitlines()[:3]
    assert head.split() == ["measure", "response", "head", "partial", "exact", "with", "singletons"]
    assert row.split() == ["conll", "response", *CONLL]


def test_other_outputs_have_an_evaluation_for_each_column(files: list[str]) -> None:
    done = run("score", *files, "--crac", "--json", "-q", "-m", "conll", "-m", "lea")
    found = json.loads(done.stdout)["evaluations"]
    assert [f"{100 * each['measures']['conll']['f1']:.2f}" for each in found] == CONLL
    assert ["match:partial" in each["signature"] for each in found] == [False, True, False, False]


def test_it_takes_no_other_matching(files: list[str]) -> None:
    done = run("score", *files, "--crac", "--match", "exact")
    assert done.returncode == 2
    assert "--crac" in done.stderr


def test_what_is_undefined_is_a_dash_as_in_other_tables(files: list[str]) -> None:
    done = run("score", *files, "--crac", "-q", "-m", "zero")
    assert done.stdout.splitlines()[2].split() == ["zero", "response", *4 * "–"]


def test_the_least_value_is_the_best_where_more_is_not_better(files: list[str]) -> None:
    key, response = files
    done = run("score", key, response, key, "--crac", "-q", "-m", "distributional_error")
    rows = done.stdout.splitlines()[2:4]  # of the response, and of the key itself
    assert rows[0].split()[2:] != rows[1].split()[1:], "the values differ, so that one could be marked"
    assert "*" not in rows[0]
    assert rows[1].split()[1:] == ["0.00*"] * 4


def test_crac_scores_the_layer_and_the_profile_that_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    corefeval.write(draft_corpus({"d": [("A", (0, 1)), ("A", (3, 3))]}), path, format="corefud")

    def crac(*options: str) -> Finished:
        return run("score", path, path, "--crac", "-q", *options)

    assert "neither key nor response has a layer 'deixis'" in crac("--layer", "deixis").stderr
    assert "one --layer" in crac("--layer", "deixis", "--layer", "identity").stderr
    assert "duplicates:corefud-1.2" in crac().stdout
    assert "duplicates:conll-8.01" in crac("--profile", "conll-8.01").stdout
