"""Errors of every kind, made at a given rate in a key: the responses of which the error is known.

The kinds are those of `corefeval errors`, and mentions that are moved. With the same seed, the errors of a higher rate
include those of a lower one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval.corpus.union_find import UnionFind
from corefeval.lab.sides import NumberedSide


def corrupt_key(key: NumberedSide, kind: str, rate: float, seed: int) -> NumberedSide:
    """Return a key with errors of one of the KINDS: in a share of its mentions or, by kind, of its entities."""
    return KINDS[kind](key, rate, np.random.default_rng(seed))


def has_errors(key: NumberedSide, kind: str, rate: float, seed: int) -> bool:
    """Return whether `corrupt_key` makes any errors: not if the share of so few mentions or entities is none."""
    made = corrupt_key(key, kind, rate, seed)
    return not (np.array_equal(key.mention, made.mention) and np.array_equal(key.entity, made.entity))


def _choose(possible: Booleans, rate: float, random: np.random.Generator) -> Booleans:
    """Return a boolean for each place: whether it is among a share, drawn at random, of those that are possible."""
    places = random.permutation(np.flatnonzero(possible))
    chosen = np.zeros(len(possible), dtype=np.bool_)
    chosen[places[: round(rate * len(places))]] = True
    return chosen


def _draw_others(key: NumberedSide, entity: Ints, random: np.random.Generator) -> tuple[Ints, Booleans]:
    """Return for each entity of a column another one of its document, drawn at random, and whether there is any."""
    document = _list_entities(key)
    count = np.bincount(document, minlength=len(key.names))[document[entity]]
    first = np.searchsorted(document, document[entity])  # entities are numbered document by document
    step = 1 + (random.random(len(entity)) * np.maximum(1, count - 1)).astype(np.int64)
    return first + (entity - first + step) % count, count > 1


def _list_entities(key: NumberedSide) -> Ints:
    """Return the document of each entity."""
    document = np.zeros(int(key.entity.max(initial=-1)) + 1, dtype=np.int64)
    document[key.entity] = key.document
    return document


def _miss_mentions(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key without some of its mentions."""
    return key.keep(~_choose(np.ones(len(key.mention), dtype=np.bool_), rate, random))


def _add_mentions(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key with more mentions, each in the entity of a mention drawn at random."""
    mentions = len(key.mention)
    hosts = random.integers(mentions, size=mentions)[: round(rate * mentions)]
    return key.add(mentions + np.arange(len(hosts)), key.document[hosts], key.entity[hosts])


def _change_spans(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key with others in the place of some mentions, in the same entities."""
    wrong = _choose(np.ones(len(key.mention), dtype=np.bool_), rate, random)
    return key._replace(mention=key.mention + len(key.mention) * wrong)


def _miss_entities(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key without some of its entities."""
    return key.keep(~_choose(np.ones(len(_list_entities(key)), dtype=np.bool_), rate, random)[key.entity])


def _add_entities(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key with more entities, all of new mentions, each as large as one of its document drawn at random."""
    document, sizes = _list_entities(key), np.bincount(key.entity)
    models = random.integers(len(sizes), size=len(sizes))[: round(rate * len(sizes))]
    entity = (len(sizes) + np.arange(len(models))).repeat(sizes[models])
    return key.add(len(key.mention) + np.arange(len(entity)), document[models].repeat(sizes[models]), entity)


def _divide_entities(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key with some entities of two or more mentions in two parts, of random sizes and mentions."""
    sizes = np.bincount(key.entity)
    divided = _choose(sizes > 1, rate, random)
    stay = 1 + (random.random(len(sizes)) * (sizes - 1)).astype(np.int64)
    order = np.lexsort((random.random(len(key.entity)), key.entity))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - (np.cumsum(sizes) - sizes)[key.entity[order]]
    leaves = divided[key.entity] & (place >= stay[key.entity])
    return key._replace(entity=key.entity + len(sizes) * leaves)


def _conflate_entities(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key with some entities each merged with another one of its document, drawn at random."""
    entities = np.arange(len(_list_entities(key)))
    others, possible = _draw_others(key, entities, random)
    merged = np.flatnonzero(_choose(possible, rate, random))
    sets = UnionFind(entities.tolist())
    for one, other in zip(merged.tolist(), others[merged].tolist(), strict=True):
        sets.join(one, other)
    return key._replace(entity=np.array([sets.find(each) for each in entities.tolist()], dtype=np.int64)[key.entity])


def _move_mentions(key: NumberedSide, rate: float, random: np.random.Generator) -> NumberedSide:
    """Return the key with some mentions each in another entity of its document, drawn at random."""
    others, possible = _draw_others(key, key.entity, random)
    return key._replace(entity=np.where(_choose(possible, rate, random), others, key.entity))


KINDS: dict[str, Callable[[NumberedSide, float, np.random.Generator], NumberedSide]] = {
    "span error": _change_spans,
    "missing mention": _miss_mentions,
    "extra mention": _add_mentions,
    "moved mention": _move_mentions,
    "missing entity": _miss_entities,
    "extra entity": _add_entities,
    "divided entity": _divide_entities,
    "conflated entities": _conflate_entities,
}
"""The kinds of errors by name; a rate is a share of the mentions, from "missing entity" on of the entities."""
