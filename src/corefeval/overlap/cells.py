"""The cells of the table: pairs of entities that share mentions, and how much each pair counts in a formula.

Most cells count whole mentions. Other kinds answer the same questions differently, so that a formula is written once:
where a mention is in several entities, where mentions overlap only, and where a split antecedent is shared in part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from corefeval._arrays import Array, Booleans, Floats, Ints, np
from corefeval._lazy import Frozen


class Cells(Frozen):
    """For every pair of entities that share mentions, ordered by key entity: the two, and how many they share (n).

    more: the columns that a subclass has besides.
    """

    key: Ints
    response: Ints
    n: Array

    def __init__(self, key: Ints, response: Ints, n: Array, **more: Array) -> None:
        self.__dict__.update(key=key, response=response, n=n, **more)

    @property
    def spanning_links(self) -> Array:
        """The spanning links of each cell, as many as join the mentions that its entities share: n - 1."""
        return self.n - 1

    @property
    def together(self) -> Array:
        """B³'s credits of each cell: each of its n shared mentions is together with n of them, itself included."""
        return self.n * self.n

    @property
    def doubled_pairs(self) -> Array:
        """Twice the number of pairs of shared mentions of each cell: n (n - 1)."""
        return self.n * (self.n - 1)

    @property
    def worth(self) -> Array:
        """What the shared mentions of each cell are worth to CEAF: one each, unless some overlap only."""
        return self.n

    def mirror(self) -> Self:
        """Return the same cells, in the same order, with key and response in each other's place."""
        return type(self)(**vars(self) | {"key": self.response, "response": self.key})

    def select(self, kept: Booleans, key: Ints, response: Ints) -> Self:
        """Return only the cells for which `kept` is true, with entities renumbered: key entity i becomes `key[i]`."""
        columns = {name: column[kept] for name, column in vars(self).items()}
        return type(self)(**columns | {"key": key[columns["key"]], "response": response[columns["response"]]})

    def add_whole_mentions(self, key: Ints, response: Ints) -> Self:
        """Return these cells and one more, of one whole mention, for each (key[i], response[i]), sorted by key."""
        order = np.argsort(np.concatenate([self.key, key]), kind="stable")
        added = dict.fromkeys(vars(self), np.ones(len(key), dtype=np.int64)) | {"key": key, "response": response}
        return type(self)(**{name: np.concatenate([column, added[name]])[order] for name, column in vars(self).items()})


class CreditedCells(Cells):
    """Cells in which B³ credits each shared mention with `credit` others, as some of them are in several entities."""

    credit: Ints

    @property
    def together(self) -> Array:
        """B³'s credits of each cell: n times the credit of a mention."""
        return self.n * self.credit


class PartialCells(Cells):
    """Cells of mentions of which some only overlap, so that what they share is worth less than n."""

    partial: Floats

    @property
    def worth(self) -> Array:
        """What the shared mentions of each cell are worth to CEAF: less than n where some overlap only."""
        return self.partial


class SplitCells(Cells):
    """Cells in which a `part` of n is no mention, but a split antecedent that both sides share in part.

    unlinked: how many of a cell's links do not count in full, to a scorer that counts some in part.
    """

    part: Floats
    unlinked: Floats

    @property
    def spanning_links(self) -> Array:
        """The spanning links of each cell: n - 1, but 0 where nothing but a split antecedent is shared."""
        return np.where(self.n > self.part, self.n - 1, 0.0)

    @property
    def doubled_pairs(self) -> Array:
        """Twice the number of pairs of each cell, less `unlinked` ones; a split antecedent makes none with itself."""
        # With m whole mentions and a part p there are m (m - 1) + 2 m p, and n = m + p.
        return self.n * (self.n - 1) + self.part * (1 - self.part) - 2 * self.unlinked


def join_cells(parts: Sequence[Cells], keys: Sequence[int], responses: Sequence[int]) -> Cells:
    """Return the cells of several tables as one Cells, with entities renumbered by how many each table has per side."""
    widest = max(parts, key=lambda part: len(vars(part)))
    columns = {
        name: np.concatenate([getattr(part, name, part.n) for part in parts])  # what a plain cell counts as is n
        for name in vars(widest)
    }
    columns["key"] = renumber_parts([part.key for part in parts], keys)
    columns["response"] = renumber_parts([part.response for part in parts], responses)
    return type(widest)(**columns)


def renumber_parts(columns: Sequence[Ints], sizes: Sequence[int]) -> Ints:
    """Return the numbers of several tables in one array: each table's are shifted by the sizes of those before it.

    >>> renumber_parts([np.array([0, 1]), np.array([0, 2])], [2, 3])
    array([0, 1, 2, 4])
    """
    starts = np.cumsum([0, *sizes[:-1]])
    return np.concatenate([column + start for column, start in zip(columns, starts, strict=True)])


def count_pairs(size: Any) -> Any:
    """Return how many pairs `size` mentions make: C(size) = size (size - 1) / 2."""
    return size * (size - 1) >> 1


def halve(doubled: Any) -> Any:
    """Return half of what was counted twice; integers stay integers."""
    is_whole = isinstance(doubled, int) or (not isinstance(doubled, float) and doubled.dtype.kind in "iuO")
    return doubled >> 1 if is_whole else doubled / 2
