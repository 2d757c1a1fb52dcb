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
"""

from __future__ import annotations

from corefeval.formats.base import Capacity
from corefeval.formats.muc.reader import read, recognise
from corefeval.formats.muc.writer import write

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "SUFFIXES", "TITLE", "read", "recognise", "write"]

TITLE = "MUC-6 and MUC-7 coreference in SGML"
EXAMPLE = """<DOC> <DOCID> nyt960214.0765 </DOCID>
<TEXT> <COREF ID="5" MIN="Corp.">Acme Corp. of Ohio</COREF> said
<COREF ID="6" TYPE="IDENT" REF="5">it</COREF> ... </TEXT> </DOC>"""
SUFFIXES = (".muc", ".muc6", ".muc7", ".sgm", ".sgml")
COMPANIONS = ()
CAPACITY = Capacity(units=("character",), crossing="none", minimums=True, attributes=("status", "type"))
