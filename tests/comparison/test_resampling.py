"""Resamples are what they claim: checked by building the resampled corpora and scoring them, and against SciPy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

import corefeval
from corefeval import Runs
from corefeval import measures as known
from corefeval.comparison import bootstrap, significance
from corefeval.comparison.bootstrap import (
    ResamplingPlan,
    calibrate_confidence,
    draw_documents,
    find_bca_interval,
    find_percentile_interval,
    score_resamples,
)
from corefeval.comparison.significance import draw_swaps, run_randomisation_tests, sum_all_subsets
from corefeval.comparison.systems import Sample, SystemSamples
from tests.comparison import worlds

KEY = worlds.key(12, 1)
A, B = worlds.disturbed(KEY, 0.3, 2), worlds.disturbed(KEY, 0.5, 3)
EVERY = known.select_measures("all")


def system(world: worlds.World, *, macro: bool = False) -> SystemSamples:
    """A system with all measures."""
    return SystemSamples.from_runs("s", (corefeval.score(KEY, world, measures="all", macro=macro),), EVERY)


@pytest.mark.parametrize("macro", [False, True])
def test_resampled_scores_are_those_of_resampled_corpora(macro: bool) -> None:
    """Ten resamples, each built as a corpus in which a document stands as often as it was drawn, by every measure."""
    plan = ResamplingPlan(10, 7)
    found = score_resamples([system(A, macro=macro)], EVERY, plan)
    weights = np.concatenate(list(draw_documents(len(KEY), plan)))
    for row, drawn in enumerate(weights.astype(int).tolist()):
        copies = [(name, copy) for name, count in zip(KEY, drawn, strict=True) for copy in range(count)]
        key = {f"{name}/{copy}": KEY[name] for name, copy in copies}
        response = {f"{name}/{copy}": A[name] for name, copy in copies}
        again = corefeval.score(key, response, measures="all", macro=macro)
        for measure in EVERY:
            assert found[0, measure].by_all[row] == pytest.approx(again[measure].main, abs=1e-9), (measure, row)


def test_every_document_is_drawn_as_often_as_there_are_documents() -> None:
    weights = np.concatenate(list(draw_documents(12, ResamplingPlan(500, 0))))
    assert weights.shape == (500, 12)
    assert (weights.sum(axis=1) == 12).all()
    assert abs(weights.mean() - 1) < 1e-12
    assert 0.85 < weights.var() < 1.0  # of a multinomial: 1 - 1/12


def test_strata_keep_their_numbers_of_documents() -> None:
    strata = np.array([0, 1, 0, 2, 1, 0, 2, 2, 2, 0])
    weights = np.concatenate(list(draw_documents(10, ResamplingPlan(300, 5, strata))))
    for stratum in range(3):
        inside = strata == stratum
        assert (weights[:, inside].sum(axis=1) == inside.sum()).all()
        assert weights[:, inside].var() > 0


@pytest.mark.parametrize(
    "measure",
    [each if str(each) in ("lea", "conll") else pytest.param(each, marks=pytest.mark.slow) for each in EVERY],
    ids=str,
)
def test_exact_randomisation_is_the_enumeration_of_all_swaps(measure: known.Measure) -> None:
    """All 2^8 corpora in which some documents of A and B have changed places, scored one by one."""
    names = list(KEY)[:8]
    key, a, b = ({name: world[name] for name in names} for world in (KEY, A, B))
    one, other = (
        SystemSamples.from_runs("s", (corefeval.score(key, world, measures=[measure]),), (measure,)) for world in (a, b)
    )
    test = run_randomisation_tests([one, other], [(0, 1)], [measure], ResamplingPlan(100, 0))[(0, 1), measure]
    observed = abs(corefeval.score(key, b, measures=[measure])[measure].main - one.observed(measure))
    hits = 0
    for swaps in product([False, True], repeat=len(names)):
        first = {name: (b if swap else a)[name] for name, swap in zip(names, swaps, strict=True)}
        second = {name: (a if swap else b)[name] for name, swap in zip(names, swaps, strict=True)}
        mains = [corefeval.score(key, world, measures=[measure])[measure].main for world in (first, second)]
        hits += abs(mains[1] - mains[0]) >= observed - 1e-12
    assert test.exact
    assert test.p == pytest.approx(hits / 2 ** len(names))


@pytest.mark.parametrize("name", ["lea", "conll", "blanc"])
def test_exact_randomisation_equals_scipy(name: str) -> None:
    measure = known.parse(name)
    one, other = (Sample.from_evaluation(corefeval.score(KEY, world, measures=name), measure) for world in (A, B))
    rows = np.concatenate([one.counts, other.counts])

    def statistic(first: np.ndarray, second: np.ndarray, axis: int = -1) -> np.ndarray:
        assert axis == -1
        after, before = (one.score(rows[side.astype(int)].sum(axis=-2)) for side in (second, first))
        return after - before

    count = len(KEY)
    expected = scipy.stats.permutation_test(
        (np.arange(count), count + np.arange(count)),
        statistic,
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative="two-sided",
    )
    systems = [
        SystemSamples.from_runs("s", (corefeval.score(KEY, world, measures=name),), (measure,)) for world in (A, B)
    ]
    test = run_randomisation_tests(systems, [(0, 1)], [measure], ResamplingPlan(100, 0))[(0, 1), measure]
    # SciPy doubles the smaller tail, which is the same where swapping everything turns the difference round.
    assert test.p == pytest.approx(expected.pvalue)


def test_random_swaps_come_close_to_all_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    measure = known.parse("bcub")
    systems = [
        SystemSamples.from_runs("s", (corefeval.score(KEY, world, measures="bcub"),), (measure,)) for world in (A, B)
    ]
    exact = run_randomisation_tests(systems, [(0, 1)], [measure], ResamplingPlan(100, 0))[(0, 1), measure]
    monkeypatch.setattr(significance, "MOST_FOR_ALL_SWAPS", 0)
    rough = run_randomisation_tests(systems, [(0, 1)], [measure], ResamplingPlan(20_000, 0))[(0, 1), measure]
    assert not rough.exact
    assert rough.p == pytest.approx(exact.p, abs=0.015)


def test_p_is_never_zero_and_one_for_equal_systems() -> None:
    found = corefeval.compare(KEY, {"a": A, "b": A}, measures="muc", resamples=100)
    assert found.comparisons[0].p == 1
    assert found.comparisons[0].exact
    many = worlds.key(40, 5)
    found = corefeval.compare(
        many, {"bad": worlds.disturbed(many, 0.9, 1), "good": many}, measures="muc", resamples=200
    )
    assert found.comparisons[0].p == pytest.approx(1 / 201)
    assert not found.comparisons[0].exact


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_confidence_of_calibrated_intervals(confidence: float) -> None:
    end = (1 + confidence) / 2
    # Documents that all matter alike (κ = 1): t with n-1 degrees of freedom, and √(n/(n-1)), as Hesterberg (2015) has it.
    alike = np.array([1.0, -1.0] * 10)
    expected = 2 * scipy.stats.norm.cdf(scipy.stats.t.ppf(end, 19) * np.sqrt(20 / 19)) - 1
    assert calibrate_confidence(alike, confidence) == pytest.approx(expected)
    # Four documents that matter and sixteen that do not.
    unlike = np.array([3.0, -3.0, 2.0, -2.0] + [0.0] * 16)
    kurtosis = 20 * (81 + 81 + 16 + 16) / (9 + 9 + 4 + 4) ** 2
    freedom = 40 / (kurtosis - 1) - 1
    assert 4 < freedom < 19
    expected = 2 * scipy.stats.norm.cdf(scipy.stats.t.ppf(end, freedom) * np.sqrt(20 / 19)) - 1
    assert calibrate_confidence(unlike, confidence) == pytest.approx(expected)
    assert calibrate_confidence(unlike, confidence) > calibrate_confidence(alike, confidence) > confidence
    # One document that is nearly all: no fewer than four degrees of freedom. None that matters: nothing to allow for.
    one = np.array([1.0] + [0.0] * 19)
    expected = 2 * scipy.stats.norm.cdf(scipy.stats.t.ppf(end, 4) * np.sqrt(20 / 19)) - 1
    assert calibrate_confidence(one, confidence) == pytest.approx(expected)
    assert calibrate_confidence(np.zeros(20), confidence) == confidence
    assert calibrate_confidence(np.zeros(1), confidence) == confidence


@pytest.mark.parametrize("name", ["lea", "conll", "blanc"])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_bca_intervals_equal_scipy(confidence: float, name: str) -> None:
    measure = known.parse(name)
    sample = Sample.from_evaluation(corefeval.score(KEY, A, measures=name), measure)

    def statistic(rows: np.ndarray, axis: int = -1) -> np.ndarray:
        return sample.score(sample.counts[rows.astype(int)].sum(axis=axis - 1 if axis < 0 else axis))

    expected = scipy.stats.bootstrap(
        (np.arange(len(KEY)),), statistic, n_resamples=999, confidence_level=confidence, method="BCa", rng=3
    )
    found = find_bca_interval(expected.bootstrap_distribution, sample.observed, sample.score_without_each(), confidence)
    assert found == pytest.approx(tuple(expected.confidence_interval))
    plain = scipy.stats.bootstrap(
        (np.arange(len(KEY)),), statistic, n_resamples=999, confidence_level=confidence, method="percentile", rng=3
    )
    assert find_percentile_interval(plain.bootstrap_distribution, confidence) == pytest.approx(
        tuple(plain.confidence_interval)
    )


def test_blocks_do_not_change_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by blocks; however many rows are asked for, the first ones are the same."""
    whole = np.concatenate(list(draw_documents(12, ResamplingPlan(50, 3))))
    monkeypatch.setattr(bootstrap, "_BLOCK_CELLS", 12 * 10)
    parts = list(draw_documents(12, ResamplingPlan(50, 3)))
    assert [len(part) for part in parts] == [10] * 5
    assert (np.concatenate(parts)[:10] == next(draw_documents(12, ResamplingPlan(10, 3)))).all()
    assert whole.shape == (50, 12)


def test_measures_that_look_at_mentions_are_resampled_like_others() -> None:
    """Mentions as spans: three resamples of MOR and of anaphors, built as corpora and scored again."""
    measures = known.select_measures(["mor", "anaphor"])
    key, response = (
        {name: [[(3 * mention, 3 * mention + mention % 3) for mention in entity] for entity in entities]
         for name, entities in world.items()}
        for world in (KEY, B)
    )  # fmt: skip
    plan = ResamplingPlan(3, 5)
    tried = SystemSamples.from_runs("s", (corefeval.score(key, response, measures=measures),), measures)
    found = score_resamples([tried], measures, plan)
    for row, drawn in enumerate(np.concatenate(list(draw_documents(len(KEY), plan))).astype(int).tolist()):
        copies = [(name, copy) for name, count in zip(KEY, drawn, strict=True) for copy in range(count)]
        again = corefeval.score(
            {f"{name}/{copy}": key[name] for name, copy in copies},
            {f"{name}/{copy}": response[name] for name, copy in copies},
            measures=measures,
        )
        for measure in measures:
            assert found[0, measure].by_all[row] == pytest.approx(again[measure].main, abs=1e-12), measure


@pytest.mark.parametrize(("documents", "least"), [(1, 1), (2, 2 / 2**2), (3, 2 / 3**3), (4, 2 / 4**4)])
def test_a_bootstrap_of_few_documents_finds_nothing_rarer_than_its_resamples(documents: int, least: float) -> None:
    """A system that is far worse on every document: no resample comes near 0, but there are only so many of them."""
    sides = [[1, 2, 3], [4, 5]], [[1, 2, 3], [4, 5]], [[1], [2], [3], [4], [5]]
    key, a, b = ({f"d{number}": side for number in range(documents)} for side in sides)
    (found,) = corefeval.compare(key, {"a": a, "b": b}, measures="muc", test="bootstrap").comparisons
    assert found.p == pytest.approx(least)
    assert found.significant == (least <= 0.05)
    several = corefeval.compare(key, {"a": a, "b": Runs([b, b])}, measures="muc").comparisons[0]
    assert several.p == pytest.approx(least)


def test_sums_over_all_subsets_are_those_of_explicit_subsets() -> None:
    """16 documents: more than one block; each subset once, without those that the last document is in."""
    counts = np.random.default_rng(1).random((16, 3))
    found = np.concatenate(list(sum_all_subsets(counts)), axis=1)
    numbers = np.arange(1 << 15)
    expected = ((numbers[:, np.newaxis] >> np.arange(16)) & 1) @ counts
    assert found.shape == (3, 1 << 15)
    assert np.sort(found[0]) == pytest.approx(np.sort(expected[:, 0]))
    assert np.sort(found.sum(axis=0)) == pytest.approx(np.sort(expected.sum(axis=1)))


def test_documents_and_swaps_have_random_numbers_of_their_own() -> None:
    """If both came from one stream, whether a document is drawn would tell whether it is swapped."""
    drawn = next(draw_documents(30, ResamplingPlan(3000, 0)))
    swapped = next(draw_swaps(30, ResamplingPlan(3000, 0)))
    correlations = [abs(np.corrcoef(drawn[:, i], swapped[:, j])[0, 1]) for i in range(30) for j in range(30)]
    assert max(correlations) < 0.09


def test_bca_at_the_end_of_its_scale_is_still_an_interval() -> None:
    """One document outweighs all, almost all resamples lie on one side, and the confidence is extreme."""
    distribution = np.concatenate([np.zeros(1), np.linspace(1, 2, 9999)])
    without = np.array([0.0, *([1.0] * 49)])
    for observed in (0.5, 1.9999):
        low, high = find_bca_interval(distribution, observed, without, 0.9999)
        assert 0 <= low <= high <= 2
