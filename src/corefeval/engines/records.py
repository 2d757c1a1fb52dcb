"""Where records are: one table with a column of labels for each side, or two tables that are joined by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from corefeval.engines.histograms import Histograms
from corefeval.errors import Fault, InputError, OptionError, suggest_names
from corefeval.notices import Notice, count_part, count_things

MissingLabels = Literal["error", "singleton", "drop"]
MISSING_LABELS = ("error", "singleton", "drop")
"""What to do with records without a label: refuse them, take each for an entity of its own, or leave them out."""

EXACT = 2**53
"""Below it, floats are whole numbers exactly: compared with ids of another type they are written as integers."""

_GIANT = 0.1  # the share of records from which one entity is worth a notice
_MANY = 1000  # records, of fewer a tenth is nothing


@dataclass(frozen=True, slots=True)
class TableSide:
    """The labels of one side: a table, and the names of its columns.

    table: a path, a pattern of paths, a query, a data frame or another object that an engine reads.
    id: the columns that make one id together; none where both sides are columns of one table.
    """

    table: Any
    label: str
    id: tuple[str, ...] = ()
    document: str = ""
    by: str = ""

    @property
    def name(self) -> str:
        """What messages call the table: its path or query, or the kind of its object."""
        return self.table if isinstance(self.table, str) else f"a {type(self.table).__name__}"

    def list_columns(self) -> list[str]:
        """Return the names of the columns that are read, each once."""
        return list(dict.fromkeys(name for name in (*self.id, self.label, self.document, self.by) if name))

    def check_columns(self, present: Sequence[str]) -> None:
        """Raise an OptionError if a column that is asked for is not among those that the table has."""
        for name in self.list_columns():
            if name not in present:
                raise OptionError(f"{self.name} has no column {name!r}; {suggest_names(name, list(present))}")
            if list(present).count(name) > 1:
                raise OptionError(f"{self.name} has several columns {name!r}")


@dataclass(frozen=True, slots=True)
class RecordTables:
    """Both sides of a table of records, and what to do with records without a label."""

    key: TableSide
    response: TableSide
    missing_labels: MissingLabels = "error"

    @property
    def is_one_table(self) -> bool:
        """Whether both sides are columns of one table, so that nothing needs to be joined."""
        return self.key.table is self.response.table and not self.key.id

    @property
    def sides(self) -> tuple[tuple[str, TableSide], tuple[str, TableSide]]:
        """The sides with their names, "key" and "response"."""
        return ("key", self.key), ("response", self.response)


@dataclass(frozen=True, slots=True)
class SideFacts:
    """What was found in one side's table: rows, and those without an id or a label."""

    rows: int
    without_id: int
    without_label: int


def check_side(side: TableSide, name: str, facts: SideFacts, missing_labels: str) -> list[Notice]:
    """Return notices on records without a label; an InputError where they, or records without an id, are refused."""
    if facts.without_id:
        what = f"{count_part(facts.without_id, facts.rows, 'row')} without an id ({' + '.join(side.id)})"
        raise InputError(Fault(side.name, what, "an id in every row"))
    if not facts.without_label:
        return []
    some = count_part(facts.without_label, facts.rows, "record")
    if missing_labels == "error":
        expected = "a label for every record"
        hint = "missing_labels='singleton' takes each for an entity of its own, 'drop' leaves them out of the side"
        raise InputError(Fault(side.name, f"{some} of the {name} without a label ({side.label})", expected, hint))
    done = "each taken for an entity of its own" if missing_labels == "singleton" else f"left out of the {name}"
    message = f"{side.name}: {some} without a label ({side.label}), {done}"
    return [Notice("missing-label", message, {"side": name, "count": facts.without_label})]


def raise_repeated(side: TableSide, examples: Sequence[tuple[object, int]], many: int) -> None:
    """Raise an InputError that names some ids that stand in several rows, each with how often it does."""
    shown = ", ".join(f"{id} ({count_things(times, 'row')})" for id, times in examples)  # noqa: A001
    what = f"{count_things(many, 'id')} in several rows: {shown}"
    hint = "keep one row per record, or score files of this size in memory, where --duplicates decides"
    raise InputError(Fault(side.name, what, "one row for each record", hint))


def describe_giants(whole: Histograms) -> list[Notice]:
    """Return a notice for each side whose largest entity has a tenth of more than a thousand records."""
    found = []
    for side, rows in (("key", whole.key), ("response", whole.response)):
        records = sum(size * times for _, size, *_, times in rows)
        largest = max((size for _, size, *_ in rows), default=0)
        if records > _MANY and largest >= _GIANT * records:
            some = count_part(largest, records, "record")
            message = f"the largest {side} entity has {some}: if its label stands for 'unknown', leave it out"
            found.append(Notice("giant-entity", message, {"side": side, "size": largest, "records": records}))
    return found
