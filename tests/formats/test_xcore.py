"""xCoRe's predictions for several documents: entities of (document, first, last)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import InputError
from corefeval.formats import xcore
from corefeval.formats.base import File
from tests.formats.content import notice_kinds

if TYPE_CHECKING:
    from pathlib import Path

# As the README of SapienzaNLP/xcore shows it, with other words.
PREDICTION = {
    "tokens": [["Kim", "fell", "."], ["She", "is", "well"]],
    "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]], [[0, 1, 2]]],
    "clusters_text_mentions": [["Kim", "She"], ["fell ."]],
}


def read(content: object) -> corefeval.Corpus:
    return xcore.read(File("x.json", json.dumps(content).encode(), "x", lambda _: None))


def test_entities_reach_across_documents(tmp_path: Path) -> None:
    path = tmp_path / "predicted.json"
    path.write_text(json.dumps(PREDICTION))
    corpus = corefeval.read(path)
    assert (corpus.format, corpus.documents, notice_kinds(corpus)) == ("xcore", ("0", "1"), ["spanning-entities"])
    found = [(d.name, entity.name, [each.text for each in entity]) for d in corpus for entity in d]
    assert found == [("0", "0", ["Kim"]), ("0", "1", ["fell ."]), ("1", "0", ["She"])]
    links = [corefeval.score(corpus, corpus, level=level)["muc"].recall_denominator for level in ("document", "corpus")]
    assert links == [0, 1]


def test_names_several_objects_and_sentences() -> None:
    named = read(
        PREDICTION | {"doc_keys": ["36/a", "36/b"], "tokens": [[["Kim", "fell"], ["."]], [["She", "is", "well"]]]}
    )
    assert named.documents == ("36/a", "36/b")
    assert next(iter(named)).sentences == [["Kim", "fell"], ["."]]
    several = read([PREDICTION, PREDICTION | {"doc_key": "t"}])
    assert several.documents == ("0/0", "0/1", "t/0", "t/1")
    # Entity 0 of one object is not entity 0 of the other.
    assert corefeval.score(several, several, level="corpus")["muc"].recall_denominator == 2


def test_predictions_for_one_document_are_still_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"tokens": ["Kim", "fell"], "clusters_token_offsets": [[[0, 0], [1, 1]]]}))
    assert corefeval.read(path).format == "jsonlines"
    assert read({"tokens": ["Kim", "fell"], "clusters_token_offsets": [[[0, 0], [1, 1]]]}).documents == ("0",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": None}, "object 0 lacks a list tokens or clusters_token_offsets"),
        ({"tokens": [[1], ["a"]]}, "document '0' has no list of words"),
        ({"doc_keys": ["a"]}, "doc_keys does not name 2 documents"),
        (
            {"clusters_token_offsets": [[[2, 0, 0]]]},
            "a mention of entity 0 is [2, 0, 0]; expected document, first and last",
        ),
        ({"clusters_token_offsets": [[[0, 0]]]}, "a mention of entity 0 is [0, 0]"),
        ({"clusters_token_offsets": [7]}, "a mention of entity 0 is 7"),
        ({"clusters_token_offsets": [[[0, 0, 9]]]}, "(0, 9) is not within the 3 words of document '0'"),
    ],
)
def test_faults(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        read(PREDICTION | change)
    assert str(error.value).startswith(f"x.json:1: {message}")


def test_an_empty_file_is_a_fault() -> None:
    with pytest.raises(InputError, match=r"x\.json:1: no document"):
        read([])
