"""Values that are computed when first asked for, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

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


class Later(Sequence[str]):
    """A column whose length is known, and whose values are found when someone looks at one."""

    def __init__(self, length: int, find: Callable[[], Sequence[str]]) -> None:
        self._length, self._find = length, find

    @kept
    def values(self) -> Sequence[str]:
        """What is in the column."""
        return self._find()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self.values[place]
