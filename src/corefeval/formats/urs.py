"""TEI-URS, as TXM exports the corpus Democrat: annotations `X-urs.xml` with the words of `X.xml`, one document each.

    X-urs.xml    <annotationGrp type="Unit" subtype="MENTION">
                   <span id="u-MENTION-1" from="text:w_1" to="text:w_2" ana="#u-MENTION-1-fs"/></annotationGrp>
                 <annotationGrp type="Schema" subtype="CHAINE">
                   <link id="s-CHAINE-1" target="#u-MENTION-1 #u-MENTION-2" ana="#s-CHAINE-1-fs"/></annotationGrp>
                 <fs id="u-MENTION-1-fs"><f name="REF"><string>Kim</string></f></fs>
    X.xml        <s n="1"><w id="w_1"><txm:form>the</txm:form></w></s>

The words (`w` and `pc`) are in the same file, or in `X.xml` beside it, or in a folder `xml` or `tei` beside its own.
A word is its `txm:form`, or else its text. Sentences are `s` elements, where there are none `p` and `head`. A `span`
goes from one word to another, or has the words that its `target` lists, which may have gaps.

Entities are what links of schemas hold; where there are no such links, spans with the same value of the feature REF.
A span in none of them is an entity by itself. An entity is called by the first REF in it, or else by its schema or
span. `units=SUBTYPE+SUBTYPE` and `schemas=SUBTYPE+SUBTYPE` choose groups (without them all of their type),
`reference=NAME` another feature than REF. Features are attributes of mentions. Links of relations are not read, with a
notice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import join_runs, to_mention
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.registry import strip_suffix
from corefeval.formats.shared import markup
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.span_links import name_groups
from corefeval.notices import count_things

TITLE = "TEI-URS of TXM (Democrat): -urs.xml with the words of .xml"
EXAMPLE = """<annotationGrp type="Unit" subtype="MENTION"><span id="u-1" from="text:w_1" to="text:w_2"/></annotationGrp>
<annotationGrp type="Schema" subtype="CHAINE"><link id="s-1" target="#u-1 #u-2"/></annotationGrp>
<w id="w_1"><txm:form>the</txm:form></w>"""
SUFFIXES = ("-urs.xml",)
COMPANIONS = ()
CAPACITY = None

_GROUP = re.compile(rb"""<(?:\w+:)?annotationGrp\s[^>]*type=["'](?:Unit|Schema)["']""")
_FOLDERS = ("", "../xml/", "../tei/")
_REFERENCE = "REF"
_WORDS, _SENTENCES, _PARAGRAPHS = ("W", "PC"), ("S",), ("P", "HEAD")


@dataclass
class _TeiWords:
    """The words of a document: each one's place by its id, its line, and its sentence and paragraph by number."""

    forms: list[str] = field(default_factory=list)
    place: dict[str, int] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    paragraph: list[int] = field(default_factory=list)


@dataclass
class _UrsElement:
    """A span or a link: its line, the subtype of its group, its features' id, and the words or spans that it is of."""

    id: str
    line: int
    subtype: str
    features: str
    targets: list[str]
    is_range: bool = False


@dataclass
class _UrsAnnotations:
    """The spans and the links of schemas, feature structures by id, and how many links of relations there are."""

    spans: dict[str, _UrsElement] = field(default_factory=dict)
    schemas: list[_UrsElement] = field(default_factory=list)
    features: dict[str, dict[str, str]] = field(default_factory=dict)
    relations: int = 0


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is TEI-URS, by a group of units or schemas; "" if it is not."""
    return "annotationGrp of units or schemas" if _GROUP.search(beginning) else ""


def find_companions(paths: Iterable[str]) -> set[str]:
    """Return those of some paths that are the words of annotations among them."""
    listed = set(paths)
    stems = [strip_suffix(path, SUFFIXES) for path in listed if path.lower().endswith(SUFFIXES)]
    return {path for stem in stems for path in _list_places(stem) if path in listed}


def _list_places(stem: str) -> list[str]:
    """Return where the words of annotations may be, given their path without -urs.xml."""
    folder, name = os.path.split(stem)
    return [os.path.normpath(os.path.join(folder, each, f"{name}.xml")) for each in _FOLDERS]


def read(file: File, units: str = "", schemas: str = "", reference: str = _REFERENCE) -> Corpus:
    """Return the corpus of the document of a file that is in memory; raises InputError with all faults in it.

    units, schemas: the subtypes that count, with + between them. reference: the feature that names entities.
    """
    draft = Draft(file.name)
    tags = list(markup.find_tags(markup.decode_xml(file.data, draft), draft, longest=len(file.data)))
    words = _read_words(tags, Diagnostics(file.name))
    if not words.forms:
        words = _find_words(file, draft)
    document = draft.add_document(
        file.document.removesuffix("-urs"),
        words=words.forms,
        sentence=words.sentence if any(words.sentence) else words.paragraph,
    )
    found = _read_annotations(tags, draft)
    spans = {name: span for name, span in found.spans.items() if not units or span.subtype in units.split("+")}
    chosen = [each for each in found.schemas if not schemas or each.subtype in schemas.split("+")]
    names = _name_entities(spans, chosen, found, reference, draft)
    if found.relations:
        message = count_things(found.relations, "link", *2 * ("of relations left out",))
        draft.add_notice("left-out-link", None, message, count=found.relations)
    for name, span in spans.items():
        unknown = [target for target in span.targets if target not in words.place]
        places = [words.place[target] for target in span.targets if target in words.place]
        if unknown or not places:
            what = f"span {name} has the word {(unknown or [''])[0]!r}, which is not there"
            draft.add_fault(span.line, what, "the id of a word", kind="dangling-reference")
        elif span.is_range and places[-1] < places[0]:
            draft.add_fault(span.line, f"span {name} ends before it begins", kind="mention-outside")
        else:
            runs = [(places[0], places[-1])] if span.is_range else [(each, each) for each in sorted(set(places))]
            features = {key: value for key, value in found.features.get(span.features, {}).items() if value}
            document.add_mention(names[name], to_mention(join_runs(runs)), line=span.line, attributes=features)
    return draft.build_corpus()


def _find_words(file: File, draft: Draft) -> _TeiWords:
    """Return the words of the file that annotations are about; add faults of it, or one if it is not there."""
    for path in _list_places(strip_suffix(file.name, SUFFIXES)):
        data = None if path == os.path.normpath(file.name) else file.elsewhere(path)
        if data is not None:
            diagnostics = Diagnostics(path)
            tags = markup.find_tags(markup.decode_xml(data, diagnostics), diagnostics)
            words = _read_words(tags, diagnostics)
            if not words.forms:
                diagnostics.add_fault(1, "no word", '<w id="w_1"><txm:form>the</txm:form></w>')
            draft.faults += diagnostics.faults
            return words
    expected = " or ".join(_list_places(strip_suffix(file.name, SUFFIXES)))
    draft.add_fault(1, "the words are not there", expected)
    return _TeiWords()


def _read_words(tags: Iterable[markup.Tag], diagnostics: Diagnostics) -> _TeiWords:
    """Return the words of a text; add faults of ids that are missing or there twice."""
    words = _TeiWords()
    sentence = paragraph = 0
    inside = False
    for tag in tags:
        name = _strip_prefix(tag.name)
        if name in _WORDS:
            key = _get_id(tag)
            if not key or key in words.place:
                diagnostics.add_fault(tag.line, f"a word with the id {key!r}", "every id once", kind="id-twice")
            words.place[key] = len(words.forms)
            words.forms.append("")
            words.lines.append(tag.line)
            words.sentence.append(sentence)
            words.paragraph.append(paragraph)
            inside = not tag.empty
        elif inside and name in ("/FORM", *(f"/{each}" for each in _WORDS)):
            if name == "/FORM" or not words.forms[-1]:
                words.forms[-1] = markup.normalize_value(tag.before)
            inside = False
        elif name in _SENTENCES:
            sentence += 1
        elif name in _PARAGRAPHS:
            paragraph += 1
    return words


def _read_annotations(tags: Iterable[markup.Tag], draft: Draft) -> _UrsAnnotations:
    """Return the spans, schemas and feature structures of a file; add faults of ids that are there already."""
    found = _UrsAnnotations()
    kind = subtype = ""
    features: dict[str, str] = {}
    feature = ""
    for tag in tags:
        given = {name.rpartition(":")[2]: markup.normalize_value(value) for name, value in tag.attributes.items()}
        name = _strip_prefix(tag.name)
        key, ana = _get_id(tag), given.get("ANA", "").removeprefix("#")
        if name == "ANNOTATIONGRP":
            kind, subtype = given.get("TYPE", "").lower(), given.get("SUBTYPE", "")
        elif name == "SPAN" and kind == "unit":
            ends = [given.get("FROM", ""), given.get("TO", given.get("FROM", ""))]
            targets = given["TARGET"].split() if "TARGET" in given else ends
            span = _UrsElement(key, tag.line, subtype, ana, list(map(_strip_target, targets)), "TARGET" not in given)
            if not key or key in found.spans:
                draft.add_fault(tag.line, f"a span with the id {key!r}", "every id once", kind="id-twice")
            found.spans[key] = span
        elif name == "LINK" and kind == "schema":
            targets = list(map(_strip_target, given.get("TARGET", "").split()))
            found.schemas.append(_UrsElement(key, tag.line, subtype, ana, targets))
        elif name == "LINK" and kind == "relation":
            found.relations += 1
        elif name == "FS":
            features = found.features.setdefault(key, {})
        elif name == "F":
            feature = given.get("NAME", "")
        elif name in ("/STRING", "/F") and feature:
            features[feature] = features.get(feature) or markup.normalize_value(tag.before)
        elif name in ("SYMBOL", "NUMERIC", "BINARY") and feature:
            features[feature] = given.get("VALUE", "")
    return found


def _name_entities(
    spans: Mapping[str, _UrsElement],
    schemas: Collection[_UrsElement],
    found: _UrsAnnotations,
    reference: str,
    draft: Draft,
) -> dict[str, str]:
    """Return the name of each span's entity: what schemas make of them, or else their references; add faults."""
    groups: list[tuple[str, list[str]]] = []
    for schema in schemas:
        for target in schema.targets:
            if target not in found.spans:
                what = f"schema {schema.id} has {target!r}, which is not there"
                draft.add_fault(schema.line, what, "the id of a span", kind="dangling-reference")
        members = [target for target in schema.targets if target in spans]
        groups.append((found.features.get(schema.features, {}).get(reference, "") or schema.id, members))
    said = {name: found.features.get(span.features, {}).get(reference, "") for name, span in spans.items()}
    if not any(members for _, members in groups):
        same: dict[str, list[str]] = {}
        for name, value in said.items():
            if value:
                same.setdefault(value, []).append(name)
        groups = list(same.items())
    named = [(next(filter(None, map(said.__getitem__, members)), name), members) for name, members in groups]
    return name_groups(list(spans), named)


def _strip_prefix(name: str) -> str:
    """Return the name of a tag without its namespace: "/TXM:FORM" is "/FORM"."""
    return ("/" if name.startswith("/") else "") + name.lstrip("/").rpartition(":")[2]


def _strip_target(target: str) -> str:
    """Return the id in a reference such as #u-1 or text:w_1."""
    return target.removeprefix("#").rpartition(":")[2]


def _get_id(tag: markup.Tag) -> str:
    """Return the id of an element; "" if it has none."""
    return markup.normalize_value(tag.attributes.get("XML:ID", tag.attributes.get("ID", "")))
