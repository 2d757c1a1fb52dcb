"""One definition of a zero, for whoever asks: the measure, the option, the objects, the statistics, the types.

It is that of the CorefUD and Universal Anaphora scorers: the head is not written, or the first word where no head is
given.
"""

from __future__ import annotations

from typing import Any

import pytest

import corefeval
from corefeval import Corpus
from corefeval.corpus.mention_types import find_mention_types
from corefeval.corpus.tokens import WORD, Tokens
from corefeval.formats.draft import Draft

WORDS = ["Kim", "_", "Lee", "_", "said", "_"]
EMPTY = [word == "_" for word in WORDS]
MENTIONS = {
    "all words are zeros": ((1, 1), None, True),
    "a zero, then a written word": ((1, 2), None, True),
    "a written word, then a zero": ((0, 1), None, False),
    "zeros around a written head": ((1, 3), (2, 2), False),
    "written words around an unwritten head": ((0, 2), (1, 1), True),
    "zeros with a gap between them": (((1, 1), (3, 3)), None, True),
    "a gap, and a written word behind it": (((1, 1), (4, 4)), None, True),
    "a gap, and a zero behind it": (((0, 0), (3, 3)), None, False),
    "a gap, and an unwritten head behind it": (((0, 0), (3, 3)), (3, 3), True),
    "only written words": ((4, 4), None, False),
}


def make_corpus(mention: Any, head: tuple[int, int] | None) -> Corpus:
    """An entity of the last word, which is a zero, and the mention; the last word comes last."""
    draft = Draft("made up")
    document = draft.add_document("d", words=WORDS, empty=EMPTY)
    document.add_mention("e", mention, head=head)
    document.add_mention("e", (5, 5))
    return draft.build_corpus()


@pytest.mark.parametrize(("mention", "head", "is_zero"), MENTIONS.values(), ids=MENTIONS)
def test_everybody_agrees_what_a_zero_is(mention: Any, head: tuple[int, int] | None, is_zero: bool) -> None:
    corpus = make_corpus(mention, head)
    assert corpus.zeros.tolist() == [is_zero, True]
    assert find_mention_types(corpus).find_any_of("zero").tolist() == [is_zero, True]
    (document,) = corpus
    assert [each.is_zero for entity in document for each in entity.mentions] == [is_zero, True]
    assert corefeval.stats(corpus).corpora[0].zeros == is_zero + 1


@pytest.mark.parametrize(("mention", "head", "is_zero"), MENTIONS.values(), ids=MENTIONS)
def test_the_measure_counts_what_the_option_drops(mention: Any, head: tuple[int, int] | None, is_zero: bool) -> None:
    corpus = make_corpus(mention, head)
    kept = corefeval.score(corpus, corpus, measures="mentions", zeros="drop")["mentions"]
    assert kept.recall_denominator == 1 - is_zero
    # The mention is an anaphor if another one comes before it: the first word, which is written.
    draft = Draft("made up")
    document = draft.add_document("d", words=["He", *WORDS], empty=[False, *EMPTY])
    document.add_mention("e", (0, 0))
    runs = mention if isinstance(mention[0], tuple) else (mention,)
    moved = tuple((first + 1, last + 1) for first, last in runs)
    document.add_mention("e", moved if len(moved) > 1 else moved[0], head=head and (head[0] + 1, head[1] + 1))
    corpus = draft.build_corpus()
    assert corefeval.score(corpus, corpus, measures="zero")["zero"].links["true"] == is_zero


def test_words_of_documents_without_words_have_no_places() -> None:
    assert Tokens.from_words([[], []]).order.tolist() == []
    assert Tokens.from_words([[], ["a"], [], ["b", "c"], []]).order.tolist() == [WORD, WORD, 2 * WORD]
