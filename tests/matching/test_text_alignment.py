"""Two texts side by side: what is the same, what stands in the place of what, beside slow twins."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefeval._arrays import Ints
from corefeval.matching import text_alignment
from corefeval.matching.text_alignment import Text, TextAlignment, align_texts, divide_text, slide_insertions


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


WORDS = st.lists(st.sampled_from(["a", "b", "the", "cat", ".", "Kim", "Kims", "é", "京"]), max_size=12)
ORDINARY = ["The", "old", "man", "saw", "a", "dog", ".", "It", "barked", "at", "him", ",", "so", "he", "ran", "."]


def list_pairs(alignment: TextAlignment) -> list[tuple[int, int]]:
    """Pairs of letters that are aligned: each letter of the second text with the first's, by where mentions begin."""
    return [(there, place) for place, there in enumerate(alignment.begin.tolist()) if there >= 0]


def count_common(ours: list[str], theirs: list[str]) -> int:
    """How many words the two have in common at most, in their order: the table of the textbooks."""
    table = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(WORDS)
def test_equal_texts_are_aligned_letter_by_letter_however_they_are_divided(words: list[str]) -> None:
    for other in (words, ["".join(words)] if words else []):
        alignment = align(words, other)
        assert alignment.begin.tolist() == alignment.end.tolist() == list(range(len("".join(words))))
        assert not len(alignment.changes)
        assert alignment.share_changed == 0


@given(WORDS, WORDS)
def test_alignments_rise_and_every_word_is_the_same_or_a_change(ours: list[str], theirs: list[str]) -> None:
    alignment = align(ours, theirs)
    for column in (alignment.begin, alignment.end):
        kept = column[column >= 0]
        assert (np.diff(kept) >= 0).all()
    for side in (0, 1):
        listed = [word for word in alignment.changes[:, side].tolist() if word >= 0]
        assert listed == sorted(set(listed))
    lengths = [len(words) - 1 for words in alignment.words]
    changed = [int(np.count_nonzero(alignment.changes[:, side] >= 0)) for side in (0, 1)]
    assert lengths[0] - changed[0] == lengths[1] - changed[1] == alignment.same


@given(WORDS, WORDS)
def test_as_many_words_are_the_same_whichever_text_comes_first(ours: list[str], theirs: list[str]) -> None:
    one, other = align(ours, theirs), align(theirs, ours)
    assert one.same == other.same
    assert len(one.changes) == len(other.changes)


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=12), st.lists(st.sampled_from(["a", "b", "c"]), max_size=12))
def test_short_texts_keep_nearly_all_words_that_they_can(ours: list[str], theirs: list[str]) -> None:
    """A word beside another may be taken for replaced where a longer detour would find it again."""
    most, found = count_common(ours, theirs), align(ours, theirs).same
    assert most / 2 <= found <= most


@given(st.integers(0, 2**32), st.sampled_from([0.02, 0.1, 0.3]))
def test_changed_words_are_those_that_were_changed(seed: int, rate: float) -> None:
    """Words that occur once each: what is right is known, and a slow twin is not needed."""
    rng = random.Random(seed)
    ours = [f"w{number}w" for number in range(300)]
    theirs: list[str] = []
    right: list[tuple[int, int]] = []
    for number, word in enumerate(ours):
        kind = rng.choice("dri") if rng.random() < rate else ""
        if kind == "r":
            theirs.append(f"x{number}x")
        elif kind != "d":
            right.append((number, len(theirs)))
            theirs.append(word)
        if kind == "i":
            theirs.append(f"y{number}y")
    alignment = align(ours, theirs)
    assert alignment.same == len(right)
    starts, their_starts = alignment.words
    found = dict(zip(their_starts.tolist(), alignment.begin[their_starts[:-1]].tolist(), strict=False))
    assert all(found[int(their_starts[b])] == starts[a] for a, b in right)


@pytest.mark.parametrize(
    ("theirs", "changes"),
    [
        (["The", "old", "woman", *ORDINARY[3:]], [(2, 2)]),
        (["Sure", ":", *ORDINARY], [(-1, 0), (-1, 1)]),
        ([*ORDINARY, "Done", "!"], [(-1, 16), (-1, 17)]),
        (ORDINARY[:7] + ORDINARY[12:], [(place, -1) for place in range(7, 12)]),
        (ORDINARY[:7] + ORDINARY, [(-1, place) for place in range(7)]),
        (["The", "man", *ORDINARY[3:5], "big", "dog.", *ORDINARY[7:]], [(1, -1), (-1, 4)]),
        (ORDINARY[:5], [(place, -1) for place in range(5, 16)]),
        ([], [(place, -1) for place in range(16)]),
    ],
)
def test_what_is_changed_is_found(theirs: list[str], changes: list[tuple[int, int]]) -> None:
    found = [tuple(row) for row in align(ORDINARY, theirs).changes.tolist()]
    if theirs[:7] == theirs[7:14] and theirs:  # either of the two sentences is the repetition
        assert len(found) == len(changes)
        assert all(ours == -1 for ours, _ in found)
    else:
        assert found == changes


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["the"] * 30_000, ["x", *["the"] * 20_000, "y"]),
        (["a"] * 30_000, ["a" * 20_000]),
        ([f"a{n}" for n in range(8_000)], [f"b{n}" for n in range(8_000)]),
        (["a", "b"] * 10_000, ["b", "a", "b", "b"] * 3_000),
        ([f"w{n}" for n in range(5_000)], [f"w{n}" for n in (*range(2_500, 5_000), *range(2_500))]),
    ],
)
def test_texts_made_to_be_hard_are_aligned_all_the_same(ours: list[str], theirs: list[str]) -> None:
    alignment = align(ours, theirs)
    kept = alignment.begin[alignment.begin >= 0]
    assert (np.diff(kept) >= 0).all()


def test_of_two_words_alike_in_a_long_change_the_one_with_the_likelier_neighbour_is_the_same() -> None:
    every_other = [[word for n in range(30) for word in (chr(97 + n % 7), mark * (1 + n % 3))] for mark in "xy"]
    theirs = [*every_other[0], "i", "i", "hold", *every_other[0]]
    ours = [*every_other[1], "if", "i", "get", "hold", *every_other[1]]
    changes = align(ours, theirs).changes.tolist()
    assert [60, 60] in changes  # "i" stands in the place of "if", and "get" is missing
    assert [62, -1] in changes
    assert 61 not in [theirs for _, theirs in changes]


@given(st.text("ab", max_size=80))
def test_runs_of_letters_are_grouped_and_in_the_order_of_the_text(text: str) -> None:
    found = text_alignment._sort_runs(text_alignment._encode(text))
    length = 1 << text_alignment._RUN
    groups = [found.place[a : a + times].tolist() for a, times in zip(found.first, found.times, strict=True)]
    expected: dict[str, list[int]] = {}
    for place in range(len(text) - length + 1):
        expected.setdefault(text[place : place + length], []).append(place)
    assert sorted(groups) == sorted(expected.values())


def test_a_moved_block_costs_no_more_than_itself() -> None:
    words = [f"w{number}" for number in range(1000)]
    moved = words[:100] + words[300:800] + words[100:300] + words[800:]
    assert align(words, moved).same == 800


@pytest.mark.parametrize(("marked", "inserted"), [(set(), 2), ({1}, 2), ({2}, 1), ({1, 2}, 2)])
def test_of_two_words_alike_the_one_without_marks_is_inserted(marked: set[int], inserted: int) -> None:
    ours, theirs = ["of", "my", "creator"], ["of", "my", "my", "creator"]
    opens, closes = np.zeros((2, len("".join(theirs))), dtype=np.int64)
    opens[[2 * word for word in marked]] = closes[[2 * word + 1 for word in marked]] = 1
    slid = slide_insertions(align(ours, theirs), "".join(theirs), opens, closes)
    assert slid.changes.tolist() == [[-1, inserted]]
    assert slid.begin[[2, 4]].tolist() == ([-1, 2] if inserted == 1 else [2, -1])


@pytest.mark.parametrize(
    ("theirs", "marked", "inserted"),
    [
        (["of", "x", "my", "my", "creator"], 2, [1, 3]),
        (["of", "x", "my", "my", "creator"], 3, [1, 2]),
        (["of", "my", "my", "x", "creator"], 1, [2, 3]),
        (["of", "my", "my", "x", "creator"], 2, [1, 3]),
    ],
)
def test_only_the_word_that_is_there_twice_slides(theirs: list[str], marked: int, inserted: list[int]) -> None:
    place = np.cumsum([0, *map(len, theirs)])
    opens, closes = np.zeros((2, place[-1]), dtype=np.int64)
    opens[place[marked]] = closes[place[marked + 1] - 1] = 1
    slid = slide_insertions(align(["of", "my", "creator"], theirs), "".join(theirs), opens, closes)
    assert slid.changes.tolist() == [[-1, word] for word in inserted]
    assert slid.begin[place[marked]] == 2


@given(WORDS, WORDS, st.sets(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5))
def test_slid_insertions_are_as_many_and_rise(
    ours: list[str], theirs: list[str], mentions: set[tuple[int, int]]
) -> None:
    alignment = align(ours, theirs)
    opens, closes = np.zeros((2, len("".join(theirs))), dtype=np.int64)
    for first, last in mentions:
        if first <= last < len(opens):
            opens[first] += 1
            closes[last] += 1
    slid = slide_insertions(alignment, "".join(theirs), opens, closes)
    assert slid.same == alignment.same
    text, other = "".join(ours), "".join(theirs)
    changed = set(slid.changes[:, 1].tolist())
    kept = [place for word in range(len(slid.words[1]) - 1) if word not in changed
            for place in range(slid.words[1][word], slid.words[1][word + 1])]  # fmt: skip
    assert all(text[slid.begin[place]] == other[place] for place in kept)
    assert (np.diff(slid.begin[slid.begin >= 0]) >= 0).all()
