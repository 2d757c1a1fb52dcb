"""What is wrong in a response, as the page and the plots show it: errors with a sign each, and groups of entities."""

from __future__ import annotations

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.analyse import Analysis
from corefeval.analysis.errors.types import describe_error, list_rules
from corefeval.analysis.subsets import get_rows
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Rows
from corefeval.scoring.results import Evaluation

_SIGNS = {
    "span error": "≈",
    "conflated entities": "∪",
    "extra mention": "+",
    "extra entity": "++",
    "divided entity": "÷",
    "missing mention": "−",
    "missing entity": "−−",
}


class ErrorKind(NamedTuple):
    """A type of error: its name for styles, its title, a sign to mark it with, and the rule that makes it one."""

    name: str
    title: str
    sign: str
    rule: str


def list_kinds(rows: Rows) -> tuple[ErrorKind, ...]:
    """Return an ErrorKind for each type that errors of these mentions can have."""
    rules = list_rules(rows)
    return tuple(ErrorKind(title.replace(" ", "-"), title, _SIGNS[title], rule) for title, rule in rules.items())


class PageError(NamedTuple):
    """One error: its kind, its document, the rows of the mentions that it shows at on either side, and a sentence."""

    kind: str
    document: int
    key: tuple[int, ...]
    response: tuple[int, ...]
    text: str


def list_errors(evaluation: Evaluation) -> list[PageError]:
    """Return a list of all errors of a response as PageErrors, by kind, then in the order of the text."""
    analysis = Analysis(evaluation)
    # Mentions that a scorer adds to the key stand behind its own, and are not shown there.
    own = len(get_rows(evaluation).key)
    listed = []
    for error in analysis.errors:
        key = tuple(row for row in error.key_rows if row < own)
        side, row = (analysis.rows.key, key[0]) if key else (analysis.rows.response, error.response_rows[0])
        kind, document = error.type.replace(" ", "-"), int(side.document[row])
        listed.append(PageError(kind, document, key, error.response_rows, describe_error(error)))
    return listed


class EntityGroup(NamedTuple):
    """Entities of both sides that hang together by shared mentions, and how many mentions are not where they should be.

    key, response: the entities' numbers in the table. cells: (key entity, response entity, mentions shared).
    """

    document: int
    key: list[int]
    response: list[int]
    cells: list[tuple[int, int, int]]
    wrong: int


def group_entities(table: Overlap) -> list[EntityGroup]:
    """Return EntityGroups with misplaced mentions, most first: entities of both sides linked by shared mentions."""
    component, keys = _find_components(table), len(table.key.size)
    misplaced = np.concatenate([_count_misplaced_mentions(table), _count_misplaced_mentions(table.mirror)])
    wrong = np.bincount(component, weights=misplaced, minlength=1).astype(np.int64)
    document = np.zeros(len(wrong), dtype=np.int64)
    document[component] = np.concatenate([table.key.document, table.response.document])  # alike within a group
    groups = {
        number: EntityGroup(int(document[number]), [], [], [], int(wrong[number]))
        for number in np.flatnonzero(wrong).tolist()
    }
    for entity, number in enumerate(component.tolist()):
        if number in groups:
            (groups[number].key if entity < keys else groups[number].response).append(entity - keys * (entity >= keys))
    columns = (component[table.cells.key], table.cells.key, table.cells.response, table.n)
    for number, *cell in zip(*(column.tolist() for column in columns), strict=True):
        if number in groups:
            groups[number].cells.append((cell[0], cell[1], cell[2]))
    return sorted(groups.values(), key=lambda group: (-group.wrong, group.document, group.key, group.response))


def _find_components(table: Overlap) -> Ints:
    """Return an array: a group number for each key entity, then each response entity; equal if cells link them."""
    from scipy.sparse import coo_array  # noqa: PLC0415 - loaded when needed
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    keys, everyone = len(table.key.size), len(table.key.size) + len(table.response.size)
    links = coo_array(
        (np.ones(len(table.n)), (table.cells.key, keys + table.cells.response)), shape=(everyone, everyone)
    )
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


def _count_misplaced_mentions(table: Overlap) -> Ints:
    """Return an array: for every key entity its size less the most mentions it shares with a response entity."""
    largest = np.zeros(len(table.key.size), dtype=np.int64)
    np.maximum.at(largest, table.cells.key, table.n)
    return table.key.size - largest
