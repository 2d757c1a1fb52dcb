"""All engines count the same, whatever the order and the partitions of rows, and score as `corefeval.score` does."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import corefeval
from corefeval.engines import counting, numbered_cells, sorted_records
from corefeval.engines.duckdb import DuckDbEngine
from corefeval.engines.numbered_cells import count_cells
from corefeval.engines.sorted_records import pair_rows
from tests.engines.tables import REWRITTEN, RandomTables, Rows, assert_same, list_entities, make_arrow, name_documents
from tests.engines.tangles import spy_on_reductions
from tests.rounds import few_or_many

COLUMNS: dict[str, Any] = {"key": "cluster", "response": "cluster", "id": "id"}


@pytest.fixture(params=["sorting", "numpy", "sql"])
def counted_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What counts records whose ids and labels are integers, for DuckDB.

    Sorting, with records and cells taken two and three at a time; NumPy, once DuckDB has made cells; SQL alone.
    """
    monkeypatch.setattr(sorted_records, "_CHUNK", 2)
    monkeypatch.setattr(numbered_cells, "_CHUNK", 3)
    if request.param == "numpy":
        monkeypatch.setattr(counting, "_find_layout", lambda *_: None)
    if request.param == "sql":
        monkeypatch.setattr(DuckDbEngine, "find_room", lambda _: 0)
    return str(request.param)


@pytest.mark.usefixtures("counted_by")
@few_or_many(15, 200)
def test_memory_and_duckdb_score_as_entities_are_scored(rounds: int) -> None:
    for seed in range(rounds):
        tables = RandomTables.draw(random.Random(seed))
        expected = tables.score()
        for engine in ("memory", "duckdb"):
            assert_same(corefeval.score_table(tables.to_arrow(), **COLUMNS, engine=engine, measures="all"), expected)


@pytest.mark.usefixtures("counted_by")
@few_or_many(10, 100)
def test_memory_and_duckdb_rewrite_histograms_as_entities_are_rewritten(rounds: int) -> None:
    for seed in range(rounds):
        tables = RandomTables.draw(random.Random(seed), most=(8, 60, 150)[seed % 3])
        expected = tables.score(REWRITTEN)
        for engine in ("memory", "duckdb"):
            found = corefeval.score_table(tables.to_arrow(), **COLUMNS, engine=engine, measures=REWRITTEN)
            assert_same(found, expected)


@pytest.mark.usefixtures("counted_by")
def test_singletons_are_added_to_a_table_without_dominant_cells_but_entities_are_not_aligned_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = spy_on_reductions(monkeypatch)
    tables = RandomTables.draw(random.Random(11), most=150, wrong=0.15)
    found = corefeval.score_table(tables.to_arrow(), **COLUMNS, engine="duckdb", measures="ceafe")
    assert taken == [True]
    assert found["lea:twinless=pad"].values == tables.score("lea:twinless=pad")["lea:twinless=pad"].values
    for measure in ("ceafe:twinless=pad", "lea:twinless=discard_both"):
        with pytest.raises(corefeval.OptionError, match="ask for it when the table is counted"):
            found[measure]
        both = ["ceafe", measure]
        assert_same(
            corefeval.score_table(tables.to_arrow(), **COLUMNS, engine="duckdb", measures=both), tables.score(both)
        )
    assert taken == [True]


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("by", ["", "region"])
@pytest.mark.parametrize("wrong", [0.15, None])
@few_or_many(5, 30)
def test_duckdb_takes_dominant_cells_and_scores_the_same(
    rounds: int, wrong: float | None, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = spy_on_reductions(monkeypatch)
    columns: dict[str, Any] = {**COLUMNS, "by": by, "measures": "muc, ceafm, ceafe, conll"}
    for seed in range(rounds):
        tables = RandomTables.draw(random.Random(seed), most=150, wrong=wrong)
        found = corefeval.score_table(tables.to_arrow(), **columns, engine="duckdb")
        assert_same(found, tables.score("muc, ceafm, ceafe, conll"))
        in_memory = corefeval.score_table(tables.to_arrow(), **columns, engine="memory")
        for part, scores in in_memory.documents.items():
            for measure in scores:
                assert found.documents[part][measure].values == scores[measure].values, (seed, part, measure)
    assert sum(taken) > len(taken) / 4


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("measure", ["exclusive_core", "ceaf:phi=1", "ceaf:phi=2"])
def test_measures_that_align_in_other_ways_have_to_be_asked_for_when_counting(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = spy_on_reductions(monkeypatch)
    tables = RandomTables.draw(random.Random(11), most=150, wrong=0.15)
    columns: dict[str, Any] = {**COLUMNS, "engine": "duckdb"}
    found = corefeval.score_table(tables.to_arrow(), **columns, measures="ceafe")
    assert taken == [True]
    assert found["ceaf:phi=4"].values == found["ceafe"].values
    with pytest.raises(corefeval.OptionError, match="ask for it when the table is counted"):
        found[measure]
    found = corefeval.score_table(tables.to_arrow(), **columns, measures=f"ceafe, {measure}")
    assert_same(found, tables.score(f"ceafe, {measure}"))
    assert taken == [True]


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_groups_are_scored_from_the_same_count(engine: Any) -> None:
    tables = RandomTables.draw(random.Random(3), most=120)
    found = corefeval.score_table(tables.to_arrow(), **COLUMNS, by="region", engine=engine, measures="all")
    assert_same(found, tables.score())  # entities are not cut at the borders of groups
    regions = {region for rows in (tables.key, tables.response) for *_, region in rows}
    # The table of the key names regions; records that only the response has are of no region.
    known = {record for record, *_ in tables.key}
    for region in regions:
        part = RandomTables(
            [row for row in tables.key if row[2] == region],
            [row for row in tables.response if row[2] == region and row[0] in known],
        )
        expected = part.score()
        for measure in expected:
            assert found.documents[region][measure].values == expected[measure].values, (region, measure)


@pytest.mark.parametrize("by", ["", "region"])
@pytest.mark.parametrize(
    ("kind", "relabel", "is_numbered"),
    [
        (pa.int8(), lambda label: label - 6, True),
        (pa.int8(), lambda label: 20 * label - 128, True),  # the difference of two of them has more than 8 bits
        (pa.uint64(), lambda label: 2**64 - 20 + label, True),
        (pa.int64(), lambda label: label - 2**63, True),
        (pa.int64(), lambda label: (label - 6) * 2**59, False),  # far more than there are places
        (pa.string(), str, False),
        (pa.float64(), float, False),
        (pa.date32(), lambda label: date(2026, 1, 1 + label), False),
    ],
)
def test_labels_are_numbers_only_where_each_has_a_place(
    kind: pa.DataType, relabel: Callable[[int], object], is_numbered: bool, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbered = []

    def count(*given: Any, **chosen: Any) -> Any:
        numbered.append(given)
        return count_cells(*given, **chosen)

    monkeypatch.setattr(counting, "count_cells", count)
    tables = RandomTables.draw(random.Random(4), most=150)
    data = []
    for table in tables.to_arrow():
        place, labels = table.column_names.index("cluster"), table.column("cluster").to_pylist()
        data.append(table.set_column(place, "cluster", pa.array(map(relabel, labels), kind)))
    found = corefeval.score_table(tuple(data), **COLUMNS, by=by, engine="duckdb", measures="all")
    assert_same(found, tables.score())
    assert len(numbered) == is_numbered


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("step", [1, 100])
def test_sizes_of_large_entities_do_not_overflow(engine: Any, step: int) -> None:
    """Rows of three sizes, each over 2,000, have a product beyond 32 bits; labels a step apart have no place of their own."""
    draw, measures = random.Random(5), "muc,bcub,blanc,lea,entropy,core,ceafe"
    key = [min(number // 4_000, 2 + number % 2_000) for number in range(12_000)]
    response = [label if draw.random() < 0.9 else draw.randrange(2_002) for label in key]
    ids = list(range(len(key)))
    truth = pa.table({"id": ids, "cluster": [label * step for label in key]})
    found = pa.table({"id": ids, "cluster": [label * step for label in response]})
    scored = corefeval.score_table(
        (truth, found), key="cluster", response="cluster", id="id", engine=engine, measures=measures
    )
    sides = (corefeval.Corpus.from_labels(mention=ids, entity=labels) for labels in (key, response))
    assert_same(scored, corefeval.score(*sides, measures=measures))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_documents_keep_labels_apart(engine: Any) -> None:
    rows = {"document": ["a", "a", "b", "b"], "id": [1, 2, 1, 2], "truth": [1, 1, 1, 1], "found": [1, 2, 5, 5]}
    table = pa.table(rows)
    found = corefeval.score_table(table, key="truth", response="found", document="document", engine=engine)
    expected = corefeval.score({"a": [[1, 2]], "b": [[1, 2]]}, {"a": [[1], [2]], "b": [[1, 2]]})
    assert_same(found, expected)
    assert dict(found.documents["a"]) == dict(expected.documents["a"])
    pair = (table.select(["document", "id", "truth"]), table.select(["document", "id", "found"]))
    columns: dict[str, Any] = {"key": "truth", "response": "found", "id": "id", "document": "document"}
    assert_same(corefeval.score_table(pair, **columns, engine=engine), expected)


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("relabel", [lambda label: label, lambda label: min(label * 2**28, 2**31 - 2)])
@pytest.mark.parametrize(
    ("kind", "rename"),
    [
        (pa.int32(), lambda record: 7 * record - 200),
        (pa.uint64(), lambda record: 2**64 - 1 - record),
        (pa.int64(), lambda record: (record - 30) * 2**50),  # an id and a label have more than 63 bits
        (pa.int64(), lambda record: record * 2**20 + 5),
    ],
)
def test_ids_are_any_integers(
    kind: pa.DataType, rename: Callable[[int], int], relabel: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbered_cells, "FEW", 0)
    drawn = RandomTables.draw(random.Random(8), most=60)
    data = [
        pa.table(
            {
                "id": pa.array([rename(record) for record, *_ in rows], kind),
                "half": [record % 2 for record, *_ in rows],
                "number": [record // 2 - 9 for record, *_ in rows],
                "cluster": [relabel(label) for _, label, _ in rows],
            }
        )
        for rows in (drawn.key, drawn.response)
    ]
    for names in ("id", ["half", "number"]):
        found = corefeval.score_table(tuple(data), **COLUMNS | {"id": names}, engine="duckdb", measures="all")
        assert_same(found, drawn.score())


@pytest.mark.parametrize("missing", [0, 1])
def test_records_are_sorted_where_memory_holds_them(missing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = RandomTables.draw(random.Random(4))
    rows = len(tables.key) + len(tables.response)
    is_sorted = []

    def pair(*given: Any) -> Any:
        is_sorted.append(True)
        return pair_rows(*given)

    monkeypatch.setattr(counting, "pair_rows", pair)
    monkeypatch.setattr(DuckDbEngine, "find_room", lambda _: 16 * rows - missing)
    found = corefeval.score_table(tables.to_arrow(), **COLUMNS, engine="duckdb", measures="all")
    assert_same(found, tables.score())
    assert is_sorted == [True] * (1 - missing)


@pytest.mark.usefixtures("counted_by")
def test_integers_of_one_table_and_labels_that_are_missing() -> None:
    labels = pa.table({"truth": [5, 5, 9, None, None], "found": [-3, 2, 2, 2, None]})
    columns: dict[str, Any] = {"key": "truth", "response": "found", "engine": "duckdb", "measures": "all"}
    found = corefeval.score_table(labels, **columns, missing_labels="drop")
    assert_same(found, corefeval.score([[0, 1], [2]], [[0], [1, 2, 3]], measures="all"))
    found = corefeval.score_table(labels, **columns, missing_labels="singleton")
    assert_same(found, corefeval.score([[0, 1], [2], [3], [4]], [[0], [1, 2, 3], [4]], measures="all"))
    sides = tuple(
        labels.append_column("id", pa.array([1, 2, 3, 4, 5])).select(["id", name]) for name in labels.schema.names
    )
    found = corefeval.score_table(sides, **columns, id="id", missing_labels="drop")
    assert_same(found, corefeval.score([[0, 1], [2]], [[0], [1, 2, 3]], measures="all"))


@few_or_many(4, 30)
@pytest.mark.parametrize("measures", ["all", REWRITTEN], ids=["all", "rewritten"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_groups_of_records_in_documents(rounds: int, engine: Any, measures: Any) -> None:
    for seed in range(rounds):
        tables = RandomTables.draw(random.Random(seed), most=120)
        data = tuple(name_documents(each) for each in tables.to_arrow())
        columns: dict[str, Any] = COLUMNS | {"document": "document", "engine": engine, "measures": measures}
        found = corefeval.score_table(data, **columns, by="region")
        expected = score_documents(tables.key, tables.response, measures)
        assert_same(found, expected)  # groups change nothing about the score of all
        assert_same(corefeval.score_table(data, **columns), expected)
        known = {record for record, *_ in tables.key}  # whose groups the table of the key names
        regions = sorted({region for *_, region in tables.key})
        assert [name for name in found.documents if name] == regions
        for region in regions:
            key = [row for row in tables.key if row[2] == region]
            response = [row for row in tables.response if row[2] == region and row[0] in known]
            group = score_documents(key, response, measures)
            for measure in group:
                assert found.documents[region][measure].values == group[measure].values, (region, measure)


def score_documents(key: Rows, response: Rows, measures: Any) -> corefeval.Evaluation:
    """Score records by documents, without an engine."""
    documents = sorted({record % 3 for rows in (key, response) for record, *_ in rows})
    sides = (
        {f"d{each}": list_entities([row for row in rows if row[0] % 3 == each]) for each in documents}
        for rows in (key, response)
    )
    return corefeval.score(*sides, measures=measures)


def test_documents_and_groups_that_are_missing_are_those_without_a_name() -> None:
    rows = {"truth": [1, 1, 1], "found": [1, 1, 2], "part": [None, "", "x"], "document": ["", None, ""]}
    for engine in ("memory", "duckdb"):
        found = corefeval.score_table(
            pa.table(rows), key="truth", response="found", by="part", document="document", engine=engine
        )
        assert_same(found, corefeval.score([[0, 1, 2]], [[0, 1], [2]]))
        assert list(found.documents) == ["", "x"]
        assert found.documents[""]["muc"].recall == 1


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_one_table_needs_no_join(engine: Any) -> None:
    table = pa.table({"truth": ["a", "a", "b"], "found": ["x", "y", "y"]})
    found = corefeval.score_table(table, key="truth", response="found", engine=engine, measures="all")
    assert_same(found, corefeval.score([[0, 1], [2]], [[0], [1, 2]], measures="all"))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    ("missing", "key", "response"),
    [
        ("singleton", [[0, 1], [2], [3]], [[0], [1, 2], [3]]),
        ("drop", [[0, 1], [2]], [[0], [1, 2]]),
    ],
)
def test_labels_that_are_missing_are_the_users_decision(engine: Any, missing: Any, key: Any, response: Any) -> None:
    table = pa.table({"truth": ["a", "a", "b", None], "found": ["x", "y", "y", None]})
    columns: dict[str, Any] = {"key": "truth", "response": "found", "engine": engine}
    with pytest.raises(corefeval.InputError, match=r"1 of 4 records of the key without a label"):
        corefeval.score_table(table, **columns)
    found = corefeval.score_table(table, **columns, missing_labels=missing)
    assert_same(found, corefeval.score(key, response))
    assert [notice.kind for notice in found.notices] == ["missing-label"] * 2


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_ids_that_repeat_are_named(engine: Any) -> None:
    once, twice = pa.table({"id": [1, 2], "c": [1, 1]}), pa.table({"id": [1, 2, 2], "c": [1, 1, 2]})
    alone = pa.table({"id": [1, 3, 3], "c": [1, 1, 1]})
    for data in ((once, twice), (twice, once), (twice, twice), (once, alone), (alone, once)):
        with pytest.raises(corefeval.InputError, match=r"1 id in several rows: [23] \(2 rows\)"):
            corefeval.score_table(data, key="c", response="c", id="id", engine=engine)


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_tables_without_common_records_are_refused(engine: Any) -> None:
    data = pa.table({"id": [1], "c": [1]}), pa.table({"id": [2], "c": [1]})
    with pytest.raises(corefeval.InputError, match="no record in common with the key"):
        corefeval.score_table(data, key="c", response="c", id="id", engine=engine)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_rows_without_an_id_are_refused(engine: Any) -> None:
    data = pa.table({"id": [1, None], "c": [1, 1]}), pa.table({"id": [1, 2], "c": [1, 1]})
    with pytest.raises(corefeval.InputError, match="1 of 2 rows without an id"):
        corefeval.score_table(data, key="c", response="c", id="id", engine=engine)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_columns_that_are_missing_are_named_with_those_near(engine: Any) -> None:
    with pytest.raises(corefeval.OptionError, match="has no column 'clutser'; did you mean cluster"):
        corefeval.score_table(make_arrow([(1, 1, "")]), key="cluster", response="clutser", engine=engine)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_ids_of_several_columns_and_other_types(engine: Any) -> None:
    ours = pa.table({"source": ["a", "a", "b"], "no": [1, 2, 1], "c": [1, 1, 2]})
    theirs = pa.table({"origin": ["b", "a", "a"], "number": ["1", "2", "1"], "c": ["x", "x", "y"]})
    found = corefeval.score_table(
        (ours, theirs), key="c", response="c", id=(("source", "no"), ("origin", "number")), engine=engine
    )
    assert_same(found, corefeval.score([["a1", "a2"], ["b1"]], [["b1", "a2"], ["a1"]]))


@pytest.fixture
def tables() -> RandomTables:
    return RandomTables.draw(random.Random(11), most=80)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_files_folders_and_patterns(tables: RandomTables, engine: Any, tmp_path: Path) -> None:
    key, response = tables.to_arrow()
    expected = tables.score("default")
    for name, table in (("key", key), ("response", response)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
        csv.write_csv(table, tmp_path / f"{name}.csv")
        (tmp_path / name / "part").mkdir(parents=True)
        for place in range(3):
            rows = table.take(list(range(place, table.num_rows, 3)))
            pq.write_table(rows, tmp_path / name / "part" / f"{place}.parquet")
            pq.write_table(rows, tmp_path / f"{name}-{place}.parquet")
    for ending in (".parquet", ".csv", "", "-*.parquet"):
        data = (str(tmp_path / f"key{ending}"), tmp_path / f"response{ending}")
        assert_same(corefeval.score_table(data, **COLUMNS, engine=engine), expected)
    mixed = (
        str(tmp_path / "key.csv"),
        str(tmp_path / "response.parquet"),
    )  # ids are texts in one, numbers in the other
    assert_same(corefeval.score_table(mixed, **COLUMNS, engine=engine), expected)


def test_frames_of_pandas_and_polars(tables: RandomTables) -> None:
    expected = tables.score("default")
    polars = pytest.importorskip("polars", reason="polars is not installed")
    for make in (lambda each: each.to_pandas(), polars.from_arrow, lambda each: polars.from_arrow(each).lazy()):
        for engine in ("memory", "duckdb"):
            data = tuple(make(each) for each in tables.to_arrow())
            assert_same(corefeval.score_table(data, **COLUMNS, engine=engine), expected)


def test_only_columns_that_are_read_need_values_of_one_type() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"truth": ["a", "a"], "found": [2**63 - 1, -(2**63)], "mixed": [1, "x"]})
    found = corefeval.score_table(frame, key="truth", response="found", measures="all")
    assert_same(found, corefeval.score([[0, 1]], [[1], [0]], measures="all"))
    for engine in ("memory", "duckdb"):
        with pytest.raises(corefeval.InputError, match="a DataFrame: a column has values of several types"):
            corefeval.score_table(frame, key="truth", response="mixed", engine=engine)


def test_queries_relations_and_databases(tables: RandomTables, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    expected = tables.score("default")
    key, response = tables.to_arrow()
    path = tmp_path / "records.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE truth AS SELECT * FROM key")
        connection.execute('CREATE TABLE "my response" AS SELECT * FROM response')
        relations = connection.table("truth"), connection.sql('SELECT * FROM "my response"')
        assert_same(corefeval.score_table(relations, **COLUMNS), expected)
    assert_same(corefeval.score_table((f"{path}:truth", f"{path}:my response"), **COLUMNS), expected)
    pq.write_table(key, tmp_path / "key.parquet")
    query = f"SELECT * FROM '{tmp_path}/key.parquet'"
    assert_same(corefeval.score_table((query, response), **COLUMNS), expected)


@pytest.mark.usefixtures("counted_by")
def test_orders_partitions_and_threads_make_no_difference(tables: RandomTables) -> None:
    expected = tables.score()
    for seed, threads in enumerate((1, 2, 4)):
        rng = random.Random(seed)
        shuffled = (make_arrow(rng.sample(rows, len(rows))) for rows in (tables.key, tables.response))
        data = tuple(pa.Table.from_batches(each.to_batches(max_chunksize=7)) for each in shuffled)
        found = corefeval.score_table(data, **COLUMNS, engine="duckdb", threads=threads, measures="all")
        assert_same(found, expected)


def test_text_in_csv_is_compared_as_written(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text("id,cluster\n007,a\n7,a\n", encoding="utf-8")
    (tmp_path / "response.csv").write_text("id,cluster\n7,x\n007,y\n", encoding="utf-8")
    for engine in ("memory", "duckdb"):
        data = (str(tmp_path / "key.csv"), str(tmp_path / "response.csv"))
        found = corefeval.score_table(data, **COLUMNS, engine=engine)
        assert_same(found, corefeval.score([["007", "7"]], [["7"], ["007"]]))


def test_a_giant_entity_is_stated() -> None:
    rows = [(record, 0 if record < 300 else record, "") for record in range(1200)]
    table = make_arrow(rows)
    found = corefeval.score_table(table, key="cluster", response="cluster")
    assert [notice.details for notice in found.notices] == [
        {"side": side, "size": 300, "records": 1200} for side in ("key", "response")
    ]


def test_counts_beyond_64_bits_stay_exact() -> None:
    from corefeval.engines.histograms import Histograms  # noqa: PLC0415

    huge = 5 * 10**9  # one entity of so many records: its pairs alone are more than 64 bits hold twice
    for sizes in (range(2, 3), range(2, 300)):
        times = [(huge, 1), *((size, 10**10) for size in sizes)]
        entities = [("", size, size, size, many) for size, many in times]
        cells = [("", size, size, size, many, many) for size, many in times]
        table = Histograms(cells, entities, entities).build_table()
        records = sum(size * many for size, many in times)
        assert table.key.mentions == records
        assert table.pairs == sum(size * (size - 1) // 2 * many for size, many in times)
        assert table.sum_quotients(table.cells.together, table.k) == records


def test_interrupted_counting_leaves_no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def interrupt(*_: object, **__: object) -> None:
        assert list(tmp_path.iterdir())
        raise KeyboardInterrupt

    monkeypatch.setattr("corefeval.engines.table.count_table", interrupt)
    with pytest.raises(KeyboardInterrupt):
        corefeval.score_table(make_arrow([(1, 1, "")]), key="cluster", response="cluster", engine="duckdb")
    assert not list(tmp_path.iterdir())


def test_an_interrupt_while_duckdb_runs_a_query_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")

    def interrupt(error: Exception) -> Any:
        """Return a connection whose queries are interrupted; DuckDB says so in two ways."""

        def execute(_: str) -> None:
            raise error

        return SimpleNamespace(execute=execute)

    with DuckDbEngine() as engine:
        for error in (RuntimeError("Query interrupted"), duckdb.InterruptException("INTERRUPT Error: Interrupted!")):
            with monkeypatch.context() as patched:
                patched.setattr(engine, "_connection", interrupt(error))
                with pytest.raises(KeyboardInterrupt):
                    engine.fetch_rows("SELECT 1")


def test_measures_of_mentions_and_rewrites_say_that_they_need_more() -> None:
    table = make_arrow([(1, 1, ""), (2, 1, "")])
    with pytest.raises(corefeval.OptionError, match="mor looks at mentions"):
        corefeval.score_table(table, key="cluster", response="cluster", measures="mor")
    with pytest.raises(corefeval.OptionError, match="entities one by one"):
        corefeval.score_table(table, key="cluster", response="cluster", measures="bcub:twinless=cai_strube")
    with pytest.raises(corefeval.OptionError, match="ask for it when the table is counted"):
        corefeval.score_table(table, key="cluster", response="cluster", measures="muc")["ceafe"]


def test_lists_of_entities_in_the_order_of_labels() -> None:
    assert list_entities([(5, 2, ""), (1, 1, ""), (3, 2, "")]) == [[1], [5, 3]]


def test_cells_that_dominate_outweigh_all_others_however_records_are_shared_out() -> None:
    sizes = range(1, 8)
    found = [(n, k, r) for k in sizes for r in sizes for n in range(1, min(k, r) + 1)]
    n, k, r = np.array(found).T
    dominating = numbered_cells._dominate(n, k, r, k, r)
    assert 0 < dominating.sum() < len(found)
    for (n, k, r), dominates in zip(found, dominating.tolist(), strict=True):
        if dominates:
            assert n > (k - n) + (r - n)
            # Another entity is at least as large as what it shares.
            others = (
                max(sum(Fraction(part, size + part) for part in parts) for parts in list_partitions(size - n))
                for size in (k, r)
            )
            assert Fraction(n, k + r) > sum(others)


def list_partitions(total: int, most: int | None = None) -> list[list[int]]:
    """Return all ways to write a number as a sum of numbers that do not grow."""
    if not total:
        return [[]]
    firsts = range(1, min(total, most or total) + 1)
    return [[first, *rest] for first in firsts for rest in list_partitions(total - first, first)]


@pytest.mark.usefixtures("counted_by")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_labels_that_just_have_31_bits(engine: Any) -> None:
    far = pa.table({"truth": [0, 2**31 - 2, 2**31 - 2], "found": [None, 2**31 - 2, 0]})
    found = corefeval.score_table(
        far, key="truth", response="found", engine=engine, measures="all", missing_labels="drop"
    )
    assert_same(found, corefeval.score([[0], [1, 2]], [[2], [1]], measures="all"))


@pytest.mark.parametrize(
    "write",
    [
        "10000000000000000000000000000 + CAST({} AS HUGEINT) * 1000000000000",
        "340282366920938463463374607431768211400 + CAST({} AS UHUGEINT)",
        "CAST(10000000000000000000000000000 + {} AS DECIMAL(38, 0))",
        "CAST({} AS BIGNUM)",
        "CAST(TIMESTAMP '2026-01-01' + INTERVAL ({}) SECOND AS TIMESTAMP WITH TIME ZONE)",
        "CASE {} WHEN 9 THEN CAST('infinity' AS DATE) ELSE DATE '2026-01-01' + CAST({} AS INTEGER) END",
        "[{}]",
    ],
)
def test_labels_of_types_that_numpy_lacks_stay_apart_when_aligned(write: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    rng = random.Random(6)
    truth = [rng.randrange(10) for _ in range(80)]
    found = [label if rng.random() < 0.6 else rng.randrange(10) for label in truth]
    numbers = pa.table({"truth": truth, "found": found})
    columns: dict[str, Any] = {"key": "truth", "response": "found", "measures": "bcub,ceafm,ceafe,exclusive_core"}
    path = tmp_path / "records.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.register("numbers", numbers)
        both = (f"{write.replace('{}', name)} AS {name}" for name in ("truth", "found"))
        connection.execute(f"CREATE TABLE records AS SELECT {', '.join(both)} FROM numbers")
    expected = corefeval.score_table(numbers, **columns, engine="memory")
    assert_same(corefeval.score_table(f"{path}:records", **columns), expected)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_floats_that_are_no_numbers_or_negative_zeros_are_one_label_each(engine: Any) -> None:
    nan = float("nan")
    table = pa.table({"truth": [nan, nan, 0.0, -0.0, 2.5], "found": [1, 1, 2, 2, 1]})
    found = corefeval.score_table(table, key="truth", response="found", engine=engine, measures="all")
    assert_same(found, corefeval.score([[2, 3], [4], [0, 1]], [[0, 1, 4], [2, 3]], measures="all"))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_ids_of_floats_and_times_are_compared_as_they_are_written(engine: Any) -> None:
    days = [datetime(2026, 1, day, 5, 6, 7, 120000 * (day - 1)) for day in (1, 2)]  # noqa: DTZ001 - tables lack zones
    for ours, theirs in (
        (pa.array([1, 2]), pa.array([1.0, 2.0])),
        (pa.array([-2.0, 2.5], pa.float32()), pa.array(["-2", "2.5"])),
        (pa.array(days, pa.timestamp("us")), pa.array(days, pa.timestamp("ns"))),
        (pa.array(days, pa.timestamp("us")), pa.array(["2026-01-01 05:06:07", "2026-01-02 05:06:07.12"])),
    ):
        data = pa.table({"id": ours, "c": [1, 2]}), pa.table({"id": theirs, "c": [1, 2]})
        found = corefeval.score_table(data, key="c", response="c", id="id", engine=engine, measures="bcub")
        assert found["bcub"].f1 == 1


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("kind", [pa.date32(), pa.decimal128(12, 2), pa.timestamp("us"), pa.bool_(), pa.string()])
def test_tables_without_rows_have_labels_and_ids_of_any_type(engine: Any, kind: pa.DataType) -> None:
    empty = pa.table({"id": pa.array([], kind), "c": pa.array([], kind)})
    found = corefeval.score_table((empty, empty), key="c", response="c", id="id", engine=engine, measures="all")
    assert_same(found, corefeval.score([], [], measures="all"))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_an_id_in_another_document_is_another_record(engine: Any) -> None:
    ours = pa.table({"id": [1, 1, 2], "document": ["a", "b", None], "c": [1, 1, 1]})
    theirs = pa.table({"id": [1, 1, 7, 2], "document": ["a", "b", "b", ""], "c": [1, 1, 2, 1]})
    columns: dict[str, Any] = {"key": "c", "response": "c", "id": "id", "document": "document", "engine": engine}
    found = corefeval.score_table((ours, theirs), **columns)
    sides = {"": [[2]], "a": [[1]], "b": [[1]]}, {"": [[2]], "a": [[1]], "b": [[1], [7]]}
    assert_same(found, corefeval.score(*sides))
    with pytest.raises(corefeval.InputError, match=r"1 id in several rows: b/1 \(2 rows\)"):
        corefeval.score_table((ours, pa.concat_tables([theirs, theirs.slice(1, 1)])), **columns)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_missing_labels_of_one_side_do_not_change_the_order_of_the_others(engine: Any) -> None:
    """The exclusive core takes the first of entities that tie: 9 comes before 10."""
    table = pa.table({"truth": [1, 1, None, None], "found": [9, 10, 9, 9]})
    columns: dict[str, Any] = {"key": "truth", "response": "found", "engine": engine, "measures": "exclusive_core"}
    found = corefeval.score_table(table, **columns, missing_labels="singleton")
    expected = corefeval.score([[0, 1], [2], [3]], [[0, 2, 3], [1]], measures="exclusive_core")
    assert_same(found, expected)


def test_queries_may_give_other_rows_each_time() -> None:
    """As LIMIT does with several threads; here every row is of one label, and another one each time."""
    query = "SELECT CAST(count(*) + 100000 * random() AS BIGINT) AS {0} FROM range(50)"
    one = f"SELECT * FROM ({query.format('truth')}), ({query.format('found')}), range(50)"
    columns: dict[str, Any] = {"key": "truth", "response": "found", "measures": "muc"}
    for _ in range(3):
        assert corefeval.score_table(one, **columns)["muc"].f1 == 1
    two = [f"SELECT * FROM ({query.format(name)}), range(50) AS given(id)" for name in ("truth", "found")]
    assert corefeval.score_table(tuple(two), **columns, id="id")["muc"].f1 == 1


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_batches_and_readers_of_arrow(tables: RandomTables, engine: Any) -> None:
    expected = tables.score("default")
    key, response = tables.to_arrow()
    data = key.to_batches()[0], response.to_reader(max_chunksize=7)
    assert_same(corefeval.score_table(data, **COLUMNS, engine=engine), expected)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_ids_without_columns_are_refused(engine: Any) -> None:
    table = make_arrow([(1, 1, "")])
    with pytest.raises(corefeval.OptionError, match="an id has one column or more"):
        corefeval.score_table((table, table), key="cluster", response="cluster", id=[], engine=engine)


def test_columns_that_memory_cannot_compare_are_named(tmp_path: Path) -> None:
    columns: dict[str, Any] = {"key": "c", "response": "c", "engine": "memory"}
    with pytest.raises(corefeval.InputError, match="a column of list"):
        corefeval.score_table(pa.table({"c": [[1], [2]]}), **columns)
    with pytest.raises(corefeval.OptionError, match="several columns 'c'"):
        corefeval.score_table(pa.table([[1], [1]], names=["c", "c"]), **columns)
    for name, kind in (("a", pa.int32()), ("b", pa.int64())):
        pq.write_table(pa.table({"c": pa.array([1], kind)}), tmp_path / f"{name}.parquet")
    with pytest.raises(corefeval.InputError, match="expected files with the same columns"):
        corefeval.score_table(str(tmp_path), **columns)


def test_labels_without_an_order_of_their_own_are_aligned_in_memory() -> None:
    labels = [1, 1, 1, 2, 2, 3], [1, 1, 2, 2, 3, 3]
    spans = (pa.array([pa.MonthDayNano([0, days, 0]) for days in side]) for side in labels)
    found, plain = (
        corefeval.score_table(
            pa.table(dict(zip("kr", columns, strict=True))), key="k", response="r", engine="memory", measures="ceafe"
        )
        for columns in (spans, labels)
    )
    assert found["ceafe"] == plain["ceafe"]
