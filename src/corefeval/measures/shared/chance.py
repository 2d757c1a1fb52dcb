"""What entities of given sizes share by chance, if the mentions of a document are put in any order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeAlias

from corefeval._arrays import Floats, np
from corefeval._lazy import NamedTuple
from corefeval.measures.entropy import x_log_x

SizeCounts: TypeAlias = "list[tuple[int, int]]"
"""The sizes of a document's entities, and how many have each."""

_BATCH = 1 << 17  # pairs of sizes at a time, which bounds the memory
_NEGLIGIBLE = 1e-18  # of a sum: far below its rounding


class SizePairs(NamedTuple):
    """Pairs of sizes, of a key and a response entity of one document, and how many pairs of entities have them."""

    k: Floats
    r: Floats
    times: Floats
    mentions: Floats


def list_pairs(key: SizeCounts, response: SizeCounts, mentions: int) -> Iterator[SizePairs]:
    """Yield all pairs of sizes of a document in parts; singletons share at most one mention, which adds nothing."""
    (k, many), (r, times) = (_make_columns([each for each in side if each[0] > 1]) for side in (key, response))
    rows = max(1, _BATCH // max(1, len(r)))
    for begin in range(0, len(k), rows):
        ours, theirs = (each.reshape(-1) for each in np.broadcast_arrays(k[begin : begin + rows, None], r))
        both = (many[begin : begin + rows, None] * times).reshape(-1)
        yield SizePairs(ours, theirs, both, np.full(len(ours), float(mentions)))


def _make_columns(sizes: SizeCounts) -> tuple[Floats, Floats]:
    """Return two columns: the sizes, and how many entities have each."""
    columns = np.array(sizes, dtype=np.float64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def sum_expected(documents: Iterable[tuple[SizeCounts, SizeCounts, int]]) -> list[float]:
    """Return for each document, of sizes in key and response and its mentions, what Σ n log n is by chance."""
    listed = list(documents)
    sums: list[list[float]] = [[] for _ in listed]
    parts = ((document, pairs) for document, sizes in enumerate(listed) for pairs in list_pairs(*sizes))
    for batch in _make_batches(parts):
        columns = SizePairs(*map(np.concatenate, zip(*(pairs for _, pairs in batch), strict=True)))
        values = iter((columns.times * expect_shared(columns)).tolist())
        for document, pairs in batch:
            sums[document].append(math.fsum(islice(values, len(pairs.k))))
    return [math.fsum(parts) for parts in sums]


def _make_batches(parts: Iterable[tuple[int, SizePairs]]) -> Iterator[list[tuple[int, SizePairs]]]:
    """Yield lists of parts, most of which are small, that are worth to be computed together."""
    batch, size = [], 0
    for document, pairs in parts:
        batch.append((document, pairs))
        size += len(pairs.k)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def expect_shared(pairs: SizePairs) -> Floats:
    """Return the mean of n log n, for n mentions that sets of k and of r of a document's have in common."""
    # n is hypergeometric. From about its most likely value on, each probability is the one before times its odds.
    k, r, _, mentions = pairs
    lowest, highest = np.maximum(k + r - mentions, 0), np.minimum(k, r)
    start = np.clip(np.floor((k + 1) * (r + 1) / (mentions + 2)), lowest, highest)
    total, weight = x_log_x(start), np.ones(len(k))
    for step, end in ((1, highest), (-1, lowest)):
        left = np.flatnonzero(start != end)
        n, share = start[left], np.ones(len(left))
        while len(left):
            lower = n if step == 1 else n - 1
            ours, theirs = k[left], r[left]
            odds = (ours - lower) * (theirs - lower) / ((lower + 1) * (mentions[left] - ours - theirs + lower + 1))
            share = share * odds if step == 1 else share / odds
            n = n + step
            more = share * x_log_x(n)
            total[left] += more
            weight[left] += share
            is_small = (more < _NEGLIGIBLE * total[left]) & (share < _NEGLIGIBLE * weight[left])
            goes_on = (n != end[left]) & ~is_small
            left, n, share = left[goes_on], n[goes_on], share[goes_on]
    return total / weight
