"""What a weight can be: of so many factors and sums of weights none gets too large, or too small, for a float."""

from __future__ import annotations

from typing import Any

LEAST, MOST = 1e-35, 1e35
A_WEIGHT = f"0, or a number from {LEAST:g} to {MOST:g}".replace("+", "")


def is_weight(number: Any) -> Any:
    """Return whether a number, or each of a column, can be a weight."""
    return (number == 0) | ((number >= LEAST) & (number <= MOST))
