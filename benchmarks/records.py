"""Record linkage in memory: two runs over millions of records, compared without a key, and with one."""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING

import numpy as np

import corefeval

if TYPE_CHECKING:
    from corefeval._arrays import Ints

MEASURES = ("pairwise", "bcub", "lea")


def make_run(random: np.random.Generator, truth: Ints, errors: float) -> Ints:
    """A clustering of the records: some cut off from their entity, some entities merged with others."""
    entities = int(truth.max()) + 1
    run = truth.copy()
    alone = np.flatnonzero(random.random(len(run)) < errors / 2)
    run[alone] = entities + np.arange(len(alone))
    into = np.arange(entities + len(alone))
    merged = np.flatnonzero(random.random(entities) < errors / 2)
    into[merged] = random.integers(0, entities, len(merged))
    return into[run]


def make_truth(random: np.random.Generator, records: int) -> Ints:
    """Entities of one to nine records, in random order of records."""
    sizes = random.geometric(0.4, records).clip(1, 9)
    truth = np.repeat(np.arange(records), sizes)[:records]
    random.shuffle(truth)
    return truth


def time_diff(records: int) -> None:
    """Take the processor time of `diff_entities` on two runs of so many records, and of the text it prints."""
    random = np.random.default_rng(records)
    truth = make_truth(random, records)
    labels = [make_run(random, truth, errors) for errors in (0.05, 0.08)]
    start = time.process_time()
    a, b = (corefeval.Corpus.from_labels(mention=np.arange(records), entity=each) for each in labels)
    built = time.process_time()
    found = corefeval.diff_entities(a, b)
    compared = time.process_time()
    text = found.to_text()
    shown = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"  {records:>11,} records: corpora {built - start:6.2f} s, diff {compared - built:6.2f} s, "
          f"text {shown - compared:6.2f} s, peak {peak:.1f} GB")  # fmt: skip
    print("\n".join(f"    {line}" for line in text.splitlines()[2:11]))


def time_comparison(records: int) -> None:
    """Take the processor time of `compare` by components, 10,000 resamples, and of `score`, on so many records."""
    random = np.random.default_rng(records)
    truth = make_truth(random, records)
    labels = [truth, *(make_run(random, truth, errors) for errors in (0.05, 0.08))]
    key, a, b = (corefeval.Corpus.from_labels(mention=np.arange(records), entity=each) for each in labels)
    for systems in ({"a": a}, {"a": a, "b": b}):
        start = time.process_time()
        for each in systems.values():
            corefeval.score(key, each, measures=MEASURES)
        scored = time.process_time()
        found = corefeval.compare(key, systems, measures=MEASURES, resample="components")
        done = time.process_time()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"  {records:>11,} records, {len(systems)} runs: score {scored - start:6.2f} s, "
              f"compare {done - scored:6.2f} s, {found.units:,} components, peak {peak:.1f} GB")  # fmt: skip


def compare_runs(*, quick: bool) -> None:
    """Compare two runs without a key, and with one by components, at growing sizes."""
    counts = (100_000, 1_000_000) if quick else (100_000, 1_000_000, 10_000_000)
    print("\nTwo runs over the same records, compared without a key")
    for count in counts:
        time_diff(count)
    print("\nRuns compared by components, 10,000 resamples")
    for count in counts:
        time_comparison(count)


if __name__ == "__main__":
    compare_runs(quick=False)
