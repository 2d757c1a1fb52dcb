"""Arrow files in both layouts, which all engines read, and what they say of files that they do not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, ipc

import corefeval
from corefeval.engines.duckdb import DuckDbEngine
from corefeval.engines.records import TableSide
from corefeval.engines.spark import _split_file
from tests.engines.tables import RandomTables, assert_same, write_both_layouts

COLUMNS: dict[str, Any] = {"key": "cluster", "response": "cluster", "id": "id"}


def write_stream(table: pa.Table, path: Path) -> None:
    with ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=7)


@pytest.fixture
def tables() -> RandomTables:
    return RandomTables.draw(random.Random(5), most=80)


@pytest.fixture
def paths(tables: RandomTables, tmp_path: Path) -> tuple[str, str]:
    return write_both_layouts(tables, tmp_path)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_both_layouts_are_read(tables: RandomTables, paths: tuple[str, str], engine: Any) -> None:
    assert_same(corefeval.score_table(paths, **COLUMNS, engine=engine), tables.score("default"))


def test_tasks_read_every_batch_once(paths: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(Path(paths[0]) / "0.feather")
    with pa.memory_map(path) as mapped:
        many = ipc.open_file(mapped).num_record_batches
    assert many > 2
    for per_task in (1, Path(path).stat().st_size // 2, 10**9):
        monkeypatch.setattr("corefeval.engines.spark._PER_TASK", per_task)
        parts = [batches for _, batches in _split_file(path) if batches is not None]
        assert [number for batches in parts for number in batches] == list(range(many))
    assert _split_file(paths[1]) == [(paths[1], None)]


def test_folders_of_a_partitioned_table_are_columns(tmp_path: Path) -> None:
    table = pa.table({"truth": ["a", "a", "b"]})
    for region, write in (("north", write_stream), ("south", feather.write_feather)):
        (tmp_path / f"region={region}").mkdir()
        write(table, tmp_path / f"region={region}" / "part.arrow")
    with DuckDbEngine() as engine:
        relation, _ = engine.open_side(TableSide(str(tmp_path), "truth"))
        found = engine.fetch_rows(f"SELECT region, count(*) FROM {relation} GROUP BY region ORDER BY region")
    assert found == [("north", 3), ("south", 3)]


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_files_that_are_no_arrow_files_are_named(paths: tuple[str, str], engine: Any, tmp_path: Path) -> None:
    for place, content in enumerate((b"", b"ARROW1 and no more", b"\xff\xff\xff\xff and no more")):
        broken = tmp_path / f"{place}.arrow"
        broken.write_bytes(content)
        with pytest.raises(corefeval.InputError, match=rf"{place}\.arrow"):
            corefeval.score_table((paths[0], str(broken)), **COLUMNS, engine=engine)


def test_files_of_one_table_have_the_same_columns_and_are_of_one_kind(paths: tuple[str, str], tmp_path: Path) -> None:
    write_stream(pa.table({"id": [1], "label": [1]}), Path(paths[0]) / "2.feather")
    with pytest.raises(corefeval.InputError, match=r"2\.feather: columns id int64, label int64; expected those of "):
        corefeval.score_table(paths, **COLUMNS, engine="duckdb")
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    write_stream(pa.table({"id": [1], "cluster": [1]}), mixed / "1.arrow")
    (mixed / "2.csv").write_text("id,cluster\n2,1\n", encoding="utf-8")
    with pytest.raises(corefeval.InputError, match=r"2\.csv: a table's files are of one kind; expected a file like "):
        corefeval.score_table((paths[1], str(mixed)), **COLUMNS, engine="duckdb")
