"""Maverick's predictions: plain dicts, as its README shows them and maverick/models/maverick_model.py makes them."""

from __future__ import annotations

from typing import Any

import pytest

from corefeval import InputError
from corefeval.adapters import convert_object, maverick

TOKENS = [
    *["Barack", "Obama", "is", "traveling", "to", "Rome", ".", "The", "city", "is", "sunny", "and", "the", "president"],
    *["plans", "to", "visit", "its", "most", "important", "attractions"],
]
PREDICTION = {
    "tokens": TOKENS,
    "clusters_token_offsets": [((5, 5), (7, 8), (17, 17)), ((0, 1), (12, 13))],
    "clusters_char_offsets": [[(29, 32), (35, 42), (86, 88)], [(0, 11), (57, 69)]],
    "clusters_token_text": [["Rome", "The city", "its"], ["Barack Obama", "the president"]],
    "clusters_char_text": None,
}


def test_tokens_are_counted_with_the_last() -> None:
    (document,) = maverick.read(PREDICTION)
    assert document.words == TOKENS
    assert [[mention.text for mention in entity] for entity in document] == PREDICTION["clusters_token_text"]


def test_several_and_named_predictions() -> None:
    for several, names in [([PREDICTION] * 2, ("0", "1")), ({"a": PREDICTION}, ("a",)), (PREDICTION, ("",))]:
        corpus = convert_object(several)
        assert corpus is not None
        assert corpus.documents == names
        assert corpus.source == "Maverick"


def test_what_the_model_found_outside_the_text_is_left_out_and_said() -> None:
    """`original_token_offsets` in maverick/common/util.py leaves empty tuples, and None for the end of a mention."""
    corpus = maverick.read({**PREDICTION, "clusters_token_offsets": [((5, 5), (7, 8)), (), ((0, 1), (12, None))]})
    assert corpus.entities() == {"": [[(5, 5), (7, 8)], [(0, 1)]]}
    assert sorted(notice.kind for notice in corpus.notices) == ["empty-entity", "no-place"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"clusters_token_offsets": [((5, 21),)]}, "(5, 21) is not within the 21 words of document ''"),
        ({"clusters_token_offsets": [((5, 4),)]}, "(5, 4) is not within the 21 words of document ''"),
        ({"clusters_token_offsets": None}, "the entities are None (NoneType); expected a list of entities"),
        ({"tokens": ["a", None]}, "the words are ['a', None] (list); expected a list of strings"),
    ],
)
def test_faults(fields: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        maverick.read({**PREDICTION, **fields})
    assert said in str(caught.value)


def test_every_fault_is_said() -> None:
    with pytest.raises(InputError) as caught:
        maverick.read({**PREDICTION, "clusters_token_offsets": [((5, 99), "x", 3), 7]})
    assert len(caught.value.faults) == 4
