"""Tables of records in memory: corefeval beside the metrics of scikit-learn, er-evaluation and Splink, in one run.

Each metric of a peer is compared with the same measure here, and with twelve measures; both numbers are checked to be
the same first. Times are of the processor, the least of some turns of one after the other. A peer gets its labels as it
likes them (arrays, series with an index); that is not in its time, while corefeval reads the frame.
"""

from __future__ import annotations

import logging
import math
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

PEERS = {"sklearn": "scikit-learn", "er_evaluation": "er-evaluation", "splink": "Splink"}
OF_ER_EVALUATION = (
    ("pairwise_f", "pairwise", "f1"),
    ("cluster_f", "ceaf:phi=1", "f1"),
    ("b_cubed_recall", "bcub:weight=entity", "recall"),  # its precision is weighted by entities of the key, too
)


class Metric(NamedTuple):
    """A metric of a peer: what computes it, the same measure here, and what of it the peer returns."""

    name: str
    compute: Callable[[], Any]
    measure: str
    rate: str


def find_missing_peers() -> list[str]:
    """Return the names of peers that are not installed."""
    return [name for module, name in PEERS.items() if find_spec(module) is None]


def list_metrics(frame: Any) -> Iterator[Metric]:
    """Yield the metrics of installed peers on one frame with columns id, truth and found."""
    truth, found = frame["truth"].to_numpy(), frame["found"].to_numpy()
    if find_spec("sklearn"):
        cluster = import_module("sklearn.metrics.cluster")
        yield Metric(
            "sklearn pair_confusion_matrix", partial(_find_recall, cluster, truth, found), "pairwise", "recall"
        )
        adjusted = partial(cluster.adjusted_rand_score, truth, found)
        yield Metric("sklearn adjusted_rand_score", adjusted, "adjusted_rand", "score")
        v_measure = partial(cluster.v_measure_score, truth, found)
        yield Metric("sklearn v_measure_score", v_measure, "entropy", "f1")
    if find_spec("er_evaluation"):
        metrics = import_module("er_evaluation").metrics
        truth, found = (frame.set_index("id")[name] for name in ("truth", "found"))
        for name, measure, rate in OF_ER_EVALUATION:
            yield Metric(f"er-evaluation {name}", partial(getattr(metrics, name), found, truth), measure, rate)
    if find_spec("splink"):
        compute = partial(analyse_with_splink, frame.rename(columns={"id": "unique_id"}))
        yield Metric("Splink accuracy_analysis", compute, "pairwise", "f1")


def _find_recall(cluster: Any, truth: Any, found: Any) -> float:
    """Return the recall of pairs by scikit-learn's confusion matrix of these."""
    matrix = cluster.pair_confusion_matrix(truth, found)
    return float(matrix[1, 1] / matrix[1].sum())


def analyse_with_splink(frame: Any) -> float:
    """Return the F1 of pairs by Splink: it makes those of the column found, and judges them by the column truth."""
    splink, comparisons = import_module("splink"), import_module("splink.comparison_library")
    settings = splink.SettingsCreator(
        link_type="dedupe_only",
        comparisons=[comparisons.ExactMatch("found")],
        blocking_rules_to_generate_predictions=[splink.block_on("found")],
    )
    linker = splink.Linker(splink.DuckDBAPI().register(frame), settings)
    analyse = linker.evaluation.accuracy_analysis_from_labels_column
    (row,) = analyse("truth", output_type="table", add_metrics=["f1"]).as_record_list()
    return float(row["f1"])


def list_joined_metrics(truth: Any, found: Any) -> Iterator[Metric]:
    """Yield the metrics of peers on two frames with columns id and cluster, joined by pandas as their users do."""
    if find_spec("sklearn"):
        cluster = import_module("sklearn.metrics.cluster")

        def merge_and_compute() -> float:
            joined = truth.merge(found, on="id", how="inner")
            return _find_recall(cluster, joined["cluster_x"].to_numpy(), joined["cluster_y"].to_numpy())

        yield Metric("pandas merge, sklearn pair_confusion_matrix", merge_and_compute, "pairwise", "recall")
    if find_spec("er_evaluation"):
        metrics = import_module("er_evaluation").metrics
        theirs, ours = (frame.set_index("id")["cluster"] for frame in (found, truth))
        for name, measure, rate in OF_ER_EVALUATION:
            yield Metric(f"er-evaluation {name}", partial(getattr(metrics, name), theirs, ours), measure, rate)


def time_in_turn(calls: list[Callable[[], object]], turns: int) -> list[float]:
    """Return the least seconds of the processor of each call, in turns of all."""
    best = [math.inf] * len(calls)
    for _ in range(turns):
        for place, call in enumerate(calls):
            start = time.process_time()
            call()
            best[place] = min(best[place], time.process_time() - start)
    return best


def compare_metrics(metrics: Iterator[Metric], score: Callable[..., Any], linear: str, turns: int) -> None:
    """Print for each metric how long it takes beside the same measure here, and beside all linear ones."""
    for metric in metrics:
        own, theirs = getattr(score(measures=metric.measure)[metric.measure], metric.rate), metric.compute()
        assert math.isclose(own, theirs, rel_tol=1e-9), (metric.name, own, theirs)
        calls: list[Callable[[], object]] = [
            metric.compute,
            partial(score, measures=metric.measure),
            partial(score, measures=linear),
        ]
        peer, same, all_linear = time_in_turn(calls, turns)
        print(
            f"  {metric.name:<46} {peer * 1000:>9.1f} ms   {metric.measure:<18} {same * 1000:>7.1f} ms, "
            f"{peer / same:>6.1f} times   twelve {all_linear * 1000:>7.1f} ms, {peer / all_linear:>6.1f} times",
            flush=True,
        )


def compare_with_peers(sizes: list[int], draw_labels: Callable[[int], tuple[Any, Any, Any]], linear: str) -> None:
    """Print the times of peers beside those here at some sizes: one frame and two, integers and texts as labels."""
    import numpy as np  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415

    import corefeval  # noqa: PLC0415

    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    for name in find_missing_peers():
        print(f"{name} is not installed: left out")
    for records in sizes:
        turns = 40 if records <= 10_000 else 7 if records <= 100_000 else 3
        ids, truth, found = draw_labels(records)
        integers = pd.DataFrame({"id": ids, "truth": truth, "found": found})
        texts = pd.DataFrame(
            {"id": ids, "truth": [f"p{each}" for each in truth], "found": [f"c{each}" for each in found]}
        )
        for kind, frame in (("integers", integers), ("texts", texts)):
            print(f"{records:,} records, one pandas frame, {kind} as labels")
            score = partial(corefeval.score_table, frame, key="truth", response="found", engine="memory")
            compare_metrics(list_metrics(frame), score, linear, turns)
            ours, theirs = (frame[["id", name]].rename(columns={name: "cluster"}) for name in ("truth", "found"))
            theirs = theirs.iloc[np.random.default_rng(2).permutation(records)].reset_index(drop=True)
            print(f"{records:,} records, two frames joined by id, {kind} as labels")
            score = partial(
                corefeval.score_table, (ours, theirs), key="cluster", response="cluster", id="id", engine="memory"
            )
            compare_metrics(list_joined_metrics(ours, theirs), score, linear, turns)
