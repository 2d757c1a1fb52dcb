"""What every mention and every entity costs: the loss of a measure, 1 less its score, attributed to them.

Recall is a sum over key entities (MUC, CEAF, LEA, core) or key mentions (B³, mention detection, links), so what it
lacks of 1 is a sum of what each of them lacks; precision likewise over the response. And as

    1 - F = β²P / (β²P + R) · (1 - R)  +  R / (β²P + R) · (1 - P),

so is what F1 lacks. BLANC and the CoNLL average are means of such. Within an entity the cost goes to its mentions: by
B³, mention detection and CEAFm to each its own; by links (LEA, pairwise, BLANC) half of every wrong link to each of its
ends; by MUC to the mentions of a fragment alike, 1/n - 1/k each; by other measures to all mentions alike.

Where a mention stands in several entities, all this is counted as the scorer does whose way with duplicates was chosen.
For all other measures, and where a recall or a precision is above 1, an entity costs what the score gains without its
mentions on both sides, and so does a mention (`leave_one_out`). These costs do not add up to the loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefeval import measures as known
from corefeval._arrays import Floats
from corefeval._lazy import NamedTuple
from corefeval.analysis.costs.exact import find_loss_parts
from corefeval.analysis.costs.leave_one_out import derive_gains, measure_gains
from corefeval.analysis.pooled_mentions import sort_by_text
from corefeval.measures import Measure
from corefeval.notices import Notice
from corefeval.overlap.views import Rows
from corefeval.scoring.layout import EvaluationResult
from corefeval.scoring.results import Evaluation
from corefeval.tables.table import Table, shorten_text
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from corefeval.analysis.analyse import Analysis

_SHOWN = 3  # mentions of an entity that are named
_WIDEST = 70


@dataclass(frozen=True, slots=True)
class Costs:
    """What a measure's main value loses by each entity and mention, by their rows; 0.01 is one point.

    exact: whether the costs of all entities (and those of all mentions) add up to `loss` less `rest`; if not, they are
    what the score gains without each. loss: 1 less the score. rest: what is nobody's, such as a precision of 0 where
    the response has no mentions.
    """

    measure: str
    exact: bool
    loss: float
    rest: float
    key_entities: Floats
    response_entities: Floats
    key_mentions: Floats
    response_mentions: Floats

    @property
    def columns(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Four arrays: the costs of key entities, response entities, key mentions and response mentions."""
        return self.key_entities, self.response_entities, self.key_mentions, self.response_mentions


def compute_costs(evaluation: Evaluation, measure: Measure) -> Costs:
    """Return the Costs of all entities and mentions by a measure: parts of its loss, or gains by leaving each out."""
    costs = compute_costs_without_rescoring(evaluation, measure)
    if costs is not None:
        return costs
    measure = known.resolve_measure(measure, evaluation.options)
    return _make_gain_costs(evaluation, measure, measure_gains(evaluation, measure))


def compute_costs_without_rescoring(evaluation: Evaluation, measure: Measure) -> Costs | None:
    """Return the Costs by a measure; None if that takes scoring again without one mention after another."""
    measure = known.resolve_measure(measure, evaluation.options)
    parts = None if evaluation.overlaps.views.of_sets else find_loss_parts(measure)  # twins alone do not add up there
    if parts is None:
        gains = derive_gains(evaluation, measure)
        return None if gains is None else _make_gain_costs(evaluation, measure, gains)
    attributed = []
    for part in parts:
        columns = part.attribute_loss(evaluation)
        if columns is None:
            return None
        attributed.append(columns)
    sums = [sum(columns[1:], columns[0]) for columns in zip(*attributed, strict=True)]
    loss = 1 - evaluation[measure].main
    rest = loss - float(sums[0].sum()) - float(sums[1].sum())
    return Costs(str(measure), True, loss, rest if abs(rest) > 1e-12 else 0.0, *sums)  # noqa: FBT003 - a column


def _make_gain_costs(evaluation: Evaluation, measure: Measure, gains: list[Floats]) -> Costs:
    """Return Costs of four arrays of gains: what the score would gain without each entity and each mention."""
    score = evaluation[measure].main
    return Costs(str(measure), False, 1 - score if measure.more_is_better else score, 0.0, *gains)  # noqa: FBT003


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
class Worst(EvaluationResult):
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
    def remarks(self) -> tuple[str, ...]:
        """Sentences: by which measures costs add up to the loss, what is nobody's cost, and which costs are gains."""
        sums = [name for name, exact in self.exact.items() if exact]
        others = [name for name, exact in self.exact.items() if not exact]
        rests = [f"{name} {100 * self.rests[name]:.3f}" for name in sums if self.rests[name]]
        lines = []
        if sums:
            lines.append(f"{', '.join(sums)}: the costs of all entities, and of all mentions, add up to the loss")
        if rests:
            lines.append(f"but for what no mention costs, as a side has nothing to count (0/0): {', '.join(rests)}")
        if others:
            lines.append(f"{', '.join(others)}: what the score gains without it (leave-one-out); that does not add up")
        return tuple(lines)

    def tables(self) -> Iterator[Table]:
        """Yield a table of the costliest entities and one of the costliest mentions, in points by each measure."""
        for title, listed in (("Entities", self.entities), ("Mentions", self.mentions)):
            body = []
            for each in listed:
                words = shorten_text(", ".join(each.words[:_SHOWN]), _WIDEST)
                more = f" and {len(each.words) - _SHOWN} more" if len(each.words) > _SHOWN else ""
                points = (f"{100 * each.cost[name]:.3f}" for name in self.exact)
                body.append([f"{words}{more}", each.side, each.document, str(each.line or ""), *points])
            head = ["mentions", "in", "document", "line", *self.exact]
            yield Table(f"{title} that cost most by {self.measure}, in points", head, body, 3)

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each of the costliest entities, then for each of the mentions."""
        rows = [
            (what, each.side, each.document, each.line, " | ".join(each.words), *each.cost.values())
            for what, listed in (("entity", self.entities), ("mention", self.mentions))
            for each in listed
        ]
        return collect_columns(("what", "side", "document", "line", "words", *self.exact), rows)

    def build_content(self) -> dict[str, object]:
        """Return the costliest entities and mentions, and the loss by each measure, as plain objects for JSON."""
        entities, mentions = (
            [{name: value for name, value in each._asdict().items() if name != "number"} for each in listed]
            for listed in (self.entities, self.mentions)
        )
        measures = {
            name: {"exact": exact, "loss": self.losses[name], "rest": self.rests[name]}
            for name, exact in self.exact.items()
        }
        return self.frame_content(
            {"ranked_by": self.measure, "measures": measures, "entities": entities, "mentions": mentions}
        )


def find_worst(analysis: Analysis, most: int, ranking: Measure) -> Worst:
    """Return Worst: the `most` entities of both sides, and as many mentions, that cost most by the ranking measure."""
    costs = {str(each): analysis.costs(each) for each in dict.fromkeys((ranking, *analysis.evaluation.measures))}
    entities = {name: np.concatenate([each.key_entities, each.response_entities]) for name, each in costs.items()}
    mentions = {name: np.concatenate(combine_twins(analysis.rows, each)) for name, each in costs.items()}
    name = str(ranking)
    return Worst(
        analysis.evaluation,
        name,
        {name: each.exact for name, each in costs.items()},
        {name: each.loss for name, each in costs.items()},
        {name: each.rest for name, each in costs.items()},
        tuple(_list_costliest(analysis.rows, entities, name, most, entities=True)),
        tuple(_list_costliest(analysis.rows, mentions, name, most, entities=False)),
        analysis.left_out,
    )


def combine_twins(rows: Rows, costs: Costs) -> tuple[Floats, Floats]:
    """Return two arrays: costs of key mentions, with their twins' if exact, and of response mentions, 0 for twins."""
    key, response = costs.key_mentions.copy(), costs.response_mentions.copy()
    if costs.exact:
        np.add.at(key, rows.twin_key, response[rows.twin_response])
    response[rows.twin_response] = 0
    return key, response


def _list_costliest(
    rows: Rows, costs: Mapping[str, Floats], ranking: str, most: int, *, entities: bool
) -> Iterator[ItemCost]:
    """Yield ItemCosts of the `most` entities, or mentions, that cost most, above 0; columns have the key's first."""
    ours = len(rows.key.entity_document) if entities else len(rows.key)
    for place in np.argsort(-costs[ranking], kind="stable")[:most].tolist():
        if costs[ranking][place] <= 0:
            break
        corpus, side, number = (rows.key, "key", place) if place < ours else (rows.response, "response", place - ours)
        members = [number]
        if entities:
            order, start = corpus.by_entity
            members = sort_by_text(corpus, order[start[number] : start[number + 1]].tolist())
        elif side == "key" and number in rows.twin_key:
            side = "both"
        document, words = corpus.documents[int(corpus.document[members[0]])], tuple(map(corpus.describe, members))
        cost = {name: float(column[place]) for name, column in costs.items()}
        yield ItemCost(side, document, corpus.line(members[0]), words, number, cost)
