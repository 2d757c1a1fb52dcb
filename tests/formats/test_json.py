"""Reading and writing JSON."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.corpus.mentions import Spans
from corefeval.formats import json as format_json
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.shared.fitting import fit_corpus
from tests.formats.content import only_document


def read(content: Any) -> Corpus:
    """What a file says; bytes and strings stand as they are."""
    text = content if isinstance(content, bytes | str) else json.dumps(content)
    data = text if isinstance(text, bytes) else text.encode()
    return format_json.read(File("file", data, "stem", lambda _: None))


def faults(content: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(content)
    return [str(fault).removeprefix("file:") for fault in caught.value.faults]


def notices(corpus: Corpus) -> list[tuple[str, str]]:
    return [(notice.kind, str(notice).removeprefix("file:")) for notice in corpus.notices]


def test_documents_of_entities_of_mentions() -> None:
    corpus = read({"story": [["Kim", "herself"], ["a book"]], "other": [[[0, 1], [4, 4]]], "none": []})
    assert corpus.entities() == {"story": [["Kim", "herself"], ["a book"]], "other": [[(0, 1), (4, 4)]], "none": []}
    assert [[entity.name for entity in document] for document in corpus] == [["0", "1"], ["0"], []]
    assert corpus.unit == "label"
    assert corpus.notices == ()


def test_a_list_is_one_document_named_after_the_file() -> None:
    assert read([["a"], ["b", "c"]]).entities() == {"stem": [["a"], ["b", "c"]]}
    assert read([]).entities() == {"stem": []}


def test_spans_equal_those_of_other_formats() -> None:
    other = Corpus(("d",), np.array([0]), ["e"], np.array([0, 0]), Spans.from_runs([((0, 1),), ((3, 3), (5, 6))]))
    corpus = read({"d": [[[0, 1], [[3, 3], [5, 6]]]]})
    assert corpus.entities() == other.entities()
    assert corefeval.score(other, corpus)["bcub"].f1 == 1


DIFFERENT = [1, 1.0, True, "1", 0, 0.0, False, "", None, "null", "true", 1.5, "1.5", [], [[]], {}, [1], [1.0], [True],
             ["true"], {"a": 1}, {"a": 1.0}, {"a": True}, {"a": "1"}, [["a", 1]], '{"a": 1}', [None], 10**30]  # fmt: skip


def test_different_values_are_different_mentions() -> None:
    (found,) = only_document(read([DIFFERENT]))
    assert len(set(found)) == len(DIFFERENT)
    for place, value in enumerate(DIFFERENT):
        for other, mention in enumerate(found):
            assert (only_document(read([[value]]))[0][0] == mention) == (place == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a": 1, "b": [2]}', '{"b":[2],"a":1}'),
        ("1.0", "1.00"),
        ("10.0", "1e1"),
        ("0.5", "5e-1"),
        ('"\\u00e9"', '"é"'),
        ('[1, {"b": 2, "a": 1}]', '[1, {"a": 1, "b": 2}]'),
    ],
)
def test_the_same_value_is_the_same_mention(one: str, other: str) -> None:
    (mention,), (again,) = only_document(read(f"[[{one}], [{other}]]"))
    assert mention == again
    assert hash(mention) == hash(again)


def test_values_say_what_they_are_and_travel() -> None:
    ((true, fields),) = only_document(read([[True, {"b": "é", "a": 1}]]))
    assert repr(true) == "true"
    assert repr(fields) == '{"a": 1, "b": "é"}'
    assert pickle.loads(pickle.dumps(fields)) == fields


def test_clusters_of_scorch_have_names() -> None:
    corpus = read({"type": "clusters", "name": "Luo", "clusters": {"7": [[0, "0", "1"]], "e": ["x", 3]}})
    assert corpus.entities() == {"Luo": [[(0, "0", "1")], ["x", 3]]}
    assert [entity.name for entity in next(iter(corpus))] == ["7", "e"]
    assert read({"clusters": {"0": [1]}, "type": "clusters"}).documents == ("stem",)


def test_graphs_of_scorch_are_closed_transitively() -> None:
    mentions = ["a", "b", "c", "d", "e", [1, 2], {"x": 1}]
    links = [["d", "c"], ["e", "a"], ["c", "b"], [{"x": 1}, [1, 2]]]
    corpus = read({"type": "graph", "mentions": mentions, "links": links})
    assert [sorted(map(str, entity)) for entity in only_document(corpus)] == [
        ["a", "e"],
        ["b", "c", "d"],
        ["(1, 2)", '{"x": 1}'],
    ]
    assert [entity.name for entity in next(iter(corpus))] == ["0", "1", "2"]
    assert corpus.notices == ()
    assert only_document(read({"type": "graph", "mentions": ["a", "b"], "links": []})) == [["a"], ["b"]]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20))
def test_graphs_are_closed_as_by_hand(links: list[tuple[int, int]]) -> None:
    groups = [{mention} for mention in range(13)]
    for one, other in links:
        joined = next(group for group in groups if one in group) | next(group for group in groups if other in group)
        groups = [group for group in groups if not group & joined] + [joined]
    found = only_document(read({"type": "graph", "mentions": list(range(13)), "links": links}))
    assert {frozenset(entity) for entity in found} == {frozenset(group) for group in groups}


def test_a_long_chain_of_links_is_closed() -> None:
    links = [[n, n + 1] for n in range(50_000)]
    for each in (links, links[::-1]):
        assert len(only_document(read({"type": "graph", "mentions": list(range(50_001)), "links": each}))) == 1


def test_odd_links_are_told() -> None:
    corpus = read('{"type": "graph",\n "mentions": ["a", "b", "a"],\n "links": [["a", "a"],\n  ["b", "z"]]}')
    assert only_document(corpus) == [["a"], ["b", "z"]]
    assert notices(corpus) == [
        ("self-link", "3: mention 'a' is linked with itself"),
        ("repeated-mention", "2: 'mentions' has 1 of them twice; it counts once"),
        ("dangling-reference", "4: 'z', at the end of a link, is not among the mentions; it is added"),
    ]


def test_entities_without_mentions_are_left_out() -> None:
    corpus = read('{"a": [["x"],\n [],\n ["y"]]}')
    assert only_document(corpus) == [["x"], ["y"]]
    assert [entity.name for entity in next(iter(corpus))] == ["0", "2"]
    assert notices(corpus) == [("empty-entity", "2: entity '1' has no mentions and is left out")]
    scorch = read('{"type": "clusters", "clusters": {"a": ["x"],\n "b": []}}')
    assert notices(scorch) == [("empty-entity", "2: entity 'b' has no mentions and is left out")]


def test_a_document_may_be_called_type() -> None:
    assert read({"type": [["x"]]}).entities() == {"type": [["x"]]}


EXPECTED = "; expected {document: a list of entities, each a list of mentions}"
FAULTS = {
    "nothing": ("", ["1: not JSON: Expecting value (column 1)" + EXPECTED]),
    "no document": ("{}", ["1: no document" + EXPECTED]),
    "a string": ('"a"', ["1: the file is 'a'" + EXPECTED]),
    "null": ("null", ["1: the file is null or missing" + EXPECTED]),
    "truncated": ('{"a": [["x"],\n ["y"', ["2: not JSON: Expecting ',' delimiter (column 6)" + EXPECTED + "; it may be truncated"]),
    "two values": ('{"a": []}\n{"b": []}', ["2: not JSON: Extra data (column 1)" + EXPECTED]),
    "deep": ("[" * 200_000, ["1: not JSON: lists or objects are nested too deeply (column 1)" + EXPECTED]),
    "deep mention": ('{"a": [[1],\n [' + "[" * 300 + "]" * 300 + "]]}", ["2: lists that are nested too deeply in a mention; expected JSON values"]),
    "digits": ("[[" + "9" * 5000 + "]]", ["1: not JSON: a number has too many digits (column 1)" + EXPECTED]),
    "documents": ('{"a": 1,\n "b": {"x": ["y"]}}', ["1: document 'a' is 1; expected a list of entities, each a list of mentions", "2: document 'b' is {'x': ['y']}; expected a list of entities, each a list of mentions"]),
    "entities": ('{"a": [["x"],\n "y",\n 3,\n {"z": 1}, null]}', ["2: entity '1' is 'y'; expected a list of mentions", "3: entity '2' is 3; expected a list of mentions", "4: entity '3' is {'z': 1}; expected a list of mentions", "4: entity '4' is null or missing; expected a list of mentions"]),
    "a flat list": ('["x"]', ["1: entity '0' is 'x'; expected a list of mentions"]),
    "NaN": ('[["x"],\n [NaN], [[1e999], {"a": -Infinity}]]', ["2: the number nan in a mention; expected JSON values", "2: the number inf in a mention; expected JSON values", "2: a number that is infinite or none in a mention; expected JSON values"]),
    "documents twice": ('{"a": [],\n "b": [],\n "a": [],\n "b": []}', ["3: 'a' is there already; expected every document once", "4: 'b' is there already; expected every document once"]),
    "keys twice": ('{"a": [],\n "b": [[{"x": 1, "x": 2}]]}', ["2: an object has the key 'x' twice; expected every key once"]),
    "keys twice in a list": ('[["a"],\n [{"x": 1, "x": 2}]]', ["2: an object has the key 'x' twice; expected every key once"]),
    "entities twice": ('{"type": "clusters",\n "clusters": {"x": [1], "x": [2]}}', ["2: an object has the key 'x' twice; expected every key once"]),
    "scorch": ('{"type": "clusters"}', ["1: 'clusters' is null or missing; expected an object of lists of mentions"]),
    "scorch's entities": ('{"type": "clusters", "name": 3,\n "clusters": {"a": 1}}', ["1: 'name' is 3; expected a string", "2: entity 'a' is 1; expected a list of mentions"]),
    "graph": ('{"type": "graph"}', ["1: 'mentions' is null or missing; expected a list of mentions", "1: 'links' is null or missing; expected a list of pairs of mentions"]),
    "links": ('{"type": "graph", "mentions": ["a"],\n "links": [["a"],\n "ab", ["a", NaN]]}', ["2: link ['a']; expected a pair of mentions", "3: link 'ab'; expected a pair of mentions", "3: the number nan in a mention; expected JSON values"]),
    "another type": ('{"type": "tree", "b": []}', ["1: document 'type' is 'tree'; expected a list of entities, each a list of mentions"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS)
def test_faults(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


def test_documents_twice_are_told_as_such() -> None:
    with pytest.raises(InputError) as caught:
        read('{"a": [], "a": []}')
    assert [fault.kind for fault in caught.value.faults] == ["document-twice"]


def test_a_trailing_comma_is_a_fault() -> None:
    # how it is said, and of which column, depends on the version of Python
    (fault,) = faults('{"a": [["x"]],}')
    assert fault.startswith("1: not JSON: ")


def test_encodings() -> None:
    assert only_document(read(b'\xef\xbb\xbf\r\n[["\xc3\xa9"]]\r\n')) == [["é"]]
    assert only_document(read('[["\\ud800"]]')) == [["\ufffd"]]
    (fault,) = faults(b'[["x"],\n["\xe9"]]')
    assert fault.startswith("2: the byte 0xe9 is not UTF-8")
    (fault,) = faults("[]".encode("utf-16"))
    assert fault.startswith("1: UTF-16 text")


RECOGNISED = ['{"story": [["Kim', '{ "a" : [ ] }', "[[1, 2]]", "[]", '{"type": "graph", "mentions": [', '{"b\\"": [[{"text": "x"',
              '{"name": "x", "type":"clusters", "clusters": {"0": [', '{"clusters": {"0": ["a"', '\ufeff{"a": [["b"]]}']  # fmt: skip


@pytest.mark.parametrize("text", RECOGNISED)
def test_files_are_recognised_by_their_content(text: str) -> None:
    assert registry.recognise("x.jsonl", text.encode()).name == "json"


@pytest.mark.parametrize(
    "text",
    [
        '{"doc_key": "a", "sentences": [["x"]], "clusters": []}',
        '{"sentences": [["x"]], "clusters": []}',
        '{"clusters": [[[0, 1]], [[',
        '{"sentences": [{"index": 0}], "corefs": {"1": []}}',
        '{"%TYPES": {}}',
        '{"a": 1}',
        "[1, 2]",
        "(x) [[",
    ],
)
def test_other_files_are_not_recognised(text: str) -> None:
    assert format_json.recognise(text.encode()) == ""


def test_how_it_is_written() -> None:
    corpus = Corpus.from_entities({"é": [[(0, 1), (4, 4)], ["x"]], "none": []})
    assert format_json.write(corpus).decode() == '{\n "é": [\n  [[0, 1], [4, 4]],\n  ["x"]\n ],\n "none": []\n}\n'
    assert json.loads(format_json.write(corpus)) == {"é": [[[0, 1], [4, 4]], ["x"]], "none": []}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(st.text(), st.lists(st.lists(VALUES, min_size=1, max_size=3), max_size=3), min_size=1, max_size=3)
)
def test_what_is_written_is_read_again(documents: dict[str, list[list[Any]]]) -> None:
    # the two halves of characters are not text, and a document of this name would be one of scorch's
    documents = json.loads(json.dumps(documents).encode("utf-8", "replace"))
    corpus = read(documents)
    again = read(format_json.write(corpus))
    assert again.entities() == corpus.entities()
    assert again.documents == corpus.documents
    assert format_json.write(again) == format_json.write(corpus)


def test_spans_with_gaps_are_written() -> None:
    spans = Spans.from_runs([((0, 1),), ((3, 3), (5, 6))])
    corpus = Corpus(("d",), np.array([0]), ["name"], np.array([0, 0]), spans)
    part, left = fit_corpus(corpus, format_json.CAPACITY, "json")
    assert json.loads(format_json.write(part)) == {"d": [[[0, 1], [[3, 3], [5, 6]]]]}
    assert read(format_json.write(part)).entities() == corpus.entities()
    assert [notice for notice in left if "mention" in notice.message] == []


def test_numbers_of_numpy_are_numbers() -> None:
    corpus = Corpus.from_entities({"d": [[np.int64(3), (np.int32(4), 5)]]})
    assert json.loads(format_json.write(corpus)) == {"d": [[3, [4, 5]]]}


@pytest.mark.parametrize("mention", [frozenset({1}), float("nan"), b"x", 1j])
def test_mentions_that_json_cannot_say_are_refused(mention: Any) -> None:
    with pytest.raises(InputError, match="a mention cannot be written as JSON"):
        format_json.write(Corpus.from_entities({"d": [[mention]]}))


VALID = (
    b'{"a": [["x", [1, 2]], [{"s": 1, "e": 2}, true]],\n "b": [[1.5]]}',
    b'{"type": "graph",\n "mentions": ["a", "b", "c"],\n "links": [["a", "b"], ["b", "c"]]}',
    b'{"type": "clusters", "name": "n",\n "clusters": {"0": ["a", "b"], "1": ["c"]}}',
)


@given(st.sampled_from(VALID), st.data())
def test_damaged_files_are_read_or_refused(content: bytes, data: st.DataObject) -> None:
    """Bytes deleted, put in and replaced: a corpus or a list of faults, nothing else."""
    damaged = bytearray(content)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(damaged)))
        until = place + data.draw(st.sampled_from([0, 0, 1, 1, 2, 9]))
        damaged[place:until] = data.draw(
            st.sampled_from(
                [b"", b"0", b"[", b"]", b"{}", b",", b'"', b"null", b"NaN", b"\n", b"\xff", b"\\ud800", b"[]"]
            )
        )
    try:
        corpus = read(bytes(damaged))
    except InputError:
        return
    assert read(format_json.write(corpus)).entities() == corpus.entities()
