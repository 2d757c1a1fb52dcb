"""Bridging and split antecedents in the MISC column of CorefUD.

    Bridge=e1<e2:subset             the mention of e2 that opens here bridges to e1
    SplitAnte=e1<e3,e2<e3           e3 is e1 and e2 together; it was once called Split

A bridge is of the last mention of its entity that opens on the same word. Split antecedents are of the entity, and what
several of its mentions say is put together.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from corefeval.corpus import Relation
from corefeval.formats.corefud.fields import unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.formats.corefud.entity import Mentions
    from corefeval.formats.corefud.fields import Fields
    from corefeval.formats.corefud.misc import Cells, Statement
    from corefeval.formats.shared.findings import Findings

_PAIR = re.compile(r"([^<>:]+)<([^<>:]+)(?::(.*))?")


class _Pair(NamedTuple):
    """One pair of a statement."""

    cell: int
    target: str
    source: str
    label: str


def relations(
    documents: Sequence[str],
    statements: Sequence[Statement],
    cells: Cells,
    mentions: Mentions,
    fields: Sequence[Fields],
    found: Findings,
) -> tuple[Relation, ...]:
    """What a file says beyond identity."""
    if not statements:
        return ()
    reader = _Relations(cells, mentions, fields, found)
    bridges = [pair for each in statements if each.key == "Bridge" for pair in reader.pairs(each)]
    splits = [pair for each in statements if each.key != "Bridge" for pair in reader.pairs(each)]
    return (*reader.bridges(bridges, documents), *reader.splits(splits, documents))


class _Relations:
    def __init__(self, cells: Cells, mentions: Mentions, fields: Sequence[Fields], found: Findings) -> None:
        self._cells, self._mentions, self._fields, self._found = cells, mentions, fields, found
        self._cell = mentions.cell.tolist()
        self._rows: dict[tuple[int, str], list[int]] = {}
        document = cells.document[mentions.cell].tolist()
        for row, (number, entity) in enumerate(zip(document, mentions.entity.tolist(), strict=True)):
            self._rows.setdefault((number, mentions.names[entity]), []).append(row)

    def pairs(self, statement: Statement) -> Iterator[_Pair]:
        """The pairs of a statement that make sense."""
        cell, key, value = statement
        fields = self._fields[self._cells.declared[cell]]
        for text in value.split(","):
            match = _PAIR.fullmatch(text)
            target, source = (fields.label(match[1]), fields.label(match[2])) if match else ("", "")
            if not match or not target or not source:
                self._found.fault(self._line(cell), f"{text[:60]!r} is not a pair in {key}", "a pair such as e1<e2")
            elif target == source:
                self._say("self-link", cell, f"{key} of {source!r} to itself is left out")
            elif self._is_there(key, cell, source) & self._is_there(key, cell, target):
                yield _Pair(cell, target, source, unescaped(match[3] or ""))

    def bridges(self, pairs: list[_Pair], documents: Sequence[str]) -> Iterator[Relation]:
        """Of mentions."""
        for cell, target, source, label in pairs:
            document = int(self._cells.document[cell])
            rows = self._rows[document, source]
            row = rows[max(0, bisect_right(rows, cell, key=self._cell.__getitem__) - 1)]
            if self._cell[row] != cell:
                line = self._line(self._cell[row])
                self._say("misplaced-bridge", cell, f"no mention of {source!r} begins here; the bridge to {target!r} "
                          f"is taken to be of the one of line {line}")  # fmt: skip
            span = int(self._mentions.start[row]), int(self._mentions.end[row])
            yield Relation("bridge", documents[document], self._mentions.pieces.get(row, span), (target,), label)

    def splits(self, pairs: list[_Pair], documents: Sequence[str]) -> Iterator[Relation]:
        """Of entities."""
        targets: dict[tuple[int, str], dict[str, int]] = {}
        for cell, target, source, _ in pairs:
            targets.setdefault((int(self._cells.document[cell]), source), {}).setdefault(target, cell)
        for (document, source), parts in targets.items():
            if len(parts) == 1:
                self._say(
                    "split-antecedent", next(iter(parts.values())), f"{source!r} has a split antecedent of one part"
                )
            yield Relation("split", documents[document], source, tuple(parts))

    def _is_there(self, key: str, cell: int, entity: str) -> bool:
        there = (int(self._cells.document[cell]), entity) in self._rows
        if not there:
            self._say("dangling-reference", cell, f"{key} names {entity!r}, which has no mention in the document; "
                      "it is left out")  # fmt: skip
        return there

    def _line(self, cell: int) -> int:
        return int(self._cells.line[cell])

    def _say(self, kind: str, cell: int, message: str) -> None:
        self._found.notice(kind, self._line(cell), message)
