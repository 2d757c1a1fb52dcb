"""The best one-to-one assignment, with ties falling as they do in SciPy's `linear_sum_assignment` on the whole matrix.

The CorefUD scorer fills a matrix with the scores of all pairs of a document and lets SciPy assign its rows to its
columns; where several assignments are equally good, which one it is depends on every row and column, even on those
without a score. This is the same algorithm (shortest augmenting paths; Crouse 2016, "On implementing 2D rectangular
assignment algorithms"), which looks only at the pairs that score: on a path, all columns that are free and score
nothing are equally far away, and those that are taken and score nothing are no nearer. So it needs no matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from corefeval._arrays import np

Scores: TypeAlias = Sequence[Mapping[int, float]]
"""For every row the columns with which it has a score above 0."""

_MANY, _MOST = 20_000, 0.1


def assigned(scores: Scores, columns: int) -> list[tuple[int, int]]:
    """The rows and columns that are assigned to each other and have a score; by rows."""
    count = sum(map(len, scores))
    if count > _MANY and count > _MOST * len(scores) * columns:
        return _by_scipy(scores, columns)
    if len(scores) > columns:
        turned: list[dict[int, float]] = [{} for _ in range(columns)]
        for row, found in enumerate(scores):
            for column, score in found.items():
                turned[column][row] = score
        pairs = sorted((row, column) for column, row in enumerate(_Assignment(turned, len(scores)).column_of))
    else:
        pairs = list(enumerate(_Assignment(scores, columns).column_of))
    return [(row, column) for row, column in pairs if column in scores[row]]


def _by_scipy(scores: Scores, columns: int) -> list[tuple[int, int]]:
    """The same with a matrix: faster where most pairs score, which mentions hardly ever do."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - loading SciPy costs more than most evaluations

    matrix = np.zeros((len(scores), columns))
    for row, found in enumerate(scores):
        matrix[row, list(found)] = list(found.values())
    pairs = zip(*(side.tolist() for side in linear_sum_assignment(-matrix)), strict=True)
    return [(row, column) for row, column in pairs if column in scores[row]]


class _Assignment:
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
                self._take(row, nearest)
            else:
                self._take(row, self.first_free())

    def first_free(self) -> int:
        """The first column that no row has."""
        while self._first_free in self.row_of:
            self._first_free += 1
        return self._first_free

    def _take(self, row: int, column: int) -> None:
        self.row_of[column] = row
        self.column_of[row] = column

    def _augment(self, root: int) -> None:
        path = _Path(self)
        column = path.step(root)
        while column in self.row_of:
            column = path.step(self.row_of[column])
        self.row_price[root] += path.length
        for passed, reached in path.passed.items():
            self.row_price[self.row_of[passed]] += path.length - reached
            price = self.column_price[passed] = self.column_price.get(passed, 0.0) - (path.length - reached)
            (self.raised.add if price > 0 else self.raised.discard)(passed)
        while True:
            row = path.came_from(column)
            before = self.column_of[row]
            self._take(row, column)
            if row == root:
                return
            column = before


class _Path:
    """A search for the free column that is nearest.

    near, origin: how far away columns are with which some row on the path has a score, and from which row.
    plain: how far away free columns are with which none has, and from which row.
    passed: the columns on the path, and how far away they are; each leaves its place in the order of columns to the
    first one that is there.
    """

    def __init__(self, state: _Assignment) -> None:
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

    def step(self, row: int) -> int:
        """Go to a row, and on to the nearest column."""
        self._look(row)
        self.length = nearest = min(min(self.near.values(), default=self.plain), self.plain)
        equal = [column for column, cost in self.near.items() if cost == nearest]
        free = [column for column in equal if column not in self.state.row_of]
        if nearest == self.plain:
            free += self._plain_columns()
        column = max(free, key=self._place) if free else min(equal, key=self._place)
        if not free:
            self._pass(column)
        return column

    def _look(self, row: int) -> None:
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
        column = self.state.first_free()
        while column < self.state.columns and (
            column in self.state.row_of or column in self.origin or column in self._moved
        ):
            column += 1
        return [*found, column] if column < self.state.columns else found

    def _place(self, column: int) -> int:
        """Where a column is in the order in which they are looked at: from the last to the first."""
        return self._moved.get(column, self.state.columns - 1 - column)

    def _pass(self, column: int) -> None:
        place = self._place(column)
        self.passed[column] = self.near.pop(column)
        end = self.state.columns - len(self.passed)
        last = self._there.get(end, self.state.columns - 1 - end)
        if place != end:
            self._moved[last], self._there[place] = place, last
