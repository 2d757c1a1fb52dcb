"""Tables of records: corefeval's engines beside DuckDB's own join and grouping, and other packages' metrics.

python benchmarks/tables.py duckdb --records 1_000_000 10_000_000 --memory-limit 4GB --folder /big/disk
python benchmarks/tables.py peers --records 10_000 100_000 1_000_000

`duckdb` makes two Parquet files, joined by id, and times, in turn: DuckDB's join and grouping into cells alone, all
linear measures, and CEAF as well; each in a process of its own, whose peak of memory is shown. `peers` compares with
what is installed of scikit-learn, er-evaluation and Splink (table_peers.py).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from table_peers import compare_with_peers

LINEAR = "mentions,muc,bcub,blanc,lea,pairwise,rand,adjusted_rand,entropy,core,kappa,dmt"
ALIGNED = f"{LINEAR},ceafm,ceafe"
NOISE = 0.1
MEAN_SIZE = 3


def draw_labels(records: int, seed: int = 1) -> tuple[Any, Any, Any]:
    """Return ids, labels of a truth with entities of three records on average, and labels of which a tenth is wrong."""
    rng = np.random.default_rng(seed)
    sizes = rng.geometric(1 / MEAN_SIZE, size=records // 2 + 1000)
    truth = np.repeat(np.arange(len(sizes)), sizes)[:records]
    found = truth.copy()
    wrong = rng.random(records) < NOISE
    found[wrong] = rng.integers(0, truth.max() + 1, int(wrong.sum()))
    return rng.permutation(records), truth, rng.permutation(truth.max() + 1)[found]


def write_tables(records: int, folder: Path) -> tuple[Path, Path]:
    """Write two Parquet files of the same records, in different orders, unless they are there; return their paths."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    paths = folder / f"truth-{records}.parquet", folder / f"found-{records}.parquet"
    if not all(path.exists() for path in paths):
        ids, truth, found = draw_labels(records)
        order = np.random.default_rng(2).permutation(records)
        pq.write_table(pa.table({"id": ids, "cluster": truth}), paths[0])
        pq.write_table(pa.table({"id": ids[order], "cluster": found[order]}), paths[1])
    return paths


def join_and_group(paths: list[str], limit: str, folder: str) -> None:
    """Make the cells as DuckDB does it alone: a full join by id, and one grouping."""
    import duckdb  # noqa: PLC0415

    settings: dict[str, Any] = {"memory_limit": limit, "temp_directory": folder, "preserve_insertion_order": False}
    with duckdb.connect(config=settings) as connection:
        connection.execute(
            "CREATE TEMP TABLE cells AS SELECT k.cluster AS a, r.cluster AS b, count(*) AS n "
            f"FROM read_parquet('{paths[0]}') AS k FULL JOIN read_parquet('{paths[1]}') AS r USING (id) GROUP BY ALL"
        )


def score_by_engine(paths: list[str], limit: str, measures: str) -> dict[str, float]:
    """Score two files by DuckDB."""
    import corefeval  # noqa: PLC0415

    found = corefeval.score_table(
        (paths[0], paths[1]),
        key="cluster",
        response="cluster",
        id="id",
        engine="duckdb",
        memory_limit=limit,
        measures=measures,
    )
    return {name: score.main for name, score in found.items()}


def run_step(step: str, paths: tuple[Path, Path], limit: str) -> tuple[float, float, dict[str, float]]:
    """Run a step in a process of its own; return its seconds, its peak of memory in GB, and its scores."""
    command = [sys.executable, __file__, "step", step, limit, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["seconds"], answer["peak"], answer["scores"]


def compare_with_duckdb(sizes: list[int], limit: str, folder: Path) -> None:
    print(f"{'records':>12} {'join+group':>11} {'linear':>15} {'with CEAF':>15} {'peak GB':>8}")
    for records in sizes:
        paths = write_tables(records, folder)
        base, _, _ = run_step("base", paths, limit)
        linear, _, _ = run_step("linear", paths, limit)
        aligned, peak, scores = run_step("aligned", paths, limit)
        print(
            f"{records:>12,} {base:>9.1f} s {linear:>7.1f} s {linear / base:>4.2f}x {aligned:>7.1f} s "
            f"{aligned / base:>4.2f}x {peak:>8.2f}   bcub {scores['bcub']:.6f} ceafe {scores['ceafe']:.6f}",
            flush=True,
        )


def main() -> None:
    if sys.argv[1:2] == ["step"]:
        step, limit, *paths = sys.argv[2:]
        start = time.perf_counter()
        scores = {}
        if step == "base":
            with tempfile.TemporaryDirectory() as folder:
                join_and_group(paths, limit, folder)
        else:
            scores = score_by_engine(paths, limit, LINEAR if step == "linear" else ALIGNED)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps({"seconds": time.perf_counter() - start, "peak": peak, "scores": scores}))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["duckdb", "peers"])
    parser.add_argument("--records", type=lambda text: int(text.replace("_", "")), nargs="+", default=[1_000_000])
    parser.add_argument("--memory-limit", default="4GB")
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("TMPDIR", tempfile.gettempdir())))
    given = parser.parse_args()
    if given.what == "duckdb":
        compare_with_duckdb(given.records, given.memory_limit, given.folder)
    else:
        compare_with_peers(given.records, draw_labels, LINEAR)


if __name__ == "__main__":
    main()
