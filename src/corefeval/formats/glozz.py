"""Glozz: annotations `.aa` with the text `.ac`, one document each.

    <unit id="u1"><characterisation><type>MENTION</type><featureSet><feature name="REF">Kim</feature></featureSet>
      </characterisation><positioning><start><singlePosition index="0"/></start><end><singlePosition index="3"/></end>
      </positioning></unit>
    <relation id="r1"><characterisation><type>COREF</type>…<positioning><term id="u1"/><term id="u2"/></positioning>
    <schema id="s1"><characterisation><type>CHAINE</type>…<positioning><embedded-unit id="u1"/>…</positioning></schema>

`index` counts characters of the `.ac`, the end is behind the last one. Without the `.ac`, only places are known.
Entities are what schemas hold (those of a type with "chain", "coref" or "entit" in it, if there are such) and what
relations of coreference connect (by their types: "coref" in them, Identity and the like, ANCOR's DIRECTE, INDIRECTE and
ANAPHORE), directly or not; where a file has neither, units with the same value of the feature REF. Other relations lead
from a mention to an entity. What is in a schema of a schema is in both. Mentions are the units of the types that are
found in these, also those in none of them, which are entities by themselves. Units of layout (paragraphs, titles) are
left out, those of other types with a notice. `units=TYPE+TYPE`, `schemas=TYPE+TYPE` and `relations=TYPE+TYPE` name the
types that count, `reference=FEATURE` another feature than REF.

An entity is called by the first REF in it, or else by its schema, relation or unit. Features are attributes of
mentions. Of several annotators in a file (`author`) all are read, as schemas connect their units; a notice names them,
and `annotator=NAME` reads the units, relations and schemas of one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from corefeval.corpus.corpus import Corpus
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.draft import Draft, Span
from corefeval.formats.shared import lines, markup
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.span_links import is_coreference, name_groups
from corefeval.notices import count_things

TITLE = "Glozz: annotations .aa with the text .ac"
EXAMPLE = """<annotations><unit id="u1"><characterisation><type>MENTION</type><featureSet/></characterisation>
<positioning><start><singlePosition index="0"/></start><end><singlePosition index="3"/></end></positioning></unit>
<schema id="s1">…<positioning><embedded-unit id="u1"/><embedded-unit id="u2"/></positioning></schema></annotations>"""
SUFFIXES = (".aa",)
COMPANIONS = (".ac",)
CAPACITY = None

_POSITION = re.compile(rb"<(?:singlePosition\s+index=|embedded-unit\s+id=)")
_KINDS = ("UNIT", "RELATION", "SCHEMA")
_LAYOUT = frozenset({"paragraph", "title", "sectionTitle", "subSectionTitle", "list", "listItem", "numberedList"})
_REFERENCE = "REF"
_CHAIN = re.compile("cha[iî]n|coref|entit", re.IGNORECASE)
_IDENTITY = ("DIRECTE", "INDIRECTE", "ANAPHORE")  # as ANCOR has them


@dataclass
class _Element:
    """A unit, relation or schema: its type, author and features, and the places or the ids that it is made of."""

    kind: str
    id: str
    line: int
    type: str = ""
    author: str = ""
    features: dict[str, str] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is Glozz's, by positions in annotations; "" if it is not."""
    found = b"<annotations" in beginning and _POSITION.search(beginning)
    return "annotations with positions of Glozz" if found else ""


def read(
    file: File,
    units: str = "",
    schemas: str = "",
    relations: str = "",
    reference: str = _REFERENCE,
    annotator: str = "",
) -> Corpus:
    """Return the corpus of the document of a file that is in memory; raises InputError with all faults in it.

    units, schemas, relations: the types that count, with + between them. reference: the feature that names entities.
    annotator: whose annotations to read.
    """
    draft = Draft(file.name)
    text = _read_text(file, draft)
    elements = _choose_author(_read_elements(file.data, draft), annotator, draft)
    by_id = {each.id: each for each in elements}
    reader = _GlozzReader(by_id, text, draft)
    groups = list(reader.find_groups(_split(schemas), _split(relations)))
    chosen = reader.choose_units(groups, _split(units), reference)
    document = draft.add_document(file.document, text=text)
    names = reader.name_entities(groups, chosen, reference)
    for name, unit in chosen.items():
        span = reader.find_span(unit)
        if span is not None:
            attributes = {key: value for key, value in unit.features.items() if value}
            document.add_mention(names[name], span, line=unit.line, attributes={"type": unit.type, **attributes})
    for relation in reader.others:
        source, target = relation.members
        span = reader.find_span(chosen[source]) if source in chosen and target in chosen else None
        if span is None:
            message = f"relation {relation.id} ({relation.type}) is not of two mentions; left out"
            draft.add_notice("skipped-line", relation.line, message)
        else:
            document.add_relation(relation.type, span, [names[target]])
    return draft.build_corpus()


def _split(types: str) -> frozenset[str] | None:
    """Return the types that are written with + between them; None for ""."""
    return frozenset(types.split("+")) if types else None


def _read_text(file: File, draft: Draft) -> str | None:
    """Return the content of the .ac file; None with a notice if there is none; add faults if it is not UTF-8."""
    data = file.beside(".ac")
    name = registry.strip_suffix(file.name, SUFFIXES) + ".ac"
    if data is None:
        draft.add_notice("missing-text", None, f"there is no {name}: only the places of mentions are known")
        return None
    diagnostics = Diagnostics(name)
    text = lines.decode_exactly(data, diagnostics)
    draft.faults += diagnostics.faults
    return text


def _read_elements(data: bytes, draft: Draft) -> list[_Element]:
    """Return the units, relations and schemas of a file; add a fault for each whose id is there already."""
    found: dict[str, _Element] = {}
    at: _Element | None = None
    feature = ""
    for tag in markup.find_tags(markup.decode_xml(data, draft), draft):
        name = markup.normalize_value(tag.attributes.get("ID", ""))
        before = markup.normalize_value(tag.before)
        if tag.name in _KINDS:
            at = _Element(tag.name, name, tag.line)
            if not name or name in found:
                what = f"{tag.name.lower()} {name!r} is there already or has no id"
                draft.add_fault(tag.line, what, "every id once", kind="id-twice")
            found[name] = at
        elif at is None:
            continue
        elif tag.name == "/TYPE":
            at.type = before
        elif tag.name == "/AUTHOR":
            at.author = before
        elif tag.name == "FEATURE":
            feature = markup.normalize_value(tag.attributes.get("NAME", ""))
        elif tag.name == "/FEATURE" and feature:
            at.features[feature] = before
        elif tag.name == "SINGLEPOSITION":
            at.places.append(markup.normalize_value(tag.attributes.get("INDEX", "")))
        elif tag.name == "TERM" or tag.name.startswith("EMBEDDED-"):
            at.members.append(name)
        elif tag.name.startswith("/") and tag.name[1:] in _KINDS:
            at = None
    if not found and not draft.faults:
        draft.add_fault(1, "no unit", '<unit id="u1"> with <singlePosition index="0"/>')
    return list(found.values())


def _choose_author(elements: list[_Element], annotator: str, draft: Draft) -> list[_Element]:
    """Return all elements, with a notice of several authors, or those of one; a fault if there is no such author."""
    authors = list(dict.fromkeys(each.author for each in elements if each.type not in _LAYOUT and each.author))
    if annotator and annotator not in authors:
        draft.add_fault(1, f"there is no annotator {annotator}", f"one of {', '.join(authors)}", kind="annotator")
    if annotator:
        return [each for each in elements if each.author == annotator]
    if len(authors) > 1:
        message = f"annotations of several authors are read together: {', '.join(authors)}; annotator=NAME takes one"
        draft.add_notice("other-annotators", None, message, annotators=authors)
    return elements


def _is_identity(type_: str) -> bool:
    """Return whether relations of a type make entities."""
    return type_.upper() in _IDENTITY or is_coreference(type_)


class _GlozzReader:
    """Finds the mentions and entities among the elements of a file, by their ids; others: relations beyond identity."""

    def __init__(self, elements: Mapping[str, _Element], text: str | None, draft: Draft) -> None:
        self._elements, self._text, self._draft = elements, text, draft
        self.others: list[_Element] = []

    def find_groups(
        self, schemas: Collection[str] | None, relations: Collection[str] | None
    ) -> Iterator[tuple[_Element, list[str]]]:
        """Yield each schema and each relation of coreference, with its units; add faults of ids that are not there."""
        usual = {each.type for each in self._elements.values() if each.kind == "SCHEMA" and _CHAIN.search(each.type)}
        chosen = usual or None if schemas is None else schemas
        for element in self._elements.values():
            if element.kind == "SCHEMA" and (chosen is None or element.type in chosen):
                yield element, list(self._list_units(element))
            elif element.kind == "RELATION":
                members = list(self._list_units(element))
                same = element.type in relations if relations is not None else _is_identity(element.type)
                if len(element.members) != 2 and not self._draft.faults:
                    what = f"relation {element.id} has {count_things(len(element.members), 'term')}"
                    self._draft.add_fault(element.line, what, "two")
                elif same:
                    yield element, members
                elif len(element.members) == 2:
                    self.others.append(element)

    def _list_units(self, element: _Element) -> Iterator[str]:
        """Yield the ids of the units in a schema or relation; add faults of ids not there, a notice of a circle."""
        passed = {element.id}
        waiting = element.members[::-1]
        for name in waiting:
            if name not in self._elements:
                what = f"{element.kind.lower()} {element.id} has {name!r}, which is not there"
                self._draft.add_fault(element.line, what, "the id of a unit", kind="dangling-reference")
        while waiting:
            name = waiting.pop()
            member = self._elements.get(name)
            if name == element.id:
                self._draft.add_notice(
                    "circular-schema", element.line, f"{element.kind.lower()} {name} is within itself"
                )
            elif member is not None and name not in passed:
                passed.add(name)
                if member.kind == "UNIT":
                    yield name
                waiting += member.members[::-1]

    def choose_units(
        self, groups: list[tuple[_Element, list[str]]], wanted: Collection[str] | None, reference: str
    ) -> dict[str, _Element]:
        """Return the units that are mentions, by id: of wanted types or of those in groups; a notice of the others."""
        units = {name: each for name, each in self._elements.items() if each.kind == "UNIT"}
        inside = {name for _, members in groups for name in members}
        types = {units[name].type for name in inside} or {
            each.type for each in units.values() if each.features.get(reference)
        }
        types = types or {each.type for each in units.values()} - _LAYOUT
        chosen = {name: each for name, each in units.items() if each.type in (types if wanted is None else wanted)}
        left: dict[str, int] = {}
        for name, unit in units.items():
            if name not in chosen and unit.type not in _LAYOUT:
                left[unit.type] = left.get(unit.type, 0) + 1
        if left:
            which = ", ".join(f"{count} {type_}" for type_, count in left.items())
            message = f"{count_things(sum(left.values()), 'unit')} of other types left out: {which}"
            self._draft.add_notice("left-out-unit", None, f"{message}; units=TYPE takes them", count=sum(left.values()))
        return chosen

    def name_entities(
        self, groups: list[tuple[_Element, list[str]]], units: Mapping[str, _Element], reference: str
    ) -> dict[str, str]:
        """Return the name of each unit's entity: what groups make of them, or else their references."""
        named = [
            (element.features.get(reference) or element.id, [name for name in members if name in units])
            for element, members in groups
        ]
        said = {name: unit.features.get(reference, "") for name, unit in units.items()}
        if not any(members for _, members in named):
            same: dict[str, list[str]] = {}
            for name, value in said.items():
                if value:
                    same.setdefault(value, []).append(name)
            named = list(same.items())
        called = [(next(filter(None, map(said.__getitem__, members)), name), members) for name, members in named]
        return name_groups(list(units), called)

    def find_span(self, unit: _Element) -> Span | None:
        """Return first and last character of a unit; None with a fault if its places are not in the text."""
        places = [int(each) for each in unit.places if re.fullmatch("[0-9]{1,15}", each)]
        length = None if self._text is None else len(self._text)
        if len(places) == len(unit.places) == 2 and places[0] < places[1] and (length is None or places[1] <= length):
            return places[0], places[1] - 1
        where = " to ".join(unit.places) or "nowhere"
        size = "" if length is None else f"within the {count_things(length, 'character')} of the text"
        self._draft.add_fault(
            unit.line, f"unit {unit.id} is at {where}", f"start and end {size}", kind="mention-outside"
        )
        return None
