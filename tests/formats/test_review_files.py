"""What a review of the formats together found: each of these once gave a wrong number, or did something unasked for."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import InputError, OptionError
from corefeval.formats import registry

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval import Evaluation


def conll(name: str, *rows: str) -> str:
    """A document of rows such as "Kim (1)"."""
    lines = [f"{name}\t0\t{number}\t" + "\t".join(row.split()) for number, row in enumerate(rows)]
    return "\n".join([f"#begin document ({name}); part 000", *lines, "#end document", ""])


def brat(folder: Path, name: str, text: str | None, *places: tuple[int, int]) -> Path:
    """A document whose mentions are of one entity."""
    folder.mkdir(exist_ok=True)
    if text is not None:
        (folder / f"{name}.txt").write_text(text)
    ids = [f"T{number}" for number in range(1, len(places) + 1)]
    lines = [f"{i}\tMention {a} {b}\t{(text or 'x' * b)[a:b]}" for i, (a, b) in zip(ids, places, strict=True)]
    (folder / f"{name}.ann").write_text("\n".join([*lines, f"*\tCoreference {' '.join(ids)}", ""]))
    return folder / f"{name}.ann"


def found(evaluation: Evaluation) -> tuple[float, float, float]:
    mentions = evaluation["mentions"]
    return mentions.recall_numerator, mentions.recall_denominator, mentions.precision_denominator


def kinds(evaluation: Evaluation) -> set[str]:
    return {warning.kind for warning in evaluation.notices}


def test_a_directory_of_characters_and_words_is_counted_in_words(tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    brat(key, "b", "Kim saw her", (0, 3), (8, 11))
    response.mkdir()
    line = {"doc_key": "b", "sentences": [["Kim", "saw", "her"]], "clusters": [[[0, 0], [2, 2]]]}
    (response / "b.jsonlines").write_text(json.dumps(line) + "\n")
    for side in (key, response):
        (side / "d.conll").write_text(conll("d", "John (1)", "saw -", "he (1)"))
    assert found(corefeval.score(key, response)) == (4, 4, 4)
    left = corefeval.write(corefeval.read(key), tmp_path / "all.conll")
    assert not left
    assert "Kim" in (tmp_path / "all.conll").read_text()


def test_a_directory_of_files_with_and_without_words_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.conll").write_text(conll("k", "Kim (1)", "left -"))
    (tmp_path / "j.json").write_text('{"k2": [[[0, 0], [2, 2]]]}')
    with pytest.raises(InputError, match="cannot be counted alike"):
        corefeval.read(tmp_path)


def test_characters_are_not_taken_for_words(tmp_path: Path) -> None:
    key = brat(tmp_path, "k", "A b c", (0, 1), (2, 3))
    (tmp_path / "t.csv").write_text("document,start,end,entity\nk,0,0,1\nk,2,2,1\n")
    with pytest.raises(InputError, match="count words, which it does not have"):
        corefeval.score(key, tmp_path / "t.csv")
    bare = brat(tmp_path / "bare", "k", None, (0, 1), (2, 3))
    (tmp_path / "k.conll").write_text(conll("k", "Kim (1)", "saw -", "her (1)"))
    with pytest.raises(InputError, match="its text is missing"):
        corefeval.score(tmp_path / "k.conll", bare)
    assert found(corefeval.score(bare, bare)) == (2, 2, 2)


def test_another_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "j.conll").write_text(conll("j", "he (1)", "left -", "he (2)", "left -", "she (2)"))
    response = brat(tmp_path, "j", "he left she", (0, 2), (8, 11))
    assert kinds(corefeval.score(tmp_path / "j.conll", response)) == {"different-text"}


@pytest.mark.parametrize("turned", [False, True])
def test_blanks_at_the_ends_do_not_count_on_either_side(turned: bool, tmp_path: Path) -> None:
    one = brat(tmp_path, "k", "Kim saw her", (0, 4), (8, 11))
    other = tmp_path / "k.conll"
    other.write_text(conll("k", "Kim (1)", "saw -", "her (1)"))
    assert found(corefeval.score(*((other, one) if turned else (one, other)))) == (2, 2, 2)


def test_a_zero_is_not_a_blank(tmp_path: Path) -> None:
    key = brat(tmp_path, "d", "Kim came home", (0, 3), (9, 13), (8, 9))
    response = tmp_path / "d.conllu"
    response.write_text(
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "1\tKim\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)\n2\tcame\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "2.1\t_\t_\t_\t_\t_\t_\t_\t2:obl\tEntity=(e1--1)\n3\thome\t_\t_\t_\t_\t2\tobl\t_\t_\n\n"
    )
    assert found(corefeval.score(key, response)) == (1, 3, 2)


def test_names_that_files_cannot_have_are_told_and_do_not_take_those_of_others(tmp_path: Path) -> None:
    lines = [
        {"doc_key": "a?b", "sentences": [["Kim", "she"]], "clusters": [[[0, 0], [1, 1]]]},
        {"doc_key": "a_b", "sentences": [["Kim", "she"]], "clusters": [[[0, 0]], [[1, 1]]]},
    ]
    (tmp_path / "a.jsonlines").write_text("".join(json.dumps(line) + "\n" for line in lines))
    corpus = corefeval.read(tmp_path / "a.jsonlines")
    (left,) = corefeval.write(corpus, tmp_path / "out", "brat")
    assert "document 'a?b' is called 'a_b_2'" in left.message
    again = corefeval.read(tmp_path / "out").entities()
    assert (len(again["a_b"]), len(again["a_b_2"])) == (2, 1)
    with pytest.raises(InputError):
        corefeval.write(corpus, tmp_path / "strict", "brat", strict=True)


@pytest.mark.parametrize("suffix", ["ann", "muc"])
def test_mentions_of_words_without_letters_are_told_when_they_are_lost(suffix: str, tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["a", "", "b"]], "clusters": [[[0, 0], [1, 1], [2, 2]]]}
    (tmp_path / "w.jsonlines").write_text(json.dumps(line) + "\n")
    (left,) = [
        notice
        for notice in corefeval.write(corefeval.read(tmp_path / "w.jsonlines"), tmp_path / f"w.{suffix}")
        if notice.kind == "lost-blank"
    ]
    assert left.details["count"] == 1


def test_words_are_in_their_place_only_if_the_same_words_are(tmp_path: Path) -> None:
    """As many words, divided differently, and one of them spelt differently."""
    tail = ["see (1)", "him (2)", "and (3)", "he (2)"]
    (tmp_path / "k.conll").write_text(conll("k", "I -", "cannot -", *tail, "gon -", "na -", "colour -"))
    (tmp_path / "r.conll").write_text(conll("k", "I -", "can -", "not -", *tail, "gonna -", "color -"))
    evaluation = corefeval.score(tmp_path / "k.conll", tmp_path / "r.conll")
    assert found(evaluation) == (4, 4, 4)


def test_files_are_the_same_by_all_of_their_name_but_the_suffix(tmp_path: Path) -> None:
    for side, name, document in (("n1", "wsj.0001.conll", "alpha"), ("n2", "wsj.0002.conll", "beta")):
        (tmp_path / side).mkdir()
        (tmp_path / side / name).write_text(conll(document, "Kim (1)", "she (1)"))
    evaluation = corefeval.score(tmp_path / "n1", tmp_path / "n2")
    assert kinds(evaluation) == {"other-corpus", "missing-document", "extra-document"}


def test_quotes_of_two_characters(tmp_path: Path) -> None:
    (tmp_path / "h.conll").write_text(conll("h", "`` (1", "He 1)", "-LRB- -", "it (1)", "-RRB- -", "'' -"))
    response = brat(tmp_path, "h", "``He (it)''", (0, 4), (6, 8))
    evaluation = corefeval.score(tmp_path / "h.conll", response)
    assert (found(evaluation), kinds(evaluation)) == ((2, 2, 2), set())


def test_several_files_go_neither_to_standard_output_nor_into_a_packed_one(tmp_path: Path) -> None:
    (tmp_path / "k.conll").write_text(conll("k", "Kim (1)", "she (1)"))
    corpus = corefeval.read(tmp_path / "k.conll")
    with pytest.raises(OptionError, match="name a directory"):
        corefeval.write(corpus, "-", "brat")
    corefeval.write(corpus, tmp_path / "k.ann.gz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k.ann.gz", "k.conll", "k.txt.gz"]
    assert found(corefeval.score(tmp_path / "k.conll", tmp_path / "k.ann.gz")) == (2, 2, 2)


def test_a_directory_of_nothing_readable_names_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("words and no columns\n")
    with pytest.raises(InputError, match=r"only README\.md"):
        corefeval.read(tmp_path)


def test_standard_input_is_read_once() -> None:
    command = [sys.executable, "-m", "corefeval", "validate", "-", "-"]
    assert subprocess.run(command, capture_output=True, check=False, input=b"").returncode == 2


def test_a_damaged_packed_file_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00xxxxxxxxxxxx")
    with pytest.raises(InputError) as caught:
        corefeval.read(path)
    assert str(caught.value).count("bad.gz") == 1


@pytest.mark.parametrize("beginning", [b"\n" * 70_000, b"a," * 40_000, b"#" * 70_000, b" " * 70_000, b'"' * 70_000])
def test_recognising_a_file_takes_no_time(beginning: bytes) -> None:
    """These took many seconds each, so the test would be noticed."""
    with pytest.raises(InputError):
        registry.recognise("file", beginning[: registry.BEGINNING])


def test_blanks_in_words_that_a_format_cannot_write_are_told(tmp_path: Path) -> None:
    """A jsonlines word may have blanks in it; in CoNLL they become underscores, and that is counted and named."""
    source = tmp_path / "in.jsonlines"
    source.write_text('{"doc_key": "d", "sentences": [["10 000", "men", "came"]], "clusters": [[[0, 1]]]}\n')
    corpus = corefeval.read(source)
    for target, told in (("out.conll", True), ("out.ua", True), ("out.conllu", False), ("out.json", False)):
        left = corefeval.write(corpus, tmp_path / target)
        found = [notice for notice in left if notice.kind == "lost-blanks"]
        assert bool(found) is told, target
        if told:
            assert "1 word is written without blanks inside: '10 000'" in found[0].message
    assert "10_000" in (tmp_path / "out.conll").read_text()
