"""How mentions lie: with gaps, across or within one another, one before another."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.corpus.mentions import Spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces


def find_discontinuous(corpus: Corpus) -> Booleans:
    """Which mentions have gaps."""
    found = np.zeros(len(corpus), dtype=np.bool_)
    if isinstance(corpus.mentions, Spans):
        found[list(corpus.mentions.pieces)] = True
    return found


def find_entangled(corpus: Corpus) -> Booleans:
    """Which mentions have gaps and parts that lie among those of another such mention of their entity; the later ones.

    A mention that lies within one gap of another, or beside it, is not entangled with it.
    """
    found = np.zeros(len(corpus), dtype=np.bool_)
    if not isinstance(corpus.mentions, Spans):
        return found
    earlier: dict[int, list[Pieces]] = {}
    for runs, row in sorted((runs, row) for row, runs in corpus.mentions.pieces.items()):
        entity = int(corpus.entity[row])
        others = earlier[entity] = [other for other in earlier.get(entity, []) if other[-1][1] >= runs[0][0]]
        if all(_lie_apart(runs, other) for other in others):
            others.append(runs)
        else:
            found[row] = True
    return found


def _lie_apart(runs: Pieces, earlier: Pieces) -> bool:
    first, last = runs[0][0], runs[-1][1]
    gaps = [(a[1], b[0]) for a, b in itertools.pairwise(earlier)]
    return first > earlier[-1][1] or any(left < first and last < right for left, right in gaps)


def find_crossing_in_entity(corpus: Corpus) -> Booleans:
    """Which mentions overlap another one of their entity without one being within the other; of two, the later one."""
    return _mark_rows(corpus, (row for row, crosses, _ in _walk_outer_first(corpus, corpus.entity) if crosses))


def find_crossing_in_document(corpus: Corpus) -> Booleans:
    """Which mentions overlap another one of their document without one being within the other; the later one."""
    return _mark_rows(corpus, (row for row, crosses, _ in _walk_outer_first(corpus, corpus.document) if crosses))


def measure_depth(corpus: Corpus) -> Ints:
    """Within how many others of its document every mention lies."""
    found = np.zeros(len(corpus), dtype=np.int64)
    for row, _, around in _walk_outer_first(corpus, corpus.document):
        found[row] = around
    return found


def _mark_rows(corpus: Corpus, rows: Iterator[int]) -> Booleans:
    found = np.zeros(len(corpus), dtype=np.bool_)
    found[list(rows)] = True
    return found


def _walk_outer_first(corpus: Corpus, group: Ints) -> Iterator[tuple[int, bool, int]]:
    """The mentions of each group from left to right: whether one crosses what is open there, and how much is open.

    One that crosses is then passed over, as if it were not there.
    """
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - the caller has seen to it
    order = corpus.mentions.outer_first(group)
    columns = group[order], corpus.mentions.start[order], corpus.mentions.end[order], order
    here = -1
    around: list[int] = []
    for number, start, end, row in zip(*(column.tolist() for column in columns), strict=True):
        if number != here:
            here, around = number, []
        while around and around[-1] < start:
            around.pop()
        crosses = bool(around) and around[-1] < end
        yield row, crosses, len(around)
        if not crosses:
            around.append(end)


def find_previous_mentions(entity: Ints, order: Ints) -> Ints:
    """For every mention, the row of the one of its entity that comes before it in this order; -1 for the first."""
    by_entity = order[np.argsort(entity[order], kind="stable")]
    same = entity[by_entity][1:] == entity[by_entity][:-1]
    previous = np.full(len(order), -1, dtype=np.int64)
    previous[by_entity[1:][same]] = by_entity[:-1][same]
    return previous
