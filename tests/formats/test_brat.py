"""Reading and writing brat's standoff format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.errors import OptionError
from corefeval.formats import brat
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import fitting
from tests.formats.content import notice_kinds

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Kim saw Lee . She smiled at him .\nKim Lee left .\n"


def read(ann: str | bytes, text: str | bytes | None = TEXT, **options: str) -> Corpus:
    beside = text.encode() if isinstance(text, str) else text
    data = ann if isinstance(ann, bytes) else ann.encode()
    return brat.read(File("d.ann", data, "d", {".txt": beside}.get), **options)


def entities(ann: str, text: str | None = TEXT, **options: str) -> dict[str, list[Any]]:
    (document,) = read(ann, text, **options)
    return {entity.name: [mention.id for mention in entity] for entity in document}


def attributes(corpus: Corpus) -> dict[Any, dict[str, str]]:
    return {mention.id: mention.attributes for document in corpus for mention in document.mentions}


def faults(ann: str | bytes, text: str | bytes | None = TEXT, **options: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(ann, text, **options)
    return [str(fault) for fault in caught.value.faults]


def lines(*written: str) -> str:
    return "".join(line + "\n" for line in written)


KIM, LEE, SHE, HIM = "T1\tPER 0 3\tKim", "T2\tPER 8 11\tLee", "T3\tPER 14 17\tShe", "T4\tPER 28 31\thim"
FOUR = lines(KIM, LEE, SHE, HIM)


def test_equivalences_are_entities_and_the_rest_singletons() -> None:
    found = read(FOUR + "*\tCoref T1 T3\n")
    assert found.entities() == {"d": [[(0, 2), (14, 16)], [(8, 10)], [(28, 30)]]}
    assert [entity.name for document in found for entity in document] == ["T1", "T2", "T4"]
    assert found.texts == (TEXT,)
    assert found.unit == "character"
    assert [mention.line for document in found for mention in document.mentions] == [1, 2, 3, 4]
    assert not found.notices
    assert set(found.attributes) == {"type"}


@pytest.mark.parametrize(
    ("name", "coreference"),
    [
        ("Coreference", True), ("Coref", True), ("COREF_of", True), ("Anaphora", True), ("IDENT", True),
        ("Identity", True), ("SAME", True), ("sameAs", True), ("is_equivalent", True), ("non-coref", False),
        ("President_of", False), ("bridging", False), ("cop", False), ("near-identity", False),
    ],
)  # fmt: skip
def test_names_of_relations_tell_whether_they_are_coreference(name: str, coreference: bool) -> None:
    found = read(FOUR + f"R1\t{name} Arg1:T3 Arg2:T1\t\nR2\t{name} Anaphor:T4 Antecedent:T2\n")
    assert len(found.entity_document) == (2 if coreference else 4)
    assert len(found.relations) == (0 if coreference else 2)
    assert notice_kinds(found) == ([] if coreference else ["no-coreference"])


def test_links_are_closed_transitively_and_across_kinds() -> None:
    ties = lines("R1\tCoref Arg1:T3 Arg2:T2", "R2\tCoref Arg1:T4 Arg2:T3", "*\tEquiv T4 T1")
    assert entities(FOUR + ties) == {"T1": [(0, 2), (8, 10), (14, 16), (28, 30)]}
    assert entities(ties + FOUR) == {"T1": [(0, 2), (8, 10), (14, 16), (28, 30)]}


def test_the_option_says_which_links_count() -> None:
    ties = lines("R1\tCoref Arg1:T3 Arg2:T1", "R2\tpoints-to Arg1:T4 Arg2:T2", "*\tEquiv T1 T2")
    assert list(entities(FOUR + ties)) == ["T1", "T4"]
    assert list(entities(FOUR + ties, relations="points-to")) == ["T1", "T2", "T3"]
    assert list(entities(FOUR + ties, relations="points-to+Coref")) == ["T1", "T2"]
    assert list(entities(FOUR + ties, relations="Equiv")) == ["T1", "T3", "T4"]
    assert list(entities(FOUR + ties, relations="nothing")) == ["T1", "T2", "T3", "T4"]
    assert [each.kind for each in read(FOUR + ties, relations="points-to").relations] == ["Coref"]


def test_the_option_is_reached_by_the_name_of_the_format(tmp_path: Path) -> None:
    (tmp_path / "d.ann").write_text(FOUR + "R1\tpoints-to Arg1:T3 Arg2:T1\n")
    (tmp_path / "d.txt").write_text(TEXT)
    assert len(corefeval.read(tmp_path / "d.ann", format="brat:relations=points-to").entity_document) == 3
    with pytest.raises(OptionError, match="relation"):
        corefeval.read(tmp_path / "d.ann", format="brat:relation=points-to")


def test_other_relations_lead_from_a_mention_to_an_entity() -> None:
    found = read(FOUR + lines("*\tCoref T1 T3", "R1\tcop Arg1:T2 Arg2:T3", "R2\tcop Arg1:T2 Arg2:T9"))
    (relation,) = found.relations
    assert (relation.kind, relation.document, relation.source, relation.targets) == ("cop", "d", (8, 10), ("T1",))
    assert [(notice.kind, notice.line) for notice in found.notices] == [("dangling-reference", 7)]


LITBANK = lines(
    "T1\tPROP_PER 0 3\tKim", "T2\tPROP_PER 8 11\tLee", "T3\tPRON_PER 14 17\tShe", "T9\tNOM_PER 34 41\tKim Lee",
    "T4\tKim_Lee-0 0 3\tKim", "T5\tKim_Lee-0 14 17\tShe", "T6\tLee-1 8 11\tLee", "R1\tcop Arg1:T9 Arg2:T3\t",
)  # fmt: skip


def test_second_annotations_name_the_entity_as_in_litbank() -> None:
    found = read(LITBANK)
    assert entities(LITBANK) == {"Kim_Lee-0": [(0, 2), (14, 16)], "Lee-1": [(8, 10)], "T9": [(34, 40)]}
    assert attributes(found)[0, 2] == {"type": "PROP_PER"}
    assert found.relations[0].source == (34, 40)
    assert found.relations[0].targets == ("Kim_Lee-0",)
    assert not found.notices


def test_numbered_names_are_known_in_any_order() -> None:
    backwards = lines(*reversed(LITBANK.splitlines()))
    assert entities(backwards) == {"Lee-1": [(8, 10)], "Kim_Lee-0": [(0, 2), (14, 16)], "T9": [(34, 40)]}


def test_a_span_marked_thrice_is_one_mention_and_said() -> None:
    found = read(LITBANK + "T7\tNOM_PER 0 3\tKim\n")
    assert found.entities() == read(LITBANK).entities()
    assert attributes(found)[0, 2] == {"type": "PROP_PER|NOM_PER"}
    assert [(notice.kind, notice.line) for notice in found.notices] == [("repeated-mention", 9)]
    assert "T1, T4, T7" in found.notices[0].message


def test_a_mention_is_on_the_line_of_its_first_annotation() -> None:
    (document,) = read(LITBANK)
    assert [mention.line for mention in document.mentions] == [1, 2, 3, 4]


def test_a_span_with_two_types_and_no_name_is_a_singleton() -> None:
    assert list(entities(LITBANK + "T10\tPROP_PER 34 41\tKim Lee\n")) == ["Kim_Lee-0", "Lee-1", "T9"]


def test_labels_with_numbers_are_no_names_if_they_do_not_stand_beside_others() -> None:
    found = read(lines("T1\tIL-2 0 3\tKim", "T2\tIL-6 0 3\tKim", "T3\tIL-2 8 11\tLee", "T4\tIL-6 14 17\tShe"))
    assert len(found.entity_document) == 4
    assert notice_kinds(found) == ["no-coreference"]


def test_the_first_note_names_the_entity_and_names_are_given_once() -> None:
    notes = lines("#1\tEntity T3\tKim", "#2\tEntity T1\tLee", "#3\tEntity T2\tKim", "#4\tEntity T4\tT2")
    assert list(entities(FOUR + "*\tCoref T1 T3\n" + notes)) == ["Kim", "T2_", "T2"]


def test_blanks_around_an_id_do_not_matter() -> None:
    assert entities(FOUR.replace("T3\t", "T3 \t") + "*\tCoref T1 T3\n") == entities(FOUR + "*\tCoref T1 T3\n")


def test_two_names_make_a_mention_of_two_entities() -> None:
    assert entities(LITBANK + "T7\tLee-1 0 3\tKim\n")["Lee-1"] == [(0, 2), (8, 10)]


def test_names_without_numbers_are_known_by_coming_second() -> None:
    ann = lines(KIM, LEE, SHE, "T5\tKim 0 3\tKim", "T6\tKim 14 17\tShe")
    assert entities(ann) == {"Kim": [(0, 2), (14, 16)], "T2": [(8, 10)]}
    assert notice_kinds(read(ann)) == ["names-by-order"]


def test_labels_that_also_come_first_or_alone_are_no_names() -> None:
    found = read(lines(KIM, LEE, "T3\tORG 14 17\tShe", "T5\tORG 0 3\tKim"))
    assert len(found.entity_document) == 4
    assert notice_kinds(found) == ["no-coreference"]


def test_an_entity_may_be_called_like_an_id() -> None:
    ann = lines("T1\tPER 0 3\tKim", "T2\tT3-1 0 3\tKim", "T3-1\tPER 8 11\tLee")
    assert entities(ann) == {"T3-1": [(0, 2)], "T3-1_": [(8, 10)]}


def test_without_any_sign_of_coreference_every_mention_is_alone_and_said() -> None:
    found = read(FOUR + "R1\tLikes Arg1:T1 Arg2:T2\n")
    assert len(found.entity_document) == 4
    assert notice_kinds(found) == ["no-coreference"]
    assert "Likes" in found.notices[0].message
    assert not read("").notices
    assert read("").texts == (TEXT,)


def test_parts_with_a_gap_and_parts_with_white_space_between_them() -> None:
    ann = lines("T1\tPER 0 3;8 11\tKim Lee", "T2\tPER 32 33;34 37\t. Kim", "T3\tPER 8 11;0 3\tKim Lee")
    assert read(ann).entities() == {"d": [[((0, 2), (8, 10))], [(32, 36)], [((0, 2), (8, 10))]]}
    touching = "T1\tPER 0 2;2 3\tKim\n"
    assert read(touching).entities() == {"d": [[(0, 2)]]}
    assert read(touching, None).entities() == {"d": [[(0, 2)]]}
    assert "text-differs" not in notice_kinds(read(ann + "T4\tPER 8 11;14 17\tLeeShe\n"))


def test_offsets_count_characters_as_they_are() -> None:
    text = "\ufeffÉlan\r\n𝒦im\r\n"
    found = read(lines("T1\tPER 1 5\tÉlan", "T2\tPER 7 10\t𝒦im"), text)
    assert [mention.text for document in found for mention in document.mentions] == ["Élan", "𝒦im"]
    assert notice_kinds(found) == ["no-coreference"]


def test_another_text_is_said() -> None:
    found = read(lines(KIM, "T2\tPER 9 12\tLee", "T3\tPER 14 17", "T4\tPER 28 31\thim\t28 31\tHIM"))
    assert [(notice.kind, notice.line) for notice in found.notices] == [
        ("text-differs", 2),
        ("no-coreference", None),
    ]
    assert "'Lee'" in found.notices[0].message
    assert "'ee '" in found.notices[0].message


def test_without_text_mentions_are_places() -> None:
    found = read(FOUR + "T5\tPER 0 3;8 11\tKim Lee\n*\tCoref T1 T3\n", None)
    assert found.entities() == {"d": [[(0, 2), (14, 16)], [(8, 10)], [(28, 30)], [((0, 2), (8, 10))]]}
    assert found.unit == "label"
    assert notice_kinds(found) == ["missing-text"]
    assert "d.txt" in found.notices[0].message


def test_attributes_normalisations_and_notes_go_to_their_mention() -> None:
    found = read(
        FOUR
        + lines(
            "*\tCoref T1 T3", "A1\tGeneric T1", "A2\tNumber T1 singular", "M1\tNegation T2", "A3\tNumber T1 dual",
            "N1\tReference T1 Wikipedia:534366\tKim Lee", "#1\tAnnotatorNotes T1\tnot sure at all",
            "A4\thead T2 Lee", "A5\tEntity T2 yes", "#2\tEntity T3\tKim Lee of Ulm",
        )
    )  # fmt: skip
    assert attributes(found)[0, 2] == {
        "type": "PER",
        "Generic": "true",
        "Number": "singular|dual",
        "Reference": "Wikipedia:534366",
        "AnnotatorNotes": "not sure at all",
    }
    assert attributes(found)[8, 10] == {"type": "PER", "Negation": "true", "head": "Lee", "Entity": "yes"}
    assert [entity.name for document in found for entity in document] == ["Kim Lee of Ulm", "T2", "T4"]
    assert not found.notices


def test_what_is_said_of_no_mention_is_skipped_and_said() -> None:
    found = read(
        FOUR
        + lines(
            "R1\tCoref Arg1:T3 Arg2:T1", "A1\tSure R1", "A2\tSure T9", "#1\tAnnotatorNotes R1\tyes", "# a remark",
            "#2\tnot a note", "",
        )
    )  # fmt: skip
    assert [(notice.kind, notice.line) for notice in found.notices] == [
        ("skipped-line", 9),
        ("skipped-line", 10),
        ("skipped-line", 6),
        ("skipped-line", 8),
        ("dangling-reference", 7),
    ]


def test_events_are_skipped_and_stand_for_their_triggers() -> None:
    found = read(FOUR + lines("E1\tMeet:T1 Who:T2", "E2\tMeet:T3 Who:T4", "E3\tOdd", "R1\tCoref Arg1:E1 Arg2:E2"))
    assert len(found.entity_document) == 3
    assert [(notice.kind, notice.details["count"]) for notice in found.notices] == [("skipped-line", 3)]


def test_a_mention_tied_to_itself_is_said() -> None:
    found = read(FOUR + lines("R1\tCoref Arg1:T1 Arg2:T1", "*\tCoref T2 T2 T3"))
    assert [(notice.kind, notice.line) for notice in found.notices] == [("self-link", 5), ("self-link", 6)]
    assert len(found.entity_document) == 3


def test_every_fault_is_reported_with_its_line() -> None:
    ann = lines(
        KIM,
        "T1\tPER 8 11\tLee",
        "T5\tPER 40 400\tfar",
        "T6\tPER 5 5\t",
        "T7\tPER 9 5\t",
        "T8\tPER 0 5;3 7\t",
        "T9 PER 0 3 Kim",
        "T10\tPER 0-3\tKim",
        "R1\tCoref T1 T5",
        "R2\tCoref Arg1:T1 Arg2:T77",
        "*\tCoref",
        "*\tCoref T1 T78",
        "X1\tPER 0 3\tKim",
        "A1\tGeneric",
        "R3\tCoref Arg1:T1 Arg2:R2",
        "T11\tPER 0 99999999999999999999\tKim",
    )
    found = faults(ann)
    assert [int(fault.split(":")[1]) for fault in found] == list(range(2, 17))
    assert found[0] == "d.ann:2: T1 is already on line 1; expected every id once"
    assert found[1] == (
        f"d.ann:3: T5 at 40 400 is not within the {len(TEXT)} characters of the text; "
        "is the .txt the one that was annotated?"
    )
    assert found[2].startswith("d.ann:4: T6 at 5 5 is empty or runs backwards; expected START before END")
    assert found[5] == "d.ann:7: 'T9 PER 0 3 Kim' is not an annotation; expected an id (T1, R1, *) and a tab after it"
    assert found[6].endswith("is not written as T lines are; expected T10, a tab, TYPE START END, a tab, the text")
    assert found[8] == "d.ann:10: T77 does not exist; expected the id of a T line"
    assert found[13] == "d.ann:15: R2 is not a mention; expected the id of a T line"


def test_bytes_that_are_not_text_are_refused() -> None:
    assert faults(b"T1\tPER 0 3\t\xffim\n") == ["d.ann:1: bytes that are not UTF-8; expected UTF-8 text"]
    assert faults(FOUR, b"Kim\nS\xff\n")[0].startswith("d.txt:2: bytes that are not UTF-8")
    assert "UTF-16" in faults(FOUR, "Kim".encode("utf-16"))[0]
    assert "NUL" in faults(KIM + "\0")[0]


@pytest.mark.parametrize("change", [lambda s: s.replace("\n", "\r\n"), lambda s: "\ufeff" + s, lambda s: s[:-1]])
def test_line_ends_and_byte_order_marks_do_not_matter(change: Any) -> None:
    ann = FOUR + "*\tCoref T1 T3\n"
    assert read(change(ann)).entities() == read(ann).entities()


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (FOUR, True),
        ("\ufeff" + FOUR, True),
        ("*\tCoref T1 T2\n" + FOUR, True),
        ("#1\tAnnotatorNotes T1\tno\n" + FOUR, True),
        ("T1\tPER 0 3;8 11\tKim Lee", True),
        ("", False),
        ("MENTION\tT1\t0\t0\t0\t0\tKim\tPER\tPROP\n", False),
        ("#begin document d\nd\t0\t0\tKim\t(1)\n", False),
        ("T1\t0\t3\tKim\n", False),
        ("R1\tCoref Arg1:T1 Arg2:T2\n", False),
        ("1\tKim\t_\n" + FOUR, False),
    ],
)
def test_files_are_recognised_by_their_lines(content: str, known: bool) -> None:
    assert bool(brat.recognise(content.encode())) == known


def test_a_folder_of_documents_is_read_with_its_texts(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.ann").write_text(FOUR + "*\tCoref T1 T3\n")
        (tmp_path / name / "d.txt").write_text(TEXT)
    found = corefeval.read(tmp_path)
    assert found.documents == ("a/d", "b/d")
    assert found.format == "brat"
    assert found.texts == (TEXT, TEXT)
    assert not found.notices


def written(corpus: Corpus, *kinds: str) -> Corpus:
    """A corpus that was written and read again."""
    part, left = fitting.fit_corpus(corpus, brat.CAPACITY, "brat")
    assert tuple(notice.kind for notice in left) == kinds
    files = brat.write(part)
    parts = []
    for name, data in files.items():
        if name.endswith(".ann"):
            stem = name.removesuffix(".ann")
            parts.append(brat.read(File(name, data, stem, lambda suffix, stem=stem: files.get(stem + suffix))))  # type: ignore[misc]
    return Corpus.join(parts, source="")


def content(corpus: Corpus) -> Any:
    return [
        (
            document.name,
            document.text,
            [
                (entity.name, sorted((repr(mention.id), sorted(mention.attributes.items())) for mention in entity))
                for entity in document
            ],
        )
        for document in corpus
    ]


def test_what_is_written_looks_like_this() -> None:
    found = read(FOUR.replace("T4\tPER", "T4\tMention") + lines("*\tCoref T1 T3", "A1\tGeneric T1", "A2\tCase T2 a b"))
    assert {name: data.decode() for name, data in brat.write(found).items()} == {
        "d.ann": lines(
            "T1\tPER 0 3\tKim",
            "T2\tPER 14 17\tShe",
            "T3\tPER 8 11\tLee",
            "T4\tMention 28 31\thim",
            "*\tCoreference T1 T2",
            "A1\tGeneric T1",
            "A2\tCase T3 a b",
            "#1\tEntity T1\tT1",
            "#2\tEntity T3\tT2",
            "#3\tEntity T4\tT4",
        ),
        "d.txt": TEXT,
    }


def test_spans_over_line_ends_are_written_in_parts() -> None:
    draft = Draft("x")
    document = draft.add_document("d", text="Kim\r\nLee\n\nleft \n")
    document.add_mention("1", (0, 13))
    document.add_mention("1", (3, 8))
    corpus = draft.build_corpus()
    ann = brat.write(corpus)["d.ann"].decode()
    assert "T1\tMention 0 3;5 8;10 14\tKim Lee left\n" in ann
    assert "T2\tMention 3 9\t  Lee \n" in ann
    assert content(written(corpus)) == content(corpus)


def test_litbank_survives_but_for_its_relations() -> None:
    found = read(LITBANK)
    part, left = fitting.fit_corpus(found, brat.CAPACITY, "brat")
    assert [notice.kind for notice in left] == ["lost-cop-relations"]
    assert content(written(part)) == content(found)


def test_singletons_of_the_same_span_stay_apart() -> None:
    draft = Draft("x")
    document = draft.add_document("d", text=TEXT)
    document.add_mention("a", (0, 2), attributes={"type": "PER"})
    document.add_mention("b", (0, 2), attributes={"type": "ORG"})
    corpus = draft.build_corpus()
    assert content(written(corpus)) == content(corpus)
    assert not written(corpus).notices


def test_words_become_text_and_come_back(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(
        "#begin document (a/b); part 000\nd 0 0 Kim (1)\nd 0 1 left -\n\nd 0 0 She (1)|(2\nd 0 1 won 2)\n#end document\n"
    )
    key = corefeval.read(tmp_path / "key.conll")
    assert not corefeval.write(key, tmp_path / "out", format="brat")
    assert (tmp_path / "out" / "(a" / "b); part 000.txt").read_text() == "Kim left\nShe won"
    found = corefeval.read(tmp_path / "out")
    assert found.documents == key.documents
    assert found.entities() == {"(a/b); part 000": [[(0, 2), (9, 11)], [(9, 15)]]}
    corefeval.write(found, tmp_path / "back.conll")
    back = corefeval.read(tmp_path / "back.conll")
    assert back.entities() == key.entities()
    assert back.tokens is not None
    assert back.tokens.sentences(0) == [["Kim", "left"], ["She", "won"]]


def test_one_document_goes_beside_the_name_that_is_given(tmp_path: Path) -> None:
    corefeval.write(read(FOUR + "*\tCoref T1 T3\n"), tmp_path / "x.ann")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.ann", "x.txt"]
    assert corefeval.read(tmp_path / "x.ann").entities() == {"x": [[(0, 2), (14, 16)], [(8, 10)], [(28, 30)]]}


def test_names_of_files_are_safe_and_different() -> None:
    names = ["../../up", "/root", "a/b", "A/b", "", ".hidden", "x.ann/y", "q?\\\0", "q__\n", "ü" * 300, "plain", "a"]
    draft = Draft("x")
    for name in names:
        draft.add_document(name, text="t")
    found = [name.removesuffix(".ann") for name in brat.write(draft.build_corpus()) if name.endswith(".ann")]
    assert found == [
        "_./_./up", "_/root", "a/b", "A/b_2", "_", "_hidden", "x_ann/y", "q___", "q____3",
        "ü" * 100, "plain", "a",
    ]  # fmt: skip


def test_what_lines_cannot_spell_is_replaced() -> None:
    draft = Draft("x")
    document = draft.add_document("d", text="Kim\0Lee \ud800 x")
    more: Any = {"my note": " two\nlines\t", "my_note": "x", "none": " "}
    document.add_mention("a\tb\n", (0, 6), attributes={"type": "big thing", **more})
    document.add_mention("a b", (8, 8), attributes={"Reference": "no entry", "AnnotatorNotes": "yes", "flag": "true"})
    found = written(draft.build_corpus(), "lost-blanks")
    assert found.texts == ("Kim\ufffdLee ? x",)
    (document_found,) = found
    assert [entity.name for entity in document_found] == ["a b", "a b_2"]
    assert attributes(found) == {
        (0, 6): {"type": "big_thing", "my_note": "two lines", "my_note_2": "x"},
        (8, 8): {"Reference": "no entry", "AnnotatorNotes": "yes", "flag": "true"},
    }


WORDS = st.text(st.sampled_from("aé𝒦|-:;#*\u00a0\u2028\x0b\x85 \t\n\r"), max_size=12)
VALUES = st.text(st.sampled_from("aé|:;#*\u00a0 "), min_size=1, max_size=6).map(str.strip)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    draft = Draft("x")
    for number in range(draw(st.integers(1, 3))):
        text = draw(WORDS)
        document = draft.add_document(f"folder/{number}", text=text)
        if not text:
            continue
        place = st.integers(0, len(text) - 1)
        for _ in range(draw(st.integers(0, 5))):
            first, last = sorted(draw(st.tuples(place, place)))
            runs: Any = first, last
            gap = draw(st.tuples(place, place).map(sorted))
            if first <= gap[0] and gap[1] < last and text[gap[0] + 1 : gap[1]].strip():
                runs = (first, gap[0]), (gap[1], last)
            name = draw(VALUES) or "e"
            more: Any = {"type": draw(st.sampled_from(["", "PER", "A-1"])), "Number": draw(VALUES), "flag": "true"}
            document.add_mention(name, runs, attributes=more)
    return draft.build_corpus()


@given(corpora())
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    assert content(written(corpus)) == content(corpus)
    assert not written(corpus).notices


WHOLE = LITBANK + lines("*\tCoref T1 T3", "R2\tCoref Arg1:T2 Arg2:T9", "A1\tX T1 y", "#1\tNote T2\tz", "E1\tM:T1 X:T2")
EDITS = st.lists(
    st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 12), st.sampled_from(
        [b"", b"\t", b"\n", b" ", b"T1", b"*", b"0", b"99", b"\xff", b"\0", b":", b"-1", b";", b"#", b"R\t", b"E1\t"]
    )),
    min_size=1, max_size=6,
)  # fmt: skip


@given(EDITS, st.permutations(WHOLE.splitlines()), st.sampled_from([TEXT.encode(), b"", None, b"\xff", b"Kim\r\n"]))
def test_damaged_files_give_a_corpus_or_an_error(
    edits: list[tuple[int, int, bytes]], order: list[str], text: bytes | None
) -> None:
    data = lines(*order).encode()
    for place, length, new in edits:
        data = data[:place] + new + data[place + length :]
    try:
        found = read(data, text)
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)


@pytest.mark.slow
def test_long_lines_and_many_ties_take_no_time() -> None:
    many = 20_000
    ann = "".join(f"T{i}\tPER {i} {i + 1}\tx\n" for i in range(many))
    ann += "".join(f"R{i}\tCoref Arg1:T{i} Arg2:T{i + 1}\n" for i in range(many - 1))
    found = read(ann + "A1\tX T1 a" + " " * 100_000 + "b\n", "x" * many)
    assert found.sizes.tolist() == [many]
    assert faults("R1\tCoref" + " a:b" * 30_000) != []
