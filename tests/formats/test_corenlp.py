"""Reading CoreNLP's JSON output."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.formats import corenlp
from corefeval.formats.base import File
from tests.formats.content import notice_kinds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def token(word: str, original: str | None = None, **more: object) -> dict[str, object]:
    return {
        "index": 1,
        "word": word,
        "originalText": word if original is None else original,
        "characterOffsetBegin": 0,
        **more,
    }


def mention(
    text: str, sentence: int, start: int, end: int, head: int, kind: str = "PROPER", **more: object
) -> dict[str, object]:
    return {
        "id": 0, "text": text, "type": kind, "number": "SINGULAR", "gender": "FEMALE", "animacy": "ANIMATE",
        "startIndex": start, "endIndex": end, "headIndex": head, "sentNum": sentence, "position": [sentence, 1],
        "isRepresentativeMention": False, **more,
    }  # fmt: skip


def story(**changes: object) -> dict[str, Any]:
    whole = {
        "docId": "story.txt",
        "sentences": [
            {
                "index": 0,
                "tokens": [token("Ms."), token("Kim"), token("-LRB-", "("), token("left"), token("-RRB-", ")")],
            },
            {"index": 1, "tokens": [token("She"), token("saw"), token("Lee")]},
        ],
        "corefs": {
            "7": [mention("Ms. Kim", 1, 1, 3, 2), mention("She", 2, 1, 2, 1, "PRONOMINAL")],
            "3": [mention("-LRB- left -RRB-", 1, 3, 6, 4, "NOMINAL", gender="NEUTRAL")],
        },
    }
    return {name: value for name, value in {**whole, **changes}.items() if value is not None}


def read(content: object) -> Corpus:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return corenlp.read(File("file.json", data, "file", lambda suffix: None))


def faults(content: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(content)
    return [str(fault).removeprefix("file.json:") for fault in caught.value.faults]


def test_mentions_are_counted_over_the_document() -> None:
    corpus = read(story())
    assert corpus.entities() == {"story.txt": [[(0, 1), (5, 5)], [(2, 4)]]}
    assert corpus.entity_name == ["7", "3"]
    assert corpus.notices == ()


def test_words_heads_and_attributes_are_known() -> None:
    (document,) = read(story())
    assert document.sentences == [["Ms.", "Kim", "(", "left", ")"], ["She", "saw", "Lee"]]
    assert [each.head for each in document.mentions] == [(1, 1), (3, 3), (5, 5)]
    assert document.mentions[2].attributes == {
        "type": "PRONOMINAL", "number": "SINGULAR", "gender": "FEMALE", "animacy": "ANIMATE"
    }  # fmt: skip


def test_words_are_as_in_the_text_where_that_is_said() -> None:
    sentences = [{"tokens": [token("-LRB-", "("), token("-LRB-", ""), {"word": "x"}, {"originalText": "y"}]}]
    assert read(story(sentences=sentences, corefs={})).tokens.words(0) == ["(", "-LRB-", "x", "y"]  # type: ignore[union-attr]


def test_no_entities_and_no_sentences_are_fine() -> None:
    assert read(story(corefs={})).entities() == {"story.txt": []}
    assert read(story(corefs={}, sentences=[])).entities() == {"story.txt": []}
    assert read(story(corefs={}, sentences=[{"tokens": []}, {"tokens": [token("x")]}])).entities() == {"story.txt": []}


def test_an_entity_without_mentions_is_named() -> None:
    corpus = read(story(corefs={"1": [], "2": [mention("She", 2, 1, 2, 1)]}))
    assert corpus.entity_name == ["2"]
    assert notice_kinds(corpus) == ["empty-entity"]


def test_entities_may_be_listed_without_names() -> None:
    corpus = read(story(corefs=list(story()["corefs"].values())))
    assert corpus.entity_name == ["1", "2"]
    assert corpus.entities() == read(story()).entities()


def test_fields_that_are_lacking_are_left_out() -> None:
    found = read(story(corefs={"1": [{"sentNum": 2, "startIndex": 3, "endIndex": 4, "type": None, "number": ""}]}))
    (only,) = next(iter(found)).mentions
    assert (only.id, only.head, only.attributes) == ((7, 7), None, {})


MANY: dict[str, Callable[[list[Any]], str]] = {
    "list": json.dumps,
    "lines": lambda documents: "\n".join(map(json.dumps, documents)) + "\n",
    "one after another": lambda documents: "".join(json.dumps(each, indent=2) for each in documents),
    "lists": lambda documents: "\n\n".join(json.dumps([each]) for each in documents),
}


@pytest.mark.parametrize("layout", MANY)
def test_several_documents(layout: str) -> None:
    documents = [story(docId="a"), story(docId=None), story(docId="", corefs={})]
    corpus = read(MANY[layout](documents).encode())
    assert corpus.documents == ("a", "file-2", "file-3")
    assert [len(entities) for entities in corpus.entities().values()] == [2, 2, 0]


def test_one_document_without_a_name_is_called_by_its_file() -> None:
    assert read(story(docId=None)).documents == ("file",)


def test_differing_quotations_are_named() -> None:
    corpus = read(
        story(corefs={"1": [mention("Ms.Kim", 1, 1, 3, 2), mention("( left )", 1, 3, 6, 4), mention("He", 2, 1, 2, 1)]})
    )
    (notice,) = corpus.notices
    assert notice.kind == "text-differs"
    assert "mention 3 of entity 1 of 'story.txt' is quoted as 'He', where its words are 'She'" in notice.message


def test_heads_outside_are_left_out_and_named() -> None:
    corpus = read(story(corefs={"1": [mention("Ms. Kim", 1, 1, 3, 4), mention("She", 2, 1, 2, 1)]}))
    assert [each.head for each in next(iter(corpus)).mentions] == [None, (5, 5)]
    assert notice_kinds(corpus) == ["head-outside"]


FAULTY: dict[str, tuple[object, list[str]]] = {
    "no coreference": (
        story(corefs=None),
        ["1: document 'story.txt' has no corefs; expected corefs; run CoreNLP with the annotator coref"],
    ),
    "no sentences": (
        story(sentences=None),
        [
            "1: document 'story.txt' has no sentences; expected a list of sentences; "
            "run CoreNLP with the annotators tokenize and ssplit"
        ],
    ),
    "words": (
        story(
            sentences=[{"tokens": [token("x"), {"word": 3}]}, {"tokens": 3}, 3, {"tokens": [token("")]}, {"tokens": []}]
        ),
        [f"1: sentence {n} of 'story.txt' lacks a word; expected tokens with a word each" for n in (1, 2, 3, 4)],
    ),
    "corefs": (story(corefs=3), ["1: corefs of 'story.txt' are 3; expected an object of lists of mentions"]),
    "entities": (
        story(corefs={"1": {}, "2": "x"}),
        [
            "1: entity 1 of 'story.txt' is an object; expected a list of mentions",
            "1: entity 2 of 'story.txt' is a string; expected a list of mentions",
        ],
    ),
    "mentions": (
        story(corefs={"1": [3, {"sentNum": 1, "startIndex": True, "endIndex": 2.5}]}),
        [
            "1: mention 1 of entity 1 of 'story.txt' is 3 with nothing, nothing, nothing for its place; "
            "expected numbers for sentNum, startIndex and endIndex",
            "1: mention 2 of entity 1 of 'story.txt' is an object with 1, a truth value, 2.5 for its place; "
            "expected numbers for sentNum, startIndex and endIndex",
        ],
    ),
    "outside": (
        story(
            corefs={
                "1": [
                    mention("x", *place, 1)
                    for place in [(0, 1, 2), (3, 1, 2), (-1, 1, 2), (1, 0, 2), (2, 3, 5), (2, 2, 2)]
                ]
            }
        ),
        [
            f"1: mention {n} of entity 1 of 'story.txt', words {start} to {end} of sentence {sentence}, is not within the sentences; "
            "expected numbers counted from 1, and endIndex behind the mention"
            for n, (sentence, start, end) in enumerate(
                [(0, 1, 2), (3, 1, 2), (-1, 1, 2), (1, 0, 2), (2, 3, 5), (2, 2, 2)], 1
            )
        ],
    ),
    "not a document": (
        [3, "x"],
        [f"1: {what} is not a document; expected an object with sentences and corefs" for what in ("3", "a string")],
    ),
    "nothing": (b" \n", ["1: no document; expected an object with sentences and corefs"]),
    "an empty list": ([], ["1: no document; expected an object with sentences and corefs"]),
    "the same twice": (
        (json.dumps(story()) + "\n" + json.dumps(story())).encode(),
        ["2: document 'story.txt' is there already; expected every document once"],
    ),
    "in several documents": (
        (json.dumps(story(corefs=None)) + "\n\n" + json.dumps(story(docId="b", corefs=3))).encode(),
        [
            "1: document 'story.txt' has no corefs; expected corefs; run CoreNLP with the annotator coref",
            "3: corefs of 'b' are 3; expected an object of lists of mentions",
        ],
    ),
    "truncated": (
        json.dumps(story(), indent=1).encode()[:-5],
        ["118: not JSON (Expecting ',' delimiter); expected an object; the file may be truncated"],
    ),
    "not UTF-8": (
        b'{"docId":\n"\xe4"}',
        ["2: the byte 0xe4 is not UTF-8; expected UTF-8; convert it, or run CoreNLP with -outputEncoding utf-8"],
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_every_fault_is_reported(name: str) -> None:
    content, expected = FAULTY[name]
    assert faults(content) == expected


@pytest.mark.parametrize(
    "content", [b"[" * 200_000, b'{"a":' * 200_000, b"1" * 10_000], ids=["lists", "objects", "number"]
)
def test_json_beyond_all_measure_is_refused(content: bytes) -> None:
    assert faults(content)


def test_control_characters_and_halves_of_characters_are_read() -> None:
    content = (
        json.dumps(story())
        .replace('"saw"', '"s\x1bw"')
        .replace('"Lee"', '"\\ud800Lee\\udcff"')
        .replace("story.txt", "\\ud800")
    )
    corpus = read(content.encode())
    assert corpus.documents == ("\ufffd",)
    assert corpus.tokens.words(0)[6:] == ["s\x1bw", "\ufffdLee\ufffd"]  # type: ignore[union-attr]


def test_a_byte_order_mark_is_dropped_and_utf_16_refused() -> None:
    assert read(b"\xef\xbb\xbf" + json.dumps(story()).encode()).entities() == read(story()).entities()
    with pytest.raises(InputError, match="UTF-16"):
        read(json.dumps(story()).encode("utf-16"))


def test_only_such_files_are_recognised() -> None:
    whole = json.dumps(story()).encode()
    assert corenlp.recognise(whole)
    assert corenlp.recognise(b"\xef\xbb\xbf \n[" + whole)
    assert corenlp.recognise(whole[: whole.index(b'"corefs"')])
    assert corenlp.recognise(json.dumps(story(), sort_keys=True).encode().partition(b'"sentences"')[0])
    assert corenlp.recognise(b'{"sentences": [{"index": 0, "parse": "x", "basicDependencies": [')
    assert not corenlp.recognise(b'{"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, 0]]]}')
    assert not corenlp.recognise(b'{"tokens": ["a"], "sentences": [[0, 1]], "corefs": []}')
    assert not corenlp.recognise(b'"sentences" "tokens" "originalText"')
    assert not corenlp.recognise(b"")


def test_files_are_read_by_the_command(tmp_path: Path) -> None:
    path = tmp_path / "story.txt.json"
    path.write_text(json.dumps(story(docId=None)))
    corpus = corefeval.read(path)
    assert (corpus.format, corpus.documents) == ("corenlp", ("story.txt",))
    with pytest.raises(OptionError):
        corefeval.write(corpus, path, format="corenlp")


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["delete", "insert", "replace"]),
        st.floats(0, 1, exclude_max=True),
        st.sampled_from([*'{}[],:"\\-0123456789\n\0', "null", "true", "1e999", '""', "[]", "{}"]),
    ),
    max_size=4,
)


@given(EDITS)
def test_damaged_files_are_read_or_refused(edits: list[tuple[str, float, str]]) -> None:
    text = json.dumps(story())
    for edit, where, new in edits:
        place = int(where * len(text))
        text = text[:place] + ("" if edit == "delete" else new) + text[place + (edit != "insert") :]
    with contextlib.suppress(InputError):
        assert isinstance(read(text.encode()), Corpus)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)


@given(
    VALUES,
    st.sampled_from(
        [
            "docId",
            "sentences",
            "corefs",
            "tokens",
            "entity",
            "mention",
            "sentNum",
            "endIndex",
            "headIndex",
            "text",
            "type",
            "word",
        ]
    ),
)
def test_any_value_in_any_place_is_read_or_refused(value: Any, place: str) -> None:
    content = story()
    holders = {
        "tokens": content["sentences"][0], "entity": content["corefs"], "mention": content["corefs"]["7"],
        "sentNum": content["corefs"]["7"][0], "endIndex": content["corefs"]["7"][0], "text": content["corefs"]["7"][0],
        "headIndex": content["corefs"]["7"][0], "type": content["corefs"]["7"][0], "word": content["sentences"][0]["tokens"][0],
    }  # fmt: skip
    holder = holders.get(place, content)
    holder[{"entity": "7", "mention": 0}.get(place, place)] = value
    with contextlib.suppress(InputError):
        assert isinstance(read(content), Corpus)
