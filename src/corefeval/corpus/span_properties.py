"""How mentions lie: with gaps, unwritten, across or within one another."""

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
        if all(_apart(runs, other) for other in others):
            others.append(runs)
        else:
            found[row] = True
    return found


def _apart(runs: Pieces, earlier: Pieces) -> bool:
    first, last = runs[0][0], runs[-1][1]
    gaps = [(a[1], b[0]) for a, b in itertools.pairwise(earlier)]
    return first > earlier[-1][1] or any(left < first and last < right for left, right in gaps)


def find_zeros(corpus: Corpus) -> Booleans:
    """Which mentions are not written in the text: their head is not, or where no head is known, none of their words."""
    if corpus.tokens is None or corpus.tokens.empty is None or not isinstance(corpus.mentions, Spans):
        return np.zeros(len(corpus), dtype=np.bool_)
    heads, found = corpus.own_heads, _unwritten(corpus, corpus.own_spans)
    return found if heads is None else np.where(heads.start >= 0, _unwritten(corpus, heads), found)


def _unwritten(corpus: Corpus, spans: Spans) -> Booleans:
    """Which spans consist of words that are not written in the text."""
    assert corpus.tokens is not None and corpus.tokens.empty is not None  # noqa: S101, PT018 - the caller has both
    written = np.append(0, np.cumsum(~corpus.tokens.empty))
    begin = corpus.tokens.bounds[corpus.document]
    count = written[begin + spans.end + 1] - written[begin + spans.start]
    for row, runs in spans.pieces.items():
        count[row] = sum(int(written[begin[row] + last + 1] - written[begin[row] + first]) for first, last in runs)
    return count == 0


def measure_lengths(corpus: Corpus) -> Ints:
    """How many words (or characters) every mention has, gaps left out."""
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - the caller has seen to it
    length = corpus.mentions.end - corpus.mentions.start + 1
    for row, runs in corpus.mentions.pieces.items():
        length[row] = sum(last - first + 1 for first, last in runs)
    return length


def find_crossing_in_entity(corpus: Corpus) -> Booleans:
    """Which mentions overlap another one of their entity without one being within the other; of two, the later one."""
    return _marked(corpus, (row for row, crosses, _ in _walk(corpus, corpus.entity) if crosses))


def find_crossing_in_document(corpus: Corpus) -> Booleans:
    """Which mentions overlap another one of their document without one being within the other; the later one."""
    return _marked(corpus, (row for row, crosses, _ in _walk(corpus, corpus.document) if crosses))


def measure_depth(corpus: Corpus) -> Ints:
    """Within how many others of its document every mention lies."""
    found = np.zeros(len(corpus), dtype=np.int64)
    for row, _, around in _walk(corpus, corpus.document):
        found[row] = around
    return found


def _marked(corpus: Corpus, rows: Iterator[int]) -> Booleans:
    found = np.zeros(len(corpus), dtype=np.bool_)
    found[list(rows)] = True
    return found


def _walk(corpus: Corpus, group: Ints) -> Iterator[tuple[int, bool, int]]:
    """The mentions of each group from left to right: whether one crosses what is open there, and how much is open.

    One that crosses is then passed over, as if it were not there.
    """
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - the caller has seen to it
    order = np.lexsort((-corpus.mentions.end, corpus.mentions.start, group))
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
