"""What Splink writes is read as it comes: its predictions, clusters, clusters at several thresholds, and labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import corefeval
from tests.cli.running import get_output

# The layout and the scores of Splink 5.0.0; some records, and columns of what was compared, are left out.
EDGES = """\
match_weight,match_probability,unique_id_l,unique_id_r,first_name_l,first_name_r,gamma_first_name,surname_l,surname_r,gamma_surname,match_key
16.712431897168596,0.9999906877922944,9,60,box,box,1,taylor,taylor,1,0
1.712431897168596,0.7661982369584025,0,62,bob,bob,1,smith,smith,1,0
"""
CLUSTERS = """\
cluster_id,unique_id,first_name,surname,year,person
0,0,bob,smith,1966,0
0,62,bob,smith,1960,29
9,9,box,taylor,1951,4
9,60,box,taylor,1951,4
1,1,davx,taylor,1974,1
"""
WIDE = """\
unique_id,cluster_p_0_5,cluster_p_0_7,cluster_p_0_95
0,0,0,0
62,0,0,62
9,9,9,9
60,9,9,9
1,1,1,1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with these files."""
    for name, content in (("edges", EDGES), ("clusters", CLUSTERS), ("wide", WIDE)):
        (tmp_path / f"{name}.csv").write_text(content, encoding="utf-8")
    return tmp_path


def test_predictions_clusters_and_wide_tables_are_the_same_responses(folder: Path) -> None:
    truth = ("--key-columns", "entity=person")
    swept = corefeval.sweep(folder / "edges.csv", folder / "clusters.csv", key_format="table:entity=person")
    wide = corefeval.sweep(folder / "wide.csv", folder / "clusters.csv", key_format="table:entity=person")
    assert swept.thresholds.tolist()[1:] == [0.9999906877922944, 0.7661982369584025]
    for measure in swept.values:
        # Above 0.95 only records 9 and 60 are linked, which are one person; below, records of two persons are, too.
        assert swept.values[measure]["f1"][1:].tolist() == wide.values[measure]["f1"][:2].tolist()
    assert [each.threshold for each in swept.best] == [0.9999906877922944] * 5
    assert swept.values["pairwise"]["precision"].tolist() == [0, 1, 0.5]
    scores = [
        get_output("score", folder / "clusters.csv", *options, *truth, "--csv", "-q").split("\n", 1)[1]
        for options in (
            (folder / "clusters.csv", "--response-columns", "entity=cluster_id"),
            (folder / "wide.csv", "--response-columns", "entity=cluster_p_0_7"),
            (folder / "edges.csv", "--response-format", f"pairs:threshold=0.7,records={folder / 'clusters.csv'}"),
        )
    ]
    assert scores[0] == scores[1].replace("wide,", "clusters,") == scores[2].replace("edges,", "clusters,")


def run_splink(rows: list[dict[str, Any]]) -> Any:
    """Splink's predictions for these records, with its default parameters, and the linker that made them."""
    splink = pytest.importorskip("splink", reason="Splink is not installed")
    pyarrow = pytest.importorskip("pyarrow")
    library = pytest.importorskip("splink.comparison_library")
    database = splink.DuckDBAPI()
    settings = splink.SettingsCreator(
        link_type="dedupe_only",
        comparisons=[library.ExactMatch("name"), library.ExactMatch("town")],
        blocking_rules_to_generate_predictions=[splink.block_on("town"), splink.block_on("name")],
    )
    linker = splink.Linker(database.register(pyarrow.Table.from_pylist(rows)), settings)
    return linker, linker.inference.predict()


@pytest.mark.filterwarnings("ignore")
def test_the_package_itself() -> None:
    names = ["ann", "ann", "bob", "bob", "cy", "dee", "dee"]
    towns = ["york", "york", "york", "bath", "bath", "bath", "hull"]
    rows = [
        {"unique_id": number, "name": name, "town": town}
        for number, (name, town) in enumerate(zip(names, towns, strict=True))
    ]
    linker, predictions = run_splink(rows)
    truth = [[0, 1], [2, 3], [4], [5, 6]]
    swept = corefeval.sweep(predictions, truth, measures="pairwise,bcub")
    for threshold in swept.thresholds[1:].tolist():
        clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(
            predictions, threshold_match_probability=threshold
        )
        found: dict[object, list[int]] = {}
        for row in clusters.as_record_list():
            found.setdefault(row["cluster_id"], []).append(row["unique_id"])
        expected = corefeval.score(truth, list(found.values()), measures="pairwise,bcub")
        state = swept.find_state(threshold)
        assert swept.values["pairwise"]["f1"][state] == expected["pairwise"].f1
        assert swept.values["bcub"]["f1"][state] == pytest.approx(expected["bcub"].f1, abs=1e-12)
