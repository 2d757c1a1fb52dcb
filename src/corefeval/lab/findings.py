"""What a study finds: values beside those that the paper prints, claims of its text, and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

Number = float | int


@dataclass(frozen=True, slots=True)
class PrintedValue:
    """A value that a paper prints, and ours.

    case: which response, or row of the table, it is of. name: such as "muc.f1". ours: at full precision.
    printed: as the paper has it, with its number of decimals; None where it prints none.
    misprint: why the printed value is not what the paper's own formula gives; "" where it is.
    truncated: whether the paper cuts decimals off instead of rounding.
    """

    case: str
    name: str
    ours: float
    printed: float | None = None
    digits: int = 2
    misprint: str = ""
    truncated: bool = False

    @property
    def agrees(self) -> bool | None:
        """Whether ours, written with the paper's decimals, is what the paper prints; None where it prints nothing."""
        if self.printed is None:
            return None
        scale = 10**self.digits
        # A value half-way between two decimals may be printed either way: a billionth either side is not a difference.
        nearest = {floor((self.ours + nudge) * scale + (0 if self.truncated else 0.5)) for nudge in (-1e-9, 1e-9)}
        return round(self.printed * scale) in nearest


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
