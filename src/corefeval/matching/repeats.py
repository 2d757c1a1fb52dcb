"""What to do with a mention in several entities of one side: policies, and how those count that look mentions up.

A policy is a function that says who is whose twin then. `compare_sets` takes entities for sets, some of which share
mentions with each other, and counts what each two of key and response have in common.

A `Lookup` is one that leaves mentions in all their entities and looks each up in the other side, in the last entity
that has it. Recall looks the key's mentions up, precision the response's, so the two need not agree. CEAF asks whether
a mention is in an entity at all; BLANC's links are those of the key, looked up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from corefeval._arrays import Array, Booleans, Ints, invert_permutation, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import combine_numbers
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import Fault, InputError
from corefeval.matching.numbers import (
    LookupNumbers,
    Matching,
    NumberedSides,
    find_last_rows,
    find_twins,
    has_repeats,
    pair_equal_numbers,
    replace_numbers,
)
from corefeval.notices import Notice, make_notices
from corefeval.options import DECISIONS
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import DistinctMentions, Rows, Views

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

KIND = "repeated-mention"


class Repeat(NamedTuple):
    """One row of a side whose mention an earlier row has already."""

    row: int
    first: int


class RepeatOutcome(NamedTuple):
    """What becomes of a mention, in words for the user: if it is in two entities, and if it is twice in one."""

    in_two_entities: str
    twice_in_one: str


TWICE, ONCE = "it counts twice", "it counts once"
STAYS_IN_FIRST = RepeatOutcome("it stays in the first", ONCE)


def keep_first(sides: NumberedSides) -> Matching:
    """Return a Matching with every repeated mention kept only where it comes first on its side, with notices."""
    return _keep_first_rows(sides, _make_side_notices(sides, STAYS_IN_FIRST))


def merge_entities(sides: NumberedSides) -> Matching:
    """Return a Matching after making one entity of all entities of a side that share a mention, with notices."""
    key, response = (
        corpus.merge_entities(_find_merged_entities(corpus, number)) for _, corpus, number in sides.list_sides()
    )
    merged = NumberedSides(key, response, sides.key_number, sides.response_number)
    outcome = RepeatOutcome("the entities are merged", ONCE)
    return _keep_first_rows(merged, _make_side_notices(sides, outcome, found_in=merged))


def _find_merged_entities(corpus: Corpus, number: Ints) -> Ints:
    """Return for every entity the first one with which it shares mentions, directly or through others, or itself."""
    entities = range(len(corpus.entity_document))
    sets = UnionFind(entities)
    for repeat in find_repeats(corpus, number):
        sets.join(int(corpus.entity[repeat.row]), int(corpus.entity[repeat.first]))
    return np.array([sets.find(entity) for entity in entities], dtype=np.int64)


def _keep_first_rows(sides: NumberedSides, notices: tuple[Notice, ...]) -> Matching:
    """Return a Matching of both sides with only the first row of every mention, and these notices."""
    kept = []
    for _, corpus, number in sides.list_sides():
        is_first = np.ones(len(corpus), dtype=np.bool_)
        is_first[[repeat.row for repeat in find_repeats(corpus, number)]] = False
        kept.append(is_first)
    left = sides.keep(*kept)
    return Matching(left, *find_twins(left.key_number, left.response_number), notices)


def keep_occurrences(sides: NumberedSides) -> Matching:
    """Return a Matching of all occurrences of mentions; twins are those whose entities share most other mentions."""
    twins: dict[int, int] = {}
    taken = set()
    for _, _, row, other in sorted(_list_related_occurrences(sides)):
        if row not in twins and other not in taken:
            twins[row] = other
            taken.add(other)
    # All others have no other mention in common: the first occurrence left of one side is the first left of the other.
    rows = [
        _list_by_entity(corpus, done) for (_, corpus, _), done in zip(sides.list_sides(), (twins, taken), strict=True)
    ]
    numbers = sides.key_number[rows[0]], sides.response_number[rows[1]]
    key, response = find_twins(*combine_numbers(numbers, (_count_earlier(numbers[0]), _count_earlier(numbers[1]))))
    found = np.array([*twins.items()], dtype=np.int64).reshape(-1, 2)
    pairs = np.concatenate([found, np.stack([rows[0][key], rows[1][response]], axis=1)])
    pairs = pairs[np.argsort(pairs[:, 0])]
    notices = _make_side_notices(sides, RepeatOutcome("it counts in both", TWICE))
    return Matching(sides, pairs[:, 0], pairs[:, 1], notices)


def compare_sets(sides: NumberedSides) -> Matching:
    """Return a Matching with a mention once in each of its entities, counted for every two entities that have it."""
    notices = _make_side_notices(sides, RepeatOutcome("it counts in both", ONCE))
    selected = (select_first_in_entity(corpus.entity, number) for _, corpus, number in sides.list_sides())
    return keep_occurrences(sides.keep(*selected))._replace(notices=notices, count_repeats=add_set_tables)


def add_set_tables(views: Views) -> Views:
    """Return views in which entities are sets that share mentions; the same views if no two of one side do."""
    sides, table = NumberedSides.from_views(views), views.table
    if not (has_repeats(sides.key_number) or has_repeats(sides.response_number)):
        return views
    key, response = pair_occurrences(sides, sides.key_number)
    sets = Overlap.from_twins(table.key, table.response, sides.key.entity[key], sides.response.entity[response])
    ours, theirs, common = (
        count_distinct(number, document, table.documents)
        for number, document in (
            (sides.key_number, sides.key.document),
            (sides.response_number, sides.response.document),
            (sides.key_number[key], sides.key.document[key]),
        )
    )
    distinct = DistinctMentions(ours, theirs, common)
    return Views(table, views.mentions, recall=sets, recall_sets=sets, distinct=distinct, of_sets=True)


def _list_by_entity(corpus: Corpus, done: Collection[int]) -> Ints:
    """Return all rows of a corpus but those that are done, sorted by entity."""
    is_left = np.ones(len(corpus), dtype=np.bool_)
    is_left[list(done)] = False
    order = np.argsort(corpus.entity, kind="stable")
    return order[is_left[order]]


def _count_earlier(number: Ints) -> Ints:
    """Return, for every row, how many rows before it have the same number.

    >>> _count_earlier(np.array([7, 5, 7, 7]))
    array([0, 0, 1, 2])
    """
    order = np.argsort(number, kind="stable")
    ordered = number[order]
    earlier = np.empty(len(number), dtype=np.int64)
    earlier[order] = np.arange(len(number)) - np.searchsorted(ordered, ordered)
    return earlier


def _list_related_occurrences(sides: NumberedSides) -> Iterator[tuple[int, tuple[int, int], int, int]]:
    """Yield (-n, two entities, key row, response row) of equal mentions in entities that share n unrepeated ones."""
    once = []
    for _, _, number in sides.list_sides():
        _, which, times = np.unique(number, return_inverse=True, return_counts=True)
        once.append(np.flatnonzero(times[which.reshape(-1)] == 1))
    key, response = find_twins(sides.key_number[once[0]], sides.response_number[once[1]])
    related = sides.key.entity[once[0][key]], sides.response.entity[once[1][response]]
    occurrences: list[dict[int, dict[int, list[int]]]] = []  # for each side by entity, then mention: its rows
    for (_, corpus, number), entities in zip(sides.list_sides(), related, strict=True):
        rows = np.flatnonzero(np.isin(corpus.entity, entities))
        columns = rows.tolist(), corpus.entity[rows].tolist(), number[rows].tolist()
        of_entity: dict[int, dict[int, list[int]]] = {}
        for row, entity, mention in zip(*columns, strict=True):
            of_entity.setdefault(entity, {}).setdefault(mention, []).append(row)
        occurrences.append(of_entity)
    for pair, count in Counter(zip(*(entities.tolist() for entities in related), strict=True)).items():
        ours, theirs = (by_entity[entity] for by_entity, entity in zip(occurrences, pair, strict=True))
        for mention in ours if len(ours) < len(theirs) else theirs:
            for row in ours.get(mention, ()):
                for other in theirs.get(mention, ()):
                    yield -count, pair, row, other


def refuse_repeats(sides: NumberedSides) -> NoReturn:
    """Raise an InputError that names every repeated mention."""
    raise InputError(
        Fault(
            corpus.file(int(corpus.document[repeat.row])) or side,
            _describe_repeat(corpus, repeat),
            "every mention in one entity",
            f"duplicates={DECISIONS['duplicates'].default}, first, merge or keep would go on",
            corpus.line(repeat.row),
        )
        for side, corpus, number in sides.list_sides()
        for repeat in find_repeats(corpus, number)
    )


class Lookup(NamedTuple):
    """How mentions are looked up: the rank of every entity, and whether an entity has a mention once at most."""

    rank: Callable[[Corpus], Ints]
    once: bool

    def __call__(self, sides: NumberedSides) -> Matching:
        """Match with every mention left in all its entities; twins are its rows in the last entity of each side."""
        outcome = RepeatOutcome("it counts in both, and is found in the last", ONCE if self.once else TWICE)
        notices = _make_side_notices(sides, outcome)
        if self.once:
            selected = (select_first_in_entity(corpus.entity, number) for _, corpus, number in sides.list_sides())
            sides = sides.keep(*selected)
        common = np.unique(sides.response_number)
        key_row = self._find_in_last_entity(sides.key, sides.key_number, common)
        found = key_row >= 0
        response_row = self._find_in_last_entity(sides.response, sides.response_number, common[found])
        return Matching(sides, key_row[found], response_row, notices, self.add_lookup_tables)

    def add_lookup_tables(self, views: Views, numbers: LookupNumbers | None = None) -> Views:
        """Return views with tables and links of their own, in which mentions are looked up in the other side."""
        sides = NumberedSides.from_views(views)
        wanted_by_key, wanted_by_response = sides.key_number, sides.response_number
        if numbers is not None:
            wanted_by_key = replace_numbers(wanted_by_key, *numbers.key)
            wanted_by_response = replace_numbers(wanted_by_response, *numbers.response)
        in_response = self._find_in_last_entity(sides.response, sides.response_number, wanted_by_key)
        in_key = self._find_in_last_entity(sides.key, sides.key_number, wanted_by_response)
        found = np.flatnonzero(in_response >= 0), in_response[in_response >= 0]
        right = in_key[in_key >= 0], np.flatnonzero(in_key >= 0)
        entities = (
            (sides.key.entity[key], sides.response.entity[response])
            for key, response in (found, right, pair_occurrences(sides, wanted_by_key))
        )
        table = views.table
        recall, precision, sets = (Overlap.from_twins(table.key, table.response, *each) for each in entities)
        ours, theirs = (
            count_distinct(number, corpus.document, len(corpus.documents)) for _, corpus, number in sides.list_sides()
        )
        return Views(
            table,
            None if views.mentions is None else views.mentions._replace(looked=(in_response, in_key)),
            recall=recall,
            precision=precision,
            recall_sets=sets,
            links=recall.links,
            distinct=DistinctMentions(ours, theirs, table.shared),
        )

    def find_places(self, number: Callable[[Corpus, Corpus], tuple[Ints, Ints]], rows: Rows) -> tuple[Ints, Ints]:
        """Return two columns of response rows: where each key mention is found, or -1, and each response mention.

        Of several rows with the number, it is that in the last entity. A key mention whose number the response lacks is
        found as its twin, or as that of a mention that is the same; -1 for none.
        """
        ours, theirs = number(rows.key, rows.response)
        found = self._find_in_last_entity(rows.response, theirs, ours)
        twin, _ = rows.find_twins()
        if rows.repeated is not None:
            known = rows.repeated.key_number
            twin = np.append(rows.twin_response, -1)[find_last_rows(known[rows.twin_key], known)]
        return np.where(found >= 0, found, twin), self._find_in_last_entity(rows.response, theirs, theirs)

    def _find_in_last_entity(self, corpus: Corpus, number: Ints, wanted: Ints) -> Ints:
        """Return, for every mention's number wanted, its row in the last entity that has such a mention, or -1."""
        in_order = np.argsort(self.rank(corpus)[corpus.entity], kind="stable")
        place = find_last_rows(number[in_order], wanted)
        return np.where(place >= 0, in_order[place] if len(in_order) else -1, -1)


def rank_by_listing(corpus: Corpus) -> Ints:
    """Return the rank of every entity: its number, which is by where it begins in its file or by how it is listed."""
    return np.arange(len(corpus.entity_document))


def rank_by_first_mention(corpus: Corpus, columns: tuple[Array, ...], *minor: Array) -> Ints:
    """Return the rank of every entity by its first mention in the order of `columns` (as in lexsort), then `minor`."""
    order = np.lexsort((*columns, corpus.entity))
    first = order[np.append(True, np.diff(corpus.entity[order]) != 0)[: len(order)]]
    return invert_permutation(np.lexsort((*minor, *(column[first] for column in columns), corpus.entity_document)))


def pair_occurrences(sides: NumberedSides, wanted: Ints) -> tuple[Ints, Ints]:
    """Return two columns of rows: each key row, with a row of every response entity that has the number it wants."""
    rows = np.flatnonzero(select_first_in_entity(sides.response.entity, sides.response_number))
    key, place = pair_equal_numbers(wanted, sides.response_number[rows])
    return key, rows[place]


def select_first_in_entity(entity: Ints, number: Ints) -> Booleans:
    """Return for each row whether it is the first row with its number in its entity."""
    order = np.lexsort((number, entity))
    again = (np.diff(entity[order]) == 0) & (np.diff(number[order]) == 0)
    selected = np.ones(len(number), dtype=np.bool_)
    selected[order[1:][again]] = False
    return selected


def count_distinct(number: Ints, document: Ints, documents: int) -> Ints:
    """Return how many different numbers each document has, of rows with these numbers and documents."""
    _, first = np.unique(number, return_index=True)
    return np.bincount(document[first], minlength=documents)


def find_repeats(corpus: Corpus, number: Ints) -> list[Repeat]:
    """Return a Repeat for every row whose mention an earlier row, in the order of entities, has already."""
    in_order = np.argsort(corpus.entity, kind="stable")
    ordered = number[in_order]
    _, first, which = np.unique(ordered, return_index=True, return_inverse=True)
    first_of = first[which.reshape(-1)]
    later = np.flatnonzero(first_of != np.arange(len(ordered)))
    return list(map(Repeat, in_order[later].tolist(), in_order[first_of[later]].tolist()))


def _make_side_notices(
    sides: NumberedSides, outcome: RepeatOutcome, *, found_in: NumberedSides | None = None
) -> tuple[Notice, ...]:
    """Return notices of repeated mentions of both sides, all of one outcome; `found_in`: sides with merged entities."""
    notices: tuple[Notice, ...] = ()
    for (side, corpus, number), (_, searched, _) in zip(
        sides.list_sides(), (found_in or sides).list_sides(), strict=True
    ):
        notices += make_repeat_notices(corpus, side, find_repeats(searched, number), lambda _: outcome)
    return notices


def make_repeat_notices(
    corpus: Corpus, side: str, repeats: Sequence[Repeat], get_outcome: Callable[[int], RepeatOutcome]
) -> tuple[Notice, ...]:
    """Return notices of the repeated mentions of a side; `get_outcome` tells what becomes of the mention in a row."""

    def make_notice(index: int) -> Notice:
        """Return the notice of the repeated mention `repeats[index]`, and what becomes of it."""
        row, first = repeats[index]
        in_one = corpus.entity[row] == corpus.entity[first]
        outcome = get_outcome(row)
        becomes = outcome.twice_in_one if in_one else outcome.in_two_entities
        document = int(corpus.document[row])
        details = {
            "side": side,
            "document": corpus.documents[document],
            "mention": corpus.describe(row),
            "entities": [corpus.get_entity_name(first), corpus.get_entity_name(row)],
        }
        what = f"{_describe_repeat(corpus, repeats[index])}; {becomes}"
        return Notice.at(KIND, corpus.file(document) or side, corpus.line(row) or None, what, details)

    return make_notices(KIND, len(repeats), make_notice)


def _describe_repeat(corpus: Corpus, repeat: Repeat) -> str:
    """Return the beginning of a sentence that names a repeated mention, its entities and its document."""
    document = corpus.documents[int(corpus.document[repeat.row])]
    where = f" of document {document!r}" if document else ""
    one, other = corpus.get_entity_name(repeat.first), corpus.get_entity_name(repeat.row)
    if corpus.entity[repeat.row] == corpus.entity[repeat.first]:
        return f"{corpus.describe(repeat.row)} stands twice in entity {one}{where}"
    return f"{corpus.describe(repeat.row)} is in entities {one} and {other}{where}"
