"""A sweep has at every threshold what `score` has of the closure at that threshold; inputs as programs write them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import corefeval
from corefeval.corpus.union_find import UnionFind
from corefeval.linkage.running_counts import LINEAR
from tests.cli.running import get_output, run
from tests.rounds import few_or_many

TRUTH = "unique_id,cluster_id\n1,a\n2,a\n3,a\n4,b\n5,b\n6,c\n"
EDGES = "unique_id_l,unique_id_r,match_probability\n1,2,0.9\n2,3,0.6\n4,5,0.8\n3,4,0.4\n"


def write(folder: Path, **contents: str) -> dict[str, str]:
    """Write files NAME.csv into a folder; returns their paths by name."""
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    return {name: str(folder / f"{name}.csv") for name in contents}


def close(records: list[str], edges: list[tuple[str, str, float]], threshold: float) -> list[list[str]]:
    """The closure of all pairs from a threshold on."""
    sets = UnionFind(records)
    for left, right, score in edges:
        if score >= threshold:
            sets.join(left, right)
    return sets.groups()


def draw_input(random: Random) -> tuple[list[tuple[str, str, float]], list[list[str]], list[str]]:
    """Draw edges with ties, a truth, and the records of the response: those of edges, and of the truth."""
    names = [f"r{number}" for number in range(random.randint(2, 12))]
    known = random.sample(names, random.randint(1, len(names)))
    truth: dict[int, list[str]] = {}
    for name in known:
        truth.setdefault(random.randrange(4), []).append(name)
    edges = [
        (random.choice(names), random.choice(names), random.choice([0.1, 0.25, 0.5, 0.75, 1.0, -2.0]))
        for _ in range(random.randint(1, 15))
    ]
    edges.append((known[0], known[-1], 0.5))
    records = list(dict.fromkeys([name for left, right, _ in edges for name in (left, right)] + known))
    return edges, list(truth.values()), records


@few_or_many(25, 1000)
def test_every_threshold_has_what_score_says_of_the_closure_there(rounds: int) -> None:
    for seed in range(rounds):
        edges, truth, records = draw_input(Random(seed))
        result = corefeval.sweep(edges, truth, measures=list(LINEAR), resamples=0)
        assert result.thresholds.tolist() == [np.inf, *sorted({score for *_, score in edges}, reverse=True)]
        for state, threshold in enumerate(result.thresholds.tolist()):
            groups = close(records, edges, threshold)
            expected = corefeval.score(truth, groups, measures=list(LINEAR))
            assert result.entities[state] == len(groups)
            for name in LINEAR:
                for field, values in result.values[name].items():
                    assert values[state] == pytest.approx(expected[name].values[field], abs=1e-12), (seed, name, field)
                    undefined = field in expected[name].undefined
                    assert result.undefined[name][field][state] == undefined, (seed, name, field)


@few_or_many(10, 300)
def test_measures_of_pairs_and_links_are_equal_to_the_last_bit(rounds: int) -> None:
    names = ["muc", "pairwise", "blanc", "rand", "adjusted_rand", "kappa", "core", "mentions", "jaccard"]
    for seed in range(1000, 1000 + rounds):
        edges, truth, records = draw_input(Random(seed))
        result = corefeval.sweep(edges, truth, measures=names, resamples=0)
        for state, threshold in enumerate(result.thresholds.tolist()):
            expected = corefeval.score(truth, close(records, edges, threshold), measures=names)
            for name in names:
                for field, values in result.values[name].items():
                    assert values[state] == expected[name].values[field], (seed, name, field)


def test_a_long_chain_is_merged_pair_by_pair() -> None:
    # Each pair waits for the one before it: none of them can be taken along with others.
    edges = [(number, number + 1, -float(number)) for number in range(300)]
    truth = [[number for number in range(301) if number % 3 == rest] for rest in range(3)]
    result = corefeval.sweep(edges, truth, measures=["bcub", "pairwise", "lea"], resamples=0)
    for state in (0, 1, 57, 299, 300):
        response = [list(range(state + 1)), *([number] for number in range(state + 1, 301))]
        expected = corefeval.score(truth, response, measures=["bcub", "pairwise", "lea"])
        for name in ("bcub", "pairwise", "lea"):
            assert result.values[name]["f1"][state] == pytest.approx(expected[name].f1, abs=1e-12)


def test_counted_by_hand(tmp_path: Path) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH)
    result = corefeval.sweep(paths["edges"], paths["truth"], measures=["pairwise", "ceafe"])
    # The truth links 4 pairs of records (three of a, one of b). From the best score on, 1, 2, 3 and 4 edges make
    # 1 (1-2), 2 (and 4-5), 4 (1, 2, 3) and 10 pairs (1 to 5), of which 1, 2, 4 and 4 are right.
    assert result.thresholds.tolist() == [np.inf, 0.9, 0.8, 0.6, 0.4]
    assert result.pairs is not None
    assert result.pairs.tolist() == [0, 1, 2, 3, 4]
    assert result.entities.tolist() == [6, 5, 4, 3, 2]
    assert result.values["pairwise"]["recall"].tolist() == [0, 0.25, 0.5, 1, 1]
    assert result.values["pairwise"]["precision"].tolist() == [0, 1, 1, 1, 0.4]
    assert result.undefined["pairwise"]["precision"].tolist() == [True, False, False, False, False]
    (best,) = result.best
    assert (best.measure, best.threshold, best.knee) == ("pairwise", 0.6, 0.6)
    assert {row.threshold: row.scores["ceafe"].f1 for row in result.chosen}[0.6] == 1
    assert "ceafe" not in result.values
    assert result.find_state(0.7) == 2
    assert result.find_state(2) == 0


def test_chosen_thresholds_have_all_measures_also_between_scores() -> None:
    result = corefeval.sweep([(1, 2, 0.9), (2, 3, 0.5)], [[1, 2, 3]], measures="ceafm,muc", at=[0.7, 0.2, 0.95])
    shown = {row.threshold: row.scores["muc"].recall for row in result.chosen}
    assert shown == {0.95: 0, 0.7: 0.5, 0.2: 1}
    assert result.build_columns()["ceafm.f1"] == [1 / 3, 2 / 3, 1]


def test_of_equally_good_thresholds_the_highest_is_best() -> None:
    result = corefeval.sweep([(1, 2, 0.9), (1, 2, 0.7), (2, 1, 0.5)], [[1, 2]], measures="pairwise")
    assert [each.threshold for each in result.best] == [0.9]
    assert result.best[0].interval == (0.9, 0.9)


def test_where_nothing_should_be_linked_no_threshold_is_best() -> None:
    result = corefeval.sweep([(1, 2, 0.9)], [[1], [2]], measures="bcub")
    assert result.best[0].threshold == np.inf
    assert result.best[0].to_dict()["threshold"] is None
    assert "none" in result.to_text()
    json.loads(result.to_json())


# Intervals


def draw_world(seed: int, entities: int) -> tuple[list[tuple[int, int, float]], list[list[int]]]:
    """Draw entities of two and three records, whose links score about 0.7, and as many wrong links of about 0.4."""
    random = Random(seed)
    truth: list[list[int]] = []
    edges = []
    for _ in range(entities):
        begin = sum(map(len, truth))
        truth.append(list(range(begin, begin + random.choice([2, 3]))))
        edges += [(a, a + 1, round(random.gauss(0.7, 0.12), 3)) for a in truth[-1][:-1]]
    count = sum(map(len, truth))
    edges += [(random.randrange(count), random.randrange(count), round(random.gauss(0.4, 0.12), 3)) for _ in edges]
    return edges, truth


def test_intervals_contain_the_best_threshold_and_narrow_with_more_entities() -> None:
    width = {}
    for entities in (40, 1500):
        result = corefeval.sweep(*draw_world(0, entities), measures=["pairwise", "muc", "bcub", "lea", "blanc"])
        for best in result.best:
            if best.measure == "blanc":
                assert best.interval is None  # its pairs are of two entities
                continue
            assert best.interval is not None
            low, high = best.interval
            assert low <= best.threshold <= high
            width[entities, best.measure] = high - low
    for measure in ("pairwise", "muc", "bcub", "lea"):
        assert width[1500, measure] < width[40, measure]


@pytest.mark.slow
def test_intervals_contain_the_best_threshold_of_the_population_most_of_the_time() -> None:
    # Of a large world the best threshold is nearly that of the distributions that all worlds are drawn from.
    large = corefeval.sweep(*draw_world(99, 20_000), measures="bcub", resamples=0).best[0].threshold
    inside = 0
    for seed in range(100):
        interval = corefeval.sweep(*draw_world(seed, 150), measures="bcub", resamples=300).best[0].interval
        assert interval is not None
        inside += interval[0] - 0.005 <= large <= interval[1] + 0.005
    assert inside >= 80


def test_the_same_seed_gives_the_same_intervals_and_none_are_made_without_draws() -> None:
    world = draw_world(3, 60)
    one, two = (corefeval.sweep(*world, seed=7).best for _ in range(2))
    assert [each.interval for each in one] == [each.interval for each in two]
    without = corefeval.sweep(*world, resamples=0)
    assert {each.interval for each in without.best} == {None}
    assert "interval:" not in without.to_text()


# Inputs


def test_frames_arrays_and_tuples_are_the_same_edges(tmp_path: Path) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH)
    expected = corefeval.sweep(paths["edges"], paths["truth"]).to_csv()
    frame = pd.read_csv(paths["edges"])
    rows = list(frame.itertuples(index=False, name=None))
    scored = np.array([((a, b), c) for a, b, c in rows], dtype=[("pairs", "i8", 2), ("score", "f8")])
    table = pa.Table.from_pandas(frame)
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    pa.parquet.write_table(table, tmp_path / "edges.parquet")
    columns = {name: frame[name].tolist() for name in frame}
    for edges in (frame, pl.from_pandas(frame), table, rows, iter(rows), scored, columns, tmp_path / "edges.parquet"):
        assert corefeval.sweep(edges, paths["truth"]).to_csv() == expected


def test_wide_tables_have_a_clustering_for_each_threshold(tmp_path: Path) -> None:
    wide = "unique_id,cluster_p_0_5,cluster_p_0_9\n1,1,1\n2,1,1\n3,1,3\n4,4,4\n5,4,5\n6,6,6\n"
    paths = write(tmp_path, wide=wide, truth=TRUTH, edges=EDGES)
    result = corefeval.sweep(paths["wide"], paths["truth"], measures="pairwise,conll")
    assert result.thresholds.tolist() == [0.9, 0.5]
    assert result.pairs is None
    swept = corefeval.sweep(paths["edges"], paths["truth"], measures="pairwise,conll", at=[0.5, 0.9])
    assert [row.scores for row in result.chosen] == [row.scores for row in swept.chosen]
    others = ("bcub:weight=entity", "lea:importance=one")  # whose draws would be those of bcub and lea
    drawn = corefeval.sweep(paths["wide"], paths["truth"], measures=["bcub", *others]).best
    assert [(each.measure, each.interval is None) for each in drawn] == [("bcub", False), *((m, True) for m in others)]
    with pytest.raises(corefeval.OptionError, match=r"no clustering at this threshold; there are: 0\.9, 0\.5"):
        corefeval.sweep(paths["wide"], paths["truth"], at=[0.7])
    refused = run("score", paths["truth"], paths["wide"])
    assert refused.returncode == 65
    assert "a clustering in each of several columns: choose one (--response-columns entity=cluster_p_0_5)" in (
        refused.stderr
    )
    assert "`corefeval sweep`" in refused.stderr


def test_records_in_no_pair_are_those_of_the_truth_or_of_a_table(tmp_path: Path) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH, all="unique_id,name\n1,x\n2,x\n3,x\n4,x\n5,x\n9,x\n")
    result = corefeval.sweep(paths["edges"], paths["truth"], measures="mentions")
    (notice,) = result.notices
    message = "1 record of the truth is in no pair; taken as singletons, unless `records` says which records there are"
    assert notice.message.endswith(message)
    given = corefeval.sweep(paths["edges"], paths["truth"], measures="mentions", records=paths["all"])
    assert given.notices == ()
    # Records 1 to 5 are in both, 6 only in the truth, 9 only in the response.
    assert (given.values["mentions"]["recall"][0], given.values["mentions"]["precision"][0]) == (5 / 6, 5 / 6)
    assert corefeval.sweep(
        paths["edges"], paths["truth"], measures="mentions", records=[1, 2, 3, 4, 5, 9]
    ).to_csv() == (given.to_csv())


@pytest.mark.parametrize(
    ("edges", "truth", "expected"),
    [
        ("id_l,id_r,score\n1,2,x\n", TRUTH, "edges.csv:2: score is 'x'; expected a finite number"),
        ("id_l,id_r,score\n1,2,nan\n", TRUTH, "edges.csv:2: score is 'nan'; expected a finite number"),
        ("id_l,id_r,score\n1,,0.4\n", TRUTH, "edges.csv:2: nothing in column 'id_r'; expected a value in every row"),
        ("id_l,id_r,match\n1,2,1\n", TRUTH, "edges.csv: pairs with labels; expected pairs with scores"),
        ("id_l,id_r\n1,2\n", TRUTH, "edges.csv:1: no column for the label or the score"),
        ("a,b,score\n1,2,1\n", TRUTH, "edges.csv:1: no columns for the two records"),
        ("id_l,id_r,score\n71,72,1\n", TRUTH, "none of its 2 records is in"),
        (EDGES, "id,cluster\n1,a\n1,b\n", "truth.csv:3: record 1 is in a second entity; expected one"),
        (EDGES, "doc,id,cluster\nx,1,a\ny,2,b\n", "2 documents; expected records without documents"),
        (EDGES, "id,cluster\n", "no records; expected records and their entities"),
    ],
)
def test_faults_have_their_place_and_a_hint(tmp_path: Path, edges: str, truth: str, expected: str) -> None:
    paths = write(tmp_path, edges=edges, truth=truth)
    done = run("sweep", paths["edges"], paths["truth"])
    assert done.returncode == 65
    assert expected in done.stderr


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"measures": "anaphor"}, "anaphor looks at more than entities of records"),
        ({"confidence": 1.0}, "confidence=1.0: expected a number between 0 and 1"),
        ({"resamples": -1}, "resamples=-1"),
        ({"at": ["x"]}, "at=x: expected a number"),
        ({"response_format": "conll"}, "format conll: a sweep reads pairs of records"),
        ({"response_format": "pairs:threshold=0.5"}, "and not threshold"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: dict[str, object], expected: str) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH)
    with pytest.raises(corefeval.OptionError, match=expected):
        corefeval.sweep(paths["edges"], paths["truth"], **options)  # type: ignore[arg-type]


def test_odd_objects_are_refused() -> None:
    for edges in (7, [(1, 2)], [(1, 2, "x")], {"id_l": [1], "id_r": [2]}, {"id_l": [1], "id_r": [2], "match": [1]}):
        with pytest.raises(corefeval.InputError):
            corefeval.sweep(edges, [[1, 2]])


def test_a_record_that_is_in_the_truth_twice_counts_once(tmp_path: Path) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH, twice=f"{TRUTH}2,a\n")
    once, twice = (corefeval.sweep(paths["edges"], paths[truth], measures="bcub,muc") for truth in ("truth", "twice"))
    assert once.to_csv() == twice.to_csv()
    assert "1 row of records that are there already; each record counts once" in {
        notice.message.partition(": ")[2] for notice in twice.notices
    }


# The command


def test_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    paths = write(tmp_path, edges="id_l,id_r,score\n1,2,x\n", truth="id,name\n1,a\n")
    done = run("sweep", paths["edges"], paths["truth"])
    assert done.returncode == 65
    assert "edges.csv:2: score is 'x'" in done.stderr
    assert "truth.csv:1: no column for the entity" in done.stderr
    missing = run("sweep", tmp_path / "none.csv", paths["truth"], "--key-columns", "entity=name")
    assert (missing.returncode, "none.csv: no such file" in missing.stderr) == (66, True)


def test_directories_are_no_edges_and_no_records(tmp_path: Path) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH)
    for arguments in ((tmp_path, paths["truth"]), (paths["edges"], paths["truth"], "--records", tmp_path)):
        done = run("sweep", *arguments)
        assert (done.returncode, "a directory or an archive; expected a" in done.stderr) == (65, True), done.stderr


def test_edges_may_come_from_standard_input(tmp_path: Path) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH)
    shown = run("sweep", "-", paths["truth"], "--csv", stdin=EDGES)
    assert shown.returncode == 0
    assert shown.stdout == get_output("sweep", paths["edges"], paths["truth"], "--csv")


def test_the_command_shows_few_rows_and_writes_all(tmp_path: Path) -> None:
    edges, truth = draw_world(5, 300)
    lines = [f"{left},{right},{score}" for left, right, score in edges]
    records = [f"{record},{number}" for number, entity in enumerate(truth) for record in entity]
    paths = write(
        tmp_path,
        edges="\n".join(["id_l,id_r,score", *lines]) + "\n",
        truth="\n".join(["id,cluster", *records]) + "\n",
    )
    shown = get_output("sweep", paths["edges"], paths["truth"], "--resamples", 200)
    table, best = shown.split("best thresholds")
    assert 10 <= len([line for line in table.splitlines() if line[:2] in ("0.", "1.", "-0", "no")]) <= 20
    assert table.count("*") == 5 + 1  # a best threshold for each measure, and what the star means
    assert "it assumes that entities are independent" in best
    rows = get_output("sweep", paths["edges"], paths["truth"], "--csv", "--resamples", 0).splitlines()
    assert len(rows) == 2 + len({score for *_, score in edges})
    content = json.loads(get_output("sweep", paths["edges"], paths["truth"], "--json", "-m", "muc"))
    assert content["columns"]["threshold"][0] is None
    assert len(content["columns"]["muc.f1"]) == len(rows) - 1


def test_the_command_draws_curves(tmp_path: Path) -> None:
    paths = write(tmp_path, edges=EDGES, truth=TRUTH)
    for options in ((), ("-m", "pairwise"), ("-m", "rand")):
        get_output("sweep", paths["edges"], paths["truth"], *options, "--plot", tmp_path / "curve.svg")
        assert "threshold" in (tmp_path / "curve.svg").read_text()
    refused = run("sweep", paths["edges"], paths["truth"], "-m", "ceafe", "--plot", tmp_path / "other.svg")
    assert refused.returncode == 2
    assert "there is no curve to draw" in refused.stderr
