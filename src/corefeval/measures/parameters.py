"""Values with parameters: one object for all that have the same, and written the same everywhere.

A subclass declares its parameters as class attributes with `parameter`; they become keywords of its constructor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from numbers import Real
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform
from weakref import WeakValueDictionary

from corefeval._lazy import NamedTuple
from corefeval.errors import MissingFileError, OptionError, suggest_names

CUSTOM = "custom"
"""What is written for a Python object that cannot be written."""

AnyParametrised = TypeVar("AnyParametrised", bound="Parametrised")

_ESCAPES = {
    "%": "%25",
    ",": "%2C",
    "+": "%2B",
    "|": "%7C",
    "(": "%28",
    ")": "%29",
    " ": "%20",
    "\n": "%0A",
    "\r": "%0D",
}
"""Characters of a path that mean something in lists of measures and in signatures; the per cent sign comes first."""


class Parameter(NamedTuple):
    """A parameter of a measure, declared once for the parser, the checks, the help and the documentation.

    choices: its possible values; else it is a number from 0 to `high`. instance: a class of Python objects that it
    takes, too. reader: "module:function" of what reads a file; the value is then its path, and read when it is used.
    """

    doc: str
    default: Any
    choices: tuple[Any, ...] = ()
    high: float = 1e9
    instance: Any = None
    reader: str = ""

    def check(self, name: str, value: Any) -> Any:
        """Return a value as the choice or float that it equals, an accepted object or path as it is; else an error.

        An OptionError; of files, what reading them raises.
        """
        for choice in self.choices:
            if type(value) is not bool and value == choice:
                return choice
        if self.reader and isinstance(value, str | PathLike):
            return self._check_path(name, fspath(value))
        if self.instance is not None and isinstance(value, self.instance):
            return value
        if not self.choices and type(value) is not bool and isinstance(value, Real) and 0 <= float(value) <= self.high:
            return float(value)
        raise self._make_error(name, value)

    def read_file(self, path: str) -> Any:
        """Return what the file of a path holds; what reading it raises."""
        module, _, name = self.reader.partition(":")
        return getattr(import_module(module), name)(path)

    def _check_path(self, name: str, path: str) -> str:
        """Return the path of a file that can be read; else what reading it raises, or an OptionError with choices."""
        try:
            self.read_file(path)
        except MissingFileError:
            if self.choices:
                raise self._make_error(name, path) from None
            raise
        return path

    def is_default(self, value: Any) -> bool:
        """Return whether a value is the default; where any object will do, whether it is the same object."""
        return value is self.default if self.instance is object else bool(value == self.default)

    def read(self, name: str, text: str) -> object:
        """Return the choice, path or float that users write as this text; an OptionError if it is none of these."""
        for choice in self.choices:
            if text == str(choice):
                return choice
        if self.reader:
            return unescape(text, _ESCAPES)
        try:
            return float(text)
        except ValueError:
            raise self._make_error(name, text) from None

    def _make_error(self, name: str, value: object) -> OptionError:
        """Return, not raise, an OptionError that a value is missing or not possible, with the values that are."""
        if self.choices:
            possible = " or ".join(str(choice) for choice in self.choices)
        else:
            highest = Parameter._field_defaults["high"]
            possible = "a number from 0" + ("" if self.high == highest else f" to {self.high:g}")
        possible += " or the path of a file" if self.reader else ""
        what = f"{name} is missing" if value is None else f"{name}={value} is not possible"
        return OptionError(f"{what}; it takes {possible}")


def parameter(doc: str, *, default: Any, **others: Any) -> Any:
    """Return a `Parameter` of these arguments, to be declared as a class attribute of a measure."""
    return Parameter(doc, default, **others)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(parameter,))
class Parametrised:
    """A value that is made from its parameters and nothing else."""

    name: ClassVar[str]
    parameters: ClassVar[dict[str, Parameter]] = {}
    _unwritten: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        attributes: dict[str, Any] = {}
        for base in reversed(cls.__bases__):
            attributes |= getattr(base, "parameters", {})
        attributes |= vars(cls)
        cls.parameters = {name: value for name, value in attributes.items() if isinstance(value, Parameter)}

    if not TYPE_CHECKING:

        def __new__(cls, **values: object):
            """Return the one object with these parameters; raise an error for values that they cannot have."""
            chosen = {
                name: declared.check(f"{cls.name}:{name}", values.pop(name, declared.default))
                for name, declared in cls.parameters.items()
            }
            for name in values:
                raise cls._make_unknown_error(name)
            return _find_or_make(cls, chosen, frozenset())

        def __reduce__(self) -> tuple[object, ...]:
            # There is one of each in every process, so a value that travels is looked up anew.
            return _find_or_make, (type(self), {name: self.__dict__[name] for name in self.parameters}, self._unwritten)

    def replace(self, values: Mapping[str, object], *, unwritten: Iterable[str] = ()) -> Self:
        """Return the object with other values for some parameters; `unwritten` ones are left out of its text."""
        new = type(self)(**{name: self.__dict__[name] for name in self.parameters} | dict(values))
        return _find_or_make(type(new), {name: new.__dict__[name] for name in new.parameters}, frozenset(unwritten))

    def load(self, name: str) -> Any:
        """Return the value of a parameter; of one that is the path of a file, what the file holds."""
        declared, value = self.parameters[name], self.__dict__[name]
        is_path = declared.reader and isinstance(value, str) and value not in declared.choices
        return declared.read_file(value) if is_path else value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a measure cannot be changed; make another: {type(self).__name__}({name}={value!r})")

    def __str__(self) -> str:
        given = [
            f"{name}={_format_value(self.__dict__[name])}"
            for name, declared in self.parameters.items()
            if not declared.is_default(self.__dict__[name]) and name not in self._unwritten
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name

    def __repr__(self) -> str:
        return f"<{self}>"

    @classmethod
    def _make_unknown_error(cls, name: str) -> OptionError:
        """Return, not raise, an OptionError that there is no parameter of this name, with those there are."""
        return OptionError(f"{cls.name} has no parameter {name!r}; {suggest_names(name, list(cls.parameters))}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the object with parameters as users write them: `alpha=0.2,boundary=both`; else an OptionError."""
        values: dict[str, Any] = {}
        for item in filter(None, text.split(",")):
            name, _, value = item.partition("=")
            if name not in cls.parameters:
                raise cls._make_unknown_error(name)
            if name in values:
                raise OptionError(f"{cls.name}:{text} gives {name} twice")
            values[name] = cls.parameters[name].read(f"{cls.name}:{name}", value)
        return cls(**values)


def _format_value(value: object) -> str:
    """Return a parameter's value as users write it; CUSTOM for a Python object that cannot be written."""
    if isinstance(value, float):
        short = f"{value:g}"
        return (short if float(short) == value else repr(value)).replace("+", "")
    return escape(str(value), _ESCAPES) if isinstance(value, str | int) else CUSTOM


def escape(text: str, codes: Mapping[str, str]) -> str:
    """Return a text with codes for the characters that have one: %7C for a bar; the per cent sign must be the first."""
    for letter, code in codes.items():
        text = text.replace(letter, code)
    return text


def unescape(text: str, codes: Mapping[str, str]) -> str:
    """Return the text that `escape` made another of."""
    for letter, code in reversed(list(codes.items())):
        text = text.replace(code, letter)
    return text


_MADE: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()


def _find_or_make(kind: type[AnyParametrised], values: dict[str, Any], unwritten: frozenset[str]) -> AnyParametrised:
    """Return the one object of a class with these values and unwritten parameters, which is made if there is none.

    A Python object that was passed in, and has no hash, is equal to itself only.
    """
    key = (kind, unwritten, *map(_identify, values.values()))
    made: AnyParametrised | None = _MADE.get(key)
    if made is None:
        made = object.__new__(kind)
        made.__dict__.update(values, _unwritten=unwritten)
        _MADE[key] = made
    return made


def _identify(value: Any) -> object:
    """Return what tells a value of a parameter from others: the value; of one without a hash, its identity."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
