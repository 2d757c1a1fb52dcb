"""A sweep of a million scored pairs on a million records, and of a tenth of that: python benchmarks/sweeping.py.

Beside it stands what scoring one threshold takes, from the same arrays; a sweep scores hundreds of thousands of them.
"""

from __future__ import annotations

import warnings

import numpy as np

import corefeval
from timing import best, said


def draw(records: int) -> tuple[dict[str, object], corefeval.Corpus]:
    """As many pairs as records, four of five between neighbours, and a truth of three records per entity."""
    random = np.random.default_rng(0)
    key = np.sort(random.integers(0, records // 3, records))
    left = random.integers(0, records - 1, records)
    right = np.where(random.random(records) < 0.8, left + 1, random.integers(0, records, records))
    score = np.round(random.random(records) * 0.5 + (key[left] == key[right]) * 0.45, 6)
    truth = corefeval.Corpus.from_labels(mention=np.arange(records), entity=key)
    return {"id_l": left, "id_r": right, "score": score}, truth


def main() -> None:
    """Print how long sweeps take, and how many times as long as scoring one threshold."""
    warnings.simplefilter("ignore")
    for records in (100_000, 1_000_000):
        edges, truth = draw(records)
        sweep = corefeval.sweep(edges, truth, resamples=0, at=[0.5])
        response = corefeval.Corpus.from_labels(mention=np.arange(records), entity=truth.entity)
        measures = [str(measure) for measure in sweep.measures]
        one = best(lambda: corefeval.score(truth, response, measures=measures), 3)  # noqa: B023
        print(f"{records:,} records and pairs, {len(sweep.thresholds):,} thresholds")
        said("one threshold, scored by itself", one, one)
        said("all thresholds", best(lambda: corefeval.sweep(edges, truth, resamples=0, at=[0.5]), 2), one)  # noqa: B023
        said("and intervals of the best ones", best(lambda: corefeval.sweep(edges, truth), 1), one)  # noqa: B023


if __name__ == "__main__":
    main()
