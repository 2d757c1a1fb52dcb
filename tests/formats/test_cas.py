"""Reading UIMA CAS in JSON and XMI, and writing JSON: equal to dkpro-cassis, and to what is written by hand."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

import cassis
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import cas
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from tests.cli.running import run
from tests.formats.content import entity_texts, notice_kinds, sort_entities
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

CORE = "de.tudarmstadt.ukp.dkpro.core.api."
CHAIN, LINK = f"{CORE}coref.type.CoreferenceChain", f"{CORE}coref.type.CoreferenceLink"
TOKEN, SENTENCE = f"{CORE}segmentation.type.Token", f"{CORE}segmentation.type.Sentence"
TEXT = "\U0001f600 Kim left. She, \U0001f600\U0001f600, saw him.\nHe"


def read(data: str | bytes, **options: str) -> Corpus:
    encoded = data.encode() if isinstance(data, str) else data
    return cas.read(File("d.json", encoded, "d", lambda suffix: None), **options)


def make_types() -> Any:
    """Return a type system of dkpro-cassis with the types of DKPro that count here."""
    types = cassis.TypeSystem()
    for name in (TOKEN, SENTENCE, LINK):
        types.create_type(name, "uima.tcas.Annotation")
    types.create_type(CHAIN, "uima.cas.AnnotationBase")
    types.create_feature(types.get_type(CHAIN), "first", types.get_type(LINK))
    types.create_feature(types.get_type(LINK), "next", types.get_type(LINK))
    types.create_feature(types.get_type(LINK), "referenceType", "uima.cas.String")
    return types


def make_cas(entities: list[list[tuple[int, int]]], tokens: list[tuple[int, int]], text: str = TEXT) -> Any:
    """Return a CAS of dkpro-cassis with these spans of characters."""
    made = cassis.Cas(make_types())
    made.sofa_string, made.sofa_mime = text, "text/plain"
    types = made.typesystem
    for begin, end in tokens:
        made.add(types.get_type(TOKEN)(begin=begin, end=end))
    for spans in entities:
        following = None
        for begin, end in reversed(spans):
            following = types.get_type(LINK)(begin=begin, end=end, next=following, referenceType="np")
            made.add(following)
        made.add(types.get_type(CHAIN)(first=following))
    return made


def list_chains(made: Any) -> list[list[tuple[int, int]]]:
    """Return what dkpro-cassis reads: for each chain, first and last character of its links."""
    chains = []
    for chain in made.select(CHAIN):
        spans, link = [], chain.first
        while link is not None:
            spans.append((link.begin, link.end - 1))
            link = link.next
        chains.append(spans)
    return chains


SPANS = st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 6)).map(
    lambda each: (each[0], min(sum(each), len(TEXT)))
)


@given(st.lists(st.lists(SPANS, min_size=1, max_size=4, unique=True), max_size=4))
def test_what_cassis_writes_is_read_as_cassis_reads_it(entities: list[list[tuple[int, int]]]) -> None:
    made = make_cas(entities, [])
    expected = sort_entities(list_chains(made))
    for data in (made.to_json(), made.to_xmi()):
        found = read(data)
        assert found.texts == (TEXT,)
        assert sort_entities(found.entities()["d"]) == expected
        # and what is written is what cassis reads
        written = cas.write(found)
        assert isinstance(written, bytes)
        again = cassis.load_cas_from_json(written.decode())
        assert again.sofa_string == TEXT
        assert sort_entities(list_chains(again)) == expected


def test_words_are_tokens_and_sentences_are_those_of_the_cas() -> None:
    draft = Draft("made up")
    document = draft.add_document("story", words=["Kim", "\U0001f600", "left", "She", "a b"], sentence=[0, 0, 0, 1, 1])
    document.add_mention("1", (0, 1), attributes={"referenceType": "name"})
    document.add_mention("1", (3, 3))
    written = cas.write(draft.build_corpus())
    assert isinstance(written, bytes)
    made = cassis.load_cas_from_json(written.decode())
    assert made.sofa_string == "Kim \U0001f600 left\nShe a b"
    assert [each.get_covered_text() for each in made.select(TOKEN)] == ["Kim", "\U0001f600", "left", "She", "a b"]
    assert [each.get_covered_text() for each in made.select(SENTENCE)] == ["Kim \U0001f600 left", "She a b"]
    assert [each.get_covered_text() for each in made.select(LINK)] == ["Kim \U0001f600", "She"]
    for data in (written, made.to_xmi()):
        found = read(data)
        assert found.documents == ("story",)
        assert [each.sentences for each in found] == [[["Kim", "\U0001f600", "left"], ["She", "a b"]]]
        assert [[(m.id, m.attributes) for m in entity] for each in found for entity in each] == [
            [((0, 1), {"referenceType": "name"}), ((3, 3), {})]
        ]


def test_a_mention_within_a_token_gets_the_token_and_one_without_text_is_left_out() -> None:
    made = make_cas([[(2, 4), (6, 10)], [(5, 6)], [(7, 7)]], [(2, 5), (6, 10)], "a Kim left")
    found = read(made.to_xmi())
    assert entity_texts(found) == {"1": ["Kim", "left"]}
    assert notice_kinds(found) == ["sub-token", "empty-mention", "empty-mention", "empty-entity", "empty-entity"]


def structure(number: int, type_: str, **features: Any) -> dict[str, Any]:
    named = {f"@{name[1:]}" if name.startswith("_") else name: value for name, value in features.items()}
    return {"%ID": number, "%TYPE": type_, **named}


def make_json(*structures: dict[str, Any], members: list[int] | None = None, text: str = "Kim left. She") -> str:
    sofa = structure(1, "uima.cas.Sofa", sofaID="_InitialView", sofaString=text)
    everything = [each["%ID"] for each in structures] if members is None else members
    listed = ",\n".join(json.dumps(each) for each in (sofa, *structures))
    views = json.dumps({"_InitialView": {"%SOFA": 1, "%MEMBERS": everything}})
    return f'{{"%TYPES": {{}}, "%FEATURE_STRUCTURES": [\n{listed}],\n"%VIEWS": {views}}}\n'


def link(number: int, begin: int, end: int, **features: Any) -> dict[str, Any]:
    return structure(number, LINK, _sofa=1, begin=begin, end=end, **features)


def test_circles_end_and_what_is_not_indexed_is_left_out() -> None:
    circle = [structure(2, CHAIN, _first=3), link(3, 0, 3, _next=4), link(4, 10, 13, _next=3)]
    found = read(make_json(*circle))
    assert entity_texts(found) == {"1": ["Kim", "She"]}
    assert notice_kinds(found) == ["circular-chain"]
    found = read(make_json(*circle, link(5, 4, 8), members=[3, 4, 5]))
    assert found.entities() == {"d": []}
    assert [(notice.kind, notice.line, notice.details["count"]) for notice in found.notices if "left" in notice.kind] == [
        ("left-out-chain", 3, 1), ("left-out-link", 6, 1),
    ]  # fmt: skip
    found = read(make_json(structure(2, CHAIN, _first=4), structure(3, CHAIN, _first=4), link(4, 0, 3)))
    assert entity_texts(found) == {"1": ["Kim"], "2": ["Kim"]}
    assert notice_kinds(found) == ["mention-twice"]


def test_every_fault_is_reported_with_its_line() -> None:
    with pytest.raises(InputError) as caught:
        read(make_json(
            structure(2, CHAIN, _first=9), structure(3, CHAIN, _first=4), link(4, 0, 14, _next=5),
            link(5, 3, 2, _next=8), link(5, 0, 1), {"%ID": 6}, structure(7, CHAIN, _first=8), link(8, 1, 2),
            text="\U0001f600bcd",
        ))  # fmt: skip
    assert [str(fault).partition(";")[0] for fault in caught.value.faults] == [
        "d.json:3: first of feature structure 2 is 9, which is not there",
        "d.json:5: annotation 4 from 0 to 14 is not within 4 characters",
        "d.json:7: feature structure 5 is there already, on line 6",
        "d.json:7: annotation 5 from 0 to 1 is not within 4 characters",
        "d.json:8: {'%ID': 6} is no feature structure",
        "d.json:10: annotation 8 from 1 to 2 is not within 4 characters",
    ]


def test_custom_layers_are_chosen_by_name() -> None:
    custom = [structure(n, "webanno.custom.PlaceChain", _first=n + 1) for n in (2,)]
    spans = [structure(3, "webanno.custom.PlaceLink", _sofa=1, begin=0, end=3)]
    assert entity_texts(read(make_json(*custom, *spans))) == {"1": ["Kim"]}
    both = [*custom, *spans, structure(4, CHAIN, _first=5), link(5, 10, 13)]
    assert entity_texts(read(make_json(*both))) == {"1": ["She"]}
    assert entity_texts(read(make_json(*both), layer="webanno.custom.Place")) == {"1": ["Kim"]}
    with pytest.raises(InputError, match="not clear which layer is coreference: place, coreference"):
        read(make_json(*both), layer="Time")
    assert notice_kinds(read(make_json())) == ["no-coreference-layer"]


def test_relations_make_entities_where_there_are_no_chains() -> None:
    spans = [structure(n, "webanno.custom.Mention", _sofa=1, begin=b, end=e, kind=k) for n, b, e, k in
             [(2, 0, 3, ""), (3, 10, 13, "pronoun"), (4, 4, 8, "verb"), (5, 8, 9, "")]]  # fmt: skip
    relations = [
        structure(6, "webanno.custom.Coref", _Governor=2, _Dependent=3, label="identity"),
        structure(7, "webanno.custom.Coref", _Governor=3, _Dependent=4, label="bridging"),
        structure(8, "webanno.custom.Coref", _Governor=3, _Dependent=3),
    ]
    found = read(make_json(*spans, *relations))
    assert entity_texts(found) == {"1": ["Kim", "She"], "2": ["left"]}
    assert [each[:5] for each in found.relations] == [("bridge", "d", (4, 7), ("1",), "bridging")]
    assert notice_kinds(found) == ["self-link"]
    with pytest.raises(InputError, match="dependent of feature structure 6 is 9"):
        read(make_json(*spans, structure(6, "webanno.custom.Coref", _Governor=2, _Dependent=9)))


def test_annotators_of_an_export_are_told_apart(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for name, end in (("anna", 13), ("ben", 12)):
            chain = [structure(2, CHAIN, _first=3), link(3, 0, 3, _next=4), link(4, 10, end)]
            archive.writestr(f"annotation/story.txt/{name}.json", make_json(*chain))
            inner = tmp_path / f"{name}.zip"
            with zipfile.ZipFile(inner, "w") as packed:
                packed.writestr(f"{name}.xmi", cassis.load_cas_from_json(make_json(*chain), make_types()).to_xmi())
                packed.writestr("TypeSystem.xml", "<typeSystemDescription/>")
            archive.write(inner, f"annotation/tale.txt/{name}.zip")
    corpora = corefeval.formats.read_annotators(tmp_path / "export.zip")
    assert list(corpora) == ["anna", "ben"]
    for name, last in (("anna", 12), ("ben", 11)):
        assert corpora[name].entities() == {"story.txt": [[(0, 2), (10, last)]], "tale.txt": [[(0, 2), (10, last)]]}
    assert run("agree", tmp_path / "export.zip").returncode == 0


def test_files_are_recognised_by_their_content(tmp_path: Path) -> None:
    chain = [structure(2, CHAIN, _first=3), link(3, 0, 3)]
    (tmp_path / "a.json").write_text(make_json(*chain))
    (tmp_path / "b.txt").write_bytes(make_cas([[(0, 2)]], []).to_xmi().encode())
    assert [corefeval.read(tmp_path / name).format for name in ("a.json", "b.txt")] == ["cas", "cas"]
    assert run("validate", tmp_path / "a.json").returncode == 0
    assert not cas.recognise(b'{"a": 1}')


def test_views_without_a_text_and_broken_json_are_faults() -> None:
    for data, what in (('{"%TYPES": {}, "%FEATURE_STRUCTURES": []}', "no text"), ('{"%TYPES": {}', "not JSON"),
                       ('{"%TYPES": {}}', "no list"), ("<xmi:XMI><a", "not the beginning of a tag")):  # fmt: skip
        with pytest.raises(InputError, match=what):
            read(data)


JSON = make_json(structure(2, CHAIN, _first=3), link(3, 0, 3, _next=4), link(4, 10, 13))
XMI = make_cas([[(2, 5), (6, 10)]], [(2, 5)]).to_xmi()


@given(st.sampled_from([JSON, XMI]), edits('"', "{", "<", "&#1;", "1", "99", "\0", "", '"%ID": 3,', "null", "sofa"))
def test_damaged_files_give_a_corpus_or_an_error(data: str, made: Any) -> None:
    try:
        found = read(edited(data, made))
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)
