"""The counts of many samples for one matrix product, each column once: measures share most of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.arrays import Floats
    from corefeval.statistics.sample import Sample


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
        product = self._counts @ weights.T
        return (product[own].T for own in self._places)
