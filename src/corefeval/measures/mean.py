"""The mean of several measures: the F1 of each, and all weigh the same."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from corefeval._lazy import cached
from corefeval.errors import OptionError
from corefeval.measures.base import Measure, Value, Values
from corefeval.measures.parameters import parameter
from corefeval.options import Options


class Average(Measure):
    """A measure that is the mean of its parts' F1: a mean of scores, never of counts."""

    adds_up = "the counts of its measures are summed, each is scored, and the F1 are averaged"
    derivation = "average"
    shown: ClassVar[tuple[str, ...]] = ("f1",)

    @property
    def names_entities(self) -> bool:  # type: ignore[override]
        """Whether one of its parts knows entities by name."""
        return any(part.names_entities for part in self.parts)

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return the mean F1 of the parts as `f1`, and under `undefined` whose is 0/0."""
        names = tuple(counts)
        return self.average(
            {
                part: measure.score({own: counts[name] for own, name in _find_names_of_part(part, names)})
                for part, measure in self.named_parts.items()
            }
        )

    def average(self, scores: Mapping[str, Values]) -> Values:
        """Return what `score` does, given the scores of the parts by their names."""
        total: Value = 0
        undefined: dict[str, Value] = {}
        for part, values in scores.items():
            total = total + values["f1"]
            for field, value in values["undefined"].items():
                if field == "f1" or field.endswith(".f1"):  # of the part, or of a part of it
                    undefined[f"{part}.{field}"] = value
        return {"f1": total / len(scores), "undefined": undefined}

    def get_undefined(self, field: str) -> int:
        """Return what a field counts as where it is 0/0, such as "muc.f1": as its part says."""
        for name, part in self.named_parts.items():
            if field.startswith(f"{name}."):
                return part.get_undefined(field.removeprefix(f"{name}."))
        return self.undefined


@lru_cache(maxsize=256)
def _find_names_of_part(part: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return pairs for those names of counts that are a part's: its own name of the count, and the whole name."""
    return [(name.removeprefix(f"{part}."), name) for name in names if name.startswith(f"{part}.")]


class Mean(Average):
    """The mean F1 of any measures, written `mean(muc,lea)`, as the CoNLL average is that of MUC, B³ and CEAFe.

    Popescu-Belis advises to report several measures and their mean, since each has a bias of its own.
    """

    name = "mean"
    title = "mean of measures"
    formula = "Σ F1(measure) / number of measures"
    citation = "Popescu-Belis 1999, Evaluating reference resolution (4.1)"
    derivation_parameters = ("of",)

    undefined, twinless = 0, "keep"  # no parameters: its measures have their own
    of: tuple[Measure, ...] = parameter("the measures between the brackets", default=(), instance=tuple)

    @property
    def parts(self) -> tuple[Measure, ...]:  # type: ignore[override]
        """The measures of which it is the mean."""
        return self.of

    @cached
    def needs_mentions(self) -> bool:
        """Whether one of its measures looks at mentions."""
        return any(part.needs_mentions for part in self.of)

    @cached
    def is_symmetric(self) -> bool:
        """Whether key and response can change places without changing any of its measures' main scores."""
        return all(part.is_symmetric for part in self.of)

    def apply_options(self, options: Options) -> Mean:
        """Return the mean of the measures with the options' values for what they leave to the profile."""
        return Mean(of=tuple(part.apply_options(options) for part in self.of))

    def __str__(self) -> str:
        return f"mean({','.join(map(str, self.of))})"


def make_mean(measures: tuple[Measure, ...]) -> Mean:
    """Return the mean of measures; an OptionError for less than two, the same twice, and measures without an F1."""
    named = [str(measure) for measure in measures]
    if len(set(named)) < 2 or len(set(named)) < len(named):
        raise OptionError(f"mean({','.join(named)}) is not possible; a mean takes two or more different measures")
    without = [str(each) for each in measures if each.main != "f1"]
    if without:
        raise OptionError(f"{without[0]} has no F1, so it cannot be part of a mean; muc, bcub, ceafe and lea can")
    return Mean(of=measures)
