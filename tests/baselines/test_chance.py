"""Scores relative to a baseline: in Python, on the command line, in every output."""

from __future__ import annotations

import csv
import io
import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import Corpus, OptionError
from corefeval.baselines import chance
from corefeval.scoring.processes import can_copy_process
from tests.cli.running import run
from tests.data import EXAMPLES

KEY, A, B = (EXAMPLES / f"{name}.conll" for name in ("key", "response-a", "response-b"))


@pytest.mark.parametrize("kind", ["singletons", "one-entity", "string-match", "head-match"])
def test_the_baseline_is_at_zero_and_a_perfect_response_at_one(kind: str) -> None:
    base = corefeval.baseline(KEY, kind)
    plain, low = corefeval.score(KEY, A), corefeval.score(KEY, base)
    found = corefeval.relative(plain, kind)
    for name in plain:
        score, zero = plain[name].main, low[name].main
        assert found.measures[name].score == score
        assert found.measures[name].baseline == pytest.approx(zero)
        expected = (score - zero) / (1 - zero) if zero != 1 else None
        assert found.measures[name].relative == (None if expected is None else pytest.approx(expected))
    assert corefeval.relative(low, kind).measures["lea"].relative == pytest.approx(0)
    assert corefeval.relative(corefeval.score(KEY, KEY), kind).measures["lea"].relative == 1


def test_a_response_can_be_the_baseline() -> None:
    plain, low = corefeval.score(KEY, A), corefeval.score(KEY, B)
    for given in (str(B), B, corefeval.read(B)):
        found = corefeval.relative(plain, given)
        assert found.measures["lea"].relative == pytest.approx((plain["lea"].f1 - low["lea"].f1) / (1 - low["lea"].f1))
    assert found.base.draws is None


@pytest.mark.parametrize("options", [{}, {"macro": True}, {"singletons": "drop"}, {"match": "overlap"}])
def test_chance_is_the_mean_of_the_random_baselines(options: dict[str, object]) -> None:
    """Of those that `baseline` makes with one seed after another, scored in the same way."""
    plain = corefeval.score(KEY, A, **options)  # type: ignore[arg-type]
    found = corefeval.relative(plain, "random", draws=12, seed=5)
    key = corefeval.read(KEY)
    if options.get("singletons") == "drop":
        key = key.keep(key.sizes[key.entity] > 1)
    scores = [
        corefeval.score(key, corefeval.baseline(key, "random", seed=seed), **options)  # type: ignore[arg-type]
        for seed in range(5, 17)
    ]
    for name in plain:
        each = [score[name].main for score in scores]
        assert found.measures[name].baseline == pytest.approx(np.mean(each))
        half = 2.2009851600829735 * np.std(each, ddof=1) / 12**0.5  # Student's t for 11 degrees of freedom
        assert found.measures[name].baseline_interval == pytest.approx((np.mean(each) - half, np.mean(each) + half))
    assert (found.base.draws, found.base.seed) == (12, 5)


def test_chance_comes_close_to_all_partitions() -> None:
    key = [[1, 2, 3], [4, 5]]
    everything = [[list(order[:3]), list(order[3:])] for order in permutations(range(1, 6))]
    truth = np.mean([corefeval.score(key, other)["bcub"].f1 for other in everything])
    found = corefeval.relative(corefeval.score(key, key, measures="bcub"), draws=1500).measures["bcub"]
    assert found.baseline_interval is not None
    low, high = found.baseline_interval
    assert low - (high - low) < truth < high + (high - low)
    assert found.relative == 1


def test_chance_where_mentions_stand_in_two_entities() -> None:
    """The reference scorer's rule for them: nothing is taken for granted."""
    key = {"d": [[1, 2, 3], [3, 4], [5]]}
    plain = corefeval.score(key, key)
    found = corefeval.relative(plain, draws=8)
    each = [corefeval.score(key, corefeval.baseline(key, "random", seed=seed))["muc"].f1 for seed in range(8)]
    assert found.measures["muc"].baseline == pytest.approx(np.mean(each))


def test_measures_that_look_at_mentions_have_a_chance_too() -> None:
    plain = corefeval.score(KEY, A, measures=["anaphor", "lea"])
    found = corefeval.relative(plain, draws=4)
    each = [corefeval.score(KEY, corefeval.baseline(KEY, "random", seed=s), measures=["anaphor"]) for s in range(4)]
    assert found.measures["anaphor"].baseline == pytest.approx(np.mean([one["anaphor"].main for one in each]))


def test_no_interval_where_the_baseline_may_be_perfect() -> None:
    """Two partitions say little: Student's interval passes 1, where (s - b) / (1 - b) jumps from one end to the other."""
    key = [[1, 2], [3, 4], [5]]
    found = corefeval.relative(corefeval.score(key, [[1, 2], [3], [4], [5]]), draws=2, seed=0).measures["bcub"]
    assert found.baseline_interval is not None
    assert found.baseline_interval[0] < 1 < found.baseline_interval[1]
    assert found.relative is not None
    assert found.interval is None


def test_wrong_baselines_are_told() -> None:
    plain = corefeval.score(KEY, A)
    with pytest.raises(OptionError, match="neither a file nor a kind of baseline"):
        corefeval.relative(plain, "randm")
    with pytest.raises(OptionError, match="draws=1"):
        corefeval.relative(plain, draws=1)
    with pytest.raises(OptionError, match="needs words"):
        corefeval.relative(corefeval.score([[1, 2]], [[1, 2]]), "string-match")


def test_score_shows_relative_scores_next_to_the_plain_ones() -> None:
    arguments = ("score", KEY, A, B, "-m", "lea", "-m", "muc", "--relative-to", "random")
    text = run(*arguments).stdout
    assert "the mean of 100 random partitions" in text
    plain = [corefeval.score(KEY, response, measures=["lea", "muc"]) for response in (A, B)]
    expected = [corefeval.relative(each) for each in plain]
    found = json.loads(run(*arguments, "--json").stdout)["evaluations"]
    assert [each["relative_to"] for each in found] == json.loads(json.dumps([each.to_dict() for each in expected]))
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv", "--per-document").stdout)))
    whole = [row for row in rows if not row["document"]]
    assert [float(row["relative"]) for row in whole] == [
        e.measures[m].relative for m in ("lea", "muc") for e in expected
    ]
    assert {row["relative"] for row in rows if row["document"]} == {""}
    assert "**Relative to random**" in run(*arguments, "--markdown").stdout
    assert run(*arguments, "--latex").stdout.count(r"\begin{tabular}") == 2


def test_from_three_systems_on_each_has_a_row_and_the_baseline_a_table_of_its_own() -> None:
    arguments = ("score", KEY, A, B, f"same={B}", "-m", "lea", "-m", "muc", "--relative-to", "random", "-q")
    lines = run(*arguments).stdout.splitlines()
    start = lines.index("Relative to random")
    assert lines[start + 2].split() == ["system", "lea", "muc"]
    for place, response in enumerate((A, B, B)):
        found = corefeval.relative(corefeval.score(KEY, response, measures=["lea", "muc"])).measures
        shown = [f"{100 * each.relative:.2f}" for each in found.values() if each.relative is not None]
        assert lines[start + 4 + place].replace("*", "").split()[1:] == shown
    start = lines.index("Scores of the baseline (random)")
    assert lines[start + 4].split() == ["score", *(f"{100 * each.baseline:.2f}" for each in found.values())]
    assert lines[start + 5].startswith("interval  [")
    markdown = run(*arguments, "--markdown").stdout
    assert "| system | lea | muc |" in markdown
    both = run(*arguments[:3], "-m", "lea", "--singletons", "both", "--relative-to", "singletons", "-q").stdout
    assert "Scores of the baseline" not in both
    four = run(*arguments[:4], "-m", "lea", "--singletons", "both", "--relative-to", "singletons", "-q").stdout
    assert "score for response-a (with singletons)" in four
    assert "score for response-a (without singletons)" in four


def test_compare_shows_relative_scores_next_to_the_plain_ones() -> None:
    arguments = ("compare", KEY, A, B, "-m", "lea", "--resamples", 100, "--relative-to", "one-entity", "-q")
    found = json.loads(run(*arguments, "--json").stdout)["relative_to"]
    assert found["baseline"] == "one-entity"
    expected = corefeval.relative(corefeval.score(KEY, B, measures="lea"), "one-entity").measures["lea"]
    assert found["systems"]["response-b"]["lea"]["relative"] == expected.relative
    assert str(corefeval.relative(corefeval.score(KEY, B), "singletons")).startswith("Relative to")
    for output in ([], ["--markdown"], ["--latex"]):
        assert "elative to one-entity" in run(*arguments, *output).stdout
    assert "relative" in run(*arguments, "--csv").stdout.splitlines()[0]


def test_the_command_says_what_is_wrong() -> None:
    assert run("score", KEY, A, "--relative-to", "nothing.conll").returncode == 2
    assert run("score", KEY, A, "--relative-to", "random", "--like", "conll-8.01").returncode == 2


class CoarseNumbers(np.random.Generator):
    """Random numbers of which many are equal, and many differ in their last bits only."""

    def random(self, size: int) -> Any:  # type: ignore[override]
        return self.integers(0, 3, size) / 4 + self.integers(0, 3, size) * 2.0**-53


@pytest.mark.parametrize("kind", [np.random.Generator, CoarseNumbers])
def test_mentions_are_shuffled_by_document_and_by_every_bit_of_their_random_numbers(kind: type) -> None:
    order = np.random.default_rng(1)
    for seed in range(20):
        documents = order.integers(0, 40, 300)
        entities = 10 * documents + order.integers(0, 10, 300)
        key = Corpus.from_labels(mention=list(range(300)), entity=entities.tolist(), document=documents.tolist())
        found = chance.Shuffler(key).shuffle(kind(np.random.PCG64(seed)))
        rows = np.lexsort((kind(np.random.PCG64(seed)).random(300), key.document))
        expected = np.empty(300, dtype=np.int64)
        expected[rows] = np.sort(key.entity)
        assert found.tolist() == expected.tolist()
        assert np.array_equal(key.entity_document[found], key.document)
        assert np.array_equal(np.bincount(found), key.sizes)


@pytest.mark.parametrize("processes", [2, 3, 4])
def test_the_number_of_processes_changes_nothing(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "_WORTH_A_PROCESS", 0)
    plain = corefeval.score(KEY, A)
    steps: list[tuple[int, int]] = []

    def note(_: str, done: int, total: int) -> None:
        steps.append((done, total))

    found = corefeval.relative(plain, draws=7, seed=3, processes=processes, progress=note)
    assert found == corefeval.relative(plain, draws=7, seed=3)
    assert steps[-1] == (7, 7)
    if can_copy_process():
        assert len(steps) == -(-7 // processes)


def test_processes_that_cannot_be_copied_are_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "_WORTH_A_PROCESS", 0)
    monkeypatch.setattr(chance, "can_copy_process", lambda: False)
    scores = chance.score_draws(lambda draw: [float(draw), 1.0], 3, 1, 4, lambda _: None)
    assert scores.tolist() == [[0, 1], [1, 1], [2, 1]]


def test_an_error_in_another_process_is_raised_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "_WORTH_A_PROCESS", 0)

    def score(draw: int) -> list[float]:
        if draw == 1:
            raise OptionError("draw 1 is not possible")
        return [0.0]

    with pytest.raises(OptionError, match="draw 1 is not possible"):
        chance.score_draws(score, 4, 1, 2, lambda _: None)


@pytest.mark.slow
def test_the_interval_of_a_hundred_draws_has_what_many_draws_come_to() -> None:
    """Of twenty intervals at 95 %, no measure misses more than four: with fewer draws than said, many would."""
    rng = np.random.default_rng(4)
    key = {f"d{d}": np.split(np.arange(60), np.sort(rng.choice(np.arange(1, 60), 25, replace=False))) for d in range(6)}
    sides = {name: [each.tolist() for each in entities] for name, entities in key.items()}
    plain = corefeval.score(sides, sides)
    truth = corefeval.relative(plain, draws=6000, seed=10**6)
    missed = dict.fromkeys(plain, 0)
    for seed in range(20):
        found = corefeval.relative(plain, draws=100, seed=1000 * seed)
        for name, each in found.measures.items():
            low, high = each.baseline_interval or (0.0, 0.0)
            missed[name] += not low <= truth.measures[name].baseline <= high
    assert max(missed.values()) <= 4, missed
