"""Which mentions did the response find, with the right boundaries or at least with the head: apart from any linking."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval.arrays import np
from corefeval.errors import OptionError
from corefeval.measures.looking import rows_of, spans_of

if TYPE_CHECKING:
    from corefeval.arrays import Booleans, Ints
    from corefeval.corpus import Corpus
    from corefeval.measures.base import Measure
    from corefeval.mentions import Spans
    from corefeval.overlap import Overlap


class Identified(NamedTuple):
    """By document: mentions in common, all of the key, all of the response. One that stands twice counts once."""

    common: Ints
    key: Ints
    response: Ints


class _Distinct(NamedTuple):
    """A row for each mention of one side, and a number that equal mentions of both sides have in common."""

    corpus: Corpus
    rows: Ints
    number: Ints


def strict(measure: Measure, table: Overlap) -> Identified:
    """Mentions are the same if they have the same boundaries, gaps included."""
    ours, theirs = _sides(measure, table)
    common = np.isin(ours.number, theirs.number)
    return Identified(
        _by_document(table, ours, common),
        _by_document(table, ours, np.ones_like(common)),
        _by_document(table, theirs, np.ones(len(theirs.rows), dtype=np.bool_)),
    )


def lenient(measure: Measure, table: Overlap) -> Identified:
    """A response mention is a key mention if it contains its head and nothing outside of it; one to one."""
    from corefeval import alignment  # noqa: PLC0415 - measures are described without NumPy

    ours, theirs = _sides(measure, table)
    key, response = spans_of(measure, ours.corpus).take(ours.rows), spans_of(measure, theirs.corpus).take(theirs.rows)
    head = _heads(measure, ours.corpus).take(ours.rows)
    document = ours.corpus.document[ours.rows], theirs.corpus.document[theirs.rows]
    one, other = _covering(key, head, response, document)
    chosen = alignment.best(one, other, np.ones(len(one), dtype=np.int64))
    found = np.zeros(len(ours.rows), dtype=np.bool_)
    found[one[chosen]] = True
    return Identified(
        _by_document(table, ours, found),
        _by_document(table, ours, np.ones_like(found)),
        _by_document(table, theirs, np.ones(len(theirs.rows), dtype=np.bool_)),
    )


def _sides(measure: Measure, table: Overlap) -> tuple[_Distinct, _Distinct]:
    from corefeval.mentions import numbered  # noqa: PLC0415

    rows = rows_of(table)
    spans = spans_of(measure, rows.key), spans_of(measure, rows.response)
    numbers = numbered(*spans, rows.key.document, rows.response.document)
    first = [np.unique(number, return_index=True)[1] for number in numbers]
    return (
        _Distinct(rows.key, first[0], numbers[0][first[0]]),
        _Distinct(rows.response, first[1], numbers[1][first[1]]),
    )


def _by_document(table: Overlap, side: _Distinct, chosen: Booleans) -> Ints:
    return np.bincount(side.corpus.document[side.rows[chosen]], minlength=table.documents)


def _heads(measure: Measure, corpus: Corpus) -> Spans:
    """The head of every mention, or its minimum; a mention that has neither is its own."""
    from corefeval.mentions import Spans  # noqa: PLC0415

    given = corpus.heads if corpus.heads is not None else corpus.minimums
    if given is None and len(corpus):
        where = corpus.source or "the key"
        what = f"asks for the heads of the key's mentions, and {where} has neither heads nor minimum spans"
        raise OptionError(f"{measure} {what}; formats that have them: ace, corefud, corenlp, muc, ua")
    own = spans_of(measure, corpus)
    if given is None:
        return own
    known = given.start >= 0
    return Spans(np.where(known, given.start, own.start), np.where(known, given.end, own.end))


def _covering(key: Spans, head: Spans, response: Spans, document: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """All pairs of a key mention and a response mention within it that contains its head."""
    width = 1 + max(int(side.end.max(initial=0)) for side in (key, response))
    shift, start = document[0] * width, response.start + document[1] * width
    order = np.argsort(start, kind="stable")
    low = np.searchsorted(start[order], key.start + shift, side="left")
    count = np.maximum(np.searchsorted(start[order], head.start + shift, side="right") - low, 0)
    one = np.repeat(np.arange(len(key)), count)
    within = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
    other = order[np.repeat(low, count) + within]
    fits = (response.end[other] >= head.end[one]) & (response.end[other] <= key.end[one])
    one, other = one[fits], other[fits]
    if not key.pieces and not response.pieces:
        return one, other
    whole = [_is_within(key, head, response, k, r) for k, r in zip(one.tolist(), other.tolist(), strict=True)]
    return one[whole], other[whole]


def _is_within(key: Spans, head: Spans, response: Spans, one: int, other: int) -> bool:
    """The same where mentions have gaps: word by word."""
    if one not in key.pieces and other not in response.pieces:
        return True
    words = [
        {place for first, last in side.runs(row) for place in range(first, last + 1)}
        for side, row in ((key, one), (head, one), (response, other))
    ]
    return words[1] & words[0] <= words[2] <= words[0]
