"""Putting tables together, so that documents can be matched one by one, or by several workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from corefeval.overlap.cells import Cells, Links, Repeats
from corefeval.overlap.side import Side
from corefeval.overlap.split_antecedents import Common, Splits
from corefeval.overlap.table import Overlap

Name = TypeVar("Name")

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import ByDocument, Columns, Ints
    from corefeval.measures.base import Measure


def joined(tables: Sequence[Overlap]) -> Overlap:
    """One table of the documents of several, in their order."""
    if len(tables) == 1:
        return tables[0]
    none = np.zeros(0, dtype=np.int64)
    if not tables:
        return Overlap(Side(none, none, 0), Side(none, none, 0), none, none, none)
    keys = [len(table.key.size) for table in tables]
    responses = [len(table.response.size) for table in tables]
    cells = _cells([table.own for table in tables], keys, responses)
    if any(table.splits is not None for table in tables):
        return _splits(tables, keys, responses).whole().with_looked(_looked(tables))
    whole = Overlap(_side([table.key for table in tables]), _side([table.response for table in tables]), *cells)
    if any(table.credit is not None for table in tables):
        whole = whole.with_credit(np.concatenate([t.n if t.credit is None else t.credit for t in tables]))
    whole = whole.with_looked(_looked(tables)).with_views(_views(tables))
    if all(table.repeats is None for table in tables):
        return whole
    seen = [table.repeats or _no_repeats(table) for table in tables]
    by_look_up = any(each.recall is not None for each in seen)
    repeats = Repeats(
        key_distinct=_columns([each.key_distinct for each in seen]),
        response_distinct=_columns([each.response_distinct for each in seen]),
        members=_cells([each.members for each in seen], keys, responses),
        credit=np.concatenate([each.credit for each in seen]),
        links=Links(*map(_columns, zip(*(each.links for each in seen), strict=True))),
        recall=_cells([table.for_recall.own for table in tables], keys, responses) if by_look_up else None,
        precision=_cells([table.for_precision.own for table in tables], keys, responses) if by_look_up else None,
    )
    return whole.with_repeats(repeats).with_looked(whole.looked).with_views(whole.views)


def _views(tables: Sequence[Overlap]) -> dict[str, Overlap]:
    """The tables that stand in for them, where they are the same for some measures."""
    shared: dict[tuple[int, ...], Overlap] = {}
    found = {}
    for name in tables[0].views:
        parts = [table.views.get(name, table) for table in tables]
        alike = tuple(map(id, parts))
        found[name] = shared[alike] = shared.get(alike) or joined(parts)
    return found


def _splits(tables: Sequence[Overlap], keys: Sequence[int], responses: Sequence[int]) -> Splits:
    parts = [table.splits or _no_splits(table) for table in tables]
    return Splits(
        key=_shifted([part.key for part in parts], keys),
        response=_shifted([part.response for part in parts], responses),
        pair_key=_shifted([part.pair_key for part in parts], [len(part.key) for part in parts]),
        pair_response=_shifted([part.pair_response for part in parts], [len(part.response) for part in parts]),
        equal=np.concatenate([part.equal for part in parts]),
        pairs=joined([part.pairs for part in parts]),
        key_alone=joined([part.key_alone for part in parts]),
        response_alone=joined([part.response_alone for part in parts]),
        mentions=joined([part.mentions for part in parts]),
        only=any(part.only for part in parts),
        common=_common(parts),
    )


def _common(parts: Sequence[Splits]) -> Common | None:
    """The links by a scorer's own count; where it has nothing to count differently, those of the table."""
    if all(part.common is None for part in parts):
        return None
    found = [part.common or Common.of(part.mentions) for part in parts]
    return Common(*map(_columns, zip(*found, strict=True)))


def _looked(tables: Sequence[Overlap]) -> dict[Measure, Columns]:
    parts = [table.looked for table in tables]
    return {
        measure: {name: _columns([part[measure][name] for part in parts]) for name in counts}
        for measure, counts in parts[0].items()
        if all(measure in part for part in parts)
    }


def _columns(parts: Sequence[ByDocument]) -> ByDocument:
    """Counts by document; a table of one document has plain numbers."""
    return np.concatenate([np.atleast_1d(part) for part in parts])


def _side(sides: Sequence[Side]) -> Side:
    return Side(
        size=np.concatenate([side.size for side in sides]),
        document=_shifted([side.document for side in sides], [side.documents for side in sides]),
        documents=sum(side.documents for side in sides),
        name=_names([side.name for side in sides]),
        document_name=_names([side.document_name for side in sides]),
    )


def _names(parts: Sequence[Sequence[Name] | None]) -> list[Name] | None:
    return None if any(part is None for part in parts) else [name for part in parts for name in part or ()]


def _cells(cells: Sequence[Cells], keys: Sequence[int], responses: Sequence[int]) -> Cells:
    return Cells(
        _shifted([each.key for each in cells], keys),
        _shifted([each.response for each in cells], responses),
        np.concatenate([each.n for each in cells]),
    )


def _shifted(columns: Sequence[Ints], steps: Sequence[int]) -> Ints:
    """Numbers that go on where those of the table before end."""
    starts = np.cumsum([0, *steps[:-1]])
    return np.concatenate([column + start for column, start in zip(columns, starts, strict=True)])


def _no_repeats(table: Overlap) -> Repeats:
    return Repeats(table.key.mentions, table.response.mentions, table.members, table.n, table.links)


def _no_splits(table: Overlap) -> Splits:
    none = np.zeros(0, dtype=np.int64)
    nothing = joined([])
    return Splits(none, none, none, none, none > 0, nothing, nothing, nothing, table, only=False)
