"""The counts of many samples for one matrix product, each column once: measures share most of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Floats
    from corefeval.comparison.sample import Sample


_UNTHREADED = 1 << 18  # multiplications up to which OpenBLAS starts no threads, which spin after every product
_COLUMNS = 32


class Stack:
    """Columns of counts, one under another, and which of them each sample has."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        columns: list[Floats] = []
        place: dict[bytes, int] = {}
        self._places: list[list[int]] = []
        for sample in samples:
            own = []
            for column in sample.counts.T:
                key = column.tobytes()
                if key not in place:
                    place[key] = len(columns)
                    columns.append(column)
                own.append(place[key])
            self._places.append(own)
        self._counts = np.array(columns)

    @property
    def documents(self) -> int:
        """How many documents were counted."""
        return int(self._counts.shape[1])

    def sums(self, weights: Floats) -> Iterator[Floats]:
        """For every sample its counts summed up with every row of weights: a row for each of those."""
        product = _product(self._counts, weights.T)
        return (product[own].T for own in self._places)


def _product(counts: Floats, weights: Floats) -> Floats:
    """The matrix product, in parts: it takes half a millisecond, and waiting threads would take many."""
    found = np.empty((len(counts), weights.shape[1]))
    step = max(1, _UNTHREADED // (_COLUMNS * max(1, len(weights))))
    for row in range(0, len(counts), _COLUMNS):
        for column in range(0, weights.shape[1], step):
            part = np.s_[row : row + _COLUMNS, column : column + step]
            np.matmul(counts[part[0]], weights[:, part[1]], out=found[part])
    return found
