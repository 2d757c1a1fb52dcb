"""Rows of weights: documents drawn with replacement, and documents swapped between two systems.

They are made in blocks, so that memory stays bounded, and each block has a random stream of its own, so that the same
seed gives the same rows however many workers there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Floats, Ints

_CELLS = 1 << 19  # of a block of weights: 4 megabytes
_CACHED = 1 << 16  # of what is made at once: it stays in the processor's cache
_LOW = 13  # documents whose subsets make one block
EXACT = 20
"""Up to how many documents that differ all swaps are tried."""
_DRAWN, _SWAPPED, RUNS = range(3)  # what random numbers are for: they have nothing to do with each other


class Plan(NamedTuple):
    """How many resamples, from which seed, and which documents are drawn among themselves (strata)."""

    resamples: int
    seed: int
    strata: Ints | None = None


def drawn(documents: int, plan: Plan) -> Iterator[Floats]:
    """Blocks of weights: how often each document is drawn, with replacement, as many as there are (in each stratum)."""
    strata = np.zeros(documents, dtype=np.int64) if plan.strata is None else plan.strata
    groups = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata).tolist()]
    for rows, random in _blocks(documents, plan, _DRAWN):
        if len(groups) == 1:
            yield _drawn(rows, documents, random)
            continue
        weights = np.empty((rows, documents))
        for group in groups:
            weights[:, group] = _drawn(rows, len(group), random)
        yield weights


def _drawn(rows: int, documents: int, random: np.random.Generator) -> Floats:
    weights = np.empty((rows, documents))
    step = max(1, _CACHED // documents)
    first = np.arange(0, step * documents, documents)[:, np.newaxis]
    for start in range(0, rows, step):
        part = weights[start : start + step]
        chosen = random.integers(0, documents, size=part.shape)
        chosen += first[: len(part)]
        part[:] = np.bincount(chosen.reshape(-1), minlength=part.size).reshape(part.shape)
    return weights


def swapped(documents: int, plan: Plan) -> Iterator[Floats]:
    """Blocks of swaps: 1 for each document that two systems exchange, 0 for the others."""
    for rows, random in _blocks(documents, plan, _SWAPPED):
        bits = np.unpackbits(np.frombuffer(random.bytes(rows * -(-documents // 8)), dtype=np.uint8))
        yield bits.reshape(rows, -1)[:, :documents].astype(np.float64)


def every_sum(counts: Floats) -> Iterator[Floats]:
    """Blocks of columns: the sums of the rows over every subset of them.

    Of a subset and what it leaves out, which exchange the same two systems, there is only one: without the last row.
    """
    free = counts[:-1]
    small = _subset_sums(free[:_LOW])
    for more in _subset_sums(free[_LOW:]).T:
        yield small + more[:, np.newaxis]


def _subset_sums(counts: Floats) -> Floats:
    sums = np.zeros((counts.shape[1], 1))
    for row in counts:
        sums = np.concatenate([sums, sums + row[:, np.newaxis]], axis=1)
    return sums


def _blocks(documents: int, plan: Plan, purpose: int) -> Iterator[tuple[int, np.random.Generator]]:
    step = max(1, _CELLS // max(1, documents))
    starts = range(0, plan.resamples, step)
    streams = np.random.SeedSequence([plan.seed, purpose]).spawn(len(starts))
    for start, stream in zip(starts, streams, strict=True):
        yield min(step, plan.resamples - start), np.random.Generator(np.random.PCG64(stream))
