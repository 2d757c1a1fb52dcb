"""Resamples of documents as rows of weights, and the counts summed up with them.

Weights are made in blocks, so that memory stays bounded; each block has a random stream of its own, so that the same
seed gives the same rows however many workers there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.comparison.systems import SystemSamples
    from corefeval.measures import Measure

MOST_FOR_ALL_SWAPS = 20
"""Up to how many differing documents all possible swaps are tried."""
_BLOCK_CELLS = 1 << 19  # weights in one block: 4 megabytes
_CACHE_CELLS = 1 << 16  # weights drawn at once: these stay in the processor's cache
_BLOCK_DOCUMENTS = 13  # documents whose subsets make one block
_DRAWN, _SWAPPED, RUNS = range(3)  # purposes of random numbers; each has streams of its own
_UNTHREADED = 1 << 18  # multiplications up to which OpenBLAS starts no threads, which spin after every product
_PRODUCT_ROWS = 32


@dataclass(frozen=True, slots=True)
class ResamplingPlan:
    """How many resamples, from which seed, and the number of each document's stratum if draws stay within strata."""

    resamples: int
    seed: int
    strata: Ints | None = None


def draw_documents(documents: int, plan: ResamplingPlan) -> Iterator[Floats]:
    """Yield blocks of bootstrap weights: how often each document (column) is drawn in each resample (row).

    As many documents as there are, with replacement; within each stratum if there are strata.
    """
    strata = np.zeros(documents, dtype=np.int64) if plan.strata is None else plan.strata
    groups = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata).tolist()]
    for rows, random in _split_blocks(documents, plan, _DRAWN):
        if len(groups) == 1:
            yield _draw_block(rows, documents, random)
            continue
        weights = np.empty((rows, documents))
        for group in groups:
            weights[:, group] = _draw_block(rows, len(group), random)
        yield weights


def _draw_block(rows: int, documents: int, random: np.random.Generator) -> Floats:
    weights = np.empty((rows, documents))
    step = max(1, _CACHE_CELLS // documents)
    first = np.arange(0, step * documents, documents)[:, np.newaxis]
    for start in range(0, rows, step):
        part = weights[start : start + step]
        chosen = random.integers(0, documents, size=part.shape)
        # Numbers of cells instead of documents, so that one bincount counts the draws of all rows.
        chosen += first[: len(part)]
        part[:] = np.bincount(chosen.reshape(-1), minlength=part.size).reshape(part.shape)
    return weights


def swap_documents(documents: int, plan: ResamplingPlan) -> Iterator[Floats]:
    """Yield blocks of random swaps: 1 for each document (column) that two systems exchange, 0 for the others."""
    for rows, random in _split_blocks(documents, plan, _SWAPPED):
        bits = np.unpackbits(np.frombuffer(random.bytes(rows * -(-documents // 8)), dtype=np.uint8))
        yield bits.reshape(rows, -1)[:, :documents].astype(np.float64)


def sum_all_subsets(counts: Floats) -> Iterator[Floats]:
    """Yield blocks of columns, each the sum of the rows in one subset, for every subset that lacks the last row.

    A subset and its complement exchange the same two systems, so one of the two is enough.
    """
    free = counts[:-1]
    small = _sum_subsets(free[:_BLOCK_DOCUMENTS])
    for more in _sum_subsets(free[_BLOCK_DOCUMENTS:]).T:
        yield small + more[:, np.newaxis]


def _sum_subsets(counts: Floats) -> Floats:
    """Return the sums over all subsets of rows as columns: each row doubles them, without it and with it."""
    sums = np.zeros((counts.shape[1], 1))
    for row in counts:
        sums = np.concatenate([sums, sums + row[:, np.newaxis]], axis=1)
    return sums


def _split_blocks(documents: int, plan: ResamplingPlan, purpose: int) -> Iterator[tuple[int, np.random.Generator]]:
    """Yield the number of rows of each block, and its random numbers."""
    step = max(1, _BLOCK_CELLS // max(1, documents))
    starts = range(0, plan.resamples, step)
    streams = np.random.SeedSequence([plan.seed, purpose]).spawn(len(starts))
    for start, stream in zip(starts, streams, strict=True):
        yield min(step, plan.resamples - start), np.random.Generator(np.random.PCG64(stream))


class StackedCounts:
    """The counts of systems by measures, stacked for one matrix product; columns that they share are stacked once."""

    def __init__(self, systems: Sequence[SystemSamples], selected: Iterable[tuple[int, Measure]]) -> None:
        contents: dict[bytes, int] = {}
        self._positions = {
            (number, measure): [
                [contents.setdefault(column.tobytes(), len(contents)) for column in sample.counts.T]
                for sample in systems[number].samples[measure]
            ]
            for number, measure in selected
        }
        self._counts = np.array([np.frombuffer(content) for content in contents])
        self.documents = int(self._counts.shape[1])

    def sum_counts(self, weights: Floats) -> Iterator[tuple[tuple[int, Measure], list[Floats]]]:
        """Yield a system's number, a measure, and for each run its counts summed up with each row of weights."""
        product = _multiply_in_parts(self._counts, weights.T)
        for selected, runs in self._positions.items():
            yield selected, [product[own].T for own in runs]


def _multiply_in_parts(counts: Floats, weights: Floats) -> Floats:
    """Return the matrix product, computed in parts too small for threads, whose waiting would cost more."""
    product = np.empty((len(counts), weights.shape[1]))
    step = max(1, _UNTHREADED // (_PRODUCT_ROWS * max(1, len(weights))))
    for row in range(0, len(counts), _PRODUCT_ROWS):
        for column in range(0, weights.shape[1], step):
            part = np.s_[row : row + _PRODUCT_ROWS, column : column + step]
            np.matmul(counts[part[0]], weights[:, part[1]], out=product[part])
    return product
