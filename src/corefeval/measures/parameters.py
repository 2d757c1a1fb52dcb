"""Values with parameters: one object for all that say the same, and written the same everywhere.

A subclass declares its parameters as class attributes with `parameter`; they become keywords of its constructor.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform
from weakref import WeakValueDictionary

from corefeval.errors import OptionError, suggest_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


Made = TypeVar("Made", bound="Parametrised")


class Parameter(NamedTuple):
    """A parameter of a measure, declared once for the parser, the checks, the help and the documentation."""

    default: Any
    doc: str
    choices: tuple[Any, ...]
    low: float | None
    high: float | None
    function: bool
    api_only: bool
    instance: type | None = None

    def checked(self, name: str, value: Any) -> Any:
        """The value in its plain form; an error if the parameter cannot have it."""
        if self.api_only or (self.function and callable(value)):
            return value
        if self.instance is not None and isinstance(value, self.instance):
            return value
        if self.choices:
            for choice in self.choices:
                if type(value) is not bool and value == choice:
                    return choice
        elif type(value) is not bool and isinstance(value, Real):
            number = float(value)
            if (self.low or 0.0) <= number <= (1e9 if self.high is None else self.high):
                return number
        raise self._impossible(name, value)

    def is_default(self, value: Any) -> bool:
        """Whether the value need not be written."""
        return value is self.default if self.api_only else bool(value == self.default)

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
    doc: str,
    *,
    default: Any,
    choices: tuple[Any, ...] = (),
    low: float | None = None,
    high: float | None = None,
    function: bool = False,
    instance: type | None = None,
) -> Any:
    """Declare a parameter: one of some words or numbers, or a number within limits.

    In Python perhaps a function, or an object of a class that can be hashed.
    """
    return Parameter(default, doc, choices, low, high, function, api_only=False, instance=instance)


def api_only(doc: str, *, default: Any) -> Any:
    """Declare a parameter that takes a Python object and cannot be written as text."""
    return Parameter(default, doc, (), None, None, function=False, api_only=True)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(parameter, api_only))
class Parametrised:
    """A value that is made from its parameters and nothing else."""

    name: ClassVar[str]
    parameters: ClassVar[dict[str, Parameter]] = {}
    _unwritten: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        own = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls.parameters = {name: value for name, value in own.items() if isinstance(value, Parameter)}

    if not TYPE_CHECKING:

        def __new__(cls, **values: object):
            """Check the parameters, and give the value that has them."""
            chosen = {
                name: declared.checked(f"{cls.name}:{name}", values.pop(name, declared.default))
                for name, declared in cls.parameters.items()
            }
            for name in values:
                raise cls._unknown(name)
            return _the_one(cls, chosen, frozenset())

        def __reduce__(self) -> tuple[object, ...]:
            # There is one of each in every process, so a value that travels is looked up anew.
            return _the_one, (type(self), {name: self.__dict__[name] for name in self.parameters}, self._unwritten)

    def replace(self, values: Mapping[str, object], *, unwritten: Iterable[str] = ()) -> Self:
        """The same with other values for some parameters, of which those that are `unwritten` are not in its text."""
        new = type(self)(**{name: self.__dict__[name] for name in self.parameters} | dict(values))
        return _the_one(type(new), {name: new.__dict__[name] for name in new.parameters}, frozenset(unwritten))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a measure cannot be changed; make another: {type(self).__name__}({name}={value!r})")

    def __str__(self) -> str:
        named = zip(self.parameters, self._values(), strict=True)
        given = [
            f"{name}={_written(value)}"
            for name, (declared, value) in named
            if not declared.is_default(value) and name not in self._unwritten
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name

    def __repr__(self) -> str:
        return f"<{self}>"

    def _values(self) -> list[tuple[Parameter, Any]]:
        return [(declared, self.__dict__[name]) for name, declared in self.parameters.items()]

    @classmethod
    def _unknown(cls, name: str) -> OptionError:
        return OptionError(f"{cls.name} has no parameter {name!r}; {suggest_names(name, list(cls.parameters))}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the parameters that follow the name: `alpha=0.2,boundary=both`."""
        values: dict[str, Any] = {}
        for item in filter(None, text.split(",")):
            name, _, value = item.partition("=")
            if name not in cls.parameters:
                raise cls._unknown(name)
            if name in values:
                raise OptionError(f"{cls.name}:{text} gives {name} twice")
            values[name] = cls.parameters[name].read(f"{cls.name}:{name}", value)
        return cls(**values)


def _written(value: object) -> str:
    if isinstance(value, float):
        short = f"{value:g}"
        return (short if float(short) == value else repr(value)).replace("+", "")
    return str(value) if isinstance(value, str | int) else "custom"


_ALL: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()


def _the_one(kind: type[Made], values: dict[str, Any], unwritten: frozenset[str]) -> Made:
    """The one value that says this: so equal values are the same object, and are looked up at the speed of one.

    A Python object that was passed in is equal to itself only.
    """
    declared = kind.parameters
    said = (id(value) if declared[name].api_only else value for name, value in values.items())
    key = (kind, unwritten, *said)
    found: Made | None = _ALL.get(key)
    if found is None:
        found = object.__new__(kind)
        found.__dict__.update(values, _unwritten=unwritten)
        _ALL[key] = found
    return found
