"""The best one-to-one alignment of entities: a maximum-weight bipartite matching on a very sparse graph.

1. An edge that weighs at least as much as the best other edge at its one end plus the best other edge at its other end
   is in some optimal matching. Take all such edges, remove their nodes, repeat. On coreference data almost nothing is
   left after that.
2. The rest, if it is small, goes on with augmenting paths in plain Python (`assignment`). If it is large, each of its
   components goes the way that suits it: SciPy is loaded for that, and only for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.overlap import assignment, summation

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, Booleans, Ints, Number

_FEW_EDGES = 400  # up to here plain Python is done before NumPy has sorted
_PLAIN_EDGES = 10_000  # what is left of a graph up to here is worth less than loading SciPy
_WORTHWHILE = 0.02  # the share of edges that a round must settle to be worth its passes over all of them
_VAST = 850  # rows per squared degree from which SciPy's passes over all rows cost more than short searches in Python


def best(rows: Ints, columns: Ints, weights: Array) -> Ints:
    """Choose edges, no two at one node, of the greatest total weight; weights of 0 or less are never chosen."""
    if len(weights) <= _FEW_EDGES:
        return _solve_plainly(rows, columns, weights)
    edges = np.flatnonzero(weights > 0)
    taken, edges = take_dominant(rows, columns, weights, edges)
    if len(edges):
        solve = _solve_plainly if len(edges) <= _PLAIN_EDGES else _solve_by_component
        taken = np.concatenate([taken, edges[solve(rows[edges], columns[edges], weights[edges])]])
    return np.sort(taken)


def greatest(rows: Ints, columns: Ints, weights: Array) -> Number:
    """The total weight of these edges, to a plain number."""
    if len(weights) > _FEW_EDGES:
        return summation.whole(weights[best(rows, columns, weights)])
    listed = weights.tolist()
    chosen = assignment.best(rows.tolist(), columns.tolist(), listed)
    return summation.adder(weights)([listed[edge] for edge in chosen])


def take_dominant(rows: Ints, columns: Ints, weights: Array, edges: Ints, margin: Number = 0) -> tuple[Ints, Ints]:
    """Take those of some edges that dominate their neighbours, while there are many; return them and the edges left.

    An edge dominates if it weighs at least as much, and the margin more, as the best other edges at its two ends
    together. It is in some optimal matching; with a margin, in all of them.
    """
    by_row = edges[np.lexsort((weights[edges], rows[edges]))]
    by_column = edges[np.lexsort((weights[edges], columns[edges]))]
    rival = np.zeros(len(weights), dtype=weights.dtype)
    row_free = np.ones(int(rows.max()) + 1, dtype=np.bool_)
    column_free = np.ones(int(columns.max()) + 1, dtype=np.bool_)
    taken = []
    while len(by_row):
        rival[by_row] = _best_other(rows[by_row], weights[by_row])
        rival[by_column] += _best_other(columns[by_column], weights[by_column])
        dominant = by_row[weights[by_row] >= rival[by_row] + margin]
        if len(dominant) < _WORTHWHILE * len(by_row):
            break
        dominant = _first_of_each(dominant, rows)
        dominant = _first_of_each(dominant, columns)
        taken.append(dominant)
        row_free[rows[dominant]] = False
        column_free[columns[dominant]] = False
        by_row = _still_free(by_row, rows, columns, row_free, column_free)
        by_column = _still_free(by_column, rows, columns, row_free, column_free)
    return (np.concatenate(taken) if taken else edges[:0]), by_row


def _best_other(node: Ints, weight: Array) -> Array:
    """For every edge, the best weight among the other edges at its node. Edges come sorted by node, then weight."""
    last = np.empty(len(node), dtype=np.bool_)
    np.not_equal(node[1:], node[:-1], out=last[:-1])
    last[-1] = True
    ends = np.flatnonzero(last)
    lengths = np.diff(ends, prepend=-1)
    other = np.repeat(weight[ends], lengths)
    second = np.where(lengths > 1, weight[ends - 1], 0)
    other[ends] = second
    return other


def _first_of_each(edges: Ints, nodes: Ints) -> Ints:
    """One edge of those that tie at a node."""
    _, first = np.unique(nodes[edges], return_index=True)
    return edges[first]


def _still_free(edges: Ints, rows: Ints, columns: Ints, row_free: Booleans, column_free: Booleans) -> Ints:
    return edges[row_free[rows[edges]] & column_free[columns[edges]]]


def _solve_plainly(rows: Ints, columns: Ints, weights: Array) -> Ints:
    return np.array(assignment.best(rows.tolist(), columns.tolist(), weights.tolist()), dtype=np.int64)


def _solve_by_component(rows: Ints, columns: Ints, weights: Array) -> Ints:
    """Solve a large rest part by part, each in the way that suits it."""
    from scipy.sparse import coo_array  # noqa: PLC0415 - loading SciPy costs more than most evaluations
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    row, column = _renumbered(rows), _renumbered(columns)
    nodes = int(row.max()) + int(column.max()) + 2
    graph = coo_array((np.ones(len(row)), (row, column + row.max() + 1)), shape=(nodes, nodes))
    component = connected_components(graph, directed=False)[1][row]
    order = np.argsort(component, kind="stable")
    chosen = []
    for part in np.split(order, np.flatnonzero(np.diff(component[order])) + 1):
        solve = _way(row[part], column[part], weights[part])
        chosen.append(part[solve(_renumbered(row[part]), _renumbered(column[part]), weights[part])])
    return np.concatenate(chosen)


def _way(row: Ints, column: Ints, weight: Array) -> Callable[[Ints, Ints, Array], Ints]:
    if len(weight) <= _FEW_EDGES:
        return _solve_plainly
    if (weight == weight[0]).all():
        return _most_edges
    height = len(np.unique(row))
    degree = len(weight) / min(height, len(np.unique(column)))
    return _solve_plainly if height > _VAST * degree**2 else _cheapest


def _most_edges(row: Ints, column: Ints, weight: Array) -> Ints:
    """Where all weights are equal, as many edges as possible (Hopcroft & Karp 1973)."""
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import maximum_bipartite_matching  # noqa: PLC0415

    match = maximum_bipartite_matching(csr_array((weight, (row, column))), perm_type="column")
    return np.flatnonzero(match[row] == column)


def _cheapest(row: Ints, column: Ints, weight: Array) -> Ints:
    """A full matching of the rows, each of which has a way out of its own (Jonker & Volgenant 1987, sparse)."""
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415

    height, width = int(row.max()) + 1, int(column.max()) + 1
    out = np.arange(height)
    ceiling = 2.0 * float(weight.max())  # costs must not be 0
    cost = np.concatenate([ceiling - weight, np.full(height, ceiling)])
    graph = csr_array((cost, (np.concatenate([row, out]), np.concatenate([column, width + out]))))
    match = np.full(height, -1)
    matched_row, matched_column = min_weight_full_bipartite_matching(graph)
    match[matched_row] = matched_column
    return np.flatnonzero(match[row] == column)


def _renumbered(nodes: Ints) -> Ints:
    return np.unique(nodes, return_inverse=True)[1]
