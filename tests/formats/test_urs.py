"""Reading TEI-URS: annotations and the words that they are about, in one file or two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import urs
from corefeval.formats.base import File
from tests.cli.running import run
from tests.formats.content import entity_texts, notice_kinds
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

WORDS = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:txm="http://textometrie.org/1.0"><teiHeader/><text><p>
<s n="0"><w xml:id="w_1" n="1"><txm:form>Kim</txm:form><txm:ana type="#frpos">NAM</txm:ana></w>
<w xml:id="w_2"><txm:form>&amp;</txm:form></w><w id="w_3">Lee</w></s>
<s n="1"><w id="w_4"><txm:form>Ils</txm:form></w><pc id="w_5">.</pc></s></p></text></TEI>
"""


def span(key: str, first: str, last: str, features: str = "") -> str:
    return f'<span id="{key}" from="text:{first}" to="text:{last}" ana="#{features or key}-fs"></span>'


def make(spans: str, links: str = "", features: str = "", words: str = "") -> str:
    return f"""<tei:TEI xmlns:tei="http://www.tei-c.org/ns/1.0"><teiHeader/>{words}<standOff><annotations type="coreference">
<annotationGrp type="Unit" subtype="MENTION">
{spans}
</annotationGrp>
<annotationGrp type="Schema" subtype="CHAINE">
{links}
</annotationGrp>
<div type="unit-fs">{features}</div></annotations></standOff></tei:TEI>
"""


SPANS = "\n".join(
    [span("u-1", "w_1", "w_3"), span("u-2", "w_4", "w_4"), '<span xml:id="u-3" target="text:w_1 text:w_3"/>']
)
FEATURES = (
    '<fs id="u-1-fs"><f name="REF"><string>les deux</string></f><f name="CATEGORIE"><symbol value="GN"/></f></fs>'
)
FILE = make(SPANS, '<link id="s-1" target="#u-1\n #u-2" ana="#s-1-fs"></link>', FEATURES)


def read(text: str = FILE, files: dict[str, str | None] | None = None, **options: str) -> Corpus:
    there = {"urs/d.xml": WORDS} if files is None else files
    return urs.read(
        File(
            "urs/d-urs.xml",
            text.encode(),
            "d",
            lambda suffix: None,
            lambda path: (there.get(path) or "").encode() or None,
        ),
        **options,
    )


def test_schemas_are_entities_of_words_with_sentences() -> None:
    found = read()
    assert entity_texts(found) == {"les deux": ["Kim & Lee", "Ils"], "u-3": ["Kim ... Lee"]}
    assert [each.sentences for each in found] == [[["Kim", "&", "Lee"], ["Ils", "."]]]
    assert found.attributes == {"REF": ["les deux", "", ""], "CATEGORIE": ["GN", "", ""]}
    assert not found.notices


@pytest.mark.parametrize("path", ["urs/d.xml", "xml/d.xml", "tei/d.xml"])
def test_words_are_found_beside_the_annotations_or_in_them(path: str) -> None:
    assert read(files={path: WORDS}).entities() == read().entities()
    inside = make(SPANS, "", "", words=WORDS[WORDS.index("<text>") : WORDS.index("</TEI>")])
    assert len(read(inside, {}).entities()["d"]) == 3


def test_references_make_entities_where_no_schema_does_and_relations_are_left_out() -> None:
    references = "".join(
        f'<fs id="u-{n}-fs"><f name="REF"><string>{name}</string></f></fs>' for n, name in ((1, "x"), (2, "x"))
    )
    relations = '</annotationGrp><annotationGrp type="Relation" subtype="ANA"><link id="r" target="#u-1 #u-2"/>'
    found = read(make(SPANS, relations, references))
    assert entity_texts(found) == {"x": ["Kim & Lee", "Ils"], "u-3": ["Kim ... Lee"]}
    assert notice_kinds(found) == ["left-out-link"]
    assert read(units="SEGMENT").entities() == {"d": []}


def test_every_fault_is_reported_with_its_line() -> None:
    spans = "\n".join([span("a", "w_1", "w_9"), span("b", "w_4", "w_1"), span("b", "w_1", "w_1"), '<span id="c"/>'])
    with pytest.raises(InputError) as caught:
        read(make(spans, '<link id="s" target="#z"/>'))
    assert [(fault.line, fault.what) for fault in caught.value.faults] == [
        (3, "span a has the word 'w_9', which is not there"),
        (5, "a span with the id 'b'"),
        (6, "span c has the word '', which is not there"),
        (9, "schema s has 'z', which is not there"),
    ]
    with pytest.raises(InputError, match="span b ends before it begins"):
        read(make(span("b", "w_4", "w_1")))
    with pytest.raises(
        InputError, match=r"urs/d-urs.xml:1: the words are not there; expected urs/d.xml or xml/d.xml or tei/d.xml"
    ):
        read(files={})
    with pytest.raises(InputError, match=r"urs/d.xml:5: a word with the id 'w_1'"):
        read(files={"urs/d.xml": WORDS.replace("w_4", "w_1")})


def test_folders_are_read_and_words_are_no_files_of_their_own(tmp_path: Path) -> None:
    for folder, name, text in (("xml", "d.xml", WORDS), ("urs", "d-urs.xml", FILE)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    found = corefeval.read(tmp_path)
    assert (found.format, found.documents) == ("urs", ("urs/d",))
    assert entity_texts(found) == entity_texts(read())
    assert not found.notices
    assert run("validate", tmp_path).returncode == 0
    assert run("convert", tmp_path, tmp_path / "d.conllu").returncode == 0


@given(edits("<", ">", '"', "w_1", "#u-1", "", "<w id='w_1'>", "\0", "text:", "</annotationGrp>"), st.booleans())
def test_damaged_files_give_a_corpus_or_an_error(made: Any, is_text: bool) -> None:
    try:
        found = read(FILE, {"urs/d.xml": edited(WORDS, made)}) if is_text else read(edited(FILE, made))
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)
