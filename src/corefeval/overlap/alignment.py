"""The best one-to-one alignment of entities: a maximum-weight bipartite matching on a very sparse graph.

1. An edge that weighs at least as much as the best other edge at its one end plus the best other edge at its other end
   is in some optimal matching. Take all such edges, remove their nodes, repeat. On coreference data almost nothing is
   left after that.
2. A node that can have several partners of which one has nobody else can always have that one: others are worth to it
   what they are worth more. Take off this price, remove such partners, repeat; then 1 again. Of a tree nothing is left,
   nor, almost, of random partitions of many documents.
3. The rest, if it is small, goes on with augmenting paths in plain Python, which has no start-up cost. If it is large,
   each of its components goes the way that suits it: SciPy is loaded for that, and only for that.
4. Where weights are small whole numbers, as those of CEAFm, and of CEAFe where entities are equally large, a few
   matchings of as many edges as possible make one of the greatest weight.
5. For other weights, SciPy's solver passes over all entities for each that waits for a place. On vast components whose
   searches are short Python is faster by far, and on others slower by far, and which they are shows only on the way:
   so Python begins, and as soon as its steps come to more than SciPy's passes would, SciPy takes over.
"""

from __future__ import annotations

from collections.abc import Callable

from corefeval._arrays import Array, Ints, Number, np
from corefeval._lazy import NamedTuple
from corefeval.overlap.augmenting_paths import search_paths, solve_in_python
from corefeval.overlap.whole_weights import count_units, solve_whole_weights

Graph = tuple[Ints, Ints, Array]
"""Rows, columns and weights of edges; rows and columns are numbers from 0 without gaps."""

_FEW_EDGES = 400  # up to here plain Python is done before NumPy has sorted
_PLAIN_EDGES = 10_000  # what is left of a graph up to here is worth less than loading SciPy
_WORTHWHILE = 0.02  # the share of edges that a round must settle to be worth its passes over all of them
_LONG = 60.0  # seconds, from which on a user is told before
_SLOWLY = 5e-9  # seconds for each row and edge of a component, where it is hard
_STEPS = 20_000_000  # of Python's that take about a minute
_SHORT = 10  # steps for each edge that all searches together make where they are short
_WIDE = 1000  # rows times rows for each edge, from which on something else than SciPy's solver is worth beginning
_PASSES = 1500  # rows times rows that SciPy passes over, at the least, in the time of one step of Python's


class LongAlignment(NamedTuple):
    """Components that will take long: how many they are, rows, columns and edges of the largest, and bounds.

    seconds: how long they may take. lower, upper: what the total weight of all edges chosen is between.
    """

    components: int
    rows: int
    columns: int
    edges: int
    seconds: float
    lower: float
    upper: float


Announce = Callable[[LongAlignment], None]


def find_best(rows: Ints, columns: Ints, weights: Array, announce: Announce | None = None) -> Ints:
    """Return the sorted indices of edges with the greatest total weight, all above 0, no two in one row or column.

    announce: is called before what will take more than a minute.
    """
    if len(weights) <= _FEW_EDGES:
        return solve_in_python(rows, columns, weights)
    taken, left = take_dominant(rows, columns, weights, np.flatnonzero(weights > 0))
    if len(left):
        rest = rows[left], columns[left], weights[left]
        if len(left) <= _FEW_EDGES:
            chosen = solve_in_python(*rest)
        else:
            chosen = _solve_peeled(*rest, add_weight(announce, float(weights[taken].sum())))
        taken = np.concatenate([taken, left[chosen]])
    return np.sort(taken)


def _solve_peeled(rows: Ints, columns: Ints, weights: Array, announce: Announce) -> Ints:
    """Return the indices of a best matching's edges, found without leaves and without what dominates then."""
    peeled = peel_leaves(rows, columns, weights, np.arange(len(weights)))
    graph = rows[peeled.edges], columns[peeled.edges], peeled.weights
    taken, left = take_dominant(*graph, np.arange(len(peeled.edges)))
    if len(left):
        rest = graph[0][left], graph[1][left], graph[2][left]
        if len(left) <= _PLAIN_EDGES:
            chosen = solve_in_python(*rest)
        else:
            sure = peeled.price + float(peeled.weights[taken].sum())
            chosen = _solve_by_component(*rest, add_weight(announce, sure))
        taken = np.concatenate([taken, left[chosen]])
    return peeled.restore(rows, columns, peeled.edges[taken])


def take_dominant(rows: Ints, columns: Ints, weights: Array, edges: Ints, margin: Number = 0) -> tuple[Ints, Ints]:
    """Return two arrays of edges: those taken since they outweigh their rivals, and those left between free nodes.

    An edge dominates if it weighs at least as much, and the margin more, as the best other edges at its two ends
    together. It is in some optimal matching; with a margin, in all of them. All weights are above 0. `edges` ascend.
    """
    is_free = [np.ones(int(nodes.max(initial=-1)) + 1, dtype=np.bool_) for nodes in (rows, columns)]
    taken = [edges[:0]]
    while len(edges):
        left = slice(None) if len(edges) == len(weights) else edges
        dominant = edges[_find_dominant(rows[left], columns[left], weights[left], margin)]
        if len(dominant) < _WORTHWHILE * len(edges):
            break
        for nodes in (rows, columns):  # of those that tie at a node, one is taken
            dominant = _keep_first(nodes[dominant], dominant)
        taken.append(dominant)
        for free, nodes in zip(is_free, (rows, columns), strict=True):
            free[nodes[dominant]] = False
        edges = edges[is_free[0][rows[edges]] & is_free[1][columns[edges]]]
    return np.concatenate(taken), edges[np.lexsort((weights[edges], rows[edges]))]


def _keep_first(node: Ints, edges: Ints) -> Ints:
    """Return the edges, less those at a node of which an earlier one is."""
    first = np.empty(int(node.max(initial=-1)) + 1, dtype=np.int64)
    first[node[::-1]] = edges[::-1]
    return edges[first[node] == edges]


def _find_dominant(row: Ints, column: Ints, weight: Array, margin: Number) -> Ints:
    """Return the places of dominant edges. They are among the heaviest at both their ends, so few are looked at."""
    is_heaviest = np.ones(len(weight), dtype=np.bool_)
    for node in (row, column):
        is_heaviest &= weight == _find_best(node, weight)[node]
    heaviest = np.flatnonzero(is_heaviest)
    rivals = _find_best_other(row, weight, heaviest) + _find_best_other(column, weight, heaviest)
    return heaviest[weight[heaviest] >= rivals + margin]


def _find_best(node: Ints, weight: Array) -> Array:
    """Return for each node, by number, the best weight of its edges; 0 for one without edges."""
    best = np.zeros(int(node.max()) + 1, dtype=weight.dtype)
    np.maximum.at(best, node, weight)
    return best


def _find_best_other(node: Ints, weight: Array, heaviest: Ints) -> Array:
    """Return for each edge in `heaviest`, none lighter than others at its node, the best weight of another, or 0."""
    nodes = node[heaviest]
    one = np.empty(int(node.max()) + 1, dtype=np.int64)
    one[nodes] = heaviest
    chosen = one[nodes]  # of those that tie at a node, the same one
    rest = weight.copy()
    rest[chosen] = 0
    return np.where(chosen == heaviest, _find_best(node, rest)[nodes], weight[heaviest])


class Peeled(NamedTuple):
    """A graph without its leaves: the edges left, their reduced weights, and what a matching of them lacks.

    leaves: for each round, edges of rows that had no other one, the heaviest of each column; and the other way round.
    price: the total weight of these. A best matching weighs so much, and as much as a best one of the edges left.
    """

    edges: Ints
    weights: Array
    leaves: list[tuple[Ints, Ints]]
    price: float

    def restore(self, rows: Ints, columns: Ints, chosen: Ints) -> Ints:
        """Return a best matching of the whole graph, in any order, given one of the edges left."""
        if not self.leaves:
            return chosen
        matching = [chosen]
        is_used = [np.zeros(int(nodes.max()) + 1, dtype=np.bool_) for nodes in (rows, columns)]
        for used, nodes in zip(is_used, (rows, columns), strict=True):
            used[nodes[chosen]] = True
        for of_columns, of_rows in reversed(self.leaves):
            for edges, used, nodes in ((of_columns, is_used[1], columns), (of_rows, is_used[0], rows)):
                free = edges[~used[nodes[edges]]]
                is_used[0][rows[free]] = is_used[1][columns[free]] = True
                matching.append(free)
        return np.concatenate(matching)


def peel_leaves(rows: Ints, columns: Ints, weights: Array, edges: Ints) -> Peeled:
    """Return the graph of these edges Peeled: without nodes of one edge, again and again as long as they are not few.

    The node at the other end of such an edge can always have it: its price, which the weights of its other edges are
    reduced by. Those that are worth no more than the price go. All weights are above 0.
    """
    row, column, weight = rows[edges], columns[edges], weights[edges]
    leaves = []
    price = 0.0
    while len(edges):
        lone_row = np.bincount(row)[row] == 1
        lone_column = (np.bincount(column)[column] == 1) & ~lone_row
        inner = np.flatnonzero(~(lone_row | lone_column))
        if len(edges) - len(inner) < _WORTHWHILE * len(edges):
            break
        found, prices = [], []
        for lone, node in ((lone_row, column), (lone_column, row)):
            outer = np.flatnonzero(lone)
            at, worth = node[outer], weight[outer]
            best = np.zeros(int(node.max()) + 1, dtype=weight.dtype)
            np.maximum.at(best, at, worth)
            heaviest = outer[worth == best[at]]
            heaviest = _keep_first(node[heaviest], heaviest)
            found.append(edges[heaviest])
            prices.append(best)
            price += float(weight[heaviest].sum())
        leaves.append((found[0], found[1]))
        row, column = row[inner], column[inner]
        weight = weight[inner] - prices[0][column] - prices[1][row]
        is_left = weight > 0
        edges, row, column, weight = edges[inner][is_left], row[is_left], column[is_left], weight[is_left]
    return Peeled(edges, weight, leaves, price)


def add_weight(announce: Announce | None, weight: float) -> Announce:
    """Return the function that calls `announce`, if any, with bounds that are higher by a weight."""

    def call(found: LongAlignment) -> None:
        """Call `announce` with higher bounds."""
        if announce is not None:
            announce(found._replace(lower=found.lower + weight, upper=found.upper + weight))

    return call


def _solve_by_component(rows: Ints, columns: Ints, weights: Array, announce: Announce) -> Ints:
    """Return the indices of a maximum-weight matching's edges; each connected component is solved as suits it.

    Those that SciPy has to solve come last, and `announce` is called before if they will take long.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415 - loading SciPy costs more than most evaluations
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    row, column = _renumber_densely(rows), _renumber_densely(columns)
    nodes = int(row.max()) + int(column.max()) + 2
    graph = coo_array((np.ones(len(row)), (row, column + row.max() + 1)), shape=(nodes, nodes))
    component = connected_components(graph, directed=False)[1][row]
    order = np.argsort(component, kind="stable")
    chosen, hard = [order[:0]], []
    for part in np.split(order, np.flatnonzero(np.diff(component[order])) + 1):
        graph = _renumber_densely(row[part]), _renumber_densely(column[part]), weights[part]
        found = _solve_quickly(*graph)
        if found is None:
            hard.append((part, graph))
        else:
            chosen.append(part[found])
    if long := [graph for _, graph in hard if _estimate_seconds(graph[0], graph[2]) > _LONG]:
        so_far = float(weights[np.concatenate(chosen)].sum())
        add_weight(announce, so_far)(_describe_long(long, [graph for _, graph in hard]))
    chosen += [part[_solve_patiently(*graph)] for part, graph in hard]
    return np.concatenate(chosen)


def _solve_quickly(row: Ints, column: Ints, weight: Array) -> Ints | None:
    """Return the indices of the best edges of a connected component; None if its entities need many passes."""
    if len(weight) <= _FEW_EDGES:
        return solve_in_python(row, column, weight)
    units = count_units(weight)
    if units is not None and (units.max() == 1 or _is_wide(row)):
        return solve_whole_weights(row, column, units)
    return _search(row, column, weight, min(_find_budget(row), _STEPS))


def _solve_patiently(row: Ints, column: Ints, weight: Array) -> Ints:
    """Return the indices of the best edges of a component that was not solved quickly, however long it takes."""
    budget = _find_budget(row)
    found = _search(row, column, weight, budget) if budget > _STEPS else None
    return _solve_full_matching(row, column, weight) if found is None else found


def _find_budget(row: Ints) -> int:
    """Return how many steps Python may make for a component: as SciPy passes over its rows, if searches are short."""
    return min((int(row.max()) + 1) ** 2 // _PASSES, _SHORT * len(row))


def _is_wide(row: Ints) -> bool:
    """Return whether a component has so many rows for its edges that SciPy's passes over them take long."""
    return bool((int(row.max()) + 1) ** 2 > _WIDE * len(row))


def _search(row: Ints, column: Ints, weight: Array, budget: int) -> Ints | None:
    """Return the indices of a maximum-weight matching's edges, found within a budget of steps in Python, or None."""
    if not _is_wide(row):
        return None
    found = search_paths(row.tolist(), column.tolist(), weight.tolist(), budget)
    return None if found is None else np.array(found, dtype=np.int64)


def _estimate_seconds(row: Ints, weight: Array) -> float:
    """Return how many seconds SciPy may take for a component with these edges, if it is hard."""
    return _SLOWLY * len(weight) * (int(row.max()) + 1)


def _describe_long(long: list[Graph], unsolved: list[Graph]) -> LongAlignment:
    """Return what is to be known of components that take long, and bounds of all that are not solved yet."""
    row, column, weight = max(long, key=lambda graph: len(graph[2]))
    bounds = [_bound_weight(*graph) for graph in unsolved]
    return LongAlignment(
        len(long), int(row.max()) + 1, int(column.max()) + 1, len(weight),
        sum(_estimate_seconds(row, weight) for row, _, weight in long),
        sum(lower for lower, _ in bounds), sum(upper for _, upper in bounds),
    )  # fmt: skip


def _bound_weight(row: Ints, column: Ints, weight: Array) -> tuple[float, float]:
    """Return what the total weight of a best matching is between.

    At least: heaviest edges first, each if its nodes are free. At most: each row's, or column's, heaviest edge.
    """
    taken_rows: set[int] = set()
    taken_columns: set[int] = set()
    lower = 0.0
    order = np.argsort(-weight, kind="stable")
    for i, j, each in zip(row[order].tolist(), column[order].tolist(), weight[order].tolist(), strict=True):
        if i not in taken_rows and j not in taken_columns:
            taken_rows.add(i)
            taken_columns.add(j)
            lower += each
    upper = [float(weight[order[np.unique(nodes[order], return_index=True)[1]]].sum()) for nodes in (row, column)]
    return lower, min(upper)


def _solve_full_matching(row: Ints, column: Ints, weight: Array) -> Ints:
    """Return the indices of a maximum-weight matching; rows may stay alone (Jonker & Volgenant 1987, sparse)."""
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


def _renumber_densely(nodes: Ints) -> Ints:
    """Return the nodes as numbers from 0 without gaps, in the same order."""
    return np.unique(nodes, return_inverse=True)[1]
