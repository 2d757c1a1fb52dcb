"""Texts, lines and guessed types of many mentions at once are those of each by itself."""

from __future__ import annotations

import random

import numpy as np

from corefeval import Corpus
from corefeval.corpus.mention_types import MENTION_TYPES, find_mention_types
from corefeval.corpus.tokens import Tokens, find_differing_words
from corefeval.formats.draft import Draft
from tests.oracles.matching import random_runs
from tests.rounds import few_or_many

WORDS = ("he", "He", "IT", "the", "The", "of", "", "  ", "New York", "new york", "Anna", "house", "...", "'s", "&",
         "it ", "\u00a0", "É", "ß", "a")  # fmt: skip
PRONOUNS, SMALL = {"he", "it", "i", "us"}, {"the", "of", "'s", "&", "a", "an"}


def draw_corpus(rng: random.Random, *, as_text: bool) -> Corpus:
    """Documents of a few words or of running text, with mentions of one or more runs."""
    draft = Draft("made up")
    for number in range(rng.randint(1, 3)):
        words = [rng.choice(WORDS) for _ in range(rng.randint(1, 9))]
        text = " ".join(words) + "."
        name = f"d{number}"
        document = draft.add_document(name, text=text) if as_text else draft.add_document(name, words=words)
        for entity, runs in enumerate({random_runs(rng, len(text if as_text else words)) for _ in range(6)}):
            document.add_mention(str(entity), runs if len(runs) > 1 else runs[0])
    return draft.build_corpus()


def guess_type(text: str) -> str | None:
    """Guess what a mention is, word by word of its text."""
    if not text.split():
        return None
    if text.lower() in PRONOUNS:
        return "pronoun"
    telling = [word for word in text.split() if word.lower() not in SMALL]
    return "name" if telling and all(word[:1].isupper() for word in telling) else "nominal"


@few_or_many(60, 1000)
def test_many_are_described_as_one_is(rounds: int) -> None:
    rng = random.Random(5)
    for place in range(rounds):
        corpus = draw_corpus(rng, as_text=place % 3 == 0)
        rows = np.array([row for row in range(len(corpus)) if rng.random() < 0.9], dtype=np.int64)
        assert corpus.list_texts(rows) == [corpus.words_of(row) for row in rows.tolist()]
        assert corpus.list_descriptions(rows) == [corpus.describe(row) for row in rows.tolist()]
        assert corpus.list_lines(rows) == [corpus.line(row) for row in rows.tolist()]
        found = [None if code < 0 else MENTION_TYPES[code] for code in find_mention_types(corpus).code.tolist()]
        assert found == [guess_type(corpus.words_of(row) or "") for row in range(len(corpus))]


def test_labels_have_no_texts() -> None:
    corpus = Corpus.from_labels(mention=["x", "y"], entity=[0, 0])
    assert corpus.list_texts(np.arange(2)) is None
    assert corpus.list_descriptions(np.arange(2)) == ["'x'", "'y'"] == [corpus.describe(row) for row in range(2)]
    assert corpus.list_lines(np.arange(2)) == [None, None]


def test_equal_words_are_decoded_once_however_they_were_compared() -> None:
    one, two, three, other = (Tokens.from_words([words]) for words in (["a", "é"], ["a", "é"], ["a", "é"], ["a", "b"]))
    for pair in ((one, two), (two, three), (three, one), (one, one)):
        assert not find_differing_words(*pair).any()
    assert one.all_words == ["a", "é"]
    assert one.all_words is two.all_words is three.all_words
    assert find_differing_words(one, other).tolist() == [False, True]
    assert other.all_words == ["a", "b"]
    assert one.sentences(0) == [["a", "é"]]
