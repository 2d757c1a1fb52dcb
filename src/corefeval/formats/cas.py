"""UIMA CAS, as INCEpTION, WebAnno and DKPro write it: JSON 0.4, which is written too, and XMI; one document each.

    {"%FEATURE_STRUCTURES": [
      {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "Kim left. She"},
      {"%ID": 2, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceChain", "@first": 3},
      {"%ID": 3, "%TYPE": "….CoreferenceLink", "@sofa": 1, "begin": 0, "end": 3, "@next": 4},
      {"%ID": 4, "%TYPE": "….CoreferenceLink", "@sofa": 1, "begin": 10, "end": 13}]}

A chain is an entity, and the links from its `first` by their `next` are its mentions. Other chain layers are types
called …Chain and …Link; of several layers that called Coreference is read, or `layer=NAME`. Where there are no chains,
a relation layer with "coref" or "anaphor" in its name makes entities of the spans that its relations (`Governor`,
`Dependent`) connect; those with "bridg" in a value are relations of kind "bridge", and a span of the same layer that
has a value, but no relation, is an entity by itself.

Only what is in the index of the view counts, as in UIMA; chains that are not, and links of no chain, are left out, with
notices. Where `next` leads back, the chain ends, with a notice. Links without text are left out, with one notice. Of
several views the initial one is read. Places count UTF-16, where an emoji is two; one within a character is a fault.

Mentions are spans of words where the document has tokens (one that begins or ends within a token gets the whole token,
with a notice), else of characters. A document is called by its `documentTitle`, else by its file. What features of
links say (`referenceType`, `referenceRelation`, others in lower case) are attributes. INCEpTION's export, a folder for
each document with a file or archive for each annotator, is read by `corefeval agree`.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.objects import Document
from corefeval.corpus.union_find import UnionFind
from corefeval.formats.base import Capacity, File
from corefeval.formats.brat import make_file_names
from corefeval.formats.draft import DocumentDraft, Draft
from corefeval.formats.shared import json_values, markup
from corefeval.formats.shared.utf16 import Utf16Places
from corefeval.formats.shared.writing import get_words, replace_surrogates, respell_names
from corefeval.notices import count_things

TITLE = "UIMA CAS with coreference chains: JSON and XMI of INCEpTION, WebAnno and DKPro"
EXAMPLE = """{"%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "Kim left. She"},
 {"%ID": 2, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceChain", "@first": 3},
 {"%ID": 3, "%TYPE": "….CoreferenceLink", "@sofa": 1, "begin": 0, "end": 3, "@next": 4}]}"""
SUFFIXES = (".cas.json", ".xmi", ".json")
COMPANIONS = ()


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return names without surrogates; of several documents, which are files of a folder, none without a name."""
    unnamed = "_" if len(documents) > 1 else ""
    return respell_names(documents, lambda name: replace_surrogates(name) or unnamed)


CAPACITY = Capacity(
    units=("word", "character"),
    blanks="spaces",
    names=False,
    sentences=True,
    document_names=spell_document_names,
    attributes=("referenceType", "referenceRelation"),
)

_JSON = re.compile(rb'\s*\{[^\[]*"%(?:TYPES|FEATURE_STRUCTURES)"\s*:')
_XMI = re.compile(rb"<xmi:XMI\b|<\w+:XMI\s[^>]*xmlns:cas=")
_STRUCTURES, _VIEWS, _MEMBERS = "%FEATURE_STRUCTURES", "%VIEWS", "%MEMBERS"
_INITIAL_VIEW = "_InitialView"
_DEFAULT = "COREFERENCE"
_COREFERENCE = re.compile("coref|anaphor", re.IGNORECASE)
_BRIDGE = re.compile("bridg", re.IGNORECASE)
_SYNTAX = ("DEPENDENCY",)
_STRUCTURAL = frozenset({"SOFA", "BEGIN", "END", "FIRST", "NEXT", "GOVERNOR", "DEPENDENT", "ID"})
_FEATURES = {"REFERENCETYPE": "referenceType", "REFERENCERELATION": "referenceRelation"}
_PACKAGE = "de.tudarmstadt.ukp.dkpro.core.api."
_META, _TOKEN, _SENTENCE, _CHAIN, _LINK = (
    _PACKAGE + name
    for name in (
        "metadata.type.DocumentMetaData",
        "segmentation.type.Token",
        "segmentation.type.Sentence",
        "coref.type.CoreferenceChain",
        "coref.type.CoreferenceLink",
    )
)
_TYPES: dict[str, tuple[str, dict[str, str]]] = {
    _META: ("uima.tcas.DocumentAnnotation", {"documentTitle": "uima.cas.String", "documentId": "uima.cas.String"}),
    _TOKEN: ("uima.tcas.Annotation", {}),
    _SENTENCE: ("uima.tcas.Annotation", {}),
    _CHAIN: ("uima.cas.AnnotationBase", {"first": _LINK}),
    _LINK: (
        "uima.tcas.Annotation",
        {"next": _LINK, "referenceType": "uima.cas.String", "referenceRelation": "uima.cas.String"},
    ),
}
"""The types that are written: what each is derived from, and the types of its features."""


class _Structure(NamedTuple):
    """A feature structure: the last part of its type, and its features, both in capitals, references by id."""

    id: str
    type: str
    line: int
    values: Mapping[str, str]


class _Cas(NamedTuple):
    """All feature structures by id, and the ids that are indexed in each view, by its sofa; None if all are."""

    structures: dict[str, _Structure]
    members: dict[str, frozenset[str] | None]


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is a CAS, by its first keys or its first tag; "" if it is not."""
    if _JSON.match(beginning.removeprefix(b"\xef\xbb\xbf")):
        return "types or feature structures of UIMA found"
    return "XMI of UIMA found" if _XMI.search(beginning[:4096]) else ""


def find_companions(paths: Iterable[str]) -> set[str]:
    """Return those of some paths that are the type system of an XMI file among them."""
    listed = list(paths)
    folders = {path.rpartition(os.sep)[0] for path in listed if path.lower().endswith(".xmi")}
    types = (path for path in listed if path.lower().endswith("typesystem.xml"))
    return {path for path in types if path.rpartition(os.sep)[0] in folders}


def read(file: File, layer: str = "") -> Corpus:
    """Return the corpus of the document of a file that is in memory; raises InputError with all faults in it.

    layer: the chain layer or relation layer that is coreference.
    """
    draft = Draft(file.name)
    is_xmi = file.data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    cas = _parse_xmi(file.data, draft) if is_xmi else _parse_json(file.data, draft)
    sofa = _choose_sofa(cas, draft)
    if sofa is not None:
        members = cas.members.get(sofa.id)
        indexed = [each for key, each in cas.structures.items() if members is None or key in members]
        view = _View(sofa, cas, indexed, draft)
        document = view.add_document(file.document)
        chosen = view.choose_layer(layer)
        if chosen is not None and chosen[0] == "chain":
            view.add_chains(chosen[1], document)
        elif chosen is not None:
            view.add_relations(chosen[1], document)
    return draft.build_corpus()


def _parse_json(data: bytes, draft: Draft) -> _Cas:
    """Return the CAS of a JSON file; empty, with a fault, if it is malformed."""
    cas = _Cas({}, {})
    text = json_values.decode_text(data, draft)
    try:
        content, end = json_values.parse_value(text, json_values.skip_blanks(text, 0))
        lines = json_values.index_lines(text)
    except json_values.MalformedError as error:
        line, what, hint = json_values.describe_error(error, text)
        draft.add_fault(line, what, "an object with feature structures", hint)
        return cas
    rest = json_values.skip_blanks(text, end)
    if rest < len(text):
        draft.add_fault(json_values.find_line(text, rest), "more follows the object", "one object", "a file for each")
    listed = content.get(_STRUCTURES) if isinstance(content, dict) else None
    if not isinstance(listed, list | dict):
        draft.add_fault(1, f"no list {_STRUCTURES}", "JSON of UIMA, version 0.4")
        return cas
    for key, each in enumerate(listed) if isinstance(listed, list) else listed.items():
        line = lines.get((_STRUCTURES, key), 1)
        name = str(each.get("%ID", key)) if isinstance(each, dict) else ""
        if not name or not isinstance(each.get("%TYPE"), str):
            draft.add_fault(line, f"{json_values.show_value(each)} is no feature structure", "%ID and %TYPE")
            continue
        values = {
            feature.lstrip("@").upper(): str(value)
            for feature, value in each.items()
            if not feature.startswith("%") and isinstance(value, str | int) and not isinstance(value, bool)
        }
        _add_structure(_Structure(name, each["%TYPE"].rpartition(".")[2].upper(), line, values), cas, draft)
    views = content.get(_VIEWS)
    for view in views.values() if isinstance(views, dict) else ():
        members = view.get(_MEMBERS) if isinstance(view, dict) else None
        cas.members[str(view.get("%SOFA")) if isinstance(view, dict) else ""] = (
            frozenset(map(str, members)) if isinstance(members, list) else None
        )
    return cas


def _parse_xmi(data: bytes, draft: Draft) -> _Cas:
    """Return the CAS of an XMI file; add faults."""
    cas = _Cas({}, {})
    for tag in markup.find_tags(markup.decode_xml(data, draft), draft, longest=len(data)):
        values = {
            name.rpartition(":")[2] if name == "XMI:ID" else name: _read_attribute(value)
            for name, value in tag.attributes.items()
        }
        if tag.name.endswith(":VIEW"):
            cas.members[values.get("SOFA", "")] = frozenset(values.get("MEMBERS", "").split())
        elif "XMI:ID" in tag.attributes and not tag.name.endswith(":NULL"):
            structure = _Structure(values["ID"], tag.name.rpartition(":")[2], tag.line, values)
            _add_structure(structure, cas, draft)
    return cas


def _read_attribute(written: str) -> str:
    """Return the value of an attribute in XML: line breaks and tabs as they stand are spaces, references resolved."""
    return markup.resolve_references(re.sub("[\t\n\r]", " ", written))


def _add_structure(structure: _Structure, cas: _Cas, draft: Draft) -> None:
    """Add a feature structure to a CAS; a fault if its id is there already."""
    before = cas.structures.get(structure.id)
    if before is not None:
        what = f"feature structure {structure.id} is there already, on line {before.line}"
        draft.add_fault(structure.line, what, "every id once", kind="id-twice")
    cas.structures[structure.id] = structure


def _choose_sofa(cas: _Cas, draft: Draft) -> _Structure | None:
    """Return the subject of analysis with the text, by preference of the initial view; None, with a fault, if none."""
    sofas = [each for each in cas.structures.values() if each.type == "SOFA" and "SOFASTRING" in each.values]
    if not sofas:
        if not draft.faults:
            draft.add_fault(1, "no text", "a uima.cas.Sofa with a sofaString")
        return None
    chosen = next((each for each in sofas if each.values.get("SOFAID") == _INITIAL_VIEW), sofas[0])
    others = [each.values.get("SOFAID", each.id) for each in sofas if each is not chosen]
    if others:
        message = f"{count_things(len(others), 'further view')} with a text not read: {', '.join(others)}"
        draft.add_notice("other-views", None, message, views=others)
    return chosen


class _View:
    """One text of a CAS with what is indexed for it."""

    def __init__(self, sofa: _Structure, cas: _Cas, indexed: Sequence[_Structure], draft: Draft) -> None:
        self.sofa, self.structures, self.indexed, self.draft = sofa, cas.structures, indexed, draft
        self.text = sofa.values["SOFASTRING"]
        self._places = Utf16Places(self.text)
        self._tokens: list[tuple[int, int]] = []

    def add_document(self, name: str) -> DocumentDraft:
        """Return the draft of the document, with words and sentences if the CAS has tokens, else with its text."""
        title = next((each.values["DOCUMENTTITLE"] for each in self.indexed if "DOCUMENTTITLE" in each.values), name)
        spans = sorted(span for span in self._find_spans("TOKEN") if span[0] < span[1])
        for span in spans:
            if self._tokens and span[0] < self._tokens[-1][1]:
                shown = self.text[span[0] : span[1]]
                self.draft.add_notice("overlapping-tokens", None, f"token {shown!r} overlaps another one; left out")
            else:
                self._tokens.append(span)
        if not self._tokens:
            return self.draft.add_document(title, text=self.text)
        begins = sorted(begin for begin, _ in self._find_spans("SENTENCE"))
        return self.draft.add_document(
            title,
            words=[self.text[begin:end] for begin, end in self._tokens],
            sentence=[max(0, bisect_right(begins, begin) - 1) for begin, _ in self._tokens],
        )

    def choose_layer(self, wanted: str) -> tuple[str, str] | None:
        """Return "chain" or "relation", and the layer of coreference; None, with a fault or a notice, if none."""
        chains = dict.fromkeys(
            each.type.removesuffix("CHAIN")
            for each in self.structures.values()
            if each.type.endswith("CHAIN") and not {"BEGIN", "END"} & each.values.keys()
        )
        relations = dict.fromkeys(
            each.type
            for each in self.indexed
            if {"GOVERNOR", "DEPENDENT"} <= each.values.keys() and each.type not in _SYNTAX
        )
        if wanted:
            name = wanted.rpartition(".")[2].upper()
            found = [("chain", each) for each in chains if each in (name, name.removesuffix("CHAIN"))]
            found += [("relation", each) for each in relations if each == name]
        elif _DEFAULT in chains:
            return "chain", _DEFAULT
        else:
            found = [("chain", each) for each in chains]
            found = found or [("relation", each) for each in relations if _COREFERENCE.search(each)]
        if len(found) == 1:
            return found[0]
        names = ", ".join(name.lower() for name in (*chains, *relations))
        if found or (wanted and names):
            what = f"not clear which layer is coreference: {names}"
            self.draft.add_fault(1, what, "a layer named so", "say which with --format cas:layer=NAME", kind="layer")
        else:
            there = f"; there are {names}" if names else ""
            message = f"no layer {wanted or 'of coreference'}{there}: no entities"
            self.draft.add_notice("no-coreference-layer", None, message, layer=wanted)
        return None

    def add_chains(self, layer: str, document: DocumentDraft) -> None:
        """Add the entities of a chain layer to the document; add faults and notices."""
        indexed = {each.id for each in self.indexed}
        chains = [each for each in self.structures.values() if each.type == f"{layer}CHAIN"]
        left = [each for each in chains if each.id not in indexed]
        self._report_left(left, "chain", "that the view does not index")
        reached: dict[str, str] = {}
        for number, chain in enumerate((each for each in chains if each.id in indexed), 1):
            document.describe_entity(str(number))
            for link in self._follow_links(chain):
                if link.id in reached:
                    message = f"link {link.id} is in chains {reached[link.id]} and {chain.id}; it is a mention of both"
                    self.draft.add_notice("mention-twice", link.line, message)
                reached.setdefault(link.id, chain.id)
                self._add_mention(str(number), link, document)
        links = [each for each in self.indexed if each.type == f"{layer}LINK" and each.id not in reached]
        passed = {link.id for chain in left for link in self._follow_links(chain)} if left else set()
        self._report_left([each for each in links if each.id not in passed], "link", "of no chain")

    def add_relations(self, layer: str, document: DocumentDraft) -> None:
        """Add the entities that a relation layer makes, and its bridging relations, to the document; add faults."""
        pairs = list(self._find_pairs(layer))
        connected = {end.id: end for _, source, target in pairs for end in (source, target)}
        types = {end.type for end in connected.values()} - {"TOKEN"}
        indexed = {each.id for each in self.indexed if each.type in types and self._get_attributes(each)}
        spans = [each for each in self.structures.values() if each.id in connected or each.id in indexed]
        groups = UnionFind([each.id for each in spans])
        bridges = []
        for relation, source, target in pairs:
            label = next(iter(self._get_attributes(relation).values()), "")
            if source.id == target.id:
                message = f"relation {relation.id} connects a span with itself; left out"
                self.draft.add_notice("self-link", relation.line, message)
            elif _BRIDGE.search(label):
                bridges.append((source, target, label))
            else:
                groups.join(source.id, target.id)
        names = {
            root: str(number) for number, root in enumerate(dict.fromkeys(groups.find(each.id) for each in spans), 1)
        }
        for each in spans:
            self._add_mention(names[groups.find(each.id)], each, document)
        for source, target, label in bridges:
            span = self._place_mention(source)
            if span is not None:
                document.add_relation("bridge", span, [names[groups.find(target.id)]], label)

    def _find_pairs(self, layer: str) -> Iterator[tuple[_Structure, _Structure, _Structure]]:
        """Yield the relations of a layer, each with what it leads from and to; add faults of missing ends."""
        for relation in self.indexed:
            if relation.type == layer:
                source, target = (self._get(relation, end) for end in ("DEPENDENT", "GOVERNOR"))
                if source is not None and target is not None:
                    yield relation, source, target

    def _follow_links(self, chain: _Structure) -> Iterator[_Structure]:
        """Yield the links of a chain; add a fault where one is not there, a notice where they lead back."""
        passed = set()
        at: _Structure | None = self._get(chain, "FIRST") if "FIRST" in chain.values else None
        while at is not None:
            if at.id in passed:
                message = f"chain {chain.id} leads back to link {at.id}, where it ends"
                self.draft.add_notice("circular-chain", at.line, message)
                return
            passed.add(at.id)
            yield at
            at = self._get(at, "NEXT") if "NEXT" in at.values else None

    def _get(self, structure: _Structure, feature: str) -> _Structure | None:
        """Return the feature structure that a feature refers to; None, with a fault, if it is not there."""
        key = structure.values[feature]
        if key not in self.structures:
            what = f"{feature.lower()} of feature structure {structure.id} is {key}, which is not there"
            self.draft.add_fault(structure.line, what, "the id of a feature structure", kind="dangling-reference")
        return self.structures.get(key)

    def _find_spans(self, type_: str) -> Iterator[tuple[int, int]]:
        """Yield the places of all indexed annotations of a type; add faults for those that have none."""
        for each in self.indexed:
            if each.type == type_ and each.values.get("SOFA") == self.sofa.id:
                span = self._find_place(each)
                if span is not None:
                    yield span

    def _find_place(self, structure: _Structure) -> tuple[int, int] | None:
        """Return begin and end of an annotation in characters; None, with a fault, if they are outside the text."""
        written = [structure.values.get(name, "") for name in ("BEGIN", "END")]
        places = [
            self._places.to_character(int(each)) if re.fullmatch("[0-9]{1,15}", each) else None for each in written
        ]
        begin, end = places
        if structure.values.get("SOFA", self.sofa.id) != self.sofa.id:
            what, expected = f"annotation {structure.id} is of another view", f"sofa {self.sofa.id}"
        elif begin is None or end is None or end < begin:
            what = (
                f"annotation {structure.id} from {written[0] or 'nowhere'} to {written[1] or 'nowhere'} is not within "
            )
            what += count_things(len(self.text), "character")
            expected = "begin and end, counted in UTF-16"
        else:
            return begin, end
        self.draft.add_fault(structure.line, what, expected, kind="mention-outside")
        return None

    def _place_mention(self, structure: _Structure) -> tuple[int, int] | None:
        """Return first and last word (character, without tokens) of an annotation; None without text; add notices."""
        place = self._find_place(structure)
        if place is None:
            return None
        begin, end = place
        first, last = begin, end - 1
        if self._tokens:
            first = bisect_right(self._tokens, begin, key=lambda token: token[1])
            last = bisect_right(self._tokens, end - 1, key=lambda token: token[0]) - 1
        if begin == end or last < first:
            self.draft.add_notice("empty-mention", structure.line, f"annotation {structure.id} has no text; left out")
            return None
        if self._tokens and (self._tokens[first][0], self._tokens[last][1]) != place:
            message = "a mention begins or ends within a token; it gets the whole token"
            self.draft.add_notice("sub-token", structure.line, message)
        return first, last

    def _add_mention(self, entity: str, structure: _Structure, document: DocumentDraft) -> None:
        """Add an annotation to the document as a mention of an entity."""
        span = self._place_mention(structure)
        if span is not None:
            document.add_mention(entity, span, line=structure.line, attributes=self._get_attributes(structure))

    def _get_attributes(self, structure: _Structure) -> dict[str, str]:
        """Return the features that have a value which is no reference, by name."""
        return {
            _FEATURES.get(name, name.lower()): value
            for name, value in structure.values.items()
            if value and name not in _STRUCTURAL and not name.startswith("XMI:")
        }

    def _report_left(self, left: Sequence[_Structure], thing: str, which: str) -> None:
        """Add one notice of feature structures that are left out, if any."""
        if left:
            message = f"{count_things(len(left), thing, which, which)} left out"
            self.draft.add_notice(f"left-out-{thing}", left[0].line, message, count=len(left))


def write(corpus: Corpus) -> bytes | Mapping[str, bytes]:
    """Return the JSON of the only document, or that of each document by the name of its file."""
    names = make_file_names(corpus.documents)
    files = {f"{name}.cas.json": _write_document(each, corpus) for name, each in zip(names, corpus, strict=True)}
    return next(iter(files.values())) if len(files) == 1 else files


def _write_document(document: Document, corpus: Corpus) -> bytes:
    """Return a document as JSON of UIMA, version 0.4, with a feature structure on each line."""
    text, tokens, sentences = _lay_out(document, corpus)
    places = Utf16Places(text)
    structures: list[dict[str, Any]] = []

    def add(type_: str, **features: Any) -> int:
        """Add a feature structure with the next id, and return that."""
        structures.append({"%ID": len(structures) + 1, "%TYPE": type_, **features})
        return len(structures)

    def annotate(type_: str, begin: int, end: int, **features: Any) -> int:
        """Add an annotation of these characters, and return its id."""
        span = {"@sofa": sofa, "begin": places.from_character(begin), "end": places.from_character(end)}
        return add(type_, **span, **features)

    sofa = add("uima.cas.Sofa", sofaNum=1, sofaID=_INITIAL_VIEW, mimeType="text", sofaString=text)
    annotate(_META, 0, len(text), documentTitle=document.name, documentId=document.name)
    for span in sentences:
        annotate(_SENTENCE, *span)
    for span in tokens:
        annotate(_TOKEN, *span)
    for entity in document:
        add(_CHAIN, **{"@sofa": sofa, "@first": len(structures) + 2})
        for left, mention in zip(range(len(entity) - 1, -1, -1), entity, strict=True):
            (first, last), *_ = mention.runs
            begin, end = (tokens[first][0], tokens[last][1]) if corpus.unit == "word" else (first, last + 1)
            following = {"@next": len(structures) + 2} if left else {}
            annotate(_LINK, begin, end, **following, **mention.attributes)
    types = {
        name: {"%NAME": name, "%SUPER_TYPE": above}
        | {each: {"%NAME": each, "%RANGE": kind} for each, kind in features.items()}
        for name, (above, features) in _TYPES.items()
    }
    members = [each["%ID"] for each in structures[1:]]
    listed = ",\n  ".join(map(json_values.dump_line, structures))
    views = {_INITIAL_VIEW: {"%SOFA": sofa, _MEMBERS: members}}
    content = f'{{"%TYPES": {json_values.dump_line(types)},\n "{_STRUCTURES}": [\n  {listed}],\n'
    return json_values.encode_text(f'{content} "{_VIEWS}": {json_values.dump_line(views)}}}\n')


def _lay_out(document: Document, corpus: Corpus) -> tuple[str, list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the text of a document, and where its words and sentences are; no words where mentions are characters."""
    if corpus.unit != "word":
        return document.text or "", [], []
    needed = 1 + max((mention.runs[-1][1] for mention in document.mentions), default=-1)
    words = get_words(corpus, corpus.documents.index(document.name), needed)
    ends = list(accumulate((len(form) + 1 for form in words.forms), initial=0))
    tokens = [(begin, end - 1) for begin, end in pairwise(ends)]
    spans = [(tokens[places[0]][0], tokens[places[-1]][1]) for places in words.split_sentences()]
    breaks = {begin for begin, _ in spans}
    blanks = ["\n" if begin in breaks else " " for begin, _ in tokens]
    text = "".join(blank + form for blank, form in zip(blanks, words.forms, strict=True))
    return text[1:], tokens, spans
