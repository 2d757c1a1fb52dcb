"""What brackets say of mentions: `EntityID=4|MarkableID=markable_4|Min=8`, as columns of keys and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints, number_values
from corefeval._lazy import LazyMapping, NamedTuple
from corefeval.formats.shared.columns import decode_places, read_texts, strip_places
from corefeval.formats.ua.columns import KEYS

if TYPE_CHECKING:
    from corefeval.formats.shared.columns import Bytes

Features = dict[str, str]

_BAR, _EQUALS = b"|="


class FeatureTable(NamedTuple):
    """Pairs of key and value, by rising owner: the number of what they describe, of which there are `size`.

    key: which of `keys`; begin, end: where the value is in `code`.
    """

    code: Bytes
    keys: list[str]
    size: int
    owner: Ints
    key: Ints
    begin: Ints
    end: Ints

    def find(self, key: str) -> Ints:
        """Return for each owner the number of its pair with a key; -1 for none."""
        found = np.full(self.size, -1, dtype=np.int64)
        if key in self.keys:
            rows = np.flatnonzero(self.key == self.keys.index(key))
            found[self.owner[rows]] = rows
        return found

    def read(self, rows: Ints) -> list[str]:
        """Return the values of pairs with these numbers, "" for -1."""
        return read_texts(self.code, self.begin, self.end, rows)

    def read_features(self, owner: int) -> Features:
        """Return the values of one owner by key."""
        rows = np.arange(*np.searchsorted(self.owner, [owner, owner + 1]))
        values = decode_places(self.code, self.begin[rows], self.end[rows])
        return dict(zip((self.keys[key] for key in self.key[rows].tolist()), values, strict=True))

    def list_features(self) -> list[Features]:
        """Return the values of every owner by key."""
        listed: list[Features] = [{} for _ in range(self.size)]
        values = decode_places(self.code, self.begin, self.end)
        for owner, key, value in zip(self.owner.tolist(), self.key.tolist(), values, strict=True):
            listed[owner][self.keys[key]] = value
        return listed

    def select(self, rows: Ints | Booleans) -> FeatureTable:
        """Return some of the pairs."""
        return self._replace(owner=self.owner[rows], key=self.key[rows], begin=self.begin[rows], end=self.end[rows])

    def renumber(self, number: Ints, count: int) -> FeatureTable:
        """Return the pairs of owners that have a new number, -1 for none; of an owner's values for a key the first."""
        owner = number[self.owner]
        rows = np.argsort(owner, kind="stable")
        rows = rows[np.searchsorted(owner[rows], 0) :]
        if np.bincount(number[number >= 0]).max(initial=0) > 1:
            pair = owner[rows] * len(self.keys) + self.key[rows]
            rows = rows[np.sort(np.unique(pair, return_index=True)[1])]
        return self.select(rows)._replace(owner=owner[rows], size=count)

    def make_attributes(self) -> Mapping[str, Sequence[str]]:
        """Return lazy columns of values by key, in the order of the first values."""
        first = np.unique(self.key, return_index=True)[1]
        names = [self.keys[key] for key in self.key[np.sort(first)].tolist()]
        return LazyMapping({name: partial(self._read_column, name) for name in names})

    def _read_column(self, key: str) -> list[str]:
        """Return for each owner the value of a key, "" for none."""
        return self.read(self.find(key))


class FeatureFaults(NamedTuple):
    """Which owners are malformed, and which others have no EntityID where they must; neither have any features."""

    malformed: Booleans
    nameless: Booleans


def parse_features(code: Bytes, start: Ints, end: Ints, column: str) -> tuple[FeatureTable, FeatureFaults]:
    """Return the features at some places, which rise and do not overlap, and what is wrong with them.

    The places are their owners. Keys are spelled as usual; those without a value are left out.
    """
    bars = np.flatnonzero(code == _BAR)
    owner = np.searchsorted(start, bars, side="right") - 1
    bars = bars[(owner >= 0) & (bars < end[owner])] if len(start) else bars[:0]
    begin = np.sort(np.append(start, bars + 1))
    owner = np.searchsorted(start, begin, side="right") - 1
    stop = np.minimum(np.append(bars, len(code))[np.searchsorted(bars, begin)], end[owner])
    begin, stop = strip_places(code, begin, stop, b" \t")
    equals = np.append(np.flatnonzero(code == _EQUALS), len(code))
    sign = equals[np.searchsorted(equals, begin)]
    is_written = stop > begin
    is_pair = (sign < stop) & (sign > begin)
    malformed = np.bincount(owner[is_written], minlength=len(start)) == 0
    malformed[owner[is_written & ~is_pair]] = True
    owner, begin, sign, stop = (each[is_pair] for each in (owner, begin, sign, stop))
    spellings, number = number_values(decode_places(code, begin, sign))
    keys, usual = number_values(KEYS[column].get(key.lower(), key) for key in spellings)
    key = usual[number]
    pairs, times = np.unique(owner * max(1, len(keys)) + key, return_counts=True)
    malformed[pairs[times > 1] // max(1, len(keys))] = True
    filled = (stop > sign + 1) & ~malformed[owner]
    table = FeatureTable(code, keys, len(start), owner, key, sign + 1, stop).select(filled)
    nameless = np.zeros(len(start), dtype=np.bool_)
    if "entityid" in KEYS[column]:
        nameless = ~malformed & (table.find("EntityID") < 0)
        table = table.select(~nameless[table.owner])
    return table, FeatureFaults(malformed, nameless)
