"""Strings without places, looked up in the key's text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import InputError
from tests.formats.small_files import notice_kinds

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval import Evaluation

KEY = (
    "<!-- document: a -->\n[Mara](#1) went to [the shop](#2) . [She](#1) liked [it](#2) . "
    "[[Mara](#1) 's dog](#3) saw [her](#1) .\n"
)


def score(folder: Path, clusters: object, key: str = KEY, spec: str | None = None) -> Evaluation:
    (folder / "key.md").write_text(key)
    (folder / "response.json").write_text(json.dumps(clusters))
    return corefeval.score(folder / "key.md", corefeval.read(folder / "response.json", spec))


def test_strings_are_found_in_their_order(tmp_path: Path) -> None:
    made = score(tmp_path, {"clusters": [["Mara", "she", "Mara", "her"], ["the shop", "it"], ["Mara's dog"]]})
    assert made["conll"].f1 == 1
    assert made["mentions"].recall_numerator == 7
    assert notice_kinds(made) == set()


def test_strings_that_do_not_occur_are_spurious(tmp_path: Path) -> None:
    made = score(tmp_path, {"clusters": [["Mara", "the cat"], ["the shop", "the shop"]]})
    mentions = made["mentions"]
    assert (mentions.recall_numerator, mentions.precision_denominator) == (2, 4)
    lost = [notice.message for notice in made.notices if notice.kind == "string-not-found"]
    assert "'the cat' of entity 0 does not occur in document 'a'; counted as spurious" in lost[0]
    assert "'the shop' of entity 1 occurs 1 time only" in lost[1]


def test_strings_at_several_places_are_ambiguous(tmp_path: Path) -> None:
    made = score(tmp_path, {"doc_id": "a", "clusters": [["Mara"], ["shop"]]})
    (notice,) = [notice for notice in made.notices if notice.kind == "string-ambiguous"]
    assert "'Mara' occurs 2 times in document 'a', and 1 mention of 1 entity is called so" in notice.message
    assert made["mentions"].recall_numerator == 1  # the first Mara; "shop" is at hand, but is no mention of the key


def test_long_strings_first(tmp_path: Path) -> None:
    key = "[The old dog](#1) saw [dog](#2) food .\n"
    clusters = {"clusters": [["dog"], ["The old dog"]]}
    assert score(tmp_path, clusters, key)["mentions"].recall_numerator == 1
    assert score(tmp_path, clusters, key, "strings:strategy=longest")["mentions"].recall_numerator == 2


@pytest.mark.parametrize("strategy", ["order", "longest"])
def test_a_string_that_occurs_thousands_of_times(tmp_path: Path, strategy: str) -> None:
    key = " ".join(f"[Mara](#{number % 2})" for number in range(4000))
    clusters = {"clusters": [["Mara"] * 2000, ["Mara"] * 2000]}  # the first half of the text, and the second
    made = score(tmp_path, clusters, key, f"strings:strategy={strategy}")
    assert (made["mentions"].f1, made["b3"].f1) == (1, 0.5)


def test_a_text_of_characters(tmp_path: Path) -> None:
    text = "Mara's  dog saw her.\nHere she\n ran."
    key = {"doc_key": "a", "text": text, "clusters": [[[0, 4], [16, 19], [26, 29]], [[0, 11]]]}
    (tmp_path / "key.jsonl").write_text(json.dumps(key))
    (tmp_path / "response.json").write_text('{"clusters": [["mara", "her", "she"], ["Mara\'s dog"]]}')
    assert corefeval.score(tmp_path / "key.jsonl", tmp_path / "response.json")["conll"].f1 == 1


def test_documents_by_name_and_faults_with_lines(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"doc_key": "b", "clusters": [["x"]]}\n{"doc_key": "a", "clusters": [["Mara"]]}\n')
    corpus = corefeval.read(path)
    assert (corpus.format, corpus.documents) == ("strings", ("b", "a"))
    path.write_text('{"clusters": [["x"]]}\n{"clusters": [["Mara", 3]]}\n')
    with pytest.raises(InputError, match=r"r\.jsonl:2: cluster 0 is \['Mara', 3\]; expected a list of strings"):
        corefeval.read(path)


def test_strings_beside_labels_stay_labels(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"clusters": [["a", "b"], ["c"]]}')
    assert corefeval.score([["a", "b"], ["c"]], tmp_path / "r.json")["conll"].f1 == 1


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ('{"clusters": [["p1", "p2"]]}', "strings"),
        ('{"sentences": [["Mara", "ran"]], "clusters": [["Mara"]]}', "strings"),
        ('{"a": [["p1", "p2"]], "clusters": [["p3"]]}', "json"),  # "a" would be left out
        ('{"clusters": [["p3"]], "a": [["p1", "p2"]]}', "json"),
    ],
)
def test_a_document_called_clusters_is_no_field_of_strings(text: str, format_: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    assert corefeval.read(tmp_path / "a.json").format == format_
