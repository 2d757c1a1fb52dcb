"""The fields of CorefUD mentions: what `# global.Entity` calls them, and what they mean.

`(e1-person-2--new` with `eid-etype-head-other-infstat` is a mention of the entity e1, a person, whose head is its
second word, with an attribute infstat. Empty fields at the end may be left out; hyphens, brackets and the like within a
value are written as %2D and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple

OTHER = "other"
"""A field of several values; a comma within one of them is written %2C, and stays so."""

ENTITY_FIELDS = {"etype": "type", "identity": "identity"}
"""Fields that belong to the entity, and the names of the attributes that they become."""

_ALIASES = {"GRP": "eid", "entity": "etype", "MIN": "minspan", "min": "minspan"}
_FREE_NAME = re.compile(r"[^\W\d][\w.:]*")
_TAKEN_NAMES = {"eid", "head", *_ALIASES, *ENTITY_FIELDS}
_INDEX = re.compile(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", re.ASCII)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPES_BUT_COMMAS = re.compile(r"(?:%(?!2[Cc])[0-9A-Fa-f]{2})+")
_UNSAFE = re.compile(r"[\0- %()|=<,-]")
_UNSAFE_BUT_COMMAS = re.compile(r"[\0- ()|=<-]|%(?!2C)")


class FieldNames:
    """Contains the names that an attribute of a mention can have: those without a meaning of their own."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _FREE_NAME.fullmatch(name) is not None and name not in _TAKEN_NAMES


class Fields(NamedTuple):
    """The names of the fields of a mention besides the entity's id, and the place at which the id is written."""

    names: tuple[str, ...]
    id: int = 0

    def move_id(self, bracket: re.Match[str]) -> str:
        """Return a matched opening bracket with the entity's id moved to the front; of a closing one, only the id."""
        if not bracket[1]:
            return self.find_id(bracket[2]) if bracket[2] else "("
        values = bracket[1].split("-", self.id + 1)
        label = values.pop(self.id) if len(values) > self.id else ""
        return f"({'-'.join([label, *values])}"

    def find_id(self, text: str) -> str:
        """Return the entity's id in a closing bracket or a relation, which may repeat other fields; "" if missing."""
        values = text.split("-")
        return text if len(values) == 1 else values[self.id] if len(values) > self.id else ""


_USUAL_FIELDS = Fields(("etype", "head", "other"))


def parse_declaration(text: str) -> Fields | None:
    """Return the fields that `# global.Entity` declares; None if there is no id among them, or a field twice."""
    names = [_ALIASES.get(name, name) for name in text.split("-")]
    if "eid" not in names or len(set(names)) < len(names):
        return None
    return Fields(tuple(name for name in names if name != "eid"), names.index("eid"))


class Declarations:
    """The declarations of a file, by the row from which on they hold; before the first one, the usual fields do."""

    def __init__(self, by_row: Mapping[int, Fields]) -> None:
        self.fields = list(dict.fromkeys([_USUAL_FIELDS, *by_row.values()]))
        """Each once."""
        self.rows = np.array(list(by_row), dtype=np.int64)
        self._numbers = np.array([0, *map(self.fields.index, by_row.values())], dtype=np.int64)

    def find_numbers(self, rows: Ints) -> Ints:
        """Return for each of these rows the number, in `fields`, of the declaration that holds there."""
        return self._numbers[np.searchsorted(self.rows, rows)]


def parse_indices(text: str) -> tuple[int, int]:
    """Return first and last of `2`, `2,3` or `2-4`; zeros for anything else, and where numbers have a gap."""
    first = last = 0
    for item in text.split(","):
        match = _INDEX.fullmatch(item)
        begin, end = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 0 < begin <= end or (first and begin != last + 1):
            return 0, 0
        first, last = first or begin, end
    return first, last


def unescape(value: str, *, but_commas: bool = False) -> str:
    """Return a value with the characters that %2D and the like stand for; but_commas: %2C stays."""
    if "%" not in value:
        return value
    return (_ESCAPES_BUT_COMMAS if but_commas else _ESCAPES).sub(_decode_escapes, value)


def escape(value: str, *, but_commas: bool = False) -> str:
    """Return a value with %2D and the like for characters that have a meaning in CorefUD; but_commas: commas stay."""
    return (_UNSAFE_BUT_COMMAS if but_commas else _UNSAFE).sub(lambda match: f"%{ord(match[0]):02X}", value)


def _decode_escapes(match: re.Match[str]) -> str:
    """Return the characters that matched escapes such as %2D stand for; the escapes as they are if not UTF-8."""
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return match[0]
