"""Mentions that are not written in the text: which of them are matched, and which are left out."""

from __future__ import annotations

import pytest

import corefeval
from corefeval import InputError
from corefeval.formats.draft import Draft


def test_without_zeros_and_singletons_nothing_is_alone() -> None:
    """As if both files had been written without zeros: an entity of a zero and another mention is a singleton then."""
    draft = Draft("side")
    document = draft.add_document("d", words=["Ann", "_", "came", "."], empty=[False, True, False, False])
    for entity, place in (("A", 0), ("A", 1), ("B", 2), ("B", 3)):
        document.add_mention(entity, (place, place))
    side = draft.build_corpus()
    made = corefeval.score(side, side, zeros="drop", singletons="drop")
    assert made["mentions"].recall_denominator == 2
    assert made["ceafe"].recall_denominator == 1


def test_positions_among_unknown_words_cannot_lose_zeros() -> None:
    """What was read without its words counts the zeros of the key, and would be shifted where these are dropped."""
    draft = Draft("key.conllu")
    document = draft.add_document("d", words=["Ann", "_", "came", "."], empty=[False, True, False, False])
    for place in (0, 2):
        document.add_mention("A", (place, place))
    key, positions = draft.build_corpus(), {"d": [[(0, 0), (2, 2)]]}
    with pytest.warns(corefeval.CorefevalWarning, match="taken to count the 1 unwritten word of key.conllu"):
        made = corefeval.score(key, positions, zeros="order")
    assert made["muc"].f1 == 1
    for sides in ((key, positions), (positions, key)):
        with pytest.raises(InputError, match=r"its words are not known.* words on both sides for zeros=drop"):
            corefeval.score(*sides, zeros="drop")
