"""Brackets of all cells of a file at once are those that a pattern finds cell by cell."""

import re
from itertools import chain

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from corefeval.formats import conll
from corefeval.formats.shared.diagnostics import Diagnostics

_BRACKET = re.compile(rb"(?:\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\))\|*|\|+")


def parse_cell(cell: bytes) -> tuple[list[tuple[int, bytes]], list[bytes]] | None:
    """The brackets of one cell as pairs of kind and name, the mentions of several entities; None if it is no cell."""
    text = cell.translate(None, b" \t\r")
    if text in (b"-", b"_", b"*", b""):
        return [], []
    found: tuple[list[tuple[int, bytes]], ...] = ([], [], [])
    left_out, place = [], 0
    while match := _BRACKET.match(text, place):
        place = match.end()
        kind = match.lastindex
        if kind == 1 and re.fullmatch(rb"\d+(\+\d+)+", match[1]):
            left_out.append(match[1])
        elif kind is not None:
            found[kind - 1].append((kind - 1, match[kind]))
    return (list(chain(*found)), left_out) if place == len(text) else None


cells = st.lists(
    st.one_of(
        st.text("()|1a+-_* ", max_size=8),
        st.lists(st.sampled_from(["(1)", "(1", "1)", "(a+b)", "(1+2)", "|", "(-)", "_)", "-", "é)"]), max_size=5).map(
            "".join
        ),
    ).map(str.encode),
    max_size=30,
)


@given(cells)
@example([b"(1", b"-", b"", b"1)|(2)(3", b"((1)", b"1))", b"(1+2)(3)", b"|", b"(12|(7)|9)", b"a", b"()"])
def test_brackets_of_all_cells_are_those_of_each(cells: list[bytes]) -> None:
    parsed = [parse_cell(cell) for cell in cells]
    diagnostics = Diagnostics("cells")
    found = conll._find_brackets(b"".join(cell + b"\n" for cell in cells), np.arange(1, len(cells) + 1), diagnostics)
    assert [fault.line for fault in diagnostics.faults] == [
        line for line, content in enumerate(parsed, 1) if content is None
    ]
    left_out = [(notice.line, notice.details["entities"]) for notice in diagnostics.notices]
    expected = [
        (line, name.decode().split("+")) for line, content in enumerate(parsed, 1) if content for name in content[1]
    ]
    assert left_out == expected
    rows = list(
        zip(found.cell.tolist(), found.kind.tolist(), (found.names[n] for n in found.name.tolist()), strict=True)
    )
    assert rows == [(n, *each) for n, content in enumerate(parsed) if content for each in content[0]]
    assert conll._are_cells(cells) == (None not in parsed)
