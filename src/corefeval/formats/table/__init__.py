"""Tables with a row for each mention: CSV, TSV, Parquet, Arrow.

    document,start,end,entity           record_id;cluster_id
    story,0,1,Kim                       17;a
    story,5,5,Kim                       18;a

The first row names the columns, in any order and any case: `entity` (or entity_id, cluster, cluster_id, label); `start`
(or begin) and `end`, or else `mention` (or mention_id, record, record_id, id); and `document` (or doc, doc_id,
document_id), without which all rows are one document. Other names are told by options: "table:mention=key,entity=e";
"document=" says that no column is meant. Where there are `start` and `end`, they are the mention, unless `mention` is
asked for. They count words from 0, the last one included; with "ends=excluded" `end` is the word behind it.

Labels are compared as they are written, whatever else is in their column and whether or not the file knows types: 7 in
one file is "7" in another, and "007" is neither; [0, 3] is a pair. Every row needs them: a mention that stands alone
is an entity with a name of its own. Other columns are left aside, or kept as attributes of mentions:
"attributes=type+head", or "*" for all. Cells of CSV stand between commas, semicolons, tabs or bars, whichever the
first row has; those in quotes may hold anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.errors import OptionError, check_choice
from corefeval.formats.base import EVERYTHING, Capacity
from corefeval.formats.shared import lines
from corefeval.formats.table import corpus as table_corpus
from corefeval.formats.table import delimited
from corefeval.formats.table.columns import LabelColumn, NameColumn, PlaceColumn, TextColumn
from corefeval.formats.table.corpus import Columns
from corefeval.formats.table.delimited import Layout
from corefeval.formats.table.findings import TableFindings
from corefeval.formats.table.header import NAMES, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import File
    from corefeval.formats.table.columns import Column

TITLE = "Tables with a row for each mention: CSV, TSV, Parquet, Arrow"
EXAMPLE = """document,start,end,entity
story,0,1,Kim
story,5,5,Kim"""
SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
COMPANIONS = ()
BY_SUFFIX = True
_HEADER = 4096  # bytes of a first row of column names
CAPACITY = Capacity(units=("word", "label"), words=False, empty=False, attributes=EVERYTHING)

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_UNUSUAL_ROWS = {
    "skipped-line": "rows without content are skipped",
    "line-break": f"quoted cells go on over several lines; {delimited.NO_QUOTES}",
}
_NONE = np.zeros(0, dtype=np.int64)
_MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"\xff\xff\xff\xff": "an Arrow stream"}


def recognise(beginning: bytes) -> str:
    """By its first bytes, or by a first row that names the columns."""
    for magic, name in _MAGIC.items():
        if beginning.startswith(magic):
            return f"begins as {name}"
    text = beginning[:_HEADER].removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n") + b"\n"
    begin, end, _ = delimited.first_record(text, quotes=True)
    record = text[begin:end]
    for separator in _SEPARATORS.values():
        names = _names(record, separator, quotes=True) if separator.encode() in record else []
        lowered = {name.lower() for name in names}
        there = [part for part, known in NAMES.items() if lowered.intersection(known)]
        if any(name and not any(map(str.isalpha, name)) for name in names):
            continue
        if "entity" in there and ("mention" in there or {"start", "end"} <= set(there)):
            return f"a first row with the columns {', '.join(names[:6])}"
    return ""


def write(corpus: Corpus, suffix: str = ".csv") -> bytes:
    """The corpus as a table of the kind that a file's suffix tells."""
    from corefeval.formats.table import writer  # noqa: PLC0415 - most runs write nothing

    return writer.write(corpus, suffix)


def read(
    file: File,
    *,
    document: str | None = None,
    mention: str | None = None,
    start: str | None = None,
    end: str | None = None,
    entity: str | None = None,
    attributes: str = "",
    ends: str = "included",
    separator: str | None = None,
    quotes: str = "yes",
) -> Corpus:
    """Read a table; the options are the names of columns, and how they are written."""
    check_choice("ends", ends, ("included", "excluded"))
    check_choice("quotes", quotes, ("yes", "no"))
    if separator is not None and separator not in _SEPARATORS.values():
        check_choice("separator", separator, tuple(_SEPARATORS))
        separator = _SEPARATORS[separator]
    if mention is not None and (start is not None or end is not None):
        raise OptionError("a mention is either mention= or start= and end=, not both")
    asked = {"document": document, "mention": mention, "start": start, "end": end, "entity": entity}
    wanted = Wanted({part: name for part, name in asked.items() if name is not None}, attributes)
    found = TableFindings(file.name)
    if file.data.startswith(tuple(_MAGIC)):
        columns = _from_arrow(file.data, wanted, found)
    else:
        columns = _from_text(file.data, wanted, found, separator, quotes=quotes == "yes")
    return table_corpus.corpus(columns, found, ends_excluded=ends == "excluded")


def _from_arrow(data: bytes, wanted: Wanted, found: TableFindings) -> Columns:
    from corefeval.formats.table import arrow  # noqa: PLC0415 - loads pyarrow

    opened = arrow.Opened(data, found)
    found.raise_faults()
    columns, filled = _columns([name.strip() for name in opened.names], wanted, None, found)
    for number, column in filled:
        opened.fill(column, number)
    found.raise_faults()
    if len({column.length for _, column in filled}) > 1:
        found.add_fault(None, "damaged: its columns are of different lengths")
    found.raise_faults()
    return columns


def _from_text(data: bytes, wanted: Wanted, found: TableFindings, separator: str | None, *, quotes: bool) -> Columns:
    text = lines.normalize_text(data, found.source)
    begin, end, line = delimited.first_record(text, quotes=quotes)
    record = text[begin:end]
    if not record.strip():
        found.add_fault(1, "an empty file", "a first row with the names of the columns")
    elif quotes and record.count(b'"') % 2:
        found.add_fault(line, "a quoted cell begins here and never ends", "a closing quote")
    found.raise_faults()
    tried = [separator] if separator else sorted(_SEPARATORS.values(), key=lambda each: -record.count(each.encode()))
    headers = [_names(record, each, quotes=quotes) for each in tried]
    best = next((i for i, names in enumerate(headers) if not wanted.choose(names).wrong), 0)
    columns, filled = _columns(headers[best], wanted, line, found)
    layout = Layout(tried[best].encode(), quotes, len(headers[best]))
    numbers = [number for number, _ in filled]
    row_lines, hollow, tall = [_NONE], [_NONE], [_NONE]
    for block in delimited.blocks(text, end, line + record.count(b"\n"), layout, numbers, found):
        row_lines.append(block.lines)
        hollow.append(block.hollow)
        tall.append(block.tall)
        for (_, column), part in zip(filled, block.parts, strict=True):
            column.add(part)
    for kind, rows in (("skipped-line", hollow), ("line-break", tall)):
        found.lines = np.concatenate(rows)
        found.notice_of(np.arange(len(found.lines)), kind, _UNUSUAL_ROWS[kind])
    found.lines = np.concatenate(row_lines)
    return columns


def _names(record: bytes, separator: str, *, quotes: bool) -> list[str]:
    return [name.strip() for name in delimited.cells(record, separator.encode(), quotes=quotes)]


def _columns(
    names: Sequence[str], wanted: Wanted, line: int | None, found: TableFindings
) -> tuple[Columns, list[tuple[int, Column]]]:
    """The columns that are wanted, and with which column of the file each is filled."""
    for name in dict.fromkeys(name for name in names if name and names.count(name) > 1):
        found.add_fault(
            line, f"{names.count(name)} columns are called {name!r}", "different names", kind="column-twice"
        )
    parts, kept, wrong = wanted.choose(names)
    for what, expected, hint in wrong:
        found.add_fault(line, what, expected, hint, kind="column-missing")
    found.raise_faults()
    title = {part: names[number] for part, number in parts.items()}
    labels = [LabelColumn(title["mention"])] if "mention" in parts else []
    places = [PlaceColumn(title["start"]), PlaceColumn(title["end"])] if "start" in parts else []
    documents = [NameColumn(title["document"])] if "document" in parts else []
    entity = NameColumn(title["entity"])
    attributes = [TextColumn(names[number]) for number in kept]
    order = [parts[part] for part in ("document", "mention", "start", "end", "entity") if part in parts]
    filled: list[Column] = [*documents, *labels, *places, entity, *attributes]
    columns = Columns(
        labels[0] if labels else (places[0], places[1]), entity, documents[0] if documents else None, attributes
    )
    return columns, list(zip([*order, *kept], filled, strict=True))
