"""Tables as text, as wide as the terminal, in colour if it takes any."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from corefeval.tables.table import Row, Table, get_text

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_STYLES = {"head": "bold", "best": "bold green", "quiet": "dim"}
_MOST_NAMES = 2 / 3  # of the width: where names take more, blocks of columns would be single numbers


class Style(NamedTuple):
    """How text is shown: `style("head", text)` paints a text ("head", "best" or "quiet"); `width` of the place."""

    paint: Callable[[str, str], str]
    width: int | None = None

    def __call__(self, name: str, text: str) -> str:
        """Return the text painted in the style of that name."""
        return self.paint(name, text)


def mark_with_star(name: str, text: str) -> str:
    """Return the text, with a star behind it if the style is "best"."""
    return f"{text}*" if name == "best" else text


PLAIN = Style(mark_with_star)
"""For files and pipes: of any width."""


def find_terminal_style() -> Style:
    """Return the style for standard output: plain if it is no terminal, without colour if NO_COLOR says so."""
    if not sys.stdout.isatty():
        return PLAIN
    from rich.console import Console  # noqa: PLC0415 - loaded for terminals only
    from rich.style import Style as RichStyle  # noqa: PLC0415

    console = Console()
    system = console._color_system
    if system is None or console.no_color:
        return Style(mark_with_star, console.width)
    styles = {name: RichStyle.parse(words) for name, words in _STYLES.items()}

    def paint_text(name: str, text: str) -> str:
        painted = styles[name].render(text, color_system=system)
        return f"{painted}*" if name == "best" else painted

    return Style(paint_text, console.width)


def format_tables(tables: Iterable[Table], style: Style) -> list[str]:
    """Return the lines of tables: title, table ("none" without rows), notes, and an empty line after each."""
    lines: list[str] = []
    for table in tables:
        if table.title:
            lines += [style("head", table.title), *([""] if table.head else [])]
        if not table.head:
            lines += [get_text(cell) for row in table.rows for cell in row]
        else:
            lines += format_grid(table.head, table.rows, style, names=table.names) if table.rows else ["none"]
        lines += [style("quiet", note) for note in table.notes]
        if any(not isinstance(cell, str) and cell.best for row in table.rows for cell in row):
            lines.append(style("quiet", "* best"))
        lines.append("")
    return lines


def format_grid(head: Row, rows: Sequence[Row], style: Style, *, names: int) -> list[str]:
    """Return the lines of a table, numbers to the right; one that is too wide in blocks of columns, each with names."""
    top, *body = ([get_text(cell, partial(style.paint, "best")) for cell in row] for row in (head, *rows))
    widths = [max(map(_measure_width, column)) for column in zip(top, *body, strict=True)]
    marked = any(cell.endswith("*") for row in body for cell in row)

    def join_cells(cells: list[str], places: Sequence[int]) -> str:
        """Return one line: the cells of a row at these places, padded to the width of their columns."""
        out = []
        for place in places:
            cell = cells[place]
            room = " " * (widths[place] - _measure_width(cell))
            star = "" if cell.endswith("*") or not marked or place < names else " "
            out.append(f"{cell}{room}" if place < names else f"{room}{cell}{star}")
        return "  ".join(out).rstrip()

    lines: list[str] = []
    with_marks = [width + marked * (place >= names) for place, width in enumerate(widths)]
    for places in split_columns(with_marks, names, style.width):
        shown = join_cells(top, places)
        aligned = [join_cells(row, places) for row in body]
        lines += [*([""] if lines else []), style("head", shown), style("quiet", "─" * len(shown)), *aligned]
    return lines


def split_columns(widths: Sequence[int], names: int, room: int | None) -> Iterator[list[int]]:
    """Yield blocks of columns that fit beside each other, as lists of their numbers, the names in each block.

    widths: of all columns, of which the first `names` hold names. room: how wide a block may be; None: no limit. All
    are one block where there is no limit, or where names take most of the room.
    """
    taken = sum(widths[:names]) + 2 * (names - 1)
    if room is None or taken > _MOST_NAMES * room:
        yield list(range(len(widths)))
        return
    block, used = list(range(names)), taken
    for place in range(names, len(widths)):
        wide = 2 + widths[place]
        if used + wide > room and len(block) > names:
            yield block
            block, used = list(range(names)), taken
        block.append(place)
        used += wide
    yield block


def _measure_width(cell: str) -> int:
    """Return how many characters of a cell are seen, its star not counted."""
    return len((_ESCAPE.sub("", cell) if "\x1b" in cell else cell).removesuffix("*"))
