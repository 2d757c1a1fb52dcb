"""What a corpus has beyond identity: layers, such as discourse deixis, and relations, such as bridging.

A layer is a corpus of the same words that can be scored instead. A bridging anaphor is anchored to a mention: CoNLL-UA
names it (MentionAnchor). Where a file names an entity only, as CorefUD does, the anchor is the last mention of that
entity that begins before the anaphor, or its first mention, if none does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import parse_runs
from corefeval.errors import OptionError
from corefeval.notices import Notice

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

    Two = tuple[Corpus, Corpus]

BRIDGE = "bridge"
NON_REFERRING = "non_referring"
_PSEUDO = "-Pseudo"  # the end of non-referring entities' names in CoNLL-UA
_WHOLE = "with singletons"
_NAME, _ANCHOR = "MarkableID", "MentionAnchor"


def select_layers(key: Corpus, response: Corpus, layer: str, *, may_be_empty: bool) -> tuple[Two, tuple[Notice, ...]]:
    """Return ((key's layer, response's layer), notices of sides without it); OptionError as of `check_layers`."""
    names = key.source, response.source
    notices = check_layers(layer, key.layers, response.layers, names, may_be_empty=may_be_empty)
    return (select_layer(key, layer), select_layer(response, layer)), notices


def check_layers(
    layer: str,
    key: Iterable[str],
    response: Iterable[str],
    names: tuple[str, str] = ("", ""),
    *,
    may_be_empty: bool,
) -> tuple[Notice, ...]:
    """Return a notice for each side without a layer; raise an OptionError if both lack it, unless `may_be_empty`.

    may_be_empty: whether the layer is known, so that both sides may lack it; else that is an OptionError.
    """
    sides = ("key", names[0], tuple(key)), ("response", names[1], tuple(response))
    found = [(side, name) for side, name, known in sides if layer not in known]
    if len(found) == len(sides) and not may_be_empty:
        known = list(dict.fromkeys(name for *_, known in sides for name in known))
        has = f"they have {', '.join(known)}" if known else "they have none"
        raise OptionError(f"neither key nor response has a layer {layer!r} besides identity; {has}")
    what = f"nothing is marked in the layer {layer!r}; it counts as empty"
    return tuple(
        Notice.at("empty-layer", name or side, None, what, {"side": side, "layer": layer}) for side, name in found
    )


def select_layer(corpus: Corpus, layer: str) -> Corpus:
    """Return a layer (empty if lacking) with the corpus's notices; its non-referring entities go to a layer of it."""
    found = corpus.layers[layer] if layer in corpus.layers else corpus.without_mentions()
    found = found.replace(notices=corpus.notices, files=corpus.files, format=corpus.format)
    return found if layer == NON_REFERRING else _set_non_referring_apart(found)


def _set_non_referring_apart(corpus: Corpus) -> Corpus:
    """Return the corpus with entities named "…-Pseudo", if there are any, moved to its layer of non-referring ones."""
    refers = np.array([not str(name).endswith(_PSEUDO) for name in corpus.entity_name], dtype=np.bool_)
    if refers.all():
        return corpus
    others = corpus.keep(~refers[corpus.entity]).replace(relations=())
    return corpus.keep(refers[corpus.entity]).replace(layers={**corpus.layers, NON_REFERRING: others})


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


def keep_bridged_mentions(whole: Corpus, left: Corpus) -> Corpus:
    """Return `left`, a reduced form of `whole`, with `whole` added as a layer if that has bridging; else as it is."""
    if not any(relation.kind == BRIDGE for relation in whole.relations):
        return left
    return left.replace(layers={**left.layers, _WHOLE: whole.replace(relations=(), layers={})})


def find_anchors(corpus: Corpus) -> tuple[dict[Hashable, Hashable], ...]:
    """Return a dict {anaphor: anchor} of each document's bridges; those whose mentions are not found are left out.

    Mentions are as `Spans.objects` gives them. Of several anchors of an anaphor the last one counts.
    """
    anchors: tuple[dict[Hashable, Hashable], ...] = tuple({} for _ in corpus.documents)
    place = {name: number for number, name in enumerate(corpus.documents)}
    bridges = [relation for relation in corpus.relations if relation.kind == BRIDGE and relation.document in place]
    if not bridges:
        return anchors
    mentions = _NamedMentions(corpus)
    for relation in bridges:
        document = place[relation.document]
        anaphor = mentions.find_anaphor(document, relation)
        anchor = None if anaphor is None else mentions.find_anchor(document, relation, anaphor)
        if anchor is not None:
            anchors[document][anaphor] = anchor
    return anchors


class _NamedMentions:
    """The mentions of a corpus by what relations call them; non-referring ones are among them."""

    def __init__(self, corpus: Corpus) -> None:
        self.by_name: dict[tuple[int, str], Hashable] = {}
        self.by_entity: dict[tuple[int, str], list[Hashable]] = defaultdict(list)
        self.by_own: dict[tuple[int, Hashable], Hashable] = {}
        for part in (*(corpus.layers[name] for name in (NON_REFERRING, _WHOLE) if name in corpus.layers), corpus):
            names = part.attributes.get(_NAME) or [""] * len(part)
            entities = [str(part.entity_name[number]) for number in part.entity.tolist()]
            columns = part.document.tolist(), part.mentions.objects(), part.mentions.own.objects(), names, entities
            for document, mention, there, name, entity in zip(*columns, strict=True):
                self.by_own[document, there] = mention
                self.by_entity[document, entity].append(mention)
                if name:
                    self.by_name[document, name] = mention

    def find_anaphor(self, document: int, relation: Relation) -> Hashable | None:
        """Return the mention (span or label) that is a relation's anaphor, an entity's first one; None if not found."""
        name = relation.attributes.get(_NAME)
        if name:
            return self.by_name.get((document, name))
        if (document, relation.source) in self.by_own:
            return self.by_own[document, relation.source]
        return next(iter(self.by_entity.get((document, str(relation.source)), ())), None)

    def find_anchor(self, document: int, relation: Relation, anaphor: Hashable) -> Hashable | None:
        """Return the mention named as anchor, else the targets' last before the anaphor, else their first; or None."""
        name = relation.attributes.get(_ANCHOR)
        if name:
            return self.by_name.get((document, name))
        mentions = [mention for target in relation.targets for mention in self.by_entity.get((document, target), ())]
        before = [mention for mention in mentions if _get_first_run(mention) < _get_first_run(anaphor)]
        return max(before, key=_get_first_run) if before else min(mentions, key=_get_first_run, default=None)


def _get_first_run(mention: Hashable) -> tuple[int, ...]:
    """Return (first, last) of a mention's first run, as a sort key for the order of the text; () for a label."""
    runs = parse_runs(mention)
    return runs[0] if runs else ()
