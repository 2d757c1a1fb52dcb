"""BLANC: are pairs of mentions rightly linked, and rightly kept apart?"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corefeval._arrays import Columns
from corefeval._lazy import cached
from corefeval.measures.base import PROFILE, RecallPrecision, Value, Values, compute_rates, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import choose
from corefeval.options import DECISIONS, load_behaviour
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Views

PARTS = ("coreference", "noncoreference")
_COLUMNS = {part: (f"key_{part}", f"response_{part}", f"common_{part}") for part in PARTS}


class Boundary:
    """What to do at the boundaries (section 4.1.2 of the paper): where the key has no links of a kind, it is idle.

    An idle kind does not count, and the other one counts alone.
    """

    def is_idle(self, key: Value, response: Value) -> Value:  # noqa: ARG002 - other rules ask for it
        """Return whether (or, for columns, where) a kind of links does not count: if the key has none."""
        return key == 0

    def count(self, table: Overlap) -> Columns:  # noqa: ARG002
        """Return {}; other boundaries return columns by document that their `decide_scores` needs."""
        return {}

    def decide_scores(
        self,
        counts: Mapping[str, Value],  # noqa: ARG002
        undefined: Mapping[str, Value],
        default: float,
    ) -> tuple[Mapping[str, Value], Value, Mapping[str, Value]]:
        """Return where each score is decided (where it is 0/0), its value there (`default`), and where it is undefined.

        undefined: where they are 0/0. default: what that counts as.
        """
        return undefined, default, undefined


class BoundaryOfBoth(Boundary):
    """A kind of links is idle only where neither side has any."""

    def is_idle(self, key: Value, response: Value) -> Value:
        """Return whether (or, for columns, where) neither side has links of a kind, so that the kind does not count."""
        return (key == 0) & (response == 0)


class NoBoundary(Boundary):
    """Both kinds of links always count."""

    def is_idle(self, key: Value, response: Value) -> Value:
        """Return False (or, for columns, False everywhere), as no kind of links is ever idle."""
        return key + response < 0


_BOUNDARIES = {PROFILE: Boundary(), "key": Boundary(), "both": BoundaryOfBoth(), "none": NoBoundary()}


class Blanc(RecallPrecision):
    """The Rand index, with coreference and non-coreference links scored apart and averaged.

    At the boundaries (section 4.1.2 of the paper) the average has one part only. `boundary=key`:
    where the key has no links of a kind, the other kind counts alone. `boundary=both`: only where the response
    has none of them either. `boundary=none`: both kinds always count. Other scorers have their own rules. By default
    the profile decides.

    `mentions=shared` leaves out the mentions that only one side has (section 4.2): how well the others are linked,
    apart from how well mentions are found.
    """

    name = "blanc"
    title = "BLANC"
    latex_name = "BLANC"
    formula = "BLANC = α F(coreference links) + (1 - α) F(non-coreference links)"
    citation = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation; Luo et al. 2014"
    adds_up = "links are pairs within a document; their counts are summed over documents"
    derivation = "links of two kinds"
    derivation_parameters = ("undefined", "beta", "alpha", "boundary")
    unit = "pairs of mentions of a document, linked or not linked, each kind by itself"
    symmetric = True
    symmetric_parameters = ("undefined", "alpha", "boundary")
    antecedents = tuple((common, key, common, response) for key, response, common in _COLUMNS.values())

    alpha: float = parameter("weight of the coreference links", default=0.5, high=1.0)
    boundary: str = parameter(
        "whose links decide at the boundaries",
        default=PROFILE,
        choices=(PROFILE, *DECISIONS["boundary"].values, "none"),
    )
    mentions: str = parameter(
        "which mentions count: all, or those of both sides", default="all", choices=("all", "shared")
    )
    decisions = MappingProxyType({**RecallPrecision.decisions, "boundary": "key"})

    @cached
    def rewrite(self) -> str:
        """The way by which the table is rewritten before it counts; without twinless mentions if `mentions=shared`."""
        return "discard_both" if self.mentions == "shared" else super().rewrite

    @cached
    def is_symmetric(self) -> bool:
        """Whether key and response can change places: with boundary=both, and default mentions and beta."""
        return self.boundary == "both" and super().is_symmetric

    def count(self, views: Views) -> Columns:
        """Return columns by document: links of both kinds (key's, response's, common), and what the boundary counts."""
        return {**self._boundary.count(views.table), **views.links._asdict()}

    @property
    def _boundary(self) -> Boundary:
        """The Boundary object for its parameter `boundary`, loaded if it is a scorer's own."""
        known = _BOUNDARIES.get(self.boundary)
        return load_behaviour("boundary", self.boundary) if known is None else known

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return recall, precision and f1, averaged over two kinds of links; each kind's own; links; what is 0/0."""
        parts: dict[str, Values] = {}
        for part in PARTS:
            key, response, common = (counts[name] for name in _COLUMNS[part])
            parts[part] = compute_rates(make_counts(common, key, common, response), undefined=0, beta=self.beta)
        idle = {part: self.find_idle(counts, part) for part in PARTS}
        values: Values = {}
        nothing = idle["coreference"] & idle["noncoreference"]
        no_key, no_response = (
            (counts[f"{side}_coreference"] == 0) & (counts[f"{side}_noncoreference"] == 0)
            for side in ("key", "response")
        )
        undefined = {"recall": no_key, "precision": nothing | no_response, "f1": nothing}
        decided, default, missing = self._boundary.decide_scores(counts, undefined, float(self.undefined))
        for field in ("recall", "precision", "f1"):
            linked, apart = (parts[part][field] for part in PARTS)
            mean = self.alpha * linked + (1 - self.alpha) * apart
            alone = choose(idle["coreference"], apart, choose(idle["noncoreference"], linked, mean))
            values[field] = choose(decided[field], default, alone)
        for side in ("recall", "precision"):
            values[f"{side}_numerator"] = values[side]
            values[f"{side}_denominator"] = 1
        return {**values, "undefined": dict(missing), **parts, "links": _list_link_counts(counts)}

    def find_idle(self, counts: Mapping[str, Value], part: str) -> Value:
        """Return whether (for columns, where) a kind of links, "coreference" or "noncoreference", does not count."""
        key, response, _ = _COLUMNS[part]
        return self._boundary.is_idle(counts[key], counts[response])


def _list_link_counts(counts: Mapping[str, Value]) -> Values:
    """Return a dict of counts of links of each kind: right and wrong ones, the key's, the response's, common ones."""
    kinds: Values = {}
    for part in PARTS:
        kinds[f"right_{part}"] = counts[f"common_{part}"]
        kinds[f"wrong_{part}"] = counts[f"response_{part}"] - counts[f"common_{part}"]
    return kinds | {name: counts[name] for names in _COLUMNS.values() for name in names}
