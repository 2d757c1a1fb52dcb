"""SGML as the corpora of the nineties use it: tags, their attributes, and references such as `&amp;`.

    <p> <COREF ID=1 MIN='Corp.'>Acme &amp; Sons Corp.</COREF> said

Names of tags and attributes are the same in upper and lower case, quotes may be missing, and end tags too. There is no
DTD: references other than those of XML are left as they stand, and declarations of entities are refused.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from corefeval._lazy import NamedTuple
from corefeval.errors import Fault, InputError
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics

DEEPEST = 1000
"""Elements within each other."""

LONGEST = 100_000
"""Characters of an attribute."""

BLANKS = re.compile(r"[ \t\n\r\f\v]+")

_ENCODING = re.compile(rb"""(?:\xef\xbb\xbf)?\s*<\?xml\b[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']""")
_ONE_BYTE = ("iso-8859-1", "latin1", "latin-1", "iso-8859-15", "iso-8859-2", "windows-1252", "cp1252", "windows-1250")
_UTF_8 = ("utf-8", "utf8", "us-ascii", "ascii")
_MARK = re.compile(r"<(?=/?[A-Za-z]|[!?])")
_TAG = re.compile(
    r"""<(/?[A-Za-z][\w.:-]*+)
        ((?: \s++ [A-Za-z_][\w.:-]*+ (?: \s*+ = \s*+ (?: "[^"]*+" | '[^']*+' | [^\s"'<>]++ ) )?+ )*+)
        \s*+ (/?) >""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?+""")
_DECLARATION = re.compile(r"<!--.*?--\s*>|<!(?!--)[^>\[]*+(?:\[[^\]]*+\]\s*+)?>|<\?[^>]*+>", re.DOTALL)
_ENTITY = re.compile(r"<!ENTITY\b", re.IGNORECASE)
REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));", re.IGNORECASE)
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_SURROGATES = range(0xD800, 0xE000)


class Tag(NamedTuple):
    """A tag, with the text before it as it is written, references and all.

    name: in capitals; "/NAME" for an end tag, "!" for a comment or declaration, and "" for the end of the file.
    attributes: values as they are written, by name in capitals.
    begin, end: where it is in the text; the end of the file begins where no more tags are looked for.
    """

    before: str
    name: str
    line: int
    attributes: Mapping[str, str] = MappingProxyType({})
    empty: bool = False
    begin: int = 0
    end: int = 0


def decode_xml(data: bytes, diagnostics: Diagnostics) -> str:
    """Return the text of an XML file in the encoding that it declares, UTF-8 if none; add faults as for UTF-8.

    Other encodings than UTF-8 and those of one byte for each character are an InputError.
    """
    declared = _ENCODING.match(data)
    encoding = declared[1].decode().lower() if declared else "utf-8"
    if encoding in _ONE_BYTE:
        data = data.decode(encoding, "surrogateescape").encode("utf-8", "surrogateescape")
    elif encoding not in _UTF_8:
        hint = "convert the file, and its first line"
        raise InputError(Fault(diagnostics.source, f"the encoding {encoding}", "UTF-8", hint, 1))
    return lines.decode_strictly(data, diagnostics)


def find_tags(
    text: str, diagnostics: Diagnostics, longest: int = LONGEST, marks: Sequence[int] | None = None
) -> Iterator[Tag]:
    """Yield the tags, comments and declarations of a text in order, and a tag without name at its end; add faults.

    longest: how many characters an attribute may have.
    marks: where tags may begin, in order; by default, wherever a < looks like it.
    """
    breaks = [match.start() for match in re.finditer("\n", text)]
    marks = [mark.start() for mark in _MARK.finditer(text)] if marks is None else marks
    done = place = 0
    limit = len(text)
    for begin in marks:
        if begin < place:
            continue
        line = bisect_left(breaks, begin) + 1
        declaration = text[begin + 1] in "!?"
        match = (_DECLARATION if declaration else _TAG).match(text, begin)
        if match is None:
            shown = text[begin : begin + 40].split("\n", 1)[0]
            what = f"{shown!r} is not the beginning of a tag"
            diagnostics.add_fault(line, what, '<NAME ATTRIBUTE="value">', "a < in the text is written &lt;")
            if declaration:
                limit = begin
                break  # what ends it can be anywhere, and looking for that from mark to mark takes long
            continue
        if not declaration:
            yield Tag(
                text[done:begin],
                match[1].upper(),
                line,
                _parse_attributes(match[2], line, longest, diagnostics),
                match[3] != "",
                begin,
                match.end(),
            )
        else:
            if _ENTITY.search(match[0]):
                diagnostics.add_fault(line, "entities are declared", "no <!ENTITY ...>", "entities are not expanded")
            yield Tag(text[done:begin], "!", line, begin=begin, end=match.end())
        done = place = match.end()
    yield Tag(text[done:], "", len(breaks) + 1, begin=limit, end=len(text))


def _parse_attributes(written: str, line: int, longest: int, diagnostics: Diagnostics) -> dict[str, str]:
    """Return the attributes of a tag by name in upper case; add faults of repeated and of overlong ones."""
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(written):
        name, value = match[1].upper(), match[2] or match[3] or match[4] or ""
        if name in attributes:
            diagnostics.add_fault(line, f"attribute {name} is given twice in a tag", "every attribute once")
        if len(value) > longest:
            what = f"attribute {name} has {len(value):,} characters"
            diagnostics.add_fault(line, what, f"at most {longest:,}", "a quotation mark may be missing")
        attributes[name] = value
    return attributes


def resolve_references(written: str) -> str:
    """Return a text with the references of XML and those to characters replaced by what they mean."""
    return REFERENCE.sub(_resolve_reference, written)


def mask_blank_references(written: str) -> str:
    """Return a text with references replaced by what they mean, but by an x where that is a blank."""
    return REFERENCE.sub(lambda match: BLANKS.sub("x", _resolve_reference(match)), written)


def normalize_value(written: str) -> str:
    """Return a text with one blank for each run of blanks, none at its ends, and references resolved."""
    return resolve_references(BLANKS.sub(" ", written).strip(" "))


def _resolve_reference(match: re.Match[str]) -> str:
    """Return the character that a matched reference means; the reference as it stands if there is no such character."""
    if match[3]:
        return _NAMED[match[3].lower()]
    code = int(match[1]) if match[1] else int(match[2], 16)
    return chr(code) if code <= 0x10FFFF and code not in _SURROGATES else match[0]
