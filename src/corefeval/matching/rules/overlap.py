"""Partial credit for mentions whose words overlap (Luo 2005, 2.2).

Mentions of the same words are twins outright. Among the others, those can be twins that share words, and those are
chosen, one to one, that share most: the greatest sum of 2 |k ∩ r| / (|k| + |r|), the credit of a pair. CEAF counts
credits instead of mentions; to other measures twins are one mention.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from corefeval._arrays import Array, Floats, Ints, np
from corefeval.matching.numbers import NumberedSides
from corefeval.matching.places import find_step
from corefeval.matching.repeats import pair_occurrences
from corefeval.matching.rules.assignment import assign_twins
from corefeval.matching.rules.base import Rule, TwinPairs, Unmatched, number_by_words
from corefeval.matching.rules.candidates import (
    Candidates,
    count_shared_words,
    find_touching,
    get_spans,
    join_candidates,
)
from corefeval.notices import Notice, count_things
from corefeval.overlap.cells import Cells, PartialCells
from corefeval.overlap.views import Rows, Views

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


def match_by_overlap(left: Unmatched) -> TwinPairs:
    """Return twins that share words, one to one, with the greatest sum of credits; a notice says how many."""
    found = assign_twins(left, join_candidates(_find_sharing_pairs(left)))
    if not len(found.key):
        return found
    return found._replace(notices=(_make_credit_notice(len(found.key)),))


def _make_credit_notice(count: int) -> Notice:
    """Make a notice of how many pairs of mentions overlap only."""
    verb = "overlaps" if count == 1 else "overlap"
    message = (
        f"{count_things(count, 'pair')} of mentions {verb} without being the same: "
        "CEAF gives credit for the words they share, other measures count them as whole mentions"
    )
    return Notice("partial-credit", message, {"count": count})


def join_credit_notices(notices: Sequence[Notice]) -> Notice:
    """Return one notice of all pairs that overlap only, given those of parts."""
    return _make_credit_notice(sum(int(str(notice.details["count"])) for notice in notices))


def add_credit(views: Views) -> Views:
    """Return the views with PartialCells, in which CEAF counts shared mentions by the share of words in common."""
    table, rows = views.table, views.mentions
    assert rows is not None  # noqa: S101 - they have just been matched
    twins = TwinPairs(rows.twin_key, rows.twin_response)
    credited = table.with_cells(_make_partial_cells(table.cells, rows, twins))
    mentions = rows._replace(credit=_compute_twin_credit(rows, twins))
    if not views.has_repeats:
        return Views(credited, mentions)
    # CEAF compares entities as sets, all of them that a repeated mention is in.
    sides = NumberedSides.from_views(views)
    every = TwinPairs(*pair_occurrences(sides, sides.key_number))
    sets = table.with_cells(_make_partial_cells(views.recall_sets.cells, rows, every))
    return views.replace(table=credited, mentions=mentions, recall_sets=sets, precision_sets=sets)


def _compute_twin_credit(rows: Rows, twins: TwinPairs) -> Array:
    """Return the credit of every pair of twins; 1 for those that share no word, which another rule matched."""
    credit = _compute_credit(rows.key, rows.response, twins.key, twins.response)
    return np.where(credit > 0, credit, 1.0)


def _make_partial_cells(shared: Cells, rows: Rows, twins: TwinPairs) -> PartialCells:
    """Return the cells with what their shared mentions are worth: n, less what their words do not share."""
    width = len(rows.response.entity_document)
    cells = shared.key * width + shared.response
    here = rows.key.entity[twins.key] * width + rows.response.entity[twins.response]
    # Where zeros are looked up as others, some are in no cell of theirs.
    known = np.isin(here, cells)
    less = 1.0 - _compute_twin_credit(rows, twins)[known]
    worth: Floats = shared.n - np.bincount(np.searchsorted(cells, here[known]), weights=less, minlength=len(cells))
    return PartialCells(shared.key, shared.response, shared.n, partial=worth)


def _find_sharing_pairs(left: Unmatched) -> Iterator[Candidates]:
    """Yield pairs of unmatched mentions that share words, with their credits, in blocks."""
    ours, theirs = get_spans(left.key), get_spans(left.response)
    width = 1 + max(int(side.end.max(initial=0)) for side in (ours, theirs))
    key_base = left.key.document[left.key_rows] * width
    response_base = left.response.document[left.response_rows] * width
    for one, other in find_touching(
        (key_base + ours.start[left.key_rows], key_base + ours.end[left.key_rows]),
        (response_base + theirs.start[left.response_rows], response_base + theirs.end[left.response_rows]),
    ):
        key, response = left.key_rows[one], left.response_rows[other]
        credit = _compute_credit(left.key, left.response, key, response)
        yield Candidates(key, response, credit).select(credit > 0)


def _compute_credit(key: Corpus, response: Corpus, key_rows: Ints, response_rows: Ints) -> Array:
    """Return the credit of each pair of rows, key and response, by their words: 2 |k ∩ r| / (|k| + |r|)."""
    step = find_step(key)
    ours, theirs = get_spans(key), get_spans(response)
    shared = count_shared_words(ours, theirs, key_rows, response_rows, step)
    return 2 * shared / (ours.lengths(step)[key_rows] + theirs.lengths(step)[response_rows])


RULE = Rule(number_by_words, match_by_overlap, add_credit)
