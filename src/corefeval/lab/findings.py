"""What a study finds: values beside those that the paper prints, claims of its text, and a figure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Number = float | int


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
class Curve:
    """A line of a figure: its name, and a value for each place on the horizontal axis."""

    name: str
    values: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """Curves over one horizontal axis, whose places are numbers, or names of responses."""

    horizontal: str
    vertical: str
    places: tuple[Number | str, ...]
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a study finds."""

    values: Sequence[PrintedValue] = ()
    claims: Sequence[Claim] = ()
    figure: Figure | None = None


def write_numbers(numbers: Mapping[str, float], digits: int = 2) -> str:
    """Return named numbers as a text, for a claim.

    >>> write_numbers({"(a)": 0.9474, "(b)": 0.9}, 3)
    '(a) 0.947, (b) 0.900'
    """
    return ", ".join(f"{name} {number:.{digits}f}" for name, number in numbers.items())
