"""Reading LitBank's TSV, and LitBank in all of its editions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import brat, litbank
from corefeval.formats.base import File
from tests.data import public_data
from tests.formats.content import notice_lines

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Mr. Kim met Lee .\nHe smiled ; Lee , a friend , left .\n"
ANN = """MENTION\tT1\t0\t0\t0\t1\tMr. Kim\tPER\tPROP
MENTION\tT2\t0\t3\t0\t3\tLee\tPER\tPROP
MENTION\tT3\t1\t0\t1\t0\tHe\tPER\tPRON
COREF\tT4\tLee-1
MENTION\tT4\t1\t3\t1\t3\tLee\tPER\tPROP
MENTION\tT5\t1\t5\t1\t6\ta friend\tPER\tNOM
COREF\tT1\tMr__Kim-0
COREF\tT2\tLee-1
COREF\tT3\tMr__Kim-0
APPOS\tT5\tT4
"""


def read(ann: str | bytes = ANN, text: str | bytes | None = TEXT) -> Corpus:
    beside = text.encode() if isinstance(text, str) else text
    data = ann if isinstance(ann, bytes) else ann.encode()
    return litbank.read(File("d.ann", data, "d", {".txt": beside}.get))


def names(corpus: Corpus) -> dict[str, list[Any]]:
    return {entity.name: [mention.id for mention in entity] for document in corpus for entity in document}


def faults(ann: str | bytes, text: str | bytes | None = TEXT) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(ann, text)
    return [str(fault) for fault in caught.value.faults]


def test_mentions_are_placed_in_the_document() -> None:
    found = read()
    assert names(found) == {"Mr__Kim-0": [(0, 1), (5, 5)], "Lee-1": [(3, 3), (8, 8)], "T5": [(10, 11)]}
    assert found.tokens is not None
    assert found.tokens.sentences(0) == [sentence.split() for sentence in TEXT.splitlines()]
    assert found.documents == ("d",)
    assert not found.notices
    (document,) = found
    assert [mention.text for mention in document.mentions] == ["Mr. Kim", "Lee", "He", "Lee", "a friend"]
    assert [mention.line for mention in document.mentions] == [1, 2, 3, 5, 6]
    assert document.mentions[2].attributes == {"type": "PER", "level": "PRON"}


def test_appositions_and_copulas_are_relations() -> None:
    (apposition, copula) = read(ANN + "COP\tT1\tT5\n").relations
    assert apposition == ("appos", "d", (10, 11), ("Lee-1",), "", {})
    assert (copula.kind, copula.source, copula.targets) == ("cop", (0, 1), ("T5",))


def test_a_mention_may_reach_into_the_next_sentence() -> None:
    assert names(read("MENTION\tT1\t0\t4\t1\t0\t. He\tPER\tNOM\n")) == {"T1": [(4, 5)]}


def test_without_text_mentions_are_pairs_of_places() -> None:
    found = read(ANN, None)
    assert found.entities()["d"][0] == [((0, 0), (0, 1)), ((1, 0), (1, 0))]
    assert found.unit == "label"
    assert notice_lines(found) == [("missing-text", None)]


def test_a_singleton_may_be_called_like_an_entity() -> None:
    assert list(names(read(ANN.replace("Lee-1", "T5")))) == ["Mr__Kim-0", "T5", "T5_"]


def test_what_does_not_count_is_skipped_and_said() -> None:
    found = read(ANN + "QUOTE\tQ1\n\nCOP\tT1\tT99\n" + "MENTION\tT6\t1\t8\t1\t8\tleaves\tPER\tNOM\n")
    assert notice_lines(found) == [("skipped-line", 11), ("text-differs", 14), ("dangling-reference", 13)]
    assert "'leaves', but the text has 'left'" in found.notices[1].message


def test_every_fault_is_reported_with_its_line() -> None:
    found = faults(
        ANN
        + "MENTION\tT1\t0\t0\t0\t1\tMr. Kim\tPER\tPROP\n"
        + "MENTION\tT6\t0\t9\t0\t9\tx\tPER\tPROP\n"
        + "MENTION\tT7\t2\t0\t2\t0\tx\tPER\tPROP\n"
        + "MENTION\tT8\t0\t2\t0\t1\tx\tPER\tPROP\n"
        + "MENTION\tT9\t0\t-2\t0\t1\tx\tPER\tPROP\n"
        + "MENTION\tT10\t0\t2\t0\t1\n"
        + "COREF\tT77\tKim\n"
        + "COREF\tT1\tKim\n"
        + "COREF\tT1\n"
        + "COP\tT1\tT2\tT3\n"
    )
    assert [int(fault.split(":")[1]) for fault in found] == list(range(11, 21))
    assert found[0] == "d.ann:11: mention T1 is there already, on line 1; expected every id once"
    assert found[1].startswith("d.ann:12: mention T6 is not within the 2 sentences of the text; expected sentence and")
    assert found[3] == "d.ann:14: mention T8 ends before it begins"
    assert found[4].endswith("is not written as MENTION lines are; expected MENTION, id, sentence and word of the "
                             "beginning and of the end, text, type, level")  # fmt: skip
    assert found[6] == "d.ann:17: there is no mention T77; expected the id of a MENTION line"
    assert (
        found[7] == "d.ann:18: mention T1 is of entity 'Mr__Kim-0' already, by line 7; expected a mention in one entity"
    )


def test_a_relation_of_a_mention_that_is_missing_does_not_hide_the_fault() -> None:
    found = faults(ANN + "COREF\tT77\tKim\nCOP\tT77\tT1\n")
    assert found == ["d.ann:11: there is no mention T77; expected the id of a MENTION line"]


def test_bytes_that_are_not_text_are_refused() -> None:
    assert faults(ANN.encode() + b"COREF\tT5\t\xff\n") == ["d.ann:11: bytes that are not UTF-8; expected UTF-8 text"]
    assert faults(ANN, b"Kim\n\xff") == ["d.txt:2: bytes that are not UTF-8; expected UTF-8 text"]
    assert "UTF-16" in faults(ANN, TEXT.encode("utf-16"))[0]
    assert "NUL" in faults(ANN + "\0")[0]


@pytest.mark.parametrize("change", [lambda s: s.replace("\n", "\r\n"), lambda s: "\ufeff" + s, lambda s: s[:-1]])
def test_line_ends_and_byte_order_marks_do_not_matter(change: Any) -> None:
    found = read(change(ANN), change(TEXT))
    assert names(found) == names(read())
    assert not found.notices


def test_empty_lines_of_the_text_are_sentences_and_words_may_have_odd_blanks() -> None:
    found = read("MENTION\tT1\t2\t0\t2\t1\ta\u00a0b c\tPER\tNOM\n", "x\n\na\u00a0b  c\n")
    assert names(found) == {"T1": [(1, 2)]}
    assert not found.notices


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (ANN, True),
        ("COREF\tT1\tKim-0\n" + ANN, True),
        ("\ufeff" + ANN, True),
        ("", False),
        ("COREF\tT1\tKim-0\n", False),
        ("T1\tPER 0 3\tKim\n", False),
        ("MENTION 1\n", False),
        ("id\tword\n" + ANN, False),
    ],
)
def test_files_are_recognised_by_their_lines(content: str, known: bool) -> None:
    assert bool(litbank.recognise(content.encode())) == known
    assert not brat.recognise(ANN.encode())


def test_files_are_read_with_their_text_and_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "d.ann").write_text(ANN)
    (tmp_path / "d.txt").write_text(TEXT)
    found = corefeval.read(tmp_path)
    assert (found.format, found.documents) == ("litbank", ("d",))
    with pytest.raises(ValueError, match="can be read but not written"):
        corefeval.write(found, tmp_path / "x", format="litbank")


EDITS = st.lists(
    st.tuples(st.integers(0, len(ANN)), st.integers(0, 12), st.sampled_from(
        [b"", b"\t", b"\n", b" ", b"T1", b"0", b"99", b"\xff", b"\0", b"-1", b"COREF\t", b"MENTION", b"\r"]
    )),
    min_size=1, max_size=6,
)  # fmt: skip


@given(EDITS, st.permutations(ANN.splitlines()), st.sampled_from([TEXT.encode(), b"", None, b"\xff", b"Kim\r\n"]))
def test_damaged_files_give_a_corpus_or_an_error(
    edits: list[tuple[int, int, bytes]], order: list[str], text: bytes | None
) -> None:
    data = "\n".join(order).encode()
    for place, length, new in edits:
        data = data[:place] + new + data[place + length :]
    try:
        found = read(data, text)
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)


def word_entities(corpus: Corpus) -> set[frozenset[Any]]:
    """The entities of a corpus of one document as sets of word spans, words being what blanks part."""
    documents: Any = corpus.entities()
    (found,) = documents.values()
    if corpus.texts is None:
        return {frozenset(entity) for entity in found}
    words = list(re.finditer(r"\S+", corpus.texts[0]))
    first = {word.start(): number for number, word in enumerate(words)}
    last = {word.end() - 1: number for number, word in enumerate(words)}
    return {frozenset((first[start], last[end]) for start, end in entity) for entity in found}


def test_the_editions_of_litbank_have_the_same_entities() -> None:
    editions = public_data("litbank") / "editions"
    documents = sorted(path.stem for path in (editions / "conll").glob("*.conll"))
    assert len(documents) == 12
    mentions = 0
    for document in documents:
        columns = corefeval.read(editions / "conll" / f"{document}.conll")
        table = corefeval.read(editions / "tsv" / f"{document}.ann")
        standoff = corefeval.read(editions / "brat" / f"{document}.ann")
        assert [each.format for each in (columns, table, standoff)] == ["conll", "litbank", "brat"]
        assert word_entities(columns) == word_entities(table) == word_entities(standoff)
        assert not table.notices
        assert not standoff.notices
        assert columns.tokens is not None
        assert table.tokens is not None
        assert columns.tokens.sentences(0) == table.tokens.sentences(0)
        assert standoff.texts is not None
        assert standoff.texts[0].split() == table.tokens.words(0)
        mentions += len(table)
        # What has a name has the same one in both.
        named = {entity.name for each in table for entity in each if "-" in entity.name}
        assert named == {entity.name for each in standoff for entity in each if "-" in entity.name}
        assert sorted(each.kind for each in table.relations) == sorted(each.kind for each in standoff.relations)
    assert mentions == 3327
