"""Corrections, ranks, letters and Kendall's τ, against published examples and SciPy."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
import scipy.stats

from corefeval.comparison.ranking import assign_letters, correlate_ranks, rank_systems
from corefeval.comparison.significance import correct_p_values

# Benjamini & Hochberg 1995, section 4.1: fifteen p-values; at 0.05 their procedure rejects four, Bonferroni's three.
PUBLISHED = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]  # fmt: skip


def test_benjamini_and_hochbergs_own_example() -> None:
    assert sum(p <= 0.05 for p in correct_p_values(PUBLISHED, "bh")) == 4
    assert sum(p <= 0.05 for p in correct_p_values(PUBLISHED, "holm")) == 3
    assert sum(p <= 0.05 for p in correct_p_values(PUBLISHED, "none")) == 9


def test_bh_equals_scipy_whatever_the_order() -> None:
    rng = random.Random(1)
    for _ in range(50):
        p = [rng.random() ** 3 for _ in range(rng.randint(1, 20))]
        assert correct_p_values(p, "bh") == pytest.approx(scipy.stats.false_discovery_control(p, method="bh").tolist())


def test_holms_steps() -> None:
    """Holm 1979: the smallest of n p-values times n, the next times n - 1, and never less than the one before."""
    assert correct_p_values([0.01, 0.04, 0.03, 0.005], "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_systems_without_a_significant_difference_share_a_rank() -> None:
    scores = [0.70, 0.69, 0.65, 0.50]
    different = {(0, 2): True, (0, 3): True, (1, 3): True, (2, 3): True, (0, 1): False, (1, 2): False}
    assert rank_systems(scores, different) == [1, 1, 2, 4]
    assert assign_letters(scores, different) == ["a", "ab", "b", "c"]


# Moosavi & Strube 2016, table 5: LEA of the systems of CoNLL-2012, with the ranks that are printed behind it.
LEA_TABLE_5 = {
    "fernandes": (53.28, 1), "martschat": (49.99, 2), "bjorkelund": (49.98, 2), "chang": (48.50, 4), "chen": (46.24, 6),
    "chunyuang": (45.84, 6), "shou": (43.97, 8), "yuan": (44.76, 8), "xu": (46.83, 5), "uryupina": (41.15, 10),
    "songyang": (41.25, 10), "zhekova": (29.98, 12), "xinxin": (29.22, 12), "li": (27.32, 14),
}  # fmt: skip


def test_ranks_are_those_of_the_lea_papers_table() -> None:
    """Those who share a rank there do not differ significantly; all others do."""
    scores, printed = zip(*LEA_TABLE_5.values(), strict=True)
    different = {(i, j): printed[i] != printed[j] for i, j in combinations(range(len(printed)), 2)}
    assert rank_systems(scores, different) == list(printed)


def test_two_systems_share_a_letter_exactly_if_they_do_not_differ() -> None:
    rng = random.Random(2)
    for _ in range(200):
        count = rng.randint(2, 8)
        scores = [rng.random() for _ in range(count)]
        different = {pair: rng.random() < 0.5 for pair in combinations(range(count), 2)}
        found = assign_letters(scores, different)
        for (one, other), differ in different.items():
            assert bool(set(found[one]) & set(found[other])) is not differ


def test_there_are_letters_for_any_number_of_systems() -> None:
    found = assign_letters([float(-number) for number in range(60)], dict.fromkeys(combinations(range(60), 2), True))
    assert found[:3] == ["a", "b", "c"]
    assert found[25:28] == ["z", "aa", "ab"]
    assert len(set(found)) == 60


def test_kendalls_tau_equals_scipy() -> None:
    rng = random.Random(3)
    for _ in range(100):
        one, other = ([rng.randint(0, 5) for _ in range(7)] for _ in range(2))
        expected = scipy.stats.kendalltau(one, other).statistic
        found = correlate_ranks(one, other)
        assert found == (pytest.approx(expected) if expected == expected else None)
