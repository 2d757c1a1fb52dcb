"""The lines of a WebAnno TSV file: the layers that its header declares, and its tokens as rows of a table."""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.tokens import Tokens
from corefeval.formats.inception.values import unescape
from corefeval.formats.shared.columns import (
    TabbedLines,
    copy_places,
    decode_places,
    find_cells,
    match_places,
    parse_numbers,
)
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import count_things

SLOT = "ROLE_"
"""How features begin that are slots: their values are other spans."""

_ID, _OFFSETS, _WORD, _FIRST_COLUMN = range(4)
_BASE = "BT_"
_BEGINNING = "#FORMAT=WebAnno TSV 3"
_HEADER = re.compile(r"#T_(SP|CH|RL)=(.*)")
_KIND = {"SP": "span", "CH": "chain", "RL": "relation"}
_TOKEN = rb"[0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?"
_PLACES = rb"[0-9]+-[0-9]+"
_NOTHING = re.compile(rb"(?:_?\t)*_?")
_HASH, _ZERO, _NEWLINE, _HYPHEN = b"#0\n-"


class TsvLayer(NamedTuple):
    """A layer: its features without the end of a relation, the column of the first, and the layer it relates."""

    kind: str
    name: str
    features: tuple[str, ...]
    base: str
    column: int
    line: int

    def list_columns(self) -> list[tuple[int, str]]:
        """Return (number, feature) of the columns of a layer, "" for none or a slot, whose second column is left out.

        A slot has two columns, what is in it and where that is; the second one numbers other spans than its own.
        """
        features = self.features or ("",)
        slots = [feature.startswith(SLOT) for feature in features]
        return [
            (self.column + place, "" if slots[place] else feature)
            for place, feature in enumerate(features)
            if place == 0 or not slots[place - 1]
        ]


class TokenTable(NamedTuple):
    """The tokens of a file, and the parts of some, in its order.

    row: their rows among the lines.
    ids: their numbers in the file.
    is_part: whether they are parts of the token before.
    word: the word, numbered from 0, that they are, or are part of.
    """

    lines: TabbedLines
    row: Ints
    ids: list[str]
    is_part: Booleans
    word: Ints

    def get_line(self, token: int) -> int:
        """Return the line that a token is on."""
        return int(self.row[token]) + 1

    def build_words(self) -> Tokens:
        """Return the words, which are all tokens that are not part of one, with their lines and sentences."""
        lines, row = self.lines, self.row[~self.is_part]
        ids = copy_places(lines.page, *lines.find_column(row, _ID))
        begin = np.append(0, np.flatnonzero(ids == _NEWLINE) + 1)[:-1]
        sentences = parse_numbers(ids, begin, np.flatnonzero(ids == _HYPHEN))
        if b"\\" not in lines.data:
            bounds = np.array([0, len(row)])
            return Tokens(lines.data, partial(lines.find_column, row, _WORD), row + 1, bounds, numbers=sentences)
        written = decode_places(lines.page, *lines.find_column(row, _WORD))
        words = [word if word in ("_", "*") else unescape(word) for word in written]
        return Tokens.from_words([words], line=row + 1, numbers=sentences)


def read_tokens(text: str, diagnostics: Diagnostics) -> tuple[list[TsvLayer], TokenTable]:
    """Return the layers and the tokens of a file; add faults and notices."""
    lines = find_cells(text.encode())
    if not text.startswith(_BEGINNING):
        shown = text.partition("\n")[0][:40]
        diagnostics.add_fault(1, f"{shown!r} is not the beginning of such a file", "#FORMAT=WebAnno TSV 3.3")
        nothing = np.zeros(0, dtype=np.int64)
        return [], TokenTable(lines, nothing, [], nothing > 0, nothing)
    candidates = _find_token_rows(lines, diagnostics)
    layers, declared = _read_header(lines, candidates, diagnostics)
    enough = lines.cells[candidates] >= declared
    for row, columns in zip(candidates[~enough].tolist(), declared[~enough].tolist(), strict=True):
        expected = f"{columns}, as the header says"
        have = count_things(int(lines.cells[row]), "column")
        diagnostics.add_fault(row + 1, have, expected, "the line may be truncated")
    tokens = _number_words(lines, candidates[enough], diagnostics)
    if not len(tokens.row):
        expected = "lines with SENTENCE-TOKEN, BEGIN-END and the token"
        diagnostics.add_fault(len(lines.begin), "no token", expected)
    else:
        _note_undeclared_columns(tokens, int(declared[-1]), diagnostics)
    return layers, tokens


def _find_token_rows(lines: TabbedLines, diagnostics: Diagnostics) -> Ints:
    """Return the rows, from 0, of lines with a token; add a fault for each other line that is no comment."""
    page = lines.page
    first = page[lines.begin]
    rows = np.flatnonzero((lines.end > lines.begin) & (first != _HASH))
    may = ((first[rows] - np.uint8(_ZERO)) <= 9) & (lines.cells[rows] > _WORD)
    is_token = may.copy()
    for column, pattern in ((_ID, _TOKEN), (_OFFSETS, _PLACES)):
        is_token[may] &= match_places(pattern, page, *lines.find_column(rows[may], column))
    for row in rows[~is_token].tolist():
        line = lines.read_line(row).decode()
        if line.strip():
            expected = "SENTENCE-TOKEN, BEGIN-END and the token, separated by tabs"
            diagnostics.add_fault(row + 1, f"{line[:40]!r} is not a line with a token", expected)
    return rows[is_token]


def _read_header(lines: TabbedLines, tokens: Ints, diagnostics: Diagnostics) -> tuple[list[TsvLayer], Ints]:
    """Return the layers, and how many columns are declared for each of the tokens, given as rows; add faults.

    A header behind the first token that has all columns declared until there is a fault.
    """
    page = lines.page
    layers: list[TsvLayer] = []
    declared = np.zeros(len(tokens), dtype=np.int64)
    columns, done = _FIRST_COLUMN, 0
    has_token = False
    for row in np.flatnonzero(page[lines.begin] == _HASH)[1:].tolist():
        line = lines.read_line(row).decode()
        header = _HEADER.fullmatch(line)
        if header is None and not line.startswith("#FORMAT="):
            continue
        before = int(np.searchsorted(tokens, row))
        declared[done:before] = columns
        has_token = has_token or _has_token(lines, tokens[done:before], columns)
        done = before
        if header is None or has_token:
            hint = "one file per document"
            diagnostics.add_fault(row + 1, f"{line[:40]!r} after the first token", "it in the header of the file", hint)
            continue
        name, *listed = header[2].split("|")
        features = [feature for feature in listed if feature]
        width = max(1, len(features))
        is_relation = header[1] == "RL" and features and features[-1].startswith(_BASE)
        base = features.pop().removeprefix(_BASE) if is_relation else ""
        layers.append(TsvLayer(_KIND[header[1]], name, tuple(features), base, columns, row + 1))
        columns += width
    declared[done:] = columns
    return layers, declared


def _has_token(lines: TabbedLines, rows: Ints, columns: int) -> bool:
    """Return whether one of these rows is a whole token with as many cells as there are columns."""
    rows = rows[lines.cells[rows] >= columns]
    return any(b"." not in lines.read_line(row).partition(b"\t")[0] for row in rows.tolist())


def _number_words(lines: TabbedLines, rows: Ints, diagnostics: Diagnostics) -> TokenTable:
    """Return the tokens in these rows with the words that they are; add faults of those repeated or out of order."""
    ids = decode_places(lines.page, *lines.find_column(rows, _ID))
    is_part = np.array(["." in name for name in ids], dtype=np.bool_)
    if is_part.any() or len(set(ids)) < len(ids):
        accepted: dict[str, int] = {}
        before = ""
        for place, name in enumerate(ids):
            whole = name.partition(".")[0]
            line = int(rows[place]) + 1
            if name in accepted:
                diagnostics.add_fault(line, f"token {name} is given twice", "every token once", kind="token-twice")
            elif whole not in (name, before):
                diagnostics.add_fault(line, f"{name} does not follow its token", f"a line {whole} before it")
            else:
                accepted[name] = place
                before = whole
        rows, is_part, ids = rows[list(accepted.values())], is_part[list(accepted.values())], list(accepted)
    return TokenTable(lines, rows, ids, is_part, np.cumsum(~is_part) - 1)


def _note_undeclared_columns(tokens: TokenTable, columns: int, diagnostics: Diagnostics) -> None:
    """Add a notice for each token with something in a column beyond those that the header declares."""
    lines = tokens.lines
    more = tokens.row[lines.cells[tokens.row] > columns]
    begin, _ = lines.find_column(more, columns)
    end = lines.end[more]
    filled = end > begin
    for row, start, stop in zip(*(each[filled].tolist() for each in (more, begin, end)), strict=True):
        if not _NOTHING.fullmatch(lines.data, start, stop):
            message = f"{count_things(int(lines.cells[row]) - columns, 'column')} that the header does not declare"
            diagnostics.add_notice("extra-columns", row + 1, message)
