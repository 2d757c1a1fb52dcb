"""The columns of a table: which of them are read, what stands in them, and the corpus that they make.

A label is the integer that it spells where it spells one as a program would, without zeros before it, plus sign or
blanks, within 64 bits. It is a tuple where it is a list in JSON, of integers, texts and such lists, as Python writes
it: [0, 3]. Any other label is text. So it does not matter what else is in the column, or whether the file knows types:
7 in one file is "7" in another, and "007" is neither.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple, cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Labels, MentionColumn, Objects, Spans, Texts
from corefeval.errors import MOST_FAULTS, suggest_names
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.table.arrow_texts import (
    LazyTexts,
    find_blank_edges,
    join_arrays,
    list_marked,
    list_possible_integers,
    take_texts,
)
from corefeval.notices import count_things

NAMES = {
    "document": ("document", "doc", "doc_id", "document_id"),
    "mention": ("mention", "mention_id", "record", "record_id", "unique_id", "rec_id", "id"),
    "start": ("start", "begin"),
    "end": ("end",),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label", "z_cluster"),
}
"""The usual names of the columns for each part of a row; blanks and hyphens in a header count as underscores."""

SOURCE = "source_dataset"
"""What Splink calls the column that says which of several tables a record is from: its ids are unique only within."""

PART_OF = {name: part for part, names in NAMES.items() for name in names}
"""The part of a row that each usual name means."""

LIMIT = 2**31
"""No text has as many words."""

BLANKS = " \t\n\r\v\f"
NO_ROWS: Ints = np.zeros(0, dtype=np.int64)

_ONE_COLUMN = ("start", "end")  # parts that cannot be joined from several columns
_LEAST, _MOST = -(2**63), 2**64 - 1
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,19}")
_NEGATIVE = re.compile(r"-[1-9][0-9]*")
_POSITION = re.compile(r"0|[1-9][0-9]{0,9}")
_INTEGER_LINES = re.compile(r"(?:(?:0|-?[1-9][0-9]{0,18})\n)++")
_VALUE_BEGINS = frozenset("-0123456789[")
_UNDECODED = re.compile("[\udc80-\udcff]")  # bytes that were no UTF-8
_SHOWN = 40  # characters of a cell in a message
_NO_NAMES = ("NULL", "null", "None", "NaN", "nan", "NA", "N/A", "n/a", "<NA>", r"\N")
_BLANK_CELL = "blank"  # stands for a cell with nothing in it, among the names that mean a singleton
_WORD_BREAKS = re.compile(r"[\s_-]+")
_THRESHOLD = re.compile(r"cluster(?:_id)?(?:_[a-z]+)?[_ ](-?[0-9]+(?:[._][0-9]+)?)")
_LABELLED_PAIRS = {"z_cluster", "z_ismatch"}  # columns of Zingg's training data

Column = TypeVar("Column", bound="TableColumn")


class TableDiagnostics(Diagnostics):
    """Diagnostics by row. Rows have the lines in `row_lines`, if the file has lines.

    There may be as many faults as rows: those that would not be shown are only counted.
    """

    row_lines: Ints | None = None

    def add_row_faults(
        self, rows: Ints, describe: Callable[[int], str], expected: str, hint: str = "", *, kind: str = "syntax"
    ) -> None:
        """Add a fault for each of these rows, worded by `describe(row)`; those beyond a maximum are only counted."""
        for row in rows[:MOST_FAULTS].tolist():
            line, place = self._locate(row)
            self.add_fault(line, f"{place}{describe(row)}", expected, hint, kind=kind)
        self.unlisted_faults[kind] += max(0, len(rows) - MOST_FAULTS)

    def add_row_notice(self, rows: Ints, kind: str, message: str) -> None:
        """Add one notice for these rows, if there are any, at the place of the first one."""
        if len(rows):
            line, place = self._locate(int(rows[0]))
            many = count_things(len(rows), "row")
            self.add_notice(kind, line, f"{place}{message} ({many})", count=len(rows))

    def _locate(self, row: int) -> tuple[int | None, str]:
        """Return the line of a row and "", or None and the row as the beginning of a message."""
        return (None, f"row {row + 1}: ") if self.row_lines is None else (int(self.row_lines[row]), "")


# What stands in them


class UnusualRows(NamedTuple):
    """The rows whose cell has nothing but blanks in it, has blanks around it, or is not UTF-8."""

    missing: Ints
    padded: Ints
    garbled: Ints


class TableColumn:
    """A column that is filled block by block: an array where all cells of a block are integers, else texts.

    Texts are a list, or an Arrow array of large strings in UTF-8. number: its place among the columns of the file.
    """

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number
        self.blocks: list[Any] = []

    def add_cells(self, cells: Sequence[str]) -> None:
        """Add a block of cells: an array of integers if all of them are, else a list of texts."""
        integers = parse_integers(cells)
        self.blocks.append(list(cells) if integers is None else integers)

    def add_integers(self, values: Ints) -> None:
        """Add a block of integers."""
        self.blocks.append(values)

    def add_array(self, texts: Any) -> None:
        """Add a block of texts in Arrow, not all of them integers."""
        self.blocks.append(texts)

    @property
    def array(self) -> Any:
        """The cells as one Arrow array, if all were added as such; else None."""
        if not self.blocks or any(isinstance(block, list | np.ndarray) for block in self.blocks):
            return None
        self.blocks = [join_arrays(self.blocks)]
        return self.blocks[0]

    @cached
    def unusual(self) -> UnusualRows:
        """The rows of cells that are missing, have blanks around them, or are garbled."""
        if self.array is not None:
            return find_unusual_in_array(self.array)
        has_texts = any(not isinstance(block, np.ndarray) for block in self.blocks)
        return find_unusual(self.to_texts() if has_texts else ())

    def to_texts(self) -> list[str]:
        """Return the cells as texts."""
        return [text for block in self.blocks for text in list_texts(block)]

    def to_mentions(self) -> MentionColumn:
        """Return the cells as labels of mentions: an array where all are 64-bit integers, else Python objects."""
        if all(isinstance(block, np.ndarray) for block in self.blocks):
            return Labels(np.concatenate([NO_ROWS, *self.blocks]))
        if self.array is not None and not _has_values(self.array):
            return Texts(self.array)
        labels: list[Any] = []
        for block in self.blocks:
            if isinstance(block, np.ndarray):
                labels += block.tolist()
            else:
                labels += [parse_label(text) if text[:1] in _VALUE_BEGINS else text for text in list_texts(block)]
        if all(type(label) is int for label in labels):
            least, most = min(labels), max(labels)
            if most < 2**63 or least >= 0:
                return Labels(np.array(labels, dtype=np.int64 if most < 2**63 else np.uint64))
        return Objects(labels)

    def to_positions(self) -> Ints:
        """Return an array of the positions in a text that cells give, -1 for cells that give none."""
        blocks = [
            block
            if isinstance(block, np.ndarray)
            else [int(cell) if _POSITION.fullmatch(cell) else -1 for cell in list_texts(block)]
            for block in self.blocks
        ]
        positions = np.concatenate([NO_ROWS, *blocks])
        return np.where(positions < LIMIT, positions, -1)


class NameColumn(TableColumn):
    """A column of names, which only tell rows of this file apart: integers, numbers of names, or names in Arrow."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(name, number)
        # A name that is asked for and not yet there gets the next number.
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._is_numbered: list[bool] = []

    def add_integers(self, values: Ints, *, is_numbered: bool = False) -> None:
        """Add a block of integers, which are names themselves or, if `is_numbered`, numbers of names."""
        self.blocks.append(values)
        self._is_numbered.append(is_numbered)

    def add_cells(self, cells: Sequence[str], rows: Ints | slice = slice(None)) -> None:
        """Add cells as integers if all are, else as numbers of names; `rows`: which of `cells` each row has."""
        integers = parse_integers(cells)
        if integers is not None:
            self.add_integers(integers[rows])
        else:
            self.add_integers(self._number_names(cells)[rows], is_numbered=True)

    def _number_names(self, names: Sequence[str]) -> Ints:
        """Return the number of each name; a name that is new gets the next one."""
        return np.fromiter(map(self._numbers.__getitem__, names), np.int64, len(names))

    def add_array(self, texts: Any) -> None:
        """Add a block of names in Arrow, not all of them integers."""
        self.blocks.append(texts)
        self._is_numbered.append(True)

    @cached
    def _encoded(self) -> Any:
        """The cells as one Arrow array with a dictionary of names, if all were added as arrays; else None."""
        return None if self.array is None else self.array.dictionary_encode()

    @cached
    def labels(self) -> tuple[Ints, Sequence[str] | None]:
        """An integer for every row, and the names that these number; None where the integers are the names."""
        if self._encoded is not None:
            return self._encoded.indices.to_numpy().astype(np.int64), LazyTexts(self._encoded.dictionary)
        for place, block in enumerate(self.blocks):
            if not isinstance(block, np.ndarray):
                # The same names come again and again: it is enough to look at each once.
                coded = block.dictionary_encode()
                self.blocks[place] = self._number_names(coded.dictionary.to_pylist())[coded.indices.to_numpy()]
        blocks = [np.asarray(block) for block in self.blocks]
        if not any(self._is_numbered):
            return np.concatenate([NO_ROWS, *blocks]), None
        for place, is_numbered in enumerate(self._is_numbered):
            if not is_numbered:
                blocks[place] = self._number_names(_spell_integers(blocks[place]))
        return np.concatenate(blocks), list(self._numbers)

    @cached
    def unusual(self) -> UnusualRows:
        """The rows of cells that are missing, have blanks around them, or are garbled."""
        labels, names = self.labels
        found = find_unusual(names or ()) if self._encoded is None else find_unusual_in_array(self._encoded.dictionary)
        return UnusualRows(*(np.flatnonzero(np.isin(labels, each)) if len(each) else each for each in found))

    def find_present(self, wanted: Collection[str]) -> list[str]:
        """Return those of the names wanted, none of them an integer, that the column has."""
        names = self.labels[1]
        if names is None:
            return []
        if self._encoded is not None:
            longest = max(len(name.encode()) for name in wanted)
            first, last = ({name[place] for name in wanted} for place in (0, -1))
            rows = list_marked(self._encoded.dictionary, first="".join(first), last="".join(last), longest=longest)
            names = take_texts(self._encoded.dictionary, rows)
        present = set(names)
        return [name for name in wanted if name in present]

    def list_negative_names(self) -> list[str]:
        """Return the names that are negative integers, where not all names are integers."""
        names = self.labels[1] or []
        if self._encoded is not None:
            names = take_texts(self._encoded.dictionary, list_marked(self._encoded.dictionary, first="-"))
        return [name for name in names if name.startswith("-") and _NEGATIVE.fullmatch(name)]

    def to_texts(self) -> list[str]:
        """Return the cells as texts."""
        labels, names = self.labels
        return _spell_integers(labels) if names is None else [names[number] for number in labels.tolist()]

    def find_named(self, wanted: Collection[str]) -> Ints:
        """Return the rows whose cell is one of these names; "blank" stands for a cell with nothing in it."""
        labels, names = self.labels
        if names is None:
            return np.flatnonzero(np.isin(labels, [int(name) for name in wanted if _INTEGER.fullmatch(name)]))
        if not wanted:
            return NO_ROWS
        has_blank = _BLANK_CELL in wanted
        numbers = [n for n, name in enumerate(names) if name in wanted or (has_blank and not name.strip(BLANKS))]
        return np.flatnonzero(np.isin(labels, numbers))


def join_columns(columns: Sequence[Column]) -> Column:
    r"""Return the only column, or one whose cells are those of several joined by "/", as in a/7.

    A slash or backslash within a cell gets a backslash, so that different cells never make the same.
    """
    if len(columns) == 1:
        return columns[0]
    joined = type(columns[0])("+".join(column.name for column in columns), columns[0].number)
    parts = [[re.sub(r"[/\\]", r"\\\g<0>", text) for text in column.to_texts()] for column in columns]
    joined.add_cells(["/".join(cells) for cells in zip(*parts, strict=True)])
    return joined


def find_unusual(texts: Sequence[str]) -> UnusualRows:
    """Return three arrays of row numbers: texts that are blank, have blanks around them, or had bytes not in UTF-8."""
    edged = [row for row, text in enumerate(texts) if not text or text.strip(BLANKS) != text]
    garbled = []
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        garbled = [row for row, text in enumerate(texts) if _UNDECODED.search(text)]
    missing = [row for row in edged if not texts[row].strip(BLANKS)]
    padded = [row for row in edged if texts[row].strip(BLANKS)]
    return UnusualRows(*(np.array(rows, dtype=np.int64) for rows in (missing, padded, garbled)))


def find_unusual_in_array(array: Any) -> UnusualRows:
    """Return what `find_unusual` does of texts in Arrow, which are all in UTF-8."""
    edged = find_blank_edges(array, BLANKS)
    is_blank = np.array([not text.strip(BLANKS) for text in take_texts(array, edged)], dtype=np.bool_)
    return UnusualRows(edged[is_blank], edged[~is_blank], NO_ROWS)


def _has_values(array: Any) -> bool:
    """Return whether some text in an Arrow array spells an integer, or a list in JSON."""
    possible = list_possible_integers(array), list_marked(array, first="[", last="]")
    return any(not isinstance(parse_label(text), str) for rows in possible for text in take_texts(array, rows))


def list_texts(block: Any) -> list[str]:
    """Return the cells of a block as texts."""
    if isinstance(block, list):
        return block
    texts: list[str] = _spell_integers(block) if isinstance(block, np.ndarray) else block.to_pylist()
    return texts


def parse_integers(cells: Sequence[str]) -> Ints | None:
    """Return the integers written in cells; None if any cell is not one in plain digits of at most 64 bits."""
    if not cells:
        return NO_ROWS
    lines = "\n".join(cells) + "\n"
    if not _INTEGER_LINES.fullmatch(lines):
        return None
    values = np.fromstring(lines, dtype=np.int64, sep="\n")
    # What is beyond 64 bits becomes the largest or the smallest integer within; a cell may have had line breaks.
    return values if len(values) == len(cells) and _LEAST < values.min() <= values.max() < 2**63 - 1 else None


def parse_label(text: str) -> Hashable:
    """Return the integer, or the tuple for a JSON list, that a cell spells; else its text."""
    if _INTEGER.fullmatch(text):
        value = int(text)
        return value if _LEAST <= value <= _MOST else text
    if not text.startswith("["):
        return text
    try:
        listed = json.loads(text)
        return _to_tuple(listed) if json.dumps(listed, ensure_ascii=False) == text else text
    except (ValueError, TypeError, RecursionError):
        return text


def _to_tuple(value: Any) -> Hashable:
    """Return lists as tuples, integers and texts as they are; raises TypeError for anything else (1.0 equals 1)."""
    if type(value) is list:
        return tuple(map(_to_tuple, value))
    if type(value) not in (int, str):
        raise TypeError
    return value


def _spell_integers(integers: Ints) -> list[str]:
    """Return integers as texts."""
    return list(map(str, integers.tolist()))


# Which columns are read


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table; several of one part make one id together.

    mention: columns of labels, or of the positions `start` and `end` (`has_positions`).
    document: no columns where all rows are one document.
    is_joined: whether ids were joined to the column of their source without being asked.
    """

    mention: Sequence[TableColumn]
    entity: Sequence[NameColumn]
    document: Sequence[NameColumn]
    attributes: Sequence[TableColumn]
    has_positions: bool
    is_joined: bool = False

    @property
    def required(self) -> tuple[TableColumn, ...]:
        """The columns that need a value in every row."""
        return (*self.mention, *self.entity, *self.document)

    def __iter__(self) -> Iterator[TableColumn]:
        return iter((*self.required, *self.attributes))


KEPT = ("topic", "subtopic")
"""Columns that are attributes of mentions whether or not they are asked for."""


def choose_columns(
    names: Sequence[str], asked: Mapping[str, str], attributes: str
) -> tuple[TableColumns | None, list[tuple[str, str, str]]]:
    """Return two things: columns by asked or usual names, not filled yet (None if one is at fault), and the faults.

    asked: names by part; several columns make one id: {"mention": "source+record id"}.
    attributes: names of further columns, "type+head", or "*" for all. Positions go before labels. Where columns are
    missing or not clear, faults are returned instead: what, expected, hint.
    """
    parts, faults = _find_asked(names, asked)
    taken = {number for numbers in parts.values() for number in numbers}
    usual = {part: _find_candidates(part, names, taken) for part in NAMES}
    are_there = {"start", "end"} & asked.keys() or (usual["start"] and usual["end"])
    has_positions = bool(are_there) and "mention" not in asked
    mention = ("start", "end") if has_positions else ("mention",)
    for part in ("document", "entity", *mention):
        columns = [] if part in asked else usual[part]
        if len(columns) > 1:
            both = " and ".join(repr(names[column]) for column in columns)
            faults.append((f"{both} may both be the {part}", "one", _suggest_option(part, names[columns[0]])))
        elif columns:
            parts[part] = _find_sources(names) + columns if part == "mention" else columns
            taken.update(parts[part])
        elif part not in asked and part != "document":
            either = ", or start and end" if part == "mention" else ""
            free = [name for i, name in enumerate(names) if name and i not in taken] or names
            hint = _advise_on_layout(names) or f"{suggest_names(part, free)}; {_suggest_option(part)}"
            faults.append((f"no column for the {part}", f"{', '.join(NAMES[part])}{either}", hint))
    if "entity" not in asked and {fold_name(name) for name in names} >= _LABELLED_PAIRS:
        what = "z_cluster numbers labelled pairs here, as z_isMatch says, and not entities"
        faults.append((what, "a table of entities", _suggest_option("entity")))
    if attributes == "*":
        further = [number for number, name in enumerate(names) if name and number not in taken]
    else:
        found, unknown = find_columns(attributes, names) if attributes else ([], [])
        faults += unknown
        # What says where a document belongs is not left aside.
        groups = [number for number, name in enumerate(names) if name in KEPT and number not in taken]
        further = list(dict.fromkeys((*found, *groups)))
    if faults:
        return None, faults
    return TableColumns(
        [TableColumn(names[number], number) for part in mention for number in parts[part]],
        [NameColumn(names[number], number) for number in parts["entity"]],
        [NameColumn(names[number], number) for number in parts.get("document", ())],
        [TableColumn(names[number], number) for number in further],
        has_positions,
        is_joined="mention" not in asked and len(parts.get("mention", ())) > 1,
    ), []


def _find_asked(
    names: Sequence[str], asked: Mapping[str, str]
) -> tuple[dict[str, list[int]], list[tuple[str, str, str]]]:
    """Return numbers of the columns asked for, by part; and faults of those that are missing or asked for twice."""
    parts: dict[str, list[int]] = {}
    faults: list[tuple[str, str, str]] = []
    for part, text in asked.items():
        columns, unknown = find_columns(text, names, joined=part not in _ONE_COLUMN)
        taken = [number for numbers in parts.values() if len(numbers) == 1 for number in numbers]
        repeated = [
            number for number in columns if columns.count(number) > 1 or (len(columns) == 1 and number in taken)
        ]
        if repeated:
            faults.append((f"column {names[repeated[0]]!r} cannot be two things at once", "", ""))
        elif not unknown:
            parts[part] = columns
        elif text or part != "document":
            faults += unknown
    return parts, faults


def find_columns(
    text: str, names: Sequence[str], *, joined: bool = True
) -> tuple[list[int], list[tuple[str, str, str]]]:
    """Return numbers of columns called NAME, or NAME+NAME, [] if one is unknown; and a fault for each unknown name."""
    whole = _find_column(text, names)
    if whole is not None:
        return [whole], []
    found = {name: _find_column(name, names) for name in (text.split("+") if joined else [text])}
    unknown = [(f"no column is called {n!r}", "", suggest_names(n, names)) for n, i in found.items() if i is None]
    return [i for i in (found[name] for name in text.split("+")) if i is not None] if not unknown else [], unknown


def choose_id_columns(names: Sequence[str], asked: str | None = None) -> tuple[list[int], list[tuple[str, str, str]]]:
    """Return numbers of the columns that make a record's id, by the name asked for or usual ones; and the faults."""
    if asked is not None:
        return find_columns(asked, names)
    usual = _find_candidates("mention", names, set())
    if len(usual) == 1:
        return _find_sources(names) + usual, []
    what = " and ".join(repr(names[number]) for number in usual)
    what = f"{what} may both be the id" if usual else "no column for the id"
    return [], [(what, ", ".join(NAMES["mention"]), "say which: id=NAME")]


def _suggest_option(part: str, name: str = "NAME") -> str:
    """Return a hint how to say which column a part is."""
    option = f'{part}="{name}"' if "," in name else f"{part}={name}"
    return f"say which: --format {shlex.quote(f'table:{option}')}"


def _find_column(name: str, names: Sequence[str]) -> int | None:
    """Return the number of the column of a name, or else of the only one that differs in case; None without such."""
    name = name.strip()
    if not name:
        return None
    if name in names:
        return names.index(name)
    alike = [column for column, other in enumerate(names) if other.lower() == name.lower()]
    return alike[0] if len(alike) == 1 else None


def _find_sources(names: Sequence[str]) -> list[int]:
    """Return the number of the column that says which table a record is from, in a list; [] if there is none."""
    return [number for number, name in enumerate(names) if fold_name(name) == SOURCE][:1]


def _advise_on_layout(names: Sequence[str]) -> str:
    """Return how to read a table that has several clusterings or pairs in its columns; "" for any other."""
    wide = [name for name in names if parse_threshold(name) is not None]
    if len(wide) > 1:
        choice = f"--format {shlex.quote(f'table:entity={wide[0]}')}"
        return f"a clustering in each of several columns: choose one ({choice}), or score all with `corefeval sweep`"
    folded = {fold_name(name) for name in names}
    if any(name.endswith("_l") and f"{name[:-1]}r" in folded for name in folded):
        return "where rows are pairs of records: --format pairs"
    return ""


def parse_threshold(name: str) -> float | None:
    """Return the threshold that the name of a column of entities says, as 0.7 for cluster_p_0_7; None if it says none.

    >>> parse_threshold("cluster_p_0_95"), parse_threshold("cluster_mw_-2"), parse_threshold("cluster_id")
    (0.95, -2.0, None)
    """
    found = _THRESHOLD.fullmatch(name.strip().lower())
    return float(found[1].replace("_", ".")) if found else None


def _find_candidates(part: str, names: Sequence[str], taken: set[int]) -> list[int]:
    """Return numbers of columns, not taken yet, named as the part itself; if there is none, by another usual name."""
    alike = [column for column, name in enumerate(names) if find_part(name) == part and column not in taken]
    return [column for column in alike if names[column].lower() == part] or alike


def find_part(name: str) -> str | None:
    """Return the part of a row that a column of this name usually is, as "entity" for "Cluster ID"; None if none is."""
    return PART_OF.get(fold_name(name))


def fold_name(name: str) -> str:
    """Return a column's name in lower case with underscores between its words, as usual names are listed."""
    return _WORD_BREAKS.sub("_", name.strip().lower())


# The corpus that they make


def build_corpus(
    columns: TableColumns, diagnostics: TableDiagnostics, *, ends_excluded: bool, singletons: Collection[str]
) -> Corpus:
    """Return the corpus that columns make; raises all faults of the table.

    singletons: cluster ids whose rows are entities of one mention each, "blank" for empty cells.
    """
    alone = np.unique(np.concatenate([column.find_named(singletons) for column in columns.entity]))
    _add_cell_faults(columns, alone, diagnostics)
    if columns.has_positions:
        mentions: MentionColumn = _build_spans(columns.mention, diagnostics, ends_excluded=ends_excluded)
    else:
        mentions = join_columns(columns.mention).to_mentions()
    diagnostics.raise_faults()
    entity, entity_names = _set_apart(*join_columns(columns.entity).labels, alone)
    document, document_names = join_columns(columns.document).labels if columns.document else (None, None)
    _add_notices(columns, mentions, alone, diagnostics)
    corpus = Corpus.from_labels(mention=entity, entity=entity, document=document)
    if entity_names is not None:
        numbers = np.asarray(corpus.entity_name)
        if isinstance(entity_names, LazyTexts):
            corpus = corpus.replace(entity_name=entity_names.take(numbers))
        else:
            corpus = corpus.replace(entity_name=[entity_names[number] for number in numbers.tolist()])
    if document_names is not None:
        corpus = corpus.replace(documents=tuple(document_names[int(number)] for number in corpus.documents))
    return corpus.replace(
        mentions=mentions,
        lines=diagnostics.row_lines,
        attributes={column.name: column.to_texts() for column in columns.attributes},
        source=diagnostics.source,
        notices=diagnostics.limit_notices(),
        shared_names=None,
        of_records=True,
    )


def _set_apart(labels: Ints, names: Sequence[str] | None, alone: Ints) -> tuple[Ints, Sequence[str] | None]:
    """Return labels and names of entities in which these rows are entities of their own, "singleton 1" and so on."""
    if not len(alone):
        return labels, names
    if names is None:
        distinct, labels = np.unique(labels, return_inverse=True)
        names = _spell_integers(distinct)
    title = "singleton"
    while any(name.startswith(f"{title} ") for name in names):
        title = f"{title}_"
    labels = labels.copy()
    labels[alone] = len(names) + np.arange(len(alone))
    return labels, [*names, *(f"{title} {number}" for number in range(1, len(alone) + 1))]


def _add_cell_faults(columns: TableColumns, alone: Ints, diagnostics: TableDiagnostics) -> None:
    """Add faults of required cells that are empty, and of cells that are not UTF-8; `alone`: rows without an entity."""
    for column in columns.required:
        message, expected, hint = f"nothing in column {column.name!r}", "a value in every row", ""
        missing = column.unusual.missing
        if column in columns.entity:
            message, expected, hint = (
                f"empty cluster id in column {column.name!r}",
                "",
                _advise_on_singletons(_BLANK_CELL),
            )
            missing = np.setdiff1d(missing, alone)
        diagnostics.add_row_faults(missing, lambda _, m=message: m, expected, hint, kind="missing-value")  # type: ignore[misc]
    for column in columns:
        message, hint = f"column {column.name!r} is not UTF-8", "convert it: iconv -f LATIN1 -t UTF-8"
        diagnostics.add_row_faults(column.unusual.garbled, lambda _, m=message: m, "UTF-8", hint, kind="encoding")  # type: ignore[misc]


def _advise_on_singletons(name: str) -> str:
    """Return the advice to give each singleton its own id, or to read rows with this id as singletons."""
    return f"give each singleton its own id, or read such rows as singletons: --format table:singletons={name}"


def _build_spans(columns: Sequence[TableColumn], diagnostics: TableDiagnostics, *, ends_excluded: bool) -> Spans:
    """Return the spans of start and end; add faults of cells that are no positions, and of ends before starts."""
    hint = "where start and end are something else, name the mention: --format table:mention=NAME"
    first, behind = (column.to_positions() for column in columns)
    last = behind - ends_excluded
    for column, positions in zip(columns, (first, behind), strict=True):
        wrong = np.setdiff1d(np.flatnonzero(positions < 0), column.unusual.missing)
        texts = column.to_texts() if len(wrong) else []
        describe = lambda row, name=column.name, texts=texts: f"{name} is {texts[row][:_SHOWN]!r}"  # noqa: E731
        diagnostics.add_row_faults(wrong, describe, f"a whole number from 0 to {LIMIT - 1}", hint)
    diagnostics.add_row_faults(
        np.flatnonzero((first >= 0) & (behind >= 0) & (last < first)),
        lambda row: f"a mention from {first[row]} to {behind[row]}",
        "first word, and the one after the last" if ends_excluded else "first and last word",
        kind="mention-outside",
    )
    return Spans(first, last)


def _add_notices(columns: TableColumns, mentions: MentionColumn, alone: Ints, diagnostics: TableDiagnostics) -> None:
    """Add notices of outer blanks, unlikely names, labels such as 7.0, no rows at all; `alone`: singletons' rows."""
    for column in columns.required:
        if not columns.has_positions or column not in columns.mention:
            message = f"cells of column {column.name!r} begin or end with a blank, which is kept"
            diagnostics.add_row_notice(np.setdiff1d(column.unusual.padded, alone), "blank-kept", message)
    for column in columns.entity:
        for name, rows in _find_unlikely_names(column):
            message = f"{name!r} is taken as the name of one entity; {_advise_on_singletons(name)}"
            diagnostics.add_row_notice(np.setdiff1d(rows, alone), "unlikely-name", message)
    if columns.is_joined:
        example = f", as in {mentions.take(np.array([0])).objects()[0]}" if len(mentions) else ""
        message = f"records are named by {SOURCE} and {columns.mention[1].name} together"
        diagnostics.add_notice("joined-id", None, f"{message}{example}")
    if isinstance(mentions, Texts) and len(list_marked(mentions.array, last="0")) < len(mentions):
        pass  # and not one of them need be looked at
    elif isinstance(mentions, Objects) and all(map(_is_decimal, mentions.values)):
        label = str(mentions.values[0])
        message = f"mentions are called {label} and the like, and {label} is another label than {label[:-2]}"
        diagnostics.add_row_notice(np.arange(len(mentions)), "decimal-label", message)
    if len(mentions) == 0:
        diagnostics.add_notice("no-rows", None, "a table without rows")


def _is_decimal(label: object) -> bool:
    """Return whether a label is a text such as 7.0."""
    return isinstance(label, str) and label.endswith(".0")


def _find_unlikely_names(column: NameColumn) -> Iterator[tuple[str, Ints]]:
    """Yield names that hardly name an entity, with their rows: NULL and the like, and -1 as the only negative number.

    Programs that cluster number what is in no cluster -1.
    """
    labels, names = column.labels
    for name in column.find_present(_NO_NAMES):
        yield name, column.find_named([name])
    if names is None:
        negative = labels[labels < 0]
    else:
        negative = np.array([-1 if name == "-1" else -2 for name in column.list_negative_names()])
    if len(negative) and (negative == -1).all():
        rows = column.find_named(["-1"])
        if len(rows) > 1:
            yield "-1", rows
