"""CoNLL-2011/2012 and SemEval-2010 columns, and their shorter variants.

    #begin document (nw/wsj_0001); part 000
    nw/wsj_0001  0  0  Kim    NNP  ...  (12
    nw/wsj_0001  0  1  Lee    NNP  ...  12)
    nw/wsj_0001  0  2  left   VBD  ...  -
    #end document

One word per line, columns separated by tabs or blanks, coreference in the last column.

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

Five columns are written: document, part, number, word, coreference.
"""

from __future__ import annotations

from corefeval.formats.base import Capacity
from corefeval.formats.conll.reader import read, recognise
from corefeval.formats.conll.writer import write

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "SUFFIXES", "TITLE", "read", "recognise", "write"]

TITLE = "CoNLL-2011/2012, SemEval-2010, and their shorter variants"
EXAMPLE = """#begin document (nw/wsj_0001); part 000
nw/wsj_0001  0  0  Kim    NNP  (12)
nw/wsj_0001  0  1  left   VBD  -
#end document"""
SUFFIXES = (".conll", ".v4_gold_conll", ".v4_auto_conll", ".gold_conll", ".auto_conll", "_conll", ".key", ".response")
COMPANIONS = ()
CAPACITY = Capacity(units=("word",), blanks="none", sentences=True, crossing="other")
