"""Text with mentions marked in it: what each notation reads, how it is repaired, and how it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.inline.repairs import RULES
from corefeval.formats.shared.fitting import fit_corpus
from tests.formats.content import entity_texts, notice_kinds, notice_lines
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["Mara", "went", "to", "the", "shop", "of", "her", "uncle", ".", "She", "bought", "bread", "[sic]", "."]
SHOP = {"1": ["Mara", "her", "She"], "2": ["the shop of her uncle"]}
EXAMPLES = {
    "crac": "Mara|[e1] went to the|[e2 shop of her|[e1] uncle|e2] . She|[e1] bought bread [sic] .",
    "markdown": "[Mara](#1) went to [the shop of [her](#1) uncle](#2) . [She](#1) bought bread [sic] .",
    "xml": "<mention id='1'>Mara</mention> went to <m cluster=2>the shop of <mention n='x' id=1>her</mention> uncle</m> ."
    " <mention id = \"1\">She</mention> bought bread [sic] .",
    "corefinst": "<m> Mara </m>#1 went to <m> the shop of <m> her </m>#1 uncle </m>#2 . <m> She </m>#1 bought bread [sic] .",
    "seq2seq": "<m> Mara | 1 </m> went to <m> the shop of <m> her </m> <1> uncle </m> [2] . <m> She </m> <c1> bought bread [sic] .",
    "sacr": '{1:head="1" Mara} went to {2 the shop of {1 her} uncle} . {1 She} bought bread [sic] .',
    "brackets": "[Mara]_1 went to [the shop of [her]1 uncle]_{2} . (She)[1] bought bread [sic] .",
}  # fmt: skip


def read(name: str, text: str, side: str = "response", **options: str) -> Corpus:
    return registry.load_format(name).read(File("file", text.encode(), "doc", lambda _: None, side=side), **options)


def test_there_is_an_example_of_every_notation() -> None:
    assert set(EXAMPLES) == set(registry.INLINE)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_notation_is_recognised_and_read(name: str) -> None:
    assert registry.recognise("answer.txt", EXAMPLES[name].encode()).name == name
    corpus = read(name, EXAMPLES[name], side="key")
    texts = {entity.removeprefix("e"): found for entity, found in entity_texts(corpus).items()}
    assert texts == SHOP
    assert corpus.notices == ()
    assert corpus.tokens is not None
    assert corpus.tokens.words(0) == WORDS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("markdown", "notes [1] and [a link](https://example.org) (1999)[2]"),
        ("markdown", "# Notes\n- [How to `run` it?](#how-to-run-it)\n## How to `run` it?\n"),
        ("markdown", '[{"response": "[Mara](#1) ran"}]'),
        ("markdown", "[" * 65536),
        ("crac", "x" * 65536),  # took half a minute
        ("crac", "a|[e1]," * 9000),
        ("brackets", "as [2] shows (see [3]) [sic]"),
        ("brackets", "the sum of A[i]_j and f(x)[0]_k and b[1][2]_3"),
        ("xml", "<p id='1'>text</p> 1 < 2 &amp; 3 > 2"),
        ("crac", "a|b c|d [e1] |"),
        ("sacr", "a {b} c"),
    ],
)
def test_text_without_mentions_is_not_recognised(name: str, text: str) -> None:
    assert registry.load_format(name).recognise(text.encode()) == ""


REPAIRS = [
    ("crac", "Mara|[e1 ran . Mara|[e1] fell .", "unclosed", ["Mara", "Mara"]),
    ("crac", "Mara|[e1 ran .", "open-ended", []),
    ("crac", "The|[e1 cat|e1] saw the|[e2 dog .", "open-ended", ["The cat"]),
    ("crac", "the cat|[e1],e2] ran .", "begun-earlier", ["cat"]),
    ("crac", "Mara ran|e1] .", "unopened", ["ran"]),
    ("crac", "Mara|[e1],e1] ran .", "closed-twice", ["Mara"]),
    ("crac", "Mara|[e1],[] ran .", "malformed", ["Mara"]),
    ("markdown", "[Mara ran . [She](#1) fell", "stray", ["She"]),
    ("markdown", "[Mara]() and [She](#) fell", "without-id", ["She"]),
    ("markdown", "Mara](#1) ran", "unopened", ["Mara"]),
    ("markdown", "[Mara](#1)](#1) ran", "closed-twice", ["Mara"]),
    ("markdown", "[](#1) ran [on](#1)", "empty", ["on"]),
    ("markdown", "[Mara](#1) and [she](#clus", "malformed", ["Mara"]),
    ("markdown", "Here is the annotated text:\n[Mara](#1) ran", "preamble", ["Mara"]),
    ("markdown", "Well:\n```markdown\n[Mara](#1) ran\n```\nI hope this helps!", "fence", ["Mara"]),
    ("xml", '<mention id="1">Mara ran. <mention id="1">Mara</mention> fell.', "unclosed", ["Mara", "Mara"]),
    ("xml", '<mention id="1">Mara</mention></mention> ran', "nameless", ["Mara"]),
    ("corefinst", "<m> Mara </m>#MASK ran", "without-id", ["Mara"]),
    ("sacr", '{M:a="1" Mara} saw {X her.', "open-ended", ["Mara"]),
]


@pytest.mark.parametrize(("name", "text", "rule", "mentions"), REPAIRS)
def test_a_response_is_repaired_by_a_rule_and_a_key_is_refused(
    name: str, text: str, rule: str, mentions: list[str]
) -> None:
    corpus = read(name, text)
    kinds = notice_kinds(corpus)
    assert f"repaired-{rule}" in kinds
    assert [corpus.words_of(row) for row in range(len(corpus))] == mentions
    (notice,) = [each for each in corpus.notices if each.kind == f"repaired-{rule}"]
    assert notice.message.startswith(f"file:{notice.line}: column {notice.details['column']}: ")
    assert RULES[rule] in notice.message
    with pytest.raises(InputError, match="a key without anything to repair") as refused:
        read(name, text, side="key")
    assert f"repaired-{rule}" in {fault.kind for fault in refused.value.faults}


def test_every_rule_is_tested() -> None:
    assert {rule for _, _, rule, _ in REPAIRS} == set(RULES)


def test_repaired_mentions_are_marked_and_can_be_dropped() -> None:
    text = "[Mara](#1) ran and she](#1) fell\non [the stairs](#)"
    kept, dropped = read("markdown", text), read("markdown", text, repairs="drop")
    assert [(kept.words_of(row), kept.attributes["repaired"][row]) for row in range(3)] == [
        ("Mara", ""),
        ("she", "unopened"),
        ("the stairs", "without-id"),
    ]
    assert [dropped.words_of(row) for row in range(len(dropped))] == ["Mara"]
    assert "repaired" not in dropped.attributes
    assert notice_kinds(dropped) == notice_kinds(kept)
    columns = [(notice.line, notice.details["column"], notice.details["mention"]) for notice in kept.notices]
    assert columns == [(1, 23, "she"), (2, 4, "the stairs")]
    with pytest.raises(OptionError, match="keep, drop"):
        read("markdown", text, repairs="mend")


def test_documents_of_a_file_and_their_names() -> None:
    text = '<!-- document: nw/1 -->\n[Mara](#1) ran\n<!-- document: " \\u003e" -->\nand [fell](#1)\n'
    corpus = read("markdown", text)
    assert corpus.documents == ("nw/1", " >")
    assert corpus.entities() == {"nw/1": [[(0, 0)]], " >": [[(1, 1)]]}
    lines = read("crac", "Mara|[e1] ran\n\nand fell|[e1]\n")
    assert lines.documents == ("0", "1")
    assert lines.unnamed == {"0", "1"}
    assert [lines.line(row) for row in range(2)] == [1, 3]


def test_what_a_model_says_around_the_text_is_left_out_of_each_document() -> None:
    one = "<!-- document: a -->\nSure, here it is:\n\n[Mara](#1) ran\n"
    text = f"{one}<!-- document: b -->\n```\n[She](#1) fell\n```\nAnything else?\n"
    corpus = read("markdown", text)
    assert [document.words for document in corpus] == [["Mara", "ran"], ["She", "fell"]]
    assert notice_lines(corpus) == [("repaired-preamble", 2), ("repaired-fence", 7)]
    assert [notice.details["document"] for notice in corpus.notices] == ["a", "b"]
    assert read("markdown", one, side="key").tokens.words(0)[:4] == ["Sure,", "here", "it", "is:"]  # type: ignore[union-attr]


def test_as_many_documents_as_a_file_may_have() -> None:
    one = "<!-- document: {} -->\nHere it is:\n\n[Mara](#1) ran ]](#2)\n"
    corpus = read("markdown", "".join(one.format(number) for number in range(300)))
    assert len(corpus.documents) == 300
    assert {tuple(document.words or ()) for document in corpus} == {("Mara", "ran", "]")}
    assert [corpus.line(row) for row in (0, -1)] == [4, 1200]
    repaired = [notice for notice in corpus.notices if notice.kind == "repaired-unopened"]
    assert {type(notice.details["column"]) for notice in repaired} <= {int}


def test_text_in_utf_16_is_refused_by_this_name() -> None:
    with pytest.raises(InputError, match=r"a\.md:1: UTF-16 text; expected UTF-8"):
        registry.recognise("a.md", "[Mara](#1) ran".encode("utf-16"))


def test_comments_that_never_end_are_text() -> None:
    assert read("xml", "<!--" * 10_000 + "a <mention id='1'>b</mention>").entities() == {"doc": [[(1, 1)]]}


def test_a_readme_in_a_folder_is_no_document(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("[Mara](#1) ran")
    (tmp_path / "README.md").write_text("# About [this](https://example.org)")
    corpus = corefeval.read(tmp_path)
    assert corpus.documents == ("a",)
    assert notice_kinds(corpus) == ["skipped-file"]


def test_a_word_of_crac_closes_what_began_before_it_first() -> None:
    # The mentions a b and b c of one entity, as the converter of CRAC 2025 writes them.
    assert read("crac", "a|[e1 b|[e1,e1] c|e1]").entities() == {"": [[(0, 1), (1, 2)]]}
    assert read("crac", "a|[e1 b|[e1 c|e1] d|e1]").entities() == {"": [[(0, 3), (1, 2)]]}


PAIRED = {
    # A sentence ends between the tags, and some are left over: two words that have lost half of their tags.
    "Mara|[e1 ran . She|e1] fell . Mara|[e1] saw it|[e1 .": ["Mara", "She", "Mara"],
    "Mara|[e1 ran . She|e1] fell . Mara|[e1] saw it|e2] .": ["Mara", "She", "Mara", "it"],
    # No sentence ends, but both words are mentions of e1 by themselves.
    "she|[e1] saw her|[e1] ; she|[e1 fell on her|e1] feet|e2] .": ["she", "her", "she", "her", "feet"],
    # With one word between them, they are rather a mention.
    "she|[e1] ran to Edith|[e1] ; she|[e1 cousin Edith|e1] sat on it|e2] .": ["she", "Edith", "she cousin Edith", "it"],
    # A mention that is whole begins between them and ends behind.
    "your|[e1 town and its|e1],[e2 old town|e2] and the|[e1 sea .": ["its old town", "its"],
    # A mention that ends with the same word does not cross it.
    "the|[e1 old king of the|[e2 sea|e1],e2] saw him|e1] .": ["the old king of the sea", "the sea", "him"],
    # The sentence ends behind the quotation mark.
    "a “|[e1 masher . ”|e1] saw it|e2] .": ["“ masher . ”", "it"],
    # Within a sentence, tags are paired even where another one is left over.
    "the|[e1 old man|e1] saw him|e1] .": ["the old man", "him"],
    # Nothing is left over: what is written is meant.
    "she|[e1] and she|[e1 . She|e1] ran": ["she", "she . She"],
}


@pytest.mark.parametrize("text", PAIRED)
def test_tags_that_have_lost_their_partners_are_not_paired(text: str) -> None:
    corpus = read("crac", text)
    assert [corpus.words_of(row) for row in range(len(corpus))] == PAIRED[text]


BROKEN_OFF = {
    # "the" is no mention by itself elsewhere: nobody knows how many words were marked.
    "the|[e1 cat|e1] saw the|[e2 dog .": ["the cat"],
    "Mara|[e1 saw it .": [],
    "That|[e1] saw that|[e2 . That|[e3 dog|e3] ran .": ["That", "that", "That dog"],
    # "his" is a mention by itself elsewhere, but also here: of another entity than the one whose mention it begins.
    "his|[e1] dog saw his|[e1],[e2 cat .": ["his", "his"],
    # A zero is always one word.
    "saw ##|[e1 it .": ["_"],
    # The text breaks off within the mention; "Mara" is one by itself elsewhere.
    "Kim ran . She saw the|[e1 old": [],
    "Mara|[e1] ran . Then Mara|[e1 saw": ["Mara", "Mara"],
}


@pytest.mark.parametrize("text", BROKEN_OFF)
def test_an_unclosed_tag_marks_a_word_if_its_mention_was_not_longer(text: str) -> None:
    corpus = read("crac", text)
    assert [corpus.words_of(row) for row in range(len(corpus))] == BROKEN_OFF[text]


def test_zeros() -> None:
    for name, text in {
        "crac": "came ##|[e1] and ##él|[e1] saw ##",
        "xml": "came <mention id='1'/> and <mention id='1'><zero form='él'/></mention> saw <zero/>",
    }.items():
        corpus = read(name, text, side="key")
        assert corpus.tokens is not None
        assert corpus.tokens.words(0) == ["came", "_", "and", "él", "saw", "_"]
        assert corpus.tokens.unwritten.tolist() == [False, True, False, True, False, True]
        assert [mentions for (mentions,) in corpus.entities().values()] == [[(1, 1), (3, 3)]]
    found = read("corefinst", "</z>@3 came <m> home </m>#3")
    assert found.zeros.tolist() == [True, False]


def test_of_a_mention_with_gaps_the_part_with_the_head_is_written() -> None:
    draft = Draft("made up")
    document = draft.add_document("d", words=["a", "b", "c", "d", "e"])
    document.add_mention("x", ((0, 0), (2, 3)), head=(3, 3))
    document.add_mention("x", ((0, 0), (4, 4)))
    capacity = registry.load_format("crac").CAPACITY
    assert capacity is not None
    part, notices = fit_corpus(draft.build_corpus(), capacity, "crac")
    assert registry.load_format("crac").write(part) == b"a|[e1] b c|[e1 d|e1] e\n"
    assert "2 mentions with gaps kept as the part with the head" in notices[0].message


def test_words_that_the_notation_has_a_meaning_for() -> None:
    words = ["|", "a|b", "x|[e1]", "[", "]", "\\", "<m>", "&lt;", "```", "](#1)", "<!--"]
    for name in ("crac", "markdown", "xml"):
        draft = Draft("made up")
        draft.add_document("d", words=words).add_mention("x", (0, 2))
        capacity = registry.load_format(name).CAPACITY
        assert capacity is not None
        part, _ = fit_corpus(draft.build_corpus(), capacity, name)
        written = registry.load_format(name).write(part)
        assert isinstance(written, bytes)
        back = read(name, written.decode(), side="key")
        assert back.tokens is not None
        assert back.tokens.words(0) == words
        assert [mentions for (mentions,) in back.entities().values()] == [[(0, 2)]]
    draft = Draft("made up")
    draft.add_document("d", words=["##a"])
    with pytest.raises(InputError, match="begins with ##, and is no zero"):
        registry.load_format("crac").write(draft.build_corpus())


def test_properties_are_attributes() -> None:
    corpus = read("sacr", '#textid: 7\n#title:x\n{A:head="1",note="a \\"b\\", c" Mara} ran\n****\n{A She} fell\\nthere')
    assert corpus.documents == ("7",)
    assert corpus.attributes == {"head": ["1", ""], "note": ['a "b", c', ""]}
    assert corpus.tokens is not None
    assert corpus.tokens.sentences(0) == [["Mara", "ran"], ["She", "fell", "there"]]
    tagged = read("xml", '<p><mention id="m1" entity="e1" type="PER">Mara</mention></p>')
    assert (tagged.entity_name, tagged.attributes) == (["e1"], {"id": ["m1"], "type": ["PER"]})
    assert notice_kinds(tagged) == ["other-tags"]


def test_a_response_is_scored_as_it_is(tmp_path: Path) -> None:
    key, response = tmp_path / "key.crac", tmp_path / "response.md"
    key.write_text(EXAMPLES["crac"])
    response.write_text(f"Here is the text:\n\n{EXAMPLES['markdown'].replace('Mara', 'MARA')}")
    made = corefeval.score(key, response)
    assert made["conll"].f1 == 1
    assert "repaired-preamble" in {notice.kind for notice in made.notices}


@pytest.mark.parametrize("name", EXAMPLES)
@given(
    made=edits("[", "](#", "]", "|", "<m>", "</m>", "{", "}", "\n", "```", "e1]", "<mention id=", '"', "\\", "##", "é")
)
def test_whatever_a_model_writes_is_read_or_refused_with_its_line(name: str, made: Any) -> None:
    text = edited(EXAMPLES[name], made)
    for side in ("response", "key"):
        try:
            corpus = read(name, text, side=side)
        except InputError as error:
            assert all(fault.source == "file" and fault.line for fault in error.faults)  # noqa: PT017
            assert side == "key" or not text.strip()
        else:
            repaired = corpus.attributes.get("repaired", ())
            places = [notice for notice in corpus.notices if notice.details.get("mention") is not None]
            assert sum(map(bool, repaired)) == len(places)
            assert side == "response" or not any(kind.startswith("repaired") for kind in notice_kinds(corpus))


def test_a_name_that_no_text_file_may_have_is_written_as_a_reference(tmp_path: Path) -> None:
    path = tmp_path / "story.inline.xml"
    draft = Draft("made up")
    draft.add_document("d", words=["She"]).add_mention("a\0b", (0, 0))
    corefeval.write(draft.build_corpus(), path)
    assert '<mention id="a&#0;b">She</mention>' in path.read_text(encoding="utf-8")
    assert list(corefeval.read(path).entity_name) == ["a\0b"]
