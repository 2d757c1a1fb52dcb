"""Each side as a measure sees it, mention by mention: where a mention is found in the other side, and with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.subsets import rows_of
from corefeval.options import load_behaviour
from corefeval.overlap.cells import Cells

if TYPE_CHECKING:
    from corefeval._arrays import Array, Booleans, Floats, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.overlap.cells import Repeats, Rows
    from corefeval.overlap.table import Overlap
    from corefeval.scoring.results import Evaluation


class Side(NamedTuple):
    """One side as its own key: the table, and its mentions, as far as the measure sees them.

    kept: which mentions of the corpus those are. entity: of every mention, as the table numbers them.
    found: the row of the other side's corpus where a mention is found, and other: its entity; -1 where there is none.
    fragment: how many mentions of its entity are found in the same entity of the other side; 0 if it is not found.
    credit: how many mentions of its entity B³ credits it with.
    worth: what it and its twin are worth, 1 unless they overlap only.
    members: pairs of entities, compared as sets.
    number: the same for the same mention in several entities.
    """

    table: Overlap
    kept: Booleans
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

    def by_entity(self, mentions: Floats) -> Floats:
        """Add up over the mentions of each entity."""
        return np.bincount(self.entity, weights=mentions, minlength=len(self.table.key.size)).astype(np.float64)

    def spread(self, entities: Floats) -> Floats:
        """The same to every mention of an entity."""
        return (entities / np.maximum(self.table.key.size, 1))[self.entity]


class Seen(NamedTuple):
    """Key and response as a measure sees them. table: of the entities that it sees."""

    key: Side
    response: Side
    table: Overlap


def seen(evaluation: Evaluation, measure: Measure | None = None) -> Seen:
    """What the measure counts on; without one, all mentions."""
    name = "" if measure is None else measure.name
    rows, table = rows_of(evaluation), evaluation.table.views.get(name, evaluation.table)
    whose = (load_behaviour("singletons", evaluation.options.singletons) or {}).get(name)
    kept = [
        corpus.sizes > 1 if hidden else np.ones(len(corpus.entity_document), dtype=np.bool_)
        for corpus, hidden in ((rows.key, whose == "both"), (rows.response, whose is not None))
    ]
    found = _found(rows, table.repeats)
    numbers = _numbers(rows, table.repeats)
    members = table.members
    ours = _side(table, rows.key, rows.response, kept, found[0])
    theirs = _side(table.mirror, rows.response, rows.key, kept[::-1], found[1])
    key = ours._replace(
        credit=_credit(table, ours.entity, ours.other, ours.fragment),
        worth=_worth(len(rows.key), rows.twin_key, rows.credit)[ours.kept],
        members=members,
        number=numbers[0][ours.kept],
    )
    response = theirs._replace(
        credit=_credit(table, theirs.other, theirs.entity, theirs.fragment),
        worth=_worth(len(rows.response), rows.twin_response, rows.credit)[theirs.kept],
        members=Cells(members.response, members.key, members.n),
        number=numbers[1][theirs.kept],
    )
    return Seen(key, response, table)


def _found(rows: Rows, repeats: Repeats | None) -> tuple[Ints, Ints]:
    """For every mention of each side the row where it is found: its twin, unless each is looked up by itself."""
    if repeats is not None and repeats.recall is not None and rows.looked is not None:
        return rows.looked
    return (
        _twin(len(rows.key), rows.twin_key, rows.twin_response),
        _twin(len(rows.response), rows.twin_response, rows.twin_key),
    )


def _numbers(rows: Rows, repeats: Repeats | None) -> tuple[Ints, Ints]:
    if repeats is None or rows.repeated is None:
        return np.arange(len(rows.key)), np.arange(len(rows.response))
    return rows.repeated.key_number, rows.repeated.response_number


def _twin(length: int, rows: Ints, twins: Ints) -> Ints:
    column = np.full(length, -1, dtype=np.int64)
    column[rows] = twins
    return column


def _worth(length: int, rows: Ints, credit: Array | None) -> Floats:
    column = np.zeros(length)
    column[rows] = 1.0 if credit is None else credit
    return column


def _side(table: Overlap, corpus: Corpus, theirs: Corpus, kept: list[Booleans], found: Ints) -> Side:
    """One side, as far as it needs no more than the rows that are found."""
    rows = kept[0][corpus.entity]
    own, other = ((np.cumsum(each) - 1) * each + each - 1 for each in kept)  # -1 for an entity that is not seen
    entity = own[corpus.entity[rows]]
    where = np.append(other[theirs.entity], -1)[found[rows]]
    width = len(table.response.size) + 1
    _, cell, count = np.unique(entity * width + where, return_inverse=True, return_counts=True)
    fragment = np.where(where >= 0, count[cell.reshape(-1)], 0)
    nothing = np.zeros(0)
    return Side(table, rows, entity, found[rows], where, fragment, fragment, nothing, table.own, entity)


def _credit(table: Overlap, key: Ints, response: Ints, fragment: Ints) -> Ints:
    """What B³ credits, by the cells of the table; by look-up it is the fragment."""
    if table.repeats is None or table.repeats.recall is not None:
        return fragment
    width = max(1, len(table.response.size))
    place = np.searchsorted(table.cell_key * width + table.cell_response, key * width + response)
    return np.where((key >= 0) & (response >= 0), np.append(table.repeats.credit, 0)[place], 0)
