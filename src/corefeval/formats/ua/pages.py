"""A CoNLL-UA file as pages of cells, one for every document, and the brackets in the cells of a column as markables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefeval.formats.shared.findings import Findings
    from corefeval.mentions import Pieces

    Features = dict[str, str]

STANDARD = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
MARKED = ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "NOM_SEM")
UNBRACKETED = ("BRIDGING", "NOM_SEM")
"""Columns whose cells may also say something about a mention that IDENTITY has."""

UNTOLD = ("ID", "FORM", "HEAD", "DEPS", *MARKED)
"""Columns that are no attributes of words: they are something else, or refer to words by number."""

NOTHING = ("", "_")
PSEUDO = "-Pseudo"

_OF_ENTITIES = ("EntityID", "MarkableID", "Min", "ElementOf")
_MEANINGFUL = {
    "IDENTITY": _OF_ENTITIES,
    "BRIDGING": ("MarkableID", "Rel", "MentionAnchor", "EntityAnchor"),
    "DISCOURSE_DEIXIS": _OF_ENTITIES,
    "NOM_SEM": ("MarkableID",),
}
KEYS = {column: {key.lower(): key for key in keys} for column, keys in _MEANINGFUL.items()}
"""The keys that mean something in a column, by their small letters: they are written EntityID and EntityId."""

_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\b\s*=?)?(.*)")
_SENTENCE = re.compile(r"#\s*sent_id\b")
_ID = re.compile(r"[0-9]+(?:(\.)[0-9]+|(-)[0-9]+)?")
_BRACKET = re.compile(r"(?:\(([^()]*)(\)?)|([^()]*)\))\s*")
_BLANKS = re.compile(r"[ \t]+")
_EXPECTED = "brackets such as (EntityID=1|MarkableID=markable_1 and )"


class Columns(NamedTuple):
    """The columns of a file in their order, and how many of them every line must have."""

    names: tuple[str, ...]
    least: int


class Page:
    """A document as it stands in the file; `name` is None for words that no line declares to be a document."""

    def __init__(self, name: str | None, line: int) -> None:
        self.name, self.line = name, line
        self.columns = self.declared = _USUAL
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.sentence: list[int] = []
        self.empty: list[bool] = []
        self._sentence = 0

    def column(self, name: str) -> list[str]:
        """The cells of a column; none, if the file does not have it."""
        if name not in self.columns.names:
            return []
        place = self.columns.names.index(name)
        return [row[place] for row in self.rows]

    def end_sentence(self) -> None:
        """Let the next word begin a sentence."""
        self._sentence = len(self.rows)

    def add(self, row: list[str], line: int, *, empty: bool) -> None:
        """A word."""
        self.rows.append(row)
        self.lines.append(line)
        self.sentence.append(self._sentence)
        self.empty.append(empty)


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


def pages(text: str, found: Findings) -> list[Page]:
    """The documents of a file."""
    columns = _USUAL
    opened: list[Page] = []
    for number, line in enumerate(text.split("\n"), 1):
        visible = line.strip(" \t\r")
        if _is_comment(visible, columns):
            if given := _COLUMNS.match(visible):
                columns = _columns(given[1].split(), number, found) or columns
            elif given := _DOCUMENT.match(visible):
                opened.append(Page(given[1].strip(), number))
            elif _SENTENCE.match(visible) and opened:
                opened[-1].end_sentence()
        elif visible:
            if not opened:
                opened.append(Page(None, number))
            _add_line(opened[-1], line, columns, number, found)
        elif opened:
            opened[-1].end_sentence()
    return opened


def _is_comment(line: str, columns: Columns) -> bool:
    # A word can be '#' too, but then something else is the first column, and tabs are between them.
    return line.startswith("#") and (columns.names[0] == "ID" or "\t" not in line)


def _columns(names: Sequence[str], line: int, found: Findings) -> Columns | None:
    known = tuple(name.upper() if name.upper() in STANDARD else name for name in names)
    marked = [name for name in MARKED if name in known]
    if "FORM" in known and marked and len(set(known)) == len(known):
        return Columns(known, 1 + max(known.index("FORM"), known.index(marked[0])))
    expected = f"every column once, FORM and at least one of {', '.join(MARKED)} among them"
    found.fault(line, f"'# global.columns = {' '.join(names)[:80]}'", expected)
    return None


_USUAL = Columns(STANDARD, STANDARD.index("IDENTITY") + 1)


def _add_line(page: Page, line: str, columns: Columns, number: int, found: Findings) -> None:
    """A word, or the written form of several words, which is passed over."""
    if not page.rows:
        page.columns = page.declared = columns
    elif columns != page.declared:
        found.fault(number, "other columns within a document", "'# global.columns' before '# newdoc'")
        page.declared = columns
    names, least = columns
    cells = _cells(line, columns)
    if not least <= len(cells) <= len(names):
        what = f"a line of {len(cells)} cells" if len(cells) > 1 else f"{cells[0][:40]!r} alone on a line"
        expected = f"{least} to {len(names)} cells: {' '.join(names)}"
        found.fault(number, what, expected, "tabs or blanks separate cells, and _ is an empty one")
        page.add([""] * len(page.columns.names), number, empty=False)
        return
    cells.extend([""] * (len(names) - len(cells)))
    written = cells[names.index("ID")] if "ID" in names else "1"
    identifier = _ID.fullmatch(written)
    if identifier is None:
        expected = "its number: 7, or 7.1 for a zero, or 7-8 for the form of several words"
        found.fault(number, f"{written[:40]!r} as the ID of a word", expected)
    elif identifier[2]:
        for name in MARKED:
            if name in names and cells[names.index(name)] not in NOTHING:
                found.fault(number, f"{name} on the form of several words", "it on the words themselves")
        return
    if columns != page.columns:
        known = dict(zip(names, cells, strict=True))
        cells = [known.get(name, "") for name in page.columns.names]
    page.add(cells, number, empty=identifier is not None and identifier[1] is not None)


def _cells(line: str, columns: Columns) -> list[str]:
    """By tabs, if that gives enough of them, else by blanks: both are in use."""
    if "\t" in line:
        cells = line.rstrip("\r").split("\t")
        if " " in line:
            cells = [cell.strip(" ") for cell in cells]
        while len(cells) > len(columns.names) and not cells[-1]:
            cells.pop()
        if len(cells) >= columns.least:
            return cells
    return _BLANKS.split(line.strip(" \t\r"))


def numbers(empty: Sequence[bool]) -> list[str]:
    """The number of every word of a document: from 1, with 7.1 for the first zero behind word 7."""
    found: list[str] = []
    words = zeros = 0
    for zero in empty:
        words, zeros = (words, zeros + 1) if zero else (words + 1, 0)
        found.append(f"{words}.{zeros}" if zero else str(words))
    return found


def markables(page: Page, column: str, found: Findings) -> list[Markable]:
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


def _merged(parts: list[_Bracket], column: str, found: Findings) -> Markable:
    features: Features = {}
    entity = parts[0].features.get("EntityID")
    for part in parts:
        if part.features.get("EntityID") != entity:
            what = f"{features['MarkableID']} in {column} is of entity {entity} and of {part.features.get('EntityID')}"
            found.fault(part.line, what, "a MarkableID of its own for every mention", kind="mention-twice")
        for key, value in part.features.items():
            features.setdefault(key, value)
    runs: list[tuple[int, int]] = []
    for part in sorted(parts, key=lambda each: each.first):
        if runs and part.first <= runs[-1][1]:
            message = f"brackets of {features.get('MarkableID')!r} in {column} overlap and are taken as one"
            found.notice("overlapping-parts", part.line, message)
        if runs and part.first <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], max(part.last, runs[-1][1]))
        else:
            runs.append((part.first, part.last))
    return Markable(features, tuple(runs), parts[0].line, runs[0][0])


def _brackets(page: Page, column: str, loose: list[Markable], found: Findings) -> list[_Bracket]:
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
                found.fault(line, f"{cell[place:][:40]!r} in {column}", _EXPECTED)
            else:
                loose.append(Markable(_features(cell, line, column, found), (), line, word))
    for bracket in stack:
        if bracket.last < 0 and bracket.features:
            what = f"{_shown(bracket)} in {column} is never closed"
            found.fault(bracket.line, what, ") in the same document", kind="unbalanced-bracket")
    return [bracket for bracket in opened if bracket.last >= 0 and bracket.features]


def _close(
    name: str,
    word: int,
    line: int,
    column: str,
    stack: list[_Bracket],
    named: dict[str, list[_Bracket]],
    found: Findings,
) -> None:
    """Close what was opened last, of this name if one is given."""
    candidates = named.get(name, []) if name else stack
    while candidates and candidates[-1].last >= 0:
        candidates.pop()
    if candidates:
        candidates.pop().last = word
        return
    expected = f"(EntityID=…|MarkableID={name} before it" if name else "( before it"
    found.fault(line, f"{name}) in {column} closes what was not opened", expected, kind="unbalanced-bracket")


def _shown(bracket: _Bracket) -> str:
    return f"({'|'.join(f'{key}={value}' for key, value in bracket.features.items())[:60]}"


def _features(text: str, line: int, column: str, found: Findings) -> Features:
    """KEY=VALUE|KEY=VALUE; nothing if it is not that."""
    pairs = [part.strip().partition("=") for part in text.split("|") if part.strip()]
    keys = [KEYS[column].get(key.lower(), key) for key, _, _ in pairs]
    if not pairs or len(set(keys)) < len(keys) or not all(key and sign for key, sign, _ in pairs):
        found.fault(line, f"({text[:60]} in {column}", "KEY=VALUE|KEY=VALUE, every key once")
        return {}
    features = {key: value for key, (_, _, value) in zip(keys, pairs, strict=True) if value}
    if "entityid" in KEYS[column] and "EntityID" not in features:
        found.fault(line, f"({text[:60]} in {column}: a mention without EntityID", "(EntityID=1|…")
        return {}
    return features
