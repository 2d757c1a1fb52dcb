"""Groups of documents from which resamples take as many as there are."""

from __future__ import annotations

import numpy as np
import pytest

import corefeval
from corefeval import OptionError
from corefeval.comparison.bootstrap import ResamplingPlan, draw_documents, find_bca_interval
from tests.comparison import worlds

KEY = worlds.key(40, 11)

A, B, C = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.3, 1), (0.35, 2), (0.6, 3)))


GOOD, FAIR, POOR = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.1, 1), (0.12, 2), (0.7, 3)))


def kinds(found: corefeval.Comparison) -> set[str]:
    return {notice.kind for notice in found.notices}


def test_strata_follow_their_documents_whatever_the_order() -> None:
    def grouped(world: worlds.World) -> worlds.World:
        return {f"{'xyz'[place % 3]}/{name}": entities for place, (name, entities) in enumerate(world.items())}

    one = corefeval.compare(grouped(KEY), {"a": grouped(A), "b": grouped(B)}, resamples=200, stratify="genre")
    key = dict(sorted(grouped(KEY).items()))
    other = corefeval.compare(key, {"a": grouped(A), "b": grouped(B)}, resamples=200, stratify="genre")
    assert one.comparisons[0].interval == other.comparisons[0].interval
    every = corefeval.compare(KEY, {"a": A, "b": B}, measures="lea", resamples=300, stratify="d")
    assert kinds(every) == {"one-group"}


def test_bca_within_strata_is_that_of_each_stratum() -> None:
    """A statistic that adds up over strata: shifting a whole stratum changes nothing, and neither must the interval."""
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.exponential(1, 12), rng.exponential(1, 20)])
    strata = np.repeat([0, 1], [12, 20])
    distribution = rng.normal(0, 1, 2000)
    plain = find_bca_interval(distribution, 0.1, values, 0.95, strata)
    shifted = find_bca_interval(distribution, 0.1, values + 50.0 * strata, 0.95, strata)
    assert plain == pytest.approx(shifted)
    assert find_bca_interval(distribution, 0.1, values + 50.0 * strata, 0.95) != pytest.approx(plain)
    one = find_bca_interval(distribution, 0.1, values, 0.95, np.zeros(32, dtype=np.int64))
    assert one == pytest.approx(find_bca_interval(distribution, 0.1, values, 0.95))


def test_intervals_within_strata_cover_as_often_as_they_say() -> None:
    """Two genres, one easy and one hard, a fixed number of documents from each; 95 % intervals of a mean, 400 times."""
    rng = np.random.default_rng(8)
    strata = np.repeat([0, 1], [25, 35])
    covered = []
    for round_ in range(400):
        sample = np.concatenate([rng.beta(8, 2, 25), rng.beta(2, 5, 35)])
        truth = (25 * 0.8 + 35 * 2 / 7) / 60
        drawn = np.concatenate([rows @ sample / 60 for rows in draw_documents(60, ResamplingPlan(600, round_, strata))])
        low, high = find_bca_interval(drawn, float(sample.mean()), (sample.sum() - sample) / 59, 0.95, strata)
        covered.append(low <= truth <= high)
    assert 0.91 <= np.mean(covered) <= 0.98


def test_groups_of_one_document_are_told() -> None:
    by_group = {f"{'a' if n < 20 else 'b' if n < 39 else 'c'}/{name}": KEY[name] for n, name in enumerate(KEY)}
    response = dict(zip(by_group, FAIR.values(), strict=True))
    found = corefeval.compare(by_group, {"x": by_group, "y": response}, measures="lea", resamples=100, stratify="genre")
    assert "small-groups" in {notice.kind for notice in found.notices}
    with pytest.raises(OptionError, match="a group of its own"):
        corefeval.compare(KEY, {"x": GOOD, "y": FAIR}, measures="lea", resamples=100, stratify="d.*")
