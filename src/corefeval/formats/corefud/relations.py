"""Bridging and split antecedents in the MISC column of CorefUD.

    Bridge=e1<e2:subset             the mention of e2 that opens here bridges to e1
    SplitAnte=e1<e3,e2<e3           e3 is e1 and e2 together; the key used to be Split

A bridge is of the last mention of its entity that opens on the same word. Split antecedents are of the entity, and what
several of its mentions say is put together.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.beyond_identity import Relation
from corefeval.formats.corefud.fields import unescape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.formats.corefud.conllu import ConlluTable, RelationItem
    from corefeval.formats.corefud.fields import Declarations
    from corefeval.formats.corefud.mentions import CorefudMentions, EntityCells
    from corefeval.formats.shared.diagnostics import Diagnostics

_PAIR = re.compile(r"([^<>:]+)<([^<>:]+)(?::(.*))?")


class _RelatedPair(NamedTuple):
    """One pair of a Bridge or SplitAnte: its key, the word and the line of the file, the document, ids of entities."""

    key: str
    word: int
    line: int
    document: int
    target: str
    source: str
    label: str


class RelationReader:
    """Makes relations of the items of MISC that are about them.

    bounds: the first word of every document, and where the last one ends.
    """

    def __init__(self, table: ConlluTable, bounds: Ints, declarations: Declarations, diagnostics: Diagnostics) -> None:
        self._table, self._bounds, self._declarations, self._diagnostics = table, bounds, declarations, diagnostics

    def read(
        self, items: Sequence[RelationItem], names: Sequence[str], cells: EntityCells, mentions: CorefudMentions
    ) -> tuple[Relation, ...]:
        """Return all relations of a file: bridges, then split antecedents; names: those of the documents."""
        if not items:
            return ()
        rows: dict[tuple[int, str], list[int]] = defaultdict(list)
        documents = cells.document[mentions.cell].tolist()
        for row, (document, entity) in enumerate(zip(documents, mentions.entity.tolist(), strict=True)):
            rows[document, mentions.names[entity]].append(row)
        words = cells.word[mentions.cell].tolist()
        bridges: list[Relation] = []
        splits: dict[tuple[int, str], dict[str, int]] = {}
        for pair in [pair for item in items for pair in self._parse_pairs(item)]:
            if not self._is_known(pair, rows):
                continue
            if pair.key == "SplitAnte":
                splits.setdefault((pair.document, pair.source), {}).setdefault(pair.target, pair.line)
                continue
            # The last mention of the source that opens on the pair's word or before it, else its first one.
            own = rows[pair.document, pair.source]
            row = own[max(0, bisect_right(own, pair.word, key=words.__getitem__) - 1)]
            if words[row] != pair.word:
                message = (
                    f"no mention of {pair.source!r} begins here; "
                    f"the bridge to {pair.target!r} is given to the one of line {cells.line[mentions.cell[row]]}"
                )
                self._diagnostics.add_notice("misplaced-bridge", pair.line, message)
            source = mentions.pieces.get(row) or (int(mentions.start[row]), int(mentions.end[row]))
            bridges.append(Relation("bridge", names[pair.document], source, (pair.target,), pair.label))
        plurals = []
        for (document, plural), parts in splits.items():
            if len(parts) == 1:
                message = f"{plural!r} has a split antecedent of one part"
                self._diagnostics.add_notice("split-antecedent", next(iter(parts.values())), message)
            plurals.append(Relation("split", names[document], plural, tuple(parts)))
        return (*bridges, *plurals)

    def _parse_pairs(self, item: RelationItem) -> Iterator[_RelatedPair]:
        """Yield the well-formed pairs of an item."""
        row = self._table.row[[item.word]]
        line = int(row[0]) + 1
        document = int(np.searchsorted(self._bounds, item.word, side="right")) - 1
        fields = self._declarations.fields[int(self._declarations.find_numbers(row)[0])]
        for text in item.value.split(","):
            match = _PAIR.fullmatch(text)
            target, source = (fields.find_id(match[1]), fields.find_id(match[2])) if match else ("", "")
            if not match or not target or not source:
                self._diagnostics.add_fault(line, f"{text[:60]!r} is not a pair in {item.key}", "a pair such as e1<e2")
            else:
                yield _RelatedPair(item.key, item.word, line, document, target, source, unescape(match[3] or ""))

    def _is_known(self, pair: _RelatedPair, rows: dict[tuple[int, str], list[int]]) -> bool:
        """Return whether both entities of a pair have mentions (rows, by entity), and are not the same."""
        if pair.target == pair.source:
            message = f"{pair.key} of {pair.source!r} to itself is left out"
            self._diagnostics.add_notice("self-link", pair.line, message)
            return False
        missing = [name for name in (pair.source, pair.target) if (pair.document, name) not in rows]
        for name in missing:
            message = f"{pair.key} names {name!r}, which has no mention in the document; it is left out"
            self._diagnostics.add_notice("dangling-reference", pair.line, message)
        return not missing
