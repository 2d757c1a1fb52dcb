"""What a layer of chains or relations says about the tokens: mentions, entities and relations between them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from corefeval._arrays import Booleans, Ints, number_by_first_occurrence, number_values
from corefeval._lazy import NamedTuple
from corefeval.corpus.union_find import find_first_members
from corefeval.formats.inception.spans import FeatureValues, TokenSpans, collect_values, find_spans
from corefeval.formats.inception.tokens import TokenTable, TsvLayer
from corefeval.formats.inception.values import SpanNumbers, StackedValues, read_values, unescape
from corefeval.formats.shared.columns import match_places
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import count_things

LINK_FEATURE = "referenceRelation"
_LINK = re.compile(r"(.*)(?<!\\)->([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
_REFERENCE = rb"[0-9]+-[0-9]+(?:\.[0-9]+)?(?:\[[0-9]+_[0-9]+\])?"
_BRIDGE = re.compile(r"bridg", re.IGNORECASE)
_SPLIT = re.compile(r"bridg\w*:aggr", re.IGNORECASE)
_COREFERENCE = re.compile(r"coref|anaphor", re.IGNORECASE)
_SYNTAX = re.compile(r"\.Dependency$")
_FARTHEST = 10**9  # numbers of chains and of places in them have nine digits
_OPEN, _CLOSE, _UNDERSCORE = b"[]_"


class EntityRelation(NamedTuple):
    """A relation beyond identity: its targets are entities, by number, its source is one, or a span if that is -1."""

    kind: str
    source: int
    entity: int
    targets: tuple[int, ...]
    label: str


class LayerContent(NamedTuple):
    """The mentions of a layer, in order: which of `spans` they are, and their entities, numbered by first mentions.

    names: those of the entities.
    features: the features of spans by name, which `layer` has.
    """

    layer: TsvLayer
    spans: TokenSpans
    mention: Ints
    entity: Ints
    names: list[str]
    features: Mapping[str, FeatureValues]
    relations: Sequence[EntityRelation] = ()


def choose_layer(layers: Sequence[TsvLayer], wanted: str, diagnostics: Diagnostics) -> TsvLayer | None:
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
        hint = "say which with --format inception:layer=NAME"
        diagnostics.add_fault(1, what, "a layer named so", hint, kind="layer")
        return None
    # INCEpTION leaves a layer out of the files of documents that have no annotation in it.
    there = f"; there are {names}" if names else ""
    message = f"no layer {wanted or 'of coreference'}{there}: no entities"
    diagnostics.add_notice("no-coreference-layer", None, message, layer=wanted)
    return None


def read_chains(layer: TsvLayer, tokens: TokenTable, diagnostics: Diagnostics) -> LayerContent | None:
    """Return the mentions of a chain layer; None, with a fault, if it cannot have any; also add other faults."""
    if LINK_FEATURE not in layer.features:
        what = f"the chain layer {layer.name} has no feature {LINK_FEATURE}"
        diagnostics.add_fault(layer.line, what, LINK_FEATURE)
        return None
    columns = [layer.column + place for place in range(len(layer.features))]
    values = read_values(tokens.lines, tokens.row, columns, SpanNumbers())
    of_link = layer.features.index(LINK_FEATURE)
    rows = np.flatnonzero(values.column == of_link)
    texts, number = values.find_distinct(rows)
    links = [_LINK.fullmatch(text) for text in texts]
    is_link = np.array([link is not None for link in links], dtype=np.bool_)[number]
    for row, text in zip(rows[~is_link].tolist(), number[~is_link].tolist(), strict=True):
        what, expected = f"{texts[text]!r} is not a link of a chain", "LABEL->CHAIN-PLACE such as coref->1-2"
        diagnostics.add_fault(tokens.get_line(values.token[row]), what, expected)
    rows, number = rows[is_link], number[is_link]
    parsed = [(len(link[1].encode()), int(link[2]), int(link[3])) if link else (0, 0, 0) for link in links]
    label_length, chain, place = np.array(parsed, dtype=np.int64).reshape(-1, 3)[number].T
    values.end[rows] = values.begin[rows] + label_length
    keys, span = number_by_first_occurrence(chain * _FARTHEST + place)
    # The link is the first value that a span gets, and others follow in the order of the columns.
    step = np.arange(len(rows)) * (len(columns) + 1)
    given = [(LINK_FEATURE, rows, step)] + [
        (name, values.find_rows(column, values.token[rows], values.stacked[rows]), step + column + 1)
        for column, name in enumerate(layer.features)
        if name != LINK_FEATURE
    ]
    features = {
        name: _merge_columns(values, [(row, rank) for other, row, rank in given if other == name], span, len(keys))
        for name, *_ in given
    }
    chains, entity = number_by_first_occurrence(keys // _FARTHEST)
    spans = find_spans(span, values.token[rows], tokens)
    return LayerContent(layer, spans, np.arange(len(keys)), entity, list(map(str, chains.tolist())), features)


def _merge_columns(
    values: StackedValues, columns: Sequence[tuple[Ints, Ints]], span: Ints, count: int
) -> FeatureValues:
    """Return the values of a feature that has one column or more, given as rows (-1 for none) and ranks, by link."""
    row, rank = (np.column_stack(each).reshape(-1) for each in zip(*columns, strict=True))
    there = row >= 0
    return collect_values(values, row[there], np.repeat(span, len(columns))[there], rank[there], count)


def read_relations(
    layer: TsvLayer,
    base: TsvLayer | None,
    identity: frozenset[str] | None,
    tokens: TokenTable,
    diagnostics: Diagnostics,
) -> LayerContent | None:
    """Return the mentions of a relation layer; None, with a fault, if it cannot have any; add faults and notices.

    base: the layer of the spans that it connects; None if it connects tokens.
    identity: the types that make entities, by default all but bridging.
    """
    if not layer.base:
        what = f"the relation layer {layer.name} does not say which layer it connects"
        diagnostics.add_fault(layer.line, what, "BT_ and a layer")
        return None
    collected = _collect_spans(base, tokens)
    links = _find_links(layer, collected, tokens, diagnostics)
    count = len(collected.spans.first)
    is_same = np.array([kind in identity if identity is not None else not _BRIDGE.search(kind) for kind in links.kinds])
    itself = links.source == links.target
    for link in np.flatnonzero(itself).tolist():
        message = f"{links.kinds[links.kind[link]] or 'a relation'} of a span to itself is left out"
        diagnostics.add_notice("self-link", tokens.get_line(links.token[link]), message)
    same = is_same[links.kind] & ~itself
    root = find_first_members(count, links.source[same], links.target[same])
    left = ~collected.is_named
    left[links.source] = left[links.target] = False
    if base and left.any():
        rest = f"without a value for {base.features[0]!r}, and in no relation,"
        size = int(left.sum())
        message = count_things(size, "span", f"{rest} is no mention", f"{rest} are not mentions")
        line = tokens.get_line(collected.spans.first[left].min())
        diagnostics.add_notice("left-out-span", line, message, count=size)
    mention = np.flatnonzero(~left)
    roots, entity = number_by_first_occurrence(root[mention])
    of_root = np.full(count, -1, dtype=np.int64)
    of_root[roots] = np.arange(len(roots))
    others = np.flatnonzero(~is_same[links.kind] & ~itself)
    relations = _make_relations(links, others, of_root[root])
    names = [str(number + 1) for number in range(len(roots))]
    return LayerContent(base or layer, collected.spans, mention, entity, names, collected.features, relations)


class _CollectedSpans(NamedTuple):
    """The spans of a layer in the order in which they begin.

    key: their numbers, as `SpanNumbers` has them; negative for spans without a number.
    is_named: whether they have a value for the first feature.
    first_span: for every token the first span that is on it; -1 for none.
    numbers: what turned numbers into keys.
    """

    spans: TokenSpans
    key: Ints
    is_named: Booleans
    first_span: Ints
    features: Mapping[str, FeatureValues]
    numbers: SpanNumbers


def _collect_spans(layer: TsvLayer | None, tokens: TokenTable) -> _CollectedSpans:
    """Return the spans of a layer; without one, every token is a span."""
    numbers = SpanNumbers()
    every = np.arange(len(tokens.row))
    if layer is None:
        return _CollectedSpans(find_spans(every, every, tokens), every - len(every), every < 0, every, {}, numbers)
    columns = layer.list_columns()
    values = read_values(tokens.lines, tokens.row, [column for column, _ in columns], numbers)
    key, span = number_by_first_occurrence(_find_keys(values))
    is_named = np.zeros(len(key), dtype=np.bool_)
    is_named[span[values.column == 0]] = True
    first_span = np.full(len(every), -1, dtype=np.int64)
    first_span[values.token[::-1]] = span[::-1]
    features = {}
    for name in dict.fromkeys(feature for _, feature in columns if feature):
        of_feature = np.array([feature == name for _, feature in columns])
        rows = np.flatnonzero(of_feature[values.column])
        features[name] = collect_values(values, rows, span[rows], rows, len(key))
    return _CollectedSpans(find_spans(span, values.token, tokens), key, is_named, first_span, features, numbers)


def _find_keys(values: StackedValues) -> Ints:
    """Return for each value what is the same for all values of a span: its number, or something negative.

    Without a number, a value is of the span that has the same place among those on its token, by columns before it.
    """
    width = int(values.stacked.max(initial=0)) + 1
    key = np.where(values.number >= 0, values.number, -1 - (values.token * width + values.stacked))
    is_numbered = values.number >= 0
    mixed = np.intersect1d(values.token[is_numbered], values.token[~is_numbered])
    if len(mixed):  # on other tokens, those without a number have the same keys in all columns
        rows = np.flatnonzero(np.isin(values.token, mixed))
        here: list[int] = []
        for before, row in zip((-1, *rows), rows, strict=False):
            if before < 0 or values.token[before] != values.token[row]:
                here = []
            if values.number[row] < 0 and values.stacked[row] < len(here):
                key[row] = here[values.stacked[row]]
            if key[row] not in here:
                here.append(key[row])
    return key


class _SpanLinks(NamedTuple):
    """The relations of a layer: which spans they connect, which of `kinds` is their type, and the token they are on."""

    source: Ints
    target: Ints
    kind: Ints
    token: Ints
    kinds: list[str]


def _find_links(
    layer: TsvLayer, collected: _CollectedSpans, tokens: TokenTable, diagnostics: Diagnostics
) -> _SpanLinks:
    """Return the layer's relations between the spans that were collected; add faults."""
    ends = read_values(tokens.lines, tokens.row, [layer.column + len(layer.features)], None)
    is_reference = match_places(_REFERENCE, ends.code, ends.begin, ends.end)
    numbered = is_reference & (ends.code[ends.end - 1] == _CLOSE)
    opening, middle = (_find_last(ends, letter, numbered) for letter in (_OPEN, _UNDERSCORE))
    source, target = np.zeros(len(ends.end), dtype=np.int64), np.zeros(len(ends.end), dtype=np.int64)
    source[numbered] = collected.numbers.parse(ends.code, opening + 1, middle)
    target[numbered] = collected.numbers.parse(ends.code, middle + 1, ends.end[numbered] - 1)
    starts, goals = _find_key_rows(collected.key, source), _find_key_rows(collected.key, target)
    goals = np.where((goals < 0) & (target == 0), collected.first_span[ends.token], goals)
    places: dict[str, int] = {}
    for row in np.flatnonzero(~is_reference | (starts < 0) | (goals < 0)).tolist():
        written = ends.code[ends.begin[row] : ends.end[row]].tobytes().decode()
        line = tokens.get_line(ends.token[row])
        if not is_reference[row]:
            expected = "the token that it comes from, such as 4-2 or 4-2[7_3]"
            diagnostics.add_fault(line, f"{written!r} is not the end of a relation", expected)
            continue
        if starts[row] < 0 and source[row] == 0:
            places = places or {name: token for token, name in enumerate(tokens.ids)}
            origin = places.get(written.partition("[")[0], -1)
            starts[row] = collected.first_span[origin] if origin >= 0 else -1
        if starts[row] < 0 or goals[row] < 0:
            what = f"the relation {written} of token {tokens.ids[ends.token[row]]} has an end without a span"
            expected = f"spans of the layer {layer.base}"
            diagnostics.add_fault(line, what, expected, kind="dangling-reference")
    there = np.flatnonzero(is_reference & (starts >= 0) & (goals >= 0))
    token = ends.token[there]
    kinds, kind = [""], np.zeros(len(there), dtype=np.int64)
    if layer.features:
        types = read_values(tokens.lines, tokens.row, [layer.column], collected.numbers)
        rows = types.find_rows(0, token, ends.stacked[there])
        written_types, number = types.find_distinct(rows[rows >= 0])
        kinds, of_type = number_values(["", *map(unescape, written_types)])
        kind[rows >= 0] = of_type[1:][number]
    return _SpanLinks(starts[there], goals[there], kind, token, kinds)


def _find_last(values: StackedValues, letter: int, rows: Booleans) -> Ints:
    """Return where the last of a letter is in each of these values, which all have it."""
    places = np.flatnonzero(values.code == letter)
    return places[np.searchsorted(places, values.end[rows]) - 1]


def _find_key_rows(keys: Ints, wanted: Ints) -> Ints:
    """Return which of the keys each wanted one is; -1 for none."""
    if len(keys) == 0:
        return np.full(len(wanted), -1, dtype=np.int64)
    order = np.argsort(keys)
    row = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    return np.where(keys[row] == wanted, row, -1)


def _make_relations(links: _SpanLinks, rows: Ints, entity: Ints) -> list[EntityRelation]:
    """Return some of the links as relations, split antecedents of an entity as one; entity: that of every span."""
    relations = []
    parts: dict[tuple[int, str], dict[int, None]] = {}
    columns = links.source[rows], entity[links.source[rows]], entity[links.target[rows]], links.kind[rows]
    for source, entity_of_source, target, kind in zip(*(column.tolist() for column in columns), strict=True):
        label = links.kinds[kind]
        if _SPLIT.match(label):
            parts.setdefault((entity_of_source, label), {})[target] = None
        else:
            name = "bridge" if _BRIDGE.search(label) else label or "relation"
            relations.append(EntityRelation(name, source, -1, (target,), label))
    return [
        *relations,
        *(EntityRelation("split", -1, plural, tuple(targets), label) for (plural, label), targets in parts.items()),
    ]
