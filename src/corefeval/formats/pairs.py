"""Pairs of records, labelled as matches or with scores: CSV, TSV, Parquet, Arrow.

    id_l,id_r,match               unique_id_l,unique_id_r,match_probability
    17,18,1                       17,18,0.98
    17,23,0                       18,23,0.41

Entities are the transitive closure of the pairs that match: where a matches b and b matches c, all three are one
entity. Pairs that are labelled as no match although other matches join their records are counted in a warning.

The two records of a pair are in columns whose names differ in their side only: `id_l` and `id_r`, `unique_id_left` and
`unique_id_right`, `left_id` and `right_id`, `id1` and `id2`, `left` and `right`; other names are given as options:
"pairs:left=from,right=to". Several columns make one id, "left=source_l+id_l,right=source_r+id_r", and those called
source_dataset_l and source_dataset_r are joined to the ids by themselves, as in tables: crm/17.

Labels are in `match` (or is_match, label, clerical_match_score): 1 and 0, true and false, yes and no, "match" and
"distinct"; a number between is a match from 0.5 on. Pairs without a label, or with "unsure", are left aside and
counted. Scores are in `match_probability` (or probability, score, similarity, confidence, match_weight, weight), and
need the least score of a match: "pairs:threshold=0.9". `corefeval sweep` scores all thresholds at once. Where a file
has both, the labels are read, unless "score=COLUMN" asks for the scores.

A record that is in no pair is not known. "records=all.csv" names a table of all records, in which they have a column of
ids under one of its usual names or "id=COLUMN"; those in no pair are then singletons.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from corefeval._arrays import Booleans, Floats, Ints, number_by_first_occurrence
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import MentionColumn, join_columns, number_mentions
from corefeval.errors import Fault, InputError, OptionError, check_choice, suggest_names
from corefeval.formats.base import File
from corefeval.formats.table import columns as table_columns
from corefeval.formats.table.columns import TableColumn, TableDiagnostics, list_texts
from corefeval.formats.table.pair_names import LABELS, SCORES, find_named, find_sides
from corefeval.formats.table.reading import find_separator, read_columns, split_header
from corefeval.notices import Notice, count_part, count_things

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "OPTION_NAMES", "SUFFIXES", "TITLE", "read", "recognise"]

TITLE = "Pairs of records, labelled as matches or with scores: CSV, TSV, Parquet, Arrow"
EXAMPLE = """id_l,id_r,match
17,18,1
17,23,0"""
SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
COMPANIONS = ()
CAPACITY = None
OPTION_NAMES = {"id_l": "left", "id_r": "right", "label": "match"}

_WORDS = {
    **dict.fromkeys(("true", "t", "yes", "y", "match", "matched", "same"), 1.0),
    **dict.fromkeys(("false", "f", "no", "n", "distinct", "non-match", "nonmatch", "no match", "different"), 0.0),
    **dict.fromkeys(("", "unsure", "unknown", "null", "none", "nan", "na"), math.nan),
}
"""What labels mean that are no numbers: match, no match, or neither."""

_MATCH = 0.5  # the label from which on a pair is a match


@dataclass(frozen=True, slots=True, eq=False)
class RecordPairs:
    """Pairs of records with a number each: a score, or a label between 0 and 1.

    records: the different records, in the order in which they first occur.
    left, right: for every pair its two records, by their place in `records`.
    lines: the line of every pair in its file; None if that has no lines.
    """

    records: MentionColumn
    left: Ints
    right: Ints
    value: Floats
    is_labelled: bool
    source: str = ""
    notices: tuple[Notice, ...] = ()
    lines: Ints | None = None

    def describe(self, pair: int) -> str:
        """Return a pair as text: 17 and 23."""
        both = self.records.take(np.array([self.left[pair], self.right[pair]])).objects()
        return " and ".join(map(str, both))


@dataclass(frozen=True, slots=True)
class PairColumns:
    """The columns of a table of pairs; several of one side make one id together."""

    left: Sequence[TableColumn]
    right: Sequence[TableColumn]
    value: TableColumn
    is_labelled: bool

    @property
    def attributes(self) -> Sequence[TableColumn]:
        """The columns that are read as text."""
        return (self.value,)

    def __iter__(self) -> Iterator[TableColumn]:
        return iter((*self.left, *self.right, self.value))


@dataclass(frozen=True, slots=True)
class _IdColumns:
    """The columns of a table of records that make their ids."""

    mention: Sequence[TableColumn]
    attributes: Sequence[TableColumn] = ()

    def __iter__(self) -> Iterator[TableColumn]:
        return iter(self.mention)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning has pairs, by a first row of known names; "" if not."""
    for names in split_header(beginning):
        sides = find_sides(names)
        value = find_named(LABELS, names) or find_named(SCORES, names)
        if len(sides) == 1 and value:
            left, right = (names[each[-1]] for each in sides[0])
            return f"a first row with the columns {left}, {right} and {names[value[0]]}"
    return ""


def read(
    file: File,
    *,
    left: str | None = None,
    right: str | None = None,
    match: str | None = None,
    score: str | None = None,
    threshold: str | None = None,
    records: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option
    separator: str | None = None,
    quotes: str = "yes",
) -> Corpus:
    """Return the corpus of a file of pairs: the closure of those that match; options as above; raises InputError."""
    least = None if threshold is None else parse_number("threshold", threshold)
    pairs = read_pairs(
        file, left=left, right=right, match=match, score=score, separator=separator, quotes=quotes
    )  # fmt: skip
    if least is None and not pairs.is_labelled:
        hint = "give it (--format pairs:threshold=0.5), or score all thresholds with `corefeval sweep`"
        raise InputError(Fault(file.name, "pairs with scores", "the least score of a match", hint, kind="threshold"))
    others = None if records is None else _read_records(file, records, id, separator, quotes=quotes == "yes")
    return close_pairs(pairs, _MATCH if least is None else least, others)


def read_pairs(
    file: File,
    *,
    left: str | None = None,
    right: str | None = None,
    match: str | None = None,
    score: str | None = None,
    separator: str | None = None,
    quotes: str = "yes",
    prefer_scores: bool = False,
) -> RecordPairs:
    """Return the pairs of a file in memory, scored or labelled; raises InputError with all faults.

    prefer_scores: where the file has both scores and labels, and neither is asked for, read the scores.
    """
    check_choice("quotes", quotes, ("yes", "no"))
    if match is not None and score is not None:
        raise OptionError("a pair has a label (match=) or a score (score=), not both")
    if (left is None) != (right is None):
        raise OptionError("left= and right= are given together")
    separator = None if separator is None else find_separator(separator)
    asked = {"left": left, "right": right, "match": match, "score": score}
    choose = partial(
        choose_pair_columns, asked={k: v for k, v in asked.items() if v is not None}, prefer_scores=prefer_scores
    )  # fmt: skip
    diagnostics = TableDiagnostics(file.name)
    columns = read_columns(file.data, choose, diagnostics, separator, quotes=quotes == "yes")
    _add_missing_faults((*columns.left, *columns.right), diagnostics)
    values = _parse_values(columns.value, diagnostics, is_labelled=columns.is_labelled)
    diagnostics.raise_faults()
    sides = [table_columns.join_columns(side).to_mentions() for side in (columns.left, columns.right)]
    unlabelled = np.isnan(values)
    message = f"pairs without a label in column {columns.value.name!r} are left aside"
    diagnostics.add_row_notice(np.flatnonzero(unlabelled), "unlabelled-pair", message)
    if not len(values):
        diagnostics.add_notice("no-rows", None, "a table without rows")
    return make_pairs(
        sides[0],
        sides[1],
        values,
        is_labelled=columns.is_labelled,
        source=file.name,
        notices=diagnostics.limit_notices(),
        lines=diagnostics.row_lines,
    )


def make_pairs(
    left: MentionColumn,
    right: MentionColumn,
    value: Floats,
    *,
    is_labelled: bool,
    source: str = "",
    notices: tuple[Notice, ...] = (),
    lines: Ints | None = None,
) -> RecordPairs:
    """Return pairs, given columns of the records on both sides and of numbers; those whose number is NaN are left out.

    Records of pairs that are left out stay.
    """
    zeros = np.zeros(len(left), dtype=np.int64)
    numbers = np.concatenate(number_mentions(left, right, zeros, zeros))
    distinct, place = number_by_first_occurrence(numbers)
    first = np.full(len(distinct), len(numbers), dtype=np.int64)
    np.minimum.at(first, place, np.arange(len(numbers)))
    kept = ~np.isnan(value)
    return RecordPairs(
        join_columns([left, right]).take(first),
        place[: len(left)][kept],
        place[len(left) :][kept],
        value[kept],
        is_labelled,
        source,
        notices,
        None if lines is None else lines[kept],
    )


def close_pairs(pairs: RecordPairs, threshold: float, others: MentionColumn | None = None) -> Corpus:
    """Return a corpus of one document whose entities are the closure of the pairs from a threshold on.

    others: all records, of which those in no pair are singletons; None: nothing is known of such.
    """
    matches = pairs.value >= threshold
    entity = find_components(pairs.left[matches], pairs.right[matches], len(pairs.records))
    contradicted = find_contradictions(pairs, matches, entity)
    records, notices = pairs.records, [*pairs.notices]
    if others is not None:
        records, entity = add_singletons(records, entity, others)
    else:
        some = count_part(int(matches.sum()), len(matches), "pair")
        unknown = "records in no pair are not known: pairs:records=FILE adds them as singletons"
        closure = f"entities are the transitive closure of {some}; {unknown}"
        notices.append(Notice.at("closure", pairs.source, None, closure, {"count": int(matches.sum())}))
    if pairs.is_labelled and len(contradicted):
        notices.append(_make_contradiction_notice(pairs, contradicted))
    corpus = Corpus.from_labels(mention=entity, entity=entity)
    return corpus.replace(mentions=records, source=pairs.source, notices=tuple(notices), of_records=True)


def find_components(left: Ints, right: Ints, records: int) -> Ints:
    """Return for every record the number of its entity in the closure of pairs of records."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - loaded when needed
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    graph = csr_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(records, records))
    entity: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
    return entity


def find_contradictions(pairs: RecordPairs, matches: Booleans, entity: Ints) -> Ints:
    """Return which pairs are no match although the closure has their records in one entity."""
    return np.flatnonzero(~matches & (entity[pairs.left] == entity[pairs.right]))


def _make_contradiction_notice(pairs: RecordPairs, contradicted: Ints) -> Notice:
    """Return the notice of labels that the closure of the matches contradicts, with examples."""
    shown = ", ".join(pairs.describe(pair) for pair in contradicted[:3].tolist())
    more = ", ..." if len(contradicted) > 3 else ""
    fate = "is labelled as no match although matches join its records", "are labelled as no match although matches join"
    message = f"{count_things(len(contradicted), 'pair', fate[0], f'{fate[1]} their records')}: {shown}{more}"
    line = None if pairs.lines is None else int(pairs.lines[contradicted[0]])
    return Notice.at("contradicted-label", pairs.source, line, message, {"count": len(contradicted)})


def add_singletons(records: MentionColumn, entity: Ints, others: MentionColumn) -> tuple[MentionColumn, Ints]:
    """Return records and their entities with those of `others` that are none of them, each an entity of its own."""
    zeros = [np.zeros(len(each), dtype=np.int64) for each in (records, others)]
    known, asked = number_mentions(records, others, *zeros)
    distinct, first = np.unique(asked, return_index=True)
    new = np.sort(first[~np.isin(distinct, known)])
    fresh = int(entity.max(initial=-1)) + 1 + np.arange(len(new))
    return join_columns([records, others.take(new)]), np.concatenate([entity, fresh])


# Which columns are read, and what stands in them


def choose_pair_columns(
    names: Sequence[str], asked: Mapping[str, str], *, prefer_scores: bool
) -> tuple[PairColumns | None, list[tuple[str, str, str]]]:
    """Return two things: the columns of a table of pairs, not filled yet (None if one is at fault), and the faults."""
    faults: list[tuple[str, str, str]] = []
    sides: list[tuple[list[int], list[int]]] = []
    if "left" in asked:
        found = [table_columns.find_columns(asked[side], names) for side in ("left", "right")]
        faults += [fault for _, each in found for fault in each]
        sides = [(found[0][0], found[1][0])]
    else:
        sides = find_sides(names)
        if len(sides) != 1:
            which = " or ".join(f"{names[a[-1]]} and {names[b[-1]]}" for a, b in sides)
            what = f"{which} may be the two records" if sides else "no columns for the two records"
            option = "--format pairs:left=NAME,right=NAME"
            faults.append((what, "two names that differ in their side, such as id_l and id_r", f"say which: {option}"))
    is_labelled, value = _choose_value(names, asked, prefer_scores=prefer_scores)
    if value is None:
        written = asked.get("match") or asked.get("score")
        what = f"no column is called {written!r}" if written else "no column for the label or the score"
        usual = "" if written else f"{', '.join(LABELS)}; {', '.join(SCORES)}"
        faults.append((what, usual, suggest_names(written or "score", names)))
    if faults or value is None:
        return None, faults
    left, right = ([TableColumn(names[number], number) for number in side] for side in sides[0])
    return PairColumns(left, right, TableColumn(names[value], value), is_labelled), []


def _choose_value(names: Sequence[str], asked: Mapping[str, str], *, prefer_scores: bool) -> tuple[bool, int | None]:
    """Return whether pairs are labelled, and the number of the column of labels or scores; None if there is none."""
    for part in ("match", "score"):
        if part in asked:
            found, _ = table_columns.find_columns(asked[part], names)
            return part == "match", found[0] if found else None
    labels, scores = find_named(LABELS, names), find_named(SCORES, names)
    is_labelled = bool(labels) and not (prefer_scores and scores)
    return is_labelled, next(iter(labels if is_labelled else scores), None)


def _parse_values(column: TableColumn, diagnostics: TableDiagnostics, *, is_labelled: bool) -> Floats:
    """Return the numbers of a column of labels (NaN for none) or scores; add faults of cells that are none."""
    parse = _parse_label if is_labelled else _parse_score
    blocks = [
        block if isinstance(block, np.ndarray) else _parse_block(list_texts(block), parse) for block in column.blocks
    ]
    values = np.concatenate([np.zeros(0), *blocks])
    if is_labelled:
        is_wrong = (values < 0) | (values > 1) | np.isinf(values)
        expected = "1 or 0, true or false, yes or no, match or distinct, or a number between 0 and 1"
    else:
        is_wrong, expected = ~np.isfinite(values), "a finite number"
    wrong = np.flatnonzero(is_wrong)
    texts = column.to_texts() if len(wrong) else []
    name = column.name
    diagnostics.add_row_faults(wrong, lambda row: f"{name} is {texts[row][:40]!r}", expected)
    return values


def _parse_block(cells: list[str], parse: Callable[[str], float]) -> Floats:
    """Return the numbers of some cells, each parsed by itself where not all are plain numbers."""
    try:
        return np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return np.array(list(map(parse, cells)), dtype=np.float64)


def _parse_label(cell: str) -> float:
    """Return the number that a label is or means, NaN for no label, infinity for what is no label."""
    word = cell.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    try:
        return float(word)
    except ValueError:
        return math.inf


def _parse_score(cell: str) -> float:
    """Return a score, NaN for what is none."""
    try:
        return float(cell)
    except ValueError:
        return math.nan


def parse_number(option: str, text: str) -> float:
    """Return the finite number that an option's value spells; an OptionError if it is none."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(f"{option}={text}: expected a number")
    return number


def _read_records(file: File, path: str, name: str | None, separator: str | None, *, quotes: bool) -> MentionColumn:
    """Return the ids in a table of records; an InputError if it is missing or has no column of ids."""
    data = file.elsewhere(path)
    if data is None:
        raise InputError(Fault(path, "no such file", "a table of all records", kind="missing-file"))
    return read_ids(path, data, name, separator, quotes=quotes)


def read_ids(
    source: str, data: bytes, name: str | None = None, separator: str | None = None, *, quotes: bool = True
) -> MentionColumn:
    """Return the ids of a table of records in memory, in its column `name` or a usual one; an InputError for faults."""
    diagnostics = TableDiagnostics(source)
    separator = None if separator is None else find_separator(separator)
    columns = read_columns(data, partial(_choose_ids, asked=name), diagnostics, separator, quotes=quotes)
    _add_missing_faults(columns, diagnostics)
    diagnostics.raise_faults()
    return table_columns.join_columns(columns.mention).to_mentions()


def _add_missing_faults(columns: Iterable[TableColumn], diagnostics: TableDiagnostics) -> None:
    """Add a fault for each empty cell of these columns."""
    for column in columns:
        what = f"nothing in column {column.name!r}"
        diagnostics.add_row_faults(
            column.unusual.missing, partial(_describe_row, what), "a value in every row", kind="missing-value"
        )


def _describe_row(what: str, row: int) -> str:  # noqa: ARG001 - it is the same in every row
    """Return what is wrong with a row."""
    return what


def _choose_ids(names: Sequence[str], asked: str | None) -> tuple[_IdColumns | None, list[tuple[str, str, str]]]:
    """Return the columns of records' ids, not filled yet, by the name asked for or by usual names; and faults."""
    numbers, faults = table_columns.choose_id_columns(names, asked)
    return (None, faults) if faults else (_IdColumns([TableColumn(names[n], n) for n in numbers]), [])
