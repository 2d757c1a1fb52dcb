"""CorefInst's notation: `<m>` and `</m>#` around a mention, and the number of its entity behind it.

    <m> Bertrand Russell </m>#0 said that <m> <m> his </m>#0 teacher </m>#1 left . </z>@1 Came back .

`</z>@3` is a zero. `</m>#MASK`, as prompts have it, is a mention without an entity. `[MID]`, which stands between the
two halves of a window, is read as a blank.
Pamay Arslan et al. (2025), github.com/itunlplab/coref-inst. Read only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.inline.pieces import Piece, compile_notation, split_by
from corefeval.formats.inline.reading import read_inline

TITLE = "CorefInst's marks with numbers, by language models"
EXAMPLE = """<m> Bertrand Russell </m>#0 said that
<m> <m> his </m>#0 teacher </m>#1 left .
</z>@1 Came back ."""
SUFFIXES = (".corefinst",)
COMPANIONS = ()
GENERATED = True
CAPACITY: Capacity | None = None

_PATTERN = compile_notation(
    r"(?P<open><m>)|(?P<close></m>(?:\#(?:MASK|(?P<id>\d+)))?+)|(?P<single></z>(?:@(?:MASK|(?P<id2>\d+)))?+)"
    r"|(?P<skip>\[MID\])|(?P<bad></?[mz]?(?=\s*\Z))",
    "<[",
)
_MARK = re.compile(rb"</(?:m>#|z>@)(?:\d+|MASK)")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is CorefInst's, by a number behind </m># or </z>@; "" if it is not."""
    found = beginning.lstrip()[:1] not in (b"{", b"[") and _MARK.search(beginning)
    return f"{found[0].decode()!r} found" if found else ""


def read(file: File, *, repairs: str = "keep") -> Corpus:
    """Return the corpus of a file that is in memory; repairs: "keep" or "drop" mentions that had to be repaired."""
    return read_inline(file, split, repairs)


def split(text: str, begin: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of a text from one place to another; a zero has a tag and no word."""
    for piece in split_by(_PATTERN, text, begin, end):
        yield piece
        if piece.kind == "single":
            yield Piece("zero", piece.at)
