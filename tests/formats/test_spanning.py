"""Entities that span documents: said where names recur in tables and CoNLL files of topics, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import corefeval
from tests.cli.running import run
from tests.data import EXAMPLES, public_data
from tests.formats.content import notice_kinds
from tests.formats.small_files import conll

if TYPE_CHECKING:
    from pathlib import Path

SPANNING = "spanning-entities"


def table(path: Path, *rows: str, head: str = "doc_id,mention_id,entity") -> Path:
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    return path


def test_a_name_that_recurs_in_documents_of_a_table_is_said_and_how_to_score_across_them(tmp_path: Path) -> None:
    """Kim's four mentions have three links over all documents, and one in each where they are cut."""
    key = table(tmp_path / "key.csv", "a,m1,Kim", "a,m2,Kim", "b,m3,Kim", "b,m4,Kim", "b,m5,Lee")
    response = table(tmp_path / "response.csv", "a,m1,x", "a,m2,x", "b,m3,y", "b,m4,y", "b,m5,z")
    cut = corefeval.score(key, response)
    assert (cut["muc"].recall_numerator, cut["muc"].recall_denominator) == (2, 2)
    (notice,) = cut.notices
    assert notice.message == (
        f"{key}: 1 entity name recurs in several documents, e.g. 'Kim' in 'a' and 'b'; such entities are cut at document "
        "borders; level=corpus scores across documents; or read files with mention ids that differ in all documents as "
        "table:mention=COLUMN,document="
    )
    whole = corefeval.score(key, response, format="table:mention=mention_id,document=")
    assert (whole["muc"].recall_numerator, whole["muc"].recall_denominator) == (2, 3)
    assert whole.notices == ()
    assert "cut at document borders" in run("score", key, response).stderr


def test_a_table_of_spans_needs_ids_of_mentions(tmp_path: Path) -> None:
    rows = ("a,0,0,m1,ACT17", "a,2,2,m2,ACT17", "b,0,0,m3,ACT17")
    path = table(tmp_path / "t.csv", *rows, head="doc_id,start,end,id,cluster")
    corpus = corefeval.read(path)
    assert "read files with a column of mention ids as table:mention=COLUMN,document=" in str(corpus.notices[0])
    whole = corefeval.read(path, "table:mention=id,document=")
    assert ([len(each) for each in whole.entities()[""]], whole.notices) == ([3], ())


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("a,m1,0", "a,m2,1", "b,m3,0", "b,m4,1"), False),  # numbers that begin anew
        (("a,m1,1", "a,m2,2", "b,m3,1", "b,m4,3"), False),
        (("a,m1,3", "a,m2,4", "b,m3,3", "b,m4,5"), False),  # about as large as there are entities
        (("a,m1,70", "a,m2,94", "b,m3,94", "b,m4,57"), True),
        (("a,m1,x", "a,m2,y", "b,m3,z"), False),  # nothing recurs
        (("a,m1,x", "a,m2,x"), False),  # one document
    ],
)
def test_numbers_that_begin_anew_in_each_document_are_not_taken_for_names(
    rows: tuple[str, ...], expected: bool, tmp_path: Path
) -> None:
    assert (SPANNING in notice_kinds(corefeval.read(table(tmp_path / "t.csv", *rows)))) == expected


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ({"36/36_1ecb": (70, 94), "36/36_2ecb": (94, 57), "37/37_1ecb": (158, 120)}, True),
        ({"36_1ecb": (70, 94), "36_2ecb": (94, 57)}, False),  # no topics
        ({"nw/wsj_1": (0, 12), "nw/wsj_2": (0, 25)}, False),
        ({"bc/cctv": (12, 35), "nw/wsj_1": (12, 35), "wb/eng": (35, 50)}, False),  # in several topics
    ],
)
def test_numbers_that_recur_in_conll_files_of_topics(
    documents: dict[str, tuple[int, int]], expected: bool, tmp_path: Path
) -> None:
    rows = {name: (f"Kim ({one})", "met -", f"Lee ({other})") for name, (one, other) in documents.items()}
    path = tmp_path / "t.conll"
    path.write_text("".join(conll(name, *lines) for name, lines in rows.items()))
    assert (SPANNING in notice_kinds(corefeval.read(path))) == expected
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, (name, lines) in enumerate(rows.items()):
        (folder / f"{number}.conll").write_text(conll(name, *lines))
    assert (SPANNING in notice_kinds(corefeval.read(folder))) == expected


def test_documents_of_a_topic_in_one_are_scored_across(tmp_path: Path) -> None:
    """What the notice advises for CoNLL files: an entity of two documents has then one link more."""
    parts = [conll(f"36/{name}", "Kim (70)", "met -", "Lee (94)") for name in "ab"]
    one = [line for part in parts for line in part.splitlines() if not line.startswith("#")]
    (tmp_path / "apart.conll").write_text("".join(parts))
    (tmp_path / "whole.conll").write_text("\n".join(["#begin document (36); part 000", *one, "#end document", ""]))
    apart, whole = (corefeval.score(path, path) for path in (tmp_path / "apart.conll", tmp_path / "whole.conll"))
    assert (apart["muc"].recall_denominator, whole["muc"].recall_denominator) == (0, 2)
    assert "one #begin document" in str(apart.notices[0])


def test_corpora_of_single_documents_are_not_taken_for_such(tmp_path: Path) -> None:
    assert SPANNING not in notice_kinds(corefeval.read(EXAMPLES / "key.conll"))
    key = corefeval.read(public_data("litbank") / "key.conll.gz")
    assert SPANNING not in notice_kinds(key)
    renamed = key.rename_documents({name: f"nw/{name}" for name in key.documents})
    corefeval.write(renamed, tmp_path / "topics.conll")
    assert SPANNING not in notice_kinds(corefeval.read(tmp_path / "topics.conll"))
