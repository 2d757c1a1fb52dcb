"""How small a difference can be detected, how many documents it takes, and how many equal ones there really are."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefeval._arrays import Floats

_NORMAL = NormalDist()
POWER = 0.8
_ALIKE = 1e-9
_NOISE = 1e-20  # variance of scores that are equal but for rounding


@dataclass(frozen=True, slots=True)
class PowerAnalysis:
    """What the standard error of a difference says about other numbers of documents.

    by_documents, by_runs: the variances of the difference that come from documents, and from the runs of the systems.
    factor: how many standard errors a difference must have to be significant with 80 % power.
    least: fewer documents can never be significant, whatever the difference: they have too few swaps.
    """

    by_documents: float
    by_runs: float
    documents: int
    factor: float
    least: int

    @classmethod
    def from_resamples(cls, by_all: Floats, by_documents: Floats, documents: int, confidence: float) -> PowerAnalysis:
        """Estimate variances from resampled differences: with documents and runs drawn, and with documents alone."""
        whole, own = (float(np.var(each, ddof=1)) if len(each) > 1 else 0.0 for each in (by_all, by_documents))
        own = own if own > _NOISE else 0.0
        factor = _NORMAL.inv_cdf((1 + confidence) / 2) + _NORMAL.inv_cdf(POWER)
        # n documents have 2^(n-1) different swaps, so p is at least 2^-(n-1).
        least = 1 + int(np.ceil(-np.log2(1 - confidence) - _ALIKE))
        return cls(own, max(0.0, whole - own), documents, factor, least)

    @property
    def detectable(self) -> float | None:
        """The smallest difference found with 80 % power.

        None where there are too few documents for any, or where all resamples of them score alike.
        """
        if self.documents < self.least or not self.by_documents:
            return None
        return self.factor * float(np.sqrt(self.by_documents + self.by_runs))

    def count_needed(self, difference: float) -> int | None:
        """Return how many such documents show this difference with 80 % power; None where no number would do.

        More documents do not make the runs of a system differ less.
        """
        left = (difference / self.factor) ** 2 - self.by_runs
        if left <= 0 or not self.by_documents:
            return None
        return max(self.least, int(np.ceil(self.documents * self.by_documents / left)))


def count_effective(weight: Floats) -> float:
    """Return how many documents of equal weight these are worth (Kish 1965)."""
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0
