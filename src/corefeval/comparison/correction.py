"""p-values of many comparisons, corrected for how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Floats


def _none(p: Floats) -> Floats:
    return p


def _holm(p: Floats) -> Floats:
    """The chance of even one false discovery stays below the level (Holm 1979)."""
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _back(stepped, order)


def _bh(p: Floats) -> Floats:
    """The expected share of false discoveries stays below the level (Benjamini & Hochberg 1995)."""
    order = np.argsort(p)
    stepped = np.minimum.accumulate((p[order] * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1]
    return _back(stepped, order)


def _back(stepped: Floats, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    found = np.empty_like(stepped)
    found[order] = np.minimum(stepped, 1.0)
    return found


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {"holm": _holm, "bh": _bh, "none": _none}


def corrected(p: Sequence[float], method: str) -> list[float]:
    """The p-values of comparisons that belong together, corrected."""
    if not p:
        return []
    found: list[float] = CORRECTIONS[method](np.asarray(p, dtype=np.float64)).tolist()
    return found
