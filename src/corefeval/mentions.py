"""What identifies a mention: a column of spans, of labels, or of any Python objects.

A corpus keeps its mentions as one such column. Two columns are brought together by giving equal mentions equal numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from corefeval.arrays import Ints


class Spans:
    """First and last word of every mention, counted from 0 over its document."""

    __slots__ = ("end", "start")

    def __init__(self, start: Ints, end: Ints) -> None:
        self.start, self.end = start, end

    def __len__(self) -> int:
        return len(self.start)

    def take(self, index: Ints) -> Spans:
        """The entries at these places."""
        return Spans(self.start[index], self.end[index])

    def objects(self) -> list[Hashable]:
        """Pairs (start, end)."""
        return list(zip(self.start.tolist(), self.end.tolist(), strict=True))


class Labels:
    """An array of integers or strings."""

    __slots__ = ("values",)

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def take(self, index: Ints) -> Labels:
        """The entries at these places."""
        return Labels(self.values[index])

    def objects(self) -> list[Hashable]:
        """Python integers or strings."""
        objects: list[Hashable] = self.values.tolist()
        return objects


class Objects:
    """Any hashable objects."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Hashable]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def take(self, index: Ints) -> Objects:
        """The entries at these places."""
        return Objects([self.values[i] for i in index.tolist()])

    def objects(self) -> list[Hashable]:
        """The objects."""
        return list(self.values)


MentionColumn: TypeAlias = Spans | Labels | Objects
"""One entry per mention."""


def joined(columns: Sequence[MentionColumn]) -> MentionColumn:
    """Columns one after another."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, Spans) for column in columns):
        spans = [column for column in columns if isinstance(column, Spans)]
        return Spans(np.concatenate([s.start for s in spans]), np.concatenate([s.end for s in spans]))
    return Objects([entry for column in columns for entry in column.objects()])


def numbered(
    key: MentionColumn, response: MentionColumn, key_document: Ints, response_document: Ints
) -> tuple[Ints, Ints]:
    """Numbers that are equal exactly for equal mentions of the same document."""
    if isinstance(key, Spans) and isinstance(response, Spans):
        numbers = _number_spans(key, response)
    elif isinstance(key, Labels) and isinstance(response, Labels):
        numbers = _number_labels(key.values, response.values)
    else:
        numbers = _number_objects(key.objects(), response.objects())
    if key_document.max(initial=0) == 0 and response_document.max(initial=0) == 0:
        return numbers
    return _fuse(numbers, (key_document, response_document))


def _fuse(major: tuple[Ints, Ints], minor: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """One number for two, as small as possible."""
    width = 1 + max((int(column.max()) for column in minor if len(column)), default=0)
    height = 1 + max((int(column.max()) for column in major if len(column)), default=0)
    if width * height >= 2**62:
        major = _number_labels(*major)
    return major[0] * width + minor[0], major[1] * width + minor[1]


def _number_spans(key: Spans, response: Spans) -> tuple[Ints, Ints]:
    return _fuse((key.start, response.start), (key.end - key.start, response.end - response.start))


def _number_labels(key: NDArray[Any], response: NDArray[Any]) -> tuple[Ints, Ints]:
    if key.dtype.kind == response.dtype.kind == "i":
        present = [column for column in (key, response) if len(column)]
        low = min((int(column.min()) for column in present), default=0)
        high = max((int(column.max()) for column in present), default=0)
        if low >= 0 and high < 2**62:
            return key.astype(np.int64, copy=False), response.astype(np.int64, copy=False)
        if high - low < 2**62 and high < 2**63:
            return key.astype(np.int64) - low, response.astype(np.int64) - low
    elif key.dtype.kind != response.dtype.kind:
        # NumPy would turn integers of different kinds into floating-point numbers, and numbers into strings.
        return _number_objects(key.tolist(), response.tolist())
    number = np.unique(np.concatenate([key, response]), return_inverse=True)[1].reshape(-1)
    return number[: len(key)], number[len(key) :]


def _number_objects(key: Sequence[Hashable], response: Sequence[Hashable]) -> tuple[Ints, Ints]:
    seen: dict[Hashable, int] = {}
    try:
        numbers = [[seen.setdefault(entry, len(seen)) for entry in side] for side in (key, response)]
    except TypeError as error:
        what = f"a mention cannot be hashed ({error})"
        raise InputError(Fault("input", what, "numbers, strings or tuples", "turn lists into tuples")) from None
    return np.array(numbers[0], dtype=np.int64), np.array(numbers[1], dtype=np.int64)
