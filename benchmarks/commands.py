"""What every command costs beside the floor (Python, NumPy, the bytes of both files) and beside `score`, in turn.

Seconds are of processors, which other work on the machine disturbs less than those of the clock. Files are those of
`--key` and `--response`, four of them for all rows, or made up: a key of 263 documents and four responses to it.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import corefeval
import corpora

_FORMATS = {"jsonlines": ".jsonlines", "corefud": ".conllu", "ua": ".CONLLUA", "muc": ".sgm", "brat": ""}
_FLOOR = "import sys, numpy; [open(path, 'rb').read() for path in sys.argv[1:]]"


class Row(NamedTuple):
    """A command, how many responses it takes, its options, and its goal as a multiple of `score`."""

    command: str
    responses: int
    options: tuple[str, ...] = ()
    goal: float | None = None


COMMANDS = (
    Row("score", 1),
    Row("score", 1, ("--per-document", "--json"), 3),
    Row("score", 1, ("--relative-to", "random"), 4),
    Row("errors", 1, (), 2),
    Row("errors", 1, ("--by", "document")),
    Row("errors", 1, ("--worst", "10", "-m", "exclusive_core")),
    Row("errors", 1, ("--worst", "10", "-m", "dmt")),
    Row("diff", 2, (), 3),
    Row("report", 1, (), 4),
    Row("report", 2, (), 8),
    Row("compare", 2),
    Row("agree", 1),
    Row("agree", 4),
)


def compare_commands(key: Path | None, responses: Sequence[Path], *, quick: bool) -> None:
    """Print a table of all commands, and one of readers beside that of CoNLL on the same text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if key is None:
            size = corpora.Size(40, 126, 958) if quick else corpora.Size(263, 126, 958)
            key, response = corpora.files(folder / "0", size)
            others = [corpora.files(folder / str(seed), size, noise=0.1 * seed)[1] for seed in (1, 2, 4)]
            responses = [response.rename(folder / "a.conll"), *_rename_files(others, folder)]
        _print_commands(key, responses, folder / "page.html", runs=1 if quick else 3)
        _print_readers(key, folder, runs=3 if quick else 7)


def _rename_files(paths: Sequence[Path], folder: Path) -> list[Path]:
    """Give each file a name of its own in the folder, and return these."""
    return [path.rename(folder / f"{name}.conll") for path, name in zip(paths, "bcd", strict=True)]


def _print_commands(key: Path, responses: Sequence[Path], page: Path, *, runs: int) -> None:
    floor = [sys.executable, "-c", _FLOOR, str(key), str(responses[0])]
    rows = [row for row in COMMANDS if row.responses <= len(responses)]
    calls = [[sys.executable, "-m", "corefeval", *_list_arguments(row, key, responses, page)] for row in rows]
    best = [float("inf")] * (len(rows) + 1)
    for _ in range(runs):
        best = [min(least, _time_process(call)) for least, call in zip(best, [floor, *calls], strict=True)]
    print(f"\n{key.name} and {len(responses)} responses, seconds of processors\n  floor {best[0]:46.2f} s")
    for row, seconds in zip(rows, best[1:], strict=True):
        what = f"{row.command}, {row.responses} responses" if row.responses > 1 else row.command
        goal = "" if row.goal is None else f"  (goal {row.goal:g})"
        ratios = f"{seconds / best[0]:6.1f} times the floor, {seconds / best[1]:6.1f} times score{goal}"
        print(f"  {' '.join((what, *row.options)):<45} {seconds:6.2f} s  {ratios}")


def _list_arguments(row: Row, key: Path, responses: Sequence[Path], page: Path) -> list[str]:
    """Return the words of a command on the key and as many responses as it takes."""
    files = [str(path) for path in (key, *responses[: row.responses])]
    output = ["-o", str(page)] if row.command == "report" else []
    return [row.command, "-q", *files, *output, *row.options]


def _time_process(call: Sequence[str]) -> float:
    """Return the seconds of processors that a process and its children take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _print_readers(key: Path, folder: Path, *, runs: int) -> None:
    print("\nReading the key in other formats, beside CoNLL")
    conll = _time_best(partial(corefeval.read, key), runs)
    print(f"  conll     {1000 * conll:8.1f} ms")
    corpus = corefeval.read(key)
    for format_, suffix in _FORMATS.items():
        path = folder / f"key{suffix}"
        with warnings.catch_warnings(action="ignore"):  # of what a format has no place for
            corefeval.write(corpus, path, format=format_)
        seconds = _time_best(partial(corefeval.read, path, format=format_), runs)
        print(f"  {format_:<9} {1000 * seconds:8.1f} ms  {seconds / conll:5.1f} times")


def _time_best(action: Callable[[], object], runs: int) -> float:
    """Return the seconds of processors of the shortest of some runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def grow_scorer(*, quick: bool) -> None:
    """Print what an update of a `Scorer` with a tiny named document takes, the more there are."""
    scorer = corefeval.Scorer(measures="muc, bcub, ceafe")
    print("\nAn update of a Scorer")
    done, start = 0, time.process_time()
    for number in range(10_000 if quick else 100_000):
        scorer.update({f"document {number}": [[1, 2], [3]]}, {f"document {number}": [[1, 2, 3]]})
        if number + 1 in (1000, 10_000, 40_000, 100_000):
            now = time.process_time()
            print(f"  up to {number + 1:>7,} documents {1e6 * (now - start) / (number + 1 - done):6.1f} µs")
            done, start = number + 1, now
