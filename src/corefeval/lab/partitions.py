"""Keys and responses that studies are made of: entities of given sizes, split, enlarged or added one by one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Sized
from itertools import chain, count, islice
from typing import TypeAlias

from corefeval._lazy import NamedTuple
from corefeval.lab.findings import Figure, Number
from corefeval.scoring.score import score

Entities: TypeAlias = list[list[int]]
AnyEntities: TypeAlias = Sequence[Sequence[Hashable]]


class ComparedSides(NamedTuple):
    """A key, and responses to it by name, as entities of any mentions."""

    key: AnyEntities
    responses: Mapping[str, AnyEntities]


Partitions: TypeAlias = Mapping[str, ComparedSides]
"""What a study compares, by the name of what a key stands for."""

MEASURES = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
"""The measures in all experiments of Moosavi & Strube 2016, section 7."""


def make_entities(sizes: Iterable[int]) -> Entities:
    """Return entities of these sizes; their mentions are numbered from 0 on.

    >>> make_entities([2, 1])
    [[0, 1], [2]]
    """
    mentions = count()
    return [list(islice(mentions, size)) for size in sizes]


LEA_KEY = make_entities((20, 10, 10, 5, 5, 5, 4, *[2] * 10))
"""The key there."""


def split_entity(entities: Entities, sizes: Sequence[int]) -> Entities:
    """Return the entities with the first one whose size is the sum of `sizes` split into parts of these sizes."""
    whole = next(entity for entity in entities if len(entity) == sum(sizes))
    parts = [[whole[place] for place in part] for part in make_entities(sizes)]
    return [each for entity in entities for each in (parts if entity is whole else [entity])]


def count_links(entities: Iterable[Sized]) -> int:
    """Return how many coreference links entities have: n (n − 1) / 2 each."""
    return sum(len(entity) * (len(entity) - 1) // 2 for entity in entities)


def list_growing_responses(key: Entities) -> list[Entities]:
    """Return responses without wrong links, each with one right mention more: entity by entity, in the key's order."""
    grown: list[Entities] = [[]]
    for place, entity in enumerate(key):
        grown += [[*key[:place], entity[:size]] for size in range(2, len(entity) + 1)]
    return grown


def pair_wrongly(key: Entities, mentions: Iterable[int]) -> Entities:
    """Return entities of two mentions of different key entities; a last mention alone joins the first that it can.

    A pair is of the two key entities that have most of the mentions left, of which the first ones are taken.
    """
    chosen = set(mentions)
    left = [[mention for mention in entity if mention in chosen] for entity in key]
    owner = {mention: place for place, entity in enumerate(key) for mention in entity}
    pairs: Entities = []
    while len(most := sorted(filter(None, left), key=len, reverse=True)) > 1:
        pairs.append([most[0].pop(0), most[1].pop(0)])
    for mention in chain(*left):
        next(pair for pair in pairs if all(owner[mention] != owner[other] for other in pair)).append(mention)
    return pairs


def score_responses(
    responses: Mapping[str, Sequence[Sequence[Hashable]]], *, as_keys: bool = False
) -> dict[str, dict[str, float]]:
    """Return {measure: {response: F1 in per cent}} of responses to LEA_KEY by all of MEASURES.

    as_keys: whether key and responses change roles.
    """
    sides = {name: (response, LEA_KEY) if as_keys else (LEA_KEY, response) for name, response in responses.items()}
    found = {name: score(*both, measures=list(MEASURES)) for name, both in sides.items()}
    return {measure: {name: 100 * each[measure].f1 for name, each in found.items()} for measure in MEASURES}


def compare_roles(responses: Mapping[str, AnyEntities]) -> float:
    """Return by how many points F1 changes at most, by any measure, if key and response change roles."""
    there, back = score_responses(responses), score_responses(responses, as_keys=True)
    return max(abs(value - back[measure][name]) for measure in MEASURES for name, value in there[measure].items())


def draw_f1(f1: Mapping[str, Mapping[str, float]], horizontal: str, places: Sequence[Number] = ()) -> Figure:
    """Return the figure of `score_responses`; places: what the responses' names stand for, if numbers."""
    return Figure(horizontal, "F1", places or list(f1["muc"]), {name: list(each.values()) for name, each in f1.items()})
