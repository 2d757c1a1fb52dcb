"""Maximum-weight bipartite matching for sparse graphs, in plain Python: no start-up cost, no table.

Every row takes its heaviest edge. Rows that find its column taken search for a place one by one, along shortest
augmenting paths with potentials (Kuhn 1955, Munkres 1957), by Dijkstra's algorithm on adjacency lists. Every row has a
way out of weight 0, so no row has to be matched.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush

Weight = int | float
Edge = tuple[Weight, int, int]
"""Weight, column, and the position of the edge."""

Step = tuple[Weight, bool, int, int, int, int]
"""How far a column is, whether it is taken, which it is, the column before it, the row between them, and that edge."""

_ROOT = -1  # no column: where a search begins
_WAY_OUT = -2  # less a row: a column of that row's own


def best(rows: list[int], columns: list[int], weights: list[Weight]) -> list[int]:
    """The positions of the edges of a matching of the greatest weight, in order; edges of weight 0 are left out."""
    graph: dict[int, list[Edge]] = {}
    for row, edge in zip(rows, zip(weights, columns, range(len(rows)), strict=True), strict=True):
        if edge[0] > 0:
            if row in graph:
                graph[row].append(edge)
            else:
                graph[row] = [edge]
    owner: dict[int, tuple[int, int]] = {}
    row_price: dict[int, Weight] = {}
    waiting = _take_heaviest(graph, owner, row_price)
    if waiting:
        column_price: dict[int, Weight] = defaultdict(int)
        for row in waiting:
            _augment(graph, row, owner, row_price, column_price)
    return sorted([position for _, position in owner.values() if position >= 0])


def _take_heaviest(
    graph: dict[int, list[Edge]], owner: dict[int, tuple[int, int]], row_price: dict[int, Weight]
) -> list[int]:
    """Give every row the column of its heaviest edge; return the rows that come too late for that."""
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
    row_price: dict[int, Weight],
    column_price: dict[int, Weight],
) -> None:
    """Give `root` a column, moving other rows along the cheapest path. Costs are negated weights."""
    reached: dict[int, Step] = {}
    heap: list[Step] = []
    so_far: Weight = 0
    row, through = root, _ROOT
    while True:
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
