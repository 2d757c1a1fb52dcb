"""A maximum-weight bipartite matching by augmenting paths in plain Python, which has no start-up cost."""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush
from typing import overload

from corefeval._arrays import Array, Ints, Number, np

Edge = tuple[Number, int, int]
"""Weight, column, and the position of the edge."""

Step = tuple[Number, bool, int, int, int, int]
"""How far a column is, whether it is taken, which it is, the column before it, the row between them, and that edge."""

_ROOT = -1  # no column: where a search begins
_WAY_OUT = -2  # less a row: a column of that row's own


def solve_in_python(rows: Ints, columns: Ints, weights: Array) -> Ints:
    """Return the sorted indices of a maximum-weight matching's edges, all above 0, found without SciPy."""
    return np.array(search_paths(rows.tolist(), columns.tolist(), weights.tolist()), dtype=np.int64)


@overload
def search_paths(rows: list[int], columns: list[int], weights: list[Number]) -> list[int]: ...
@overload
def search_paths(rows: list[int], columns: list[int], weights: list[Number], budget: int) -> list[int] | None: ...
def search_paths(
    rows: list[int], columns: list[int], weights: list[Number], budget: int | None = None
) -> list[int] | None:
    """Return the sorted indices of a maximum-weight matching's edges; those of weight 0 or less are left out.

    Every row takes its heaviest edge. Rows that find its column taken search for a place one by one, along shortest
    augmenting paths with potentials (Kuhn 1955, Munkres 1957), by Dijkstra's algorithm on adjacency lists. Every row
    has a way out of weight 0, so no row has to be matched.

    budget: how many edges all searches may look at together. None is returned as soon as they have looked at more than
    their share of it, beyond as many as there are edges.
    """
    graph: dict[int, list[Edge]] = defaultdict(list)
    for row, edge in zip(rows, zip(weights, columns, range(len(rows)), strict=True), strict=True):
        if edge[0] > 0:
            graph[row].append(edge)
    owner: dict[int, tuple[int, int]] = {}
    row_price: dict[int, Number] = {}
    waiting = _take_heaviest(graph, owner, row_price)
    if waiting:
        column_price: dict[int, Number] = defaultdict(int)
        steps = 0
        for done, row in enumerate(waiting, 1):
            steps += _augment(graph, row, owner, row_price, column_price)
            if budget is not None and steps > len(rows) + budget * done // len(waiting):
                return None
    return sorted([position for _, position in owner.values() if position >= 0])


def _take_heaviest(
    graph: dict[int, list[Edge]], owner: dict[int, tuple[int, int]], row_price: dict[int, Number]
) -> list[int]:
    """Put rows into `owner` at columns of their heaviest edges, and set prices; return rows that find these taken."""
    waiting = []
    for row, edges in graph.items():
        weight, column, edge = max(edges) if len(edges) > 1 else edges[0]
        row_price[row] = -weight
        if column in owner:
            for other, column, edge in edges:  # noqa: B007 - where the loop ends is what is taken
                if other == weight and column not in owner:
                    break
            else:
                waiting.append(row)
                continue
        owner[column] = (row, edge)
    return waiting


def _augment(
    graph: dict[int, list[Edge]],
    root: int,
    owner: dict[int, tuple[int, int]],
    row_price: dict[int, Number],
    column_price: dict[int, Number],
) -> int:
    """Put `root` into `owner`, moving other rows along the cheapest path (negated weights), and update all prices.

    Return how many edges were looked at.
    """
    reached: dict[int, Step] = {}
    heap: list[Step] = []
    so_far: Number = 0
    row, through = root, _ROOT
    steps = 0
    while True:
        steps += len(graph[row])
        base = so_far - row_price[row]
        for weight, column, edge in graph[row]:
            if column not in reached:
                # Of columns equally far away, a free one ends the search.
                heappush(heap, (base - weight - column_price[column], column in owner, column, through, row, edge))
        heappush(heap, (base, False, _WAY_OUT - row, through, row, -1))
        step = heappop(heap)
        while step[2] in reached:
            step = heappop(heap)
        so_far, is_taken, column, _, _, _ = step
        reached[column] = step
        if not is_taken:
            break
        row, through = owner[column][0], column
    for each, (distance, is_taken, *_) in reached.items():
        if is_taken:
            row_price[owner[each][0]] += so_far - distance
            column_price[each] -= so_far - distance
    row_price[root] += so_far
    while column != _ROOT:
        _, _, _, before, row, edge = reached[column]
        owner[column] = (row, edge)
        column = before
    return steps
