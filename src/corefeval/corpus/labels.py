"""Columns of labels: arrays that say, row by row, which document, mention or entity is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from corefeval._arrays import Ints


def read_label_column(name: str, values: ArrayLike) -> NDArray[Any]:
    """Labels as an array of integers or strings; `name` says in messages what they are."""
    if np.ma.is_masked(values):
        raise InputError(Fault("labels", f"{name} has masked values", "a label for every row", "drop those rows first"))
    try:
        labels = np.asarray(values)
    except ValueError as error:
        raise InputError(Fault("labels", f"{name} is not a column ({error})", "one dimension")) from None
    if labels.ndim != 1:
        raise InputError(Fault("labels", f"{name} has {labels.ndim} dimensions", "one"))
    if labels.dtype.kind == "O" or (labels.dtype.kind == "U" and not hasattr(values, "dtype")):
        labels = _plain(name, list(values))  # type: ignore[arg-type]
    if labels.dtype.kind == "b" or (labels.dtype.kind in "iu" and (labels.size == 0 or labels.max() < 2**63)):
        labels = labels.astype(np.int64, copy=False)
    if labels.dtype.kind not in "iuUST":
        if len(labels):
            raise InputError(Fault("labels", f"{name} is of type {labels.dtype}", "integers or strings"))
        labels = labels.astype(np.int64)
    return labels


def _plain(name: str, entries: list[Any]) -> NDArray[Any]:
    """Objects as an array of integers or strings, if that is what they are: NumPy would make strings of anything."""
    kinds = {str if issubclass(kind, str) else kind for kind in map(type, entries)}
    if kinds <= {int} or kinds == {str}:
        return np.array(entries, dtype=None if entries else np.int64)
    described = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise InputError(Fault("labels", f"{name} mixes {described}", "integers or strings", "drop missing values first"))


def check_same_length(mention: NDArray[Any], other: NDArray[Any], name: str) -> None:
    """Complain unless there is a label for every mention."""
    if len(mention) != len(other):
        raise InputError(Fault("labels", f"{len(mention)} mentions but {len(other)} labels for {name}", "one for each"))


def number_by_first_occurrence(labels: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    """The distinct labels in the order in which they come, and for every row the number of its label."""
    if labels.dtype.kind in "iu" and len(labels):
        low, high = int(labels.min()), int(labels.max())
        if high - low < 4 * len(labels) + 1024:
            return _first_come_dense(labels, low, high)
    found, first, number = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return found[order], invert_permutation(order)[number.reshape(-1)]


def _first_come_dense(labels: NDArray[Any], low: int, high: int) -> tuple[NDArray[Any], Ints]:
    """The same for integers that lie close together, without sorting the rows."""
    shifted = labels.astype(np.int64, copy=False)
    if low:
        shifted = shifted - low
    first = np.full(high - low + 1, -1, dtype=np.int64)
    first[shifted[::-1]] = np.arange(len(labels) - 1, -1, -1)
    order = np.sort(first[first >= 0])
    number = first
    number[shifted[order]] = np.arange(len(order))
    return labels[order], number[shifted]


def invert_permutation(order: Ints) -> Ints:
    """The inverse of a permutation."""
    inverse = np.empty(len(order), dtype=np.int64)
    inverse[order] = np.arange(len(order))
    return inverse
