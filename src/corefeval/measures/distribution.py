"""Distributional measures: do the sizes of the entities match, whatever is in them?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from corefeval._arrays import ByDocument, Columns, np
from corefeval._lazy import NamedTuple
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.rates import choose
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views

if TYPE_CHECKING:
    from corefeval.measures.score import Score

_GUIDE = "Popescu-Belis 1999, Evaluating reference resolution"


class Dmt(SingleScore):
    """How far the sorted entity sizes of key and response agree: 1 for equal profiles, whatever the entities.

    A mention that one side lacks is a singleton there. Not a score to use alone.
    """

    name = "dmt"
    title = "distributional match"
    formula = "1 - Σ |sorted k - sorted r| / (2 (E - 1))"
    citation = _GUIDE + " (DEF. 18, with the divisor of its example)"
    adds_up = "sizes are sorted within documents; distances and their largest possible values are summed"
    derivation = "sorted sizes"
    symmetric = True
    pads = True

    def count(self, views: Views) -> Columns:
        """Return two columns by document: the distance of both sides' sorted sizes, and the largest it could be."""
        distance = _sum_runs(views.table, _measure_distance)
        return {"distance": distance, "largest": 2 * np.maximum(views.table.union - 1, 0)}

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "1 - 4 / 18"."""
        return f"1 - {counts['distance']:,} / {counts['largest']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` 1 less the distance over its largest possible value, and whether that is 0/0."""
        return self.score_fraction(counts["largest"] - counts["distance"], counts["largest"])


class DistributionalError(SingleScore):
    """Whether the response's surplus is in small entities (it splits: a recall error) or in large ones (precision).

    `direction`, which kind of error prevails, is the paper's. The magnitude is ours: the paper has no formula, and ours
    does not give the values that it prints. Here: number the entities of each side from the largest on, and compare the
    mean position of a mention; the largest possible difference, all mentions in one entity against singletons, is 1.
    """

    name = "distributional_error"
    title = "distributional error"
    formula = "|Σ i (r_i - k_i)| / C(E), sizes sorted, largest first; recall error if the sum is positive"
    citation = _GUIDE + " (3.7, which has no formula: the direction is the paper's, the magnitude is ours)"
    adds_up = "positions are within documents; shifts and their largest possible values are summed"
    derivation = "shifted sizes"
    symmetric = True
    pads = True
    shown: ClassVar[tuple[str, ...]] = ("score", "direction")
    more_is_better = False

    def count(self, views: Views) -> Columns:
        """Return two columns by document: how far response mentions are behind the key's, and the most it could be."""
        union = views.table.union
        return {"shift": _sum_runs(views.table, _measure_shift), "largest": union * (union - 1) // 2}

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002
        """Return the formula as text with the counts put in, such as "|4| / 18"."""
        return f"|{counts['shift']:,}| / {counts['largest']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the absolute shift over the largest possible; as `direction` recall, precision or none."""
        shift = counts["shift"]
        towards = choose(shift > 0, "recall", choose(shift < 0, "precision", "none"))
        return {**self.score_fraction(abs(shift), counts["largest"]), "direction": towards}

    def remark(self, score: Score) -> str:  # noqa: ARG002 - it is so for all scores
        """Return a text that says what of this measure is not its paper's."""
        return "the direction is as in its paper, which has no formula; the magnitude is ours"


class _Run(NamedTuple):
    """Positions among a document's entities, from `first` to `last`, at which the response has `surplus` more."""

    first: int
    last: int
    surplus: int


def _sum_runs(table: Overlap, weigh: Callable[[_Run], int]) -> ByDocument:
    """Return for each document (a plain number for one) the sum of `weigh` of all runs of positions, largest first."""
    paddings = (table.response.mentions - table.shared, table.key.mentions - table.shared)
    sides = [
        _pad_singletons(side.list_sizes(), np.atleast_1d(padding).tolist())
        for side, padding in zip((table.key, table.response), paddings, strict=True)
    ]
    sums = [sum(map(weigh, _list_runs(key, response))) for key, response in zip(*sides, strict=True)]
    return sums[0] if table.documents == 1 else np.array(sums, dtype=np.int64)


def _pad_singletons(sizes: list[list[tuple[int, int]]], missing: list[int]) -> list[list[tuple[int, int]]]:
    """Return the sizes of each document and how often each occurs, with a singleton for each missing mention."""
    return [[*listed, (1, more)] for listed, more in zip(sizes, missing, strict=True)]


def _list_runs(key: list[tuple[int, int]], response: list[tuple[int, int]]) -> Iterator[_Run]:
    """Yield runs of positions at which sizes do not change, from two lists of a size and how often it occurs."""
    ours, theirs = ([*listed, (0, sum(count for _, count in key + response))] for listed in (key, response))
    i = j = position = 0
    left, right = ours[0][1], theirs[0][1]
    while i < len(ours) and j < len(theirs):
        length = min(left, right)
        if length:
            yield _Run(position + 1, position + length, theirs[j][0] - ours[i][0])
        position, left, right = position + length, left - length, right - length
        if not left:
            i += 1
            left = ours[i][1] if i < len(ours) else 0
        elif not right:
            j += 1
            right = theirs[j][1] if j < len(theirs) else 0


def _measure_distance(run: _Run) -> int:
    """Return how many mentions more or fewer the response has at all positions of a run."""
    return abs(run.surplus) * (run.last - run.first + 1)


def _measure_shift(run: _Run) -> int:
    """Return the sum over a run's positions of position times surplus."""
    return run.surplus * ((run.first + run.last) * (run.last - run.first + 1) // 2)
