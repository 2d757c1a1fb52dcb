"""The cells of a table: found block by block, integers where all of a block are some, else texts.

A label is the integer that it spells where it spells one as a program would, without zeros before it, plus sign or
blanks, within 64 bits. It is a tuple where it is a list in JSON, of integers, texts and such lists, as Python writes
it: [0, 3]. Any other label is text. So it does not matter what else is in the column, or whether the file knows types:
7 in one file is "7" in another, and "007" is neither.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from corefeval._arrays import Ints

    Page = NDArray[np.uint8]

INTEGER = re.compile(r"0|-?[1-9][0-9]{0,19}")
_LEAST, _MOST = -(2**63), 2**64 - 1
_MOST_DIGITS = 19  # so many fit into 64 bits without a sign, whatever they are
_MINUS, _ZERO, _OPEN, _CLOSE = b"-0[]"
NONE = np.zeros(0, dtype=np.int64)
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
    maybe: Ints = NONE
    missing: Ints = NONE
    edged: Ints = NONE
    garbled: Ints = NONE

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
        return NONE
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
        return content.decode().split("\0"), NONE
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


def label(text: str) -> Hashable:
    """What a text spells: an integer, a tuple, or only itself."""
    if INTEGER.fullmatch(text):
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
