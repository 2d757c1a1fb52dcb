"""The columns of a CoNLL-UA file: its lines as cells, by document, and what the brackets in cells say about mentions.

(EntityID=4|MarkableID=markable_4|Min=8     opens a markable, with its features
)                                           closes the one opened last
markable_4)                                 closes this one
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Pieces, join_runs
from corefeval.formats.shared.diagnostics import Diagnostics

Features = dict[str, str]

STANDARD_COLUMNS = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
ANAPHORA_COLUMNS = ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "NOM_SEM")
NOT_ATTRIBUTES = ("ID", "FORM", "HEAD", "DEPS", *ANAPHORA_COLUMNS)
"""Columns that are no attributes of words: they are something else, or refer to words by number."""

EMPTY_CELLS = ("", "_")

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

_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\b\s*=?)?(.*)")
_SENTENCE = re.compile(r"#\s*sent_id\b")
_ID = re.compile(r"[0-9]+(?:(\.)[0-9]+|(-)[0-9]+)?")
_BLANKS = re.compile(r"[ \t]+")
_BRACKET = re.compile(r"(?:\(([^()]*)(\)?)|([^()]*)\))[ \t]*")
_EXPECTED = "brackets such as (EntityID=1|MarkableID=markable_1 and )"


class ColumnNames(NamedTuple):
    """The columns of a file in their order, and how many of them every line must have."""

    names: tuple[str, ...]
    least: int


_USUAL_COLUMNS = ColumnNames(STANDARD_COLUMNS, STANDARD_COLUMNS.index("IDENTITY") + 1)


@dataclass
class DocumentCells:
    """A document as it stands in the file; `name` is None for words before the first line that begins a document.

    sentence: for every word, how many words there are before its sentence.
    """

    name: str | None
    line: int
    columns: ColumnNames = _USUAL_COLUMNS
    declared: ColumnNames = _USUAL_COLUMNS
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    is_zero: list[bool] = field(default_factory=list)
    sentence_begin: int = 0

    def list_cells(self, name: str) -> list[str]:
        """Return the cells of a column; [] if the file does not have it."""
        if name not in self.columns.names:
            return []
        place = self.columns.names.index(name)
        return [row[place] for row in self.rows]

    def add_row(self, row: list[str], line: int, *, is_zero: bool) -> None:
        """Add a row of cells, which is a word, or a zero."""
        self.rows.append(row)
        self.lines.append(line)
        self.sentence.append(self.sentence_begin)
        self.is_zero.append(is_zero)


def read_document_cells(text: str, diagnostics: Diagnostics) -> list[DocumentCells]:
    """Return the documents of a file as rows of cells by column; add a fault for every line that is wrong."""
    columns = _USUAL_COLUMNS
    documents: list[DocumentCells] = []
    for number, line in enumerate(text.split("\n"), 1):
        visible = line.strip(" \t\r")
        # A word can be '#' too, but then something else is the first column, and tabs are between them.
        if visible.startswith("#") and (columns.names[0] == "ID" or "\t" not in visible):
            if match := _COLUMNS.match(visible):
                columns = _parse_columns(match[1].split(), number, diagnostics) or columns
            elif match := _DOCUMENT.match(visible):
                documents.append(DocumentCells(match[1].strip(" \t"), number))
            elif _SENTENCE.match(visible) and documents:
                documents[-1].sentence_begin = len(documents[-1].rows)
        elif visible:
            if not documents:
                documents.append(DocumentCells(None, number))
            _add_line(documents[-1], line, columns, number, diagnostics)
        elif documents:
            documents[-1].sentence_begin = len(documents[-1].rows)
    return documents


def _parse_columns(names: Sequence[str], line: int, diagnostics: Diagnostics) -> ColumnNames | None:
    """Return the columns of '# global.columns'; None, with a fault, if needed ones are missing or one is repeated."""
    known = tuple(name.upper() if name.upper() in STANDARD_COLUMNS else name for name in names)
    marked = [name for name in ANAPHORA_COLUMNS if name in known]
    if "FORM" in known and marked and len(set(known)) == len(known):
        return ColumnNames(known, 1 + max(known.index("FORM"), known.index(marked[0])))
    expected = f"every column once, FORM and at least one of {', '.join(ANAPHORA_COLUMNS)} among them"
    diagnostics.add_fault(line, f"'# global.columns = {' '.join(names)[:80]}'", expected)
    return None


def _add_line(document: DocumentCells, line: str, columns: ColumnNames, number: int, diagnostics: Diagnostics) -> None:
    """Add the word of a line to a document, but none for a range such as 7-8; malformed lines are faults."""
    if not document.rows:
        document.columns = document.declared = columns
    elif columns != document.declared:
        diagnostics.add_fault(number, "columns change within a document", "'# global.columns' before '# newdoc'")
        document.declared = columns
    names, least = columns
    cells = _split_cells(line, columns)
    if not least <= len(cells) <= len(names):
        what = f"a line of {len(cells)} cells" if len(cells) > 1 else f"{cells[0][:40]!r} alone on a line"
        expected = f"{least} to {len(names)} cells: {' '.join(names)}"
        diagnostics.add_fault(number, what, expected, "tabs or blanks separate cells, and _ is an empty one")
        document.add_row([""] * len(document.columns.names), number, is_zero=False)
        return
    cells.extend([""] * (len(names) - len(cells)))
    written = cells[names.index("ID")] if "ID" in names else "1"
    identifier = _ID.fullmatch(written)
    if identifier is None:
        expected = "its number: 7, or 7.1 for a zero, or 7-8 for the form of several words"
        diagnostics.add_fault(number, f"{written[:40]!r} as the ID of a word", expected)
    elif identifier[2]:
        for name in ANAPHORA_COLUMNS:
            if name in names and cells[names.index(name)] not in EMPTY_CELLS:
                diagnostics.add_fault(number, f"{name} on the form of several words", "it on the words themselves")
        return
    if columns != document.columns:
        known = dict(zip(names, cells, strict=True))
        cells = [known.get(name, "") for name in document.columns.names]
    document.add_row(cells, number, is_zero=identifier is not None and identifier[1] is not None)


def _split_cells(line: str, columns: ColumnNames) -> list[str]:
    """Return the cells of a line, by tabs if that gives enough of them, else by blanks: both are in use."""
    if "\t" in line:
        cells = line.rstrip("\r").split("\t")
        if " " in line:
            cells = [cell.strip(" ") for cell in cells]
        while len(cells) > len(columns.names) and not cells[-1]:
            cells.pop()
        if len(cells) >= columns.least:
            return cells
    return _BLANKS.split(line.strip(" \t\r"))


class Markable(NamedTuple):
    """What a column says about a mention: the bracketed words, none for a cell without brackets."""

    features: Features
    runs: Pieces
    line: int
    word: int


@dataclass(slots=True)
class _OpenedBracket:
    """One part of a markable; `last` is -1 as long as it is open."""

    features: Features
    first: int
    line: int
    last: int = -1


def read_markables(document: DocumentCells, column: str, diagnostics: Diagnostics) -> list[Markable]:
    """Return the markables of a column in the order of the text, those around others first; add faults and notices."""
    reader = _BracketReader(column, diagnostics)
    for word, cell in enumerate(document.list_cells(column)):
        if cell not in EMPTY_CELLS:
            reader.read_cell(cell, word, document.lines[word])
    groups: dict[Hashable, list[_OpenedBracket]] = {}
    for number, bracket in enumerate(reader.finish()):
        # What the parts of one markable have in common, if it can have parts; for an anaphor with several anchors, all.
        name = bracket.features.get("MarkableID")
        common = tuple(bracket.features.items()) if name and column == "BRIDGING" else name
        groups.setdefault(common or number, []).append(bracket)
    merged = [_merge_parts(parts, column, diagnostics) for parts in groups.values()]
    return sorted([*merged, *reader.unbracketed], key=lambda each: (each.word, -each.runs[0][1] if each.runs else 0))


class _KeyNames(dict[str, str]):
    """The keys of a column as they are usually written, by how they are written in a file; others stay as they are."""

    def __init__(self, column: str) -> None:
        super().__init__()
        self._known = KEYS[column]

    def __missing__(self, key: str) -> str:
        """Return the usual way of writing a key that is met for the first time."""
        return self.setdefault(key, self._known.get(key.lower(), key))


class _BracketReader:
    """Pairs the brackets of a column, cell by cell; cells without brackets become `unbracketed` markables."""

    def __init__(self, column: str, diagnostics: Diagnostics) -> None:
        self.unbracketed: list[Markable] = []
        self._column, self._diagnostics = column, diagnostics
        self._key_names = _KeyNames(column)
        self._brackets: list[_OpenedBracket] = []
        self._stack: list[_OpenedBracket] = []
        self._by_name: dict[str, list[_OpenedBracket]] = {}

    def read_cell(self, cell: str, word: int, line: int) -> None:
        """Open and close the brackets of a cell; add features without brackets to `unbracketed`, or else a fault."""
        place = 0
        cell = cell.replace("@(", "(").replace(")@", ")")
        for match in _BRACKET.finditer(cell):
            begin, end = match.span()
            if begin != place:
                break
            place = end
            features, single, name = match.groups()
            if features is None:
                self._close(name.strip(" \t"), word, line)
                continue
            bracket = _OpenedBracket(self._parse_features(features, line), word, line, word if single else -1)
            self._brackets.append(bracket)
            if not single:
                self._stack.append(bracket)
                self._by_name.setdefault(bracket.features.get("MarkableID", ""), []).append(bracket)
        if place == len(cell):
            return
        if place or self._column not in _UNBRACKETED or "=" not in cell:
            self._diagnostics.add_fault(line, f"{cell[place:][:40]!r} in {self._column}", _EXPECTED)
        else:
            self.unbracketed.append(Markable(self._parse_features(cell, line), (), line, word))

    def finish(self) -> list[_OpenedBracket]:
        """Return the closed brackets with features in the order of their opening; add faults of those never closed."""
        for bracket in self._stack:
            if bracket.last < 0 and bracket.features:
                shown = "|".join(f"{key}={value}" for key, value in bracket.features.items())[:60]
                what = f"({shown} in {self._column} is never closed"
                self._diagnostics.add_fault(bracket.line, what, ") in the same document", kind="unbalanced-bracket")
        return [bracket for bracket in self._brackets if bracket.last >= 0 and bracket.features]

    def _close(self, name: str, word: int, line: int) -> None:
        """Close at a word the bracket that was opened last, of this name if one is given; a fault if none is open."""
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
        """Return the features in KEY=VALUE|KEY=VALUE by key; {}, with a fault, if malformed or without EntityID."""
        column, names = self._column, self._key_names
        features: Features = {}
        written = 0
        for part in text.split("|"):
            key, sign, value = part.strip(" \t").partition("=")
            if key and sign:
                features[names[key]] = value
            if key or sign:
                written += 1
        if written == 0 or len(features) < written:
            self._diagnostics.add_fault(line, f"({text[:60]} in {column}", "KEY=VALUE|KEY=VALUE, every key once")
            return {}
        if "" in features.values():
            features = {name: value for name, value in features.items() if value}
        if "EntityID" not in features and "entityid" in KEYS[column]:
            what = f"({text[:60]} in {column}: a mention without EntityID"
            self._diagnostics.add_fault(line, what, "(EntityID=1|…")
            return {}
        return features


def _merge_parts(parts: list[_OpenedBracket], column: str, diagnostics: Diagnostics) -> Markable:
    """Return one markable of all these parts, with the features of any; add faults and notices of parts at odds."""
    if len(parts) == 1:
        (part,) = parts
        return Markable(part.features, ((part.first, part.last),), part.line, part.first)
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
