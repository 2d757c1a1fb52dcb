"""CoNLL-2011/2012 and SemEval-2010 columns, and their shorter variants.

    #begin document (nw/wsj_0001); part 000
    nw/wsj_0001  0  0  Kim    NNP  ...  (12
    nw/wsj_0001  0  1  Lee    NNP  ...  12)
    nw/wsj_0001  0  2  left   VBD  ...  -
    #end document

One word per line, columns separated by tabs or blanks (no other character separates any), coreference in the last one.

- `-`, `_`, `*` or nothing: no mention. `(12` opens a mention of entity 12, `12)` closes one, `(12)` does both; several
  on one word follow each other, with or without `|`. Entity names are any text without brackets, bars and blanks.
- Words are counted over the document, so sentence breaks do not matter, and a mention may cross one.
- A closing bracket belongs to the last one opened for its entity. On one word, one-word mentions come first, then
  opening brackets, then closing ones, as in the reference scorer.
- Brackets are read as they stand: `(2(1)2)` is a mention of entity 1 and one of entity 2. (The reference scorer takes
  `(1)` out first and is left with `(22)`; with `|` between brackets it agrees.)
- `(1+2)` is left out, with a warning, as in the reference scorer.
- A line that begins with `#` and is no header is skipped as a comment, with a warning, unless it has as many columns as
  the others and ends in a coreference cell.
- A tab at the end of a line is an empty last cell if other lines have as many tabs; otherwise it is ignored.
- In files of twelve columns or more (CoNLL-2011/2012), the fifth and sixth are attributes of the words: `pos` and
  `parse`, the word's part of the bracketed tree; `-` is none. They are only parsed if something uses them.

An entity is one document's. Where documents are named topic/… and their entities seem to be numbered throughout (as in
ECB+), a warning says so; `--level topic` scores across documents, as if those of a topic stood between one
`#begin document` and one `#end document`.

Five columns are written: document, part, number, word, coreference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval._arrays import Booleans, Ints, number_by_first_occurrence, number_values
from corefeval._lazy import LazyMapping, NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Frame, Tokens
from corefeval.errors import WholeCorpusError
from corefeval.formats.base import Capacity, File, Mark
from corefeval.formats.shared import lines
from corefeval.formats.shared.brackets import CellSegments, pair_brackets, report_unpaired, split_cells
from corefeval.formats.shared.columns import copy_places
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.lines import Lines
from corefeval.formats.shared.spanning import has_topics
from corefeval.formats.shared.writing import (
    SEPARATORS,
    encode_words,
    get_words,
    make_distinct,
    respell_names,
    spell_in_header,
)
from corefeval.notices import count_things

if TYPE_CHECKING:
    from corefeval.formats.shared.columns import Bytes

TITLE = "CoNLL-2011/2012, SemEval-2010, and their shorter variants"
EXAMPLE = """#begin document (nw/wsj_0001); part 000
nw/wsj_0001  0  0  Kim    NNP  (12)
nw/wsj_0001  0  1  left   VBD  -
#end document"""
SUFFIXES = (".conll", ".v4_gold_conll", ".v4_auto_conll", ".gold_conll", ".auto_conll", "_conll", ".key", ".response")
COMPANIONS = ()


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return names of documents as a header can have them, distinct as before."""
    return respell_names(documents, spell_in_header)


CAPACITY = Capacity(
    units=("word",), blanks="none", sentences=True, crossing="other", document_names=spell_document_names
)

DOCUMENTS_END = True
_RECOGNISED = re.compile(rb"^[^\w\n]{0,8}#[ \t]*begin document", re.MULTILINE)
_BEGIN = re.compile(rb"#[ \t]*begin document[ \t]?(.*)")
_END = re.compile(rb"#[ \t]*end document")
_USUAL_END = b"#end document"
_FIRST_LINES = re.compile(  # but for those that may be Cattan's or uCDCR's
    rb"#begin document (.*)(?<!; part \d)\n(?!\s*(?:[^\t\n]*\t){6}(?:True|False)\t)([^#\n].*)\n"
)
_SPLIT_ANTECEDENT = re.compile(rb"\d+(\+\d+)+")
_IS_NO_MENTION = np.isin(np.arange(256), list(b"-_*"))
_SINGLE, _OPEN, _CLOSE = range(3)
_FULL_WIDTH = 12  # columns of CoNLL-2011/2012 without predicates
_WORD_ATTRIBUTES = {"pos": 4, "parse": 5}
_PART = r"^\((.*)\); part (\d+)$"
_UNSAFE = r"[()|+\s\0-\x1f\ud800-\udfff]"


def advise_across_documents(corpus: Corpus) -> str:
    """Return how documents named topic/… are scored as one; "" for other names, where numbers begin anew in each."""
    if not has_topics(corpus.documents):
        return ""
    other = "put those of a topic between one #begin document and one #end document"
    return f"level=topic scores across documents; or {other}"


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is CoNLL, by a line that begins a document; "" if there is none."""
    # Most files of other formats do not have these words, which is found out sooner than that no line begins so.
    found = b"begin document" in beginning and _RECOGNISED.search(beginning)
    return "'#begin document' found" if found else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it.

    Lines, cells and brackets are columns of numbers over the whole file; only cells that differ are parsed one by one.
    """
    diagnostics = Diagnostics(file.name, file.lines, by_line=True)
    rows = lines.split_lines(lines.normalize_text(file.data, file.name))
    hashed = rows.find_rows_starting_with(b"#")
    layout: ColumnLayout
    if file.part is None:
        # The columns of the first line that has any and does not begin with #: a word can be '#', too.
        plain = rows.find_visible_rows()
        plain[hashed] = False
        layout = _make_layout(rows.split_columns(int(np.argmax(plain))) if plain.any() else [])
    else:
        layout = file.part.layout
    words = _find_documents(rows, hashed, layout.width, diagnostics)
    if not words.documents and not diagnostics.faults:
        diagnostics.add_fault(1, "no document", "a line '#begin document NAME'")
    if file.part is not None and rows.find_unusual_cells(words.row[words.marked]):
        raise WholeCorpusError("cells with blanks in them, or with nothing, are understood from the whole file")
    corpus = _build_corpus(rows, words, diagnostics)
    diagnostics.raise_faults()
    return corpus.replace(tokens=_build_tokens(rows, words, layout), notices=diagnostics.limit_notices())


class ColumnLayout(NamedTuple):
    """How many columns the first line of words has, and which of them has the words; None where that is not clear."""

    width: int
    column: int | None


_get_layout = cache(ColumnLayout)  # one for many files, which other processes may be sent


def _make_layout(first_row: list[bytes]) -> ColumnLayout:
    """Return the layout that the cells of the first line of words tell."""
    return _get_layout(len(first_row), _find_word_column(first_row))


def find_layout(beginning: bytes) -> ColumnLayout | None:
    """Return the layout of a file by its first line of words; None if there is none, or lines end otherwise."""
    begin = 0
    while (end := beginning.find(b"\n", begin)) >= 0:
        line = beginning[begin:end].rstrip(b"\r")
        begin = end + 1
        if line.startswith((b"#", b"\xef\xbb\xbf#")):
            continue
        if cells := _split_cells(line):
            return _make_layout(cells)
    return None


def _split_cells(line: bytes) -> list[bytes]:
    """Return the cells of a line, which tabs and blanks separate."""
    return list(filter(None, line.replace(b"\t", b" ").split(b" ")))


def find_only_document(data: bytes) -> tuple[str, ColumnLayout] | None:
    """Return name and layout of the document that a file is, from its first line to its last; None if not evident."""
    first = _FIRST_LINES.match(data)
    if first is None or b"\r" in first[0] or b"\0" in data:
        return None
    place = data.find(b"#", first.end(1))  # in most files the next one is the end
    if data[place - 1 :] not in (b"\n#end document\n", b"\n#end document"):
        if not data.endswith((b"#end document\n", _USUAL_END)):
            return None
        if data.count(b"begin document") > 1 or data.count(b"end document") > 1:
            return None
    name, cells = _decode(first[1].strip(b" \t")), _split_cells(first[2])
    return (name, _make_layout(cells)) if name and cells else None


def mark_documents(block: bytes) -> Iterator[Mark]:
    """Yield where documents begin, with their names, and where they end, in some whole lines."""
    place = 0 if block.startswith(b"#") else block.find(b"\n#") + 1
    while place or block.startswith(b"#"):
        end = block.find(b"\n", place)
        line = block[place : len(block) if end < 0 else end].rstrip(b"\r")
        if begin := _BEGIN.match(line):
            yield Mark(place, "document", _decode(begin[1].strip(b" \t")))
        elif _END.search(line):
            yield Mark(place, "end")
        place = block.find(b"\n#", max(end, place)) + 1
        if not place:
            return


class _WordRows(NamedTuple):
    """The documents, the rows of all words, where each document begins, and which words may have mentions."""

    documents: tuple[str, ...]
    row: Ints
    bounds: Ints
    marked: Booleans


def _find_documents(rows: Lines, hashed: list[int], usual: int, diagnostics: Diagnostics) -> _WordRows:
    """Return documents' names and rows of words; hashed: rows with #; usual: number of columns; add faults, notices."""
    is_word = rows.find_visible_rows()
    is_word[hashed] = False
    headers: list[tuple[str, int, int]] = []
    name: str | None = None
    since, end = 0, len(is_word)
    for row, text in zip((*hashed, end), (*rows.read_lines(hashed), b""), strict=True):
        begin = None if text == _USUAL_END else _BEGIN.match(text)
        if row < end and begin is None and text != _USUAL_END and not _END.search(text):
            columns = rows.split_columns(row)
            is_word[row] = len(columns) == usual and _are_cells(columns[-1:])
            if not is_word[row]:
                diagnostics.add_notice("skipped-line", row + 1, f"{_decode(text[:40])!r} is skipped as a comment")
            continue
        if name is None:
            if row > since:
                _refuse_words(rows, is_word, since, row, diagnostics)
            if row < end and not begin:
                diagnostics.add_fault(row + 1, "#end document without a #begin document before it")
        else:
            headers.append((name, since, row))
            if begin or row == end:
                message = f"document {name!r} has no '#end document'; the file may be truncated"
                diagnostics.add_notice("unfinished-document", min(row + 1, end), message, document=name)
        name, since = (_decode(begin[1].strip(b" \t")) if begin else None), row + 1
    hint = "tell parts apart by 'part 000' in the name"
    diagnostics.refuse_repeated_documents([(name, line) for name, line, _ in headers], hint)
    word_rows = np.flatnonzero(is_word)
    bounds = np.append(np.searchsorted(word_rows, [first for _, first, _ in headers]), len(word_rows))
    return _WordRows(tuple(name for name, _, _ in headers), word_rows, bounds, rows.find_marked_rows()[word_rows])


def _refuse_words(rows: Lines, is_word: Booleans, first: int, end: int, diagnostics: Diagnostics) -> None:
    """Add a fault if there are words in these rows, which are outside of all documents, and count them no longer."""
    outside = np.flatnonzero(is_word[first:end])
    if len(outside):
        row = first + int(outside[0])
        count = count_things(len(outside), "line")
        what = f"{count} outside a document, first {_decode(rows.read_line(row)[:40])!r}"
        diagnostics.add_fault(row + 1, what, "a line '#begin document NAME' before words")
        is_word[first:end] = False


def _build_corpus(rows: Lines, words: _WordRows, diagnostics: Diagnostics) -> Corpus:
    """Return a corpus of the documents with entities and mentions, without words; add faults and notices."""
    marked = np.flatnonzero(words.marked)
    document = np.searchsorted(words.bounds, marked, side="right") - 1
    line = words.row[marked] + 1
    brackets = _find_brackets(rows.join_last_cells(words.row[marked], _are_cells), line, diagnostics)
    width = max(1, len(brackets.names))
    labels, entity = number_by_first_occurrence(document[brackets.cell] * width + brackets.name)
    single = np.flatnonzero(brackets.kind == _SINGLE)
    pairs = pair_brackets(entity, brackets.kind == _OPEN, np.flatnonzero(brackets.kind != _SINGLE))

    def locate_bracket(bracket: int) -> tuple[int, str, str]:
        """Return the line of a bracket, the name of its entity and no hint, for messages."""
        return int(line[brackets.cell[bracket]]), _decode(brackets.names[brackets.name[bracket]][:40]), ""

    report_unpaired(pairs, locate_bracket, diagnostics)
    by_end = np.argsort(pairs.closing)  # as the file completes them, which is how some scorers number entities
    first, last = np.concatenate([single, pairs.opening[by_end]]), np.concatenate([single, pairs.closing[by_end]])
    place = (marked - words.bounds[document])[brackets.cell]
    names = [_decode(name) for name in brackets.names]
    return Corpus(
        documents=words.documents,
        entity_document=labels // width,
        entity_name=[names[name] for name in (labels % width).tolist()],
        entity=entity[first],
        mentions=Spans(place[first], place[last]),
        source=diagnostics.source,
    )


class _Brackets(NamedTuple):
    """All brackets of a file in order: the number of the cell, which of `names` the entity has, and the kind.

    On one word, one-word mentions come first, then opening brackets, then closing ones, as in the reference scorer.
    """

    cell: Ints
    name: Ints
    kind: Ints
    names: list[bytes]


def _find_brackets(joined: bytes, line: Ints, diagnostics: Diagnostics) -> _Brackets:
    """Return the brackets of cells on these lines, joined by line feeds; add faults and notices of odd ones."""
    code = np.frombuffer(joined.translate(None, b" \t\r"), dtype=np.uint8)
    segments, malformed = _find_segments(code)
    written = joined.split(b"\n") if malformed.any() else []
    for number in np.flatnonzero(malformed).tolist():
        expected = "a coreference column such as (1), (1, 1), (1|(2) or -"
        what = f"{_decode(written[number][:40])!r} is not a coreference cell"
        diagnostics.add_fault(int(line[number]), what, expected)
    rows = np.flatnonzero((segments.opens | segments.closes) & ~malformed[segments.cell])
    texts = copy_places(code, segments.begin[rows], segments.end[rows]).tobytes().split(b"\n")[:-1]
    cell, opens, closes = segments.cell[rows], segments.opens[rows], segments.closes[rows]
    kind = np.where(opens, np.where(closes, _SINGLE, _OPEN), _CLOSE)
    order = np.argsort(cell * 3 + kind, kind="stable")
    if b"+" in joined:
        left_out = [row for row in np.flatnonzero(kind == _SINGLE).tolist() if _SPLIT_ANTECEDENT.fullmatch(texts[row])]
        for row in left_out:
            entities = texts[row].decode("ascii")
            message = f"({entities}), a mention of several entities, is left out as in the reference scorer"
            diagnostics.add_notice("split-antecedent", int(line[cell[row]]), message, entities=entities.split("+"))
        order = order[~np.isin(order, left_out)]
    names, name = number_values(texts)
    return _Brackets(cell[order], name[order], kind[order], names)


def _find_segments(code: Bytes) -> tuple[CellSegments, Booleans]:
    """Return the segments of cells without blanks, each with LF behind it, and which cells are malformed."""
    segments = split_cells(code, b"|")
    begin, end, cell, opens, closes, is_first, is_last = segments
    has_text = end > begin
    # What opens has a name; behind other brackets and bars there is a name if it closes, and nothing else.
    is_wrong = np.where(opens, ~has_text, closes != has_text)
    is_wrong[is_first & is_last & (end - begin == 1) & _IS_NO_MENTION[code[begin]]] = False
    malformed = np.zeros(int(is_last.sum()), dtype=np.bool_)
    malformed[cell[is_wrong]] = True
    return segments, malformed


def _are_cells(cells: Sequence[bytes]) -> bool:
    """Return whether these can all be coreference cells."""
    joined = b"".join(cell + b"\n" for cell in cells).translate(None, b" \t\r")
    return not _find_segments(np.frombuffer(joined, dtype=np.uint8))[1].any()


def _build_tokens(rows: Lines, words: _WordRows, layout: ColumnLayout) -> Tokens | None:
    """Return the words and their attributes; None if no column has words. Lines too short have an empty word."""
    column = layout.column
    if column is None and len(words.row):
        return None
    # Shorter variants have other columns where CoNLL-2011/2012 has attributes of words.
    is_full = layout.width >= _FULL_WIDTH and column == _WORD_ATTRIBUTES["pos"] - 1
    attributes = _WORD_ATTRIBUTES if is_full else {}
    return Tokens(
        rows.data,
        lambda: rows.find_column(words.row, column or 0),
        words.row + 1,
        words.bounds,
        attributes=LazyMapping({name: partial(_read_column, rows, words.row, n) for name, n in attributes.items()}),
        frame=lambda: Frame(rows.last_begin[words.row], rows.last_end[words.row], words.marked),
    )


def _find_word_column(cells: list[bytes]) -> int | None:
    """Return which column holds the words, by the cells of the first line of columns; None where that is not clear."""
    if len(cells) >= 5 and cells[1].isdigit() and cells[2].isdigit():
        return 3  # document, part, number, word
    if len(cells) >= 4 and cells[1].isdigit():
        return 2  # document, number, word
    if len(cells) >= 3 and cells[0].isdigit():
        return 1  # number, word: SemEval-2010
    return 0 if len(cells) == 2 and not _are_cells(cells[:1]) and b"/" not in cells[0] else None


def _read_column(rows: Lines, chosen: Ints, number: int) -> list[str]:
    """Return the texts of a column, by its number, in each of the chosen lines; "" for "-"."""
    places = zip(*(place.tolist() for place in rows.find_column(chosen, number)), strict=True)
    cells = [rows.data[a:b] for a, b in places]
    known = {cell: "" if cell == b"-" else _decode(cell) for cell in set(cells)}
    return [known[cell] for cell in cells]


def _decode(name: bytes) -> str:
    """Return bytes as text, with escapes for those that are not UTF-8, so that different bytes stay different."""
    return name.decode("utf-8", "backslashreplace")


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus. Mentions must be spans; unknown words become an underscore."""
    safe_names = (re.sub(_UNSAFE, "_", str(name)) or "_" for name in corpus.entity_name)
    names = iter(make_distinct(safe_names, corpus.entity_document.tolist()))  # document by document, as entities are
    lines = (
        line
        for number, entities in enumerate(corpus.entities().values())
        for line in _write_document(corpus, number, [(next(names), entity) for entity in entities])
    )
    return encode_words("".join(f"{line}\n" for line in lines))


def _write_document(corpus: Corpus, number: int, entities: list[tuple[str, list[Any]]]) -> Iterator[str]:
    """Yield the lines of a document, with the name and the spans of each of its entities."""
    document = corpus.documents[number]
    length = max((end + 1 for _, spans in entities for _, end in spans), default=0)
    words = get_words(corpus, number, length)
    cells = _write_cells(entities, len(words.forms))
    match = re.match(_PART, document)
    name, part = (match[1], int(match[2])) if match else (document, 0)
    column = re.sub(rf"^#|{SEPARATORS}", "_", name) or "_"  # a line that begins with # is no word's
    yield f"#begin document {document}"
    for sentence in words.split_sentences():
        for place, word in enumerate(sentence):
            form = re.sub(SEPARATORS, "_", words.forms[word]) or "_"
            yield f"{column}\t{part}\t{place}\t{form}\t{cells[word] or '-'}"
        yield ""
    yield "#end document"


def _write_cells(entities: list[tuple[str, list[Any]]], length: int) -> list[str]:
    """Return every word's coreference cell, "" for none: longer mentions open first, and later ones close first."""
    brackets: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for name, spans in entities:
        for start, end in spans:
            if start == end:
                brackets[start].append((1, len(brackets[start]), f"({name})"))
            else:
                brackets[start].append((0, -end, f"({name}"))
                brackets[end].append((2, -start, f"{name})"))
    return ["|".join(text for *_, text in sorted(brackets[word])) for word in range(length)]
