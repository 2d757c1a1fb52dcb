"""The mentions and entities of an .ann file: by links, by names, or each alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Pieces
from corefeval.corpus.union_find import find_first_members
from corefeval.formats.brat.annotations import BratAnnotations, BratLink
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.writing import avoid_names
from corefeval.notices import count_things

_NUMBERED_NAME = re.compile(r".+-[0-9]+")


class BratMention(NamedTuple):
    """The ids of the `T` lines of a mention, in their order, its labels that are not names, and its entities."""

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    entities: tuple[str, ...]


def find_mentions(
    annotations: BratAnnotations, links: Collection[BratLink], diagnostics: Diagnostics, *, only_links: bool
) -> list[BratMention]:
    """Return mentions with entities, by links or notes, else by labels that are names, else one each; add notices."""
    if links or annotations.names or only_links:
        return list(_group_by_links(annotations, links))
    spans: dict[Pieces, list[str]] = defaultdict(list)
    for name, text_bound in annotations.text_bounds.items():
        spans[text_bound.runs].append(name)
    labels = [[annotations.text_bounds[name].label for name in names] for names in spans.values()]
    entities = _find_numbered_names(labels)
    second = {label for listed in labels for label in listed if label != listed[0]}
    if not entities and second and second.isdisjoint(listed[0] for listed in labels):
        rest = (
            "that only comes second on a span is read as an entity name",
            "that only come second on a span are read as entity names",
        )
        message = count_things(len(second), "label", *rest)
        diagnostics.add_notice("names-by-order", None, message, names=sorted(second))
        entities = second
    if entities:
        return list(_group_by_names(annotations, spans.values(), entities, diagnostics))
    if annotations.text_bounds:
        others = sorted({relation.name for relation in annotations.relations})
        message = "no coreference found: each mention is an entity of its own"
        hint = f"; if one of these relations is coreference, use brat:relations=NAME: {', '.join(others)}"
        diagnostics.add_notice("no-coreference", None, message + (hint if others else ""), relations=others)
    return list(_group_by_links(annotations, ()))


def _group_by_links(annotations: BratAnnotations, links: Iterable[BratLink]) -> Iterator[BratMention]:
    """Yield every `T` as a mention of the entity that links make, named by a note or by the first id."""
    ids = list(annotations.text_bounds)
    place = {name: number for number, name in enumerate(ids)}
    linked: list[tuple[int, int]] = []
    for link in links:
        members = [place[member] for member in map(annotations.find_mention, link.members) if member]
        linked += [(member, members[0]) for member in members[1:]]
    one, other = np.array(linked, dtype=np.int64).reshape(-1, 2).T
    first = [ids[number] for number in find_first_members(len(ids), one, other).tolist()]
    noted: dict[str, str] = {}
    for remark in annotations.names:
        target = annotations.find_mention(remark.target)
        if target:
            noted.setdefault(remark.value, first[place[target]])
    names = {entity: name for name, entity in reversed(noted.items())}
    own = [name for name, entity in zip(ids, first, strict=True) if name == entity]
    names = avoid_names(own, names.values()) | names
    for entity, (name, text_bound) in zip(first, annotations.text_bounds.items(), strict=True):
        yield BratMention((name,), (text_bound.label,), (names[entity],))


def _find_numbered_names(spans: Collection[Sequence[str]]) -> set[str]:
    """Return labels that end in a number, if most spans with two labels have one with and one without; else none."""
    twice = [labels for labels in map(set, spans) if len(labels) > 1]
    names = {label for labels in spans for label in labels if _NUMBERED_NAME.fullmatch(label)}
    mixed = sum(1 for labels in twice if labels & names and labels - names)
    return names if 2 * mixed > len(twice) else set()


def _group_by_names(
    annotations: BratAnnotations, spans: Collection[Sequence[str]], names: Collection[str], diagnostics: Diagnostics
) -> Iterator[BratMention]:
    """Yield every span as a mention of the entities that its labels name; add notices."""
    labels = {id_: text_bound.label for id_, text_bound in annotations.text_bounds.items()}
    own = avoid_names((ids[0] for ids in spans if not any(labels[each] in names for each in ids)), names)
    for ids in spans:
        entities = tuple(dict.fromkeys(labels[each] for each in ids if labels[each] in names))
        types = [labels[each] for each in ids if labels[each] not in names]
        if len(types) > 1 or len(types) + len(entities) < len(ids):
            message = f"{', '.join(ids)} mark the same span and are read as one mention"
            diagnostics.add_notice("repeated-mention", annotations.text_bounds[ids[-1]].line, message)
        yield BratMention(tuple(ids), tuple(dict.fromkeys(types)), entities or (own[ids[0]],))
