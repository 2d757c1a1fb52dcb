"""Errors of records: mentions that are labels have no words, no spans and no pronouns, and no text speaks of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import get_output, run

if TYPE_CHECKING:
    from pathlib import Path

KEY = "record_id,cluster_id\n1,a\n2,a\n3,a\n4,b\n5,b\n6,c\n7,d\n8,d\n"
RESPONSE = "record_id,cluster_id\n1,a\n2,a\n3,b\n4,b\n5,b\n6,e\n9,e\n10,f\n11,f\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A key and a response of records, with one error of each type but those of spans and single missing mentions."""
    paths = [tmp_path / "key.csv", tmp_path / "response.csv"]
    for path, content in zip(paths, (KEY, RESPONSE), strict=True):
        path.write_text(content)
    return paths


@pytest.mark.parametrize("options", [("errors",), ("errors", "--worst", "3"), ("errors", "--markdown")])
def test_what_suits_texts_only_is_not_said(files: list[Path], options: tuple[str, ...]) -> None:
    done = run(*options, *files)
    assert done.returncode == 0
    assert done.stderr == ""
    for word in ("pronoun", "words", "span", "boundaries", "anaphor", "antecedent", "unknown"):
        assert word not in done.stdout


def test_headings_speak_of_records_and_of_no_documents(files: list[Path]) -> None:
    for command in ("score", "errors"):
        shown = get_output(command, *files)
        assert "key.csv       8 records in 4 entities" in shown
        assert "response.csv  9 records in 4 entities" in shown
    described = get_output("stats", files[0])
    assert "records per entity, mean" in described
    assert "mention" not in described
    assert "document" not in described


def test_types_and_links_are_counted(files: list[Path]) -> None:
    lines = [line.split() for line in get_output("errors", *files).splitlines()]
    named = [line for line in lines if line[1:2] in (["entities"], ["mention"], ["entity"]) and line[2:3]]
    assert {" ".join(line[:2]): line[2] for line in named if line[2].isdigit()} == {
        "conflated entities": "1",
        "extra mention": "1",
        "extra entity": "1",
        "divided entity": "1",
        "missing mention": "0",
        "missing entity": "1",
    }
    # MUC's recall lacks the links 3-1 (or 2) and 7-8, its precision 3-4, 6-9 and 10-11.
    assert ["missed", "2"] in lines
    assert ["wrong", "3"] in lines


def test_other_results_speak_of_no_words_either(files: list[Path], tmp_path: Path) -> None:
    key, response = files
    done = run("diff", key, response, key)
    assert done.returncode == 0
    assert "span" not in done.stdout
    assert done.stderr == ""
    rules = {each["type"]: each["rule"] for each in json.loads(get_output("errors", "--json", *files))["types"]}
    assert len(rules) == 7  # programs find all types
    assert not any("pronoun" in rule for rule in rules.values())
    page = tmp_path / "page.html"
    get_output("report", *files, "-o", page)
    assert "pronouns aside" not in page.read_text()


def test_spans_without_words_keep_their_texts(tmp_path: Path) -> None:
    for name, entity in (("key", "a"), ("response", "b")):
        (tmp_path / f"{name}.csv").write_text(f"start,end,entity\n0,1,{entity}\n3,3,{entity}\n")
    done = run("errors", tmp_path / "key.csv", tmp_path / "response.csv")
    assert "pronouns aside" in done.stdout
    assert "have no text" in done.stderr
