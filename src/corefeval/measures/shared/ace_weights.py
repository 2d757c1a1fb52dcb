"""What things are worth to ACE-value: tables of weights, as data.

Where the numbers are from:

2005     NIST's scorer ace05-eval-v14.pl, by default (parameter set 2005-TERN): every number, and the formula.
2004     ace05-eval-v03.pl, which derives from ace04-eval-v12i.pl: mentions that add up, the weights of classes, of
         mistakes, of false alarms and of premodifiers. ace07-eval-v01.pl: the levels, which it keeps under the name
         `original_entity_type_weights`. No source could be found for the weights of types. That they differed is said
         by Kambhatla 2006; those of PER, ORG, GPE, LOC and FAC are recollections of the plan, VEH and WEA have none.
2003     Luo et al. 2004 and Luo 2005: costs by the type and the level of whole entities. Neither the plan nor the
         scorer could be found. The numbers are those of 2004, the formula is that of 2005.

What has no source is said in `unconfirmed`, and by a warning wherever it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corefeval._lazy import NamedTuple
from corefeval.errors import OptionError
from corefeval.measures.shared.weight_range import A_WEIGHT, is_weight

BY = ("level", "mention")


class Weights(NamedTuple):
    """A table of weights. `ACE_2005._replace(false_alarm=1.0)` is one like another but for some of them.

    types, classes, levels: the value of entities by type and class, and of mentions by level. None: they are not looked
    at, and everything is worth 1.
    type_mistake, subtype_mistake, class_mistake: what is left of an entity's value after such a mistake.
    level_mistake, role_mistake, style_mistake: what is left of a mention's value.
    false_alarm: the cost of an entity that the key lacks, relative to its value.
    false_mention: the cost of a mention that its key entity lacks, relative to its value.
    elsewhere: the share of that cost where another key entity has the mention.
    by: "mention" adds the values of an entity's mentions up; for "level" they are shares of the most valuable one.
    unconfirmed: which of the numbers could not be checked; a warning says so wherever they are used.
    """

    types: Mapping[str, float] | None = None
    classes: Mapping[str, float] | None = None
    levels: Mapping[str, float] | None = None
    type_mistake: float = 1.0
    subtype_mistake: float = 1.0
    class_mistake: float = 1.0
    level_mistake: float = 1.0
    role_mistake: float = 1.0
    style_mistake: float = 1.0
    false_alarm: float = 1.0
    false_mention: float = 1.0
    elsewhere: float = 1.0
    by: str = "mention"
    unconfirmed: str = ""

    def __hash__(self) -> int:
        # Asked for when the interpreter ends, too, when classes such as Mapping are no longer there.
        tables = (self.types, self.classes, self.levels)
        return hash((*(each and tuple(sorted(each.items())) for each in tables), *self[len(tables) :]))

    def check(self) -> Weights:
        """Return these weights; raise an OptionError if a weight is none that is possible, or `by` is unknown."""
        if self.by not in BY:
            raise OptionError(f"weights: by={self.by!r} is not possible; it takes {' or '.join(BY)}")
        for name, value in self._asdict().items():
            if isinstance(value, Mapping):
                for kind, weight in value.items():
                    _check_weight(f"{name}[{kind!r}]", weight)
            elif value is not None and name not in ("by", "unconfirmed"):
                _check_weight(name, value)
        return self


def _check_weight(name: str, weight: Any) -> None:
    """Raise an OptionError unless a weight is a number in the range of weights."""
    if not isinstance(weight, int | float) or not is_weight(weight):
        raise OptionError(f"weights: {name} is {weight!r}; it takes {A_WEIGHT}")


UNIFORM = Weights()
ACE_2005 = Weights(
    types={"PER": 1.0, "ORG": 1.0, "LOC": 1.0, "GPE": 1.0, "FAC": 1.0, "VEH": 1.0, "WEA": 1.0},
    classes={"SPC": 1.0, "GEN": 0.0, "NEG": 0.0, "USP": 0.0},
    levels={"NAM": 1.0, "NOM": 0.5, "PRO": 0.1},
    type_mistake=0.5,
    subtype_mistake=0.9,
    class_mistake=0.75,
    level_mistake=0.9,
    role_mistake=0.9,
    style_mistake=0.9,
    false_alarm=0.75,
    false_mention=0.75,
    elsewhere=0.0,
    by="level",
)
ACE_2004 = ACE_2005._replace(
    types={"PER": 1.0, "ORG": 0.5, "GPE": 0.25, "LOC": 0.1, "FAC": 0.05},
    levels={"NAM": 1.0, "NOM": 0.2, "PRE": 0.0, "PRO": 0.04},
    by="mention",
    unconfirmed="the weights of types could not be checked against NIST's plan or scorer of 2004",
)
ACE_2003 = ACE_2004._replace(
    levels={"NAM": 1.0, "NOM": 0.2, "PRO": 0.04},
    by="level",
    unconfirmed="neither its weights nor its formula could be checked against NIST's plan or scorer of 2003",
)
SETS: dict[object, Weights] = {2003: ACE_2003, 2004: ACE_2004, 2005: ACE_2005, "uniform": UNIFORM}

SAME_TYPE = {
    "PERSON": "PER",
    "ORGANIZATION": "ORG",
    "ORGANISATION": "ORG",
    "LOCATION": "LOC",
    "FACILITY": "FAC",
    "VEHICLE": "VEH",
    "WEAPON": "WEA",
}
"""Other names of types, as in the files of 2002 and 2003 and elsewhere."""

SAME_LEVEL = {
    "NAME": "NAM",
    "PROP": "NAM",
    "PROPER": "NAM",
    "NOMINAL": "NOM",
    "PRON": "PRO",
    "PRONOUN": "PRO",
    "PRONOMINAL": "PRO",
}
"""Other names of levels, as in the files of 2002 and 2003 and in LitBank's."""
