"""`corefeval score` on tables of records, counted by an engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import get_output, run

KEY = "id,cluster,region\n1,a,north\n2,a,north\n3,b,south\n4,b,south\n"
RESPONSE = "record_id,person\n1,p\n2,p\n3,p\n4,q\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_text(KEY, encoding="utf-8")
    response.write_text(RESPONSE, encoding="utf-8")
    return key, response


COLUMNS = ("--response-columns", "cluster=person")


@pytest.mark.parametrize("engine", ["duckdb", "memory"])
def test_engines_print_what_memory_prints(files: tuple[Path, Path], engine: str) -> None:
    plain = json.loads(get_output("score", *files, *COLUMNS, "-m", "all", "--json", "-q"))
    counted = json.loads(get_output("score", *files, *COLUMNS, "-m", "all", "--json", "--engine", engine))
    assert counted["evaluations"][0]["measures"] == plain["evaluations"][0]["measures"]


def test_groups_are_shown_below_the_scores_of_all_records(files: tuple[Path, Path]) -> None:
    printed = get_output("score", *files, *COLUMNS, "-m", "muc", "--by", "region")
    assert "2 groups, 4 records in 2 entities" in printed
    lines = [line.split() for line in printed.splitlines()]
    assert ["muc", "50.00", "50.00", "50.00"] in lines  # by hand: one of two links
    assert ["north", "100.00"] in lines
    assert ["south", "0.00"] in lines  # 3 and 4 are apart, so there is no link: recall is 0/1, precision 0/0


@pytest.mark.parametrize("engine", ["duckdb", "memory"])
def test_groups_of_records_in_documents(tmp_path: Path, engine: str) -> None:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    rows = "d1,1,a,north\nd1,2,a,north\nd2,1,a,north\nd2,2,a,south\n"
    key.write_text(f"document,id,cluster,region\n{rows}", encoding="utf-8")
    response.write_text("document,id,cluster\nd1,1,x\nd1,2,x\nd2,1,y\nd2,2,z\n", encoding="utf-8")
    printed = get_output("score", key, response, "-m", "muc", "--by", "region", "--engine", engine)
    lines = [line.split() for line in printed.splitlines()]
    assert ["muc", "50.00", "100.00", "66.67"] in lines  # by hand: a link in each document, one of them found
    assert ["north", "100.00"] in lines  # a of d2 is another entity than a of d1


def test_one_file_with_both_labels(tmp_path: Path) -> None:
    table = tmp_path / "records.csv"
    table.write_text("id,truth,found\n1,a,x\n2,a,x\n3,b,x\n", encoding="utf-8")
    options = ("--key-columns", "cluster=truth", "--response-columns", "cluster=found")
    printed = get_output("score", table, table, *options, "--engine", "duckdb", "-b", "-m", ["pairwise", "f1"][0])
    assert printed.strip() == "50.00"  # recall 1/1, precision 1/3
    same = run(
        "score",
        table,
        table,
        "--engine",
        "duckdb",
        "--key-columns",
        "cluster=truth",
        "--response-columns",
        "cluster=truth",
    )
    assert same.returncode == 2
    assert "the same column of one table" in same.stderr


def test_records_without_a_label_are_refused_or_decided(tmp_path: Path) -> None:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_text("id,cluster\n1,a\n2,\n", encoding="utf-8")
    response.write_text("id,cluster\n1,x\n2,y\n", encoding="utf-8")
    refused = run("score", key, response, "--engine", "duckdb")
    assert refused.returncode == 65
    assert "1 of 2 records of the key without a label (cluster); expected a label for every record" in refused.stderr
    decided = run("score", key, response, "--missing-labels", "singleton", "-m", "mentions")
    assert decided.returncode == 0
    assert "each taken for an entity of its own" in decided.stderr


def test_decisions_of_corpora_are_not_an_engines(files: tuple[Path, Path]) -> None:
    refused = run("score", *files, *COLUMNS, "--engine", "duckdb", "--singletons", "drop")
    assert refused.returncode == 2
    assert "it takes no profile, decision, layer or baseline" in refused.stderr


def test_files_that_are_no_tables_are_named(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_text("#begin document (a);\n", encoding="utf-8")
    refused = run("score", path, path, "--engine", "duckdb", "--key-columns", "id=x", "--response-columns", "id=y")
    assert refused.returncode == 2
    assert "DuckDB reads Parquet, Arrow, CSV and TSV files" in refused.stderr
