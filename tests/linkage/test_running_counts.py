"""The counts in every state of a sweep are those of the table of that state."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from random import Random

import numpy as np
import pytest

from corefeval.linkage.exact_sums import sum_floats, sum_fractions
from corefeval.linkage.merging import Merges, merge_records
from corefeval.linkage.running_counts import LINEAR, RunningCounts, count_states, is_linear
from corefeval.measures.registry import parse
from corefeval.overlap.views import Views
from tests.rounds import few_or_many

FRACTIONS = ("bcub", "lea", "entropy")
"""Measures whose counts are no whole numbers."""


def draw_merges(random: Random) -> tuple[Merges, list[tuple[int, int, int]]]:
    """Draw a few records, some without a key entity, key entities with records that the response lacks, and pairs.

    There are ties, pairs of a record with itself, and pairs that are there twice, in either order.
    """
    records, entities, states = random.randint(1, 14), random.randint(1, 6), random.randint(2, 8)
    key = np.array([random.choice([-1, *range(entities)]) for _ in range(records)])
    missing = np.array([random.choice([0, 0, 1]) for _ in range(entities)], dtype=np.int64)
    size = np.maximum(np.bincount(key[key >= 0], minlength=entities) + missing, 1)
    pairs = [
        (random.randrange(records), random.randrange(records), random.randint(1, states - 1))
        for _ in range(random.randint(0, 20))
    ]
    left, right, state = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
    return merge_records(left, right, state, states, key, size), pairs


def close(records: int, pairs: list[tuple[int, int, int]], state: int) -> set[frozenset[int]]:
    """The closure of the pairs of a state, slowly."""
    groups = [{record} for record in range(records)]
    for a, b, first in pairs:
        if first <= state:
            joined = {record for group in groups if a in group or b in group for record in group}
            groups = [group for group in groups if a not in group and b not in group] + [joined]
    return set(map(frozenset, groups))


@few_or_many(100, 5000)
def test_entities_of_a_state_are_the_closure_of_its_pairs(rounds: int) -> None:
    for seed in range(rounds):
        merges, pairs = draw_merges(Random(seed))
        for state in range(merges.states):
            entity = merges.find_entities(state)
            groups = {frozenset(np.flatnonzero(entity == each).tolist()) for each in set(entity.tolist())}
            assert groups == close(len(entity), pairs, state), seed


@few_or_many(100, 5000)
def test_counts_of_every_state_are_those_of_its_table(rounds: int) -> None:
    for seed in range(rounds):
        merges, _ = draw_merges(Random(seed))
        run = RunningCounts(merges)
        tables = [Views(merges.build_table(state)) for state in range(merges.states)]
        for name in LINEAR:
            measure = parse(name)
            columns = count_states(measure, run)
            expected = [measure.count(each) for each in tables]
            for column, values in columns.items():
                wanted = [float(each[column]) for each in expected]
                tolerance = 1e-12 * np.maximum(1, np.abs(wanted)) if name in FRACTIONS else 0
                assert (np.abs(values - wanted) <= tolerance).all(), (seed, name, column)


@few_or_many(40, 2000)
def test_sums_of_fractions_are_rounded_once(rounds: int) -> None:
    for seed in range(rounds):
        random = Random(seed)
        terms = [Fraction(random.randint(1, 2 ** random.randint(1, 40)), random.randint(1, 2**30)) for _ in range(60)]
        terms += [-term for term in random.sample(terms, 20)]
        more = [random.randint(0, 100) for _ in range(len(terms) + 1)]
        parts = "numerator", "denominator"
        numerator, denominator = (np.array([getattr(term, part) for term in terms]) for part in parts)
        sums = sum_fractions(numerator, denominator, np.arange(len(terms) + 1), np.array(more))
        running = accumulate(terms, initial=Fraction(0))
        assert sums.tolist() == [float(total + own) for total, own in zip(running, more, strict=True)], seed


def test_a_sum_halfway_between_two_floats_is_rounded_as_python_does() -> None:
    # 2**52 + 1/2 lies between two floats, and so do the sums of thirds around it that no limb can hold.
    numerator, denominator = np.array([2**52, 1, 1, 1, -1]), np.array([1, 2, 3, 6, 2**30])
    exact = [Fraction(int(a), int(b)) for a, b in zip(numerator, denominator, strict=True)]
    sums = sum_fractions(numerator, denominator, np.arange(6))
    assert sums.tolist() == [float(sum(exact[:end], Fraction(0))) for end in range(6)]


def test_sums_of_floats_are_rounded_once() -> None:
    values = np.array([1.1, 2.3, 0.0, -1.7, 1e9 + 0.1, -1e9 - 0.1])
    sums = sum_floats(values, np.arange(7))
    assert sums.tolist() == [float(sum(map(Fraction, values[:end].tolist()), Fraction(0))) for end in range(7)]


@pytest.mark.parametrize(
    ("measure", "linear"),
    [
        ("bcub", True),
        ("bcub:twinless=keep,undefined=1", True),
        ("bcub:weight=entity", False),
        ("bcub:twinless=cai_strube", False),
        ("blanc:alpha=0.2,boundary=both", True),
        ("blanc:mentions=shared", False),
        ("lea:beta=2", True),
        ("mentions:match=strict", False),
        ("ceafe", False),
        ("conll", False),
    ],
)
def test_a_measure_is_linear_with_parameters_that_leave_its_counts_as_they_are(measure: str, linear: bool) -> None:
    assert is_linear(parse(measure)) == linear
