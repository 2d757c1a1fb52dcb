"""Cattan et al.'s eight columns, several documents in one (github.com/ariecattan/coref).

    #begin document 36
    36	36_0	36_1ecb.xml	0	1	Kim	True	(12)
    36	36_0	36_1ecb.xml	0	2	fell	True	(7
    36	36_1	36_1ecbplus.xml	1	9	She	True	(12)
    #end document

Topic, subtopic, document, sentence, token, word, flag and coreference, between tabs. That code writes files by topic
and by corpus, in which all that stands between `#begin document` and `#end document` is one document. Here the third
column tells documents apart. They are named topic/subtopic/document, so `--level topic` makes of them what the file is
for, and `--profile cattan-2021` scores it as that code does. An entity's name means the same entity in all documents.
The flag says whether a sentence is annotated, and is not looked at: words of other sentences are not written.

Subtopics of ECB+ are as the file has them. That code base numbers them in two ways: conll.py, which writes these files,
gives 36_1 to ecbplus documents and 36_0 to ecb ones; get_ecb_data.py, which writes mentions as JSON, has them the other
way round. Here what conll.py writes is meant.
"""

from __future__ import annotations

import re

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines
from corefeval.formats.shared.bracket_cells import CellReader
from corefeval.formats.shared.spanning import advise_level as advise_across_documents
from corefeval.notices import count_things

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "SUFFIXES", "TITLE", "advise_across_documents", "read", "recognise"]

TITLE = "Cattan et al.'s eight columns, several documents in one"
EXAMPLE = """#begin document 36
36	36_0	36_1ecb.xml	0	1	Kim	True	(12)
36	36_1	36_1ecbplus.xml	1	9	She	True	(12)
#end document"""
SUFFIXES = (".conll",)
COMPANIONS = ()
CAPACITY = None

_FIRST_ROW = re.compile(
    rb"^#begin document[^\n]*\n\s*(?:[^\t\n]+\t){3}\d+\t\d+\t[^\t\n]*\t(?:True|False)\t\S+\s*$", re.MULTILINE
)
_COLUMNS = 8
_EXPECTED = "eight columns between tabs: topic, subtopic, document, sentence, token, word, flag, coreference"


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning has Cattan's columns, by the first row of a document; "" if it has not."""
    if b"\tTrue\t" not in beginning and b"\tFalse\t" not in beginning:
        return ""
    return "eight columns with a flag" if _FIRST_ROW.search(beginning.replace(b"\r\n", b"\n")) else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    rows: dict[str, list[tuple[int, list[str]]]] = {}
    for number, line in enumerate(lines.decode_strictly(file.data, draft).split("\n"), 1):
        if not line.strip() or re.match("#(begin|end) document", line):
            continue
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            draft.add_fault(number, count_things(len(columns), "column"), _EXPECTED)
        elif not columns[3].strip().isdecimal():
            draft.add_fault(number, f"{columns[3][:40]!r} is no sentence", _EXPECTED)
        else:
            rows.setdefault("/".join(columns[:3]), []).append((number, columns))
    if not rows and not draft.faults:
        draft.add_fault(1, "no document", _EXPECTED)
    for name, found in rows.items():
        document = draft.add_document(
            name,
            words=[columns[5] for _, columns in found],
            sentence=[int(columns[3]) for _, columns in found],
            lines=[number for number, _ in found],
        )
        cells = CellReader(document, draft)
        for word, (number, columns) in enumerate(found):
            cells.read_cell(columns[7], word, number)
        cells.close()
    return draft.build_corpus().replace(shared_names=True)
