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
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefeval.corpus import Corpus
from corefeval.errors import Fault, InputError
from corefeval.formats import lines
from corefeval.mentions import Spans
from corefeval.notices import Notice, named
from corefeval.tokens import Tokens

if TYPE_CHECKING:
    from corefeval.arrays import Ints
    from corefeval.formats.lines import Lines

_BEGIN = re.compile(rb"#\s*begin document\s?(.*)")
_END = re.compile(rb"#\s*end document")
_BRACKET = re.compile(rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|(\|)")
_SPLIT_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
_NONE = (b"-", b"_", b"*", b"")
_EXPECTED = "a coreference column such as (1), (1, 1), (1|(2) or -"


_Names: TypeAlias = tuple[bytes, ...]
_Brackets: TypeAlias = tuple[_Names, _Names, _Names, _Names | None]
"""A cell: entities whose mentions are the word itself, begin with it, end with it; and what is unusual about it: mentions
that are left out, or, if that is empty, that the cell is malformed."""
_WRONG: _Brackets = ((), (), (), ())


@dataclass
class _Document:
    """A document's header and, as its lines are read, its entities, numbered as they come, and its mentions."""

    name: str
    line: int
    last_line: int
    numbers: dict[bytes, int] = field(default_factory=dict)
    opened: list[list[int]] = field(default_factory=list)
    entity: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)

    def new(self, name: bytes) -> int:
        """Number an entity."""
        self.opened.append([])
        return self.numbers.setdefault(name, len(self.numbers))


@dataclass
class _Reader:
    """What is found on the way."""

    source: str
    faults: list[Fault] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    discarded: list[tuple[str, int, str]] = field(default_factory=list)
    known: dict[bytes, _Brackets] = field(default_factory=dict)

    def fault(self, line: int, what: str, expected: str = "", hint: str = "") -> None:
        """Note that a line is wrong."""
        self.faults.append(Fault(self.source, what, expected, hint, line))

    def refuse(self, cell: bytes, row: int) -> None:
        """Note a cell that says nothing about coreference."""
        self.fault(row + 1, f"{_shown(cell)!r} is not a coreference cell", _EXPECTED)

    def refuse_unopened(self, name: bytes, row: int) -> None:
        """Note a closing bracket without an opening one."""
        self.fault(row + 1, f"{_shown(name)}) closes a mention that was not opened", f"({_shown(name)} before it")

    def refuse_unclosed(self, name: bytes, row: int) -> None:
        """Note an opening bracket without a closing one."""
        what = f"({_shown(name)} opens a mention that is never closed"
        self.fault(row + 1, what, f"{_shown(name)}) in the same document")


def read(data: bytes, source: str) -> Corpus:
    """Read a file's content; `source` names it in messages."""
    text = lines.clean(data, source)
    column = _word_column(text)
    found = lines.split(text, 0 if column is None else column)
    reader = _Reader(source)
    documents, words = _documents(found, reader)
    without_mention = found.without_mention()
    for document, rows in zip(documents, words, strict=True):
        _read_document(found, document, rows, rows[~without_mention[rows]], reader)
    if reader.faults:
        raise InputError(sorted(reader.faults, key=lambda fault: fault.line or 0))
    if not documents:
        raise InputError(Fault(source, "no document", "a line '#begin document NAME'", line=1))
    reader.notices.extend(_discarded(reader))
    return _corpus(documents, None if column is None else _tokens(found, words), reader)


def _documents(found: Lines, reader: _Reader) -> tuple[list[_Document], list[Ints]]:
    """The documents, and the lines of each that hold a word."""
    is_word = found.columns > 0
    documents: list[_Document] = []
    open_document: _Document | None = None
    outside_from = 0
    for row in found.starting_with(b"#"):
        text = found.text(row)
        begin = _BEGIN.match(text)
        if begin is None and not _END.search(text):
            if found.columns[row] < 2 or _brackets(found.last(row)) is _WRONG:
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
        reader.fault(row + 1, f"{count} outside a document, first {_shown(found.text(row))!r}", "a line '#begin document NAME' before words")


def _refuse_same_names(documents: list[_Document], reader: _Reader) -> None:
    first: dict[str, int] = {}
    for document in documents:
        if document.name in first:
            what = f"document {document.name!r} is there already, from line {first[document.name]} on"
            reader.fault(document.line, what, "every document once", "parts are told apart by 'part 000' in the name")
        first.setdefault(document.name, document.line)


def _read_document(found: Lines, document: _Document, rows: Ints, marked: Ints, reader: _Reader) -> None:
    """Read the mentions of a document from its marked lines."""
    numbers, opened, known = document.numbers, document.opened, reader.known
    add_entity, add_start, add_end = document.entity.append, document.start.append, document.end.append
    for word, cell in zip(np.searchsorted(rows, marked).tolist(), found.cells(marked), strict=True):
        brackets = known.get(cell)
        if brackets is None:
            brackets = known[cell] = _brackets(cell)
        single, opening, closing, unusual = brackets
        for name in single:
            number = numbers.get(name)
            if number is None:
                number = document.new(name)
            add_entity(number)
            add_start(word)
            add_end(word)
        for name in opening:
            number = numbers.get(name)
            if number is None:
                number = document.new(name)
            opened[number].append(word)
        for name in closing:
            number = numbers.get(name)
            if number is None or not opened[number]:
                reader.refuse_unopened(name, int(rows[word]))
                continue
            add_entity(number)
            add_start(opened[number].pop())
            add_end(word)
        if unusual is not None:
            _note(unusual, document, cell, int(rows[word]), reader)
    for name, number in numbers.items():
        for word in opened[number]:
            reader.refuse_unclosed(name, int(rows[word]))


def _note(unusual: tuple[bytes, ...], document: _Document, cell: bytes, row: int, reader: _Reader) -> None:
    if not unusual:
        reader.refuse(cell, row)
    reader.discarded.extend((document.name, row + 1, name.decode("ascii")) for name in unusual)


def _brackets(cell: bytes) -> _Brackets:
    text = b"".join(cell.split())
    if text in _NONE:
        return (), (), (), None
    single, opening, closing, discarded = [], [], [], []
    place = 0
    for match in _BRACKET.finditer(text):
        if match.start() != place:
            break
        place = match.end()
        whole, begin, end, _ = match.groups()
        if whole is not None:
            (discarded if _SPLIT_ANTECEDENT.fullmatch(whole) else single).append(whole)
        elif begin is not None:
            opening.append(begin)
        elif end is not None:
            closing.append(end)
    if place != len(text):
        return _WRONG
    return tuple(single), tuple(opening), tuple(closing), tuple(discarded) or None


def _tokens(found: Lines, words: list[Ints]) -> Tokens | None:
    """The words, if every line has one."""
    rows = np.concatenate(words) if words else np.zeros(0, dtype=np.int64)
    if (found.columns[rows] <= found.word_column).any():
        return None
    return Tokens(found.data, found.word_begin[rows], found.word_end[rows], rows + 1, np.cumsum([0, *(len(each) for each in words)]))


def _word_column(text: bytes) -> int | None:
    """Which column holds the words, by the file's first line of columns; None where that is not clear."""
    cells = next((line.split() for line in _beginning(text) if line.strip() and not line.startswith(b"#")), [])
    if len(cells) >= 5 and cells[1].isdigit() and cells[2].isdigit():
        return 3  # document, part, number, word
    if len(cells) >= 4 and cells[1].isdigit():
        return 2  # document, number, word
    if len(cells) >= 3 and cells[0].isdigit():
        return 1  # number, word: SemEval-2010
    return 0 if len(cells) == 2 and _brackets(cells[0]) is _WRONG and b"/" not in cells[0] else None


def _beginning(text: bytes) -> list[bytes]:
    return text[: 1 << 16].split(b"\n")


def _corpus(documents: list[_Document], tokens: Tokens | None, reader: _Reader) -> Corpus:
    before = np.cumsum([0, *(len(each.numbers) for each in documents)])
    sizes = [len(each.entity) for each in documents]
    entity = np.array([number for each in documents for number in each.entity], dtype=np.int64)
    return Corpus(
        documents=tuple(each.name for each in documents),
        entity_document=np.repeat(np.arange(len(documents)), [len(each.numbers) for each in documents]),
        entity_name=[name.decode("utf-8", "replace") for each in documents for name in each.numbers],
        entity=entity + np.repeat(before[:-1], sizes),
        mentions=Spans(
            np.array([word for each in documents for word in each.start], dtype=np.int64),
            np.array([word for each in documents for word in each.end], dtype=np.int64),
        ),
        tokens=tokens,
        source=reader.source,
        notices=tuple(reader.notices),
    )


def _shown(text: bytes) -> str:
    """The beginning of some text of the file, for a message."""
    return text[:40].decode("utf-8", "replace")


def _comment(source: str, line: int, text: bytes) -> Notice:
    return Notice("skipped-line", f"{source}:{line}: {_shown(text)!r} is skipped as a comment", {"line": line})


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
