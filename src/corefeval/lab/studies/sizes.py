"""How mentions are distributed into entities, in the bins of a paper's table."""

from __future__ import annotations

import numpy as np

from corefeval._arrays import Ints
from corefeval.lab.findings import Claim, Figure, Findings
from corefeval.lab.subject import StudySubject
from corefeval.notices import count_things, join_notices

TITLE = "How large are the entities?"
SOURCE = "Recasens & Hovy 2011, BLANC, table 2"
PROCEDURE = (
    'The last row of the paper\'s table, "> 11-mention", is 11 mentions or more: its percentages add up to 100 so.'
)
TAKES = (0, None)
SCORES = False

BINS = {"1": (1, 1), "2": (2, 2), "3": (3, 3), "4": (4, 4), "5": (5, 5), "6-10": (6, 10), "11 or more": (11, np.inf)}
"""The smallest and the largest size of each bin."""


def run(subject: StudySubject) -> Findings:
    """Return how many entities of each size the key and the responses have, in numbers and per cent."""
    sides = {"key": subject.key, **subject.responses}
    counts = {name: [len(each) for each in bin_sizes(side.sizes)] for name, side in sides.items()}
    shares = {name: [100 * each / max(1, sum(own)) for each in own] for name, own in counts.items()}
    sentences = [
        f"{name}: {count_things(len(side), side.noun)} in {count_things(len(side.sizes), 'entity')}."
        for name, side in sides.items()
    ]
    figures = [
        Figure("size", "entities by size", list(BINS), counts),
        Figure("size", "entities by size, %", list(BINS), shares),
    ]
    largest = list(BINS)[counts["key"].index(max(counts["key"]))]
    numbers = f"most entities of the key are of size {largest}"
    claim = Claim("singletons are the largest group", largest == "1", numbers)
    notices = join_notices(side.notices for side in sides.values())
    return Findings(claims=[claim], figures=figures, sentences=sentences, notices=notices)


def bin_sizes(sizes: Ints) -> list[Ints]:
    """Return the sizes of entities in each of the BINS."""
    return [sizes[(sizes >= least) & (sizes <= most)] for least, most in BINS.values()]
