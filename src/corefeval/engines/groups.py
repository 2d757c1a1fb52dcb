"""Groups of records that are of documents, too: what is counted by document is summed up by group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise

from corefeval._arrays import Columns, np
from corefeval.measures import Measure
from corefeval.overlap.summation import sum_documents
from corefeval.overlap.views import Tables
from corefeval.scoring.counting import Counter
from corefeval.scoring.results import sum_counts


class GroupCounter(Counter):
    """Counts by group: the sums over the documents of each, of which its tables have those of one group together."""

    _bounds: tuple[int, ...]

    def __init__(self, tables: Tables, groups: Sequence[str]) -> None:
        """Take the tables of all groups' documents, and the name of each one's group."""
        super().__init__(tables)
        lengths = (len(list(same)) for _, same in groupby(groups))
        self.__dict__["_bounds"] = tuple(accumulate(lengths, initial=0))

    def _count_tables(self, measure: Measure) -> Columns:
        """Return the counts of a measure without parts, with a number for each group; of one, plain numbers."""
        counts = super()._count_tables(measure)
        if len(self._bounds) == 2:
            return sum_counts(counts)
        bounds = list(pairwise(self._bounds))
        return {
            name: np.array([sum_documents(column[a:b]) for a, b in bounds], dtype=column.dtype)
            for name, column in counts.items()
        }
