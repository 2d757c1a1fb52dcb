"""Each side as a measure sees it, mention by mention: where a mention is found on the other side, and with whom."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from corefeval._arrays import Booleans, Floats, Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.subsets import get_rows
from corefeval.matching.numbers import pair_equal_numbers
from corefeval.measures import Measure
from corefeval.overlap.cells import Cells, CreditedCells
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Rows, Tables, Views
from corefeval.scoring.results import Evaluation


@dataclass(frozen=True, slots=True)
class MentionSide:
    """One side as its own key: the table, and a column for each fact about the mentions that the measure sees."""

    table: Overlap
    selected: Booleans  # which mentions of the corpus these are
    entity: Ints  # of every mention, as the table numbers them
    found: Ints  # the row of the other side's corpus where a mention is found; -1 for none
    other: Ints  # its entity there
    fragment: Ints  # how many mentions of its entity are found in the same entity of the other side; 0 if it is not
    credit: Ints  # how many mentions of its entity B³ credits it with
    worth: Floats  # the credit of its pair of twins, 1 unless they only overlap; 0 without a twin
    members: Cells  # pairs of entities, compared as sets
    number: Ints  # the same for the same mention in several entities

    @property
    def size(self) -> Ints:
        """An array: for each mention, the size of its entity."""
        return self.table.key.size[self.entity]

    @property
    def other_size(self) -> Ints:
        """An array: for each mention, the size of the other side's entity where it is found; 0 if it is not."""
        return np.append(self.table.response.size, 0)[self.other]

    @property
    def document(self) -> Ints:
        """An array: for each mention, the number of its document."""
        return self.table.key.document[self.entity]

    def sum_by_entity(self, mentions: Floats) -> tuple[Floats, Floats]:
        """Return two arrays: the sum of the mentions' values for each entity, and the mentions' values unchanged."""
        return np.bincount(self.entity, mentions, len(self.table.key.size)).astype(np.float64), mentions

    def share_among_mentions(self, entities: Floats) -> tuple[Floats, Floats]:
        """Return two arrays: the entities' values unchanged, and for each mention an equal share of its entity's."""
        return entities, (entities / np.maximum(self.table.key.size, 1))[self.entity]


class BothSides(NamedTuple):
    """Key and response as a measure sees them, and what it counts on."""

    key: MentionSide
    response: MentionSide
    views: Views


_KNOWN: WeakKeyDictionary[Tables, dict[str, BothSides]] = WeakKeyDictionary()
"""What was found for tables, by the measure that does not see some singletons; "" for all others."""


def view_sides(evaluation: Evaluation, measure: Measure | None = None) -> BothSides:
    """Return BothSides: the mentions of both sides as a measure sees them, maybe without singletons; None: with all."""
    rows, tables = get_rows(evaluation), evaluation.overlaps
    name = "" if measure is None or measure.name not in tables.skipped_singletons else measure.name
    known = _KNOWN.setdefault(tables, {})
    if name not in known:
        known[name] = _view_sides(tables, rows, name)
    return known[name]


def _view_sides(tables: Tables, rows: Rows, name: str) -> BothSides:
    """Return BothSides as the measure of this name sees them; "" for one that sees all mentions."""
    hidden = tables.skipped_singletons.get(name)
    views = tables.views if hidden is None else tables.skip_singletons(name)
    corpora, own_twins = (rows.key, rows.response), (rows.twin_key, rows.twin_response)
    # Entities that the measure sees have new numbers, others -1.
    renumbered = [
        _renumber_selected(corpus.sizes > 1) if hides else np.arange(len(corpus.entity_document))
        for corpus, hides in zip(corpora, (hidden == "both", hidden is not None), strict=True)
    ]
    # Where each mention is found: at its twin, or where a scorer looks it up.
    places = rows.looked if views.has_repeats and rows.looked is not None else rows.find_twins()
    numbers: tuple[Ints, Ints] = np.arange(len(rows.key)), np.arange(len(rows.response))
    if views.has_repeats and rows.repeated is not None:
        numbers = rows.repeated.key_number, rows.repeated.response_number
    sides = []
    for side, (table, members) in enumerate(
        ((views.table, views.recall_sets.cells), (views.table.mirror, views.recall_sets.cells.mirror()))
    ):
        entities = renumbered[side][corpora[side].entity]
        selected = entities >= 0
        entity, found = entities[selected], places[side][selected]
        # Row -1 (not found) reads the -1 that is appended.
        other = np.append(renumbered[1 - side][corpora[1 - side].entity], -1)[found]
        fused = entity * (len(table.response.size) + 1) + other
        _, cell, count = np.unique(fused, return_inverse=True, return_counts=True)
        fragment = np.where(other >= 0, count[cell.reshape(-1)], 0)
        pair: tuple[Ints, Ints] = (entity, other) if side == 0 else (other, entity)
        credit = (
            _sum_shared(
                entity, numbers[side][selected], renumbered[1 - side][corpora[1 - side].entity], numbers[1 - side]
            )
            if views.of_sets
            else _find_credited_counts(views, *pair, fragment)
        )
        worth = np.zeros(len(corpora[side]))
        worth[own_twins[side]] = 1.0 if rows.credit is None else rows.credit
        columns = (entity, found, other, fragment, credit, worth[selected], members, numbers[side][selected])
        sides.append(MentionSide(table, selected, *columns))
    return BothSides(sides[0], sides[1], views)


def _renumber_selected(selected: Booleans) -> Ints:
    """Return new numbers for what is True, -1 for the rest: [True, False, True] gives [0, -1, 1]."""
    return np.where(selected, np.cumsum(selected) - 1, -1)


def _find_credited_counts(views: Views, key: Ints, response: Ints, fragment: Ints) -> Ints:
    """Return an array: how many mentions B³ credits each mention with, its fragment unless cells have credits."""
    table, cells = views.table, views.recall.cells
    if not isinstance(cells, CreditedCells):
        return fragment
    width = max(1, len(table.response.size))
    place = np.searchsorted(table.cells.key * width + table.cells.response, key * width + response)
    return np.where((key >= 0) & (response >= 0), np.append(cells.credit, 0)[place], 0)


def _sum_shared(entity: Ints, number: Ints, other_entity: Ints, other_number: Ints) -> Ints:
    """Return an array: for each mention, how many its entity shares with all of the other side's that have it, in sum.

    entity, number: of the mentions of this side, equal numbers being the same mention; -1 is no entity.
    """
    row, place = pair_equal_numbers(number, other_number)
    known = other_entity[place] >= 0
    row, other = row[known], other_entity[place[known]]
    fused = entity[row] * (int(other.max(initial=0)) + 1) + other
    _, cell, shared = np.unique(fused, return_inverse=True, return_counts=True)
    return np.bincount(row, weights=shared[cell.reshape(-1)], minlength=len(entity)).astype(np.int64)
