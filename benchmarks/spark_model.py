"""What Spark does for a table of records, stage by stage, and what a cluster would take for ten billion of them.

python benchmarks/spark_model.py --records 1_000_000 3_000_000 10_000_000 --folder /big/disk

Tables of each size are counted in local mode, for all measures that need no alignment: two Parquet files joined by id;
one file with two columns of labels; and, of the largest size, two files whose key has a fifth of all records under one
label. Spark's event log says what each stage read, shuffled and took. Nothing is broadcast and tasks have about
a million records at every size, as in large tables. Straight lines through all sizes but the last predict the last,
whose measurements tell what clusters take.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from corefeval.engines.counting import count_table
from corefeval.engines.records import RecordTables, TableSide
from corefeval.engines.spark import SparkEngine
from tables import draw_labels, write_tables

GIANT = 0.2
PER_TASK = 1_000_000
MANY = 10_000_000_000
WORKERS = (10, 100, 1000)
CORES, NETWORK, DISK = 16, 1.25e9, 1e9  # of one worker; bytes a second: 10 Gbit/s, one NVMe disk
PER_STAGE, PER_START = 0.3, 0.001  # seconds of the driver for a stage, and for a task
LARGER = 4  # how many times as many records tasks have on a cluster, so that the driver starts fewer
GROWTH = 1.1  # of bytes and time for a record: longer numbers and sorts, and partial grouping that joins no rows


@dataclass(slots=True)
class Spent:
    """What tasks read, shuffled and took of a core, in seconds; `run` is with waiting, `slowest` the longest task."""

    tasks: int = 0
    read_rows: int = 0
    fetched_rows: int = 0
    shuffled: int = 0
    shuffled_rows: int = 0
    spilled: int = 0
    seconds: float = 0.0
    run: float = 0.0
    slowest: float = 0.0
    stages: int = 1

    def add(self, other: Spent) -> None:
        """Add what other tasks spent."""
        for field in fields(self):
            together = max if field.name == "slowest" else lambda *both: sum(both)
            setattr(self, field.name, together(getattr(self, field.name), getattr(other, field.name)))


class WatchedEngine(SparkEngine):
    """An engine whose jobs are named after a run and its queries."""

    def __init__(self, session: Any, run: str) -> None:
        super().__init__(session)
        self._run, self._queries = run, 0

    def _query(self, query: str) -> Any:
        self._queries += 1
        self._session.sparkContext.setJobDescription(f"{self._run}|{self._queries:02} {query}")
        return super()._query(query)


def write_one_table(records: int, folder: Path) -> Path:
    """Write a Parquet file with a column of labels for each side, unless it is there."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    path = folder / f"both-{records}.parquet"
    if not path.exists():
        order, truth, found = draw_labels(records)
        pq.write_table(pa.table({"truth": truth[order], "found": found[order]}), path)
    return path


def write_giant(records: int, folder: Path) -> Path:
    """Write the key's table with a fifth of its records under one label, unless it is there."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    path = folder / f"giant-{records}.parquet"
    if not path.exists():
        ids, truth, _ = draw_labels(records)
        truth[: int(records * GIANT)] = 0
        pq.write_table(pa.table({"id": ids, "cluster": truth}), path)
    return path


def make_runs(records: int, folder: Path, *, with_giant: bool) -> dict[str, RecordTables]:
    """Return the tables of one size by what they show."""
    truth, found = map(str, write_tables(records, folder))
    both = str(write_one_table(records, folder))
    response = TableSide(found, "cluster", ("id",))
    runs = {
        "two": RecordTables(TableSide(truth, "cluster", ("id",)), response),
        "one": RecordTables(TableSide(both, "truth"), TableSide(both, "found")),
    }
    if with_giant:
        skewed = RecordTables(TableSide(str(write_giant(records, folder)), "cluster", ("id",)), response)
        runs["giant"] = skewed
    return runs


def start_session(folder: Path, memory: str) -> Any:
    """Return a session in local mode that logs its events to a folder and plans as it does for large tables."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    settings = {
        "spark.driver.memory": memory,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.local.dir": str(folder),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.files.maxPartitionBytes": "16m",
    }
    builder = SparkSession.builder.master("local[*]").appName("corefeval model")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def count_all(sizes: Iterable[int], folder: Path, log: Path, memory: str) -> dict[str, tuple[float, int, int]]:
    """Count all tables in one session; return each run's seconds, the bytes of its files and of rows that it keeps."""
    session = start_session(log, memory)
    found = {}
    sizes = list(sizes)
    for place, records in enumerate([sizes[0], *sizes]):  # the first run loads and compiles classes
        session.conf.set("spark.sql.shuffle.partitions", str(max(2, records // PER_TASK)))
        for name, tables in make_runs(records, folder, with_giant=place == len(sizes)).items():
            run = f"{name}-{records}" if place else "warm"
            start = time.perf_counter()
            with WatchedEngine(session, run) as engine:
                count_table(engine, tables, with_tangle=False)
                seconds = time.perf_counter() - start
                kept = session.sparkContext._jsc.sc().getRDDStorageInfo()
                bytes_kept = sum(each.memSize() + each.diskSize() for each in kept)
                files = {side.table for _, side in tables.sides}
                found[run] = seconds, sum(Path(each).stat().st_size for each in files), bytes_kept
            print(f"{run}: {seconds:.1f} s", flush=True)
    session.stop()
    return found


def read_events(log: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of the one log in a folder."""
    (path,) = (each for each in log.iterdir() if each.is_file())
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def sum_stages(log: Path) -> dict[str, dict[tuple[str, int], Spent]]:
    """Return what each stage of each run spent, by the run, its query and the stage's number."""
    jobs: dict[int, str] = {}
    found: dict[str, dict[tuple[str, int], Spent]] = defaultdict(dict)
    for event in read_events(log):
        if event["Event"] == "SparkListenerJobStart":
            description = event.get("Properties", {}).get("spark.job.description", "|")
            jobs |= {stage: description for stage in event["Stage IDs"] if stage not in jobs}
        elif event["Event"] == "SparkListenerTaskEnd":
            run, _, query = jobs[event["Stage ID"]].partition("|")
            place = query, event["Stage ID"]
            if place in found[run]:
                found[run][place].add(_read_task(event["Task Metrics"]))
            else:
                found[run][place] = _read_task(event["Task Metrics"])
    for stages in found.values():
        for spent in stages.values():
            spent.stages = 1
    return found


def _read_task(metrics: dict[str, Any]) -> Spent:
    """Return what one task spent."""
    fetched, written, given = (metrics[f"{each} Metrics"] for each in ("Shuffle Read", "Shuffle Write", "Input"))
    seconds = metrics["Executor CPU Time"] / 1e9
    return Spent(
        1, given["Records Read"], fetched["Total Records Read"], written["Shuffle Bytes Written"],
        written["Shuffle Records Written"], metrics["Disk Bytes Spilled"],
        seconds, metrics["Executor Run Time"] / 1e3, seconds,
    )  # fmt: skip


def print_stages(stages: dict[tuple[str, int], Spent], records: int) -> None:
    """Print what every stage of a run spent, per record where it grows with them."""
    print(
        f"{'tasks':>6} {'rows in':>8} {'rows out':>8} {'bytes out':>9} {'ns':>6} {'mean task':>9} {'slowest':>8}  query"
    )
    for (query, _), spent in sorted(stages.items(), key=lambda each: each[0][1]):
        print(
            f"{spent.tasks:>6} {(spent.read_rows + spent.fetched_rows) / records:>8.3f} "
            f"{spent.shuffled_rows / records:>8.3f} {spent.shuffled / records:>9.2f} "
            f"{spent.seconds / records * 1e9:>6.0f} {spent.seconds / spent.tasks:>7.2f} s {spent.slowest:>6.2f} s  "
            f"{query[:150]}"
        )


def total(stages: Iterable[Spent]) -> Spent:
    """Return what all stages spent together."""
    whole = Spent(stages=0)
    for spent in stages:
        whole.add(spent)
    return whole


def fit_line(sizes: list[int], values: list[float]) -> tuple[float, float]:
    """Return the fixed part and the part per record of a straight line through measurements."""
    slope, fixed = np.polyfit(sizes, values, 1)
    return float(fixed), float(slope)


def check_prediction(sizes: list[int], totals: dict[int, Spent]) -> None:
    """Print how far lines through all sizes but the last are off at the last."""
    for name in ("shuffled", "shuffled_rows", "seconds", "run"):
        values = [float(getattr(totals[size], name)) for size in sizes]
        fixed, slope = fit_line(sizes[:-1], values[:-1])
        predicted = fixed + slope * sizes[-1]
        off = predicted / values[-1] - 1
        print(f"  {name}: predicted {predicted:,.1f}, measured {values[-1]:,.1f}, off by {off:+.1%}")


def predict_cluster(workers: int, spent: Spent, records: int, read: int, kept: int) -> dict[str, float]:
    """Return the seconds that a cluster takes for MANY records, from what a run of some records spent.

    What is shuffled is written to a disk and read from it, and crosses the network but for one part in as many as
    there are workers. Tables come over the network, twice: to look for labels that are missing, and to be joined.
    Nothing is taken to overlap.
    """
    share = MANY / records
    shuffled = GROWTH * spent.shuffled * share / workers
    seconds = {
        "processor": GROWTH * spent.seconds * share / (workers * CORES),
        "disk": 2 * shuffled / DISK,
        "network": (shuffled * (1 - 1 / workers) + 2 * read * share / workers) / NETWORK,
        "driver": spent.stages * PER_STAGE + spent.tasks * share / LARGER * PER_START,
    }
    return seconds | {"all": sum(seconds.values()), "kept GB": kept * share / workers / 1e9}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    number = lambda text: int(text.replace("_", ""))  # noqa: E731
    parser.add_argument("--records", type=number, nargs="+", default=[1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--memory", default="6g")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    given = parser.parse_args()
    sizes = sorted(given.records)
    with tempfile.TemporaryDirectory(dir=given.folder) as log:
        runs = count_all(sizes, given.folder, Path(log), given.memory)
        stages = sum_stages(Path(log))
    for name in ("two", "one", "giant"):
        totals = {size: total(stages[f"{name}-{size}"].values()) for size in sizes if f"{name}-{size}" in runs}
        for size, spent in totals.items():
            run = f"{name}-{size}"
            seconds, read, kept = runs[run]
            print(f"\n{run}: {seconds:.1f} s, {spent.stages} stages, {spent.tasks} tasks, {spent.spilled} spilled")
            print_stages(stages[run], size)
            print(
                f"  in all, for a record: {read / size:.1f} bytes of files, {spent.shuffled / size:.1f} shuffled, "
                f"{kept / size:.1f} kept, {spent.shuffled_rows / size:.2f} rows shuffled, "
                f"{spent.seconds / size * 1e6:.2f} µs of a core ({spent.run / size * 1e6:.2f} µs with waiting)"
            )
        if len(totals) > 2:
            check_prediction(sizes, totals)
        for workers in WORKERS:
            parts = predict_cluster(workers, totals[sizes[-1]], sizes[-1], read, kept)
            print(f"  {workers} workers: " + ", ".join(f"{part} {value:.1f}" for part, value in parts.items()))


if __name__ == "__main__":
    main()
