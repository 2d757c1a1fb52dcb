"""What distances have in common: less is better, and beside the share of the largest there is the distance itself."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from corefeval.measures.base import SingleScore, Value, Values

if TYPE_CHECKING:
    from corefeval.measures.score import Score


class Distance(SingleScore):
    """A measure whose `score` is a distance from 0, for equal sides, to 1; `distance` is what it is without a norm."""

    more_is_better = False
    costs = MappingProxyType({"distance": "distance"})
    distance_unit: ClassVar[str] = ""  # in what it is measured, if it is no number of things

    def score_distance(self, distance: Value, largest: Value) -> Values:
        """Return a dict: distance over largest as `score`, the distance itself, and whether the score is 0/0."""
        return {**self.score_fraction(distance, largest), "distance": distance}

    def remark(self, score: Score) -> str:
        """Return a text with the distance itself."""
        value = float(score.values["distance"])
        shown = f"{value:,.0f}" if value.is_integer() else f"{value:,.4f}"
        return f"distance {shown} {self.distance_unit}".rstrip()
