"""Stanza's documents, by stand-ins: the library comes with torch.

Shapes are those of Stanza 1.15, stanza/models/common/doc.py and stanza/models/coref/coref_chain.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from corefeval import InputError
from corefeval.adapters import convert_object, stanza

Id = int | tuple[int, int]


class Word:
    def __init__(self, id: Id, text: str) -> None:  # noqa: A002 - theirs
        self.id, self.text = id, text


class Sentence:
    """`words` are numbered from 1; an empty word has an id such as (2, 1): the first one after word 2."""

    doc_id: str | None = None

    def __init__(self, text: str) -> None:
        self.words = [Word(number, word) for number, word in enumerate(text.split(), 1)]
        self.empty_words: list[Word] = []

    @property
    def all_words(self) -> list[Word]:
        return sorted(self.words + self.empty_words, key=lambda x: (x.id,) if isinstance(x.id, int) else x.id)


class CorefMention:
    def __init__(self, sentence: int, start_word: Id, end_word: Id) -> None:
        self.sentence, self.start_word, self.end_word = sentence, start_word, end_word


class CorefChain:
    def __init__(self, index: int, *mentions: tuple[int, Id, Id]) -> None:
        self.index = index
        self.mentions = [CorefMention(*mention) for mention in mentions]


class Document:
    def __init__(self, sentences: list[str], *chains: CorefChain) -> None:
        self.sentences = [Sentence(sentence) for sentence in sentences]
        self.coref = list(chains)


Document.__module__ = "stanza.models.common.doc"


def kim(*chains: CorefChain) -> Any:
    return Document(["Kim Lee saw herself .", "She left ."], *chains)


def test_mentions_are_within_sentences_and_the_end_is_not_included() -> None:
    found = kim(CorefChain(0, (0, 0, 2), (0, 3, 4), (1, 0, 1)), CorefChain(4, (0, 1, 4)))
    (document,) = stanza.read(found)
    assert document.sentences == [["Kim", "Lee", "saw", "herself", "."], ["She", "left", "."]]
    assert {entity.name: [mention.id for mention in entity] for entity in document} == {
        "0": [(0, 1), (3, 3), (5, 5)],
        "4": [(1, 3)],
    }
    assert [mention.text for mention in document.entities[0]] == ["Kim Lee", "herself", "She"]


def test_zeros_are_empty_words() -> None:
    found = kim(CorefChain(0, (0, 0, 2), (1, (0, 1), (0, 1)), (1, 0, 2), (1, (1, 2), (1, 2))))
    found.sentences[1].empty_words = [Word((1, 2), "_"), Word((0, 1), "_")]
    (document,) = stanza.read(found)
    assert document.sentences is not None
    assert document.sentences[1] == ["_", "She", "_", "left", "."]
    assert [(mention.id, mention.is_zero) for mention in document.mentions] == [
        ((0, 1), False),
        ((5, 5), True),
        ((6, 8), False),  # a zero within a mention is part of it
        ((7, 7), True),
    ]


def test_documents_of_versions_without_empty_words() -> None:
    class Old:
        def __init__(self, *words: Word) -> None:
            self.words = words

    found = kim(CorefChain(0, (0, 0, 1), (0, 1, 2)))
    found.sentences = [Old(Word(1, "She"), Word(2, "left"))]
    assert stanza.read(found).entities() == {"": [[(0, 0), (1, 1)]]}


@pytest.mark.parametrize(
    "bad", [(2, 0, 1), (-1, 0, 1), (0, 4, 6), (0, 2, 2), (0, 3, 1), (1, (0, 1), (0, 1)), (0, -1, 1)]
)
def test_what_is_not_within_its_sentence_is_a_fault(bad: tuple[int, Id, Id]) -> None:
    with pytest.raises(InputError) as caught:
        stanza.read(kim(CorefChain(0, (0, 0, 2), bad, bad)))
    assert [fault.kind for fault in caught.value.faults] == ["mention-outside"] * 2
    assert f"a mention of entity 0 is {bad}" in str(caught.value)


def test_a_document_of_a_version_without_coreference_is_a_fault() -> None:
    found = kim()
    del found.coref
    with pytest.raises(InputError, match="after the processors tokenize and coref"):
        stanza.read(found)


def test_names() -> None:
    chain = CorefChain(0, (0, 0, 2), (0, 3, 4))
    found, other = kim(chain), kim(chain)
    other.sentences[0].doc_id = "story"
    assert stanza.read([found, other]).documents == ("0", "story")
    assert stanza.read({"a": found, "b": other}).documents == ("a", "b")
    corpus = convert_object([found, other])
    assert corpus is not None
    assert corpus.source == "Stanza"
    empty = Document([])
    assert stanza.read(empty).documents == ("",)
