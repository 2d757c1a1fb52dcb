"""Disjoint sets: of any items that are joined one by one, or of numbers that are joined all at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from corefeval._arrays import Ints, np

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


def find_first_members(size: int, one: Ints, other: Ints) -> Ints:
    """Return for each number below `size` the lowest of its set, where one[i] and other[i] are always in the same set.

    >>> find_first_members(5, np.array([3, 1]), np.array([1, 4])).tolist()
    [0, 1, 2, 1, 1]
    """
    first = np.arange(size)
    while True:
        ours, theirs = first[one], first[other]
        apart = ours != theirs
        if not apart.any():
            return first
        one, other, ours, theirs = one[apart], other[apart], ours[apart], theirs[apart]
        np.minimum.at(first, np.maximum(ours, theirs), np.minimum(ours, theirs))
        while not np.array_equal(above := first[first], first):
            first = above
