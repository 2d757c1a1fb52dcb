"""Reading and writing MUC's SGML."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import muc
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from tests.formats.content import entity_texts
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    import random
    from pathlib import Path

MUC7 = """<DOC>
<DOCID> nyt960214.0765 </DOCID>
<STORYID cat=a pri=r> A4505 </STORYID>
<SLUG fv=ttx-z> BC-<COREF ID="1">PANTEX</COREF>-TEX </SLUG>
<TEXT>
<p>
   <COREF ID="5" MIN="number">The number of
<COREF ID="48">aircraft</COREF></COREF> &MD; flying over the <COREF ID="9" TYPE="IDENT" REF="1">Plant</COREF>
<p>
   <COREF ID="54" MIN="Pratt &AMP; Whitney">Pratt &AMP; Whitney, <COREF ID="53" TYPE="IDENT" REF="54" MIN="unit">a unit of
U.T.</COREF></COREF>, and <COREF ID="64" TYPE="IDENT" REF="53" STATUS="OPT">it</COREF>
</TEXT>
<TRAILER> NYT-<COREF ID="2" TYPE="IDENT" REF="9">PANTEX</COREF> </TRAILER>
</DOC>
"""

MUC6 = """<doc>
<docno> 891102-0189. </docno>
<hl> <coref id='0'>Lawson Mardon Group Ltd.</coref> </hl>
<txt>
<p>
<s> <coref id=1 ref=0 type=ident>It</coref> said <coref id=2 ref=1 stat=opt>it</coref> left. </s>
</p>
</txt>
</doc>
"""


def read(text: str | bytes, document: str = "file") -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return muc.read(File("file.muc", data, document, lambda suffix: None))


def minimums(corpus: Corpus) -> list[str | None]:
    (document,) = corpus
    assert document.text is not None
    text = document.text
    return [m.minimum and text[m.minimum[0] : m.minimum[1] + 1] for m in document.mentions]


def faults(text: str | bytes) -> list[tuple[int | None, str, str]]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [(fault.line, fault.kind, fault.what) for fault in caught.value.faults]


def notices(text: str | bytes) -> list[tuple[str, str]]:
    return [(notice.kind, notice.message) for notice in read(text).notices]


def test_a_document_of_muc_7() -> None:
    corpus = read(MUC7)
    (document,) = corpus
    assert document.name == "nyt960214.0765"
    assert entity_texts(corpus) == {
        "1": ["PANTEX", "Plant", "PANTEX"],
        "5": ["The number of\naircraft"],
        "48": ["aircraft"],
        "54": ["Pratt & Whitney, a unit of\nU.T.", "a unit of\nU.T.", "it"],
    }
    assert minimums(corpus) == [None, "number", None, None, "Pratt & Whitney", "unit", None, None]
    assert [m.attributes for m in document.mentions] == [{}] * 6 + [{"status": "OPT"}, {}]
    assert [m.line for m in document.mentions] == [4, 7, 8, 8, 10, 10, 11, 13]
    assert corpus.notices == ()
    assert document.text == (
        " A4505 \n BC-PANTEX-TEX \n\n   The number of\naircraft &MD; flying over the Plant\n\n"
        "   Pratt & Whitney, a unit of\nU.T., and it\n NYT-PANTEX "
    )


def test_a_document_of_muc_6_in_small_letters_without_quotes() -> None:
    corpus = read(MUC6)
    assert corpus.documents == ("891102-0189.",)
    assert entity_texts(corpus) == {"0": ["Lawson Mardon Group Ltd.", "It", "it"]}
    assert list(corpus.attributes) == ["status"]


def test_it_is_recognised_by_its_tags(tmp_path: Path) -> None:
    path = tmp_path / "file.xml"
    path.write_text(MUC7)
    assert corefeval.read(path).format == "muc"
    assert muc.recognise(MUC6.encode())
    assert not muc.recognise(b"<DOC><TEXT>no mentions</TEXT></DOC>")
    assert not muc.recognise(b'<root><coreference id="1"/></root>')
    assert not muc.recognise(b'<NAF><coreferences><coref id="co1"/></coreferences></NAF>')


def test_several_documents_in_a_file() -> None:
    corpus = read(f"<DOCS>{MUC7}{MUC6}</DOCS>")
    assert corpus.documents == ("nyt960214.0765", "891102-0189.")
    assert corpus.sizes.tolist() == [3, 1, 1, 3, 3]
    assert corpus.line(len(corpus) - 1) == 20


def test_documents_without_a_name_have_that_of_the_file_and_a_number_if_there_are_several() -> None:
    document = '<DOC><TXT><COREF ID="1">x</COREF></TXT></DOC>'
    assert read(document, "story").documents == ("story",)
    assert read(document * 2, "story").documents == ("story-1", "story-2")
    assert read('<DOC DOCNO="wsj_1"><TXT><COREF ID="1">x</COREF></TXT></DOC>').documents == ("wsj_1",)
    assert read('<COREF ID="1">no DOC</COREF>', "story").documents == ("story",)


def test_two_documents_of_one_name_are_a_fault() -> None:
    assert faults(MUC6 + MUC6)[0][:2] == (10, "document-twice")


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ("1 2<1 3<2", [["1", "2", "3"]]),
        ("1 2<1 3<1", [["1", "2", "3"]]),
        ("1<2 2<3 3", [["1", "2", "3"]]),
        ("1 2 3<1 4<2 5<4", [["1", "3"], ["2", "4", "5"]]),
        ("1 2 3<2 4<3 5<4 2a<1 1a<5", [["1", "2a"], ["2", "3", "4", "5", "1a"]]),
        ("1", [["1"]]),
        ("1<1", [["1"]]),
        ("1<2 2<1", [["1", "2"]]),
        ("1<2 2<3 3<2 4", [["1", "2", "3"], ["4"]]),
    ],
    ids=str,
)
def test_entities_are_the_transitive_closure_of_ref(links: str, expected: list[list[str]]) -> None:
    written = ""
    for link in links.split():
        own, _, other = link.partition("<")
        written += f'<COREF ID="{own}"{f" REF={other}" if other else ""}>{own}</COREF> '
    assert entity_texts(read(written)) == {entity[0]: entity for entity in expected}


def test_self_links_and_circles_are_said() -> None:
    text = '<COREF ID="1" REF="1">a</COREF>\n<COREF ID="2" REF="3">b</COREF>\n<COREF ID="3" REF="2">c</COREF>'
    assert notices(text) == [
        ("self-link", "file.muc:1: mention '1' refers to itself"),
        ("reference-cycle", "file.muc:2: mentions refer to each other in a circle: 2 -> 3 -> 2"),
    ]
    long = " ".join(f"<COREF ID={i} REF={(i + 1) % 10}>x</COREF>" for i in range(10))
    assert notices(long + "<COREF ID=10 REF=3>y</COREF>") == [
        ("reference-cycle", "file.muc:1: mentions refer to each other in a circle: 0 -> 1 -> 2 -> 3 -> 4 -> ... -> 0")
    ]


def test_every_fault_is_reported_with_its_line() -> None:
    text = (
        "<DOC>\n"
        '<COREF ID="1">a</COREF>\n'
        '<COREF ID="1">b</COREF>\n'
        '<COREF REF="1">c</COREF>\n'
        '<COREF ID="3" REF="77">d</COREF>\n'
        "</COREF>\n"
        '<COREF ID="4">e <COREF ID="44">e\n'
        '<COREF ID="5" ID="6">f</COREF>\n'
        '<COREF ID="7>g</COREF>\n'
        "</DOC>\n"
        "h\n"
        "<COREF ID=8>\n"
    )
    assert faults(text) == [
        (3, "id-twice", "ID '1' is already on line 2"),
        (4, "syntax", "COREF without ID"),
        (5, "dangling-reference", "REF '77' of mention '3' is not an ID of the document"),
        (6, "unbalanced-bracket", "</COREF> without a <COREF> before it"),
        (7, "unbalanced-bracket", "the mention with ID '4' is never closed"),
        (8, "syntax", "attribute ID is given twice in a tag"),
        (9, "syntax", "'<COREF ID=\"7>g</COREF>' is not the beginning of a tag"),
        (11, "syntax", "text outside of a document, 'h'"),
        (12, "syntax", "COREF outside of a document"),
    ]


def test_ids_count_within_their_document() -> None:
    document = '<DOC><DOCID>{}</DOCID><COREF ID="1">x</COREF> <COREF ID="2" REF="{}">y</COREF></DOC>'
    corpus = read(document.format("a", 1) + document.format("b", 1))
    assert corpus.sizes.tolist() == [2, 2]
    other = '<DOC><COREF ID="1">x</COREF></DOC><DOC><COREF ID="2" REF="1">y</COREF></DOC>'
    assert [kind for _, kind, _ in faults(other)] == ["dangling-reference"]


def test_files_in_which_ids_are_entities_are_refused_with_a_hint() -> None:
    with pytest.raises(InputError, match="OntoNotes"):
        read('<DOC DOCNO="x"><COREF ID="1" TYPE="IDENT">a</COREF> <COREF ID="1" TYPE="IDENT">b</COREF></DOC>')


@pytest.mark.parametrize(
    "text", ["", "\n\n", "no tags at all", "<DOCS></DOCS>", "<p>text</p>"], ids=["empty", "blank", "text", "tags", "p"]
)
def test_a_file_without_documents_is_refused(text: str) -> None:
    assert "no document" in [what for *_, what in faults(text)]


def test_a_document_without_mentions_is_fine() -> None:
    corpus = read("<DOC><DOCID>x</DOCID><TXT>nothing here</TXT></DOC>")
    assert (corpus.documents, corpus.texts, len(corpus)) == (("x",), ("nothing here",), 0)


def test_a_document_that_does_not_end_is_said() -> None:
    text = '<DOC>\n<COREF ID="1">a</COREF>\n<DOC>\n<COREF ID="1">b</COREF>\n'
    places = [(kind, message.split(":")[1]) for kind, message in notices(text)]
    assert places == [("unfinished-document", "3"), ("unfinished-document", "5")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<COREF ID=1> the cat </COREF>", "the cat"),
        ("x<COREF ID=1> the cat </COREF>x", "the cat"),
        ("<COREF ID=1>\n<ENAMEX TYPE=PERSON> Kim\t</ENAMEX> </COREF>", "Kim"),
        ("<COREF ID=1>&#32;Kim&#10;</COREF>", " Kim\n"),
        ("<COREF ID=1><!-- a comment --> Kim</COREF>", "Kim"),
    ],
)
def test_blanks_at_the_ends_of_a_mention_are_no_part_of_it(text: str, expected: str) -> None:
    assert entity_texts(read(f"a {text} b")) == {"1": [expected]}


def test_nested_mentions_share_trimmed_ends() -> None:
    text = "<COREF ID=1> <COREF ID=2> his</COREF> dog </COREF>"
    assert entity_texts(read(text)) == {"1": ["his dog"], "2": ["his"]}


@pytest.mark.parametrize("text", ["<COREF ID=1></COREF>", "<COREF ID=1/>", "<COREF ID=1 />", "<COREF ID=1> \n</COREF>"])
def test_a_mention_without_text_is_left_out_and_its_links_stay(text: str) -> None:
    corpus = read(f"{text}<COREF ID=2 REF=1>x</COREF><COREF ID=3 REF=1>y</COREF>".replace("1/", '"1"/'))
    assert entity_texts(corpus) == {"1": ["x", "y"]}
    assert [notice.kind for notice in corpus.notices] == ["empty-mention"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a &lt; b &gt; c &amp; d &quot; e &apos;", "a < b > c & d \" e '"),
        ("AT&AMP;T &MD; &nbsp; &", "AT&T &MD; &nbsp; &"),
        ("&#65;&#x42;&#X43;", "ABC"),
        ("&#55296; &#x110000; &#99999999;", "&#55296; &#x110000; &#99999999;"),
        ("&amp;lt; &amp;amp;", "&lt; &amp;"),
        ("3 < 4, <3, a<>b, x <= y", "3 < 4, <3, a<>b, x <= y"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a<?xml version='1.0'?>b<!DOCTYPE DOC SYSTEM 'x.dtd'>c<!-- <COREF> -->d", "abcd"),
    ],
)
def test_references_and_bare_signs(text: str, expected: str) -> None:
    assert read(f"<DOC>{text}</DOC>").texts == (expected,)


def test_a_quoted_value_may_have_brackets_in_it() -> None:
    corpus = read("""<COREF ID="1" MIN="a > b">x a > b y</COREF> <COREF ID='2"' MIN='"'>he said "</COREF>""")
    assert minimums(corpus) == ["a > b", '"']
    assert list(entity_texts(corpus)) == ["1", '2"']


@pytest.mark.parametrize(
    ("minimum", "text", "expected"),
    [
        ("board", "a safety board memo", (9, 13)),
        ("Northrop Grumman", "now Northrop\n  Grumman Corp.", (4, 21)),
        ("F14|Tomcat", "The F14 Tomcat", (4, 6)),
        ("F15|Tomcat", "The F14 Tomcat", (8, 13)),
        ("art", "the start of art", (13, 15)),
        ("tart", "the start", (5, 8)),
        ("``Tomcat''", "The ``Tomcat'' jet", (4, 13)),
        ("$1.2 million", "$1.2 million in bills", (0, 11)),
        (" the  cat ", "the cat", (0, 6)),
        ("a|", "x a", (2, 2)),
    ],
    ids=str,
)
def test_min_is_found_in_the_mention(minimum: str, text: str, expected: tuple[int, int]) -> None:
    corpus = read(f'<DOC><COREF ID="1" MIN="{minimum}">{text}</COREF> board art F14</DOC>')
    assert corpus.minimums is not None
    assert corpus.minimums.objects() == [expected]
    assert corpus.notices == ()


def test_a_min_that_is_not_there_is_said() -> None:
    text = '<DOC>dog <COREF ID="1" MIN="dog">the\ncat</COREF> dog <COREF ID="2" MIN="|">x</COREF></DOC>'
    assert notices(text) == [
        ("minimum-not-found", "file.muc:1: MIN 'dog' of mention '1' is not within it"),
        ("minimum-not-found", "file.muc:2: MIN '|' of mention '2' is not within it"),
    ]
    assert read(text).minimums is None


def test_minplace_tells_which_words_are_meant_if_they_are_those() -> None:
    text = '<DOC><COREF ID="1" MIN="the" MINPLACE="{}">the cat of the man</COREF></DOC>'
    for place, expected in {"11-13": (11, 13), "4-6": (0, 2), "11-99": (0, 2), "x": (0, 2)}.items():
        corpus = read(text.format(place))
        assert corpus.minimums is not None
        assert corpus.minimums.objects() == [expected]


def test_other_types_than_identity_are_kept_and_said() -> None:
    corpus = read('<COREF ID="1" TYPE="X">a</COREF> <COREF ID="2" REF="1" TYPE="PART">b</COREF>')
    assert corpus.attributes == {"type": ["X", "PART"]}
    assert [str(notice) for notice in corpus.notices] == ["file.muc:1: REF of TYPE 'PART' is read as identity"]


def test_entities_are_not_expanded() -> None:
    text = (
        '<!DOCTYPE DOC [\n<!ENTITY lol "lol">\n<!ENTITY lol2 "&lol;&lol;">\n]>\n<DOC><COREF ID="1">&lol2;</COREF></DOC>'
    )
    assert faults(text) == [(1, "syntax", "entities are declared")]


def test_deep_nesting_is_refused() -> None:
    fine = "<COREF ID={}>" * 1000 + "x" + "</COREF>" * 1000
    assert len(read(fine.format(*range(1000)))) == 1000
    deep = "\n" + "<COREF ID={}>" * 1001
    assert (2, "unbalanced-bracket", "more than 1,000 mentions within each other") in faults(deep.format(*range(1001)))


def test_a_huge_attribute_is_refused() -> None:
    long = "x" * 100_001
    assert (2, "syntax", "attribute MIN has 100,001 characters") in faults(f'\n<COREF ID="1" MIN="{long}">x</COREF>')


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["<!--", "<!x", "<!a[", "<?", "<a b='", '<a b="', "<a ", "<COREF ID=1", "</", "&#", "<a b=", "<![CDATA["]
)
def test_nothing_takes_long(part: str) -> None:
    before = time.process_time()
    with pytest.raises(InputError):
        read(part * (400_000 // len(part)) + "-->")
    assert time.process_time() - before < 60  # quadratic work would take hours


@pytest.mark.slow
def test_long_chains_and_many_blanks_take_no_time() -> None:
    count = 20_000
    backward = " ".join(f"<COREF ID={i} REF={i - 1}>x</COREF>" if i else "<COREF ID=0>x</COREF>" for i in range(count))
    forward = " ".join(
        f"<COREF ID={i} REF={i + 1}>x</COREF>" if i < count - 1 else f"<COREF ID={i}>x</COREF>" for i in range(count)
    )
    before = time.process_time()
    assert read(backward).sizes.tolist() == [count]
    assert read(forward).sizes.tolist() == [count]
    blank = "".join(f"<COREF ID={i}>" for i in range(1000)) + " " * 1_000_000 + "x" + "</COREF>" * 1000
    assert set(read(blank).mentions.objects()) == {(1_000_000, 1_000_000)}
    assert time.process_time() - before < 60  # quadratic work would take hours


def test_what_is_not_utf_8_is_replaced_and_said() -> None:
    corpus = read("<DOC>\n<COREF ID=1>caf\xe9</COREF></DOC>".encode("latin-1"))
    assert entity_texts(corpus) == {"1": ["caf\ufffd"]}
    assert [(notice.kind, notice.line) for notice in corpus.notices] == [("encoding", 2)]


@pytest.mark.parametrize("data", ["<DOC></DOC>".encode("utf-16"), b"<DOC>\0</DOC>"], ids=["UTF-16", "NUL"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"UTF-16|NUL"):
        read(data)


def test_a_byte_order_mark_is_dropped() -> None:
    assert read("\ufeff" + MUC7).texts == read(MUC7).texts


def content(corpus: Corpus) -> dict[str, Any]:
    return {
        document.name: (
            document.text,
            {
                entity.name: sorted((m.id, m.minimum or (), sorted(m.attributes.items())) for m in entity)
                for entity in document
            },
        )
        for document in corpus
    }


def test_what_is_written() -> None:
    draft = Draft("")
    document = draft.add_document("a & b", text="Acme & Sons said it  left it.")
    document.add_mention("E", (0, 10), minimum=(7, 10))
    document.add_mention("E", (17, 18), attributes={"status": "OPT"})
    document.add_mention("F", (0, 3), attributes={"type": "X"})
    document.add_mention("F", (0, 3))
    document.add_mention("1", (19, 27), minimum=(20, 24))
    document.add_mention("G", (5, 5), minimum=(5, 5))
    document.add_mention("H", (0, 27), minimum=(26, 27))
    assert muc.write(draft.build_corpus()).decode() == (
        "<DOC>\n<DOCID>a &amp; b</DOCID>\n<TXT>\n"
        '<COREF ID="H" MIN="it" MINPLACE="26-27"><COREF ID="E" MIN="Sons"><COREF ID="F" TYPE="X"><COREF ID="2" TYPE="IDENT" REF="F">Acme</COREF></COREF>'
        ' <COREF ID="G" MIN="&amp;">&amp;</COREF> Sons</COREF> said <COREF ID="3" TYPE="IDENT" REF="E" STATUS="OPT">it</COREF>'
        '<COREF ID="1" MIN="&#32;left">&#32; left it</COREF></COREF>.\n</TXT>\n</DOC>\n'
    )


@pytest.mark.parametrize("text", [MUC7, MUC6, MUC7 + MUC6], ids=["muc7", "muc6", "both"])
def test_what_is_read_is_written_and_read_again(text: str) -> None:
    corpus = read(text)
    assert content(read(muc.write(corpus))) == content(corpus)


def test_mentions_that_cross_are_left_out_and_named(tmp_path: Path) -> None:
    draft = Draft("")
    document = draft.add_document("d", text="one two three")
    document.add_mention("A", (0, 6))
    document.add_mention("B", (4, 12))
    path = tmp_path / "file.muc"
    (left,) = corefeval.formats.write(draft.build_corpus(), path)
    assert left.kind == "lost-crossing"
    assert "two three" in left.message
    assert entity_texts(corefeval.read(path)) == {"A": ["one two"]}


def test_a_mention_behind_the_text_is_refused() -> None:
    draft = Draft("")
    document = draft.add_document("d", text="one two three")
    document.add_mention("A", (0, 12))
    with pytest.raises(InputError, match="after the last character"):
        muc.write(draft.build_corpus().replace(texts=("one",)))


def test_words_are_written_with_blanks_between_them(tmp_path: Path) -> None:
    (tmp_path / "file.conll").write_text("#begin document d\nKim\t(1)\n\nleft\t-\nher\t(1)\n#end document\n")
    corefeval.formats.write(corefeval.read(tmp_path / "file.conll"), tmp_path / "file.muc")
    corpus = corefeval.read(tmp_path / "file.muc")
    assert corpus.texts == ("Kim\nleft her",)
    assert entity_texts(corpus) == {"1": ["Kim", "her"]}


TEXTS = st.text(st.sampled_from("ab \n\t\r&<>;#|\"'\0\x85\xa0é\u2028日😀"), max_size=40) | st.text(max_size=30)
NAMES = st.text(st.sampled_from("a1 \n\t&<>\"'|é"), min_size=1, max_size=4)
VALUES = st.text(st.sampled_from("OPT \n&<>\"'"), max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> list[tuple[str, str, list[Any]]]:
    found = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        text = draw(TEXTS).encode("utf-8", "replace").decode()
        names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
        mentions: list[Any] = []
        for _ in range(draw(st.integers(0, 8)) if text else 0):
            first = draw(st.integers(0, len(text) - 1))
            last = draw(st.integers(first, len(text) - 1))
            if any(a < first <= b < last or first < a <= last < b for _, (a, b), *_ in mentions):
                continue
            inner = draw(st.integers(first, last))
            minimum = draw(st.none() | st.just((inner, draw(st.integers(inner, last)))))
            attributes = {key: value for key in ("status", "type") if (value := draw(VALUES))}
            mentions.append((draw(st.sampled_from(names)), (first, last), minimum, attributes))
        found.append((name, text, mentions))
    return found


@given(documents())
def test_round_trip(found: list[tuple[str, str, list[Any]]]) -> None:
    draft = Draft("")
    for name, text, mentions in found:
        document = draft.add_document(name, text=text)
        for entity, span, minimum, attributes in mentions:
            document.add_mention(entity, span, minimum=minimum, attributes=attributes)
    corpus = draft.build_corpus()
    again = read(muc.write(corpus))
    assert content(again) == content(corpus)
    assert {notice.kind for notice in again.notices} <= {"other-type"}
    assert muc.write(again) == muc.write(read(muc.write(again)))


@pytest.mark.parametrize("name", ["a  b", " a", "a ", "  ", "\n", "a\tb", '"', "a&b", "&amp;", "a<b>", "a|b"], ids=repr)
def test_names_and_values_are_read_as_they_are(name: str) -> None:
    draft = Draft("")
    document = draft.add_document(name, text="a b")
    document.add_mention(name, (0, 0), attributes={"status": name})
    document.add_mention(name, (2, 2), attributes={"type": name})
    corpus = draft.build_corpus()
    assert content(read(muc.write(corpus))) == content(corpus)


def test_names_that_cannot_be_written_stay_different() -> None:
    draft = Draft("")
    document = draft.add_document("d", text="abcd \ud800")
    for place, name in enumerate(["\ud800", "?", "", "_"]):
        document.add_mention(name, (place, place))
    corpus = read(muc.write(draft.build_corpus()))
    assert sorted(entity_texts(corpus).values()) == [["a"], ["b"], ["c"], ["d"]]
    assert corpus.texts == ("abcd ?",)


@given(st.randoms(use_true_random=False))
def test_damaged_files_give_a_corpus_or_faults(source: random.Random) -> None:
    data = bytearray((MUC7 + MUC6).encode())
    pieces = [b"<COREF ID=", b"</COREF>", b'"', b"<", b">", b"&#", b"<DOC>", b"\xff", b"\n", b"REF=1 ", b"<!--", b"/"]
    for _ in range(source.randint(1, 8)):
        place = source.randrange(len(data))
        match source.randrange(3):
            case 0:
                del data[place : place + source.randint(1, 30)]
            case 1:
                data[place:place] = source.choice(pieces)
            case 2:
                data[place] = source.randrange(1, 256)
    try:
        corpus = read(bytes(data))
    except InputError:
        return
    for document in corpus:
        assert all(mention.text for mention in document.mentions)


def test_nesting_that_no_reader_takes_is_not_written() -> None:
    draft = Draft("made up")
    document = draft.add_document("d", text="x" * 2200)
    for place in range(1100):
        document.add_mention("1", (place, 2199 - place))
    with pytest.raises(InputError, match="within 1,000 others"):
        muc.write(draft.build_corpus())


@pytest.mark.parametrize("entities", [1000, 1001])
def test_equal_mentions_are_written_within_each_other(entities: int) -> None:
    draft = Draft("made up")
    document = draft.add_document("d", text="xy")
    for entity in range(entities):
        document.add_mention(str(entity), (0, 0))
        document.add_mention(str(entity), (1, 1))
    corpus = draft.build_corpus()
    if entities == 1000:
        assert entity_texts(read(muc.write(corpus))) == entity_texts(corpus)
    else:
        with pytest.raises(InputError, match="within 1,000 others"):
            muc.write(corpus)


def outcome(data: str) -> object:
    """What is read from a file: its content and its notices, or else its faults."""
    try:
        corpus = read(data)
    except InputError as error:
        return sorted((fault.line or 0, fault.kind, fault.what.upper()) for fault in error.faults)
    return content(corpus), [str(notice) for notice in corpus.notices]


@given(
    edits(
        "<",
        ">",
        "<!--",
        "-->",
        "</COREF>",
        '<COREF ID="7" REF="5">',
        "<DOC>",
        "&amp;",
        "&#32;",
        "\n",
        " ",
        "é",
        "/",
        '"',
        "=",
    )
)
@example([("drop", 0.53125, "<"), ("insert", 0.1875, "</COREF>")])
def test_tags_mean_the_same_however_they_are_written(made: list[tuple[str, float, str]]) -> None:
    text = edited(MUC7.replace("STORYID", "DOCNO") + MUC7.replace("nyt", "ap"), made)
    # What is no tag after all is text, whose letters stay as they are.
    assert str(outcome(text.replace("COREF", "Coref"))).upper() == str(outcome(text)).upper()
