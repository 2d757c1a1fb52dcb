"""Which column of a CoNLL file is which, and those that are kept beside words and mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._lazy import Later
from corefeval.formats.conll import brackets
from corefeval.formats.shared import lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Ints
    from corefeval.formats.shared.lines import Lines

_FULL = 12  # columns at least of CoNLL-2011/2012: as many as there are without predicates
_OF_WORDS = {"pos": 4, "parse": 5}


def text(rows: Lines, chosen: Ints, number: int) -> Later:
    """A column of some lines, when someone looks at it; "-" is nothing."""

    def found() -> list[str]:
        places = zip(*(place.tolist() for place in lines.find_column(rows, chosen, number)), strict=True)
        cells = [rows.data[a:b] for a, b in places]
        known = {cell: "" if cell == b"-" else cell.decode("utf-8", "backslashreplace") for cell in set(cells)}
        return [known[cell] for cell in cells]

    return Later(len(chosen), found)


def first(data: bytes) -> list[bytes]:
    """The file's first line of columns."""
    beginning = data[: 1 << 16].split(b"\n")
    return next((line.split() for line in beginning if line.strip() and not line.startswith(b"#")), [])


def further(cells: list[bytes]) -> Mapping[str, int]:
    """The columns of CoNLL-2011/2012 that are kept beside the words; shorter variants have others."""
    return _OF_WORDS if len(cells) >= _FULL and of_words(cells) == _OF_WORDS["pos"] - 1 else {}


def of_words(cells: list[bytes]) -> int | None:
    """Which column holds the words, by the file's first line of columns; None where that is not clear."""
    if len(cells) >= 5 and cells[1].isdigit() and cells[2].isdigit():
        return 3  # document, part, number, word
    if len(cells) >= 4 and cells[1].isdigit():
        return 2  # document, number, word
    if len(cells) >= 3 and cells[0].isdigit():
        return 1  # number, word: SemEval-2010
    return 0 if len(cells) == 2 and brackets.parse(cells[0]).malformed and b"/" not in cells[0] else None
