"""Entities of key and response that hang together by shared mentions: the overlap table in pieces, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from corefeval._arrays import Ints
    from corefeval.overlap.table import Overlap


class EntityGroup(NamedTuple):
    """Entities that hang together, by their numbers in the table, and how many mentions are not where they should be.

    `cells` are (key entity, response entity, mentions shared).
    """

    document: int
    key: tuple[int, ...]
    response: tuple[int, ...]
    cells: tuple[tuple[int, int, int], ...]
    wrong: int


def group_entities(table: Overlap) -> list[EntityGroup]:
    """The groups in which something is wrong, those with most of it first."""
    component = _find_components(table)
    keys, responses = len(table.key.size), len(table.response.size)
    wrong = np.bincount(
        component, weights=np.concatenate([_count_misplaced(table), _count_misplaced(table.mirror)]), minlength=1
    ).astype(np.int64)
    bad = np.flatnonzero(wrong)
    place = {number: at for at, number in enumerate(bad.tolist())}
    key: list[list[int]] = [[] for _ in bad]
    response: list[list[int]] = [[] for _ in bad]
    cells: list[list[tuple[int, int, int]]] = [[] for _ in bad]
    for entity, number in enumerate(component[:keys].tolist()):
        if number in place:
            key[place[number]].append(entity)
    for entity, number in enumerate(component[keys : keys + responses].tolist()):
        if number in place:
            response[place[number]].append(entity)
    columns = (table.cell_key, table.cell_response, table.n)
    for i, j, n in zip(*(column.tolist() for column in columns), strict=True):
        if (number := int(component[i])) in place:
            cells[place[number]].append((i, j, n))
    groups = [
        EntityGroup(
            _find_document(table, key[at], response[at]),
            tuple(key[at]),
            tuple(response[at]),
            tuple(cells[at]),
            int(size),
        )
        for at, size in enumerate(wrong[bad].tolist())
    ]
    return sorted(groups, key=lambda group: (-group.wrong, group.document, group.key, group.response))


def _find_components(table: Overlap) -> Ints:
    from scipy.sparse import coo_array  # noqa: PLC0415 - loaded when needed
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    keys, everyone = len(table.key.size), len(table.key.size) + len(table.response.size)
    links = coo_array((np.ones(len(table.n)), (table.cell_key, keys + table.cell_response)), shape=(everyone, everyone))
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


def _count_misplaced(table: Overlap) -> Ints:
    """For every key entity, how many of its mentions are missing or apart from the largest part of it."""
    largest = np.zeros(len(table.key.size), dtype=np.int64)
    np.maximum.at(largest, table.cell_key, table.n)
    return table.key.size - largest


def _find_document(table: Overlap, key: list[int], response: list[int]) -> int:
    return int(table.key.document[key[0]] if key else table.response.document[response[0]])
