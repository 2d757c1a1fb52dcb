"""Distributional measures: do the sizes of the entities match, whatever is in them?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from corefeval._arrays import Columns, np
from corefeval._lazy import NamedTuple
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.rates import choose
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views

if TYPE_CHECKING:
    from corefeval.measures.score import Score

_GUIDE = "Popescu-Belis 1999, Evaluating reference resolution"


Sizes = list[tuple[int, int]]
"""The sizes of a document's entities, largest first, and how many have each."""


class MeasureOfSizes(SingleScore):
    """What measures have in common that know the sizes of entities only.

    A mention that one side lacks is a singleton there.
    """

    counts: ClassVar[tuple[str, ...]]

    def count(self, views: Views) -> Columns:
        """Return columns by document: what `count_sizes` counts in each."""
        found = [self.count_sizes(*sides) for sides in self.list_profiles(views.table)]
        if views.table.documents == 1:
            return dict(found[0])
        return {name: np.array([each[name] for each in found], dtype=np.int64) for name in self.counts}

    def list_profiles(self, table: Overlap) -> list[tuple[Sizes, Sizes]]:
        """Return for each document the sizes of the key's entities and of the response's, and of missing mentions."""
        paddings = (table.response.mentions - table.shared, table.key.mentions - table.shared)
        ours, theirs = (
            _pad_singletons(side.list_sizes(), np.atleast_1d(padding).tolist())
            for side, padding in zip((table.key, table.response), paddings, strict=True)
        )
        return list(zip(ours, theirs, strict=True))

    def count_sizes(self, key: Sizes, response: Sizes) -> dict[str, int]:
        """Return the counts of a document, given the sizes of both sides, as many mentions on each."""
        raise NotImplementedError


class Dmt(MeasureOfSizes):
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

    counts = ("distance", "largest")

    def count_sizes(self, key: Sizes, response: Sizes) -> dict[str, int]:
        """Return the distance of both sides' sorted sizes, and the largest it could be."""
        distance = sum(map(_measure_distance, _list_runs(key, response)))
        return {"distance": distance, "largest": 2 * max(_count_mentions(key) - 1, 0)}

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "1 - 4 / 18"."""
        return f"1 - {counts['distance']:,} / {counts['largest']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` 1 less the distance over its largest possible value, and whether that is 0/0."""
        return self.score_fraction(counts["largest"] - counts["distance"], counts["largest"])


class DistributionalError(MeasureOfSizes):
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

    counts = ("shift", "largest")

    def count_sizes(self, key: Sizes, response: Sizes) -> dict[str, int]:
        """Return how far response mentions are behind the key's, and the most it could be."""
        shift, mentions = sum(map(_measure_shift, _list_runs(key, response))), _count_mentions(key)
        return {"shift": shift, "largest": mentions * (mentions - 1) // 2}

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


def _count_mentions(sizes: Sizes) -> int:
    """Return how many mentions entities of these sizes have."""
    return sum([size * count for size, count in sizes])


def _pad_singletons(sizes: list[Sizes], missing: list[int]) -> list[Sizes]:
    """Return the sizes of each document, each once, with a singleton for each missing mention."""
    padded = []
    for listed, more in zip(sizes, missing, strict=True):
        singletons = listed[-1][1] if listed and listed[-1][0] == 1 else 0
        larger = listed[:-1] if singletons else listed
        padded.append([*larger, (1, singletons + more)] if singletons + more else larger)
    return padded


def _list_runs(key: Sizes, response: Sizes) -> Iterator[_Run]:
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
