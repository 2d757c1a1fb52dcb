"""The fields of CorefUD mentions: what `# global.Entity` calls them, and what they mean.

`(e1-person-2--new` with `eid-etype-head-other-infstat` is a mention of the entity e1, a person, whose head is its
second word, with an attribute infstat. Empty fields at the end may be left out; hyphens, brackets and the like within a
value are written as %2D and so on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Ints

OTHER = "other"
"""A field of several values; a comma within one of them is written %2C, and stays so."""

ENTITY_FIELDS = {"etype": "type", "identity": "identity"}
"""Fields that belong to the entity, and the names of the attributes that they become."""

PART = re.compile(r"(.+)\[([1-9]\d{0,8})/([1-9]\d{0,8})\]", re.ASCII)
"""The id of an entity, and which part of how many of a mention this is."""

_ALIASES = {"GRP": "eid", "entity": "etype", "MIN": "minspan", "min": "minspan"}
_FREE_NAME = re.compile(r"[^\W\d][\w.:]*")
_TAKEN_NAMES = {"eid", "head", *_ALIASES, *ENTITY_FIELDS}
_INDEX = re.compile(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", re.ASCII)
_INDICES = re.compile(r"[1-9]\d{0,8}(?:,[1-9]\d{0,8})*", re.ASCII)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPES_BUT_COMMAS = re.compile(r"(?:%(?!2[Cc])[0-9A-Fa-f]{2})+")
_UNSAFE = re.compile(r"[\0- %()|=<,-]")
_UNSAFE_BUT_COMMAS = re.compile(r"[\0- ()|=<-]|%(?!2C)")


class FieldNames:
    """Contains the names that an attribute of a mention can have: those without a meaning of their own."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _FREE_NAME.fullmatch(name) is not None and name not in _TAKEN_NAMES


class Fields(NamedTuple):
    """The names of the fields of a mention, and which of them is the entity's id."""

    names: tuple[str, ...]
    id: int

    @property
    def torn(self) -> str:
        """The last field but the id, if the id comes after it: with too many hyphens its value is around the id."""
        return self.names[-2] if self.id == len(self.names) - 1 > 0 else ""

    def split_id(self, text: str) -> tuple[str, str]:
        """The entity's id in an opening bracket, and the other fields."""
        values = text.split("-", self.id + 1)
        label = values[self.id] if len(values) > self.id else ""
        return label, "-".join(values[: self.id] + values[self.id + 1 :])

    def find_id(self, text: str) -> str:
        """The entity's id in a closing bracket or in a relation, where some editions repeat the other fields."""
        if "-" not in text:
            return text
        values = text.split("-")
        return values[self.id] if len(values) > self.id else ""

    def find_value(self, name: str, rest: str) -> str:
        """The value of a field among the fields without the id; hyphens too many belong to the last field."""
        names = [each for each in self.names if each != "eid"]
        values = rest.split("-", max(0, len(names) - 1))
        place = names.index(name)
        return values[place] if place < len(values) else ""

    def has_too_many(self, rest: str) -> bool:
        """Whether there are more fields, without the id, than are declared."""
        return rest.count("-") > max(0, len(self.names) - 2) or (len(self.names) == 1 and rest != "")


_USUAL_FIELDS = Fields(("eid", "etype", "head", "other"), 0)


def parse_declaration(text: str) -> Fields | None:
    """The fields that `# global.Entity` declares; None if there is no id among them, or a field twice."""
    names = tuple(_ALIASES.get(name, name) for name in text.split("-"))
    return Fields(names, names.index("eid")) if "eid" in names and len(set(names)) == len(names) else None


class Declarations:
    """The declarations of a file, by the row from which on they hold; before the first one, the usual fields do."""

    def __init__(self, by_row: Mapping[int, Fields]) -> None:
        self.fields = list(dict.fromkeys([_USUAL_FIELDS, *by_row.values()]))
        """Each once."""
        self._rows = np.array(list(by_row), dtype=np.int64)
        self._numbers = np.array([0, *map(self.fields.index, by_row.values())], dtype=np.int64)

    def find_numbers(self, rows: Ints) -> Ints:
        """Which of `fields` hold on these rows."""
        return self._numbers[np.searchsorted(self._rows, rows)]

    def is_declared(self, row: int) -> bool:
        """Whether there is a declaration before a row."""
        return bool((self._rows < row).any())


def parse_indices(text: str) -> tuple[int, int]:
    """First and last of `2`, `2,3` or `2-4`; zeros if it is none of these, or if there is a gap between numbers."""
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


def unescape(value: str, *, but_commas: bool = False) -> str:
    """A value with the characters that %2D and the like stand for."""
    if "%" not in value:
        return value
    return (_ESCAPES_BUT_COMMAS if but_commas else _ESCAPES).sub(_decode_escapes, value)


def escape(value: str, *, but_commas: bool = False) -> str:
    """A value with %2D and the like for characters that would be mistaken for something else."""
    return (_UNSAFE_BUT_COMMAS if but_commas else _UNSAFE).sub(lambda match: f"%{ord(match[0]):02X}", value)


def _decode_escapes(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return match[0]
