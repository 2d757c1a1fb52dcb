"""Connected components of the table: groups of entities that share mentions, directly or by way of others."""

from __future__ import annotations

from collections.abc import Sequence

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.overlap.overlap import Overlap


class Components(NamedTuple):
    """The component of every key entity and of every response entity of each table, as a number below `total`.

    An entity that shares no mention is a component of its own.
    """

    total: int
    key: Ints
    responses: tuple[Ints, ...]


def find_components(tables: Sequence[Overlap]) -> Components:
    """Return the components of tables of one key and several responses: groups that no cell of any table leaves."""
    from scipy.sparse import coo_array  # noqa: PLC0415 - loading SciPy costs more than most evaluations
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    sizes = [len(tables[0].key.size), *(len(table.response.size) for table in tables)]
    starts = np.cumsum([0, *sizes])
    # One graph of all entities, those of the key first, then those of each response.
    key = np.concatenate([table.cells.key for table in tables])
    response = np.concatenate([table.cells.response + start for table, start in zip(tables, starts[1:], strict=False)])
    total = int(starts[-1])
    graph = coo_array((np.ones(len(key), dtype=np.int8), (key, response)), shape=(total, total))
    count, component = connected_components(graph, directed=False)
    parts = np.split(component.astype(np.int64), starts[1:-1])
    return Components(int(count), parts[0], tuple(parts[1:]))
