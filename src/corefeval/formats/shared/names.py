"""Names that a file can carry: distinct, even after characters that it cannot spell have been replaced."""

from __future__ import annotations

from itertools import count, repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


def make_distinct(
    names: Iterable[str], groups: Iterable[Hashable] = repeat(0), seen_as: Callable[[str], str] = str
) -> list[str]:
    """The names, with numbers behind those that are taken already; "_" stands for an empty one.

    groups: the group of every name, within which names must differ; by default all are in one.
    seen_as: what must differ of names.

    >>> make_distinct(["a", "b", "a", ""])
    ['a', 'b', 'a_2', '_']
    """
    taken: set[tuple[Hashable, str]] = set()
    numbers = count(2)
    distinct = []
    for wanted, group in zip(names, groups, strict=False):
        name = wanted or "_"
        while (group, seen_as(name)) in taken:
            name = f"{wanted}_{next(numbers)}"
        taken.add((group, seen_as(name)))
        distinct.append(name)
    return distinct
