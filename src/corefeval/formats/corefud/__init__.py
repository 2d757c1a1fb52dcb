"""CorefUD 1.x: CoNLL-U with `Entity=` in its last column, MISC.

    # newdoc id = story
    # global.Entity = eid-etype-head-other
    1	Kim	_	_	_	_	2	nsubj	_	Entity=(e1-person-1)
    2	came	_	_	_	_	0	root	_	_

`# newdoc` begins a document; a file without it is one. `# global.Entity` names the fields of the mentions from there
on; GRP stands for eid, entity for etype and MIN for minspan in older editions.

Brackets are read from left to right, and a closing one belongs to the last one opened with its label. Parts of a
mention with gaps are numbered, `(e2[1/2]-place-1)`: a further part belongs to the last mention of its entity that has
as many parts and lacks this one. Lines such as `3.1` are words that are not written (zeros); `3-4` are not words.
`Bridge` and `SplitAnte` become relations.

etype and identity belong to the entity (as type and identity), head is the mention's head, and minspan its minimum, if
its words follow each other; all other fields are attributes of the mention. Ids, parts of speech, heads, relations
and enhanced dependencies of the words are kept as their attributes id, upos, head, deprel and deps. An entity belongs
to its document, even if its id comes again in another one. A mention may go beyond its sentence, as in no published
corpus: a notice says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Frame, Tokens
from corefeval.formats.base import Capacity
from corefeval.formats.corefud import columns as corefud_columns
from corefeval.formats.corefud import entity as corefud_entity
from corefeval.formats.corefud import misc as corefud_misc
from corefeval.formats.corefud import relations as corefud_relations
from corefeval.formats.corefud import table as corefud_table
from corefeval.formats.corefud.fields import FieldNames, Fields
from corefeval.formats.corefud.table import Column
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import File
    from corefeval.formats.corefud.table import Table

TITLE = "CorefUD 1.x: CoNLL-U with Entity= in MISC"
EXAMPLE = """# global.Entity = eid-etype-head-other
1	Kim	Kim	PROPN	_	_	2	nsubj	_	Entity=(e1-person-1)
2	left	leave	VERB	_	_	0	root	_	_"""
SUFFIXES = (".conllu",)
COMPANIONS = ()
CAPACITY = Capacity(
    units=("word",),
    blanks="spaces",
    sentences=True,
    discontinuous="apart",
    crossing="other",  # brackets of one entity look alike, so that they can only be nested
    zeros=True,
    heads=True,
    minimums=True,
    attributes=FieldNames(),
    entity_attributes=("type", "identity"),
    relations=("split", "bridge"),
)

_KEPT = {
    "id": corefud_table.ID,
    "upos": corefud_table.UPOS,
    "head": corefud_table.HEAD,
    "deprel": corefud_table.DEPREL,
    "deps": corefud_table.DEPS,
}
_COMMENT = re.compile(rb"#\s*(?:(newdoc)\b\s*(?:id\b)?\s*=?|global\.Entity\s*=)(.*)", re.DOTALL)
_FIRST_WORD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:#[^\n]*\n|[ \t\r]*\n)*"  # comments and empty lines
    rb"(?:1|1-\d+|0\.1)(?:\t[^\t\r\n]+){5}\t(?:\d+|_)(?:\t[^\t\r\n]+){3}\r?(?:\n|$)"
)


def recognise(beginning: bytes) -> str:
    """By the declaration of Entity, or by ten columns with tabs between them, numbered from 1."""
    others = any(words in beginning for words in (b"global.columns", b"begin document"))  # seldom, and soon known
    if others and re.search(rb"^#\s*(?:global\.columns|begin document)", beginning, re.MULTILINE):
        return ""
    if re.search(rb"^(?:\xef\xbb\xbf)?#\s*global\.Entity\s*=", beginning, re.MULTILINE):
        return "'# global.Entity' found"
    return "ten columns as in CoNLL-U" if _FIRST_WORD.match(beginning) else ""


def write(corpus: Corpus) -> bytes:
    """The corpus as CoNLL-U, with a dummy tree where there is none."""
    from corefeval.formats.corefud import writer  # noqa: PLC0415 - most runs write nothing

    return writer.write(corpus)


def read(file: File) -> Corpus:
    """Read all documents of a file."""
    found = Diagnostics(file.name)
    table = corefud_table.table(lines.normalize_text(file.data, file.name), found)
    comments = _comments(table)
    headers = _headers(table, comments, file.document, found)
    if not headers and not found.faults:
        found.add_fault(1, "no words", "lines of ten columns with tabs between them")
    names = tuple(header.name for header in headers)
    bounds = np.append(np.searchsorted(table.row, [header.row for header in headers]), len(table.row))
    _refuse_spelled(table, found)
    declarations = _declarations(comments, found)
    fields = list(dict.fromkeys([Fields.usual(), *declarations.values()]))
    cells, statements = corefud_misc.read(table, bounds, declarations, fields, found)
    mentions = corefud_entity.mentions(cells, fields, found)
    relations = corefud_relations.relations(names, statements, cells, mentions, fields, found)
    found.raise_faults()
    corpus = corefud_columns.corpus(names, cells, mentions, found).replaced(
        tokens=_tokens(table, bounds), relations=relations
    )
    _note_crossed_sentences(corpus, table, bounds, found)
    return corpus.replaced(notices=found.limit_notices())


class _Comment(NamedTuple):
    """A comment that matters: its line (from 0), whether it begins a document, and what it says."""

    row: int
    begins: bool
    text: str


def _comments(table: Table) -> list[_Comment]:
    matches = ((row, _COMMENT.match(table.text(row))) for row in table.comments(b"newdoc", b"global"))
    return [
        _Comment(row, match[1] is not None, match[2].strip().decode("utf-8", "backslashreplace"))
        for row, match in matches
        if match
    ]


class _Header(NamedTuple):
    """A document's name, and the line on which it begins (from 0)."""

    name: str
    row: int


def _headers(table: Table, comments: list[_Comment], unnamed: str, found: Diagnostics) -> list[_Header]:
    """The documents of a file."""
    begins = [comment for comment in comments if comment.begins]
    headers = [_Header(comment.text or str(number), comment.row) for number, comment in enumerate(begins, 1)]
    if len(table.row) and (not headers or table.row[0] < headers[0].row):
        headers.insert(0, _Header(unnamed, 0))
    first: dict[str, int] = {}
    for name, row in headers:
        if name in first:
            what = f"document {name!r} is there already, from line {first[name] + 1} on"
            found.add_fault(row + 1, what, "every document once", kind="document-twice")
        first.setdefault(name, row)
    return headers


def _declarations(comments: list[_Comment], found: Diagnostics) -> dict[int, Fields]:
    """The fields of mentions, by the line from which on they are declared so."""
    declarations = {}
    for row, begins, text in comments:
        fields = None if begins else Fields.declared(text)
        if fields is not None:
            declarations[row] = fields
        elif not begins:
            found.add_fault(
                row + 1, f"{text!r} does not declare the fields of mentions", "eid or GRP, and no field twice"
            )
    return declarations


def _refuse_spelled(table: Table, found: Diagnostics) -> None:
    """Complain about mentions on lines that only say how words are spelled."""
    if not table.spelled:
        return
    begin = (table.tabs[[tab + corefud_table.MISC - 1 for _, tab in table.spelled]] + 1).tolist()
    end = table.end[[row for row, _ in table.spelled]].tolist()
    cells = [table.data[first:last] for first, last in zip(begin, end, strict=True)]
    marked = set(filter(corefud_misc.is_marked, dict.fromkeys(cells)))  # few of them are different
    for (row, _), cell in zip(table.spelled, cells, strict=True):
        if cell in marked:
            what = "a mention or a relation on a line that is not a word"
            found.add_fault(
                row + 1, what, "it on the lines of the words", "ids such as 1-2 only say how words are spelled"
            )


def _tokens(table: Table, bounds: Ints) -> Tokens:
    return Tokens(
        table.data,
        lambda: table.places(corefud_table.FORM),
        table.row + 1,
        bounds,
        numbers=table.sentence,
        empty=table.empty,
        attributes={name: Column(table, column) for name, column in _KEPT.items()},
        frame=lambda: _frame(table),
    )


def _frame(table: Table) -> Frame:
    start, end = table.places(corefud_table.MISC)
    return Frame(start, end, end - start > 1)


def _note_crossed_sentences(corpus: Corpus, table: Table, bounds: Ints, found: Diagnostics) -> None:
    """Say which mentions begin in one sentence and end in another: CorefUD has none such."""
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - the caller has made them
    begin = bounds[corpus.document]
    crosses = table.sentence[begin + corpus.mentions.start] != table.sentence[begin + corpus.mentions.end]
    for row in np.flatnonzero(crosses).tolist():
        message = f"a mention of {corpus.entity_name[corpus.entity[row]]!r} goes beyond the end of its sentence"
        found.add_notice("crossed-sentence", corpus.line(row), message)
