"""ACE program format (APF), the XML of ACE 2004 and 2005, and that of 2002 and 2003; read only.

    <entity ID="VOA-E2" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">
      <entity_mention ID="2-1" TYPE="NAM" LDCTYPE="NAM">
        <extent><charseq START="65" END="89">Cuban leader Fidel Castro</charseq></extent>
        <head><charseq START="78" END="89">Fidel Castro</charseq></head>

Offsets count the characters of the source text, a file of the same name that ends in .sgm, without its tags; line
breaks count. With that file the mentions are spans of its text; without it they are pairs of offsets, and what the
annotation says of their words is their attribute `text`. Mentions are told apart by their extent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines, markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import File
    from corefeval.formats.shared.diagnostics import Diagnostics

TITLE = "ACE program format (APF) of 2004 and 2005"
EXAMPLE = """<entity ID="E2" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">
  <entity_mention ID="2-1" TYPE="NAM"><extent><charseq START="65" END="89">Cuban leader Fidel Castro</charseq></extent>
    <head><charseq START="78" END="89">Fidel Castro</charseq></head></entity_mention></entity>"""
SUFFIXES = (".apf.xml", ".sgm.apf.xml", ".sgm.tmx.rdc.xml")
COMPANIONS = (".sgm",)
CAPACITY = None

_SOURCE = re.compile(rb"<source_file\s")
_DOCUMENT = re.compile(rb"<document\s|<entity_mention\s")
_DOCTYPE = re.compile(rb"<!DOCTYPE\s[^\[<>]*>")
_SOURCE_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_OFFSET = re.compile(r"\s*([0-9]{1,18})\s*")
_LEVELS = {"NAME": "NAM", "NOMINAL": "NOM", "PRONOUN": "PRO"}
_GENERIC = {"TRUE": "GEN", "FALSE": "SPC"}


class _Extent(NamedTuple):
    """The offsets of the first and last character, and the words that the annotation says are there."""

    first: int
    last: int
    words: str


class _ApfMention:
    """An entity_mention: its attributes, and its places by the name of the element."""

    def __init__(self, attributes: Mapping[str, str], line: int) -> None:
        self.attributes, self.line = attributes, line
        self.places: dict[str, _Extent | None] = {}


class _ApfEntity:
    """An entity: its attributes and mentions."""

    def __init__(self, attributes: dict[str, str], line: int) -> None:
        self.attributes, self.line = attributes, line
        self.mentions: list[_ApfMention] = []


class _ApfDocument:
    """A document: its name, its entities, and how many other elements it has."""

    def __init__(self, name: str, line: int) -> None:
        self.name, self.line = name, line
        self.entities: list[_ApfEntity] = []
        self.others: dict[str, int] = {}


def recognise(beginning: bytes) -> str:
    """By the elements at the top."""
    found = _SOURCE.search(beginning) and _DOCUMENT.search(beginning)
    return "'<source_file' and '<document' found" if found else ""


def read(file: File) -> Corpus:
    """Read the entities of a file."""
    draft = Draft(file.name)
    data = lines.normalize_text(file.data, file.name)
    documents = _ApfReader(draft).read(data)
    source = file.beside(COMPANIONS[0])
    text = None if source is None else _read_source_text(source, documents, draft)
    if text is None:
        message = f"there is no {COMPANIONS[0]} file beside it: mentions are known by their places only"
        draft.add_notice("missing-text", None, message)
    for each in documents:
        _add_document(each, each.name or file.document, text, draft)
    _report_others(documents, draft)
    return draft.build_corpus()


def _report_others(documents: Sequence[_ApfDocument], draft: Diagnostics) -> None:
    counts: dict[str, int] = {}
    for document in documents:
        for name, count in document.others.items():
            counts[name] = counts.get(name, 0) + count
    if counts:
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        draft.add_notice("other-elements", None, f"only entities are read; left out: {listed}", counts=counts)


class _ApfReader:
    """Follows the elements of a file."""

    def __init__(self, draft: Diagnostics) -> None:
        self.draft = draft
        self.documents: list[_ApfDocument] = []
        self.entity = _ApfEntity({}, 0)
        self.mention = _ApfMention({}, 0)
        self.path: list[str] = []
        self.text: list[str] = []
        self.offsets: dict[str, str] = {}
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._declarations
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.text.append

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def read(self, data: bytes) -> list[_ApfDocument]:
        """The documents of a file; raises an error if it cannot be read to its end."""
        # Without the line that names a DTD, which is not read, every undefined entity is an error.
        named = _DOCTYPE.search(data)
        if named:
            data = data[: named.start()] + re.sub(rb"[^\n]", b" ", named[0]) + data[named.end() :]
        try:
            self.parser.Parse(data, True)  # noqa: FBT003
        except expat.ExpatError as error:
            hint = "& is written &amp;" if "entity" in str(error) else ""
            self.draft.add_fault(
                error.lineno, f"not XML: {expat.ErrorString(error.code)}", "well-formed XML in UTF-8", hint
            )
            self.draft.raise_faults()
        if not self.documents:
            self._refuse("no document", '<document DOCID="...">')
        return self.documents

    def _declarations(self, _name: str, _system: str | None, _public: str | None, inside: int) -> None:
        if inside:
            what = "declarations in the file, <!DOCTYPE ... [...]>"
            self._refuse(what, "none", "entities are not expanded, and nothing else is loaded")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        self.text.clear()
        if len(self.path) > markup.DEEPEST:
            self._refuse("elements too deep within each other", f"at most {markup.DEEPEST:,} levels")
        for attribute, value in attributes.items():
            if len(value) > markup.LONGEST:
                self._refuse(f"attribute {attribute} has {len(value):,} characters", f"at most {markup.LONGEST:,}")
        match self.path:
            case [*_, "document"]:
                self.documents.append(_ApfDocument(attributes.get("DOCID", "").strip(), self.line))
            case [*_, "document", "entity"]:
                self.entity = _ApfEntity(attributes, self.line)
                self.documents[-1].entities.append(self.entity)
            case [*_, "document", other]:
                others = self.documents[-1].others
                others[other] = others.get(other, 0) + 1
            case [*_, "document", "entity", "entity_type"]:
                self.entity.attributes.setdefault("CLASS", _GENERIC.get(attributes.get("GENERIC", ""), ""))
            case [*_, "document", "entity", "entity_mention"]:
                self.mention = _ApfMention(attributes, self.line)
                self.entity.mentions.append(self.mention)
            case [*_, "charseq"]:
                self.offsets = attributes

    def _end(self, _name: str) -> None:
        content = "".join(self.text)
        self.text.clear()
        match self.path:
            case [*_, "charseq", "start" | "end" as offset]:
                self.offsets[offset.upper()] = content
            case [*_, "document", "entity", "entity_type"]:
                self.entity.attributes.setdefault("TYPE", content.strip())
            case [*_, "document", "entity", "entity_mention", "extent" | "head" as part, "charseq"]:
                self.mention.places[part] = self._place(content)
        self.path.pop()

    def _place(self, words: str) -> _Extent | None:
        first, last = (_OFFSET.fullmatch(self.offsets.get(name, "")) for name in ("START", "END"))
        if first and last and int(first[1]) <= int(last[1]):
            return _Extent(int(first[1]), int(last[1]), words)
        given = " ".join(f"{name}={self.offsets.get(name)!r}" for name in ("START", "END"))
        self.draft.add_fault(self.line, f"charseq with {given}", "START and END, which are not before 0 or each other")
        return None

    def _refuse(self, what: str, expected: str, hint: str = "") -> None:
        self.draft.add_fault(self.line, what, expected, hint)
        self.draft.raise_faults()


def _read_source_text(source: bytes, documents: Sequence[_ApfDocument], draft: Diagnostics) -> str | None:
    """The text that offsets count: references such as &amp; as they are written, unless the words say otherwise."""
    try:
        written = source.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        draft.add_fault(None, f"its source text (.sgm) is not UTF-8, in line {line}", "UTF-8")
        return None
    text = _SOURCE_TAG.sub("", written)
    differing = list(_find_differing(text, documents))
    if differing and "&" in text:
        resolved = markup.resolve_references(text)
        fewer = list(_find_differing(resolved, documents))
        if len(fewer) < len(differing):
            text, differing = resolved, fewer
    if differing:
        mention, place = differing[0]
        count, there = len(differing), text[place.first : place.last + 1]
        what = f"the source text has other words at {count} offsets, first {_quote(there)} for {_quote(place.words)}"
        draft.add_notice("text-differs", mention.line, what, count=count)
    return text


def _find_differing(text: str, documents: Sequence[_ApfDocument]) -> Iterator[tuple[_ApfMention, _Extent]]:
    for document in documents:
        for entity in document.entities:
            for mention in entity.mentions:
                for place in mention.places.values():
                    if (
                        place
                        and place.words
                        and _normalize_text(text[place.first : place.last + 1]) != _normalize_text(place.words)
                    ):
                        yield mention, place


def _normalize_text(text: str) -> str:
    return " ".join(markup.resolve_references(text).split())


def _quote(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _add_document(found: _ApfDocument, name: str, text: str | None, draft: Draft) -> None:
    document = draft.add_document(name, text=text, line=found.line)
    seen: dict[str, int] = {}
    for entity in found.entities:
        own = entity.attributes.get("ID", "").strip()
        if not own:
            draft.add_fault(entity.line, "entity without ID", '<entity ID="...">')
        elif own in seen:
            what = f"entity {own!r} is there already, in line {seen[own]}"
            draft.add_fault(entity.line, what, "every ID once in a document", kind="id-twice")
        seen.setdefault(own, entity.line)
        document.describe_entity(
            own, **_select_present(entity.attributes, type="TYPE", subtype="SUBTYPE", **{"class": "CLASS"})
        )
        for mention in entity.mentions:
            if "extent" not in mention.places:
                draft.add_fault(mention.line, "entity_mention without extent", "<extent><charseq ...></extent> in it")
            extent = mention.places.get("extent")
            if extent is None:
                continue
            document.add_mention(
                own,
                (extent.first, extent.last),
                head=_find_head(mention, extent, draft),
                line=mention.line,
                attributes=_list_attributes(mention, extent, known=text is not None),
            )


def _find_head(mention: _ApfMention, extent: _Extent, draft: Draft) -> tuple[int, int] | None:
    head = mention.places.get("head")
    if head is None or extent.first <= head.first <= head.last <= extent.last:
        return head and (head.first, head.last)
    what = f"the head of mention {mention.attributes.get('ID', '')!r} is not within its extent, and is left out"
    draft.add_notice("head-outside", mention.line, what)
    return None


def _list_attributes(mention: _ApfMention, extent: _Extent, *, known: bool) -> dict[str, str]:
    found = _select_present(
        mention.attributes, level="TYPE", role="ROLE", metonymy="METONYMY_MENTION", ldctype="LDCTYPE", id="ID"
    )
    if "level" in found:
        found["level"] = _LEVELS.get(found["level"], found["level"])
    return found if known or not extent.words else {**found, "text": extent.words}


def _select_present(attributes: Mapping[str, str], **names: str) -> dict[str, str]:
    return {name: attributes[written] for name, written in names.items() if attributes.get(written)}
