"""Mentions that lie within another mention of their entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import Booleans, np
from corefeval.matching.rules.base import require_spans
from corefeval.matching.rules.candidates import get_spans

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.documents import PairedDocuments
    from corefeval.options import Options


def drop_nested(paired: PairedDocuments, options: Options) -> PairedDocuments:
    """Return both sides without mentions that lie within another one of their entity; OptionError for labels."""
    key, response = (require_spans(side, options.match) for side in paired[:2])
    return paired._replace(key=key.keep(~find_nested(key)), response=response.keep(~find_nested(response)))


def find_nested(corpus: Corpus) -> Booleans:
    """Return for each mention whether it lies within another one of its entity that is not of the same extent."""
    spans = get_spans(corpus)
    order = spans.sort_outer_first(corpus.entity)
    entity, start, end = (column[order] for column in (corpus.entity, spans.start, spans.end))
    found = np.zeros(len(order), dtype=np.bool_)
    here, reach, outer = -1, -1, (-1, -1)
    for place, (number, first, last) in enumerate(zip(entity.tolist(), start.tolist(), end.tolist(), strict=True)):
        if number != here:
            here, reach, outer = number, -1, (-1, -1)
        # In this order, what reaches as far as a mention before it lies within that one, unless they are the same.
        found[place] = last <= reach and (first, last) != outer
        if last > reach:
            reach, outer = last, (first, last)
    nested = np.zeros(len(order), dtype=np.bool_)
    nested[order] = found
    return nested
