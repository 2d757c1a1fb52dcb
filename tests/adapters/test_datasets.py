"""Rows of coreference corpora on the Hugging Face hub, as plain dicts and as a Dataset."""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.adapters import convert_object, datasets
from tests.data import public_data

SENTENCES = [["Kim", "Lee", "saw", "herself", "."], ["She", "left", "."]]
ENTITIES = {"Kim Lee": (0, 1), "herself": (3, 3), "She": (5, 5), "Lee": (1, 1)}

# As https://huggingface.co/datasets/coref-data/preco_indiscrim and others of that collection; conversion and
# definition are in github.com/ianporada/coref-data ("inclusive indices").
INDISCRIM: dict[str, Any] = {
    "id": "train_1",
    "text": "Kim Lee saw herself. She left.",
    "sentences": [
        {"id": number, "speaker": None, "text": "", "tokens": [{"id": i, "text": w} for i, w in enumerate(words, 1)]}
        for number, words in enumerate(SENTENCES, 1)
    ],
    "coref_chains": [[[0, 0, 1], [0, 3, 3], [1, 0, 0]], [[0, 1, 1]]],
    "genre": "novel",
}
# As coref-data/litbank_raw: words as such, "each mention is a list of [sent_idx, start, end] inclusive".
LITBANK: dict[str, Any] = {"doc_name": "113_garden", "sentences": SENTENCES, "coref_chains": INDISCRIM["coref_chains"]}
# As PreCo and coref-data/preco_raw: "the index of the last token of the mention in the sentence plus one".
PRECO: dict[str, Any] = {
    "id": "train_1",
    "sentences": SENTENCES,
    "mention_clusters": [[[0, 0, 2], [0, 3, 4], [1, 0, 1]], [[0, 1, 2]]],
}
# As e2e-coref's minimize.py and its many followers write it.
JSONLINES: dict[str, Any] = {
    "doc_key": "nw/x_0",
    "sentences": SENTENCES,
    "clusters": [[[0, 1], [3, 3], [5, 5]], [[1, 1]]],
    "predicted_clusters": [[[0, 1], [3, 3]]],
}
# As fastcoref's README has it for training.
TRAINING: dict[str, Any] = {
    "doc_key": "x",
    "tokens": [w for s in SENTENCES for w in s],
    "clusters": JSONLINES["clusters"],
}
# As coref-data/corefud_raw: `ord` is a float, for empty nodes have numbers such as 1.1; spans count from 1.
COREFUD: dict[str, Any] = {
    "doc_id": "x",
    "sentences": [
        {"sent_id": f"s{number}", "tokens": [{"ord": float(i), "form": w} for i, w in enumerate(words, 1)]}
        for number, words in enumerate(SENTENCES)
    ],
    "coref_entities": [
        [
            {"sent_id": "s0", "span": "1-2", "eid": "e1", "etype": "person"},
            {"sent_id": "s0", "span": "4", "eid": "e1", "etype": "person"},
            {"sent_id": "s1", "span": "1", "eid": "e1", "etype": "person"},
        ],
        [{"sent_id": "s0", "span": "2", "eid": "e2", "etype": None}],
    ],
}
ROWS: dict[str, Any] = {
    "indiscrim": INDISCRIM,
    "litbank": LITBANK,
    "preco": PRECO,
    "jsonlines": JSONLINES,
    "training": TRAINING,
    "corefud": COREFUD,
}


def ontonotes(*parts: int) -> dict[str, Any]:
    """As conll2012_ontonotesv5.py: spans within sentences, [entity, first, last], "indices are inclusive"."""
    spans = [[[12, 0, 1], [12, 3, 3], [7, 1, 1]], [[12, 0, 0]]]
    return {
        "document_id": "bc/cctv/00/cctv_0000",
        "sentences": [
            {"part_id": part, "words": words, "coref_spans": found, "speaker": None}
            for part in parts
            for words, found in zip(SENTENCES, spans, strict=True)
        ],
    }


def texts(corpus: Corpus) -> list[list[list[str | None]]]:
    return [[[mention.text for mention in entity] for entity in document] for document in corpus]


def faults(data: Any, **options: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        datasets.read(data, **options)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("layout", ROWS)
def test_every_layout_says_the_same(layout: str) -> None:
    corpus = datasets.read(ROWS[layout])
    (document,) = corpus
    assert texts(corpus) == [[["Kim Lee", "herself", "She"], ["Lee"]]]
    assert corpus.entities()[document.name] == [[(0, 1), (3, 3), (5, 5)], [(1, 1)]]
    assert document.sentences == (SENTENCES if layout != "training" else [[w for s in SENTENCES for w in s]])


@pytest.mark.parametrize("layout", ROWS)
def test_a_row_and_a_list_of_rows_are_known_by_their_fields(layout: str) -> None:
    expected = datasets.read(ROWS[layout])
    for source in (ROWS[layout], [ROWS[layout]]):
        corpus = convert_object(source)
        assert corpus is not None
        assert corpus.entities() == expected.entities()


def test_names_are_the_rows_own_or_given_or_numbers() -> None:
    own = [datasets.read(row).documents[0] for row in ROWS.values()]
    assert own == ["train_1", "113_garden", "train_1", "nw/x_0", "x", "x"]
    unnamed = {**PRECO, "id": None}
    assert datasets.read(unnamed).documents == ("",)
    assert datasets.read([unnamed, PRECO, unnamed]).documents == ("0", "train_1", "2")
    assert datasets.read({"a": PRECO, "b": PRECO}).documents == ("a", "b")
    (fault,) = faults([PRECO, PRECO])
    assert "document 'train_1' is there already" in fault


def test_another_field() -> None:
    assert datasets.read(JSONLINES, field="predicted_clusters").entities() == {"nw/x_0": [[(0, 1), (3, 3)]]}
    found = corefeval.score(datasets.read(JSONLINES), datasets.read(JSONLINES, field="predicted_clusters"))
    assert found["muc"].recall == 1 / 2
    itself = corefeval.score(JSONLINES, JSONLINES)
    assert dict(itself) == dict(found)
    assert [notice.kind for notice in itself.notices] == ["two-fields", "two-fields"]
    only = {name: value for name, value in JSONLINES.items() if name != "clusters"}
    (notice,) = corefeval.score(only, only).notices
    assert notice.kind == "other-field"
    assert "document 'nw/x_0' of the key has only 'predicted_clusters', which is read" in str(notice)
    (fault,) = faults(JSONLINES, field="guesses")
    assert "document 'nw/x_0' has no field 'guesses'; expected one of 'doc_key', 'sentences', 'clusters'" in fault


def test_parts_of_ontonotes_are_documents_named_as_in_conll_files() -> None:
    corpus = datasets.read(ontonotes(0, 1))
    assert corpus.documents == ("(bc/cctv/00/cctv_0000); part 000", "(bc/cctv/00/cctv_0000); part 001")
    assert texts(corpus) == [[["Kim Lee", "herself", "She"], ["Lee"]]] * 2
    assert [entity.name for document in corpus for entity in document] == ["12", "7"] * 2
    assert datasets.read(ontonotes(0)).documents == ("(bc/cctv/00/cctv_0000); part 000",)
    assert datasets.read({"x": ontonotes(0)}).documents == ("x",)
    assert datasets.read({"x": ontonotes(0, 3)}).documents == ("(x); part 000", "(x); part 003")


def test_ontonotes_pairs_with_a_conll_file(tmp_path: Any) -> None:
    path = tmp_path / "response.conll"
    cells = ["(1", "1)", "-", "(1)", "-", "(2)", "-", "(2)"]
    lines = [f"x\t0\t{i}\t{w}\t{c}" for i, (w, c) in enumerate(zip(TRAINING["tokens"], cells, strict=True))]
    path.write_text("\n".join(["#begin document (bc/cctv/00/cctv_0000); part 000", *lines, "#end document", ""]))
    found = corefeval.score(datasets.read(ontonotes(0)), path)
    assert not found.notices
    assert found["mentions"].recall == 3 / 4


def test_corefud_has_gaps_zeros_and_types() -> None:
    row = copy.deepcopy(COREFUD)
    row["sentences"][1]["tokens"].insert(1, {"ord": 1.1, "form": "_"})
    row["coref_entities"] = [
        [
            {"sent_id": "s0", "span": "1-2,4", "eid": "e1", "etype": "person"},
            {"sent_id": "s1", "span": "1.1", "eid": "e1", "etype": "person"},
            {"sent_id": "s1", "span": "1-2", "eid": "e1", "etype": "person"},
        ]
    ]
    (document,) = datasets.read(row)
    assert [(mention.id, mention.is_zero) for mention in document.mentions] == [
        (((0, 1), (3, 3)), False),
        ((5, 7), False),
        ((6, 6), True),
    ]
    (entity,) = document
    assert (entity.name, entity.attributes) == ("e1", {"type": "person"})


def test_zeros_in_indiscrim_rows() -> None:
    row = copy.deepcopy(INDISCRIM)
    row["sentences"][1]["tokens"].insert(0, {"id": 0.1, "text": "_"})
    (document,) = datasets.read(row)
    assert [mention.id for mention in document.mentions if mention.is_zero] == [(5, 5)]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**LITBANK, "coref_chains": [[[0, 4, 5]]]}, "[0, 4, 5], which is not within its sentence; expected sentence,"),
        ({**LITBANK, "coref_chains": [[[2, 0, 0]]]}, "[2, 0, 0], which is not within its sentence"),
        ({**LITBANK, "coref_chains": [[[-1, 0, 0]]]}, "[-1, 0, 0], which is not within its sentence"),
        ({**LITBANK, "coref_chains": [[[0, 1]]]}, "a mention of entity 0 is [0, 1] (list); expected 3 integers"),
        ({**LITBANK, "coref_chains": [[[0, 1.5, 2]]]}, "expected 3 integers"),
        ({**LITBANK, "coref_chains": [[[0, True, 2]]]}, "expected 3 integers"),
        ({**PRECO, "mention_clusters": [[[0, 1, 1]]]}, "[0, 1, 1], which is not within its sentence"),
        ({**JSONLINES, "clusters": [[[5, 8]]]}, "(5, 8) is not within the 8 words of document 'nw/x_0'"),
        ({**JSONLINES, "clusters": {"0": []}}, "the entities are {'0': []} (dict); expected a list of entities"),
        ({**JSONLINES, "sentences": [["a"], "b c"]}, "sentence 1 is 'b c' (str); expected a list of words"),
        ({**JSONLINES, "sentences": [["a", None]]}, "sentence 0 is ['a', None] (list); expected a list of words"),
        ({**JSONLINES, "sentences": [["a"], {"form": "b"}]}, "sentence 1 is {'form': 'b'} (dict)"),
        ({**ontonotes(0), "sentences": [{"words": ["a"]}]}, "coref_spans of sentence 0 is None (NoneType); expected a"),
        ({**ontonotes(0), "sentences": [["a"]]}, "the sentences are [['a']] (list); expected a list of objects with"),
        ({**JSONLINES, "sentences": "a b"}, "the sentences are 'a b' (str); expected a list"),
        ({**COREFUD, "coref_entities": 7}, "the entities are 7 (int); expected a list"),
        ({**COREFUD, "coref_entities": [7]}, "entity 0 is 7 (int); expected a list"),
        ({**COREFUD, "coref_entities": [[7]]}, "entity 0 is [7] (list); expected a list of objects with fields"),
        (
            {"document_id": "x", "sentences": [{"part_id": 0, "words": ["a"], "coref_spans": [[1, 0, 1]]}]},
            "document '(x); part 000': a mention in sentence 0 is [1, 0, 1] (list); expected entity, first and last",
        ),
        ({**COREFUD, "coref_entities": [[{"sent_id": "s9", "span": "1"}]]}, "expected a span of tokens of a sentence"),
        ({**COREFUD, "coref_entities": [[{"sent_id": "s0", "span": "9"}]]}, "expected a span of tokens of a sentence"),
        ({**COREFUD, "coref_entities": [[{"sent_id": "s0", "span": "2-1"}]]}, "expected a span of tokens"),
        ({**COREFUD, "coref_entities": [[{"sent_id": "s0", "span": "3,1"}]]}, "expected a span of tokens"),
        ({**COREFUD, "coref_entities": [[{"sent_id": "s0", "span": "a-b"}]]}, "expected a span of tokens"),
    ],
)
def test_faults(row: Any, said: str) -> None:
    assert said in faults(row)[0]


def test_all_faults_of_all_rows_are_said() -> None:
    assert len(faults({**JSONLINES, "sentences": [["a"], 1, ["b"], 2]})) == 2
    bad = {**LITBANK, "coref_chains": [[[0, 9, 9], [0, 0, 0]], [[9, 0, 0]]]}
    found = faults({"a": bad, "b": bad})
    assert len(found) == 4
    assert [fault.startswith("datasets: document 'a'") for fault in found] == [True, True, False, False]


junk = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats(allow_nan=False) | st.text("ab1-,.", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "words", "span"]), inner),
    max_leaves=6,
)


@given(st.data())
def test_damaged_rows_give_a_corpus_or_an_input_error(data: st.DataObject) -> None:
    row: Any = copy.deepcopy(data.draw(st.sampled_from([*ROWS.values(), ontonotes(0, 1)])))
    place: Any = row
    key: Any = None
    while isinstance(place, dict | list) and place and (key is None or data.draw(st.booleans())):
        parent = place
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        place = place[key]
    parent[key] = data.draw(junk)
    with contextlib.suppress(InputError):
        assert isinstance(datasets.read({"x": row}), Corpus)


@pytest.mark.slow
def test_real_data_keeps_its_scores_in_every_layout() -> None:
    folder = public_data("litbank")
    key, response = (corefeval.read(folder / f"{name}.conll.gz") for name in ("key", "response-20"))
    expected = corefeval.score(key, response)
    for to_rows in (jsonlines_rows, sentence_rows):
        found = corefeval.score(datasets.read(to_rows(key)), datasets.read(to_rows(response)))
        for measure in expected:
            assert found[measure].to_dict() == expected[measure].to_dict()


def jsonlines_rows(corpus: Corpus) -> list[dict[str, Any]]:
    entities = corpus.entities()
    return [{"doc_key": d.name, "sentences": d.sentences, "clusters": entities[d.name]} for d in corpus]


def sentence_rows(corpus: Corpus) -> list[dict[str, Any]]:
    rows = []
    for row in jsonlines_rows(corpus):
        at = [(number, place) for number, s in enumerate(row["sentences"]) for place in range(len(s))]
        chains = [[[*at[first], at[last][1]] for first, last in entity] for entity in row["clusters"]]
        assert all(at[first][0] == at[last][0] for entity in row["clusters"] for first, last in entity)
        rows.append({"id": row["doc_key"], "sentences": row["sentences"], "coref_chains": chains})
    return rows


@pytest.fixture(scope="module")
def library() -> Any:
    return pytest.importorskip("datasets", reason="Hugging Face datasets is not installed")


@pytest.mark.parametrize("layout", ROWS)
def test_a_dataset_is_its_rows(library: Any, layout: str) -> None:
    data = library.Dataset.from_list([ROWS[layout]])
    corpus = convert_object(data)
    assert corpus is not None
    assert corpus.entities() == datasets.read(ROWS[layout]).entities()
    assert convert_object(data[0]).entities() == corpus.entities()  # type: ignore[union-attr]


def test_ontonotes(library: Any) -> None:
    data = library.Dataset.from_list([ontonotes(0, 1)])
    assert datasets.read(data).entities() == datasets.read(ontonotes(0, 1)).entities()


def test_the_format_it_is_set_to_does_not_matter(library: Any) -> None:
    data = library.Dataset.from_list([PRECO, {**PRECO, "id": "train_2"}])
    expected = datasets.read(data).entities()
    assert list(expected) == ["train_1", "train_2"]
    for name in ("numpy", "pandas"):
        assert datasets.read(data.with_format(name)).entities() == expected
    assert datasets.read(data.to_iterable_dataset()).entities() == expected
    assert datasets.read(data.filter(lambda row: row["id"] == "train_2")).documents == ("train_2",)


def test_rows_in_numpy_format(library: Any) -> None:
    data = library.Dataset.from_list([JSONLINES]).with_format("numpy")
    assert datasets.read({"x": dict(data[0])}).entities() == {"x": [[(0, 1), (3, 3), (5, 5)], [(1, 1)]]}


def test_of_several_splits_one_must_be_chosen(library: Any) -> None:
    data = library.Dataset.from_list([PRECO])
    splits = library.DatasetDict({"train": data, "test": data})
    with pytest.raises(InputError, match=r"splits train, test; expected one split; choose one: data\['train'\]"):
        convert_object(splits)
