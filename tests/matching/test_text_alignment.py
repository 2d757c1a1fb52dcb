"""Two texts side by side: what is the same, what stands in the place of what, beside slow twins."""

from __future__ import annotations

import difflib
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefeval._arrays import Ints
from corefeval.matching.text_alignment import Text, TextAlignment, align_texts, divide_text


def align_letters(ours: str, theirs: str) -> Ints:
    """For every letter of the second text, the position of the same letter in the first, or -1: letters are words."""
    alignment = align_texts(*(Text(text, np.ones(len(text) + 1, dtype=np.bool_)) for text in (ours, theirs)))
    alignment.begin[alignment.changes[:, 1][alignment.changes[:, 1] >= 0]] = -1
    return alignment.begin


def align(ours: list[str], theirs: list[str]) -> TextAlignment:
    """The alignment of two texts, given their words."""
    return align_texts(*map(make_text, (ours, theirs)))


def make_text(words: list[str]) -> Text:
    letters = "".join(words)
    apart = np.zeros(len(letters), dtype=np.bool_)
    apart[np.cumsum([0, *map(len, words)])[: len(words)]] = True
    return divide_text(letters, apart)


def test_changed_text_is_aligned_around_the_changes() -> None:
    rng = np.random.default_rng(7)
    ours = "".join(chr(97 + letter) for letter in rng.integers(0, 26, 60_000))
    theirs = ours[:1000] + "XX" + ours[1000:20_000] + ours[20_050:40_000] + "y" * 30 + ours[40_000:]
    found = align_letters(ours, theirs)
    right = np.concatenate([
        np.arange(1000), [-1, -1], np.arange(1000, 20_000), np.arange(20_050, 40_000), np.full(30, -1),
        np.arange(40_000, 60_000),
    ])  # fmt: skip
    assert np.count_nonzero(found != right) <= 4  # a letter beside a change may as well be the one within it


@given(st.text("ab", max_size=40), st.text("ab", max_size=40))
def test_an_alignment_rises_and_joins_equal_letters(ours: str, theirs: str) -> None:
    found = align_letters(ours, theirs)
    kept = np.flatnonzero(found >= 0)
    assert all(np.diff(found[kept]) > 0)
    assert all(ours[found[place]] == theirs[place] for place in kept.tolist())
