"""Counting a table of records with an engine that understands SQL: which statements, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from typing import Any, Protocol

from corefeval._arrays import Array, np
from corefeval.engines import sql
from corefeval.engines.histograms import Histograms, Rows
from corefeval.engines.numbered_cells import NONE, NumberedCells, count_cells
from corefeval.engines.records import RecordTables, SideFacts, TableSide, check_side, describe_giants, raise_repeated
from corefeval.engines.sorted_records import RowLayout, fit_rows, group_pairs, pair_rows
from corefeval.errors import Fault, InputError
from corefeval.notices import Notice, report_progress

_EXAMPLES = 3  # repeated ids that a message shows
_LARGE_TANGLE = 500_000  # cells that Python aligns more quickly than the engine looks at them again
_ROUNDS = 2  # of dominant cells that the engine takes; what is left after these is little, or hard
_PER_ROW = 16  # bytes of memory for a row, where records are joined and counted by NumPy
_PER_CELL = 16  # and for a cell, or for the place of a label, where only cells are
_MOST = 2**30  # rows, or places of labels: fewer, and all numbers, and the sums of two sizes, have 32 bits
_NUMBERS = sql.INTEGERS | {"HUGEINT"}


class Engine(Protocol):
    """What counts: it opens tables, runs statements and queries."""

    dialect: sql.Dialect

    def open_side(self, side: TableSide) -> tuple[str, dict[str, str]]:
        """Return the relation to select from, in SQL, and the types of its columns by their names."""
        ...

    def find_room(self) -> int:
        """Return how many bytes cells may take in the memory of this process; 0 where the engine has to count them."""
        ...

    def run(self, statement: str) -> None:
        """Run a statement."""
        ...

    def fetch_rows(self, query: str) -> Rows:
        """Return the rows of a query, which are few."""
        ...

    def fetch_columns(self, query: str) -> tuple[Array, ...]:
        """Return the columns of a query, which may have many rows."""
        ...


@dataclass(frozen=True, slots=True)
class CountedTable:
    """What an engine has counted: the histograms of all records, those of each part if asked for, and notices."""

    whole: Histograms
    parts: Histograms | None
    notices: tuple[Notice, ...]


def count_table(engine: Engine, tables: RecordTables, *, with_tangle: bool, only_ceaf: bool = False) -> CountedTable:
    """Return the histograms of a table of records; an InputError for ids that repeat, and labels that are missing.

    with_tangle: whether measures that align entities are asked for; only_ceaf: whether these are CEAFm and CEAFe only.
    """
    report_progress("looking at the tables", 0, 4)
    queries = open_sides(engine, tables)
    facts = [_find_facts(engine, query) for query in queries]
    makes = (tables.missing_labels == "singleton" and found.without_label > 0 for found in facts)
    key, response = (replace(query, makes_labels=some) for query, some in zip(queries, makes, strict=True))
    queries = key, response
    notices = [
        notice
        for (name, side), found in zip(tables.sides, facts, strict=True)
        for notice in check_side(side, name, found, tables.missing_labels)
    ]
    scope = sql.find_scope(tables)
    report_progress("joining records", 1, 4)
    cells = None if scope else _sort_records(engine, tables, queries, facts)
    if cells is None:
        records = sql.select_records(*queries, tables, engine.dialect)
        engine.run(sql.make_cells(records, scope, engine.dialect))
        _check_rows(engine, tables, queries, facts)
    report_progress("counting entities", 2, 4)
    if cells is None:
        whole, parts = _count_in_engine(engine, scope, with_tangle=with_tangle, only_ceaf=only_ceaf)
    else:
        whole, parts = count_cells(cells, _name_nothing(), with_tangle=with_tangle, only_ceaf=only_ceaf), None
    report_progress("counting entities", 4, 4)
    return CountedTable(whole, parts, (*notices, *describe_giants(whole)))


def _count_in_engine(
    engine: Engine, scope: tuple[str, ...], *, with_tangle: bool, only_ceaf: bool
) -> tuple[Histograms, Histograms | None]:
    """Return the histograms of the engine's table of cells, and those of parts if these are in the scope."""
    count = partial(_fetch_histograms, engine, with_tangle=with_tangle, only_ceaf=only_ceaf)
    if "part" not in scope:
        return count(sql.CELLS, scope, sql.ENTITIES), None
    parts = count(sql.CELLS, scope, sql.PART_ENTITIES)
    engine.run(sql.join_parts(scope[1:], engine.dialect))
    return count(sql.WHOLE_CELLS, scope[1:], sql.ENTITIES), parts


def open_sides(engine: Engine, tables: RecordTables) -> tuple[sql.SideQuery, sql.SideQuery]:
    """Return what to select each side from; ids of different types are to be compared as texts."""
    opened = [engine.open_side(side) for _, side in tables.sides[: 1 if tables.is_one_table else 2]]
    opened = opened * 2 if tables.is_one_table else opened
    for (_, side), (_, types) in zip(tables.sides, opened, strict=True):
        side.check_columns(list(types))
    (ours, our_types), (theirs, their_types) = opened
    pairs = zip(tables.key.id, tables.response.id, strict=True)
    as_text = tuple(our_types[one] != their_types[other] for one, other in pairs)
    return (
        sql.SideQuery(tables.key, ours, our_types, as_text),
        sql.SideQuery(tables.response, theirs, their_types, as_text),
    )


def _find_facts(engine: Engine, query: sql.SideQuery) -> SideFacts:
    """Return how many rows a side's table has, and how many of them without an id or a label."""
    ((rows, with_id, with_label),) = engine.fetch_rows(sql.select_facts(query, engine.dialect))
    return SideFacts(int(rows), int(rows - with_id), int(rows - with_label))


def _sort_records(
    engine: Engine, tables: RecordTables, queries: tuple[sql.SideQuery, ...], facts: list[SideFacts]
) -> NumberedCells | None:
    """Return the cells of records, sorted in memory; None if ids or labels are no integers, or too many, or too large.

    An InputError if an id stands in several rows of one table, or if both tables have no id in common.
    """
    layout = _find_layout(engine, queries, facts)
    if layout is None:
        return None
    if tables.is_one_table:
        query = sql.select_pairs(queries, layout, engine.dialect)
    else:
        query = sql.select_rows(queries, layout, tables, engine.dialect)
    (rows,) = engine.fetch_columns(query)
    if np.ma.isMaskedArray(rows):  # the second time a query gave rows that are not within the bounds of the first
        return None
    if tables.is_one_table:
        return group_pairs(rows, layout.bits)
    paired = pair_rows(rows, layout.bits)
    if paired is None:
        _raise_repeated(engine, tables, queries)
        return None
    cells = group_pairs(paired, layout.bits)
    has_key, has_response = cells.a != NONE, cells.b != NONE
    check_common_records(tables, has_key.any(), has_response.any(), (has_key & has_response).any())
    return cells


def _find_layout(engine: Engine, queries: tuple[sql.SideQuery, ...], facts: list[SideFacts]) -> RowLayout | None:
    """Return how rows are written as numbers; None if they cannot be, or memory does not hold them."""
    rows = sum(each.rows for each in facts)
    if rows * _PER_ROW > engine.find_room() or rows >= _MOST or not all(map(_has_integers, queries)):
        return None
    bounds = [engine.fetch_rows(sql.select_bounds(query, engine.dialect))[0] for query in queries]
    if any(None in found for found in bounds):  # there are no rows
        return None
    return fit_rows([list(zip(found[::2], found[1::2], strict=True)) for found in bounds])


def _has_integers(query: sql.SideQuery) -> bool:
    """Return whether a side's ids and labels are integers."""
    types = (query.types[name] for name in (*query.side.id, query.side.label))
    return not query.makes_labels and sql.INTEGERS.issuperset(types)


def _check_rows(
    engine: Engine, tables: RecordTables, queries: tuple[sql.SideQuery, ...], facts: list[SideFacts]
) -> None:
    """Raise an InputError if an id stands in several rows of one table, or if both tables have no id in common.

    An id that repeats gives the other side more rows than it has, if it is there. Where one side has records that the
    other lacks, its ids are looked at.
    """
    if tables.is_one_table:
        return
    ((keys, responses, both),) = engine.fetch_rows(sql.select_joined_rows())
    kept = [each.rows - (each.without_label if tables.missing_labels == "drop" else 0) for each in facts]
    suspects = (responses > kept[1] or keys > both, keys > kept[0] or responses > both)
    _raise_repeated(engine, tables, [query for query, suspect in zip(queries, suspects, strict=True) if suspect])
    check_common_records(tables, keys, responses, both)


def _raise_repeated(engine: Engine, tables: RecordTables, queries: Iterable[sql.SideQuery]) -> None:
    """Raise an InputError if an id stands in several rows of one of these tables."""
    for query in queries:
        repeated = sql.select_repeated(query, engine.dialect, tables.missing_labels == "drop")
        examples = engine.fetch_rows(f"{repeated} ORDER BY id LIMIT {_EXAMPLES}")
        if examples:
            ((count,),) = engine.fetch_rows(sql.count_rows(repeated))
            raise_repeated(query.side, [(row[0], row[1]) for row in examples], count)


def check_common_records(tables: RecordTables, keys: int, responses: int, both: int) -> None:
    """Raise an InputError if both sides have records, but none in common, given how many each and both have."""
    if not both and keys and responses:
        what, expected = "no record in common with the key", f"ids as in {tables.key.name}"
        raise InputError(Fault(tables.response.name, what, expected, "are these the right columns of ids?"))


def _fetch_histograms(
    engine: Engine, cells: str, scope: tuple[str, ...], names: tuple[str, str], *, with_tangle: bool, only_ceaf: bool
) -> Histograms:
    """Return the histograms of a table of cells, by the values of the scope if there is one.

    The table may be dropped.
    """
    if not scope and (numbered := _fetch_numbered(engine, cells)):
        return count_cells(numbered, _name_nothing(), with_tangle=with_tangle, only_ceaf=only_ceaf)
    for statement in sql.make_entities(cells, scope, engine.dialect, names):
        engine.run(statement)
    queries = (
        sql.select_cell_histogram(cells, scope, names),
        *(sql.select_entity_histogram(entities, scope) for entities in names),
    )
    of_cells, key, response = (_name_rows(engine.fetch_rows(query), len(scope)) for query in queries)
    if not with_tangle:
        return Histograms(of_cells, key, response)
    taken: list[tuple[Any, ...]] = []
    query = sql.select_tangle(cells, scope, names)
    if only_ceaf and sum(times - lone for *_, times, lone in of_cells) > _LARGE_TANGLE:
        query, taken = _reduce_tangle(engine, cells, scope, names)
    tangle = _name_columns(engine.fetch_columns(query), len(scope))
    return Histograms(of_cells, key, response, tangle, taken)


def _fetch_numbered(engine: Engine, cells: str) -> NumberedCells | None:
    """Return a table of cells, which is dropped; None if labels are no integers, or memory has no place for each."""
    room = engine.find_room()
    if not room:
        return None
    if not all(map(_NUMBERS.issuperset, engine.fetch_rows(sql.select_label_types(cells)))):
        return None
    ((many, records, *bounds),) = engine.fetch_rows(sql.select_label_bounds(cells))
    if None in bounds:
        return None
    least, most, least_response, most_response = bounds
    places = many + (most - least) + (most_response - least_response)
    if places * _PER_CELL > room or max(records, places) >= _MOST:
        return None
    a, b, n = engine.fetch_columns(sql.select_numbered(cells, (least, least_response), NONE))
    engine.run(sql.drop_table(cells))
    return NumberedCells(np.broadcast_to(np.int64(0), len(n)), a, b, n)


def _name_nothing() -> Array:
    """Return the names of the one scope that there is without documents and parts."""
    return np.array([""], dtype=object)


def _reduce_tangle(
    engine: Engine, cells: str, scope: tuple[str, ...], names: tuple[str, str]
) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the query of what is left of a tangle without dominant cells, and the histogram of these, in rows."""
    tangle, taken = f"{cells}_tangle", []
    engine.run(sql.make_tangle(tangle, cells, scope, names, engine.dialect))
    for number in range(_ROUNDS):
        report_progress("aligning entities", number, _ROUNDS)
        dominant, rest = f"{cells}_taken_{number}", f"{cells}_tangle_{number}"
        engine.run(sql.take_dominant(dominant, tangle, scope, engine.dialect))
        found = _name_rows(engine.fetch_rows(sql.select_kinds(dominant, scope)), len(scope))
        if not found:
            break
        taken += found
        engine.run(sql.drop_taken(rest, tangle, dominant, scope, engine.dialect))
        tangle = rest
    return sql.select_all(tangle), taken


def _name_rows(rows: Rows, width: int) -> list[tuple[Any, ...]]:
    """Return rows sorted, each beginning with the name of its scope, of which it has so many columns."""
    return sorted((_name_scope(row[:width]), *map(int, row[width:])) for row in rows)


def _name_columns(columns: tuple[Array, ...], width: int) -> tuple[Array, ...]:
    """Return columns, the first being names of scopes, of which there were so many columns."""
    many = len(columns[0])
    rows = zip(*columns[:width], strict=True) if width else repeat((), many)
    return np.fromiter(map(_name_scope, rows), dtype=object, count=many), *columns[width:]


def _name_scope(values: Sequence[Any]) -> str | tuple[str, ...]:
    """Return the name of a scope: "" if there is none, or it is missing; of a part's document, both names."""
    names = tuple(str(value or "") for value in values)
    return names if len(names) > 1 else "".join(names)
