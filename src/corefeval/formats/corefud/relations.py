"""Bridging and split antecedents in the MISC column of CorefUD.

    Bridge=e1<e2:subset             the mention of e2 that opens here bridges to e1
    SplitAnte=e1<e3,e2<e3           e3 is e1 and e2 together; it was once called Split

A bridge is of the last mention of its entity that opens on the same word. Split antecedents are of the entity, and what
several of its mentions say is put together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from corefeval.corpus.relations import Relation
from corefeval.formats.corefud.fields import unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.formats.corefud.entity import Mentions
    from corefeval.formats.corefud.fields import Fields
    from corefeval.formats.corefud.misc import Cells, Statement
    from corefeval.formats.shared.diagnostics import Diagnostics

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
    found: Diagnostics,
) -> tuple[Relation, ...]:
    """What a file says beyond identity."""
    if not statements:
        return ()
    bridges = [pair for each in statements if each.key == "Bridge" for pair in _pairs(each, cells, fields, found)]
    splits = [pair for each in statements if each.key != "Bridge" for pair in _pairs(each, cells, fields, found)]
    reader = _Relations(documents, cells, mentions, found)
    bridges, splits = reader.known("Bridge", bridges), reader.known("SplitAnte", splits)
    return (*reader.bridges(bridges), *reader.splits(splits))


def _pairs(statement: Statement, cells: Cells, fields: Sequence[Fields], found: Diagnostics) -> Iterator[_Pair]:
    """The pairs of a statement that make sense."""
    cell, key, value = statement
    label, line = fields[cells.declared[cell]].label, int(cells.line[cell])
    for text in value.split(","):
        match = _PAIR.fullmatch(text)
        target, source = (label(match[1]), label(match[2])) if match else ("", "")
        if not match or not target or not source:
            found.add_fault(line, f"{text[:60]!r} is not a pair in {key}", "a pair such as e1<e2")
        else:
            yield _Pair(cell, target, source, unescaped(match[3] or ""))


class _Relations:
    def __init__(self, documents: Sequence[str], cells: Cells, mentions: Mentions, found: Diagnostics) -> None:
        self._documents, self._cells, self._mentions, self._found = documents, cells, mentions, found
        self._number = {name: number for number, name in enumerate(mentions.names)}
        self._count = max(1, len(mentions.cell))
        entity = cells.document[mentions.cell] * len(self._number) + mentions.entity
        # By entity, and within an entity in the order of the text: to be searched for many pairs at once.
        self._sorted = np.sort(entity * self._count + np.arange(len(entity)))

    def known(self, key: str, pairs: list[_Pair]) -> list[_Pair]:
        """The pairs of two entities that have mentions."""
        known = []
        ends = zip(pairs, self._are_there(pairs, "source"), self._are_there(pairs, "target"), strict=True)
        for pair, has_source, has_target in ends:
            if pair.target == pair.source:
                self._say("self-link", pair.cell, f"{key} of {pair.source!r} to itself is left out")
            elif has_source and has_target:
                known.append(pair)
            else:
                missing = [name for name, has in ((pair.source, has_source), (pair.target, has_target)) if not has]
                for name in missing:
                    self._say("dangling-reference", pair.cell, f"{key} names {name!r}, which has no mention in the "
                              "document; it is left out")  # fmt: skip
        return known

    def bridges(self, pairs: list[_Pair]) -> Iterator[Relation]:
        """Of mentions."""
        rows = self._last_before(pairs)
        starts, ends = self._mentions.start[rows].tolist(), self._mentions.end[rows].tolist()
        cells = self._mentions.cell[rows].tolist()
        for pair, row, *span, at in zip(pairs, rows.tolist(), starts, ends, cells, strict=True):
            if at != pair.cell:
                self._say("misplaced-bridge", pair.cell, f"no mention of {pair.source!r} begins here; the bridge to "
                          f"{pair.target!r} is taken to be of the one of line {self._line(at)}")  # fmt: skip
            source = self._mentions.pieces.get(row) or tuple(span)
            yield Relation("bridge", self._document(pair), source, (pair.target,), pair.label)

    def splits(self, pairs: list[_Pair]) -> Iterator[Relation]:
        """Of entities."""
        targets: dict[tuple[str, str], dict[str, int]] = {}
        for pair in pairs:
            targets.setdefault((self._document(pair), pair.source), {}).setdefault(pair.target, pair.cell)
        for (document, source), parts in targets.items():
            if len(parts) == 1:
                self._say(
                    "split-antecedent", next(iter(parts.values())), f"{source!r} has a split antecedent of one part"
                )
            yield Relation("split", document, source, tuple(parts))

    def _document(self, pair: _Pair) -> str:
        return self._documents[self._cells.document[pair.cell]]

    def _entities(self, pairs: list[_Pair], end: Literal["source", "target"]) -> Ints:
        """The entities at one end of pairs, in such numbers that all mentions of an entity are below the next one."""
        number = np.array([self._number.get(getattr(pair, end), -1) for pair in pairs], dtype=np.int64)
        document = self._cells.document[[pair.cell for pair in pairs]]
        return np.where(number < 0, -1, (document * len(self._number) + number) * self._count)

    def _are_there(self, pairs: list[_Pair], end: Literal["source", "target"]) -> list[bool]:
        """Whether the entities at one end of pairs have mentions."""
        if not pairs:
            return []
        entity = self._entities(pairs, end)
        first = np.append(self._sorted, -1)[np.searchsorted(self._sorted, entity)]
        there: list[bool] = ((entity >= 0) & (first >= entity) & (first < entity + self._count)).tolist()
        return there

    def _last_before(self, pairs: list[_Pair]) -> Ints:
        """The last mention of every pair's source that opens on the pair's word or before it, else its first one."""
        if not pairs:
            return self._sorted[:0]
        entity = self._entities(pairs, "source")
        before = np.searchsorted(self._mentions.cell, [pair.cell for pair in pairs], side="right")
        place = np.searchsorted(self._sorted, entity + before)
        found = np.maximum(place - 1, np.searchsorted(self._sorted, entity))
        return self._sorted[found] % self._count

    def _line(self, cell: int) -> int:
        return int(self._cells.line[cell])

    def _say(self, kind: str, cell: int, message: str) -> None:
        self._found.add_notice(kind, self._line(cell), message)
