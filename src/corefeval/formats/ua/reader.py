"""Reading CoNLL-UA: entities, relations and layers from the markables of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.formats.base import File, Mark
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.ua.columns import ANAPHORA_COLUMNS
from corefeval.formats.ua.content import read_content
from corefeval.formats.ua.markables import read_markables
from corefeval.formats.ua.rows import UaDocuments, read_words
from corefeval.formats.ua.words import build_tokens
from corefeval.notices import count_things

_COLUMNS = re.compile(rb"^(?:\xef\xbb\xbf)?#\s*global\.columns\s*=.*\b(?:IDENTITY|DISCOURSE_DEIXIS)\b", re.MULTILINE)
_NEW_DOCUMENT = re.compile(rb"#\s*newdoc\b(?:\s+id\b\s*=?)?(.*)")
_DECLARATION = re.compile(rb"#\s*global\.columns\s*=")
_MENTION = re.compile(rb"^[0-9.]+[ \t].*[ \t)]\(EntityID=", re.MULTILINE)
_NOTHING = np.zeros(0, dtype=np.int64)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is CoNLL-UA, by the names of columns or by a mention; "" if it is not."""
    if _COLUMNS.search(beginning):
        return "'# global.columns' names columns of anaphora"
    return "'(EntityID=' found in a column" if _MENTION.search(beginning) else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    diagnostics = Diagnostics(file.name, file.lines, by_line=True)
    data = lines.check_text(file.data, diagnostics, "convert it: iconv -f LATIN1 -t UTF-8")
    documents, words = read_words(data, diagnostics)
    if not documents.names:
        diagnostics.add_fault(1, "no document", "a line '# newdoc id = NAME', and lines of words")
    elif len(documents.names) > 1 and documents.names[0] is None:
        what = f"{count_things(int(words.bounds[1]), 'word')} outside a document"
        diagnostics.add_fault(int(documents.row[0]) + 1, what, "'# newdoc' before them")
    names = _name_documents(documents, file.document, diagnostics)
    markables = {column: read_markables(words, column, diagnostics) for column in ANAPHORA_COLUMNS}
    base = Corpus(names, _NOTHING, [], _NOTHING, Spans(_NOTHING, _NOTHING), build_tokens(words), source=file.name)
    corpus = read_content(base, markables, words, diagnostics)
    diagnostics.raise_faults()
    return corpus.replace(notices=diagnostics.limit_notices())


def _name_documents(documents: UaDocuments, unnamed: str, diagnostics: Diagnostics) -> tuple[str, ...]:
    """Return the names of all documents, those without one after the file; add a fault for every repeated one."""
    names: list[str] = []
    known: set[str] = set()
    for number, (name, row) in enumerate(zip(documents.names, documents.row.tolist(), strict=True), 1):
        chosen = name or (unnamed if number == 1 else f"{unnamed}-{number}")
        if chosen in known:
            what = f"document {chosen!r} is there already"
            diagnostics.add_fault(row + 1, what, "every document once", kind="document-twice")
        names.append(chosen)
        known.add(chosen)
    return tuple(names)


def find_layout(beginning: bytes) -> bool | None:
    """Return whether columns are declared before the first word; None if words come before the first document."""
    begin, declared, named = 0, False, False
    while (end := beginning.find(b"\n", begin)) >= 0:
        line = beginning[begin:end].removeprefix(b"\xef\xbb\xbf").strip(b" \t\r")
        begin = end + 1
        if line.startswith(b"#"):
            named, declared = named or bool(_NEW_DOCUMENT.match(line)), declared or bool(_DECLARATION.match(line))
        elif line:
            return declared if named else None
    return None


def mark_documents(block: bytes) -> Iterator[Mark]:
    """Yield where documents begin, with their names, and where columns are declared, in some whole lines."""
    for place in lines.find_lines_with(block, (b"newdoc", b"global.columns")):
        end = block.find(b"\n", place)
        line = block[place : len(block) if end < 0 else end].strip(b" \t\r")
        if found := _NEW_DOCUMENT.match(line):
            yield Mark(place, "document", found[1].strip(b" \t").decode("utf-8", "replace"))
        elif _DECLARATION.match(line):
            yield Mark(place, "lead", line.decode("latin-1"))
