"""The record of a score; the arithmetic is in `rates` and `base`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from corefeval.measures.base import Measure, Values


class Score:
    """What a measure says: recall, precision and f1 with their counts, or a single score.

    `undefined` names what is 0/0 and has its value by convention only.
    """

    measure: Measure
    values: Mapping[str, float | int | str]
    undefined: tuple[str, ...]
    parts: Mapping[str, Score]
    links: Mapping[str, int]

    if TYPE_CHECKING:
        recall: float
        precision: float
        f1: float
        recall_numerator: float
        recall_denominator: float
        precision_numerator: float
        precision_denominator: float
        score: float
        distance: float
        direction: str
        coreference: Score
        noncoreference: Score
        masculine: Score
        feminine: Score
        bias: float

    def __init__(
        self,
        measure: Measure,
        values: Mapping[str, float | int | str],
        undefined: tuple[str, ...],
        parts: Mapping[str, Score],
        links: Mapping[str, int],
    ) -> None:
        own = self.__dict__
        own.update(values)
        if parts:
            own.update(parts)
        own["measure"], own["values"], own["undefined"] = measure, values, undefined
        own["parts"], own["links"] = parts, links

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a score cannot be changed: {name}={value!r}")

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            has = ", ".join([*self.values, *self.parts])
            raise AttributeError(f"{self.measure} has no {name}; it has {has}")

    @property
    def main(self) -> float:
        """The one number to show where there is room for one, as the measure says: f1, or the single score."""
        return float(self.values[self.measure.main])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.measure, tuple(self.values.items()), self.undefined))

    def to_dict(self) -> dict[str, object]:
        """Return the score as a dictionary for JSON: its values, what is undefined, its parts and its links."""
        parts = {name: part.to_dict() for name, part in self.parts.items()}
        links = {"links": dict(self.links)} if self.links else {}
        return {**self.values, "undefined": list(self.undefined), **parts, **links}

    def __repr__(self) -> str:
        shown = " ".join(f"{name}={self.values[name]}" for name in self.measure.shown)
        return f"<{self.measure}: {shown}>"


def make_score(measure: Measure, values: Values) -> Score:
    """Return a Score, with its parts, of the values that a measure's `score` returns for one document or all."""
    values = dict(values)
    missing = values.pop("undefined")
    undefined = tuple([name for name in missing if missing[name]]) if True in missing.values() else ()
    if dict not in map(type, values.values()):
        return Score(measure, values, undefined, {}, {})
    others = {name: value for name, value in values.items() if type(value) is dict}
    plain = {name: value for name, value in values.items() if name not in others}
    links = others.pop("links", {})
    return Score(measure, plain, undefined, {name: make_score(measure, part) for name, part in others.items()}, links)
