"""Spark as an engine: tables beyond one machine, on a cluster or in local mode."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Self

from corefeval._arrays import Array, np
from corefeval.engines.arrow_files import decode_schema, has_file_layout, open_batches, read_schema
from corefeval.engines.files import ARROW, SUFFIXES, find_suffix, list_files
from corefeval.engines.frames import get_arrow_data
from corefeval.engines.histograms import Rows
from corefeval.engines.records import TableSide
from corefeval.errors import Fault, InputError, OptionError

_LOCAL = "local[*]"
_LOOPBACK = "127.0.0.1"
_PER_TASK = 128_000_000  # bytes of an Arrow file that one task reads, as Spark does with Parquet


def is_spark_frame(given: object) -> bool:
    """Return whether an object is a data frame of Spark."""
    return type(given).__module__.startswith("pyspark.sql")


def find_frame_session(tables: Iterable[object]) -> Any:
    """Return the session of the first frame of Spark among tables, or None."""
    return next((table.sparkSession for table in tables if is_spark_frame(table)), None)  # type: ignore[attr-defined]


@contextmanager
def open_session(given: Any = None) -> Iterator[Any]:
    """Yield a session of Spark: the user's, which goes on, or a new one, which is stopped at the end of the block.

    given: a session; or the address of a master, `local[*]` without one, where the session that runs in this process is
    the user's, too. An OptionError if that one has another master.
    """
    if given is not None and not isinstance(given, str):
        yield given
        return
    running = _find_running()
    if running is None:
        started = _start_session(given or _LOCAL)
        try:
            yield started
        finally:
            started.stop()
        return
    master = running.conf.get("spark.master", "")
    if given not in (None, master):
        raise OptionError(f"a session of Spark runs in this process on {master}, not on {given}: stop it, or give it")
    yield running


class SparkEngine:
    """Counts by a session of Spark (`open_session`), and leaves no views, kept rows or sessions of its own there."""

    dialect = {"quote": "`", "text": "STRING", "row": "monotonically_increasing_id()", "table": "{}"}  # noqa: RUF012

    def __init__(self, session: Any = None) -> None:
        self._closing = ExitStack()  # closes all, the session last, whatever fails
        self._session = self._closing.enter_context(open_session(session))
        self._numbers = count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def open_side(self, side: TableSide) -> tuple[str, dict[str, str]]:
        """Return the view to select from, and the types of its columns by their names."""
        with _translate_errors(side.name):
            frame = self._read(side)
            return self._name_view(frame, f"corefeval_given_{next(self._numbers)}"), dict(frame.dtypes)

    def _read(self, side: TableSide) -> Any:
        """Return whatever was given as a table as a frame of Spark; cells of CSV stay texts, as written."""
        given = side.table
        if is_spark_frame(given):
            return given
        if not isinstance(given, str | Path):
            return self._session.createDataFrame(get_arrow_data(given))
        path = str(given)
        suffix = _find_suffix(path)
        if suffix == ".parquet":
            return self._session.read.parquet(path)
        if suffix.startswith((".csv", ".tsv")):
            separator = "\t" if suffix.startswith(".tsv") else ","
            # Else a line break in a cell makes two rows, short rows are filled up, and headers are not compared.
            reading = self._session.read.option("multiLine", "true").option("mode", "FAILFAST")
            reading = reading.option("columnPruning", "false").option("enforceSchema", "false")
            return reading.csv(path, header=True, sep=separator, quote='"', escape='"')
        if suffix in ARROW and "://" not in path:
            return self._read_arrow_files(list_files(path), side.list_columns())
        raise OptionError(f"{path}: Spark reads Parquet, CSV and TSV files, and Arrow files by paths")

    def _read_arrow_files(self, paths: list[str], names: list[str]) -> Any:
        """Return Arrow files as a frame, whose tasks read some batches each; of columns of these names, if it has them.

        Workers import no module of this package: what they run is sent to them.
        """
        schema = decode_schema(read_schema(paths))
        if names and set(names) <= set(schema.names):
            schema = import_module("pyarrow").schema([schema.field(name) for name in names])
        parts = [part for path in paths for part in _split_file(path)]

        def read_parts(numbers: Iterable[Any]) -> Iterator[Any]:
            import pyarrow as pa  # noqa: PLC0415 - on the worker

            for path, batches in (parts[number] for each in numbers for number in each.column(0).to_pylist()):
                with pa.memory_map(path) as mapped:
                    reader = pa.ipc.open_stream(mapped) if batches is None else pa.ipc.open_file(mapped)
                    for batch in reader if batches is None else map(reader.get_batch, batches):
                        yield from pa.Table.from_batches([batch]).select(schema.names).cast(schema).to_batches()

        spark_schema = self._session.createDataFrame(schema.empty_table()).schema
        return self._session.range(0, len(parts), 1, len(parts)).mapInArrow(read_parts, spark_schema)

    def _name_view(self, frame: Any, name: str) -> str:
        """Register a frame as a view of this name, and return the name."""
        frame.createOrReplaceTempView(name)
        self._closing.callback(self._session.catalog.dropTempView, name)
        return name

    def find_room(self) -> int:
        """Return 0: cells stay with the workers."""
        return 0

    def run(self, statement: str) -> None:
        """Make a table, `NAME SELECT …`, as a view whose rows are kept once they are counted."""
        name, _, query = statement.partition(" ")
        frame = self._query(query).persist()
        self._closing.callback(frame.unpersist)
        self._name_view(frame, name)

    def fetch_rows(self, query: str) -> Rows:
        """Return the rows of a query, which are few."""
        with _translate_errors():
            return [tuple(row) for row in self._query(query).collect()]

    def fetch_columns(self, query: str) -> tuple[Array, ...]:
        """Return the columns of a query as arrays."""
        with _translate_errors():
            table = self._query(query).toArrow()
        return tuple(np.asarray(table.column(name).to_numpy(zero_copy_only=False)) for name in table.column_names)

    def _query(self, query: str) -> Any:
        """Return the frame of a query; an InputError for what Spark says against it."""
        with _translate_errors():
            return self._session.sql(query)


@contextmanager
def _translate_errors(source: str = "Spark") -> Iterator[None]:
    """Raise an InputError for what Spark says against a table or a query in this block."""
    errors, py4j = import_module("pyspark.errors"), import_module("py4j.protocol")
    try:
        yield
    except (errors.PySparkException, py4j.Py4JJavaError) as error:
        first, *others = (line for line in str(error).splitlines() if line.strip())
        cause = f"{first} {others[-1]}" if first.endswith(":") and others else first  # a worker's traceback follows
        raise InputError(Fault(source, cause.strip())) from None


def _find_suffix(path: str) -> str:
    """Return the suffix of a table's files; of addresses that only Spark can look up, that of their text."""
    if "://" not in path:
        return find_suffix(list_files(path))
    return next((each for each in SUFFIXES if path.endswith(each)), ".parquet")


def _split_file(path: str) -> list[tuple[str, range | None]]:
    """Return the parts of an Arrow file that tasks read: numbers of batches, or None for all of a stream."""
    if not has_file_layout(path):
        return [(path, None)]
    many = open_batches(path).num_record_batches
    step = max(1, many * _PER_TASK // max(1, Path(path).stat().st_size))
    return [(path, range(first, min(first + step, many))) for first in range(0, many, step)]


def _find_running() -> Any:
    """Return the session that runs in this process, or None."""
    running = sys.modules.get("pyspark.sql")
    if running is None:
        return None
    try:
        return running.SparkSession.active()
    except import_module("pyspark.errors").PySparkRuntimeError:
        return None


def _start_session(master: str) -> Any:
    """Return a new session on a master's address; an OptionError if Spark or a Java machine is missing."""
    try:
        sql = import_module("pyspark.sql")
    except ImportError:
        raise OptionError('the engine spark needs PySpark: pip install "corefeval[spark]"') from None
    builder = sql.SparkSession.builder.master(master).appName("corefeval").config("spark.ui.enabled", "false")
    if master.startswith("local"):
        builder = builder.config("spark.driver.host", _LOOPBACK).config("spark.driver.bindAddress", _LOOPBACK)
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # its own default is the first `python3` of the path
    try:
        return builder.getOrCreate()
    except Exception as error:  # noqa: BLE001 - Java's absence comes as one of several errors
        raise OptionError(
            f"Spark does not start ({str(error).partition(chr(10))[0]}); it needs Java 17 or newer"
        ) from None
