"""CoNLL-UA, the "exploded" format of Universal Anaphora: CoNLL-U columns, and one more for each kind of anaphora.

    # global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS ...
    # newdoc id = light_dev/episode_7296
    7  a     _ _ _ _ _ _ _ _ (EntityID=4|MarkableID=markable_4|Min=8|SemType=dn  _  _  ...
    8  chair _ _ _ _ _ _ _ _ )                                                   _  _  ...

Tabs or blanks separate the columns; `_` or nothing is an empty cell, and the last cells of a line may be missing.
Closing brackets have no name and close what was opened last in their column; where mentions cross, as UA 2 allows, they
have the MarkableID: `markable_4)`. Brackets with the same MarkableID are parts of one mention with gaps.

Min counts the words of the document from 1, without zeros (7.1 is the first zero after word 7); one that is not within
its mention cannot be its minimum, and stays an attribute. An EntityID that ends in -Pseudo is non-referring: it is
in the layer of that name. ElementOf names the plural entities that an entity is part of: relations "split", from the
plural to its elements. BRIDGING has relations "bridge", from an anaphor to the entity of its anchor. DISCOURSE_DEIXIS
and NOM_SEM are layers. Other columns are attributes of words, except HEAD and DEPS, which refer to words by number.
"""

from __future__ import annotations

from corefeval.formats.base import EVERYTHING, Capacity
from corefeval.formats.ua.reader import find_layout, mark_documents, read, recognise
from corefeval.formats.ua.writer import spell_document_names, write

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

TITLE = "CoNLL-UA (Universal Anaphora, 'exploded'), with what UA 2 adds"
EXAMPLE = """# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
# newdoc id = story
1  Kim  _  _  _  _  _  _  _  _  (EntityID=1|MarkableID=markable_1|Min=2|SemType=dn  _  _  _  _
2  Lee  _  _  _  _  _  _  _  _  )                                                   _  _  _  _"""  # noqa: E501
SUFFIXES = (".conllua", ".ua")
COMPANIONS = ()
CAPACITY = Capacity(
    units=("word",),
    blanks="none",
    sentences=True,
    discontinuous="any",
    zeros=True,
    document_names=spell_document_names,
    minimums=True,
    attributes=EVERYTHING,
    relations=("split", "bridge"),
    layers=("non_referring", "discourse_deixis", "nom_sem"),
)
