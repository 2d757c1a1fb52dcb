"""What criteria are judged by: cases, which say how the scores of one response, or of two or three, should be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import TypeAlias

from corefeval._lazy import NamedTuple
from corefeval.lab.criteria.pairs import LARGEST, Pair, Partition, freeze, list_partitions

LARGEST_TRIPLE = 5
"""Up to how many mentions all triples of partitions are searched."""

_MOST_SPLITS = 31  # of one entity: all that six mentions have


class Case(NamedTuple):
    """How scores should be: a relation of `relations.py`, between pairs, or means (least scores) of groups of pairs."""

    relation: str
    groups: tuple[tuple[Pair, ...], ...]

    @property
    def has_same_mentions(self) -> bool:
        """Whether in each of its pairs key and response have the same mentions."""
        return all(pair.has_same_mentions for pair in chain(*self.groups))


Search: TypeAlias = "Callable[[Sequence[Pair]], Iterator[Case]]"


def search_pairs(find: Callable[[Pair], Iterator[Case]]) -> Search:
    """Return the search for all cases that `find` makes of each pair."""
    return lambda bases: chain.from_iterable(map(find, bases))


def _compare(relation: str, key: Partition, *responses: Iterable[Iterable[int]]) -> Case:
    """Return the case that compares responses to one key."""
    return Case(relation, tuple((Pair(key, freeze(response)),) for response in responses))


def _has_link(partition: Partition) -> bool:
    """Return whether any entity has two mentions."""
    return any(len(entity) > 1 for entity in partition)


def _list_links(partition: Partition) -> set[tuple[int, int]]:
    """Return all pairs of mentions of one entity."""
    return {link for entity in partition for link in combinations(entity, 2)}


def _has_right_link(pair: Pair) -> bool:
    """Return whether two mentions of a key entity are together in the response."""
    return not _list_links(pair.key).isdisjoint(_list_links(pair.response))


def _is_trivial(pair: Pair) -> bool:
    """Return whether a response that is not the key makes one entity of all mentions, or one of each."""
    return pair.has_same_mentions and not pair.is_perfect and (len(pair.response) == 1 or not _has_link(pair.response))


def find_upper_limit(pair: Pair) -> Iterator[Case]:
    """Yield that a perfect response gets the best score, and any other one less."""
    yield Case("best" if pair.is_perfect else "below best", ((pair,),))


def find_direct_lower_limit(pair: Pair) -> Iterator[Case]:
    """Yield that a response with a right link, which is not trivial, scores more than 0."""
    if _has_right_link(pair) and not _is_trivial(pair):
        yield Case("above zero", ((pair,),))


def find_reciprocal_lower_limit(pair: Pair) -> Iterator[Case]:
    """Yield that a trivial response scores 0."""
    if _has_link(pair.key) and _is_trivial(pair):
        yield Case("zero", ((pair,),))


def find_no_right_link(pair: Pair) -> Iterator[Case]:
    """Yield that a response without a right link and without a right singleton scores 0."""
    right = {entity for entity in pair.key if len(entity) == 1}.intersection(pair.response)
    if pair.response and _has_link(pair.key) and not _has_right_link(pair) and not right:
        yield Case("zero", ((pair,),))


def find_nothing_common(pair: Pair) -> Iterator[Case]:
    """Yield that a response without any mention of the key scores 0."""
    if pair.response and set(chain(*pair.key)).isdisjoint(chain(*pair.response)):
        yield Case("zero", ((pair,),))


def find_range(pair: Pair) -> Iterator[Case]:
    """Yield that a score is between 0 and 1."""
    yield Case("in range", ((pair,),))


def find_symmetry(pair: Pair) -> Iterator[Case]:
    """Yield that key and response can change places."""
    if pair.response:
        yield Case("equal", ((pair,), (Pair(pair.response, pair.key),)))


def find_homogeneity(pair: Pair) -> Iterator[Case]:
    """Yield that it is better to divide an entity where that divides no key entity."""
    home = {mention: place for place, entity in enumerate(pair.key) for mention in entity}
    for entity in pair.response:
        parts: dict[int, list[int]] = defaultdict(list)
        for mention in entity:
            parts[home.get(mention, -1 - mention)].append(mention)
        first, *others = parts.values()
        rest = [each for each in pair.response if each is not entity]
        chosen = chain.from_iterable(combinations(others, count) for count in range(len(others)))
        for with_first in islice(chosen, _MOST_SPLITS):
            away = [part for part in others if part not in with_first]
            yield _compare("more", pair.key, [*rest, [*first, *chain(*with_first)], chain(*away)], pair.response)


def find_completeness(pair: Pair) -> Iterator[Case]:
    """Yield that it is better to join two entities that are parts of one key entity."""
    home = {mention: place for place, entity in enumerate(pair.key) for mention in entity}
    homes = {entity: {home.get(mention) for mention in entity} for entity in pair.response}
    clean = [entity for entity in pair.response if len(homes[entity]) == 1 and None not in homes[entity]]
    for one, other in combinations(clean, 2):
        if homes[one] == homes[other]:
            rest = [each for each in pair.response if each not in (one, other)]
            yield _compare("more", pair.key, [*rest, one + other], pair.response)


def find_monotonicity(pair: Pair) -> Iterator[Case]:
    """Yield the cases of homogeneity and of completeness: every consistent improvement is made of such steps."""
    yield from find_homogeneity(pair)
    yield from find_completeness(pair)


def find_rag_bag(pair: Pair) -> Iterator[Case]:
    """Yield that one more stray mention is better in an entity of strays than in a clean one of the same size."""
    strays = [entity for entity in pair.response if len(entity) == 1 and entity in pair.key]
    for size in {len(entity) for entity in pair.response} - {1}:
        if len(strays) <= size:
            continue
        stray, *bag = strays[: size + 1]
        for clean in pair.response:
            if len(clean) == size and any(set(clean) <= set(entity) for entity in pair.key):
                rest = [each for each in pair.response if each not in (clean, stray, *bag)]
                into_bag = [*rest, clean, chain(*bag, stray)]
                yield _compare("more", pair.key, into_bag, [*rest, (*clean, *stray), chain(*bag)])


def find_size_against_quantity(pair: Pair) -> Iterator[Case]:
    """Yield that one mention cut off from an entity of n + 1 is better than n entities of two cut in halves."""
    couples = [entity for entity in pair.key if len(entity) == 2]
    if pair.is_perfect:
        for large in pair.key:
            few = couples[: len(large) - 1]
            if len(large) > 2 and len(few) == len(large) - 1:
                once = [each for each in pair.key if each is not large] + [large[:-1], large[-1:]]
                often = [each for each in pair.key if each not in few] + [(mention,) for mention in chain(*few)]
                yield _compare("more", pair.key, once, often)


def find_precision_over_recall(pair: Pair) -> Iterator[Case]:
    """Yield that links missed, by one cut in a perfect response, cost less than as many wrong ones, by one merger."""
    if not pair.is_perfect:
        return
    cuts = {len(entity): entity for entity in pair.key}
    for size, entity in cuts.items():
        rest = [each for each in pair.key if each is not entity]
        for at in range(1, size // 2 + 1):
            missed = [*rest, entity[:at], entity[at:]]
            joined = {(len(one), len(other)): (one, other) for one, other in combinations(pair.key, 2)}
            for one, other in joined.values():
                if len(one) * len(other) == at * (size - at):
                    wrong = [each for each in pair.key if each not in (one, other)] + [one + other]
                    yield _compare("more", pair.key, missed, wrong)


def find_singletons(pair: Pair) -> Iterator[Case]:
    """Yield that it is better to find one more singleton of the key."""
    found = set(chain(*pair.response))
    for entity in pair.key:
        if len(entity) == 1 and found.isdisjoint(entity):
            yield _compare("more", pair.key, [*pair.response, entity], pair.response)


def find_identification_effect(pair: Pair) -> Iterator[Case]:
    """Yield that a key mention put where it has no right link does not raise recall."""
    found = set(chain(*pair.response))
    for entity in pair.key:
        new = [mention for mention in entity if mention not in found][:1]
        if not new or len(entity) == 1:
            continue
        yield _compare("not less", pair.key, pair.response, [*pair.response, new])
        for wrong in pair.response:
            if set(wrong).isdisjoint(entity):
                rest = [each for each in pair.response if each is not wrong]
                yield _compare("not less", pair.key, pair.response, [*rest, [*wrong, *new]])


def find_larger_entity(pair: Pair) -> Iterator[Case]:
    """Yield that it is worse to miss a larger entity than a smaller one: left out, or cut into singletons."""
    if not pair.is_perfect:
        return
    by_size = {len(entity): entity for entity in pair.key if len(entity) > 1}
    for smaller, larger in combinations(sorted(by_size), 2):
        without = [[each for each in pair.key if each is not by_size[size]] for size in (smaller, larger)]
        yield _compare("more", pair.key, *without)
        singletons = [[(mention,) for mention in by_size[size]] for size in (smaller, larger)]
        cut = [[*rest, *parts] for rest, parts in zip(without, singletons, strict=True)]
        yield _compare("more", pair.key, *cut)


def search_low_scores(bases: Iterable[Pair]) -> Iterator[Case]:
    """Yield for every key of up to six mentions with a link that one of all responses with its mentions scores 0."""
    for key in _list_keys(bases, LARGEST):
        if _has_link(key):
            yield Case("zero reached", (tuple(Pair(key, each) for each in list_partitions(sorted(chain(*key)))),))


def search_chance(bases: Iterable[Pair]) -> Iterator[Case]:
    """Yield that the mean score of all responses with entities of given sizes is the same for all keys and sizes."""
    proper = [key for key in _list_keys(bases, LARGEST) if _has_link(key) and len(key) > 1]
    for mentions in range(4, LARGEST + 1):
        by_sizes: dict[tuple[int, ...], list[Partition]] = defaultdict(list)
        for partition in list_partitions(range(mentions)):
            if 1 < len(partition) < mentions:
                by_sizes[tuple(sorted(map(len, partition), reverse=True))].append(partition)
        keys = [key for key in proper if sum(map(len, key)) == mentions]
        groups = [tuple(Pair(key, each) for each in alike) for key in keys for _, alike in sorted(by_sizes.items())]
        yield from (Case("equal", (group, groups[0])) for group in groups[1:])


def search_triangles(bases: Iterable[Pair]) -> Iterator[Case]:
    """Yield that no detour is shorter, for all triples of partitions of up to five mentions."""
    for first in _list_keys(bases, LARGEST_TRIPLE):
        partitions = list(list_partitions(sorted(chain(*first))))
        for middle in partitions:
            for last in partitions:
                yield Case("triangle", ((Pair(first, middle),), (Pair(middle, last),), (Pair(first, last),)))


def _list_keys(bases: Iterable[Pair], most: int) -> list[Partition]:
    """Return the keys of pairs, each once, that have two mentions at least and `most` at most."""
    return [key for key in dict.fromkeys(pair.key for pair in bases) if 1 < sum(map(len, key)) <= most]
