"""Tables with other mentions: without those of the response that have no twin, or with the key's as singletons there.

What the key is to do, the response does in the mirror.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.overlap.side import Side
from corefeval.overlap.table import Overlap

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Booleans, Ints

    Rewrite = Callable[[Overlap], tuple[Overlap, Overlap]]


def dropped(table: Overlap) -> Overlap:
    """Only those mentions of the response that have a twin."""
    return _with_response(table, table.response_shared, table.response_shared > 0)


def without_singletons(table: Overlap) -> Overlap:
    """The table without response entities that are a single mention without a twin."""
    return _with_response(table, table.response.size, (table.response.size > 1) | (table.response_shared > 0))


def only_twins(table: Overlap) -> Overlap:
    """The table of those mentions only that have a twin."""
    return dropped(dropped(table).mirror).mirror


def padded(table: Overlap) -> Overlap:
    """Every mention that only the key has becomes an entity of its own in the response."""
    missing = table.key.size - table.key_shared
    owner = np.repeat(np.arange(len(missing)), missing)
    document = np.concatenate([table.response.document, table.key.document[owner]])
    size = np.concatenate([table.response.size, np.ones(len(owner), dtype=np.int64)])
    order = np.argsort(document, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    cell_key = np.concatenate([table.cell_key, owner])
    cell_response = np.concatenate([place[table.cell_response], place[len(table.response.size) :]])
    n = np.concatenate([table.n, np.ones(len(owner), dtype=np.int64)])
    by_key = np.argsort(cell_key, kind="stable")
    side = Side(size[order], document[order], table.documents, document_name=table.response.document_name)
    credit = None if table.credit is None else np.concatenate([table.credit, np.ones(len(owner))])[by_key]
    return Overlap(table.key, side, cell_key[by_key], cell_response[by_key], n[by_key], credit=credit)


def key_padded(table: Overlap) -> Overlap:
    """Every mention that only the response has becomes an entity of its own in the key."""
    return padded(table.mirror).mirror


def _with_response(table: Overlap, size: Ints, keep: Booleans) -> Overlap:
    """The table with response entities of other sizes, and only those of `keep`."""
    number = np.cumsum(keep) - 1
    name = None if table.response.name is None else [table.response.name[i] for i in np.flatnonzero(keep).tolist()]
    side = Side(size[keep], table.response.document[keep], table.documents, name, table.response.document_name)
    cells = keep[table.cell_response]
    credit = None if table.credit is None else table.credit[cells]
    left = table.cell_key[cells], number[table.cell_response[cells]], table.n[cells]
    return Overlap(table.key, side, *left, credit=credit)


def _for_both(rewrite: Callable[[Overlap], Overlap]) -> Rewrite:
    def rewritten(table: Overlap) -> tuple[Overlap, Overlap]:
        once = rewrite(table)
        return once, once

    return rewritten


WAYS: dict[str, Rewrite] = {
    "stoyanov_all": lambda table: (padded(table), key_padded(table)),
    "stoyanov0": _for_both(dropped),
    "rahman_ng": _for_both(without_singletons),
    "cai_strube": lambda table: (padded(dropped(table)), key_padded(without_singletons(table))),
}
"""Tables for recall and for precision; `measures.twinless` says whose ways these are."""
