"""Writing tables: document (unless there is only one, without a name), mention or start and end, entity, attributes."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Sequence
from itertools import count, pairwise
from typing import Any

import numpy as np

from corefeval._arrays import Ints
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Labels, Spans, as_spans
from corefeval.errors import Fault, InputError, check_choice
from corefeval.formats.shared.arrow import load_arrow
from corefeval.formats.shared.writing import respell_names
from corefeval.formats.table.columns import BLANKS, LIMIT, NAMES, parse_label

Cells = Ints | list[str]

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_ARROW = (".parquet", ".arrow", ".feather")
_SPECIAL = re.compile(r'[,\t\n\r";|]')
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_ROWS = 1 << 16  # at a time


def write(corpus: Corpus, suffix: str = ".csv") -> bytes:
    """Return the bytes of a file with the corpus as a table, of the kind that the suffix says."""
    check_choice("suffix", suffix, (*_SEPARATORS, *_ARROW))
    columns = _list_columns(corpus)
    order = _order_by_entity(corpus.entity)
    if order is not None:
        columns = {
            name: [cells[row] for row in order.tolist()] if isinstance(cells, list) else cells[order]
            for name, cells in columns.items()
        }
    return _write_arrow(columns, suffix) if suffix in _ARROW else _write_delimited(columns, _SEPARATORS[suffix])


def _write_delimited(columns: dict[str, Cells], separator: str) -> bytes:
    """Return the bytes of a table as text: a header and rows, with this separator."""
    parts = [separator.join(map(_quote_cell, columns)) + "\n"]
    length = len(next(iter(columns.values())))
    for begin in range(0, length, _ROWS):
        block = [_spell_cells(cells[begin : begin + _ROWS]) for cells in columns.values()]
        parts.append("\n".join(map(separator.join, zip(*block, strict=True))) + "\n")
    return "".join(parts).encode()


def _write_arrow(columns: dict[str, Cells], suffix: str) -> bytes:
    """Return the bytes of a table as a Parquet file, or else as an Arrow file."""
    arrow = load_arrow(f"a {suffix} file")
    table = arrow.table({name: arrow.array(values) for name, values in columns.items()})
    sink = arrow.BufferOutputStream()
    if suffix == ".parquet":
        from pyarrow.parquet import write_table as write_parquet  # noqa: PLC0415 - see load_arrow

        write_parquet(table, sink)
    else:
        with arrow.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    return bytes(sink.getvalue())


def _spell_cells(cells: Cells) -> list[str]:
    """Return cells as text, quoted where CSV needs it."""
    if not isinstance(cells, list):
        return list(map(str, cells.tolist()))
    return list(map(_quote_cell, cells)) if _SPECIAL.search("".join(cells)) else cells


def _quote_cell(cell: str) -> str:
    """Return a cell, in quotes where CSV needs them."""
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell


def _list_columns(corpus: Corpus) -> dict[str, Cells]:
    """Return the columns of a table by name: document unless the only one has no name, mention, entity, attributes."""
    columns: dict[str, Cells] = {}
    if corpus.documents != ("",):
        names = spell_document_names(corpus.documents)
        columns["document"] = [names[number] for number in corpus.document.tolist()]
    columns |= _list_mentions(corpus)
    columns["entity"] = _list_entities(corpus)
    usual = {name for part in ("document", "start", "end") for name in NAMES[part]}
    taken = usual | {"mention", "entity"}
    for name, values in corpus.attributes.items():
        wanted = title = _UNREADABLE.sub("_", name).strip() or "_"
        numbers = count(2)
        while title.lower() in taken:
            title = f"{wanted}_{next(numbers)}"
        taken.add(title.lower())
        columns[title] = [_UNREADABLE.sub("\ufffd", value) for value in values]
    return columns


def _list_mentions(corpus: Corpus) -> dict[str, Cells]:
    """Return the columns that tell mentions, by name: start and end, or "mention"; InputError for impossible labels."""
    mentions = corpus.mentions
    if corpus.unit == "character":  # positions would be taken for words: pairs are what they are
        return {"mention": [json.dumps(pair) for pair in mentions.objects()]}
    if isinstance(mentions, Spans):
        return {"start": mentions.start, "end": mentions.end}
    if isinstance(mentions, Labels) and mentions.values.dtype.kind in "iu":
        return {"mention": mentions.values}
    pairs = as_spans(mentions) if len(mentions) else None
    if pairs is not None and not pairs.pieces and pairs.end.max() < LIMIT:
        return {"start": pairs.start, "end": pairs.end}
    return {"mention": _spell_labels(corpus, mentions.objects())}


def _spell_labels(corpus: Corpus, labels: Sequence[Hashable]) -> list[str]:
    """Return a text for each label: strings as they are, others as JSON; InputError if one has none or two the same."""
    texts = [_spell_label(label) for label in labels]
    faults = [
        f"mention {label!r} cannot be a cell of a table"
        for label, text in zip(labels, texts, strict=True)
        if text is None or not text.strip(BLANKS) or _UNREADABLE.search(text)
    ]
    if {type(label) for label in labels} != {str}:
        first: dict[tuple[int, str | None], Hashable] = {}
        for label, text, document in zip(labels, texts, corpus.document.tolist(), strict=True):
            other = first.setdefault((document, text), label)
            if other != label and text is not None:
                faults.append(f"mentions {other!r} and {label!r} would be the same in a table")
    if faults:
        raise InputError(Fault(corpus.source or "corpus", what, "other labels") for what in faults)
    return [text or "" for text in texts]


def _spell_label(label: Any) -> str | None:
    """Return a label as text, as an integer or as JSON; None if it can be none of these."""
    if isinstance(label, str):
        return str(label)
    try:
        if label == int(label):
            return str(int(label))
    except (TypeError, ValueError, OverflowError):
        pass
    try:
        return json.dumps(label, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        return None


def read_back_label(label: Hashable) -> Hashable:
    """Return what a label is when its cell is read: "7" is 7, 1.5 is "1.5"; itself if it cannot be a cell."""
    text = _spell_label(label)
    return label if text is None else parse_label(text)


def _list_entities(corpus: Corpus) -> Cells:
    """Return each mention's entity by a name distinct in its document; an array if all are distinct integers."""
    if hasattr(corpus.entity_name, "dtype"):
        names = np.asarray(corpus.entity_name)
        ordered = np.sort(names)
        if names.dtype.kind in "iu" and (ordered[1:] != ordered[:-1]).all():
            return names[corpus.entity]
    written: list[str] = []
    bounds = np.searchsorted(corpus.entity_document, np.arange(len(corpus.documents) + 1)).tolist()
    for begin, end in pairwise(bounds):
        written += _respell_names(list(map(str, corpus.entity_name[begin:end])))
    return [written[number] for number in corpus.entity.tolist()]


def _respell_names(names: Sequence[str]) -> list[str]:
    """Return names as a table can hold them, still distinct: _ for NUL, surrogates and for a name of blanks."""
    return respell_names(names, lambda name: _UNREADABLE.sub("_", name) if name.strip(BLANKS) else "_")


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return documents' names as a table can hold them, still distinct; [""], one without a name, stays."""
    return [""] if list(documents) == [""] else _respell_names(documents)


def _order_by_entity(entity: Ints) -> Ints | None:
    """Return row numbers sorted by entity; None if entities first occur in the order of their numbers anyway."""
    if len(entity) == 0:
        return None
    latest = np.maximum.accumulate(entity)
    if latest[0] == 0 and (np.diff(latest) <= 1).all():
        return None
    return np.argsort(entity, kind="stable")
