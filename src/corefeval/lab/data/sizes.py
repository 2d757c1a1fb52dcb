"""How mentions are distributed into entities, in the bins of a paper's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from corefeval._arrays import Ints
from corefeval.corpus.corpus import Corpus
from corefeval.lab.data.results import DataFindings
from corefeval.lab.findings import Claim, Curve, Figure
from corefeval.measures import Measure
from corefeval.notices import join_notices

TITLE = "How large are the entities?"
SOURCE = "Recasens & Hovy 2011, BLANC, table 2"
PROCEDURE = (
    'The last row of the paper\'s table, "> 11-mention", is 11 mentions or more: its percentages add up to 100 so.'
)
RESPONSES = (0, None)

BINS = {"1": (1, 1), "2": (2, 2), "3": (3, 3), "4": (4, 4), "5": (5, 5), "6-10": (6, 10), "11 or more": (11, np.inf)}
"""The smallest and the largest size of each bin."""


def run(key: Corpus, responses: Mapping[str, Corpus], measures: Sequence[Measure], seed: int) -> DataFindings:  # noqa: ARG001
    """Return how many entities of each size the key and the responses have, in numbers and per cent."""
    sides = {"key": key, **responses}
    counts = {name: [len(sizes) for sizes in bin_sizes(side)] for name, side in sides.items()}
    curves = []
    for name, own in counts.items():
        shares = (100 * each / max(1, sum(own)) for each in own)
        curves += [Curve(name, (len(sides[name]), sum(own), *own)), Curve(f"{name}, %", (100.0, 100.0, *shares))]
    figure = Figure("size", "entities by size", ("mentions", "entities", *BINS), tuple(curves))
    largest = list(BINS)[counts["key"].index(max(counts["key"]))]
    claim = Claim("singletons are the largest group", largest == "1", f"the largest: {largest}")
    return DataFindings(figures=[figure], claims=[claim], notices=join_notices(side.notices for side in sides.values()))


def bin_sizes(side: Corpus) -> list[Ints]:
    """Return the sizes of the entities in each bin."""
    return [side.sizes[(side.sizes >= least) & (side.sizes <= most)] for least, most in BINS.values()]
