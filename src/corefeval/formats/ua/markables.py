"""Markables: what the brackets in a column of CoNLL-UA say about mentions.

(EntityID=4|MarkableID=markable_4|Min=8     opens one, with its features
)                                           closes the one opened last
markable_4)                                 closes this one
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefeval.corpus.mentions import join_runs
from corefeval.formats.ua.rows import EMPTY_CELLS

if TYPE_CHECKING:
    from collections.abc import Hashable

    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.shared.diagnostics import Diagnostics
    from corefeval.formats.ua.rows import DocumentCells

    Features = dict[str, str]

_UNBRACKETED = ("BRIDGING", "NOM_SEM")  # columns whose cells may also describe a mention of IDENTITY, without brackets
_ENTITY_KEYS = ("EntityID", "MarkableID", "Min", "ElementOf")
_KEYS = {
    "IDENTITY": _ENTITY_KEYS,
    "BRIDGING": ("MarkableID", "Rel", "MentionAnchor", "EntityAnchor"),
    "DISCOURSE_DEIXIS": _ENTITY_KEYS,
    "NOM_SEM": ("MarkableID",),
}
KEYS = {column: {key.lower(): key for key in keys} for column, keys in _KEYS.items()}
"""The keys that mean something in a column, by their small letters: both EntityID and EntityId are in use."""

_BRACKET = re.compile(r"(?:\(([^()]*)(\)?)|([^()]*)\))\s*")
_EXPECTED = "brackets such as (EntityID=1|MarkableID=markable_1 and )"


class Markable(NamedTuple):
    """What a column says about a mention: the bracketed words, none for a cell without brackets."""

    features: Features
    runs: Pieces
    line: int
    word: int


class _OpenedBracket:
    """One part of a markable; `last` is -1 as long as it is open."""

    __slots__ = ("features", "first", "last", "line")

    def __init__(self, features: Features, word: int, line: int) -> None:
        self.features, self.first, self.last, self.line = features, word, -1, line


def read_markables(document: DocumentCells, column: str, diagnostics: Diagnostics) -> list[Markable]:
    """The markables of a column in the order of the text, those around others first."""
    reader = _BracketReader(column, diagnostics)
    for word, cell in enumerate(document.column(column)):
        if cell not in EMPTY_CELLS:
            reader.read_cell(cell, word, document.lines[word])
    groups: dict[Hashable, list[_OpenedBracket]] = {}
    for number, bracket in enumerate(reader.finish()):
        groups.setdefault(_find_group(bracket.features, column) or number, []).append(bracket)
    merged = [_merge_parts(parts, column, diagnostics) for parts in groups.values()]
    return sorted([*merged, *reader.unbracketed], key=lambda each: (each.word, -each.runs[0][1] if each.runs else 0))


class _BracketReader:
    """Pairs the brackets of a column, cell by cell; cells without brackets become `unbracketed` markables."""

    def __init__(self, column: str, diagnostics: Diagnostics) -> None:
        self.unbracketed: list[Markable] = []
        self._column, self._diagnostics = column, diagnostics
        self._brackets: list[_OpenedBracket] = []
        self._stack: list[_OpenedBracket] = []
        self._by_name: dict[str, list[_OpenedBracket]] = {}

    def read_cell(self, cell: str, word: int, line: int) -> None:
        """Open and close what a cell says."""
        place = 0
        cell = cell.replace("@(", "(").replace(")@", ")")
        while match := _BRACKET.match(cell, place):
            place = match.end()
            features, single, name = match.groups()
            if features is None:
                self._close(name.strip(), word, line)
                continue
            bracket = _OpenedBracket(self._parse_features(features, line), word, line)
            self._brackets.append(bracket)
            if single:
                bracket.last = word
            else:
                self._stack.append(bracket)
                self._by_name.setdefault(bracket.features.get("MarkableID", ""), []).append(bracket)
        if place == len(cell):
            return
        if place or self._column not in _UNBRACKETED or "=" not in cell:
            self._diagnostics.add_fault(line, f"{cell[place:][:40]!r} in {self._column}", _EXPECTED)
        else:
            self.unbracketed.append(Markable(self._parse_features(cell, line), (), line, word))

    def finish(self) -> list[_OpenedBracket]:
        """The well-formed brackets in the order in which they open."""
        for bracket in self._stack:
            if bracket.last < 0 and bracket.features:
                shown = "|".join(f"{key}={value}" for key, value in bracket.features.items())[:60]
                what = f"({shown} in {self._column} is never closed"
                self._diagnostics.add_fault(bracket.line, what, ") in the same document", kind="unbalanced-bracket")
        return [bracket for bracket in self._brackets if bracket.last >= 0 and bracket.features]

    def _close(self, name: str, word: int, line: int) -> None:
        """Close what was opened last, of this name if one is given."""
        candidates = self._by_name.get(name, []) if name else self._stack
        while candidates and candidates[-1].last >= 0:
            candidates.pop()
        if candidates:
            candidates.pop().last = word
            return
        what = f"{name}) in {self._column} closes a mention that was not opened"
        expected = f"(EntityID=…|MarkableID={name} before it" if name else "( before it"
        self._diagnostics.add_fault(line, what, expected, kind="unbalanced-bracket")

    def _parse_features(self, text: str, line: int) -> Features:
        """The features in KEY=VALUE|KEY=VALUE; none, with a fault, if it is not that."""
        column, keys = self._column, KEYS[self._column]
        pairs = [part.strip().partition("=") for part in text.split("|") if part.strip()]
        names = [keys.get(key.lower(), key) for key, _, _ in pairs]
        if not pairs or len(set(names)) < len(names) or not all(key and sign for key, sign, _ in pairs):
            self._diagnostics.add_fault(line, f"({text[:60]} in {column}", "KEY=VALUE|KEY=VALUE, every key once")
            return {}
        features = {name: value for name, (_, _, value) in zip(names, pairs, strict=True) if value}
        if "entityid" in keys and "EntityID" not in features:
            what = f"({text[:60]} in {column}: a mention without EntityID"
            self._diagnostics.add_fault(line, what, "(EntityID=1|…")
            return {}
        return features


def _find_group(features: Features, column: str) -> Hashable:
    """What the parts of one markable have in common, if it can have parts; for an anaphor with several anchors, all."""
    name = features.get("MarkableID")
    return tuple(features.items()) if name and column == "BRIDGING" else name


def _merge_parts(parts: list[_OpenedBracket], column: str, diagnostics: Diagnostics) -> Markable:
    """The markable with these parts."""
    features: Features = {}
    entity = parts[0].features.get("EntityID")
    for part in parts:
        if part.features.get("EntityID") != entity:
            what = f"{features['MarkableID']} in {column} is of entity {entity} and of {part.features.get('EntityID')}"
            diagnostics.add_fault(part.line, what, "a MarkableID of its own for every mention", kind="mention-twice")
        for key, value in part.features.items():
            features.setdefault(key, value)
    ordered = sorted(parts, key=lambda each: each.first)
    reach = -1
    for part in ordered:
        if part.first <= reach:
            message = f"brackets of {features.get('MarkableID')!r} in {column} overlap and are read as one"
            diagnostics.add_notice("overlapping-parts", part.line, message)
        reach = max(reach, part.last)
    runs = join_runs((part.first, part.last) for part in ordered)
    return Markable(features, runs, parts[0].line, runs[0][0])
