"""brat standoff: `.ann` with the `.txt` that it is about, one document each (brat.nlplab.org/standoff.html).

    T1	Person 0 3	Kim
    T2	Person 10 13	her
    *	Coreference T1 T2

Offsets count the characters of the `.txt` as it is, line breaks of two characters and a byte order mark included; END
is the first character behind. `0 5;16 23` has a gap; parts with nothing but white space between them are one, for brat
splits spans at line ends. Without the `.txt`, only the places of mentions are known.

Entities are, by the first of these that the file has:

1. What `*` lines and coreference relations (`R1 Coreference Arg1:T1 Arg2:T2`) link, directly or indirectly; a `T` in
   none of them is an entity of its own. Relations are coreference by their names ("coref" in them, Identity, Anaphora,
   SameAs and the like), or by the option `relations=NAME+NAME`, which then also selects `*` lines by name. An event
   stands for its trigger.
2. What has the same name, where spans are annotated twice: `T1 PROP_PER 0 3 Kim` and `T2 Kim_Lee-0 0 3 Kim`. Names
   end in a hyphen and a number, as in LitBank, or are labels that only occur as the second one of a span.
3. Every `T` by itself, with a notice.

The label is the mention's attribute `type`, unless it is `Mention`; `A`, `M`, `N` and `#` lines are attributes, several
values separated by `|`, but `#1 Entity T1 NAME` names an entity. Other relations lead from a mention to entities.
"""

from __future__ import annotations

import re

from corefeval.formats.base import EVERYTHING, Capacity
from corefeval.formats.brat.reader import read
from corefeval.formats.brat.writer import make_file_names, write

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "SUFFIXES", "TITLE", "make_file_names", "read", "recognise", "write"]

TITLE = "brat standoff: .ann with .txt"
EXAMPLE = """T1	Person 0 3	Kim
T2	Person 10 13	her
*	Coreference T1 T2"""
SUFFIXES = (".ann",)
COMPANIONS = (".txt",)
CAPACITY = Capacity(
    document_names=make_file_names,
    units=("character",),
    blanks="no NUL",
    discontinuous="blanks",
    attributes=EVERYTHING,
)

_FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:[TREAMN]\d+\S* *\t\S+ ?|\*\t\S+ +\S|#\d+\t\S+ +\S)")
_TEXT_BOUND_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?T\d+\S* *\t\S+ +\d+ +\d+", re.MULTILINE)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is brat's, by lines such as `T1	Person 0 3	Kim`; "" if it is not."""
    found = _FIRST_LINE.match(beginning) and _TEXT_BOUND_LINE.search(beginning)
    return "a line of id, type, start and end found" if found else ""
