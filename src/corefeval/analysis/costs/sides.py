"""Each side as a measure sees it, mention by mention: where a mention is found on the other side, and with whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.subsets import get_rows
from corefeval.overlap.cells import Cells, CreditedCells

if TYPE_CHECKING:
    from corefeval._arrays import Array, Booleans, Floats, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.overlap.table import Overlap
    from corefeval.overlap.views import Rows, Views
    from corefeval.scoring.results import Evaluation


@dataclass(frozen=True, slots=True)
class MentionSide:
    """One side as its own key: the table, and a column for each fact about the mentions that the measure sees.

    selected: which mentions of the corpus these are. entity: of every mention, as the table numbers them.
    found: the row of the other side's corpus where a mention is found, and other: its entity there; -1 for none.
    fragment: how many mentions of its entity are found in the same entity of the other side; 0 if it is not found.
    credit: how many mentions of its entity B³ credits it with.
    worth: the credit of its pair of twins, 1 unless they only overlap; 0 without a twin.
    members: pairs of entities, compared as sets.
    number: the same for the same mention in several entities.
    """

    table: Overlap
    selected: Booleans
    entity: Ints
    found: Ints
    other: Ints
    fragment: Ints
    credit: Ints
    worth: Floats
    members: Cells
    number: Ints

    @property
    def size(self) -> Ints:
        """The size of every mention's entity."""
        return self.table.key.size[self.entity]

    @property
    def other_size(self) -> Ints:
        """The size of the entity where a mention is found; 0 if it is not."""
        return np.append(self.table.response.size, 0)[self.other]

    @property
    def document(self) -> Ints:
        """The document of every mention."""
        return self.table.key.document[self.entity]

    def sum_by_entity(self, mentions: Floats) -> Floats:
        """Add up a value over the mentions of each entity."""
        return np.bincount(self.entity, weights=mentions, minlength=len(self.table.key.size)).astype(np.float64)

    def share_among_mentions(self, entities: Floats) -> Floats:
        """Divide the value of each entity equally among its mentions."""
        return (entities / np.maximum(self.table.key.size, 1))[self.entity]


class BothSides(NamedTuple):
    """Key and response as a measure sees them, and what it counts on."""

    key: MentionSide
    response: MentionSide
    views: Views


def view_sides(evaluation: Evaluation, measure: Measure | None = None) -> BothSides:
    """Return both sides as a measure sees them; without a measure, all mentions."""
    name = "" if measure is None else measure.name
    rows, tables = get_rows(evaluation), evaluation.overlaps
    hidden = tables.skipped_singletons.get(name)
    views = tables.views if hidden is None else tables.skip_singletons(name)
    table = views.table
    seen = [
        corpus.sizes > 1 if hides else np.ones(len(corpus.entity_document), dtype=np.bool_)
        for corpus, hides in ((rows.key, hidden == "both"), (rows.response, hidden is not None))
    ]
    found = _find_counterparts(rows, views)
    numbers = _number_mentions(rows, views)
    members = views.recall_sets.cells
    ours = _build_side(table, rows.key, rows.response, seen, found[0])
    theirs = _build_side(table.mirror, rows.response, rows.key, seen[::-1], found[1])
    key = replace(
        ours,
        credit=_find_credit(views, ours.entity, ours.other, ours.fragment),
        worth=_spread_credit(len(rows.key), rows.twin_key, rows.credit)[ours.selected],
        members=members,
        number=numbers[0][ours.selected],
    )
    response = replace(
        theirs,
        credit=_find_credit(views, theirs.other, theirs.entity, theirs.fragment),
        worth=_spread_credit(len(rows.response), rows.twin_response, rows.credit)[theirs.selected],
        members=members.mirror(),
        number=numbers[1][theirs.selected],
    )
    return BothSides(key, response, views)


def _find_counterparts(rows: Rows, views: Views) -> tuple[Ints, Ints]:
    """Return, for every mention of each side, the row where it is found: its twin, or what a scorer looks up; or -1."""
    if views.has_repeats and rows.looked is not None:
        return rows.looked
    key = np.full(len(rows.key), -1, dtype=np.int64)
    response = np.full(len(rows.response), -1, dtype=np.int64)
    key[rows.twin_key], response[rows.twin_response] = rows.twin_response, rows.twin_key
    return key, response


def _number_mentions(rows: Rows, views: Views) -> tuple[Ints, Ints]:
    """Return numbers for the mentions of each side, the same for one in several entities."""
    if not views.has_repeats or rows.repeated is None:
        return np.arange(len(rows.key)), np.arange(len(rows.response))
    return rows.repeated.key_number, rows.repeated.response_number


def _spread_credit(length: int, rows: Ints, credit: Array | None) -> Floats:
    """Return the credit of every mention's pair of twins, 0 for mentions without a twin."""
    column = np.zeros(length)
    column[rows] = 1.0 if credit is None else credit
    return column


def _build_side(table: Overlap, corpus: Corpus, others: Corpus, seen: list[Booleans], found: Ints) -> MentionSide:
    """Return one side, with plain values for what only some scorers count otherwise.

    seen: which entities the measure sees, of this side and of the other.
    """
    rows = seen[0][corpus.entity]
    own_number, other_number = (_renumber(selected) for selected in seen)
    entity = own_number[corpus.entity[rows]]
    # Row -1 (not found) reads the -1 that is appended.
    other = np.append(other_number[others.entity], -1)[found[rows]]
    width = len(table.response.size) + 1
    _, cell, count = np.unique(entity * width + other, return_inverse=True, return_counts=True)
    fragment = np.where(other >= 0, count[cell.reshape(-1)], 0)
    return MentionSide(table, rows, entity, found[rows], other, fragment, fragment, np.zeros(0), table.cells, entity)


def _renumber(selected: Booleans) -> Ints:
    """Return new numbers for what is selected, -1 for the rest: [True, False, True] gives [0, -1, 1]."""
    return np.where(selected, np.cumsum(selected) - 1, -1)


def _find_credit(views: Views, key: Ints, response: Ints, fragment: Ints) -> Ints:
    """Return what B³ credits each mention with: by the cells of the table, or the fragment where it is looked up."""
    table, cells = views.table, views.recall.cells
    if not isinstance(cells, CreditedCells):
        return fragment
    width = max(1, len(table.response.size))
    place = np.searchsorted(table.cell_key * width + table.cell_response, key * width + response)
    return np.where((key >= 0) & (response >= 0), np.append(cells.credit, 0)[place], 0)
