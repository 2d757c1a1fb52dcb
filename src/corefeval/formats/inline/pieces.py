"""A marked text cut into pieces: letters, blanks, and tags, whatever the notation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from corefeval._lazy import NamedTuple

BLANKS = " \t\n"
_ID = "id"


class Piece(NamedTuple):
    """A piece of a text.

    kind: "text", letters of a word; "blank"; "open" and "close", tags; "plain", a closing bracket that is text if its
        opening one has no other end; "single", a tag on the one word behind it; "zero", a word that is not written, of
        the form `text`; "bad", what cannot be read.
    at: its place in the text.
    id: the entity that a tag names, "" if it names none.
    name: tags of the same name close each other.
    """

    kind: str
    at: int
    text: str = ""
    id: str = ""
    name: str = ""
    attributes: Mapping[str, str] = MappingProxyType({})


Splitter = Callable[[str, int, int], Iterator[Piece]]
"""Returns the pieces of a text from one place to another."""


def compile_notation(tags: str, stops: str) -> re.Pattern[str]:
    """Return a pattern of all pieces, given one of tags, and the characters that these may begin with.

    Each of the tags is a group named after its kind, such as `(?P<open>\\[)`, or "open_round": its kind and its name.
    In it, the group `id` (or id2, id3 …) has the id. Behind a `literal` backslash, a character is text; what is to
    `skip` is read as a blank.
    """
    rest = rf"(?P<blank>[{BLANKS}]+)|(?P<text>[^{BLANKS}{re.escape(stops)}]+|.)"
    return re.compile(f"{tags}|{rest}", re.DOTALL | re.MULTILINE)


def split_by(
    pattern: re.Pattern[str],
    text: str,
    begin: int,
    end: int,
    read_attributes: Callable[[re.Match[str]], Mapping[str, str]] | None = None,
) -> Iterator[Piece]:
    """Yield the pieces of a text, from one place to another, by a pattern as `compile_notation` makes it.

    read_attributes: returns the attributes of a mention whose opening tag is matched.
    """
    for match in pattern.finditer(text, begin, end):
        kind, name = match.lastgroup or "", ""
        if kind in ("text", "blank"):
            yield Piece(kind, match.start(), match[0])
            continue
        kind, _, name = kind.partition("_")
        if kind == "literal":
            yield Piece("text", match.start(), match[0][1:])
        elif kind == "skip":
            yield Piece("blank", match.start(), " ")
        else:
            attributes = read_attributes(match) if read_attributes and kind == "open" else {}
            yield Piece(kind, match.start(), match[0], read_id(match), name, attributes)


def read_id(match: re.Match[str]) -> str:
    """Return what the groups id, id2 … of a match have; "" if none of them has anything."""
    return next((value for group, value in match.groupdict().items() if group.startswith(_ID) and value), "")
