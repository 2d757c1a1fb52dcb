"""Corpora made of columns of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import Corpus, InputError
from tests.scoring.dumps import dump

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.int32])
def test_labels_of_small_types_are_not_wrapped(kind: Any) -> None:
    labels = np.arange(np.iinfo(kind).min, np.iinfo(kind).min + 256).astype(kind)
    corpus = Corpus.from_labels(mention=np.arange(256), entity=labels)
    assert len(corpus.entity_document) == 256


def test_unsigned_and_signed_mentions_are_compared_as_numbers() -> None:
    key = Corpus.from_labels(mention=np.array([2**63 + 1, 2**63 + 2, 3], dtype=np.uint64), entity=[0, 1, 1])
    score = corefeval.score(key, Corpus.from_labels(mention=[1, 2, 3], entity=[0, 1, 1]))["mentions"]
    assert (score.recall_numerator, score.recall_denominator) == (1, 3)


@pytest.mark.parametrize(
    "mention", [[1, "1"], ["a", float("nan")], np.ma.masked_array([1, 2], mask=[False, True]), [[1], [1, 2]]]
)
def test_labels_of_mixed_kinds_are_refused(mention: Any) -> None:
    with pytest.raises(InputError):
        Corpus.from_labels(mention=mention, entity=[0, 0])


def test_labels_are_the_same_as_entities() -> None:
    sides = []
    for side in (KEY, RESPONSE):
        mention = [name for entity in side for name in entity]
        entity = [f"e{number}" for number, entity in enumerate(side) for _ in entity]
        sides.append((mention, entity))
    (key_mention, key_entity), (response_mention, response_entity) = sides
    expected = dump(corefeval.score(KEY, RESPONSE, measures="all"))
    key = Corpus.from_labels(mention=key_mention, entity=key_entity)
    response = Corpus.from_labels(mention=np.array(response_mention), entity=np.array(response_entity, dtype=object))
    assert dump(corefeval.score(key, response, measures="all")) == expected
    assert dump(corefeval.score(KEY, response, measures="all")) == expected


def test_the_same_label_in_two_documents_is_two_entities() -> None:
    corpus = Corpus.from_labels(document=["y", "x", "y"], mention=[1, 1, 2], entity=[5, 5, 5])
    assert corpus.entities() == {"y": [[1, 2]], "x": [[1]]}


@pytest.mark.parametrize("low", [0, -(10**6), 10**12, 2**63 - 50])
def test_labels_may_be_any_integers(low: int) -> None:
    mention = np.arange(40, dtype=np.int64) + np.int64(low)
    key = Corpus.from_labels(mention=mention, entity=np.arange(40) // 4)
    response = Corpus.from_labels(mention=mention[::-1], entity=(np.arange(40) // 4)[::-1] * 10**9 - 7)
    assert corefeval.score(key, response)["lea"].f1 == 1


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"mention": [1, 2], "entity": [1]}, "2 mentions but 1 label for entity"),
        ({"mention": [1.5, 2.0], "entity": [1, 1]}, "mention is of type float64"),
        ({"mention": [[1, 2]], "entity": [1]}, "mention has 2 dimensions"),
        ({"mention": np.array(["a", None], dtype=object), "entity": [1, 1]}, "mention mixes NoneType, str"),
        ({"mention": [1, 2], "entity": [1, 1], "document": ["a"]}, "1 label for document"),
    ],
)
def test_wrong_labels_get_a_helpful_error(labels: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Corpus.from_labels(**labels)
