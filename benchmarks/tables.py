"""Tables of records: corefeval's engines beside DuckDB's own join and grouping, and other packages' metrics.

python benchmarks/tables.py duckdb --records 1_000_000 10_000_000 --memory-limit 4GB --folder /big/disk
python benchmarks/tables.py peers --records 10_000 100_000 1_000_000

`duckdb` makes two Parquet files, joined by id, and times, in turn: DuckDB's join and grouping into cells alone, all
linear measures, and CEAF as well; each in a process of its own, of which the least time of all `--turns` is shown.
`peers` compares with what is installed of scikit-learn, er-evaluation and Splink (table_peers.py).
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
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
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


@dataclass(frozen=True, slots=True)
class Step:
    """What a step took: seconds by the clock and of processors, GB at the peak of memory; and its scores."""

    seconds: float
    processor: float
    peak: float
    scores: dict[str, float]


def run_step(step: str, paths: tuple[Path, Path], limit: str) -> Step:
    """Run a step in a process of its own; return what it took."""
    command = [sys.executable, __file__, "step", step, limit, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Step(**json.loads(done.stdout.splitlines()[-1]))


def compare_with_duckdb(sizes: list[int], limit: str, folder: Path, turns: int) -> None:
    """Print what each step takes, the least of several turns, and how many times what DuckDB takes alone."""
    for records in sizes:
        # In a process of its own: those started by one that has used much memory have its peak as theirs.
        with ProcessPoolExecutor(1) as pool:
            paths = pool.submit(write_tables, records, folder).result()
        rounds = [{step: run_step(step, paths, limit) for step in ("base", "linear", "aligned")} for _ in range(turns)]
        base, base_processor = (min(getattr(each["base"], of) for each in rounds) for of in ("seconds", "processor"))
        print(f"{records:,} records; seconds by the clock, seconds of processors, peak in GB:")
        for step in rounds[0]:
            found = [each[step] for each in rounds]
            seconds, processor = min(each.seconds for each in found), min(each.processor for each in found)
            print(
                f"  {step:8} {seconds:7.2f} s {seconds / base:5.2f}x {processor:8.2f} s "
                f"{processor / base_processor:5.2f}x {max(each.peak for each in found):6.2f}",
                *(f"{name} {found[0].scores[name]:.6f}" for name in ("bcub", "ceafe") if name in found[0].scores),
                flush=True,
            )


def main() -> None:
    if sys.argv[1:2] == ["step"]:
        step, limit, *paths = sys.argv[2:]
        start, used = time.perf_counter(), time.process_time()
        scores = {}
        if step == "base":
            with tempfile.TemporaryDirectory() as folder:
                join_and_group(paths, limit, folder)
        else:
            scores = score_by_engine(paths, limit, LINEAR if step == "linear" else ALIGNED)
        seconds, processor = time.perf_counter() - start, time.process_time() - used
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps(asdict(Step(seconds, processor, peak, scores))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["duckdb", "peers"])
    parser.add_argument("--records", type=lambda text: int(text.replace("_", "")), nargs="+", default=[1_000_000])
    parser.add_argument("--memory-limit", default="4GB")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("TMPDIR", tempfile.gettempdir())))
    given = parser.parse_args()
    if given.what == "duckdb":
        compare_with_duckdb(given.records, given.memory_limit, given.folder, given.turns)
    else:
        compare_with_peers(given.records, draw_labels, LINEAR)


if __name__ == "__main__":
    main()
