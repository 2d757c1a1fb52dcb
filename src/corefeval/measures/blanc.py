"""BLANC: are pairs of mentions rightly linked, and rightly kept apart?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.measures import split
from corefeval.measures.base import COUNTS, RecallPrecision, Value, Values, rates
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefeval.arrays import Columns
    from corefeval.overlap import Overlap

PARTS = ("coreference", "noncoreference")
_COLUMNS = {part: (f"key_{part}", f"response_{part}", f"common_{part}") for part in PARTS}


class Blanc(RecallPrecision):
    """The Rand index, with coreference and non-coreference links scored apart and averaged.

    At the boundaries (section 4.1.2 of the paper) the average has one part only. `boundary=key`, as in the reference
    scorer: where the key has no links of a kind, the other kind counts alone. `boundary=both`, as in the UA and CorefUD
    scorers: only where the response has none of them either. `boundary=none`, as the UA scorer scores split antecedents
    alone: both kinds always count.
    """

    name = "blanc"
    title = "BLANC"
    formula = "BLANC = α F(coreference links) + (1 - α) F(non-coreference links)"
    citation = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation; Luo et al. 2014"
    adds_up = "links are pairs within a document; their counts are summed over documents"
    antecedents = tuple((common, key, common, response) for key, response, common in _COLUMNS.values())

    alpha: float = parameter("weight of the coreference links", default=0.5, low=0.0, high=1.0)
    boundary: str = parameter("whose links decide at the boundaries", default="key", choices=("key", "both", "none"))

    def count(self, table: Overlap) -> Columns:
        """Count the links of both kinds in the key, in the response and in both."""
        links = table.links
        if table.splits is not None:
            together, apart = split.parts(self, table, table.splits)
            links = links._replace(common_coreference=together.pairs, common_noncoreference=apart.apart)
        return {
            "key_coreference": links.key_coreference,
            "response_coreference": links.response_coreference,
            "common_coreference": links.common_coreference,
            "key_noncoreference": links.key_noncoreference,
            "response_noncoreference": links.response_noncoreference,
            "common_noncoreference": links.common_noncoreference,
        }

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Score each kind of link, and average."""
        parts = {part: self._part(counts, part) for part in PARTS}
        idle = {part: self._idle(counts, part) for part in PARTS}
        values: Values = {}
        nothing = idle["coreference"] & idle["noncoreference"]
        no_key, no_response = (
            (counts[f"{side}_coreference"] == 0) & (counts[f"{side}_noncoreference"] == 0)
            for side in ("key", "response")
        )
        undefined = {"recall": no_key, "precision": nothing | no_response, "f1": nothing}
        for field in ("recall", "precision", "f1"):
            one, other = (parts[part][field] for part in PARTS)
            mean = self.alpha * one + (1 - self.alpha) * other
            alone = choose(idle["coreference"], other, choose(idle["noncoreference"], one, mean))
            values[field] = choose(undefined[field], float(self.undefined), alone)
        for side in ("recall", "precision"):
            values[f"{side}_numerator"] = values[side]
            values[f"{side}_denominator"] = 1
        values["undefined"] = undefined
        return {**values, **parts, "links": _links(counts)}

    def _part(self, counts: Mapping[str, Value], part: str) -> Values:
        key, response, common = (counts[name] for name in _COLUMNS[part])
        fraction = dict(zip(COUNTS, (common, key, common, response), strict=True))
        return rates(fraction, undefined=0, beta=self.beta)

    def _idle(self, counts: Mapping[str, Value], part: str) -> Value:
        key, response, _ = _COLUMNS[part]
        return _IDLE[self.boundary](counts[key], counts[response])


_IDLE: dict[str, Callable[[Value, Value], Value]] = {
    "key": lambda key, response: key == 0,  # noqa: ARG005 - every rule has the same arguments
    "both": lambda key, response: (key == 0) & (response == 0),
    "none": lambda key, response: key + response < 0,
}


def _links(counts: Mapping[str, Value]) -> Values:
    """The paper's four kinds: a link of the response is right if the key has it too, else wrong."""
    kinds: Values = {}
    for part in PARTS:
        kinds[f"right_{part}"] = counts[f"common_{part}"]
        kinds[f"wrong_{part}"] = counts[f"response_{part}"] - counts[f"common_{part}"]
    return kinds | dict(counts)
