"""Cattan et al.'s eight columns: documents are told apart, and entities are the same in all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import InputError
from corefeval.formats import cattan, registry
from corefeval.formats.base import File
from tests.formats.content import notice_kinds
from tests.formats.small_files import conll

if TYPE_CHECKING:
    from pathlib import Path

ROWS = """#begin document 36
36\t36_0\t36_1ecb.xml\t0\t1\tKim\tTrue\t(12|(7
36\t36_0\t36_1ecb.xml\t0\t2\tLee\tTrue\t12)
36\t36_0\t36_1ecb.xml\t1\t9\tfell\tTrue\t7)|(3)
36\t36_1\t36_1ecbplus.xml\t1\t9\tShe\tTrue\t(12)
36\t36_1\t36_1ecbplus.xml\t1\t10\tfell\tTrue\t-
#end document
"""


def read(text: str) -> corefeval.Corpus:
    return cattan.read(File("dev.conll", text.encode(), "dev", lambda _: None))


def test_documents_words_and_entities() -> None:
    corpus = read(ROWS)
    assert corpus.documents == ("36/36_0/36_1ecb.xml", "36/36_1/36_1ecbplus.xml")
    assert [document.sentences for document in corpus] == [[["Kim", "Lee"], ["fell"]], [["She", "fell"]]]
    found = [(entity.name, [each.text for each in entity]) for document in corpus for entity in document]
    assert found == [("12", ["Kim Lee"]), ("3", ["fell"]), ("7", ["Kim Lee fell"]), ("12", ["She"])]
    assert [corpus.line(row) for row in range(len(corpus))] == [2, 4, 2, 5]
    assert corpus.shared_names is True


def test_files_are_recognised_before_plain_conll_and_that_is_still_conll(tmp_path: Path) -> None:
    path = tmp_path / "dev.conll"
    path.write_text(ROWS)
    corpus = corefeval.read(path)
    assert (corpus.format, notice_kinds(corpus)) == ("cattan", ["spanning-entities"])
    assert "level=topic scores across documents" in str(corpus.notices[0])
    assert registry.recognise("x.conll", conll("d", "Kim (1)").encode()).name == "conll"
    assert registry.recognise("x.conll", b"garbage\n").name == "conll"


def test_a_whole_topic_has_its_links(tmp_path: Path) -> None:
    """Entity 12 has one mention in each document: a link of the topic, and none of the documents."""
    path = tmp_path / "dev.conll"
    path.write_text(ROWS)
    links = {
        level: corefeval.score(path, path, level=level)["muc"].recall_denominator for level in ("document", "topic")
    }
    assert links == {"document": 0, "topic": 1}
    assert corefeval.score(path, path, level="topic").notices == ()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("36\t36_0\tx.xml\t0\t1\tKim\tTrue", "dev.conll:2: 7 columns; expected eight columns between tabs"),
        ("36\t36_0\tx.xml\tone\t1\tKim\tTrue\t-", "dev.conll:2: 'one' is no sentence"),
        ("36\t36_0\tx.xml\t0\t1\tKim\tTrue\t(1", "dev.conll:2: the bracket of entity 1 is not closed"),
        ("36\t36_0\tx.xml\t0\t1\tKim\tTrue\t1)", "dev.conll:2: entity 1 is closed, but not open"),
        ("36\t36_0\tx.xml\t0\t1\tKim\tTrue\t1", "dev.conll:2: '1' is no coreference"),
        ("", "dev.conll:1: no document"),
    ],
)
def test_faults_have_lines(row: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(f"#begin document 36\n{row}\n#end document\n")
    assert str(error.value).startswith(message)
