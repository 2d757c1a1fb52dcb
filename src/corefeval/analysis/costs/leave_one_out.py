"""Costs by leaving out: what a score gains without each entity, and without each mention.

For measures whose counts are sums of a function of sizes, all of them at once. Such as pairs of mentions, C(k), C(r),
C(n) and C(E): without a mention, one entity of each side, what these two share, and the document are smaller by one,
and all other terms stay. So the counts without each mention, and without each entity, are known from those with all,
and one call scores them all. Of some other measures only a part of the counts changes (`changed_counts`). For all
others, documents are scored again without one after another.

Gains are those of key entities, response entities, key mentions and response mentions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corefeval._arrays import Array, Floats, Ints
from corefeval.analysis.costs.changed_counts import Changes, find_count_changes
from corefeval.analysis.costs.sides import MentionSide, view_sides
from corefeval.analysis.subsets import get_rows, restrict_mentions, select_documents
from corefeval.measures import Measure
from corefeval.scoring.results import Evaluation

SizeChanges = dict[str, tuple[Ints, Ints, Ints | None]]
"""Sizes before and after each removal, by name; and to which removal each of them belongs, if there are several."""


def derive_gains(evaluation: Evaluation, measure: Measure) -> list[Floats] | None:
    """Return four arrays, the gain without each entity and each mention of either side; None if counts do not tell."""
    if not measure.size_terms or not _counts_plainly(evaluation, measure):
        return None
    key, response, _ = view_sides(evaluation)
    sides = ((key, "key", "response"), (response, "response", "key"))
    entities = [(side.table.key.document, _find_sizes_without_entities(side, *names)) for side, *names in sides]
    mentions = [(side.document, _find_sizes_without_mentions(side, *names)) for side, *names in sides]
    return [
        _compute_gains(evaluation, measure, document, _sum_size_terms(measure, len(document), sizes))
        for document, sizes in (*entities, *mentions)
    ]


def _counts_plainly(evaluation: Evaluation, measure: Measure) -> bool:
    """Return whether a measure counts on the one-to-one table, as it is, and its scores are averaged simply."""
    tables = evaluation.overlaps
    plain = not tables.views.has_repeats and tables.splits is None and tables.before is None
    plain = plain and measure.name not in tables.skipped_singletons and not measure.rewrite
    return plain and evaluation.options.average in ("micro", "macro")


def _sum_size_terms(measure: Measure, removals: int, changes: SizeChanges) -> Changes:
    """Return Changes of counts that are sums of functions of sizes, given the sizes before and after each removal."""
    found = {}
    for name, (which, function) in measure.size_terms.items():
        old, new, owner = changes[which]
        change = function(new) - function(old)
        if owner is not None:
            change = np.bincount(owner, weights=change, minlength=removals).astype(change.dtype)
        found[name] = change
    return found


def _compute_gains(evaluation: Evaluation, measure: Measure, document: Ints, changes: Changes) -> Floats:
    """Return an array: what the main score gains by each removal, given its document and how counts change."""
    micro = evaluation.options.average == "micro"
    before, after = {}, {}
    for name, column in evaluation.count(measure).items():
        counts = np.atleast_1d(column)
        before[name] = np.broadcast_to(counts.sum(), len(document)) if micro else counts[document]
        after[name] = before[name] + changes[name]
    one, other = (np.asarray(measure.score(counts)[measure.main], dtype=np.float64) for counts in (before, after))
    gains = measure.sign * (other - one)
    return gains if micro else gains * normalise_weights(evaluation.weights["f1"])[document]


def _find_sizes_without_mentions(side: MentionSide, own: str, other: str) -> SizeChanges:
    """Return sizes of document, entities and what these share, before the removal of each mention, and 1 less."""
    sizes = {
        "all": np.atleast_1d(side.table.union)[side.document],
        own: side.size,
        other: side.other_size,
        "common": side.fragment,
    }
    return {name: (size, np.maximum(size - 1, 0), None) for name, size in sizes.items()}


def _find_sizes_without_entities(side: MentionSide, own: str, other: str) -> SizeChanges:
    """Return sizes of document, entities and what these share, before and after removing each entity and twins."""
    table = side.table
    size, whole = table.key.size, np.atleast_1d(side.table.union)[table.key.document]
    return {
        "all": (whole, whole - size, None),
        own: (size, np.zeros_like(size), None),
        other: (table.r, table.r - table.n, table.cells.key),
        "common": (table.n, np.zeros_like(table.n), table.cells.key),
    }


def measure_gains(evaluation: Evaluation, measure: Measure) -> list[Floats]:
    """Return four arrays, gains of scoring without each key and response entity, then mention, and its twins."""
    if _counts_plainly(evaluation, measure) and not evaluation.overlaps.views.has_partial_credit:
        changes = find_count_changes(evaluation, measure)
        if changes is not None:
            key, response, _ = view_sides(evaluation)
            documents = (key.table.key.document, response.table.key.document, key.document, response.document)
            return [_compute_gains(evaluation, measure, *each) for each in zip(documents, changes, strict=True)]
    return score_without_each(evaluation, measure)


def score_without_each(evaluation: Evaluation, measure: Measure) -> list[Floats]:
    """Return the four arrays of `measure_gains` by scoring documents again without one entity or mention at a time."""
    rows = get_rows(evaluation)
    corpora = rows.key, rows.response
    whole = evaluation[measure].main
    entities = [np.zeros(len(corpus.entity_document)) for corpus in corpora]
    mentions = [np.zeros(len(corpus)) for corpus in corpora]

    def compute_gain(removed: tuple[Ints, Ints]) -> float:
        """Return what the score gains without these key rows and response rows of the document `part`."""
        return measure.sign * (_score_with_part(evaluation, measure, number, _remove_rows(part, removed)) - whole)

    for number, name in enumerate(evaluation.document_names):
        part = select_documents(evaluation, (name,))
        own_rows = [np.flatnonzero(corpus.document == number) for corpus in corpora]
        first = [int(np.searchsorted(corpus.entity_document, number)) for corpus in corpora]
        for side, entity, members in _list_entities_with_twins(part):
            entities[side][first[side] + entity] = compute_gain(members)
        for alike in _list_mentions_of_equal_gain(part, measure):
            gain = compute_gain((alike[0][:1], alike[1][:1]))
            for side in (0, 1):
                mentions[side][own_rows[side][alike[side]]] = gain
    return [*entities, *mentions]


def _score_with_part(evaluation: Evaluation, measure: Measure, document: int, part: Evaluation) -> float:
    """Return the main score of all documents, where the counts of one are those of the evaluation `part`."""
    new = part.count(measure)
    counts = {name: np.array(column, ndmin=1) for name, column in evaluation.count(measure).items()}
    for name, column in counts.items():
        column[document] = new[name]
    if evaluation.options.average == "micro":
        sums = {name: column.sum().item() for name, column in counts.items()}
        return float(measure.score(sums)[measure.main])
    weights = np.array(evaluation.weights["f1"])
    if evaluation.options.average != "macro" and len(weights) > 1:
        weights[document] = part.table.key.mentions + part.table.response.mentions
    return float(normalise_weights(weights) @ np.atleast_1d(measure.score(counts)[measure.main]))


def normalise_weights(weights: Array) -> Floats:
    """Return weights that add up to 1, or zeros if all are 0."""
    return weights / (float(weights.sum()) or 1.0)


def _list_entities_with_twins(part: Evaluation) -> Iterator[tuple[int, int, tuple[Ints, Ints]]]:
    """Yield for every entity its side (0 or 1), its number, and mentions and twins: (key rows, response rows)."""
    rows = get_rows(part)
    twins = (rows.twin_key, rows.twin_response)
    for side, corpus in enumerate((rows.key, rows.response)):
        order, start = corpus.by_entity
        for entity in range(len(start) - 1):
            own = order[start[entity] : start[entity + 1]]
            other = twins[1 - side][np.isin(twins[side], own)]
            yield side, entity, (own, other) if side == 0 else (other, own)


def _list_mentions_of_equal_gain(part: Evaluation, measure: Measure) -> Iterator[tuple[Ints, Ints]]:
    """Yield (key rows, response rows) of mentions without each of which the score gains the same: one stands for all.

    For measures that see the table only, those are the mentions that two entities share, in the order of both; unless
    some of them are in other entities, too, or worth less than a whole mention.
    """
    rows = get_rows(part)
    apart = measure.needs_mentions or rows.repeated is not None or rows.credit is not None
    width = max(1, len(rows.response.entity_document))
    cell = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    twins = np.arange(len(cell))
    for chosen in _split_by_group(twins, twins if apart else cell):
        yield rows.twin_key[chosen], rows.twin_response[chosen]
    none = np.zeros(0, dtype=np.int64)
    for side, (corpus, twin) in enumerate(((rows.key, rows.twin_key), (rows.response, rows.twin_response))):
        twinless = np.setdiff1d(np.arange(len(corpus)), twin)
        for chosen in _split_by_group(twinless, twinless if apart else corpus.entity[twinless]):
            yield (chosen, none) if side == 0 else (none, chosen)


def _split_by_group(rows: Ints, group: Ints) -> list[Ints]:
    """Return a list with an array of rows for each group, given the group of every row; [] without rows."""
    order = np.argsort(group, kind="stable")
    return np.split(rows[order], np.flatnonzero(np.diff(group[order])) + 1) if len(rows) else []


def _remove_rows(part: Evaluation, members: tuple[Ints, Ints]) -> Evaluation:
    """Return an evaluation without these (key rows, response rows) and their repetitions in other entities."""
    rows = get_rows(part)
    numbers: tuple[Ints, Ints] = np.arange(len(rows.key)), -1 - np.arange(len(rows.response))
    if rows.repeated is not None:
        numbers = rows.repeated.key_number, rows.repeated.response_number
    removed = np.concatenate([number[gone] for number, gone in zip(numbers, members, strict=True)])
    left = [~np.isin(number, removed) for number in numbers]
    return restrict_mentions(part, left[0], left[1])
