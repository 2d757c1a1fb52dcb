"""What a measure is: a value with parameters, a way to count on the table, and a way to score counts.

`count` turns the table into a few columns with one row per document. Columns add up over documents, so the score of a
corpus is `score` of the sums, and a resample is `score` of weighted sums. `score` takes plain numbers or whole columns:
rows in, rows out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform

from corefeval.errors import OptionError, near
from corefeval.measures.rates import f_score, ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.arrays import Columns
    from corefeval.overlap import Overlap

Value: TypeAlias = Any
"""A number, or an array with a number for every row: the formulas read the same for both."""

Values: TypeAlias = dict[str, Value]
"""Named results, and under `undefined` which of them are 0/0. A measure may have parts, which are Values again."""

COUNTS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
"""The columns of a measure whose recall and precision are fractions."""


class Parameter(NamedTuple):
    """A parameter of a measure, declared once for the parser, the checks, the help and the documentation."""

    default: Any
    doc: str
    choices: tuple[Any, ...]
    low: float | None
    high: float | None
    function: bool
    api_only: bool

    def check(self, name: str, value: object) -> None:
        """Complain about a value that the parameter cannot have."""
        if self.api_only or (self.function and callable(value)):
            return
        if self.choices:
            fine = value in self.choices
        else:
            fine = isinstance(value, int | float) and not isinstance(value, bool)
            fine = fine and (self.low or 0.0) <= value <= (1e9 if self.high is None else self.high)  # type: ignore[operator]
        if not fine:
            raise self._impossible(name, value)

    def read(self, name: str, text: str) -> object:
        """The value that is written so."""
        if self.api_only:
            raise OptionError(f"{name} is a Python object and cannot be read from text; use the API")
        for choice in self.choices:
            if text == str(choice):
                return choice
        try:
            return float(text)
        except ValueError:
            raise self._impossible(name, text) from None

    def _impossible(self, name: str, value: object) -> OptionError:
        if self.choices:
            possible = " or ".join(str(choice) for choice in self.choices)
        else:
            possible = f"a number from {self.low or 0:g}" + ("" if self.high is None else f" to {self.high:g}")
        what = f"{name} is missing" if value is None else f"{name}={value} is not possible"
        return OptionError(f"{what}; it takes {possible}")


def parameter(
    default: Any,
    doc: str,
    *,
    choices: tuple[Any, ...] = (),
    low: float | None = None,
    high: float | None = None,
    function: bool = False,
) -> Any:
    """Declare a parameter: one of some words or numbers, or a number within limits; in Python perhaps a function."""
    return Parameter(default, doc, choices, low, high, function, api_only=False)


def api_only(doc: str, *, default: Any = None) -> Any:
    """Declare a parameter that takes a Python object and cannot be written as text."""
    return Parameter(default, doc, (), None, None, function=False, api_only=True)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(parameter, api_only))
class Measure(ABC):
    """One measure with its parameters: a value, equal by what it says, hashable, and written the same everywhere."""

    name: ClassVar[str]
    title: ClassVar[str]
    formula: ClassVar[str]
    citation: ClassVar[str]
    adds_up: ClassVar[str]
    main: ClassVar[str] = "f1"
    shown: ClassVar[tuple[str, ...]] = ("recall", "precision", "f1")
    more_is_better: ClassVar[bool] = True
    parameters: ClassVar[dict[str, Parameter]] = {}

    undefined: int = parameter(0, "what 0/0 counts as", choices=(0, 1))

    def __init_subclass__(cls) -> None:
        own = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls.parameters = {name: value for name, value in own.items() if isinstance(value, Parameter)}

    if not TYPE_CHECKING:

        def __init__(self, **values: object) -> None:
            for name, declared in self.parameters.items():
                value = values.pop(name, declared.default)
                declared.check(f"{self.name}:{name}", value)
                self.__dict__[name] = value
            if values:
                raise OptionError(f"{self.name} has no parameter {next(iter(values))!r}; {self._known(next(iter(values)))}")
            self.__dict__["_hash"] = hash((type(self), *(id(v) if p.api_only else v for p, v in self._values())))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a measure cannot be changed; make another: {type(self).__name__}({name}={value!r})")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return self.__dict__["_hash"]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        named = zip(self.parameters, self._values(), strict=True)
        given = [f"{name}={_written(value)}" for name, (declared, value) in named if value != declared.default]
        return f"{self.name}:{','.join(given)}" if given else self.name

    def __repr__(self) -> str:
        return f"<{self}>"

    def _values(self) -> list[tuple[Parameter, Any]]:
        return [(declared, self.__dict__[name]) for name, declared in self.parameters.items()]

    @classmethod
    def _known(cls, name: str) -> str:
        return near(name, list(cls.parameters))

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read the parameters that follow the name: `alpha=0.2,boundary=both`."""
        values: dict[str, Any] = {}
        for item in filter(None, text.split(",")):
            name, _, value = item.partition("=")
            if name not in cls.parameters:
                raise OptionError(f"{cls.name} has no parameter {name!r}; {cls._known(name)}")
            values[name] = cls.parameters[name].read(f"{cls.name}:{name}", value)
        return cls(**values)

    @abstractmethod
    def count(self, table: Overlap) -> Columns:
        """Count, for every document."""

    @abstractmethod
    def score(self, counts: Mapping[str, Value]) -> Values:
        """Turn counts into scores."""


class RecallPrecision(Measure):
    """A measure whose recall and precision are each one count over another."""

    beta: float = parameter(1.0, "weight of recall in the F-score: F = (1+β²)PR / (β²P+R)")

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Divide, and combine."""
        return rates(counts, undefined=self.undefined, beta=self.beta)


class SingleScore(Measure):
    """A measure that gives one number."""

    main: ClassVar[str] = "score"
    shown: ClassVar[tuple[str, ...]] = ("score",)

    def single(self, numerator: Value, denominator: Value) -> Values:
        """The number, and whether it is 0/0."""
        return {"score": ratio(numerator, denominator, self.undefined), "undefined": {"score": denominator == 0}}


def rates(counts: Mapping[str, Value], *, undefined: int, beta: float) -> Values:
    """Recall, precision and F from four counts, which are part of the result."""
    found, wanted = counts["recall_numerator"], counts["recall_denominator"]
    right, given = counts["precision_numerator"], counts["precision_denominator"]
    recall, precision = ratio(found, wanted, undefined), ratio(right, given, undefined)
    no_recall, no_precision = wanted == 0, given == 0
    return {
        "recall": recall,
        "precision": precision,
        "f1": f_score(recall, precision, beta),
        "recall_numerator": found,
        "recall_denominator": wanted,
        "precision_numerator": right,
        "precision_denominator": given,
        "undefined": {"recall": no_recall, "precision": no_precision, "f1": no_recall & no_precision},
    }


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value) if isinstance(value, str | int) else "custom"
