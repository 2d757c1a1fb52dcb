"""One-to-one pairs of mentions with the greatest sum of scores, document by document, with ties as SciPy breaks them.

Most mentions have one candidate, or one that is clearly the best. Only where that leaves a choice, the document is
assigned as a whole, so that ties fall as in `linear_sum_assignment` on the matrix of all its mentions, which is what
the CorefUD scorer uses. There, which of several equally good assignments it is depends on every row and column, even
on those without a score. `assign_rows` is the same algorithm (shortest augmenting paths; Crouse 2016, "On
implementing 2D rectangular assignment algorithms") without the matrix, as it looks only at the pairs that score: on a
path, all columns that are free and score nothing are equally far away, and those that are taken and score nothing are
no nearer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefeval._arrays import np
from corefeval.matching.rules.base import TwinPairs
from corefeval.matching.rules.spans import get_spans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval._arrays import Booleans, Floats, Ints
    from corefeval.corpus.mentions import Spans
    from corefeval.matching.rules.base import Unmatched
    from corefeval.matching.rules.candidates import Candidates

Scores: TypeAlias = "Sequence[Mapping[int, float]]"
"""For every row the columns with which it has a score above 0."""

_MANY, _MOST = 20_000, 0.1
_ROUNDS = 5  # what is not clear by then waits for many others in turn
_CLEARLY = 1e-9  # sums of a few fractions of small numbers are equal, or differ by more


def assign_twins(left: Unmatched, candidates: Candidates) -> TwinPairs:
    """Choose twins among the candidates, one to one, so that their scores have the greatest sum."""
    if len(candidates.key) == 0:
        return TwinPairs(candidates.key, candidates.response)
    # From here on mentions are numbers: their places in the order of the text, document by document.
    key_order = sort_by_text(get_spans(left.key), left.key.document, left.key_rows, left.step)
    response_order = sort_by_text(get_spans(left.response), left.response.document, left.response_rows, left.step)
    key, response = _find_positions(key_order, candidates.key), _find_positions(response_order, candidates.response)
    edges = _CandidateEdges(left.key.document[candidates.key], key, response, candidates.score)
    taken, unclear = _take_clear(edges)
    if unclear.any():
        contested = np.unique(edges.document[unclear])
        taken &= ~np.isin(edges.document, contested)
        key_documents, response_documents = left.key.document[key_order], left.response.document[response_order]
        for document in contested.tolist():
            taken[_solve_document(edges, document, key_documents, response_documents)] = True
    return TwinPairs(candidates.key[taken], candidates.response[taken])


class _CandidateEdges(NamedTuple):
    document: Ints
    key: Ints
    response: Ints
    score: Floats


def _solve_document(edges: _CandidateEdges, document: int, key_documents: Ints, response_documents: Ints) -> list[int]:
    """The edges of a document that are taken if all its mentions are assigned at once."""
    first_key, past_key = np.searchsorted(key_documents, [document, document + 1]).tolist()
    first_response, past_response = np.searchsorted(response_documents, [document, document + 1]).tolist()
    here = np.flatnonzero(edges.document == document)
    scores: list[dict[int, float]] = [{} for _ in range(past_key - first_key)]
    number = {}
    columns = edges.key[here] - first_key, edges.response[here] - first_response, edges.score[here], here
    for row, column, score, edge in zip(*(values.tolist() for values in columns), strict=True):
        scores[row][column] = score
        number[row, column] = edge
    return [number[pair] for pair in assign_rows(scores, past_response - first_response)]


def sort_by_text(spans: Spans, document: Ints, rows: Ints, step: int) -> Ints:
    """Rows by document, first word, last word and number of words; those that differ by their gaps only, by these."""
    return rows[spans.take(rows).text_order(document[rows], step=step)]


def _find_positions(order: Ints, rows: Ints) -> Ints:
    """Where rows are in an order."""
    place = np.zeros(int(order.max()) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[rows]


def _take_clear(edges: _CandidateEdges) -> tuple[Booleans, Booleans]:
    """Pairs that are matched in every best assignment, and pairs about which that does not say anything.

    A pair whose score is more than those of the best others at its two ends together is matched; then these others are
    not, and so on.
    """
    key, response, score = edges[1:]
    taken = np.zeros(len(key), dtype=np.bool_)
    left = np.arange(len(key))
    for _ in range(_ROUNDS):
        if len(left) == 0:
            break
        others = _find_best_other(key[left], score[left]) + _find_best_other(response[left], score[left])
        sure = left[score[left] > others + _CLEARLY]
        if len(sure) == 0:
            break
        taken[sure] = True
        left = left[~np.isin(key[left], key[sure]) & ~np.isin(response[left], response[sure])]
    unclear = np.zeros(len(key), dtype=np.bool_)
    unclear[left] = True
    return taken, unclear


def _find_best_other(node: Ints, score: Floats) -> Floats:
    """For every pair the best score of another pair with the same node; 0 where there is none."""
    order = np.lexsort((score, node))
    ordered, scores = node[order], score[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    best = np.flatnonzero(last)[np.cumsum(np.append(0, last[:-1]))]
    second = np.where((best > 0) & (ordered[best - 1] == ordered), scores[best - 1], 0.0)
    other = np.empty(len(node), dtype=np.float64)
    other[order] = np.where(last, second, scores[best])
    return other


def assign_rows(scores: Scores, columns: int) -> list[tuple[int, int]]:
    """The best one-to-one assignment of rows to columns: the pairs that have a score, by rows."""
    count = sum(map(len, scores))
    if count > _MANY and count > _MOST * len(scores) * columns:
        return _assign_by_scipy(scores, columns)
    if len(scores) > columns:
        turned: list[dict[int, float]] = [{} for _ in range(columns)]
        for row, found in enumerate(scores):
            for column, score in found.items():
                turned[column][row] = score
        pairs = sorted((row, column) for column, row in enumerate(_Assigner(turned, len(scores)).column_of))
    else:
        pairs = list(enumerate(_Assigner(scores, columns).column_of))
    return [(row, column) for row, column in pairs if column in scores[row]]


def _assign_by_scipy(scores: Scores, columns: int) -> list[tuple[int, int]]:
    """The same with a matrix: faster where most pairs score, which mentions hardly ever do."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - loading SciPy costs more than most evaluations

    matrix = np.zeros((len(scores), columns))
    for row, found in enumerate(scores):
        matrix[row, list(found)] = list(found.values())
    pairs = zip(*(side.tolist() for side in linear_sum_assignment(-matrix)), strict=True)
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
                self._assign(row, nearest)
            else:
                self._assign(row, self.find_first_free())

    def find_first_free(self) -> int:
        """Find the first column that no row has."""
        while self._first_free in self.row_of:
            self._first_free += 1
        return self._first_free

    def _assign(self, row: int, column: int) -> None:
        self.row_of[column] = row
        self.column_of[row] = column

    def _augment(self, root: int) -> None:
        """Assign a row along the shortest path, on which rows that are in the way move on to other columns."""
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
            row = path.came_from(column)
            before = self.column_of[row]
            self._assign(row, column)
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

    def came_from(self, column: int) -> int:
        """The row from which a column was reached."""
        return self.origin.get(column, self.plain_origin)

    def advance(self, row: int) -> int:
        """Go to a row, and on to the nearest column."""
        self._update_distances(row)
        self.length = nearest = min(min(self.near.values(), default=self.plain), self.plain)
        equal = [column for column, cost in self.near.items() if cost == nearest]
        free = [column for column in equal if column not in self.state.row_of]
        if nearest == self.plain:
            free += self._plain_columns()
        column = max(free, key=self._find_place) if free else min(equal, key=self._find_place)
        if not free:
            self._pass_column(column)
        return column

    def _update_distances(self, row: int) -> None:
        """See how far away columns are from a row."""
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

    def _plain_columns(self) -> list[int]:
        """Of the free columns that no row on the path has a score with, those that may come last in their order."""
        found = [column for column in self._moved if column not in self.state.row_of and column not in self.origin]
        column = self.state.find_first_free()
        while column < self.state.columns and (
            column in self.state.row_of or column in self.origin or column in self._moved
        ):
            column += 1
        return [*found, column] if column < self.state.columns else found

    def _find_place(self, column: int) -> int:
        """Where a column is in the order in which they are looked at: from the last to the first."""
        return self._moved.get(column, self.state.columns - 1 - column)

    def _pass_column(self, column: int) -> None:
        """Put a taken column on the path; the first one that is left gets its place in the order."""
        place = self._find_place(column)
        self.passed[column] = self.near.pop(column)
        end = self.state.columns - len(self.passed)
        last = self._there.get(end, self.state.columns - 1 - end)
        if place != end:
            self._moved[last], self._there[place] = place, last
