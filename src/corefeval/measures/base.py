"""What a measure is: a value with parameters, a way to count on the table, and a way to score counts.

`count` turns the table into a few columns with one row per document. Columns add up over documents, so the score of a
corpus is `score` of the sums, and a resample is `score` of weighted sums. `score` takes plain numbers or whole columns:
rows in, rows out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from corefeval.errors import OptionError, near
from corefeval.measures.rates import f_score, ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from dataclasses import Field

    from corefeval.arrays import Columns
    from corefeval.overlap import Overlap

Value: TypeAlias = Any
"""A number, or an array with a number for every row: the formulas read the same for both."""

Values: TypeAlias = dict[str, Value]
"""Named results. A dot goes into a part (`coreference.f1`); `undefined.recall` tells that recall is 0/0."""


def parameter(
    default: Any,
    doc: str,
    *,
    choices: tuple[Any, ...] = (),
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare a parameter once, for the parser, the checks, the help and the documentation."""
    return field(default=default, metadata={"doc": doc, "choices": choices, "low": low, "high": high})


def api_only(doc: str) -> Any:
    """Declare a parameter that takes a Python object and cannot be written as text."""
    return field(default=None, hash=False, metadata={"doc": doc, "api_only": True})


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """One measure with its parameters: equal by what it says, hashable, and written the same everywhere."""

    name: ClassVar[str]
    title: ClassVar[str]
    formula: ClassVar[str]
    citation: ClassVar[str]
    adds_up: ClassVar[str]
    main: ClassVar[str] = "f1"
    shown: ClassVar[tuple[str, ...]] = ("recall", "precision", "f1")

    undefined: int = parameter(0, "what 0/0 counts as", choices=(0, 1))

    def __post_init__(self) -> None:
        for each in self.parameters():
            _check(self.name, each, getattr(self, each.name))

    @classmethod
    def parameters(cls) -> Iterator[Field[Any]]:
        """The declared parameters."""
        return (each for each in fields(cls) if "doc" in each.metadata)

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read the parameters that follow the name: `alpha=0.2,boundary=both`."""
        known = {each.name: each for each in cls.parameters()}
        values = {}
        for item in filter(None, text.split(",")):
            name, _, value = item.partition("=")
            if name not in known:
                raise OptionError(f"{cls.name} has no parameter {name!r}; {near(name, list(known))}")
            values[name] = _read(cls.name, known[name], value)
        return cls(**values)

    def __str__(self) -> str:
        given = [f"{each.name}={_written(value)}" for each, value in self._given()]
        return f"{self.name}:{','.join(given)}" if given else self.name

    def _given(self) -> list[tuple[Field[Any], object]]:
        values = [(each, getattr(self, each.name)) for each in self.parameters()]
        return [(each, value) for each, value in values if value != each.default]

    @abstractmethod
    def count(self, table: Overlap) -> Columns:
        """Count, for every document."""

    @abstractmethod
    def score(self, counts: Mapping[str, Value]) -> Values:
        """Turn counts into scores."""


@dataclass(frozen=True, kw_only=True)
class RecallPrecision(Measure):
    """A measure whose recall and precision are each one count over another."""

    beta: float = parameter(1.0, "weight of recall in the F-score: F = (1+β²)PR / (β²P+R)", low=0.0)

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Divide, and combine."""
        return rates(counts, undefined=self.undefined, beta=self.beta)


@dataclass(frozen=True, kw_only=True)
class SingleScore(Measure):
    """A measure that gives one number."""

    main: ClassVar[str] = "score"
    shown: ClassVar[tuple[str, ...]] = ("score",)

    def single(self, numerator: Value, denominator: Value) -> Values:
        """The number, and whether it is 0/0."""
        return {"score": ratio(numerator, denominator, self.undefined), "undefined.score": denominator == 0}


def rates(counts: Mapping[str, Value], *, undefined: int, beta: float) -> Values:
    """Recall, precision and F from four counts, which are part of the result."""
    recall = ratio(counts["recall_numerator"], counts["recall_denominator"], undefined)
    precision = ratio(counts["precision_numerator"], counts["precision_denominator"], undefined)
    no_recall, no_precision = counts["recall_denominator"] == 0, counts["precision_denominator"] == 0
    return {
        "recall": recall,
        "precision": precision,
        "f1": f_score(recall, precision, beta),
        "recall_numerator": counts["recall_numerator"],
        "recall_denominator": counts["recall_denominator"],
        "precision_numerator": counts["precision_numerator"],
        "precision_denominator": counts["precision_denominator"],
        "undefined.recall": no_recall,
        "undefined.precision": no_precision,
        "undefined.f1": no_recall & no_precision,
    }


def _read(measure: str, each: Field[Any], text: str) -> object:
    if each.metadata.get("api_only"):
        raise OptionError(f"{measure}:{each.name} is a Python object and cannot be read from text; use the API")
    for choice in each.metadata["choices"]:
        if text == str(choice):
            return choice
    if each.metadata["choices"]:
        raise _impossible(measure, each, text)
    try:
        return float(text)
    except ValueError:
        raise _impossible(measure, each, text) from None


def _check(measure: str, each: Field[Any], value: object) -> None:
    if each.metadata.get("api_only"):
        return
    choices, low, high = (each.metadata[name] for name in ("choices", "low", "high"))
    if choices:
        fine = value in choices
    else:
        fine = isinstance(value, int | float) and not isinstance(value, bool) and value == value  # noqa: PLR0124 - not NaN
        fine = fine and (low is None or value >= low) and (high is None or value <= high)  # type: ignore[operator]
        fine = fine and value != float("inf")
    if not fine:
        raise _impossible(measure, each, value)


def _impossible(measure: str, each: Field[Any], value: object) -> OptionError:
    choices, low, high = (each.metadata[name] for name in ("choices", "low", "high"))
    if choices:
        possible = " or ".join(str(choice) for choice in choices if choice is not None)
    else:
        possible = f"a number from {low:g}" + ("" if high is None else f" to {high:g}")
    return OptionError(f"{measure}:{each.name}={value} is not possible; it takes {possible}")


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value) if isinstance(value, str | int) else "custom"
