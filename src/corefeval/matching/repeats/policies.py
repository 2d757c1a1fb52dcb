"""A mention that stands in several entities of one side: what to do about it.

conll-8.01  as the reference scorer: the response keeps a mention of the key where it comes first; a mention that the
            key lacks stays everywhere; the key keeps all, and the last of its entities gets the twin
first       every mention stays in the entity that comes first
merge       entities that share a mention become one
keep        every occurrence counts as a mention of its own; those of entities that have most else in common are twins
error       refuse
coval, ua, corefud-1.2, allennlp
            as these scorers: a mention counts in every entity that has it, and is looked up in the other side, where
            the last of the entities that have it is found (`lookups`)
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.union_find import UnionFind
from corefeval.errors import Fault, InputError
from corefeval.matching.matched import Settled, Sides
from corefeval.matching.repeats import conll_8_01, lookup
from corefeval.matching.rules import exact
from corefeval.notices import Notice, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus

KIND = "repeated-mention"


class Repeat(NamedTuple):
    """One row of a side whose mention an earlier row has already."""

    row: int
    first: int


def _as_reference_scorer(sides: Sides) -> Settled:
    in_key = exact.last_row(sides.key_number, sides.response_number) >= 0
    repeated = _repeats(sides.response, sides.response_number)
    dropped = np.zeros(len(in_key), dtype=np.bool_)
    dropped[[repeat.row for repeat in repeated if in_key[repeat.row]]] = True
    response = sides.response.keep(~dropped)
    left = Sides(sides.key, response, sides.key_number, sides.response_number[~dropped])
    in_order = np.argsort(sides.key.entity, kind="stable")
    found = exact.last_row(sides.key_number[in_order], left.response_number)
    rows = np.flatnonzero(found >= 0)
    return Settled(
        left,
        in_order[found[rows]],
        rows,
        (
            *_told(sides.key, "key", _repeats(sides.key, sides.key_number), lambda _: "it stays in both"),
            *_told(
                sides.response,
                "response",
                repeated,
                lambda row: "it stays in the first" if dropped[row] else "the key lacks it, and it stays in both",
            ),
        ),
        conll_8_01.seen_twice,
    )


def _first(sides: Sides) -> Settled:
    return _one_to_one(sides, "it stays in the first")


def _merge(sides: Sides) -> Settled:
    key = sides.key.with_entities(_merged(sides.key, sides.key_number))
    response = sides.response.with_entities(_merged(sides.response, sides.response_number))
    merged = Sides(key, response, sides.key_number, sides.response_number)
    return _one_to_one(merged, "the entities are merged", told=sides)


def _one_to_one(sides: Sides, action: str, *, told: Sides | None = None) -> Settled:
    """Keep the first occurrence of every mention on both sides."""
    original = told or sides
    key_repeats = _repeats(sides.key, sides.key_number)
    response_repeats = _repeats(sides.response, sides.response_number)
    key_kept, response_kept = _without(sides.key, key_repeats), _without(sides.response, response_repeats)
    left = Sides(
        sides.key.keep(key_kept),
        sides.response.keep(response_kept),
        sides.key_number[key_kept],
        sides.response_number[response_kept],
    )
    return Settled(
        left,
        *exact.twins(left.key_number, left.response_number),
        (
            *_told(original.key, "key", key_repeats, lambda _: action),
            *_told(original.response, "response", response_repeats, lambda _: action),
        ),
    )


def _keep(sides: Sides) -> Settled:
    key_rows, response_rows = _rows_by_number(sides.key_number), _rows_by_number(sides.response_number)
    twins: list[tuple[int, int]] = []
    contested = []
    common: dict[tuple[int, int], int] = defaultdict(int)
    for number, ours in key_rows.items():
        theirs = response_rows.get(number, [])
        if len(ours) == len(theirs) == 1:
            twins.append((ours[0], theirs[0]))
            common[int(sides.key.entity[ours[0]]), int(sides.response.entity[theirs[0]])] += 1
        elif theirs:
            contested.append((ours, theirs))
    for ours, theirs in contested:
        twins.extend(_best_twins(sides, ours, theirs, common))
    rows = np.array(sorted(twins), dtype=np.int64).reshape(-1, 2)
    action = "it counts in both"
    notices = (
        *_told(sides.key, "key", _repeats(sides.key, sides.key_number), lambda _: action),
        *_told(sides.response, "response", _repeats(sides.response, sides.response_number), lambda _: action),
    )
    return Settled(sides, rows[:, 0], rows[:, 1], notices)


def _refuse(sides: Sides) -> Settled:
    raise InputError(
        Fault(
            corpus.file(int(corpus.document[repeat.row])) or side,
            _sentence(corpus, repeat),
            "every mention in one entity",
            "duplicates=conll-8.01, first, merge or keep would go on",
            corpus.line(repeat.row),
        )
        for side, corpus, number in (
            ("key", sides.key, sides.key_number),
            ("response", sides.response, sides.response_number),
        )
        for repeat in _repeats(corpus, number)
    )


def _by_look_up(kind: lookup.LookUp) -> Callable[[Sides], Settled]:
    def settle(sides: Sides) -> Settled:
        action = "it counts in both, and is found in the last"
        notices = (
            *_told(sides.key, "key", _repeats(sides.key, sides.key_number), lambda _: action, once=kind.once),
            *_told(
                sides.response,
                "response",
                _repeats(sides.response, sides.response_number),
                lambda _: action,
                once=kind.once,
            ),
        )
        return lookup.settled(sides, kind)._replace(notices=notices)

    return settle


POLICIES: dict[str, Callable[[Sides], Settled]] = {
    "conll-8.01": _as_reference_scorer,
    "first": _first,
    "merge": _merge,
    "keep": _keep,
    "error": _refuse,
    **{name: _by_look_up(kind) for name, kind in lookup.KINDS.items()},
}


def _repeats(corpus: Corpus, number: Ints) -> list[Repeat]:
    """Every row whose mention an earlier entity, or an earlier row of its entity, has already; by entity."""
    in_order = np.argsort(corpus.entity, kind="stable")
    ordered = number[in_order]
    _, first, which = np.unique(ordered, return_index=True, return_inverse=True)
    first_of = first[which.reshape(-1)]
    later = np.flatnonzero(first_of != np.arange(len(ordered)))
    rows = zip(in_order[later].tolist(), in_order[first_of[later]].tolist(), strict=True)
    return [Repeat(row, first_row) for row, first_row in rows]


def _without(corpus: Corpus, repeated: Sequence[Repeat]) -> Booleans:
    kept = np.ones(len(corpus), dtype=np.bool_)
    kept[[repeat.row for repeat in repeated]] = False
    return kept


def _merged(corpus: Corpus, number: Ints) -> Ints:
    """For every entity the first entity that it is connected with by mentions."""
    entities = range(len(corpus.entity_document))
    sets = UnionFind(entities)
    for repeat in _repeats(corpus, number):
        sets.join(int(corpus.entity[repeat.row]), int(corpus.entity[repeat.first]))
    return np.array([sets.find(entity) for entity in entities], dtype=np.int64)


def _rows_by_number(number: Ints) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = defaultdict(list)
    for row, value in enumerate(number.tolist()):
        rows[value].append(row)
    return rows


def _best_twins(
    sides: Sides, ours: list[int], theirs: list[int], common: dict[tuple[int, int], int]
) -> list[tuple[int, int]]:
    def most_in_common(pair: tuple[int, int]) -> tuple[int, int, int]:
        one, other = int(sides.key.entity[pair[0]]), int(sides.response.entity[pair[1]])
        return -common.get((one, other), 0), one, other

    twins: list[tuple[int, int]] = []
    taken: tuple[set[int], set[int]] = set(), set()
    for pair in sorted(((a, b) for a in ours for b in theirs), key=most_in_common):
        if pair[0] not in taken[0] and pair[1] not in taken[1]:
            twins.append(pair)
            taken[0].add(pair[0])
            taken[1].add(pair[1])
    return twins


def _told(
    corpus: Corpus, side: str, repeated: Sequence[Repeat], action: Callable[[int], str], *, once: bool = False
) -> tuple[Notice, ...]:
    def describe(event: int) -> Notice:
        repeat = repeated[event]
        place = corpus.place(repeat.row, side)
        in_one = corpus.entity[repeat.row] == corpus.entity[repeat.first]
        what = action(repeat.row)
        return Notice(
            KIND,
            f"{place}: {_sentence(corpus, repeat)}; {_once(what, once) if in_one else what}",
            {
                "side": side,
                "document": corpus.documents[int(corpus.document[repeat.row])],
                "line": corpus.line(repeat.row),
                "mention": corpus.describe(repeat.row),
                "entities": [_entity(corpus, repeat.first), _entity(corpus, repeat.row)],
            },
        )

    return named(KIND, len(repeated), describe)


def _once(action: str, once: bool) -> str:  # noqa: FBT001
    """What happens to a mention that one entity has twice, in the words for it."""
    return "it counts twice" if "both" in action and not once else "it counts once"


def _sentence(corpus: Corpus, repeat: Repeat) -> str:
    document = corpus.documents[int(corpus.document[repeat.row])]
    where = f" of document {document!r}" if document else ""
    one, other = _entity(corpus, repeat.first), _entity(corpus, repeat.row)
    if corpus.entity[repeat.row] == corpus.entity[repeat.first]:
        return f"{corpus.describe(repeat.row)} stands twice in entity {one}{where}"
    return f"{corpus.describe(repeat.row)} is in entities {one} and {other}{where}"


def _entity(corpus: Corpus, row: int) -> str:
    return str(corpus.entity_name[int(corpus.entity[row])])
