"""The ways of the literature to treat mentions that only one side has: rewrites of the table before counting.

Each gives one table for recall and one for precision.

keep          change nothing (Luo 2005, Pradhan et al. 2014)
stoyanov_all  a twinless mention counts as resolved to itself (Stoyanov et al. 2009, B³all)
stoyanov0     twinless response mentions are dropped, twinless key mentions cost recall (Stoyanov et al. 2009, B³0)
rahman_ng     response singletons without a twin are dropped (Rahman & Ng 2009)
cai_strube    those are dropped; for precision, other twinless response mentions join the key as singletons; for recall,
              they leave the response and twinless key mentions join it as singletons (Cai & Strube 2010)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.measures.base import PROFILE

if TYPE_CHECKING:
    from corefeval.overlap.table import Overlap

CHOICES = (PROFILE, "keep", "stoyanov_all", "stoyanov0", "rahman_ng", "cai_strube")


def rewritten(way: str, table: Overlap) -> tuple[Overlap, Overlap]:
    """The tables for recall and for precision."""
    if way in (PROFILE, "keep"):
        return table, table
    from corefeval.overlap import twinless  # noqa: PLC0415 - few ask for it, and it loads NumPy

    return twinless.WAYS[way](table)
