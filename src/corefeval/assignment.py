"""Maximum-weight bipartite matching for sparse graphs, in plain Python: no start-up cost, no table.

Shortest augmenting paths with potentials (Kuhn 1955, Munkres 1957), row by row, each search by Dijkstra's algorithm on
adjacency lists. Every row has a way out of weight 0, so no row has to be matched. Before that, edges that dominate
their neighbours are taken, one after another, as long as there are any.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush

Weight = int | float
Edge = tuple[Weight, int, int]
"""Weight, the node at the other end, and the position of the edge."""

_ROOT = 0  # columns are negative, so this is none
_WAY_OUT = -(1 << 62)  # less a row: a column of that row's own


def best(rows: list[int], columns: list[int], weights: list[Weight]) -> list[int]:
    """The positions of the edges of a matching of the greatest weight; edges of weight 0 are left out."""
    row_edges, column_edges = _times(rows), _times(columns)
    taken = []
    # Columns are nodes -1, -2, …, so that one dictionary holds both kinds of nodes.
    graph: dict[int, list[Edge]] = defaultdict(list)
    for edge, (row, column, weight) in enumerate(zip(rows, columns, weights, strict=True)):
        if weight <= 0:
            continue
        if row_edges[row] == column_edges[column] == 1:
            taken.append(edge)
        else:
            graph[row].append((weight, ~column, edge))
            graph[~column].append((weight, row, edge))
    if not graph:
        return taken
    taken += _take_dominant(graph)
    return sorted(taken + _match({node: edges for node, edges in graph.items() if node >= 0}))


def _times(nodes: list[int]) -> dict[int, int]:
    """How often each node occurs."""
    times: dict[int, int] = {}
    for node in nodes:
        times[node] = times.get(node, 0) + 1
    return times


def _take_dominant(graph: dict[int, list[Edge]]) -> list[int]:
    """Take edges that weigh at least as much as the best others at both ends, and remove their nodes from the graph."""
    for edges in graph.values():
        edges.sort()
    taken = []
    waiting = list(graph)
    while waiting:
        node = waiting.pop()
        edges = _pruned(graph, node)
        if not edges:
            continue
        weight, other, edge = edges[-1]
        rival = edges[-2][0] if len(edges) > 1 else 0
        at_other = _pruned(graph, other)
        top = at_other[-1]
        rival += top[0] if top[2] != edge else at_other[-2][0] if len(at_other) > 1 else 0
        if weight >= rival:
            taken.append(edge)
            waiting += [neighbour for _, neighbour, _ in (*graph.pop(node), *graph.pop(other)) if neighbour in graph]
    for node in list(graph):
        graph[node] = [edge for edge in graph[node] if edge[1] in graph]
        if not graph[node]:
            del graph[node]
    return taken


def _pruned(graph: dict[int, list[Edge]], node: int) -> list[Edge]:
    """A node's edges, of which at least the last two lead to nodes that are still there."""
    edges = graph.get(node)
    if edges is None:
        return []
    while edges and edges[-1][1] not in graph:
        edges.pop()
    while len(edges) > 1 and edges[-2][1] not in graph:
        del edges[-2]
    return edges


def _match(graph: dict[int, list[Edge]]) -> list[int]:
    """Match the rows of what is left; return the edges used."""
    owner: dict[int, tuple[int, int]] = {}
    row_price: dict[int, Weight] = {}
    column_price: dict[int, Weight] = defaultdict(int)
    for row in graph:
        _augment(graph, row, owner, row_price, column_price)
    return [edge for _, edge in owner.values() if edge >= 0]


def _augment(
    graph: dict[int, list[Edge]],
    root: int,
    owner: dict[int, tuple[int, int]],
    row_price: dict[int, Weight],
    column_price: dict[int, Weight],
) -> None:
    """Give `root` a column, moving other rows along the cheapest path. Costs are negated weights."""
    row_price[root] = min(-weight - column_price[column] for weight, column, _ in graph[root])
    row_price[root] = min(row_price[root], 0)
    distance: dict[int, Weight] = {}
    came_by: dict[int, tuple[int, int, int]] = {}
    heap: list[tuple[Weight, bool, int, int, int, int]] = []
    so_far: Weight = 0
    row, through = root, _ROOT
    while True:
        base = so_far - row_price[row]
        for weight, column, edge in graph[row]:
            if column not in distance:
                # Of columns equally far away, a free one ends the search.
                heappush(heap, (base - weight - column_price[column], column in owner, column, through, row, edge))
        heappush(heap, (base, False, _WAY_OUT - row, through, row, -1))
        while True:
            so_far, _, column, before, at_row, edge = heappop(heap)
            if column not in distance:
                break
        distance[column] = so_far
        came_by[column] = (before, at_row, edge)
        if column not in owner:
            break
        row, through = owner[column][0], column
    for each, reached in distance.items():
        if each in owner:
            row_price[owner[each][0]] += so_far - reached
            column_price[each] -= so_far - reached
    row_price[root] += so_far
    while column != _ROOT:
        before, at_row, edge = came_by[column]
        owner[column] = (at_row, edge)
        column = before
