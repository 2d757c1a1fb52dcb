"""NumPy for modules that describe themselves without it.

`corefeval measures` reads names, formulas and citations from the measures' modules, `corefeval profiles` decisions and
notes from the profiles', and those must not load NumPy for that. `np` here is NumPy itself from its first use on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy  # noqa: ICN001 - an assignment exports it
    from numpy.typing import NDArray

    np = numpy
    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Booleans: TypeAlias = NDArray[np.bool_]
    Array: TypeAlias = NDArray[Any]  # of integers or of floating-point numbers
else:
    import importlib
    from types import ModuleType

    class _UnloadedModule(ModuleType):
        """A module that is loaded at its first use, and from then on as fast as one that was imported."""

        def __getattr__(self, name):
            loaded = importlib.import_module(self.__name__)
            self.__dict__.update(loaded.__dict__)
            self.__class__ = ModuleType
            return getattr(loaded, name)

    np = _UnloadedModule("numpy")
    Ints = Floats = Booleans = Array = object

Value = TypeVar("Value")
Number: TypeAlias = int | float
ByDocument: TypeAlias = Any
"""An array with a number for each document; where there is one document only, the plain number."""

Columns: TypeAlias = dict[str, ByDocument]

_CHUNK = 2**16  # rows that caches hold


def number_by_first_occurrence(labels: Array) -> tuple[Array, Ints]:
    """Return two columns: the distinct labels by first occurrence, and for every row its label's index in these."""
    if labels.dtype.kind in "iu" and len(labels):
        low, high = int(labels.min()), int(labels.max())
        if high - low < 4 * len(labels) + 1024:
            return _number_close_integers(labels, low, high)
    found, first, number = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return found[order], invert_permutation(order)[number.reshape(-1)]


def number_values(values: Iterable[Value]) -> tuple[list[Value], Ints]:
    """Return a list of the distinct values by first occurrence, and an array: for every value its index in the list."""
    numbers: defaultdict[Value, int] = defaultdict(count().__next__)
    number = np.fromiter(map(numbers.__getitem__, values), dtype=np.int64)
    return list(numbers), number


def _number_close_integers(labels: Array, low: int, high: int) -> tuple[Array, Ints]:
    """Return the distinct labels (`low` to `high`) by first occurrence, and for each row its label's index in these."""
    shifted = labels.astype(np.int64, copy=False)
    if low:
        shifted = shifted - low
    first = np.full(high - low + 1, -1, dtype=np.int64)
    for start in range(len(labels) - len(labels) % _CHUNK, -1, -_CHUNK):  # from the end, so that the first row stays
        part = shifted[start : start + _CHUNK]
        first[part[::-1]] = np.arange(start + len(part) - 1, start - 1, -1)
    order = np.sort(first[first >= 0])
    number = first
    number[shifted[order]] = np.arange(len(order))
    return labels[order], number[shifted]


def invert_permutation(order: Ints) -> Ints:
    """Return the inverse of a permutation: for every number from 0 on, its position in `order`."""
    inverse = np.empty(len(order), dtype=np.int64)
    inverse[order] = np.arange(len(order))
    return inverse
