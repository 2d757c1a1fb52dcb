"""Split antecedents ("they" for Ann and Bob together), on the table: one more member of their entity each.

An entity with split antecedents has, besides its mentions, the set of its antecedent entities as a member (Paun et al.
2022, Scoring coreference chains with split-antecedent anaphors). Such members of key and response are aligned one to
one, and an aligned pair is shared in part: as much as a measure says that their antecedents agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval._lazy import cached
from corefeval.overlap.side import Side
from corefeval.overlap.table import Overlap

if TYPE_CHECKING:
    from corefeval._arrays import Array, Booleans, ByDocument, Floats, Ints
    from corefeval.overlap.cells import Cells

_TIE = 1e-9  # more than rounding errors, less than any two scores differ


class Common(NamedTuple):
    """The links of BLANC that both sides have, by document, as a scorer counts them."""

    coreference: ByDocument
    noncoreference: ByDocument

    @classmethod
    def of(cls, mentions: Overlap) -> Common:
        """Those of a table without split antecedents."""
        return cls(mentions.links.common_coreference, mentions.links.common_noncoreference)


class Splits(NamedTuple):
    """The split antecedents of a table.

    key, response: the entity of each. pair_key, pair_response: those of key and response that have mentions in common,
    `equal` whether they have all. pairs: the antecedents of these pairs as a table with a document for each pair;
    key_alone, response_alone: those of each side as tables with a document for each and nothing on the other side.
    mentions: the table without split antecedents. only: whether nothing but they are to be scored. common: the links of
    a scorer that does not count them as `Parts` does. crossed: how many links of mentions, in the list of its entity,
    lead across each split antecedent of key and response, for a scorer that counts these in part, too. same: the pairs
    that are equal to a scorer which finds an equal one where the alignment leaves a split antecedent over.
    """

    key: Ints
    response: Ints
    pair_key: Ints
    pair_response: Ints
    equal: Booleans
    pairs: Overlap
    key_alone: Overlap
    response_alone: Overlap
    mentions: Overlap
    only: bool
    common: Common | None = None
    crossed: tuple[Ints, Ints] | None = None
    same: Booleans | None = None

    def documents(self) -> Booleans:
        """Which documents have some."""
        there = np.zeros(self.mentions.documents, dtype=np.bool_)
        there[self.mentions.key.document[self.key]] = True
        there[self.mentions.response.document[self.response]] = True
        return there

    def aligned(self, weights: Floats) -> Ints:
        """The pairs of the best one-to-one alignment; of equally good ones, one with equal split antecedents together.

        Unless it is to be as in the UA scorers, which have no such preference, and align what has an F1 of 0, too:
        where mentions are repeated, recall or precision may have more.
        """
        if self.common is not None:
            return self.best(weights, weights >= 0)
        return self.best(weights + _TIE * (self.equal & (weights > 0)), weights > 0)

    def best(self, weights: Floats, chosen: Booleans) -> Ints:
        """Those of the chosen pairs that SciPy aligns in the order of the entities, as the UA scorers do."""
        among = np.flatnonzero(chosen)
        rows, columns = self.pair_key[among], self.pair_response[among]
        if _each_once(rows) and _each_once(columns) and weights[among].all():
            return among
        document = self.mentions.key.document[self.key], self.mentions.response.document[self.response]
        found = []
        for number in np.unique(document[0][rows]).tolist():
            ours, theirs = (np.searchsorted(side, [number, number + 1]) for side in document)
            here = among[document[0][rows] == number]
            places = self.pair_key[here] - ours[0], self.pair_response[here] - theirs[0]
            found.append(here[_solved(*places, weights[here], (ours[1] - ours[0], theirs[1] - theirs[0]))])
        return np.sort(np.concatenate(found))

    def whole(self) -> Overlap:
        """The table in which a split antecedent is a mention more: shared where it is equal, else twinless."""
        equal = np.flatnonzero(self.equal)
        ones = np.ones(len(equal), dtype=np.int64)
        cells = _added(self.mentions, self.mentions.own, self._cells(equal), ones)
        sides = _larger(self.mentions.key, self.key), _larger(self.mentions.response, self.response)
        return Overlap(*sides, *cells[:2], cells[2] + cells[3], rows=self.mentions.rows, splits=self)

    def shared(self, table: Overlap, cells: Cells, pairs: Ints, part: Floats) -> Parts:
        """The whole table with these cells of mentions, and with these pairs shared in part."""
        cell_key, cell_response, n, parts = _added(self.mentions, cells, self._cells(pairs), part)
        return Parts(table.key, table.response, cell_key, cell_response, n, parts)

    def _cells(self, pairs: Ints) -> tuple[Ints, Ints]:
        return self.key[self.pair_key[pairs]], self.response[self.pair_response[pairs]]


class Parts(Overlap):
    """A table in which `part` of every cell is not mentions, but a split antecedent that is shared in part.

    What is a product of counts is formed mention by mention: a split antecedent makes no pair with itself.
    """

    def __init__(self, key: Side, response: Side, cell_key: Ints, cell_response: Ints, n: Ints, part: Floats) -> None:
        super().__init__(key, response, cell_key, cell_response, n + part)
        self.mentions, self.part = n, part

    @cached
    def joins(self) -> ByDocument:
        """MUC's common links: a split antecedent joins those mentions that its entities share."""
        return self.sum(np.where(self.mentions > 0, self.n - 1, 0.0))

    @cached
    def linked(self) -> Array:
        """Twice the pairs of each cell."""
        return self.n * (self.n - 1) + self.part * (1 - self.part)

    @cached
    def pairs(self) -> ByDocument:
        """Pairs that both sides link."""
        return self.sum(self.linked / 2)

    @cached
    def apart(self) -> ByDocument:
        """Pairs that both sides keep apart."""
        in_key = np.bincount(self.cell_key, weights=self.n, minlength=len(self.key.size))
        in_response = np.bincount(self.cell_response, weights=self.n, minlength=len(self.response.size))
        together = self.key.sum(in_key**2) + self.response.sum(in_response**2) - self.sum(self.n**2)
        return (self.shared * self.shared - together) / 2


def _each_once(numbers: Ints) -> bool:
    return len(np.unique(numbers)) == len(numbers)


def _solved(rows: Ints, columns: Ints, weights: Floats, shape: tuple[int, int]) -> Booleans:
    """Which of these cells of a matrix are in its best alignment."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - few tables have split antecedents

    matrix = np.zeros(shape)
    matrix[rows, columns] = weights
    column_of = np.full(shape[0], -1)
    chosen = linear_sum_assignment(matrix, maximize=True)
    column_of[chosen[0]] = chosen[1]
    return column_of[rows] == columns


def _larger(side: Side, entities: Ints) -> Side:
    size = side.size.copy()
    size[entities] += 1
    return Side(size, side.document, side.documents, side.name, side.document_name)


def _added(table: Overlap, cells: Cells, added: tuple[Ints, Ints], values: Array) -> tuple[Ints, Ints, Array, Array]:
    """The cells of a table and some more: which they are, what each has in the table, and what comes from `values`."""
    width = max(1, len(table.response.size))
    there, more = cells.key * width + cells.response, added[0] * width + added[1]
    every = np.union1d(there, more)
    n, part = np.zeros(len(every), dtype=cells.n.dtype), np.zeros(len(every), dtype=values.dtype)
    n[np.searchsorted(every, there)] = cells.n
    part[np.searchsorted(every, more)] = values
    return every // width, every % width, n, part
