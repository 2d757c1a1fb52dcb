"""BLANC: are pairs of mentions rightly linked, and rightly kept apart?"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.measures.base import COUNTS, PROFILE, RecallPrecision, Value, Values, rates
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import choose
from corefeval.measures.shared import split_antecedents
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from corefeval._arrays import ByDocument, Columns
    from corefeval.overlap.split_antecedents import Splits
    from corefeval.overlap.table import Overlap

PARTS = ("coreference", "noncoreference")
MENTIONS = ("all", "shared")
_ROUNDING = 1e-6  # links: what two ways to add the same fractions may differ in
_COLUMNS = {part: (f"key_{part}", f"response_{part}", f"common_{part}") for part in PARTS}


class Blanc(RecallPrecision):
    """The Rand index, with coreference and non-coreference links scored apart and averaged.

    At the boundaries (section 4.1.2 of the paper) the average has one part only. `boundary=key`, as in the reference
    scorer: where the key has no links of a kind, the other kind counts alone. `boundary=both`, as in the UA and CorefUD
    scorers: only where the response has none of them either. `boundary=scorch`: as `key`, but where the key has no
    links at all, 1 if the response keeps nothing apart, unless both have one mention and not the same; else 0.
    `boundary=none`, as the UA scorer scores split antecedents alone: both kinds always count. By default the profile
    decides.

    `mentions=shared` leaves out the mentions that only one side has (section 4.2): how well the others are linked,
    apart from how well mentions are found.
    """

    name = "blanc"
    title = "BLANC"
    formula = "BLANC = α F(coreference links) + (1 - α) F(non-coreference links)"
    citation = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation; Luo et al. 2014"
    adds_up = "links are pairs within a document; their counts are summed over documents"
    derivation = "links of two kinds"
    unit = "pairs of mentions of a document, linked or not linked, each kind by itself"
    symmetric = True
    symmetric_parameters = ("undefined", "alpha", "boundary")
    antecedents = tuple((common, key, common, response) for key, response, common in _COLUMNS.values())

    alpha: float = parameter("weight of the coreference links", default=0.5, low=0.0, high=1.0)
    boundary: str = parameter(
        "whose links decide at the boundaries", default=PROFILE, choices=(PROFILE, "key", "both", "scorch", "none")
    )
    mentions: str = parameter("which mentions count: all, or those of both sides", default="all", choices=MENTIONS)
    decisions = MappingProxyType({"boundary": "key"})

    @property
    def is_symmetric(self) -> bool:
        """Only where the boundaries are decided by both sides."""
        return self.boundary == "both" and super().is_symmetric

    def count(self, table: Overlap) -> Columns:
        """Count the links of both kinds in the key, in the response and in both."""
        counted = table if self.mentions == "all" else _shared(table)
        links = counted.links
        if counted.splits is not None:
            common = counted.splits.common or self._common(counted, counted.splits)
            links = links._replace(common_coreference=common[0], common_noncoreference=common[1])
        strangers = {"strangers": _strangers(counted)} if self.boundary == "scorch" else {}
        return strangers | {
            "key_coreference": links.key_coreference,
            "response_coreference": links.response_coreference,
            "common_coreference": links.common_coreference,
            "key_noncoreference": links.key_noncoreference,
            "response_noncoreference": links.response_noncoreference,
            "common_noncoreference": links.common_noncoreference,
        }

    def notices(self, table: Overlap) -> Iterable[Notice]:
        """How many links a scorer counts otherwise that goes along lists."""
        if table.splits is None or table.splits.common is None or self.mentions != "all":
            return
        kept = self._common(table, table.splits._replace(common=None))
        pairs = zip(PARTS, table.splits.common, kept, strict=True)
        differ = {part: float(np.sum(listed) - np.sum(symmetric)) for part, listed, symmetric in pairs}
        if any(abs(each) > _ROUNDING for each in differ.values()):
            message = (
                "links with split antecedents are counted along lists in the order of Python's sets, as the Universal "
                f"Anaphora scorers do: {differ['coreference']:+.4g} common coreference links and "
                f"{differ['noncoreference']:+.4g} non-coreference links beside split_antecedents=keep"
            )
            yield Notice("listed-links", message, differ)

    def _common(self, table: Overlap, splits: Splits) -> tuple[ByDocument, ByDocument]:
        """Links of both kinds that both sides have, with those of split antecedents in part."""
        together, apart = split_antecedents.parts(self, table, splits, splits.mentions.for_recall.own)
        return together.pairs, apart.apart

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Score each kind of link, and average."""
        parts = {part: self._part(counts, part) for part in PARTS}
        idle = {part: self.idle(counts, part) for part in PARTS}
        values: Values = {}
        nothing = idle["coreference"] & idle["noncoreference"]
        no_key, no_response = (
            (counts[f"{side}_coreference"] == 0) & (counts[f"{side}_noncoreference"] == 0)
            for side in ("key", "response")
        )
        undefined = {"recall": no_key, "precision": nothing | no_response, "f1": nothing}
        default: Value = float(self.undefined)
        if self.boundary == "scorch":
            default = 1.0 * ((counts["response_noncoreference"] == 0) & (counts.get("strangers", 0) == 0))
            undefined = dict.fromkeys(undefined, no_key)
        for field in ("recall", "precision", "f1"):
            one, other = (parts[part][field] for part in PARTS)
            mean = self.alpha * one + (1 - self.alpha) * other
            alone = choose(idle["coreference"], other, choose(idle["noncoreference"], one, mean))
            values[field] = choose(undefined[field], default, alone)
        for side in ("recall", "precision"):
            values[f"{side}_numerator"] = values[side]
            values[f"{side}_denominator"] = 1
        # Scorch's values are decided, not undefined.
        values["undefined"] = dict.fromkeys(undefined, no_key & False) if self.boundary == "scorch" else undefined
        return {**values, **parts, "links": _links(counts)}

    def _part(self, counts: Mapping[str, Value], part: str) -> Values:
        key, response, common = (counts[name] for name in _COLUMNS[part])
        fraction = dict(zip(COUNTS, (common, key, common, response), strict=True))
        return rates(fraction, undefined=0, beta=self.beta)

    def idle(self, counts: Mapping[str, Value], part: str) -> Value:
        """Where links of a kind do not count, as there are none."""
        key, response, _ = _COLUMNS[part]
        return _IDLE[self.boundary](counts[key], counts[response])


def _no_key_links(key: Value, response: Value) -> Value:  # noqa: ARG001 - every rule has the same arguments
    return key == 0


_IDLE: dict[str, Callable[[Value, Value], Value]] = {
    PROFILE: _no_key_links,
    "key": _no_key_links,
    "scorch": _no_key_links,
    "both": lambda key, response: (key == 0) & (response == 0),
    "none": lambda key, response: key + response < 0,
}


def _shared(table: Overlap) -> Overlap:
    """The table of those mentions only that have a twin."""
    from corefeval.overlap import twinless  # noqa: PLC0415 - few ask for it, and it loads NumPy

    return twinless.only_twins(table)


def _strangers(table: Overlap) -> ByDocument:
    """Where each side has one mention, and not the same."""
    return ((table.key.mentions == 1) & (table.response.mentions == 1) & (table.shared == 0)) * 1


def _links(counts: Mapping[str, Value]) -> Values:
    """The paper's four kinds: a link of the response is right if the key has it too, else wrong."""
    kinds: Values = {}
    for part in PARTS:
        kinds[f"right_{part}"] = counts[f"common_{part}"]
        kinds[f"wrong_{part}"] = counts[f"response_{part}"] - counts[f"common_{part}"]
    return kinds | {name: counts[name] for names in _COLUMNS.values() for name in names}
