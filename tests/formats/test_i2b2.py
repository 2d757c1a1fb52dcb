"""Reading the clinical files of i2b2/VA 2011."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.formats import i2b2
from corefeval.formats.base import File
from tests.formats.content import notice_lines
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """Admission Date :
  Mr. Kim   saw "her" || Dr.
He was seen
by her for chest pain .
"""
CHAINS = """c="mr. kim" 2:0 2:1||c="he" 3:0 3:0||t="coref person"
c=""her" || dr." 2:3 2:5||c="her" 4:1 4:1||t="coref person"
"""
CONCEPTS = """c="mr. kim" 2:0 2:1||t="person"
c="he" 3:0 3:0||t="pronoun"
c="chest pain" 4:3 4:4||t="problem"
c=""her" || dr." 2:3 2:5||t="person"
c="her" 4:1 4:1||t="person"
"""


def read(data: str | bytes, name: str = "clinical-1.txt.chains", **beside: str | bytes) -> Corpus:
    """Read a file with others beside it, by their suffixes with _ for the dot."""
    contents = {
        suffix.replace("_", "."): text if isinstance(text, bytes) else text.encode() for suffix, text in beside.items()
    }
    content = data if isinstance(data, bytes) else data.encode()
    return i2b2.read(File(name, content, "clinical-1", contents.get))


def faults(data: str | bytes, **beside: str | bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(data, "clinical-1.txt.chains", **beside)
    return [str(fault).removeprefix("clinical-1.txt.") for fault in caught.value.faults]


def test_chains_are_entities_over_the_words_of_the_text() -> None:
    corpus = read(CHAINS, _txt=TEXT, _txt_con=CONCEPTS)
    assert corpus.entities() == {"clinical-1": [[(3, 4), (9, 9)], [(6, 8), (13, 13)], [(15, 16)]]}
    assert corpus.entity_name == ["1", "2", "3"]
    assert corpus.entity_attributes == {"type": ["person", "person", "problem"]}
    assert corpus.attributes == {"type": ["person", "pronoun", "person", "person", "problem"]}
    assert corpus.notices == ()
    assert [corpus.line(number) for number in range(5)] == [1, 1, 2, 2, None]


def test_lines_are_sentences() -> None:
    (document,) = read(CHAINS, _txt=TEXT)
    assert document.sentences == [
        ["Admission", "Date", ":"],
        ["Mr.", "Kim", "saw", '"her"', "||", "Dr."],
        ["He", "was", "seen"],
        ["by", "her", "for", "chest", "pain", "."],
    ]
    assert [mention.line for mention in document.mentions] == [1, 2, 1, 2]


def test_without_concepts_there_are_no_singletons() -> None:
    corpus = read(CHAINS, _txt=TEXT)
    assert corpus.entities() == {"clinical-1": [[(3, 4), (9, 9)], [(6, 8), (13, 13)]]}
    assert corpus.attributes == {}
    assert read(CHAINS, _txt=TEXT, _con=CONCEPTS).entities() == read(CHAINS, _txt=TEXT, _txt_con=CONCEPTS).entities()


def test_without_the_text_mentions_are_places() -> None:
    corpus = read(CHAINS, _con=CONCEPTS)
    assert corpus.entities() == {
        "clinical-1": [[((2, 0), (2, 1)), ((3, 0), (3, 0))], [((2, 3), (2, 5)), ((4, 1), (4, 1))], [((4, 3), (4, 4))]]
    }
    assert notice_lines(corpus) == [("no-text", None)]
    assert corpus.unit == "label"


def test_concepts_may_be_read_by_themselves() -> None:
    corpus = read(CONCEPTS, "clinical-1.con", _txt=TEXT)
    assert corpus.entities() == {"clinical-1": [[(3, 4)], [(9, 9)], [(15, 16)], [(6, 8)], [(13, 13)]]}
    assert corpus.entity_attributes["type"] == ["person", "pronoun", "problem", "person", "person"]
    (notice,) = corpus.notices
    assert (notice.kind, notice.details["count"]) == ("no-chains", 5)


def test_no_chains_leave_the_concepts_single() -> None:
    assert len(read("\n", _txt=TEXT, _con=CONCEPTS).entity_document) == 5
    assert read("", _txt=TEXT).entities() == {"clinical-1": []}


def test_mentions_may_reach_over_lines() -> None:
    assert read('c="seen by" 3:2 4:0||t="coref test"\n', _txt=TEXT).entities() == {"clinical-1": [[(11, 12)]]}


def test_types_need_not_say_that_they_are_of_coreference() -> None:
    corpus = read('c="he" 3:0 3:0||c="her" 4:1 4:1||t="person"\n', _txt=TEXT)
    assert corpus.entity_attributes == {"type": ["person"]}
    assert corpus.entities() == {"clinical-1": [[(9, 9), (13, 13)]]}


def test_what_is_said_otherwise_than_in_the_text_is_named() -> None:
    corpus = read(CHAINS.replace('"mr. kim"', '"mr.kim"').replace('"he"', '"she"'), _txt=TEXT)
    assert notice_lines(corpus) == [("text-differs", 1)]
    assert "'she' at 3:0 3:0 says otherwise than the text, which has 'He'" in corpus.notices[0].message


def test_repeated_concepts_are_named_and_counted_once() -> None:
    corpus = read(CHAINS, _txt=TEXT, _txt_con=CONCEPTS + 'c="chest pain" 4:3 4:4||t="problem"\n')
    assert len(corpus.entity_document) == 3
    (notice,) = corpus.notices
    assert notice.kind == "repeated-concept"
    assert notice.message.startswith("clinical-1.txt.con:6: ")
    alone = read(CONCEPTS * 2, "clinical-1.con", _txt=TEXT)
    assert len(alone) == 5
    assert notice_lines(alone) == [*(("repeated-concept", line) for line in range(6, 11)), ("no-chains", None)]


PLACES = "expected LINE:TOKEN of its first and last token, lines counted from 1 and tokens from 0"
LINE = 'expected c="TEXT" LINE:TOKEN LINE:TOKEN||...||t="TYPE"'

FAULTY: dict[str, tuple[str, list[str]]] = {
    "outside": (
        'c="a" 0:0 0:0||c="b" 9:0 9:0||c="c" 3:3 3:3||t="coref person"\nc="he" 3:1 3:0||t="coref person"\n',
        [
            f"chains:1: 'a' at 0:0 0:0 is not within the text; {PLACES}",
            f"chains:1: 'b' at 9:0 9:0 is not within the text; {PLACES}",
            f"chains:1: 'c' at 3:3 3:3 is not within the text; {PLACES}",
            f"chains:2: 'he' at 3:1 3:0 is not within the text; {PLACES}",
        ],
    ),
    "lines": (
        CHAINS + 'hello\nc="he" 3:0||t="coref person"\nt="coref person"\nc="he" 3:0 3:0||\nc="he" 3:0 3:0\n',
        [
            f"chains:3: 'hello' cannot be understood; {LINE}",
            f'chains:4: \'c="he" 3:0||t="coref person"\' cannot be understood; {LINE}',
            f"chains:5: 't=\"coref person\"' cannot be understood; {LINE}",
            f"chains:6: '' cannot be understood; {LINE}",
            f"chains:7: 'c=\"he\" 3:0 3:0' cannot be understood; {LINE}",
        ],
    ),
    "pairs": (
        'c="he" 3:0 3:0||t="coref person"||c="her" 4:1 4:1\n',
        [
            f'chains:1: \'t="coref person"||c="her" 4:1 4:1\' cannot be understood; {LINE}; read the .chains, not the .pairs'
        ],
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_every_fault_is_reported_with_its_line(name: str) -> None:
    data, expected = FAULTY[name]
    assert faults(data, _txt=TEXT) == expected


def test_places_are_looked_at_without_the_text() -> None:
    assert faults('c="he" 3:1 3:0||c="she" 3:1 3:1||t="coref person"\n') == [
        f"chains:1: 'he' at 3:1 3:0 is not within the text; {PLACES}"
    ]


def test_faults_of_the_concepts_are_in_their_file() -> None:
    assert faults(CHAINS, _txt=TEXT, _txt_con=CONCEPTS + "x\n" + CHAINS) == [
        f"con:6: 'x' cannot be understood; {LINE}",
        "con:7: 2 concepts in a line; expected one concept per line",
        "con:8: 2 concepts in a line; expected one concept per line",
    ]


def test_concepts_outside_the_text_are_faults_of_their_file() -> None:
    assert faults(CHAINS, _txt=TEXT, _txt_con=CONCEPTS.replace("4:3 4:4", "4:3 4:9")) == [
        f"con:3: 'chest pain' at 4:3 4:9 is not within the text; {PLACES}"
    ]


@pytest.mark.parametrize("alter", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n"), str.rstrip])
def test_layouts(alter) -> None:  # type: ignore[no-untyped-def]
    assert (
        read(alter(CHAINS), _txt=alter(TEXT), _con=alter(CONCEPTS)).entities()
        == read(CHAINS, _txt=TEXT, _con=CONCEPTS).entities()
    )
    assert i2b2.recognise(alter(CHAINS).encode())


def test_bytes_that_are_not_utf_8_are_replaced_and_named() -> None:
    corpus = read(CHAINS, _txt=TEXT.encode().replace(b"Kim", b"K\xedm"))
    assert notice_lines(corpus) == [("not-utf-8", 2), ("text-differs", 1)]
    with pytest.raises(InputError, match="UTF-16"):
        read(CHAINS.encode("utf-16"))


def test_only_such_files_are_recognised() -> None:
    assert i2b2.recognise(CHAINS.encode())
    assert i2b2.recognise(b"\n" + CONCEPTS.encode())
    assert i2b2.recognise((CHAINS[:20] + 'c="her" 4:1 4:1||' * 9000).encode()[: 1 << 16])
    assert not i2b2.recognise(FAULTY["pairs"][0].encode())
    assert not i2b2.recognise(b'c="pain" 1:2 1:2||t="problem"||a="present"\n')
    assert not i2b2.recognise(b'c="pain" 1:2 1:2||r="TrIP"||c="x" 1:2 1:2\n')
    assert not i2b2.recognise(TEXT.encode())
    assert not i2b2.recognise(b"")


def test_files_are_found_beside_the_chains(tmp_path: Path) -> None:
    for suffix, text in [(".chains", CHAINS), ("", TEXT), (".con", CONCEPTS), (".pairs", FAULTY["pairs"][0])]:
        (tmp_path / f"clinical-1.txt{suffix}").write_text(text)
    corpus = corefeval.read(tmp_path)
    assert (corpus.format, corpus.documents, len(corpus)) == ("i2b2", ("clinical-1",), 5)
    assert corpus.notices == ()
    alone = corefeval.read(tmp_path / "clinical-1.txt.con")
    assert (alone.format, alone.documents, len(alone)) == ("i2b2", ("clinical-1",), 5)
    with pytest.raises(OptionError):
        corefeval.write(corpus, tmp_path / "clinical-1.chains", format="i2b2")


def test_files_are_found_as_the_corpus_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, suffix, text in [("chains", ".chains", CHAINS), ("docs", "", TEXT), ("concepts", ".con", CONCEPTS)]:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"clinical-1.txt{suffix}").write_text(text)
    corpus = corefeval.read(tmp_path / "chains")
    assert (corpus.documents, len(corpus), corpus.notices) == (("clinical-1",), 5, ())
    assert corefeval.read(tmp_path / "concepts" / "clinical-1.txt.con").tokens is not None
    monkeypatch.chdir(tmp_path / "chains")
    assert corefeval.read("clinical-1.txt.chains").entities() == corpus.entities()


EDITS = edits(*'"|:c=t 0123456789\n\r\0', "||", '"', "\u0663", "99999999999999999999", 'c="')


@given(EDITS, st.sampled_from(["chains", "text", "concepts"]), st.booleans())
def test_damaged_files_are_read_or_refused(made: list[tuple[str, float, str]], which: str, with_text: bool) -> None:
    parts = {"chains": CHAINS, "text": TEXT, "concepts": CONCEPTS}
    parts[which] = edited(parts[which], made)
    beside = {"_txt": parts["text"]} if with_text else {}
    with contextlib.suppress(InputError):
        assert isinstance(read(parts["chains"], _con=parts["concepts"], **beside), Corpus)
