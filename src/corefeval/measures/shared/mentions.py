"""What measures share that look at mentions and not at the table alone: their places, their order, their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import Booleans, Ints, invert_permutation, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mention_types import MentionTypes, find_types_of_sides
from corefeval.corpus.mentions import Spans, as_spans, find_previous_mentions
from corefeval.errors import OptionError
from corefeval.overlap.views import Rows

if TYPE_CHECKING:
    from corefeval.measures.base import Measure


def require_spans(measure: Measure, corpus: Corpus) -> Spans:
    """Return the mentions of one side as spans; an OptionError if they do not say where they stand."""
    spans = as_spans(corpus.mentions)
    if spans is None:
        where = f"{corpus.source}: " if corpus.source else ""
        shown = repr(corpus.mentions.take(np.zeros(1, dtype=np.int64)).objects()[0])
        hint = "it needs mentions that are spans: (first, last)"
        raise OptionError(f"{where}{measure} asks where mentions stand, and {shown} does not say so; {hint}")
    return spans


def count_by_document(corpus: Corpus, chosen: Booleans) -> Ints:
    """Return an array: how many of the chosen mentions each document has."""
    return np.bincount(corpus.document[chosen], minlength=len(corpus.documents))


def count_in_entity(corpus: Corpus, chosen: Booleans) -> Ints:
    """Return an array: for every mention of a corpus, how many of the chosen mentions its entity has."""
    return np.bincount(corpus.entity[chosen], minlength=len(corpus.entity_document))[corpus.entity]


class TextOrder(NamedTuple):
    """The mentions of one side in the order of the text.

    rank: of every mention among all; before: the mention of its entity that comes before it, -1 for the first.
    """

    rank: Ints
    before: Ints


def order_mentions(corpus: Corpus, spans: Spans) -> TextOrder:
    """Return every mention's rank in the text, and the row of the mention of its entity that comes before it, or -1."""
    heads = () if corpus.heads is None else (corpus.heads.start,)
    order = spans.text_order(corpus.document, *heads)
    return TextOrder(invert_permutation(order), find_previous_mentions(corpus.entity, order))


def find_last_before(corpus: Corpus, order: TextOrder, chosen: Booleans) -> Ints:
    """Return an array: for every mention the row of the last chosen one of its entity before it in the text, or -1."""
    by_entity = np.lexsort((order.rank, corpus.entity))
    place = np.where(chosen[by_entity], np.arange(len(by_entity)), -1)
    reached = np.append(-1, np.maximum.accumulate(place)[:-1]) if len(place) else place
    found = np.where(reached >= 0, by_entity[np.maximum(reached, 0)], -1)
    found = np.where((found >= 0) & (corpus.entity[found] == corpus.entity[by_entity]), found, -1)
    result = np.empty(len(by_entity), dtype=np.int64)
    result[by_entity] = found
    return result


def require_types(measure: Measure, rows: Rows) -> tuple[MentionTypes, MentionTypes]:
    """Return two records: types of the key's and response's mentions; an OptionError if none of the key's is known."""
    ours, theirs = find_types_of_sides(rows)
    if len(rows.key) and (ours.code < 0).all():
        where = rows.key.source or "the key"
        what = f"asks which mentions are pronouns or names, and {where} has neither words nor an attribute level"
        raise OptionError(f"{measure} {what}; it needs a format with words")
    return ours, theirs
