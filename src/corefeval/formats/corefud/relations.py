"""Bridging and split antecedents in the MISC column of CorefUD.

    Bridge=e1<e2:subset             the mention of e2 that opens here bridges to e1
    SplitAnte=e1<e3,e2<e3           e3 is e1 and e2 together; the key used to be Split

A bridge is of the last mention of its entity that opens on the same word. Split antecedents are of the entity, and what
several of its mentions say is put together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

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
    """One pair of a Bridge or SplitAnte: ids of entities, the word and the line of the file, and the document."""

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

    def __init__(
        self,
        table: ConlluTable,
        bounds: Ints,
        declarations: Declarations,
        cells: EntityCells,
        mentions: CorefudMentions,
        diagnostics: Diagnostics,
    ) -> None:
        self._table, self._bounds, self._declarations = table, bounds, declarations
        self._cells, self._mentions, self._diagnostics = cells, mentions, diagnostics
        self._number = {name: number for number, name in enumerate(mentions.names)}
        self._count = max(1, len(mentions.cell))
        entity = cells.document[mentions.cell] * len(self._number) + mentions.entity
        # By entity, and within an entity in the order of the text: to be searched for many pairs at once.
        self._sorted = np.sort(entity * self._count + np.arange(len(entity)))

    def read(self, document_names: Sequence[str], items: Sequence[RelationItem]) -> tuple[Relation, ...]:
        """All relations of a file: bridges, then split antecedents."""
        pairs: dict[str, list[_RelatedPair]] = {"Bridge": [], "SplitAnte": []}
        for item in items:
            pairs[item.key].extend(self._parse_pairs(item))
        bridges, splits = (self._select_known(key, pairs[key]) for key in pairs)
        return (*self._make_bridges(bridges, document_names), *self._make_splits(splits, document_names))

    def _parse_pairs(self, item: RelationItem) -> Iterator[_RelatedPair]:
        """The well-formed pairs of an item."""
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
                yield _RelatedPair(item.word, line, document, target, source, unescape(match[3] or ""))

    def _select_known(self, key: str, pairs: list[_RelatedPair]) -> list[_RelatedPair]:
        """The pairs of two entities that have mentions."""
        known = []
        ends = zip(pairs, self._have_mentions(pairs, "source"), self._have_mentions(pairs, "target"), strict=True)
        for pair, has_source, has_target in ends:
            if pair.target == pair.source:
                message = f"{key} of {pair.source!r} to itself is left out"
                self._diagnostics.add_notice("self-link", pair.line, message)
            elif has_source and has_target:
                known.append(pair)
            else:
                missing = [name for name, has in ((pair.source, has_source), (pair.target, has_target)) if not has]
                for name in missing:
                    message = f"{key} names {name!r}, which has no mention in the document; it is left out"
                    self._diagnostics.add_notice("dangling-reference", pair.line, message)
        return known

    def _make_bridges(self, pairs: list[_RelatedPair], document_names: Sequence[str]) -> Iterator[Relation]:
        """Relations of mentions."""
        rows = self._find_sources(pairs)
        starts, ends = self._mentions.start[rows].tolist(), self._mentions.end[rows].tolist()
        cells = self._mentions.cell[rows]
        words, lines = self._cells.word[cells].tolist(), self._cells.line[cells].tolist()
        for pair, row, *span, word, line in zip(pairs, rows.tolist(), starts, ends, words, lines, strict=True):
            if word != pair.word:
                message = (
                    f"no mention of {pair.source!r} begins here; "
                    f"the bridge to {pair.target!r} is given to the one of line {line}"
                )
                self._diagnostics.add_notice("misplaced-bridge", pair.line, message)
            source = self._mentions.pieces.get(row) or tuple(span)
            yield Relation("bridge", document_names[pair.document], source, (pair.target,), pair.label)

    def _make_splits(self, pairs: list[_RelatedPair], document_names: Sequence[str]) -> Iterator[Relation]:
        """Relations of entities."""
        targets: dict[tuple[int, str], dict[str, int]] = {}
        for pair in pairs:
            targets.setdefault((pair.document, pair.source), {}).setdefault(pair.target, pair.line)
        for (document, source), parts in targets.items():
            if len(parts) == 1:
                message = f"{source!r} has a split antecedent of one part"
                self._diagnostics.add_notice("split-antecedent", next(iter(parts.values())), message)
            yield Relation("split", document_names[document], source, tuple(parts))

    def _number_entities(self, pairs: list[_RelatedPair], end: Literal["source", "target"]) -> Ints:
        """The entities at one end of pairs, in such numbers that all mentions of an entity are below the next one."""
        number = np.array([self._number.get(getattr(pair, end), -1) for pair in pairs], dtype=np.int64)
        document = np.array([pair.document for pair in pairs], dtype=np.int64)
        return np.where(number < 0, -1, (document * len(self._number) + number) * self._count)

    def _have_mentions(self, pairs: list[_RelatedPair], end: Literal["source", "target"]) -> list[bool]:
        """Whether the entities at one end of pairs have mentions."""
        entity = self._number_entities(pairs, end)
        first = np.append(self._sorted, -1)[np.searchsorted(self._sorted, entity)]
        there: list[bool] = ((entity >= 0) & (first >= entity) & (first < entity + self._count)).tolist()
        return there

    def _find_sources(self, pairs: list[_RelatedPair]) -> Ints:
        """The last mention of every pair's source that opens on the pair's word or before it, else its first one."""
        if not pairs:
            return self._sorted[:0]
        entity = self._number_entities(pairs, "source")
        opening_word = self._cells.word[self._mentions.cell]
        before = np.searchsorted(opening_word, [pair.word for pair in pairs], side="right")
        place = np.searchsorted(self._sorted, entity + before)
        chosen = np.maximum(place - 1, np.searchsorted(self._sorted, entity))
        return self._sorted[chosen] % self._count
