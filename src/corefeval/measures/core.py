"""Core classes: how much of each entity is in the entity that matches it best?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.measures.base import RecallPrecision, make_counts
from corefeval.measures.parameters import parameter

if TYPE_CHECKING:
    from corefeval._arrays import Booleans, Columns, Ints
    from corefeval.overlap.table import Overlap
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

    undefined: int = parameter("what 0/0 counts as", default=1, choices=(0, 1))

    def count(self, views: Views) -> Columns:
        """Sum the cores of each side."""
        table, key, response = views.table, views.table.key, views.table.response
        return make_counts(
            key.sum(_find_largest(table.n, table.cell_key, len(key.size)) - 1),
            key.joins,
            response.sum(_find_largest(table.n, table.cell_response, len(response.size)) - 1),
            response.joins,
        )


def _find_largest(n: Ints, entity: Ints, entities: int) -> Ints:
    """Return the largest fragment of every entity; one whose mentions have no twin falls into fragments of 1."""
    largest = np.ones(entities, dtype=np.int64)
    np.maximum.at(largest, entity, n)
    return largest


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

    def count(self, views: Views) -> Columns:
        """Count right and wrong mentions."""
        table = views.table
        chosen = find_taken(table)
        without = np.ones(len(table.key.size), dtype=np.bool_)
        without[table.cell_key[chosen]] = False
        # A key entity that got nothing takes one of its own twinless mentions, a singleton in the padded response.
        alone = without & (table.key.size > table.key_shared)
        left = np.ones(len(table.response.size), dtype=np.bool_)
        left[table.cell_response[chosen]] = False
        # A response entity that nobody took goes to one of its twinless mentions, a singleton in the padded key.
        spare = left & (table.response.size > table.response_shared)
        right = table.sum(chosen * table.n) + table.key.sum(alone) + table.response.sum(spare)
        wrong = table.sum(chosen * (table.r - table.n)) + table.response.sum(spare * (table.response.size - 1))
        return make_counts(right, table.union, table.union - wrong, table.union)


def find_taken(table: Overlap) -> Booleans:
    """Return which cells are taken by deferred acceptance; every response entity prefers the larger key entity."""
    rank = np.empty(len(table.key.size), dtype=np.int64)
    rank[np.argsort(-table.key.size, kind="stable")] = np.arange(len(rank))
    # Cells of a key entity side by side, best first; response entities that come first break ties.
    wish = np.lexsort((table.cell_response, -table.n, table.cell_key))
    key, response = table.cell_key[wish], table.cell_response[wish]
    last = np.append(key[1:] != key[:-1], [True] * min(1, len(key)))
    holder = np.full(len(table.response.size), len(rank), dtype=np.int64)  # the rank of who holds it; held: its cell
    held = np.full(len(table.response.size), -1, dtype=np.int64)
    asking = np.flatnonzero(np.append([True] * min(1, len(key)), key[1:] != key[:-1]))
    rank = rank[key]
    while len(asking):
        asking = _propose(asking, rank, response, holder, held)
        asking = asking[~last[asking]] + 1
    chosen = np.zeros(len(wish), dtype=np.bool_)
    chosen[wish[held[held >= 0]]] = True
    return chosen


def _propose(asking: Ints, rank: Ints, response: Ints, holder: Ints, held: Ints) -> Ints:
    """Let every asking cell try its response entity; return the cells that were refused or displaced."""
    before = held[response[asking]]
    np.minimum.at(holder, response[asking], rank[asking])
    won = holder[response[asking]] == rank[asking]
    held[response[asking[won]]] = asking[won]
    displaced = before[won]
    return np.concatenate([asking[~won], displaced[displaced >= 0]])
