"""Split antecedents ("they" for Ann and Bob together), on the table: one more member of their entity each.

An entity with split antecedents has, besides its mentions, the set of its antecedent entities as a member (Paun et al.
2022, Scoring coreference chains with split-antecedent anaphors). Such members of key and response are aligned one to
one, and an aligned pair is shared in part: as much as a measure says that their antecedents agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from corefeval._arrays import Array, Booleans, Floats, Ints, np
from corefeval._lazy import NamedTuple, Record, cached
from corefeval.notices import Notice
from corefeval.overlap.cells import Cells, SplitCells, renumber_parts
from corefeval.overlap.overlap import Links, Overlap, Side, join_overlaps
from corefeval.overlap.views import Views, join_views

_TIE = 1e-9  # more than rounding errors, less than any two scores differ


class NamedMeasure(Protocol):
    """A measure, of which a scorer's own way of counting needs to know the name."""

    @property
    def name(self) -> str:
        """The measure's name, as users write it."""


class AlignedSplits(NamedTuple):
    """Aligned pairs of split antecedents, and what a measure says about the antecedents of each."""

    pairs: Ints
    recall: Floats
    precision: Floats
    f1: Floats


class SharedSplits(NamedTuple):
    """Pairs of split antecedents, how much of each is shared, and how many links across it do not count in full."""

    pairs: Ints
    part: Floats
    unlinked: Floats | float = 0.0


class SplitAntecedents(Record):
    """The split antecedents of a table, for all measures.

    key, response: the entity of each. pair_key, pair_response: those of key and response that have mentions in common,
    `equal` whether they have all. pairs: the antecedents of these pairs, with a document for each pair;
    key_alone, response_alone: those of each side, with a document for each and nothing on the other side.
    mentions: the views without split antecedents. only: whether nothing but they are to be scored.
    table: the one-to-one table in which a split antecedent is a mention more.
    A scorer that counts some of them in its own way has a class of its own.
    """

    key: Ints
    response: Ints
    pair_key: Ints
    pair_response: Ints
    equal: Booleans
    pairs: Views
    key_alone: Views
    response_alone: Views
    mentions: Views
    only: bool

    def align(self, weights: Floats) -> Ints:
        """Return the indices of pairs of weight above 0 in the best one-to-one alignment.

        Ties go to equal pairs, then to unequal weights: 5/6 and 1/2 before 2/3 and 2/3, in whatever order they come.
        """
        return self.align_best(weights + _TIE * ((self.equal & (weights > 0)) + weights**2 / 4), weights > 0)

    def align_best(self, weights: Floats, chosen: Booleans) -> Ints:
        """Return the sorted indices of those chosen pairs that are in the best alignment, by SciPy in each document."""
        among = np.flatnonzero(chosen)
        rows, columns = self.pair_key[among], self.pair_response[among]
        if all(len(np.unique(side)) == len(among) for side in (rows, columns)) and weights[among].all():
            return among
        table = self.mentions.table
        document = table.key.document[self.key], table.response.document[self.response]
        found = []
        for number in np.unique(document[0][rows]).tolist():
            ours, theirs = (np.searchsorted(side, [number, number + 1]) for side in document)
            here = among[document[0][rows] == number]
            places = self.pair_key[here] - ours[0], self.pair_response[here] - theirs[0]
            found.append(here[_solve_matrix(*places, weights[here], (ours[1] - ours[0], theirs[1] - theirs[0]))])
        return np.sort(np.concatenate(found))

    def find_shared_parts(self, measure: NamedMeasure, aligned: AlignedSplits) -> tuple[SharedSplits, SharedSplits]:  # noqa: ARG002
        """Return how much of each aligned pair is shared: SharedSplits for a measure's recall and for its precision."""
        return SharedSplits(aligned.pairs, aligned.recall), SharedSplits(aligned.pairs, aligned.precision)

    def adjust_links(self, measure: NamedMeasure, links: Links) -> Links:  # noqa: ARG002
        """Return the links that a measure counts: these, unchanged, unless a subclass counts some otherwise."""
        return links

    def notices(self, measure: NamedMeasure, views: Views) -> Iterable[Notice]:  # noqa: ARG002
        """Return notices of how a measure counts split antecedents; () unless a subclass has some."""
        return ()

    @property
    def documents_with_splits(self) -> Booleans:
        """For every document, whether it has split antecedents on some side."""
        table = self.mentions.table
        there = np.zeros(table.documents, dtype=np.bool_)
        there[table.key.document[self.key]] = True
        there[table.response.document[self.response]] = True
        return there

    @cached
    def table(self) -> Overlap:
        """The one-to-one table in which a split antecedent is a mention more: shared where equal, else twinless."""
        equal = np.flatnonzero(self.equal)
        mentions = self.mentions.table
        key, response = _enlarge_entities(mentions.key, self.key), _enlarge_entities(mentions.response, self.response)
        cell_key, cell_response, n, added = self._merge_cells(mentions, mentions.n, equal, 1.0)
        return Overlap(key, response, Cells(cell_key, cell_response, n + added.astype(np.int64)))

    def build_shared_table(self, mentions: Overlap, cells: Array, shared: SharedSplits) -> Overlap:
        """Return a table of mentions and of split antecedents that are shared in part, as far as `shared` says.

        mentions: a table without them. cells: what each of its cells counts.
        """
        key, response, n, part, unlinked = self._merge_cells(mentions, cells, *shared)
        return self.table.with_cells(SplitCells(key, response, n + part, part=part, unlinked=unlinked))

    def _merge_cells(self, mentions: Overlap, n: Array, pairs: Ints, *values: Floats | float) -> tuple[Array, ...]:
        """Return the columns of cells and of pairs as one, sorted: key, response, n, and one for each of `values`."""
        width = max(1, len(mentions.response.size))
        # A pair of entities (i, j) is the number i * width + j.
        there = mentions.cells.key * width + mentions.cells.response
        more = self.key[self.pair_key[pairs]] * width + self.response[self.pair_response[pairs]]
        every = np.union1d(there, more)
        counts = np.zeros(len(every), dtype=n.dtype)
        counts[np.searchsorted(every, there)] = n
        columns = np.zeros((len(values), len(every)))
        for column, value in zip(columns, values, strict=True):
            column[np.searchsorted(every, more)] = value
        return every // width, every % width, counts, *columns

    @classmethod
    def make_empty(cls, mentions: Views) -> SplitAntecedents:
        """Make the record of a table without split antecedents, given the views of its mentions."""
        numbers = np.zeros(0, dtype=np.int64)
        nothing = Views(join_overlaps([]))
        return SplitAntecedents(
            numbers, numbers, numbers, numbers, numbers > 0, nothing, nothing, nothing, mentions, only=False
        )

    @classmethod
    def join(cls, parts: Sequence[SplitAntecedents], mentions: Views) -> SplitAntecedents:
        """Return the record of the documents of several tables, given the views of all their mentions."""
        return cls(**join_splits(parts, mentions))


def join_splits(parts: Sequence[SplitAntecedents], mentions: Views) -> dict[str, Any]:
    """Return, by name, the fields of the joined record of several tables, given the views of all their mentions."""
    tables = [part.mentions.table for part in parts]
    return {
        "key": renumber_parts([part.key for part in parts], [len(table.key.size) for table in tables]),
        "response": renumber_parts([part.response for part in parts], [len(table.response.size) for table in tables]),
        "pair_key": renumber_parts([part.pair_key for part in parts], [len(part.key) for part in parts]),
        "pair_response": renumber_parts([part.pair_response for part in parts], [len(part.response) for part in parts]),
        "equal": np.concatenate([part.equal for part in parts]),
        "pairs": join_views([part.pairs for part in parts]),
        "key_alone": join_views([part.key_alone for part in parts]),
        "response_alone": join_views([part.response_alone for part in parts]),
        "mentions": mentions,
        "only": any(part.only for part in parts),
    }


def _solve_matrix(rows: Ints, columns: Ints, weights: Floats, shape: tuple[int, int]) -> Booleans:
    """Return for each of these cells of a matrix whether it is in the best alignment of its rows and columns."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - few tables have split antecedents

    matrix = np.zeros(shape)
    matrix[rows, columns] = weights
    column_of = np.full(shape[0], -1)
    chosen = linear_sum_assignment(matrix, maximize=True)
    column_of[chosen[0]] = chosen[1]
    return column_of[rows] == columns


def _enlarge_entities(side: Side, entities: Ints) -> Side:
    """Return the side with the sizes of these entities larger by one."""
    size = side.size.copy()
    size[entities] += 1
    return side.resize(size)
