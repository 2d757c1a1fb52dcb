"""Scorers that look every mention up in a dictionary of the other side, in which the last entity that has it wins.

Recall looks the key's mentions up, precision the response's, so the two need not agree. CEAF asks whether a mention is
in an entity at all; BLANC's links are those of the key, looked up. Scorers differ in which entity is the last one, and
in whether an entity can have a mention twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.matching.matched import Settled, Sides
from corefeval.matching.rules import exact
from corefeval.overlap.cells import Cells, Repeats
from corefeval.overlap.table import Overlap

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.matched import Asks


@dataclass(frozen=True, slots=True)
class Lookup:
    """How a scorer looks mentions up: the rank of every entity, and whether an entity has a mention once at most."""

    rank: Callable[[Corpus], Ints]
    once: bool


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


def settled(sides: Sides, kind: Lookup) -> Settled:
    """Everything stays where it is; twins of the table itself are the last ones of each side."""
    if kind.once:
        sides = _once_in_entity(sides)
    common = np.unique(sides.response_number)
    key_row = _last_rows(sides.key, sides.key_number, common, kind)
    found = key_row >= 0
    response_row = _last_rows(sides.response, sides.response_number, common[found], kind)
    return Settled(sides, key_row[found], response_row, (), lambda table, of: looked_up(table, of, kind))


def crossed(settled: Settled, kind: Lookup, asks: Asks) -> Settled:
    """The same, with some mentions looked up as others."""
    return settled._replace(seen_twice=lambda table, of: looked_up(table, of, kind, asks))


def looked_up(table: Overlap, sides: Sides, kind: Lookup, asks: Asks | None = None) -> Overlap:
    """Add to the one-to-one table what is found by look-up."""
    key_asks, response_asks = sides.key_number, sides.response_number
    if asks is not None:
        key_asks, response_asks = asks.key(key_asks), asks.response(response_asks)
    in_response = _last_rows(sides.response, sides.response_number, key_asks, kind)
    in_key = _last_rows(sides.key, sides.key_number, response_asks, kind)
    found, right = in_response >= 0, in_key >= 0
    width = len(sides.response.entity_document)
    recall = _cells(sides.key.entity[found], sides.response.entity[in_response[found]], width)
    repeats = Repeats(
        key_distinct=_distinct(sides.key, sides.key_number),
        response_distinct=_distinct(sides.response, sides.response_number),
        members=_members(sides, key_asks),
        credit=table.n,
        links=Overlap(table.key, table.response, *recall).links,
        recall=recall,
        precision=_cells(sides.key.entity[in_key[right]], sides.response.entity[right], width),
    )
    rows = None if table.rows is None else table.rows._replace(looked=(in_response, in_key))
    return table.with_repeats(repeats).with_rows(rows)


def _once_in_entity(sides: Sides) -> Sides:
    key, response = (
        _first_in_entity(sides.key, sides.key_number),
        _first_in_entity(sides.response, sides.response_number),
    )
    return Sides(
        sides.key.keep(key), sides.response.keep(response), sides.key_number[key], sides.response_number[response]
    )


def _first_in_entity(corpus: Corpus, number: Ints) -> Booleans:
    order = np.lexsort((number, corpus.entity))
    again = (np.diff(corpus.entity[order]) == 0) & (np.diff(number[order]) == 0)
    kept = np.ones(len(number), dtype=np.bool_)
    kept[order[1:][again]] = False
    return kept


def _last_rows(corpus: Corpus, number: Ints, wanted: Ints, kind: Lookup) -> Ints:
    """For every number wanted the row that has it in the last entity, or -1."""
    in_order = np.argsort(kind.rank(corpus)[corpus.entity], kind="stable")
    place = exact.last_row(number[in_order], wanted)
    return np.where(place >= 0, in_order[place] if len(in_order) else -1, -1)


def _members(sides: Sides, asks: Ints) -> Cells:
    """For every pair of entities, how many occurrences in the key's ask for a mention that the response's has."""
    key, response = occurrences(sides, asks)
    return _cells(sides.key.entity[key], sides.response.entity[response], len(sides.response.entity_document))


def occurrences(sides: Sides, asks: Ints) -> tuple[Ints, Ints]:
    """Every row of the key with a row of each response entity that has the mention which it asks for."""
    rows = np.flatnonzero(_first_in_entity(sides.response, sides.response_number))
    order = rows[np.argsort(sides.response_number[rows], kind="stable")]
    ordered = sides.response_number[order]
    begin, end = np.searchsorted(ordered, asks, side="left"), np.searchsorted(ordered, asks, side="right")
    count = end - begin
    before = np.cumsum(count) - count
    place = np.arange(int(count.sum())) + np.repeat(begin - before, count)
    return np.repeat(np.arange(len(asks)), count), order[place]


def _cells(key: Ints, response: Ints, width: int) -> Cells:
    cells, count = np.unique(key * width + response, return_counts=True)
    return Cells(cells // max(1, width), cells % max(1, width), count)


def _distinct(corpus: Corpus, number: Ints) -> Ints:
    """How many different mentions each document has."""
    _, first = np.unique(number, return_index=True)
    return np.bincount(corpus.document[first], minlength=len(corpus.documents))
