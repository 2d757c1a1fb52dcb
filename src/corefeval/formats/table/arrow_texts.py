"""Texts in Arrow arrays of large strings, looked at by their bytes, so that few of them become Python's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import cached

_MOST_DIGITS = 20  # of an integer of 64 bits, or 19 and a sign


def list_marked(array: Any, *, first: str = "", last: str = "", longest: int | None = None) -> Ints:
    """Return the rows whose text begins with one of the characters `first` and ends with one of `last`; "": with any.

    Only ASCII. An empty text has neither. longest: how many bytes a text may have.
    """
    begin, end, data = _view_bytes(array)
    found: Booleans = end > begin
    if longest is not None:
        found &= end - begin <= longest
    rows = np.flatnonzero(found)
    for characters, place in ((first, begin[rows]), (last, end[rows] - 1)):
        if characters:
            table = np.zeros(256, dtype=np.bool_)
            table[list(characters.encode())] = True
            found[rows] &= table[data[place]]
    return np.flatnonzero(found)


def find_blank_edges(array: Any, blanks: str) -> Ints:
    """Return the rows whose text is empty, or begins or ends with one of these characters, which are ASCII."""
    begin, end, data = _view_bytes(array)
    found = [np.flatnonzero(begin == end)]
    if len(begin) and data[begin[0] : end[-1]].min(initial=255) <= max(blanks.encode()):
        found += [list_marked(array, first=blanks), list_marked(array, last=blanks)]
    return np.unique(np.concatenate(found)) if any(map(len, found)) else found[0]


def are_plain_digits(array: Any) -> bool:
    """Return whether all texts, which are digits only, have no zero before the others."""
    begin, end, data = _view_bytes(array)
    return not ((data[begin] == ord("0")) & (end - begin > 1)).any()


class LazyTexts(Sequence[str]):
    """The texts of an Arrow array, which become Python's where one is looked at."""

    def __init__(self, array: Any) -> None:
        self._array = array

    @cached
    def _listed(self) -> list[str]:
        """All texts."""
        texts: list[str] = self._array.to_pylist()
        return texts

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self._listed[place]

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __contains__(self, text: object) -> bool:
        return text in self._listed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._listed == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._listed))

    def __repr__(self) -> str:
        return repr(self._listed)

    def take(self, numbers: Ints) -> LazyTexts:
        """Return the texts with these numbers."""
        return LazyTexts(self._array.take(numbers))


def list_possible_integers(array: Any) -> Ints:
    """Return the rows whose text may spell an integer of 64 bits; others do not."""
    return list_marked(array, first="-0123456789", last="0123456789", longest=_MOST_DIGITS)


def take_texts(array: Any, rows: Ints) -> list[str]:
    """Return the texts in these rows."""
    texts: list[str] = array.take(rows).to_pylist()
    return texts


def join_arrays(arrays: Sequence[Any]) -> Any:
    """Return one array of the texts of several."""
    if len(arrays) == 1:
        return arrays[0]
    import pyarrow as pa  # noqa: PLC0415 - takes long to load, and where there are arrays it is

    return pa.concat_arrays(arrays)


def _view_bytes(array: Any) -> tuple[Ints, Ints, Any]:
    """Return where each text begins and ends, and the bytes of all."""
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    return bounds[:-1], bounds[1:], np.frombuffer(b"" if data is None else data, dtype=np.uint8)
