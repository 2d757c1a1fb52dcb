"""Comparisons: what they say, and the command."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import InputError, OptionError, Runs
from corefeval.errors import StrictError
from tests.comparison import worlds
from tests.comparison.worlds import first_documents, without_documents

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


A, B, C = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.3, 1), (0.35, 2), (0.6, 3)))


def kinds(found: corefeval.Comparison) -> set[str]:
    return {notice.kind for notice in found.notices}


@pytest.mark.parametrize("options", [{"missing": "skip"}, {"profile": "scorch"}, {"profile": "ua-1"}])
def test_systems_that_would_be_judged_on_other_documents_are_refused(options: dict[str, Any]) -> None:
    """Both lack one document, but not the same one: as many are left, and pairing them by place would be wrong."""
    with pytest.raises(OptionError, match="lacks 1 of 40 documents, the first 'd004', and missing=skip"):
        corefeval.compare(
            KEY, {"a": without_documents(A, "d004"), "b": without_documents(B, "d009")}, measures="lea", **options
        )
    with pytest.raises(OptionError, match="lacks 1 of 40 documents"):
        corefeval.compare(KEY, {"a": A, "b": Runs([B, without_documents(C, "d009")])}, measures="lea", **options)
    both = corefeval.compare(
        KEY, {"a": without_documents(A, "d004"), "b": without_documents(B, "d004")}, measures="lea", **options
    )
    assert len(both.document_names) == 39


def test_systems_that_have_none_of_the_documents_are_refused() -> None:
    elsewhere = {f"x{name}": entities for name, entities in A.items()}
    with pytest.raises(InputError, match=f"none of its {len(A)} documents is in the key"):
        corefeval.compare(KEY, {"a": elsewhere, "b": elsewhere}, measures="lea", missing="skip")
    with pytest.raises(OptionError, match="there is no document to compare systems on"):
        corefeval.compare(KEY, {"a": {}, "b": {}}, measures="lea", missing="skip")


@pytest.mark.parametrize(("resamples", "shown"), [(10_000, "0.0001~"), (99_999, "1e-05~")])
def test_the_least_p_that_random_swaps_can_give_is_written_in_full(resamples: int, shown: str) -> None:
    """One more than none of so many: 1 / 10,001 and 1 / 100,000."""
    found = corefeval.compare(KEY, {"a": KEY, "b": C}, measures="lea", resamples=resamples)
    assert f" {shown} " in str(found)


@pytest.mark.parametrize("confidence", [0, 1, -1, 95, float("nan"), float("inf"), 1 - 1e-16, 1e-300])
def test_confidence_is_within_its_bounds(confidence: float) -> None:
    with pytest.raises(OptionError, match="confidence"):
        corefeval.compare(KEY, {"a": A, "b": B}, measures="lea", confidence=confidence)


def test_an_extreme_confidence_needs_more_resamples() -> None:
    assert "rough-intervals" in kinds(corefeval.compare(KEY, {"a": A, "b": B}, resamples=500, confidence=0.999))
    assert "rough-intervals" not in kinds(corefeval.compare(KEY, {"a": A, "b": B}, resamples=500))


def test_strict_takes_warnings_of_the_comparison_for_errors_too() -> None:
    corefeval.compare(KEY, {"a": A, "b": B}, measures="lea", resamples=300, strict=True)
    with pytest.raises(StrictError, match="there are only 3 documents"):
        corefeval.compare(
            first_documents(KEY, 3),
            {"a": first_documents(A, 3), "b": first_documents(B, 3)},
            measures="lea",
            strict=True,
        )


def test_more_resamples_than_memory_holds_are_refused() -> None:
    with pytest.raises(OptionError, match="resamples=10000000000 is not possible; it takes 100 to 10,000,000"):
        corefeval.compare(KEY, {"a": A, "b": B}, resamples=10**10)


def test_systems_are_given_by_name() -> None:
    with pytest.raises(OptionError, match="by name"):
        corefeval.compare(KEY, [A, B])  # type: ignore[arg-type]


def test_one_document_is_one_document() -> None:
    one = [first_documents(world, 1) for world in (KEY, A, C)]
    found = corefeval.compare(one[0], {"a": one[1], "c": one[2]}, measures="lea", resamples=200)
    assert kinds(found) == {"one-document"}
    assert "of 1 document," in str(found)
    assert found.comparisons[0].p == 1


def test_documents_that_are_all_alike_leave_no_interval() -> None:
    sides = [[1, 2, 3], [4, 5]], [[1, 2], [3], [4, 5]], [[1, 2, 3, 4], [5]]
    key, a, b = ({f"d{number}": side for number in range(10)} for side in sides)
    (found,) = corefeval.compare(key, {"a": a, "b": b}, measures="lea", resamples=200).comparisons
    assert found.interval == pytest.approx((found.difference, found.difference))
    assert found.p == 2 / 2**10
    assert (found.detectable, found.needed) == (None, None)


def test_a_measure_that_is_undefined_everywhere_says_so_and_nothing_else() -> None:
    singletons = {f"d{number}": [[1], [2]] for number in range(40)}
    found = corefeval.compare(singletons, {"a": singletons, "b": singletons}, measures="muc", resamples=300)
    assert kinds(found) == {"undefined-resamples"}


def test_the_warning_about_uneven_documents_is_that_of_the_measure_with_the_most_uneven_counts() -> None:
    """A document with seven times the mentions has about fifty times the pairs: muc does not mind, blanc does."""
    key = {f"d{number:02}": [[*range(6)], [6, 7]] for number in range(39)} | {"large": [[*range(28)], [*range(28, 56)]]}
    plain = corefeval.compare(key, {"a": key, "b": key}, measures="muc", resamples=300)
    assert "uneven-documents" not in kinds(plain)
    both = corefeval.compare(key, {"a": key, "b": key}, measures=["muc", "blanc"], resamples=300)
    (notice,) = (notice for notice in both.notices if notice.kind == "uneven-documents")
    assert notice.message.startswith("document 'large' has ")
    assert notice.details["measure"] == "blanc"
    macro = corefeval.compare(key, {"a": key, "b": key}, measures="blanc", resamples=300, macro=True)
    assert "uneven-documents" not in kinds(macro)


def test_neither_the_order_of_systems_nor_that_of_documents_changes_a_number() -> None:
    """Nor who else is compared, nor which other measures are asked for."""
    runs: dict[str, Any] = {"a": A, "b": Runs([B, C]), "c": Runs([C, A])}

    def turned(given: Any) -> Any:
        return Runs(map(turned, given)) if isinstance(given, Runs) else dict(reversed(given.items()))

    plain = corefeval.compare(KEY, runs, measures=["lea", "muc"], resamples=300)
    others = {
        "systems": corefeval.compare(KEY, dict(reversed(runs.items())), measures=["lea"], resamples=300),
        "documents": corefeval.compare(
            turned(KEY), {name: turned(each) for name, each in runs.items()}, measures=["lea"], resamples=300
        ),
        "others": corefeval.compare(KEY, {name: runs[name] for name in ("b", "c")}, measures=["lea"], resamples=300),
    }
    expected = {system.name: system.measures["lea"] for system in plain.systems}
    for what, found in others.items():
        for system in found.systems:
            assert system.measures["lea"].interval == pytest.approx(expected[system.name].interval, abs=1e-12), what
    swapped = others["systems"].between("c", "b", "lea")
    there = plain.between("b", "c", "lea")
    assert (swapped.p, swapped.difference) == pytest.approx((there.p, -there.difference), abs=1e-12)
    same = others["documents"].between("a", "b", "lea")
    assert same.interval == pytest.approx(plain.between("a", "b", "lea").interval, abs=1e-12)
    assert [name for name, _ in same.deciding] == [name for name, _ in plain.between("a", "b", "lea").deciding]


def test_huge_seeds_are_seeds() -> None:
    found = corefeval.compare(KEY, {"a": A, "b": B}, measures="lea", resamples=100, seed=10**40)
    assert json.loads(found.to_json())["seed"] == 10**40


def test_names_of_files_need_not_be_text() -> None:
    """What a command gets for a file name that is no UTF-8."""
    found = corefeval.compare(KEY, {"\udcff": Runs([A, B]), "b": B}, measures="lea", resamples=100)
    assert found.systems[0].name == "\udcff"
    assert corefeval.agree({"\udcff": A, "b": B}, measures="lea", draws=2).pairs[0].a == "\udcff"


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


def test_nothing_to_compare_is_told() -> None:
    with pytest.raises(OptionError, match="no documents"):
        corefeval.compare({}, {"a": {}, "b": {}})
    with pytest.raises(OptionError, match="'a' has no runs"):
        corefeval.compare(KEY, {"a": Runs([]), "b": GOOD})
