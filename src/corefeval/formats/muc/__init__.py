"""MUC-6 and MUC-7 coreference: SGML tags in the running text.

    <DOC> <DOCID> nyt960214.0765 </DOCID>
    <TEXT> <COREF ID="5" MIN="Corp.">Acme Corp. of Ohio</COREF> said
    <COREF ID="6" TYPE="IDENT" REF="5">it</COREF> ... </TEXT> </DOC>

A mention is the text of a COREF element without blanks at its ends; an entity is the transitive closure of REF, and its
name is the ID of its first mention. The text of a document is all that is in DOC, without tags, without the document's
name, and without the line breaks next to the tags of DOC, DOCID, DOCNO, TXT and TEXT. Of MIN, which may
list several possibilities with `|`, the first one that is found in the mention is its minimum.

A mention that neither refers nor is referred to is an entity by itself. A REF to itself or in a circle links all that
it names, with a notice; a REF to an ID that the document does not have is a fault, because its meaning is not known.
When written, the first mention of an entity has the entity's name as its ID, and every other one refers to the one
before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corefeval.formats.base import Capacity
from corefeval.formats.muc.reader import read
from corefeval.formats.muc.writer import write
from corefeval.formats.shared.writing import replace_surrogates, respell_names

__all__ = [
    "CAPACITY",
    "COMPANIONS",
    "EXAMPLE",
    "SUFFIXES",
    "TITLE",
    "read",
    "recognise",
    "spell_document_names",
    "write",
]

TITLE = "MUC-6 and MUC-7 coreference in SGML"
EXAMPLE = """<DOC> <DOCID> nyt960214.0765 </DOCID>
<TEXT> <COREF ID="5" MIN="Corp.">Acme Corp. of Ohio</COREF> said
<COREF ID="6" TYPE="IDENT" REF="5">it</COREF> ... </TEXT> </DOC>"""
SUFFIXES = (".muc", ".muc6", ".muc7", ".sgm", ".sgml")
COMPANIONS = ()


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return documents' names as DOCID can have them, still distinct: no outer blanks, no surrogates, none empty."""
    return respell_names(documents, lambda name: replace_surrogates(name).strip() or "_")


CAPACITY = Capacity(
    units=("character",),
    crossing="none",
    minimums=True,
    attributes=("status", "type"),
    document_names=spell_document_names,
)

_COREF = re.compile(rb"<COREF\s[^<>]*\bID\s*=", re.IGNORECASE)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is MUC, by a COREF tag; "" if there is none, or <coreferences> too."""
    found = _COREF.search(beginning) is not None and b"<coreferences" not in beginning
    return "'<COREF ID=' found" if found else ""
