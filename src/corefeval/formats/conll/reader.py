"""Reading CoNLL columns: documents by their header lines, mentions by the brackets in the last cell of every word.

Lines, cells and brackets are columns of numbers over the whole file; only cells that differ are parsed one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval._arrays import number_by_first_occurrence
from corefeval._lazy import LazyTexts
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Frame, Tokens
from corefeval.errors import Fault, InputError
from corefeval.formats.shared import lines
from corefeval.formats.shared.brackets import pair_brackets, report_unpaired
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import Notice, describe_events

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.formats.base import File
    from corefeval.formats.shared.lines import Lines

_RECOGNISED = re.compile(rb"^[^\w\n]{0,8}#[ \t]*begin document", re.MULTILINE)
_BEGIN = re.compile(rb"#\s*begin document\s?(.*)")
_END = re.compile(rb"#\s*end document")
_BRACKET = re.compile(rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|\|")
_SPLIT_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
_NO_MENTION = (b"-", b"_", b"*", b"")
_SINGLE, _OPEN, _CLOSE = range(3)
_FULL_WIDTH = 12  # columns of CoNLL-2011/2012 without predicates
_WORD_ATTRIBUTES = {"pos": 4, "parse": 5}


class _DocumentRows(NamedTuple):
    """A document's name, the line of its header (from 1), and its rows with a word on them (from 0)."""

    name: str
    line: int
    words: Ints


class _WordRows(NamedTuple):
    """The rows of all words, where each document begins among them, and which words may have mentions in their cell."""

    row: Ints
    bounds: Ints
    marked: Booleans


def recognise(beginning: bytes) -> str:
    """By the line that begins a document."""
    # Most files of other formats do not have these words, which is found out sooner than that no line begins so.
    found = b"begin document" in beginning and _RECOGNISED.search(beginning)
    return "'#begin document' found" if found else ""


def read(file: File) -> Corpus:
    """Read all documents of a file."""
    text = lines.normalize_text(file.data, file.name)
    first_row = _split_first_row(text)
    column = _find_word_column(first_row)
    rows = lines.split_lines(text)
    diagnostics = Diagnostics(file.name)
    documents = _find_documents(rows, diagnostics)
    words = _join_word_rows(rows, documents)
    corpus = _build_corpus(rows, documents, words, diagnostics)
    diagnostics.raise_faults()
    if not documents:
        raise InputError(Fault(file.name, "no document", "a line '#begin document NAME'", line=1))
    unknown = column is None and len(words.row) > 0
    tokens = None if unknown else _build_tokens(rows, words, column or 0, _find_attribute_columns(first_row))
    return corpus.replace(tokens=tokens, notices=tuple(diagnostics.notices))


def _find_documents(rows: Lines, diagnostics: Diagnostics) -> list[_DocumentRows]:
    """The documents of a file, by their header lines."""
    is_word = rows.visible()
    hashed = rows.starting_with(b"#")
    usual = _count_usual_columns(rows, hashed)
    headers: list[tuple[str, int, int]] = []
    name: str | None = None
    since = 0
    for row in hashed:
        text = rows.text(row)
        begin = _BEGIN.match(text)
        ends = _END.search(text)
        if begin is None and not ends:
            if len(rows.columns(row)) != usual or not _is_cell(rows.last(row)):
                is_word[row] = False
                diagnostics.add_notice("skipped-line", row + 1, f"{_show(text)!r} is skipped as a comment")
            continue
        is_word[row] = False
        if name is not None:
            headers.append((name, since, row))
            if begin:
                _note_unfinished(name, row + 1, diagnostics)
        else:
            _refuse_words(rows, is_word, since, row, diagnostics)
            if not begin:
                diagnostics.add_fault(row + 1, "#end document without a #begin document before it")
        name, since = (_decode(begin[1].strip()) if begin else None), row + 1
    if name is not None:
        headers.append((name, since, len(is_word)))
        _note_unfinished(name, len(is_word), diagnostics)
    else:
        _refuse_words(rows, is_word, since, len(is_word), diagnostics)
    hint = "tell parts apart by 'part 000' in the name"
    diagnostics.refuse_repeated_documents([(name, line) for name, line, _ in headers], hint)
    return [_DocumentRows(name, first, np.flatnonzero(is_word[first:end]) + first) for name, first, end in headers]


def _count_usual_columns(rows: Lines, hashed: list[int]) -> int:
    """How many columns the first line has that has any and does not begin with #: a word can be '#', too."""
    plain = rows.visible()
    plain[hashed] = False
    return len(rows.columns(int(np.argmax(plain)))) if plain.any() else 0


def _refuse_words(rows: Lines, is_word: Booleans, first: int, end: int, diagnostics: Diagnostics) -> None:
    """Add a fault if there are words in these rows, which are outside of all documents."""
    outside = np.flatnonzero(is_word[first:end])
    if len(outside):
        row = first + int(outside[0])
        count = "1 line" if len(outside) == 1 else f"{len(outside)} lines"
        what = f"{count} outside a document, first {_show(rows.text(row))!r}"
        diagnostics.add_fault(row + 1, what, "a line '#begin document NAME' before words")


def _note_unfinished(document: str, line: int, diagnostics: Diagnostics) -> None:
    message = f"document {document!r} has no '#end document'; the file may be truncated"
    diagnostics.add_notice("unfinished-document", line, message, document=document)


def _join_word_rows(rows: Lines, documents: list[_DocumentRows]) -> _WordRows:
    row = np.concatenate([each.words for each in documents]) if documents else np.zeros(0, dtype=np.int64)
    bounds = np.cumsum([0, *(len(each.words) for each in documents)])
    return _WordRows(row, bounds, rows.with_mention()[row])


def _build_corpus(rows: Lines, documents: list[_DocumentRows], words: _WordRows, diagnostics: Diagnostics) -> Corpus:
    """The documents with their mentions, without their words."""
    marked = np.flatnonzero(words.marked)
    document = np.searchsorted(words.bounds, marked, side="right") - 1
    place = marked - words.bounds[document]
    line = words.row[marked] + 1
    brackets = _find_brackets(rows.cells(words.row[marked], _is_cell), line, diagnostics)
    labels, entity = number_by_first_occurrence(document[brackets.cell] * len(brackets.names) + brackets.name)
    single = np.flatnonzero(brackets.kind == _SINGLE)
    pairs = pair_brackets(entity, brackets.kind == _OPEN, np.flatnonzero(brackets.kind != _SINGLE))

    def describe(bracket: int) -> tuple[int, str, str]:
        return int(line[brackets.cell[bracket]]), _show(brackets.names[brackets.name[bracket]]), ""

    report_unpaired(pairs, describe, diagnostics)
    first, last = np.concatenate([single, pairs.opening]), np.concatenate([single, pairs.closing])
    place = place[brackets.cell]
    width = max(1, len(brackets.names))
    names = [_decode(name) for name in brackets.names]
    return Corpus(
        documents=tuple(each.name for each in documents),
        entity_document=labels // width,
        entity_name=[names[name] for name in (labels % width).tolist()],
        entity=entity[first],
        mentions=Spans(place[first], place[last]),
        source=diagnostics.source,
    )


class _CellContent(NamedTuple):
    """The brackets of a cell: one-word mentions, opening ones, closing ones, as the reference scorer takes them.

    names, kinds: of each bracket.
    left_out: mentions of several entities, such as 1+2.
    """

    names: tuple[bytes, ...] = ()
    kinds: tuple[int, ...] = ()
    left_out: tuple[bytes, ...] = ()
    malformed: bool = False


def _parse_cell(cell: bytes) -> _CellContent:
    text = b"".join(cell.split())
    if text in _NO_MENTION:
        return _CellContent()
    by_kind: tuple[list[bytes], list[bytes], list[bytes]] = [], [], []
    left_out = []
    place = 0
    while match := _BRACKET.match(text, place):
        place = match.end()
        if match[1] and _SPLIT_ANTECEDENT.fullmatch(match[1]):
            left_out.append(match[1])
        elif match.lastindex:
            by_kind[match.lastindex - 1].append(match[match.lastindex])
    if place != len(text):
        return _CellContent(malformed=True)
    names = tuple(name for kind in by_kind for name in kind)
    kinds = tuple(kind for kind in (_SINGLE, _OPEN, _CLOSE) for _ in by_kind[kind])
    return _CellContent(names, kinds, tuple(left_out))


def _is_cell(cell: bytes) -> bool:
    """Whether this can be a coreference cell."""
    return not _parse_cell(cell).malformed


class _Brackets(NamedTuple):
    """All brackets of a file in order: the number of the cell, which of `names` the entity has, and the kind."""

    cell: Ints
    name: Ints
    kind: Ints
    names: list[bytes]


def _find_brackets(cells: Sequence[bytes], line: Ints, diagnostics: Diagnostics) -> _Brackets:
    """The brackets of all cells, of which equal ones are parsed once; line: that of every cell."""
    number_of = {cell: number for number, cell in enumerate(dict.fromkeys(cells))}
    number = np.array(list(map(number_of.__getitem__, cells)), dtype=np.int64)
    parsed = [_parse_cell(cell) for cell in number_of]
    names: dict[bytes, int] = {}
    flat_names = [names.setdefault(name, len(names)) for content in parsed for name in content.names]
    flat_kinds = [kind for content in parsed for kind in content.kinds]
    count = np.array([len(content.names) for content in parsed], dtype=np.int64)
    start = np.cumsum(count) - count
    per_cell = count[number]
    before = np.cumsum(per_cell) - per_cell
    # The brackets of a cell are one after another in the flat lists, from the start of its content on.
    place = np.arange(int(per_cell.sum())) + np.repeat(start[number] - before, per_cell)
    unusual = np.array([content.malformed or bool(content.left_out) for content in parsed], dtype=np.bool_)
    unusual_cells = [(cell, parsed[number[cell]]) for cell in np.flatnonzero(unusual[number]).tolist()]
    for cell, content in unusual_cells:
        if content.malformed:
            expected = "a coreference column such as (1), (1, 1), (1|(2) or -"
            diagnostics.add_fault(int(line[cell]), f"{_show(cells[cell])!r} is not a coreference cell", expected)
    left_out = [(int(line[cell]), name.decode("ascii")) for cell, content in unusual_cells for name in content.left_out]
    diagnostics.notices.extend(_note_left_out(left_out, diagnostics.source))
    return _Brackets(
        np.repeat(np.arange(len(number)), per_cell),
        np.array(flat_names, dtype=np.int64)[place],
        np.array(flat_kinds, dtype=np.int64)[place],
        list(names),
    )


def _note_left_out(left_out: list[tuple[int, str]], source: str) -> tuple[Notice, ...]:
    """Notices of mentions of several entities, with the line of each."""

    def describe(number: int) -> Notice:
        line, name = left_out[number]
        what = f"({name}), a mention of several entities, is left out as in the reference scorer"
        return Notice.at("split-antecedent", source, line, what, {"entities": name.split("+")})

    return describe_events("split-antecedent", len(left_out), describe)


def _build_tokens(rows: Lines, words: _WordRows, column: int, attributes: Mapping[str, int]) -> Tokens:
    """The words, and their attributes by name and column; the word of a line that is too short is empty."""
    return Tokens(
        rows.data,
        lambda: lines.find_column(rows, words.row, column),
        words.row + 1,
        words.bounds,
        attributes={name: _read_column(rows, words.row, number) for name, number in attributes.items()},
        frame=lambda: Frame(rows.last_begin[words.row], rows.last_end[words.row], words.marked),
    )


def _split_first_row(data: bytes) -> list[bytes]:
    """The cells of the first line of columns."""
    beginning = data[: 1 << 16].split(b"\n")
    return next((line.split() for line in beginning if line.strip() and not line.startswith(b"#")), [])


def _find_word_column(cells: list[bytes]) -> int | None:
    """Which column holds the words, by the cells of the first line of columns; None where that is not clear."""
    if len(cells) >= 5 and cells[1].isdigit() and cells[2].isdigit():
        return 3  # document, part, number, word
    if len(cells) >= 4 and cells[1].isdigit():
        return 2  # document, number, word
    if len(cells) >= 3 and cells[0].isdigit():
        return 1  # number, word: SemEval-2010
    return 0 if len(cells) == 2 and not _is_cell(cells[0]) and b"/" not in cells[0] else None


def _find_attribute_columns(cells: list[bytes]) -> Mapping[str, int]:
    """The columns of CoNLL-2011/2012 that are attributes of words; shorter variants have others."""
    is_full = len(cells) >= _FULL_WIDTH and _find_word_column(cells) == _WORD_ATTRIBUTES["pos"] - 1
    return _WORD_ATTRIBUTES if is_full else {}


def _read_column(rows: Lines, chosen: Ints, number: int) -> LazyTexts:
    """A column of some lines, decoded when first used; "-" is nothing."""

    def decode_cells() -> list[str]:
        places = zip(*(place.tolist() for place in lines.find_column(rows, chosen, number)), strict=True)
        cells = [rows.data[a:b] for a, b in places]
        known = {cell: "" if cell == b"-" else _decode(cell) for cell in set(cells)}
        return [known[cell] for cell in cells]

    return LazyTexts(len(chosen), decode_cells)


def _decode(name: bytes) -> str:
    """Text in which different bytes stay different."""
    return name.decode("utf-8", "backslashreplace")


def _show(text: bytes) -> str:
    """The beginning of some text of the file, for a message."""
    return _decode(text[:40])
