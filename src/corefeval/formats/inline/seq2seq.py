"""Marks of sequence-to-sequence models: `<m>` and `</m>` around a mention, with its entity in or behind them.

    <m> John | 0 </m> said that <m> <m> his | 0 </m> sister | 1 </m> left .
    <m> John </m> <0> said that <m> <m> his </m> <0> sister </m> <1> left .

The entity stands behind a bar before the end, or as a token behind it: `<0>`, `<c0>`, `[0]` or `| 0`. Zhang et al.
(2023), Seq2seq is all you need for coreference resolution. Read only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.inline.pieces import Piece, compile_notation, split_by
from corefeval.formats.inline.reading import read_inline

TITLE = "marks of sequence-to-sequence models around mentions"
EXAMPLE = """<m> John | 0 </m> said that
<m> <m> his | 0 </m> sister | 1 </m> left .
<m> John </m> <0> said that <m> <m> his </m> <0> sister </m> <1> left ."""
SUFFIXES = (".seq2seq",)
COMPANIONS = ()
GENERATED = True
CAPACITY: Capacity | None = None

_PATTERN = compile_notation(
    r"(?P<open><m>)|(?P<close>\|[ \t\n]*(?P<id>[^|<>\s]+)[ \t\n]*</m>"
    r"|</m>(?:[ \t\n]*(?:<[A-Za-z_]*(?P<id2>\d+)>|\[(?P<id3>\d+)\]|\|[ \t]*(?P<id4>\d+)))?+)|(?P<bad></?m?(?=\s*\Z))",
    "<|",
)
_MARK = re.compile(rb"<m>[^<]*\|\s*[^|<>\s]+\s*</m>|</m>\s*(?:<[A-Za-z_]*\d+>|\[\d+\]|\|\s*\d)")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning has such marks, by an entity in or behind one; "" if it is not."""
    found = beginning.lstrip()[:1] not in (b"{", b"[") and _MARK.search(beginning)
    return f"{found[0].decode(errors='replace')!r} found" if found else ""


def read(file: File, *, repairs: str = "keep") -> Corpus:
    """Return the corpus of a file that is in memory; repairs: "keep" or "drop" mentions that had to be repaired."""
    return read_inline(file, split, repairs)


def split(text: str, begin: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of a text from one place to another."""
    return split_by(_PATTERN, text, begin, end)
