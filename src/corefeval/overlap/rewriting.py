"""Decisions that change the table after matching: what some scorers add to the key, or leave out of some measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.options import load_behaviour
from corefeval.overlap.cells import Cells
from corefeval.overlap.side import Side
from corefeval.overlap.table import Overlap

if TYPE_CHECKING:
    from corefeval._arrays import Booleans
    from corefeval.notices import Notice
    from corefeval.options import Options


def rewritten(table: Overlap, options: Options) -> tuple[Overlap, tuple[Notice, ...]]:
    """The table as the options have it, and what is to be said about it."""
    rewrite = load_behaviour("twinless", options.twinless)
    table, notices = (table, ()) if rewrite is None else rewrite(table)
    return viewed(table, options), notices


def viewed(table: Overlap, options: Options) -> Overlap:
    """The table with others in its place for measures that do not see singletons."""
    skipped = load_behaviour("singletons", options.singletons)
    if skipped is None:
        return table
    without = {whose: _without_singletons(table, whose) for whose in ("both", "response")}
    return table.with_views({measure: without[whose] for measure, whose in skipped.items()})


def _without_singletons(table: Overlap, whose: str) -> Overlap:
    key = table.key.size > 1 if whose == "both" else np.ones(len(table.key.size), dtype=np.bool_)
    return selected(table, key, table.response.size > 1)


def selected(table: Overlap, key: Booleans, response: Booleans) -> Overlap:
    """The table with some of its entities only."""
    place = np.cumsum(key) - 1, np.cumsum(response) - 1

    def chosen(cells: Cells) -> Cells:
        kept = key[cells.key] & response[cells.response]
        return Cells(place[0][cells.key[kept]], place[1][cells.response[kept]], cells.n[kept])

    own = Cells(table.cell_key, table.cell_response, table.n)
    kept = key[own.key] & response[own.response]
    credit = None if table.credit is None else table.credit[kept]
    left = Overlap(_side(table.key, key), _side(table.response, response), *chosen(own), credit=credit)
    if table.repeats is None:
        return left
    return left.with_repeats(
        table.repeats._replace(
            members=chosen(table.repeats.members),
            credit=table.repeats.credit[kept],
            recall=None if table.repeats.recall is None else chosen(table.repeats.recall),
            precision=None if table.repeats.precision is None else chosen(table.repeats.precision),
        )
    )


def _side(side: Side, kept: Booleans) -> Side:
    name = None if side.name is None else [side.name[entity] for entity in np.flatnonzero(kept).tolist()]
    return Side(side.size[kept], side.document[kept], side.documents, name, side.document_name)
