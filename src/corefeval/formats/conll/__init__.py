"""CoNLL-2011/2012 and SemEval-2010 columns, and the shorter variants of them.

    #begin document (nw/wsj_0001); part 000
    nw/wsj_0001  0  0  Kim    NNP  ...  (12
    nw/wsj_0001  0  1  Lee    NNP  ...  12)
    nw/wsj_0001  0  2  left   VBD  ...  -
    #end document

One word a line, columns separated by tabs or blanks, coreference in the last one.

- `-`, `_`, `*` or nothing: no mention. `(12` opens a mention of entity 12, `12)` closes one, `(12)` is both; several on
  one word follow each other, with or without `|`. Entities may have any names without brackets, bars and blanks.
- Words are counted over the document, so sentence breaks do not matter, and a mention may cross one.
- A closing bracket belongs to the last one opened for its entity. On one word, one-word mentions come first, then those
  that open, then those that close: the reference scorer's rules.
- Brackets are read as they stand: `(2(1)2)` is a mention of entity 1 and one of entity 2. (The reference scorer takes
  `(1)` out first and is left with `(22)`; with `|` between brackets it agrees.)
- `(1+2)` is left out, with a warning, as in the reference scorer.
- A line that begins with `#` and is no header is a comment, with a warning, unless it has as many columns as others and
  a coreference cell at its end.
- A tab at the end of a line is an empty last cell where other lines have as many tabs, else a slip.
- In files of twelve columns and more (CoNLL-2011/2012), the fifth and the sixth are attributes of the words: `pos` and
  `parse`, the word's part of the bracketed tree. `-` is none. They are looked at only if someone asks for them.

Written are five columns: document, part, number, word, coreference.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.labels import number_by_first_occurrence
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Frame, Tokens
from corefeval.errors import Fault, InputError
from corefeval.formats.base import Capacity
from corefeval.formats.conll import brackets, columns
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import Notice, named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Booleans, Ints
    from corefeval.formats.base import File
    from corefeval.formats.conll.brackets import Events
    from corefeval.formats.shared.lines import Lines

TITLE = "CoNLL-2011/2012, SemEval-2010, and the shorter variants of them"
EXAMPLE = """#begin document (nw/wsj_0001); part 000
nw/wsj_0001  0  0  Kim    NNP  (12)
nw/wsj_0001  0  1  left   VBD  -
#end document"""
SUFFIXES = (".conll", ".v4_gold_conll", ".v4_auto_conll", ".gold_conll", ".auto_conll", "_conll", ".key", ".response")
COMPANIONS = ()
CAPACITY = Capacity(units=("word",), blanks="none", sentences=True, crossing="other")

_RECOGNISED = re.compile(rb"^[^\w\n]{0,8}#[ \t]*begin document", re.MULTILINE)
_BEGIN = re.compile(rb"#\s*begin document\s?(.*)")
_END = re.compile(rb"#\s*end document")
_EXPECTED = "a coreference column such as (1), (1, 1), (1|(2) or -"


class _Document(NamedTuple):
    """A document's name, the line of its header (from 1), and its lines with a word on them (from 0)."""

    name: str
    line: int
    words: Ints


class _Words(NamedTuple):
    """The lines (from 0) of all words, where each document's begin, and which of them have something in their cell."""

    row: Ints
    bounds: Ints
    marked: Booleans


def recognise(beginning: bytes) -> str:
    """By the line that begins a document."""
    # Most files of other formats do not have these words, and that is known sooner than that no line begins so.
    found = b"begin document" in beginning and _RECOGNISED.search(beginning)
    return "'#begin document' found" if found else ""


def write(corpus: Corpus) -> bytes:
    """The corpus as five columns: document, part, number, word, coreference."""
    from corefeval.formats.conll import writer  # noqa: PLC0415 - most runs write nothing

    return writer.write(corpus)


def read(file: File) -> Corpus:
    """Read all documents of a file."""
    source = file.name
    text = lines.normalize_text(file.data, source)
    cells = columns.first(text)
    column = columns.of_words(cells)
    rows = lines.split_lines(text)
    found = Diagnostics(source)
    documents = _documents(rows, found)
    words = _words(rows, documents)
    corpus = _corpus(rows, documents, words, found)
    found.raise_faults()
    if not documents:
        raise InputError(Fault(source, "no document", "a line '#begin document NAME'", line=1))
    unknown = column is None and len(words.row) > 0
    tokens = None if unknown else _tokens(rows, words, column or 0, columns.further(cells))
    return corpus.replaced(tokens=tokens, notices=tuple(found.notices))


def _documents(rows: Lines, found: Diagnostics) -> list[_Document]:
    """The documents of a file, by their header lines."""
    is_word = rows.visible()
    marked = rows.starting_with(b"#")
    usual = _usual_columns(rows, marked)
    headers: list[tuple[str, int, int]] = []
    name: str | None = None
    since = 0
    for row in marked:
        text = rows.text(row)
        begin = _BEGIN.match(text)
        ends = _END.search(text)
        if begin is None and not ends:
            if len(rows.columns(row)) != usual or brackets.parse(rows.last(row)).malformed:
                is_word[row] = False
                found.notices.append(_comment(found.source, row + 1, text))
            continue
        is_word[row] = False
        if name is not None:
            headers.append((name, since, row))
            if begin:
                found.notices.append(_unfinished(found.source, name, row + 1))
        else:
            _refuse_words(rows, is_word, since, row, found)
            if not begin:
                found.add_fault(row + 1, "#end document without a #begin document before it")
        name, since = (_text(begin[1].strip()) if begin else None), row + 1
    if name is not None:
        headers.append((name, since, len(is_word)))
        found.notices.append(_unfinished(found.source, name, len(is_word)))
    else:
        _refuse_words(rows, is_word, since, len(is_word), found)
    _refuse_same_names(headers, found)
    return [_Document(name, first, np.flatnonzero(is_word[first:end]) + first) for name, first, end in headers]


def _usual_columns(rows: Lines, marked: list[int]) -> int:
    """How many columns the first line has that has any and is not marked; a word can be '#', and then has as many."""
    plain = rows.visible()
    plain[marked] = False
    return len(rows.columns(int(np.argmax(plain)))) if plain.any() else 0


def _refuse_words(rows: Lines, is_word: Booleans, first: int, end: int, found: Diagnostics) -> None:
    outside = np.flatnonzero(is_word[first:end])
    if len(outside):
        row = first + int(outside[0])
        count = "1 line" if len(outside) == 1 else f"{len(outside)} lines"
        what = f"{count} outside a document, first {_shown(rows.text(row))!r}"
        found.add_fault(row + 1, what, "a line '#begin document NAME' before words")


def _refuse_same_names(headers: list[tuple[str, int, int]], found: Diagnostics) -> None:
    first: dict[str, int] = {}
    for name, line, _ in headers:
        if name in first:
            what = f"document {name!r} is there already, from line {first[name]} on"
            found.add_fault(
                line,
                what,
                "every document once",
                "parts are told apart by 'part 000' in the name",
                kind="document-twice",
            )
        first.setdefault(name, line)


def _words(rows: Lines, documents: list[_Document]) -> _Words:
    row = np.concatenate([each.words for each in documents]) if documents else np.zeros(0, dtype=np.int64)
    bounds = np.cumsum([0, *(len(each.words) for each in documents)])
    return _Words(row, bounds, rows.with_mention()[row])


def _corpus(rows: Lines, documents: list[_Document], words: _Words, found: Diagnostics) -> Corpus:
    marked = np.flatnonzero(words.marked)
    document = np.searchsorted(words.bounds, marked, side="right") - 1
    place = marked - words.bounds[document]
    line = words.row[marked] + 1
    cells = rows.cells(words.row[marked], lambda cell: not brackets.parse(cell).malformed)
    events = brackets.events(cells)
    for cell, content in events.unusual:
        if content.malformed:
            found.add_fault(int(line[cell]), f"{_shown(cells[cell])!r} is not a coreference cell", _EXPECTED)
    found.notices.extend(_left_out(events, line, found.source))
    labels, entity = number_by_first_occurrence(document[events.cell] * len(events.names) + events.name)
    single = np.flatnonzero(events.kind == brackets.SINGLE)
    longer = np.flatnonzero(events.kind != brackets.SINGLE)
    paired = brackets.pair(entity[longer], events.kind[longer] == brackets.OPEN)
    for event in longer[paired.unopened].tolist():
        name = _shown(events.names[events.name[event]])
        what = f"{name}) closes a mention that was not opened"
        found.add_fault(int(line[events.cell[event]]), what, f"({name} before it", kind="unbalanced-bracket")
    for event in longer[paired.unclosed].tolist():
        name = _shown(events.names[events.name[event]])
        what = f"({name} opens a mention that is never closed"
        found.add_fault(int(line[events.cell[event]]), what, f"{name}) in the same document", kind="unbalanced-bracket")
    opening, closing = longer[paired.opening], longer[paired.closing]
    first, last = np.concatenate([single, opening]), np.concatenate([single, closing])
    place = place[events.cell]
    width = max(1, len(events.names))
    names = [_text(name) for name in events.names]
    return Corpus(
        documents=tuple(each.name for each in documents),
        entity_document=labels // width,
        entity_name=[names[name] for name in (labels % width).tolist()],
        entity=entity[first],
        mentions=Spans(place[first], place[last]),
        source=found.source,
    )


def _tokens(rows: Lines, words: _Words, column: int, further: Mapping[str, int]) -> Tokens:
    """The words, and further columns by name; the word of a line that is too short is empty."""
    return Tokens(
        rows.data,
        lambda: lines.find_column(rows, words.row, column),
        words.row + 1,
        words.bounds,
        attributes={name: columns.text(rows, words.row, number) for name, number in further.items()},
        frame=lambda: Frame(rows.last_begin[words.row], rows.last_end[words.row], words.marked),
    )


def _text(name: bytes) -> str:
    """A name, so that different bytes stay different."""
    return name.decode("utf-8", "backslashreplace")


def _shown(text: bytes) -> str:
    """The beginning of some text of the file, for a message."""
    return _text(text[:40])


def _comment(source: str, line: int, text: bytes) -> Notice:
    return Notice("skipped-line", f"{source}:{line}: {_shown(text)!r} is skipped as a comment", {"line": line})


def _unfinished(source: str, document: str, line: int) -> Notice:
    return Notice(
        "unfinished-document",
        f"{source}:{line}: document {document!r} has no '#end document'; the file may be truncated",
        {"document": document, "line": line},
    )


def _left_out(events: Events, line: Ints, source: str) -> tuple[Notice, ...]:
    left_out = [
        (int(line[cell]), name.decode("ascii")) for cell, content in events.unusual for name in content.left_out
    ]

    def describe(event: int) -> Notice:
        at, name = left_out[event]
        message = f"{source}:{at}: ({name}), a mention of several entities, is left out as in the reference scorer"
        return Notice("split-antecedent", message, {"line": at, "entities": name.split("+")})

    return named("split-antecedent", len(left_out), describe)
