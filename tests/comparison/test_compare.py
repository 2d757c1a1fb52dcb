"""Comparisons: what they say, and the command."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

import corefeval
from corefeval import OptionError, Runs
from tests.comparison import worlds

if TYPE_CHECKING:
    from pathlib import Path

KEY = worlds.key(40, 11)
GOOD, FAIR, POOR = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.1, 1), (0.12, 2), (0.7, 3)))
SYSTEMS = {"good": GOOD, "fair": FAIR, "poor": POOR}


def test_a_comparison_has_systems_differences_ranks_and_agreement() -> None:
    found = corefeval.compare(KEY, SYSTEMS, measures=["conll", "lea"], resamples=500)
    assert [system.name for system in found.systems] == ["good", "fair", "poor"]
    plain = corefeval.score(KEY, POOR, measures=["conll", "lea"])
    poor = found.systems[2].measures["lea"]
    assert poor.score == pytest.approx(plain["lea"].f1, abs=1e-12)
    assert poor.interval[0] < poor.score < poor.interval[1]
    assert [system.measures["lea"].rank for system in found.systems] == [1, 1, 3]
    assert [system.measures["lea"].letters for system in found.systems] == ["a", "a", "b"]
    assert [(each.a, each.b) for each in found.comparisons[:3]] == [
        ("good", "fair"),
        ("good", "poor"),
        ("fair", "poor"),
    ]
    worst = found.between("good", "poor", "lea")
    assert worst.difference == pytest.approx(poor.score - found.systems[0].measures["lea"].score)
    assert worst.significant
    assert worst.p == pytest.approx(1 / 501)
    assert worst.p_corrected == pytest.approx(3 / 501)  # Holm: one of three comparisons
    assert worst.wins + worst.ties + worst.losses == len(KEY)
    assert worst.losses > worst.wins
    assert worst.interval[1] < 0
    assert found.agreement["conll", "lea"] is not None


def test_deciding_documents_are_those_without_which_the_difference_changes_most() -> None:
    found = corefeval.compare(KEY, {"good": GOOD, "poor": POOR}, measures="bcub", resamples=100).comparisons[0]
    changes = {}
    for name in KEY:
        key, good, poor = ({d: world[d] for d in KEY if d != name} for world in (KEY, GOOD, POOR))
        without = corefeval.score(key, poor)["bcub"].f1 - corefeval.score(key, good)["bcub"].f1
        changes[name] = found.difference - without
    expected = sorted(changes, key=lambda name: -abs(changes[name]))[:5]
    assert [name for name, _ in found.deciding] == expected
    assert [adds for _, adds in found.deciding] == pytest.approx([changes[name] for name in expected])


def test_a_baseline_is_compared_with_all_others_only() -> None:
    found = corefeval.compare(KEY, SYSTEMS, measures="muc", resamples=200, baseline="fair")
    assert [(each.a, each.b) for each in found.comparisons] == [("fair", "good"), ("fair", "poor")]
    assert [each.b for each in found.worse_than_baseline()] == ["poor"]


def test_the_same_seed_gives_the_same_result_and_zero_is_a_seed() -> None:
    one, again, other = (
        corefeval.compare(KEY, SYSTEMS, measures="lea", resamples=300, seed=seed).to_json() for seed in (0, 0, 1)
    )
    assert one == again
    assert json.loads(one)["seed"] == 0
    assert one != other


def test_one_worker_or_two_make_no_difference() -> None:
    with ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(_compared, seed) for seed in (3, 3)]
        assert {job.result() for job in jobs} == {_compared(3)}


def _compared(seed: int) -> str:
    return corefeval.compare(KEY, SYSTEMS, measures=["blanc"], resamples=200, seed=seed).to_json()


def test_runs_are_averaged_and_their_spread_is_shown_apart() -> None:
    runs = [worlds.disturbed(KEY, 0.3, seed) for seed in (5, 6, 7)]
    found = corefeval.compare(KEY, {"runs": Runs(runs), "poor": POOR}, measures="lea", resamples=400)
    scores = [corefeval.score(KEY, run, measures="lea")["lea"].f1 for run in runs]
    estimate = found.systems[0].measures["lea"]
    assert estimate.score == pytest.approx(np.mean(scores))
    assert estimate.between_runs == pytest.approx(np.std(scores, ddof=1))
    assert estimate.between_documents > 0
    assert found.systems[1].measures["lea"].between_runs is None
    assert any(notice.kind == "bootstrap-instead" for notice in found.notices)
    assert any(notice.kind == "few-runs" for notice in found.notices)
    equal = corefeval.compare(KEY, {"a": Runs(runs[:2]), "b": Runs([FAIR, POOR])}, measures="lea", resamples=400)
    assert not any(notice.kind == "bootstrap-instead" for notice in equal.notices)


def test_intervals_are_wider_where_runs_are_drawn_too() -> None:
    far_apart = Runs([GOOD, POOR])
    found = corefeval.compare(KEY, {"runs": far_apart, "good": GOOD}, measures="lea", resamples=2000)
    low, high = found.systems[0].measures["lea"].interval
    assert high - low > 3 * (
        found.systems[1].measures["lea"].interval[1] - found.systems[1].measures["lea"].interval[0]
    )


def test_macro_averages_are_compared_too() -> None:
    found = corefeval.compare(KEY, SYSTEMS, measures="bcub", resamples=200, macro=True)
    expected = corefeval.score(KEY, FAIR, measures="bcub", macro=True)["bcub"].f1
    assert found.systems[1].measures["bcub"].score == pytest.approx(expected)


def test_it_warns_about_few_and_uneven_documents_and_one_table() -> None:
    kinds = {notice.kind for notice in corefeval.compare(_few(3), {"a": _few(3), "b": _few(2)}, resamples=100).notices}
    assert "few-documents" in kinds
    uneven: worlds.World = {"big": [[*range(500)]], "small": [[1, 2]], "tiny": [[1, 2]]}
    found = corefeval.compare(
        uneven, {"a": uneven, "b": uneven | {"small": [[1], [2]]}}, measures="bcub", resamples=100
    )
    message = next(notice.message for notice in found.notices if notice.kind == "uneven-documents")
    assert "'big' has 99% of what bcub counts in the key: the 3 documents are worth 1.0 of equal size" in message
    one = corefeval.compare([[1, 2, 3]], {"a": [[1, 2, 3]], "b": [[1, 2], [3]]}, resamples=100)
    assert "one-document" in {notice.kind for notice in one.notices}


def test_it_warns_where_a_measure_is_often_undefined() -> None:
    singletons = {f"d{number}": [[1], [2]] for number in range(9)} | {"d9": [[1, 2]]}
    found = corefeval.compare(singletons, {"a": singletons, "b": singletons}, measures="muc", resamples=200)
    assert "undefined-resamples" in {notice.kind for notice in found.notices}


def _few(documents: int) -> worlds.World:
    return dict(list(KEY.items())[:documents])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "t"}, "test='t' is not possible"),
        ({"correction": "x"}, "correction"),
        ({"confidence": 1.5}, "confidence"),
        ({"resamples": 5}, "resamples"),
        ({"seed": -1}, "seed"),
        ({"baseline": "nobody"}, "baseline"),
        ({"stratify": "("}, "stratify"),
        ({"stratify": "zzz"}, "finds nothing"),
    ],
)
def test_wrong_options_are_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("(", r"\(")):
        corefeval.compare(KEY, SYSTEMS, measures="muc", **options)  # type: ignore[arg-type]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A key and three responses as JSON files."""
    paths = []
    for name, world in {"key": KEY, **SYSTEMS}.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(world))
        paths.append(str(path))
    return paths


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, as users run it."""
    return subprocess.run(
        [sys.executable, "-m", "corefeval", "compare", *arguments], capture_output=True, text=True, check=False
    )


def test_the_command_prints_json_of_the_promised_shape(files: list[str]) -> None:
    done = run(*files, "-m", "lea", "--resamples", "200", "--json", "-q")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {"systems", "comparisons", "seed", "resamples", "notices"} <= set(found)
    system = found["systems"][0]
    assert system["name"] == "good.json"
    assert set(system["measures"]["lea"]) >= {"f1", "interval"}
    assert system["rank"] == {"lea": 1}
    first = found["comparisons"][0]
    assert {
        "a",
        "b",
        "measure",
        "difference",
        "interval",
        "p",
        "p_corrected",
        "wins",
        "ties",
        "losses",
        "exact",
    } <= set(first)
    assert first["difference"] == pytest.approx(
        found["systems"][1]["measures"]["lea"]["f1"] - system["measures"]["lea"]["f1"]
    )


def test_the_gate_fails_where_a_response_is_significantly_worse(files: list[str]) -> None:
    key, good, fair, poor = files
    worse = run(key, good, poor, "-m", "lea", "--resamples", "200", "--fail-if-worse")
    assert worse.returncode == 1
    assert "poor.json is significantly worse than good.json by lea" in worse.stderr
    assert run(key, poor, good, "-m", "lea", "--resamples", "200", "--fail-if-worse").returncode == 0
    assert (
        run(key, poor, good, "-m", "lea", "--resamples", "200", "--fail-if-worse", "--baseline", good).returncode == 1
    )
    assert run(key, fair, fair.replace("fair", "good"), "--resamples", "200", "--fail-if-worse").returncode == 0


@pytest.mark.parametrize("output", ["--markdown", "--latex", "--csv"])
def test_other_outputs(files: list[str], output: str) -> None:
    done = run(*files, "-m", "lea", "--resamples", "200", output, "-q")
    assert done.returncode == 0, done.stderr
    assert {"--markdown": "| measure | system |", "--latex": r"\begin{tabular}{lr}", "--csv": "measure,a,b,"}[
        output
    ] in done.stdout


def test_runs_on_the_command_line(files: list[str]) -> None:
    key, good, fair, poor = files
    done = run(key, poor, "--runs", f"ours={good},{fair}", "-m", "lea", "--resamples", "200")
    assert done.returncode == 0, done.stderr
    assert "between runs" in done.stdout
    assert run(key, poor, "--runs", "ours").returncode == 2
