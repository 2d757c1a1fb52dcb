"""One-to-one pairs of mentions with the greatest sum of scores, document by document, with ties as SciPy breaks them.

Most mentions have one candidate, or one that is clearly the best. Only where that leaves a choice, the document is
assigned as a whole, so that ties fall as in `linear_sum_assignment` on the matrix of all its mentions. There, which of
several equally good assignments it is depends on every row and column, even on those without a score. `assign_rows` is
the same algorithm (shortest augmenting paths; Crouse 2016, "On implementing 2D rectangular assignment algorithms")
without the matrix, as it looks only at the pairs that score: on a path, all columns that are free and score nothing are
equally far away, and those that are taken and score nothing are no nearer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from corefeval._arrays import Booleans, Floats, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.matching.rules.base import TwinPairs, Unmatched
from corefeval.matching.rules.candidates import Candidates, cut_in_blocks, get_spans, join_candidates
from corefeval.overlap.alignment import take_dominant

Scores: TypeAlias = "Sequence[Mapping[int, float]]"
"""For every row the columns with which it has a score above 0."""

_MANY, _MOST = 20_000, 0.1
_CLEARLY = 1e-9  # sums of a few fractions of small numbers are equal, or differ by more


def assign_twins(left: Unmatched, candidates: Candidates) -> TwinPairs:
    """Return those candidates as TwinPairs that are chosen one to one, with the greatest sum of scores."""
    if len(candidates.key) == 0:
        return TwinPairs(candidates.key, candidates.response)
    documents = max(len(left.key.documents), len(left.response.documents))
    key = _order_side(left.key, left.key_rows, left.step, documents)
    response = _order_side(left.response, left.response_rows, left.step, documents)
    dense = _find_dense_documents(candidates, key, response)
    others = candidates
    if dense.any():
        others = candidates.select(~dense[key.document][candidates.key])
    twin = np.full(len(left.key), -1, dtype=np.int64)  # for each row of the key the one of the response
    taken = _assign_sparse_documents(others, key, response)
    twin[others.key[taken]] = others.response[taken]
    for number in np.flatnonzero(dense).tolist():
        ours, theirs = key.list_rows(number), response.list_rows(number)
        scores = _list_scores(candidates, key, response, number)
        rows, columns = assign_by_matrix(scores, (len(ours), len(theirs)))
        twin[ours[rows]] = theirs[columns]
    chosen = join_candidates(block.select(twin[block.key] == block.response) for block in cut_in_blocks(candidates))
    return TwinPairs(chosen.key, chosen.response)


class _OrderedSide(NamedTuple):
    """The rows that are to be matched in the order of the text, document by document.

    document: of every row of the corpus; bounds: where the rows of each document begin, and where the last ones end;
    place: of every row of the corpus, where it is among those of its document.
    """

    rows: Ints
    document: Ints
    bounds: Ints
    place: Ints

    def list_rows(self, document: int) -> Ints:
        """Return the rows of a document, in the order of the text."""
        return self.rows[self.bounds[document] : self.bounds[document + 1]]


def _order_side(corpus: Corpus, rows: Ints, step: int, documents: int) -> _OrderedSide:
    """Return these rows of a corpus as an _OrderedSide, sorted by the text; documents: how many there are."""
    ordered = sort_by_text(get_spans(corpus), corpus.document, rows, step)
    document = corpus.document[ordered]
    bounds = np.searchsorted(document, np.arange(documents + 1))
    place = np.zeros(len(corpus), dtype=np.int64)
    place[ordered] = np.arange(len(ordered)) - bounds[document]
    return _OrderedSide(ordered, corpus.document, bounds, place)


def _find_dense_documents(candidates: Candidates, key: _OrderedSide, response: _OrderedSide) -> Booleans:
    """Return, for each document, whether so many of its pairs score that a matrix of all is the quickest way."""
    per_row = np.bincount(candidates.key, minlength=len(key.document))
    scored = np.bincount(key.document, weights=per_row, minlength=len(key.bounds) - 1)
    return (scored > _MANY) & (scored > _MOST * np.diff(key.bounds) * np.diff(response.bounds))


def _list_scores(
    candidates: Candidates, key: _OrderedSide, response: _OrderedSide, document: int
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield (rows, columns, scores) of a document's pairs in blocks; rows and columns count from 0 in the document."""
    for block in cut_in_blocks(candidates):
        here = block.select(key.document[block.key] == document)
        yield key.place[here.key], response.place[here.response], here.score


def _assign_sparse_documents(candidates: Candidates, key: _OrderedSide, response: _OrderedSide) -> Ints:
    """Return the indices of those candidates that are twins, of documents in which few pairs score."""
    if len(candidates.key) == 0:
        return candidates.key
    document = key.document[candidates.key]
    rows, columns = key.place[candidates.key], response.place[candidates.response]
    places = key.bounds[document] + rows, response.bounds[document] + columns
    taken, unclear = take_dominant(*places, candidates.score, np.arange(len(rows)), _CLEARLY)
    contested = np.unique(document[unclear])
    if len(contested) == 0:
        return taken
    solved = [taken[~np.isin(document[taken], contested)]]
    for number in contested.tolist():
        here = np.flatnonzero(document == number)
        shape = len(key.list_rows(number)), len(response.list_rows(number))
        solved.append(here[_assign_by_rows(rows[here], columns[here], candidates.score[here], shape)])
    return np.concatenate(solved)


def _assign_by_rows(rows: Ints, columns: Ints, scores: Floats, shape: tuple[int, int]) -> list[int]:
    """Return the indices of the pairs that the best assignment of a document takes; shape: mentions of each side."""
    found: list[dict[int, float]] = [{} for _ in range(shape[0])]
    place = {}
    for number, (row, column, score) in enumerate(zip(rows.tolist(), columns.tolist(), scores.tolist(), strict=True)):
        found[row][column] = score
        place[row, column] = number
    return [place[pair] for pair in assign_rows(found, shape[1])]


def assign_by_matrix(blocks: Iterable[tuple[Ints, Ints, Floats]], shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """Return rows and columns of the best one-to-one assignment, by SciPy on a matrix; only pairs with a score.

    blocks: rows, columns and scores of pairs.
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - loading SciPy costs more than most evaluations

    costs = np.zeros(shape)
    for rows, columns, scores in blocks:
        costs[rows, columns] = -scores
    rows, columns = linear_sum_assignment(costs)
    has_score = costs[rows, columns] < 0
    return rows[has_score], columns[has_score]


def sort_by_text(spans: Spans, document: Ints, rows: Ints, step: int) -> Ints:
    """Return rows ordered by document, first word, last word, number of words, and gaps."""
    return rows[spans.take(rows).text_order(document[rows], step=step)]


def assign_rows(scores: Scores, columns: int) -> list[tuple[int, int]]:
    """Return the best one-to-one assignment as pairs (row, column), sorted; only those with a score."""
    if len(scores) > columns:
        turned: list[dict[int, float]] = [{} for _ in range(columns)]
        for row, found in enumerate(scores):
            for column, score in found.items():
                turned[column][row] = score
        pairs = sorted((row, column) for column, row in enumerate(_Assigner(turned, len(scores)).column_of))
    else:
        pairs = list(enumerate(_Assigner(scores, columns).column_of))
    return [(row, column) for row, column in pairs if column in scores[row]]


class _Assigner:
    """Rows are assigned one after another, each along the shortest path to a free column. Costs are negated scores."""

    def __init__(self, scores: Scores, columns: int) -> None:
        self.scores, self.columns = scores, columns
        self.row_price = [0.0] * len(scores)
        self.column_price: dict[int, float] = {}  # only columns that are taken have one
        self.raised: set[int] = set()  # columns whose price is above 0, by rounding: they are nearer than free ones
        self.row_of: dict[int, int] = {}
        self.column_of = [-1] * len(scores)
        self._first_free = 0
        for row, found in enumerate(scores):
            if self.raised or not self.row_of.keys().isdisjoint(found):
                self._augment(row)
            elif found:
                nearest = min(found, key=lambda column: (-found[column], column))
                self.row_price[row] = -found[nearest]
                self._record_pair(row, nearest)
            else:
                self._record_pair(row, self.find_first_free())

    def find_first_free(self) -> int:
        """Return the lowest number of a column that is assigned to no row."""
        while self._first_free in self.row_of:
            self._first_free += 1
        return self._first_free

    def _record_pair(self, row: int, column: int) -> None:
        """Record that a row and a column are assigned to each other."""
        self.row_of[column] = row
        self.column_of[row] = column

    def _augment(self, root: int) -> None:
        """Assign a row along the shortest path, moving rows in the way to other columns, and update prices."""
        path = _PathSearch(self)
        column = path.advance(root)
        while column in self.row_of:
            column = path.advance(self.row_of[column])
        self.row_price[root] += path.length
        for passed, reached in path.passed.items():
            self.row_price[self.row_of[passed]] += path.length - reached
            price = self.column_price[passed] = self.column_price.get(passed, 0.0) - (path.length - reached)
            (self.raised.add if price > 0 else self.raised.discard)(passed)
        while True:
            row = path.origin.get(column, path.plain_origin)
            before = self.column_of[row]
            self._record_pair(row, column)
            if row == root:
                return
            column = before


class _PathSearch:
    """A search for the free column that is nearest.

    near, origin: how far away columns are with which some row on the path has a score, and from which row.
    plain: how far away free columns are with which none has, and from which row.
    passed: the columns on the path, and how far away they are; each leaves its place in the order of columns to the
    first one that is there.
    """

    def __init__(self, state: _Assigner) -> None:
        self.state = state
        self.length = 0.0
        self.near: dict[int, float] = {}
        self.origin: dict[int, int] = {}
        self.plain, self.plain_origin = float("inf"), -1
        self.passed: dict[int, float] = {}
        self._moved: dict[int, int] = {}  # columns that have another place, and which
        self._there: dict[int, int] = {}  # places that have another column, and which

    def advance(self, row: int) -> int:
        """Add a row to the path and return the column nearest to the path; one that is taken is put on the path."""
        self._update_distances(row)
        self.length = nearest = min(min(self.near.values(), default=self.plain), self.plain)
        equal = [column for column, cost in self.near.items() if cost == nearest]
        free = [column for column in equal if column not in self.state.row_of]
        if nearest == self.plain:
            free += self._list_plain_columns()
        column = max(free, key=self._find_place) if free else min(equal, key=self._find_place)
        if not free:
            self._pass_column(column)
        return column

    def _update_distances(self, row: int) -> None:
        """Lower the distances of columns that are nearer by way of this row, and record the row as their origin."""
        scores, prices = self.state.scores[row], self.state.column_price
        for column in (*scores, *self.state.raised):
            if column not in self.origin:
                self.near[column] = self.plain - prices.get(column, 0.0)
                self.origin[column] = self.plain_origin
        price = self.state.row_price[row]
        for column, before in self.near.items():
            cost = self.length - scores.get(column, 0.0) - price - prices.get(column, 0.0)
            if cost < before:
                self.near[column], self.origin[column] = cost, row
        if self.length - price < self.plain:
            self.plain, self.plain_origin = self.length - price, row

    def _list_plain_columns(self) -> list[int]:
        """Return the free columns without a score on the path; of those that were never moved, only the lowest."""
        found = [column for column in self._moved if column not in self.state.row_of and column not in self.origin]
        column = self.state.find_first_free()
        while column < self.state.columns and (
            column in self.state.row_of or column in self.origin or column in self._moved
        ):
            column += 1
        return [*found, column] if column < self.state.columns else found

    def _find_place(self, column: int) -> int:
        """Return the position of a column in the order in which columns are looked at: at first from last to first."""
        return self._moved.get(column, self.state.columns - 1 - column)

    def _pass_column(self, column: int) -> None:
        """Put a taken column on the path, and move the column at the end of the order to its place there."""
        place = self._find_place(column)
        self.passed[column] = self.near.pop(column)
        end = self.state.columns - len(self.passed)
        last = self._there.get(end, self.state.columns - 1 - end)
        if place != end:
            self._moved[last], self._there[place] = place, last
