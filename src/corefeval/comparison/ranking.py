"""Ranks and letters of systems, from which differences are significant; and whether two measures rank alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, count, product
from string import ascii_lowercase


def rank_systems(scores: Sequence[float], different: Mapping[tuple[int, int], bool]) -> list[int]:
    """Return each system's rank in a list: 1 + how many are significantly better (Moosavi & Strube 2016, table 5)."""
    systems = range(len(scores))
    return [
        1 + sum(scores[other] > scores[system] and _is_different(different, other, system) for other in systems)
        for system in systems
    ]


def assign_letters(scores: Sequence[float], different: Mapping[tuple[int, int], bool]) -> list[str]:
    """Return letters for every system: two share one if and only if they do not differ significantly (Piepho 2004)."""
    columns = [set(range(len(scores)))]
    for one in range(len(scores)):
        for other in range(one):
            if _is_different(different, one, other):
                parts: list[set[int]] = []
                for column in columns:
                    parts += [column - {one}, column - {other}] if {one, other} <= column else [column]
                columns = _drop_subsets(parts)
    columns.sort(key=lambda column: sorted(-scores[system] for system in column))
    letters = ("".join(each) for length in count(1) for each in product(ascii_lowercase, repeat=length))
    names = dict(zip(map(frozenset, columns), letters, strict=False))  # a, b … z, aa, ab …
    between = "" if len(columns) <= len(ascii_lowercase) else ","
    return [between.join(name for column, name in names.items() if system in column) for system in range(len(scores))]


def _drop_subsets(columns: list[set[int]]) -> list[set[int]]:
    """Return the sets that are no part of another one, each once, the largest first."""
    left: list[set[int]] = []
    for column in sorted(columns, key=len, reverse=True):
        if not any(column <= other for other in left):
            left.append(column)
    return left


def _is_different(different: Mapping[tuple[int, int], bool], one: int, other: int) -> bool:
    """Return whether two systems differ significantly, in whichever order they were compared."""
    return different.get((one, other), False) or different.get((other, one), False)


def correlate_ranks(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Kendall's τ-b of two lists of scores of the same systems; None where all scores of one list are equal."""
    # For every two systems the sign of their difference in either list; 0 is a tie.
    signs = [((a > c) - (a < c), (b > d) - (b < d)) for (a, b), (c, d) in combinations(zip(one, other, strict=True), 2)]
    untied_one, untied_other = (sum(pair[side] != 0 for pair in signs) for side in (0, 1))
    scale = untied_one * untied_other
    return sum(a * b for a, b in signs) / scale**0.5 if scale else None
