"""The CoNLL average: the mean F1 of MUC, B³ and CEAFe."""

from __future__ import annotations

from functools import cache

from corefeval.measures.base import PROFILE, Measure, make_twinless_parameter
from corefeval.measures.bcub import Bcub
from corefeval.measures.ceaf import Ceafe
from corefeval.measures.mean import Average
from corefeval.measures.muc import Muc
from corefeval.overlap.twinless import FOR_ALL


class Conll(Average):
    """The official score of the CoNLL shared tasks. A mean of F1 scores, never of counts."""

    name = "conll"
    title = "CoNLL average"
    latex_name = "CoNLL"
    formula = "(F1(muc) + F1(bcub) + F1(ceafe)) / 3"
    citation = "Pradhan et al. 2011, CoNLL-2011 shared task; Denis & Baldridge 2009"
    adds_up = "the counts of its three measures are summed, each is scored, and the F1 are averaged"
    unit = "the mean of muc, bcub and ceafe"
    symmetric = True

    twinless: str = make_twinless_parameter("rahman_ng", "cai_strube")

    @property
    def parts(self) -> tuple[Measure, ...]:  # type: ignore[override]
        """The three measures, muc, bcub and ceafe, with this one's parameters."""
        return _make_parts(self.undefined, self.twinless)


@cache
def _make_parts(undefined: int, twinless: str) -> tuple[Measure, ...]:
    """Return a tuple of muc, bcub and ceafe with these parameters; muc without those ways that are not for all."""
    return (
        Muc(undefined=undefined, twinless=twinless if twinless in FOR_ALL else PROFILE),
        Bcub(undefined=undefined, twinless=twinless),
        Ceafe(undefined=undefined, twinless=twinless),
    )
