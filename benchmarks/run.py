"""Compare corefeval with other scorers, in one run, and say how many times faster it is.

    python benchmarks/run.py [--coval DIR] [--perl DIR] [--corefud-scorer DIR] [--conllu FILE] [--quick] [PART ...]

Parts: files, commands, reading, matching, small, large, records, adversarial, corners, start, statistics (all by
default). scorch and udapi are used if they are installed; coval, the Perl reference scorer and the CorefUD scorer
where a checkout is pointed to.
Times are the best of several runs, one after the other on the same machine; the ratios are what counts.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
import timeit
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import commands
import comparing
import corefeval
import corners
import corpora
import matching
import peers
import reading
import records
from corefeval import Corpus
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from corefeval._arrays import Ints


def best(action: Callable[[], object], runs: int) -> float:
    """Seconds, the best of some runs."""
    return min(timeit.repeat(action, number=1, repeat=runs))


def in_turn(actions: dict[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Seconds, the best of some runs for each. They take turns, so that a slow moment of the machine meets them all."""
    seconds = dict.fromkeys(actions, float("inf"))
    for _ in range(5):
        for name, action in actions.items():
            seconds[name] = min(seconds[name], best(action, runs))
    return seconds


def command(*arguments: str | Path, cwd: Path | None = None) -> Callable[[], None]:
    def run() -> None:
        subprocess.run([str(each) for each in arguments], check=True, cwd=cwd, stdout=subprocess.DEVNULL)

    return run


def report(title: str, ours: float, theirs: dict[str, float]) -> None:
    print(f"\n{title}\n  corefeval {ours:10.4f} s")
    for name, seconds in theirs.items():
        print(f"  {name:<9} {seconds:10.4f} s   {seconds / ours:8.1f} times as long")


def files(options: argparse.Namespace) -> None:
    """The whole command, start of the process included, default measures."""
    sizes = {
        "263 documents, 252,000 words, 33,000 mentions a side": corpora.Size(263, 126, 958),
        "one document of 10,000 mentions": corpora.Size(1, 10_000, 60_000),
    }
    for title, size in sizes.items():
        with tempfile.TemporaryDirectory() as folder:
            key, response = corpora.files(Path(folder), size)
            ours = best(command(Path(sys.executable).with_name("corefeval"), "score", "-q", key, response), 9)
            theirs = {}
            for name, peer in peers.commands(options, key, response).items():
                if name == "Perl" and size.documents == 1:
                    continue  # hours
                theirs[name] = best(command(*peer.arguments, cwd=peer.folder), 1 if options.quick else 2)
            report(title, ours, theirs)


def _in_memory(key: peers.Entities, response: peers.Entities, measures: tuple[str, ...]) -> None:
    evaluation = corefeval.score(key, response, measures=measures)
    for measure in evaluation.measures:
        _ = evaluation[measure].main


def small(options: argparse.Namespace) -> None:
    """Objects in memory: one document, from `score` to the numbers of the default measures; the mean of some."""
    rng = random.Random(0)
    theirs = peers.functions(options)
    for size in (5, 20, 50, 100, 1000):
        seconds: dict[str, float] = {}
        documents = 2 if size == 1000 else 10
        for _ in range(documents):
            key, response = corpora.entities(rng, size)
            runs: dict[str, Callable[[], object]] = {
                "corefeval": partial(_in_memory, key, response, corefeval.measures.DEFAULT),
                "corefeval, coval's five": partial(_in_memory, key, response, peers.COVAL),
                **{f"{name}, five measures": each(key, response) for name, each in theirs.items()},
            }
            for name, each in in_turn(runs, 1 + 1000 // size).items():
                seconds[name] = seconds.get(name, 0.0) + each / documents
        print(f"\n{size} mentions in memory, from objects to numbers")
        for name, mean in seconds.items():
            print(f"  {name:<24} {1e6 * mean:10.0f} µs")


def _score_labels(mention: Ints, key: Ints, response: Ints, *, measures: str | None) -> None:
    corefeval.score(
        Corpus.from_labels(mention=mention, entity=key),
        Corpus.from_labels(mention=mention, entity=response),
        measures=measures,
    )


def large(options: argparse.Namespace) -> None:
    """One document of millions of mentions from arrays, against finding the distinct pairs of labels by sorting."""
    for size in (10**6,) if options.quick else (10**6, 10**7):
        key, response = corpora.labels(size)
        mention = np.arange(size)
        fused = key * (int(response.max()) + 1) + response
        unique = best(partial(np.unique, fused, return_counts=True), 3)
        print(f"\n{size:,} mentions in one document\n  np.unique with counts {unique:8.3f} s")
        for title, measures in (("default measures", None), ("all measures", "all")):
            score = partial(_score_labels, mention, key, response, measures=measures)
            ours = best(score, 3)
            tracemalloc.start()
            score()
            peak = tracemalloc.get_traced_memory()[1] / size
            tracemalloc.stop()
            told = f"{ours / unique:.1f} times as long, {peak:.0f} bytes a mention at the peak beyond the input"
            print(f"  {title:<21} {ours:8.3f} s   {told}")


def adversarial(options: argparse.Namespace) -> None:
    """Tables made to be hard for the alignment: what they cost."""
    print("\nThe alignment of CEAF on tables made to be hard")
    for title, (rows, columns, weights) in corpora.hard_tables(quick=options.quick):
        start = time.perf_counter()
        alignment.find_best(rows, columns, weights)
        print(f"  {title:<58} {len(weights):>9,} cells {time.perf_counter() - start:9.2f} s")


def start(options: argparse.Namespace) -> None:
    """What it costs to begin."""
    runs = 5 if options.quick else 15
    numpy = best(command(sys.executable, "-c", "import numpy"), runs)
    print("\nStart of the process")
    print(f"  import numpy               {1000 * numpy:6.0f} ms")
    for code in ("import corefeval", "import corefeval; corefeval.score"):
        print(f"  {code:<35} {1000 * best(command(sys.executable, '-c', code), runs):6.0f} ms")
    for arguments in (("--help",), ("measures",)):
        seconds = best(command(sys.executable, "-m", "corefeval", *arguments), runs)
        print(f"  {'corefeval ' + arguments[0]:<35} {1000 * seconds:6.0f} ms")


def read(options: argparse.Namespace) -> None:
    """What reading files costs."""
    reading.reading(quick=options.quick)
    if options.conllu:
        reading.against_udapi(options.conllu, quick=options.quick)


def match(options: argparse.Namespace) -> None:
    """What matching costs."""
    matching.matching(options.corefud_scorer, quick=options.quick)


def statistics(options: argparse.Namespace) -> None:
    """What comparing systems costs."""
    comparing.comparing(quick=options.quick)


def every_command(options: argparse.Namespace) -> None:
    """What every command and reader costs beside `score`, and a Scorer that grows."""
    commands.compare_commands(options.key, options.response or (), quick=options.quick)
    commands.grow_scorer(quick=options.quick)


def hard(options: argparse.Namespace) -> None:
    """What small files cost that were made to be hard."""
    corners.corners(quick=options.quick)


PARTS = {
    "files": files,
    "commands": every_command,
    "reading": read,
    "matching": match,
    "small": small,
    "large": large,
    "records": lambda options: records.compare_runs(quick=options.quick),
    "adversarial": adversarial,
    "corners": hard,
    "start": start,
    "statistics": statistics,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--coval", type=Path, help="a checkout of coval")
    parser.add_argument("--perl", type=Path, help="a checkout of the reference scorer")
    parser.add_argument("--conllu", type=Path, help="a file to read as udapi does, such as en_gum-ud-dev.conllu")
    parser.add_argument("--corefud-scorer", type=Path, help="a checkout of the CorefUD scorer")
    parser.add_argument("--key", type=Path, help="a key to try all commands on")
    parser.add_argument("--response", type=Path, action="append", help="a response to it; several may be given")
    parser.add_argument("--quick", action="store_true", help="fewer runs and smaller sizes")
    options = parser.parse_args()
    for part in options.parts or PARTS:
        PARTS[part](options)


if __name__ == "__main__":
    main()
