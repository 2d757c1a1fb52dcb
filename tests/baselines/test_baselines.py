"""Responses that need no system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import OptionError, baseline
from corefeval.formats import registry
from corefeval.lab.papers import load_papers
from tests.cli.running import run
from tests.data import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = EXAMPLES / "key.conll"
KEY = {"a": [["x", "y"], ["z"]], "b": [["x"], ["u", "v", "w"]]}


def sets(kind: str, **options: int) -> dict[str, set[frozenset[object]]]:
    """A baseline's entities as sets."""
    found = baseline(KEY, kind, **options).entities()
    return {name: {frozenset(entity) for entity in entities} for name, entities in found.items()}


def test_singletons_and_one_entity() -> None:
    assert sets("singletons") == {
        "a": {frozenset("x"), frozenset("y"), frozenset("z")},
        "b": {frozenset("x"), frozenset("u"), frozenset("v"), frozenset("w")},
    }
    assert sets("one-entity") == {"a": {frozenset("xyz")}, "b": {frozenset("xuvw")}}


def test_boundary_scores_are_those_of_the_papers() -> None:
    """All singletons have no MUC links and a precision of 1 in B³; one entity has all of MUC's recall (Popescu-Belis)."""
    alone = corefeval.score(KEY, baseline(KEY, "singletons"))
    assert alone["muc"].recall == 0
    assert alone["bcub"].precision == 1
    assert alone["bcub"].recall == pytest.approx(4 / 7)  # entities over mentions
    assert corefeval.score(KEY, baseline(KEY, "one-entity"))["muc"].recall == 1


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("luo-1c", "one-entity"),
        ("luo-1d", "singletons"),
        ("blanc-8G", "singletons"),
        ("blanc-8H", "one-entity"),
        ("blanc-12A", "singletons"),
        ("blanc-boundary-one-one", "one-entity"),
        ("blanc-boundary-singletons-singletons", "singletons"),
        ("blanc-boundary-key-singletons-response-one", "one-entity"),
        ("blanc-boundary-key-one-response-singletons", "singletons"),
    ],
)
def test_boundary_responses_are_those_of_the_papers(case: str, kind: str) -> None:
    """All singletons and one entity, in the tables of Luo 2005 and of Recasens & Hovy 2011: the same partitions."""
    (found,) = (each for each in load_papers()["cases"] if each["id"] == case)
    made = baseline({"d": found["key"]}, kind)
    assert {frozenset(e) for e in made.entities()["d"]} == {frozenset(e) for e in found["response"]}
    scores = corefeval.score({"d": found["key"]}, made)
    for name, expected in found["expected"].items():
        measure, _, field = name.rpartition(".")
        assert round(float(scores[measure].values[field]), found["digits"]) == pytest.approx(expected), name


def test_random_has_the_keys_sizes_and_depends_on_the_seed() -> None:
    for seed in range(20):
        found = sets("random", seed=seed)
        assert {name: sorted(map(len, entities)) for name, entities in found.items()} == {"a": [1, 2], "b": [1, 3]}
        assert {name: set().union(*entities) for name, entities in found.items()} == {"a": set("xyz"), "b": set("xuvw")}
    assert sets("random", seed=0) == sets("random", seed=0)
    assert len({frozenset(sets("random", seed=seed)["b"]) for seed in range(40)}) == 4


def test_the_same_words_or_heads_are_together(tmp_path: Path) -> None:
    text = [
        "The",
        "shop",
        "opened",
        ".",
        "Maria",
        "saw",
        "the",
        "shop",
        ",",
        "and",
        "the",
        "owner",
        "of",
        "the",
        "shop",
        "saw",
        "her",
        ".",
    ]
    cells = ["(0", "0)", "-", "-", "(1)", "-", "(0", "0)", "-", "-", "(2", "-", "-", "(0", "2)|0)", "-", "(1)", "-"]
    lines = "".join(
        f"d\t0\t{place}\t{word}\t{cell}\n" for place, (word, cell) in enumerate(zip(text, cells, strict=True))
    )
    path = tmp_path / "key.conll"
    path.write_text(f"#begin document (d); part 000\n{lines}\n#end document\n")
    corpus = corefeval.read(path)
    words = {
        frozenset(str(mention.text).lower() for mention in entity)
        for document in baseline(corpus, "string-match")
        for entity in document
    }
    assert words == {
        frozenset({"the shop"}),
        frozenset({"maria"}),
        frozenset({"her"}),
        frozenset({"the owner of the shop"}),
    }
    heads = baseline(corpus, "head-match")
    assert sorted(len(entity) for document in heads for entity in document) == [1, 1, 1, 3]
    assert "guessed-heads" in {notice.kind for notice in heads.notices}


def test_zeros_without_words_are_not_the_same_words(tmp_path: Path) -> None:
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    for place in range(1, 4):
        lines.append(f"{place}\tsaw\t_\tVERB\t_\t_\t0\troot\t_\tEntity=(e{place}-x-1-)")
        lines.append(f"{place}.1\t_\t_\tPRON\t_\t_\t_\t_\t{place}:nsubj\tEntity=(z-x-1-)")
    path = tmp_path / "key.conllu"
    path.write_text("\n".join([*lines, "", ""]))
    for kind in ("string-match", "head-match"):
        sizes = sorted(len(entity) for document in baseline(path, kind) for entity in document)
        assert sizes == [1, 1, 1, 3], kind


WRITABLE = [name for name in registry.BUILT_IN if hasattr(registry.load_format(name), "write")]
KINDS = ("singletons", "one-entity", "random", "string-match", "head-match")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_written_in_every_format_and_scored(kind: str, tmp_path: Path) -> None:
    """Read back, it has the key's mentions and the scores of what was made."""
    made = baseline(EXAMPLE, kind)
    expected = corefeval.score(EXAMPLE, made)
    for name in WRITABLE:
        target = tmp_path / name / f"made{registry.load_format(name).SUFFIXES[0]}"
        target.parent.mkdir()
        arguments = ["baseline", str(EXAMPLE), "--kind", kind, "--seed", "0", "-o", str(target), "--to", name]
        done = run(*arguments)
        assert done.returncode == 0, (name, done.stderr)
        assert "entity names" not in done.stderr, name  # they are of no file: nothing is lost with them
        again = corefeval.score(EXAMPLE, target)
        assert [again[measure].main for measure in again] == [expected[measure].main for measure in expected], name
        assert again["mentions"].f1 == 1


def test_words_are_needed_for_matches_of_words() -> None:
    with pytest.raises(OptionError, match="kind=string-match needs words"):
        baseline(KEY, "string-match")
    with pytest.raises(OptionError, match="kind='x'"):
        baseline(KEY, "x")


def test_the_command_writes_a_file_that_can_be_scored(tmp_path: Path) -> None:
    target = tmp_path / "random.conll"
    done = run("baseline", str(EXAMPLE), "--kind", "random", "--seed", "3", "-o", str(target))
    assert done.returncode == 0, done.stderr
    again = corefeval.score(EXAMPLE, target)
    assert again["mentions"].f1 == 1
    assert again["lea"].f1 == corefeval.score(EXAMPLE, baseline(EXAMPLE, "random", seed=3))["lea"].f1
