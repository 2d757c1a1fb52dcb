"""What to do with a mention in several entities of one side: the policies that no single scorer owns.

REFERENCE  as the reference scorer: the response keeps a mention of the key where it comes first; a spurious mention
           stays everywhere; the key keeps all, and the last of its entities gets the twin
FIRST      every mention stays in the entity that comes first
MERGE      entities that share a mention become one
KEEP       every occurrence counts as a mention of its own; those of entities that have most else in common are twins
REFUSE     an error

A scorer that looks every mention up in the other side has a policy `by_lookup`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import Fault, InputError
from corefeval.matching.numbers import find_last_rows, find_twins
from corefeval.matching.repeats.conll_8_01 import count_repeats
from corefeval.matching.repeats.lookup import Lookup
from corefeval.matching.sides import Matching, NumberedSides, RepeatPolicy
from corefeval.notices import Notice, describe_events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus

KIND = "repeated-mention"


class Repeat(NamedTuple):
    """One row of a side whose mention an earlier row has already."""

    row: int
    first: int


class Outcome(NamedTuple):
    """What becomes of a mention, in words for the user: if it is in two entities, and if it is twice in one."""

    in_two_entities: str
    twice_in_one: str


_TWICE, _ONCE = "it counts twice", "it counts once"
_STAYS_IN_BOTH = Outcome("it stays in both", _TWICE)
_STAYS_IN_FIRST = Outcome("it stays in the first", _ONCE)
_SPURIOUS = Outcome("the key lacks it, and it stays in both", _TWICE)
_COUNTS_IN_BOTH = Outcome("it counts in both", _TWICE)
_MERGED = Outcome("the entities are merged", _ONCE)


def settle_as_reference_scorer(sides: NumberedSides) -> Matching:
    """Keep mentions of the key in the first response entity only; spurious ones, and all of the key's, stay."""
    in_key = find_last_rows(sides.key_number, sides.response_number) >= 0
    repeats = _find_repeats(sides.response, sides.response_number)
    dropped = np.zeros(len(in_key), dtype=np.bool_)
    dropped[[repeat.row for repeat in repeats if in_key[repeat.row]]] = True
    response = sides.response.keep(~dropped)
    left = NumberedSides(sides.key, response, sides.key_number, sides.response_number[~dropped])
    in_order = np.argsort(sides.key.entity, kind="stable")
    found = find_last_rows(sides.key_number[in_order], left.response_number)
    rows = np.flatnonzero(found >= 0)
    notices = (
        *_describe_repeats(sides.key, "key", _find_repeats(sides.key, sides.key_number), lambda _: _STAYS_IN_BOTH),
        *_describe_repeats(
            sides.response, "response", repeats, lambda row: _STAYS_IN_FIRST if dropped[row] else _SPURIOUS
        ),
    )
    return Matching(left, in_order[found[rows]], rows, notices, count_repeats)


def keep_first(sides: NumberedSides) -> Matching:
    """Keep every mention in the entity that comes first."""
    return _keep_first_rows(sides, _describe_sides(sides, _STAYS_IN_FIRST))


def merge_entities(sides: NumberedSides) -> Matching:
    """Make one entity of those that share a mention."""
    key = sides.key.with_entities(_merge_by_mentions(sides.key, sides.key_number))
    response = sides.response.with_entities(_merge_by_mentions(sides.response, sides.response_number))
    merged = NumberedSides(key, response, sides.key_number, sides.response_number)
    return _keep_first_rows(merged, _describe_sides(sides, _MERGED, found_in=merged))


def _keep_first_rows(sides: NumberedSides, notices: tuple[Notice, ...]) -> Matching:
    """Keep the first occurrence of every mention on both sides."""
    key, response = _select_first(sides.key, sides.key_number), _select_first(sides.response, sides.response_number)
    left = sides.keep(key, response)
    return Matching(left, *find_twins(left.key_number, left.response_number), notices)


def keep_occurrences(sides: NumberedSides) -> Matching:
    """Count every occurrence as a mention; twins are those of entities that have most other mentions in common."""
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
        twins.extend(_choose_twins(sides, ours, theirs, common))
    rows = np.array(sorted(twins), dtype=np.int64).reshape(-1, 2)
    return Matching(sides, rows[:, 0], rows[:, 1], _describe_sides(sides, _COUNTS_IN_BOTH))


def refuse_repeats(sides: NumberedSides) -> Matching:
    """Raise an error that names every repeated mention."""
    raise InputError(
        Fault(
            corpus.file(int(corpus.document[repeat.row])) or side,
            _describe_repeat(corpus, repeat),
            "every mention in one entity",
            "duplicates=conll-8.01, first, merge or keep would go on",
            corpus.line(repeat.row),
        )
        for side, corpus, number in (
            ("key", sides.key, sides.key_number),
            ("response", sides.response, sides.response_number),
        )
        for repeat in _find_repeats(corpus, number)
    )


REFERENCE = RepeatPolicy(settle_as_reference_scorer)
FIRST = RepeatPolicy(keep_first)
MERGE = RepeatPolicy(merge_entities)
KEEP = RepeatPolicy(keep_occurrences)
REFUSE = RepeatPolicy(refuse_repeats)


def by_lookup(rank: Callable[[Corpus], Ints], *, once: bool) -> RepeatPolicy:
    """Make the policy of a scorer that looks mentions up in the entity of the highest rank; see `Lookup`."""
    lookup = Lookup(rank, once)
    outcome = Outcome("it counts in both, and is found in the last", _ONCE if once else _TWICE)

    def settle(sides: NumberedSides) -> Matching:
        return lookup.settle(sides)._replace(notices=_describe_sides(sides, outcome))

    return RepeatPolicy(settle, lookup)


def _find_repeats(corpus: Corpus, number: Ints) -> list[Repeat]:
    """Every row whose mention an earlier entity, or an earlier row of its entity, has already; by entity."""
    in_order = np.argsort(corpus.entity, kind="stable")
    ordered = number[in_order]
    _, first, which = np.unique(ordered, return_index=True, return_inverse=True)
    first_of = first[which.reshape(-1)]
    later = np.flatnonzero(first_of != np.arange(len(ordered)))
    rows = zip(in_order[later].tolist(), in_order[first_of[later]].tolist(), strict=True)
    return [Repeat(row, first_row) for row, first_row in rows]


def _select_first(corpus: Corpus, number: Ints) -> Booleans:
    """Which rows are the first of their mention."""
    selected = np.ones(len(corpus), dtype=np.bool_)
    selected[[repeat.row for repeat in _find_repeats(corpus, number)]] = False
    return selected


def _merge_by_mentions(corpus: Corpus, number: Ints) -> Ints:
    """For every entity the first entity that it is connected with by mentions."""
    entities = range(len(corpus.entity_document))
    sets = UnionFind(entities)
    for repeat in _find_repeats(corpus, number):
        sets.join(int(corpus.entity[repeat.row]), int(corpus.entity[repeat.first]))
    return np.array([sets.find(entity) for entity in entities], dtype=np.int64)


def _rows_by_number(number: Ints) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = defaultdict(list)
    for row, value in enumerate(number.tolist()):
        rows[value].append(row)
    return rows


def _choose_twins(
    sides: NumberedSides, ours: list[int], theirs: list[int], common: dict[tuple[int, int], int]
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


def _describe_sides(
    sides: NumberedSides, outcome: Outcome, *, found_in: NumberedSides | None = None
) -> tuple[Notice, ...]:
    """Notices of repeated mentions with one outcome; `found_in` are the same sides with merged entities."""
    searched = found_in or sides
    key = _find_repeats(searched.key, searched.key_number)
    response = _find_repeats(searched.response, searched.response_number)
    return (
        *_describe_repeats(sides.key, "key", key, lambda _: outcome),
        *_describe_repeats(sides.response, "response", response, lambda _: outcome),
    )


def _describe_repeats(
    corpus: Corpus, side: str, repeats: Sequence[Repeat], outcome_of: Callable[[int], Outcome]
) -> tuple[Notice, ...]:
    """Notices of the repeated mentions of a side; the outcome depends on the row."""

    def describe(event: int) -> Notice:
        repeat = repeats[event]
        in_one = corpus.entity[repeat.row] == corpus.entity[repeat.first]
        outcome = outcome_of(repeat.row)
        document = int(corpus.document[repeat.row])
        return Notice.at(
            KIND,
            corpus.file(document) or side,
            corpus.line(repeat.row) or None,
            f"{_describe_repeat(corpus, repeat)}; {outcome.twice_in_one if in_one else outcome.in_two_entities}",
            {
                "side": side,
                "document": corpus.documents[document],
                "mention": corpus.describe(repeat.row),
                "entities": [_entity_name(corpus, repeat.first), _entity_name(corpus, repeat.row)],
            },
        )

    return describe_events(KIND, len(repeats), describe)


def _describe_repeat(corpus: Corpus, repeat: Repeat) -> str:
    document = corpus.documents[int(corpus.document[repeat.row])]
    where = f" of document {document!r}" if document else ""
    one, other = _entity_name(corpus, repeat.first), _entity_name(corpus, repeat.row)
    if corpus.entity[repeat.row] == corpus.entity[repeat.first]:
        return f"{corpus.describe(repeat.row)} stands twice in entity {one}{where}"
    return f"{corpus.describe(repeat.row)} is in entities {one} and {other}{where}"


def _entity_name(corpus: Corpus, row: int) -> str:
    return str(corpus.entity_name[int(corpus.entity[row])])
