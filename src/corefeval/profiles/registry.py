"""All profiles by name, and the options that result from a profile and single decisions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from importlib import import_module

from corefeval._lazy import LazyMapping
from corefeval.errors import OptionError, check_choice, suggest_names
from corefeval.options import DECISIONS, FREE_OPTIONS, Options, parse_share
from corefeval.profiles import Profile

DEFAULT = "conll-8.01"

_SCORERS = {
    "conll": (DEFAULT, "conll-2012"),
    "coval": ("coval",),
    "corefud": ("corefud-1.2",),
    "ua": ("ua-1", "ua-2"),
    "allennlp": ("allennlp", "e2e"),
    "scorch": ("scorch", "scorch-cli"),
    "cattan": ("cattan-2021",),
    "ucdcr": ("ucdcr",),
}
"""The modules of this folder, and the profiles of each."""


def _load_profile(scorer: str, name: str) -> Profile:
    """Import a scorer's module and return its profile of this name."""
    profiles: tuple[Profile, ...] = import_module(f"corefeval.profiles.{scorer}").PROFILES
    return next(profile for profile in profiles if profile.name == name)


PROFILES: Mapping[str, Profile] = LazyMapping(
    {name: partial(_load_profile, scorer, name) for scorer, names in _SCORERS.items() for name in names}
)

_Needs = Mapping[str, tuple[tuple[str, ...], str]]

_WITH_SPLITS: _Needs = {
    "twinless": (
        ("keep", "pad", "discard_both", "cai_strube"),
        "scorch has none, and adds entities to the key in which they have no place",
    ),
    "level": (("document",), "they are relations within a document"),
}
"""What goes together with scoring split antecedents, and why nothing else does."""

_WITH_SETS: _Needs = {
    "twinless": (("keep",), "which mentions have a twin is not asked of sets"),
    "split_antecedents": (("drop",), "they are shared in part, which sets are not"),
    "zeros": (
        tuple(word for word in DECISIONS["zeros"].values if word != "corefud-1.2"),
        "that scorer looks a zero up in one entity",
    ),
}
"""What goes together with entities as sets, and why nothing else does."""


_FREE_TEXTS = {
    "layer": "it takes the name of one layer",
    "topics": "it takes the path of a table, or a regular expression",
    "where": "it takes ATTRIBUTE=VALUE",
    "max_change": "it takes a number from 0 to 1, as text",
}
"""What the options take that are no decisions."""


def find_profile(name: str) -> Profile:
    """Return the profile of this name; an OptionError that suggests near names if there is none."""
    check_choice("profile", name, tuple(PROFILES))
    return PROFILES[name]


def resolve_options(profile: str | None = None, macro: bool = False, **given: str | None) -> Options:  # noqa: FBT001, FBT002
    """Return a profile's options with the given decisions in place of its own; an OptionError for impossible ones."""
    try:
        return _resolve_options(profile, macro, **given)
    except TypeError:  # what cannot be hashed is no value of anything, and gets its message
        return _resolve_options.__wrapped__(profile, macro, **given)


@lru_cache(maxsize=256)
def _resolve_options(profile: str | None, macro: bool, **given: str | None) -> Options:  # noqa: FBT001
    """Return a profile's options with the given decisions, remembered; an OptionError for impossible ones."""
    name = DEFAULT if profile is None else profile
    if given.get("level") == "all":
        raise OptionError("level='all' makes several evaluations: score_levels returns them")
    if given.get("singletons") == "both":
        raise OptionError("singletons='both' makes two evaluations: call score once with 'keep' and once with 'drop'")
    chosen = {decision: value for decision, value in given.items() if value is not None}
    for decision, value in chosen.items():
        if decision in FREE_OPTIONS:
            if not isinstance(value, str):
                raise OptionError(f"{decision}={value!r} is not possible; {_FREE_TEXTS[decision]}")
            if decision == "max_change":
                parse_share(value)
            continue  # the files say which there are
        if decision not in DECISIONS:
            raise OptionError(f"there is no option {decision!r}; {suggest_names(decision, tuple(DECISIONS))}")
        check_choice(decision, value, tuple(DECISIONS[decision].values))
    if macro:
        if chosen.get("average", "macro") != "macro":
            raise OptionError(f"macro is average='macro', but average={chosen['average']!r} is given, too")
        chosen["average"] = "macro"
    options = _take_variants(find_profile(name), chosen)
    if options.level != "document" and options.singletons == "drop_listed" and options.zeros in ("drop", "alone"):
        what = f"singletons='drop_listed' before zeros={options.zeros!r} needs level='document'"
        raise OptionError(f"{what}; 'drop' counts over a group's documents")
    if options.split_antecedents != "drop":
        _check_needs(options, "split_antecedents", _WITH_SPLITS, "split_antecedents='drop' leaves them out")
    if options.duplicates == "sets":
        _check_needs(options, "duplicates", _WITH_SETS, "duplicates='keep' counts each occurrence as a mention")
    return options


def _check_needs(options: Options, decision: str, needs: _Needs, way_out: str) -> None:
    """Raise an OptionError if a decision's value does not go together with that of another."""
    for other, (values, why) in needs.items():
        if getattr(options, other) not in values:
            what = f"{decision}={getattr(options, decision)!r} needs {other}={' or '.join(map(repr, values))}"
            raise OptionError(f"{what}: {why}; {way_out}")


def _take_variants(profile: Profile, chosen: dict[str, str]) -> Options:
    """Return the profile's options with the chosen values, or its scorer's variants of these, which may set others."""
    options = profile.options._replace(**chosen)
    for decision, value in chosen.items():
        taken = profile.variants.get((decision, value), {})
        own = {name: new for name, new in taken.items() if name == decision or name not in chosen}
        options = options._replace(**own)
    return options
