"""Ranks and letters of systems, from which differences are significant."""

from __future__ import annotations

from itertools import count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def ranks(scores: Sequence[float], different: Mapping[tuple[int, int], bool]) -> list[int]:
    """The rank of every system: 1, and one more for every system that is significantly better.

    So systems without a significant difference to those at the top share the first rank, as in Moosavi & Strube 2016,
    table 5.
    """
    systems = range(len(scores))
    return [
        1 + sum(scores[other] > scores[system] and _differ(different, other, system) for other in systems)
        for system in systems
    ]


def letters(scores: Sequence[float], different: Mapping[tuple[int, int], bool]) -> list[str]:
    """Letters, best first: two systems share one if and only if they do not differ significantly (Piepho 2004)."""
    columns = [set(range(len(scores)))]
    for one in range(len(scores)):
        for other in range(one):
            if _differ(different, one, other):
                columns = _absorbed([part for column in columns for part in _split(column, one, other)])
    columns.sort(key=lambda column: sorted(-scores[system] for system in column))
    names = dict(zip(map(frozenset, columns), _names(), strict=False))
    between = "" if len(columns) <= len(ascii_lowercase) else ","
    return [between.join(name for column, name in names.items() if system in column) for system in range(len(scores))]


def _split(column: set[int], one: int, other: int) -> list[set[int]]:
    return [column - {one}, column - {other}] if {one, other} <= column else [column]


def _absorbed(columns: list[set[int]]) -> list[set[int]]:
    """Without columns that lie within another."""
    kept: list[set[int]] = []
    for column in sorted(columns, key=len, reverse=True):
        if not any(column <= other for other in kept):
            kept.append(column)
    return kept


def _names() -> Iterator[str]:
    """A to z, and then with as many letters as it takes."""
    for length in count(1):
        yield from ("".join(name) for name in product(ascii_lowercase, repeat=length))


def _differ(different: Mapping[tuple[int, int], bool], one: int, other: int) -> bool:
    return different.get((min(one, other), max(one, other)), False)


def kendall(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's τ-b of two lists of scores of the same systems; None where one of them does not tell them apart."""
    agree = tied_one = tied_other = pairs = 0
    for i in range(len(one)):
        for j in range(i):
            a, b = _sign(one[i] - one[j]), _sign(other[i] - other[j])
            pairs += 1
            agree += a * b
            tied_one += a == 0
            tied_other += b == 0
    scale = (pairs - tied_one) * (pairs - tied_other)
    return agree / scale**0.5 if scale else None


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
