"""Passages that a response has twice, or in another place: mentions are taken from either copy, and count once."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval.formats.draft import Draft
from corefeval.matching.copies import find_copies
from corefeval.matching.text_alignment import align_texts, divide_text

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval import Corpus
    from corefeval.analysis.audit import Audit

KEY = "Kim|[e1] came home . She|[e1] saw the|[e2 old dog of Mary|[e3],e2] by the gate . It|[e2] ran ."


def audit(key: str, response: str, folder: Path) -> Audit:
    for name, text in (("key", key), ("response", response)):
        (folder / f"{name}.crac").write_text(text + "\n")
    return corefeval.audit(folder / "key.crac", folder / "response.crac", format="crac", measures="mentions,conll")


PERFECT = {
    # Both copies are whole: each mention counts once.
    "whole": "Kim|[e1] came home . She|[e1] saw the|[e2 old dog of Mary|[e3],e2] by the gate . "
    "She|[e1] saw the|[e2 old dog of Mary|[e3],e2] by the gate . It|[e2] ran .",
    # Each has lost a tag that the other one has.
    "tags": "Kim|[e1] came home . She|[e1] saw the old dog of Mary|[e3] by the gate . "
    "She saw the|[e2 old dog of Mary|e2] by the gate . It|[e2] ran .",
    # Each has lost words that the other one has; the mention that is repaired gives way.
    "words": "Kim|[e1] came home . She|[e1] saw old dog of Mary|[e3],e2] by the gate . "
    "She|[e1] saw the|[e2 old dog of Mary|[e3],e2] the gate . It|[e2] ran .",
    # Both are changed: the mention begins in the first, as the key's words do, and ends in the second.
    "divided": "Kim|[e1] came home . She|[e1] saw the|[e2 old dog of yes Mary|[e3],e2] now by the red gate . "
    "She|[e1] had seen the|[e2 nice old dog of big Mary|[e3],e2] by the gate . It|[e2] ran .",
    # Three copies, of several sentences.
    "three": f"{KEY} {KEY.replace('|[e1]', '')} {KEY.replace('[e3],', '')}",
}


@pytest.mark.parametrize("case", PERFECT)
def test_mentions_are_taken_from_both_copies_and_count_once(case: str, tmp_path: Path) -> None:
    found = audit(KEY, PERFECT[case], tmp_path)
    assert (found.evaluation["mentions"].recall, found.evaluation["mentions"].precision) == (1.0, 1.0)
    assert found.evaluation["conll"].f1 == 1.0
    assert found.whole.unplaced == 0


def test_what_became_of_the_mentions_of_a_copy_is_said(tmp_path: Path) -> None:
    found = audit(KEY, PERFECT["tags"], tmp_path)
    assert [(each.fate, each.mention, each.key) for each in found.mentions] == [
        ("moved", "the old dog of Mary", "the old dog of Mary")
    ]
    messages = [notice.message for notice in found.notices if notice.kind == "moved-mention"]
    assert "is in a copy of words next to it; it counts where the key has these" in messages[0]
    (notice,) = (notice for notice in found.notices if notice.kind == "different-text")
    assert (notice.details["moved"], notice.details["lost"], notice.details["unplaced"]) == (1, 0, 0)
    assert found.variants["without moved mentions"]["mentions"].recall_numerator == 4


@pytest.mark.parametrize("turned", [False, True])
def test_a_repaired_mention_gives_way_to_that_of_the_other_copy(turned: bool, tmp_path: Path) -> None:
    key = "Kim|[e1] came home . No|[e2 writer|e2] had ever seen the gate . It ran ."
    copies = ["writer|e2] had ever seen the gate .", "No|[e2 writer|e2] had ever seen gate ."]
    response = " ".join(["Kim|[e1] came home .", *(copies[::-1] if turned else copies), "It ran ."])
    found = audit(key, response, tmp_path)
    assert (found.evaluation["mentions"].recall, found.evaluation["mentions"].precision) == (1.0, 1.0)
    repaired = [each for each in found.mentions if each.repair]
    assert [(each.fate, each.mention, each.repair) for each in repaired] == [("lost", "writer", "unopened")]
    messages = [notice.message for notice in found.notices if notice.kind == "lost-mention"]
    assert "is in words that are there twice; the other mention counts" in messages[0]


@pytest.mark.parametrize(
    "inserted",
    [
        "She|[e1] said that it|[e9] was all that she|[e1] had to say for now .",  # other words
        "of|[e9] the gate|[e9]",  # too few
    ],
)
def test_words_that_are_no_copy_are_lost(inserted: str, tmp_path: Path) -> None:
    found = audit(KEY, KEY.replace("It|[e2]", f"{inserted} It|[e2]"), tmp_path)
    assert (found.evaluation["mentions"].recall, found.evaluation["mentions"].precision) == (1.0, 1.0)
    assert (found.whole.lost, found.whole.moved) == (inserted.count("|["), 0)


def test_a_changed_word_of_a_copy_stands_in_the_place_of_none(tmp_path: Path) -> None:
    key = "Kim|[e1] came home . She|[e1] saw a dog by the gate . It ran ."
    copy = "She|[e1] saw a cat|[e8] by the gate ."
    found = audit(key, f"Kim|[e1] came home . She|[e1] saw a dog by the gate . {copy} It ran .", tmp_path)
    assert (found.evaluation["mentions"].recall, found.evaluation["mentions"].precision) == (1.0, 1.0)


def test_zeros_of_a_copy_have_their_places(tmp_path: Path) -> None:
    key = "Kim|[e1] came home and ##|[e1] saw the|[e2 old dog|e2] . It|[e2] ran ."
    response = (
        "Kim came home and saw the old dog . Kim|[e1] came home and ##|[e1] saw the|[e2 old dog|e2] . It|[e2] ran ."
    )
    found = audit(key, response, tmp_path)
    assert (found.evaluation["mentions"].recall, found.evaluation["mentions"].precision) == (1.0, 1.0)


def build(sentences: list[list[str]], starts: list[int]) -> Corpus:
    """A corpus in which every other word is a mention, of an entity for each word of the key."""
    draft = Draft("made up")
    document = draft.add_document("d", words=[word for sentence in sentences for word in sentence])
    place = 0
    for sentence, start in zip(sentences, starts, strict=True):
        for number in range(0, len(sentence), 2):
            document.add_mention(str((start + number) % 7), (place + number, place + number))
        place += len(sentence)
    return draft.build_corpus()


@given(st.integers(0, 10_000), st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_sentences_that_are_repeated_change_no_score(seed: int, repeated: list[int]) -> None:
    rng = Random(seed)
    # Every other word is one of three; those that are mentions are all different.
    sentences = [[f"w{place}-{n}" if n % 2 == 0 else rng.choice(["the", "of", "a"]) for n in range(rng.randrange(6, 15))]
                 for place in range(10)]  # fmt: skip
    starts = np.cumsum([0, *map(len, sentences)])[:-1].tolist()
    order = sorted([*range(10), *repeated])
    response = build([sentences[number] for number in order], [starts[number] for number in order])
    evaluation = corefeval.score(build(sentences, starts), response, measures="mentions,conll")
    assert (evaluation["mentions"].recall, evaluation["mentions"].precision) == (1.0, 1.0)
    assert evaluation["conll"].f1 == pytest.approx(1.0)


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=60))
def test_copies_are_the_same_words_and_none_is_in_two(ours: list[str], theirs: list[str]) -> None:
    sides = [divide_text("".join(words), np.ones(len(words), dtype=np.bool_)) for words in (ours, theirs)]
    alignment = align_texts(*sides)
    known = set(range(len(theirs))) - set(alignment.changes[alignment.changes[:, 0] < 0, 1].tolist())
    for copy in find_copies((sides[0].letters, sides[1].letters), alignment):
        changed = set(copy.alignment.changes[:, 1].tolist())
        same = [word for word in range(copy.theirs.stop - copy.theirs.start) if word not in changed]
        for word in same:
            place = copy.ours.start + int(copy.alignment.begin[word])
            assert ours[place] == theirs[copy.theirs.start + word]
        found = {copy.theirs.start + word for word in same}
        assert not found & known
        known |= found
