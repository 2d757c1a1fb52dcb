"""SACR's text: a mention in braces, which begin with the name of its entity and with properties.

    #title:The Peasant and the Eagle
    {Peasant:head="1" A Peasant} found {Eagle an Eagle captured in {M3 a trap}} .

Lines that begin with # are about the text, such as `#COLOR:` and `#title:`; `#textid:` names the document, and lines of
asterisks stand between parts. Properties become attributes of mentions. A paragraph is a sentence here, for SACR tells
no others. Oberle (2018), github.com/boberle/sacr. Read only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.inline.pieces import Piece, compile_notation, split_by
from corefeval.formats.inline.reading import read_inline

TITLE = "SACR's text with mentions in braces"
EXAMPLE = """#title:The Peasant and the Eagle
{Peasant:head="1" A Peasant} found
{Eagle an Eagle captured in {M3 a trap}} ."""
SUFFIXES = (".sacr",)
COMPANIONS = ()
GENERATED = True
CAPACITY: Capacity | None = None

_VALUE = re.compile(r'([\w-]+)=(?:"((?:[^"\\]|\\.)*+)"|([^",\s{}]*+))')
_VALUES = re.sub(r"\((?!\?)", "(?:", _VALUE.pattern)
_PATTERN = compile_notation(
    rf"(?P<skip>^\#[^\n]*|^\*+[ \t]*$|\\n)|(?P<open>\{{(?P<id>[-\w]+)(?P<values>:{_VALUES}(?:,{_VALUES})*)?(?=\s))"
    r"|(?P<close>\})",
    "{}\\#*",
)
_MARKED = re.compile(rb'^#COLOR\s*:|\{[-\w]+:[\w-]+="[^"]*"[^{}]*\s', re.MULTILINE)
_NAME = re.compile(r"^#textid\s*:\s*(\S[^\n]*?)[ \t]*$", re.MULTILINE)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is SACR's, by a colour or a mention with a property; "" if it is not."""
    found = beginning.lstrip()[:2] not in (b'{"', b"[{") and _MARKED.search(beginning)
    return f"{found[0][:40].decode(errors='replace')!r} found" if found else ""


def read(file: File, *, repairs: str = "keep") -> Corpus:
    """Return the corpus of a file that is in memory; repairs: "keep" or "drop" mentions that had to be repaired."""
    name = _NAME.search(file.data.decode("utf-8", "replace").replace("\r\n", "\n"))
    return read_inline(file._replace(document=name[1] if name else file.document), split, repairs)


def split(text: str, begin: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of a text from one place to another."""
    return split_by(_PATTERN, text, begin, end, _read_properties)


def _read_properties(match: re.Match[str]) -> dict[str, str]:
    """Return the properties of a mention by name, those that are empty left out."""
    found = _VALUE.finditer(match["values"] or "")
    return {each[1]: re.sub(r"\\(.)", r"\1", each[2] or each[3]) for each in found if each[2] or each[3]}
