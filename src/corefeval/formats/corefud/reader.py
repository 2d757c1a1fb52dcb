"""Reading CorefUD: documents by their comments, and the fields of mentions as columns of a corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints, number_by_first_occurrence, number_values
from corefeval._lazy import LazyMapping, cached
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Frame, Tokens
from corefeval.formats.base import File, Mark
from corefeval.formats.corefud import conllu
from corefeval.formats.corefud.fields import (
    ENTITY_FIELDS,
    OTHER,
    Declarations,
    parse_declaration,
    parse_indices,
    unescape,
)
from corefeval.formats.corefud.mentions import CorefudMentions, EntityCells, place_cells, read_mentions
from corefeval.formats.corefud.relations import read_relations
from corefeval.formats.shared import lines
from corefeval.formats.shared.columns import parse_numbers
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from corefeval.formats.corefud.conllu import ConlluTable

_WORD_ATTRIBUTES = {
    "id": conllu.ID,
    "upos": conllu.UPOS,
    "head": conllu.HEAD,
    "deprel": conllu.DEPREL,
    "deps": conllu.DEPS,
}
_COMMENT = re.compile(rb"#\s*(?:(newdoc)\b\s*(?:id\b)?\s*=?|global\.Entity\s*=)(.*)", re.DOTALL)
_FIRST_WORD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:#[^\n]*\n|[ \t\r]*\n)*"  # comments and empty lines
    rb"(?:1|1-\d+|0\.1)(?:\t[^\t\r\n]+){5}\t(?:\d+|_)(?:\t[^\t\r\n]+){3}\r?(?:\n|$)"
)
_ZERO = ord("0")
_ALL = slice(None)
_FEW = 64


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is CorefUD, by '# global.Entity' or CoNLL-U's columns; "" if it is not."""
    others = any(words in beginning for words in (b"global.columns", b"begin document"))  # rare, and quickly checked
    if others and re.search(rb"^#\s*(?:global\.columns|begin document)", beginning, re.MULTILINE):
        return ""
    if re.search(rb"^(?:\xef\xbb\xbf)?#\s*global\.Entity\s*=", beginning, re.MULTILINE):
        return "'# global.Entity' found"
    return "ten columns as in CoNLL-U" if _FIRST_WORD.match(beginning) else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    diagnostics = Diagnostics(file.name, file.lines, by_line=True)
    table = conllu.read_table(lines.normalize_text(file.data, file.name), diagnostics)
    headers, declarations = _read_comments(table, file.document, diagnostics)
    if not headers and not diagnostics.faults:
        diagnostics.add_fault(1, "no words", "lines of ten columns with tabs between them")
    names = tuple(name for name, _ in headers)
    bounds = np.append(np.searchsorted(table.row, [row for _, row in headers]), len(table.row))
    entity_items, relation_items = conllu.find_items(table, diagnostics)
    cells = place_cells(table, entity_items, bounds, declarations, diagnostics)
    mentions = read_mentions(cells, declarations.fields, diagnostics)
    relations: tuple[Relation, ...] = ()
    if relation_items:
        relations = read_relations(relation_items, table, declarations, names, bounds, cells, mentions, diagnostics)
    diagnostics.raise_faults()
    corpus = _build_corpus(names, cells, mentions, diagnostics)
    begin = bounds[cells.document[mentions.cell]]
    crosses = table.sentence[begin + mentions.spans.start] != table.sentence[begin + mentions.spans.end]
    for row in np.flatnonzero(crosses).tolist():
        message = f"a mention of {corpus.entity_name[corpus.entity[row]]!r} crosses the end of its sentence"
        diagnostics.add_notice("crossed-sentence", int(cells.line[mentions.cell[row]]), message)
    return corpus.replace(tokens=_build_tokens(table, bounds), relations=relations, notices=diagnostics.limit_notices())


def find_layout(beginning: bytes) -> bool | None:
    """Return whether fields are declared before the first word; None if words come before the first document."""
    begin, declared, named = 0, False, False
    while (end := beginning.find(b"\n", begin)) >= 0:
        line = beginning[begin:end].removeprefix(b"\xef\xbb\xbf")
        begin = end + 1
        comment = _COMMENT.match(line)
        if comment:
            named, declared = named or bool(comment[1]), declared or not comment[1]
        elif line.strip() and not line.startswith(b"#"):
            return declared if named else None
    return None


def mark_documents(block: bytes) -> Iterator[Mark]:
    """Yield where documents begin, with their names, and where fields of mentions are declared, in whole lines."""
    for place in lines.find_lines_with(block, (b"newdoc", b"global.Entity")):
        end = block.find(b"\n", place)
        line = block[place : len(block) if end < 0 else end]
        comment = _COMMENT.match(line)
        if comment:
            text = comment[2].strip(b" \t\r").decode("utf-8", "backslashreplace")
            yield Mark(place, "document", text) if comment[1] else Mark(place, "lead", line.decode("latin-1"))


def _read_comments(
    table: ConlluTable, unnamed: str, diagnostics: Diagnostics
) -> tuple[list[tuple[str, int]], Declarations]:
    """Return a list of each document's name and first row (from 0), and the fields declared by row; add faults.

    Words before the first header are a document of the name `unnamed`.
    """
    headers: list[tuple[str, int]] = []
    declared = {}
    for row in table.find_comment_rows():
        comment = _COMMENT.match(table.lines.read_line(row))
        if comment is None:
            continue
        text = comment[2].strip(b" \t\r").decode("utf-8", "backslashreplace")
        if comment[1]:
            headers.append((text or str(len(headers) + 1), row))
        elif fields := parse_declaration(text):
            declared[row] = fields
        else:
            what = f"{text!r} does not declare the fields of mentions"
            diagnostics.add_fault(row + 1, what, "eid or GRP, and no field twice")
    if len(table.row) and (not headers or table.row[0] < headers[0][1]):
        headers.insert(0, (unnamed, 0))
    diagnostics.refuse_repeated_documents([(name, row + 1) for name, row in headers])
    return headers, Declarations(declared)


def _build_tokens(table: ConlluTable, bounds: Ints) -> Tokens:
    """Return the words of all documents with their attributes; bounds: the numbers of documents' first words."""

    def find_frame() -> Frame:
        """Return where the MISC cell of every word is, and whether there is more in it than an underscore."""
        start, end = table.find_column(conllu.MISC)
        return Frame(start, end, end - start > 1)

    return Tokens(
        table.data,
        lambda: table.find_column(conllu.FORM),
        table.row + 1,
        bounds,
        numbers=table.sentence,
        empty=table.empty,
        attributes=LazyMapping({name: partial(table.read_column, n) for name, n in _WORD_ATTRIBUTES.items()}),
        frame=find_frame,
    )


def _build_corpus(
    documents: tuple[str, ...], cells: EntityCells, mentions: CorefudMentions, diagnostics: Diagnostics
) -> Corpus:
    """Return a corpus of the documents with entities, mentions and their attributes, without words; add notices."""
    width = max(1, len(mentions.names))
    labels, entity = number_by_first_occurrence(cells.document[mentions.cell] * width + mentions.entity)
    columns = _FieldColumns(mentions, cells.line[mentions.cell], diagnostics)
    return Corpus(
        documents,
        labels // width,
        [mentions.names[name] for name in (labels % width).tolist()],
        entity,
        mentions.spans,
        source=diagnostics.source,
        heads=columns.read_heads(),
        minimums=columns.read_minimums(),
        attributes=columns.read_attributes(),
        entity_attributes=columns.read_entity_attributes(entity, len(labels)),
    )


class _FieldColumns:
    """The values of fields, for every mention; values that make no sense are reported."""

    def __init__(self, mentions: CorefudMentions, line: Ints, diagnostics: Diagnostics) -> None:
        self._mentions, self._line, self._diagnostics = mentions, line, diagnostics
        self._length = mentions.spans.lengths()

    def read_heads(self) -> Spans | None:
        """Return each mention's head as a span, -1 for none; None if none has one; add notices of heads outside."""
        index, _ = self._parse_field("head", lambda text: parse_indices(text.partition(",")[0]))
        inside = (index > 0) & (index <= self._length)
        for row in np.flatnonzero(self._find_given("head") & ~inside).tolist():
            self._add_notice("head-outside", row, "a head that is not one of its words, which is left out")
        word = self._find_words(index)
        return _make_spans(word, word, inside)

    def read_minimums(self) -> Spans | None:
        """Return the minimum span of every mention, -1 for none; None if none has one; add notices of those outside."""
        first, last, fits = self._minimums
        for row in np.flatnonzero((first > 0) & (last > self._length)).tolist():
            message = "a minspan with words that are not its own, which is kept as an attribute only"
            self._add_notice("minspan-outside", row, message)
        return _make_spans(self._find_words(first), self._find_words(last), fits)

    def read_attributes(self) -> Mapping[str, Sequence[str]]:
        """Return lazy columns of all other fields by name, and of minspan where it is no run of the mention's words."""
        columns = {}
        parts = slice(_FEW), _ALL  # if any mention has a value, mostly one of the first ones has
        for name in dict.fromkeys(name for fields in self._mentions.brackets.fields for name in fields.names):
            if name == "minspan":
                unlike = self._find_given(name) & ~self._minimums[2]
                if unlike.any():
                    columns[name] = partial(_decode_field, self._mentions, name, np.flatnonzero(unlike))
            elif name not in {*ENTITY_FIELDS, "head"} and any(self._find_given(name, rows).any() for rows in parts):
                columns[name] = partial(_decode_field, self._mentions, name, _ALL)
        return LazyMapping(columns)

    def read_entity_attributes(self, entity: Ints, count: int) -> Mapping[str, Sequence[str]]:
        """Return lazy columns of entities' attributes by name: a first mention's value decides; add notices of others.

        entity: that of every mention; count: how many there are.
        """
        columns = {}
        for field, name in ENTITY_FIELDS.items():
            given = np.flatnonzero(self._find_given(field))
            texts, number = self._mentions.brackets.read_field(field, self._mentions.opening[given])
            values, of_text = number_values(["", *map(unescape, texts)])
            value = of_text[1:][number]
            chosen = np.zeros(count, dtype=np.int64)
            # Of several values for one entity the last one assigned stays: from back to front, that is the first.
            chosen[entity[given[::-1]]] = value[::-1]
            for place in np.flatnonzero(value != chosen[entity[given]]).tolist():
                row = int(given[place])
                first, other = values[chosen[entity[row]]], values[value[place]]
                message = f"the {name} {other!r}, but an earlier one has the {name} {first!r}, which is kept"
                self._add_notice(f"differing-{name}", row, message)
            if len(given):
                columns[name] = partial(_list_texts, values, chosen)
        return LazyMapping(columns)

    @cached
    def _minimums(self) -> tuple[Ints, Ints, Booleans]:
        """First and last word of the minimum within the mention, from 1, and whether they are a run of its words."""
        first, last = self._parse_field("minspan", lambda text: parse_indices(unescape(text)))
        unbroken = self._find_words(last) - self._find_words(first) == last - first
        return first, last, (first > 0) & (last <= self._length) & unbroken

    def _find_given(self, name: str, rows: slice = _ALL) -> Booleans:
        """Return booleans: which mentions, of all or of these rows, have a value in a field."""
        start, end = self._mentions.brackets.find_field(name, self._mentions.opening[rows])
        return end > start

    def _parse_field(self, field: str, parse: Callable[[str], tuple[int, int]]) -> tuple[Ints, Ints]:
        """Return two arrays: first and last number in a field of each mention; zeros for no or a senseless value."""
        brackets, opening = self._mentions.brackets, self._mentions.opening
        start, end = brackets.find_field(field, opening)
        first = parse_numbers(brackets.code, start, end)
        # Most are a single number; one with a zero before it is none.
        first[(first < 0) | (brackets.code[start] == _ZERO)] = 0
        last = first.copy()
        others = np.flatnonzero((first == 0) & (end > start))
        if len(others):
            texts, number = brackets.read_field(field, opening[others])
            first[others], last[others] = np.array([parse(text) for text in texts], dtype=np.int64)[number].T
        return first, last

    def _find_words(self, index: Ints) -> Ints:
        """Return the document's number of each mention's own word `index`, from 1; not checked to be within it."""
        words = self._mentions.spans.start + index - 1
        for row, runs in self._mentions.spans.pieces.items():
            own = [word for first, last in runs for word in range(first, last + 1)]
            words[row] = own[index[row] - 1] if index[row] <= len(own) else -1
        return words

    def _add_notice(self, kind: str, row: int, message: str) -> None:
        """Add a notice about the mention in a row, at its line; message: what follows "a mention of NAME has"."""
        entity = self._mentions.names[self._mentions.entity[row]]
        message = f"a mention of {entity!r} has {message}"
        self._diagnostics.add_notice(kind, int(self._line[row]), message, entity=entity)


def _decode_field(mentions: CorefudMentions, name: str, rows: Ints | slice) -> list[str]:
    """Return a text for every mention: the value of a field for those in `rows`, "" for the others."""
    number = np.zeros(len(mentions.opening), dtype=np.int64)
    texts, here = mentions.brackets.read_field(name, mentions.opening[rows])
    number[rows] = here + 1
    return _list_texts(["", *(unescape(text, but_commas=name == OTHER) for text in texts)], number)


def _list_texts(texts: list[str], number: Ints) -> list[str]:
    """Return a list with the text of each of these numbers."""
    return [texts[each] for each in number.tolist()]


def _make_spans(start: Ints, end: Ints, known: Booleans) -> Spans | None:
    """Return the spans from start to end of mentions that are known, (-1, -1) for the others; None if none is known."""
    return Spans(np.where(known, start, -1), np.where(known, end, -1)) if known.any() else None
