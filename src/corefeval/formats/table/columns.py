"""The columns of a table, each with what it keeps of its cells, and which of them are unusual."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval.corpus.mentions import Labels, Objects
from corefeval.errors import MOST_FAULTS
from corefeval.formats.table.cells import INTEGER, NONE, label

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.mentions import MentionColumn
    from corefeval.formats.table.cells import Part

LIMIT = 2**31
"""No text has as many words."""

_UNUSUAL = ("missing", "edged", "garbled")
_SHOWN = 40  # characters of a cell in a message


class Column:
    """A column, and what is unusual about its cells, by row; subclasses keep the cells."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.length = 0
        self._rows: dict[str, list[Ints]] = {kind: [] for kind in (*_UNUSUAL, "wrong")}

    def add(self, part: Part) -> None:
        """Take some more cells."""
        for kind in _UNUSUAL:
            self._remember(kind, getattr(part, kind))
        self.keep(part)
        self.length += len(part)

    def keep(self, part: Part) -> None:
        """Keep the cells."""
        raise NotImplementedError

    def _remember(self, kind: str, rows: Ints) -> None:
        if len(rows):
            self._rows[kind].append(rows + self.length)

    def rows(self, kind: str) -> Ints:
        """The rows that are "missing", "edged", "garbled", or "wrong" for the column."""
        return np.concatenate([NONE, *self._rows[kind]])


class LabelColumn(Column):
    """Labels that are compared with those of other files."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._parts: list[Ints | list[Hashable]] = []

    def keep(self, part: Part) -> None:
        """Keep the cells."""
        if part.integers is not None:
            self._parts.append(part.integers)
            return
        labels: list[Hashable] = list(part.texts)
        for row in part.maybe.tolist():
            labels[row] = label(part.texts[row])
        self._parts.append(labels)

    def mentions(self) -> MentionColumn:
        """Integers as an array; a column with text in it as Python objects."""
        parts, self._parts = self._parts, []
        arrays = [each for each in parts if isinstance(each, np.ndarray)]
        if len(arrays) == len(parts):
            return Labels(_joined(arrays))
        listed: list[Any] = []
        for each in parts:
            listed.extend(each.tolist() if isinstance(each, np.ndarray) else each)
        if all(type(each) is int for each in listed):
            least, most = min(listed), max(listed)
            if most < 2**63 or least >= 0:
                return Labels(np.array(listed, dtype=np.int64 if most < 2**63 else np.uint64))
        return Objects(listed)


class NameColumn(Column):
    """Names that only tell rows of this file apart."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._parts: list[Ints] = []
        self._coded: list[bool] = []
        # A name that is asked for and not yet there gets the next number.
        self._number: defaultdict[str, int] = defaultdict()
        self._number.default_factory = self._number.__len__

    def keep(self, part: Part) -> None:
        """Keep the cells: integers, or the numbers of names."""
        self._coded.append(part.integers is None)
        self._parts.append(self._numbered(part.texts) if part.integers is None else part.integers)

    def add_coded(self, distinct: Part, row: Ints) -> None:
        """Take some more cells, each given by its place among those that are distinct."""
        for kind in _UNUSUAL:
            unusual: Ints = getattr(distinct, kind)
            if len(unusual):
                self._remember(kind, np.flatnonzero(np.isin(row, unusual)))
        self._coded.append(distinct.integers is None)
        names = self._numbered(distinct.texts) if distinct.integers is None else distinct.integers
        self._parts.append(names[row])
        self.length += len(row)

    def _numbered(self, names: Sequence[str]) -> Ints:
        return np.fromiter(map(self._number.__getitem__, names), np.int64, len(names))

    def labels(self) -> tuple[Ints, list[str] | None]:
        """An integer for every row, and the names that they number, unless they are names themselves."""
        coded = any(self._coded)
        for place, is_coded in enumerate(self._coded):
            if coded and not is_coded:
                self._parts[place] = self._numbered(list(map(str, self._parts[place].tolist())))
        self._parts, self._coded = [_joined(self._parts)], [coded]
        return self._parts[0], list(self._number) if coded else None

    def rows_of(self, names: Sequence[str]) -> dict[str, Ints]:
        """Where some names are."""
        numbers = {name: self._number[name] for name in names if name in self._number}
        labels = self.labels()[0] if numbers else NONE
        return {name: np.flatnonzero(labels == number) for name, number in numbers.items()}


class PlaceColumn(Column):
    """Positions in a text: integers from 0 on."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._parts: list[Ints] = []
        self.shown: dict[int, str] = {}
        """What stands in the first of the wrong rows."""

    def keep(self, part: Part) -> None:
        """Keep the cells; -1 for what is no position."""
        texts = part.texts
        if part.integers is None:
            found = [int(text) if INTEGER.fullmatch(text) else -1 for text in texts]
            places = np.array([each if each < LIMIT else -1 for each in found], dtype=np.int64)
        else:
            places = part.integers
        wrong = np.setdiff1d(np.flatnonzero((places < 0) | (places >= LIMIT)), part.missing)
        self._remember("wrong", wrong)
        for row in wrong[: MOST_FAULTS - len(self.shown)].tolist():
            self.shown[row + self.length] = texts[row][:_SHOWN] if texts else str(places[row])
        self._parts.append(places)

    def places(self) -> Ints:
        """The positions."""
        return _joined(self._parts)


class TextColumn(Column):
    """Whatever stands there."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.texts: list[str] = []

    def keep(self, part: Part) -> None:
        """Keep the cells."""
        self.texts.extend(part.texts if part.integers is None else map(str, part.integers.tolist()))


def _joined(parts: list[Ints]) -> Ints:
    """One array of several, which are let go."""
    joined = np.concatenate([NONE, *parts])
    parts.clear()
    return joined
