"""How small a difference a key can show, how many documents it takes, and how many it really has."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from corefeval._arrays import Floats

_NORMAL = NormalDist()
POWER = 0.8
_ALIKE = 1e-9
_NOISE = 1e-20  # of the variance of scores that are equal but for rounding


class Planning(NamedTuple):
    """What the error of a difference says about other numbers of documents.

    by_documents, by_runs: the variances of the difference that come from documents, and from the runs of the systems.
    factor: how many standard errors a difference must have to be significant in 80 of 100 cases.
    least: fewer documents cannot be significant, whatever the difference: all swaps of them are too few.
    """

    by_documents: float
    by_runs: float
    documents: int
    factor: float
    least: int

    @property
    def detectable(self) -> float | None:
        """The smallest difference that is found in 80 of 100 cases.

        None where there are too few documents for any, and where none of them tells how much documents differ.
        """
        if self.documents < self.least or not self.by_documents:
            return None
        return self.factor * float(np.sqrt(self.by_documents + self.by_runs))

    def needed(self, difference: float) -> int | None:
        """How many documents of this kind show such a difference in 80 of 100 cases; None where none would do.

        More documents do not make the runs of a system differ less.
        """
        left = (difference / self.factor) ** 2 - self.by_runs
        if left <= 0 or not self.by_documents:
            return None
        return max(self.least, int(np.ceil(self.documents * self.by_documents / left)))


def planned(differences: Floats, of_documents: Floats, documents: int, confidence: float) -> Planning:
    """From the bootstrap distributions of a difference: with the runs drawn, too, and with the runs as they are."""
    whole, own = (float(np.var(each, ddof=1)) if len(each) > 1 else 0.0 for each in (differences, of_documents))
    own = own if own > _NOISE else 0.0
    factor = _NORMAL.inv_cdf((1 + confidence) / 2) + _NORMAL.inv_cdf(POWER)
    least = 1 + int(np.ceil(-np.log2(1 - confidence) - _ALIKE))
    return Planning(own, max(0.0, whole - own), documents, factor, least)


def effective(weight: Floats) -> float:
    """As how many documents of equal weight these count (Kish 1965)."""
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0
