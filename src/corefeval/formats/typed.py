"""Entities typed by hand, on one line: mentions between blanks, entities between bars; read only.

    a b c | d e

Such a line can stand in a file or in standard input, and on the command line in the place of a file, in quotation
marks: corefeval score 'a b c | d e' 'a b | c d e'. A bar has blanks around it; behind the last entity there may be one,
and there must be one if there is no other: 'a b c |', for else it would be a file's name. A file of that name is read
instead, if there is one. Mentions are labels, in one document that has no name. As with files, what stands before
an equals sign in the first mention of a response is the response's name.
"""

from __future__ import annotations

import re

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics

TITLE = "entities typed by hand, with bars between them"
EXAMPLE = """corefeval score 'a b c | d e' 'a b | c d e'
corefeval explain muc 'a b c | d e' 'a b c d e |'
echo 'a b c | d e' | corefeval score - 'a b | c d e'"""
SUFFIXES: tuple[str, ...] = ()
COMPANIONS = ()
CAPACITY: Capacity | None = None

_FOREIGN = re.compile(rb"""[\t\n\r"]|^[\[{<#]""")  # what a line of another format has: a tab, a quotation mark ...


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning holds entities typed by hand: one line with bars; "" if it does not."""
    line = beginning.strip()
    return "one line with bars between blanks" if b"|" in line.split() and not _FOREIGN.search(line) else ""


def read(file: File) -> Corpus:
    """Return the corpus of one line, a document without a name; raises InputError with all faults in it."""
    diagnostics = Diagnostics(file.name)
    text = lines.decode_strictly(file.data, diagnostics)
    number, line = next(((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()), (1, ""))
    if text.count("\n") and any(each.strip() for each in text.split("\n")[number:]):
        diagnostics.add_fault(number + 1, "a second line", "one line of entities", "a document for each file")
    entities = [entity.split() for entity in re.split(r"(?<!\S)\|(?!\S)", line)]
    if len(entities) > 1 and not entities[-1]:
        entities.pop()
    for place, entity in enumerate(entities, 1):
        if not entity:
            diagnostics.add_fault(number, f"entity {place} is empty", "mentions between bars: a b | c")
    diagnostics.raise_faults()
    return Corpus.from_entities({"": entities}, source=file.name)
