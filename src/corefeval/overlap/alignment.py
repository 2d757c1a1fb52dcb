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

from collections import defaultdict
from collections.abc import Callable
from heapq import heappop, heappush
from typing import overload

from corefeval._arrays import Array, Booleans, Ints, Number, np
from corefeval._lazy import NamedTuple

Edge = tuple[Number, int, int]
"""Weight, column, and the position of the edge."""

Step = tuple[Number, bool, int, int, int, int]
"""How far a column is, whether it is taken, which it is, the column before it, the row between them, and that edge."""

Graph = tuple[Ints, Ints, Array]
"""Rows, columns and weights of edges; rows and columns are numbers from 0 without gaps."""

_ROOT = -1  # no column: where a search begins
_WAY_OUT = -2  # less a row: a column of that row's own

_FEW_EDGES = 400  # up to here plain Python is done before NumPy has sorted
_PLAIN_EDGES = 10_000  # what is left of a graph up to here is worth less than loading SciPy
_WORTHWHILE = 0.02  # the share of edges that a round must settle to be worth its passes over all of them
_LONG = 60.0  # seconds, from which on a user is told before
_SLOWLY = 5e-9  # seconds for each row and edge of a component, where it is hard
_STEPS = 20_000_000  # of Python's that take about a minute
_SHORT = 10  # steps for each edge that all searches together make where they are short
_WIDE = 1000  # rows times rows for each edge, from which on something else than SciPy's solver is worth beginning
_MOST_UNITS = 50  # how many times the least weight the others of a component are, to be taken for small whole numbers
_ROUNDED = 1e-14  # of that, what rounding may add to a weight
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
        return _solve_in_python(rows, columns, weights)
    taken, left = take_dominant(rows, columns, weights, np.flatnonzero(weights > 0))
    if len(left):
        rest = rows[left], columns[left], weights[left]
        if len(left) <= _FEW_EDGES:
            chosen = _solve_in_python(*rest)
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
            chosen = _solve_in_python(*rest)
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


def _solve_in_python(rows: Ints, columns: Ints, weights: Array) -> Ints:
    """Return the sorted indices of a maximum-weight matching's edges, all above 0, found without SciPy."""
    return np.array(_find_best_in_python(rows.tolist(), columns.tolist(), weights.tolist()), dtype=np.int64)


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
        return _solve_in_python(row, column, weight)
    units = _count_units(weight)
    if units is not None and (units.max() == 1 or _is_wide(row)):
        return _solve_whole_weights(row, column, units)
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
    found = _find_best_in_python(row.tolist(), column.tolist(), weight.tolist(), budget)
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


def _count_units(weight: Array) -> Ints | None:
    """Return how many times the least of these weights each of them is; None unless all are whole, and few.

    What rounding left of a weight that is nothing is 0 times that.
    """
    least = weight[weight > _ROUNDED * weight.max()].min()
    times = np.rint(weight / least)
    is_whole = np.abs(times * least - weight) <= _ROUNDED * least
    return times.astype(np.int64) if times.max() <= _MOST_UNITS and is_whole.all() else None


def _solve_whole_weights(row: Ints, column: Ints, weight: Ints) -> Ints:
    """Return the indices of a maximum-weight matching's edges; weights are small whole numbers above 0.

    Prices of nodes are found first (Kao, Lam, Sung & Ting 2001): a minimum vertex cover of the heaviest edges becomes
    dearer by what these are heavier than others, and edges lighter by the prices of both nodes, until nothing is left.
    A best matching is one of edges that weigh what their nodes cost, with every node that costs anything: one that has
    all such rows and one that has all such columns make it together (Mendelsohn & Dulmage 1958).
    """
    prices = [np.zeros(int(nodes.max()) + 1, dtype=np.int64) for nodes in (row, column)]
    edges, left = np.arange(len(weight)), weight
    while len(edges):
        top = int(left.max())
        step = top - int(left.max(where=left < top, initial=0))
        heavy = edges[left == top]
        covers = [step * cover for cover in _find_cover(row[heavy], column[heavy])]
        for price, cover in zip(prices, covers, strict=True):
            price[: len(cover)] += cover
        left = weight[edges] - prices[0][row[edges]] - prices[1][column[edges]]
        edges, left = edges[left > 0], left[left > 0]
    costs = prices[0][row], prices[1][column]
    tight = costs[0] + costs[1] == weight
    of_rows, of_columns = (np.flatnonzero(tight & (cost > 0)) for cost in costs)
    return _join_matchings(
        row, column, of_rows[_match_most(row[of_rows], column[of_rows])],
        of_columns[_match_most(row[of_columns], column[of_columns])],
    )  # fmt: skip


def _match_most(row: Ints, column: Ints) -> Ints:
    """Return the indices of a matching with as many edges as possible (Hopcroft & Karp 1973)."""
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import maximum_bipartite_matching  # noqa: PLC0415

    if not len(row):
        return row
    match = maximum_bipartite_matching(csr_array((np.ones(len(row)), (row, column))), perm_type="column")
    return np.flatnonzero(match[row] == column)


def _find_cover(row: Ints, column: Ints) -> tuple[Booleans, Booleans]:
    """Return which rows and which columns are in a minimum vertex cover of a graph (Kőnig 1931)."""
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import breadth_first_order  # noqa: PLC0415

    height, width = int(row.max()) + 1, int(column.max()) + 1
    matched = _match_most(row, column)
    is_alone = np.zeros(height, dtype=np.bool_)
    is_alone[row] = True
    is_alone[row[matched]] = False
    # Paths begin at unmatched rows, go to columns by any edge, and back to rows by edges of the matching.
    alone, start = np.flatnonzero(is_alone), height + width
    source = np.concatenate([np.full(len(alone), start), row, height + column[matched]])
    target = np.concatenate([alone, height + column, row[matched]])
    graph = csr_array((np.ones(len(source)), (source, target)), shape=(start + 1, start + 1))
    is_reached = np.zeros(start + 1, dtype=np.bool_)
    is_reached[breadth_first_order(graph, start, return_predecessors=False)] = True
    has_edge = np.zeros(height, dtype=np.bool_)
    has_edge[row] = True
    return has_edge & ~is_reached[:height], is_reached[height:start]


def _join_matchings(row: Ints, column: Ints, of_rows: Ints, of_columns: Ints) -> Ints:
    """Return a matching with all rows of one matching and all columns of another one.

    Together, both are paths and cycles. On each, one of them has all that is needed: on a path with a row more than
    columns that of the rows, with a column more that of the columns, and else that with more edges.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    height, both = int(row.max()) + 1, np.concatenate([of_rows, of_columns])
    nodes = height + int(column.max()) + 1
    graph = coo_array((np.ones(len(both)), (row[both], height + column[both])), shape=(nodes, nodes))
    many, part = connected_components(graph, directed=False)
    more_rows = np.bincount(part[:height], minlength=many) - np.bincount(part[height:], minlength=many)
    counts = [np.bincount(part[row[each]], minlength=many) for each in (of_rows, of_columns)]
    takes_rows = (more_rows > 0) | ((more_rows == 0) & (counts[0] >= counts[1]))
    return np.concatenate([of_rows[takes_rows[part[row[of_rows]]]], of_columns[~takes_rows[part[row[of_columns]]]]])


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


@overload
def _find_best_in_python(rows: list[int], columns: list[int], weights: list[Number]) -> list[int]: ...
@overload
def _find_best_in_python(
    rows: list[int], columns: list[int], weights: list[Number], budget: int
) -> list[int] | None: ...
def _find_best_in_python(
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
