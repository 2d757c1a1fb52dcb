"""CoNLL-2011/2012 and SemEval-2010 columns, and the shorter variants of them.

    #begin document (nw/wsj_0001); part 000
    nw/wsj_0001  0  0  Kim    NNP  ...  (12
    nw/wsj_0001  0  1  Lee    NNP  ...  12)
    nw/wsj_0001  0  2  left   VBD  ...  -
    #end document

Tab or blank separated; coreference is the last column, where `-`, `_`, `*` or nothing mean none, `(12` opens a mention
of entity 12, `12)` closes one and `(12)` is a mention of one word; several may follow each other, with or without `|`.
Words are counted over the document. On one word, one-word mentions come first, then those that open, then those that
close, and a closing bracket belongs to the last one opened for its entity: the reference scorer's rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus import Corpus
from corefeval.errors import Fault, InputError
from corefeval.formats import lines
from corefeval.formats.conll_writer import write
from corefeval.mentions import Spans
from corefeval.notices import Notice, named
from corefeval.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.arrays import Ints
    from corefeval.formats.lines import Lines

__all__ = ["read", "write"]

_BEGIN = re.compile(rb"#\s*begin document\s?(.*)")
_END = re.compile(rb"#\s*end document")
_BRACKETS = re.compile(rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|(\|)")
_SPLIT_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
_NONE = (b"-", b"_", b"*", b"")
_EXPECTED = "a coreference column such as (1), (1, 1), (1|(2) or -"


@dataclass
class _Document:
    """A document's header and, as its lines are read, its entities and mentions."""

    name: str
    line: int
    last_line: int
    entities: dict[bytes, int] = field(default_factory=dict)
    opened: dict[bytes, list[tuple[int, int]]] = field(default_factory=dict)
    entity: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)

    def number(self, name: bytes) -> int:
        """Entities are numbered in the order in which they are first seen."""
        return self.entities.setdefault(name, len(self.entities))

    def add(self, name: bytes, start: int, end: int) -> None:
        """Add a mention."""
        self.entity.append(self.number(name))
        self.start.append(start)
        self.end.append(end)


@dataclass
class _Reader:
    """What is found on the way."""

    source: str
    faults: list[Fault] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    discarded: list[tuple[str, int, str]] = field(default_factory=list)

    def fault(self, line: int, what: str, expected: str = "", hint: str = "") -> None:
        """Note that a line is wrong."""
        self.faults.append(Fault(self.source, what, expected, hint, line))


def read(data: bytes, source: str) -> Corpus:
    """Read a file's content; `source` names it in messages."""
    found = lines.split(data, source)
    reader = _Reader(source)
    documents, words = _documents(found, reader)
    bounds = np.array([0, *np.cumsum([len(each) for each in words])], dtype=np.int64)
    every_word = np.concatenate(words) if words else np.zeros(0, dtype=np.int64)
    for document, rows in zip(documents, words, strict=True):
        _read_document(found, document, rows, reader)
    if reader.faults:
        raise InputError(sorted(reader.faults, key=lambda fault: fault.line or 0))
    if not documents:
        raise InputError(Fault(source, "no document", "a line '#begin document NAME'", line=1))
    if reader.discarded:
        reader.notices.extend(_discarded(reader))
    return _corpus(documents, _tokens(found, every_word, bounds), reader)


def _documents(found: Lines, reader: _Reader) -> tuple[list[_Document], list[Ints]]:
    """The documents, and the lines of each that hold a word."""
    is_word = found.columns > 0
    is_word[0:0] = False
    documents: list[_Document] = []
    open_document: _Document | None = None
    outside_from = 0
    for row in found.starting_with(b"#"):
        text = found.text(row)
        begin = _BEGIN.match(text)
        if begin is None and not _END.search(text):
            if found.columns[row] < 2 or not _is_cell(found.last(row)):
                is_word[row] = False
                reader.notices.append(_comment(reader.source, row + 1, text))
            continue
        is_word[row] = False
        if begin:
            if open_document is not None:
                open_document.last_line = row
                reader.notices.append(_unfinished(reader.source, open_document, row + 1))
            else:
                _refuse_words(found, is_word, outside_from, row, reader)
            open_document = _Document(begin[1].strip().decode("utf-8", "replace"), row + 1, row)
            documents.append(open_document)
        elif open_document is None:
            reader.fault(row + 1, "#end document without a #begin document before it")
        else:
            open_document.last_line = row
            open_document, outside_from = None, row + 1
    if open_document is not None:
        open_document.last_line = len(found.columns)
        reader.notices.append(_unfinished(reader.source, open_document, len(found.columns)))
    else:
        _refuse_words(found, is_word, outside_from, len(found.columns), reader)
    _refuse_same_names(documents, reader)
    return documents, [np.flatnonzero(is_word[each.line : each.last_line]) + each.line for each in documents]


def _refuse_words(found: Lines, is_word: np.ndarray[tuple[int], np.dtype[np.bool_]], first: int, last: int, reader: _Reader) -> None:
    outside = np.flatnonzero(is_word[first:last])
    if len(outside):
        row = first + int(outside[0])
        count = "1 line" if len(outside) == 1 else f"{len(outside)} lines"
        shown = found.text(row)[:40].decode("utf-8", "replace")
        reader.fault(row + 1, f"{count} outside a document, first {shown!r}", "a line '#begin document NAME' before words")


def _refuse_same_names(documents: list[_Document], reader: _Reader) -> None:
    first: dict[str, int] = {}
    for document in documents:
        if document.name in first:
            what = f"document {document.name!r} is there already, from line {first[document.name]} on"
            reader.fault(document.line, what, "every document once", "parts are told apart by 'part 000' in the name")
        first.setdefault(document.name, document.line)


def _read_document(found: Lines, document: _Document, rows: Ints, reader: _Reader) -> None:
    marked = np.flatnonzero(~found.is_none[rows])
    known: dict[bytes, tuple[tuple[bytes, ...], tuple[bytes, ...], tuple[bytes, ...]] | None] = {}
    cells = found.cells(rows[marked])
    for word, row, cell in zip(marked.tolist(), rows[marked].tolist(), cells, strict=True):
        if cell not in known:
            known[cell] = _parsed(cell)
        parsed = known[cell]
        if parsed is None:
            shown = cell[:40].decode("utf-8", "replace")
            reader.fault(row + 1, f"{shown!r} is not a coreference cell", _EXPECTED)
            continue
        single, opening, closing = parsed
        for name in single:
            document.add(name, word, word)
        for name in opening:
            document.number(name)
            document.opened.setdefault(name, []).append((word, row))
        for name in closing:
            begun = document.opened.get(name)
            if begun:
                document.add(name, begun.pop()[0], word)
            else:
                shown = name.decode("utf-8", "replace")
                reader.fault(row + 1, f"{shown}) closes a mention that was not opened", f"({shown} before it")
        if b"+" in cell:
            reader.discarded.extend((document.name, row + 1, name) for name in _split_antecedents(cell))
    for name, begun in document.opened.items():
        for _, row in begun:
            shown = name.decode("utf-8", "replace")
            reader.fault(row + 1, f"({shown} opens a mention that is never closed", f"{shown}) in the same document")


def _parsed(cell: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...], tuple[bytes, ...]] | None:
    """The entities whose mentions are the word itself, begin with it, and end with it; None for a malformed cell."""
    text = b"".join(cell.split())
    if text in _NONE:
        return (), (), ()
    single, opening, closing = [], [], []
    place = 0
    for match in _BRACKETS.finditer(text):
        if match.start() != place:
            return None
        place = match.end()
        whole, begin, end, _ = match.groups()
        if whole is not None:
            if not _SPLIT_ANTECEDENT.fullmatch(whole):
                single.append(whole)
        elif begin is not None:
            opening.append(begin)
        elif end is not None:
            closing.append(end)
    return (tuple(single), tuple(opening), tuple(closing)) if place == len(text) else None


def _is_cell(cell: bytes) -> bool:
    return _parsed(cell) is not None


def _split_antecedents(cell: bytes) -> Iterator[str]:
    for match in _BRACKETS.finditer(cell):
        if match[1] and _SPLIT_ANTECEDENT.fullmatch(match[1]):
            yield match[1].decode("ascii")


def _tokens(found: Lines, rows: Ints, bounds: Ints) -> Tokens | None:
    """The words, where it is clear which column they are in."""
    first = [rows[begin] for begin, end in zip(bounds[:-1], bounds[1:], strict=True) if begin < end]
    columns = {_word_column(found, int(row)) for row in first}
    if len(columns) != 1:
        return None
    column = columns.pop()
    if column is None or (len(rows) and int(found.columns[rows].min()) <= column):
        return None
    start, end = found.column(rows, column)
    return Tokens(found.data, start, end, rows + 1, bounds)


def _word_column(found: Lines, row: int) -> int | None:
    cells = found.text(row).split()
    if len(cells) >= 5 and cells[1].isdigit() and cells[2].isdigit():
        return 3  # document, part, number, word
    if len(cells) >= 4 and cells[1].isdigit():
        return 2  # document, number, word
    if len(cells) >= 3 and cells[0].isdigit():
        return 1  # number, word: SemEval-2010
    return 0 if len(cells) == 2 and not _is_cell(cells[0]) and b"/" not in cells[0] else None


def _corpus(documents: list[_Document], tokens: Tokens | None, reader: _Reader) -> Corpus:
    before = np.cumsum([0, *(len(each.entities) for each in documents)])
    sizes = [len(each.entity) for each in documents]
    entity = np.array([number for each in documents for number in each.entity], dtype=np.int64)
    return Corpus(
        documents=tuple(each.name for each in documents),
        entity_document=np.repeat(np.arange(len(documents)), [len(each.entities) for each in documents]),
        entity_name=[name.decode("utf-8", "replace") for each in documents for name in each.entities],
        entity=entity + np.repeat(before[:-1], sizes),
        mentions=Spans(
            np.array([word for each in documents for word in each.start], dtype=np.int64),
            np.array([word for each in documents for word in each.end], dtype=np.int64),
        ),
        tokens=tokens,
        source=reader.source,
        notices=tuple(reader.notices),
    )


def _comment(source: str, line: int, text: bytes) -> Notice:
    shown = text[:40].decode("utf-8", "replace")
    return Notice("skipped-line", f"{source}:{line}: {shown!r} is skipped as a comment", {"line": line})


def _unfinished(source: str, document: _Document, line: int) -> Notice:
    return Notice(
        "unfinished-document",
        f"{source}:{line}: document {document.name!r} has no '#end document'; the file may be truncated",
        {"document": document.name, "line": line},
    )


def _discarded(reader: _Reader) -> tuple[Notice, ...]:
    def describe(event: int) -> Notice:
        document, line, name = reader.discarded[event]
        message = f"{reader.source}:{line}: ({name}), a mention of several entities, is left out as in the reference scorer"
        return Notice("split-antecedent", message, {"document": document, "line": line, "entities": name.split("+")})

    return named("split-antecedent", len(reader.discarded), describe)
