"""The lines of a WebAnno TSV 3 file: which layers it has columns for, its tokens, and what is in a cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from corefeval.formats.draft import Draft

_HEADER = re.compile(r"#T_(SP|CH|RL)=(.*)")
_KIND = {"SP": "span", "CH": "chain", "RL": "relation"}
_TOKEN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9]{1,9})?")
_OFFSETS = re.compile(r"[0-9]+-[0-9]+")
_STACKED = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"(.*)(?<!\\)\[([0-9]+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|[\\\[\]|_;*tnfrb\x00-\x1f])")
_CONTROLS = {"t": "\t", "n": "\n", "f": "\f", "r": "\r", "b": "\b"}
_BASE, _SLOT = "BT_", "ROLE_"
_FIRST_CELLS = 3  # token, offsets, word


class Layer(NamedTuple):
    """A layer: its features without the end of a relation, the column of the first, and what relations are between."""

    kind: str
    name: str
    features: tuple[str, ...]
    base: str
    column: int
    line: int

    def columns(self) -> list[tuple[int, str]]:
        """The columns of a layer of spans and their features, "" for what is not a plain value of a span.

        A slot has two columns, what is in it and where that is; the second one numbers other spans than its own.
        """
        features = self.features or ("",)
        slots = [feature.startswith(_SLOT) for feature in features]
        return [
            (self.column + place, "" if slots[place] else feature)
            for place, feature in enumerate(features)
            if place == 0 or not slots[place - 1]
        ]


class Unit(NamedTuple):
    """A token or a part of one: its number in the file, the word that it is (part of), and its cells."""

    id: str
    word: int
    part: bool
    cells: list[str]
    line: int


class Value(NamedTuple):
    """What a cell says of one span: a value, and the number that tells the span from others, if it has one."""

    value: str
    number: str


class Rows(NamedTuple):
    """The content of a file."""

    layers: list[Layer]
    words: list[str]
    sentences: list[int]
    lines: list[int]
    units: list[Unit]


def read_rows(data: bytes, draft: Draft) -> Rows:
    """Find the layers and tokens of a file."""
    rows = Rows([], [], [], [], [])
    seen: set[str] = set()
    columns = _FIRST_CELLS
    text = _decoded(data, draft).split("\n")
    if not text[0].startswith("#FORMAT=WebAnno TSV 3"):
        draft.add_fault(1, f"{text[0][:40]!r} is not the beginning of such a file", "#FORMAT=WebAnno TSV 3.3")
        return rows
    for number, whole in enumerate(text[1:], 2):
        line = whole.removesuffix("\r")
        if line.startswith("#"):
            header = _HEADER.fullmatch(line)
            if header and not rows.units:
                rows.layers.append(_layer(header[1], header[2], columns, number))
                columns += _width(header[2])
            elif header or line.startswith("#FORMAT="):
                hint = "one file per document"
                draft.add_fault(number, f"{line[:40]!r} behind the first token", "it in the header of the file", hint)
        elif line.strip():
            _read_token(line, number, columns, rows, seen, draft)
    if not seen:
        draft.add_fault(len(text) - 1, "no token", "lines with SENTENCE-TOKEN, BEGIN-END and the token")
    return rows


def values(cell: str, *, numbered: bool = True) -> list[Value]:
    """The values that are stacked in a cell; * stands for a span that has none."""
    if cell in ("_", ""):
        return []
    found = []
    for each in _STACKED.split(cell):
        match = _NUMBERED.fullmatch(each) if numbered else None
        found.append(Value(match[1], match[2]) if match else Value(each, ""))
    return found


def unescaped(value: str) -> str:
    """A value as it was meant: "" for * and _."""
    if value in ("*", "_"):
        return ""
    return _ESCAPED.sub(lambda found: _CONTROLS.get(found[1], found[1]), value) if "\\" in value else value


def _layer(mark: str, declared: str, column: int, line: int) -> Layer:
    name, *listed = declared.split("|")
    features = [feature for feature in listed if feature]
    last = features.pop() if _KIND[mark] == "relation" and features and features[-1].startswith(_BASE) else ""
    return Layer(_KIND[mark], name, tuple(features), last.removeprefix(_BASE), column, line)


def _width(declared: str) -> int:
    """How many columns a layer has: one even where it has no feature."""
    return max(1, sum(1 for each in declared.split("|")[1:] if each))


def _read_token(line: str, number: int, columns: int, rows: Rows, seen: set[str], draft: Draft) -> None:
    cells = line.split("\t")
    token = _TOKEN.fullmatch(cells[0])
    if token is None or len(cells) < _FIRST_CELLS or not _OFFSETS.fullmatch(cells[1]):
        expected = "SENTENCE-TOKEN, BEGIN-END and the token, separated by tabs"
        draft.add_fault(number, f"{line[:40]!r} is not a line with a token", expected)
        return
    if len(cells) < columns:
        what = f"{len(cells)} columns"
        draft.add_fault(number, what, f"{columns}, as the header says", "the line may be truncated")
        return
    if cells[0] in seen:
        draft.add_fault(number, f"token {cells[0]} is there already", "every token once", kind="token-twice")
        return
    seen.add(cells[0])
    if any(cell not in ("_", "") for cell in cells[columns:]):
        draft.add_notice("extra-columns", number, f"{len(cells) - columns} columns that the header does not tell of")
    if token[3] is None:
        rows.words.append(unescaped_word(cells[2]))
        rows.sentences.append(int(token[1]))
        rows.lines.append(number)
    elif not rows.units or rows.units[-1].id.partition(".")[0] != cells[0].partition(".")[0]:
        draft.add_fault(
            number, f"{cells[0]} does not follow its token", f"a line {cells[0].partition('.')[0]} before it"
        )
        return
    rows.units.append(Unit(cells[0], len(rows.words) - 1, token[3] is not None, cells, number))


def unescaped_word(word: str) -> str:
    """A token as it is in the text, where _ and * are what they are."""
    return word if word in ("_", "*") else unescaped(word)


def _decoded(data: bytes, draft: Draft) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        draft.add_notice("not-utf-8", line, "not UTF-8 from here on; what cannot be read is replaced by \ufffd")
        return data.decode("utf-8", "replace")
