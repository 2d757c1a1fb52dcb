"""Spark as an engine: tables beyond one machine, on a cluster or in local mode."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Self

from corefeval._arrays import Array, np
from corefeval.engines.files import SUFFIXES, list_files
from corefeval.engines.frames import get_arrow_data
from corefeval.engines.histograms import Rows
from corefeval.engines.records import TableSide
from corefeval.errors import Fault, InputError, OptionError

_LOCAL = "local[*]"
_LOOPBACK = "127.0.0.1"


def is_spark_frame(given: object) -> bool:
    """Return whether an object is a data frame of Spark."""
    return type(given).__module__.startswith("pyspark.sql")


class SparkEngine:
    """A session of Spark: the user's own, which goes on after `close`, or one of a master's address, which ends."""

    dialect = {"quote": "`", "text": "STRING", "row": "monotonically_increasing_id()", "table": "{}"}  # noqa: RUF012

    def __init__(self, session: Any = None) -> None:
        self._is_own = session is None or isinstance(session, str)
        self._session = _start_session(session or _LOCAL) if self._is_own else session
        self._views: list[str] = []
        self._kept: list[Any] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for frame in self._kept:
            frame.unpersist()
        for view in self._views:
            self._session.catalog.dropTempView(view)
        if self._is_own:
            self._session.stop()

    def open_side(self, side: TableSide) -> tuple[str, dict[str, str]]:
        """Return the view to select from, and the types of its columns by their names."""
        frame = self._read(side.table)
        return self._name_view(frame, f"corefeval_given_{len(self._views)}"), dict(frame.dtypes)

    def _read(self, given: Any) -> Any:
        """Return whatever was given as a table as a frame of Spark; cells of CSV stay texts, as written."""
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
            return self._session.read.csv(path, header=True, sep=separator, quote='"', escape='"')
        raise OptionError(f"{path}: Spark reads Parquet, CSV and TSV files")

    def _name_view(self, frame: Any, name: str) -> str:
        """Register a frame as a view of this name, and return the name."""
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def run(self, statement: str) -> None:
        """Make a table, `NAME SELECT …`, as a view whose rows are kept once they are counted."""
        name, _, query = statement.partition(" ")
        frame = self._query(query).persist()
        self._kept.append(frame)
        self._name_view(frame, name)

    def fetch_rows(self, query: str) -> Rows:
        """Return the rows of a query, which are few."""
        return [tuple(row) for row in self._query(query).collect()]

    def fetch_columns(self, query: str) -> tuple[Array, ...]:
        """Return the columns of a query as arrays."""
        table = self._query(query).toArrow()
        return tuple(np.asarray(table.column(name).to_numpy(zero_copy_only=False)) for name in table.column_names)

    def _query(self, query: str) -> Any:
        """Return the frame of a query; an InputError for what Spark says against it."""
        errors = import_module("pyspark.errors")
        try:
            return self._session.sql(query)
        except errors.PySparkException as error:
            raise InputError(Fault("Spark", str(error).partition("\n")[0])) from None


def _find_suffix(path: str) -> str:
    """Return the suffix of a table's files; of addresses that only Spark can look up, that of their text."""
    first = path if "://" in path else list_files(path)[0]
    return next((each for each in SUFFIXES if first.endswith(each)), ".parquet" if "://" in path else "")


def _start_session(master: str) -> Any:
    """Return a new session on a master's address; an OptionError if Spark or a Java machine is missing."""
    try:
        sql = import_module("pyspark.sql")
    except ImportError:
        raise OptionError('the engine spark needs PySpark: pip install "corefeval[spark]"') from None
    builder = sql.SparkSession.builder.master(master).appName("corefeval").config("spark.ui.enabled", "false")
    if master.startswith("local"):
        builder = builder.config("spark.driver.host", _LOOPBACK).config("spark.driver.bindAddress", _LOOPBACK)
    try:
        return builder.getOrCreate()
    except Exception as error:  # noqa: BLE001 - Java's absence comes as one of several errors
        raise OptionError(
            f"Spark does not start ({str(error).partition(chr(10))[0]}); it needs Java 17 or newer"
        ) from None
