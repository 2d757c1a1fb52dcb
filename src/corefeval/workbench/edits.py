"""Edits: pure functions from one side of a document, and what somebody asks for, to what changes.

An edit is what a person does, as plain objects of JSON: {"kind": "merge", "entities": ["e1", "e4"]}. What it changes is
a `Change`: what each touched mention and entity was before and is after it. Turned around, a change undoes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Any, TypeVar

from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Pieces
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import OptionError, check_choice
from corefeval.workbench.annotations import (
    Annotation,
    Content,
    EntityState,
    MentionState,
    Span,
    dump_entity,
    dump_mention,
    find_next,
    list_members,
    load_entity,
    load_mention,
)

Edit = Mapping[str, Any]
Kept = TypeVar("Kept", MentionState, EntityState)

LONGEST_NAME = 200
MOST_AT_ONCE = 20_000
"""Mentions, links or matches of one edit."""


class EditError(OptionError):
    """An edit that is malformed, or that is not possible on what is there."""


class EditConflictError(EditError):
    """An edit of something that has changed since; `ids` are the mentions and entities concerned."""

    def __init__(self, message: str, ids: Iterable[str]) -> None:
        super().__init__(message)
        self.ids = sorted(ids)


class Change(NamedTuple):
    """What an edit does to each mention and entity that it touches, by id: (before, after); None where it is not."""

    mentions: Mapping[str, tuple[MentionState | None, MentionState | None]] = MappingProxyType({})
    entities: Mapping[str, tuple[EntityState | None, EntityState | None]] = MappingProxyType({})

    def invert(self) -> Change:
        """Return the change that undoes this one."""
        return Change(
            {key: (after, before) for key, (before, after) in self.mentions.items()},
            {key: (after, before) for key, (before, after) in self.entities.items()},
        )

    def list_touched(self) -> set[str]:
        """Return the ids of all mentions and entities concerned: changed, left or entered."""
        states = (state for pair in self.mentions.values() for state in pair if state is not None)
        return {*self.mentions, *self.entities, *(state.entity for state in states)}


def apply_change(annotation: Annotation, change: Change) -> Annotation:
    """Return the annotation after a change; EditConflictError if it is not as the change expects it before."""
    if not change.mentions and not change.entities:
        return annotation
    mentions = _replace_states(annotation.mentions, change.mentions)
    entities = _replace_states(annotation.entities, change.entities)
    homeless = {key for key, (_, after) in change.mentions.items() if after and after.entity not in entities}
    gone = {key for key, (_, after) in change.entities.items() if after is None}
    if gone:
        homeless |= {key for key, mention in mentions.items() if mention.entity in gone}
    candidates = {before.entity for before, _ in change.mentions.values() if before} | set(change.entities)
    empty = candidates.intersection(entities)
    if empty:
        empty -= {mention.entity for mention in mentions.values()}
    if homeless or empty:
        raise EditConflictError("mentions have entered or left these entities since", homeless | empty)
    number = max(annotation.next, find_next((*change.mentions, *change.entities)))
    return annotation._replace(mentions=mentions, entities=entities, next=number)


def _replace_states(
    states: Mapping[str, Kept], change: Mapping[str, tuple[Kept | None, Kept | None]]
) -> dict[str, Kept]:
    """Return mentions or entities with those of a change replaced; EditConflictError if they are not as before."""
    differing = [key for key, (before, _) in change.items() if states.get(key) != before]
    if differing:
        raise EditConflictError("these have changed since", differing)
    made = dict(states)
    for key, (_, after) in change.items():
        if after is None:
            made.pop(key, None)
        else:
            made[key] = after
    return made


def plan_edit(content: Content, annotation: Annotation, edit: Edit) -> Change:
    """Return what an edit changes; EditError if it is malformed or not possible."""
    if not isinstance(edit, Mapping):
        raise EditError("an edit is an object with a kind")
    kind = edit.get("kind")
    try:
        check_choice("kind", kind, tuple(EDITS))
    except OptionError as error:
        raise EditError(str(error)) from None
    plan, fields = EDITS[str(kind)]
    unknown = set(edit) - {"kind", *fields}
    if unknown:
        raise EditError(f"{kind} has no {min(map(str, unknown))!r}; it takes {', '.join(fields)}")
    return plan(content, annotation, edit)


def finish_change(
    annotation: Annotation, mentions: Mapping[str, MentionState | None], entities: Mapping[str, EntityState]
) -> Change:
    """Return the change that gives these mentions and entities new states and removes entities that become empty."""
    changed = {
        key: (annotation.mentions.get(key), after)
        for key, after in mentions.items()
        if annotation.mentions.get(key) != after
    }
    left = {before.entity for before, _ in changed.values() if before}
    if left:
        staying = (mention.entity for key, mention in annotation.mentions.items() if key not in changed)
        entered = (after.entity for _, after in changed.values() if after)
        left = left.difference(staying, entered)
    of_entities: dict[str, tuple[EntityState | None, EntityState | None]] = {
        key: (annotation.entities[key], None) for key in annotation.entities if key in left
    }
    of_entities |= {
        key: (annotation.entities.get(key), after)
        for key, after in entities.items()
        if annotation.entities.get(key) != after and key not in left
    }
    return Change(changed, of_entities)


def make_entity(annotation: Annotation, number: int, taken: Iterable[str] = ()) -> tuple[str, EntityState]:
    """Return the id with this number, and an entity whose name is the first number that none has and none takes."""
    names = {entity.name for entity in annotation.entities.values()}.union(taken)
    return f"e{number}", EntityState(next(name for name in map(str, count(1)) if name not in names))


def _plan_make(content: Content, annotation: Annotation, edit: Edit) -> Change:
    """Mark a mention, in an entity that is there or in a new one."""
    runs = _read_runs(edit.get("runs"), content)
    _refuse_repeat(content, annotation, [runs])
    target, made, number = _choose_entity(annotation, edit.get("entity"))
    mention = MentionState(runs, target, *_read_parts(edit, runs))
    return finish_change(annotation, {f"m{number}": mention}, made)


def _plan_move(content: Content, annotation: Annotation, edit: Edit) -> Change:  # noqa: ARG001 - as all plans
    """Move mentions to an entity that is there (join), or to a new one (split off)."""
    chosen = _read_ids(edit.get("mentions"), annotation.mentions, "mention")
    if not chosen:
        raise EditError("mentions: none is given to move")
    target, made, _ = _choose_entity(annotation, edit.get("entity"))
    return finish_change(annotation, {key: annotation.mentions[key]._replace(entity=target) for key in chosen}, made)


def _plan_merge(content: Content, annotation: Annotation, edit: Edit) -> Change:  # noqa: ARG001
    """Merge entities into the first of them."""
    target, *others = _read_ids(edit.get("entities"), annotation.entities, "entity", least=2)
    moved = {
        key: mention._replace(entity=target) for key, mention in annotation.mentions.items() if mention.entity in others
    }
    return finish_change(annotation, moved, {})


def _plan_delete(content: Content, annotation: Annotation, edit: Edit) -> Change:  # noqa: ARG001
    """Delete mentions, and all mentions of entities."""
    entities = _read_ids(edit.get("entities", []), annotation.entities, "entity")
    chosen = _read_ids(edit.get("mentions", []), annotation.mentions, "mention")
    chosen += [key for entity in entities for key in list_members(annotation, entity)]
    if not chosen:
        raise EditError("mentions, entities: nothing is given to delete")
    return finish_change(annotation, dict.fromkeys(chosen), {})


def _plan_respan(content: Content, annotation: Annotation, edit: Edit) -> Change:
    """Give a mention other runs, or another head or minimum; parts that would lie outside of it are dropped."""
    (key,) = _read_ids([edit.get("mention")], annotation.mentions, "mention")
    before = annotation.mentions[key]
    runs = _read_runs(edit["runs"], content) if "runs" in edit else before.runs
    if runs != before.runs:
        _refuse_repeat(content, annotation, [runs])
    kept = {name: span for name, span in (("head", before.head), ("minimum", before.minimum)) if _is_within(span, runs)}
    head, minimum = _read_parts(kept | dict(edit), runs)
    return finish_change(annotation, {key: before._replace(runs=runs, head=head, minimum=minimum)}, {})


def _plan_rename(content: Content, annotation: Annotation, edit: Edit) -> Change:  # noqa: ARG001
    """Give an entity another name."""
    (key,) = _read_ids([edit.get("entity")], annotation.entities, "entity")
    name = edit.get("name")
    if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise EditError(f"name: expected printable text of 1 to {LONGEST_NAME} characters")
    if any(entity.name == name for other, entity in annotation.entities.items() if other != key):
        raise EditError(f"name: another entity of this document is named {name!r}")
    return finish_change(annotation, {}, {key: annotation.entities[key]._replace(name=name)})


def _plan_add_matches(content: Content, annotation: Annotation, edit: Edit) -> Change:
    """Mark all places where the words of a text occur, and put them, and those marked already, into one entity."""
    found = find_matches(content, edit.get("text"))
    if not found:
        raise EditError("text: it does not occur in this document")
    target, made, number = _choose_entity(annotation, edit.get("entity"))
    known = {mention.runs: key for key, mention in annotation.mentions.items()}
    states: dict[str, MentionState] = {}
    for runs in found:
        key = known.get(runs)
        if key is None:
            states[f"m{number}"] = MentionState(runs, target)
            number += 1
        else:
            states[key] = annotation.mentions[key]._replace(entity=target)
    return finish_change(annotation, states, made)


def _plan_link(content: Content, annotation: Annotation, edit: Edit) -> Change:  # noqa: ARG001
    """Draw links between mentions: whatever they connect, with all else in its entities, becomes one entity."""
    links = edit.get("links")
    if not isinstance(links, list) or not 0 < len(links) <= MOST_AT_ONCE:
        raise EditError("links: expected a list of pairs of mentions")
    sets = UnionFind(annotation.entities)
    for pair in links:
        one, other = _read_ids(pair, annotation.mentions, "mention", least=2, most=2)
        sets.join(annotation.mentions[one].entity, annotation.mentions[other].entity)
    moved = {
        key: mention._replace(entity=sets.find(mention.entity))
        for key, mention in annotation.mentions.items()
        if sets.find(mention.entity) != mention.entity
    }
    return finish_change(annotation, moved, {})


Plan = Callable[[Content, Annotation, Edit], Change]
EDITS: Mapping[str, tuple[Plan, tuple[str, ...]]] = {
    "make": (_plan_make, ("runs", "entity", "head", "minimum")),
    "move": (_plan_move, ("mentions", "entity")),
    "merge": (_plan_merge, ("entities",)),
    "delete": (_plan_delete, ("mentions", "entities")),
    "respan": (_plan_respan, ("mention", "runs", "head", "minimum")),
    "rename": (_plan_rename, ("entity", "name")),
    "add_matches": (_plan_add_matches, ("text", "entity")),
    "link": (_plan_link, ("links",)),
}
"""What can be asked for: how each kind of edit is planned, and its fields."""


def plan_replacement(annotation: Annotation, wanted: Sequence[Sequence[MentionState]]) -> Change:
    """Return the change to these entities; mentions of the same runs keep their ids, and entities that of most.

    wanted: for each entity its mentions, whose own field `entity` is not read.
    """
    known: dict[Pieces, list[str]] = {}
    for key, mention in annotation.mentions.items():
        known.setdefault(mention.runs, []).append(key)
    number = annotation.next
    states: dict[str, MentionState | None] = dict.fromkeys(annotation.mentions)
    entities: dict[str, EntityState] = {}
    free = set(annotation.entities)
    names: set[str] = set()
    for members in wanted:
        keys: list[str | None] = [known[each.runs].pop(0) if known.get(each.runs) else None for each in members]
        votes = [annotation.mentions[key].entity for key in keys if key is not None]
        votes = [vote for vote in votes if vote in free]
        if votes:
            target = max(dict.fromkeys(votes), key=votes.count)
            free.discard(target)
        else:
            target, entities[f"e{number}"] = make_entity(annotation, number, names)
            names.add(entities[target].name)
            number += 1
        for place, each in zip(keys, members, strict=True):
            if place is None:
                states[f"m{number}"] = each._replace(entity=target)
                number += 1
            else:
                states[place] = annotation.mentions[place]._replace(entity=target)
    return finish_change(annotation, states, entities)


def find_matches(content: Content, text: object) -> list[Pieces]:
    """Return the runs of all places, which do not overlap, where the words of a text occur, whatever their case."""
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_NAME:
        raise EditError(f"text: expected one word or more, of at most {LONGEST_NAME} characters")
    if content.words is None:
        whole, part = (content.text or "").lower(), text.strip().lower()
        return [((place, place + len(part) - 1),) for place in _find_all(whole, part)]
    wanted = [word.lower() for word in text.split()]
    words = [word.lower() for word in content.words]
    found: list[Pieces] = []
    place = 0
    while place + len(wanted) <= len(words):
        if words[place : place + len(wanted)] == wanted:
            found.append(((place, place + len(wanted) - 1),))
            place += len(wanted)
        else:
            place += 1
    return found


def _find_all(whole: str, part: str) -> Iterable[int]:
    """Yield where a text occurs in another one as whole words, without overlap."""
    place = whole.find(part)
    while place >= 0:
        around = whole[max(0, place - 1) : place], whole[place + len(part) : place + len(part) + 1]
        if not any(letter.isalnum() for letter in around):
            yield place
        place = whole.find(part, place + len(part))


def dump_change(change: Change) -> dict[str, Any]:
    """Return a change as plain objects for JSON: {"mentions": {id: [before, after]}, "entities": …}."""
    return {
        "mentions": {k: [each and dump_mention(each) for each in pair] for k, pair in change.mentions.items()},
        "entities": {k: [each and dump_entity(each) for each in pair] for k, pair in change.entities.items()},
    }


def load_change(content: Mapping[str, Any]) -> Change:
    """Return the change that `dump_change` made plain objects of."""
    return Change(
        {k: (b and load_mention(b), a and load_mention(a)) for k, (b, a) in content["mentions"].items()},
        {k: (b and load_entity(b), a and load_entity(a)) for k, (b, a) in content["entities"].items()},
    )


def _choose_entity(annotation: Annotation, asked: object) -> tuple[str, dict[str, EntityState], int]:
    """Return the entity asked for, or a new one if None; what is new of it; and the next free number for mentions."""
    if asked is not None:
        (key,) = _read_ids([asked], annotation.entities, "entity")
        return key, {}, annotation.next
    key, entity = make_entity(annotation, annotation.next)
    return key, {key: entity}, annotation.next + 1


def _read_ids(
    given: object, known: Mapping[str, object], what: str, *, least: int = 0, most: int = MOST_AT_ONCE
) -> list[str]:
    """Return a list of different known ids; EditError if it is none, too short or long; conflict if one is unknown."""
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise EditError(f"expected a list of {what} ids")
    ids = list(dict.fromkeys(given))
    if not least <= len(ids) <= most:
        raise EditError(f"expected {least} to {most} different {what} ids")
    missing = [each for each in ids if each not in known]
    if missing:
        raise EditConflictError(f"there is no such {what}: {missing[0][:20]}", missing)
    return ids


def _read_runs(given: object, content: Content) -> Pieces:
    """Return runs that lie within a document in order, neighbours made one; EditError if they do not."""
    if not isinstance(given, list) or not 0 < len(given) <= MOST_AT_ONCE:
        raise EditError("runs: expected a list of pairs [first, last]")
    runs: list[Span] = []
    for pair in given:
        first, last = _read_span(pair, "runs")
        if not first <= last < content.length:
            raise EditError(f"runs: [{first}, {last}] is not within the document")
        if runs and first <= runs[-1][1]:
            raise EditError("runs: expected in the order of the text, without overlap")
        if runs and first == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], last)
        else:
            runs.append((first, last))
    if content.labels is not None and (len(runs) > 1 or runs[0][0] != runs[0][1]):
        raise EditError("runs: the mentions of this document are labels, one each")
    return tuple(runs)


def _read_span(given: object, what: str) -> Span:
    """Return a pair of numbers from 0 on; EditError if it is none."""
    if not isinstance(given, list | tuple) or len(given) != 2 or not all(type(n) is int and n >= 0 for n in given):
        raise EditError(f"{what}: expected [first, last], counted from 0")
    return given[0], given[1]


def _read_parts(edit: Edit, runs: Pieces) -> tuple[Span | None, Span | None]:
    """Return head and minimum of an edit, None where it has none; EditError if they are not within one run."""
    parts: list[Span | None] = []
    for name in ("head", "minimum"):
        given = edit.get(name)
        span = None if given is None else _read_span(given, name)
        if span is not None and not _is_within(span, runs):
            raise EditError(f"{name}: it is not within the mention")
        parts.append(span)
    return parts[0], parts[1]


def _is_within(span: Span | None, runs: Pieces) -> bool:
    """Return whether a span lies within one run, its last not before its first; False for None."""
    return span is not None and any(first <= span[0] <= span[1] <= last for first, last in runs)


def _refuse_repeat(content: Content, annotation: Annotation, wanted: Sequence[Pieces]) -> None:
    """Raise an EditError if one of these runs is a mention already."""
    for key, mention in annotation.mentions.items():
        if mention.runs in wanted:
            raise EditConflictError(f"{content.write_runs(mention.runs)[:60]!r} is a mention already", [key])
