"""Which documents of key and response are the same where their names do not tell, and what happens if none is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import Corpus, InputError, Scorer
from tests.cli.running import run, run_process
from tests.formats.small_files import conll, mention_counts, notice_kinds

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ("Kim saw her", "He left him", "They met us")


def write_lines(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def line(text: str, *mentions: int, **fields: Any) -> dict[str, Any]:
    """A document of words with one entity of single words."""
    return {"sentences": [text.split()], "clusters": [[[place, place] for place in mentions]], **fields}


@pytest.mark.parametrize("name", ["", "x", "y"])
def test_one_document_on_each_side_is_the_same_document(name: str) -> None:
    evaluation = corefeval.score({"x": [["a", "b"]]}, {name: [["a", "b"]]})
    assert evaluation["muc"].f1 == 1
    assert [notice.message for notice in evaluation.notices] == (
        ["response: document 'y' is taken for 'x' of the key: each side has but one document"] if name == "y" else []
    )


def test_a_scorer_takes_one_document_on_each_side_for_the_same() -> None:
    scorer = Scorer("muc")
    scorer.update({"x": [["a", "b"]]}, {"y": [["a", "b"]]})
    scorer.update({"z": [["a", "b"]]}, {"z": [["a"], ["b"]]})
    result = scorer.compute()
    assert (result.document_names, result["muc"].recall) == (("x", "z"), 1 / 2)
    assert notice_kinds(result) == {"other-name"}
    with pytest.raises(InputError, match="none of its 2 documents is in the key"):
        scorer.update({"p": [["a", "b"]]}, {"q": [["a", "b"]], "r": []})


def test_one_document_from_standard_input_is_the_same_document(tmp_path: Path) -> None:
    key = write_lines(tmp_path / "key.jsonlines", line(TEXTS[0], 0, 2))
    for content in (key.read_bytes(), conll("other", "Kim (1)", "saw -", "her (1)").encode()):
        done = run_process("score", key, "-", "-m", "muc", "--csv", stdin=content)
        assert done.returncode == 0
        assert ",muc,1.0,1.0,1.0," in done.stdout, done.stdout


def test_lines_without_names_are_paired_by_their_text(tmp_path: Path) -> None:
    """In another order, in other case, and with one document less, which was paired with another one before."""
    key = write_lines(tmp_path / "key.jsonlines", line(TEXTS[0], 0, 2), line(TEXTS[1], 0, 2), line(TEXTS[2], 0, 2))
    turned = write_lines(
        tmp_path / "r.jsonlines", line(TEXTS[2].upper(), 0, 2), line(TEXTS[1], 0), line(TEXTS[0], 0, 2)
    )
    evaluation = corefeval.score(key, turned)
    assert mention_counts(evaluation) == (5, 6, 5)
    assert evaluation.documents["1"]["mentions"].recall == 1 / 2
    assert notice_kinds(evaluation) == {"different-words"}
    fewer = write_lines(tmp_path / "fewer.jsonlines", line(TEXTS[2], 0, 2), line(TEXTS[0], 0, 2))
    evaluation = corefeval.score(key, fewer)
    assert mention_counts(evaluation) == (4, 6, 4)
    assert [notice.details["document"] for notice in evaluation.notices] == ["1"]
    more = corefeval.score(fewer, key)
    assert mention_counts(more) == (4, 4, 4)
    assert [notice.kind for notice in more.notices] == ["extra-document"]


def test_lines_without_names_are_paired_with_named_documents_by_their_text(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_text("".join(conll(name, "Kim (1)", "saw -", f"{name} (1)") for name in "ab"))
    response = write_lines(tmp_path / "r.jsonlines", line("Kim saw b", 0), line("Kim saw a", 0, 2))
    for sides in ((key, response), (response, key)):
        evaluation = corefeval.score(*sides)
        assert evaluation["mentions"].recall_numerator == 3
        assert evaluation.notices == ()


def test_lines_without_names_and_with_other_texts_are_paired_by_order_and_that_is_said(tmp_path: Path) -> None:
    key = write_lines(tmp_path / "key.jsonlines", *(line(text, 0, 2) for text in TEXTS))
    response = write_lines(tmp_path / "r.jsonlines", *(line(f"{text} again", 0, 2) for text in TEXTS))
    evaluation = corefeval.score(key, response)
    assert mention_counts(evaluation) == (6, 6, 6)
    (notice,) = (notice for notice in evaluation.notices if notice.kind == "paired-by-order")
    assert notice.details["count"] == 3
    shorter = write_lines(tmp_path / "s.jsonlines", *(line(f"{text} again", 0, 2) for text in TEXTS[:2]))
    with pytest.raises(
        InputError, match="documents without names are paired by their texts, which differ, or by order"
    ):
        corefeval.score(key, shorter)


def test_lines_without_names_and_texts_are_paired_by_order_and_that_is_said(tmp_path: Path) -> None:
    key = write_lines(tmp_path / "key.jsonlines", {"clusters": [[[0, 0], [1, 1]]]}, {"clusters": [[[2, 2], [3, 3]]]})
    evaluation = corefeval.score(key, key, format="jsonlines")
    assert evaluation["muc"].f1 == 1
    assert notice_kinds(evaluation) == {"unknown-words", "paired-by-order"}


def test_several_documents_of_one_text_are_paired_by_order(tmp_path: Path) -> None:
    key = write_lines(tmp_path / "key.jsonlines", line("a b", 0), line("a b", 1), line("c d", 0))
    response = write_lines(tmp_path / "r.jsonlines", line("c d", 0), line("a b", 0), line("a b", 1))
    evaluation = corefeval.score(key, response)
    assert mention_counts(evaluation) == (3, 3, 3)
    assert [notice.details["count"] for notice in evaluation.notices] == [2]
    assert corefeval.score(key, key).notices == ()


def test_annotators_of_lines_without_names_are_aligned_by_text(tmp_path: Path) -> None:
    lines = [line(text, 0, 2) for text in TEXTS]
    orders = {name: write_lines(tmp_path / f"{name}.jsonlines", *(lines[n] for n in order)) for name, order in
              {"a": (0, 1, 2), "b": (2, 0, 1), "c": (1, 2)}.items()}  # fmt: skip
    found = corefeval.agree(orders, measures="muc", draws=2)
    assert [(pair.documents, pair.measures["muc"]) for pair in found.pairs] == [(3, 1.0), (2, 1.0), (2, 1.0)]


KEY = {"a": [["x", "y"]], "b": [["z"]]}


@pytest.mark.parametrize("missing", ["empty", "skip", "error"])
def test_no_document_in_common_is_an_error(missing: str) -> None:
    other = Corpus.from_entities({"c": [["x", "y"]], "d": []}, source="theirs.json")
    with pytest.raises(InputError) as caught:
        corefeval.score(Corpus.from_entities(KEY, source="ours.json"), other, missing=missing)
    assert str(caught.value) == (
        "theirs.json: none of its 2 documents is in ours.json; expected documents of the key; "
        "the first is 'c' here and 'a' in the key; name them alike"
    )
    assert [fault.kind for fault in caught.value.faults] == ["other-corpus"]


def test_documents_that_are_missing_are_no_error_where_some_are_common() -> None:
    for response in ({"c": [["x", "y"]], "b": [["z"]]}, {}):
        evaluation = corefeval.score(KEY, response)
        assert "missing-document" in notice_kinds(evaluation)


@pytest.mark.parametrize(
    "command",
    [
        ("score", "{0}", "{1}"),
        ("compare", "{0}", "{1}", "{1}x", "--resamples", "100"),
        ("errors", "{0}", "{1}"),
        ("explain", "muc", "{0}", "{1}"),
        ("align", "{0}", "{1}"),
        ("diff", "{0}", "{1}", "{1}x"),
        ("why", "{0}", "{1}", "--to", "coval"),
        ("report", "{0}", "{1}", "-o", "{2}"),
        ("agree", "{0}", "{1}"),
        ("validate", "{1}", "--key", "{0}"),
    ],
    ids=lambda command: str(command[0]),
)
def test_no_document_in_common_ends_every_command_with_65(command: tuple[str, ...], tmp_path: Path) -> None:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    for path, names in ((key, "ab"), (response, "cd"), (tmp_path / "response.conllx", "ef")):
        path.write_text("".join(conll(name, "Kim (1)", "saw -", "her (1)") for name in names))
    done = run(*(part.format(key, response, tmp_path / "page.html") for part in command))
    assert done.returncode == 65
    assert "in common" in done.stderr or f"none of its 2 documents is in {key}" in done.stdout + done.stderr
    assert not (tmp_path / "page.html").exists()


def test_a_text_that_one_side_has_more_often_is_paired_as_often_as_both_have_it(tmp_path: Path) -> None:
    first, second = line(TEXTS[0], 0, 2), line(TEXTS[1], 0, 2)
    key = write_lines(tmp_path / "key.jsonl", first, first, second)
    response = write_lines(tmp_path / "response.jsonl", second, first)
    evaluation = corefeval.score(key, response, measures="muc")
    assert (evaluation["muc"].recall, evaluation["muc"].precision) == (2 / 3, 1)
    assert notice_kinds(evaluation) == {"paired-by-order", "missing-document"}


def test_unnamed_lines_of_one_text_are_paired_by_order_and_that_is_said(tmp_path: Path) -> None:
    lines = [
        '{"sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}',
        '{"sentences": [["a", "b"]], "clusters": []}',
    ]
    for name, order in (("key", lines), ("response", lines[::-1])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(order))
    with pytest.warns(corefeval.CorefevalWarning, match="paired with the key's by order"):
        made = corefeval.score(tmp_path / "key.jsonl", tmp_path / "response.jsonl")
    assert made["muc"].f1 == 0


@pytest.mark.parametrize("source", ["", "here"])
def test_documents_of_no_file_have_no_file_in_common(source: str) -> None:
    """Corpora made in Python and joined: of their documents no file is known, so none is paired by its file's name."""
    one, other = (corefeval.Corpus.from_entities({name: [["a", "b"]]}) for name in "de")
    read = corefeval.Corpus.from_entities({"f": [["a"]]}, source="there/f.json")
    joined, alike = (corefeval.Corpus.join([each, read], source=source) for each in (one, other))
    assert corefeval.score(joined, joined, measures="muc")["muc"].f1 == 1
    assert "f" in str(corefeval.agree({"x": joined, "y": alike}))
    with pytest.raises(InputError, match=r"none of its 2 documents|its document is not"):
        corefeval.score(
            corefeval.Corpus.join([one], source=source), corefeval.Corpus.join([other, read], source=source)
        )
