"""Which measures there are, the groups they are in, and how users name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache, partial
from importlib import import_module

from corefeval import plugins
from corefeval._lazy import LazyMapping
from corefeval.errors import OptionError, suggest_names
from corefeval.measures.base import Measure
from corefeval.options import Options

BUILT_IN: dict[str, tuple[str, ...]] = {
    "mentions": ("mentions.Mentions", "default"),
    "muc": ("muc.Muc", "default"),
    "bcub": ("bcub.Bcub", "default"),
    "ceafm": ("ceaf.Ceafm", "default"),
    "ceafe": ("ceaf.Ceafe", "default"),
    "ceaf": ("ceaf.Ceaf",),
    "blanc": ("blanc.Blanc", "default"),
    "lea": ("lea.Lea", "default"),
    "conll": ("conll.Conll", "default"),
    "pairwise": ("pairwise.Pairwise",),
    "rand": ("rand.Rand",),
    "adjusted_rand": ("rand.AdjustedRand",),
    "entropy": ("entropy.Entropy",),
    "core": ("core.Core",),
    "exclusive_core": ("core.ExclusiveCore",),
    "kappa": ("kappa.Kappa",),
    "dmt": ("distribution.Dmt",),
    "distributional_error": ("distribution.DistributionalError",),
    "exact_entities": ("exact_entities.ExactEntities",),
    "purity": ("purity.Purity",),
    "nmi": ("information.Nmi",),
    "ami": ("information.Ami",),
    "vi": ("information.Vi",),
    "fowlkes_mallows": ("pair_indices.FowlkesMallows",),
    "jaccard": ("pair_indices.Jaccard",),
    "matthews": ("pair_indices.Matthews",),
    "correlation_distance": ("pair_indices.CorrelationDistance",),
    "talburt_wang": ("talburt_wang.TalburtWang",),
    "van_dongen": ("distances.VanDongen",),
    "merge_distance": ("distances.MergeDistance",),
    "mor": ("mor.Mor",),
    "anaphor": ("anaphor.Anaphor",),
    "zero": ("anaphor.Zero",),
    "success_rate": ("anaphor.SuccessRate",),
    "pronoun_resolution": ("pronoun_resolution.PronounResolution",),
    "nec": ("nec.Nec",),
    "gap": ("gap.Gap",),
    "ace_value": ("ace_value.AceValue",),
    "bridging_anaphors": ("bridging.BridgingAnaphors", "bridging", "beyond"),
    "bridging_mentions": ("bridging.BridgingMentions", "bridging", "beyond"),
    "bridging_entities": ("bridging.BridgingEntities", "bridging", "beyond"),
    "non_referring": ("non_referring.NonReferring", "beyond"),
}
"""The measures of this package, in the order in which they are listed: for each name, the file in this folder with its
class, then the groups that it is in besides "all"."""

ALIASES = {
    "mention": "mentions",
    "mentiondetection": "mentions",
    "md": "mentions",
    "b3": "bcub",
    "bcube": "bcub",
    "bcubed": "bcub",
    "ceafφ1": "ceaf:phi=1",
    "ceafφ2": "ceaf:phi=2",
    "ceafφ3": "ceafm",
    "ceafφ4": "ceafe",
    "φ1ceaf": "ceaf:phi=1",
    "φ2ceaf": "ceaf:phi=2",
    "φ3ceaf": "ceafm",
    "φ4ceaf": "ceafe",
    "ceafmention": "ceafm",
    "ceafmentions": "ceafm",
    "mentionceaf": "ceafm",
    "ceafentity": "ceafe",
    "ceafentities": "ceafe",
    "entityceaf": "ceafe",
    "conllaverage": "conll",
    "conllavg": "conll",
    "conllscore": "conll",
    "average": "conll",
    "avg": "conll",
    "mela": "conll",
    "randindex": "rand",
    "ri": "rand",
    "adjustedrandindex": "adjusted_rand",
    "ari": "adjusted_rand",
    "vmeasure": "entropy",
    "vscore": "entropy",
    "clusterf1": "exact_entities",
    "variationofinformation": "vi",
    "normalisedmutualinformation": "nmi",
    "normalizedmutualinformation": "nmi",
    "adjustedmutualinformation": "ami",
    "fmi": "fowlkes_mallows",
    "fowlkesmallowsindex": "fowlkes_mallows",
    "mcc": "matthews",
    "matthewscorrelation": "matthews",
    "twi": "talburt_wang",
    "talburtwangindex": "talburt_wang",
    "gmd": "merge_distance",
    "generalisedmergedistance": "merge_distance",
    "generalizedmergedistance": "merge_distance",
}
"""Other names of measures, as `_fold_name` spells them, and what they mean."""

_F1 = ("f1", "f1score", "fscore", "fmeasure")
"""What may stand behind the name of a measure whose main number it is: CoNLL-F1."""


def _load_class(name: str) -> type[Measure]:
    """Import the file of a measure of this package and return its class: Muc of the file muc.py for `muc`."""
    module, _, class_name = BUILT_IN[name][0].partition(".")
    loaded: type[Measure] = getattr(import_module(f"corefeval.measures.{module}"), class_name)
    return loaded


def _list_group(group: str) -> tuple[str, ...]:
    """Return the names of the built-in measures of a group, in their order."""
    return tuple(name for name, (_, *groups) in BUILT_IN.items() if group in groups)


def _list_all() -> tuple[str, ...]:
    """Return the measures that work on any data: the names, then those that need parameters with each variant."""
    plain = [name for name, measure in CLASSES.items() if not (measure.needs_mentions is True or measure.variants)]
    return (*plain, *(f"{name}:{given}" for name, measure in CLASSES.items() for given in measure.variants))


CLASSES = LazyMapping({name: partial(_load_class, name) for name in BUILT_IN})
"""The class of each measure of this package, which is loaded at its first use."""

DEFAULT = _list_group("default")
GROUPS = LazyMapping(
    {"all": _list_all} | {group: partial(_list_group, group) for group in ("bridging", "beyond", "default")}
)
"""Names that stand for several measures."""


_added: set[type[Measure]] = set()
"""The classes that other packages have brought."""


_MEAN = re.compile(r"\s*mean\s*\((.*)\)\s*", re.IGNORECASE)
_COMMA = re.compile(r",(?![^()]*\))")  # but for those between brackets


@lru_cache(maxsize=256)
def parse(text: str) -> Measure:
    """Return the measure that a text names: `muc`, `B3`, `bcub:weight=entity,beta=2`; an OptionError if it is none.

    `mean(muc,lea)` is the mean of those between the brackets.
    """
    if (mean := _MEAN.fullmatch(text)) is not None:
        make_mean = import_module("corefeval.measures.mean").make_mean
        return make_mean(tuple(map(parse, filter(None, split_measures(mean[1])))))
    written, _, parameters = text.strip().partition(":")
    name, _, meant = _find_name(written.strip()).partition(":")
    found, given = find_class(name), ",".join(filter(None, (meant, parameters)))
    if name in CLASSES:
        return found.parse(given)
    with plugins.blame_plugin(f"the plug-in {name} cannot be made a measure"):
        return found.parse(given)


def _find_name(written: str) -> str:
    """Return what a spelling of a measure means: bcub for B³, ceaf:phi=1 for CEAF-φ1; an unknown spelling unchanged."""
    if written in CLASSES:
        return written
    known = list_names()
    if written in known:
        return written
    spellings = {_fold_name(name): name for name in reversed(known)} | ALIASES
    folded = _fold_name(written)
    if folded in spellings:
        return spellings[folded]
    for ending in _F1:
        meant = spellings.get(folded.removesuffix(ending)) if folded.endswith(ending) else None
        if meant is not None and find_class(meant.partition(":")[0]).main == "f1":
            return meant
    return written


def _fold_name(written: str) -> str:
    """Return letters and digits of a name in lower case: b3 for B³ and b^3, ceafφ4 for CEAF_phi4."""
    from unicodedata import normalize  # noqa: PLC0415 - loaded for unusual spellings only

    return "".join(filter(str.isalnum, normalize("NFKC", written).casefold())).replace("phi", "φ")


def split_measures(text: str) -> list[str]:
    """Return a list of measures between commas: bcub:weight=entity,beta=2,muc is [bcub:weight=entity,beta=2, muc]."""
    found: list[str] = []
    for part in _COMMA.split(text):
        is_parameter = "=" in part.partition(":")[0].partition("(")[0]  # of the measure before it
        if is_parameter and found and ":" in found[-1]:
            found[-1] += f",{part.strip()}"
        elif part.strip() or not found:
            found.append(part.strip())
    return found


def find_class(name: str) -> type[Measure]:
    """Return the class of the measure of this name, here or in an installed package; an OptionError if none has it."""
    if name in CLASSES:
        return CLASSES[name]
    added = plugins.load_plugin(plugins.MEASURES, name)
    if added is None and "," in name:
        raise OptionError(f"{name!r} is the name of several measures, where one is expected")
    if added is None:
        raise OptionError(f"there is no measure {name!r}; {suggest_names(name, list_names())}")
    if not (isinstance(added, type) and issubclass(added, Measure)):
        raise OptionError(f"{name}, a plug-in, is not a class of measures: {added!r}")
    _added.add(added)
    return added


def list_classes() -> dict[str, type[Measure]]:
    """Return the classes of all measures by name, less plug-ins that cannot be loaded, for which a notice is kept."""
    found: dict[str, type[Measure]] = {}
    for name in list_names():
        try:
            found[name] = find_class(name)
        except OptionError as error:
            plugins.pass_over(name, error)
    return found


def blame_if_plugin(measure: Measure) -> AbstractContextManager[None]:
    """Return a context that makes an OptionError of what a plug-in's measure raises; for others, one without effect."""
    if type(measure) not in _added:
        return nullcontext()
    return plugins.blame_plugin(f"the plug-in {measure} cannot measure")


def list_measures_of_mentions() -> tuple[str, ...]:
    """Return the measures that always look at where mentions stand or what they are, which not every corpus tells."""
    return tuple(name for name, measure in CLASSES.items() if measure.needs_mentions is True)


def list_names() -> tuple[str, ...]:
    """Return the names, each once, of the measures of this package and of those that installed packages bring."""
    return tuple(dict.fromkeys((*CLASSES, *plugins.list_plugins(plugins.MEASURES))))


def get_measure(measure: str | Measure) -> Measure:
    """Return the measure that is given as an object, or as users write it; an OptionError if it is neither."""
    if isinstance(measure, str):
        return parse(measure)
    if isinstance(measure, Measure):
        return measure
    raise OptionError(f"{measure!r} is not a measure; {suggest_names(str(measure), [*CLASSES, *GROUPS])}")


def select_measures(measures: str | Measure | Iterable[str | Measure] | None = None) -> tuple[Measure, ...]:
    """Return measures, each once, in order, from objects, names as users write them or groups; None is "default".

    A text may have several between commas.
    """
    if measures is None:
        return _select(("default",))
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        measures = (measures,)
    return _select(tuple([each if isinstance(each, str) else get_measure(each) for each in measures]))


@lru_cache(maxsize=64)
def _select(asked: tuple[str | Measure, ...]) -> tuple[Measure, ...]:
    """Return measures, each once, with groups resolved; an OptionError for none, and for two that are written alike."""
    if not asked:
        raise OptionError(f"no measure was asked for; known: {', '.join([*CLASSES, *GROUPS])}")
    named = [
        name
        for each in asked
        for text in (split_measures(each) if isinstance(each, str) else (each,))
        for name in (GROUPS.get(text.lower(), (text,)) if isinstance(text, str) else (text,))
    ]
    chosen = dict.fromkeys(map(get_measure, named))
    alike = [name for name, count in Counter(map(str, chosen)).items() if count > 1]
    if alike:
        raise OptionError(f"two measures are both written {alike[0]}; evaluate them one after the other: e[measure]")
    return tuple(chosen)


@lru_cache(maxsize=256)
def resolve_measure(measure: str | Measure, options: Options) -> Measure:
    """Return a measure, given by name or object, with the options' values for parameters left to the profile."""
    return get_measure(measure).apply_options(options)


@lru_cache(maxsize=64)
def resolve_measures(measures: tuple[Measure, ...], options: Options) -> tuple[Measure, ...]:
    """Return a tuple of measures with the options' values for the parameters that they leave to the profile."""
    return tuple([measure.apply_options(options) for measure in measures])
