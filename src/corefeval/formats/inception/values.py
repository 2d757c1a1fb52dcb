"""The values in cells of a WebAnno TSV file: stacked with bars, numbered by the span that they are of.

    person[4]|place[7]        two values, of the spans 4 and 7
    coref->1-1|*->2-3         two without a number

A backslash escapes what has a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints, number_values
from corefeval._lazy import NamedTuple
from corefeval.formats.shared.columns import copy_places, decode_places, parse_numbers

if TYPE_CHECKING:
    from corefeval.formats.shared.columns import Bytes, TabbedLines

UNNUMBERED = -1
_ESCAPED = re.compile(r"\\(->|[\\\[\]|_;*tnfrb\x00-\x1f])")
_CONTROLS = {"t": "\t", "n": "\n", "f": "\f", "r": "\r", "b": "\b"}
_DIGITS = re.compile(r"[0-9]+")
_USUAL = 10**9  # numbers up to here stand for themselves, others get numbers from here on
_NEWLINE, _BAR, _BACKSLASH, _OPEN, _CLOSE, _UNDERSCORE, _STAR, _ZERO = b"\n|\\[]_*0"


class StackedValues(NamedTuple):
    """The values of some columns, token by token, column by column, in the order of their stack.

    code: the bytes that they are in; begin, end: where each is in it, without its number.
    token, column, stacked: which token, which of the columns, and which place in the stack it has.
    number: the number of its span, as `SpanNumbers` has it; `UNNUMBERED` for none.
    """

    code: Bytes
    begin: Ints
    end: Ints
    token: Ints
    column: Ints
    stacked: Ints
    number: Ints

    def have_text(self, rows: Ints) -> Booleans:
        """Return booleans: which of these values are something else than nothing, `*` and `_`."""
        begin, length = self.begin[rows], self.end[rows] - self.begin[rows]
        nothing = (length == 1) & ((self.code[begin] == _UNDERSCORE) | (self.code[begin] == _STAR))
        return (length > 0) & ~nothing

    def find_distinct(self, rows: Ints) -> tuple[list[str], Ints]:
        """Return the distinct values of some rows as they are written, and which of them each row has."""
        return number_values(decode_places(self.code, self.begin[rows], self.end[rows]))

    def find_rows(self, column: int, token: Ints, stacked: Ints) -> Ints:
        """Return the rows with the values of a column that are of these tokens and places in stacks; -1 for none."""
        rows = np.flatnonzero(self.column == column)
        first = np.searchsorted(self.token[rows], token)
        count = np.searchsorted(self.token[rows], token, side="right") - first
        found = np.full(len(token), -1, dtype=np.int64)
        there = stacked < count
        found[there] = rows[(first + stacked)[there]]
        return found


class SpanNumbers:
    """Numbers of spans as integers: equal exactly if written alike, which 7 and 07 are not."""

    def __init__(self) -> None:
        self._unusual: dict[str, int] = {}

    def parse(self, code: Bytes, begin: Ints, end: Ints) -> Ints:
        """Return an integer for each place that holds nothing but digits, the number itself if usual; else -1."""
        number = parse_numbers(code, begin, end)
        unusual = (number < 0) | ((code[np.minimum(begin, len(code) - 1)] == _ZERO) & (end - begin > 1))
        for row in np.flatnonzero(unusual & (end > begin)).tolist():
            written = code[begin[row] : end[row]].tobytes().decode()
            if _DIGITS.fullmatch(written):
                number[row] = self._unusual.setdefault(written, _USUAL + len(self._unusual))
        return number


def read_values(lines: TabbedLines, rows: Ints, columns: Sequence[int], numbers: SpanNumbers | None) -> StackedValues:
    """Return the values in some columns of tokens, given as rows; without `numbers`, none is taken to be numbered."""
    places = [lines.find_column(rows, column) for column in columns]
    begin = np.column_stack([start for start, _ in places]).reshape(-1)
    end = np.column_stack([stop for _, stop in places]).reshape(-1)
    filled = np.flatnonzero((end - begin > 1) | ((end > begin) & (lines.page[begin] != _UNDERSCORE)))
    code = copy_places(lines.page, begin[filled], end[filled])
    bound = _find_bounds(code)
    begin, end = np.append(0, bound + 1)[:-1], bound
    is_last = code[end] == _NEWLINE
    cell = np.cumsum(is_last) - is_last
    first = np.append(0, np.flatnonzero(is_last) + 1)[:-1]
    stacked = np.arange(len(cell)) - first[cell]
    number = np.full(len(cell), UNNUMBERED, dtype=np.int64)
    if numbers is not None:
        number, end = _split_numbers(code, begin, end, numbers)
    return StackedValues(code, begin, end, filled[cell] // len(columns), filled[cell] % len(columns), stacked, number)


def _find_bounds(code: Bytes) -> Ints:
    """Return the places of bars and line breaks; an escaped bar is none."""
    bound = np.flatnonzero((code == _NEWLINE) | (code == _BAR))
    escaped = (code[bound] == _BAR) & (code[bound - 1] == _BACKSLASH)
    return bound[~escaped]


def _split_numbers(code: Bytes, begin: Ints, end: Ints, numbers: SpanNumbers) -> tuple[Ints, Ints]:
    """Return the number of the span of each value, given its place, and where the value ends without it."""
    number = np.full(len(end), UNNUMBERED, dtype=np.int64)
    opening = np.flatnonzero(code == _OPEN)
    if len(opening) == 0:
        return number, end
    nearest = opening[np.searchsorted(opening, end) - 1]
    may = (code[end - 1] == _CLOSE) & (nearest >= begin) & (nearest < end)
    may &= (nearest == begin) | (code[nearest - 1] != _BACKSLASH)
    rows = np.flatnonzero(may)
    number[rows] = numbers.parse(code, nearest[rows] + 1, end[rows] - 1)
    return number, np.where(number >= 0, nearest, end)


def unescape(value: str) -> str:
    """Return a value without its escapes; "" for * and _."""
    if value in ("*", "_"):
        return ""
    return _ESCAPED.sub(lambda found: _CONTROLS.get(found[1], found[1]), value) if "\\" in value else value
