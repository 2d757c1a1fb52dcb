"""From the columns of a table to a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Objects, Spans
from corefeval.formats.table.columns import LIMIT, LabelColumn, NameColumn, PlaceColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.corpus.mentions import MentionColumn
    from corefeval.formats.table.columns import TextColumn
    from corefeval.formats.table.findings import TableFindings

_NO_NAMES = ("NULL", "null", "None", "NaN", "nan", "NA", "N/A", "n/a", "<NA>", r"\N")
_ALONE = "a mention that stands alone is an entity with a name of its own"


class Columns(NamedTuple):
    """The columns of a table; the mention is a label, or a pair of positions."""

    mention: LabelColumn | tuple[PlaceColumn, PlaceColumn]
    entity: NameColumn
    document: NameColumn | None
    attributes: Sequence[TextColumn]


def corpus(columns: Columns, found: TableFindings, *, ends_excluded: bool) -> Corpus:
    """The corpus; raises an error if anything is wrong."""
    _refuse_cells(columns, found)
    if isinstance(columns.mention, LabelColumn):
        mentions: MentionColumn = columns.mention.mentions()
    else:
        mentions = _spans(*columns.mention, found, ends_excluded=ends_excluded)
    found.raise_faults()
    _note_oddities(columns, mentions, found)
    entity, entity_name = columns.entity.labels()
    document, document_name = columns.document.labels() if columns.document else (None, None)
    corpus = Corpus.from_labels(mention=entity, entity=entity, document=document)
    if entity_name is not None:
        numbers = np.asarray(corpus.entity_name).tolist()
        corpus = corpus.replaced(entity_name=[entity_name[number] for number in numbers])
    if document_name is not None:
        corpus = corpus.replaced(documents=tuple(document_name[int(number)] for number in corpus.documents))
    return corpus.replaced(
        mentions=mentions,
        lines=found.lines,
        attributes={column.name: column.texts for column in columns.attributes},
        source=found.source,
        notices=found.limit_notices(),
    )


def _refuse_cells(columns: Columns, found: TableFindings) -> None:
    """Rows that lack something, or that are not text."""
    mention = columns.mention if isinstance(columns.mention, tuple) else (columns.mention,)
    hints = dict.fromkeys(mention, "") | {columns.entity: _ALONE}
    if columns.document is not None:
        hints[columns.document] = ""
    for column, hint in hints.items():
        what = f"nothing in column {column.name!r}"
        found.faults_in(column.rows("missing"), lambda _, what=what: what, "a value in every row", hint,  # type: ignore[misc]
                        kind="missing-value")  # fmt: skip
    for each in (*hints, *columns.attributes):
        what, hint = f"column {each.name!r} is not UTF-8", "convert it: iconv -f LATIN1 -t UTF-8"
        found.faults_in(each.rows("garbled"), lambda _, what=what: what, "UTF-8", hint, kind="encoding")  # type: ignore[misc]


def _spans(start: PlaceColumn, end: PlaceColumn, found: TableFindings, *, ends_excluded: bool) -> Spans:
    hint = "where start and end are something else, name the mention: --format table:mention=NAME"
    first, last = start.places(), end.places() - ends_excluded
    known = np.ones(len(first), dtype=np.bool_)
    for column in (start, end):
        what = lambda row, column=column: f"{column.name} is {column.shown[row]!r}"  # noqa: E731
        found.faults_in(column.rows("wrong"), what, f"a whole number from 0 to {LIMIT - 1}", hint)
        known[column.rows("wrong")] = known[column.rows("missing")] = False
    found.faults_in(
        np.flatnonzero(known & (last < first)),
        lambda row: f"a mention from {first[row]} to {last[row] + ends_excluded}",
        "first word, and the one behind the last" if ends_excluded else "first and last word",
        kind="mention-outside",
    )
    return Spans(first, last)


def _note_oddities(columns: Columns, mentions: MentionColumn, found: TableFindings) -> None:
    """What may not be meant as it is written."""
    for column in (columns.mention, columns.entity, columns.document):
        if isinstance(column, LabelColumn | NameColumn):
            message = f"cells of column {column.name!r} begin or end with a blank, which is kept"
            found.notice_of(column.rows("edged"), "blank-kept", message)
    for name, rows in columns.entity.rows_of(_NO_NAMES).items():
        found.notice_of(rows, "unlikely-name", f"{name!r} is taken as the name of one entity; {_ALONE}")
    if isinstance(mentions, Objects) and all(isinstance(each, str) and each.endswith(".0") for each in mentions.values):
        label = str(mentions.values[0])
        message = f"mentions are called {label} and the like, and {label} is another label than {label[:-2]}"
        found.notice_of(np.arange(len(mentions)), "decimal-label", message)
    if columns.entity.length == 0:
        found.add_notice("no-rows", None, "a table without rows")
