"""What every mention and every entity costs: the loss of a measure, 1 less its score, told apart.

Recall is a sum over key entities (MUC, CEAF, LEA, core) or key mentions (B³, mention detection, links), so what it
lacks of 1 is a sum of what each of them lacks; precision likewise over the response. And as

    1 - F = β²P / (β²P + R) · (1 - R)  +  R / (β²P + R) · (1 - P),

so is what F1 lacks. BLANC and the CoNLL average are means of such. Within an entity the cost goes to its mentions: by
B³, mention detection and CEAFm to each its own; by links (LEA, pairwise, BLANC) half of every wrong link to each of its
ends; by MUC to the mentions of a fragment alike, 1/n - 1/k each; by other measures to all mentions alike.

Where a mention stands in several entities, all this is counted as the scorer does whose way with duplicates was chosen
(`sides`, `linked`). Some count what is shared more than once: a surplus, which lowers what others lack (`sums`).

For all other measures, and where a recall or a precision is above 1 for such a surplus, an entity costs what the score
gains once its mentions are left out of both sides, and so does a mention. These costs do not add up to the loss.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import measures as known
from corefeval.analysis.costs import leave_one_out
from corefeval.analysis.costs.sums import PARTS, Loss, Part
from corefeval.analysis.subsets import of_document, restricted, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Array, Floats, Ints
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation


class Costs(NamedTuple):
    """What a measure's main value loses by each entity and mention, by their rows; 0.01 is one point.

    exact: whether the costs of all entities (and those of all mentions) add up to `loss` less `rest`.
    loss: 1 less the score. rest: what is nobody's, such as a precision of 0 where the response has nothing.
    Where the costs are not exact, those of entities and of mentions are `leave-one-out`.
    """

    measure: str
    exact: bool
    loss: float
    rest: float
    key_entities: Floats
    response_entities: Floats
    key_mentions: Floats
    response_mentions: Floats


def costs(evaluation: Evaluation, measure: Measure) -> Costs:
    """The costs by one measure, as the evaluation's options have it."""
    return at_once(evaluation, measure) or _left_out(evaluation, known.meant(measure, evaluation.options))


def at_once(evaluation: Evaluation, measure: Measure) -> Costs | None:
    """The costs, if they can be had without leaving out one mention after another."""
    measure = known.meant(measure, evaluation.options)
    summed = PARTS.get(type(measure))
    parts = None if summed is None else summed(measure)
    if parts is not None:
        return _added(evaluation, measure, parts)
    gains = leave_one_out.gains(evaluation, measure)
    return None if gains is None else Costs(str(measure), False, _loss(evaluation, measure), 0.0, *gains)  # noqa: FBT003


def _loss(evaluation: Evaluation, measure: Measure) -> float:
    whole = evaluation[measure].main
    return 1 - whole if measure.more_is_better else whole


def _added(evaluation: Evaluation, measure: Measure, parts: list[Part]) -> Costs | None:
    """Exact: the sum over the measure's parts of their weighted recall and precision."""
    table = evaluation.table
    columns = [np.zeros(len(table.key.size)), np.zeros(len(table.response.size))]
    rows = rows_of(evaluation)
    columns += [np.zeros(len(rows.key)), np.zeros(len(rows.response))]
    for part in parts:
        losses = part.losses(evaluation)
        if losses is None:
            return None
        ours, theirs = losses
        for_recall, for_precision = _shares(evaluation, part, ours, theirs)
        columns[0] += ours.entities * for_recall[table.key.document]
        columns[1] += theirs.entities * for_precision[table.response.document]
        columns[2] += ours.mentions * for_recall[rows.key.document]
        columns[3] += theirs.mentions * for_precision[rows.response.document]
    loss = 1 - evaluation[measure].main
    rest = loss - float(columns[0].sum()) - float(columns[1].sum())
    return Costs(str(measure), True, loss, rest if abs(rest) > 1e-12 else 0.0, *columns)  # noqa: FBT003 - a column


def _shares(evaluation: Evaluation, part: Part, ours: Loss, theirs: Loss) -> tuple[Floats, Floats]:
    """By what a loss in numerators is multiplied in each document: over the denominator, times its share in F."""
    micro = evaluation.options.average == "micro"
    bottoms = [np.asarray(side.denominator, dtype=np.float64).reshape(-1) for side in (ours, theirs)]
    tops = [np.asarray(side.numerator, dtype=np.float64).reshape(-1) for side in (ours, theirs)]
    if micro:
        tops, bottoms = ([np.full(len(c), c.sum()) for c in columns] for columns in (tops, bottoms))
    recall, precision = (
        np.divide(top, bottom, out=np.full(len(top), float(part.undefined)), where=bottom > 0)
        for top, bottom in zip(tops, bottoms, strict=True)
    )
    square = float(getattr(part.measure, "beta", 1.0)) ** 2
    weighted = square * precision + recall
    nothing = weighted == 0
    # Where neither is above 0, the side that has anything bears it all; if both have, they share it.
    alone = np.where(bottoms[1] == 0, 1.0, np.where(bottoms[0] == 0, 0.0, square / (1 + square)))
    of_recall = np.where(nothing, alone, square * precision / np.where(nothing, 1, weighted))
    share = part.share(evaluation) * (1.0 if micro else _weights(evaluation.weights["f1"]))
    return (
        np.divide(share * of_recall, bottoms[0], out=np.zeros(len(recall)), where=bottoms[0] > 0),
        np.divide(share * (1 - of_recall), bottoms[1], out=np.zeros(len(recall)), where=bottoms[1] > 0),
    )


def _weights(weights: Array) -> Floats:
    total = float(weights.sum())
    return weights / total if total else np.zeros(len(weights))


def _left_out(evaluation: Evaluation, measure: Measure) -> Costs:
    """What the score gains without each entity, and without each mention, in one document after another."""
    rows = rows_of(evaluation)
    whole = evaluation[measure].main
    better = 1 if measure.more_is_better else -1
    entities = [np.zeros(len(corpus.entity_document)) for corpus in (rows.key, rows.response)]
    mentions = [np.zeros(len(corpus)) for corpus in (rows.key, rows.response)]
    others = _Others(evaluation, measure)
    for number, name in enumerate(evaluation.document_names):
        part = of_document(evaluation, name)
        here = [np.flatnonzero(corpus.document == number) for corpus in (rows.key, rows.response)]
        first = [int(np.searchsorted(corpus.entity_document, number)) for corpus in (rows.key, rows.response)]
        for side, entity, members in _entities(part):
            gain = better * (others.with_instead(number, _without(part, members)) - whole)
            entities[side][first[side] + entity] = gain
        for alike in _alike(part, measure):
            gain = better * (others.with_instead(number, _without(part, (alike[0][:1], alike[1][:1]))) - whole)
            for side in (0, 1):
                mentions[side][here[side][alike[side]]] = gain
    return Costs(str(measure), False, _loss(evaluation, measure), 0.0, *entities, *mentions)  # noqa: FBT003


class _Others:
    """The counts of all documents but one."""

    def __init__(self, evaluation: Evaluation, measure: Measure) -> None:
        self.evaluation, self.measure = evaluation, measure
        self.counts = {name: np.atleast_1d(column) for name, column in evaluation.table.count(measure).items()}

    def with_instead(self, document: int, part: Evaluation) -> float:
        """The score with another evaluation of one document."""
        new = part.table.count(self.measure)
        counts = {name: column.copy() for name, column in self.counts.items()}
        for name, column in counts.items():
            column[document] = new[name]
        if self.evaluation.options.average != "micro":
            scores = np.atleast_1d(self.measure.score(counts)[self.measure.main])
            weights = np.array(self.evaluation.weights["f1"])
            if self.evaluation.options.average != "macro" and len(weights) > 1:
                weights[document] = part.table.key.mentions + part.table.response.mentions
            return float(_weights(weights) @ scores)
        sums = {name: column.sum().item() for name, column in counts.items()}
        return float(self.measure.score(sums)[self.measure.main])


def _entities(part: Evaluation) -> Iterator[tuple[int, int, tuple[Ints, Ints]]]:
    """Every entity of each side, with its mentions and their twins as rows of key and response."""
    rows = rows_of(part)
    twins = (rows.twin_key, rows.twin_response)
    for side, corpus in enumerate((rows.key, rows.response)):
        order, start = corpus.by_entity
        for entity in range(len(start) - 1):
            own = order[start[entity] : start[entity + 1]]
            other = twins[1 - side][np.isin(twins[side], own)]
            yield side, entity, (own, other) if side == 0 else (other, own)


def _alike(part: Evaluation, measure: Measure) -> Iterator[tuple[Ints, Ints]]:
    """Mentions that make no difference for each other, as rows of key and response.

    For measures that see the table only, those are the mentions that two entities share, in the order of both; unless
    some of them are in other entities, too, or worth less than a whole mention.
    """
    rows = rows_of(part)
    apart = measure.needs_mentions or rows.repeated is not None or rows.credit is not None
    width = max(1, len(rows.response.entity_document))
    cell = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    twins = np.arange(len(cell))
    for chosen in _grouped(twins, twins if apart else cell):
        yield rows.twin_key[chosen], rows.twin_response[chosen]
    none = np.zeros(0, dtype=np.int64)
    for place, (corpus, twin) in enumerate(((rows.key, rows.twin_key), (rows.response, rows.twin_response))):
        alone = np.setdiff1d(np.arange(len(corpus)), twin)
        for chosen in _grouped(alone, alone if apart else corpus.entity[alone]):
            yield (chosen, none) if place == 0 else (none, chosen)


def _grouped(rows: Ints, group: Ints) -> Iterator[Ints]:
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(order)]):
        yield rows[order[start:end]]


def _without(part: Evaluation, members: tuple[Ints, Ints]) -> Evaluation:
    """Without these mentions, in any entity that has them."""
    rows = rows_of(part)
    if rows.repeated is None:
        keep = [np.ones(len(corpus), dtype=np.bool_) for corpus in (rows.key, rows.response)]
        for chosen, gone in zip(keep, members, strict=True):
            chosen[gone] = False
    else:
        numbers = rows.repeated[:2]
        left_out = np.concatenate([number[gone] for number, gone in zip(numbers, members, strict=True)])
        keep = [~np.isin(number, left_out) for number in numbers]
    return restricted(part, keep[0], keep[1])
