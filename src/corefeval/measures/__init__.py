"""The measures, one file each; `registry` lists them."""

from corefeval.measures.ace_value import AceValue
from corefeval.measures.anaphor import Anaphor, SuccessRate, Zero
from corefeval.measures.base import Measure, RecallPrecision, SingleScore
from corefeval.measures.bcub import Bcub
from corefeval.measures.blanc import Blanc
from corefeval.measures.bridging import BridgingAnaphors, BridgingEntities, BridgingMentions
from corefeval.measures.ceaf import Ceaf, Ceafe, Ceafm
from corefeval.measures.conll import Conll
from corefeval.measures.core import Core, ExclusiveCore
from corefeval.measures.distribution import DistributionalError, Dmt
from corefeval.measures.entropy import Entropy
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
from corefeval.measures.registry import (
    ALL,
    CLASSES,
    DEFAULT,
    GROUPS,
    OF_MENTIONS,
    find_class,
    get_measure,
    list_names,
    parse,
    resolve_measure,
    resolve_measures,
    select,
)

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
    "find_class",
    "get_measure",
    "list_names",
    "parse",
    "resolve_measure",
    "resolve_measures",
    "select",
]
