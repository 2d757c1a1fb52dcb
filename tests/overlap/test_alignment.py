"""CEAF's alignment is exact, whatever the table: compared with a dense solver, on every way through the code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefeval.overlap import alignment, augmenting_paths, whole_weights
from tests.rounds import few_or_many

LIMITS: dict[str, dict[str, Any]] = {
    "small graphs directly": {},
    "reduction first": {"_FEW_EDGES": 0},
    "reduction, then parts in Python": {
        "_FEW_EDGES": 0,
        "_PLAIN_EDGES": 0,
        "_WIDE": 0,
        "_PASSES": 1e-9,
        "_SHORT": 10**9,
        "_MOST_UNITS": 0,
    },
    "reduction, then parts in SciPy": {"_FEW_EDGES": 0, "_PLAIN_EDGES": 0, "_WIDE": 10**9, "_MOST_UNITS": 0},
    "no reduction": {"_FEW_EDGES": 0, "_WORTHWHILE": 2.0, "_PLAIN_EDGES": 0, "_WIDE": 10**9, "_MOST_UNITS": 0},
    "whole numbers": {"_FEW_EDGES": 0, "_PLAIN_EDGES": 0, "_WIDE": 0},
    "whole numbers, no reduction": {"_FEW_EDGES": 0, "_WORTHWHILE": 2.0, "_PLAIN_EDGES": 0, "_WIDE": 0},
}


def dense(rows: Any, columns: Any, weights: Any) -> float:
    table = np.zeros((rows.max() + 1, columns.max() + 1))
    table[rows, columns] = weights
    return float(table[linear_sum_assignment(table, maximize=True)].sum())


def check(rows: Any, columns: Any, weights: Any) -> None:
    chosen = alignment.find_best(rows, columns, weights)
    assert len(np.unique(rows[chosen])) == len(chosen) == len(np.unique(columns[chosen]))
    assert (weights[chosen] > 0).all()
    assert weights[chosen].sum() == pytest.approx(dense(rows, columns, weights), rel=1e-12)


@pytest.mark.parametrize("way", LIMITS)
@pytest.mark.parametrize("kind", ["small integers", "equal", "fractions", "with zeros"])
@few_or_many(60, 250)
def test_random_tables(rounds: int, way: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in LIMITS[way].items():
        monkeypatch.setattr(whole_weights if name == "_MOST_UNITS" else alignment, name, value)
    rng = np.random.default_rng(5)
    for _ in range(rounds):
        height, width = rng.integers(1, 25, size=2)
        cells = np.unique(rng.integers(0, height * width, size=rng.integers(1, 90)))
        weights = {
            "small integers": rng.integers(1, 4, size=len(cells)),
            "equal": np.ones(len(cells), dtype=np.int64),
            "fractions": rng.random(len(cells)),
            "with zeros": rng.integers(0, 2, size=len(cells)),
        }[kind]
        check(cells // width, cells % width, weights)


def grid(size: int) -> tuple[Any, Any]:
    rows, columns = np.divmod(np.arange(size * size), size)
    return rows, columns


@pytest.mark.parametrize("kind", ["equal", "small integers", "fractions"])
def test_one_giant_component(kind: str) -> None:
    rng = np.random.default_rng(2)
    rows, columns = grid(120)
    weights = {
        "equal": np.ones(14400),
        "small integers": rng.integers(1, 4, size=14400),
        "fractions": rng.random(14400),
    }
    check(rows, columns, weights[kind])


def test_one_entity_against_many() -> None:
    check(np.zeros(5000, dtype=np.int64), np.arange(5000), np.arange(5000) % 7)


def test_a_chain_in_which_each_choice_waits_for_the_one_before() -> None:
    size = 600
    rows = np.repeat(np.arange(size), 2)[:-1]
    columns = np.repeat(np.arange(size), 2)[1:]
    for weights in (np.arange(1, 2 * size), np.arange(2 * size, 1, -1), np.ones(2 * size - 1, dtype=np.int64)):
        check(rows, columns, weights)
        check(columns, rows, weights)


def draw_partitions(entities: int, records: int, seed: int, *, equal: bool) -> tuple[Any, Any, Any]:
    """Draw two partitions that have nothing to do with each other; return their cells, and the similarities of CEAFe."""
    rng = np.random.default_rng(seed)
    even = np.arange(records) % entities
    key, response = (rng.permutation(even) if equal else rng.integers(0, entities, records) for _ in range(2))
    cells, n = np.unique(key * entities + response, return_counts=True)
    rows, columns = cells // entities, cells % entities
    return rows, columns, 2 * n / (np.bincount(key)[rows] + np.bincount(response)[columns])


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize(("passes", "gives_up"), [(1e-9, False), (45, True), (10**9, True)])
def test_searches_that_turn_out_to_be_long_are_left_to_scipy(
    equal: bool,
    passes: float,
    gives_up: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = []

    def search(*given: Any) -> Any:
        answers.append(find(*given))
        return answers[-1]

    find = augmenting_paths.search_paths
    monkeypatch.setattr(alignment, "search_paths", search)
    monkeypatch.setattr(whole_weights, "_MOST_UNITS", 0)
    monkeypatch.setattr(alignment, "_PLAIN_EDGES", 0)
    monkeypatch.setattr(alignment, "_WIDE", 0)
    monkeypatch.setattr(alignment, "_SHORT", 10**9)
    monkeypatch.setattr(alignment, "_PASSES", passes)
    check(*draw_partitions(300, 1500, 4, equal=equal))
    assert (None in answers) == gives_up


@pytest.mark.parametrize("kind", ["equal", "small integers", "fractions"])
@few_or_many(20, 200)
def test_trees_are_peeled_until_nothing_is_left(rounds: int, kind: str) -> None:
    """Node by node, each tree grows at a node that it has; many of them together, and each with its own total."""
    rng = np.random.default_rng(8)
    for _ in range(rounds):
        size = int(rng.integers(2, 60))
        sides, parents = [0], [0]  # of the first node: a row, which has no parent
        for node in range(1, size):
            parents.append(int(rng.integers(0, node)))
            sides.append(1 - sides[parents[-1]])
        pairs = [(node, parents[node]) if sides[node] == 0 else (parents[node], node) for node in range(1, size)]
        rows, columns = np.array(pairs).T
        weights = {
            "equal": np.ones(len(rows), dtype=np.int64),
            "small integers": rng.integers(1, 5, len(rows)),
            "fractions": rng.random(len(rows)),
        }[kind]
        order = rng.permutation(len(rows))
        rows, columns, weights = rows[order], columns[order], weights[order]
        peeled = alignment.peel_leaves(rows, columns, weights, np.arange(len(rows)))
        assert len(peeled.edges) == 0
        assert peeled.price == pytest.approx(dense(rows, columns, weights), rel=1e-12)
        check(
            np.concatenate([rows] * 20),
            np.concatenate([columns + 60 * copy for copy in range(20)]),
            np.tile(weights, 20),
        )
        chosen = peeled.restore(rows, columns, peeled.edges)
        assert weights[chosen].sum() == pytest.approx(peeled.price, rel=1e-12)


@pytest.mark.parametrize("kind", ["equal", "small integers", "fractions"])
@few_or_many(20, 200)
def test_what_is_peeled_and_what_is_left_come_to_the_best_alignment(rounds: int, kind: str) -> None:
    rng = np.random.default_rng(9)
    for _ in range(rounds):
        height, width = rng.integers(5, 40, size=2)
        cells = np.unique(rng.integers(0, height * width, size=int(1.2 * max(height, width))))
        rows, columns = cells // width, cells % width
        weights = {
            "equal": np.ones(len(cells)),
            "small integers": rng.integers(1, 5, len(cells)),
            "fractions": rng.random(len(cells)),
        }[kind]
        peeled = alignment.peel_leaves(rows, columns, weights, np.arange(len(cells)))
        left = np.zeros((height, width))
        left[rows[peeled.edges], columns[peeled.edges]] = peeled.weights
        best = linear_sum_assignment(left, maximize=True)
        assert peeled.price + left[best].sum() == pytest.approx(dense(rows, columns, weights), rel=1e-12)


@pytest.mark.parametrize("values", [(1,), (1, 2), (1, 2, 3, 7), (3, 4, 50), (1, 49, 50)])
@pytest.mark.parametrize("unit", [1, 2 / 14, 0.1])
@few_or_many(10, 150)
def test_small_whole_weights(rounds: int, values: tuple[int, ...], unit: float) -> None:
    """Of any unit, and with gaps between them."""
    rng = np.random.default_rng(7)
    for _ in range(rounds):
        height, width = rng.integers(1, 30, size=2)
        cells = np.unique(rng.integers(0, height * width, size=rng.integers(1, 150)))
        rows, columns = (np.unique(nodes, return_inverse=True)[1] for nodes in (cells // width, cells % width))
        weights = rng.choice(values, size=len(cells))
        units = whole_weights.count_units(weights * unit)
        assert (units is None) == bool((weights % weights.min()).any())
        assert units is None or (units * weights.min() == weights).all()
        chosen = whole_weights.solve_whole_weights(rows, columns, weights)
        assert len(np.unique(rows[chosen])) == len(chosen) == len(np.unique(columns[chosen]))
        assert weights[chosen].sum() == dense(rows, columns, weights)


def test_weights_that_rounding_leaves_of_nothing_count_as_nothing() -> None:
    units = whole_weights.count_units(np.array([0.2, 0.6, 5e-17, 0.6 - 0.4]))
    assert units is not None
    assert units.tolist() == [1, 3, 0, 1]
    assert whole_weights.count_units(np.array([0.2, 0.30001])) is None
    assert whole_weights.count_units(np.array([1, 51])) is None


@pytest.mark.parametrize("entities", [6_000, pytest.param(15_000, marks=pytest.mark.slow)])
def test_vast_partitions_with_nothing_in_common_have_the_weight_that_scipy_finds(entities: int) -> None:
    rows, columns, weights = draw_partitions(entities, 5 * entities, 3, equal=True)
    chosen = alignment.find_best(rows, columns, weights)
    assert len(np.unique(rows[chosen])) == len(chosen) == len(np.unique(columns[chosen]))
    other = alignment._solve_full_matching(rows, columns, weights)
    assert weights[chosen].sum() == pytest.approx(weights[other].sum(), rel=1e-12)


def test_long_chains_need_no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "_solve_full_matching", None)
    size = 20_000
    rows, columns = np.repeat(np.arange(size), 2)[:-1], np.repeat(np.arange(size), 2)[1:]
    chosen = alignment.find_best(rows, columns, np.arange(1, 2 * size))
    # Every second edge, the heaviest one among them.
    assert chosen.tolist() == list(range(0, 2 * size - 1, 2))


@pytest.mark.parametrize("steps", [0, 10**9])
def test_what_takes_long_is_announced_with_its_size_and_bounds(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "_PLAIN_EDGES": 0,
        "_WIDE": 0,
        "_PASSES": 45,
        "_STEPS": steps,
        "_LONG": 1e-3,
        "_SLOWLY": 1e-6,
    }.items():
        monkeypatch.setattr(alignment, name, value)
    graphs = [draw_partitions(300, 1500, seed, equal=False) for seed in (4, 5)]
    rows, columns, weights = (np.concatenate(each) for each in zip(*graphs, strict=True))
    second = len(graphs[0][0])
    rows[second:] += 300
    columns[second:] += 300
    rows, columns, weights = np.append(rows, 600), np.append(columns, 600), np.append(weights, 1.0)  # a lone pair
    announced: list[alignment.LongAlignment] = []
    chosen = alignment.find_best(rows, columns, weights, announced.append)
    best = 1.0 + sum(dense(*graph) for graph in graphs)
    assert weights[chosen].sum() == pytest.approx(best, rel=1e-12)
    (found,) = announced
    assert found.components == 2
    assert (found.rows, found.columns) <= (300, 300)
    assert found.seconds > 0
    assert 0.9 * best < found.lower < best < found.upper < 1.1 * best
