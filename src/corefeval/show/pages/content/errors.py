"""What is wrong in a response, as the page shows it: errors with a sign each, and entities with misplaced mentions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.analyse import Analysis
from corefeval.analysis.diff import list_identities
from corefeval.analysis.errors.types import list_rules, sort_by_cost
from corefeval.analysis.subsets import get_rows
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Rows

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


@dataclass(frozen=True, slots=True)
class PageError:
    """One error: its kind, its document, and the rows of the mentions that it shows at on either side.

    beside: the rows of the mention with which they are or should be, -1 where a side lacks it; both are -1 for errors
    of whole entities. identity: equal for the same error of another response.
    """

    kind: str
    document: int
    key: tuple[int, ...]
    response: tuple[int, ...]
    beside: tuple[int, int]
    identity: Hashable


def list_errors(analysis: Analysis) -> list[PageError]:
    """Return a list of all errors of a response as PageErrors, the costliest first, else by kind and place."""
    # Mentions that a scorer adds to the key stand behind its own, and are not shown there.
    own = len(get_rows(analysis.given).key)
    listed, errors = [], sort_by_cost(analysis.errors)
    for error, identity in zip(errors, list_identities(analysis, errors), strict=True):
        key = tuple(row for row in error.key_rows if row < own)
        side, row = (analysis.rows.key, key[0]) if key else (analysis.rows.response, error.response_rows[0])
        beside = (error.beside_rows[0] if error.beside_rows[0] < own else -1, error.beside_rows[1])
        kind, document = error.type.replace(" ", "-"), int(side.document[row])
        listed.append(PageError(kind, document, key, error.response_rows, beside, identity))
    return listed


def number_identities(systems: Sequence[Sequence[PageError]]) -> list[list[int]]:
    """Return for each system a list of numbers, one for each of its errors; equal where errors are the same.

    >>> errors = [PageError("span-error", 0, (), (0,), (-1, -1), name) for name in "aba"]
    >>> number_identities([errors[:2], errors[2:]])
    [[0, 1], [0]]
    """
    numbers: dict[Hashable, int] = {}
    return [[numbers.setdefault(error.identity, len(numbers)) for error in listed] for listed in systems]


def count_misplaced_mentions(table: Overlap) -> Ints:
    """Return an array: for every key entity its size less the most mentions it shares with a response entity."""
    largest = np.zeros(len(table.key.size), dtype=np.int64)
    np.maximum.at(largest, table.cells.key, table.n)
    return table.key.size - largest
