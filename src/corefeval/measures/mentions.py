"""Mention detection: were the mentions found, whatever entities they were put in?"""

from __future__ import annotations

from corefeval._arrays import Booleans, Columns, Ints, np
from corefeval._lazy import NamedTuple, cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans, number_mentions
from corefeval.errors import OptionError
from corefeval.matching.rules.base import Unmatched
from corefeval.matching.rules.candidates import find_around
from corefeval.measures.base import COUNTS, RecallPrecision, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.mentions import require_spans
from corefeval.overlap import alignment
from corefeval.overlap.views import Views


class Mentions(RecallPrecision):
    """Recall is the share of key mentions that the response has; precision, of response mentions that the key has.

    A mention that stands in several entities of a file counts once. Mentions are the same
    as for all other measures; `match=strict` and `match=lenient` judge them by themselves, to be shown beside each
    other: by their boundaries, or leniently by the head of the key mention, which the response mention must contain,
    with nothing outside of the key mention (Recasens & Hovy 2011, 4.2). The lenient match is one-to-one, as many pairs
    as possible, and needs heads or minimum spans in the key.
    """

    name = "mentions"
    title = "mention detection"
    formula = "R = M / K"
    citation = "Pradhan et al. 2014, Scoring coreference partitions of predicted mentions; Recasens & Hovy 2011 (4.2)"
    adds_up = "mentions are summed over documents"
    derivation = "twins"
    unit = "mentions, whatever their entities"
    symmetric = True
    antecedents = (COUNTS,)
    takes_sets = True

    twinless = "keep"  # no parameter: they are what it counts
    match: str = parameter("when mentions are the same", default="twins", choices=("twins", "strict", "lenient"))

    @cached
    def needs_mentions(self) -> bool:
        """Whether it looks at mentions and not at the table alone: unless match=twins."""
        return self.match != "twins"

    def count(self, views: Views) -> Columns:
        """Return four columns by document: distinct mentions in common, as `match` says, over those of each side."""
        if self.match == "twins":
            found = views.distinct_counts
            return make_counts(found.common, found.key, found.common, found.response)
        key, response = self._find_distinct(views)
        strict = self.match == "strict"
        is_found = np.isin(key.number, response.number) if strict else self._find_matched_by_heads(key, response)
        common = key.count_by_document(is_found)
        return make_counts(common, key.count_by_document(), common, response.count_by_document())

    def _find_distinct(self, views: Views) -> tuple[_DistinctRows, _DistinctRows]:
        """Return two records, a row per distinct mention of key and response; an OptionError if these are no spans."""
        rows = views.get_mentions()
        spans = require_spans(self, rows.key), require_spans(self, rows.response)
        numbers = number_mentions(*spans, rows.key.document, rows.response.document)
        key, response = (
            _DistinctRows(corpus.replace(mentions=each), *np.unique(number, return_index=True)[::-1])
            for corpus, each, number in zip((rows.key, rows.response), spans, numbers, strict=True)
        )
        return key, response

    def _find_matched_by_heads(self, key: _DistinctRows, response: _DistinctRows) -> Booleans:
        """Return booleans: which key mentions are matched, one to one, with one within them that has their head."""
        left = Unmatched(key.corpus, response.corpus, key.rows, response.rows)
        found = find_around(left, self._require_heads(key.corpus))
        order = np.argsort(found.key, kind="stable")
        chosen = alignment.find_best(found.key[order], found.response[order], np.ones(len(order), dtype=np.int64))
        return np.isin(key.rows, found.key[order[chosen]])

    def _require_heads(self, corpus: Corpus) -> Spans:
        """Return each mention's head or minimum span, its own if unknown; an OptionError if the corpus has neither."""
        given = corpus.heads if corpus.heads is not None else corpus.minimums
        own = require_spans(self, corpus)
        if given is None:
            if not len(corpus):
                return own
            where = corpus.source or "the key"
            what = f"asks for the heads of the key's mentions, and {where} has neither heads nor minimum spans"
            raise OptionError(f"{self} {what}; formats that have them: ACE, CorefUD, CoreNLP, MUC, CoNLL-UA")
        known = given.start >= 0
        gaps = {row: runs for row, runs in own.pieces.items() if not known[row]}
        start, end = np.where(known, given.start, own.start), np.where(known, given.end, own.end)
        return Spans(start, end, {**gaps, **given.pieces})


class _DistinctRows(NamedTuple):
    """A row for each distinct mention of one side, and a number that equal mentions of both sides have in common."""

    corpus: Corpus
    rows: Ints
    number: Ints

    def count_by_document(self, chosen: Booleans | slice = slice(None)) -> Ints:
        """Return an array: how many mentions, or how many chosen ones, each document has."""
        return np.bincount(self.corpus.document[self.rows[chosen]], minlength=len(self.corpus.documents))
