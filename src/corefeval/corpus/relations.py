"""Relations between mentions beyond identity; bridging: which mention each bridging anaphor is anchored to.

CoNLL-UA names the anchor (MentionAnchor). Where a file names an entity only, as CorefUD does, the anchor is the last
mention of that entity that begins before the anaphor, or its first mention, if none does.
"""

from __future__ import annotations

from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from corefeval.corpus.mentions import Carried

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from corefeval.corpus.corpus import Corpus

BRIDGE = "bridge"
_NAME, _ANCHOR = "MarkableID", "MentionAnchor"
_NON_REFERRING, _WHOLE = "non_referring", "with singletons"


class Relation(NamedTuple):
    """What a file says beyond identity, kept for those who want it: bridging, split antecedents.

    `source` is a mention as `Spans.objects` gives it, or the name of an entity; `targets` are names of entities.
    """

    kind: str
    document: str
    source: Hashable
    targets: tuple[str, ...]
    label: str = ""
    attributes: Mapping[str, str] = MappingProxyType({})


class Bridges(NamedTuple):
    """For every document, the anchor of each anaphor, both as `Spans.objects` gives mentions."""

    anchors: tuple[dict[Hashable, Hashable], ...]

    @classmethod
    def of(cls, corpus: Corpus) -> Bridges:
        """All bridges of a corpus. Of several anchors of an anaphor the last one counts."""
        anchors: tuple[dict[Hashable, Hashable], ...] = tuple({} for _ in corpus.documents)
        if any(relation.kind == BRIDGE for relation in corpus.relations):
            _fill_anchors(anchors, corpus)
        return cls(anchors)


def keep_bridged_mentions(whole: Corpus, left: Corpus) -> Corpus:
    """What is left of a corpus, with all of its mentions in a layer if some are anaphors or anchors: they still are."""
    if not any(relation.kind == BRIDGE for relation in whole.relations):
        return left
    return left.replace(layers={**left.layers, _WHOLE: whole.replace(relations=(), layers={})})


def _fill_anchors(anchors: tuple[dict[Hashable, Hashable], ...], corpus: Corpus) -> None:
    place = {name: number for number, name in enumerate(corpus.documents)}
    mentions = _NamedMentions(corpus)
    for relation in corpus.relations:
        if relation.kind == BRIDGE and relation.document in place:
            document = place[relation.document]
            anaphor = mentions.anaphor(document, relation)
            anchor = None if anaphor is None else mentions.anchor(document, relation, anaphor)
            if anchor is not None:
                anchors[document][anaphor] = anchor


class _NamedMentions:
    """The mentions of a corpus by what relations call them; non-referring ones are among them."""

    def __init__(self, corpus: Corpus) -> None:
        self.by_name: dict[tuple[int, str], Hashable] = {}
        self.by_entity: dict[tuple[int, str], list[Hashable]] = defaultdict(list)
        self.by_own: dict[tuple[int, Hashable], Hashable] = {}
        for part in (*(corpus.layers[name] for name in (_NON_REFERRING, _WHOLE) if name in corpus.layers), corpus):
            own = part.mentions.own if isinstance(part.mentions, Carried) else part.mentions
            names = part.attributes.get(_NAME) or [""] * len(part)
            entities = [str(part.entity_name[number]) for number in part.entity.tolist()]
            rows = zip(part.document.tolist(), part.mentions.objects(), own.objects(), names, entities, strict=True)
            for document, mention, there, name, entity in rows:
                self.by_own[document, there] = mention
                self.by_entity[document, entity].append(mention)
                if name:
                    self.by_name[document, name] = mention

    def anaphor(self, document: int, relation: Relation) -> Hashable | None:
        """The mention that bridges; an entity stands for its first mention."""
        name = relation.attributes.get(_NAME)
        if name:
            return self.by_name.get((document, name))
        if (document, relation.source) in self.by_own:
            return self.by_own[document, relation.source]
        return next(iter(self.by_entity.get((document, str(relation.source)), ())), None)

    def anchor(self, document: int, relation: Relation, anaphor: Hashable) -> Hashable | None:
        """The mention that it bridges to."""
        name = relation.attributes.get(_ANCHOR)
        if name:
            return self.by_name.get((document, name))
        mentions = [mention for target in relation.targets for mention in self.by_entity.get((document, target), ())]
        before = [mention for mention in mentions if _get_begin(mention) < _get_begin(anaphor)]
        return max(before, key=_get_begin) if before else min(mentions, key=_get_begin, default=None)


def _get_begin(mention: Hashable) -> tuple[int, ...]:
    """Something by which mentions are in the order of the text."""
    if not isinstance(mention, tuple) or not mention:
        return ()
    first = mention[0] if isinstance(mention[0], tuple) else mention
    return first if all(isinstance(place, int) for place in first) else ()
