"""An analysis as a whole: what it reports, and what it says it leaves out."""

from __future__ import annotations

from typing import Any

import pytest

import corefeval
from tests.analysis.decisions import evaluate_random, under_every_decision
from tests.data import public_data


@under_every_decision
def test_reports_are_made(options: dict[str, Any]) -> None:
    evaluation = evaluate_random(2, options, again=0.2)
    analysis = corefeval.Analysis(evaluation)
    assert "all corrected" in str(analysis)
    assert analysis.to_json()
    # Of mentions that both sides have there are few here, and they are perfect.
    assert analysis.worst(5).mentions or evaluation.options.twinless == "discard_both"


@pytest.mark.parametrize("measures", [["muc", "bridging_anaphors"], ["non_referring"]])
def test_measures_of_other_things_are_left_out_and_that_is_said(measures: list[str]) -> None:
    analysis = corefeval.analyse([["a", "b"]], [["a"]], measures=measures)
    assert not {"bridging_anaphors", "non_referring"} & set(analysis.evaluation)
    assert "muc" in analysis.evaluation
    (notice,) = analysis.left_out
    assert measures[-1] in notice.message


def test_split_antecedents_are_left_out_and_that_is_said() -> None:
    folder = public_data("ua-scorer") / "plural"
    key, response = folder / "TC-PA.key", folder / "TC-PA-3.sys"
    found = corefeval.analyse(key, response, split_antecedents="keep")
    without = corefeval.score(key, response, split_antecedents="drop")
    assert [notice.kind for notice in found.left_out] == ["left-out"]
    assert all(found.evaluation[name].main == pytest.approx(without[name].main) for name in without)
    with pytest.raises(corefeval.OptionError, match="only split antecedents are scored"):
        corefeval.analyse(key, response, split_antecedents="only")
    assert "counts:" in corefeval.explain("muc", key, response, split_antecedents="only").text
