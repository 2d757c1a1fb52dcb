"""The mentions in a column of a CoNLL-UA file, from the brackets in its cells.

(EntityID=4|MarkableID=markable_4|Min=8     opens a markable, with its features
)                                           closes the one opened last
markable_4)                                 closes this one
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints, invert_permutation, number_by_first_occurrence, number_values
from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Pieces, join_runs
from corefeval.formats.shared.brackets import BracketPairs, pair_brackets, split_cells
from corefeval.formats.shared.columns import copy_places, strip_places
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.ua.features import Features, FeatureTable, parse_features

if TYPE_CHECKING:
    from corefeval.formats.shared.columns import Bytes
    from corefeval.formats.ua.rows import UaWords

_UNBRACKETED = ("BRIDGING", "NOM_SEM")  # columns whose cells may also describe a mention of IDENTITY, without brackets
_EXPECTED = "brackets such as (EntityID=1|MarkableID=markable_1 and )"
_AT = b"@"[0]


class Markables(NamedTuple):
    """What a column says about mentions, by document, in the order of the text, those around others first.

    document, line: of each. word: the first one, in its document.
    first, last: of the words in it, or -1 for one without brackets; `pieces` has those of mentions with gaps.
    features: their owners are the markables.
    """

    document: Ints
    line: Ints
    word: Ints
    first: Ints
    last: Ints
    pieces: dict[int, Pieces]
    features: FeatureTable

    def get_runs(self, row: int) -> Pieces:
        """Return the runs of words in a markable; () for one without brackets."""
        if self.first[row] < 0:
            return ()
        return self.pieces.get(row) or ((int(self.first[row]), int(self.last[row])),)


class _ColumnBrackets(NamedTuple):
    """The brackets of a column in order: the number of the word, and where the text in it or before it is in `code`.

    opens, closes: both, for a mention of one word. is_cell: a cell without brackets.
    """

    code: Bytes
    word: Ints
    begin: Ints
    end: Ints
    opens: Booleans
    closes: Booleans
    is_cell: Booleans

    def read_text(self, bracket: int) -> str:
        """Return the text in a bracket, or before one that closes, by its number."""
        return self.code[self.begin[bracket] : self.end[bracket]].tobytes().decode()


class _Parts(NamedTuple):
    """Brackets that belong together, or cells without any: document, line, first word, first and last, and features."""

    document: Ints
    line: Ints
    word: Ints
    first: Ints
    last: Ints
    owner: Ints


def read_markables(words: UaWords, column: str, diagnostics: Diagnostics) -> Markables:
    """Return the markables of a column; add faults and notices."""
    brackets, malformed = _find_brackets(words, column)
    faults = [(bracket, f"{text[:40]!r} in {column}", _EXPECTED, "syntax") for bracket, text in malformed.items()]
    described = np.flatnonzero(brackets.opens | brackets.is_cell)
    features, wrong = parse_features(brackets.code, brackets.begin[described], brackets.end[described], column)
    for owner in np.flatnonzero(wrong.malformed | wrong.nameless).tolist():
        bracket = int(described[owner])
        what, expected = f"({brackets.read_text(bracket)[:60]} in {column}", "KEY=VALUE|KEY=VALUE, every key once"
        if wrong.nameless[owner]:
            what, expected = f"{what}: a mention without EntityID", "(EntityID=1|…"
        faults.append((bracket, what, expected, "syntax"))
    number = np.full(len(brackets.word), -1, dtype=np.int64)
    number[described] = np.arange(len(described))
    document = words.rows.document[brackets.word]
    pairs = _pair_brackets(document, brackets, features, number)
    for bracket in pairs.unopened.tolist():
        name = brackets.read_text(bracket).strip(" \t")
        what = f"{name}) in {column} closes a mention that was not opened"
        expected = f"(EntityID=…|MarkableID={name} before it" if name else "( before it"
        faults.append((bracket, what, expected, "unbalanced-bracket"))
    line = words.rows.row[brackets.word] + 1
    for bracket, what, expected, kind in sorted(faults, key=itemgetter(0)):
        diagnostics.add_fault(int(line[bracket]), what, expected, kind=kind)
    is_described = np.bincount(features.owner, minlength=len(described)) > 0
    for bracket in np.sort(pairs.unclosed).tolist():
        if is_described[number[bracket]]:
            listed = features.read_features(number[bracket])
            shown = "|".join(f"{key}={value}" for key, value in listed.items())[:60]
            what = f"({shown} in {column} is never closed"
            diagnostics.add_fault(int(line[bracket]), what, ") in the same document", kind="unbalanced-bracket")
    single = np.flatnonzero(brackets.opens & brackets.closes)
    opening = np.concatenate([single, pairs.opening])
    closing = np.concatenate([single, pairs.closing])[np.argsort(opening)]
    opening = np.sort(opening)
    kept = is_described[number[opening]]
    opening, closing = opening[kept], closing[kept]
    place = brackets.word - words.bounds[document]
    first, last = place[opening], place[closing]
    parts = _Parts(document[opening], line[opening], first, first, last, number[opening])
    cells = np.flatnonzero(brackets.is_cell)
    none = np.full(len(cells), -1, dtype=np.int64)
    unbracketed = _Parts(document[cells], line[cells], place[cells], none, none, number[cells])
    return _order_markables(parts, unbracketed, features, column, diagnostics)


def _find_brackets(words: UaWords, column: str) -> tuple[_ColumnBrackets, dict[int, str]]:
    """Return the brackets of a column, up to the first thing in each cell that is none; and these, by their number."""
    word, start, end = words.find_filled(column)
    page = words.rows.lines.page
    code = copy_places(page, start, end)
    if _AT in code:
        code = np.frombuffer(code.tobytes().replace(b"@(", b"(").replace(b")@", b")"), dtype=np.uint8)
    begin, end, cell, opens, closes, is_first, is_last = split_cells(code)
    is_cell = np.zeros(len(begin), dtype=np.bool_)
    malformed: dict[int, str] = {}
    kept = opens | closes
    beyond = -1
    for row in np.flatnonzero(~kept & (end > begin)).tolist():
        if row <= beyond or not (is_first[row] or code[begin[row] : end[row]].tobytes().strip(b" \t")):
            continue
        beyond = row + int(np.argmax(is_last[row:]))
        kept[row + 1 : beyond + 1] = False
        text = code[begin[row] : end[beyond]].tobytes().decode()
        kept[row] = True
        if is_first[row] and column in _UNBRACKETED and "=" in text:
            is_cell[row], end[row] = True, end[beyond]
        else:
            malformed[row] = text if is_first[row] else text.lstrip(" \t")
    number = np.cumsum(kept) - 1
    brackets = _ColumnBrackets(code, word[cell[kept]], begin[kept], end[kept], opens[kept], closes[kept], is_cell[kept])
    return brackets, {int(number[row]): text for row, text in malformed.items()}


def _pair_brackets(document: Ints, brackets: _ColumnBrackets, features: FeatureTable, number: Ints) -> BracketPairs:
    """Return which brackets belong together: a closing one to the last one opened, or to the last one of its name.

    number: which owner of features each bracket is.
    """
    rows = np.flatnonzero(brackets.opens != brackets.closes)
    closing = rows[brackets.closes[rows]]
    start, end = strip_places(brackets.code, brackets.begin[closing], brackets.end[closing], b" \t")
    is_named = np.isin(document[rows], document[closing[end > start]])
    if not is_named.any():
        return pair_brackets(document, brackets.opens, rows)
    unnamed = pair_brackets(document, brackets.opens, rows[~is_named])
    names = features.read(features.find("MarkableID"))
    pairs: list[tuple[int, int]] = []
    unopened, unclosed = [], []
    here, closed = -1, set[int]()
    stack: list[int] = []
    by_name: dict[str, list[int]] = {}
    for row in rows[is_named].tolist():
        if document[row] != here:
            unclosed += [bracket for bracket in stack if bracket not in closed]
            here, stack, by_name = document[row], [], {}
        if brackets.opens[row]:
            stack.append(row)
            by_name.setdefault(names[number[row]], []).append(row)
            continue
        name = brackets.read_text(row).strip(" \t")
        candidates = by_name.get(name, []) if name else stack
        while candidates and candidates[-1] in closed:
            candidates.pop()
        if candidates:
            closed.add(candidates[-1])
            pairs.append((candidates.pop(), row))
        else:
            unopened.append(row)
    unclosed += [bracket for bracket in stack if bracket not in closed]
    opening, closing = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    named = opening, closing, np.array(unopened, dtype=np.int64), np.array(unclosed, dtype=np.int64)
    return BracketPairs(*map(np.append, unnamed, named))


def _order_markables(
    parts: _Parts, unbracketed: _Parts, features: FeatureTable, column: str, diagnostics: Diagnostics
) -> Markables:
    """Return markables of parts, those with the same name being one, and of cells without brackets, in order."""
    group = _group_parts(parts, features, column)
    count, more = int(group.max(initial=-1)) + 1, len(unbracketed.owner)
    document, line, word, first, last = (np.append(np.zeros(count, dtype=np.int64), each) for each in unbracketed[:5])
    for whole, part in zip((document, line, word, first, last), parts[:5], strict=True):
        whole[group[::-1]] = part[::-1]
    until = np.where(last >= 0, last, 0)
    pieces: dict[int, Pieces] = {}
    by_group = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[by_group], np.arange(count + 1))
    several = np.flatnonzero(np.diff(bounds) > 1).tolist()
    listed = features.list_features() if several else []
    for number in several:
        rows = by_group[bounds[number] : bounds[number + 1]]
        runs = _join_parts(parts, rows, listed, column, diagnostics)
        word[number] = first[number] = runs[0][0]
        last[number], until[number] = runs[-1][1], runs[0][1]
        if len(runs) > 1:
            pieces[number] = runs
    order = np.lexsort((-until, word, document))
    place = invert_permutation(order)
    owner = np.full(features.size, -1, dtype=np.int64)
    owner[parts.owner] = place[group]
    owner[unbracketed.owner] = place[count:]
    return Markables(
        document[order],
        line[order],
        word[order],
        first[order],
        last[order],
        {int(place[number]): runs for number, runs in pieces.items()},
        features.renumber(owner, count + more),
    )


def _group_parts(parts: _Parts, features: FeatureTable, column: str) -> Ints:
    """Return numbers, by first occurrence, equal for parts of the same markable: those of the same MarkableID.

    For an anaphor with several anchors in BRIDGING, all features must be the same.
    """
    pair = features.find("MarkableID")[parts.owner]
    named = np.flatnonzero(pair >= 0)
    keys = -1 - np.arange(len(pair))
    if column == "BRIDGING":
        listed = features.list_features()
        common: list[Hashable] = [tuple(listed[owner].items()) for owner in parts.owner[named].tolist()]
    else:
        common = list(features.read(pair[named]))
    names, number = number_values(common)
    keys[named] = parts.document[named] * len(names) + number
    return number_by_first_occurrence(keys)[1]


def _join_parts(
    parts: _Parts, rows: Ints, features: Sequence[Features], column: str, diagnostics: Diagnostics
) -> Pieces:
    """Return the runs of words of one markable, given its parts; add faults and notices of parts at odds.

    features: those of every owner.
    """
    described = [features[owner] for owner in parts.owner[rows].tolist()]
    name, entity = described[0]["MarkableID"], described[0].get("EntityID")
    for row, other in zip(rows.tolist(), described, strict=True):
        if other.get("EntityID") != entity:
            what = f"{name} in {column} is of entity {entity} and of {other.get('EntityID')}"
            expected = "a MarkableID of its own for every mention"
            diagnostics.add_fault(int(parts.line[row]), what, expected, kind="mention-twice")
    ordered = rows[np.argsort(parts.first[rows], kind="stable")]
    reach = -1
    for row in ordered.tolist():
        if parts.first[row] <= reach:
            message = f"brackets of {name!r} in {column} overlap and are read as one"
            diagnostics.add_notice("overlapping-parts", int(parts.line[row]), message)
        reach = max(reach, int(parts.last[row]))
    return join_runs(zip(parts.first[ordered].tolist(), parts.last[ordered].tolist(), strict=True))
