"""Work that is put off: values that are computed at their first use, types of fields that nobody reads at run time."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - for others to import
else:

    class _UnreadTypes(type):
        """Makes named tuples as typing does, without reading the types of fields, which takes longer than all the rest.

        A command needs some seventy named tuples with three hundred fields before it does anything.
        """

        def __new__(mcs, name, _bases, namespace):
            types = namespace.pop("__annotations__", {})
            defaults = [namespace.pop(field) for field in types if field in namespace]
            made = namedtuple(name, types, defaults=defaults, module=namespace["__module__"])  # noqa: PYI024
            made.__annotations__ = types
            for attribute, value in namespace.items():
                setattr(made, attribute, value)
            return made

    NamedTuple = type.__new__(_UnreadTypes, "NamedTuple", (), {})

Value = TypeVar("Value")


class cached(Generic[Value]):  # noqa: N801 - used as a decorator
    """A property computed once for each object, without functools' lock in 3.11, which small tables feel."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> cached[Value]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> Value: ...

    def __get__(self, owner: object | None, kind: type) -> cached[Value] | Value:
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._compute(owner)
        return value


class Frozen:
    """An object that cannot be changed, but keeps what it computes; faster than a frozen dataclass for small tables."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}={value!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")


@dataclass_transform(frozen_default=True)
class Record(Frozen):
    """An object with the fields that its class declares, which cannot be changed; equal to itself only.

    It is what a frozen dataclass is, without code to compile for each class whenever a command starts.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _possible: ClassVar[frozenset[str]] = frozenset()
    _required: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        cls._fields = (*cls._fields, *get_annotations(cls))
        cls._possible = frozenset(cls._fields)
        cls._required = frozenset(field for field in cls._fields if not hasattr(cls, field))

    if not TYPE_CHECKING:

        def __init__(self, *values, **named):
            own = self.__dict__
            own.update(zip(self._fields, values), **named)  # noqa: B905 - too many are an error below
            given = len(values) + len(named)
            if len(own) < given or not (self._required.issubset(own) and self._possible.issuperset(own)):
                raise TypeError(f"{type(self).__name__} takes {', '.join(self._fields)}, each once")

    def replace(self, **changes: Any) -> Self:
        """Return a new object with the same fields but for those given by keyword."""
        own = self.__dict__
        return type(self)(**{field: own[field] for field in self._fields if field in own} | changes)


class LazyMapping(Mapping[str, Value]):
    """A mapping whose values are computed at their first use, by functions without arguments, and kept."""

    def __init__(self, compute: Mapping[str, Callable[[], Value]]) -> None:
        self._compute = compute
        self._values: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._values:
            self._values[name] = self._compute[name]()
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._compute

    def __iter__(self) -> Iterator[str]:
        return iter(self._compute)

    def __len__(self) -> int:
        return len(self._compute)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (dict(self),)


class LazySequence(Sequence[Value]):
    """A sequence whose values are made, each time they are asked for, from items: by a function, as `map` does."""

    def __init__(self, make: Callable[[Any], Value], items: Sequence[Any]) -> None:
        self._make, self._items = make, items

    @overload
    def __getitem__(self, place: int) -> Value: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Value, ...]: ...

    def __getitem__(self, place: int | slice) -> Value | tuple[Value, ...]:
        if isinstance(place, slice):
            return tuple(map(self._make, self._items[place]))
        return self._make(self._items[place])

    def __iter__(self) -> Iterator[Value]:
        return map(self._make, self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (tuple(self),)
