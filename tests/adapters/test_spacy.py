"""Docs of a blank spaCy pipeline, with entities put where coreference components put them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.adapters import convert_object
from corefeval.adapters import spacy as adapter

if TYPE_CHECKING:
    from collections.abc import Iterator

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
Doc, DocBin = spacy.tokens.Doc, spacy.tokens.DocBin

TEXT = "Kim Lee saw herself. She and Bo left."
#       0   1   2   3      4  5   6   7  8   9


@pytest.fixture(scope="module")
def nlp() -> Any:
    return spacy.blank("en")


@pytest.fixture
def doc(nlp: Any) -> Any:
    return nlp(TEXT)


@pytest.fixture
def extensions() -> Iterator[None]:
    """The custom attributes that components register, for one test."""
    for name in ("coref_clusters", "coref_chains"):
        Doc.set_extension(name, default=None, force=True)
    yield
    for name in ("coref_clusters", "coref_chains"):
        Doc.remove_extension(name)


class Chain:
    """As coreferee's data_model.py has it: `_.coref_chains` is an iterable of them (a ChainHolder)."""

    def __init__(self, index: int, *mentions: list[int]) -> None:
        self.index = index
        self.mentions = [Mention(indexes) for indexes in mentions]

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)


class Mention:
    """As coreferee's data_model.py has it."""

    def __init__(self, token_indexes: list[int]) -> None:
        self.token_indexes = token_indexes
        self.root_index = token_indexes[0]

    def __len__(self) -> int:
        return len(self.token_indexes)

    def __getitem__(self, key: int) -> int:
        return self.token_indexes[key]


class Cluster:
    """As neuralcoref.pyx has it."""

    def __init__(self, i: int, main: Any, mentions: list[Any]) -> None:
        self.i, self.main, self.mentions = i, main, mentions

    def __iter__(self) -> Iterator[Any]:
        return iter(self.mentions)


def named(corpus: Corpus) -> dict[str, list[tuple[int, ...]]]:
    """The mentions of each entity of the only document."""
    (document,) = corpus
    return {entity.name: [mention.id for mention in entity] for entity in document}  # type: ignore[misc]


def faults(doc: Any, **options: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        adapter.read(doc, **options)
    return [str(fault) for fault in caught.value.faults]


def test_span_groups_are_entities(doc: Any) -> None:
    doc.spans["coref_clusters_1"] = [doc[0:2], doc[3:4], doc[5:6]]
    doc.spans["coref_clusters_2"] = [doc[5:8]]
    (document,) = adapter.read(doc)
    assert document.name == ""
    assert document.words == ["Kim", "Lee", "saw", "herself", ".", "She", "and", "Bo", "left", "."]
    assert [[mention.text for mention in entity] for entity in document] == [
        ["Kim Lee", "herself", "She"],
        ["She and Bo"],
    ]
    assert named(adapter.read(doc)) == {"1": [(0, 1), (3, 3), (5, 5)], "2": [(5, 7)]}


def test_groups_come_by_number_and_others_are_not_entities(doc: Any) -> None:
    for key in ("coref_clusters_10", "coref_clusters_9", "coref_clusters", "coref_clusters_x", "my_coref_clusters_1"):
        doc.spans[key] = [doc[0:1]]
    doc.spans["sc"] = [doc[2:3]]
    assert list(named(adapter.read(doc))) == ["9", "10"]


def test_a_group_without_spans_is_left_out_and_said(doc: Any) -> None:
    doc.spans["coref_clusters_1"] = []
    corpus = adapter.read(doc)
    assert len(corpus) == 0
    assert [notice.kind for notice in corpus.notices] == ["empty-entity"]


def test_another_prefix(doc: Any) -> None:
    doc.spans["mine_1"] = [doc[0:2], doc[3:4]]
    assert named(adapter.read(doc, prefix="mine")) == {"1": [(0, 1), (3, 3)]}
    assert named(adapter.read(doc)) == {}


def test_heads_alone_are_not_taken_for_mentions(doc: Any) -> None:
    doc.spans["coref_head_clusters_1"] = [doc[1:2], doc[3:4]]
    (fault,) = faults(doc)
    assert "has span groups coref_head_clusters_…, but none named coref_clusters_…" in fault
    assert "prefix='coref_head_clusters'" in fault
    assert named(adapter.read(doc, prefix="coref_head_clusters")) == {"1": [(1, 1), (3, 3)]}
    doc.spans["coref_clusters_1"] = [doc[0:2], doc[3:4]]
    assert named(adapter.read(doc)) == {"1": [(0, 1), (3, 3)]}


def test_sentences_are_known_if_the_doc_knows_them(nlp: Any, doc: Any) -> None:
    (document,) = adapter.read(doc)
    assert document.sentences is not None
    assert len(document.sentences) == 1
    with_sentences = spacy.blank("en")
    with_sentences.add_pipe("sentencizer")
    (document,) = adapter.read(with_sentences(TEXT))
    assert document.sentences == [["Kim", "Lee", "saw", "herself", "."], ["She", "and", "Bo", "left", "."]]


def test_heads_are_the_roots_if_the_doc_is_parsed(nlp: Any, doc: Any) -> None:
    words = ["the", "tall", "boy", "saw", "himself"]
    parsed = Doc(nlp.vocab, words=words, heads=[2, 2, 3, 3, 3], deps=["det", "amod", "nsubj", "ROOT", "dobj"])
    parsed.spans["coref_clusters_1"] = [parsed[0:3], parsed[4:5]]
    (document,) = adapter.read(parsed)
    assert [mention.head for mention in document.mentions] == [(2, 2), (4, 4)]
    doc.spans["coref_clusters_1"] = [doc[0:2]]
    assert adapter.read(doc).heads is None


@pytest.mark.usefixtures("extensions")
def test_coreferee_chains_with_coordination(doc: Any) -> None:
    doc._.coref_chains = [Chain(0, [1], [3], [5]), Chain(1, [5, 7], [2])]
    assert named(adapter.read(doc)) == {"0": [(1, 1), (3, 3), (5, 5)], "1": [(2, 2), ((5, 5), (7, 7))]}


@pytest.mark.usefixtures("extensions")
def test_coordinated_words_side_by_side_are_one_run(doc: Any) -> None:
    doc._.coref_chains = [Chain(0, [7, 6, 5], [1])]
    assert named(adapter.read(doc)) == {"0": [(1, 1), (5, 7)]}


@pytest.mark.usefixtures("extensions")
def test_the_fastcoref_component_gives_characters(doc: Any) -> None:
    doc._.coref_clusters = [[(0, 7), (12, 19), (21, 24)]]
    assert named(adapter.read(doc)) == {"0": [(0, 1), (3, 3), (5, 5)]}


@pytest.mark.usefixtures("extensions")
@pytest.mark.parametrize("bad", [(0, 6), (1, 7), (7, 0), (12, 190), (-1, 3), (3, 3), None, "ab", (0, 7, 9), (0.0, 7.0)])
def test_characters_that_are_no_words_are_a_fault(doc: Any, bad: object) -> None:
    doc._.coref_clusters = [[(0, 7), bad]]
    (fault,) = faults(doc)
    assert fault.startswith("spaCy: document '': ")
    assert "at the ends of words" in fault or "is not within" in fault


@pytest.mark.usefixtures("extensions")
@pytest.mark.parametrize(
    ("bad", "said"), [("text", "'text' (str)"), ([7], "7 (int)"), ([(3, 7)], "7 (int)"), (7, "7 (int)")]
)
def test_what_is_no_entity_is_a_fault(doc: Any, bad: object, said: str) -> None:
    doc._.coref_clusters = bad
    (fault,) = faults(doc)
    assert f"is {said}; expected a list of mentions" in fault


@pytest.mark.usefixtures("extensions")
def test_words_in_the_place_of_characters_are_a_fault(doc: Any) -> None:
    """As crosslingual-coreference gave them before 0.3: first and last word."""
    doc._.coref_clusters = [[[0, 1], [3, 3], [5, 5]]]
    assert len(faults(doc)) == 3


@pytest.mark.usefixtures("extensions")
@pytest.mark.parametrize("shape", ["cluster", "spans", "numbered"])
def test_spans_in_a_custom_attribute(doc: Any, shape: str) -> None:
    spans = [doc[0:2], doc[3:4]]
    shapes = {"cluster": Cluster(7, spans[0], spans), "spans": spans, "numbered": (7, spans)}
    doc._.coref_clusters = [shapes[shape]]
    assert named(adapter.read(doc)) == {"0" if shape == "spans" else "7": [(0, 1), (3, 3)]}


@pytest.mark.usefixtures("extensions")
def test_of_two_annotations_one_must_be_chosen(doc: Any) -> None:
    doc.spans["coref_clusters_1"] = [doc[0:2], doc[3:4]]
    doc._.coref_chains = [Chain(0, [1], [3], [5])]
    (fault,) = faults(doc)
    assert "has entities in spans and in coref_chains" in fault
    assert "annotation='spans'" in fault
    assert named(adapter.read(doc, annotation="spans")) == {"1": [(0, 1), (3, 3)]}
    assert named(adapter.read(doc, annotation="coref_chains")) == {"0": [(1, 1), (3, 3), (5, 5)]}
    assert named(adapter.read(doc, annotation="coref_clusters")) == {}
    with pytest.raises(OptionError, match="did you mean spans"):
        adapter.read(doc, annotation="span")


def test_several_docs_are_documents(nlp: Any) -> None:
    docs = list(nlp.pipe([TEXT, TEXT]))
    for doc in docs:
        doc.spans["coref_clusters_1"] = [doc[0:2], doc[3:4]]
    assert adapter.read(docs).documents == ("0", "1")
    assert adapter.read(doc for doc in docs).documents == ("0", "1")
    assert adapter.read({"a": docs[0], "b": docs[1]}).documents == ("a", "b")
    for several in (docs, tuple(docs), {"a": docs[0]}, docs[0]):
        corpus = convert_object(several)
        assert corpus is not None
        assert corpus.entities() == adapter.read(several).entities()


@pytest.mark.usefixtures("extensions")
def test_a_doc_bin_is_unpacked_with_its_attributes(nlp: Any, doc: Any) -> None:
    doc._.coref_clusters = [[(0, 7), (12, 19)]]
    other = nlp(TEXT)
    other.spans["coref_clusters_1"] = [other[5:6], other[5:8]]
    packed = DocBin(docs=[doc, other], store_user_data=True).to_bytes()
    Doc.remove_extension("coref_clusters")  # as in another process, where the component was never loaded
    corpus = convert_object(DocBin().from_bytes(packed))
    Doc.set_extension("coref_clusters", default=None)
    assert corpus is not None
    assert corpus.entities() == {"0": [[(0, 1), (3, 3)]], "1": [[(5, 5), (5, 7)]]}


def test_something_else_among_docs_is_a_fault(doc: Any) -> None:
    assert faults([doc, "text", None]) == [
        "spaCy: document '1' is 'text' (str); expected what spaCy gives",
        "spaCy: document '2' is None (NoneType); expected what spaCy gives",
    ]
    assert faults(7) == ["spaCy: it is 7 (int); expected what spaCy gives, or several of it"]


def test_a_subclass_of_doc_is_a_doc(nlp: Any) -> None:
    mine = type("Mine", (Doc,), {})(nlp.vocab, words=["a", "b"])
    mine.spans["coref_clusters_1"] = [mine[0:1], mine[1:2]]
    corpus = convert_object(mine)
    assert corpus is not None
    assert named(corpus) == {"1": [(0, 0), (1, 1)]}


def test_scores_are_those_of_plain_entities(nlp: Any) -> None:
    key, response = nlp(TEXT), nlp(TEXT)
    key.spans["coref_clusters_1"] = [key[0:2], key[3:4], key[5:6]]
    response.spans["coref_clusters_1"] = [response[0:2], response[3:4]]
    response.spans["coref_clusters_2"] = [response[5:6], response[7:8]]
    found = corefeval.score(adapter.read(key), adapter.read(response), measures="all")
    plain = corefeval.score([[(0, 1), (3, 3), (5, 5)]], [[(0, 1), (3, 3)], [(5, 5), (7, 7)]], measures="all")
    assert not found.notices
    for measure in plain:
        assert found[measure].to_dict() == plain[measure].to_dict()
    assert 0 < found["conll"].f1 < 1
