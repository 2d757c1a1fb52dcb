"""How small a difference a key can show, how many documents it takes, and how many it really has."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from corefeval.arrays import Floats

_NORMAL = NormalDist()
POWER = 0.8


class Planning(NamedTuple):
    """The standard error of a difference, the smallest one found in 80 of 100 cases, and documents for a given one."""

    error: float
    detectable: float
    documents: int

    def needed(self, difference: float) -> int | None:
        """How many documents of this kind show such a difference in 80 of 100 cases; None where none would do."""
        if not difference or not self.detectable:
            return None
        return int(np.ceil(self.documents * (self.detectable / abs(difference)) ** 2))


def planned(differences: Floats, documents: int, confidence: float) -> Planning:
    """From the bootstrap distribution of a difference."""
    error = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    factor = _NORMAL.inv_cdf((1 + confidence) / 2) + _NORMAL.inv_cdf(POWER)
    return Planning(error, factor * error, documents)


def effective(weight: Floats) -> float:
    """As how many documents of equal weight these count (Kish 1965)."""
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0
