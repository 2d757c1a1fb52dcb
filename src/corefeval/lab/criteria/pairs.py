"""Pairs of a key and a response: all of them up to relabelling, larger ones by a seeded draw, and their pictures."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, groupby, islice, permutations, product
from math import factorial, prod
from typing import TypeAlias

from corefeval._lazy import NamedTuple
from corefeval.lab.partitions import make_entities

Partition: TypeAlias = "tuple[tuple[int, ...], ...]"
"""Entities of mentions, which are numbers."""

LARGEST = 6
"""Up to how many mentions, of both sides together, all pairs are searched."""

DRAWN_SIZES = range(7, 13)
_DRAWS, _SEED = 40, 0  # drawn pairs of each size
_LARGEST_CUT = 8
_MOST_ORDERS = 720  # orders of response entities that are tried: all of six


class Pair(NamedTuple):
    """A key and a response."""

    key: Partition
    response: Partition

    @property
    def has_same_mentions(self) -> bool:
        """Whether key and response have the same mentions."""
        return sorted(chain(*self.key)) == sorted(chain(*self.response))

    @property
    def is_perfect(self) -> bool:
        """Whether the response is the key."""
        return {frozenset(entity) for entity in self.key} == {frozenset(entity) for entity in self.response}


def normalise_pair(pair: Pair) -> Pair:
    """Return the same pair for all pairs that differ in the names of mentions and the order of entities alone.

    Where there are more than 720 orders of entities it may differ, and large pairs are returned as they are, which
    costs time in scoring and nothing else.

    >>> normalise_pair(Pair(((5,), (7, 9)), ((9, 5), (7,))))
    Pair(key=((0, 1), (2,)), response=((0, 2), (1,)))
    """
    if sum(map(len, pair.key)) > DRAWN_SIZES[-1]:
        return pair
    place = {mention: column for column, entity in enumerate(pair.response) for mention in entity}
    rows = [[0] * (len(pair.response) + 1) for _ in pair.key]  # the last column: mentions without a twin
    for row, entity in zip(rows, pair.key, strict=True):
        for mention in entity:
            row[place.get(mention, -1)] += 1
    return _normalise_table(tuple(sorted(map(tuple, rows))), tuple(map(len, pair.response)))


@cache
def _normalise_table(rows: tuple[tuple[int, ...], ...], sizes: tuple[int, ...]) -> Pair:
    """Return the pair of a table: a row for each key entity, a column for each response entity, one for none."""
    kinds = [(-size, sorted((row[column] for row in rows), reverse=True)) for column, size in enumerate(sizes)]
    columns = sorted(range(len(sizes)), key=kinds.__getitem__)
    groups = [tuple(group) for _, group in groupby(columns, key=kinds.__getitem__)]
    many = prod(factorial(len(group)) for group in groups) > _MOST_ORDERS
    orders = [columns] if many else [list(chain(*order)) for order in product(*map(permutations, groups))]
    arranged = [sorted(([row[each] for each in (*order, -1)] for row in rows), key=_rank_row) for order in orders]
    table, order = min(zip(arranged, orders, strict=True), key=lambda each: list(map(_rank_row, each[0])))
    return _build_pair(table, [sizes[column] for column in order])


def _rank_row(row: list[int]) -> tuple[int, list[int]]:
    """Return what rows are sorted by: the larger entity first, then the one with more in the first columns."""
    return -sum(row), [-count for count in row]


def _build_pair(table: list[list[int]], sizes: list[int]) -> Pair:
    """Return the pair of a table, with mentions numbered along the key, then along the response."""
    key = make_entities(map(sum, table))
    response: list[list[int]] = [[] for _ in sizes]
    for entity, row in zip(key, table, strict=True):
        mentions = iter(entity)
        for column, count in enumerate(row[:-1]):
            response[column] += islice(mentions, count)
    spare = iter(range(sum(map(sum, table)), sum(map(sum, table)) + sum(sizes)))
    for members, size in zip(response, sizes, strict=True):
        members.extend(islice(spare, size - len(members)))
    return Pair(freeze(key), freeze(response))


def freeze(entities: Iterable[Iterable[int]]) -> Partition:
    """Return entities as tuples, mentions in order, without empty entities."""
    return tuple(tuple(sorted(entity)) for entity in map(list, entities) if entity)


@cache
def list_sizes(mentions: int, most: int = 0) -> tuple[tuple[int, ...], ...]:
    """Return all ways to write a number as a sum, the largest part first.

    >>> list_sizes(3)
    ((3,), (2, 1), (1, 1, 1))
    """
    if not mentions:
        return ((),)
    first = range(min(mentions, most or mentions), 0, -1)
    return tuple((size, *rest) for size in first for rest in list_sizes(mentions - size, size))


def list_partitions(mentions: Sequence[int]) -> Iterator[Partition]:
    """Yield all ways to divide mentions into entities."""
    if not mentions:
        yield ()
        return
    *others, last = mentions
    for partition in list_partitions(others):
        for place, entity in enumerate(partition):
            yield (*partition[:place], (*entity, last), *partition[place + 1 :])
        yield (*partition, (last,))


@cache
def list_pairs(mentions: int) -> tuple[Pair, ...]:
    """Return all pairs, up to relabelling, with this many mentions in key or response; the key has at least one."""
    found: dict[Pair, None] = {}
    for of_key in range(mentions, 0, -1):
        extra = range(of_key, mentions)
        for sizes in list_sizes(of_key):
            key = freeze(make_entities(sizes))
            for kept in product(*(range(size, -1, -1) for size in sizes)):
                common = chain(*(entity[:count] for entity, count in zip(key, kept, strict=True)))
                for response in list_partitions([*common, *extra]):
                    found.setdefault(normalise_pair(Pair(key, response)))
    return tuple(found)


@cache
def list_bases() -> tuple[Pair, ...]:
    """Return all pairs of up to six mentions, and some larger ones.

    These are every key of 7 to 12 mentions with itself, of 7 and 8 with one entity cut in two, and pairs drawn.
    """
    bases = [pair for mentions in range(1, LARGEST + 1) for pair in list_pairs(mentions)]
    for mentions in DRAWN_SIZES:
        keys = [freeze(make_entities(sizes)) for sizes in list_sizes(mentions)]
        bases += [Pair(key, key) for key in keys]
        if mentions <= _LARGEST_CUT:
            bases += [Pair(key, cut) for key in keys for cut in cut_entities(key)]
        bases += draw_pairs(keys)
    return tuple(bases)


def cut_entities(key: Partition) -> Iterator[Partition]:
    """Yield the key with one entity cut in two, once for each size of an entity and of its parts."""
    for entity in {len(entity): entity for entity in key}.values():
        rest = [each for each in key if each is not entity]
        for at in range(1, len(entity) // 2 + 1):
            yield (*rest, entity[:at], entity[at:])


def list_bases_of_key(key: Partition) -> tuple[Pair, ...]:
    """Return pairs with a key of these sizes: all of up to six mentions; of a larger one, itself and drawn ones."""
    alike = freeze(make_entities(sorted(map(len, key), reverse=True)))
    if sum(map(len, key)) > LARGEST:
        return (Pair(alike, alike), *draw_pairs([alike]))
    return tuple(pair for pair in list_bases() if pair.key == alike)


def draw_pairs(keys: Sequence[Partition]) -> Iterator[Pair]:
    """Yield pairs of keys, which have the same mentions, and responses that differ from them, by a fixed seed."""
    numbers = random.Random(_SEED)  # noqa: S311 - a search, no secret
    mentions = sum(map(len, keys[0]))
    for number in range(_DRAWS):
        key = numbers.choice(keys)
        label = {mention: place for place, entity in enumerate(key) for mention in entity}
        for mention in numbers.sample(range(mentions), numbers.randint(1, min(mentions, DRAWN_SIZES[-1]))):
            label[mention] = numbers.randrange(len(key) + 1)
        if number % 2:
            for mention in numbers.sample(range(mentions), numbers.randint(1, 3)):
                del label[mention]
        response = [[mention for mention in label if label[mention] == place] for place in range(len(key) + 1)]
        yield Pair(key, freeze(response))


def draw_partition(partition: Partition) -> str:
    """Return the picture of a partition.

    >>> draw_partition(((0, 1), (2,)))
    '[a b] [c]'
    """
    return " ".join(f"[{' '.join(map(name_mention, entity))}]" for entity in sorted(partition)) or "(nothing)"


def name_mention(mention: int) -> str:
    """Return the name of a mention: a to z, then m26 and so on."""
    return chr(ord("a") + mention) if mention < 26 else f"m{mention}"
