"""How the reference scorer counts mentions that are in several entities: the rules of version 8.01, in closed form.

MUC sees the one-to-one table. B³ credits a mention with all mentions of its response entity that its key entity has;
CEAF compares entities as sets; BLANC compares sets of links, in which a pair can be linked and kept apart at once, and
a repeated mention is kept apart from itself. A mention of the key is in one response entity at most by now.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.matching.numbers import find_last_rows, has_repeats
from corefeval.overlap import summation
from corefeval.overlap.cells import Cells, CreditedCells, count_pairs
from corefeval.overlap.table import Links
from corefeval.overlap.views import DistinctMentions, Views

if TYPE_CHECKING:
    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.sides import NumberedSides
    from corefeval.overlap.table import Overlap


def count_repeats(views: Views, sides: NumberedSides) -> Views:
    """Add to the views of a one-to-one table what the reference scorer counts more than once."""
    if not (has_repeats(sides.key_number) or has_repeats(sides.response_number)):
        return views
    table = views.table
    key, response = _EntityMembers(sides.key, sides.key_number), _EntityMembers(sides.response, sides.response_number)
    distinct = _count_shared(sides, key.entity, key.number)
    width = len(table.response.size)
    place = np.searchsorted(distinct.key * width + distinct.response, table.cell_key * width + table.cell_response)
    return Views(
        table,
        views.mentions,
        recall=table.with_cells(CreditedCells(table.cell_key, table.cell_response, table.n, distinct.n[place])),
        recall_sets=table.with_cells(_count_shared(sides, sides.key.entity, sides.key_number)),
        links=_count_links(table, sides, key, response),
        distinct=DistinctMentions(key.count_distinct(), response.count_distinct(), table.shared),
    )


class _EntityMembers:
    """Which numbers are in which entities of a side, each once, ordered by entity."""

    def __init__(self, corpus: Corpus, number: Ints) -> None:
        order = np.lexsort((number, corpus.entity))
        entity, ordered = corpus.entity[order], number[order]
        new = np.append(True, (entity[1:] != entity[:-1]) | (ordered[1:] != ordered[:-1]))[: len(entity)]
        self.corpus = corpus
        self.entity, self.number = entity[new], ordered[new]
        _, which, times = np.unique(self.number, return_inverse=True, return_counts=True)
        self.several: Booleans = times[which.reshape(-1)] > 1
        _, first = np.unique(ordered[~new], return_index=True)
        self.twice_in_entity = _count_by_document(corpus, entity[~new][first])

    def count_distinct(self) -> Ints:
        """How many numbers each document has."""
        _, first = np.unique(self.number, return_index=True)
        return _count_by_document(self.corpus, self.entity[first])

    def count_scattered(self) -> Ints:
        """How many numbers of each document are in several entities."""
        found = self.entity[self.several]
        _, first = np.unique(self.number[self.several], return_index=True)
        return _count_by_document(self.corpus, found[first])

    def count_coreference(self) -> Ints:
        """Pairs that are together in some entity, and mentions that an entity has twice."""
        per_entity = count_pairs(np.bincount(self.entity, minlength=len(self.corpus.entity_document)))
        counted_again = _count_repeated_pairs(self.corpus, self.entity[self.several], self.number[self.several])
        return _sum_by_document(self.corpus, per_entity) - counted_again + self.twice_in_entity

    def count_noncoreference(self) -> Ints:
        """Pairs that are apart for some of their entities; a scattered mention is apart from itself."""
        only = np.bincount(self.entity[~self.several], minlength=len(self.corpus.entity_document))
        return (
            count_pairs(self.count_distinct())
            - _sum_by_document(self.corpus, count_pairs(only))
            + self.count_scattered()
        )


def _count_links(table: Overlap, sides: NumberedSides, key: _EntityMembers, response: _EntityMembers) -> Links:
    row = find_last_rows(sides.response_number, key.number)
    matched = row >= 0
    group = key.entity[matched] * len(table.response.size) + sides.response.entity[row[matched]]
    several = key.several[matched]
    # Pairs that both sides link: per cell, each pair once even if two key entities have it.
    together = _count_pairs_by_cell(sides, group, len(table.response.size))
    again = _count_repeated_pairs(
        sides.response, sides.response.entity[row[matched]][several], key.number[matched][several], group[several]
    )
    # Pairs apart in the response, but for those whose mentions are in one key entity only, and the same.
    found = np.unique(key.number[matched])
    home = sides.response.entity[find_last_rows(sides.response_number, found)]
    per_response = np.bincount(home, minlength=len(table.response.size))
    apart = count_pairs(_count_by_document(sides.response, home)) - _sum_by_document(
        sides.response, count_pairs(per_response)
    )
    only = np.bincount(key.entity[matched][~several], minlength=len(table.key.size))
    linked_in_key = _sum_by_document(sides.key, count_pairs(only)) - _count_pairs_by_cell(
        sides, group[~several], len(table.response.size)
    )
    return Links(
        key_coreference=key.count_coreference(),
        response_coreference=response.count_coreference(),
        common_coreference=together - again,
        key_noncoreference=key.count_noncoreference(),
        response_noncoreference=response.count_noncoreference(),
        common_noncoreference=apart - linked_in_key,
    )


def _count_shared(sides: NumberedSides, entity: Ints, number: Ints) -> Cells:
    """Cells of key rows whose mention the response has."""
    row = find_last_rows(sides.response_number, number)
    matched = row >= 0
    width = len(sides.response.entity_document)
    cells, count = np.unique(entity[matched] * width + sides.response.entity[row[matched]], return_counts=True)
    return Cells(cells // width, cells % width, count)


def _count_pairs_by_cell(sides: NumberedSides, cell: Ints, width: int) -> Ints:
    cells, count = np.unique(cell, return_counts=True)
    weights = count_pairs(count)
    document = sides.key.entity_document[cells // width]
    return summation.by_segment(weights, np.searchsorted(document, np.arange(len(sides.key.documents) + 1)))


def _count_repeated_pairs(corpus: Corpus, entity: Ints, number: Ints, group: Ints | None = None) -> Ints:
    """Pairs of mentions that are together in more than one group (by default, entity), beyond the first time.

    Mentions that are in the same groups are alike, so pairs of such kinds are counted, not pairs of mentions.
    """
    again = np.zeros(len(corpus.documents), dtype=np.int64)
    groups_of: dict[int, list[int]] = defaultdict(list)
    document_of: dict[int, int] = {}
    places = (entity if group is None else group).tolist()
    documents = corpus.entity_document[entity].tolist()
    for one, place, document in zip(number.tolist(), places, documents, strict=True):
        groups_of[one].append(place)
        document_of[one] = document
    kinds = Counter((document_of[one], tuple(sorted(found))) for one, found in groups_of.items())
    kinds_in: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for kind, count in kinds.items():
        again[kind[0]] += count * (count - 1) // 2 * (len(kind[1]) - 1)
        for place in kind[1]:
            kinds_in[place].append(kind)
    met = set()
    for alike in kinds_in.values():
        for pair in combinations(alike, 2):
            if pair in met:
                again[pair[0][0]] += kinds[pair[0]] * kinds[pair[1]]
            met.add(pair)
    return again


def _count_by_document(corpus: Corpus, entity: Ints) -> Ints:
    """How many of these entities' entries fall into each document."""
    return np.bincount(corpus.entity_document[entity], minlength=len(corpus.documents))


def _sum_by_document(corpus: Corpus, per_entity: Ints) -> Ints:
    bounds = np.searchsorted(corpus.entity_document, np.arange(len(corpus.documents) + 1))
    return summation.by_segment(per_entity, bounds)
