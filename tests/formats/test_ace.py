"""Reading ACE's APF files."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import ace
from corefeval.formats.base import File
from tests.formats.content import entity_texts

if TYPE_CHECKING:
    import random
    from pathlib import Path

HEADER = """<?xml version="1.0"?>
<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">
<source_file URI="NEWS.1.sgm" SOURCE="newswire" TYPE="text" AUTHOR="LDC" ENCODING="UTF-8">
<document DOCID="NEWS.1">
"""
FOOTER = "</document>\n</source_file>\n"

# Behind the name, the text begins with character 8 of what is left when tags are taken out.
SOURCE = """<DOC>
<DOCID>NEWS.1</DOCID>
<TEXT>
Cuban leader Fidel Castro saw
the island. He left.
</TEXT>
</DOC>
"""


def charseq(first: int, words: str) -> str:
    return f'<charseq START="{first}" END="{first + len(words) - 1}">{words}</charseq>'


def mention(name: str, level: str, extent: tuple[int, str], head: tuple[int, str] | None = None, more: str = "") -> str:
    inner = f"  <extent>\n    {charseq(*extent)}\n  </extent>\n"
    if head:
        inner += f"  <head>\n    {charseq(*head)}\n  </head>\n"
    return f'<entity_mention ID="{name}" TYPE="{level}"{more}>\n{inner}</entity_mention>\n'


CASTRO = (
    '<entity ID="NEWS.1-E1" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">\n'
    + mention("1-1", "NAM", (9, "Cuban leader Fidel Castro"), (22, "Fidel Castro"), ' LDCTYPE="NAM" LDCATR="FALSE"')
    + mention("1-2", "PRO", (51, "He"), (51, "He"))
    + f'<entity_attributes>\n<name NAME="Fidel Castro">{charseq(22, "Fidel Castro")}</name>\n</entity_attributes>\n'
    "</entity>\n"
)
ISLAND = (
    '<entity ID="NEWS.1-E2" TYPE="GPE" CLASS="USP">\n'
    + mention("2-1", "NOM", (39, "the island"), (43, "island"), ' ROLE="LOC"')
    + "</entity>\n"
)
OTHERS = """<timex2 ID="T1" VAL="2003"><timex2_mention ID="T1-1"><extent><charseq START="0" END="3">x</charseq></extent>
</timex2_mention></timex2>
<relation ID="R1" TYPE="PHYS" SUBTYPE="Located"><relation_argument REFID="NEWS.1-E1" ROLE="Arg-1"/>
<relation_mention ID="R1-1"><extent><charseq START="0" END="3">x</charseq></extent></relation_mention></relation>
<relation ID="R2" TYPE="PHYS"/>
"""
APF = HEADER + CASTRO + ISLAND + OTHERS + FOOTER


def read(text: str | bytes, source: str | bytes | None = SOURCE) -> Corpus:
    data, beside = (each.encode() if isinstance(each, str) else each for each in (text, source))
    assert data is not None
    return ace.read(File("file.apf.xml", data, "file", {".sgm": beside}.get))


def faults(text: str | bytes, source: str | bytes | None = SOURCE) -> list[tuple[int | None, str, str]]:
    with pytest.raises(InputError) as caught:
        read(text, source)
    return [(fault.line, fault.kind, fault.what) for fault in caught.value.faults]


def of(*entities: str) -> str:
    return HEADER + "".join(entities) + FOOTER


def test_a_document_with_its_source_text() -> None:
    corpus = read(APF)
    (document,) = corpus
    assert (document.name, corpus.unit) == ("NEWS.1", "character")
    assert document.text == "\nNEWS.1\n\nCuban leader Fidel Castro saw\nthe island. He left.\n\n\n"
    assert entity_texts(corpus) == {"NEWS.1-E1": ["Cuban leader Fidel Castro", "He"], "NEWS.1-E2": ["the island"]}
    assert [entity.attributes for entity in document] == [
        {"type": "PER", "subtype": "Individual", "class": "SPC"},
        {"type": "GPE", "class": "USP"},
    ]
    first, island, he = document.mentions
    assert first.attributes == {"level": "NAM", "ldctype": "NAM", "id": "1-1"}
    assert island.attributes == {"level": "NOM", "role": "LOC", "id": "2-1"}
    assert (first.head, island.head, he.head) == ((22, 33), (43, 48), (51, 52))
    assert [each.line for each in (first, island, he)] == [6, 27, 14]


def test_what_is_not_read_is_counted() -> None:
    (notice,) = read(APF).notices
    assert notice.kind == "other-elements"
    assert str(notice) == "file.apf.xml: only entities are read; left out: 1 timex2, 2 relation"
    assert notice.details == {"counts": {"timex2": 1, "relation": 2}}


def test_without_its_source_text_mentions_are_offsets() -> None:
    corpus = read(APF, None)
    assert corpus.unit == "label"
    assert corpus.entities() == {"NEWS.1": [[(9, 33), (51, 52)], [(39, 48)]]}
    assert corpus.attributes["text"] == ["Cuban leader Fidel Castro", "He", "the island"]
    assert corpus.heads is not None
    assert corpus.heads.objects() == [(22, 33), (51, 52), (43, 48)]


def test_offsets_mean_the_same_with_and_without_the_text() -> None:
    scores = corefeval.score(read(APF), read(APF, None), measures=["bcub"])
    assert scores["bcub"].f1 == 1


def test_a_directory_of_annotations_and_texts(tmp_path: Path) -> None:
    (tmp_path / "NEWS.1.apf.xml").write_text(APF)
    (tmp_path / "NEWS.1.sgm").write_text(SOURCE)
    (tmp_path / "NEWS.2.sgm.apf.xml").write_text(APF.replace("NEWS.1", "NEWS.2"))
    (tmp_path / "NEWS.2.sgm").write_text(SOURCE)
    corpus = corefeval.read(tmp_path)
    assert (corpus.documents, corpus.format, corpus.unit) == (("NEWS.1", "NEWS.2"), "ace", "character")
    assert {notice.kind for notice in corpus.notices} == {"other-elements"}


def test_it_is_recognised_by_its_elements() -> None:
    assert ace.recognise(APF.encode())
    assert not ace.recognise(SOURCE.encode())
    assert not ace.recognise(b"<root><document><sentences/></document></root>")


def test_it_is_read_only(tmp_path: Path) -> None:
    assert ace.CAPACITY is None
    with pytest.raises(corefeval.OptionError, match="not written"):
        corefeval.formats.write(read(APF), tmp_path / "x.apf.xml", format="ace")


def test_the_forms_of_2003() -> None:
    text = """<?xml version="1.0"?>
<!DOCTYPE source_file SYSTEM "ace-rdc.v2.0.1.dtd">
<source_file SOURCE="broadcast news" TYPE="text" VERSION="2.0" URI="NEWS.1">
  <document DOCID="NEWS.1">
    <entity ID="NEWS.1-E1">
      <entity_type GENERIC="FALSE">PERSON</entity_type>
      <entity_mention TYPE="NAME" ID="CM1-1" ROLE="PER" REFERENCE="LITERAL">
        <extent>
          <charseq>
            <start>9</start>
            <!-- string = "Cuban leader Fidel Castro & co." -->
            <end>33</end></charseq></extent>
        <head><charseq><start> 22 </start><end>33</end></charseq></head>
      </entity_mention>
      <entity_mention TYPE="PRONOUN" ID="CM1-2">
        <extent><charseq><start>51</start><end>52</end></charseq></extent>
      </entity_mention>
    </entity>
  </document>
</source_file>"""
    corpus = read(text)
    (document,) = corpus
    assert entity_texts(corpus) == {"NEWS.1-E1": ["Cuban leader Fidel Castro", "He"]}
    assert document.entities[0].attributes == {"type": "PERSON", "class": "SPC"}
    assert [each.attributes.get("level") for each in document.mentions] == ["NAM", "PRO"]
    assert [each.head for each in document.mentions] == [(22, 33), None]
    assert corpus.notices == ()


@pytest.mark.parametrize(
    ("written", "words", "first", "last", "expected"),
    [
        ("AT&amp;T", "AT&amp;T", 0, 7, "AT&amp;T"),
        ("AT&amp;T", "AT&amp;T", 0, 3, "AT&T"),
        ("AT&AMP;T", "AT&amp;T", 0, 7, "AT&AMP;T"),
        ("a &lt;b&gt; c", "&lt;b&gt; c", 2, 6, "<b> c"),
        ("a\r\nb", "a b", 0, 2, "a\nb"),
        ("3 <4 and <p>5", "5", 9, 9, "5"),
        ("no\n\nblanks", "no blanks", 0, 9, "no\n\nblanks"),
    ],
    ids=str,
)
def test_offsets_count_references_as_they_are_written_or_as_one_character(
    written: str, words: str, first: int, last: int, expected: str
) -> None:
    inner = f'<extent><charseq START="{first}" END="{last}">{words}</charseq></extent>'
    corpus = read(of(f'<entity ID="E"><entity_mention ID="1">{inner}</entity_mention></entity>'), written)
    assert entity_texts(corpus) == {"E": [expected]}
    assert corpus.notices == ()


def test_words_that_the_source_text_does_not_have_are_said() -> None:
    corpus = read(of(CASTRO, ISLAND), SOURCE.replace("NEWS.1", "NEWS.17"))
    (notice,) = corpus.notices
    assert notice.kind == "text-differs"
    assert notice.details["count"] == 6
    assert "' Cuban leader Fidel Castr' for 'Cuban leader Fidel Castro'" not in notice.message
    assert "'\\nCuban leader Fidel Castr' for 'Cuban leader Fidel Castro'" in notice.message


def test_offsets_behind_the_source_text_are_faults() -> None:
    assert [(line, kind) for line, kind, _ in faults(of(CASTRO, ISLAND), SOURCE[:60])] == [
        (14, "mention-outside"),
        (27, "mention-outside"),
    ]


def test_a_source_text_that_is_not_utf_8_is_a_fault() -> None:
    assert faults(APF, b"<DOC>\n\xe9</DOC>") == [(None, "syntax", "its source text (.sgm) is not UTF-8, in line 2")]


def test_every_fault_is_reported_with_its_line() -> None:
    text = of(
        ISLAND,
        ISLAND,
        "<entity TYPE='PER'>" + mention("3-1", "NAM", (9, "Cuban")) + "</entity>\n",
        "<entity ID='E4'><entity_mention ID='4-1'><head>" + charseq(9, "Cuban") + "</head></entity_mention></entity>\n",
        "<entity ID='E5'><entity_mention ID='5-1'><extent>\n<charseq START='5' END='4'/></extent></entity_mention>\n",
        "<entity_mention ID='5-2'><extent><charseq START='-5' END='4'/></extent></entity_mention>\n",
        "<entity_mention ID='5-3'><extent><charseq END='x'/></extent></entity_mention>\n",
        "<entity_mention ID='5-4'><extent><charspan START='1' END='2'/></extent></entity_mention></entity>\n",
    )
    assert faults(text) == [
        (15, "id-twice", "entity 'NEWS.1-E2' is there already, in line 5"),
        (25, "syntax", "entity without ID"),
        (31, "syntax", "entity_mention without extent"),
        (33, "syntax", "charseq with START='5' END='4'"),
        (34, "syntax", "charseq with START='-5' END='4'"),
        (35, "syntax", "charseq with START=None END='x'"),
        (36, "syntax", "entity_mention without extent"),
    ]


def test_a_head_that_is_not_in_the_extent_is_left_out() -> None:
    corpus = read(of("<entity ID='E'>" + mention("1-1", "NAM", (9, "Cuban"), (15, "leader")) + "</entity>"))
    assert corpus.heads is None
    assert [notice.kind for notice in corpus.notices] == ["head-outside"]


def test_an_entity_without_mentions_is_left_out() -> None:
    corpus = read(of("<entity ID='E' TYPE='PER'></entity>", ISLAND))
    assert list(entity_texts(corpus)) == ["NEWS.1-E2"]
    assert [notice.kind for notice in corpus.notices] == ["empty-entity"]


def test_two_documents_of_one_name_are_a_fault() -> None:
    text = HEADER + '</document>\n<document DOCID="NEWS.1">\n' + FOOTER
    assert [(line, kind) for line, kind, _ in faults(text)] == [(6, "document-twice")]


def test_a_document_without_a_name_has_that_of_the_file() -> None:
    assert read("<source_file><document/></source_file>").documents == ("file",)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 2, "not XML: no element found"),
        ("<source_file>\n</source_file>", 3, "no document"),
        ("<html><body/></html>", 2, "no document"),
        (APF.replace("</entity>", "</entities>", 1), 25, "not XML: mismatched tag"),
        (APF[:300], 6, "not XML: unclosed token"),
        (of(CASTRO.replace("leader", "leader & co.")), 8, "not XML: not well-formed (invalid token)"),
        (of(CASTRO.replace("leader", "&AMP;")), 8, "not XML: undefined entity"),
        (of(CASTRO.replace('"PER"', '"&PER;"')), 5, "not XML: undefined entity"),
        (APF.encode().replace(b"Castro", b"Castr\xf3"), 8, "not XML: not well-formed (invalid token)"),
        (APF.encode("utf-16"), 1, "UTF-16 text"),
    ],
)
def test_what_is_not_xml_is_refused(text: str | bytes, line: int, what: str) -> None:
    ((where, _, said),) = faults(text)
    assert (where, said) == (line, what)


def test_an_encoding_that_the_file_claims_is_not_believed() -> None:
    text = APF.replace('version="1.0"', 'version="1.0" encoding="GB2312"', 1)
    assert entity_texts(read(text)) == entity_texts(read(APF))


BOMB = """<?xml version="1.0"?>
<!DOCTYPE source_file SYSTEM "apf.dtd" [
<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<source_file><document DOCID="&c;"/></source_file>
"""
FOREIGN = """<!DOCTYPE source_file [
<!ENTITY passwords SYSTEM "file:///etc/passwd">
]>
<source_file><document DOCID="x"><entity ID="E">&passwords;</entity></document></source_file>
"""
PARAMETER = """<!DOCTYPE source_file [
<!ENTITY % more SYSTEM "http://localhost/more.dtd">
%more;
]>
<source_file><document DOCID="x"/></source_file>
"""


@pytest.mark.parametrize(("text", "line"), [(BOMB, 2), (FOREIGN, 1), (PARAMETER, 1)], ids=["bomb", "file", "parameter"])
def test_nothing_is_expanded_or_loaded(text: str, line: int) -> None:
    assert faults(text) == [(line, "syntax", "declarations in the file, <!DOCTYPE ... [...]>")]


def test_deep_nesting_is_refused() -> None:
    assert len(read(of(ISLAND + "<x>" * 998 + "</x>" * 998))) == 1
    assert faults(of("<x>" * 999 + "</x>" * 999)) == [(5, "syntax", "elements too deep within each other")]
    assert faults(of("<x>" * 1_000_000)) == [(5, "syntax", "elements too deep within each other")]


def test_a_huge_attribute_is_refused() -> None:
    long = "x" * 100_001
    assert faults(of(f'<entity ID="{long}"/>')) == [(5, "syntax", "attribute ID has 100,001 characters")]


@pytest.mark.slow
def test_a_large_file_takes_no_time() -> None:
    inner = "".join(mention(f"1-{i}", "PRO", (51, "He"), (51, "He")) for i in range(20_000))
    before = time.process_time()
    assert len(read(of(f'<entity ID="E">{inner}</entity>'))) == 20_000
    assert time.process_time() - before < 60  # quadratic work would take hours


@given(st.randoms(use_true_random=False), st.booleans())
def test_damaged_files_give_a_corpus_or_faults(source: random.Random, with_text: bool) -> None:
    data = bytearray(APF.encode())
    pieces = [b"<entity>", b"</entity>", b'"', b"<", b"&x;", b"<document>", b"</document>", b"\xff", b"\n", b"9", b"-"]
    for _ in range(source.randint(1, 3)):
        place = source.randrange(len(data))
        match source.randrange(4):
            case 0:
                del data[place : place + source.randint(1, 30)]
            case 1:
                data[place:place] = source.choice(pieces)
            case 2:
                data[place] = source.randrange(1, 256)
            case 3:
                digits = [i for i, byte in enumerate(data) if chr(byte).isdigit()]
                data[source.choice(digits)] = ord(str(source.randrange(10)))
    try:
        corpus = read(bytes(data), SOURCE if with_text else None)
    except InputError:
        return
    assert isinstance(corpus, Corpus)


@settings(max_examples=settings().max_examples // 2)
@given(st.binary(max_size=60))
def test_any_source_text_gives_a_corpus_or_faults(source: bytes) -> None:
    try:
        assert isinstance(read(APF, source), Corpus)
    except InputError:
        return
