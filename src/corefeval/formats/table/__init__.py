"""Tables with a row for each mention: CSV, TSV, Parquet, Arrow.

    document,start,end,entity           record_id;cluster_id
    story,0,1,Kim                       17;a
    story,5,5,Kim                       18;a

The first row names the columns, in any order and any case: `entity` (or entity_id, cluster, cluster_id, label); `start`
(or begin) and `end`, or else `mention` (or mention_id, record, record_id, id); and `document` (or doc, doc_id,
document_id), without which all rows are one document. "Record ID" and "record-id" are record_id. Other names are given
as options, each part by any of its usual names: "table:id=customer no,cluster=person"; a name with a comma stands in
double quotes. On the command line that is `--key-columns "id=customer no,cluster=person"` and `--response-columns`, or
`--format` for both. "document=" says that no column is meant. Where there are `start` and `end`, they are the mention,
unless `mention` is asked for. They count words from 0, the last one included; with "ends=excluded" `end` is the word
behind it.

Several columns make one id: "id=source+customer no"; it is a/7 where the cells are a and 7. Labels are compared as they
are written, whatever else is in their column and whether or not the file knows types: 7 in one file is "7" in another,
and "007" is neither; [0, 3] is a pair. Every row needs them: each singleton has a cluster id of its own, unless
"singletons=blank" says that records without one stand alone; "singletons=blank+NULL+-1" adds other ids that mean none.
Other columns are left aside, or kept as attributes of mentions: "attributes=type+head", or "*" for all. An entity is
one document's: a name that recurs in others is another entity there, and a warning says so; `--level corpus` scores
across documents, as does an id for every mention that no other has: "table:mention=mention_id,document=". Columns
`topic` and `subtopic` are always kept, for `--level topic`.

Cells of CSV stand between commas, semicolons, tabs or bars, whichever the first row has; those in quotes may hold
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError, check_choice
from corefeval.formats.base import EVERYTHING, Capacity, File
from corefeval.formats.shared import lines
from corefeval.formats.table import sources
from corefeval.formats.table.columns import (
    PART_OF,
    TableColumns,
    TableDiagnostics,
    build_corpus,
    choose_columns,
    find_part,
)
from corefeval.formats.table.sources import MAGIC, SEPARATORS, Layout
from corefeval.formats.table.writer import read_back_label, spell_document_names, write

Choose = Callable[[Sequence[str]], tuple[TableColumns | None, list[tuple[str, str, str]]]]

__all__ = [
    "BY_SUFFIX",
    "CAPACITY",
    "COMPANIONS",
    "EXAMPLE",
    "OPTION_NAMES",
    "SUFFIXES",
    "TITLE",
    "advise_across_documents",
    "read",
    "recognise",
    "write",
]

TITLE = "Tables with a row for each mention: CSV, TSV, Parquet, Arrow"
EXAMPLE = """document,start,end,entity
story,0,1,Kim
story,5,5,Kim"""
SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
COMPANIONS = ()
BY_SUFFIX = True
OPTION_NAMES = PART_OF
CAPACITY = Capacity(
    units=("word", "character", "label"),
    words=False,
    zeros=True,  # positions stay those of the words that they came from
    empty=False,
    attributes=EVERYTHING,
    document_names=spell_document_names,
    labels=read_back_label,
)

_HEADER = 4096  # bytes of a first row of column names


def advise_across_documents(corpus: Corpus) -> str:
    """Return how a table is read as one document: without its column of documents, and by ids of mentions."""
    ids = (
        "a column of mention ids" if isinstance(corpus.mentions, Spans) else "mention ids that differ in all documents"
    )
    return f"level=corpus scores across documents; or read files with {ids} as table:mention=COLUMN,document="


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is a table, by its first bytes or a first row of known names; "" if not."""
    for magic, name in MAGIC.items():
        if beginning.startswith(magic):
            return f"begins as {name}"
    text = beginning[:_HEADER].removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n") + b"\n"
    begin, end = sources.find_header(text, quotes=True)
    record = text[begin:end]
    if record.count(b'"') % 2:
        return ""
    for separator in SEPARATORS.values():
        names = sources.split_names(record, separator, quotes=True) if separator.encode() in record else []
        present = set(map(find_part, names))
        if any(name and not any(map(str.isalpha, name)) for name in names):
            continue
        if "entity" in present and ("mention" in present or {"start", "end"} <= present):
            return f"a first row with the columns {', '.join(names[:6])}"
    return ""


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
    singletons: str = "",
    separator: str | None = None,
    quotes: str = "yes",
) -> Corpus:
    """Return the corpus of a table file that is in memory; options name columns; raises InputError or OptionError."""
    check_choice("ends", ends, ("included", "excluded"))
    check_choice("quotes", quotes, ("yes", "no"))
    if separator is not None and separator not in SEPARATORS.values():
        check_choice("separator", separator, tuple(SEPARATORS))
        separator = SEPARATORS[separator]
    if mention is not None and (start is not None or end is not None):
        raise OptionError("a mention is either mention= or start= and end=, not both")
    asked = {"document": document, "mention": mention, "start": start, "end": end, "entity": entity}
    asked_names = {part: name for part, name in asked.items() if name is not None}
    choose = partial(choose_columns, asked=asked_names, attributes=attributes)
    diagnostics = TableDiagnostics(file.name)
    if file.data.startswith(tuple(MAGIC)):
        columns = _read_arrow(file.data, choose, diagnostics)
    else:
        columns = _read_text(file.data, choose, diagnostics, separator, quotes=quotes == "yes")
    return build_corpus(
        columns,
        diagnostics,
        ends_excluded=ends == "excluded",
        singletons=[name for name in singletons.split("+") if name],
    )


def _read_arrow(data: bytes, choose: Choose, diagnostics: TableDiagnostics) -> TableColumns:
    """Return the chosen columns, filled from a Parquet or Arrow file; an InputError if there are any faults."""
    table = sources.ArrowTable(data, diagnostics)
    diagnostics.raise_faults()
    columns = _choose_or_raise(choose, [name.strip() for name in table.names], None, diagnostics)
    for column in columns:
        table.fill(column, as_text=column in columns.attributes)
    diagnostics.raise_faults()
    if len({sum(map(len, column.blocks)) for column in columns}) > 1:
        diagnostics.add_fault(None, "damaged: its columns are of different lengths")
        diagnostics.raise_faults()
    return columns


def _read_text(
    data: bytes, choose: Choose, diagnostics: TableDiagnostics, separator: str | None, *, quotes: bool
) -> TableColumns:
    """Return the chosen columns, filled from delimited text; guess a missing separator; add faults or raise them."""
    text = lines.normalize_text(data, diagnostics.source)
    begin, end = sources.find_header(text, quotes=quotes)
    record, line = text[begin:end], text.count(b"\n", 0, begin) + 1
    if not record.strip():
        diagnostics.add_fault(1, "an empty file", "a first row with the names of the columns")
    elif quotes and record.count(b'"') % 2:
        diagnostics.add_fault(line, "a quoted cell begins here and never ends", "a closing quote")
    diagnostics.raise_faults()
    tried = [separator] if separator else sorted(SEPARATORS.values(), key=lambda each: -record.count(each.encode()))
    headers = [sources.split_names(record, each, quotes=quotes) for each in tried]
    best = next((i for i, names in enumerate(headers) if not choose(names)[1]), 0)
    columns = _choose_or_raise(choose, headers[best], line, diagnostics)
    sources.fill_from_text(text, end, Layout(tried[best], quotes, len(headers[best])), columns, diagnostics)
    return columns


def _choose_or_raise(
    choose: Choose, names: Sequence[str], line: int | None, diagnostics: TableDiagnostics
) -> TableColumns:
    """Return the columns chosen by their names; an InputError if some are missing, not clear, or of the same name."""
    for name in dict.fromkeys(name for name in names if name and names.count(name) > 1):
        what = f"{names.count(name)} columns are called {name!r}"
        diagnostics.add_fault(line, what, "different names", kind="column-twice")
    columns, faults = choose(names)
    for what, expected, hint in faults:
        diagnostics.add_fault(line, what, expected, hint, kind="column-missing")
    diagnostics.raise_faults()
    assert columns is not None  # noqa: S101 - there are faults otherwise
    return columns
