"""MOR: how many words of mentions do key and response share, whatever the entities?"""

from __future__ import annotations

from typing import ClassVar

from corefeval._arrays import Columns, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans, number_mentions
from corefeval.matching.rules.candidates import find_touching
from corefeval.measures.base import RecallPrecision, make_counts
from corefeval.measures.shared.mentions import require_spans
from corefeval.overlap import alignment
from corefeval.overlap.views import Rows, Views

_DOCUMENT = 42  # bits for the places of one document


class Mor(RecallPrecision):
    """Key and response mentions are aligned one to one so that they share as many words as possible.

    Recall is the share of the key mentions' words that lie in the aligned mentions, precision that of the response
    mentions' words. Gaps do not count; a word in two mentions counts in both, and so does a mention that stands in two
    entities, as far as `duplicates` leaves it there. How mentions are matched for other measures does not matter. Words
    that are not written are the same if they stand at the same place between the same words. Characters count where
    mentions are spans of characters.
    """

    name = "mor"
    title = "mention overlap ratio (MOR)"
    formula = "R = max one-to-one Σ |words in common| / Σ |words of key mentions|"
    citation = "Žabokrtský et al. 2022, Findings of the shared task on multilingual coreference resolution"
    adds_up = "aligned within documents; words are summed over documents"
    derivation = "aligned words"
    needs_mentions: ClassVar[bool] = True

    def count(self, views: Views) -> Columns:
        """Return four columns by document: words that aligned mentions share, over those of each side's mentions."""
        rows, documents = views.get_mentions(), views.table.documents
        key, response, common = _find_runs(self, rows)
        pairs = _align_runs(key, response, common)
        aligned = rows.key.document[pairs.key], pairs.words
        shared, wanted, given = (
            np.bincount(document, weights=words, minlength=documents).astype(np.int64)
            for document, words in (aligned, (key.document, key.size), (response.document, response.size))
        )
        return make_counts(shared, wanted, shared, given)

    def align_mentions(self, rows: Rows) -> AlignedMentions:
        """Return rows of key and response, paired one to one to share most words, and how many each pair shares."""
        return _align_runs(*_find_runs(self, rows))


class WordRuns(NamedTuple):
    """The runs of words of one side's mentions: whose, in which document, first and last place, how many words.

    Places are counted over all documents, so that those of different documents never meet.
    """

    mention: Ints
    document: Ints
    first: Ints
    last: Ints
    size: Ints


def _find_runs(measure: Mor, rows: Rows) -> tuple[WordRuns, WordRuns, Ints]:
    """Return the key's runs of words, the response's, and for each place how many words of both sides are before it."""
    key, response = rows.key, rows.response
    places = _number_words(key, response)
    if places is None:
        spans = require_spans(measure, key), require_spans(measure, response)
        width = 1 + max((int(side.end.max(initial=-1)) for side in spans), default=0)
        ours, theirs = (_list_runs(c, s, c.document * width) for c, s in zip((key, response), spans, strict=True))
        return ours, theirs, np.arange(len(key.documents) * width + 1)
    both = np.unique(np.concatenate(places))
    ours, theirs = (_place_runs(c, np.searchsorted(both, p)) for c, p in zip((key, response), places, strict=True))
    common = np.isin(both, places[0]) & np.isin(both, places[1])
    return ours, theirs, np.append(0, np.cumsum(common))


def _place_runs(corpus: Corpus, place: Ints) -> WordRuns:
    """Return the runs of words of a corpus's mentions, with every word's number replaced by its `place`."""
    assert corpus.tokens is not None  # noqa: S101 - `_number_words` has seen to it
    runs = _list_runs(corpus, corpus.own_spans, corpus.tokens.bounds[corpus.document])
    return runs._replace(first=place[runs.first], last=place[runs.last])


def _list_runs(corpus: Corpus, spans: Spans, begin: Ints) -> WordRuns:
    """Return the runs of words of a corpus's mentions, moved by `begin` of each; mentions once in an entity."""
    number, _ = number_mentions(spans, spans, corpus.entity, corpus.entity)
    kept = np.sort(np.unique(number, return_index=True)[1])
    gapped = np.zeros(len(spans), dtype=np.bool_)
    gapped[list(spans.pieces)] = True
    whole = kept[~gapped[kept]]
    pieces = [(row, first, last) for row in kept[gapped[kept]].tolist() for first, last in spans.pieces[row]]
    more = np.array(pieces, dtype=np.int64).reshape(-1, 3)
    mention = np.concatenate([whole, more[:, 0]])
    first = np.concatenate([spans.start[whole], more[:, 1]])
    last = np.concatenate([spans.end[whole], more[:, 2]])
    start = begin[mention]
    return WordRuns(mention, corpus.document[mention], first + start, last + start, last - first + 1)


class AlignedMentions(NamedTuple):
    """Mentions of key and response that are aligned, and how many words they have in common."""

    key: Ints
    response: Ints
    words: Ints


def _align_runs(key: WordRuns, response: WordRuns, common: Ints) -> AlignedMentions:
    """Return pairs of mentions, one to one, whose runs share most words in all, and how many words each pair shares."""
    none = np.zeros(0, dtype=np.int64)
    blocks = find_touching((key.first, key.last), (response.first, response.last))
    one, other = map(np.concatenate, zip((none, none), *blocks, strict=True))
    words = common[np.minimum(key.last[one], response.last[other]) + 1]
    words = words - common[np.maximum(key.first[one], response.first[other])]
    width = 1 + int(response.mention.max(initial=0))
    pair, which = np.unique(key.mention[one] * width + response.mention[other], return_inverse=True)
    weight = np.bincount(which.reshape(-1), weights=words, minlength=len(pair)).astype(np.int64)
    chosen = alignment.find_best(pair // width, pair % width, weight)
    return AlignedMentions(pair[chosen] // width, pair[chosen] % width, weight[chosen])


def _number_words(key: Corpus, response: Corpus) -> tuple[Ints, Ints] | None:
    """Return two columns: a number for each word of a corpus, equal at the same place; None if not needed or known.

    Needed where a side has words that are not written, for these move the numbers of those behind them.
    """
    ours, theirs = key.tokens, response.tokens
    if ours is None or theirs is None or (ours.empty is None and theirs.empty is None):
        return None
    if not np.array_equal(ours.without_empty().bounds, theirs.without_empty().bounds):
        return None
    document = np.repeat(np.arange(len(key.documents)), np.diff(ours.bounds))
    other = np.repeat(np.arange(len(key.documents)), np.diff(theirs.bounds))
    return (document << _DOCUMENT) + ours.order, (other << _DOCUMENT) + theirs.order
