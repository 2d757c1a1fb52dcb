"""Tables as text, as wide as the terminal, in colour if it takes any."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import zip_longest

from corefeval._lazy import NamedTuple
from corefeval.tables.table import Cell, Row, Table, get_text

_ESCAPE = r"\x1b\[[0-9;]*m"
_NARROW = r"[\x20-\u02ff\u0370-\u0482\u2010-\u2027\u2200-\u22ff\u2500-\u257f]*"
"""Text of which every character takes one column: Latin, Greek, dashes, quotes, signs of sets, rules."""

_STYLES = {"head": "bold", "best": "bold green", "quiet": "dim"}
_MOST_NAMES = 2 / 3  # of the width: longer ones are shortened
_LEAST_TEXT = 30  # columns: what is wider, and than half of the place, is broken into lines


class Style(NamedTuple):
    """How text is shown: `style("head", text)` paints a text ("head", "best" or "quiet"); `width` of the place.

    spell: returns a text as the place can show it, with escapes for letters that it lacks.
    """

    paint: Callable[[str, str], str]
    width: int | None = None
    spell: Callable[[str], str] = str

    def __call__(self, name: str, text: str) -> str:
        """Return the text painted in the style of that name."""
        return self.paint(name, text)


def mark_with_star(name: str, text: str) -> str:
    """Return the text, with a star behind it if the style is "best"."""
    return f"{text}*" if name == "best" else text


PLAIN = Style(mark_with_star)
"""For files and pipes: of any width."""


def find_terminal_style() -> Style:
    """Return the Style for standard output: plain if it is no terminal; else its width, and colour unless NO_COLOR."""
    spell = _find_spelling(sys.stdout.encoding, sys.stdout.errors)
    if not sys.stdout.isatty():
        return PLAIN._replace(spell=spell)
    from rich.console import Console  # noqa: PLC0415 - loaded for terminals only
    from rich.style import Style as RichStyle  # noqa: PLC0415

    console = Console()
    system = console._color_system
    if system is None or console.no_color:
        return Style(mark_with_star, console.width, spell)
    styles = {name: RichStyle.parse(words) for name, words in _STYLES.items()}

    def paint_text(name: str, text: str) -> str:
        """Return a text with the colour codes of a style around it, and a star behind it if the style is "best"."""
        painted = styles[name].render(text, color_system=system)
        return f"{painted}*" if name == "best" else painted

    return Style(paint_text, console.width, spell)


def _find_spelling(encoding: str | None, errors: str | None) -> Callable[[str], str]:
    """Return a function from a text to what a stream of this encoding shows of it: for UTF-8 or None, the same text."""
    if encoding is None or encoding.lower().replace("-", "") == "utf8":
        return str
    return lambda text: text if text.isascii() else text.encode(encoding, errors or "strict").decode(encoding)


def format_tables(tables: Iterable[Table], style: Style) -> list[str]:
    """Return the lines of tables: title, table ("none" without rows), notes, "* best" if any is, then an empty line."""
    lines: list[str] = []
    for table in tables:
        if table.title:
            lines += [style("head", line) for line in wrap_text(table.title, style.width)]
            lines += [""] if table.head else []
        if not table.head:
            lines += [line for row in table.rows for cell in row for line in wrap_text(get_text(cell), style.width)]
        else:
            lines += format_grid(table.head, table.rows, style, names=table.names) if table.rows else ["none"]
        lines += [style("quiet", line) for note in table.notes for line in wrap_text(note, style.width)]
        if any(not isinstance(cell, str) and cell.best for row in table.rows for cell in row):
            lines.append(style("quiet", "* best"))
        lines.append("")
    return lines


def wrap_text(text: str, width: int | None, marks: str = " ") -> list[str]:
    """Return a list of the lines of a text, none wider than `width` columns; None: one line.

    Lines end behind one of the marks, where a word is not wider by itself. If the text is indented, what follows its
    first line is so by two columns more.

    >>> wrap_text("  one two three", 11)
    ['  one two', '    three']
    """
    if width is None or measure_width(text) <= width:
        return [text]
    indent = text[: len(text) - len(text.lstrip())]
    hanging = f"{indent}  " if indent else ""
    lines, line = [], indent
    for piece in re.findall(rf"[^{marks}]+[{marks}]*|[{marks}]+", text.lstrip()):
        for part in _cut_to_width(piece, max(1, width - len(hanging))):
            if line.strip() and measure_width(f"{line}{part}".rstrip()) > width:
                lines.append(line.rstrip())
                line = hanging
            line += part
    return [*lines, line.rstrip()]


def _cut_to_width(text: str, width: int) -> Iterator[str]:
    """Yield a text in parts that are not wider than `width` columns, the blanks at a part's end aside."""
    part = ""
    for character in text:
        if part and measure_width(f"{part}{character}".rstrip()) > width:
            yield part
            part = ""
        part += character
    yield part


def format_grid(head: Row, rows: Sequence[Row], style: Style, *, names: int) -> list[str]:
    """Return the lines of a table: head, rule and rows, numbers to the right; a table too wide in blocks of columns.

    One that is too wide comes in blocks of columns, each with the names, of which the long ones are shortened; what is
    wider than half of the place is text, which goes on below.
    """
    if style.spell is not str:
        head, *rows = ([_spell_cell(cell, style) for cell in row] for row in (head, *rows))
    columns = list(zip(head, *rows, strict=True))
    marked = any(_is_marked(cell) for row in rows for cell in row)
    letters = [max((len(cell.raised) for cell in column if isinstance(cell, Cell)), default=0) for column in columns]
    # Behind the number there is room for a star, if the table has any, and for the column's letters.
    behind = [0 if place < names else marked + (1 + wide if wide else 0) for place, wide in enumerate(letters)]
    widths = [max(measure_width(get_text(cell).removesuffix("*")) for cell in column) for column in columns]
    texts: set[int] = set()
    if style.width is not None and sum(widths) + sum(behind) + 2 * (len(widths) - 1) > style.width:
        half = max(_LEAST_TEXT, style.width // 2)
        texts = {place for place in range(names, len(widths)) if widths[place] > half}
        widths = [half if place in texts else width for place, width in enumerate(widths)]
    widths = fit_names(widths, behind, names, style.width)
    whole = [width + more for width, more in zip(widths, behind, strict=True)]

    def join_cells(row: Row, places: Sequence[int]) -> list[str]:
        """Return a row's cells at these places, padded to their columns, as lines: one, or more for wrapped texts."""
        out: list[list[str]] = []
        for place in places:
            cell, width = row[place], widths[place]
            if place < names:
                out.append([shorten_middle(get_text(cell), width, style.spell("…"))])
                continue
            if place in texts:
                out.append(wrap_text(get_text(cell), width))
                continue
            text = get_text(cell, partial(style.paint, "best"))
            room = " " * (width - measure_width(get_text(cell).removesuffix("*")))
            star = "" if _is_marked(cell) or not marked else " "
            raised = f" {cell.raised if isinstance(cell, Cell) else '':<{letters[place]}}" if letters[place] else ""
            out.append([f"{room}{text}{star}{raised}"])
        lines = zip_longest(*out, fillvalue="")
        return [
            "  ".join(pad_text(part, whole[place]) for place, part in zip(places, line, strict=True)).rstrip()
            for line in lines
        ]

    lines: list[str] = []
    for places in split_columns(whole, names, style.width):
        (shown,) = join_cells(head, places)
        aligned = [line for row in rows for line in join_cells(row, places)]
        rule = style("quiet", style.spell("─") * measure_width(shown))
        lines += [*([""] if lines else []), style("head", shown), rule, *aligned]
    return lines


def _spell_cell(cell: str | Cell, style: Style) -> str | Cell:
    """Return a cell with its text spelled as the place can show it."""
    return style.spell(cell) if isinstance(cell, str) else cell._replace(text=style.spell(cell.text))


def _is_marked(cell: str | Cell) -> bool:
    """Return whether a cell is shown with a star: the best of its column, or a text that ends with one."""
    return cell.endswith("*") if isinstance(cell, str) else cell.best


def fit_names(widths: Sequence[int], behind: Sequence[int], names: int, room: int | None) -> list[int]:
    """Return column widths, the first `names` cut so that names leave room for numbers; unchanged if all have room.

    They leave a third of the room for numbers, and enough for the widest column; nothing changes if all have room.
    """
    fitted = list(widths)
    gaps = 2 * (len(widths) - 1)
    if room is None or sum(widths) + sum(behind) + gaps <= room:
        return fitted
    widest = max((width + more + 2 for width, more in zip(widths[names:], behind[names:], strict=True)), default=0)
    most = room - widest if names == len(widths) else min(int(_MOST_NAMES * room), room - widest)
    while sum(fitted[:names]) + 2 * (names - 1) > max(most, 3 * names):
        longest = max(range(names), key=fitted.__getitem__)
        if fitted[longest] <= 1:
            break
        fitted[longest] -= 1
    return fitted


def split_columns(widths: Sequence[int], names: int, room: int | None) -> Iterator[list[int]]:
    """Yield blocks of columns that fit into the room, as lists of column numbers; each begins with the names' columns.

    widths: of all columns, of which the first `names` hold names. room: how wide a block may be; None: no limit.
    """
    if room is None:
        yield list(range(len(widths)))
        return
    taken = sum(widths[:names]) + 2 * (names - 1)
    block, used = list(range(names)), taken
    for place in range(names, len(widths)):
        wide = 2 + widths[place]
        if used + wide > room and len(block) > names:
            yield block
            block, used = list(range(names)), taken
        block.append(place)
        used += wide
    yield block


def measure_width(text: str) -> int:
    """Return how many columns of a terminal a text takes, which for Chinese, Japanese and Korean is two a character."""
    if "\x1b" in text:
        text = re.sub(_ESCAPE, "", text)
    # The pattern takes longer to compile than a table to lay out: Latin letters do without it.
    if (text.isprintable() and max(text, default="") < "\u0300") or re.fullmatch(_NARROW, text):
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - loaded for other scripts only

    return cell_len(text)


def shorten_middle(text: str, width: int, ellipsis: str = "…") -> str:
    """Return the text; one that takes more columns of a terminal than `width` with an ellipsis for its middle."""
    if measure_width(text) <= width:
        return text
    left, right = list(text[: len(text) // 2]), list(text[len(text) // 2 :])
    while left or right:
        (left.pop if len(left) > len(right) else partial(right.pop, 0))()
        short = f"{''.join(left)}{ellipsis}{''.join(right)}"
        if measure_width(short) <= width:
            return short
    return ellipsis[: max(1, width)]


def pad_text(text: str, width: int) -> str:
    """Return a text with blanks behind it, so that it takes `width` columns of a terminal."""
    return text + " " * (width - measure_width(text))
