"""The fields of CorefUD mentions: what `# global.Entity` calls them, and what they mean.

`(e1-person-2--new` with `eid-etype-head-other-infstat` is a mention of the entity e1, a person, with its second word
for a head and an attribute infstat. Empty fields at the end may be left out; hyphens, brackets and the like within a
value are written as %2D and so on.
"""

from __future__ import annotations

import re
from typing import NamedTuple

OTHER = "other"
"""A field of several values; a comma within one of them is written %2C, and stays so."""

OF_ENTITIES = {"etype": "type", "identity": "identity"}
"""Fields that say something about the entity, and the name that this has elsewhere."""

PART = re.compile(r"(.+)\[([1-9]\d{0,8})/([1-9]\d{0,8})\]", re.ASCII)
"""The id of an entity, and which part of how many of a mention this is."""

_USUAL = ("eid", "etype", "head", "other")
_ALIASES = {"GRP": "eid", "entity": "etype", "MIN": "minspan", "min": "minspan"}
_FREE_NAME = re.compile(r"[^\W\d][\w.:]*")
_TAKEN_NAMES = {"eid", "head", *_ALIASES, *OF_ENTITIES}
_INDEX = re.compile(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", re.ASCII)
_INDICES = re.compile(r"[1-9]\d{0,8}(?:,[1-9]\d{0,8})*", re.ASCII)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPES_BUT_COMMAS = re.compile(r"(?:%(?!2[Cc])[0-9A-Fa-f]{2})+")
_UNSAFE = re.compile(r"[\0- %()|=<,-]")
_UNSAFE_BUT_COMMAS = re.compile(r"[\0- ()|=<-]|%(?!2C)")


class FieldNames:
    """The names that an attribute of a mention can have; those with a meaning of their own are not free."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _FREE_NAME.fullmatch(name) is not None and name not in _TAKEN_NAMES


class Fields(NamedTuple):
    """The fields of mentions, and which of them is the entity's id."""

    names: tuple[str, ...]
    id: int

    @classmethod
    def declared(cls, text: str) -> Fields | None:
        """From a declaration; None if it has no id, or a field twice."""
        names = tuple(_ALIASES.get(name, name) for name in text.split("-"))
        return cls(names, names.index("eid")) if "eid" in names and len(set(names)) == len(names) else None

    @classmethod
    def usual(cls) -> Fields:
        """Those of a file that declares none."""
        return cls(_USUAL, 0)

    @property
    def torn(self) -> str:
        """The last field but the entity's id, if the id comes after it: it may have to be put together."""
        return self.names[-2] if self.id == len(self.names) - 1 > 0 else ""

    def parted(self, text: str) -> tuple[str, str]:
        """The entity's id in an opening bracket, and the other fields."""
        values = text.split("-", self.id + 1)
        label = values[self.id] if len(values) > self.id else ""
        return label, "-".join(values[: self.id] + values[self.id + 1 :])

    def label(self, text: str) -> str:
        """The entity's id in a closing bracket or in a relation, where some editions repeat the other fields."""
        if "-" not in text:
            return text
        values = text.split("-")
        return values[self.id] if len(values) > self.id else ""

    def columns(self, rests: list[str]) -> dict[str, list[str]]:
        """The other fields of mentions by name; hyphens too many belong to the last one."""
        names = [name for name in self.names if name != "eid"]
        rows = [rest.split("-", max(0, len(names) - 1)) for rest in rests]
        return {name: [row[place] if place < len(row) else "" for row in rows] for place, name in enumerate(names)}

    def has_too_many(self, rest: str) -> bool:
        """Whether there are more fields than are declared."""
        return rest.count("-") > max(0, len(self.names) - 2) or (len(self.names) == 1 and rest != "")


def run(text: str) -> tuple[int, int]:
    """First and last of `2`, `2,3` or `2-4`; zeros if that makes no sense, or if they do not follow each other."""
    if _INDICES.fullmatch(text):
        words = list(map(int, text.split(",")))
        first, last = words[0], words[-1]
        return (first, last) if len(words) == last - first + 1 and words == list(range(first, last + 1)) else (0, 0)
    first = last = 0
    for item in text.split(","):
        match = _INDEX.fullmatch(item)
        begin, end = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 0 < begin <= end or (first and begin != last + 1):
            return 0, 0
        first, last = first or begin, end
    return first, last


def unescaped(value: str, *, but_commas: bool = False) -> str:
    """A value with the characters that %2D and the like stand for."""
    if "%" not in value:
        return value
    return (_ESCAPES_BUT_COMMAS if but_commas else _ESCAPES).sub(_characters, value)


def escaped(value: str, *, but_commas: bool = False) -> str:
    """A value with %2D and the like for characters that would be mistaken for something else."""
    return (_UNSAFE_BUT_COMMAS if but_commas else _UNSAFE).sub(lambda match: f"%{ord(match[0]):02X}", value)


def _characters(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return match[0]
