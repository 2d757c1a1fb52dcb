"""Values that are computed when first asked for, and kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Owner = TypeVar("Owner")
Kept = TypeVar("Kept")


class kept(Generic[Kept]):  # noqa: N801 - used as a decorator
    """Like functools.cached_property, without the lock that it has in Python 3.11: tables of ten mentions feel that."""

    def __init__(self, compute: Callable[[Any], Kept]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> kept[Kept]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> Kept: ...

    def __get__(self, owner: object | None, kind: type) -> kept[Kept] | Kept:
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._compute(owner)
        return value


class Later(Mapping[str, Kept]):
    """A mapping whose values are computed when first asked for, by functions without arguments, and kept."""

    def __init__(self, compute: Mapping[str, Callable[[], Kept]]) -> None:
        self._compute = compute
        self._values: dict[str, Kept] = {}

    def __getitem__(self, name: str) -> Kept:
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
