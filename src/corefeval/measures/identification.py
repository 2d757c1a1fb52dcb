"""Which mentions did the response find, with the right boundaries or at least with the head: apart from any linking."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.corpus.mentions import Spans, number_mentions
from corefeval.errors import OptionError
from corefeval.matching.rules.base import Unmatched
from corefeval.matching.rules.candidates import find_around
from corefeval.measures.shared.mentions import rows_of, spans_of
from corefeval.overlap import alignment
from corefeval.overlap.views import DistinctMentions

if TYPE_CHECKING:
    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures.base import Measure
    from corefeval.overlap.views import Views


class _Distinct(NamedTuple):
    """A row for each mention of one side, and a number that equal mentions of both sides have in common."""

    corpus: Corpus
    rows: Ints
    number: Ints


def strict(measure: Measure, views: Views) -> DistinctMentions:
    """Mentions are the same if they have the same boundaries, gaps included."""
    ours, theirs = _sides(measure, views)
    common = np.isin(ours.number, theirs.number)
    return DistinctMentions(
        key=_by_document(ours, np.ones_like(common)),
        response=_by_document(theirs, np.ones(len(theirs.rows), dtype=np.bool_)),
        common=_by_document(ours, common),
    )


def lenient(measure: Measure, views: Views) -> DistinctMentions:
    """A response mention is a key mention if it contains its head and nothing outside of it; one to one."""
    ours, theirs = _sides(measure, views)
    left = Unmatched(ours.corpus, theirs.corpus, ours.rows, theirs.rows)
    found = find_around(left, _heads(measure, ours.corpus))
    order = np.argsort(found.key, kind="stable")
    chosen = alignment.best(found.key[order], found.response[order], np.ones(len(order), dtype=np.int64))
    matched = np.isin(ours.rows, found.key[order[chosen]])
    return DistinctMentions(
        key=_by_document(ours, np.ones_like(matched)),
        response=_by_document(theirs, np.ones(len(theirs.rows), dtype=np.bool_)),
        common=_by_document(ours, matched),
    )


def _sides(measure: Measure, views: Views) -> tuple[_Distinct, _Distinct]:

    rows = rows_of(views)
    spans = spans_of(measure, rows.key), spans_of(measure, rows.response)
    numbers = number_mentions(*spans, rows.key.document, rows.response.document)
    first = [np.unique(number, return_index=True)[1] for number in numbers]
    key, response = rows.key.replace(mentions=spans[0]), rows.response.replace(mentions=spans[1])
    return _Distinct(key, first[0], numbers[0][first[0]]), _Distinct(response, first[1], numbers[1][first[1]])


def _by_document(side: _Distinct, chosen: Booleans) -> Ints:
    return np.bincount(side.corpus.document[side.rows[chosen]], minlength=len(side.corpus.documents))


def _heads(measure: Measure, corpus: Corpus) -> Spans:
    """The head of every mention, or its minimum; a mention that has neither is its own."""
    given = corpus.heads if corpus.heads is not None else corpus.minimums
    if given is None and len(corpus):
        where = corpus.source or "the key"
        what = f"asks for the heads of the key's mentions, and {where} has neither heads nor minimum spans"
        raise OptionError(f"{measure} {what}; formats that have them: ACE, CorefUD, CoreNLP, MUC, CoNLL-UA")
    own = spans_of(measure, corpus)
    if given is None:
        return own
    known = given.start >= 0
    gaps = {row: runs for row, runs in own.pieces.items() if not known[row]}
    return Spans(np.where(known, given.start, own.start), np.where(known, given.end, own.end), {**gaps, **given.pieces})
