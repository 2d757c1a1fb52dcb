"""What resampling costs, next to reading the files and to scoring every resample anew."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import corefeval
import corpora
from corefeval import Corpus, measures
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Settings

SIZE = corpora.Size(348, 57, 487)  # as many documents, mentions and words as the test part of CoNLL-2012
SYSTEMS = 20


def comparing(*, quick: bool) -> None:
    """Two systems, and twenty in all pairs, by the default measures."""
    settings = Settings(resamples=1_000 if quick else 10_000)
    chosen = measures.select_measures()
    count = settings.resamples
    with tempfile.TemporaryDirectory() as folder:
        paths = _files(Path(folder))
        reading = _best(lambda: [corefeval.read(path) for path in paths], 5)
        key, *responses = (corefeval.read(path) for path in paths)
    scoring = _best(lambda: [corefeval.score(key, each, measures=chosen) for each in responses], 5)
    two = {str(number): (corefeval.score(key, each, measures=chosen),) for number, each in enumerate(responses)}
    resampling = _best(lambda: compare_evaluations(two, chosen, settings), 5)
    once = _best(lambda: [_drawn(key, each) for each in responses], 2)
    print(f"\nTwo systems, {SIZE.documents} documents, {len(chosen)} measures, {count:,} resamples (processor time)")
    print(f"  reading the three files  {reading:9.3f} s")
    print(f"  scoring both             {scoring:9.3f} s")
    print(f"  resampling               {resampling:9.3f} s   {resampling / reading:6.2f} times as long as reading")
    print(f"  scoring every resample   {2 * count * once:9.0f} s   {2 * count * once / resampling:6.0f} times as long")
    made = (corpora.corpus(SIZE, noise=0.2 + 0.01 * number, seed=0) for number in range(SYSTEMS))
    many = {str(number): (corefeval.score(key, each, measures=chosen),) for number, each in enumerate(made)}
    start = time.process_time()
    found = compare_evaluations(many, chosen, settings)
    pairs = len(found.comparisons) // len(chosen)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"  {SYSTEMS} systems, {pairs} pairs    {time.process_time() - start:9.1f} s   {peak} MB at the peak")


def _files(folder: Path) -> list[Path]:
    key, first = corpora.files(folder / "one", SIZE, noise=0.2)
    _, second = corpora.files(folder / "two", SIZE, noise=0.25)
    return [key, first, second]


def _drawn(key: Corpus, response: Corpus) -> object:
    """One resample scored anew: both corpora are there already, only the documents would be others."""
    return corefeval.score(key, response)["conll"].f1


def _best(action: Callable[[], object], runs: int) -> float:
    """Seconds of processor time: the machine may be busy with something else."""
    seconds = []
    for _ in range(runs):
        start = time.process_time()
        action()
        seconds.append(time.process_time() - start)
    return min(seconds)
