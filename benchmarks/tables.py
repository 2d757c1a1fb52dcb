"""Tables of records: corefeval's engines beside DuckDB's own join and grouping, and other packages' metrics.

python benchmarks/tables.py duckdb --records 1_000_000 10_000_000 --memory-limit 4GB --folder /big/disk
python benchmarks/tables.py peers --records 10_000 100_000 1_000_000

`duckdb` makes two Parquet files, joined by id, and times, in turn: DuckDB's join and grouping into cells alone, all
linear measures, and CEAF as well; each in a process of its own, whose peak of memory is shown. `peers` compares with
what is installed of scikit-learn and er-evaluation: each measure of theirs with the same one, and with twelve.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

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


def time_best(call: Callable[[], object], times: int = 3) -> float:
    """Return the least seconds of some calls."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def list_peers(truth: Any, found: Any) -> dict[tuple[str, str], Callable[[], object]]:
    """Return what other packages compute, where they are installed: by their name and that of the measure here."""
    peers: dict[tuple[str, str], Callable[[], object]] = {}
    if find_spec("sklearn"):
        cluster = importlib.import_module("sklearn.metrics.cluster")
        peers["sklearn pair_confusion_matrix", "pairwise"] = partial(cluster.pair_confusion_matrix, truth, found)
        peers["sklearn adjusted_rand_score", "adjusted_rand"] = partial(cluster.adjusted_rand_score, truth, found)
    if find_spec("er_evaluation"):
        pandas, er = importlib.import_module("pandas"), importlib.import_module("er_evaluation")
        ours, theirs = pandas.Series(truth), pandas.Series(found)
        peers["er-evaluation pairwise_precision", "pairwise"] = partial(er.metrics.pairwise_precision, theirs, ours)
        peers["er-evaluation b_cubed_precision", "bcub"] = partial(er.metrics.b_cubed_precision, theirs, ours)
    return peers


def compare_with_peers(sizes: list[int]) -> None:
    import pyarrow as pa  # noqa: PLC0415

    import corefeval  # noqa: PLC0415

    for records in sizes:
        _, truth, found = draw_labels(records)
        table = pa.table({"truth": truth, "found": found})
        score = partial(corefeval.score_table, table, key="truth", response="found")
        for engine in ("memory", "duckdb"):
            own = time_best(partial(score, engine=engine, measures=LINEAR))
            print(f"{records:>12,}  corefeval, {engine}, 12 measures: {own:.3f} s")
        for (name, measure), call in list_peers(truth, found).items():
            own, theirs = time_best(partial(score, engine="memory", measures=measure), 5), time_best(call, 5)
            ratio = f"{theirs / own:.1f} times as long"
            print(f"{'':>12}  {name}: {theirs:.4f} s, corefeval {measure} {own:.4f} s: {ratio}")


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
        compare_with_peers(given.records)


if __name__ == "__main__":
    main()
