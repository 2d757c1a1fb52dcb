"""The SQL that counts a table of records, in the dialect that DuckDB and Spark share.

Records are joined and grouped into cells, cells into entities, and both into histograms. Only counts are made: sums of
squares and quotients could overflow or be rounded, and are left to Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corefeval.engines.numbered_cells import CLEARLY
from corefeval.engines.records import EXACT, RecordTables, TableSide
from corefeval.engines.sorted_records import RowLayout

Dialect = dict[str, str]
"""How an engine writes what differs: `quote` is its quotation mark for names, `text` its type of texts, `row` an
expression that is different in every row, `table` how a table is made."""

CELLS, WHOLE_CELLS = "corefeval_cells", "corefeval_whole_cells"
"""Tables of cells: in the scope that is asked for, and without parts."""

ENTITIES = ("corefeval_keys", "corefeval_responses")
PART_ENTITIES = ("corefeval_part_keys", "corefeval_part_responses")
"""Tables of entities of both sides: of all records, and cut at the borders of parts."""

INTEGERS = frozenset(f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT"))
"""Types of integers that 64 bits hold."""

_IS_LONE = "c.n = k.shared AND c.n = r.shared"
_DICE = "CAST(c.n AS DOUBLE) / (c.k + c.r)"


def quote_name(name: str, dialect: Dialect) -> str:
    """Return the name of a column or table in quotation marks."""
    mark = dialect["quote"]
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


@dataclass(frozen=True, slots=True)
class SideQuery:
    """The relation to select one side's records from, its columns' types, and which ids' differ between both sides.

    makes_labels: whether some records have no label, and each gets one of its own.
    """

    side: TableSide
    relation: str
    types: dict[str, str]
    compared_as_text: tuple[bool, ...] = ()
    makes_labels: bool = False


def select_facts(query: SideQuery, dialect: Dialect) -> str:
    """Return the query of one row: how many rows a side has, how many with an id, and how many with a label."""
    present = " AND ".join(f"{quote_name(name, dialect)} IS NOT NULL" for name in query.side.id) or "TRUE"
    label = quote_name(query.side.label, dialect)
    return f"SELECT count(*), count(CASE WHEN {present} THEN 1 END), count({label}) FROM {query.relation}"


def select_joined_rows() -> str:
    """Return the query of one row: how many records have a label of the key, of the response, and of both."""
    parts = ("a IS NOT NULL", "b IS NOT NULL", "a IS NOT NULL AND b IS NOT NULL")
    sums = (f"CAST(COALESCE(sum(CASE WHEN {part} THEN n END), 0) AS BIGINT)" for part in parts)
    return f"SELECT {', '.join(sums)} FROM {CELLS}"


def select_label_types(cells: str) -> str:
    """Return the query of one row, or none if there are no cells: the types of both sides' labels."""
    return f"SELECT typeof(a), typeof(b) FROM {cells} LIMIT 1"


def select_label_bounds(cells: str) -> str:
    """Return the query of one row: how many cells and records there are, and both sides' least and greatest labels."""
    return f"SELECT count(*), CAST(sum(n) AS BIGINT), min(a), max(a), min(b), max(b) FROM {cells}"


def select_numbered(cells: str, first: tuple[int, int], missing: int) -> str:
    """Return the query of cells with labels that are near each other as numbers from 0 on, given the first of each."""
    numbers = (
        f"CAST(COALESCE({_subtract(label, low)}, {missing}) AS INTEGER) AS {label}"
        for label, low in zip("ab", first, strict=True)
    )
    return f"SELECT {', '.join(numbers)}, CAST(n AS INTEGER) AS n FROM {cells}"


def select_bounds(query: SideQuery, dialect: Dialect) -> str:
    """Return the query of one row: the least and the greatest value of each column of ids, and of labels."""
    names = (quote_name(name, dialect) for name in (*query.side.id, query.side.label))
    return f"SELECT {', '.join(f'min({name}), max({name})' for name in names)} FROM {query.relation}"


def select_rows(queries: Sequence[SideQuery], layout: RowLayout, tables: RecordTables, dialect: Dialect) -> str:
    """Return the query of both sides' rows as numbers: an id, the place of the side, and a label, from 1 on.

    The number is NULL where the layout does not fit: a query may give other rows each time.
    """
    selected = []
    for place, (query, first) in enumerate(zip(queries, layout.labels, strict=True)):
        number, label = "0", quote_name(query.side.label, dialect)
        fits = [f"{label} BETWEEN {first} AND {first + 2**layout.bits - 2}"]
        for name, (low, width) in zip(query.side.id, layout.ids, strict=True):
            column = quote_name(name, dialect)
            number = f"({number}) * {width} + {_subtract(column, low)}"
            fits.append(f"{column} BETWEEN {low} AND {low + width - 1}")
        number = f"(({number}) * 2 + {place}) * {2**layout.bits} + {_subtract(label, first - 1)}"
        where = _keep_labelled(query, dialect) if tables.missing_labels == "drop" else ""
        selected.append(f"SELECT {_number_if(fits, number)} FROM {query.relation}{where}")
    return " UNION ALL ".join(selected)


def select_pairs(queries: Sequence[SideQuery], layout: RowLayout, dialect: Dialect) -> str:
    """Return the query of one table's rows as pairs: one number of both labels from 1 on, 0 for one that is missing.

    The number is NULL where the layout does not fit.
    """
    numbers, fits = [], []
    for query, first in zip(queries, layout.labels, strict=True):
        label = quote_name(query.side.label, dialect)
        numbers.append(f"COALESCE({_subtract(label, first - 1)}, 0)")
        fits.append(f"({label} IS NULL OR {label} BETWEEN {first} AND {first + 2**layout.bits - 2})")
    a, b = numbers
    return f"SELECT {_number_if(fits, f'{a} * {2**layout.bits} + {b}')} FROM {queries[0].relation}"


def _number_if(conditions: Sequence[str], number: str) -> str:
    """Return a column of numbers, NULL where one of some conditions does not hold."""
    return f"CASE WHEN {' AND '.join(conditions)} THEN {number} END AS number"


def _subtract(column: str, low: int) -> str:
    """Return the difference of integers of any type and a number, which 64 bits hold."""
    return f"CAST(CAST({column} AS HUGEINT) - {low} AS BIGINT)"


def drop_table(name: str) -> str:
    """Return the statement that drops a table."""
    return f"DROP TABLE {name}"


def select_repeated(query: SideQuery, dialect: Dialect, only_labelled: bool) -> str:  # noqa: FBT001
    """Return the query of ids that stand in several rows, as a text, and in how many each does."""
    names = [quote_name(name, dialect) for name in query.side.id]
    texts = [f"CAST({name} AS {dialect['text']})" for name in names]
    if query.side.document:  # in another one, an id is another record
        document = f"COALESCE(CAST({quote_name(query.side.document, dialect)} AS {dialect['text']}), '')"
        names, texts = [document, *names], [document, *texts]
    columns, shown = ", ".join(names), " || '/' || ".join(texts)
    where = _keep_labelled(query, dialect) if only_labelled else ""
    grouped = f"SELECT {shown} AS id, count(*) AS times FROM {query.relation}{where} GROUP BY {columns}"
    return f"SELECT id, times FROM ({grouped}) AS grouped WHERE times > 1"


def count_rows(query: str) -> str:
    """Return the query of how many rows a query has."""
    return f"SELECT count(*) FROM ({query}) AS counted"


def _keep_labelled(query: SideQuery, dialect: Dialect) -> str:
    """Return a condition that keeps records with a label."""
    return f" WHERE {quote_name(query.side.label, dialect)} IS NOT NULL"


def _select_side(query: SideQuery, tables: RecordTables, dialect: Dialect, label: str) -> str:
    """Return the query of one side's records: columns id0, id1 …, the label as `label`, document and part."""
    side = query.side
    columns = [
        f"{_write_text(query, name, dialect) if is_text else quote_name(name, dialect)} AS id{place}"
        for place, (name, is_text) in enumerate(zip(side.id, query.compared_as_text, strict=True))
    ]
    columns += [f"{_select_label(query, dialect)} AS {label}", *_select_scope(side, dialect)]
    where = _keep_labelled(query, dialect) if tables.missing_labels == "drop" else ""
    return f"SELECT {', '.join(columns)} FROM {query.relation}{where}"


def _write_text(query: SideQuery, name: str, dialect: Dialect) -> str:
    """Return a column as texts; floats that are whole numbers are written as integers."""
    column = quote_name(name, dialect)
    text = f"CAST({column} AS {dialect['text']})"
    if query.types[name].upper() not in ("FLOAT", "DOUBLE"):
        return text
    is_whole = f"{column} = floor({column}) AND abs({column}) < {EXACT}"
    return f"CASE WHEN {is_whole} THEN CAST(CAST({column} AS BIGINT) AS {dialect['text']}) ELSE {text} END"


def _select_scope(side: TableSide, dialect: Dialect) -> list[str]:
    """Return the columns of documents and parts, as texts, that a side has."""
    named = (("document", side.document), ("part", side.by))
    text = dialect["text"]
    return [f"COALESCE(CAST({quote_name(name, dialect)} AS {text}), '') AS {alias}" for alias, name in named if name]


def _select_label(query: SideQuery, dialect: Dialect) -> str:
    """Return a column of labels; if asked for, each missing one becomes a label that no other record has."""
    column = quote_name(query.side.label, dialect)
    if not query.makes_labels:
        return column
    return f"COALESCE(CAST({column} AS {dialect['text']}), concat('missing label of row ', {dialect['row']}))"


def select_records(key: SideQuery, response: SideQuery, tables: RecordTables, dialect: Dialect) -> str:
    """Return the query of all records: the label of the key as a, of the response as b, NULL where a side lacks it."""
    if tables.is_one_table:
        labels = [f"{_select_label(query, dialect)} AS {alias}" for alias, query in (("a", key), ("b", response))]
        return f"SELECT {', '.join([*labels, *_select_scope(tables.key, dialect)])} FROM {key.relation}"
    ours, theirs = _select_side(key, tables, dialect, "a"), _select_side(response, tables, dialect, "b")
    same = [f"k.id{place} = r.id{place}" for place in range(len(tables.key.id))]
    if tables.key.document:
        same.append("k.document = r.document")
    scope = [
        f"COALESCE({', '.join(f'{side}.{column}' for side, given in has_column.items() if given)}, '') AS {column}"
        for column, has_column in (
            ("document", {"k": tables.key.document, "r": tables.response.document}),
            ("part", {"k": tables.key.by, "r": tables.response.by}),
        )
        if any(has_column.values())
    ]
    columns = ", ".join(["k.a AS a", "r.b AS b", *scope])
    return f"SELECT {columns} FROM ({ours}) AS k FULL JOIN ({theirs}) AS r ON {' AND '.join(same)}"


def find_scope(tables: RecordTables) -> tuple[str, ...]:
    """Return the columns beside labels that records have: "part" and "document", each if it is asked for."""
    named = {"part": tables.key.by or tables.response.by, "document": tables.key.document or tables.response.document}
    return tuple(column for column, given in named.items() if given)


def make_cells(records: str, scope: Sequence[str], dialect: Dialect) -> str:
    """Return the statement that groups records into the table of cells: a scope, a, b, and n records with both."""
    columns = ", ".join((*scope, "a", "b"))
    grouped = f"SELECT {columns}, count(*) AS n FROM ({records}) AS records GROUP BY {columns}"
    return f"{dialect['table'].format(CELLS)} {grouped}"


def join_parts(scope: Sequence[str], dialect: Dialect) -> str:
    """Return the statement that makes cells of all parts together of the cells of each, by what else is the scope."""
    columns = ", ".join((*scope, "a", "b"))
    summed = f"SELECT {columns}, CAST(sum(n) AS BIGINT) AS n FROM {CELLS} GROUP BY {columns}"
    return f"{dialect['table'].format(WHOLE_CELLS)} {summed}"


def make_entities(cells: str, scope: Sequence[str], dialect: Dialect, names: tuple[str, str]) -> Iterator[str]:
    """Yield statements that make a table of entities for each side: label, size, shared, largest."""
    for name, label, other in zip(names, "ab", "ba", strict=True):
        columns = ", ".join((*scope, label))
        shared = f"CASE WHEN {other} IS NULL THEN 0 ELSE n END"
        numbers = f"CAST(sum(n) AS BIGINT) AS size, CAST(sum({shared}) AS BIGINT) AS shared, max({shared}) AS largest"
        yield (
            f"{dialect['table'].format(name)} SELECT {columns}, {numbers} FROM {cells} "
            f"WHERE {label} IS NOT NULL GROUP BY {columns}"
        )


def select_entity_histogram(entities: str, scope: Sequence[str]) -> str:
    """Return the query of a side's histogram: a scope (or ''), size, shared, largest, and how many are like that."""
    columns = ", ".join((*scope, "size", "shared", "largest"))
    return f"SELECT {columns}, count(*) FROM {entities} GROUP BY {columns}"


def _join_sizes(cells: str, scope: Sequence[str], names: tuple[str, str]) -> str:
    """Return cells joined with the entities of both sides, as k and r, of which cells that one side lacks are not."""
    conditions = [
        " AND ".join([f"c.{label} = {side}.{label}", *(f"c.{column} = {side}.{column}" for column in scope)])
        for side, label in (("k", "a"), ("r", "b"))
    ]
    return f"{cells} AS c JOIN {names[0]} AS k ON {conditions[0]} JOIN {names[1]} AS r ON {conditions[1]}"


def select_cell_histogram(cells: str, scope: Sequence[str], names: tuple[str, str]) -> str:
    """Return the query of the cells' histogram: a scope, n, k, r, how many are like that, and how many are lone."""
    columns = ", ".join((*(f"c.{column}" for column in scope), "c.n", "k.size", "r.size"))
    lone = f"count(CASE WHEN {_IS_LONE} THEN 1 END)"
    return f"SELECT {columns}, count(*), {lone} FROM {_join_sizes(cells, scope, names)} GROUP BY {columns}"


def make_tangle(name: str, cells: str, scope: Sequence[str], names: tuple[str, str], dialect: Dialect) -> str:
    """Return the statement that makes a table of cells whose entities have other cells, too."""
    return f"{dialect['table'].format(name)} {select_tangle(cells, scope, names)}"


def take_dominant(name: str, tangle: str, scope: Sequence[str], dialect: Dialect) -> str:
    """Return the statement that makes a table of the cells of a tangle that are in every best alignment.

    They outweigh all other cells of both their entities together, by n as well as by 2n / (k + r). Quotients are
    floats: where they say little, because they are almost equal, the cell stays in the tangle.
    """
    sums = [
        f"(SELECT {', '.join((*scope, label))}, sum(c.n) AS n, sum({_DICE}) AS d FROM {tangle} AS c "
        f"GROUP BY {', '.join((*scope, label))})"
        for label in "ab"
    ]
    ours, theirs = (
        f"JOIN {grouped} AS {side} ON {_match_columns('c', side, (*scope, label))}"
        for grouped, side, label in zip(sums, ("ours", "theirs"), "ab", strict=True)
    )
    clearly = f"3 * c.n > ours.n + theirs.n AND 3 * {_DICE} > ours.d + theirs.d + {CLEARLY}"
    return f"{dialect['table'].format(name)} SELECT c.* FROM {tangle} AS c {ours} {theirs} WHERE {clearly}"


def drop_taken(name: str, tangle: str, taken: str, scope: Sequence[str], dialect: Dialect) -> str:
    """Return the statement that makes a table of the cells of a tangle whose entities are both not taken."""
    joins = (
        f"LEFT JOIN {taken} AS {side} ON {_match_columns('c', side, (*scope, label))}"
        for side, label in (("ours", "a"), ("theirs", "b"))
    )
    where = "ours.a IS NULL AND theirs.b IS NULL"
    return f"{dialect['table'].format(name)} SELECT c.* FROM {tangle} AS c {' '.join(joins)} WHERE {where}"


def select_kinds(taken: str, scope: Sequence[str]) -> str:
    """Return the query of a histogram of cells taken: a scope, n, k, r, and how many are like that."""
    columns = ", ".join((*scope, "n", "k", "r"))
    return f"SELECT {columns}, count(*) FROM {taken} GROUP BY {columns}"


def select_all(table: str) -> str:
    """Return the query of all rows of a table."""
    return f"SELECT * FROM {table}"


def _match_columns(one: str, other: str, columns: Sequence[str]) -> str:
    """Return the condition that two tables have the same values in some columns."""
    return " AND ".join(f"{one}.{column} = {other}.{column}" for column in columns)


def select_tangle(cells: str, scope: Sequence[str], names: tuple[str, str]) -> str:
    """Return the query of cells whose entities have other cells, too: a scope, labels, n, k and r."""
    columns = ", ".join((*(f"c.{column} AS {column}" for column in scope), "c.a AS a", "c.b AS b", "c.n AS n"))
    sizes = "k.size AS k, r.size AS r"
    return f"SELECT {columns}, {sizes} FROM {_join_sizes(cells, scope, names)} WHERE NOT ({_IS_LONE})"
