"""A table as people read it, and how its numbers are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

from corefeval._lazy import NamedTuple, Record
from corefeval.errors import check_choice, escape_controls

Digits: TypeAlias = Literal["round", "truncate", "full"]
"""How a score is written: per cent with two decimals, rounded; the same, cut off; or as it is."""

DIGITS: tuple[Digits, ...] = ("round", "truncate", "full")
UNDEFINED = "–"


class Cell(NamedTuple):
    """A cell that is more than its text: the best of its column, or set in another way in LaTeX.

    raised: a text behind it, as a superscript where there are any.
    """

    text: str
    best: bool = False
    latex: str = ""
    raised: str = ""


Row: TypeAlias = "Sequence[str | Cell]"


class Table(Record):
    """Rows below a head. The first `names` columns hold names, on the left; the others hold numbers, on the right.

    Without a head, the rows are lines of text, shown as they stand.

    groups: titles above the head, each with the number of columns that it stands over; LaTeX alone shows them.
    Control characters in any of its texts are shown: a name cannot give orders to a terminal.
    """

    title: str
    head: Row
    rows: Sequence[Row]
    names: int
    notes: tuple[str, ...] = ()
    groups: tuple[tuple[str | Cell, int], ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, title, head, rows, names, notes=(), groups=()):
            super().__init__(
                escape_controls(title),
                _escape_row(head),
                [_escape_row(row) for row in rows],
                names,
                tuple(map(escape_controls, notes)),
                tuple((*_escape_row([title]), width) for title, width in groups),
            )

    @classmethod
    def from_records(
        cls,
        title: str,
        records: Sequence[Mapping[str, str | Cell]],
        names: int,
        notes: tuple[str, ...] = (),
        *,
        blank_repeats: bool = False,
    ) -> Table:
        """Build a table with the records' fields as head; `blank_repeats` empties a first cell equal to that above."""
        rows = [list(record.values()) for record in records]
        for above, row in reversed(list(pairwise(rows))):
            if blank_repeats and row[0] == above[0]:
                row[0] = ""
        return cls(title, list(records[0]), rows, names, notes)


def _escape_row(row: Row) -> Row:
    """Return a row with control characters in its texts escaped."""
    return [
        escape_controls(cell) if isinstance(cell, str) else cell._replace(text=escape_controls(cell.text))
        for cell in row
    ]


def get_text(cell: str | Cell, mark_best: Callable[[str], str] = str) -> str:
    """Return the text of a cell, changed by `mark_best` if it is the best of its column."""
    if isinstance(cell, str):
        return cell
    return mark_best(cell.text) if cell.best else cell.text


def make_score_formatter(digits: Digits) -> Callable[[float], str]:
    """Return a function from score to text: 0.84829 as "84.83" (round), "84.82" (truncate) or "0.84829" (full)."""
    check_choice("digits", digits, DIGITS)
    return {"round": format_percent, "truncate": truncate_percent, "full": _format_full}[digits]


def format_percent(value: float) -> str:
    """Return a share of 1 as text in per cent, rounded to two decimals."""
    return f"{100 * value:.2f}"


def truncate_percent(value: float) -> str:
    """Return a share as text in per cent, cut off behind two decimals as floating point has them: 0.57 is 56.99."""
    return f"{int(value * 10000) / 100:.2f}"


def _format_full(value: float) -> str:
    """Return a share as text with all of its digits, not in per cent."""
    return repr(float(value))


def format_points(value: float) -> str:
    """Return a difference of two shares as text in points (hundredths), with its sign and two decimals."""
    return f"{100 * value:+.2f}"


def format_optional(value: float | None, write: Callable[[float], str]) -> str:
    """Return a number as `write` writes it; a dash for None."""
    return UNDEFINED if value is None else write(value)


def format_interval(interval: Sequence[float], write: Callable[[float], str] = format_percent) -> str:
    """Return an interval as text: both ends, each as `write` writes it, in brackets."""
    return f"[{', '.join(map(write, interval))}]"


def format_count(value: int | None) -> str:
    """Return a count as text with commas; a dash for None."""
    return UNDEFINED if value is None else f"{value:,}"


def shorten_text(text: str, width: int) -> str:
    """Return the text; if it is longer than `width`, its beginning and three dots, `width` characters in all."""
    return text if len(text) <= width else f"{text[: width - 3]}..."
