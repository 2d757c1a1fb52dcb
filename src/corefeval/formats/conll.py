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
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus import Corpus
from corefeval.errors import Fault, InputError
from corefeval.formats import brackets, lines
from corefeval.labels import first_come
from corefeval.mentions import Spans
from corefeval.notices import Notice, named
from corefeval.tokens import Tokens

if TYPE_CHECKING:
    from corefeval.arrays import Booleans, Ints
    from corefeval.formats.brackets import Events
    from corefeval.formats.lines import Lines

_BEGIN = re.compile(rb"#\s*begin document\s?(.*)")
_END = re.compile(rb"#\s*end document")
_EXPECTED = "a coreference column such as (1), (1, 1), (1|(2) or -"


class _Document(NamedTuple):
    """A document's name, the line of its header (from 1), and its lines with a word on them (from 0)."""

    name: str
    line: int
    words: Ints


class _Found(NamedTuple):
    """What is wrong with a file, and what is to be said about it."""

    source: str
    faults: list[Fault]
    notices: list[Notice]

    def fault(self, line: int, what: str, expected: str = "", hint: str = "") -> None:
        """Note that a line is wrong."""
        self.faults.append(Fault(self.source, what, expected, hint, line))


def read(data: bytes, source: str) -> Corpus:
    """Read a file's content; `source` names it in messages."""
    text = lines.clean(data, source)
    column = _word_column(text)
    rows = lines.split(text, 0 if column is None else column)
    found = _Found(source, [], [])
    documents = _documents(rows, found)
    corpus = _corpus(rows, documents, found)
    if found.faults:
        raise InputError(sorted(found.faults, key=lambda fault: fault.line or 0))
    if not documents:
        raise InputError(Fault(source, "no document", "a line '#begin document NAME'", line=1))
    tokens = None if column is None else _tokens(rows, documents)
    return replace(corpus, tokens=tokens, notices=tuple(found.notices))


def _documents(rows: Lines, found: _Found) -> list[_Document]:
    """The documents of a file, by their header lines."""
    is_word = rows.columns > 0
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
            if rows.columns[row] != usual or brackets.parse(rows.last(row)).malformed:
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
                found.fault(row + 1, "#end document without a #begin document before it")
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
    plain = rows.columns.copy()
    plain[marked] = 0
    return int(plain[np.argmax(plain > 0)]) if len(plain) else 0


def _refuse_words(rows: Lines, is_word: Booleans, first: int, end: int, found: _Found) -> None:
    outside = np.flatnonzero(is_word[first:end])
    if len(outside):
        row = first + int(outside[0])
        count = "1 line" if len(outside) == 1 else f"{len(outside)} lines"
        what = f"{count} outside a document, first {_shown(rows.text(row))!r}"
        found.fault(row + 1, what, "a line '#begin document NAME' before words")


def _refuse_same_names(headers: list[tuple[str, int, int]], found: _Found) -> None:
    first: dict[str, int] = {}
    for name, line, _ in headers:
        if name in first:
            what = f"document {name!r} is there already, from line {first[name]} on"
            found.fault(line, what, "every document once", "parts are told apart by 'part 000' in the name")
        first.setdefault(name, line)


def _corpus(rows: Lines, documents: list[_Document], found: _Found) -> Corpus:
    length = np.array([len(each.words) for each in documents], dtype=np.int64)
    words = np.concatenate([each.words for each in documents]) if documents else length
    word_document = np.repeat(np.arange(len(documents)), length)
    place = np.arange(len(words)) - np.repeat(np.cumsum(length) - length, length)
    marked = np.flatnonzero(~rows.without_mention()[words])
    cells = rows.cells(words[marked], lambda cell: not brackets.parse(cell).malformed)
    events = brackets.events(cells)
    for cell, content in events.unusual:
        line = int(words[marked[cell]]) + 1
        if content.malformed:
            found.fault(line, f"{_shown(cells[cell])!r} is not a coreference cell", _EXPECTED)
    found.notices.extend(_left_out(events, words[marked], found.source))
    word = marked[events.cell]
    labels, entity = first_come(word_document[word] * len(events.names) + events.name)
    single = np.flatnonzero(events.kind == brackets.SINGLE)
    longer = np.flatnonzero(events.kind != brackets.SINGLE)
    paired = brackets.pair(entity[longer], events.kind[longer] == brackets.OPEN)
    for event in longer[paired.unopened].tolist():
        name = _shown(events.names[events.name[event]])
        found.fault(int(words[word[event]]) + 1, f"{name}) closes a mention that was not opened", f"({name} before it")
    for event in longer[paired.unclosed].tolist():
        name = _shown(events.names[events.name[event]])
        what = f"({name} opens a mention that is never closed"
        found.fault(int(words[word[event]]) + 1, what, f"{name}) in the same document")
    opening, closing = longer[paired.opening], longer[paired.closing]
    first, last = np.concatenate([single, opening]), np.concatenate([single, closing])
    width = max(1, len(events.names))
    names = [_text(name) for name in events.names]
    return Corpus(
        documents=tuple(each.name for each in documents),
        entity_document=labels // width,
        entity_name=[names[name] for name in (labels % width).tolist()],
        entity=entity[first],
        mentions=Spans(place[word[first]], place[word[last]]),
        source=found.source,
    )


def _tokens(rows: Lines, documents: list[_Document]) -> Tokens | None:
    """The words, if every line has one."""
    words = np.concatenate([each.words for each in documents])
    if (rows.columns[words] <= rows.word_column).any():
        return None
    bounds = np.cumsum([0, *(len(each.words) for each in documents)])
    return Tokens(rows.data, rows.word_begin[words], rows.word_end[words], words + 1, bounds)


def _word_column(text: bytes) -> int | None:
    """Which column holds the words, by the file's first line of columns; None where that is not clear."""
    beginning = text[: 1 << 16].split(b"\n")
    cells = next((line.split() for line in beginning if line.strip() and not line.startswith(b"#")), [])
    if len(cells) >= 5 and cells[1].isdigit() and cells[2].isdigit():
        return 3  # document, part, number, word
    if len(cells) >= 4 and cells[1].isdigit():
        return 2  # document, number, word
    if len(cells) >= 3 and cells[0].isdigit():
        return 1  # number, word: SemEval-2010
    return 0 if len(cells) == 2 and brackets.parse(cells[0]).malformed and b"/" not in cells[0] else None


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


def _left_out(events: Events, row: Ints, source: str) -> tuple[Notice, ...]:
    left_out = [
        (int(row[cell]) + 1, name.decode("ascii")) for cell, content in events.unusual for name in content.left_out
    ]

    def describe(event: int) -> Notice:
        line, name = left_out[event]
        message = f"{source}:{line}: ({name}), a mention of several entities, is left out as in the reference scorer"
        return Notice("split-antecedent", message, {"line": line, "entities": name.split("+")})

    return named("split-antecedent", len(left_out), describe)
