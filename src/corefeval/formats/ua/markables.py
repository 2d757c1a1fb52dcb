"""The brackets in the cells of a column of CoNLL-UA, as markables: what it says about mentions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefeval.formats.ua.pages import NOTHING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.shared.diagnostics import Diagnostics
    from corefeval.formats.ua.pages import Page

    Features = dict[str, str]

UNBRACKETED = ("BRIDGING", "NOM_SEM")
"""Columns whose cells may also say something about a mention that IDENTITY has."""

_OF_ENTITIES = ("EntityID", "MarkableID", "Min", "ElementOf")
_MEANINGFUL = {
    "IDENTITY": _OF_ENTITIES,
    "BRIDGING": ("MarkableID", "Rel", "MentionAnchor", "EntityAnchor"),
    "DISCOURSE_DEIXIS": _OF_ENTITIES,
    "NOM_SEM": ("MarkableID",),
}
KEYS = {column: {key.lower(): key for key in keys} for column, keys in _MEANINGFUL.items()}
"""The keys that mean something in a column, by their small letters: they are written EntityID and EntityId."""

_BRACKET = re.compile(r"(?:\(([^()]*)(\)?)|([^()]*)\))\s*")
_EXPECTED = "brackets such as (EntityID=1|MarkableID=markable_1 and )"


class Markable(NamedTuple):
    """What a column says about a mention: the words that are bracketed, none for a cell without brackets."""

    features: Features
    runs: Pieces
    line: int
    word: int


class _Bracket:
    """One part of a markable; `last` is -1 as long as it is open."""

    __slots__ = ("features", "first", "last", "line")

    def __init__(self, features: Features, word: int, line: int) -> None:
        self.features, self.first, self.last, self.line = features, word, -1, line


def markables(page: Page, column: str, found: Diagnostics) -> list[Markable]:
    """What a column marks, in the order of the text, those around others first."""
    together: dict[Hashable, list[_Bracket]] = {}
    loose: list[Markable] = []
    for number, bracket in enumerate(_brackets(page, column, loose, found)):
        together.setdefault(_same(bracket.features, column) or number, []).append(bracket)
    merged = [_merged(parts, column, found) for parts in together.values()]
    return sorted([*merged, *loose], key=lambda each: (each.word, -each.runs[0][1] if each.runs else 0))


def _same(features: Features, column: str) -> Hashable:
    """What the parts of one markable have in common, if it can have parts; for an anaphor with several anchors, all."""
    name = features.get("MarkableID")
    return tuple(features.items()) if name and column == "BRIDGING" else name


def _merged(parts: list[_Bracket], column: str, found: Diagnostics) -> Markable:
    features: Features = {}
    entity = parts[0].features.get("EntityID")
    for part in parts:
        if part.features.get("EntityID") != entity:
            what = f"{features['MarkableID']} in {column} is of entity {entity} and of {part.features.get('EntityID')}"
            found.add_fault(part.line, what, "a MarkableID of its own for every mention", kind="mention-twice")
        for key, value in part.features.items():
            features.setdefault(key, value)
    runs: list[tuple[int, int]] = []
    for part in sorted(parts, key=lambda each: each.first):
        if runs and part.first <= runs[-1][1]:
            message = f"brackets of {features.get('MarkableID')!r} in {column} overlap and are taken as one"
            found.add_notice("overlapping-parts", part.line, message)
        if runs and part.first <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(part.last, runs[-1][1]))
        else:
            runs.append((part.first, part.last))
    return Markable(features, tuple(runs), parts[0].line, runs[0][0])


def _brackets(page: Page, column: str, loose: list[Markable], found: Diagnostics) -> list[_Bracket]:
    """The brackets of a column in the order in which they open; cells without brackets go to `loose`."""
    opened: list[_Bracket] = []
    stack: list[_Bracket] = []
    named: dict[str, list[_Bracket]] = {}
    for word, given in enumerate(page.column(column)):
        if given in NOTHING:
            continue
        line = page.lines[word]
        place = 0
        cell = given.replace("@(", "(").replace(")@", ")")
        while match := _BRACKET.match(cell, place):
            place = match.end()
            features, single, name = match.groups()
            if features is not None:
                bracket = _Bracket(_features(features, line, column, found), word, line)
                opened.append(bracket)
                if single:
                    bracket.last = word
                else:
                    stack.append(bracket)
                    named.setdefault(bracket.features.get("MarkableID", ""), []).append(bracket)
            else:
                _close(name.strip(), word, line, column, stack, named, found)
        if place < len(cell):
            if place or column not in UNBRACKETED or "=" not in cell:
                found.add_fault(line, f"{cell[place:][:40]!r} in {column}", _EXPECTED)
            else:
                loose.append(Markable(_features(cell, line, column, found), (), line, word))
    for bracket in stack:
        if bracket.last < 0 and bracket.features:
            what = f"{_shown(bracket)} in {column} is never closed"
            found.add_fault(bracket.line, what, ") in the same document", kind="unbalanced-bracket")
    return [bracket for bracket in opened if bracket.last >= 0 and bracket.features]


def _close(
    name: str,
    word: int,
    line: int,
    column: str,
    stack: list[_Bracket],
    named: dict[str, list[_Bracket]],
    found: Diagnostics,
) -> None:
    """Close what was opened last, of this name if one is given."""
    candidates = named.get(name, []) if name else stack
    while candidates and candidates[-1].last >= 0:
        candidates.pop()
    if candidates:
        candidates.pop().last = word
        return
    expected = f"(EntityID=…|MarkableID={name} before it" if name else "( before it"
    found.add_fault(line, f"{name}) in {column} closes what was not opened", expected, kind="unbalanced-bracket")


def _shown(bracket: _Bracket) -> str:
    return f"({'|'.join(f'{key}={value}' for key, value in bracket.features.items())[:60]}"


def _features(text: str, line: int, column: str, found: Diagnostics) -> Features:
    """KEY=VALUE|KEY=VALUE; nothing if it is not that."""
    pairs = [part.strip().partition("=") for part in text.split("|") if part.strip()]
    keys = [KEYS[column].get(key.lower(), key) for key, _, _ in pairs]
    if not pairs or len(set(keys)) < len(keys) or not all(key and sign for key, sign, _ in pairs):
        found.add_fault(line, f"({text[:60]} in {column}", "KEY=VALUE|KEY=VALUE, every key once")
        return {}
    features = {key: value for key, (_, _, value) in zip(keys, pairs, strict=True) if value}
    if "entityid" in KEYS[column] and "EntityID" not in features:
        found.add_fault(line, f"({text[:60]} in {column}: a mention without EntityID", "(EntityID=1|…")
        return {}
    return features
