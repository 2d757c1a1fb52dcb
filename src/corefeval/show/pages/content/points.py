"""Scores and their differences in points, as the page has them."""

from __future__ import annotations

_NOISE = 1e-9  # points: what adding in another order may make of nothing


def count_points(value: float) -> float:
    """Return a score, or a difference of two, in points.

    It is not rounded: what the page rounds a second time may differ from what the commands print.

    >>> count_points(0.7077499), count_points(-3e-17)
    (70.77499, 0.0)
    """
    points = 100 * float(value)
    return points if abs(points) > _NOISE else 0.0
