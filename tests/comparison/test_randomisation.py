"""Randomisation tests: every swap counted, ties and all."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

import corefeval
from corefeval import Runs
from corefeval.comparison.significance import MOST_FOR_ALL_SWAPS
from tests.comparison import worlds

KEY = worlds.key(40, 11)

A, B, C = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.3, 1), (0.35, 2), (0.6, 3)))


GOOD, FAIR, POOR = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.1, 1), (0.12, 2), (0.7, 3)))


@pytest.mark.parametrize("documents", [MOST_FOR_ALL_SWAPS, MOST_FOR_ALL_SWAPS + 1])
def test_all_swaps_are_tried_where_twenty_documents_differ_and_no_more(documents: int) -> None:
    mixed = {name: (C if place < documents else A)[name] for place, name in enumerate(KEY)}
    differ = sum(
        corefeval.score({name: KEY[name]}, {name: A[name]})["ceafe"].values
        != corefeval.score({name: KEY[name]}, {name: C[name]})["ceafe"].values
        for name in list(KEY)[:documents]
    )
    assert differ == documents
    (found,) = corefeval.compare(KEY, {"a": A, "c": mixed}, measures="ceafe", resamples=300).comparisons
    assert found.exact == (documents <= MOST_FOR_ALL_SWAPS)
    assert found.tried == (2**documents if found.exact else 300)
    assert found.resolution == (2 / 2**documents if found.exact else 1 / 301)
    assert found.p >= found.resolution


def test_swaps_that_make_the_same_difference_count_whatever_their_sums_round_to() -> None:
    """Three kinds of documents, four of each, half of them the wrong way round: most swaps have many equals.

    Expected from whole numbers: how many documents of each kind are swapped decides the difference.
    """
    few = worlds.key(3, 5, largest=60)
    better, worse = (worlds.disturbed(few, 0.3, seed) for seed in (1, 2))
    copies = [(f"{name}/{copy}", name, copy) for name in few for copy in range(4)]
    key = {copy: few[name] for copy, name, _ in copies}
    a, b = (
        {copy: (one if number % 2 else other)[name] for copy, name, number in copies}
        for one, other in ((better, worse), (worse, better))
    )
    measures = ("bcub", "ceafe", "lea", "conll", "entropy", "adjusted_rand")
    for found in corefeval.compare(key, {"a": a, "b": b}, measures=measures, resamples=100).comparisons:
        # As many documents of each kind are the one way round as the other: the two systems are alike in all.
        assert found.difference == pytest.approx(0, abs=1e-12)
        assert found.p == 1, found.measure
    b_again = {copy: (worse if number < 3 else better)[name] for copy, name, number in copies}
    a_again = {copy: (better if number < 3 else worse)[name] for copy, name, number in copies}
    again = corefeval.compare(key, {"a": a_again, "b": b_again}, measures=measures, resamples=100).comparisons
    expected = _by_kinds(few, better, worse, measures)
    assert {found.measure: found.p for found in again} == pytest.approx(expected)


def _by_kinds(key: worlds.World, one: worlds.World, other: worlds.World, measures: tuple[str, ...]) -> dict[str, float]:
    """p where of each kind one document of four is the other way round, from the 5³ differences that there are."""
    values = {}
    for swapped in product(range(5), repeat=len(key)):
        sides = []
        for x, y in ((one, other), (other, one)):
            places = [(name, copy, copy < count) for name, count in zip(key, swapped, strict=True) for copy in range(4)]
            response = {f"{name}/{copy}": (x if first_documents else y)[name] for name, copy, first_documents in places}
            whole = {f"{name}/{copy}": key[name] for name, copy, _ in places}
            found = corefeval.score(whole, response, measures=measures)
            sides.append(np.array([found[measure].main for measure in measures]))
        values[swapped] = np.abs(sides[0] - sides[1])
    ways = {swapped: float(np.prod([(1, 4, 6, 4, 1)[count] for count in swapped])) for swapped in values}
    observed = values[(3,) * len(key)]
    hits = sum(ways[each] * (value >= observed - 1e-9) for each, value in values.items())
    return dict(zip(measures, (hits / 2 ** (4 * len(key))).tolist(), strict=True))


@pytest.mark.parametrize("measure", ["bcub", "ceafe", "blanc", "lea", "conll", "entropy"])
@pytest.mark.parametrize(("better", "documents"), [(15, 20), (13, 19), (17, 22), (30, 41)])
def test_of_equal_documents_it_is_the_sign_test(measure: str, better: int, documents: int) -> None:
    """One system is better on some documents, the other on the rest, by the same: p is the binomial one, ties and all.

    Without the swaps that make just the observed difference p would be a third of it, or less.
    """
    key = {f"d{number:02}": [[1, 2, 3, 4, 5], [6, 7, 8], [9, 10, 11]] for number in range(documents)}
    good, poor = [[1, 2, 3, 4, 5], [6, 7], [8, 9, 10, 11]], [[1, 2, 3], [4, 5, 6, 7, 8, 9], [10], [11]]
    a, b = (
        {name: one if place < better else other for place, name in enumerate(key)}
        for one, other in ((good, poor), (poor, good))
    )
    (found,) = corefeval.compare(key, {"a": a, "b": b}, measures=measure, resamples=20_000).comparisons
    expected = scipy.stats.binomtest(better, documents).pvalue
    assert found.exact == (documents <= MOST_FOR_ALL_SWAPS)
    assert found.p == pytest.approx(expected, abs=1e-12 if found.exact else 4 * (expected / 20_000) ** 0.5)
    assert {found.wins, found.losses} == {better, documents - better}


def test_exchanging_all_runs_of_two_systems_is_exact_too() -> None:
    """Two runs each on eight documents, against an enumeration of all swaps that scores every corpus."""
    names = list(KEY)[:8]
    key, *worlds_ = ({name: world[name] for name in names} for world in (KEY, GOOD, POOR, FAIR, POOR))
    a, b = worlds_[:2], worlds_[2:]
    found = corefeval.compare(key, {"a": Runs(a), "b": Runs(b)}, measures="bcub", resamples=100).comparisons[0]
    hits = 0
    for number in range(1 << 8):
        swap = {name: number >> place & 1 for place, name in enumerate(names)}
        differences = []
        for x, y in zip(a, b, strict=True):
            first = {name: (y if swap[name] else x)[name] for name in names}
            second = {name: (x if swap[name] else y)[name] for name in names}
            after, before = (corefeval.score(key, world, measures="bcub")["bcub"].f1 for world in (second, first))
            differences.append(after - before)
        hits += int(abs(np.mean(differences)) >= abs(found.difference) - 1e-12)
    assert found.exact
    assert found.p == pytest.approx(hits / (1 << 8))
