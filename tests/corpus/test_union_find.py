"""Disjoint sets against connected components found by search."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefeval.corpus.union_find import UnionFind, find_first_members

LINKS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20)


def test_the_first_item_stands_for_its_set() -> None:
    sets = UnionFind(["a", "b", "c", "d", "b"])
    sets.join("d", "b")
    sets.join("c", "d")
    assert [sets.find(item) for item in "abcd"] == ["a", "b", "b", "b"]
    assert sets.groups() == [["a"], ["b", "c", "d"]]


@given(LINKS)
def test_groups_are_the_connected_components(links: list[tuple[int, int]]) -> None:
    sets = UnionFind(range(13))
    for one, other in links:
        sets.join(one, other)
    expected = []
    for start in range(13):
        reached = {start}
        for _ in range(13):
            reached |= {end for link in links if reached & set(link) for end in link}
        if min(reached) == start:
            expected.append(sorted(reached))
    assert sets.groups() == expected
    assert all(sets.find(item) == group[0] for group in expected for item in group)


@given(LINKS)
def test_numbers_that_are_joined_all_at_once_are_in_the_same_sets(links: list[tuple[int, int]]) -> None:
    sets = UnionFind(range(13))
    for one, other in links:
        sets.join(one, other)
    ones, others = np.array(links, dtype=np.int64).reshape(-1, 2).T
    assert find_first_members(13, ones, others).tolist() == [sets.find(number) for number in range(13)]
