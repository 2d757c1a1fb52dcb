"""score_table(): tables of records of any size, by any measure that the table of key and response entities defines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from corefeval import measures as known
from corefeval._arrays import Columns
from corefeval.engines.counting import CountedTable, count_table
from corefeval.engines.duckdb import DuckDbEngine, needs_duckdb
from corefeval.engines.files import list_files
from corefeval.engines.groups import GroupCounter
from corefeval.engines.histograms import Histograms
from corefeval.engines.memory import count_in_memory, read_column_names
from corefeval.engines.records import MISSING_LABELS, MissingLabels, RecordTables, TableSide
from corefeval.engines.spark import SparkEngine, find_frame_session, is_spark_frame
from corefeval.errors import OptionError, check_choice
from corefeval.measures import Measure
from corefeval.measures.registry import resolve_measures
from corefeval.notices import announce_notices
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Tables, Views
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.counting import Counter
from corefeval.scoring.results import Evaluation, sum_counts

EngineName = Literal["auto", "memory", "duckdb", "spark"]
ENGINES: tuple[str, ...] = get_args(EngineName)

_LARGE = 500_000_000  # bytes of files from which "auto" is DuckDB
_CEAF = ("ceafm", "ceafe", "conll")
_ALIGNED = (*_CEAF, "ceaf", "exclusive_core")


@dataclass(frozen=True, eq=False, repr=False)
class TableEvaluation(Evaluation):
    """The evaluation of a table of records. Its `documents` are the groups, if it was scored by groups.

    whole: counts on all records, where entities are not cut at the borders of groups; None without groups.
    """

    whole: Counter | None = None

    @property
    def mention_word(self) -> str:
        """What its mentions are called: records."""
        return "record"

    @property
    def document_word(self) -> str:
        """What its documents are called: groups, documents, or nothing where all records are one."""
        return "group" if self.whole is not None else "" if self.document_names == ("",) else "document"

    @property
    def overlaps(self) -> Tables:
        """The tables of all records."""
        return (self.whole or self.counter).tables

    @property
    def table(self) -> Overlap:
        """The histograms of all records."""
        return self.overlaps.table

    def _count_all(self, measure: Measure) -> Columns:
        """Return a measure's counts on all records together, not the sums over groups, as plain numbers."""
        return sum_counts((self.whole or self.counter).count(measure))


@announce_notices
def score_table(
    data: Any,
    *,
    key: str,
    response: str,
    id: str | Sequence[str] | tuple[str | Sequence[str], str | Sequence[str]] | None = None,  # noqa: A002
    document: str = "",
    by: str = "",
    measures: str | Measure | Iterable[str | Measure] | None = None,
    engine: EngineName = "auto",
    missing_labels: MissingLabels = "error",
    memory_limit: str = "",
    threads: int = 0,
    session: Any = None,
) -> TableEvaluation:
    """Return the evaluation of a table of records, or of two that are joined by id, by an engine that counts it.

    data: a table with a column of labels for each side; or two tables, (key, response). A table is a path, a folder of
    a partitioned table, a pattern of paths (Parquet, Arrow, CSV, TSV), a query or FILE.duckdb:TABLE (DuckDB), a data
    frame, Arrow data, a relation of DuckDB or a frame of Spark.
    key, response: the columns of labels.
    id: with two tables, the column of records' ids, or several that are one id together.
    document: a column of documents; a label is another entity in another document.
    by: a column of groups; the evaluation's `documents` are the groups then, and its score is that of all records.
    With documents, too, a group has what its records have in each document, which it may cut.
    missing_labels: what to do with records without a label: "error", "singleton" (each is its own entity), "drop".
    engine: "memory" (NumPy), "duckdb", "spark", or "auto": Spark for its frames, DuckDB for large files and queries.
    memory_limit, threads: of DuckDB, such as "4GB". session: a SparkSession, or the address of a Spark master;
    without, that of the frames, the one that runs in this process, or a new one in local mode.
    """
    check_choice("engine", engine, ENGINES)
    check_choice("missing_labels", missing_labels, MISSING_LABELS)
    tables = make_tables(data, key, response, id, document, by, missing_labels)
    options = resolve_options()
    chosen = resolve_measures(known.select_measures(measures), options)
    for measure in chosen:
        if measure.needs_mentions:
            raise OptionError(f"{measure} looks at mentions, and a table of records has none")
    counted = _count(choose_engine(engine, tables), tables, chosen, memory_limit, threads, session)
    whole, names = _make_counter(counted.whole)
    counter = whole
    if counted.parts is not None:
        counter, names = _make_counter(counted.parts)
    sides = tables.key.name, tables.response.name
    evaluation = TableEvaluation(
        chosen, counter, names, options, counted.notices, *sides, whole=None if counted.parts is None else whole
    )
    evaluation.compute()
    return evaluation


def _make_counter(histograms: Histograms) -> tuple[Counter, tuple[str, ...]]:
    """Return a counter on the table of an engine's histograms, and the names of the documents or groups it counts."""
    table = histograms.build_table()
    tables = Tables(Views(table))
    names: tuple[Any, ...] = tuple(table.key.document_name or ())
    if not isinstance(names[0], tuple):
        return Counter(tables), names
    groups = [group for group, _ in names]
    return GroupCounter(tables, groups), tuple(dict.fromkeys(groups))


def make_tables(
    data: Any,
    key: str,
    response: str,
    ids: Any,
    document: str,
    by: str,
    missing_labels: MissingLabels,
) -> RecordTables:
    """Return where records are, from the arguments of `score_table`; an OptionError if ids are missing or too many."""
    if not isinstance(data, tuple):
        if ids is not None:
            raise OptionError("one table needs no id: each row is a record; give two tables to join them by id")
        ours, theirs = (TableSide(data, label, (), document, by) for label in (key, response))
        return RecordTables(ours, theirs, missing_labels)
    if ids is None:
        raise OptionError("two tables are joined by id, the column of records' ids")
    pair = ids if isinstance(ids, tuple) and len(ids) == 2 else (ids, ids)
    key_id, response_id = ((each,) if isinstance(each, str) else tuple(each) for each in pair)
    if len(key_id) != len(response_id):
        raise OptionError("an id has as many columns in one table as in the other")
    if not key_id:
        raise OptionError("an id has one column or more")
    return RecordTables(
        TableSide(data[0], key, key_id, document, by),
        TableSide(data[1], response, response_id, document),
        missing_labels,
    )


def list_columns(table: Any, engine: str, session: Any = None) -> list[str]:
    """Return the names of a table's columns, as the engine reads it."""
    side = TableSide(table, "")
    if engine == "memory":
        return read_column_names(side)
    if engine == "duckdb":
        with DuckDbEngine() as running:
            return list(running.open_side(side)[1])
    with SparkEngine(session) as running:
        return list(running.open_side(side)[1])


def choose_engine(engine: str, tables: RecordTables) -> str:
    """Return the engine for tables if it is "auto": Spark for its frames, DuckDB for queries and large files."""
    if engine != "auto":
        return engine
    given = [side.table for _, side in tables.sides]
    if any(map(is_spark_frame, given)):
        return "spark"
    return "duckdb" if is_large([str(each) for each in given if isinstance(each, str | Path)]) else "memory"


def is_large(paths: Iterable[str]) -> bool:
    """Return whether tables are for DuckDB: a query, a table of a database, or files of half a gigabyte and more."""
    texts = set(paths)
    return (
        any(map(needs_duckdb, texts))
        or sum(file.stat().st_size for path in texts for file in map(Path, list_files(path))) > _LARGE
    )


def _count(
    engine: str, tables: RecordTables, measures: Sequence[Measure], memory_limit: str, threads: int, session: Any
) -> CountedTable:
    """Return what an engine counts for these measures: histograms, and the tangle for those that align entities."""
    parts = [each for measure in measures for each in (measure, *measure.parts)]
    tangled = [each for each in parts if each.name in _ALIGNED or each.rewrite == "discard_both"]
    with_tangle, only_ceaf = bool(tangled), all(each.name in _CEAF and not each.rewrite for each in tangled)
    if engine == "memory":
        return count_in_memory(tables, with_tangle=with_tangle)
    if engine == "duckdb":
        with DuckDbEngine(memory_limit, threads) as running:
            return count_table(running, tables, with_tangle=with_tangle, only_ceaf=only_ceaf)
    given = session if session is not None else find_frame_session(side.table for _, side in tables.sides)
    with SparkEngine(given) as running:
        return count_table(running, tables, with_tangle=with_tangle, only_ceaf=only_ceaf)
