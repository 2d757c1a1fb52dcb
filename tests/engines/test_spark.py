"""Spark: whose sessions are, when they end and what is left in them; it reads, counts and scores as others do.

All tests on Spark stand here, so that one process runs them on one session, which starts slowly.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import corefeval
from corefeval.engines import spark as engine
from corefeval.engines import sql
from corefeval.engines.counting import count_table, open_sides
from corefeval.engines.duckdb import DuckDbEngine
from corefeval.engines.memory import count_in_memory
from corefeval.engines.records import RecordTables, TableSide
from corefeval.engines.spark import SparkEngine, open_session
from tests.cli.running import get_output, run
from tests.engines.tables import REWRITTEN, RandomTables, assert_same, name_documents, write_both_layouts
from tests.engines.tangles import spy_on_reductions

COLUMNS: dict[str, Any] = {"key": "cluster", "response": "cluster", "id": "id"}


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session of Spark in local mode; skips where no Java machine is at hand."""
    if shutil.which("java") is None:
        pytest.skip("there is no Java machine, which Spark needs")
    pyspark = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # of workers; otherwise the first `python3` of the path
    builder = pyspark.SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "3")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))  # not in this folder
    # Tables are small and queries many: compiling for long runs would take twice the time of all else.
    builder = builder.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    session = builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR").getOrCreate()
    yield session
    session.stop()


class Session:
    """A session that was started on a master's address, and lasts until it is stopped; another one does the work."""

    def __init__(self, worker: Any, master: str) -> None:
        self.worker, self.master, self.is_stopped = worker, master, False

    def __getattr__(self, name: str) -> Any:
        assert not self.is_stopped, f"{name} after the end"
        return getattr(self.worker, name)

    def stop(self) -> None:
        self.is_stopped = True


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[Session]:
    """Sessions that are started while a test runs in which none runs before; those of tests that count do count."""
    sessions: list[Session] = []
    worker = request.getfixturevalue("spark") if "spark" in request.fixturenames else None

    def start(master: str) -> Session:
        sessions.append(Session(worker, master))
        return sessions[-1]

    monkeypatch.setattr(engine, "_find_running", lambda: None)
    monkeypatch.setattr(engine, "_start_session", start)
    return sessions


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_session_that_was_started_ends_whatever_happens(started: list[Session], error: type[BaseException]) -> None:
    def count() -> None:
        with SparkEngine("spark://host:7077"):
            assert [each.is_stopped for each in started] == [False]
            raise error

    with pytest.raises(error):
        count()
    assert [(each.master, each.is_stopped) for each in started] == [("spark://host:7077", True)]


def test_a_session_ends_although_views_cannot_be_dropped(started: list[Session]) -> None:
    def fail() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError), SparkEngine() as running:
        running._closing.callback(fail)
    assert [each.is_stopped for each in started] == [True]


@pytest.mark.usefixtures("started")
def test_a_session_that_is_given_goes_on() -> None:
    own = Session(None, "")
    with SparkEngine(own):
        pass
    assert not own.is_stopped


def test_the_session_that_runs_is_taken_and_goes_on(spark: Any) -> None:
    with open_session() as found:
        assert found.sparkContext is spark.sparkContext
    with open_session("local[2]") as found:
        assert found.sparkContext is spark.sparkContext
    with pytest.raises(corefeval.OptionError, match=r"runs in this process on local\[2\], not on spark://host:7077"):
        SparkEngine("spark://host:7077")
    frames = tuple(spark.createDataFrame([(1, 1), (2, 1)], ["id", "cluster"]) for _ in range(2))
    before = spark.catalog.listTables()
    assert corefeval.score_table(frames, **COLUMNS, measures="muc")["muc"].recall == 1
    assert spark.range(3).count() == 3
    assert spark.catalog.listTables() == before
    assert not spark.sparkContext._jsc.getPersistentRDDs()


def test_a_command_starts_one_session(spark: Any, started: list[Session], tmp_path: Path) -> None:
    assert spark is not None
    key, *responses = (tmp_path / f"{name}.parquet" for name in ("key", "one", "two"))
    pq.write_table(pa.table({"id": [1, 2, 3, 4], "cluster": ["a", "a", "b", "b"]}), key)
    for path, last in zip(responses, "xy", strict=True):
        pq.write_table(pa.table({"id": [4, 3, 2, 1], "cluster": [last, "x", "z", "z"]}), path)
    command = ("score", key, *responses, "--engine", "spark", "--master", "local[2]", "-m", "muc", "-b")
    assert get_output(*command).split() == ["100.00", "66.67"]  # by hand: 2 of 2 links; recall 1/2, precision 1/1
    assert [(each.master, each.is_stopped) for each in started] == [("local[2]", True)]
    started.clear()
    refused = run(*command, "--response-columns", "cluster=none")
    assert refused.returncode in (2, 65)
    assert [each.is_stopped for each in started] == [True]


def test_files_that_spark_cannot_read_are_named(spark: Any, tmp_path: Path) -> None:
    good, broken, short, other = (tmp_path / each for each in ("good.csv", "broken.parquet", "short.csv", "other"))
    good.write_text("id,cluster,note\n1,a,x\n2,a,y\n", encoding="utf-8")
    broken.write_bytes(b"PAR1 is how it begins, and PAR1")
    short.write_text("id,cluster,note\n1,a,x\n2,a\n", encoding="utf-8")
    other.mkdir()
    (other / "1.csv").write_text("id,cluster\n1,a\n", encoding="utf-8")
    (other / "2.csv").write_text("cluster,id\na,2\n", encoding="utf-8")
    for bad in (broken, short, other):
        with pytest.raises(corefeval.InputError):
            corefeval.score_table((str(good), str(bad)), **COLUMNS, engine="spark", session=spark, measures="muc")


def test_a_line_break_in_a_cell_of_csv_makes_no_row(spark: Any, tmp_path: Path) -> None:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_text("id,cluster\n1,a\n2,a\n", encoding="utf-8")
    response.write_text('id,cluster,note\n1,a,"x\n3,b,"\n2,a,y\n', encoding="utf-8")  # a cell that looks like a row
    columns = {**COLUMNS, "measures": "mentions"}
    found = corefeval.score_table((str(key), str(response)), **columns, engine="spark", session=spark)["mentions"]
    assert (found.recall, found.precision) == (1, 1)


@pytest.mark.parametrize("seed", range(2))
def test_spark_scores_as_entities_are_scored(seed: int, spark: Any) -> None:
    tables = RandomTables.draw(random.Random(seed))
    frames = tuple(spark.createDataFrame(each).repartition(3) for each in tables.to_arrow())
    found = corefeval.score_table(frames, **COLUMNS, measures="all", session=spark)
    assert_same(found, tables.score())


def test_spark_takes_dominant_cells_and_scores_the_same(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = spy_on_reductions(monkeypatch)
    tables = RandomTables.draw(random.Random(11), most=150, wrong=0.15)
    frames = tuple(spark.createDataFrame(each).repartition(3) for each in tables.to_arrow())
    found = corefeval.score_table(frames, **COLUMNS, measures="ceafm, ceafe", session=spark)
    assert_same(found, tables.score("ceafm, ceafe"))
    assert taken == [True]


def test_engines_count_the_same_histograms(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    key, response = map(name_documents, RandomTables.draw(random.Random(7), most=200).to_arrow())
    for document in ("", "document"):
        sides = (
            TableSide(key, "cluster", ("id",), document, "region"),
            TableSide(response, "cluster", ("id",), document),
        )
        tables = RecordTables(*sides)
        expected = count_in_memory(tables, with_tangle=False)
        with DuckDbEngine() as duckdb, DuckDbEngine() as by_sql, SparkEngine(spark) as on_spark:
            monkeypatch.setattr(by_sql, "find_room", lambda: 0)
            for each in (duckdb, by_sql, on_spark):
                counted = count_table(each, tables, with_tangle=False)
                assert counted.whole == expected.whole
                assert counted.parts == expected.parts


def test_joining_shuffles_every_raw_row_once(spark: Any) -> None:
    key, response = (spark.createDataFrame(each) for each in RandomTables.draw(random.Random(1)).to_arrow())
    tables = RecordTables(TableSide(key, "cluster", ("id",)), TableSide(response, "cluster", ("id",)))
    with SparkEngine(spark) as on_spark:
        spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
        records = sql.select_records(*open_sides(on_spark, tables), tables, on_spark.dialect)
        query = sql.make_cells(records, (), on_spark.dialect).partition(" ")[2]
        plan = spark.sql(query)._jdf.queryExecution().executedPlan().toString()
        spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
    by_id = [line for line in plan.splitlines() if "Exchange hashpartitioning(id0" in line]
    by_labels = [line for line in plan.splitlines() if "Exchange hashpartitioning(a" in line]
    assert len(by_id) == 2  # each table once
    assert len(by_labels) == 1  # what is left of their rows after counting within partitions
    assert plan.count("Exchange") == 3
    assert plan.index("HashAggregate") < plan.index(by_labels[0].strip()) < plan.rindex("HashAggregate")


def test_spark_reads_both_layouts_of_arrow_files(spark: Any, tmp_path: Path) -> None:
    tables = RandomTables.draw(random.Random(5), most=80)
    found = corefeval.score_table(
        write_both_layouts(tables, tmp_path), **COLUMNS, engine="spark", session=spark, measures="muc,bcub"
    )
    assert_same(found, tables.score("muc,bcub"))


def test_spark_rewrites_histograms_as_entities_are_rewritten(spark: Any) -> None:
    tables = RandomTables.draw(random.Random(2))
    frames = tuple(spark.createDataFrame(each).repartition(3) for each in tables.to_arrow())
    found = corefeval.score_table(frames, **COLUMNS, measures=REWRITTEN, session=spark)
    assert_same(found, tables.score(REWRITTEN))
