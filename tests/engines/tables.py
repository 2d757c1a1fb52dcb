"""Small random tables of records, and what they say as entities."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import feather, ipc

import corefeval

Rows = list[tuple[int, int, str]]
"""A record's id, its label, and its group."""

FOR_ALL = [f"{name}{',' if ':' in name else ':'}twinless={way}" for name in corefeval.measures.ALL
           if name not in ("mentions", "ace_value") for way in ("pad", "discard_both")]  # fmt: skip
REWRITTEN = [*FOR_ALL, "blanc:mentions=shared", "mean(lea:twinless=pad,ceafe:twinless=discard_both)"]
"""All measures of tables that pad or discard mentions that one side lacks."""


@dataclass(frozen=True, slots=True)
class RandomTables:
    """Two tables of records with ids, labels and groups, of which each side lacks some records."""

    key: Rows
    response: Rows

    @classmethod
    def draw(cls, rng: random.Random, *, most: int = 60, wrong: float | None = None) -> RandomTables:
        """Draw tables that have at least one record in common; `wrong` is the share of the response's wrong labels."""
        entities = rng.randint(1, 12)
        records = list(range(rng.randint(1, most)))
        rng.shuffle(records)
        groups = {record: rng.choice(["north", "south", "east"]) for record in records}
        truth = {record: rng.randrange(entities) for record in records}
        noise = rng.random() if wrong is None else wrong
        given = {r: label if rng.random() > noise else rng.randrange(entities) for r, label in truth.items()}
        key = [r for r in records if rng.random() < 0.9] or records[:1]
        response = [r for r in records if rng.random() < 0.9 or r == key[0]]
        rng.shuffle(response)
        sides = ([(r, labels[r], groups[r]) for r in rows] for labels, rows in ((truth, key), (given, response)))
        return cls(*sides)

    def to_arrow(self) -> tuple[pa.Table, pa.Table]:
        """Return both tables as Arrow data."""
        return make_arrow(self.key), make_arrow(self.response)

    def score(self, measures: Any = "all", group: str | None = None) -> corefeval.Evaluation:
        """Score entities, which are in the order of their labels, without an engine."""
        sides = ([row for row in rows if group in (None, row[2])] for rows in (self.key, self.response))
        return corefeval.score(*map(list_entities, sides), measures=measures)


def make_arrow(rows: Rows) -> pa.Table:
    """Return rows as a table of Arrow."""
    columns = list(zip(*rows, strict=True)) if rows else [(), (), ()]
    types = (pa.int64(), pa.int64(), pa.string())
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    return pa.table(arrays, names=["id", "cluster", "region"])


def name_documents(table: pa.Table) -> pa.Table:
    """Return a table with a column of documents: records with the same rest by three are of one."""
    return table.append_column("document", pa.array([f"d{record % 3}" for record in table["id"].to_pylist()]))


def list_entities(rows: Rows) -> list[list[int]]:
    """Return the entities of rows in the order of their labels."""
    found: dict[int, list[int]] = {}
    for record, label, _ in sorted(rows, key=lambda row: row[1]):
        found.setdefault(label, []).append(record)
    return list(found.values())


def write_both_layouts(tables: RandomTables, folder: Path) -> tuple[str, str]:
    """Write a key in several compressed Arrow files, a response as a stream with changing dictionaries; return paths."""
    key, response = tables.to_arrow()
    (folder / "key").mkdir()
    for place in range(2):
        part = key.take(list(range(place, key.num_rows, 2)))
        feather.write_feather(part, str(folder / "key" / f"{place}.feather"), chunksize=5)
    batches = (pa.table({name: each.column(name) for name in ("id", "cluster")}) for each in response.to_batches(9))
    encoded = [each.append_column("region", pa.array([str(place)] * len(each)).dictionary_encode())
               for place, each in enumerate(batches)]  # fmt: skip
    with ipc.new_stream(str(folder / "response.arrow"), encoded[0].schema) as writer:
        for each in encoded:
            writer.write_table(each)
    return str(folder / "key"), str(folder / "response.arrow")


def assert_same(found: corefeval.Evaluation, expected: corefeval.Evaluation) -> None:
    """Assert that two evaluations have the same scores, to the last bit."""
    for measure in expected:
        assert found[measure].values == expected[measure].values, measure
        assert found[measure].undefined == expected[measure].undefined, measure
