"""Keys and responses that studies are made of: entities of given sizes, split, enlarged or added one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, islice

from corefeval.lab.findings import Curve, Figure
from corefeval.measures.score import Score
from corefeval.scoring.score import score

Entities = list[list[int]]

MEASURES = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
"""The measures in all experiments of Moosavi & Strube 2016, section 7."""

LEA_SIZES = (20, 10, 10, 5, 5, 5, 4, *[2] * 10)
"""The sizes of the key entities there."""


def make_entities(sizes: Iterable[int]) -> Entities:
    """Return entities of these sizes; their mentions are numbered from 0 on.

    >>> make_entities([2, 1])
    [[0, 1], [2]]
    """
    mentions = count()
    return [list(islice(mentions, size)) for size in sizes]


def split_entity(entities: Entities, sizes: Sequence[int]) -> Entities:
    """Return the entities with the first one whose size is the sum of `sizes` split into parts of these sizes."""
    whole = next(entity for entity in entities if len(entity) == sum(sizes))
    parts = [[whole[place] for place in part] for part in make_entities(sizes)]
    return [each for entity in entities for each in (parts if entity is whole else [entity])]


def count_links(entities: Iterable[Sequence[int]]) -> int:
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
    for mention in (mention for entity in left for mention in entity):
        next(pair for pair in pairs if all(owner[mention] != owner[other] for other in pair)).append(mention)
    return pairs


def score_responses(key: Entities, responses: Mapping[str, Entities], names: Sequence[str]) -> dict[str, list[Score]]:
    """Return for each measure the scores of all responses, in their order."""
    evaluations = [score(key, response, measures=list(names)) for response in responses.values()]
    return {name: [evaluation[name] for evaluation in evaluations] for name in names}


def tabulate_scores(places: Iterable[str], scores: Mapping[str, Sequence[Score]]) -> dict[str, dict[str, float]]:
    """Return {measure: {place: main score in per cent}}, given the scores of responses that stand at these places."""
    named = list(places)
    return {
        name: {place: 100 * each.main for place, each in zip(named, column, strict=True)}
        for name, column in scores.items()
    }


def swap_roles(key: Entities, responses: Mapping[str, Entities], scores: Mapping[str, Sequence[Score]]) -> float:
    """Return by how many points a measure's main score changes at most if key and response change roles."""
    swapped = [score(response, key, measures=list(scores)) for response in responses.values()]
    return max(
        abs(100 * each.main - 100 * evaluation[name].main)
        for name, column in scores.items()
        for each, evaluation in zip(column, swapped, strict=True)
    )


def draw_scores(horizontal: str, places: Sequence[float | str], scores: Mapping[str, Sequence[Score]]) -> Figure:
    """Return the figure of measures' main scores in per cent, a curve for each measure."""
    curves = tuple(Curve(name, tuple(100 * each.main for each in column)) for name, column in scores.items())
    return Figure(horizontal, "F1", tuple(places), curves)
