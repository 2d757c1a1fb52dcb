"""What every mention and every entity costs: the loss of a measure, 1 less its score, attributed to them.

Recall is a sum over key entities (MUC, CEAF, LEA, core) or key mentions (B³, mention detection, links), so what it
lacks of 1 is a sum of what each of them lacks; precision likewise over the response. And as

    1 - F = β²P / (β²P + R) · (1 - R)  +  R / (β²P + R) · (1 - P),

so is what F1 lacks. BLANC and the CoNLL average are means of such. Within an entity the cost goes to its mentions: by
B³, mention detection and CEAFm to each its own; by links (LEA, pairwise, BLANC) half of every wrong link to each of its
ends; by MUC to the mentions of a fragment alike, 1/n - 1/k each; by other measures to all mentions alike.

Where a mention stands in several entities, all this is counted as the scorer does whose way with duplicates was chosen
(`sides`, `links`). Some count what is shared more than once: a surplus, which lowers what others lack (`sums`).

For all other measures, and where a recall or a precision is above 1 for such a surplus, an entity costs what the score
gains without its mentions on both sides, and so does a mention (`leave_one_out`). These costs do not add up to the
loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefeval import measures as known
from corefeval.analysis.costs.leave_one_out import derive_gains, measure_gains, normalise_weights
from corefeval.analysis.costs.sums import find_parts
from corefeval.analysis.subsets import get_rows

if TYPE_CHECKING:
    from corefeval._arrays import Floats
    from corefeval.analysis.costs.sums import LossPart, SideLoss
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation


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
        """The costs of key entities, response entities, key mentions and response mentions."""
        return self.key_entities, self.response_entities, self.key_mentions, self.response_mentions


def compute_costs(evaluation: Evaluation, measure: Measure) -> Costs:
    """Compute the costs by one measure, with the evaluation's options."""
    measure = known.resolve_measure(measure, evaluation.options)
    fast = compute_costs_at_once(evaluation, measure)
    if fast is not None:
        return fast
    gains = measure_gains(evaluation, measure)
    return Costs(str(measure), False, _find_loss(evaluation, measure), 0.0, *gains)  # noqa: FBT003 - a column


def compute_costs_at_once(evaluation: Evaluation, measure: Measure) -> Costs | None:
    """Compute the costs if that needs no scoring without one mention after another; else None."""
    measure = known.resolve_measure(measure, evaluation.options)
    parts = find_parts(measure)
    if parts is not None:
        return _add_parts(evaluation, measure, parts)
    gains = derive_gains(evaluation, measure)
    return None if gains is None else Costs(str(measure), False, _find_loss(evaluation, measure), 0.0, *gains)  # noqa: FBT003


def _find_loss(evaluation: Evaluation, measure: Measure) -> float:
    score = evaluation[measure].main
    return 1 - score if measure.more_is_better else score


def _add_parts(evaluation: Evaluation, measure: Measure, parts: list[LossPart]) -> Costs | None:
    """Return exact costs: the sum over the measure's parts of their weighted recall and precision."""
    table, rows = evaluation.table, get_rows(evaluation)
    lengths = len(table.key.size), len(table.response.size), len(rows.key), len(rows.response)
    columns = [np.zeros(length) for length in lengths]
    for part in parts:
        losses = part.find_losses(evaluation)
        if losses is None:
            return None
        ours, theirs = losses
        recall_share, precision_share = _find_shares(evaluation, part, ours, theirs)
        columns[0] += ours.entities * recall_share[table.key.document]
        columns[1] += theirs.entities * precision_share[table.response.document]
        columns[2] += ours.mentions * recall_share[rows.key.document]
        columns[3] += theirs.mentions * precision_share[rows.response.document]
    loss = 1 - evaluation[measure].main
    rest = loss - float(columns[0].sum()) - float(columns[1].sum())
    return Costs(str(measure), True, loss, rest if abs(rest) > 1e-12 else 0.0, *columns)  # noqa: FBT003


def _find_shares(evaluation: Evaluation, part: LossPart, ours: SideLoss, theirs: SideLoss) -> tuple[Floats, Floats]:
    """Return by what a loss in each document's numerator is multiplied: 1 / denominator times its share in F."""
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
    share = part.share(evaluation) * (1.0 if micro else normalise_weights(evaluation.weights["f1"]))
    return (
        np.divide(share * of_recall, bottoms[0], out=np.zeros(len(recall)), where=bottoms[0] > 0),
        np.divide(share * (1 - of_recall), bottoms[1], out=np.zeros(len(recall)), where=bottoms[1] > 0),
    )
