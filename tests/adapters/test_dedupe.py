"""Clusters of dedupe are entities of records; what looks alike and is not stays what it is."""

from __future__ import annotations

import numpy as np
import pytest

import corefeval
from corefeval.adapters import dedupe

# What dedupe 3.0.3 returned for seven records: arrays, and tuples where a cluster was found as a pair, or is alone.
CLUSTERS = [
    ((np.int64(0), np.int64(1)), np.array([0.72127986, 0.72127986], dtype=np.float32)),
    ((np.int64(51), np.int64(52), np.int64(53)), np.array([0.6394731, 0.6394731, 0.5730639], dtype=np.float32)),
    ((np.int64(14), np.int64(15)), (np.float32(0.72127986), np.float32(0.72127986))),
    ((79,), (1.0,)),
]


def test_clusters_are_entities_of_the_ids() -> None:
    key = [[0, 1], [51, 52], [53], [14, 15], [79]]
    evaluation = corefeval.score(key, CLUSTERS, measures=["pairwise", "mentions"])
    assert evaluation["mentions"].f1 == 1
    # The key links 3 pairs, dedupe 5, and 3 are the same.
    assert (evaluation["pairwise"].recall, evaluation["pairwise"].precision) == (1, 3 / 5)
    assert corefeval.score(key, CLUSTERS[::-1], measures="muc")["muc"].recall == 1


def test_entities_of_two_spans_are_no_clusters() -> None:
    entities = [((0, 1), (3, 4)), ((6, 7), (8, 9))]
    assert corefeval.score(entities, entities)["mentions"].recall_numerator == 4


def test_a_cluster_of_another_shape_is_a_fault() -> None:
    with pytest.raises(corefeval.InputError, match="cluster 2 has another shape; expected ids and as many confidences"):
        dedupe.read([*CLUSTERS[:1], ((1, 2), (0.5,))])


@pytest.mark.filterwarnings("ignore")
def test_the_package_itself() -> None:
    clustering = pytest.importorskip("dedupe.clustering", reason="dedupe is not installed")
    pairs = [((1, 2), 0.9), ((2, 3), 0.8), ((4, 5), 0.7), ((3, 5), 0.2), ((6, 7), 0.3)]
    scored = np.array(pairs, dtype=[("pairs", "<i8", 2), ("score", "f4")])
    clusters = list(clustering.cluster(scored, 0.5))
    found = corefeval.score([[1, 2, 3], [4, 5]], clusters, measures="mentions")["mentions"]
    assert found.recall_numerator == sum(len(ids) for ids, _ in clusters) > 0
    swept = corefeval.sweep(scored, [[1, 2, 3], [4, 5], [6], [7]], measures="pairwise")
    assert swept.best[0].threshold == pytest.approx(0.7)
    assert swept.best[0].scores["f1"] == 1
