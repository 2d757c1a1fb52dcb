"""A maximum-weight bipartite matching where weights are small whole numbers: by a few matchings of most edges.

Those of CEAFm are, and those of CEAFe where entities are equally large.
"""

from __future__ import annotations

from corefeval._arrays import Array, Booleans, Ints, np

_MOST_UNITS = 50  # how many times the least weight the others of a component are, to be taken for small whole numbers
_ROUNDED = 1e-14  # of that, what rounding may add to a weight


def count_units(weight: Array) -> Ints | None:
    """Return how many times the least of these weights each of them is; None unless all are whole, and few.

    What rounding left of a weight that is nothing is 0 times that.
    """
    least = weight[weight > _ROUNDED * weight.max()].min()
    times = np.rint(weight / least)
    is_whole = np.abs(times * least - weight) <= _ROUNDED * least
    return times.astype(np.int64) if times.max() <= _MOST_UNITS and is_whole.all() else None


def solve_whole_weights(row: Ints, column: Ints, weight: Ints) -> Ints:
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
