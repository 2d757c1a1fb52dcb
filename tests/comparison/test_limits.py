"""Where statistics go wrong unnoticed: strata, ends of the scale, baselines, runs, measures that count errors, gates."""

from __future__ import annotations

import numpy as np
import pytest

import corefeval
from corefeval import OptionError, Runs
from corefeval.comparison.bootstrap import find_bca
from corefeval.comparison.planning import PowerAnalysis
from corefeval.comparison.resampling import ResamplingPlan, draw_documents, sum_all_subsets, swap_documents
from tests.comparison import worlds

KEY = worlds.key(40, 11)
GOOD, FAIR, POOR = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.1, 1), (0.12, 2), (0.7, 3)))


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
    swapped = next(swap_documents(30, ResamplingPlan(3000, 0)))
    correlations = [abs(np.corrcoef(drawn[:, i], swapped[:, j])[0, 1]) for i in range(30) for j in range(30)]
    assert max(correlations) < 0.09


def test_bca_within_strata_is_that_of_each_stratum() -> None:
    """A statistic that adds up over strata: shifting a whole stratum changes nothing, and neither must the interval."""
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.exponential(1, 12), rng.exponential(1, 20)])
    strata = np.repeat([0, 1], [12, 20])
    distribution = rng.normal(0, 1, 2000)
    plain = find_bca(distribution, 0.1, values, 0.95, strata)
    shifted = find_bca(distribution, 0.1, values + 50.0 * strata, 0.95, strata)
    assert plain == pytest.approx(shifted)
    assert find_bca(distribution, 0.1, values + 50.0 * strata, 0.95) != pytest.approx(plain)
    one = find_bca(distribution, 0.1, values, 0.95, np.zeros(32, dtype=np.int64))
    assert one == pytest.approx(find_bca(distribution, 0.1, values, 0.95))


def test_intervals_within_strata_cover_as_often_as_they_say() -> None:
    """Two genres, one easy and one hard, a fixed number of documents from each; 95 % intervals of a mean, 400 times."""
    rng = np.random.default_rng(8)
    strata = np.repeat([0, 1], [25, 35])
    covered = []
    for round_ in range(400):
        sample = np.concatenate([rng.beta(8, 2, 25), rng.beta(2, 5, 35)])
        truth = (25 * 0.8 + 35 * 2 / 7) / 60
        drawn = np.concatenate([rows @ sample / 60 for rows in draw_documents(60, ResamplingPlan(600, round_, strata))])
        low, high = find_bca(drawn, float(sample.mean()), (sample.sum() - sample) / 59, 0.95, strata)
        covered.append(low <= truth <= high)
    assert 0.91 <= np.mean(covered) <= 0.98


def test_bca_at_the_end_of_its_scale_is_still_an_interval() -> None:
    """One document outweighs all, almost all resamples lie on one side, and the confidence is extreme."""
    distribution = np.concatenate([np.zeros(1), np.linspace(1, 2, 9999)])
    without = np.array([0.0, *([1.0] * 49)])
    for observed in (0.5, 1.9999):
        low, high = find_bca(distribution, observed, without, 0.9999)
        assert 0 <= low <= high <= 2


def test_groups_of_one_document_are_told() -> None:
    by_group = {f"{'a' if n < 20 else 'b' if n < 39 else 'c'}/{name}": KEY[name] for n, name in enumerate(KEY)}
    response = dict(zip(by_group, FAIR.values(), strict=True))
    found = corefeval.compare(by_group, {"x": by_group, "y": response}, measures="lea", resamples=100, stratify="genre")
    assert "small-groups" in {notice.kind for notice in found.notices}
    with pytest.raises(OptionError, match="a group of its own"):
        corefeval.compare(KEY, {"x": GOOD, "y": FAIR}, measures="lea", resamples=100, stratify="d.*")


def test_against_a_baseline_there_are_no_ranks_among_the_others() -> None:
    """Two systems that were not compared with each other must not share a letter."""
    systems = {"fair": FAIR, "good": GOOD, "poor": POOR}
    found = corefeval.compare(KEY, systems, measures="lea", resamples=200, baseline="fair")
    assert [(s.measures["lea"].rank, s.measures["lea"].letters) for s in found.systems] == [(None, "")] * 3
    assert "letter" not in str(found)
    two = corefeval.compare(KEY, {"fair": FAIR, "poor": POOR}, measures="lea", resamples=200, baseline="fair")
    assert [each.measures["lea"].rank for each in two.systems] == [1, 2]


def test_less_is_better_where_a_measure_counts_errors() -> None:
    """distributional_error: the key itself has none; sizes far from it must lose, and fail the gate."""
    merged = {name: [[m for entity in entities for m in entity]] for name, entities in KEY.items()}
    found = corefeval.compare(
        KEY, {"key": KEY, "merged": merged}, measures="distributional_error", resamples=200, baseline="key"
    )
    (difference,) = found.comparisons
    assert difference.difference > 0
    assert difference.losses > difference.wins
    assert [each.b for each in found.worse_than_baseline()] == ["merged"]
    back = corefeval.compare(
        KEY, {"merged": merged, "key": KEY}, measures="distributional_error", resamples=200, baseline="merged"
    )
    assert back.worse_than_baseline() == ()
    assert str(back).index("key ") < str(back).index("merged ")


def test_too_few_resamples_for_so_many_comparisons_are_told() -> None:
    systems = {str(seed): worlds.disturbed(KEY, 0.3, seed) for seed in range(6)}
    few = corefeval.compare(KEY, systems, measures="lea", resamples=200)
    assert "few-resamples" in {notice.kind for notice in few.notices}
    enough = corefeval.compare(KEY, systems, measures="lea", resamples=400)
    assert "few-resamples" not in {notice.kind for notice in enough.notices}


def test_planning_keeps_its_promise() -> None:
    """Differences of documents with mean 1 and deviation 4: with the documents that it asks for, 80 of 100 are found."""
    rng = np.random.default_rng(2)
    sample = rng.normal(1, 4, 60)
    drawn = np.concatenate([rows @ sample / 60 for rows in draw_documents(60, ResamplingPlan(4000, 1))])
    found = PowerAnalysis.from_resamples(drawn, drawn, 60, 0.95)
    needed = found.count_needed(1.0)
    assert needed is not None
    deviation = float(np.std(sample))
    trials = rng.normal(1, deviation, (4000, needed))
    z = trials.mean(axis=1) / (deviation / needed**0.5)
    assert np.mean(np.abs(z) > 1.96) == pytest.approx(0.8, abs=0.03)
    assert found.detectable is not None
    assert found.count_needed(found.detectable) == 60


def test_a_difference_can_be_planned_for() -> None:
    """Twice the difference needs a quarter of the documents, as far as whole documents go."""
    systems = {"fair": FAIR, "poor": POOR}
    one, two = (
        corefeval.compare(KEY, systems, measures="lea", resamples=500, plan=plan).comparisons[0].planned
        for plan in (0.01, 0.02)
    )
    assert one is not None
    assert two is not None
    assert one / 4 <= two <= one / 4 + 1
    assert "for 1 points" in str(corefeval.compare(KEY, systems, measures="lea", resamples=500, plan=0.01))
    for wrong in (0, -1, float("nan")):
        with pytest.raises(OptionError, match="plan"):
            corefeval.compare(KEY, systems, plan=wrong)


def test_planning_knows_that_few_documents_cannot_be_significant() -> None:
    """Of 2^5 swaps two are as extreme as the observed one: p is 1/16 at least; six documents are needed for 0.05."""
    drawn = np.array([1.0, 1.0001, 0.9999])
    assert PowerAnalysis.from_resamples(drawn, drawn, 2, 0.95).count_needed(1.0) == 6
    assert PowerAnalysis.from_resamples(drawn, drawn, 2, 0.99).count_needed(1.0) == 8
    assert PowerAnalysis.from_resamples(drawn, drawn, 2, 0.95).count_needed(0.0) is None


def test_planning_knows_that_documents_do_not_help_against_runs() -> None:
    rng = np.random.default_rng(4)
    documents = rng.normal(0, 1, 5000)
    both = documents + rng.normal(0, 3, 5000)
    found = PowerAnalysis.from_resamples(both, documents, 50, 0.95)
    assert found.count_needed(5.0) is None  # the runs alone need 2.8 × 3
    needed = found.count_needed(20.0)
    assert needed is not None
    assert needed < 50
    far_apart = Runs([GOOD, POOR])
    compared = corefeval.compare(KEY, {"a": far_apart, "b": Runs([FAIR, FAIR])}, measures="lea", resamples=500)
    assert compared.comparisons[0].needed is None


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
            differences.append(corefeval.score(key, second)["bcub"].f1 - corefeval.score(key, first)["bcub"].f1)
        hits += int(abs(np.mean(differences)) >= abs(found.difference) - 1e-12)
    assert found.exact
    assert found.p == pytest.approx(hits / (1 << 8))


def test_nothing_to_compare_is_told() -> None:
    with pytest.raises(OptionError, match="no documents"):
        corefeval.compare({}, {"a": {}, "b": {}})
    with pytest.raises(OptionError, match="'a' has no runs"):
        corefeval.compare(KEY, {"a": Runs([]), "b": GOOD})
