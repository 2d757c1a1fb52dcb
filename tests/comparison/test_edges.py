"""Comparisons at their edges: few documents, none that differ, other documents, ties, order, names, resolution."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import asdict
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import scipy.stats

import corefeval
from corefeval import OptionError, Runs
from corefeval.comparison.resampling import MOST_FOR_ALL_SWAPS
from corefeval.errors import StrictError
from tests.comparison import worlds

if TYPE_CHECKING:
    from pathlib import Path

KEY = worlds.key(40, 11)
A, B, C = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.3, 1), (0.35, 2), (0.6, 3)))


def kinds(found: corefeval.Comparison) -> set[str]:
    return {notice.kind for notice in found.notices}


def first(world: worlds.World, documents: int) -> worlds.World:
    return dict(list(world.items())[:documents])


def without(world: worlds.World, *names: str) -> worlds.World:
    return {name: entities for name, entities in world.items() if name not in names}


@pytest.mark.parametrize("options", [{"missing": "skip"}, {"profile": "scorch"}, {"profile": "ua-1"}])
def test_systems_that_would_be_judged_on_other_documents_are_refused(options: dict[str, Any]) -> None:
    """Both lack one document, but not the same one: as many are left, and pairing them by place would be wrong."""
    with pytest.raises(OptionError, match="lacks 1 of 40 documents, the first 'd004', and missing=skip"):
        corefeval.compare(KEY, {"a": without(A, "d004"), "b": without(B, "d009")}, measures="lea", **options)
    with pytest.raises(OptionError, match="lacks 1 of 40 documents"):
        corefeval.compare(KEY, {"a": A, "b": Runs([B, without(C, "d009")])}, measures="lea", **options)
    both = corefeval.compare(KEY, {"a": without(A, "d004"), "b": without(B, "d004")}, measures="lea", **options)
    assert len(both.document_names) == 39


def test_systems_that_have_none_of_the_documents_are_refused() -> None:
    elsewhere = {f"x{name}": entities for name, entities in A.items()}
    with pytest.raises(OptionError, match="there is no document to compare systems on"):
        corefeval.compare(KEY, {"a": elsewhere, "b": elsewhere}, measures="lea", missing="skip")


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
        corefeval.compare(first(KEY, 3), {"a": first(A, 3), "b": first(B, 3)}, measures="lea", strict=True)


def test_more_resamples_than_memory_holds_are_refused() -> None:
    with pytest.raises(OptionError, match="resamples=10000000000 is not possible; it takes 100 to 10,000,000"):
        corefeval.compare(KEY, {"a": A, "b": B}, resamples=10**10)


def test_systems_are_given_by_name() -> None:
    with pytest.raises(OptionError, match="by name"):
        corefeval.compare(KEY, [A, B])  # type: ignore[arg-type]


def test_what_cannot_be_planned_is_not_shown_as_nothing() -> None:
    """One document, too few for any p to be small, or systems that are alike: no difference is said to be detectable."""
    for documents in (1, 2, 5):
        few = [first(world, documents) for world in (KEY, A, C)]
        (found,) = corefeval.compare(few[0], {"a": few[1], "c": few[2]}, measures="lea", resamples=200).comparisons
        assert found.detectable is None
        assert json.loads(json.dumps(asdict(found)))["detectable"] is None
    six = [first(world, 6) for world in (KEY, A, C)]
    assert corefeval.compare(six[0], {"a": six[1], "c": six[2]}, measures="lea").comparisons[0].detectable
    alike = corefeval.compare(KEY, {"a": A, "again": A}, measures="lea", resamples=200)
    (same,) = alike.comparisons
    assert (same.p, same.exact, same.tried, same.interval, same.detectable, same.needed) == (
        1, True, 1, (0, 0), None, None,
    )  # fmt: skip
    assert (same.wins, same.ties, same.losses) == (0, 40, 0)


def test_one_document_is_one_document() -> None:
    one = [first(world, 1) for world in (KEY, A, C)]
    found = corefeval.compare(one[0], {"a": one[1], "c": one[2]}, measures="lea", resamples=200)
    assert kinds(found) == {"one-document"}
    assert "of 1 document," in str(found)
    assert found.comparisons[0].p == 1


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


@pytest.mark.parametrize("documents", [MOST_FOR_ALL_SWAPS, MOST_FOR_ALL_SWAPS + 1])
def test_all_swaps_are_tried_where_twenty_documents_differ_and_no_more(documents: int) -> None:
    mixed = {name: (C if place < documents else A)[name] for place, name in enumerate(KEY)}
    differ = sum(
        corefeval.score({name: KEY[name]}, {name: A[name]})["ceafe"].values
        != corefeval.score({name: KEY[name]}, {name: C[name]})["ceafe"].values
        for name in list(KEY)[:documents]
    )
    assert differ == documents
    (found,) = corefeval.compare(KEY, {"a": A, "c": mixed}, measures="ceafe", resamples=300).comparisons
    assert found.exact == (documents <= MOST_FOR_ALL_SWAPS)
    assert found.tried == (2**documents if found.exact else 300)
    assert found.resolution == (2 / 2**documents if found.exact else 1 / 301)
    assert found.p >= found.resolution


def test_swaps_that_make_the_same_difference_count_whatever_their_sums_round_to() -> None:
    """Three kinds of documents, four of each, half of them the wrong way round: most swaps have many equals.

    Expected from whole numbers: how many documents of each kind are swapped decides the difference.
    """
    few = worlds.key(3, 5, largest=60)
    better, worse = (worlds.disturbed(few, 0.3, seed) for seed in (1, 2))
    copies = [(f"{name}/{copy}", name, copy) for name in few for copy in range(4)]
    key = {copy: few[name] for copy, name, _ in copies}
    a, b = (
        {copy: (one if number % 2 else other)[name] for copy, name, number in copies}
        for one, other in ((better, worse), (worse, better))
    )
    for measure in ("bcub", "ceafe", "lea", "conll", "entropy", "adjusted_rand"):
        (found,) = corefeval.compare(key, {"a": a, "b": b}, measures=measure, resamples=100).comparisons
        # As many documents of each kind are the one way round as the other: the two systems are alike in all.
        assert found.difference == pytest.approx(0, abs=1e-12)
        assert found.p == 1, measure
        b_again = {copy: (worse if number < 3 else better)[name] for copy, name, number in copies}
        a_again = {copy: (better if number < 3 else worse)[name] for copy, name, number in copies}
        (found,) = corefeval.compare(key, {"a": a_again, "b": b_again}, measures=measure, resamples=100).comparisons
        assert found.p == pytest.approx(_by_kinds(few, better, worse, measure)), measure


def _by_kinds(key: worlds.World, one: worlds.World, other: worlds.World, measure: str) -> float:
    """p where of each kind one document of four is the other way round, from the 5³ differences that there are."""
    values = {}
    for swapped in product(range(5), repeat=len(key)):
        sides = []
        for x, y in ((one, other), (other, one)):
            places = [(name, copy, copy < count) for name, count in zip(key, swapped, strict=True) for copy in range(4)]
            response = {f"{name}/{copy}": (x if first else y)[name] for name, copy, first in places}
            whole = {f"{name}/{copy}": key[name] for name, copy, _ in places}
            sides.append(corefeval.score(whole, response, measures=measure)[measure].main)
        values[swapped] = abs(sides[0] - sides[1])
    ways = {swapped: float(np.prod([(1, 4, 6, 4, 1)[count] for count in swapped])) for swapped in values}
    observed = values[(3,) * len(key)]
    return sum(ways[each] for each, value in values.items() if value >= observed - 1e-9) / 2 ** (4 * len(key))


@pytest.mark.parametrize("measure", ["bcub", "ceafe", "blanc", "lea", "conll", "entropy"])
@pytest.mark.parametrize(("better", "documents"), [(15, 20), (13, 19), (17, 22), (30, 41)])
def test_of_equal_documents_it_is_the_sign_test(measure: str, better: int, documents: int) -> None:
    """One system is better on some documents, the other on the rest, by the same: p is the binomial one, ties and all.

    Without the swaps that make just the observed difference p would be a third of it, or less.
    """
    key = {f"d{number:02}": [[1, 2, 3, 4, 5], [6, 7, 8], [9, 10, 11]] for number in range(documents)}
    good, poor = [[1, 2, 3, 4, 5], [6, 7], [8, 9, 10, 11]], [[1, 2, 3], [4, 5, 6, 7, 8, 9], [10], [11]]
    a, b = (
        {name: one if place < better else other for place, name in enumerate(key)}
        for one, other in ((good, poor), (poor, good))
    )
    (found,) = corefeval.compare(key, {"a": a, "b": b}, measures=measure, resamples=20_000).comparisons
    expected = scipy.stats.binomtest(better, documents).pvalue
    assert found.exact == (documents <= MOST_FOR_ALL_SWAPS)
    assert found.p == pytest.approx(expected, abs=1e-12 if found.exact else 4 * (expected / 20_000) ** 0.5)
    assert {found.wins, found.losses} == {better, documents - better}


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


def test_strata_follow_their_documents_whatever_the_order() -> None:
    def grouped(world: worlds.World) -> worlds.World:
        return {f"{'xyz'[place % 3]}/{name}": entities for place, (name, entities) in enumerate(world.items())}

    one = corefeval.compare(grouped(KEY), {"a": grouped(A), "b": grouped(B)}, resamples=200, stratify="genre")
    key = dict(sorted(grouped(KEY).items()))
    other = corefeval.compare(key, {"a": grouped(A), "b": grouped(B)}, resamples=200, stratify="genre")
    assert one.comparisons[0].interval == other.comparisons[0].interval
    every = corefeval.compare(KEY, {"a": A, "b": B}, measures="lea", resamples=300, stratify="d")
    assert kinds(every) == {"one-group"}


def test_huge_seeds_are_seeds() -> None:
    found = corefeval.compare(KEY, {"a": A, "b": B}, measures="lea", resamples=100, seed=10**40)
    assert json.loads(found.to_json())["seed"] == 10**40


def test_names_of_files_need_not_be_text() -> None:
    """What a command gets for a file name that is no UTF-8."""
    found = corefeval.compare(KEY, {"\udcff": Runs([A, B]), "b": B}, measures="lea", resamples=100)
    assert found.systems[0].name == "\udcff"
    assert corefeval.agree({"\udcff": A, "b": B}, measures="lea", draws=2).pairs[0].a == "\udcff"


AWKWARD = r"a_b & 50% $x^2$ #1 {y} ~|`*z*\.json"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Files with names that mean something to LaTeX and Markdown."""
    worlds_ = {"key.json": KEY, AWKWARD: A, "b.json": B, "c.json": C, "part.json": first(KEY, 30)}
    for name, world in worlds_.items():
        (tmp_path / name).write_text(json.dumps(world))
    return {name: str(tmp_path / name) for name in worlds_}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, as users run it."""
    command = [sys.executable, "-m", "corefeval", "compare", *arguments, "--resamples", "300"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_names_are_shown_as_they_stand(files: dict[str, str]) -> None:
    given = (files["key.json"], files[AWKWARD], files["c.json"], "-m", "lea", "-m", "kappa", "-m", "mentions")
    latex = run(*given, "--latex", "--relative-to", files["b.json"]).stdout
    name = r"a\_b \& 50\% \$x\textasciicircum{}2\$ \#1 \{y\} \textasciitilde{}|`*z*\textbackslash{}.json"
    assert latex.count(name) == 2
    assert " -" not in latex.replace(" --", "")  # a minus that LaTeX would set as a hyphen
    assert "$-$" in latex
    markdown = run(*given, "--markdown").stdout
    assert r"a_b & 50% $x^2$ #1 {y} \~\|\`\*z\*\\.json" in markdown
    assert "\n* " not in markdown  # a list, where a note was meant
    rows = list(csv.DictReader(io.StringIO(run(*given, "--csv", "--relative-to", files["b.json"]).stdout)))
    assert rows[0]["a"] == AWKWARD
    assert float(rows[0]["relative"]) == pytest.approx(
        (float(rows[0]["value"]) - float(rows[0]["baseline"])) / (1 - float(rows[0]["baseline"]))
    )


@pytest.mark.parametrize("digits", ["truncate", "round", "full"])
def test_scores_are_written_as_score_writes_them(files: dict[str, str], digits: str) -> None:
    """The same number in two tables of one program should look the same."""
    given = ("-m", "lea", "--digits", digits, "-q")
    compared = run(files["key.json"], files["b.json"], files["c.json"], *given, "--relative-to", files[AWKWARD]).stdout
    for name, world in (("b.json", B), ("c.json", C)):
        plain = str(corefeval.score(KEY, world, measures="lea", digits=digits))
        shown = next(line for line in plain.splitlines() if line.startswith("lea")).split()[-1]
        rows = [line.split() for line in compared.splitlines() if f"{name} " in line and " - " not in line]
        assert [row[row.index(name) + 1] for row in rows] == [shown, shown]


def test_a_baseline_that_is_perfect_leaves_nothing_to_be_relative_to(files: dict[str, str]) -> None:
    done = run(files["key.json"], files["b.json"], files["c.json"], "-m", "lea", "--relative-to", files["key.json"])
    assert done.returncode == 0
    assert "– where the baseline is perfect" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (("b.json", "c.json", "--missing", "skip"), "", 0),
        (("b.json", "part.json", "--missing", "skip"), "lacks 10 of 40 documents", 2),
        (("b.json", "b.json"), "a response is given twice", 2),
        (("b.json", "--runs", "x=c.json,c.json"), "a run is given twice", 2),
        (("b.json", "c.json", "--stratify", "nothing"), "it takes genre, file or a regular expression", 2),
        (("b.json", "c.json", "--confidence", "0.9999999999999999"), "confidence", 2),
        (("b.json", "c.json", "--baseline", "nobody"), "known: b.json, c.json", 2),
        (("b.json", "part.json", "--strict"), "missing", 65),
        (("b.json", "c.json", "--strict", "--fail-if-worse", "-m", "lea", "-m", "muc"), "worse than b.json by muc", 1),
    ],
)
def test_exit_codes_and_messages(files: dict[str, str], arguments: tuple[str, ...], message: str, code: int) -> None:
    paths = [files.get(each, each) for each in arguments]
    done = run(files["key.json"], *(each.replace("c.json", files["c.json"]) if "=" in each else each for each in paths))
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
