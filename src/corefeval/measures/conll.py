"""The CoNLL average: the mean F1 of MUC, B³ and CEAFe."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from corefeval.measures.base import Measure, Value, Values
from corefeval.measures.bcub import Bcub
from corefeval.measures.ceaf import Ceafe
from corefeval.measures.muc import Muc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.arrays import Columns
    from corefeval.overlap import Overlap


class Conll(Measure):
    """The official score of the CoNLL shared tasks. A mean of F1 scores, never of counts."""

    name = "conll"
    title = "CoNLL average"
    formula = "(F1(muc) + F1(bcub) + F1(ceafe)) / 3"
    citation = "Pradhan et al. 2011, CoNLL-2011 shared task; Denis & Baldridge 2009"
    adds_up = "the counts of its three measures are summed, each is scored, and the F1 are averaged"
    shown: ClassVar[tuple[str, ...]] = ("f1",)

    def parts(self) -> tuple[Measure, ...]:
        """The three measures."""
        return Muc(undefined=self.undefined), Bcub(undefined=self.undefined), Ceafe(undefined=self.undefined)

    def count(self, table: Overlap) -> Columns:
        """The counts of the three, side by side."""
        return {
            f"{part.name}.{column}": values
            for part in self.parts()
            for column, values in table.count(part).items()
        }

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Score each of the three, and average."""
        total: Value = 0
        values: Values = {}
        for part in self.parts():
            prefix = f"{part.name}."
            own = {column.removeprefix(prefix): counts[column] for column in counts if column.startswith(prefix)}
            scored = part.score(own)
            total = total + scored["f1"]
            values[f"undefined.{part.name}.f1"] = scored["undefined.f1"]
        return {"f1": total / 3, **values}
