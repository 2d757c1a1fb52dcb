"""Keys and responses that studies are made of: entities of given sizes, split, enlarged or added one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, islice

from corefeval.lab.findings import Curve, Figure
from corefeval.measures.score import Score
from corefeval.scoring.score import score

Entities = list[list[int]]

LEA_SIZES = (20, 10, 10, 5, 5, 5, 4, *[2] * 10)
"""The sizes of the key entities in all experiments of Moosavi & Strube 2016, section 7."""


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


def score_responses(key: Entities, responses: Mapping[str, Entities], names: Sequence[str]) -> dict[str, list[Score]]:
    """Return for each measure the scores of all responses, in their order."""
    evaluations = [score(key, response, measures=list(names)) for response in responses.values()]
    return {name: [evaluation[name] for evaluation in evaluations] for name in names}


def draw_scores(horizontal: str, places: Sequence[float | str], scores: Mapping[str, Sequence[Score]]) -> Figure:
    """Return the figure of measures' main scores in per cent, a curve for each measure."""
    curves = tuple(Curve(name, tuple(100 * each.main for each in column)) for name, column in scores.items())
    return Figure(horizontal, "F1", tuple(places), curves)
