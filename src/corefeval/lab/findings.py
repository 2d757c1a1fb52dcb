"""What a study finds: values beside those that the paper prints, figures, claims of its text, and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from corefeval.notices import Notice

Number: TypeAlias = float | int


@dataclass(frozen=True, slots=True)
class PrintedValue:
    """A value that a paper prints, and ours.

    case: which response, or row of the table, it is of. name: such as "muc.f1". ours: at full precision.
    printed: as the paper has it, with its number of decimals; None where it prints none.
    misprint: why the printed value is not what the paper's own formula gives; "" where it is.
    truncated: whether the paper cuts decimals off instead of rounding.
    slack: how far ours may be off, where it is computed from numbers that the paper prints and has rounded.
    """

    case: str
    name: str
    ours: float
    printed: float | None = None
    digits: int = 2
    misprint: str = ""
    truncated: bool = False
    slack: float = 0.0

    @property
    def agrees(self) -> bool | None:
        """Whether ours, written with the paper's decimals, is what the paper prints; None where it prints nothing."""
        if self.printed is None:
            return None
        scale, shorten = 10**self.digits, math.trunc if self.truncated else _round_half_up
        # A value half-way between two decimals may be printed either way: a billionth either side is not a difference.
        low, high = (shorten((self.ours + off) * scale) for off in (-self.slack - 1e-9, self.slack + 1e-9))
        return low <= round(self.printed * scale) <= high


def _round_half_up(number: float) -> int:
    """Return the nearest whole number, of two that are equally near the greater one."""
    return math.floor(number + 0.5)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a paper's text: whether it holds for our numbers, and these numbers."""

    text: str
    holds: bool
    numbers: str


@dataclass(frozen=True, slots=True)
class Figure:
    """Curves by name, each with a value for every place on the horizontal axis: a number, or a response's name."""

    horizontal: str
    vertical: str
    places: Sequence[Number | str]
    curves: Mapping[str, Sequence[Number]]


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a study finds. sentences: what the numbers say, each computed. notices: about the user's files.

    seed: of the random numbers; None where there are none.
    """

    values: Sequence[PrintedValue] = ()
    claims: Sequence[Claim] = ()
    figures: Sequence[Figure] = ()
    sentences: Sequence[str] = ()
    notices: tuple[Notice, ...] = ()
    seed: int | None = None


def write_numbers(numbers: Mapping[str, float], digits: int = 2) -> str:
    """Return named numbers as a text, for a claim.

    >>> write_numbers({"(a)": 0.9474, "(b)": 0.9}, 3)
    '(a) 0.947, (b) 0.900'
    """
    return ", ".join(f"{name} {number:.{digits}f}" for name, number in numbers.items())


def write_percents(shares: Mapping[str, float]) -> str:
    """Return named shares in per cent, for a claim.

    >>> write_percents({"A": 0.97612, "B": 0.5})
    'A 97.61, B 50.00'
    """
    return write_numbers({name: 100 * share for name, share in shares.items()})


def write_orders(orders: Mapping[str, Iterable[str]]) -> str:
    """Return rankings by name, for a claim.

    >>> write_orders({"MUC": "ED", "B³": "DE"})
    'MUC: E > D; B³: D > E'
    """
    return "; ".join(f"{name}: {' > '.join(order)}" for name, order in orders.items())
