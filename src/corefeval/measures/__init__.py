"""The measures, one file each. A new one: a class like those, and its name in `CLASSES`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from corefeval import plugins
from corefeval.errors import OptionError, suggest_names
from corefeval.measures.ace_value import AceValue
from corefeval.measures.anaphor import Anaphor, Zero
from corefeval.measures.base import Measure, RecallPrecision, SingleScore
from corefeval.measures.bcub import Bcub
from corefeval.measures.blanc import Blanc
from corefeval.measures.bridging import BridgingAnaphors, BridgingEntities, BridgingMentions
from corefeval.measures.ceaf import Ceaf, Ceafe, Ceafm
from corefeval.measures.conll import Conll
from corefeval.measures.core import Core
from corefeval.measures.distribution import DistributionalError, Dmt
from corefeval.measures.entropy import Entropy
from corefeval.measures.exclusive_core import ExclusiveCore
from corefeval.measures.gap import Gap
from corefeval.measures.kappa import Kappa
from corefeval.measures.lea import Lea
from corefeval.measures.mentions import Mentions
from corefeval.measures.mor import Mor
from corefeval.measures.muc import Muc
from corefeval.measures.nec import Nec
from corefeval.measures.non_referring import NonReferring
from corefeval.measures.pairwise import Pairwise
from corefeval.measures.rand import AdjustedRand, Rand
from corefeval.measures.success_rate import SuccessRate

if TYPE_CHECKING:
    from corefeval.options import Options

__all__ = [
    "ALL",
    "CLASSES",
    "DEFAULT",
    "GROUPS",
    "OF_MENTIONS",
    "AceValue",
    "AdjustedRand",
    "Anaphor",
    "Bcub",
    "Blanc",
    "BridgingAnaphors",
    "BridgingEntities",
    "BridgingMentions",
    "Ceaf",
    "Ceafe",
    "Ceafm",
    "Conll",
    "Core",
    "DistributionalError",
    "Dmt",
    "Entropy",
    "ExclusiveCore",
    "Gap",
    "Kappa",
    "Lea",
    "Measure",
    "Mentions",
    "Mor",
    "Muc",
    "Nec",
    "NonReferring",
    "Pairwise",
    "Rand",
    "RecallPrecision",
    "SingleScore",
    "SuccessRate",
    "Zero",
    "decided",
    "find",
    "names",
    "one",
    "parse",
    "select",
]

CLASSES: dict[str, type[Measure]] = {
    measure.name: measure
    for measure in (
        Mentions, Muc, Bcub, Ceafm, Ceafe, Ceaf, Blanc, Lea, Conll, Pairwise, Rand, AdjustedRand, Entropy, Core,
        ExclusiveCore, Kappa, Dmt, DistributionalError, Mor, Anaphor, Zero, SuccessRate, Nec, Gap, AceValue,
        BridgingAnaphors, BridgingMentions, BridgingEntities, NonReferring,
    )
}  # fmt: skip

DEFAULT = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
OF_MENTIONS = tuple(name for name in CLASSES if CLASSES[name].needs_mentions is True)
"""Those that always ask where mentions stand or what they are, which not every key and response tells."""

ALL = (*(name for name in CLASSES if name != "ceaf" and name not in OF_MENTIONS), "ceaf:phi=1", "ceaf:phi=2")
"""Every measure of the table: what `all` stands for. They work on any data."""

BRIDGING = ("bridging_anaphors", "bridging_mentions", "bridging_entities")
BEYOND = (*BRIDGING, "non_referring")
GROUPS = {"all": ALL, "bridging": BRIDGING, "beyond": BEYOND, "default": DEFAULT}
"""Names that stand for several measures."""


@lru_cache(maxsize=256)
def parse(text: str) -> Measure:
    """Read a measure as users write it: `muc`, `blanc:alpha=0.2`, `bcub:weight=entity,twinless=cai_strube`."""
    name, _, parameters = text.strip().partition(":")
    return find(name).parse(parameters)


def find(name: str) -> type[Measure]:
    """The class of a measure by its name, of this package or of another one that is installed."""
    if name in CLASSES:
        return CLASSES[name]
    added = plugins.load_plugin(plugins.MEASURES, name)
    if added is None and "," in name:
        raise OptionError(f"{name!r} is no measure; give several one by one: -m {' -m '.join(name.split(','))}")
    if added is None:
        raise OptionError(f"there is no measure {name!r}; {suggest_names(name, names())}")
    if not (isinstance(added, type) and issubclass(added, Measure)):
        raise OptionError(f"{name} is not a class of measures: {added!r}")
    return added


def names() -> tuple[str, ...]:
    """The measures of this package and of others that are installed."""
    return tuple(dict.fromkeys((*CLASSES, *plugins.list_plugins(plugins.MEASURES))))


def one(measure: str | Measure) -> Measure:
    """The measure that is meant."""
    if isinstance(measure, str):
        return parse(measure)
    if isinstance(measure, Measure):
        return measure
    raise OptionError(f"{measure!r} is not a measure; known: {', '.join(CLASSES)}")


def select(measures: str | Measure | Iterable[str | Measure] | None = None) -> tuple[Measure, ...]:
    """The measures asked for, each once, in order; `all` is every one of `ALL`, and nothing is the default."""
    if measures is None:
        return _parsed(DEFAULT)
    if type(measures) is tuple and all(type(each) is str for each in measures):
        return _parsed(measures)
    if not isinstance(measures, str | Measure | Iterable):
        raise OptionError(f"{measures!r} is not a measure; known: {', '.join([*CLASSES, *GROUPS])}")
    asked = (measures,) if isinstance(measures, str | Measure) else tuple(measures)
    if all(isinstance(each, str) for each in asked):
        return _parsed(tuple(str(each) for each in asked))
    chosen: dict[Measure, None] = {}
    for each in asked:
        if not isinstance(each, str | Measure):
            raise OptionError(f"{each!r} is not a measure; {suggest_names(str(each), [*CLASSES, *GROUPS])}")
        chosen.update(dict.fromkeys((each,) if isinstance(each, Measure) else _parsed((each,))))
    alike = [name for name, count in Counter(map(str, chosen)).items() if count > 1]
    if alike:
        raise OptionError(f"two measures are both written {alike[0]}; evaluate them one after the other: e[measure]")
    return tuple(chosen)


def meant(measure: str | Measure, options: Options) -> Measure:
    """The same, with what a profile decides about it."""
    return _meant(measure, options) if type(measure) is str else one(measure).decided(options)


@lru_cache(maxsize=256)
def _meant(text: str, options: Options) -> Measure:
    return parse(text).decided(options)


@lru_cache(maxsize=64)
def decided(measures: tuple[Measure, ...], options: Options) -> tuple[Measure, ...]:
    """Measures with what a profile decides about them."""
    return tuple([measure.decided(options) for measure in measures])


@lru_cache(maxsize=64)
def looking(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Those that look at mentions."""
    return tuple([measure for measure in measures if measure.needs_mentions])


@lru_cache(maxsize=64)
def _parsed(texts: tuple[str, ...]) -> tuple[Measure, ...]:
    if not texts:
        raise OptionError(f"no measure was asked for; known: {', '.join([*CLASSES, *GROUPS])}")
    names = [name for text in texts for name in GROUPS.get(text, (text,))]
    return tuple(dict.fromkeys(parse(name) for name in names))
