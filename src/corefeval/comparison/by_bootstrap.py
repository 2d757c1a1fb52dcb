"""A test from documents drawn with replacement, for systems that cannot be swapped, or where that is asked for.

p is the share of resampled differences that are as far from the observed one as that is from 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.comparison.randomisation import Test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.comparison.bootstrap import Distributions
    from corefeval.comparison.randomisation import Pair
    from corefeval.comparison.system import System
    from corefeval.measures import Measure

_NOISE = 1e-12


def tests(
    systems: Sequence[System],
    pairs: Sequence[Pair],
    measures: Sequence[Measure],
    drawn: Distributions,
    groups: Ints | None,
) -> dict[tuple[Pair, Measure], Test]:
    """Test every pair by every measure.

    Few documents make few resamples: what none of them reaches, on either side, may still be as likely as one of them.
    """
    least = min(1.0, 2 * rarest(len(systems[0].runs[0].document_names), groups))
    found: dict[tuple[Pair, Measure], Test] = {}
    for a, b in pairs:
        for measure in measures:
            observed = systems[b].observed(measure) - systems[a].observed(measure)
            found[(a, b), measure] = _test(observed, drawn[b, measure].all - drawn[a, measure].all, least)
    return found


def rarest(documents: int, groups: Ints | None) -> float:
    """How often one document of every group is drawn again and again: no resample is rarer."""
    sizes = np.array([documents]) if groups is None else np.bincount(groups)
    return float(np.prod(sizes.astype(np.float64) ** -sizes))


def _test(observed: float, differences: Floats, least: float) -> Test:
    hits = int(np.count_nonzero(np.abs(differences - observed) >= abs(observed) - _NOISE))
    return Test(max((hits + 1) / (len(differences) + 1), least), exact=False, tried=len(differences))
