"""Planning: how many documents a difference needs, and what a test set can show."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest

import corefeval
from corefeval import OptionError, Runs
from corefeval.comparison.bootstrap import ResamplingPlan, draw_documents
from corefeval.comparison.differences import PowerAnalysis
from tests.comparison import worlds
from tests.comparison.worlds import first_documents

KEY = worlds.key(40, 11)

A, B, C = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.3, 1), (0.35, 2), (0.6, 3)))


GOOD, FAIR, POOR = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.1, 1), (0.12, 2), (0.7, 3)))


def test_what_cannot_be_planned_is_not_shown_as_nothing() -> None:
    """One document, too few for any p to be small, or systems that are alike: no difference is said to be detectable."""
    for documents in (1, 2, 5):
        few = [first_documents(world, documents) for world in (KEY, A, C)]
        (found,) = corefeval.compare(few[0], {"a": few[1], "c": few[2]}, measures="lea", resamples=200).comparisons
        assert found.detectable is None
        assert json.loads(json.dumps(asdict(found)))["detectable"] is None
    six = [first_documents(world, 6) for world in (KEY, A, C)]
    assert corefeval.compare(six[0], {"a": six[1], "c": six[2]}, measures="lea").comparisons[0].detectable
    alike = corefeval.compare(KEY, {"a": A, "again": A}, measures="lea", resamples=200)
    (same,) = alike.comparisons
    assert (same.p, same.exact, same.tried, same.interval, same.detectable, same.needed) == (
        1, True, 1, (0, 0), None, None,
    )  # fmt: skip
    assert (same.wins, same.ties, same.losses) == (0, 40, 0)


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
