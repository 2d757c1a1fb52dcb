"""compare(resample="components"): groups of entities that share mentions take the place of documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import corefeval
from corefeval import Corpus, Runs
from corefeval import measures as known
from corefeval.comparison import components
from corefeval.comparison.bootstrap import ResamplingPlan, draw_documents, score_resamples
from corefeval.comparison.components import number_equal_rows, sample_components
from corefeval.comparison.significance import draw_swaps
from tests.cli.running import get_output, run
from tests.data import EXAMPLES
from tests.sampling.worlds import World, make_response, make_world

if TYPE_CHECKING:
    from corefeval._arrays import Ints

MEASURES = ["mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "pairwise", "ceaf:phi=1", "conll", "core"]
RECORDS = EXAMPLES / "records"
Groups = list[tuple[list[list[int]], list[list[list[int]]]]]


def group(key: Ints, responses: list[Ints]) -> Groups:
    """The components, by joining records until nothing changes: entities of the key, and of each response."""
    number = np.arange(len(key))
    while True:
        before = number.copy()
        for labels in (key, *responses):
            least = np.full(int(labels.max()) + 1, len(key))
            np.minimum.at(least, labels, number)
            number = least[labels]
        if (number == before).all():
            break
    found = []
    for each in np.unique(number).tolist():
        rows = np.flatnonzero(number == each)
        sides = [
            [rows[labels[rows] == entity].tolist() for entity in np.unique(labels[rows]).tolist()]
            for labels in (key, *responses)
        ]
        found.append((sides[0], sides[1:]))
    return found


def as_documents(groups: Groups, side: int | None) -> dict[str, list[list[int]]]:
    """Each component a document of its own: the key (None), or one of the responses."""
    return {f"{n:05}": key if side is None else responses[side] for n, (key, responses) in enumerate(groups)}


def build(labels: Ints) -> Corpus:
    return Corpus.from_labels(mention=np.arange(len(labels)), entity=labels)


@pytest.fixture(scope="module")
def world() -> tuple[World, Ints]:
    random = np.random.default_rng(9)
    first = make_world(random, 60, largest=6, errors=0.3)
    return first, make_response(random, first.key, 0.4)


def test_components_are_compared_as_documents_are(world: tuple[World, Ints]) -> None:
    first, other = world
    groups = group(first.key, [first.response, other])
    # Many resamples and plain percentiles: ends that lie farther out would differ by chance.
    by: Any = {"measures": MEASURES, "interval": "percentile", "resamples": 50_000}
    systems = {"a": build(first.response), "b": build(other)}
    whole = corefeval.compare(build(first.key), systems, resample="components", **by)
    documents = {"a": as_documents(groups, 0), "b": as_documents(groups, 1)}
    apart = corefeval.compare(as_documents(groups, None), documents, **by)
    assert whole.units == len(groups) == apart.units
    for ours, theirs in zip(whole.comparisons, apart.comparisons, strict=True):
        for name in ("difference", "wins", "ties", "losses", "exact"):
            assert getattr(ours, name) == pytest.approx(getattr(theirs, name)), (ours.measure, name)
        assert ours.p == pytest.approx(theirs.p, abs=1e-12 if ours.exact else 0.02)
        assert ours.interval == pytest.approx(theirs.interval, abs=0.03 * (theirs.interval[1] - theirs.interval[0]))
        assert [adds for _, adds in ours.deciding] == pytest.approx([adds for _, adds in theirs.deciding])
    for one, same in zip(whole.systems, apart.systems, strict=True):
        for measure in MEASURES:
            mine, expected = one.measures[measure], same.measures[measure]
            assert mine.score == pytest.approx(expected.score)
            assert mine.between_documents == pytest.approx(expected.between_documents, rel=0.03)
            low, high = expected.interval
            assert mine.interval == pytest.approx((low, high), abs=0.03 * (high - low))


def test_exact_p_values_count_components_that_share_a_row() -> None:
    # Four pairs that A splits and B does not: equal in all counts, so one row; two pairs the other way round.
    pairs = [[f"{n}a", f"{n}b"] for n in range(6)]
    alone = [[record] for pair in pairs for record in pair]
    a, b = [*alone[:8], *pairs[4:]], [*pairs[:4], *alone[8:]]
    with pytest.warns(corefeval.CorefevalWarning):
        found = corefeval.compare(pairs, {"a": a, "b": b}, measures="lea", resample="components").comparisons[0]
    assert (found.exact, found.tried) == (True, 64)
    assert (found.wins, found.ties, found.losses) == (4, 0, 2)
    # Of 2⁶ exchanges, B is better on 4 or more, or on 2 or fewer, of the six in all but those with 3 each: C(6, 3) = 20.
    assert found.p == pytest.approx(44 / 64)


def test_resampled_scores_are_those_of_resampled_tables(world: tuple[World, Ints]) -> None:
    first, _ = world
    groups = group(first.key, [first.response])
    measures = known.select_measures(MEASURES)
    scored = corefeval.score(build(first.key), build(first.response), measures=MEASURES)
    systems, units, _ = sample_components({"s": (scored,)}, measures, may_drop=False)
    plan = ResamplingPlan(10, 3, None, units.times)
    found = score_resamples(systems, measures, plan)
    assert units.rows is not None
    assert units.count == len(groups)
    weights = np.concatenate(list(draw_documents(len(np.unique(units.rows)), plan)))
    assert (weights.sum(axis=1) == units.count).all()
    for row, drawn in enumerate(weights.astype(int).tolist()):
        key: dict[str, Any] = {}
        response: dict[str, Any] = {}
        for kind, times in enumerate(drawn):
            component = int(np.flatnonzero(units.rows == kind)[0])
            entity = int(units.name_unit(component))
            own = next(each for each in groups if any(first.key[r] == entity for e in each[0] for r in e))
            for copy in range(times):
                key[f"{kind}/{copy}"], response[f"{kind}/{copy}"] = own[0], own[1][0]
        again = corefeval.score(key, response, measures=MEASURES)
        for measure in measures:
            assert found[0, measure].by_all[row] == pytest.approx(again[measure].main, abs=1e-9), (measure, row)


def test_rows_that_stand_for_several_are_drawn_and_swapped_as_often() -> None:
    times = np.array([90, 9, 1])
    plan = ResamplingPlan(4000, 1, None, times)
    drawn = np.concatenate(list(draw_documents(3, plan)))
    assert (drawn.sum(axis=1) == 100).all()
    assert drawn.mean(axis=0) == pytest.approx(times, rel=0.05)
    assert drawn.var(axis=0) == pytest.approx([100 * p * (1 - p) for p in (0.9, 0.09, 0.01)], rel=0.1)
    swapped = np.concatenate(list(draw_swaps(3, plan)))
    assert (swapped <= times).all()
    assert swapped.mean(axis=0) == pytest.approx(times / 2, rel=0.05)
    assert swapped.var(axis=0) == pytest.approx(times / 4, rel=0.1)


@pytest.mark.parametrize("collide", [False, True])
def test_equal_rows_have_one_number(collide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if collide:  # all numbers are mixed to 0: only the comparison of rows tells them apart
        monkeypatch.setattr(components, "_MIXED", np.uint64(0))
    random = np.random.default_rng(1)
    columns = [random.integers(0, 3, 500) / 4 for _ in range(4)]
    first, rows = number_equal_rows(columns)
    matrix = np.column_stack(columns)
    assert (matrix[first][rows] == matrix).all()
    assert len(first) == len(np.unique(matrix, axis=0))
    assert (np.diff(first) > 0).all()


def test_several_runs_share_their_components(world: tuple[World, Ints]) -> None:
    first, other = world
    runs = Runs([build(first.response), build(other)])
    with pytest.warns(corefeval.CorefevalWarning, match="only 2 runs"):
        found = corefeval.compare(build(first.key), {"s": runs}, measures="bcub", resample="components")
    assert found.units == len(group(first.key, [first.response, other]))
    assert found.systems[0].measures["bcub"].between_runs is not None
    assert "between components" in found.to_text()


def test_measures_that_do_not_add_up_are_left_out_or_refused(world: tuple[World, Ints]) -> None:
    first, _ = world
    sides = build(first.key), {"s": build(first.response)}
    with pytest.warns(corefeval.CorefevalWarning, match="blanc: no sum over components"):
        found = corefeval.compare(*sides, resample="components")
    assert [str(measure) for measure in found.measures] == ["mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "conll"]
    assert "blanc" not in found.signature
    for measure in ("blanc", "rand", "adjusted_rand", "ami", "matthews", "correlation_distance", "muc,blanc"):
        with pytest.raises(corefeval.OptionError, match="no sum over components"):
            corefeval.compare(*sides, measures=measure, resample="components")


def test_options_that_components_do_not_take_are_refused(world: tuple[World, Ints]) -> None:
    first, _ = world
    sides = build(first.key), {"s": build(first.response)}
    for given, message in (
        ({"resample": "component"}, "did you mean components"),
        ({"resample": "components", "stratify": "genre"}, "stratify is about documents"),
        ({"resample": "components", "macro": True}, "average=micro"),
    ):
        options: Any = given
        with pytest.raises(corefeval.OptionError, match=message):
            corefeval.compare(*sides, measures="muc", **options)
    twice = [["a", "b"], ["b", "c"]]
    with pytest.raises(corefeval.OptionError, match="in several entities"):
        corefeval.compare(twice, {"s": twice}, measures="muc", resample="components", profile="coval")


def test_notices_say_what_components_are_worth() -> None:
    pairs = [[f"{n}a", f"{n}b"] for n in range(40)]
    with pytest.warns(corefeval.CorefevalWarning, match="for one table of records, resample=components draws groups"):
        corefeval.compare(pairs, {"s": pairs}, measures="lea")
    together = [[record for pair in pairs for record in pair]]
    with pytest.warns(corefeval.CorefevalWarning, match="there is only one component, as all entities hang together"):
        corefeval.compare(pairs, {"s": together}, measures="lea", resample="components")
    half = [*pairs[:20], [record for pair in pairs[20:] for record in pair]]
    with pytest.warns(corefeval.CorefevalWarning) as warned:
        found = corefeval.compare(pairs, {"s": half}, measures="lea", resample="components")
    assert len(warned) == 1
    assert [notice.kind for notice in found.notices] == ["few-components", "uneven-components"]
    assert "has 50% of what lea counts in the key: the 21 components" in found.notices[1].message
    documents = {str(n): [pair] for n, pair in enumerate(pairs)}
    with pytest.warns(corefeval.CorefevalWarning, match="with 40 documents, these should be resampled"):
        corefeval.compare(documents, {"s": documents}, measures="lea", resample="components")


def test_the_command() -> None:
    files = RECORDS / "truth.csv", RECORDS / "run-a.csv", RECORDS / "run-b.csv"
    text = get_output("compare", *files, "-m", "bcub", "--resample", "components")
    assert "components needed" in text
    assert "Components that decide (bcub)" in text
    assert "randomisation test, 10,000 resamples of 98 components" in text
    printed = json.loads(get_output("compare", *files, "-m", "bcub", "--resample", "components", "--json"))
    assert (printed["documents"], printed["components"], printed["resample"]) == (1, 98, "components")
    assert set(printed["comparisons"][0]["deciding"][0]) == {"component", "adds"}
    assert run("compare", *files, "--resample", "entities").returncode == 2


COVERED = ("muc", "bcub", "ceafe", "lea", "pairwise")


@pytest.mark.slow
@pytest.mark.parametrize("hubs", [0.0, 0.15])
@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_intervals_hold_the_truth_about_as_often_as_they_say(hubs: float) -> None:
    random = np.random.default_rng(5)
    large = make_world(random, 300_000, largest=10, errors=0.2, hubs=hubs)
    truth = corefeval.score(large.build_key(), large.build_response(), measures=COVERED)
    held, by_entity, samples = dict.fromkeys(COVERED, 0), 0, 300
    for sample in range(samples):
        table = make_world(random, 500, largest=10, errors=0.2, hubs=hubs)
        key, response = table.build_key(), table.build_response()
        found = corefeval.compare(
            key, {"s": response}, measures=COVERED, resample="components", resamples=1000, seed=sample
        )
        for measure in COVERED:
            low, high = found.systems[0].measures[measure].interval
            held[measure] += low <= truth[measure].f1 <= high
        rate = corefeval.estimate(key, response, measures="pairwise")["pairwise"]["f1"]
        by_entity += rate is not None and rate.low <= truth["pairwise"].f1 <= rate.high
    for measure, times in held.items():
        assert times / samples >= 0.92, (measure, times / samples)
    # Why key entities are no units: errors that they share make them depend on each other.
    assert by_entity / samples < 0.85 if hubs else by_entity / samples > 0.9


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_systems_that_are_alike_seldom_differ_significantly() -> None:
    random = np.random.default_rng(6)
    p: dict[str, list[float]] = {measure: [] for measure in ("bcub", "ceafe", "lea")}
    for sample in range(400):
        table = make_world(random, 200, largest=10, errors=0.2, hubs=0.1)
        systems = {"a": table.build_response(), "b": build(make_response(random, table.key, 0.2, 0.1))}
        found = corefeval.compare(
            table.build_key(), systems, measures=list(p), resample="components", resamples=400, seed=sample
        )
        for each in found.comparisons:
            p[each.measure].append(each.p)
    for measure, values in p.items():
        assert np.mean(np.array(values) <= 0.05) < 0.085, (measure, np.mean(np.array(values) <= 0.05))
