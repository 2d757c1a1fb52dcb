"""A corpus as documents, entities and mentions, and in other units."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefeval import Corpus
from corefeval.corpus import units
from corefeval.formats.draft import Draft


def made(name: str = "d", *, deixis: bool = False) -> Corpus:
    draft = Draft("made up")
    words = ["Kim", "_", "Lee", ",", "she", "said"]
    document = draft.add_document(name, words=words, empty=[False, True, *[False] * 4], sentence=[0, 0, 0, 1, 1, 1])
    document.add_mention("e2", (4, 4), attributes={"level": "PRO"})
    document.add_mention("e2", ((0, 0), (2, 2)), head=(2, 2), minimum=(0, 0))
    document.add_mention("e1", (1, 1))
    document.describe_entity("e2", type="person")
    document.add_relation("bridge", (4, 4), ["e1"], "part")
    if deixis:
        document.get_layer("deixis").add_mention("x", (3, 5))
    return draft.build_corpus()


def test_documents_entities_and_mentions() -> None:
    (document,) = made()
    assert (document.name, document.text) == ("d", None)
    assert document.sentences == [["Kim", "_", "Lee"], [",", "she", "said"]]
    first, second = document
    assert (first.name, len(first), first.attributes) == ("e2", 2, {"type": "person"})
    name, pronoun = first  # in the order of the text
    assert (name.runs, name.start, name.end, name.text) == (((0, 0), (2, 2)), 0, 2, "Kim ... Lee")
    assert (name.head, name.minimum, pronoun.head, pronoun.attributes) == ((2, 2), (0, 0), None, {"level": "PRO"})
    assert (name.id, pronoun.id) == (((0, 0), (2, 2)), (4, 4))
    assert [mention.is_zero for mention in document.mentions] == [False, True, False]
    assert pronoun.entity == first != second
    assert len({first, second, pronoun.entity}) == 2
    (relation,) = document.relations
    assert (relation.kind, relation.source, relation.targets, relation.label) == ("bridge", (4, 4), ("e1",), "part")


def test_labels_have_no_places() -> None:
    (document,) = Corpus.from_entities({"": [["a", "b"]]})
    (entity,) = document
    mention = entity.mentions[0]
    assert (mention.id, mention.runs, mention.start, mention.text, mention.line) == ("a", (), None, None, None)
    assert (document.words, document.sentences, document.text) == (None, None, None)


def test_a_corpus_does_not_change() -> None:
    corpus = made()
    with pytest.raises(AttributeError, match="cannot be changed"):
        corpus.source = "other"  # type: ignore[misc]
    assert corpus.replace(source="other").source == "other"
    assert corpus.source == "made up"


def test_several_files_as_one() -> None:
    corpus = Corpus.join([made("a"), made("b", deixis=True)], source="both")
    assert corpus.documents == ("a", "b")
    first, second = corpus
    assert [entity.name for entity in second] == ["e2", "e1"]
    assert second.mentions[0].runs == ((0, 0), (2, 2))
    assert second.entities[0].attributes == {"type": "person"}
    assert (len(first.relations), first.sentences) == (1, second.sentences)
    assert corpus.layers["deixis"].entities() == {"a": [], "b": [[(3, 5)]]}
    swapped = corpus.select_documents(("b", "c", "a")).rename_documents({"b": "z"})
    assert swapped.documents == ("z", "c", "a")
    assert [document.words for document in swapped] == [second.words, [], first.words]
    assert swapped.layers["deixis"].entities() == {"z": [[(3, 5)]], "c": [], "a": []}
    assert [relation.document for relation in swapped.relations] == ["a", "z"]


def test_without_what_is_not_written() -> None:
    found, lost = units.remove_empty_words(made())
    assert lost.tolist() == [False, False, True]
    (document,) = found
    assert document.words == ["Kim", "Lee", ",", "she", "said"]
    assert {mention.id for mention in document.mentions} == {(3, 3), (0, 1)}
    assert document.mentions[0].head == (1, 1)
    assert found.relations[0].source == (3, 3)


@st.composite
def texts(draw: st.DrawFn) -> Corpus:
    draft = Draft("made up")
    for number in range(draw(st.integers(1, 3))):
        text = draw(st.text(st.sampled_from("ab. \n'é"), min_size=1, max_size=20))
        document = draft.add_document(str(number), text=text)
        place = st.integers(0, len(text) - 1)
        for entity, a, b in draw(st.lists(st.tuples(st.integers(0, 3), place, place), max_size=6)):
            document.add_mention(f"e{entity}", (min(a, b), max(a, b)))
    return draft.build_corpus()


@given(texts())
def test_characters_in_words_have_the_same_letters(corpus: Corpus) -> None:
    found, lost = units.convert_to_words(corpus)
    before = [corpus.words_of(row) or "" for row in np.flatnonzero(~lost).tolist()]
    after = [found.words_of(row) or "" for row in range(len(found))]
    assert ["".join(text.split()) for text in before] == ["".join(text.split()) for text in after]
    assert all(not (corpus.words_of(row) or "").strip() for row in np.flatnonzero(lost).tolist())
    again = units.convert_to_characters(found)[0]
    assert ["".join((again.words_of(row) or "").split()) for row in range(len(again))] == [
        "".join(text.split()) for text in after
    ]


def test_corpora_share_no_attributes() -> None:
    one = Corpus.from_entities({"d": [["x", "y"]]})
    with pytest.raises(TypeError):
        one.attributes["level"] = ["NAM", "PRO"]  # type: ignore[index]
    assert dict(Corpus.from_entities({"d": [["p", "q"]]}).attributes) == {}
    assert pickle.loads(pickle.dumps(one.replace(source="s"))).attributes == {}
