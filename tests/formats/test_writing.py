"""Writing: what a format cannot carry is said, and where files go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import InputError, OptionError
from tests.formats.small_files import conll, mention_counts

if TYPE_CHECKING:
    from pathlib import Path


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


def test_several_files_go_neither_to_standard_output_nor_into_a_packed_one(tmp_path: Path) -> None:
    (tmp_path / "k.conll").write_text(conll("k", "Kim (1)", "she (1)"))
    corpus = corefeval.read(tmp_path / "k.conll")
    with pytest.raises(OptionError, match="name a directory"):
        corefeval.write(corpus, "-", "brat")
    corefeval.write(corpus, tmp_path / "k.ann.gz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k.ann.gz", "k.conll", "k.txt.gz"]
    assert mention_counts(corefeval.score(tmp_path / "k.conll", tmp_path / "k.ann.gz")) == (2, 2, 2)


def test_blanks_in_words_that_a_format_cannot_write_are_told(tmp_path: Path) -> None:
    """A jsonlines word may have blanks in it; in CoNLL they become underscores, and that is counted and named."""
    source = tmp_path / "in.jsonlines"
    source.write_text('{"doc_key": "d", "sentences": [["10 000", "men", "came"]], "clusters": [[[0, 1]]]}\n')
    corpus = corefeval.read(source)
    for target, told in (("out.conll", True), ("out.ua", True), ("out.conllu", False), ("out.json", False)):
        left = corefeval.write(corpus, tmp_path / target)
        mention_counts = [notice for notice in left if notice.kind == "lost-blanks"]
        assert bool(mention_counts) is told, target
        if told:
            assert "1 word is written without blanks inside: '10 000'" in mention_counts[0].message
    assert "10_000" in (tmp_path / "out.conll").read_text()
