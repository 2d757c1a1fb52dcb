"""Scorers that look every mention up in a dictionary of the other side, in which the last entity that has it wins.

Recall looks the key's mentions up, precision the response's, so the two need not agree. CEAF asks whether a mention is
in an entity at all; BLANC's links are those of the key, looked up. Scorers differ in which entity is the last one, and
in whether an entity can have a mention twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.matching.numbers import find_last_rows
from corefeval.matching.sides import Matching, NumberedSides
from corefeval.overlap.cells import Cells
from corefeval.overlap.views import DistinctMentions, Views

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.sides import LookupNumbers


@dataclass(frozen=True, slots=True)
class Lookup:
    """How a scorer looks mentions up: the rank of every entity, and whether an entity has a mention once at most."""

    rank: Callable[[Corpus], Ints]
    once: bool

    def settle(self, sides: NumberedSides) -> Matching:
        """Leave every mention where it is; twins of the table itself are the last ones of each side."""
        if self.once:
            sides = _keep_once_in_entity(sides)
        common = np.unique(sides.response_number)
        key_row = _find_in_last_entity(sides.key, sides.key_number, common, self)
        found = key_row >= 0
        response_row = _find_in_last_entity(sides.response, sides.response_number, common[found], self)
        return Matching(sides, key_row[found], response_row, (), lambda views, of: count_lookups(views, of, self))

    def use_numbers(self, matching: Matching, numbers: LookupNumbers) -> Matching:
        """The matching with some mentions looked up under other numbers than their own."""
        return matching._replace(count_repeats=lambda views, of: count_lookups(views, of, self, numbers))


def rank_by_listing(corpus: Corpus) -> Ints:
    """Rank entities in the order in which they begin in their file, or in which they are listed."""
    return np.arange(len(corpus.entity_document))


def rank_by_first_mention(corpus: Corpus, columns: tuple[Array, ...], *minor: Array) -> Ints:
    """Rank entities by their first mentions; columns of mentions as for lexsort, then columns of entities for ties."""
    order = np.lexsort((*columns, corpus.entity))
    first = order[np.append(True, np.diff(corpus.entity[order]) != 0)[: len(order)]]
    entities = np.lexsort((*minor, *(column[first] for column in columns), corpus.entity_document))
    rank = np.empty_like(entities)
    rank[entities] = np.arange(len(entities))
    return rank


def count_lookups(views: Views, sides: NumberedSides, lookup: Lookup, numbers: LookupNumbers | None = None) -> Views:
    """Add to the views of a one-to-one table what is found by look-up."""
    wanted_by_key, wanted_by_response = sides.key_number, sides.response_number
    if numbers is not None:
        wanted_by_key, wanted_by_response = numbers.key.apply(wanted_by_key), numbers.response.apply(wanted_by_response)
    in_response = _find_in_last_entity(sides.response, sides.response_number, wanted_by_key, lookup)
    in_key = _find_in_last_entity(sides.key, sides.key_number, wanted_by_response, lookup)
    found, right = in_response >= 0, in_key >= 0
    width = len(sides.response.entity_document)
    table, rows = views.table, views.mentions
    recall = table.with_cells(_count_cells(sides.key.entity[found], sides.response.entity[in_response[found]], width))
    precision = _count_cells(sides.key.entity[in_key[right]], sides.response.entity[right], width)
    distinct = _count_distinct(sides.key, sides.key_number), _count_distinct(sides.response, sides.response_number)
    return Views(
        table,
        None if rows is None else rows._replace(looked=(in_response, in_key)),
        recall=recall,
        precision=table.with_cells(precision),
        recall_sets=table.with_cells(_count_members(sides, wanted_by_key)),
        links=recall.links,
        distinct=DistinctMentions(*distinct, table.shared),
    )


def _keep_once_in_entity(sides: NumberedSides) -> NumberedSides:
    key = _select_first_in_entity(sides.key, sides.key_number)
    response = _select_first_in_entity(sides.response, sides.response_number)
    return sides.keep(key, response)


def _select_first_in_entity(corpus: Corpus, number: Ints) -> Booleans:
    """Which rows are not a second occurrence of a mention in one entity."""
    order = np.lexsort((number, corpus.entity))
    again = (np.diff(corpus.entity[order]) == 0) & (np.diff(number[order]) == 0)
    selected = np.ones(len(number), dtype=np.bool_)
    selected[order[1:][again]] = False
    return selected


def _find_in_last_entity(corpus: Corpus, number: Ints, wanted: Ints, lookup: Lookup) -> Ints:
    """For every number wanted the row that has it in the last entity, or -1."""
    in_order = np.argsort(lookup.rank(corpus)[corpus.entity], kind="stable")
    place = find_last_rows(number[in_order], wanted)
    return np.where(place >= 0, in_order[place] if len(in_order) else -1, -1)


def _count_members(sides: NumberedSides, wanted: Ints) -> Cells:
    """For every pair of entities, how many rows of the key's look for a mention that the response's has."""
    key, response = pair_occurrences(sides, wanted)
    return _count_cells(sides.key.entity[key], sides.response.entity[response], len(sides.response.entity_document))


def pair_occurrences(sides: NumberedSides, wanted: Ints) -> tuple[Ints, Ints]:
    """Pair every row of the key with a row of each response entity that has the mention which it looks for."""
    rows = np.flatnonzero(_select_first_in_entity(sides.response, sides.response_number))
    order = rows[np.argsort(sides.response_number[rows], kind="stable")]
    ordered = sides.response_number[order]
    begin, end = np.searchsorted(ordered, wanted, side="left"), np.searchsorted(ordered, wanted, side="right")
    count = end - begin
    before = np.cumsum(count) - count
    place = np.arange(int(count.sum())) + np.repeat(begin - before, count)
    return np.repeat(np.arange(len(wanted)), count), order[place]


def _count_cells(key: Ints, response: Ints, width: int) -> Cells:
    cells, count = np.unique(key * width + response, return_counts=True)
    return Cells(cells // max(1, width), cells % max(1, width), count)


def _count_distinct(corpus: Corpus, number: Ints) -> Ints:
    """How many different mentions each document has."""
    _, first = np.unique(number, return_index=True)
    return np.bincount(corpus.document[first], minlength=len(corpus.documents))
