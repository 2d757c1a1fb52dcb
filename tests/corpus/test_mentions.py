"""Columns of spans."""

from __future__ import annotations

import random

import numpy as np
import pytest

from corefeval.corpus.mentions import Spans


def depths(spans: list[tuple[int, int]], groups: list[int]) -> list[int]:
    start, end = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    return Spans(start, end).measure_depth(np.array(groups, dtype=np.int64)).tolist()


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 5), (3, 8), (6, 7)], [0, 0, 1]),  # the first two cross
        ([(0, 5), (0, 5), (1, 2)], [0, 0, 2]),  # equal spans are not within each other
        ([(2, 2), (0, 9), (0, 3), (9, 9)], [2, 0, 1, 1]),
        ([], []),
    ],
)
def test_a_mention_is_as_deep_as_there_are_larger_ones_around_it(
    spans: list[tuple[int, int]], expected: list[int]
) -> None:
    assert depths(spans, [0] * len(spans)) == expected


def test_depths_are_those_that_comparing_all_with_all_gives() -> None:
    rng = random.Random(6)
    for _ in range(300):
        places = [sorted((rng.randrange(12), rng.randrange(12))) for _ in range(rng.randint(0, 25))]
        spans = [(first, last) for first, last in places]
        groups = [rng.randrange(3) for _ in spans]
        expected = [
            sum(
                there == group and other != span and other[0] <= span[0] and span[1] <= other[1]
                for other, there in zip(spans, groups, strict=True)
            )
            for span, group in zip(spans, groups, strict=True)
        ]
        assert depths(spans, groups) == expected
