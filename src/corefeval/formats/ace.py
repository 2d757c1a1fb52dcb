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
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines, markup
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import count_things

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
_ENTITY_FIELDS = {"type": "TYPE", "subtype": "SUBTYPE", "class": "CLASS"}
_MENTION_FIELDS = {
    "level": "TYPE",
    "role": "ROLE",
    "metonymy": "METONYMY_MENTION",
    "ldctype": "LDCTYPE",
    "id": "ID",
}


class _Extent(NamedTuple):
    """The offsets of the first and last character, and the words that the annotation says are there."""

    first: int
    last: int
    words: str

    def find(self, text: str) -> str:
        """Return the part of a text from the first to the last character of this place."""
        return text[self.first : self.last + 1]


@dataclass
class _ApfElement:
    """A document, an entity or a mention, with what is in it; places of None are offsets that make no sense."""

    attributes: dict[str, str]
    line: int
    inside: list[_ApfElement] = field(default_factory=list)
    places: dict[str, _Extent | None] = field(default_factory=dict)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is APF, by its elements source_file and document; "" if it is not."""
    found = _SOURCE.search(beginning) and _DOCUMENT.search(beginning)
    return "'<source_file' and '<document' found" if found else ""


def read(file: File) -> Corpus:
    """Return the corpus of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    reader = _ApfReader(draft)
    documents = reader.read(lines.normalize_text(file.data, file.name))
    source = file.beside(COMPANIONS[0])
    text = None if source is None else _read_source_text(source, documents, draft)
    if text is None:
        message = f"there is no {COMPANIONS[0]} file beside it: mentions are known by their places only"
        draft.add_notice("missing-text", None, message)
    for document in documents:
        _add_document(document, document.attributes.get("DOCID", "").strip() or file.document, text, draft)
    if reader.others:
        listed = ", ".join(f"{count} {name}" for name, count in reader.others.items())
        message = f"only entities are read; left out: {listed}"
        draft.add_notice("other-elements", None, message, counts=dict(reader.others))
    return draft.build_corpus()


class _ApfReader:
    """Follows the elements of a file; others: how many elements of other kinds than entities documents have."""

    def __init__(self, draft: Diagnostics) -> None:
        self.draft = draft
        self.documents: list[_ApfElement] = []
        self.others: Counter[str] = Counter()
        self.entity = self.mention = _ApfElement({}, 0)
        self.path: list[str] = []
        self.text: list[str] = []
        self.offsets: dict[str, str] = {}
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_declarations
        self.parser.StartElementHandler = self._start_element
        self.parser.EndElementHandler = self._end_element
        self.parser.CharacterDataHandler = self.text.append

    @property
    def line(self) -> int:
        """The line that the parser is on."""
        return self.parser.CurrentLineNumber

    def read(self, data: bytes) -> list[_ApfElement]:
        """Return the documents in XML with entities and mentions; an InputError if it is malformed or has none."""
        # Without the line that names a DTD, which is not read, every undefined entity is an error.
        named = _DOCTYPE.search(data)
        if named:
            data = data[: named.start()] + re.sub(rb"[^\n]", b" ", named[0]) + data[named.end() :]
        try:
            self.parser.Parse(data, True)  # noqa: FBT003
        except expat.ExpatError as error:
            hint = "& is written &amp;" if "entity" in str(error) else ""
            what = f"not XML: {expat.ErrorString(error.code)}"
            self.draft.add_fault(error.lineno, what, "well-formed XML in UTF-8", hint)
            self.draft.raise_faults()
        if not self.documents:
            self._refuse("no document", '<document DOCID="...">')
        return self.documents

    def _refuse_declarations(self, _name: str, _system: str | None, _public: str | None, inside: int) -> None:
        """Raise an InputError if a DOCTYPE has declarations inside."""
        if inside:
            what = "declarations in the file, <!DOCTYPE ... [...]>"
            self._refuse(what, "none", "entities are not expanded, and nothing else is loaded")

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        """Enter an element, and add the document, entity or mention that it is; an InputError if beyond limits."""
        self.path.append(name)
        self.text.clear()
        if len(self.path) > markup.DEEPEST:
            self._refuse("elements too deep within each other", f"at most {markup.DEEPEST:,} levels")
        for attribute, value in attributes.items():
            if len(value) > markup.LONGEST:
                self._refuse(f"attribute {attribute} has {len(value):,} characters", f"at most {markup.LONGEST:,}")
        match self.path:
            case [*_, "document"]:
                self.documents.append(_ApfElement(attributes, self.line))
            case [*_, "document", "entity"]:
                self.entity = _ApfElement(attributes, self.line)
                self.documents[-1].inside.append(self.entity)
            case [*_, "document", other]:
                self.others[other] += 1
            case [*_, "document", "entity", "entity_type"]:
                self.entity.attributes.setdefault("CLASS", _GENERIC.get(attributes.get("GENERIC", ""), ""))
            case [*_, "document", "entity", "entity_mention"]:
                self.mention = _ApfElement(attributes, self.line)
                self.entity.inside.append(self.mention)
            case [*_, "charseq"]:
                self.offsets = attributes

    def _end_element(self, _name: str) -> None:
        """Leave the innermost element; store the offsets or the type of an entity that its text gives; add faults."""
        content = "".join(self.text)
        self.text.clear()
        match self.path:
            case [*_, "charseq", "start" | "end" as offset]:
                self.offsets[offset.upper()] = content
            case [*_, "document", "entity", "entity_type"]:
                self.entity.attributes.setdefault("TYPE", content.strip())
            case [*_, "document", "entity", "entity_mention", "extent" | "head" as part, "charseq"]:
                self.mention.places[part] = self._parse_offsets(content)
        self.path.pop()

    def _parse_offsets(self, words: str) -> _Extent | None:
        """Return the place of these words that the last charseq gives; None, with a fault, if it makes no sense."""
        first, last = (_OFFSET.fullmatch(self.offsets.get(name, "")) for name in ("START", "END"))
        if first and last and int(first[1]) <= int(last[1]):
            return _Extent(int(first[1]), int(last[1]), words)
        given = " ".join(f"{name}={self.offsets.get(name)!r}" for name in ("START", "END"))
        self.draft.add_fault(self.line, f"charseq with {given}", "START and END, which are not before 0 or each other")
        return None

    def _refuse(self, what: str, expected: str, hint: str = "") -> None:
        """Add a fault at the current line, and raise an error of all faults."""
        self.draft.add_fault(self.line, what, expected, hint)
        self.draft.raise_faults()


def _read_source_text(source: bytes, documents: Sequence[_ApfElement], draft: Diagnostics) -> str | None:
    """Return the text that offsets count, &amp; resolved if that fits; None with a fault if not UTF-8; add notices."""
    try:
        written = source.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        draft.add_fault(None, f"its source text (.sgm) is not UTF-8, in line {line}", "UTF-8")
        return None
    text = _SOURCE_TAG.sub("", written)
    differing = _find_differing(text, documents)
    if differing and "&" in text:
        resolved = markup.resolve_references(text)
        fewer = _find_differing(resolved, documents)
        if len(fewer) < len(differing):
            text, differing = resolved, fewer
    if differing:
        line, place = differing[0]
        quotes = [repr(words if len(words) <= 60 else f"{words[:57]}...") for words in (place.find(text), place.words)]
        where = count_things(len(differing), "offset")
        what = f"the source text has other words at {where}, first {quotes[0]} for {quotes[1]}"
        draft.add_notice("text-differs", line, what, count=len(differing))
    return text


def _find_differing(text: str, documents: Sequence[_ApfElement]) -> list[tuple[int, _Extent]]:
    """Return (line of the mention, place) for every place whose words in the text are not those of the annotation."""
    mentions = [mention for document in documents for entity in document.inside for mention in entity.inside]
    return [
        (mention.line, place)
        for mention in mentions
        for place in mention.places.values()
        if place and place.words and _normalize_text(place.find(text)) != _normalize_text(place.words)
    ]


def _normalize_text(text: str) -> str:
    """Return a text with references resolved and single blanks."""
    return " ".join(markup.resolve_references(text).split())


def _add_document(found: _ApfElement, name: str, text: str | None, draft: Draft) -> None:
    """Add a document of this name with its entities; text: None if it is not known; also add faults and notices."""
    document = draft.add_document(name, text=text, line=found.line)
    seen: dict[str, int] = {}
    for entity in found.inside:
        own = entity.attributes.get("ID", "").strip()
        if not own:
            draft.add_fault(entity.line, "entity without ID", '<entity ID="...">')
        elif own in seen:
            what = f"entity {own!r} is there already, in line {seen[own]}"
            draft.add_fault(entity.line, what, "every ID once in a document", kind="id-twice")
        seen.setdefault(own, entity.line)
        document.describe_entity(own, **_rename_attributes(entity, _ENTITY_FIELDS))
        for mention in entity.inside:
            extent, head = mention.places.get("extent"), mention.places.get("head")
            if "extent" not in mention.places:
                draft.add_fault(mention.line, "entity_mention without extent", "<extent><charseq ...></extent> in it")
            if extent is None:
                continue
            if head and not extent.first <= head.first <= head.last <= extent.last:
                mention_id = mention.attributes.get("ID", "")
                what = f"the head of mention {mention_id!r} is not within its extent, and is left out"
                draft.add_notice("head-outside", mention.line, what)
                head = None
            attributes = _rename_attributes(mention, _MENTION_FIELDS)
            if "level" in attributes:
                attributes["level"] = _LEVELS.get(attributes["level"], attributes["level"])
            if text is None and extent.words:
                attributes["text"] = extent.words
            document.add_mention(own, extent[:2], head=head and head[:2], line=mention.line, attributes=attributes)


def _rename_attributes(element: _ApfElement, names: Mapping[str, str]) -> dict[str, str]:
    """Return those attributes of an element that are listed in `names` and not empty; names: own names by new ones."""
    return {name: element.attributes[own] for name, own in names.items() if element.attributes.get(own)}
