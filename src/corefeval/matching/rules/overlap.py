"""Partial credit for mentions whose words overlap (Luo 2005, 2.2).

Mentions of the same words are twins outright. Among the others, those can be twins that share words, and those are
chosen, one to one, that share most: the greatest sum of 2 |k ∩ r| / (|k| + |r|), the credit of a pair. CEAF counts
credits instead of mentions; to other measures twins are one mention.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.matching.repeats import lookup
from corefeval.matching.rules import assignment, containment
from corefeval.matching.rules.base import Rule, by_words
from corefeval.matching.rules.candidates import Candidates
from corefeval.matching.zeros import places
from corefeval.notices import Notice
from corefeval.overlap.cells import Cells

if TYPE_CHECKING:
    from corefeval._arrays import Array, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.matched import Settled, Sides
    from corefeval.matching.rules.base import Left, Pairs
    from corefeval.overlap.table import Overlap


def match_mentions(left: Left) -> Pairs:
    """Mentions that share words, so that they share as much as possible."""
    key, response = _touching(left)
    credit = _credit(left.key, left.response, key, response)
    some = credit > 0
    found = assignment.pairs(left, Candidates(key[some], response[some], credit[some]))
    if not len(found.key):
        return found
    message = (
        f"{len(found.key)} pairs of mentions overlap without being the same: "
        "CEAF gives credit for the words they share, other measures count them as whole mentions"
    )
    return found._replace(notices=(Notice("partial-credit", message, {"count": len(found.key)}),))


def credited(table: Overlap, settled: Settled) -> Overlap:
    """The table with what the mentions that entities share are worth."""
    sides, twins = settled.sides, _Twins(settled.twin_key, settled.twin_response)
    credit = _of_twins(sides, twins)
    rows = None if table.rows is None else table.rows._replace(credit=credit)
    by_cell = _worth(Cells(table.cell_key, table.cell_response, table.n), sides, twins)
    if table.repeats is None:
        return table.with_credit(by_cell, rows)
    # CEAF compares entities as sets, all of them that a repeated mention is in.
    every = _Twins(*lookup.occurrences(sides, sides.key_number))
    members = table.repeats.members
    worth = _worth(members, sides, every)
    return table.with_credit(by_cell, rows, table.repeats._replace(members=members._replace(n=worth)))


class _Twins(NamedTuple):
    """Rows of key and response that are twins."""

    key: Ints
    response: Ints


def _of_twins(sides: Sides, twins: _Twins) -> Array:
    """The credit of twins; those that another rule has matched (zeros, by what they depend on) are worth a whole."""
    credit = _credit(sides.key, sides.response, *twins)
    return np.where(credit > 0, credit, 1.0)


def _worth(shared: Cells, sides: Sides, twins: _Twins) -> Array:
    """What the mentions that two entities share are worth: one each, less what twins have not in common."""
    width = len(sides.response.entity_document)
    cells = shared.key * width + shared.response
    here = sides.key.entity[twins.key] * width + sides.response.entity[twins.response]
    # A scorer that looks zeros up as others may find some in no cell of theirs.
    known = np.isin(here, cells)
    less = 1.0 - _of_twins(sides, twins)[known]
    return shared.n - np.bincount(np.searchsorted(cells, here[known]), weights=less, minlength=len(cells))


def _touching(left: Left) -> tuple[Ints, Ints]:
    """Rows of key and response whose spans share a place."""
    ours, theirs = containment.spans(left.key), containment.spans(left.response)
    width = 1 + max(int(side.end.max(initial=0)) for side in (ours, theirs))
    key_base = left.key.document[left.key_rows] * width
    response_base = left.response.document[left.response_rows] * width
    key, response = containment.touching(
        (key_base + ours.start[left.key_rows], key_base + ours.end[left.key_rows]),
        (response_base + theirs.start[left.response_rows], response_base + theirs.end[left.response_rows]),
    )
    return left.key_rows[key], left.response_rows[response]


def _credit(key: Corpus, response: Corpus, key_rows: Ints, response_rows: Ints) -> Array:
    """2 |k ∩ r| / (|k| + |r|) for pairs of rows."""
    step = places.step(key)
    ours, theirs = containment.spans(key), containment.spans(response)
    shared = containment.shared(ours, theirs, key_rows, response_rows, step)
    whole = containment.sizes(ours, key_rows, step) + containment.sizes(theirs, response_rows, step)
    return 2 * shared / whole


RULE = Rule(by_words, match_mentions, credited)
