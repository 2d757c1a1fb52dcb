"""The CoNLL average: the mean F1 of MUC, B³ and CEAFe."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import ClassVar

from corefeval.measures.base import COUNTS, PROFILE, Measure, Value, Values
from corefeval.measures.bcub import Bcub
from corefeval.measures.ceaf import Ceafe
from corefeval.measures.muc import Muc
from corefeval.measures.parameters import parameter

_TWINLESS = (PROFILE, "keep", "rahman_ng", "cai_strube")


class Conll(Measure):
    """The official score of the CoNLL shared tasks. A mean of F1 scores, never of counts."""

    name = "conll"
    title = "CoNLL average"
    latex_name = "CoNLL"
    formula = "(F1(muc) + F1(bcub) + F1(ceafe)) / 3"
    citation = "Pradhan et al. 2011, CoNLL-2011 shared task; Denis & Baldridge 2009"
    adds_up = "the counts of its three measures are summed, each is scored, and the F1 are averaged"
    derivation = "average"
    unit = "the mean of muc, bcub and ceafe"
    symmetric = True
    shown: ClassVar[tuple[str, ...]] = ("f1",)

    twinless: str = parameter("how B³ and CEAFe treat mentions that one side lacks", default=PROFILE, choices=_TWINLESS)
    decisions = MappingProxyType({"twinless": "keep"})

    @property
    def parts(self) -> tuple[Measure, ...]:  # type: ignore[override]
        """The three measures, muc, bcub and ceafe, with this one's parameters."""
        return _make_parts(self.undefined, self.twinless)

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return the mean F1 of muc, bcub and ceafe as `f1`, and under `undefined` which of the three are 0/0."""
        total: Value = 0
        undefined = {}
        for part in self.parts:
            scored = part.score({column: counts[f"{part.name}.{column}"] for column in COUNTS})
            total = total + scored["f1"]
            undefined[f"{part.name}.f1"] = scored["undefined"]["f1"]
        return {"f1": total / 3, "undefined": undefined}


@cache
def _make_parts(undefined: int, twinless: str) -> tuple[Measure, ...]:
    """Return a tuple of muc, bcub and ceafe with these parameters, of which muc takes `undefined` only."""
    return (
        Muc(undefined=undefined),
        Bcub(undefined=undefined, twinless=twinless),
        Ceafe(undefined=undefined, twinless=twinless),
    )
