"""The cells of a table's columns: found block by block, kept as integers where they are some, else as text.

A label is the integer that it spells where it spells one as a program would, without zeros before it, plus sign or
blanks, within 64 bits. It is a tuple where it is a list in JSON, of integers, texts and such lists, as Python writes
it: [0, 3]. Any other label is text. So it does not matter what else is in the column, or whether the file knows types:
7 in one file is "7" in another, and "007" is neither.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.errors import MOST_FAULTS
from corefeval.mentions import Labels, Objects

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from corefeval.arrays import Ints
    from corefeval.mentions import MentionColumn

    Page = NDArray[np.uint8]

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,19}")
_LEAST, _MOST = -(2**63), 2**64 - 1
_MOST_DIGITS = 19  # so many fit into 64 bits without a sign, whatever they are
_MINUS, _ZERO, _OPEN, _CLOSE = b"-0[]"
LIMIT = 2**31
"""No text has as many words."""

_UNUSUAL = ("missing", "edged", "garbled")
_SHOWN = 40  # characters of a cell in a message
_NONE = np.zeros(0, dtype=np.int64)
BLANKS = " \t\n\r\v\f"
_IS_BLANK, _IS_DIGIT = np.zeros((2, 256), dtype=np.bool_)
_IS_BLANK[list(BLANKS.encode())] = True
_IS_DIGIT[list(b"0123456789")] = True
_BEGINS_VALUE, _ENDS_VALUE = _IS_DIGIT.copy(), _IS_DIGIT.copy()
_BEGINS_VALUE[[_MINUS, _OPEN]] = True
_ENDS_VALUE[_CLOSE] = True


class Part(NamedTuple):
    """Some cells of a column, one after another: all integers, or all texts.

    Rows of texts: those that may be more than text, have nothing but blanks, have blanks around, or are not UTF-8.
    """

    integers: Ints | None
    texts: list[str]
    maybe: Ints = _NONE
    missing: Ints = _NONE
    edged: Ints = _NONE
    garbled: Ints = _NONE

    def __len__(self) -> int:
        return len(self.texts) if self.integers is None else len(self.integers)


def part(page: Page, begin: Ints, end: Ints, decode: Callable[[], tuple[list[str], Ints]]) -> Part:
    """The cells at these places, each before the last byte; `decode` gives their texts, should they be some."""
    numbers = integers(page, begin, end)
    if numbers is not None:
        return Part(numbers, [])
    texts, garbled = decode()
    first, last = page[begin], page[np.maximum(end - 1, begin)]
    bordered = np.flatnonzero((begin == end) | _IS_BLANK[first] | _IS_BLANK[last])
    is_missing = np.array([not texts[row].strip(BLANKS) for row in bordered.tolist()], dtype=np.bool_)
    maybe = np.flatnonzero(_BEGINS_VALUE[first] & _ENDS_VALUE[last] & (end > begin))
    return Part(None, texts, maybe, bordered[is_missing], bordered[~is_missing], garbled)


def integers(page: Page, begin: Ints, end: Ints) -> Ints | None:
    """The integers that these cells spell; None unless all of them do."""
    if len(begin) == 0:
        return _NONE
    minus = page[begin] == _MINUS
    digits = end - begin - minus
    longest = int(digits.max())
    if int(digits.min()) < 1 or longest > _MOST_DIGITS:
        return None
    zero_first = page[begin + minus] == _ZERO
    if (zero_first & ((digits > 1) | minus)).any():
        return None
    value = np.zeros(len(begin), dtype=np.uint64)
    place, power = end - 1, 1
    for number in range(longest):
        digit = page[place] - np.uint8(_ZERO)
        if number:
            digit *= digits > number
        if (digit > 9).any():
            return None
        value += digit * np.uint64(power)
        place = np.maximum(place - 1, 0)
        power *= 10
    if longest == _MOST_DIGITS and int(value.max()) >= 2**63:
        return None
    found = value.view(np.int64)
    return np.where(minus, -found, found) if minus.any() else found


def decoded(page: Page, begin: Ints, end: Ints) -> tuple[list[str], Ints]:
    """The texts of cells that do not touch each other and have no NUL in them, and the rows that are not UTF-8."""
    step = np.zeros(len(page) + 1, dtype=np.int8)
    step[begin] = 1
    step[end + 1] = -1
    chosen = page[np.cumsum(step[:-1], dtype=np.int8).view(np.bool_)]
    chosen[np.cumsum(end - begin + 1) - 1] = 0
    content = chosen.tobytes()[:-1]
    try:
        return content.decode().split("\0"), _NONE
    except UnicodeDecodeError:
        cells = content.split(b"\0")
        return [cell.decode("utf-8", "backslashreplace") for cell in cells], _where([not _is_text(c) for c in cells])


def _is_text(cell: bytes) -> bool:
    try:
        cell.decode()
    except UnicodeDecodeError:
        return False
    return True


def _where(chosen: list[bool]) -> Ints:
    return np.flatnonzero(np.array(chosen, dtype=np.bool_))


def _joined(parts: list[Ints]) -> Ints:
    """One array of several, which are let go."""
    joined = np.concatenate([_NONE, *parts])
    parts.clear()
    return joined


def _label(text: str) -> Hashable:
    """What a text spells: an integer, a tuple, or only itself."""
    if _INTEGER.fullmatch(text):
        value = int(text)
        return value if _LEAST <= value <= _MOST else text
    if not text.startswith("["):
        return text
    try:
        listed = json.loads(text)
        return _tuple(listed) if json.dumps(listed, ensure_ascii=False) == text else text
    except (ValueError, TypeError, RecursionError):
        return text


def _tuple(value: Any) -> Hashable:
    """A list as a tuple; what equals something that is written otherwise, such as 1.0 and true, is refused."""
    if type(value) is list:
        return tuple(map(_tuple, value))
    if type(value) not in (int, str):
        raise TypeError
    return value


class Column:
    """A column, and what is unusual about its cells, by row; subclasses keep the cells."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.length = 0
        self._rows: dict[str, list[Ints]] = {kind: [] for kind in (*_UNUSUAL, "wrong")}

    def add(self, part: Part) -> None:
        """Take some more cells."""
        for kind in _UNUSUAL:
            self._remember(kind, getattr(part, kind))
        self.keep(part)
        self.length += len(part)

    def keep(self, part: Part) -> None:
        """Keep the cells."""
        raise NotImplementedError

    def _remember(self, kind: str, rows: Ints) -> None:
        if len(rows):
            self._rows[kind].append(rows + self.length)

    def rows(self, kind: str) -> Ints:
        """The rows that are "missing", "edged", "garbled", or "wrong" for the column."""
        return np.concatenate([_NONE, *self._rows[kind]])


class LabelColumn(Column):
    """Labels that are compared with those of other files."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._parts: list[Ints | list[Hashable]] = []

    def keep(self, part: Part) -> None:
        """Keep the cells."""
        if part.integers is not None:
            self._parts.append(part.integers)
            return
        labels: list[Hashable] = list(part.texts)
        for row in part.maybe.tolist():
            labels[row] = _label(part.texts[row])
        self._parts.append(labels)

    def mentions(self) -> MentionColumn:
        """Integers as an array; a column with text in it as Python objects."""
        parts, self._parts = self._parts, []
        arrays = [each for each in parts if isinstance(each, np.ndarray)]
        if len(arrays) == len(parts):
            return Labels(_joined(arrays))
        listed: list[Any] = []
        for each in parts:
            listed.extend(each.tolist() if isinstance(each, np.ndarray) else each)
        if all(type(each) is int for each in listed):
            least, most = min(listed), max(listed)
            if most < 2**63 or least >= 0:
                return Labels(np.array(listed, dtype=np.int64 if most < 2**63 else np.uint64))
        return Objects(listed)


class NameColumn(Column):
    """Names that only tell rows of this file apart."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._parts: list[Ints] = []
        self._coded: list[bool] = []
        # A name that is asked for and not yet there gets the next number.
        self._number: defaultdict[str, int] = defaultdict()
        self._number.default_factory = self._number.__len__

    def keep(self, part: Part) -> None:
        """Keep the cells: integers, or the numbers of names."""
        self._coded.append(part.integers is None)
        self._parts.append(self._numbered(part.texts) if part.integers is None else part.integers)

    def add_coded(self, distinct: Part, row: Ints) -> None:
        """Take some more cells, each given by its place among those that are distinct."""
        for kind in _UNUSUAL:
            unusual: Ints = getattr(distinct, kind)
            if len(unusual):
                self._remember(kind, np.flatnonzero(np.isin(row, unusual)))
        self._coded.append(distinct.integers is None)
        names = self._numbered(distinct.texts) if distinct.integers is None else distinct.integers
        self._parts.append(names[row])
        self.length += len(row)

    def _numbered(self, names: Sequence[str]) -> Ints:
        return np.fromiter(map(self._number.__getitem__, names), np.int64, len(names))

    def labels(self) -> tuple[Ints, list[str] | None]:
        """An integer for every row, and the names that they number, unless they are names themselves."""
        coded = any(self._coded)
        for place, is_coded in enumerate(self._coded):
            if coded and not is_coded:
                self._parts[place] = self._numbered(list(map(str, self._parts[place].tolist())))
        self._parts, self._coded = [_joined(self._parts)], [coded]
        return self._parts[0], list(self._number) if coded else None

    def rows_of(self, names: Sequence[str]) -> dict[str, Ints]:
        """Where some names are."""
        numbers = {name: self._number[name] for name in names if name in self._number}
        labels = self.labels()[0] if numbers else _NONE
        return {name: np.flatnonzero(labels == number) for name, number in numbers.items()}


class PlaceColumn(Column):
    """Positions in a text: integers from 0 on."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._parts: list[Ints] = []
        self.shown: dict[int, str] = {}
        """What stands in the first of the wrong rows."""

    def keep(self, part: Part) -> None:
        """Keep the cells; -1 for what is no position."""
        texts = part.texts
        if part.integers is None:
            found = [int(text) if _INTEGER.fullmatch(text) else -1 for text in texts]
            places = np.array([each if each < LIMIT else -1 for each in found], dtype=np.int64)
        else:
            places = part.integers
        wrong = np.setdiff1d(np.flatnonzero((places < 0) | (places >= LIMIT)), part.missing)
        self._remember("wrong", wrong)
        for row in wrong[: MOST_FAULTS - len(self.shown)].tolist():
            self.shown[row + self.length] = texts[row][:_SHOWN] if texts else str(places[row])
        self._parts.append(places)

    def places(self) -> Ints:
        """The positions."""
        return _joined(self._parts)


class TextColumn(Column):
    """Whatever stands there."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.texts: list[str] = []

    def keep(self, part: Part) -> None:
        """Keep the cells."""
        self.texts.extend(part.texts if part.integers is None else map(str, part.integers.tolist()))
