"""Tables with a row for each mention: CSV, TSV, Parquet, Arrow.

    document,start,end,entity           record_id;cluster_id
    story,0,1,Kim                       17;a
    story,5,5,Kim                       18;a

The first row names the columns, in any order and any case: `entity` (or entity_id, cluster, cluster_id, label,
z_cluster); `start` (or begin) and `end`, or else `mention` (or mention_id, record, record_id, unique_id, rec_id, id);
and `document` (or doc, doc_id, document_id), without which all rows are one document. "Record ID" and "record-id" are
record_id. A column source_dataset, beside one of ids, is joined to them: crm/7. So tables of clusters are read as
Splink (unique_id, cluster_id), dedupe (Cluster ID) and Zingg (z_cluster) write them. Other names are given
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

from functools import partial

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError, check_choice
from corefeval.formats.base import EVERYTHING, Capacity, File
from corefeval.formats.table.columns import (
    PART_OF,
    TableDiagnostics,
    build_corpus,
    choose_columns,
    find_part,
    fold_name,
)
from corefeval.formats.table.pair_names import LABELS, find_named, find_sides
from corefeval.formats.table.reading import find_separator, read_columns, split_header
from corefeval.formats.table.sources import MAGIC
from corefeval.formats.table.writer import read_back_label, spell_document_names, write

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
    for names in split_header(beginning):
        # A column "label" may label pairs.
        is_paired = find_sides(names) and find_named(LABELS, names)
        present = {find_part(name) for name in names if not (is_paired and fold_name(name) in LABELS)}
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
    separator = None if separator is None else find_separator(separator)
    if mention is not None and (start is not None or end is not None):
        raise OptionError("a mention is either mention= or start= and end=, not both")
    asked = {"document": document, "mention": mention, "start": start, "end": end, "entity": entity}
    asked_names = {part: name for part, name in asked.items() if name is not None}
    choose = partial(choose_columns, asked=asked_names, attributes=attributes)
    diagnostics = TableDiagnostics(file.name)
    columns = read_columns(file.data, choose, diagnostics, separator, quotes=quotes == "yes")
    return build_corpus(
        columns,
        diagnostics,
        ends_excluded=ends == "excluded",
        singletons=[name for name in singletons.split("+") if name],
    )
