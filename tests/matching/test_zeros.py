"""Mentions that are not written in the text: which of them are matched, and which are left out."""

from __future__ import annotations

import corefeval
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
