"""Keys and responses that studies are made of: entities of given sizes, split, enlarged or added one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice

from corefeval.lab.findings import Curve, Figure
from corefeval.scoring.score import score

Entities = list[list[int]]

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


@dataclass(frozen=True, slots=True)
class Experiment:
    """Responses to the key of LEA's experiments, named by their place in a figure, and their F1 in per cent.

    f1: by measure, then by place.
    """

    responses: Mapping[str, Entities]
    f1: Mapping[str, Mapping[str, float]]

    def draw(self, horizontal: str, places: Sequence[float] = ()) -> Figure:
        """Return the figure, a curve for each measure; places: what the responses' names stand for, if numbers."""
        curves = tuple(Curve(name, tuple(column.values())) for name, column in self.f1.items())
        return Figure(horizontal, "F1", tuple(places or self.responses), curves)

    def swap_roles(self) -> float:
        """Return by how many points F1 changes at most, by any measure, if key and response change roles."""
        swapped = _score_f1({place: (response, LEA_KEY) for place, response in self.responses.items()})
        return max(
            abs(value - swapped[name][place]) for name, column in self.f1.items() for place, value in column.items()
        )


def score_responses(responses: Mapping[str, Entities]) -> Experiment:
    """Return the experiment with these responses to LEA_KEY, scored by all of MEASURES."""
    return Experiment(responses, _score_f1({place: (LEA_KEY, response) for place, response in responses.items()}))


def _score_f1(sides: Mapping[str, tuple[Entities, Entities]]) -> dict[str, dict[str, float]]:
    """Return {measure: {place: F1 in per cent}}, given {place: (key, response)}."""
    evaluations = {place: score(*both, measures=list(MEASURES)) for place, both in sides.items()}
    return {name: {place: 100 * evaluation[name].f1 for place, evaluation in evaluations.items()} for name in MEASURES}
