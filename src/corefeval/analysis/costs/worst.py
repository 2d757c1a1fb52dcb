"""The entities and mentions that cost most."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.items import in_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Floats
    from corefeval.analysis.analyse import Analysis
    from corefeval.measures import Measure

_SIDES = ("key", "response")


class Costly(NamedTuple):
    """An entity or a mention, and what it costs by every measure asked for; 0.01 is one point.

    side: "key" or "response"; for a mention "both" where it has a twin. number: of the entity, or the row of the
    mention, in the corpus of that side (of the key, if both).
    words: the mentions of the entity, in the order of the text; or the mention.
    """

    side: str
    document: str
    line: int | None
    words: tuple[str, ...]
    number: int
    cost: dict[str, float]


class Worst(NamedTuple):
    """What costs most by `measure`, most first. exact: by which measures costs add up to the loss."""

    measure: str
    exact: dict[str, bool]
    entities: tuple[Costly, ...]
    mentions: tuple[Costly, ...]


def found(analysis: Analysis, most: int, ranking: Measure) -> Worst:
    """The worst entities of both sides, and the worst mentions."""
    asked = dict.fromkeys((ranking, *analysis.evaluation.measures))
    costs = {str(measure): analysis.costs(measure) for measure in asked}
    entities = {name: np.concatenate([each.key_entities, each.response_entities]) for name, each in costs.items()}
    mentions = {
        name: _together(analysis, each.key_mentions, each.response_mentions, exact=each.exact)
        for name, each in costs.items()
    }
    name = str(ranking)
    return Worst(
        name,
        {name: each.exact for name, each in costs.items()},
        tuple(_entity(analysis, place, entities) for place in _most(entities[name], most)),
        tuple(_mention(analysis, place, mentions) for place in _most(mentions[name], most)),
    )


def _most(cost: Floats, most: int) -> Iterator[int]:
    for place in np.argsort(-cost, kind="stable")[:most].tolist():
        if cost[place] > 0:
            yield place


def _together(analysis: Analysis, ours: Floats, theirs: Floats, *, exact: bool) -> Floats:
    """The mentions of the key with their twins, then those of the response; a twin's cost goes to the key's."""
    rows = analysis.rows
    key, response = ours.copy(), theirs.copy()
    if exact:
        key[rows.twin_key] += theirs[rows.twin_response]
    response[rows.twin_response] = 0
    return np.concatenate([key, response])


def _entity(analysis: Analysis, place: int, costs: dict[str, Floats]) -> Costly:
    rows = analysis.rows
    ours = len(rows.key.entity_document)
    side, number = (0, place) if place < ours else (1, place - ours)
    corpus = (rows.key, rows.response)[side]
    order, start = corpus.by_entity
    members = in_text(corpus, order[start[number] : start[number + 1]].tolist())
    return Costly(
        _SIDES[side],
        corpus.documents[int(corpus.entity_document[number])],
        corpus.line(members[0]),
        tuple(corpus.describe(row) for row in members),
        number,
        {name: float(cost[place]) for name, cost in costs.items()},
    )


def _mention(analysis: Analysis, place: int, costs: dict[str, Floats]) -> Costly:
    rows = analysis.rows
    side, row = (0, place) if place < len(rows.key) else (1, place - len(rows.key))
    corpus = (rows.key, rows.response)[side]
    return Costly(
        "both" if side == 0 and row in rows.twin_key else _SIDES[side],
        corpus.documents[int(corpus.document[row])],
        corpus.line(row),
        (corpus.describe(row),),
        row,
        {name: float(cost[place]) for name, cost in costs.items()},
    )
