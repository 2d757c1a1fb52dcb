"""estimate(): against er-evaluation, by hand, its options, its notices and its command."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import corefeval
from corefeval import Corpus
from tests.cli.running import get_output, run
from tests.sampling.worlds import make_world

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEY = [0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 5, 5, 5, 5, 5, 6, 7, 7, 7, 8, 8, 9]
RESPONSE = [0, 0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7, 7, 7, 7, 8, 9, 10, 10, 10, 3, 11, 8]
SAMPLED = [0, 1, 2, 3, 4, 5, 7]
WEIGHTS = {0: 1.0, 1: 2.0, 2: 4.0, 3: 1.5, 4: 2.0, 5: 1.0, 7: 3.0}
SIZES = {entity: KEY.count(entity) for entity in SAMPLED}

# Estimates and standard errors of er-evaluation 2.3.0 (pairwise_recall_estimator and so on) on these labels.
ER_EVALUATION: dict[str, dict[str, tuple[float, float]]] = {
    "uniform": {
        "pairwise recall": (0.5833333333333334, 0.07686091535131488),
        "pairwise precision": (0.8909505208333335, 0.06314768569261531),
        "pairwise f1": (0.7071458333333334, 0.06852615072607922),
        "ceaf:phi=1 recall": (0.2857142857142857, 0.18442777839082936),
        "bcub recall": (0.7657936507936507, 0.08543830496713008),
        "bcub precision": (0.854761904761905, 0.0694569149800705),
    },
    "size": {
        "pairwise recall": (0.582476103777879, 0.10261687561548272),
        "pairwise precision": (0.8051656087239583, 0.12526705227499568),
        "pairwise f1": (0.6807099421048995, 0.0984307882543812),
        "ceaf:phi=1 recall": (0.25215228828344977, 0.18933176977423324),
        "bcub recall": (0.8354303096604007, 0.09817591846687346),
        "bcub precision": (0.7542207029409138, 0.10866165783787368),
    },
    "given": {
        "pairwise recall": (0.6546306116997991, 0.12644390094132438),
        "pairwise precision": (0.8599561769164059, 0.10708995803839157),
        "pairwise f1": (0.7478818381106707, 0.10984972520136313),
        "ceaf:phi=1 recall": (0.3456886301201361, 0.21671370973715665),
        "bcub recall": (0.8502887686160882, 0.09037711061731526),
        "bcub precision": (0.791498899777222, 0.10631416845761733),
    },
}


def build_sample(sampled: list[int] = SAMPLED) -> Corpus:
    rows = [row for row, entity in enumerate(KEY) if entity in sampled]
    return Corpus.from_labels(mention=rows, entity=[KEY[row] for row in rows])


def build_response() -> Corpus:
    return Corpus.from_labels(mention=list(range(len(RESPONSE))), entity=RESPONSE)


def weigh(how: str, entity: int) -> float:
    return {"uniform": 1.0, "size": 1 / SIZES[entity], "given": WEIGHTS[entity]}[how]


@pytest.mark.parametrize("how", list(ER_EVALUATION))
@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_estimates_and_errors_are_those_of_er_evaluation(how: str) -> None:
    for name, (value, error) in ER_EVALUATION[how].items():
        measure, rate = name.split()
        # er-evaluation's B³ is a mean over entities, ours (as that of `score`) one over mentions: a weight per mention.
        weights: Any = {entity: weigh(how, entity) / (SIZES[entity] if measure == "bcub" else 1) for entity in SAMPLED}
        found = corefeval.estimate(build_sample(), build_response(), weights=weights)[measure][rate]
        assert found is not None
        assert (found.value, found.error) == pytest.approx((value, error), rel=1e-12), name
        if measure != "bcub" and how != "given":
            assert corefeval.estimate(build_sample(), build_response(), weights=how)[measure][rate] == found


@pytest.mark.filterwarnings("ignore")  # er-evaluation's own, too
def test_er_evaluation_says_the_same_of_random_samples() -> None:
    estimators = pytest.importorskip("er_evaluation.estimators", reason="er-evaluation is not installed")
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(2)
    for _ in range(5):
        world = make_world(random, 60, largest=8, errors=0.5)
        chosen = random.choice(60, 25, replace=False)
        rows = np.flatnonzero(np.isin(world.key, chosen))
        found = corefeval.estimate(world.build_key(chosen), world.build_response(), weights="size")
        theirs = pandas.Series(world.response), pandas.Series(world.key[rows], index=rows), "cluster_size"
        for ours, function in {
            ("pairwise", "recall"): "pairwise_recall",
            ("pairwise", "precision"): "pairwise_precision",
            ("pairwise", "f1"): "pairwise_f",
            ("ceaf:phi=1", "recall"): "cluster_recall",
        }.items():
            rate = found[ours[0]][ours[1]]
            assert rate is not None
            expected = getattr(estimators, f"{function}_estimator")(*theirs)
            assert (rate.value, rate.error) == pytest.approx(expected, rel=1e-9)


@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_three_entities_by_hand() -> None:
    # {a b c} is found as {a b} and {c x}, {d e} as it is, {f} within {f y z}; x, y and z are of other entities.
    key = [["a", "b", "c"], ["d", "e"], ["f"]]
    response = [["a", "b"], ["c", "x"], ["d", "e"], ["f", "y", "z"]]
    found = corefeval.estimate(key, response)
    expected = {
        "pairwise": ((1 + 1 + 0) / (3 + 1 + 0), (1 + 1 + 0) / (1.5 + 1 + 1)),  # c has half a pair, f one of two halves
        "ceaf:phi=1": (1 / 3, 1 / (1 + 1 / 2 + 1 + 1 / 3)),
        "muc": ((1 + 1 + 0) / (2 + 1 + 0), (1 + 1 + 0) / (1 + 1 / 2 + 1 + 2 / 3)),
        "bcub": ((5 / 3 + 2 + 1) / 6, (2 + 1 / 2 + 2 + 1 / 3) / 6),
        "lea": ((3 * 1 / 3 + 2 + 0) / 6, (2 + 0 + 2 + 0) / 6),
    }
    for measure, (recall, precision) in expected.items():
        rates = found[measure]
        f1 = 2 * recall * precision / (recall + precision)
        for name, value in {"recall": recall, "precision": precision, "f1": f1}.items():
            rate = rates[name]
            assert rate is not None
            assert rate.uncorrected == pytest.approx(value), (measure, name)
    assert (found.entities, found.records, found.missing) == (3, 6, 0)
    assert (found.response_entities, found.response_records) == (4, 9)


@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_exact_precision_varies_less_than_by_numbers_of_records() -> None:
    # er-evaluation takes the mean size of response entities for known, and scales the exact ones by records sampled.
    random = np.random.default_rng(11)
    world = make_world(random, 3000, largest=50, errors=0.1)
    response = world.build_response()
    truth = corefeval.score(world.build_key(), response, measures="ceaf:phi=1")["ceaf:phi=1"].precision
    records_per_entity = len(response) / len(response.sizes)
    ours, theirs = [], []
    for _ in range(40):
        found = corefeval.estimate(world.build_key(random.choice(3000, 100, replace=False)), response)
        recall, precision = (found["ceaf:phi=1"][name] for name in ("recall", "precision"))
        assert recall is not None
        assert precision is not None
        ours.append(precision.value - truth)
        theirs.append(recall.uncorrected * found.entities / found.records * records_per_entity - truth)
    assert np.square(ours).mean() < 0.5 * np.square(theirs).mean()


def write_tables(folder: Path, weights: Mapping[int, object] = WEIGHTS) -> tuple[Path, Path]:
    sample, response = folder / "sample.csv", folder / "response.csv"
    with sample.open("w", newline="") as file:
        rows = [(f"r{row}", f"e{each}", weights[each]) for row, each in enumerate(KEY) if each in SAMPLED]
        csv.writer(file).writerows([("record_id", "person", "weight"), *rows])
    with response.open("w", newline="") as file:
        csv.writer(file).writerows([("record_id", "cluster_id"), *((f"r{i}", f"c{e}") for i, e in enumerate(RESPONSE))])
    return sample, response


@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_the_command_prints_what_the_function_returns(tmp_path: Path) -> None:
    files = write_tables(tmp_path)
    arguments = ["estimate", *files, "--key-columns", "cluster=person", "--weights", "weight", "--confidence", "0.9"]
    printed = json.loads(get_output(*arguments, "--json"))
    expected = corefeval.estimate(build_sample(), build_response(), weights=WEIGHTS, confidence=0.9)
    assert printed["measures"] == json.loads(expected.to_json())["measures"]
    assert printed["weights"] == "weight"
    read = corefeval.estimate(*map(str, files), weights="weight", key_format="table:cluster=person", confidence=0.9)
    assert dict(read.rates) == dict(expected.rates)
    text = get_output(*arguments, "-m", "pairwise,lea")
    assert "90% interval" in text
    assert "7 sampled entities of 20 records, weights weight, for a response of 24 records in 12 entities" in text
    assert "muc" not in text


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({**WEIGHTS, 3: 0}, "sample.csv:9: weight 0 of entity 'e3'; expected a number above 0"),
        ({**WEIGHTS, 3: "much"}, "sample.csv:9: weight much of entity 'e3'; expected a number above 0"),
        ({**WEIGHTS, 3: "nan"}, "sample.csv:9: weight nan of entity 'e3'; expected a number above 0"),
    ],
)
def test_impossible_weights_are_refused_with_their_lines(
    tmp_path: Path, weights: dict[int, object], message: str
) -> None:
    sample, response = write_tables(tmp_path, weights)
    done = run("estimate", sample, response, "--key-columns", "cluster=person", "--weights", "weight")
    assert done.returncode == 65
    assert message in done.stderr


def test_rows_of_an_entity_with_different_weights_are_refused(tmp_path: Path) -> None:
    sample, response = write_tables(tmp_path)
    sample.write_text(sample.read_text().replace("r2,e0,1.0", "r2,e0,1.5"))
    done = run("estimate", sample, response, "--key-columns", "cluster=person", "--weights", "weight")
    assert done.returncode == 65
    assert "sample.csv:4: weight 1.5 of entity 'e0', which had 1.0; expected one weight for an entity" in done.stderr


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    sample, response = write_tables(tmp_path)
    done = run("estimate", sample, response, "--key-columns", "cluster=person", "--weights", "wieght")
    assert done.returncode == 65
    assert "no column is called 'wieght'; did you mean weight?" in done.stderr
    for options, message in {
        ("measures", "ceafe"): "ceafe cannot be estimated from sampled entities",
        ("measures", "bcub:weight=entity"): "bcub:weight=entity cannot be estimated",
        ("weights", "sise"): "weights='sise' is not possible: the key has no such column; did you mean size?",
        ("confidence", 1.0): "confidence=1.0 is not possible",
    }.items():
        given: Any = {options[0]: options[1]}
        with pytest.raises(corefeval.OptionError, match="(?s)" + message.replace("?", r"\?")):
            corefeval.estimate(build_sample(), build_response(), **given)
    with pytest.raises(corefeval.InputError, match="no weight for 1 of 7 entities, the first '7'"):
        corefeval.estimate(build_sample(), build_response(), weights={e: 1.0 for e in SAMPLED if e != 7})
    with pytest.raises(corefeval.InputError, match="1 sampled entity; expected two or more"):
        corefeval.estimate(build_sample([0]), build_response())


def test_what_could_mislead_is_said() -> None:
    with pytest.warns(corefeval.CorefevalWarning):
        found = corefeval.estimate(build_sample(), build_response())
    assert [notice.kind for notice in found.notices] == ["few-entities"]
    assert "7 sampled entities" in found.notices[0].message
    same = [[f"{number}a", f"{number}b"] for number in range(40)]
    with pytest.warns(corefeval.CorefevalWarning):
        perfect = corefeval.estimate(same, same, measures="lea")
    assert [notice.kind for notice in perfect.notices] == ["no-variation"]
    assert "up to 7.22% of draws" in perfect.notices[0].message  # 1 - 0.05^(1/40)
    with pytest.warns(corefeval.CorefevalWarning):
        lacking = corefeval.estimate(same, [*same[1:], ["0a"]], measures="bcub")
    assert [notice.kind for notice in lacking.notices] == ["records-missing", "no-variation"]  # precision is perfect
    assert lacking.missing == 1
    with pytest.raises(corefeval.StrictError):
        corefeval.estimate(same, same, strict=True)


@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_what_is_undefined_is_a_dash_and_null() -> None:
    alone = [["a"], ["b"], ["c"]]
    found = corefeval.estimate(alone, alone, measures="pairwise,lea")
    assert found["pairwise"]["recall"] is None
    assert "–" in found.to_text()
    assert found.to_csv().splitlines()[1] == "pairwise,recall,,,,,,"
