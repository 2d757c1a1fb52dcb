"""The entities and mentions that cost most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.pooled_mentions import sort_by_text
from corefeval.tables.result import Result
from corefeval.tables.table import Table, shorten
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefeval._arrays import Floats
    from corefeval.analysis.analyse import Analysis
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.scoring.results import Evaluation
    from corefeval.tables.text import Style

_SIDES = ("key", "response")


class ItemCost(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Worst(Result):
    """What costs most by `measure`, most first.

    exact: by which measures costs add up to the loss; losses, rests: the loss by each, and what is nobody's cost.
    """

    evaluation: Evaluation
    measure: str
    exact: Mapping[str, bool]
    losses: Mapping[str, float]
    rests: Mapping[str, float]
    entities: tuple[ItemCost, ...]
    mentions: tuple[ItemCost, ...]
    left_out: tuple[Notice, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the scores."""
        return (*self.evaluation.notices, *self.left_out)

    @property
    def signatures(self) -> tuple[str, ...]:
        """How scores were made, in one line."""
        return (self.evaluation.signature,)

    @property
    def remarks(self) -> tuple[str, ...]:
        """By which measures costs add up, and by which they do not."""
        sums = [name for name, exact in self.exact.items() if exact]
        others = [name for name, exact in self.exact.items() if not exact]
        lines = (
            [f"{', '.join(sums)}: the costs of all entities, and of all mentions, add up to the loss"] if sums else []
        )
        rests = [f"{name} {100 * self.rests[name]:.3f}" for name in sums if self.rests[name]]
        if rests:
            lines.append(f"beside what is nobody's, as there is nothing on a side (0/0): {', '.join(rests)}")
        if others:
            lines.append(f"{', '.join(others)}: what the score gains without it (leave-one-out); that does not add up")
        return tuple(lines)

    def describe(self, style: Style) -> list[str]:
        """Return a line for the key and one for the response."""
        return self.evaluation.describe(style)

    def tables(self) -> Iterator[Table]:
        """Yield entities, and mentions, with what they cost by each measure."""
        for title, listed in (("Entities", self.entities), ("Mentions", self.mentions)):
            body = [
                [
                    _describe_words(each.words),
                    each.side,
                    each.document,
                    str(each.line or ""),
                    *(f"{100 * each.cost[name]:.3f}" for name in self.exact),
                ]
                for each in listed
            ]
            head = ["words", "in", "document", "line", *self.exact]
            yield Table(f"{title} that cost most by {self.measure}, in points", head, body, 3)

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each entity, then for each mention."""
        rows = [
            (what, each.side, each.document, each.line, " | ".join(each.words), *each.cost.values())
            for what, listed in (("entity", self.entities), ("mention", self.mentions))
            for each in listed
        ]
        return collect_columns(("what", "side", "document", "line", "words", *self.exact), rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects."""
        return {
            "key": self.evaluation.key,
            "response": self.evaluation.response,
            "signature": self.evaluation.signature,
            "ranked_by": self.measure,
            "measures": {
                name: {"exact": exact, "loss": self.losses[name], "rest": self.rests[name]}
                for name, exact in self.exact.items()
            },
            "entities": [_list_costly(each) for each in self.entities],
            "mentions": [_list_costly(each) for each in self.mentions],
            "notices": [notice.to_dict() for notice in self.notices],
        }


_SHOWN = 3  # mentions of an entity that are named
_WIDEST = 70


def _describe_words(words: Sequence[str]) -> str:
    shown = shorten(", ".join(words[:_SHOWN]), _WIDEST)
    return shown if len(words) <= _SHOWN else f"{shown} and {len(words) - _SHOWN} more"


def _list_costly(each: ItemCost) -> dict[str, object]:
    return {name: value for name, value in each._asdict().items() if name != "number"}


def find_worst(analysis: Analysis, most: int, ranking: Measure) -> Worst:
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
        analysis.evaluation,
        name,
        {name: each.exact for name, each in costs.items()},
        {name: each.loss for name, each in costs.items()},
        {name: each.rest for name, each in costs.items()},
        tuple(_entity(analysis, place, entities) for place in _most(entities[name], most)),
        tuple(_mention(analysis, place, mentions) for place in _most(mentions[name], most)),
        analysis.left_out,
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


def _entity(analysis: Analysis, place: int, costs: dict[str, Floats]) -> ItemCost:
    rows = analysis.rows
    ours = len(rows.key.entity_document)
    side, number = (0, place) if place < ours else (1, place - ours)
    corpus = (rows.key, rows.response)[side]
    order, start = corpus.by_entity
    members = sort_by_text(corpus, order[start[number] : start[number + 1]].tolist())
    return ItemCost(
        _SIDES[side],
        corpus.documents[int(corpus.entity_document[number])],
        corpus.line(members[0]),
        tuple(corpus.describe(row) for row in members),
        number,
        {name: float(cost[place]) for name, cost in costs.items()},
    )


def _mention(analysis: Analysis, place: int, costs: dict[str, Floats]) -> ItemCost:
    rows = analysis.rows
    side, row = (0, place) if place < len(rows.key) else (1, place - len(rows.key))
    corpus = (rows.key, rows.response)[side]
    return ItemCost(
        "both" if side == 0 and row in rows.twin_key else _SIDES[side],
        corpus.documents[int(corpus.document[row])],
        corpus.line(row),
        (corpus.describe(row),),
        row,
        {name: float(cost[place]) for name, cost in costs.items()},
    )
