"""Which measures say the same whichever of two annotators is taken for the key, and what each of them counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.measures import Measure

SYMMETRIC = frozenset(
    {"mentions", "muc", "bcub", "ceafm", "ceafe", "ceaf", "blanc", "lea", "conll", "pairwise", "rand", "adjusted_rand",
     "entropy", "core", "kappa", "dmt", "distributional_error"}
)  # fmt: skip
"""Measures whose main value can be the same whichever of two annotators is taken for the key."""
_EITHER_WAY = frozenset({"undefined", "alpha", "boundary", "phi"})
"""Parameters that do not tell key and response apart."""

_PAIRS = "pairs of mentions of a document; a mention that one of two annotators lacks is a singleton there"
_UNITS = {
    "mentions": "mentions, whatever their entities",
    "muc": "links that join the mentions of an entity, one less than it has mentions",
    "bcub": "mentions",
    "ceafm": "mentions of entities that are aligned one to one",
    "ceafe": "entities that are aligned one to one",
    "blanc": "pairs of mentions of a document, linked or not linked, each kind by itself",
    "lea": "links of entities, weighted by the number of their mentions",
    "conll": "the mean of muc, bcub and ceafe",
    "pairwise": "pairs of mentions that are linked",
    "rand": _PAIRS,
    "adjusted_rand": _PAIRS + "; chance at 0",
    "kappa": "MUC's links, of as many as join all mentions of a document (of both annotators); chance as if links were "
    "independent of each other",
}


def symmetric(measure: Measure) -> bool:
    """Whether the main value is the same whichever of two annotators is taken for the key."""
    declared = measure.parameters
    changed = {name for name in declared if not declared[name].is_default(getattr(measure, name))}
    both_sides = getattr(measure, "boundary", "both") == "both"
    return measure.name in SYMMETRIC and changed <= _EITHER_WAY and both_sides


def one_way(measures: Sequence[Measure]) -> list[Measure]:
    """Measures that tell key and response apart."""
    return [each for each in measures if not symmetric(each)]


def units(measure: Measure) -> str:
    """What a measure counts."""
    return _UNITS.get(measure.name, measure.formula)
