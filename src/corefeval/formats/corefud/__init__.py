"""CorefUD 1.x: CoNLL-U with `Entity=` in its last column, MISC.

    # newdoc id = story
    # global.Entity = eid-etype-head-other
    1	Kim	_	_	_	_	2	nsubj	_	Entity=(e1-person-1)
    2	came	_	_	_	_	0	root	_	_

`# newdoc` begins a document; a file without it is one document. `# global.Entity` names the fields of the mentions from
there on; older editions have GRP for eid, entity for etype and MIN for minspan.

Brackets are read from left to right, and a closing one belongs to the last one opened with its label. Parts of a
mention with gaps are numbered, `(e2[1/2]-place-1)`: a further part belongs to the last mention of its entity that has
as many parts and lacks this one. Lines such as `3.1` are unwritten words (zeros); `3-4` are not words.
`Bridge` and `SplitAnte` become relations.

etype and identity belong to the entity (as type and identity), head is the mention's head, and minspan its minimum, if
its words follow each other; all other fields are attributes of the mention. Ids, parts of speech, heads, relations
and enhanced dependencies of the words are kept as their attributes id, upos, head, deprel and deps. An entity belongs
to its document, even if its id occurs again in another one. A mention may cross the end of its sentence, which no
published corpus has: a notice reports it.
"""

from __future__ import annotations

from corefeval.formats.base import Capacity
from corefeval.formats.corefud.fields import FieldNames
from corefeval.formats.corefud.reader import find_layout, mark_documents, read, recognise
from corefeval.formats.corefud.writer import spell_document_names, write

__all__ = [
    "CAPACITY",
    "COMPANIONS",
    "EXAMPLE",
    "SUFFIXES",
    "TITLE",
    "find_layout",
    "mark_documents",
    "read",
    "recognise",
    "write",
]

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
    document_names=spell_document_names,
    heads=True,
    minimums=True,
    attributes=FieldNames(),
    entity_attributes=("type", "identity"),
    relations=("split", "bridge"),
)
