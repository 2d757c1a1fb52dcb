"""Relations beyond identity, such as bridging and split antecedents, which follow mentions and entities through edits.

A file says a relation by spans and by names of entities; both change with edits. Here its ends are ids. An entity that
was merged into another one, or has gone, is found again by the mentions that it had.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from corefeval._lazy import NamedTuple
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.mentions import Pieces


class _InEntity(Protocol):
    """A mention: its runs, and the id of its entity."""

    @property
    def runs(self) -> Pieces: ...
    @property
    def entity(self) -> str: ...


class RelationEnd(NamedTuple):
    """One end of a relation: the id of a mention or an entity, or what the file calls it where it is neither.

    members: the mentions that an entity had at the start.
    """

    id: str = ""
    members: tuple[str, ...] = ()
    written: Hashable = None


class RelationState(NamedTuple):
    """A relation from a mention or entity to entities."""

    kind: str
    source: RelationEnd
    targets: tuple[RelationEnd, ...] = ()
    label: str = ""
    attributes: Mapping[str, str] = MappingProxyType({})


Known = TypeVar("Known", bound=_InEntity)


def bind_relations(
    relations: Iterable[Relation], mentions: Mapping[Hashable, str], entities: Mapping[str, tuple[str, tuple[str, ...]]]
) -> tuple[RelationState, ...]:
    """Return relations of one document with ids for ends.

    mentions: the id of each mention, as `Spans.objects` gives it. entities: the id and the mentions of each, by name.
    """

    def bind_entity(name: Hashable) -> RelationEnd:
        """Return the end that is an entity of this name; as written if there is none."""
        return RelationEnd(*entities[str(name)]) if str(name) in entities else RelationEnd(written=name)

    def bind_source(source: Hashable) -> RelationEnd:
        """Return the end that is this mention, or entity; as written if it is neither."""
        return RelationEnd(mentions[source]) if source in mentions else bind_entity(source)

    return tuple(
        RelationState(kind, bind_source(source), tuple(map(bind_entity, targets)), label, dict(attributes))
        for kind, _, source, targets, label, attributes in relations
    )


def write_relation(
    relation: RelationState,
    document: str,
    mentions: Mapping[str, Known],
    names: Mapping[str, str],
    identify: Callable[[Pieces], Hashable],
) -> Relation | None:
    """Return a relation as a corpus has it; None if a mention or an entity of it was edited away.

    names: what each entity is called. identify: the object that stands for a mention of these runs.
    """

    def write_end(end: RelationEnd) -> Hashable:
        """Return what an end is called now; None if it is gone."""
        if not end.id:
            return end.written
        if end.id in mentions:
            return identify(mentions[end.id].runs)
        if end.id in names:
            return names[end.id]
        heirs = Counter(mentions[key].entity for key in end.members if key in mentions)
        return names[heirs.most_common(1)[0][0]] if heirs else None

    source, *targets = map(write_end, (relation.source, *relation.targets))
    if source is None or None in targets:
        return None
    return Relation(relation.kind, document, source, tuple(map(str, targets)), relation.label, relation.attributes)


def dump_relation(relation: RelationState) -> dict[str, Any]:
    """Return a relation as plain objects for JSON, without what it does not have."""
    listed: dict[str, Any] = {"kind": relation.kind, "source": _dump_end(relation.source)}
    listed["targets"] = [_dump_end(end) for end in relation.targets]
    optional = {"label": relation.label, "attributes": dict(relation.attributes)}
    return listed | {name: value for name, value in optional.items() if value}


def load_relation(content: Mapping[str, Any]) -> RelationState:
    """Return the relation that `dump_relation` made plain objects of."""
    targets = tuple(map(_load_end, content["targets"]))
    return RelationState(
        content["kind"],
        _load_end(content["source"]),
        targets,
        content.get("label", ""),
        content.get("attributes", {}),
    )


def _dump_end(end: RelationEnd) -> dict[str, Any]:
    """Return an end as plain objects: its id and mentions, or what it is called."""
    if not end.id:
        return {"written": end.written}
    return {"id": end.id} | ({"members": list(end.members)} if end.members else {})


def _load_end(content: Mapping[str, Any]) -> RelationEnd:
    """Return the end that `_dump_end` made plain objects of."""
    return RelationEnd(content.get("id", ""), tuple(content.get("members", ())), _freeze(content.get("written")))


def _freeze(value: Any) -> Any:
    """Return a span of JSON as a tuple."""
    return tuple(map(_freeze, value)) if isinstance(value, list) else value
