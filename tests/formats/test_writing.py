"""Writing: what a format cannot carry is said, and where files go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import InputError, OptionError
from corefeval.formats.draft import Draft
from tests.cli.running import run
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


TARGETS = ["a.conll", "a.jsonlines", "a.muc", "a.ann"]


def draft_zeros() -> corefeval.Corpus:
    """Words a, a zero, b: mentions of both kinds of words, of one, and with a zero in a gap."""
    draft = Draft("made up")
    document = draft.add_document("d", words=["a", "_", "b"], empty=[False, True, False], lines=[1, 2, 3])
    for mention in ((0, 1), (1, 1), (0, 0), (0, 2), ((0, 0), (2, 2))):
        document.add_mention("e", mention)
    return draft.build_corpus()


@pytest.mark.parametrize("target", TARGETS)
def test_mentions_of_written_and_unwritten_words_are_counted_and_named(target: str, tmp_path: Path) -> None:
    corpus = draft_zeros()
    left = {notice.kind: notice for notice in corefeval.write(corpus, tmp_path / target)}
    assert left["lost-zero"].details["count"] == 1
    assert left["lost-zero-words"].details["count"] == 3
    assert 'kept without the unwritten: made up:1 "a _"' in left["lost-zero-words"].message
    with pytest.raises(InputError, match="kept without the unwritten"):
        corefeval.write(corpus, tmp_path / f"strict-{target}", strict=True)
    assert not list(tmp_path.glob("strict-*"))


def test_convert_that_is_strict_writes_nothing_where_a_mention_would_change(tmp_path: Path) -> None:
    source = tmp_path / "k.conllu"
    corefeval.write(draft_zeros(), source)
    done = run("convert", source, tmp_path / "k.conll", "--strict")
    assert done.returncode == 65
    assert "kept without the unwritten" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["k.conllu"]
    assert run("convert", source, tmp_path / "k.ua", "--strict").returncode == 0


def test_positions_in_tables_are_those_of_the_words_that_they_came_from(tmp_path: Path) -> None:
    draft = Draft("made up")
    document = draft.add_document("d", words=["_", "a", "b"], empty=[True, False, False])
    document.add_mention("e", (1, 1))
    document.add_mention("e", (2, 2))
    corpus = draft.build_corpus()
    corefeval.write(corpus, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "document,start,end,entity\nd,1,1,e\nd,2,2,e\n"
    assert mention_counts(corefeval.score(corpus, tmp_path / "a.csv")) == (2, 2, 2)


def test_characters_in_tables_are_pairs_and_not_taken_for_words(tmp_path: Path) -> None:
    source = tmp_path / "c.jsonlines"
    source.write_text('{"doc_key": "d", "text": "Kim saw herself", "clusters": [[[0, 3], [8, 15]]]}\n')
    corefeval.convert(source, tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_text() == 'document,mention,entity\nd,"[0, 2]",0\nd,"[8, 14]",0\n'
    assert mention_counts(corefeval.score(source, tmp_path / "c.csv")) == (2, 2, 2)


def test_labels_with_fractions_are_told_by_tables_and_kept_by_json(tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text('{"d": [[1.5, 7], ["7"]]}')
    corefeval.convert(source, tmp_path / "b.json")
    assert mention_counts(corefeval.score(source, tmp_path / "b.json")) == (3, 3, 3)
    with pytest.raises(InputError, match="mentions 7 and '7' would be the same in a table"):
        corefeval.convert(source, tmp_path / "b.csv")
    for label in ('"7"', "1.5", "[1.5]"):  # read back as 7, "1.5" and "[1.5]"
        source.write_text(f'{{"d": [[{label}, "a"]]}}')
        (left,) = corefeval.convert(source, tmp_path / "b.csv")
        assert (left.kind, left.details["mentions"]) == ("lost-label-types", 1)
        assert run("convert", source, tmp_path / "c.csv", "--strict").returncode == 65


@pytest.mark.parametrize("target", [*TARGETS, "a.json", "a.csv", "a.conllu", "a.ua"])
def test_a_corpus_without_documents_is_refused(target: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document; expected at least one to write"):
        corefeval.write(corefeval.Corpus.from_entities({}), tmp_path / target)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("target", ["a.conll", "a.conllu", "a.ua"])
def test_names_of_documents_that_a_format_cannot_spell_are_told(target: str, tmp_path: Path) -> None:
    corpus = corefeval.Corpus.from_entities({"a\nb": [[(0, 0), (1, 1)]], "a b": [[(0, 0)]]})
    (left,) = [each for each in corefeval.write(corpus, tmp_path / target) if each.kind == "lost-document-name"]
    assert "document 'a\\nb' is called 'a b_2'" in left.message
    assert corefeval.read(tmp_path / target).documents == ("a b_2", "a b")
