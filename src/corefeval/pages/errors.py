"""Errors as the page and the plots show them: of which kind, where, and in a sentence.

`found` is the only thing that others call. Whoever has a better idea of errors returns them from there, with their
`KINDS`: nothing else knows which kinds there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.arrays import Booleans, Ints
    from corefeval.cells import Rows
    from corefeval.corpus import Corpus
    from corefeval.overlap import Overlap
    from corefeval.results import Evaluation


class Kind(NamedTuple):
    """A kind of error: its name for programs, its title, a sign to mark it with, and the rule that makes it one."""

    name: str
    title: str
    sign: str
    rule: str


class Error(NamedTuple):
    """One error: its kind, its document, the rows of the mentions that it shows at on either side, and a sentence."""

    kind: str
    document: int
    key: tuple[int, ...]
    response: tuple[int, ...]
    text: str


KINDS = (
    Kind("missing", "missing mention", "−", "A mention of the key that has no twin in the response."),
    Kind("extra", "extra mention", "+", "A mention of the response that has no twin in the key."),
    Kind(
        "split",
        "split entity",
        "÷",
        "Mentions of one key entity that the response has in another entity than most of them: an error for each part "
        "but the largest.",
    ),
    Kind(
        "merged",
        "merged entities",
        "∪",
        "Mentions of different key entities that the response has in one: an error for each part but the largest.",
    ),
)


def found(evaluation: Evaluation) -> list[Error]:
    """All errors of a response, by document and in the order of `KINDS`."""
    rows = mentions_of(evaluation)
    listed = [*_twinless(rows), *_parts(evaluation.table, rows)]
    place = {kind.name: number for number, kind in enumerate(KINDS)}
    return sorted(listed, key=lambda error: (error.document, place[error.kind], error.key, error.response))


def mentions_of(evaluation: Evaluation) -> Rows:
    """The mentions behind an evaluation."""
    if evaluation.table.rows is None:
        raise OptionError(
            "errors are shown at mentions, which this evaluation has not kept: score with corefeval.score"
        )
    return evaluation.table.rows


def _twinless(rows: Rows) -> Iterator[Error]:
    for row in _others(rows.key, rows.twin_key).tolist():
        text = f"{rows.key.describe(row)} is not in the response"
        yield Error("missing", int(rows.key.document[row]), (row,), (), text)
    for row in _others(rows.response, rows.twin_response).tolist():
        text = f"{rows.response.describe(row)} is not in the key"
        yield Error("extra", int(rows.response.document[row]), (), (row,), text)


def _others(corpus: Corpus, twins: Ints) -> Ints:
    alone = np.ones(len(corpus), dtype=np.bool_)
    alone[twins] = False
    return np.flatnonzero(alone)


def _parts(table: Overlap, rows: Rows) -> Iterator[Error]:
    """Splits and merges: parts of an entity other than its largest, each with all its mentions."""
    in_cell = _rows_of_cells(table, rows)
    document = table.key.document[table.cell_key]
    for cell in np.flatnonzero(~_largest(table.cell_key, table.n)).tolist():
        ours, theirs = in_cell[cell]
        text = f"{rows.key.describe(ours[0])}{_more(ours)} apart from most of its entity"
        yield Error("split", int(document[cell]), ours, theirs, text)
    for cell in np.flatnonzero(~_largest(table.cell_response, table.n)).tolist():
        ours, theirs = in_cell[cell]
        text = f"{rows.response.describe(theirs[0])}{_more(theirs)} together with another entity"
        yield Error("merged", int(document[cell]), ours, theirs, text)


def _more(rows: tuple[int, ...]) -> str:
    return f" and {len(rows) - 1} more" if len(rows) > 1 else ""


def _largest(entity: Ints, n: Ints) -> Booleans:
    """Which cells are the largest part of their entity; of equal ones, the first."""
    order = np.lexsort((np.arange(len(n)), -n, entity))
    first = np.ones(len(n), dtype=np.bool_)
    first[1:] = np.diff(entity[order]) != 0
    found = np.zeros(len(n), dtype=np.bool_)
    found[order[first]] = True
    return found


def _rows_of_cells(table: Overlap, rows: Rows) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The twins behind every cell, in the order of the key."""
    width = max(1, len(table.response.size))
    cells = table.cell_key * width + table.cell_response
    number = np.searchsorted(cells, rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response])
    listed: list[tuple[list[int], list[int]]] = [([], []) for _ in cells]
    order = np.lexsort((rows.twin_key, number))
    columns = number[order], rows.twin_key[order], rows.twin_response[order]
    for cell, ours, theirs in zip(*(column.tolist() for column in columns), strict=True):
        listed[cell][0].append(ours)
        listed[cell][1].append(theirs)
    return [(tuple(ours), tuple(theirs)) for ours, theirs in listed]
