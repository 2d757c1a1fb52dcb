"""Maximum-weight bipartite matching for small graphs, in plain Python.

Shortest augmenting paths with potentials (Kuhn 1955, Munkres 1957; the row-by-row form), on adjacency lists. Every row
has a way out of weight 0, so no row has to be matched.
"""

from __future__ import annotations

from collections import defaultdict

Weight = int | float
Edges = dict[int, dict[int, tuple[Weight, int]]]


def best(rows: list[int], columns: list[int], weights: list[Weight]) -> list[int]:
    """The positions of the edges of a matching of the greatest weight; edges of weight 0 are left out."""
    if len(set(rows)) == len(rows) and len(set(columns)) == len(columns):
        return [edge for edge, weight in enumerate(weights) if weight > 0]
    graph: Edges = {}
    degree: dict[int, int] = defaultdict(int)
    for edge, (row, column, weight) in enumerate(zip(rows, columns, weights, strict=True)):
        if weight <= 0:
            continue
        at_row = graph.setdefault(row, {})
        if column not in at_row:
            degree[column] += 1
        if column not in at_row or at_row[column][0] < weight:
            at_row[column] = (weight, edge)
    chosen = []
    contested = []
    for row, edges in graph.items():
        if all(degree[column] == 1 for column in edges):
            chosen.append(max(edges.values())[1])
        else:
            contested.append(row)
    match = _match(graph, contested)
    chosen.extend(graph[row][column][1] for column, row in match.items())
    return sorted(chosen)


def _match(graph: Edges, rows: list[int]) -> dict[int, int]:
    """Which row each column goes to. Costs are negated weights; a row's own way out is the column ~row."""
    owner: dict[int, int] = {}
    row_price: dict[int, Weight] = defaultdict(int)
    column_price: dict[int, Weight] = defaultdict(int)
    for root in rows:
        _augment(graph, root, owner, row_price, column_price)
    return {column: row for column, row in owner.items() if column >= 0}


def _augment(
    graph: Edges,
    root: int,
    owner: dict[int, int],
    row_price: dict[int, Weight],
    column_price: dict[int, Weight],
) -> None:
    """Give `root` a column, moving other rows along the cheapest path."""
    distance: dict[int, Weight] = {}
    came_from: dict[int, int | None] = {}
    done: set[int] = set()
    row, through = root, None
    while True:
        base = row_price[row]
        for column, cost in _costs(graph, row):
            reduced = cost - base - column_price[column]
            if column not in done and (column not in distance or reduced < distance[column]):
                distance[column] = reduced
                came_from[column] = through
        through = min(distance, key=distance.__getitem__)
        step = distance.pop(through)
        row_price[root] += step
        for column in done:
            column_price[column] -= step
            row_price[owner[column]] += step
        for column in distance:
            distance[column] -= step
        done.add(through)
        if through not in owner:
            break
        row = owner[through]
    while through is not None:
        before = came_from[through]
        owner[through] = root if before is None else owner[before]
        through = before


def _costs(graph: Edges, row: int) -> list[tuple[int, Weight]]:
    costs: list[tuple[int, Weight]] = [(column, -weight) for column, (weight, _) in graph[row].items()]
    costs.append((~row, 0))
    return costs
