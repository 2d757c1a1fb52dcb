"""Brackets with numbers behind them: `[Mara]_1`, `[Mara]1` or `(Mara)[1]`.

    [Mara]_1 went to [the shop of [her]_1 uncle]_2 . [She]_1 bought bread [sic] .

Numbers may be in braces or be subscripts, too: `[Mara]_{1}`, `[Mara]₁`; behind an underscore there may be letters.
Brackets without any are text, and so is what follows a backslash. `[Mara]1`, `(Mara)[1]`, and brackets right behind a
letter or digit, as in `A[i]_j`, are not recognised by themselves, for other texts have them: --format brackets. Read
only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.inline.pieces import Piece, compile_notation, split_by
from corefeval.formats.inline.reading import read_inline

TITLE = "brackets with numbers behind them, by language models"
EXAMPLE = """[Mara]_1 went to [the shop of [her]_1 uncle]_2 .
[Mara]1 went to [the shop of [her]1 uncle]2 .
(Mara)[1] went to (the shop of (her)[1] uncle)[2] ."""
SUFFIXES = (".brackets",)
COMPANIONS = ()
GENERATED = True
CAPACITY: Capacity | None = None

_PATTERN = compile_notation(
    r"(?P<literal>\\[!-/:-@\[-`{-~])|(?P<open>\[)|(?P<close>\](?:_\{(?P<id>\w+)\}|_(?P<id2>\w+)|(?P<id3>\d+|[₀-₉]+)))"
    r"|(?P<plain>\])|(?P<open_round>\()|(?P<close_round>\)\[(?P<id4>\w+)\])|(?P<plain_round>\))",
    "[]()\\",
)
_MARKED = re.compile(rb"(?<![A-Za-z0-9_)\]])\[[^\[\]]*\](?:_\{?\w|\xe2\x82[\x80-\x89])")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is such, by brackets with a subscript; "" if it is not."""
    found = beginning.lstrip()[:1] != b"{" and _MARKED.search(beginning)
    return f"{found[0].decode(errors='replace')!r} found" if found else ""


def read(file: File, *, repairs: str = "keep") -> Corpus:
    """Return the corpus of a file that is in memory; repairs: "keep" or "drop" mentions that had to be repaired."""
    return read_inline(file, split, repairs)


def split(text: str, begin: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of a text from one place to another."""
    return (piece._replace(id=piece.id.translate(_SUBSCRIPTS)) for piece in split_by(_PATTERN, text, begin, end))
