"""Core classes: how much of each entity is in the entity that matches it best?"""

from __future__ import annotations

from corefeval._arrays import Booleans, ByDocument, Columns, np
from corefeval.measures.base import AlignedEntities, RecallPrecision, make_counts
from corefeval.measures.parameters import parameter
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views


class Core(RecallPrecision):
    """Every mention of a key entity outside its core, the largest fragment, is a recall error; never above MUC.

    Where there is nothing to link the paper counts 0/0 as 1.
    """

    name = "core"
    title = "core classes (C)"
    formula = "R = Σ (max_j n - 1) / Σ (k - 1)"
    citation = "Popescu-Belis & Robba 1998; Popescu-Belis 1999, Evaluating reference resolution (DEF. 11-14)"
    adds_up = "mentions in cores are summed over documents"
    derivation = "cores"
    symmetric = True
    pads = True

    undefined: int = parameter("what 0/0 counts as", default=1, choices=(0, 1))

    def count(self, views: Views) -> Columns:
        """Return four columns by document: mentions of cores, less one per entity, over the side's spanning links."""
        table, key, response = views.table, views.table.key, views.table.response
        return make_counts(
            key.sum(np.maximum(table.key_largest, 1) - 1),
            key.spanning_links,
            response.sum(np.maximum(table.response_largest, 1) - 1),
            response.spanning_links,
        )


class ExclusiveCore(RecallPrecision):
    """Largest key entities first, each takes the response entity that shares most with it among those still free.

    Mentions in the entity taken are right if they are the key entity's, else wrong; a mention that one side lacks is a
    singleton there. Ties go to the entity that comes first in its file: the one measure for which that order matters.
    """

    name = "exclusive_core"
    title = "exclusive core classes (XC)"
    formula = "R = right / E,  P = 1 - wrong / E"
    citation = "Popescu-Belis 1999, Evaluating reference resolution (3.5.4)"
    adds_up = "entities are taken within documents; right, wrong and all mentions are summed over documents"
    derivation = "exclusive cores"
    pads = True

    def count(self, views: Views) -> Columns:
        """Return four columns by document: right mentions, and all but the wrong ones, each over all of both sides."""
        table = views.table
        right, wrong = _count_taken(table.tangled)
        if table.tangled is not table:
            more_right, more_wrong = _count_untangled(table)
            right, wrong = right + more_right, wrong + more_wrong
        return make_counts(right, table.union, table.union - wrong, table.union)

    def align_entities(self, views: Views) -> AlignedEntities:
        """Return pairs of entities, how many mentions each shares, and which response entities are taken."""
        cells = views.table.cells
        return AlignedEntities(cells.key, cells.response, cells.n, find_taken(views.table))


def _count_taken(table: Overlap) -> tuple[ByDocument, ByDocument]:
    """Return two columns by document: the mentions of entities taken that are right, and those that are wrong."""
    chosen = find_taken(table)
    without = np.ones(len(table.key.size), dtype=np.bool_)
    without[table.cells.key[chosen]] = False
    # A key entity that got nothing takes one of its own twinless mentions, a singleton in the padded response.
    alone = without & (table.key.size > table.key_shared)
    left = np.ones(len(table.response.size), dtype=np.bool_)
    left[table.cells.response[chosen]] = False
    # A response entity that nobody took goes to one of its twinless mentions, a singleton in the padded key.
    spare = left & (table.response.size > table.response_shared)
    right = table.sum(chosen * table.n) + table.key.sum(alone) + table.response.sum(spare)
    wrong = table.sum(chosen * (table.r - table.n)) + table.response.sum(spare * (table.response.size - 1))
    return right, wrong


def _count_untangled(table: Overlap) -> tuple[ByDocument, ByDocument]:
    """Return the same two columns for entities that share mentions with none, or with one that has no other."""
    loose, spare = table.key_shared == 0, table.response_shared == 0
    right = table.sum_lone(table.n) + table.key.sum(loose) + table.response.sum(spare)
    wrong = table.sum_lone(table.r - table.n) + table.response.sum(spare * (table.response.size - 1))
    return right, wrong


def find_taken(table: Overlap) -> Booleans:
    """Return booleans: which cells are taken if key entities, largest first, each take the free entity of largest n."""
    cells = table.cells
    order = np.lexsort((cells.response, -cells.n, cells.key, -table.k))
    columns = order.tolist(), cells.key[order].tolist(), cells.response[order].tolist()
    by_key: dict[int, int] = {}
    done = set()
    for cell, key, response in zip(*columns, strict=True):
        if key not in by_key and response not in done:
            by_key[key] = cell
            done.add(response)
    taken = np.zeros(len(order), dtype=np.bool_)
    taken[list(by_key.values())] = True
    return taken
