"""DuckDB as an engine: tables beyond memory on one machine, in a limit of memory, spilling to a folder of its own."""

from __future__ import annotations

import re
import shutil
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from corefeval._arrays import Array
from corefeval.engines.arrow_files import open_dataset
from corefeval.engines.files import ARROW, find_suffix, list_files
from corefeval.engines.frames import get_arrow_data
from corefeval.engines.histograms import Rows
from corefeval.engines.records import TableSide
from corefeval.engines.sql import INTEGERS
from corefeval.errors import Fault, InputError, MissingFileError, OptionError

_QUERY = re.compile(r"\s*(select|with|from)\s", re.IGNORECASE)
_DATABASE = re.compile(r"(?P<path>.+\.(?:duckdb|ddb|db)):(?P<table>[^/\\:]+)")

_EXACT = INTEGERS | {"BOOLEAN", "FLOAT", "DOUBLE", "VARCHAR"}
"""Types whose values NumPy has, too; of integers of 128 bits and decimals it makes floats, which may be equal."""

_BYTES = {"bytes": 1, **{f"{letter}iB": 1024**power for power, letter in enumerate("KMGTPE", 1)}}


class DuckDbEngine:
    """One connection to a database in memory, whose overflow goes to a temporary folder that `close` removes."""

    dialect = {"quote": '"', "text": "VARCHAR", "row": "row_number() OVER ()", "table": "CREATE TEMP TABLE {} AS"}  # noqa: RUF012

    def __init__(self, memory_limit: str = "", threads: int = 0) -> None:
        self._module = load_duckdb()
        self._registered: list[Any] = []  # what was given as tables, which DuckDB reads where it is
        self._folder = tempfile.mkdtemp(prefix="corefeval-")
        settings: dict[str, Any] = {"temp_directory": self._folder, "preserve_insertion_order": False}
        settings |= {"memory_limit": memory_limit} if memory_limit else {}
        settings |= {"threads": threads} if threads else {}
        try:
            self._connection = self._module.connect(config=settings)
        except self._module.Error as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise OptionError(f"DuckDB does not take these settings: {error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def open_side(self, side: TableSide) -> tuple[str, dict[str, str]]:
        """Return the relation to select from, in SQL, and the types of its columns by their names."""
        relation = self._find_relation(side)
        described = self._execute(f"DESCRIBE SELECT * FROM {relation}", side.name, fetch="fetchall")
        return relation, {str(name): str(kind) for name, kind, *_ in described}

    def _find_relation(self, side: TableSide) -> str:
        """Return a table, query or reading function, in SQL, for whatever was given as a table."""
        given = str(side.table) if isinstance(side.table, Path) else side.table
        if isinstance(given, str):
            return self._find_text(given)
        data = get_arrow_data(given)
        reading = getattr(data, "read_all", None)  # of a reader, which cannot be read twice
        return self._register(data if reading is None else reading())

    def _register(self, data: Any) -> str:
        """Return the name under which DuckDB reads Arrow data where it is."""
        name = f"given_{len(self._registered)}"
        self._registered.append(data)
        self._connection.register(name, data)
        return name

    def _find_text(self, given: str) -> str:
        """Return the relation of a query, of a table in a database file, or of files."""
        if _QUERY.match(given):
            return f"({given.rstrip().rstrip(';')}) AS given"
        if found := _DATABASE.fullmatch(given):
            if not Path(found["path"]).exists():
                raise MissingFileError(Fault(found["path"], "there is no such file"))
            alias = f"database_{len(self._registered)}"
            self._registered.append(alias)
            self._execute(f"ATTACH {_quote_text(found['path'])} AS {alias} (READ_ONLY)", found["path"])
            table = found["table"].replace('"', '""')
            return f'{alias}."{table}"'
        files = list_files(given)
        suffix = find_suffix(files)
        if suffix in ARROW:
            return self._register(open_dataset(files, self._folder, given if Path(given).is_dir() else None))
        return _read_files(given, suffix)

    def find_room(self) -> int:
        """Return the limit of memory in bytes."""
        ((limit,),) = self.fetch_rows("SELECT current_setting('memory_limit')")
        number, unit = limit.split()
        return int(float(number) * _BYTES[unit])

    def run(self, statement: str) -> None:
        """Run a statement; an InputError if a file cannot be read, an OptionError if memory or space does not do."""
        self._execute(statement)

    def fetch_rows(self, query: str) -> Rows:
        """Return the rows of a query, which are few."""
        rows: Rows = self._execute(query, fetch="fetchall")
        return rows

    def fetch_columns(self, query: str) -> tuple[Array, ...]:
        """Return the columns of a query as arrays; of values that NumPy may not tell apart, their places in order."""
        inexact = [name for name, kind, *_ in self.fetch_rows(f"DESCRIBE {query}") if kind not in _EXACT]
        if inexact:
            ranks = ", ".join(f"dense_rank() OVER (ORDER BY {name}) AS {name}" for name in inexact)
            query = f"SELECT * REPLACE ({ranks}) FROM ({query}) AS given"
        return tuple(self._execute(query, fetch="fetchnumpy").values())

    def _execute(self, statement: str, source: str = "", fetch: str = "") -> Any:
        """Run SQL and return what `fetch`, a method of DuckDB's, gets of it; errors become errors of this package."""
        try:
            cursor = self._connection.execute(statement)
            return getattr(cursor, fetch)() if fetch else None
        except self._module.InterruptException:
            raise KeyboardInterrupt from None
        except RuntimeError as error:
            if "interrupted" in str(error):  # what DuckDB makes of an interrupt while it runs a query
                raise KeyboardInterrupt from None
            raise
        except self._module.OutOfMemoryException as error:
            first = str(error).partition("\n")[0]
            raise OptionError(f"DuckDB: {first}; a higher --memory-limit, or more space for temporary files") from None
        except self._module.Error as error:
            raise InputError(Fault(source or "DuckDB", str(error).partition("\n")[0])) from None


def load_duckdb() -> Any:
    """Return the module of DuckDB; an OptionError that says how to install it if it is not there."""
    try:
        return import_module("duckdb")
    except ImportError:
        raise OptionError('the engine duckdb needs DuckDB: pip install "corefeval[duckdb]"') from None


def _quote_text(text: str) -> str:
    """Return text in SQL's quotation marks."""
    return "'" + text.replace("'", "''") + "'"


def needs_duckdb(given: str) -> bool:
    """Return whether a text is a query, or a table of a database file, which only DuckDB reads."""
    return bool(_QUERY.match(given) or _DATABASE.fullmatch(given))


def _read_files(given: str, suffix: str) -> str:
    """Return DuckDB's function that reads a file, a folder or a pattern; cells of CSV stay texts, as written."""
    partitioned = Path(given).is_dir()
    pattern = _quote_text(f"{given}/**/*{suffix}" if partitioned else given)
    hive = ", hive_partitioning = true" if partitioned else ""
    if suffix == ".parquet":
        return f"read_parquet({pattern}{hive})"
    if suffix.startswith((".csv", ".tsv")):
        return f"read_csv({pattern}, all_varchar = true, header = true{hive})"
    raise OptionError(f"{given}: DuckDB reads Parquet, Arrow, CSV and TSV files, tables of databases, and queries")
