"""The seven types of errors of Kummerfeld & Klein (2013), and what corrects each.

Corrections come in five steps: give mentions their right spans; split response entities into parts of one key entity
each; remove what the key has not; merge the parts of each key entity; introduce what the response has not. Errors are
counted as in the authors' analyser (github.com/jkkummerfeld/berkeley-coreference-analyser). Of the parts of an entity
one stays what it is: that of the entity's earliest mention which is no pronoun, or of its earliest mention where all
are pronouns. Every other part is an error. Zeros count as pronouns.

Where the analyser is silent: an entity of one mention that the other side has not is an extra or a missing entity. If
the mention whose part stays is itself extra, the parts are conflated with it, and it is removed with the first of them;
if it is missing, the parts are divided from it, and it is introduced with the first of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.errors import spans as span_errors
from corefeval.analysis.items import Items, items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.overlap.cells import Rows

RULES = {
    "span error": "a response mention is a key mention but for its bounds",
    "conflated entities": "part of a response entity is of another key entity than its earliest mention (no pronoun)",
    "extra mention": "a mention that the key has not is in a response entity with mentions that it has",
    "extra entity": "the key has no mention of a response entity, or pronouns only",
    "divided entity": "part of a key entity is in another response entity than its earliest mention (no pronoun)",
    "missing mention": "a key mention is not in the response, but others of its entity are",
    "missing entity": "the response has no mention of a key entity, or pronouns only",
}
"""The types, in the order in which errors are corrected, and when there is an error of that type."""

TYPES = tuple(RULES)
_SPAN, _CONFLATED, _EXTRA, _EXTRA_ENTITY, _DIVIDED, _MISSING, _MISSING_ENTITY = range(len(TYPES))
_GONE = -1


class Error(NamedTuple):
    """One error: its type, its place, and the mentions in question.

    words: the mentions in question as text (or labels), in the order of the text.
    beside: the mention with which they are (conflated, extra) or should be (divided, missing); for a span error the key
    mention; "" for entities.
    key_rows, response_rows: the mentions in question as rows of `evaluation.table.rows.key` and `.response`.
    key_entity, response_entity: their entities, as numbers in these corpora; None where there is none, or several.
    line: of the first mention; in the key's file if the key has it, else in the response's.
    """

    type: str
    document: str
    line: int | None
    words: tuple[str, ...]
    beside: str
    key_rows: tuple[int, ...]
    response_rows: tuple[int, ...]
    key_entity: int | None
    response_entity: int | None


class Found(NamedTuple):
    """The errors, and how they are corrected: change c of type `change_type[c]` puts an item into another entity.

    `items` are the mentions, span errors corrected. `labels` numbers entities of the response as it goes: at first
    those that it has; -1 is none.
    """

    errors: tuple[Error, ...]
    items: Items
    change_type: Ints
    change_item: Ints
    change_label: Ints

    def labels(self, corrected: int) -> Ints:
        """The response entity of every item once the errors of the first `corrected` types are corrected."""
        found = self.items.response_entity.copy()
        chosen = self.change_type < corrected
        found[self.change_item[chosen]] = self.change_label[chosen]
        return found


def found(rows: Rows) -> Found:
    """All errors, by type and document."""
    spans = span_errors.found(rows)
    listed = items(rows, *spans)
    changes = _Changes(listed)
    errors = [_span_error(rows, *pair) for pair in zip(spans.key.tolist(), spans.response.tolist(), strict=True)]
    for entity in _entities(listed.response_entity, listed.key_entity, listed):
        errors += changes.of_response(entity)
    for entity in _entities(listed.key_entity, listed.response_entity, listed):
        errors += changes.of_key(entity)
    errors.sort(key=_in_order(listed))
    kinds, changed, labels = np.array(changes.made, dtype=np.int64).reshape(-1, 3).T
    # A mention that is moved twice ends where the later type puts it.
    order = np.argsort(kinds, kind="stable")
    return Found(tuple(errors), listed, kinds[order], changed[order], labels[order])


def _in_order(listed: Items) -> Callable[[Error], tuple[int, int]]:
    """By type, then by the place of the first mention in the text."""
    extra = np.flatnonzero(listed.key_row < 0)
    item = dict(zip(listed.response_row[extra].tolist(), extra.tolist(), strict=True))
    rank = listed.rank.tolist()
    return lambda error: (
        TYPES.index(error.type),
        rank[error.key_rows[0] if error.key_rows else item[error.response_rows[0]]],
    )


def counts(errors: Sequence[Error]) -> dict[str, int]:
    """How many errors there are of each type."""
    return {kind: sum(error.type == kind for error in errors) for kind in TYPES}


class _Entity(NamedTuple):
    """An entity of one side: its items in the order of the text, in parts by the entity of the other side."""

    number: int
    anchor: int
    parts: dict[int, list[int]]  # by entity of the other side
    alone: list[int]  # items that the other side has not
    all_light: bool  # whether those that the other side has are pronouns


def _entities(own: Ints, other: Ints, listed: Items) -> Iterator[_Entity]:
    """The entities of one side that are not exactly those of the other."""
    chosen = np.flatnonzero(own >= 0)
    order = chosen[np.lexsort((listed.rank[chosen], own[chosen]))]
    starts = np.flatnonzero(np.diff(own[order], prepend=-1))
    # An entity whose items are all in one part has no errors of its own; most have not, so they are told apart first.
    low, high = (f.reduceat(other[order], starts) if len(starts) else starts for f in (np.minimum, np.maximum))
    for place in np.flatnonzero((low != high) | (low < 0)).tolist():
        members = order[starts[place] : starts[place + 1] if place + 1 < len(starts) else None]
        parts: dict[int, list[int]] = {}
        for item, there in zip(members.tolist(), other[members].tolist(), strict=True):
            parts.setdefault(there, []).append(item)
        heavy = members[~listed.light[members]]
        alone = parts.pop(_GONE, [])
        yield _Entity(
            int(own[members[0]]),
            int(heavy[0] if len(heavy) else members[0]),
            parts,
            alone,
            all_light=bool(listed.light[[item for part in parts.values() for item in part]].all()),
        )


class _Changes:
    """Errors and what corrects them, entity by entity; the response's entities first."""

    def __init__(self, listed: Items) -> None:
        self.items = listed
        self.made: list[tuple[int, int, int]] = []
        self._label = int(listed.response_entity.max(initial=-1)) + 1
        self._labels: dict[int, int] = {}  # of items that have been split off

    def of_response(self, entity: _Entity) -> Iterator[Error]:
        """What is not the key's, and what is of another key entity."""
        removed = entity.alone
        if removed and (not entity.parts or (entity.all_light and len(removed) > 1)):
            self._change(_EXTRA_ENTITY, removed, _GONE)
            yield self._error(_EXTRA_ENTITY, removed, None)
            removed = []
        for item in removed:
            if item != entity.anchor:
                self._change(_EXTRA, [item], _GONE)
                yield self._error(_EXTRA, [item], entity.anchor)
        tacit = [entity.anchor] if entity.anchor in removed else []
        for part in entity.parts.values():
            if entity.anchor not in part:
                self._change(_CONFLATED, part, self._new())
                self._labels |= dict.fromkeys(part, self._label - 1)
                self._change(_CONFLATED, tacit, _GONE)
                yield self._error(_CONFLATED, part, entity.anchor)
                tacit = []

    def of_key(self, entity: _Entity) -> Iterator[Error]:
        """What is not the response's, and what is in another response entity."""
        there = int(self.items.response_entity[entity.anchor])
        label = self._labels.get(entity.anchor, there) if there >= 0 else self._new()
        introduced = entity.alone
        if introduced and (not entity.parts or (entity.all_light and len(introduced) > 1)):
            self._change(_MISSING_ENTITY, introduced, label)
            yield self._error(_MISSING_ENTITY, introduced, None)
            introduced = []
        for item in introduced:
            if item != entity.anchor:
                self._change(_MISSING, [item], label)
                yield self._error(_MISSING, [item], entity.anchor)
        tacit = [entity.anchor] if entity.anchor in introduced else []
        for part in entity.parts.values():
            if entity.anchor not in part:
                self._change(_DIVIDED, [*part, *tacit], label)
                yield self._error(_DIVIDED, part, entity.anchor)
                tacit = []

    def _new(self) -> int:
        self._label += 1
        return self._label - 1

    def _change(self, kind: int, changed: Sequence[int], label: int) -> None:
        self.made += [(kind, item, label) for item in changed]

    def _error(self, kind: int, members: list[int], beside: int | None) -> Error:
        listed = self.items
        keys, responses = listed.key_row[members], listed.response_row[members]
        return Error(
            TYPES[kind],
            listed.rows.key.documents[int(listed.document[members[0]])],
            listed.line(members[0]),
            tuple(listed.describe(item) for item in members),
            "" if beside is None else listed.describe(beside),
            tuple(keys[keys >= 0].tolist()),
            tuple(responses[responses >= 0].tolist()),
            _only(listed.key_entity[members]),
            _only(listed.response_entity[members]),
        )


def _span_error(rows: Rows, key: int, response: int) -> Error:
    return Error(
        TYPES[_SPAN],
        rows.key.documents[int(rows.key.document[key])],
        rows.response.line(response),
        (rows.response.describe(response),),
        rows.key.describe(key),
        (key,),
        (response,),
        int(rows.key.entity[key]),
        int(rows.response.entity[response]),
    )


def _only(entities: Ints) -> int | None:
    """The one entity that these are of."""
    first = int(entities[0])
    return first if first >= 0 and (entities == first).all() else None
