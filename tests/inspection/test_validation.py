"""What `corefeval validate` finds, by kind and line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.inspection.validation import validate
from tests.cli.running import run

if TYPE_CHECKING:
    from pathlib import Path


def conll(*cells: str, name: str = "d", words: str = "") -> str:
    lines = [f"{name}\t0\t{i}\t{words[i : i + 1] or 'w'}\t{cell}" for i, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


def found(path: Path, text: str, key: str | None = None) -> list[tuple[str, int | None]]:
    (path / "file.conll").write_text(text)
    corpus = None
    if key is not None:
        (path / "key.conll").write_text(key)
        corpus = corefeval.read(path / "key.conll")
    return [(problem.kind, problem.line) for problem in validate(path / "file.conll", key=corpus).problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (conll("(1", "-", "1)", "(1)"), []),
        (conll("(1", "-", "2)"), [("unbalanced-bracket", 2), ("unbalanced-bracket", 4)]),
        (conll("(1)", "x") + conll("(1)"), [("syntax", 3), ("document-twice", 5)]),
        (conll("(1)|(2)", "(1)", "(2)"), [("mention-in-two-entities", 2)]),
        (conll("(1)|(1)", "(1)"), [("mention-twice", 2)]),
        (conll("(1)", "(1)").replace("#end document\n", ""), [("unfinished-document", 3)]),
        ("# odd\n" + conll("(1)", "(1)"), [("skipped-line", 1)]),
        ("", [("format", 1)]),
    ],
)
def test_problems_of_a_file(text: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    if not text:
        (tmp_path / "file").write_text(text)
        assert [(each.kind, each.line) for each in validate(tmp_path / "file").problems] == expected
    else:
        assert found(tmp_path, text) == expected


def test_crossing_mentions_of_one_entity(tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["a", "b", "c", "d"]], "clusters": [[[0, 2], [1, 3]], [[0, 1], [3, 3]]]}
    (tmp_path / "a.jsonlines").write_text(json.dumps(line) + "\n")
    (problem,) = validate(tmp_path / "a.jsonlines").problems
    assert problem.kind == "crossing-mentions"
    assert '"b c d" crosses another mention of entity' in problem.message


def test_a_few_singletons_among_many_entities(tmp_path: Path) -> None:
    pairs = [cell for number in range(200) for cell in (f"({number})",) * 2]
    assert found(tmp_path, conll(*pairs)) == []
    assert found(tmp_path, conll(*pairs, "(999)")) == [("singleton", 402)]
    many = [f"({number})" for number in range(500, 700)]
    assert found(tmp_path, conll(*pairs, *many)) == []


def test_problems_beside_a_key(tmp_path: Path) -> None:
    key = conll("(1)", "(1)", words="ab") + conll("(1)", "-", "(1)", name="e", words="abc")
    response = conll("(1)", "(2)", words="ax") + conll("-", name="f")
    assert found(tmp_path, response, key) == [
        ("extra-document", None),
        ("missing-document", None),
        ("singleton", 2),
        ("different-words", 3),
        ("singleton", 3),
    ]
    assert found(tmp_path, key, key) == []


def test_the_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.conll", tmp_path / "bad.conll"
    good.write_text(conll("(1)", "(1)"))
    bad.write_text(conll(*["(1"] * 30))

    done = run("validate", str(good))
    assert (done.returncode, done.stdout) == (0, f"{good}: nothing wrong (read as conll)\n")
    done = run("validate", str(good), str(bad))
    assert done.returncode == 65
    assert "unbalanced-bracket: 30" in done.stdout
    assert f"    {bad}:2: (1 opens a mention that is never closed; expected 1) in the same document" in done.stdout
    assert "and 10 more (-v shows them)" in done.stdout
    assert run("validate", str(bad), "-v").stdout.count("never closed") == 30
    report = json.loads(run("validate", str(bad), "--json").stdout)["files"][0]
    assert report["counts"] == {"unbalanced-bracket": 30}
    assert report["problems"][0]["line"] == 2
    missing = run("validate", str(tmp_path / "none"))
    assert missing.returncode == 66
    assert "no such file" in missing.stdout


def test_links_to_oneself_and_in_circles(tmp_path: Path) -> None:
    text = """<DOC><DOCID>d</DOCID><TEXT>
<COREF ID="1" REF="1">Kim</COREF> saw <COREF ID="2" REF="3" TYPE="IDENT">her</COREF>
and <COREF ID="3" REF="2" TYPE="IDENT">Lee</COREF>.</TEXT></DOC>
"""
    (tmp_path / "a.muc").write_text(text)
    found = {(problem.kind, problem.line) for problem in validate(tmp_path / "a.muc").problems}
    assert ("self-link", 2) in found
    assert "reference-cycle" in {kind for kind, _ in found}


def test_an_entity_without_mentions(tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]], []]}
    (tmp_path / "a.jsonlines").write_text(json.dumps(line) + "\n")
    assert [(each.kind, each.line) for each in validate(tmp_path / "a.jsonlines").problems] == [("empty-entity", 1)]
