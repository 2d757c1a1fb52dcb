"""What each official scorer decides where the papers are silent, as data."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from corefeval.errors import OptionError, check_choice
from corefeval.options import CHOICES, Options

DEFAULT = "conll-8.01"


class Profile(NamedTuple):
    """One scorer: its name, what it is, and its decisions."""

    name: str
    title: str
    options: Options


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (Profile(DEFAULT, "the reference scorer of the CoNLL shared tasks, version 8.01", Options()),)
}


@lru_cache(maxsize=256)
def resolved(profile: str | None = None, macro: bool = False, **given: str | None) -> Options:  # noqa: FBT001, FBT002
    """The decisions of a profile, but for those that are given."""
    name = DEFAULT if profile is None else profile
    check_choice("profile", name, tuple(PROFILES))
    if given.get("singletons") == "both":
        raise OptionError("singletons='both' makes two evaluations: call score once with 'keep' and once with 'drop'")
    chosen = {decision: value for decision, value in given.items() if value is not None}
    for decision, value in chosen.items():
        check_choice(decision, value, CHOICES[decision])
    if macro:
        chosen["average"] = "macro"
    return PROFILES[name].options._replace(**chosen)
