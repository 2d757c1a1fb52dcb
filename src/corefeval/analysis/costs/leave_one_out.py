"""Costs by leaving out: what a score gains without each entity, and without each mention.

For measures whose counts are sums of a function of sizes, all of them at once. Such as pairs of mentions, C(k), C(r),
C(n) and C(E): without a mention, one entity of each side, what these two share, and the document are smaller by one,
and all other terms stay. So the counts without each mention, and without each entity, are known from those with all,
and one call scores them all. For other measures, one after another.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows, restrict_mentions, select_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefeval._arrays import Array, Floats, Ints
    from corefeval.analysis.costs.sides import MentionSide
    from corefeval.measures import Measure
    from corefeval.measures.base import SizeTerm
    from corefeval.scoring.results import Evaluation


class Gains(NamedTuple):
    """What the score is without each entity and each mention, less what it is."""

    key_entities: Floats
    response_entities: Floats
    key_mentions: Floats
    response_mentions: Floats


def derive_gains(evaluation: Evaluation, measure: Measure) -> Gains | None:
    """Return all gains at once, if they follow from the counts; else None."""
    terms, tables = measure.size_terms, evaluation.overlaps
    plain = not tables.views.has_repeats and tables.splits is None and tables.before is None
    plain = plain and measure.name not in tables.skipped_singletons
    if not terms or not plain or evaluation.options.average not in ("micro", "macro"):
        return None
    key, response, _ = view_sides(evaluation)
    scorer = _ChangeScorer(evaluation, measure)
    return Gains(
        scorer.score_changes(key.table.key.document, _remove_entities(terms, key, ("key", "response"))),
        scorer.score_changes(response.table.key.document, _remove_entities(terms, response, ("response", "key"))),
        scorer.score_changes(key.document, _remove_mentions(terms, key, ("key", "response"))),
        scorer.score_changes(response.document, _remove_mentions(terms, response, ("response", "key"))),
    )


class _ChangeScorer:
    """Scores what changes in the counts of single documents make of the whole score."""

    def __init__(self, evaluation: Evaluation, measure: Measure) -> None:
        self.measure, self.micro = measure, evaluation.options.average == "micro"
        self.counts = {name: np.atleast_1d(column) for name, column in evaluation.count(measure).items()}
        weights = np.asarray(evaluation.weights["f1"], dtype=np.float64)
        self.share = weights / (weights.sum() or 1.0)

    def score_changes(self, document: Ints, change: dict[str, Array]) -> Floats:
        """Return the gain by each change (a row of the columns in `change`) of the counts of its document."""
        before = {
            name: np.broadcast_to(column.sum(), len(document)) if self.micro else column[document]
            for name, column in self.counts.items()
        }
        after = self._score({name: before[name] + change[name] for name in before})
        gain = after - self._score(before)
        return gain if self.micro else gain * self.share[document]

    def _score(self, counts: dict[str, Array]) -> Floats:
        return np.asarray(self.measure.score(counts)[self.measure.main], dtype=np.float64)


def _remove_mentions(terms: Mapping[str, SizeTerm], side: MentionSide, names: tuple[str, str]) -> dict[str, Array]:
    """Return how the counts change without each mention: every size that it is part of is smaller by one."""
    sizes = {
        "all": _count_mentions(side)[side.document],
        names[0]: side.size,
        names[1]: side.other_size,
        "common": side.fragment,
    }
    return {
        name: function(np.maximum(sizes[which] - 1, 0)) - function(sizes[which])
        for name, (which, function) in terms.items()
    }


def _remove_entities(terms: Mapping[str, SizeTerm], side: MentionSide, names: tuple[str, str]) -> dict[str, Array]:
    """Return how the counts change without each entity: it goes with all that others share with it."""
    table = side.table
    size, whole = table.key.size, _count_mentions(side)[table.key.document]

    def sum_by_entity(cells: Array) -> Array:
        total = np.bincount(table.cell_key, weights=cells, minlength=len(size))
        return total.astype(cells.dtype)

    changes: dict[str, Callable[[Callable[[Any], Any]], Array]] = {
        "all": lambda function: function(whole - size) - function(whole),
        names[0]: lambda function: -function(size),
        names[1]: lambda function: sum_by_entity(function(table.r - table.n) - function(table.r)),
        "common": lambda function: sum_by_entity(-function(table.n)),
    }
    return {name: changes[which](function) for name, (which, function) in terms.items()}


def _count_mentions(side: MentionSide) -> Ints:
    """Return how many mentions each document has on both sides together."""
    return np.atleast_1d(np.asarray(side.table.union))


def measure_gains(evaluation: Evaluation, measure: Measure) -> Gains:
    """Return the gains by scoring without each entity, and without each mention, in one document after another."""
    rows = get_rows(evaluation)
    corpora = rows.key, rows.response
    whole = evaluation[measure].main
    entities = [np.zeros(len(corpus.entity_document)) for corpus in corpora]
    mentions = [np.zeros(len(corpus)) for corpus in corpora]
    scorer = _DocumentScorer(evaluation, measure)
    for number, name in enumerate(evaluation.document_names):
        part = select_document(evaluation, name)
        own_rows = [np.flatnonzero(corpus.document == number) for corpus in corpora]
        first = [int(np.searchsorted(corpus.entity_document, number)) for corpus in corpora]
        for side, entity, members in _list_entities(part):
            score = scorer.score_with(number, _remove_members(part, members))
            entities[side][first[side] + entity] = measure.sign * (score - whole)
        for alike in _group_alike(part, measure):
            score = scorer.score_with(number, _remove_members(part, (alike[0][:1], alike[1][:1])))
            for side in (0, 1):
                mentions[side][own_rows[side][alike[side]]] = measure.sign * (score - whole)
    return Gains(*entities, *mentions)


class _DocumentScorer:
    """Scores the whole with another evaluation of one document."""

    def __init__(self, evaluation: Evaluation, measure: Measure) -> None:
        self.evaluation, self.measure = evaluation, measure
        self.counts = {name: np.atleast_1d(column) for name, column in evaluation.count(measure).items()}

    def score_with(self, document: int, part: Evaluation) -> float:
        new = part.count(self.measure)
        counts = {name: column.copy() for name, column in self.counts.items()}
        for name, column in counts.items():
            column[document] = new[name]
        if self.evaluation.options.average != "micro":
            scores = np.atleast_1d(self.measure.score(counts)[self.measure.main])
            weights = np.array(self.evaluation.weights["f1"])
            if self.evaluation.options.average != "macro" and len(weights) > 1:
                weights[document] = part.table.key.mentions + part.table.response.mentions
            return float(normalise_weights(weights) @ scores)
        sums = {name: column.sum().item() for name, column in counts.items()}
        return float(self.measure.score(sums)[self.measure.main])


def normalise_weights(weights: Array) -> Floats:
    """Return weights that add up to 1, or zeros if all are 0."""
    total = float(weights.sum())
    return weights / total if total else np.zeros(len(weights))


def _list_entities(part: Evaluation) -> Iterator[tuple[int, int, tuple[Ints, Ints]]]:
    """Yield the side and number of every entity, with its mentions and their twins as rows of key and response."""
    rows = get_rows(part)
    twins = (rows.twin_key, rows.twin_response)
    for side, corpus in enumerate((rows.key, rows.response)):
        order, start = corpus.by_entity
        for entity in range(len(start) - 1):
            own = order[start[entity] : start[entity + 1]]
            other = twins[1 - side][np.isin(twins[side], own)]
            yield side, entity, (own, other) if side == 0 else (other, own)


def _group_alike(part: Evaluation, measure: Measure) -> Iterator[tuple[Ints, Ints]]:
    """Yield groups of mentions that gain the same, as rows of key and response.

    For measures that see the table only, those are the mentions that two entities share, in the order of both; unless
    some of them are in other entities, too, or worth less than a whole mention.
    """
    rows = get_rows(part)
    apart = measure.needs_mentions or rows.repeated is not None or rows.credit is not None
    width = max(1, len(rows.response.entity_document))
    cell = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    twins = np.arange(len(cell))
    for chosen in _split_groups(twins, twins if apart else cell):
        yield rows.twin_key[chosen], rows.twin_response[chosen]
    none = np.zeros(0, dtype=np.int64)
    for side, (corpus, twin) in enumerate(((rows.key, rows.twin_key), (rows.response, rows.twin_response))):
        twinless = np.setdiff1d(np.arange(len(corpus)), twin)
        for chosen in _split_groups(twinless, twinless if apart else corpus.entity[twinless]):
            yield (chosen, none) if side == 0 else (none, chosen)


def _split_groups(rows: Ints, group: Ints) -> Iterator[Ints]:
    """Yield the rows of each group."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(order)]):
        yield rows[order[start:end]]


def _remove_members(part: Evaluation, members: tuple[Ints, Ints]) -> Evaluation:
    """Return the evaluation without these mentions, in any entity that has them."""
    rows = get_rows(part)
    if rows.repeated is None:
        left = [np.ones(len(corpus), dtype=np.bool_) for corpus in (rows.key, rows.response)]
        for selected, gone in zip(left, members, strict=True):
            selected[gone] = False
    else:
        numbers = rows.repeated.key_number, rows.repeated.response_number
        removed = np.concatenate([number[gone] for number, gone in zip(numbers, members, strict=True)])
        left = [~np.isin(number, removed) for number in numbers]
    return restrict_mentions(part, left[0], left[1])
