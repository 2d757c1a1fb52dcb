"""Reading and writing tables: CSV, TSV, Parquet, Arrow."""

from __future__ import annotations

import csv
import datetime as dt
import io
import pickle
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.corpus.mentions import Labels, Objects, Spans, Texts
from corefeval.corpus.tokens import Tokens
from corefeval.errors import MOST_FAULTS
from corefeval.formats import registry, table
from corefeval.formats.base import File
from corefeval.formats.shared.arrow import load_arrow
from corefeval.formats.shared.fitting import fit_corpus
from corefeval.formats.table import sources
from tests.cli.running import run

if TYPE_CHECKING:
    from pathlib import Path

arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
arrow_csv = pytest.importorskip("pyarrow.csv", reason="pyarrow is not installed")
arrow_parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

KINDS = (".csv", ".tsv", ".parquet", ".arrow", ".feather")


def read(content: str | bytes, **options: str) -> Corpus:
    data = content if isinstance(content, bytes) else content.encode()
    return table.read(File("t.csv", data, "t", lambda _: None), **options)


def faults(content: str | bytes, **options: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(content, **options)
    return [str(fault).removeprefix("t.csv:").removeprefix(" ") for fault in caught.value.faults]


def notices(corpus: Corpus) -> list[str]:
    return [str(notice).removeprefix("t.csv:").removeprefix(" ") for notice in corpus.notices]


def named(corpus: Corpus) -> dict[tuple[str, str], set[Any]]:
    """The mentions of every entity, by document and name."""
    found: dict[tuple[str, str], set[Any]] = {}
    for number, mention in zip(corpus.entity.tolist(), corpus.mentions.objects(), strict=True):
        document = corpus.documents[corpus.entity_document[number]]
        found.setdefault((document, str(corpus.entity_name[number])), set()).add(mention)
    return found


def parquet(columns: dict[str, Any]) -> bytes:
    sink = arrow.BufferOutputStream()
    arrow_parquet.write_table(arrow.table(columns), sink)
    return bytes(sink.getvalue())


def arrow_file(columns: dict[str, Any], *, stream: bool = False, compression: str | None = None) -> bytes:
    content = arrow.table(columns)
    sink = arrow.BufferOutputStream()
    make = arrow.ipc.new_stream if stream else arrow.ipc.new_file
    with make(sink, content.schema, options=arrow.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(content, max_chunksize=2)
    return bytes(sink.getvalue())


def singletons_hint(name: str) -> str:
    return f"give each singleton its own id, or read such rows as singletons: --format table:singletons={name}"


WAYS = {
    "csv": (1 << 20, False),
    "csv, row by row": (1, False),
    "pyarrow": (1 << 20, True),
    "pyarrow, in small blocks": (64, True),
}
"""Bytes at a time, and whether even small files are left to pyarrow.csv."""


def set_way(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    size, by_arrow = WAYS[way]
    monkeypatch.setattr(sources, "_BYTES", size)
    if by_arrow:
        monkeypatch.setattr(sources, "_LARGE", 0)


@pytest.fixture(params=WAYS)
def ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read by the csv module or by pyarrow, in blocks of several sizes."""
    set_way(monkeypatch, request.param)


# what a table says


@pytest.mark.usefixtures("ways")
def test_labels_of_records() -> None:
    corpus = read("record_id,cluster_id\n17,a\n18,a\n4,b\n")
    assert isinstance(corpus.mentions, Labels)
    assert corpus.entities() == {"": [[17, 18], [4]]}
    assert list(corpus.entity_name) == ["a", "b"]
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [2, 3, 4]
    assert corpus.source == "t.csv"
    assert corpus.notices == ()


@pytest.mark.usefixtures("ways")
def test_positions_in_documents() -> None:
    corpus = read("entity\tend\tstart\tdoc_id\nKim\t1\t0\tb\nLee\t3\t3\ta\nKim\t5\t5\tb\nKim\t0\t0\ta\n")
    assert isinstance(corpus.mentions, Spans)
    assert corpus.unit == "word"
    assert corpus.documents == ("b", "a")
    assert corpus.entities() == {"b": [[(0, 1), (5, 5)]], "a": [[(3, 3)], [(0, 0)]]}
    assert named(corpus) == {("b", "Kim"): {(0, 1), (5, 5)}, ("a", "Lee"): {(3, 3)}, ("a", "Kim"): {(0, 0)}}
    assert [corpus.line(row) for row in range(4)] == [2, 3, 4, 5]


def test_ends_may_be_excluded() -> None:
    content = "start,end,entity\n0,2,e\n5,6,e\n"
    assert read(content, ends="excluded").entities() == {"": [[(0, 1), (5, 5)]]}
    assert read(content).entities() == {"": [[(0, 2), (5, 6)]]}
    assert faults("start,end,entity\n0,0,e\n", ends="excluded") == [
        "2: a mention from 0 to 0; expected first word, and the one after the last"
    ]
    with pytest.raises(OptionError, match="ends='open' is not possible"):
        read(content, ends="open")


@pytest.mark.usefixtures("ways")
def test_integers_stay_integers_in_one_array() -> None:
    corpus = read("id,label\n0,5\n-7,5\n9223372036854775807,-1\n")
    assert isinstance(corpus.mentions, Labels)
    assert corpus.mentions.values.dtype == np.int64
    assert corpus.entities() == {"": [[0, -7], [2**63 - 1]]}
    assert [str(name) for name in corpus.entity_name] == ["5", "-1"]


@pytest.mark.usefixtures("ways")
@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ("7", 7), ("-7", -7), ("0", 0), ("10", 10), ("-0", "-0"), ("007", "007"), ("+7", "+7"), ("7.0", "7.0"), ("7e1", "7e1"),
        ("-", "-"), ("--7", "--7"), ("1_000", "1_000"), ("٣", "٣"), ("1-2", "1-2"), ("0x1", "0x1"), ("-01", "-01"),
        ("[0]", (0,)), ("[0;0]", "[0;0]"), ("[ 0]", "[ 0]"), ("[]", ()), ("[01]", "[01]"), ("[1.0]", "[1.0]"), ("[", "["), ("[]]", "[]]"),
        ("[" * 99999 + "]" * 99999, "[" * 99999 + "]" * 99999), ("[{}]", "[{}]"), (f"[{'9' * 5000}]", f"[{'9' * 5000}]"),
        ("9999999999999999999", 9999999999999999999), ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", "18446744073709551616"), ("-9223372036854775808", -(2**63)),
        ("-9223372036854775809", "-9223372036854775809"), ("1" * 5000, "1" * 5000), ("99999999999999999999", "9" * 20),
    ],
    ids=lambda value: str(value)[:25],
)  # fmt: skip
def test_a_label_is_an_integer_or_a_tuple_if_a_program_would_write_it_so(cell: str, label: Any) -> None:
    for others in ([], ["1"], ["x"], ["18446744073709551615"], ["-1"]):
        content = "mention,entity\n" + "".join(f"{each},e\n" for each in [cell, *others])
        assert read(content).mentions.objects()[0] == label
        assert (
            read(arrow_file({"mention": [cell, *others], "entity": [1] * (1 + len(others))})).mentions.objects()[0]
            == label
        )


def test_what_else_is_in_a_column_does_not_change_a_label() -> None:
    key = read("id,entity\n1,a\n2,a\nA3,b\n")
    response = read(parquet({"id": [1, 2], "entity": ["x", "x"]}))
    typed = read(parquet({"id": ["1", "2", "A3"], "entity": [1, 1, 2]}))
    assert isinstance(response.mentions, Labels)
    assert key.entities() == {"": [[1, 2], ["A3"]]} == typed.entities()
    scores = corefeval.score(key, response, measures=["bcub"])
    assert scores["bcub"].precision == 1
    assert scores["bcub"].recall == pytest.approx(2 / 3)


@pytest.mark.usefixtures("ways")
def test_labels_beyond_64_bits_with_sign_are_compared_too() -> None:
    large, small = f"id,entity\n{2**63 + 5},a\n1,a\n", "id,entity\n1,a\n2,a\n"
    corpus = read(large)
    assert isinstance(corpus.mentions, Labels)
    assert corpus.mentions.values.dtype == np.uint64
    assert corefeval.score(corpus, read(small), measures=["mentions"])["mentions"].recall == 0.5
    assert (
        read(parquet({"id": np.array([2**63 + 5, 1], dtype=np.uint64), "entity": [1, 1]})).entities()
        == corpus.entities()
    )
    mixed = read(f"id,entity\n{2**63 + 5},a\n-1,a\n")
    assert isinstance(mixed.mentions, Objects)
    assert mixed.entities() == {"": [[2**63 + 5, -1]]}


@pytest.mark.usefixtures("ways")
def test_labels_of_several_kinds() -> None:
    corpus = read("mention,entity\nx,1\n7,e\n007,1\n")
    assert isinstance(corpus.mentions, Objects)
    assert corpus.entities() == {"": [["x", "007"], [7]]}
    assert list(corpus.entity_name) == ["1", "e"]


@pytest.mark.usefixtures("ways")
def test_names_that_become_text_after_many_integers() -> None:
    corpus = read("doc,mention,entity\n1,1,1\n1,2,2\nd,3,x\n1,4,1\nd,5,2\n")
    assert corpus.documents == ("1", "d")
    assert named(corpus) == {("1", "1"): {1, 4}, ("1", "2"): {2}, ("d", "x"): {3}, ("d", "2"): {5}}


# columns by name


@pytest.mark.parametrize(
    "header",
    ["document,mention,entity", "Doc,RECORD,Cluster", " doc_id , record_id ,label", "document_id,id,cluster_id", "doc,mention_id,entity_id"],
)  # fmt: skip
def test_usual_names(header: str) -> None:
    assert read(f"{header}\nd,m,e\n").entities() == {"d": [["m"]]}
    assert table.recognise(f"{header}\nd,m,e\n".encode())


def test_names_by_options() -> None:
    content = "Key;Story;Who;from;to;entity\nk1;s;w;0;1;x\nk2;s;w;2;2;y\n"
    assert read(content, document="Story", mention="key", entity="Who").entities() == {"s": [["k1", "k2"]]}
    assert read(content, start="from", end="to").entities() == {"": [[(0, 1)], [(2, 2)]]}
    assert read("doc,id,entity\nd,1,e\nd2,1,e\n", document="").entities() == {"": [[1, 1]]}
    assert read("mention,entity,ENTITY\n1,2,3\n", entity="ENTITY").entity_name[0] == 3
    assert read("id,Id,entity\nx,y,1\n", mention="Id").entities() == {"": [["y"]]}


def test_names_by_options_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("key;truth\n1;2\n3;2\n")
    assert corefeval.read(path, format="table:mention=key,entity=truth,separator=semicolon").entities() == {
        "": [[1, 3]]
    }
    with pytest.raises(OptionError, match="mentions"):
        corefeval.read(path, format="table:mentions=key")


def test_usual_names_may_have_blanks_and_hyphens() -> None:
    content = "Doc-ID,Record ID,Cluster  Id\nd,7,a\nd,8,a\n"
    assert read(content).entities() == {"d": [[7, 8]]}
    assert table.recognise(content.encode())


def test_a_part_is_asked_for_by_any_of_its_usual_names(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text('customer no,"person, real",id\n1,2,9\n3,2,9\n')
    spec = 'table:id=customer no, cluster="person, real"'
    assert corefeval.read(path, format=spec).entities() == {"": [[1, 3]]}
    with pytest.raises(OptionError, match="the mention is given twice"):
        corefeval.read(path, format="table:id=id,mention=id")


@pytest.mark.usefixtures("ways")
def test_several_columns_make_one_id() -> None:
    content = "source,no,block,cluster,doc\na,1,x,1,d\na,2,x,1,d\nb,1,y,1,d\nb,2,x,1,e\n"
    corpus = read(content, mention="source+no", entity="block+cluster")
    assert corpus.entities() == {"d": [["a/1", "a/2"], ["b/1"]], "e": [["b/2"]]}
    assert list(corpus.entity_name) == ["x/1", "y/1", "x/1"]
    shared = read(content, mention="source+no", entity="source+cluster", document="block+doc")
    assert shared.entities() == {"x/d": [["a/1", "a/2"]], "y/d": [["b/1"]], "x/e": [["b/2"]]}
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [2, 3, 4, 5]


def test_ids_of_several_columns_are_never_mixed_up() -> None:
    corpus = read("a,b,entity\nx/y,z,1\nx,y/z,1\n\\,/,1\n", mention="a+b")
    assert corpus.entities() == {"": [["x\\/y/z", "x/y\\/z", "\\\\/\\/"]]}


def test_ids_of_several_columns_are_the_same_in_every_kind_of_file() -> None:
    columns = {"a": ["x", "x"], "b": [1.0, 2.0], "entity": [1, 1]}
    expected = {"": [["x/1", "x/2"]]}
    assert read(parquet(columns), mention="a+b").entities() == expected
    assert read("a,b,entity\nx,1,1\nx,2,1\n", mention="a+b").entities() == expected
    assert read("id,entity\nx/1,1\nx/2,1\n").entities() == expected


def test_a_column_with_a_plus_in_its_name_goes_before_several_columns() -> None:
    assert read("a,b,a+b,entity\n1,2,3,e\n", mention="a+b").entities() == {"": [[3]]}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"mention": "a+x"}, ["1: no column is called 'x'; known: a, b, entity"]),
        ({"mention": "a+a"}, ["1: column 'a' cannot be two things at once"]),
        ({"start": "a+b", "end": "b"}, ["1: no column is called 'a+b'; did you mean b or a? All: a, b, entity"]),
    ],
)
def test_several_columns_that_make_no_id(options: dict[str, str], expected: list[str]) -> None:
    assert faults("a,b,entity\n1,2,3\n", **options) == expected


@pytest.mark.usefixtures("ways")
def test_a_part_of_an_id_is_never_empty() -> None:
    assert faults("a,b,entity\nx,,1\nx,2,1\n", mention="a+b") == [
        "2: nothing in column 'b'; expected a value in every row"
    ]


@pytest.mark.usefixtures("ways")
def test_blank_cluster_ids_are_singletons_if_asked_for() -> None:
    corpus = read('id,cluster\n1,a\n2,\n3,a\n4," "\n5,\n', singletons="blank")
    assert corpus.entities() == {"": [[1, 3], [2], [4], [5]]}
    assert list(corpus.entity_name) == ["a", "singleton 1", "singleton 2", "singleton 3"]
    assert corpus.notices == ()
    assert read(parquet({"id": [1, 2, 3], "cluster": [7.0, None, 7.0]}), singletons="blank").entities() == {
        "": [[1, 3], [2]]
    }


@pytest.mark.usefixtures("ways")
def test_other_cluster_ids_that_mean_none() -> None:
    assert read("id,cluster\n1,-1\n2,-1\n3,0\n4,0\n", singletons="-1").entities() == {"": [[1], [2], [3, 4]]}
    mixed = read("id,cluster\n1,\n2,NULL\n3,NULL\n4,singleton 1\n", singletons="blank+NULL")
    assert mixed.entities() == {"": [[1], [2], [3], [4]]}
    assert len(set(mixed.entity_name)) == 4
    assert mixed.notices == ()
    joined = read("id,block,cluster\n1,x,\n2,x,\n3,x,1\n4,x,1\n", entity="block+cluster", singletons="blank")
    assert joined.entities() == {"": [[1], [2], [3, 4]]}


@pytest.mark.usefixtures("ways")
def test_noise_of_a_clustering_is_not_taken_for_an_entity_in_silence() -> None:
    said = f"2: '-1' is taken as the name of one entity; {singletons_hint('-1')} (2 rows)"
    assert notices(read("id,cluster\n1,-1\n2,-1\n3,0\n")) == [said]
    assert notices(read("id,cluster\n1,-1\n2,-1\n3,x\n")) == [said]
    assert notices(read("id,cluster\n1,-1\n2,-1\n3,-2\n")) == []
    assert notices(read("id,cluster\n1,-1\n3,0\n")) == []


def test_hints_name_the_option_of_the_side_they_are_about(tmp_path: Path) -> None:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_text("customer no,person\n1,a\n2,a\n3,b\n")
    response.write_text("Record ID,cluster guess,other\n1,x,o\n2,x,o\n3,,o\n")
    done = run("score", key, response)
    assert done.returncode == 65
    ours, theirs = [[line for line in done.stderr.splitlines() if line.startswith(str(p))] for p in (key, response)]
    assert [line.rpartition("; ")[2] for line in ours] == [
        "say which: --key-columns entity=NAME",
        "say which: --key-columns mention=NAME",
    ]
    assert [line.rpartition("; ")[2] for line in theirs] == ["say which: --response-columns entity=NAME"]
    columns = ("--key-columns", "id=customer no,entity=person", "--response-columns", "cluster=cluster guess")
    done = run("score", key, response, *columns)
    assert done.returncode == 65
    assert "or read such rows as singletons: --response-columns singletons=blank" in done.stderr
    columns = (*columns[:-1], f"{columns[-1]},singletons=blank")
    done = run("score", key, response, *columns, "-m", "bcub", "--fail-under", "bcub=100")
    assert done.returncode == 0, done.stderr
    converted = run("convert", key, tmp_path / "out.json")
    assert "say which: --from table:entity=NAME" in converted.stderr
    refused = run("score", key, response, "--key-format", "table", *columns)
    assert "--key-columns is --key-format table:COLUMNS: give one of them" in refused.stderr
    assert refused.returncode == 2


def test_a_hint_can_be_typed_as_it_stands(tmp_path: Path) -> None:
    key = tmp_path / "key.csv"
    key.write_text("id,record id,cluster\n1,2,3\n")
    assert "say which: --key-columns mention=id" in run("score", key, key).stderr
    key.write_text("Record ID,record id,cluster\n1,2,3\n")
    assert "say which: --key-columns 'mention=Record ID'" in run("score", key, key).stderr


def test_columns_of_the_key_when_files_are_validated(tmp_path: Path) -> None:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_text("customer no,person\n1,a\n2,a\n")
    response.write_text("id,cluster\n1,x\n2,x\n")
    assert run("validate", response, "--key", key, "--key-columns", "id=customer no,cluster=person").returncode == 0


def test_positions_go_before_labels_unless_a_label_is_asked_for() -> None:
    content = "id,record,mention,start,end,entity\n1,2,she,4,4,e\n"
    assert read(content).entities() == {"": [[(4, 4)]]}
    assert read(content, mention="mention").entities() == {"": [["she"]]}
    assert read("mention,start,entity\nshe,4,e\n").entities() == {"": [["she"]]}
    with pytest.raises(OptionError, match="either mention= or start= and end="):
        read(content, mention="id", start="start")


def test_a_part_s_own_name_goes_before_others() -> None:
    assert read("entity,label,mention,id\n1,2,3,4\n").entities() == {"": [[3]]}
    assert list(read("entity,label,mention,id\n1,2,3,4\n").entity_name) == [1]


@pytest.mark.parametrize(
    ("header", "options", "expected"),
    [
        ("id,record_id,cluster", {}, ["1: 'id' and 'record_id' may both be the mention; expected one; say which: --format table:mention=id"]),
        ("key,entity", {}, ["1: no column for the mention; expected mention, mention_id, record, record_id, unique_id, rec_id, id, or start and end; known: key; say which: --format table:mention=NAME"]),
        ("mentoin,entity", {}, ["1: no column for the mention; expected mention, mention_id, record, record_id, unique_id, rec_id, id, or start and end; did you mean mentoin? All: mentoin; say which: --format table:mention=NAME"]),
        ("start,stop,entity", {"start": "start"}, ["1: no column for the end; expected end; known: stop; say which: --format table:end=NAME"]),
        ("a,b", {"mention": "record", "entity": "B"}, ["1: no column is called 'record'; known: a, b"]),
        ("id,cluster_1,cluster_2", {"entity": "cluster"}, ["1: no column is called 'cluster'; did you mean cluster_2 or cluster_1? All: id, cluster_1, cluster_2"]),
        ("id,entity,id,x,x,,", {}, ["1: 2 columns are called 'id'; expected different names", "1: 2 columns are called 'x'; expected different names", "1: 'id' and 'id' may both be the mention; expected one; say which: --format table:mention=id"]),
        ("id,entity", {"attributes": "type+entity"}, ["1: no column is called 'type'; known: id, entity"]),
        ("id,ID,entity", {"mention": "Id"}, ["1: no column is called 'Id'; did you mean id? All: id, ID, entity"]),
        ("id,entity", {"mention": "id", "entity": "id"}, ["1: column 'id' cannot be two things at once"]),
        ("id,entity", {"mention": ""}, ["1: no column is called ''; known: id, entity"]),
    ],
)  # fmt: skip
def test_columns_that_are_missing_or_not_clear(header: str, options: dict[str, str], expected: list[str]) -> None:
    assert faults(f"{header}\n1,2,3\n", **options) == expected
    names = header.split(",")
    if len(set(names)) == len(names):
        said = faults(parquet({name: [1] for name in names}), **options)
        assert said == [each.removeprefix("1: ") for each in expected]


@pytest.mark.usefixtures("ways")
def test_attributes_only_if_asked_for() -> None:
    content = "mention,entity,type,,n\n1,a,PER,z,7\n2,a,,z,x\n"
    assert read(content).attributes == {}
    assert read(content, attributes="TYPE+entity").attributes == {"type": ["PER", ""], "entity": ["a", "a"]}
    assert read(content, attributes="*").attributes == {"type": ["PER", ""], "n": ["7", "x"]}
    stored = arrow_file({"mention": [1, 2, 3], "entity": ["a", "a", "b"], "n": [1, None, 3], "b": [True, False, None]})
    assert read(stored, attributes="*").attributes == {"n": ["1", "", "3"], "b": ["true", "false", ""]}


# how cells are written


@pytest.mark.usefixtures("ways")
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "end"])
def test_layouts(separator: str, end: str, mark: str, last: str) -> None:
    rows = [
        ["type", "mention", "entity"],
        ["a", "1", "x"],
        ["", "m", "y"],
        ["ß", "2", "x"],
        ["", "", ""],
        ["c", "é", "日本"],
    ]
    content = mark + end.join(separator.join(row) for row in rows) + (end if last else "")
    corpus = read(content, attributes="type")
    assert corpus.entities() == {"": [[1, 2], ["m"], ["é"]]}
    assert list(corpus.entity_name) == ["x", "y", "日本"]
    assert corpus.attributes == {"type": ["a", "", "ß", "c"]}
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [2, 3, 4, 6]
    assert notices(corpus) == ["5: rows without content are skipped (1 row)"]


@pytest.mark.usefixtures("ways")
def test_old_mac_line_ends_and_blank_lines() -> None:
    assert read("\r\rmention,entity\r1,2\r\r3,2\r").entities() == {"": [[1, 3]]}
    corpus = read("\n  \nmention\tentity\n\n1\t2\n \n\t\t\t\n3\t2\n\n")
    assert corpus.entities() == {"": [[1, 3]]}
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [5, 8]


@pytest.mark.usefixtures("ways")
def test_quotes() -> None:
    content = '"mention","en""t","no\nte"\r\n"a,b","x","1\n\n2"\r\n"7",y,\r\n"q""r","x",""\r\n"""","x",""""""\r\n'
    corpus = read(content + "z,x,\r\n", entity='en"t', attributes="*")
    assert corpus.entities() == {"": [["a,b", 'q"r', '"', "z"], [7]]}
    assert corpus.attributes == {"no\nte": ["1\n\n2", "", "", '""', ""]}
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [3, 6, 7, 8, 9]
    assert notices(corpus) == [
        "3: quoted cells go on over several lines; where quotes mean nothing: --format table:quotes=no (1 row)"
    ]


@pytest.mark.usefixtures("ways")
def test_quotes_where_none_should_be() -> None:
    lines = [
        "mention,entity",
        "1,a",
        '2",a',       # 3
        '3,"a',       # 4: ends nowhere before the quote of line 6
        "4,a",
        '"5",b',
        '"6"x,b',     # 7
        "7,b,c",      # 8
        '8,"b"',
        '9,a"',       # 10
        '"10,a',      # 11
        "11,a",
    ]  # fmt: skip
    expected = "; expected quotes around a whole cell only, and written twice within it; where quotes mean nothing: --format table:quotes=no"
    assert faults("\n".join(lines)) == [
        f"3: a quote in a cell that does not begin with one{expected}",
        f"4: a quoted cell goes on after its closing quote{expected}",
        f"7: a quoted cell goes on after its closing quote{expected}",
        "8: 3 cells; expected 2 as in the first row; a cell with a separator in it stands in quotes",
        f"10: a quote in a cell that does not begin with one{expected}",
        f"11: a quoted cell begins here and never ends{expected}",
    ]
    assert faults('mention,"entity\n1,2\n') == ["1: a quoted cell begins here and never ends; expected a closing quote"]


def test_quotes_that_were_meant_as_words_are_not_passed_over_in_silence() -> None:
    content = 'start\tend\tentity\tword\n0\t0\te\t"\n1\t1\te\tKim\n2\t2\te\t"\n'
    corpus = read(content)
    assert len(corpus) == 1
    assert [notice.kind for notice in corpus.notices] == ["line-break"]
    assert len(read(content, quotes="no")) == 3


@pytest.mark.usefixtures("ways")
def test_quotes_can_mean_nothing() -> None:
    corpus = read('mention\tentity\tword\n1\t2\t"\n3\t"2\t""\n', quotes="no", attributes="word")
    assert list(corpus.entity_name) == ["2", '"2']
    assert corpus.attributes == {"word": ['"', '""']}


def test_many_stray_quotes_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError) as caught:
        read("mention,entity\n" + '5" nail,x\n' * 100_000)
    assert len(caught.value.faults) == MOST_FAULTS


@pytest.mark.parametrize(
    ("content", "is_regular"),
    [
        ("1,a\n2,b\n", True),
        ("1,a\r\n2,b\r\n", True),
        ('"1","a ""b"", c"\n"x",\n', True),
        ("", False),
        ("1,a\n\n2,b\n", False),
        ("1,a\n,\n", False),
        ("1,a\n2\n", False),
        ("1,a\n2,b,c\n", False),
        ('1,"a\nb"\n', False),
        ('1,a"\n', False),
        ('"1"x,a\n', False),
        ('1,"a\n', False),
        ("1,a\rb\n", False),
        ("1,\udce9\n", False),
    ],
)
def test_only_regular_text_is_left_to_pyarrow(content: str, is_regular: bool) -> None:
    text = content.encode("utf-8", "surrogateescape")
    cells = sources.split_regular(text, sources.Layout(",", quotes=True, width=2), [0, 1], load_arrow(""))
    assert (cells is not None and isinstance(cells[0], arrow.Array)) is is_regular


def test_separator_by_option() -> None:
    content = "mention;entity,id;cluster\n1;2,3;4\n"
    assert read(content, separator=";", entity="cluster").entities() == {"": [[1]]}
    assert read(content, separator="comma", mention="mention;entity", entity="id;cluster").entities() == {"": [["1;2"]]}
    with pytest.raises(OptionError, match=r"separator='space' is not possible; .*comma, semicolon, tab, bar"):
        read(content, separator="space")
    assert read("note, with commas, and more;mention;entity\nx;1;2\n").entities() == {"": [[1]]}


# faults with their lines


@pytest.mark.usefixtures("ways")
def test_rows_of_other_lengths() -> None:
    assert faults("mention,entity\n1,2\n3\n\n4,5,6\n7,8\nx,\n,\n") == [
        "3: 1 cell; expected 2 as in the first row; a cell with a separator in it stands in quotes",
        "5: 3 cells; expected 2 as in the first row; a cell with a separator in it stands in quotes",
        f"7: empty cluster id in column 'entity'; {singletons_hint('blank')}",
    ]


@pytest.mark.usefixtures("ways")
def test_missing_values_have_their_line() -> None:
    content = 'document,mention,entity\nd,1,a\n,2,a\nd, ,a\nd,3,""\n"d\nd",4," \t"\n'
    hint = singletons_hint("blank")
    assert faults(content) == [
        "3: nothing in column 'document'; expected a value in every row",
        "4: nothing in column 'mention'; expected a value in every row",
        f"5: empty cluster id in column 'entity'; {hint}",
        f"6: empty cluster id in column 'entity'; {hint}",
    ]


def test_missing_values_without_lines_have_their_row() -> None:
    columns = {"document": ["d", None, "d"], "mention": [1, 2, None], "entity": [1.0, float("nan"), 2.0]}
    hint = singletons_hint("blank")
    for content in (parquet(columns), arrow_file(columns), arrow_file(columns, stream=True)):
        assert sorted(faults(content)) == [
            f"row 2: empty cluster id in column 'entity'; {hint}",
            "row 2: nothing in column 'document'; expected a value in every row",
            "row 3: nothing in column 'mention'; expected a value in every row",
        ]
    assert len(faults(parquet({"start": [1, None], "end": [1, 2], "entity": arrow.nulls(2)}))) == 3


@pytest.mark.parametrize("way", ["csv", "pyarrow"])
def test_as_many_faults_as_rows_are_counted(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_way(monkeypatch, way)
    monkeypatch.setattr(sources, "_BYTES", 10_000)
    with pytest.raises(InputError) as caught:
        read("mention,entity\n" + "1,\n" * 11_000 + "1\n" * 11_000)
    assert len(caught.value.faults) == MOST_FAULTS
    assert caught.value.more == 22_000 - MOST_FAULTS


@pytest.mark.usefixtures("ways")
def test_positions_that_are_none() -> None:
    hint = "where start and end are something else, name the mention: --format table:mention=NAME"
    expected = f"expected a whole number from 0 to 2147483647; {hint}"
    content = (
        "start,end,entity\n0,0,e\n-1,3,e\n2,1,e\n1.0,2,e\n3,2147483648,e\nx,y,e\n01,1,e\n99999999999999999999,,e\n"
        "-99999999999999999999,1,e\n"
    )
    assert faults(content) == [
        f"3: start is '-1'; {expected}",
        "4: a mention from 2 to 1; expected first and last word",
        f"5: start is '1.0'; {expected}",
        f"6: end is '2147483648'; {expected}",
        f"7: start is 'x'; {expected}",
        f"7: end is 'y'; {expected}",
        f"8: start is '01'; {expected}",
        "9: nothing in column 'end'; expected a value in every row",
        f"9: start is '99999999999999999999'; {expected}",
        f"10: start is '-99999999999999999999'; {expected}",
    ]
    assert faults(parquet({"start": [-1], "end": [2], "entity": [1]})) == [f"row 1: start is '-1'; {expected}"]


@pytest.mark.usefixtures("ways")
def test_text_that_is_not_utf_8_matters_where_it_is_read() -> None:
    content = "mention,entity,note\n1,a,é\né,b,x\n".encode("latin-1")
    said = "column 'mention' is not UTF-8; expected UTF-8; convert it: iconv -f LATIN1 -t UTF-8"
    assert faults(content) == [f"3: {said}"]
    assert read(content.replace(b"\xe9,b", b"2,b")).entities() == {"": [[1], [2]]}
    assert faults("mention,entity\n1,2\n".encode("utf-16")) == [
        "1: UTF-16 text; expected UTF-8; convert it: iconv -f UTF-16 -t UTF-8"
    ]
    assert faults("mention,entity\n1,\0\n") == ["2: a NUL byte: this is not a text file; expected UTF-8 text"]


@pytest.mark.usefixtures("ways")
def test_no_rows_at_all() -> None:
    expected = ["1: an empty file; expected a first row with the names of the columns"]
    assert faults("") == faults("\n \r\n") == faults("\ufeff") == expected
    corpus = read("mention,entity\n")
    assert corpus.entities() == {"": []}
    assert notices(corpus) == ["a table without rows"]
    assert read("doc,mention,entity\n").documents == ()
    assert read("start,end,entity").unit == "word"
    assert read(parquet({"id": arrow.array([], "int64"), "entity": arrow.array([], "string")})).entities() == {"": []}


# what may not be meant


@pytest.mark.usefixtures("ways")
def test_blanks_around_labels_are_kept_and_said() -> None:
    corpus = read("doc,mention,entity\nd, 1,e\nd,2,e \nd,3,e \nd\u00a0,4,x\n")
    assert named(corpus) == {("d", "e"): {" 1"}, ("d", "e "): {2, 3}, ("d\u00a0", "x"): {4}}
    assert notices(corpus) == [
        "2: cells of column 'mention' begin or end with a blank, which is kept (1 row)",
        "3: cells of column 'entity' begin or end with a blank, which is kept (2 rows)",
    ]


@pytest.mark.usefixtures("ways")
def test_an_entity_called_null() -> None:
    corpus = read("mention,entity\n1,a\n2,NULL\n3,NULL\n")
    assert len(corpus.entity_name) == 2
    hint = singletons_hint("NULL")
    assert notices(corpus) == [f"3: 'NULL' is taken as the name of one entity; {hint} (2 rows)"]
    assert notices(read(parquet({"mention": [1, 2], "entity": ["a", "nan"]}))) == [
        f"row 2: 'nan' is taken as the name of one entity; {singletons_hint('nan')} (1 row)"
    ]


def test_numbers_that_a_data_frame_has_spoilt() -> None:
    assert notices(read("mention,entity\n1.0,a\n2.0,a\n")) == [
        "2: mentions are called 1.0 and the like, and 1.0 is another label than 1 (2 rows)"
    ]
    assert notices(read("mention,entity\n1.0,a\n1.1,a\n")) == []
    assert read(parquet({"mention": [1.0, 2.0], "entity": [1, 1]})).entities() == {"": [[1, 2]]}


# Parquet and Arrow


TYPES = {
    "int8": arrow.array([1, 2, 3], "int8"),
    "uint64": arrow.array([1, 2, 3], "uint64"),
    "float": arrow.array([1.0, 2.0, 3.0]),
    "decimal": arrow.array([1, 2, 3]).cast(arrow.decimal128(20, 0)),
    "string": arrow.array(["1", "2", "3"]),
    "large string": arrow.array(["1", "2", "3"], "large_string"),
    "binary": arrow.array([b"1", b"2", b"3"]),
    "dictionary": arrow.array(["1", "2", "3"]).dictionary_encode(),
    "dictionary of integers": arrow.array([1, 2, 3]).dictionary_encode(),
    "chunks": arrow.chunked_array([["0", "1", "2"], ["3", "x"]]).slice(1, 3),
}  # fmt: skip


@pytest.mark.parametrize("kind", TYPES)
def test_types_of_columns(kind: str) -> None:
    columns = {"mention": TYPES[kind], "entity": TYPES[kind], "document": TYPES[kind]}
    for content in (parquet(columns), arrow_file(columns), arrow_file(columns, stream=True, compression="zstd")):
        corpus = read(content)
        assert isinstance(corpus.mentions, Labels)
        assert corpus.entities() == {"1": [[1]], "2": [[2]], "3": [[3]]}
        assert [str(name) for name in corpus.entity_name] == ["1", "2", "3"]
        assert corpus.lines is None
        columns = {"start": TYPES[kind], "end": TYPES[kind], "entity": TYPES[kind]}
        assert read(parquet(columns)).entities() == {"": [[(1, 1)], [(2, 2)], [(3, 3)]]}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.5], "double, and not all are whole numbers"),
        ([2.0**60], "double, and not all are whole numbers"),
        ([True], "bool"),
        ([[1]], "list<element: int64>"),
        ([dt.date(2020, 1, 1)], r"date32\[day\]"),
        (arrow.array([1]).cast(arrow.decimal128(30, 2)), r"decimal128\(30, 2\)"),
    ],
)  # fmt: skip
def test_types_that_are_no_labels(values: Any, kind: str) -> None:
    (said,) = faults(parquet({"mention": values, "entity": [1]}))
    assert re.fullmatch(
        f"column 'mention' is of type {kind}; expected integers or text; cast it to int64 or string", said
    )


def test_text_in_arrow_that_csv_could_not_hold() -> None:
    corpus = read(arrow_file({"mention": ["a\0b", 'c"', "x\ny"], "entity": ["\0", "é", "z"]}, stream=True))
    assert corpus.entities() == {"": [["a\0b"], ['c"'], ["x\ny"]]}


def test_damaged_files() -> None:
    columns = {"mention": [1, 2, 3], "entity": ["a", "b", "c"]}
    for content in (parquet(columns), arrow_file(columns), arrow_file(columns, stream=True)):
        for damaged in (content[:20], content[: len(content) // 2]):
            (said, *_) = faults(damaged)
            assert said.startswith("damaged, or of a kind that pyarrow cannot read (")


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    content = parquet({"mention": [1], "entity": [2]})
    corpus = read("mention,entity\n1,2\n")
    for name in [name for name in sys.modules if name.split(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    expected = 'Parquet and Arrow need pyarrow, which is not installed; pip install "corefeval[tables]"'
    assert faults(content) == [expected]
    assert read("mention,entity\n1,2\n").entities() == corpus.entities()
    assert table.write(corpus, ".tsv") == b"mention\tentity\n1\t2\n"
    for suffix in (".parquet", ".arrow", ".feather"):
        with pytest.raises(InputError, match=re.escape(f"a {suffix} file: {expected}")):
            table.write(corpus, suffix)


def test_csv_is_read_without_loading_pyarrow() -> None:
    code = (
        "import sys, corefeval.formats.table as t; from corefeval.formats.base import File;"
        "t.write(t.read(File('', b'id,entity\\n1,2\\n', '', None)));"
        "sys.exit(any(name.startswith(('pyarrow', 'pandas')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# recognising


def test_what_is_a_table() -> None:
    columns = {"mention": [1], "entity": [2]}
    assert table.recognise(parquet(columns)) == "begins as Parquet"
    assert table.recognise(arrow_file(columns)) == "begins as Arrow"
    assert table.recognise(arrow_file(columns, stream=True)) == "begins as an Arrow stream"
    for content in (
        b"id,cluster\n",
        b"\xef\xbb\xbfid;x;cluster",
        b"\n\nID\tCLUSTER\r\n",
        b'"id"|"a\nb"|"label"\n',
        b"begin,end,label\r1,2,3",
    ):
        assert table.recognise(content).startswith("a first row with the columns ")


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n", b"\xff", b"PAR", b"id", b"id cluster", b"id,name\n1,2\n", b"entity,type\n", b"start,entity\n", b'"id","cluster',
        b"#begin document (a); part 000\na\t0\t0\tw\t(1)\n", b'{"mention": 1, "entity": 2}', b"T1\tentity 0 1\tid,entity\n",
        b"the entity, which has no id, and the mention\n", b"# mention,entity\n", b"<DOC><COREF ID=\"1\">id,cluster</COREF></DOC>",
        b"#FORMAT=WebAnno TSV 3.3\n", b'c="id" 1:0 1:0||c="entity" 2:0 2:0\n', b"1\tentity\t_\t_\tid\n",
    ],
)  # fmt: skip
def test_what_is_not_a_table(content: bytes) -> None:
    assert table.recognise(content) == ""


def test_tables_are_recognised_among_the_formats(tmp_path: Path) -> None:
    content = table.write(read("doc,start,end,cluster\nd,0,1,c\n"))
    for name in ("a.csv", "a.txt", "a"):
        path = tmp_path / name
        path.write_bytes(content)
        corpus = corefeval.read(path)
        assert corpus.format == "table"
        assert corpus.entities() == {"d": [[(0, 1)]]}
    assert registry.recognise("x.tsv", b"what ever\n").name in ("table", "inception", "litbank")


# writing


def test_what_is_written() -> None:
    corpus = read('doc,mention,entity,type\nd,1,a,PER\nd,x,b,\nd,2,a,"x,"\n', attributes="type")
    assert table.write(corpus) == b'document,mention,entity,type\nd,1,a,PER\nd,x,b,\nd,2,a,"x,"\n'
    assert table.write(corpus, ".tsv") == b'document\tmention\tentity\ttype\nd\t1\ta\tPER\nd\tx\tb\t\nd\t2\ta\t"x,"\n'
    assert table.write(read("begin,end,label\n4,5,7\n")) == b"start,end,entity\n4,5,7\n"
    with pytest.raises(OptionError, match=r"suffix='.xls' is not possible"):
        table.write(corpus, ".xls")


def test_rows_are_written_in_an_order_that_keeps_that_of_entities_and_documents() -> None:
    kept = Corpus.from_labels(mention=[5, 3, 4, 1], entity=["a", "b", "a", "b"])
    assert table.write(kept) == b"mention,entity\n5,a\n3,b\n4,a\n1,b\n"
    sorted_ = Corpus.from_labels(mention=[1, 2, 3], entity=["a", "b", "c"], document=["d", "e", "d"])
    assert table.write(sorted_) == b"document,mention,entity\nd,1,a\nd,3,c\ne,2,b\n"


def test_parquet_and_arrow_keep_integers() -> None:
    corpus = read("mention,entity\n1,2\n3,2\n")
    written = {suffix: table.write(corpus, suffix) for suffix in KINDS[2:]}
    assert written[".arrow"] == written[".feather"]
    assert [str(kind) for kind in arrow_parquet.read_table(io.BytesIO(written[".parquet"])).schema.types] == [
        "int64"
    ] * 2
    assert [str(kind) for kind in arrow.ipc.open_file(written[".arrow"]).schema.types] == ["int64"] * 2


@pytest.mark.parametrize("suffix", KINDS)
@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([(0, 1), (3, 3)], [(0, 1), (3, 3)]),
        ([(0, 1), (3, 2)], [(0, 1), (3, 2)]),
        ([(0, 1), 7], [(0, 1), 7]),
        ([("s\n", 1), ("é",), (), "x"], [("s\n", 1), ("é",), (), "x"]),
        ([((0, 1), (3, 4))], [((0, 1), (3, 4))]),
        ([1.5, 2.0, True, None], ["1.5", 2, 1, "null"]),
        ([(1.5, 2), (None,), (1, (True,))], ["[1.5, 2]", "[null]", "[1, [true]]"]),
        (["7", "007", " x ", "ü,"], [7, "007", " x ", "ü,"]),
        ([10**30], [str(10**30)]),
        ([2**64 - 1, 1], [2**64 - 1, 1]),
    ],
    ids=str,
)
def test_labels_of_any_kind(labels: list[Any], expected: list[Any], suffix: str) -> None:
    corpus = Corpus.from_entities({"d": [labels]})
    again = read(table.write(corpus, suffix))
    assert again.entities() == {"d": [expected]}


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([""], "mention '' cannot be a cell of a table"),
        (["x", " \t"], r"mention ' \\t' cannot be a cell of a table"),
        (["a\0"], r"mention 'a\\x00' cannot be a cell of a table"),
        (["\ud800"], r"mention '\\ud800' cannot be a cell of a table"),
        ([frozenset([1])], r"mention frozenset\(\{1\}\) cannot be a cell of a table"),
        ([1, "1"], "mentions 1 and '1' would be the same in a table"),
    ],
)
def test_labels_that_no_cell_can_hold(labels: list[Any], said: str) -> None:
    with pytest.raises(InputError, match=f"^corpus: {said}; expected "):
        table.write(Corpus.from_entities({"d": [labels]}))


@pytest.mark.parametrize("suffix", KINDS)
def test_names_that_no_cell_can_hold_are_replaced(suffix: str) -> None:
    corpus = Corpus.from_labels(
        mention=[1, 2, 3, 4, 5, 6],
        entity=["", " ", "_", "a\0b", "a_b", "x\ny"],
        document=["", "_", "d", "d", "d", "d"],
    )
    again = read(table.write(corpus, suffix))
    assert again.documents == ("__2", "_", "d")  # a name that a cell can hold stays
    assert [set(map(str, names)) for names in (again.entity_name,)] == [{"_", "a_b", "a_b_2", "x\ny"}]
    assert again.entities() == {"__2": [[1]], "_": [[2]], "d": [[3], [4], [5], [6]]}


def test_entities_of_the_same_name_stay_apart() -> None:
    corpus = Corpus.from_labels(mention=[1, 2], entity=["a", "b"]).replace(entity_name=["x", "x"])
    assert read(table.write(corpus)).entities() == {"": [[1], [2]]}
    numbers = corpus.replace(entity_name=np.array([4, 4]))
    assert read(table.write(numbers)).entities() == {"": [[1], [2]]}


@pytest.mark.parametrize("suffix", KINDS)
def test_attributes_come_back(suffix: str) -> None:
    columns = {"type": ["PER", "", "a,b"], "Label": ["1", "2", "007"], "end": ["x", "", "y"], "start": ["1", "2", "3"],
               "entity": ["p", "q", "r"], "": ["u", "", 'v"'], "Type": ["", "", "z\n"]}  # fmt: skip
    corpus = Corpus.from_labels(mention=["m1", "m2", "m3"], entity=[1, 1, 2]).replace(attributes=columns)
    again = read(table.write(corpus, suffix), attributes="*")
    assert again.entities() == {"": [["m1", "m2"], ["m3"]]}
    assert list(again.attributes) == ["type", "Label", "end_2", "start_2", "entity_2", "_", "Type_2"]
    assert [list(values) for values in again.attributes.values()] == list(columns.values())


def test_a_corpus_of_words_becomes_positions_and_one_of_characters_pairs() -> None:
    spans = Spans(np.array([0, 3]), np.array([1, 3]))
    base = Corpus(("d",), np.array([0]), ["Kim"], np.array([0, 0]), spans)
    words = base.replace(tokens=Tokens.from_words([["Kim", "Lee", "saw", "herself"]]))
    part, _ = fit_corpus(words, table.CAPACITY, "table")
    assert table.write(part) == b"document,start,end,entity\nd,0,1,Kim\nd,3,3,Kim\n"
    characters = base.replace(texts=("Kim Lee saw herself",), mentions=Spans(np.array([0, 12]), np.array([6, 18])))
    part, _ = fit_corpus(characters, table.CAPACITY, "table")
    assert table.write(part) == b'document,mention,entity\nd,"[0, 6]",Kim\nd,"[12, 18]",Kim\n'


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
MARKED = st.text('a1,;|\t\n\r" é', max_size=4)
CELL = TEXT | MARKED
LABEL = CELL.filter(lambda text: text.strip(" \t\n\r\v\f"))
INTEGER = st.integers(-30, 10**19).map(str)


@given(
    rows=st.lists(st.tuples(INTEGER | LABEL, INTEGER | LABEL, LABEL, CELL), max_size=8),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    end=st.sampled_from(["\n", "\r\n"]),
    quote_all=st.booleans(),
    way=st.sampled_from(list(WAYS)),
)
@settings(max_examples=3 * settings().max_examples)
def test_what_the_standard_library_writes_is_read(
    rows: list[tuple[str, str, str, str]], separator: str, end: str, quote_all: bool, way: str
) -> None:
    content = io.StringIO(newline="")
    writer = csv.writer(
        content, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    )
    writer.writerow(["mention", "document", "entity", "note"])
    # The writer leaves a carriage return bare where lines end in line feeds.
    quoted_by_hand = any("\r" in cell for row in rows for cell in row) and not quote_all
    if quoted_by_hand:
        writer = csv.writer(content, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows(rows)
    with pytest.MonkeyPatch.context() as patch:
        set_way(patch, way)
        corpus = read(content.getvalue(), attributes="mention+document+entity+note")
    assert list(zip(*corpus.attributes.values(), strict=True)) == rows
    assert [str(each) for each in corpus.mentions.objects()] == [row[0] for row in rows]
    assert [corpus.documents[number] for number in corpus.document.tolist()] == [row[1] for row in rows]
    assert [str(corpus.entity_name[number]) for number in corpus.entity.tolist()] == [row[2] for row in rows]
    if corpus.lines is not None and len(rows):
        line = 2 + np.cumsum([0, *(1 + "".join(row).count("\n") for row in rows[:-1])])
        assert corpus.lines.tolist() == line.tolist()


@given(content=st.text('ab1," \n', max_size=40), way=st.sampled_from(list(WAYS)))
@settings(max_examples=4 * settings().max_examples)
@example(content='"\n",b', way="csv")
@example(content='a,""""\n1,"b"', way="pyarrow")
@example(content='a",b\n"1,",2', way="pyarrow")
def test_what_is_read_without_a_fault_is_what_others_read(content: str, way: str) -> None:
    header = "mention,entity\n"
    with pytest.MonkeyPatch.context() as patch:
        set_way(patch, way)
        try:
            corpus = read(header + content, attributes="mention+entity")
        except InputError:
            return
    found = list(zip(*corpus.attributes.values(), strict=True))
    ours = [
        row
        for row in csv.reader(io.StringIO(header + content, newline=""), strict=True)
        if any(cell.strip() for cell in row)
    ]
    assert found == [tuple(row) for row in ours[1:]]
    if found:
        options = arrow_csv.ConvertOptions(
            column_types={"mention": "string", "entity": "string"}, strings_can_be_null=False
        )
        parse = arrow_csv.ParseOptions(newlines_in_values=True)
        plain = re.sub(r"(?m)^( *|,)\n", "", header + content + "\n")
        if '"' not in content:
            theirs = arrow_csv.read_csv(io.BytesIO(plain.encode()), convert_options=options, parse_options=parse)
            assert found == list(zip(*(theirs[name].to_pylist() for name in ("mention", "entity")), strict=True))


@given(
    rows=st.lists(st.tuples(INTEGER | LABEL, INTEGER | LABEL, LABEL, CELL), max_size=8),
    suffix=st.sampled_from(KINDS),
)
@settings(max_examples=2 * settings().max_examples)
def test_every_kind_of_table_says_the_same(rows: list[tuple[str, str, str, str]], suffix: str) -> None:
    columns = dict(
        zip(("mention", "document", "entity", "note"), zip(*rows, strict=True) if rows else [()] * 4, strict=True)
    )
    stored = {name: arrow.array(list(values), "string") for name, values in columns.items()}
    from_parquet = read(parquet(stored), attributes="note")
    from_arrow = read(arrow_file(stored, stream=True, compression="lz4"), attributes="note")
    again = read(table.write(from_parquet, suffix), attributes="note")
    assert from_parquet.documents == from_arrow.documents == again.documents
    assert from_parquet.entities() == from_arrow.entities()
    assert named(from_parquet) == named(again)
    assert [str(name) for name in again.entity_name] == [str(name) for name in from_parquet.entity_name]
    assert isinstance(again.mentions, Labels) == isinstance(from_parquet.mentions, Labels)
    by_label = [
        dict(zip(each.mentions.objects(), each.attributes["note"], strict=True)) for each in (from_parquet, again)
    ]
    if len(by_label[0]) == len(rows):
        assert by_label[0] == by_label[1]


@given(
    spans=st.dictionaries(st.tuples(st.sampled_from("de"), st.integers(0, 99), st.integers(0, 9)), LABEL, max_size=8),
    suffix=st.sampled_from(KINDS),
)
def test_positions_come_back(spans: dict[tuple[str, int, int], str], suffix: str) -> None:
    start = np.array([start for _, start, _ in spans], dtype=np.int64)
    corpus = Corpus.from_labels(
        mention=start, entity=list(spans.values()), document=[document for document, _, _ in spans]
    ).replace(mentions=Spans(start, start + np.array([length for _, _, length in spans], dtype=np.int64)))
    again = read(table.write(corpus, suffix))
    assert isinstance(again.mentions, Spans)
    assert named(again) == named(corpus)
    assert again.documents == corpus.documents


VALID = 'document,start,end,entity,note\nd,0,1,Kim,"a ""b"", c"\nd,3,3,Lee,\n"e\n",5,7,Kim,é\ne,1,1,7,x\n'.encode()


@given(data=st.data())
def test_damage_is_a_fault_or_another_table(data: st.DataObject) -> None:
    content = bytearray(VALID)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        kind = data.draw(st.sampled_from(["delete", "insert", "replace", "line", "cut"]))
        if kind == "delete":
            del content[place : place + data.draw(st.integers(1, 9))]
        elif kind == "insert":
            content[place:place] = data.draw(
                st.binary(max_size=4) | st.sampled_from([b'"', b",", b"\n", b"\r", b"\xff", b"\0"])
            )
        elif kind == "replace":
            content[place : place + 1] = data.draw(st.binary(min_size=1, max_size=1))
        elif kind == "line":
            lines = content.split(b"\n")
            lines.insert(data.draw(st.integers(0, len(lines))), data.draw(st.sampled_from(lines)))
            content = bytearray(b"\n".join(lines))
        else:
            del content[place:]
    table.recognise(bytes(content))
    with pytest.MonkeyPatch.context() as patch:
        set_way(patch, data.draw(st.sampled_from(list(WAYS))))
        try:
            corpus: Corpus | None = read(bytes(content), attributes=data.draw(st.sampled_from(["", "*"])))
        except InputError as error:
            places = [fault.line for fault in error.faults]
            corpus = None
    if corpus is None:
        assert all(places)
        return
    again = read(table.write(corpus))
    assert named(again) == named(corpus)
    assert len(again) == len(corpus)


@given(
    content=st.binary(max_size=60),
    magic=st.sampled_from([b"", b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff", b"mention,entity\n"]),
)
def test_any_bytes(content: bytes, magic: bytes) -> None:
    table.recognise(magic + content)
    try:
        read(magic + content)
    except InputError:
        return


_CELLS = ("a", "b", "7", "007", "-1", "-7", "+7", "7.0", "9.0", " a", "a ", "é", " é", "NULL", "nan", "N/A", "[0, 3]")
_MORE_CELLS = ("[0,3]", "12345678901234567890", "99999999999999999999", "-", "0", "00", "1a", "a1", "[x]", "", " ")


@given(
    rows=st.lists(st.tuples(*[st.sampled_from(_CELLS + _MORE_CELLS)] * 3), min_size=1, max_size=12),
    singletons=st.sampled_from(["", "blank", "NULL+-1"]),
)
@settings(max_examples=2 * settings().max_examples)
@example(rows=[("7.0", "a", "x"), ("9.0", "b", "x")], singletons="")
@example(rows=[("a", "-1", "x"), ("b", "-1", "x"), ("c", "c", "x")], singletons="")
@example(rows=[("-7", "-1", "x"), ("7", "-7", "x")], singletons="")
def test_every_way_of_reading_says_the_same(rows: list[tuple[str, str, str]], singletons: str) -> None:
    """Labels, names, notices and faults, whether texts stay in Arrow or are Python's from the start."""
    text = "mention,entity,document\n" + "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows)
    found: list[object] = []
    for way in WAYS:
        with pytest.MonkeyPatch.context() as patch:
            set_way(patch, way)
            try:
                corpus = read(text, singletons=singletons)
            except InputError as error:
                found.append(("faults", str(error)))
                continue
            notices = [(notice.kind, notice.message) for notice in corpus.notices]
            labels = [(type(label), label) for label in corpus.mentions.objects()]
            found.append((labels, corpus.documents, corpus.entities(), list(map(str, corpus.entity_name)), notices))
    assert all(each == found[0] for each in found)


def test_texts_in_arrow_are_matched_as_python_s_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where some are repeated, where only one side is in Arrow, and after pickling."""
    rng = np.random.default_rng(3)
    for repeats in (False, True):
        sides = {}
        for side in ("key", "response"):
            ids = rng.integers(0, 60, 50) if repeats else rng.permutation(60)[:50]
            rows = [f"id-{number},c{rng.integers(0, 9)}" for number in ids.tolist()]
            text = "mention,entity\n" + "\n".join(rows) + "\n"
            for way in ("csv", "pyarrow"):
                set_way(monkeypatch, way)
                sides[side, way] = read(text)
            monkeypatch.undo()
            assert isinstance(sides[side, "pyarrow"].mentions, Texts)
            assert not isinstance(sides[side, "csv"].mentions, Texts)
        plain = corefeval.score(sides["key", "csv"], sides["response", "csv"])
        again = pickle.loads(pickle.dumps(sides["response", "pyarrow"]))
        for key, response in (
            (sides["key", "pyarrow"], sides["response", "pyarrow"]),
            (sides["key", "csv"], sides["response", "pyarrow"]),
            (sides["key", "pyarrow"], sides["response", "csv"]),
            (sides["key", "pyarrow"], again),
        ):
            assert dict(corefeval.score(key, response)) == dict(plain)
        some = np.array([3, 1, 4])
        taken = sides["key", "pyarrow"].mentions.take(some)
        assert taken.objects() == sides["key", "csv"].mentions.take(some).objects()
        assert list(again.entity_name) == list(sides["response", "csv"].entity_name)
        assert again.entity_name[1:3] == sides["response", "csv"].entity_name[1:3]
