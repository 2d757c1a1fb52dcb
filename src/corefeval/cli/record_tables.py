"""`corefeval score` on tables of records that an engine counts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from corefeval._lazy import NamedTuple
from corefeval.cli.files import NamedFile, parse_named_files
from corefeval.cli.shared import SharedOptions
from corefeval.errors import Fault, InputError, OptionError

if TYPE_CHECKING:
    from corefeval.engines.table import TableEvaluation
    from corefeval.measures import Measure

_SUFFIXES = (".parquet", ".arrow", ".feather", ".csv", ".tsv", ".csv.gz", ".tsv.gz")
ENGINES = ("auto", "memory", "duckdb", "spark")


class EngineOptions(NamedTuple):
    """What the user says about engines: which, its memory, a column of groups, records without a label, a master."""

    engine: str
    memory_limit: str | None = None
    by: str | None = None
    missing_labels: str | None = None
    master: str | None = None

    @property
    def is_asked_for(self) -> bool:
        """Whether something was said that only an engine does."""
        others = (self.by, self.missing_labels, self.master)
        return self.engine in ("duckdb", "spark") or any(each is not None for each in others)


class _Columns(NamedTuple):
    """The columns of a table by what they are for."""

    ids: tuple[str, ...]
    label: str
    document: str


def needs_engine(options: EngineOptions, paths: Sequence[str], *, has_others: bool) -> bool:
    """Return whether an engine counts: it was asked for, or files are tables too large to be read into memory.

    has_others: whether the command has options that only corpora in memory can follow; a UsageError if it has both.
    """
    if options.is_asked_for and has_others:
        raise click.UsageError("an engine counts tables as they are: it takes no profile, decision, layer or baseline")
    if options.is_asked_for:
        return True
    if has_others or options.engine == "memory" or not all(path.endswith(_SUFFIXES) for path in paths):
        return False
    from corefeval.engines.table import is_large  # noqa: PLC0415 - loads NumPy

    return options.memory_limit is not None or is_large(paths)


def score_tables(
    key: str, responses: Sequence[str], measures: tuple[Measure, ...], options: EngineOptions, shared: SharedOptions
) -> list[TableEvaluation]:
    """Return the evaluations of tables of records, each response joined with the key by id."""
    from corefeval.engines.spark import open_session  # noqa: PLC0415 - loads NumPy
    from corefeval.engines.table import is_large  # noqa: PLC0415 - loads NumPy

    named = parse_named_files(responses)
    paths = [key, *(each.path for each in named)]
    engine = options.engine if options.engine != "auto" else "duckdb" if is_large(paths) else "memory"
    with open_session(options.master) if engine == "spark" else nullcontext(options.master) as session:
        return _score_named(key, named, measures, options._replace(engine=engine), shared, session)


def _score_named(
    key: str,
    named: Sequence[NamedFile],
    measures: tuple[Measure, ...],
    options: EngineOptions,
    shared: SharedOptions,
    session: Any,
) -> list[TableEvaluation]:
    """Return the evaluations of tables by an engine that is chosen, and one session of Spark if that is it."""
    from corefeval.engines.table import list_columns, score_table  # noqa: PLC0415 - loads NumPy

    formats = shared.format_of_key, shared.format_of_responses
    found: list[TableEvaluation] = []
    for each in named:
        if each.path == key and formats[0] == formats[1]:
            what = "key and response are the same column of one table"
            raise click.UsageError(f"{what}: --key-columns and --response-columns say which is which")
        sides = [
            _find_columns(path, list_columns(path, options.engine, session), format_)
            for path, format_ in zip((key, each.path), formats, strict=True)
        ]
        is_one = each.path == key and sides[0].ids == sides[1].ids
        evaluation = score_table(
            key if is_one else (key, each.path),
            key=sides[0].label,
            response=sides[1].label,
            id=None if is_one else (sides[0].ids, sides[1].ids),
            document=sides[0].document,
            by=options.by or "",
            measures=measures,
            engine=options.engine,  # type: ignore[arg-type]
            missing_labels=options.missing_labels or "error",  # type: ignore[arg-type]
            memory_limit=options.memory_limit or "",
            session=session,
        )
        found.append(replace(evaluation, name=each.name))
        found[-1].compute()  # from the same counts: a copy has no scores yet
    return found


def _find_columns(path: str, names: Sequence[str], format_: str | None) -> _Columns:
    """Return a table's columns by usual names, or as `table:id=…` says; an error if they are missing or not clear."""
    from corefeval.formats import registry  # noqa: PLC0415 - loads NumPy
    from corefeval.formats.table.columns import PART_OF, choose_columns  # noqa: PLC0415 - loads NumPy

    kind, given = registry.parse_spec(format_ or "table")
    if kind != "table":
        raise OptionError(f"an engine reads tables, not {kind}")
    asked = {PART_OF[name]: value for name, value in given.items() if name in PART_OF}
    columns, faults = choose_columns(names, asked, "")
    if columns is None:
        raise InputError(Fault(path, *fault) for fault in faults)
    if len(columns.entity) != 1 or len(columns.document) > 1:
        raise OptionError(f"{path}: an engine takes labels, and documents, from one column each")
    document = columns.document[0].name if columns.document else ""
    return _Columns(tuple(column.name for column in columns.mention), columns.entity[0].name, document)
