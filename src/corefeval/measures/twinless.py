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
    from collections.abc import Callable

    from corefeval.overlap import Overlap

    Rewrite = Callable[[Overlap], tuple[Overlap, Overlap]]


def _keep(table: Overlap) -> tuple[Overlap, Overlap]:
    return table, table


def _stoyanov_all(table: Overlap) -> tuple[Overlap, Overlap]:
    return table.padded_response(), table.mirror.padded_response().mirror


def _stoyanov0(table: Overlap) -> tuple[Overlap, Overlap]:
    dropped = table.without_twinless_response()
    return dropped, dropped


def _rahman_ng(table: Overlap) -> tuple[Overlap, Overlap]:
    dropped = table.without_twinless_response_singletons()
    return dropped, dropped


def _cai_strube(table: Overlap) -> tuple[Overlap, Overlap]:
    resolved = table.without_twinless_response_singletons()
    return table.without_twinless_response().padded_response(), resolved.mirror.padded_response().mirror


REWRITES: dict[str, Rewrite] = {
    PROFILE: _keep,
    "keep": _keep,
    "stoyanov_all": _stoyanov_all,
    "stoyanov0": _stoyanov0,
    "rahman_ng": _rahman_ng,
    "cai_strube": _cai_strube,
}
CHOICES = tuple(REWRITES)
