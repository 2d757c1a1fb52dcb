"""Division and the F-score, for plain numbers and for whole columns."""

from __future__ import annotations

import math
from typing import Any

from corefeval._arrays import np

_PLAIN = (int, float)


def divide(numerator: Any, denominator: Any, undefined: int = 0) -> Any:
    """Return the quotient of numbers or columns, with `undefined` for 0/0; Python integers divide exactly."""
    if type(denominator) in _PLAIN:
        return numerator / denominator if denominator else float(undefined)
    top = np.asarray(numerator, dtype=np.float64)
    bottom = np.asarray(denominator, dtype=np.float64)
    if bottom.all():
        return top / bottom
    start = np.full(np.broadcast_shapes(top.shape, bottom.shape), float(undefined))
    return np.divide(top, bottom, out=start, where=bottom != 0)


def compute_recall_precision_f(
    found: Any, wanted: Any, right: Any, given: Any, undefined: int, beta: float
) -> tuple[Any, Any, Any]:
    """Return found/wanted, right/given (0/0 as `undefined`), and their F-score weighted by beta, 0 where both are 0."""
    square = beta * beta
    if type(wanted) in _PLAIN and type(given) in _PLAIN:
        recall = found / wanted if wanted else float(undefined)
        precision = right / given if given else float(undefined)
        weighted = square * precision + recall
        return recall, precision, (1 + square) * precision * recall / weighted if weighted else 0.0
    recall, precision = divide(found, wanted, undefined), divide(right, given, undefined)
    return recall, precision, divide((1 + square) * precision * recall, square * precision + recall)


def make_exact(counts: Any) -> Any:
    """Return a column of integers as one of Python integers, whose products cannot overflow; all else unchanged."""
    if type(counts) in _PLAIN or counts.dtype.kind not in "iu":
        return counts
    return counts.astype(object)


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """Return `yes` where the condition holds, else `no`: an array for an array of conditions."""
    return np.where(condition, yes, no) if isinstance(condition, np.ndarray) else (yes if condition else no)


def take_root(value: Any) -> Any:
    """Return the square root of a number, or of each number of an array."""
    return np.sqrt(value) if isinstance(value, np.ndarray) else math.sqrt(value)
