"""What a sweep starts from: pairs of records with scores, or clusterings in the columns of a table; and the truth."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from corefeval._arrays import Array, Ints, number_by_first_occurrence
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Labels, MentionColumn, Objects, join_columns, number_mentions
from corefeval.errors import Fault, InputError, OptionError
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.pairs import RecordPairs, choose_pair_columns, make_pairs, read_ids, read_pairs
from corefeval.formats.shared import files
from corefeval.formats.table import columns as table_columns
from corefeval.formats.table.columns import NameColumn, TableColumn, TableDiagnostics, parse_threshold
from corefeval.formats.table.reading import read_columns, split_header
from corefeval.formats.table.sources import MAGIC, ArrowTable
from corefeval.notices import Notice, count_things

Edges: TypeAlias = "str | os.PathLike[str] | RecordPairs | Iterable[tuple[Any, Any, float]] | Mapping[str, Any] | Any"
"""Scored pairs: a path, (left, right, score) tuples, columns by name, a data frame, dedupe's array of scored pairs, or
Splink's predictions."""

_OWN_NAME = "edges"  # of pairs that come from no file


@dataclass(frozen=True, slots=True, eq=False)
class WideClusterings:
    """Several clusterings of the same records, each by its threshold: the entities of all records."""

    records: MentionColumn
    thresholds: tuple[float, ...]
    entities: tuple[Ints, ...]
    source: str = ""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class _WideColumns:
    """The columns of a table with several clusterings."""

    mention: Sequence[TableColumn]
    entities: Sequence[NameColumn]
    attributes: Sequence[TableColumn] = ()

    def __iter__(self) -> Iterator[TableColumn]:
        return iter((*self.mention, *self.entities))


# Reading


def read_edges(edges: Edges, format: str | None = None) -> RecordPairs | WideClusterings:  # noqa: A002
    """Return scored pairs, or clusterings at several thresholds, of a file or of an object; InputError with all faults.

    format: of a file: "pairs" or "table", with options behind a colon.
    """
    if isinstance(edges, RecordPairs | WideClusterings):
        found = edges
    elif isinstance(edges, str | os.PathLike):
        found = _read_file(os.fspath(edges), format)
    else:
        found = _convert_object(edges)
    if isinstance(found, RecordPairs) and found.is_labelled:
        hint = "name the column of scores: --response-format pairs:score=NAME"
        raise InputError(Fault(found.source or _OWN_NAME, "pairs with labels", "pairs with scores", hint))
    return found


def _read_file(path: str, format: str | None) -> RecordPairs | WideClusterings:  # noqa: A002
    """Return the pairs or clusterings of a file."""
    name, options = registry.parse_spec(format or "pairs")
    if name not in ("pairs", "table"):
        raise OptionError(f"format {name}: a sweep reads pairs of records (pairs), or a table of clusterings (table)")
    path, data = _load_file(path, "a file of pairs")
    if name == "table" or (format is None and len(_find_wide(_list_names(path, data))) > 1):
        return _read_wide(path, data, options.get("mention", options.get("id")))
    known = {"left", "right", "score", "separator", "quotes"}
    if options.keys() - known:
        wrong = ", ".join(sorted(options.keys() - known))
        raise OptionError(f"pairs: a sweep takes the options {', '.join(sorted(known))}, and not {wrong}")
    return read_pairs(File(path, data, path, lambda _: None), prefer_scores=True, **options)


def _load_file(path: str, expected: str) -> tuple[str, bytes]:
    """Return the name of a file, for messages, and its content, unpacked; an InputError if it is no single file."""
    opened = files.open_source(path)
    if opened.is_folder or len(opened.files) != 1:
        raise InputError(Fault(path, "a directory or an archive", expected))
    ((name, load),) = opened.files.items()
    return name, load()


def _list_names(source: str, data: bytes) -> list[str]:
    """Return the names of the columns of a table in memory; [] if they cannot be told."""
    if not data.startswith(tuple(MAGIC)):
        return max(split_header(data[: registry.BEGINNING]), key=len, default=[])
    diagnostics = TableDiagnostics(source)
    table = ArrowTable(data, diagnostics)
    diagnostics.raise_faults()
    return table.names


def _find_wide(names: Sequence[str]) -> dict[int, float]:
    """Return the columns that are clusterings, by number: the threshold that the name of each says."""
    found = {number: parse_threshold(name) for number, name in enumerate(names)}
    return {number: threshold for number, threshold in found.items() if threshold is not None}


def _read_wide(source: str, data: bytes, mention: str | None) -> WideClusterings:
    """Return the clusterings of a table in memory with a column of ids and a column of clusters for each threshold."""

    def choose(names: Sequence[str]) -> tuple[_WideColumns | None, list[tuple[str, str, str]]]:
        """Return the columns of ids and clusters, or None and faults."""
        numbers, faults = table_columns.choose_id_columns(names, mention)
        wide = _find_wide(names)
        if not wide:
            faults = [*faults, ("no columns of clusters", "names with thresholds, such as cluster_p_0_9", "")]
        if faults:
            return None, faults
        ids = [TableColumn(names[number], number) for number in numbers]
        return _WideColumns(ids, [NameColumn(names[number], number) for number in wide]), []

    diagnostics = TableDiagnostics(source)
    columns = read_columns(data, choose, diagnostics, None, quotes=True)
    for column in columns:
        what = f"nothing in column {column.name!r}"
        diagnostics.add_row_faults(column.unusual.missing, lambda _, w=what: w, "a value in every row")  # type: ignore[misc]
    diagnostics.raise_faults()
    thresholds = [parse_threshold(column.name) or 0.0 for column in columns.entities]
    order = sorted(range(len(thresholds)), key=lambda place: -thresholds[place])
    return WideClusterings(
        table_columns.join_columns(columns.mention).to_mentions(),
        tuple(thresholds[place] for place in order),
        tuple(number_by_first_occurrence(columns.entities[place].labels[0])[1] for place in order),
        source,
        diagnostics.limit_notices(),
    )


def _convert_object(edges: Any) -> RecordPairs:
    """Return the pairs of an object: a frame, a mapping of columns, scored pairs of dedupe or Splink, or tuples."""
    if hasattr(edges, "as_pyarrow_table"):  # Splink's predictions
        edges = edges.as_pyarrow_table()
    fields = getattr(getattr(edges, "dtype", None), "names", None)
    if fields and {"pairs", "score"} <= set(fields):  # dedupe's
        return _make_object_pairs(edges["pairs"][:, 0], edges["pairs"][:, 1], edges["score"])
    names = getattr(edges, "column_names", None) or getattr(edges, "columns", None)
    if names is None and isinstance(edges, Mapping):
        names = edges
    if names is not None:
        return _convert_frame(edges, [str(name) for name in names])
    if not isinstance(edges, Iterable):
        expected = "a path, (left, right, score) tuples, or a data frame"
        raise InputError(Fault(_OWN_NAME, f"a {type(edges).__name__}", expected))
    try:
        left, right, score = zip(*edges, strict=True) if (edges := list(edges)) else ((), (), ())
    except (TypeError, ValueError):
        raise InputError(Fault(_OWN_NAME, "pairs of another shape", "(left, right, score) for each")) from None
    return _make_object_pairs(left, right, score)


def _convert_frame(frame: Any, names: list[str]) -> RecordPairs:
    """Return the pairs of a data frame or a mapping, whose columns are chosen as those of a file."""
    columns, faults = choose_pair_columns(names, {}, prefer_scores=True)
    if columns is None:
        raise InputError([Fault(_OWN_NAME, what, expected, hint) for what, expected, hint in faults])
    if columns.is_labelled:
        raise InputError(Fault(_OWN_NAME, "pairs with labels", "a column of scores"))
    sides = []
    for side in (columns.left, columns.right):
        cells = [_list_cells(frame[column.name]) for column in side]
        joined = ["/".join(map(str, each)) for each in zip(*cells, strict=True)] if len(cells) > 1 else cells[0]
        sides.append(joined)
    return _make_object_pairs(sides[0], sides[1], _list_cells(frame[columns.value.name]))


def _list_cells(column: Any) -> Any:
    """Return a column of any kind of frame as an array of numbers, or else as a list of Python objects."""
    array = column.to_numpy() if hasattr(column, "to_numpy") else column
    if getattr(getattr(array, "dtype", None), "kind", "") in ("i", "u", "f"):
        return array
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(column, method):
            cells: list[Any] = getattr(column, method)()
            return cells
    return list(column)


def _make_object_pairs(left: Any, right: Any, score: Any) -> RecordPairs:
    """Return pairs of records that are Python objects; an InputError if a score is no finite number."""
    try:
        values = np.asarray(score, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array([math.nan])
    if not np.isfinite(values).all():
        raise InputError(Fault(_OWN_NAME, "a score that is no finite number", "a number for each pair"))
    return make_pairs(make_column(left), make_column(right), values, is_labelled=False, source=_OWN_NAME)


def make_column(values: Any) -> MentionColumn:
    """Return a column of records that are integers or any other objects that can be compared."""
    array = np.asarray(values) if not isinstance(values, list | tuple) or _are_integers(values) else None
    if array is not None and array.dtype.kind == "i":
        return Labels(array.astype(np.int64))
    listed = array.tolist() if array is not None else list(values)
    return Objects([value.item() if isinstance(value, np.generic) else value for value in listed])


def _are_integers(values: Sequence[Any]) -> bool:
    """Return whether all values are integers, and none is a boolean."""
    return all(issubclass(kind, int | np.integer) and kind is not bool for kind in set(map(type, values)))


def read_records(records: Any) -> MentionColumn:
    """Return all records: the ids in a table, given by its path, or any objects; an InputError for faults."""
    if not isinstance(records, str | os.PathLike):
        return make_column(records if hasattr(records, "dtype") else list(records))
    return read_ids(*_load_file(os.fspath(records), "a table of records"))


# Bringing them together


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRecords:
    """The records of the response, and which of them are in which key entity.

    place: for each record of the pairs (or clusterings), its number among all records of the response.
    count: how many these are. key: the key entity of each, -1 for none. key_size: of each key entity.
    """

    place: Ints
    count: int
    key: Ints
    key_size: Ints
    notices: tuple[Notice, ...]


def align_records(own: MentionColumn, source: str, truth: Corpus, others: MentionColumn | None) -> AlignedRecords:
    """Return the records of a response, brought together with the truth; an InputError if that cannot be done.

    own: records of the pairs. others: all records there are; None: those of the truth are taken to be there, too.
    """
    _check_truth(truth)
    records = join_columns([own, truth.mentions if others is None else others])
    zeros = [np.zeros(len(each), dtype=np.int64) for each in (records, truth.mentions)]
    number, asked = number_mentions(records, truth.mentions, *zeros)
    distinct, place = number_by_first_occurrence(number)
    entity = _find_key_entities(truth, asked)
    key = _look_up(distinct, *entity)
    size = np.bincount(entity[1], minlength=len(truth.entity_document))
    notices = [*truth.notices]
    repeated = len(truth) - len(entity[0])
    if repeated:
        what = f"{count_things(repeated, 'row')} of records that are there already; each record counts once"
        notices.append(Notice.at("record-twice", truth.source or "truth", None, what, {"count": repeated}))
    known = np.unique(place[: len(own)])
    if len(known) and (key[known] < 0).all():
        what = f"none of its {count_things(len(known), 'record')} is in {truth.source or 'the truth'}"
        examples = [str(each.take(np.array([0])).objects()[0]) for each in (own, truth.mentions) if len(each)]
        raise InputError(Fault(source, what, "the same ids in both", f"they are called {' and '.join(examples)}"))
    unknown = int((key[known] < 0).sum())
    if unknown:
        what = count_things(unknown, "record", "is not in the truth and counts", "are not in the truth and count")
        notices.append(Notice.at("not-in-truth", source, None, f"{what} as spurious", {"count": unknown}))
    added = len(distinct) - len(known)
    if added and others is None:
        what = f"{added:,} {'record of the truth is' if added == 1 else 'records of the truth are'}"
        message = f"{what} in no pair; taken as singletons, unless `records` says which records there are"
        notices.append(Notice.at("in-no-pair", source, None, message, {"count": added}))
    return AlignedRecords(place[: len(own)], len(distinct), key, size, tuple(notices))


def _check_truth(truth: Corpus) -> None:
    """Raise an InputError if the truth has more than one document, or no records."""
    source = truth.source or "truth"
    if len(truth.documents) > 1:
        what = count_things(len(truth.documents), "document")
        hint = "read it without that column: --key-columns document="
        raise InputError(Fault(source, what, "records without documents", hint))
    if not len(truth):
        raise InputError(Fault(source, "no records", "records and their entities"))


def _find_key_entities(truth: Corpus, number: Ints) -> tuple[Ints, Ints]:
    """Return two columns: the different numbers of the truth's records, sorted, and the entity of each."""
    found, first, place = np.unique(number, return_index=True, return_inverse=True)
    entity = truth.entity[first]
    wrong = np.flatnonzero(truth.entity != entity[place.reshape(-1)])
    if len(wrong):
        source = truth.source or "truth"
        faults = [
            Fault(source, f"record {truth.describe(row)} is in a second entity", "one", line=truth.line(row))
            for row in wrong[:20].tolist()
        ]
        raise InputError(faults)
    return found, entity


def _look_up(wanted: Array, known: Ints, values: Ints) -> Ints:
    """Return the value of every number wanted, where `known` are sorted; -1 for those that are not known."""
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[place] == wanted, values[place], -1)
