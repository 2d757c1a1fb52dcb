"""The mean of several measures: the F1 of each, and all weigh the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from corefeval.errors import OptionError
from corefeval.measures.base import Measure, Value, Values
from corefeval.measures.parameters import parameter
from corefeval.options import Options


class Average(Measure):
    """A measure that is the mean of its parts' F1: a mean of scores, never of counts."""

    adds_up = "the counts of its measures are summed, each is scored, and the F1 are averaged"
    derivation = "average"
    shown: ClassVar[tuple[str, ...]] = ("f1",)

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return the mean F1 of the parts as `f1`, and under `undefined` whose is 0/0."""
        total: Value = 0
        undefined: dict[str, Value] = {}
        for name, part in self.named_parts.items():
            prefix = f"{name}."
            scored = part.score({each.removeprefix(prefix): counts[each] for each in counts if each.startswith(prefix)})
            total = total + scored["f1"]
            undefined |= {f"{prefix}{field}": value for field, value in scored["undefined"].items() if _is_f1(field)}
        return {"f1": total / len(self.parts), "undefined": undefined}


def _is_f1(name: str) -> bool:
    """Return whether a field is an F1, also of a part: f1, muc.f1."""
    return name.rpartition(".")[2] == "f1"


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

    @property
    def needs_mentions(self) -> bool:  # type: ignore[override]
        """Whether one of its measures looks at mentions."""
        return any(part.needs_mentions for part in self.of)

    @property
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
