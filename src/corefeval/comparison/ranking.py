"""Ranks and letters of systems, from which differences are significant; and whether two measures rank alike."""

from __future__ import annotations

from itertools import count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def rank_systems(scores: Sequence[float], different: Mapping[tuple[int, int], bool]) -> list[int]:
    """Return the rank of every system: 1 + the number of systems that are significantly better.

    So all systems that do not differ significantly from the best share rank 1 (Moosavi & Strube 2016, table 5).
    """
    systems = range(len(scores))
    return [
        1 + sum(scores[other] > scores[system] and _is_different(different, other, system) for other in systems)
        for system in systems
    ]


def assign_letters(scores: Sequence[float], different: Mapping[tuple[int, int], bool]) -> list[str]:
    """Return letters for every system: two share one exactly if they do not differ significantly (Piepho 2004)."""
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
    """Drop columns that are part of another one."""
    left: list[set[int]] = []
    for column in sorted(columns, key=len, reverse=True):
        if not any(column <= other for other in left):
            left.append(column)
    return left


def _is_different(different: Mapping[tuple[int, int], bool], one: int, other: int) -> bool:
    return different.get((one, other), False) or different.get((other, one), False)


def correlate_ranks(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Kendall's τ-b of two lists of scores of the same systems; None where all scores of one list are equal."""
    agree = tied_one = tied_other = pairs = 0
    for i in range(len(one)):
        for j in range(i):
            a, b = ((scores[i] > scores[j]) - (scores[i] < scores[j]) for scores in (one, other))
            pairs += 1
            agree += a * b
            tied_one += a == 0
            tied_other += b == 0
    scale = (pairs - tied_one) * (pairs - tied_other)
    return agree / scale**0.5 if scale else None
