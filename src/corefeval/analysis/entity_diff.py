"""Two responses without a key: which entities of A are unchanged in B, merged, split or rearranged: diff_entities().

Entities of A and B that share records, directly or by way of others, form a group; a record is in one group. How many
entities of each side a group has says what happened to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.matching.matching import build_tables
from corefeval.notices import Notice, announce_notices, check_strict, count_things, make_plural
from corefeval.overlap.components import find_components
from corefeval.overlap.overlap import Overlap
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.score import Source, read
from corefeval.tables.result import Result
from corefeval.tables.table import UNDEFINED, Table, format_percent
from corefeval.tables.writers import collect_columns

KINDS = ("unchanged", "resized", "merged", "split", "rearranged", "only in A", "only in B")
"""What can have happened to a group, in the order of tables."""
UNCHANGED, RESIZED, MERGED, SPLIT, REARRANGED, ONLY_A, ONLY_B = range(len(KINDS))
_EXAMPLES = 3
_SHOWN_ENTITIES, _SHOWN_RECORDS = 4, 3  # of a side of a group, and of an entity
_MEANINGS = (
    "resized: one entity in A and B, but for {} that only one of them has",
    "merged: several of A are one of B; split: one of A is several of B; rearranged: several of A are several of B",
)


class KindCount(NamedTuple):
    """How many groups are of a kind; how many entities of A and B, and records of either, they have; the largest."""

    kind: str
    groups: int
    a_entities: int
    b_entities: int
    records: int
    largest: int


class ComparedEntity(NamedTuple):
    """An entity of A or B: its name, how many records it has, and the first of them."""

    name: str
    size: int
    first_records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntityChange:
    """A group of entities of a document: what happened to it, how many records it has, its entities in A and in B."""

    kind: str
    document: str
    records: int
    a: tuple[ComparedEntity, ...]
    b: tuple[ComparedEntity, ...]


@dataclass(frozen=True, eq=False, slots=True)
class _Groups:
    """For every group its kind and how many records it has; the entities of A and of B, ordered by group."""

    kind: Ints
    records: Ints
    entities: tuple[Ints, Ints]
    bounds: tuple[Ints, Ints]


@dataclass(frozen=True, eq=False, slots=True)
class EntityDiff(Result):
    """Two responses compared without a key. a_records, b_records: how many each has; shared: how many both have."""

    counts: tuple[KindCount, ...]
    a_records: int
    b_records: int
    shared: int
    notices: tuple[Notice, ...]
    a: Corpus
    b: Corpus
    _groups: _Groups

    @property
    def remarks(self) -> tuple[str, ...]:
        """One sentence: how many of all records are in entities that were merged, split or rearranged."""
        affected = sum(self[kind].records for kind in ("merged", "split", "rearranged"))
        total = self.a_records + self.b_records - self.shared
        share = f" ({format_percent(affected / total)} %)" if total else ""
        of = f"{affected:,} of {count_things(total, name_mention(self.a))}{share}"
        return (f"{of} in entities that were merged, split or rearranged",)

    @property
    def names(self) -> tuple[str, str]:
        """What tables call both responses: their names if they were given any, else A and B."""
        return self.a.name or "A", self.b.name or "B"

    @property
    def _things(self) -> str:
        """What the mentions are called in tables: "records" or "mentions"."""
        return make_plural(name_mention(self.a))

    def __getitem__(self, kind: str) -> KindCount:
        return self.counts[KINDS.index(kind)]

    def list_changes(self, kind: str | None = None, most: int | None = None) -> list[EntityChange]:
        """Return a list of the groups of a kind (None: all but the unchanged), the largest first, at most `most`."""
        groups = self._groups
        chosen = groups.kind != UNCHANGED if kind is None else groups.kind == KINDS.index(kind)
        rows = np.flatnonzero(chosen)
        rows = rows[np.lexsort((rows, -groups.records[rows]))][:most]
        return [self._build_change(group) for group in rows.tolist()]

    def _build_change(self, group: int) -> EntityChange:
        """Return a group as an EntityChange, its entities with the largest first."""
        sides, documents = [], []
        for corpus, entities, bounds in zip((self.a, self.b), self._groups.entities, self._groups.bounds, strict=True):
            own = entities[bounds[group] : bounds[group + 1]]
            order = np.argsort(-corpus.sizes[own], kind="stable")
            documents += [corpus.documents[int(corpus.entity_document[entity])] for entity in own[:1].tolist()]
            sides.append(tuple(_describe_entity(corpus, entity) for entity in own[order].tolist()))
        kind, records = KINDS[self._groups.kind[group]], int(self._groups.records[group])
        return EntityChange(kind, documents[0], records, *sides)

    def tables(self, *, examples: int | None = _EXAMPLES) -> Iterator[Table]:
        """Yield a table of groups by kind, and one of examples: the largest groups of each kind but "unchanged"."""
        yield self._build_count_table()
        body = [
            [
                change.kind,
                change.document,
                f"{change.records:,}",
                _format_entities(change.a),
                _format_entities(change.b),
            ]
            for kind in KINDS[1:]
            for change in self.list_changes(kind, examples)
        ]
        if body:
            yield Table("Changes, the largest first", ["what", "document", self._things, *self.names], body, 5)

    def text_tables(self, *, examples: int | None = _EXAMPLES) -> Iterator[Table]:
        """Yield the tables of `tables` for plain text: the examples of each kind as a list of lines."""
        yield self._build_count_table()
        for count in self.counts[1:] if examples != 0 else ():
            lines = [[f"  {_format_change(change)}"] for change in self.list_changes(count.kind, examples)]
            more = count.groups - len(lines)
            if lines:
                left = [[f"  and {more:,} more"]] if more else []
                yield Table(f"{self._name_kind(count.kind)} ({count.groups:,})", [], [*lines, *left], 1)

    def _name_kind(self, kind: str) -> str:
        """Return a kind with the names of both responses in place of A and B."""
        return kind.replace(" A", f" {self.names[0]}").replace(" B", f" {self.names[1]}")

    def _build_count_table(self) -> Table:
        """Build the table of kinds: groups, entities of both sides, records, and those of the largest group."""
        ours, theirs = self.names
        head = ["what", "groups", f"entities of {ours}", f"entities of {theirs}", self._things, "largest"]
        body = [[self._name_kind(kind), *(f"{number:,}" for number in numbers)] for kind, *numbers in self.counts]
        return Table("Entities", head, body, 1, tuple(each.format(self._things) for each in _MEANINGS))

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each entity of a group that is not unchanged, the largest group first."""
        rows: list[tuple[object, ...]] = []
        for number, change in enumerate(self.list_changes(), start=1):
            for side, entities in (("A", change.a), ("B", change.b)):
                rows += [(number, change.kind, change.document, change.records, side, e.name, e.size) for e in entities]
        return collect_columns(("group", "change", "document", "records", "side", "entity", "size"), rows)

    def build_content(self) -> dict[str, object]:
        """Return counts by kind, all groups that are not unchanged, the largest first, and notices, for JSON."""
        return {
            "a": self.a.source,
            "b": self.b.source,
            "a_records": self.a_records,
            "b_records": self.b_records,
            "shared_records": self.shared,
            "counts": {count.kind: count._asdict() for count in self.counts},
            "changes": [
                {
                    "change": change.kind,
                    "document": change.document,
                    "records": change.records,
                    "a": [entity._asdict() for entity in change.a],
                    "b": [entity._asdict() for entity in change.b],
                }
                for change in self.list_changes()
            ],
            "notices": [notice.to_dict() for notice in self.notices],
        }


def name_mention(corpus: Corpus) -> str:
    """Return what a mention of a corpus is called: a "record" if it is a mere label, else a "mention"."""
    return "record" if corpus.unit == "label" else "mention"


def _describe_entity(corpus: Corpus, entity: int) -> ComparedEntity:
    """Return the ComparedEntity of an entity, given its number, with its first records."""
    rows, bounds = corpus.by_entity
    first = rows[bounds[entity] : bounds[entity + 1]][:_SHOWN_RECORDS].tolist()
    records = tuple(corpus.describe(row) for row in first)
    return ComparedEntity(str(corpus.entity_name[entity]), int(corpus.sizes[entity]), records)


def _format_entities(entities: tuple[ComparedEntity, ...]) -> str:
    """Return the entities of one side of a group in one line, with sizes and first records; "" of none."""
    shown = []
    for entity in entities[:_SHOWN_ENTITIES]:
        more = ", …" if entity.size > len(entity.first_records) else ""
        shown.append(f"{entity.name} ({entity.size:,}: {', '.join(entity.first_records)}{more})")
    left = len(entities) - len(shown)
    return " + ".join([*shown, *([f"{left:,} more"] if left else [])])


def _format_change(change: EntityChange) -> str:
    """Return a group in one line: its document, if that has a name, its entities in A, and those in B."""
    place = f"{change.document}: " if change.document else ""
    return f"{place}{_format_entities(change.a) or UNDEFINED} → {_format_entities(change.b) or UNDEFINED}"


@announce_notices
def diff_entities(
    a: Source,
    b: Source,
    *,
    strict: bool = False,
    format: str | None = None,  # noqa: A002 - the name that users expect
) -> EntityDiff:
    """Return the EntityDiff of two responses to the same records, without a key: what of A is otherwise in B.

    strict: raise an error where there would be a warning. format: of files, where content and names do not tell.
    """
    tables, notices = build_tables(read(a, format), read(b, format), resolve_options(None))
    table, rows = tables.table, tables.views.get_mentions()
    shared = int(table.n.sum())
    alone = [int(side.size.sum()) - shared for side in (table.key, table.response)]
    if any(alone):
        what = f"{count_things(alone[0], name_mention(rows.key))} only in A, {alone[1]:,} only in B"
        notices = (*notices, Notice("records-of-one", what, {"a": alone[0], "b": alone[1]}))
    check_strict(notices, strict=strict)
    groups, counts = _group_entities(table)
    sizes = alone[0] + shared, alone[1] + shared
    return EntityDiff(counts, *sizes, shared, notices, rows.key, rows.response, groups)


def _group_entities(table: Overlap) -> tuple[_Groups, tuple[KindCount, ...]]:
    """Return the groups of the entities of a table, A as its key and B as its response, and their counts by kind."""
    found = find_components([table])
    sides = (found.key, table.key), (found.responses[0], table.response)
    entities = [np.bincount(component, minlength=found.total) for component, _ in sides]
    records = [_sum_by_group(component, side.size, found.total) for component, side in sides]
    shared = _sum_by_group(found.key[table.cells.key], table.n, found.total)
    several = [each > 1 for each in entities]
    equal = (records[0] == shared) & (records[1] == shared)
    kind = np.select(
        [entities[1] == 0, entities[0] == 0, several[0] & several[1], several[0], several[1], equal],
        [ONLY_A, ONLY_B, REARRANGED, MERGED, SPLIT, UNCHANGED],
        RESIZED,
    )
    union = records[0] + records[1] - shared
    columns = [np.ones_like(kind), *entities, union]
    sums = [_sum_by_group(kind, column, len(KINDS)).tolist() for column in columns]
    largest = np.zeros(len(KINDS), dtype=np.int64)
    np.maximum.at(largest, kind, union)
    counts = tuple(map(KindCount._make, zip(KINDS, *sums, largest.tolist(), strict=True)))
    order = [np.argsort(component, kind="stable") for component, _ in sides]
    bounds = [np.append(0, np.cumsum(each)) for each in entities]
    return _Groups(kind, union, (order[0], order[1]), (bounds[0], bounds[1])), counts


def _sum_by_group(group: Ints, values: Ints, groups: int) -> Ints:
    """Return an array: for every group, the sum of the values of its members; exact below 2^53."""
    return np.bincount(group, weights=values, minlength=groups).astype(np.int64)
