"""Disjoint sets: the one union-find of the package."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item", bound="Hashable")


class UnionFind(Generic[Item]):
    """Items in disjoint sets, each item alone at first; the first item of a set, in the order given, stands for it.

    >>> sets = UnionFind("abcd")
    >>> sets.join("c", "b")
    >>> sets.find("c")
    'b'
    >>> sets.groups()
    [['a'], ['b', 'c'], ['d']]
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = list(dict.fromkeys(items))
        self._place = {item: place for place, item in enumerate(self._items)}
        self._above = list(range(len(self._items)))

    def join(self, one: Item, other: Item) -> None:
        """Merge the sets that two items are in."""
        first, second = sorted((self._find_root(self._place[one]), self._find_root(self._place[other])))
        self._above[second] = first

    def find(self, item: Item) -> Item:
        """Return the first item of the set that an item is in."""
        return self._items[self._find_root(self._place[item])]

    def groups(self) -> list[list[Item]]:
        """Return all sets as lists, in the order of their first items, with their items in the order given."""
        groups: dict[int, list[Item]] = {}
        for place, item in enumerate(self._items):
            groups.setdefault(self._find_root(place), []).append(item)
        return list(groups.values())

    def _find_root(self, place: int) -> int:
        """Return the place of the first item of a set, given the place of any item of it; shorten the links passed."""
        above = self._above
        while above[place] != place:
            above[place] = place = above[above[place]]
        return place
