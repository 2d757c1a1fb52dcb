"""The ways of the literature to treat mentions that only one side has: rewrites of the table before counting.

Each gives one table for recall and one for precision.

keep          change nothing (Luo 2005, Pradhan et al. 2014)
pad           a mention that one side lacks is a singleton there (Popescu-Belis 1999, DEF. 19)
discard_both  both sides drop mentions without a twin (Bengtson & Roth 2008)
stoyanov_all  a twinless mention counts as resolved to itself (Stoyanov et al. 2009, B³all)
stoyanov0     twinless response mentions are dropped, twinless key mentions cost recall (Stoyanov et al. 2009, B³0)
rahman_ng     response singletons without a twin are dropped (Rahman & Ng 2009)
cai_strube    those are dropped; for precision, other twinless response mentions join the key as singletons; for recall,
              they leave the response and twinless key mentions join it as singletons (Cai & Strube 2010)

The first three treat both sides alike, so that any measure can count on their table; the others are for B³ and CEAF.
What is done to the response here is done to the key in the mirror.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from corefeval._arrays import Booleans, invert_permutation, np
from corefeval.overlap.overlap import Overlap, Side


def drop_spurious(table: Overlap) -> Overlap:
    """Return the table without response mentions that have no twin, and without entities that lose all so."""
    left = Overlap(table.key, table.response.resize(table.response_shared), table.cells)
    return _select_response_entities(left, table.response_shared > 0)


def drop_spurious_singletons(table: Overlap) -> Overlap:
    """Return the table without the response's singletons that have no twin."""
    return _select_response_entities(table, (table.response.size > 1) | (table.response_shared > 0))


@singledispatch
def discard_both(table: Overlap) -> Overlap:
    """Return the table without mentions of either side that have no twin, and without entities that lose all so."""
    return drop_spurious(drop_spurious(table).mirror).mirror


def add_missing(table: Overlap) -> Overlap:
    """Return the table with a response singleton added for every key mention without a twin, as its twin."""
    missing = table.key.size - table.key_shared
    owner = np.repeat(np.arange(len(missing)), missing)
    document = np.concatenate([table.response.document, table.key.document[owner]])
    size = np.concatenate([table.response.size, np.ones(len(owner), dtype=np.int64)])
    order = np.argsort(document, kind="stable")
    place = invert_permutation(order)  # where each entity goes, so that they are ordered by document again
    response = Side(size[order], document[order], table.documents, document_name=table.response.document_name)
    every = np.ones(len(table.n), dtype=np.bool_)
    moved = table.cells.select(every, np.arange(len(table.key.size)), place)
    return Overlap(table.key, response, moved.add_whole_mentions(owner, place[len(table.response.size) :]))


def add_spurious(table: Overlap) -> Overlap:
    """Return the table with a key singleton added for every response mention without a twin, as its twin."""
    return add_missing(table.mirror).mirror


@singledispatch
def pad(table: Overlap) -> Overlap:
    """Return the table with a singleton added for every mention of either side without a twin, as its twin."""
    return add_spurious(add_missing(table))


def _select_response_entities(table: Overlap, kept: Booleans) -> Overlap:
    """Return the table with only the response entities for which `kept` is true."""
    return table.select(np.ones(len(table.key.size), dtype=np.bool_), kept)


REWRITES: dict[str, Callable[[Overlap], tuple[Overlap, Overlap]]] = {
    "stoyanov_all": lambda table: (add_missing(table), add_spurious(table)),
    "stoyanov0": lambda table: (drop_spurious(table),) * 2,
    "rahman_ng": lambda table: (drop_spurious_singletons(table),) * 2,
    "cai_strube": lambda table: (add_missing(drop_spurious(table)), add_spurious(drop_spurious_singletons(table))),
    "pad": lambda table: (pad(table),) * 2,
    "discard_both": lambda table: (discard_both(table),) * 2,
}
"""Tables for recall and for precision, by the names of the ways."""

FOR_ALL = ("pad", "discard_both")
"""The ways that treat both sides alike, so that any measure can count on their table."""
