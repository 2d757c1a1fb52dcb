"""The measures, one file each; `registry` lists them, and their classes are loaded at their first use."""

from importlib import import_module
from typing import TYPE_CHECKING

from corefeval.measures import registry
from corefeval.measures.base import Measure as Measure
from corefeval.measures.base import RecallPrecision as RecallPrecision
from corefeval.measures.base import SingleScore as SingleScore
from corefeval.measures.registry import CLASSES as CLASSES
from corefeval.measures.registry import DEFAULT as DEFAULT
from corefeval.measures.registry import GROUPS as GROUPS
from corefeval.measures.registry import find_class as find_class
from corefeval.measures.registry import get_measure as get_measure
from corefeval.measures.registry import list_classes as list_classes
from corefeval.measures.registry import list_names as list_names
from corefeval.measures.registry import parse as parse
from corefeval.measures.registry import resolve_measure as resolve_measure
from corefeval.measures.registry import resolve_measures as resolve_measures
from corefeval.measures.registry import select_measures as select_measures

if TYPE_CHECKING:
    ALL: tuple[str, ...]
    OF_MENTIONS: tuple[str, ...]
    from corefeval.measures.ace_value import AceValue as AceValue
    from corefeval.measures.anaphor import Anaphor as Anaphor
    from corefeval.measures.anaphor import SuccessRate as SuccessRate
    from corefeval.measures.anaphor import Zero as Zero
    from corefeval.measures.bcub import Bcub as Bcub
    from corefeval.measures.blanc import Blanc as Blanc
    from corefeval.measures.bridging import BridgingAnaphors as BridgingAnaphors
    from corefeval.measures.bridging import BridgingEntities as BridgingEntities
    from corefeval.measures.bridging import BridgingMentions as BridgingMentions
    from corefeval.measures.ceaf import Ceaf as Ceaf
    from corefeval.measures.ceaf import Ceafe as Ceafe
    from corefeval.measures.ceaf import Ceafm as Ceafm
    from corefeval.measures.ceaf import MentionSimilarity as MentionSimilarity
    from corefeval.measures.conll import Conll as Conll
    from corefeval.measures.core import Core as Core
    from corefeval.measures.core import ExclusiveCore as ExclusiveCore
    from corefeval.measures.distances import MergeDistance as MergeDistance
    from corefeval.measures.distances import VanDongen as VanDongen
    from corefeval.measures.distribution import DistributionalError as DistributionalError
    from corefeval.measures.distribution import Dmt as Dmt
    from corefeval.measures.entropy import Entropy as Entropy
    from corefeval.measures.exact_entities import ExactEntities as ExactEntities
    from corefeval.measures.gap import Gap as Gap
    from corefeval.measures.information import Ami as Ami
    from corefeval.measures.information import Nmi as Nmi
    from corefeval.measures.information import Vi as Vi
    from corefeval.measures.kappa import Kappa as Kappa
    from corefeval.measures.lea import Lea as Lea
    from corefeval.measures.mentions import Mentions as Mentions
    from corefeval.measures.mor import Mor as Mor
    from corefeval.measures.muc import Muc as Muc
    from corefeval.measures.nec import Nec as Nec
    from corefeval.measures.non_referring import NonReferring as NonReferring
    from corefeval.measures.pair_indices import CorrelationDistance as CorrelationDistance
    from corefeval.measures.pair_indices import FowlkesMallows as FowlkesMallows
    from corefeval.measures.pair_indices import Jaccard as Jaccard
    from corefeval.measures.pair_indices import Matthews as Matthews
    from corefeval.measures.pairwise import Pairwise as Pairwise
    from corefeval.measures.pronoun_resolution import PronounResolution as PronounResolution
    from corefeval.measures.purity import Purity as Purity
    from corefeval.measures.rand import AdjustedRand as AdjustedRand
    from corefeval.measures.rand import Rand as Rand
    from corefeval.measures.talburt_wang import TalburtWang as TalburtWang
else:

    def __getattr__(name):
        if name in ("ALL", "OF_MENTIONS"):
            return GROUPS["all"] if name == "ALL" else registry.list_measures_of_mentions()
        if name == "MentionSimilarity":
            return import_module("corefeval.measures.ceaf").MentionSimilarity
        for measure, (home, *_) in registry.BUILT_IN.items():
            if home.endswith(f".{name}"):
                return CLASSES[measure]
        raise AttributeError(f"module 'corefeval.measures' has no attribute {name!r}")
