"""WebAnno / INCEpTION TSV 3 with a coreference layer, as INCEpTION exports it and as GUM publishes it; read only.

    #FORMAT=WebAnno TSV 3.3
    #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

    #Text=He shot himself
    1-1	0-2	He	pr[1]	coref->1-1
    1-2	3-7	shot	_	_
    1-3	8-15	himself	pr[1]	*->1-2

One document per file. Entities are found in one of two ways. In a chain layer (`#T_CH`) `coref->1-2` is the second
mention of entity 1. In a relation layer (`#T_RL`, GUM) mentions are the spans of the layer that relations connect, and
relations make entities of them: `ana` in the column of types, followed by `4-2[7_3]`, says that span 7, which is on
token 4-2, and span 3, which is on the token of this line, are coreferent. All types count except those of bridging,
which are kept as relations of kind "bridge", or "split" for the split antecedents of GUM's `bridge:aggr`. A span in no
relation is an entity by itself.

`layer=NAME` chooses among several layers, `identity=ana+coref` names the types that make entities.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.union_find import UnionFind
from corefeval.formats.base import File
from corefeval.formats.draft import DocumentDraft, Draft
from corefeval.formats.shared import lines
from corefeval.notices import count_things

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
_ENTITY_FEATURES = {
    "type": ("entity", "entityType", "entity_type", "type", "value", "label"),
    "identity": ("identity",),
}
_HEADER = re.compile(r"#T_(SP|CH|RL)=(.*)")
_KIND = {"SP": "span", "CH": "chain", "RL": "relation"}
_TOKEN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9]{1,9})?")
_OFFSETS = re.compile(r"[0-9]+-[0-9]+")
_STACKED = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"(.*)(?<!\\)\[([0-9]+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|[\\\[\]|_;*tnfrb\x00-\x1f])")
_CONTROLS = {"t": "\t", "n": "\n", "f": "\f", "r": "\r", "b": "\b"}
_BASE, _SLOT = "BT_", "ROLE_"
_FIRST_CELLS = 3  # token, offsets, word


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is WebAnno TSV 3, by its first line; "" if it is not."""
    return "'#FORMAT=WebAnno TSV 3' found" if _FORMAT.match(beginning) else ""


def read(file: File, layer: str = "", identity: str = "") -> Corpus:
    """Return the corpus of the document of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    layers, tokens = _read_content(lines.decode_text(file.data, draft, "not-utf-8"), draft)
    whole = [token for token in tokens.values() if not token.is_part]
    document = draft.add_document(
        file.document,
        words=[token.cells[2] if token.cells[2] in ("_", "*") else _unescape(token.cells[2]) for token in whole],
        sentence=[int(token.id.partition("-")[0]) for token in whole],
        lines=[token.line for token in whole],
    )
    chosen = _choose_layer(layers, layer, draft)
    if chosen is not None:
        reader = _LayerReader(chosen, tokens, document, draft)
        if chosen.kind == "chain":
            reader.read_chains()
        else:
            base = next((each for each in layers if each.kind == "span" and each.name == chosen.base), None)
            reader.read_relations(base, frozenset(identity.split("+")) if identity else None)
    return draft.build_corpus()


class _TsvLayer(NamedTuple):
    """A layer: its features without the end of a relation, the column of the first, and the layer it relates."""

    kind: str
    name: str
    features: tuple[str, ...]
    base: str
    column: int
    line: int

    def list_columns(self) -> list[tuple[int, str]]:
        """Return (number, feature) of the columns of a layer, "" for none or a slot, whose second column is left out.

        A slot has two columns, what is in it and where that is; the second one numbers other spans than its own.
        """
        features = self.features or ("",)
        slots = [feature.startswith(_SLOT) for feature in features]
        return [
            (self.column + place, "" if slots[place] else feature)
            for place, feature in enumerate(features)
            if place == 0 or not slots[place - 1]
        ]


class _TokenLine(NamedTuple):
    """A token or a part of one: its number in the file, the word that it is (part of), and its cells."""

    id: str
    word: int
    is_part: bool
    cells: list[str]
    line: int


def _read_content(text: str, draft: Draft) -> tuple[list[_TsvLayer], dict[str, _TokenLine]]:
    """Return the layers and the tokens of a file, these by their numbers in it; add faults."""
    layers: list[_TsvLayer] = []
    tokens: dict[str, _TokenLine] = {}
    columns = _FIRST_CELLS
    first, *others = text.split("\n")
    if not first.startswith("#FORMAT=WebAnno TSV 3"):
        draft.add_fault(1, f"{first[:40]!r} is not the beginning of such a file", "#FORMAT=WebAnno TSV 3.3")
        return layers, tokens
    for number, line in enumerate(others, 2):
        header = _HEADER.fullmatch(line)
        if header and not tokens:
            name, *listed = header[2].split("|")
            features = [feature for feature in listed if feature]
            width = max(1, len(features))
            is_relation = header[1] == "RL" and features and features[-1].startswith(_BASE)
            base = features.pop().removeprefix(_BASE) if is_relation else ""
            layers.append(_TsvLayer(_KIND[header[1]], name, tuple(features), base, columns, number))
            columns += width
        elif header or line.startswith("#FORMAT="):
            hint = "one file per document"
            draft.add_fault(number, f"{line[:40]!r} after the first token", "it in the header of the file", hint)
        elif line.strip() and not line.startswith("#"):
            _read_token(line, number, columns, tokens, draft)
    if not tokens:
        draft.add_fault(len(others), "no token", "lines with SENTENCE-TOKEN, BEGIN-END and the token")
    return layers, tokens


def _read_token(line: str, number: int, columns: int, tokens: dict[str, _TokenLine], draft: Draft) -> None:
    """Add the token of a line to `tokens`, or a fault; columns: how many the header declares; also add notices."""
    cells = line.split("\t")
    name = cells[0]
    token = _TOKEN.fullmatch(name)
    last = next(reversed(tokens.values()), None)
    whole = name.partition(".")[0]
    if token is None or len(cells) < _FIRST_CELLS or not _OFFSETS.fullmatch(cells[1]):
        expected = "SENTENCE-TOKEN, BEGIN-END and the token, separated by tabs"
        draft.add_fault(number, f"{line[:40]!r} is not a line with a token", expected)
    elif len(cells) < columns:
        expected = f"{columns}, as the header says"
        draft.add_fault(number, count_things(len(cells), "column"), expected, "the line may be truncated")
    elif name in tokens:
        draft.add_fault(number, f"token {name} is given twice", "every token once", kind="token-twice")
    elif token[3] and (last is None or last.id.partition(".")[0] != whole):
        draft.add_fault(number, f"{name} does not follow its token", f"a line {whole} before it")
    else:
        if any(cell not in ("_", "") for cell in cells[columns:]):
            message = f"{count_things(len(cells) - columns, 'column')} that the header does not declare"
            draft.add_notice("extra-columns", number, message)
        word = (-1 if last is None else last.word) + (token[3] is None)
        tokens[name] = _TokenLine(name, word, token[3] is not None, cells, number)


def _split_values(cell: str, *, numbered: bool = True) -> list[tuple[str, str]]:
    """Return pairs of each value stacked in a cell and the number of its span, or ""; [] for an empty cell."""
    if cell in ("_", ""):
        return []
    matches = [(each, _NUMBERED.fullmatch(each) if numbered else None) for each in _STACKED.split(cell)]
    return [(match[1], match[2]) if match else (each, "") for each, match in matches]


def _unescape(value: str) -> str:
    """Return a value without its escapes; "" for * and _."""
    if value in ("*", "_"):
        return ""
    return _ESCAPED.sub(lambda found: _CONTROLS.get(found[1], found[1]), value) if "\\" in value else value


class _SpanLink(NamedTuple):
    """A relation: the spans that it connects, its type, and its line."""

    source: Hashable
    target: Hashable
    type: str
    line: int


class _GrowingSpan:
    """A mention in the making: it grows by every line that names it."""

    def __init__(self) -> None:
        self.first = self.last = self.line = -1
        self.has_part = self.has_gap = self.is_named = False
        self.values: dict[str, str] = {}

    def extend(self, token: _TokenLine) -> None:
        """Extend the span to a token or a part of one."""
        if self.first < 0:
            self.first, self.last, self.line = token.word, token.word, token.line
        self.has_part |= token.is_part
        self.has_gap |= token.word > self.last + 1
        self.last = token.word


def _choose_layer(layers: list[_TsvLayer], wanted: str, draft: Draft) -> _TsvLayer | None:
    """Return the layer of coreference, or the one wanted; None, with a fault or a notice, if there is none."""
    possible = [each for each in layers if each.kind != "span"]
    names = ", ".join(each.name for each in possible)
    if wanted:
        found = [each for each in possible if wanted in (each.name, each.name.rpartition(".")[2])]
    else:
        chains = [each for each in possible if each.kind == "chain"]
        found = chains or [each for each in possible if _COREFERENCE.search(each.name)]
        if len(found) > 1:
            found = [each for each in found if _COREFERENCE.search(each.name)] or found
    if len(found) == 1:
        return found[0]
    if found or (not wanted and any(not _SYNTAX.search(each.name) for each in possible)):
        what = f"not clear which layer is coreference: {names}"
        draft.add_fault(1, what, "a layer named so", "say which with --format inception:layer=NAME", kind="layer")
        return None
    # INCEpTION leaves a layer out of the files of documents that have no annotation in it.
    there = f"; there are {names}" if names else ""
    message = f"no layer {wanted or 'of coreference'}{there}: no entities"
    draft.add_notice("no-coreference-layer", None, message, layer=wanted)
    return None


class _LayerReader:
    """Adds what a layer of chains or relations says about the tokens to a document."""

    def __init__(self, layer: _TsvLayer, tokens: dict[str, _TokenLine], document: DocumentDraft, draft: Draft) -> None:
        self.layer, self.tokens, self.document, self.draft = layer, tokens.values(), document, draft

    def read_chains(self) -> None:
        """Add the entities and mentions of a chain layer to the document; also add faults and notices."""
        layer = self.layer
        if _LINK_FEATURE not in layer.features:
            what = f"the chain layer {layer.name} has no feature {_LINK_FEATURE}"
            self.draft.add_fault(layer.line, what, _LINK_FEATURE)
            return
        column = layer.column + layer.features.index(_LINK_FEATURE)
        features = [(name, layer.column + k) for k, name in enumerate(layer.features) if name != _LINK_FEATURE]
        spans: dict[tuple[int, int], _GrowingSpan] = defaultdict(_GrowingSpan)
        for token in self.tokens:
            more = [(name, _split_values(token.cells[place])) for name, place in features]
            for place, (written, _) in enumerate(_split_values(token.cells[column])):
                link = _LINK.fullmatch(written)
                if link is None:
                    what, expected = f"{written!r} is not a link of a chain", "LABEL->CHAIN-PLACE such as coref->1-2"
                    self.draft.add_fault(token.line, what, expected)
                    continue
                span = spans[int(link[2]), int(link[3])]
                span.extend(token)
                span.values[_LINK_FEATURE] = _unescape(link[1])
                span.values.update({name: _unescape(listed[place][0]) for name, listed in more if place < len(listed)})
        for (chain, _), span in spans.items():
            self._add_mention(str(chain), span, layer)

    def read_relations(self, base: _TsvLayer | None, identity: frozenset[str] | None) -> None:
        """Add the entities, mentions and relations of a relation layer to the document; also add faults and notices.

        base: the layer of the spans that it connects; None if it connects tokens.
        identity: the types that make entities, by default all but bridging.
        """
        if not self.layer.base:
            what = f"the relation layer {self.layer.name} does not say which layer it connects"
            self.draft.add_fault(self.layer.line, what, "BT_ and a layer")
            return
        spans, at = self._collect_spans(base)
        links = list(self._find_links(spans, at))
        sets = UnionFind(spans)
        others = []
        for link in links:
            same = link.type in identity if identity is not None else not _BRIDGE.search(link.type)
            if link.source == link.target:
                message = f"{link.type or 'a relation'} of a span to itself is left out"
                self.draft.add_notice("self-link", link.line, message)
            elif same:
                sets.join(link.source, link.target)
            else:
                others.append(link)
        related = {key for link in links for key in (link.source, link.target)}
        left = {key for key, span in spans.items() if key not in related and not (base and span.is_named)}
        if base and left:
            rest = f"without a value for {base.features[0]!r}, and in no relation,"
            message = count_things(len(left), "span", f"{rest} is no mention", f"{rest} are not mentions")
            self.draft.add_notice("left-out-span", min(spans[key].line for key in left), message, count=len(left))
        names: dict[Hashable, str] = {}
        for key, span in spans.items():
            if key not in left:
                name = names.setdefault(sets.find(key), str(len(names) + 1))
                self._add_mention(name, span, base or self.layer)
        parts: dict[tuple[str, str], dict[str, None]] = {}
        for link in others:
            source, target = (names[sets.find(key)] for key in (link.source, link.target))
            if _SPLIT.match(link.type):
                parts.setdefault((source, link.type), {})[target] = None
            else:
                kind = "bridge" if _BRIDGE.search(link.type) else link.type or "relation"
                span = spans[link.source]
                self.document.add_relation(kind, (span.first, span.last), (target,), link.type)
        for (name, label), targets in parts.items():
            self.document.add_relation("split", name, targets, label)

    def _collect_spans(self, layer: _TsvLayer | None) -> tuple[dict[Hashable, _GrowingSpan], dict[str, list[Hashable]]]:
        """Return a layer's spans by number, or by token if they have none; and for every token the keys of its spans.

        Without a layer, every token is a span.
        """
        spans: dict[Hashable, _GrowingSpan] = defaultdict(_GrowingSpan)
        at: dict[str, list[Hashable]] = {}
        for token in self.tokens:
            here = at[token.id] = []
            if layer is None:
                here.append(token.id)
                spans[token.id].extend(token)
            for column, feature in layer.list_columns() if layer else ():
                for stacked, (value, number) in enumerate(_split_values(token.cells[column])):
                    key: Hashable = number or (here[stacked] if stacked < len(here) else (token.id, stacked))
                    if key not in here:
                        here.append(key)
                        spans[key].extend(token)
                    spans[key].is_named |= layer is not None and column == layer.column
                    spans[key].values[feature] = _unescape(value)
        return dict(spans), at

    def _find_links(self, spans: dict[Hashable, _GrowingSpan], at: dict[str, list[Hashable]]) -> Iterator[_SpanLink]:
        """Yield the layer's relations; spans: by number or token; at: the spans of every token; add faults."""
        layer = self.layer
        for token in self.tokens:
            references = _split_values(token.cells[layer.column + len(layer.features)], numbered=False)
            types = _split_values(token.cells[layer.column]) if layer.features else []
            for place, (written, _) in enumerate(references):
                found = _REFERENCE.fullmatch(written)
                if found is None:
                    expected = "the token that it comes from, such as 4-2 or 4-2[7_3]"
                    self.draft.add_fault(token.line, f"{written!r} is not the end of a relation", expected)
                    continue
                ends = [
                    number if number in spans else None if number != "0" else next(iter(at.get(token_id, ())), None)
                    for token_id, number in ((found[1], found[2] or "0"), (token.id, found[3] or "0"))
                ]
                if None in ends:
                    what = f"the relation {written} of token {token.id} has an end without a span"
                    expected = f"spans of the layer {layer.base}"
                    self.draft.add_fault(token.line, what, expected, kind="dangling-reference")
                    continue
                yield _SpanLink(ends[0], ends[1], _unescape(types[place][0]) if place < len(types) else "", token.line)

    def _add_mention(self, entity: str, span: _GrowingSpan, layer: _TsvLayer) -> None:
        """Add a span to the document as a mention of an entity, its features as attributes of both; add notices."""
        given = {name: value for name, value in span.values.items() if name and value}
        # The attribute of a feature has its name, but GUM's `entity` is a type.
        is_gum = "entity" in given and "type" not in layer.features
        attributes = {"type" if is_gum and name == "entity" else name: value for name, value in given.items()}
        self.document.add_mention(entity, (span.first, span.last), attributes=attributes)
        for name, features in _ENTITY_FEATURES.items():
            value = next((given[feature] for feature in features if feature in given), "")
            if value and name not in self.document.entities[entity]:
                self.document.describe_entity(entity, **{name: value})
        if span.has_part:
            message = "a mention begins or ends within a token; it gets the whole token"
            self.draft.add_notice("sub-token", span.line, message)
        if span.has_gap:
            message = "a mention that leaves tokens out is read from its first to its last token"
            self.draft.add_notice("gap", span.line, message)
