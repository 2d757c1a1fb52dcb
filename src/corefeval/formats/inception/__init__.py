"""WebAnno / INCEpTION TSV 3 with a coreference layer, as INCEpTION exports it and as GUM publishes it; read only.

    #FORMAT=WebAnno TSV 3.3
    #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

    #Text=He shot himself
    1-1	0-2	He	pr[1]	coref->1-1
    1-2	3-7	shot	_	_
    1-3	8-15	himself	pr[1]	*->1-2

One document per file. Entities are found in one of two ways. In a chain layer (`#T_CH`) `coref->1-2` is the second
mention of entity 1. In a relation layer (`#T_RL`, GUM) mentions are the spans of the layer that relations are drawn
between, and relations make entities of them: `ana` in the column of types with `4-2[7_3]` behind it says that span 7,
which is on token 4-2, and span 3, which is on the token of this line, speak of the same. All types count but those of
bridging, which are kept as relations of kind "bridge", or "split" for the split antecedents of GUM's `bridge:aggr`. A
span in no relation is an entity by itself.

`layer=NAME` chooses among several layers, `identity=ana+coref` names the types that make entities.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefeval.corpus.union_find import UnionFind
from corefeval.formats.draft import Draft
from corefeval.formats.inception.rows import Rows, read_rows, unescaped, values
from corefeval.formats.shared import lines

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import File
    from corefeval.formats.draft import DocumentDraft
    from corefeval.formats.inception.rows import Layer, Unit

TITLE = "WebAnno / INCEpTION TSV 3 with a chain or relation layer of coreference, such as GUM's"
EXAMPLE = """#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation
1-1\t0-2\tHe\tpr[1]\tcoref->1-1
1-2\t3-7\tshot\t_\t_
1-3\t8-15\thimself\tpr[1]\t*->1-2"""
SUFFIXES = (".tsv", ".webanno")
COMPANIONS = ()
CAPACITY = None

_FORMAT = re.compile(rb"(?:\xef\xbb\xbf)?#FORMAT=WebAnno TSV 3")
_LINK = re.compile(r"(.*)(?<!\\)->([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
_REFERENCE = re.compile(r"([0-9]+-[0-9]+(?:\.[0-9]+)?)(?:\[([0-9]+)_([0-9]+)\])?")
_COREFERENCE = re.compile(r"coref|anaphor", re.IGNORECASE)
_SYNTAX = re.compile(r"\.Dependency$")
_BRIDGE = re.compile(r"bridg", re.IGNORECASE)
_SPLIT = re.compile(r"bridg\w*:aggr", re.IGNORECASE)
_LINK_FEATURE = "referenceRelation"
_OF_ENTITIES = {"type": ("entity", "entityType", "entity_type", "type", "value", "label"), "identity": ("identity",)}


class _Link(NamedTuple):
    """A relation: the spans that it is drawn from and to, its type, and its line."""

    source: Hashable
    target: Hashable
    type: str
    line: int


class _Span:
    """A mention in the making: it grows by every line that names it."""

    def __init__(self) -> None:
        self.first = self.last = self.line = -1
        self.part = self.gap = self.named = False
        self.values: dict[str, str] = {}

    def reach(self, unit: Unit) -> None:
        """Make it go on to a token or a part of one."""
        if self.first < 0:
            self.first, self.last, self.line = unit.word, unit.word, unit.line
        self.part |= unit.part
        self.gap |= unit.word > self.last + 1
        self.last = unit.word


def recognise(beginning: bytes) -> str:
    """By the line that all such files begin with."""
    return "'#FORMAT=WebAnno TSV 3' found" if _FORMAT.match(beginning) else ""


def read(file: File, layer: str = "", identity: str = "") -> Corpus:
    """Read the document of a file."""
    draft = Draft(file.name)
    rows = read_rows(lines.normalize_text(file.data, file.name), draft)
    document = draft.add_document(file.document, words=rows.words, sentence=rows.sentences, lines=rows.lines)
    chosen = _chosen(rows.layers, layer, draft)
    if chosen is not None and chosen.kind == "chain":
        _read_chains(rows, chosen, document, draft)
    elif chosen is not None:
        _read_relations(rows, chosen, frozenset(identity.split("+")) if identity else None, document, draft)
    return draft.build_corpus()


def _chosen(layers: list[Layer], asked: str, draft: Draft) -> Layer | None:
    """The layer that coreference is in."""
    possible = [each for each in layers if each.kind != "span"]
    names = ", ".join(each.name for each in possible)
    if asked:
        found = [each for each in possible if asked in (each.name, each.name.rpartition(".")[2])]
    else:
        chains = [each for each in possible if each.kind == "chain"]
        found = chains or [each for each in possible if _COREFERENCE.search(each.name)]
        if len(found) > 1:
            found = [each for each in found if _COREFERENCE.search(each.name)] or found
    if len(found) == 1:
        return found[0]
    if found or (not asked and any(not _SYNTAX.search(each.name) for each in possible)):
        what = f"any of {names} may be the layer of coreference"
        draft.add_fault(1, what, "one that can be told", "say which with --format inception:layer=NAME", kind="layer")
        return None
    # INCEpTION leaves a layer out of the files of documents that have no annotation in it.
    there = f"; there are {names}" if names else ""
    draft.add_notice(
        "no-coreference-layer", None, f"no layer {asked or 'of coreference'}{there}: no entities", layer=asked
    )
    return None


def _read_chains(rows: Rows, layer: Layer, document: DocumentDraft, draft: Draft) -> None:
    if _LINK_FEATURE not in layer.features:
        draft.add_fault(layer.line, f"the chain layer {layer.name} has no feature {_LINK_FEATURE}", _LINK_FEATURE)
        return
    column = layer.column + layer.features.index(_LINK_FEATURE)
    features = [(name, layer.column + k) for k, name in enumerate(layer.features) if name != _LINK_FEATURE]
    spans: dict[tuple[int, int], _Span] = {}
    for unit in rows.units:
        cell = unit.cells[column]
        if cell == "_":
            continue
        more = [(name, values(unit.cells[place])) for name, place in features]
        for place, (written, _) in enumerate(values(cell)):
            link = _LINK.fullmatch(written)
            if link is None:
                draft.add_fault(
                    unit.line, f"{written!r} is not a link of a chain", "LABEL->CHAIN-PLACE such as coref->1-2"
                )
                continue
            span = spans.setdefault((int(link[2]), int(link[3])), _Span())
            span.reach(unit)
            span.values[_LINK_FEATURE] = unescaped(link[1])
            span.values.update({name: unescaped(listed[place].value) for name, listed in more if place < len(listed)})
    for (chain, _), span in spans.items():
        _mention(str(chain), span, layer, document, draft)


def _read_relations(
    rows: Rows, layer: Layer, identity: frozenset[str] | None, document: DocumentDraft, draft: Draft
) -> None:
    if not layer.base:
        draft.add_fault(
            layer.line, f"the relation layer {layer.name} does not say what it is between", "BT_ and a layer"
        )
        return
    base = next((each for each in rows.layers if each.kind == "span" and each.name == layer.base), None)
    spans, at = _spans(rows, base) if base else _tokens(rows)
    links = list(_links(rows, layer, spans, at, draft))
    sets = UnionFind(spans)
    others = []
    for link in links:
        same = link.type in identity if identity is not None else not _BRIDGE.search(link.type)
        if link.source == link.target:
            draft.add_notice("self-link", link.line, f"{link.type or 'a relation'} of a span to itself is left out")
        elif same:
            sets.join(link.source, link.target)
        else:
            others.append(link)
    related = {key for link in links for key in (link.source, link.target)}
    left = {key for key, span in spans.items() if key not in related and not (base and span.named)}
    if base and left:
        message = f"{len(left)} spans without a value for {base.features[0]!r}, and in no relation, are no mentions"
        draft.add_notice("left-out-span", min(spans[key].line for key in left), message, count=len(left))
    names: dict[Hashable, str] = {}
    for key, span in spans.items():
        if key not in left:
            name = names.setdefault(sets.find(key), str(len(names) + 1))
            _mention(name, span, base or layer, document, draft)
    _keep(others, spans, {key: names[sets.find(key)] for link in others for key in link[:2]}, document)


def _keep(
    links: list[_Link], spans: dict[Hashable, _Span], entity: dict[Hashable, str], document: DocumentDraft
) -> None:
    """Keep relations that do not make entities."""
    parts: dict[tuple[str, str], dict[str, None]] = {}
    for link in links:
        source = spans[link.source]
        if _SPLIT.match(link.type):
            parts.setdefault((entity[link.source], link.type), {})[entity[link.target]] = None
        else:
            kind = "bridge" if _BRIDGE.search(link.type) else link.type or "relation"
            document.add_relation(kind, (source.first, source.last), (entity[link.target],), link.type)
    for (name, label), targets in parts.items():
        document.add_relation("split", name, targets, label)


def _spans(rows: Rows, layer: Layer) -> tuple[dict[Hashable, _Span], dict[str, list[Hashable]]]:
    """The spans of a layer, by number, or by token where they have none; and those of every token."""
    spans: dict[Hashable, _Span] = {}
    at: dict[str, list[Hashable]] = {}
    columns = layer.columns()
    for unit in rows.units:
        here: list[Hashable] = []
        for column, feature in columns:
            for stacked, (value, number) in enumerate(values(unit.cells[column])):
                key: Hashable = number or (here[stacked] if stacked < len(here) else (unit.id, stacked))
                if key not in here:
                    here.append(key)
                    spans.setdefault(key, _Span()).reach(unit)
                spans[key].named |= column == layer.column
                spans[key].values[feature] = unescaped(value)
        if here:
            at[unit.id] = here
    return spans, at


def _tokens(rows: Rows) -> tuple[dict[Hashable, _Span], dict[str, list[Hashable]]]:
    """Every token as a span, for relations that are drawn between tokens."""
    spans: dict[Hashable, _Span] = {}
    for unit in rows.units:
        spans[unit.id] = _Span()
        spans[unit.id].reach(unit)
    return spans, {unit.id: [unit.id] for unit in rows.units}


def _links(
    rows: Rows, layer: Layer, spans: dict[Hashable, _Span], at: dict[str, list[Hashable]], draft: Draft
) -> Iterator[_Link]:
    column = layer.column + len(layer.features)
    for unit in rows.units:
        references = values(unit.cells[column], numbered=False)
        types = values(unit.cells[layer.column]) if layer.features else []
        for place, (written, _) in enumerate(references):
            found = _REFERENCE.fullmatch(written)
            if found is None:
                expected = "the token that it comes from, such as 4-2 or 4-2[7_3]"
                draft.add_fault(unit.line, f"{written!r} is not the end of a relation", expected)
                continue
            ends = [
                number if number in spans else None if number != "0" else next(iter(at.get(token, ())), None)
                for token, number in ((found[1], found[2] or "0"), (unit.id, found[3] or "0"))
            ]
            if None in ends:
                what = f"the relation {written} of token {unit.id} has an end without a span"
                draft.add_fault(
                    unit.line, what, f"spans of the layer {layer.base or 'of tokens'}", kind="dangling-reference"
                )
                continue
            yield _Link(ends[0], ends[1], unescaped(types[place].value) if place < len(types) else "", unit.line)


def _mention(entity: str, span: _Span, layer: Layer, document: DocumentDraft, draft: Draft) -> None:
    """Add a mention, and what is known of its entity."""
    given = {name: value for name, value in span.values.items() if name and value}
    attributes = {_attribute(name, layer): value for name, value in given.items()}
    document.add_mention(entity, (span.first, span.last), attributes=attributes)
    for name, features in _OF_ENTITIES.items():
        value = next((given[feature] for feature in features if feature in given), "")
        if value and name not in document.entities[entity]:
            document.describe_entity(entity, **{name: value})
    if span.part:
        draft.add_notice("sub-token", span.line, "a mention begins or ends within a token; it is given the whole token")
    if span.gap:
        draft.add_notice("gap", span.line, "a mention that leaves tokens out is read from its first to its last token")


def _attribute(feature: str, layer: Layer) -> str:
    """What an attribute is called: as the feature; GUM's `entity` is a type."""
    return "type" if feature == "entity" and "type" not in layer.features else feature
