"""Mention detection: were the mentions found, whatever entities they were put in?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.measures.base import COUNTS, RecallPrecision
from corefeval.measures.identification import lenient, strict
from corefeval.measures.parameters import parameter

if TYPE_CHECKING:
    from corefeval._arrays import Columns
    from corefeval.overlap.views import Views

_RULES = {"strict": strict, "lenient": lenient}


class Mentions(RecallPrecision):
    """Recall is the share of key mentions that the response has; precision, of response mentions that the key has.

    A mention that stands in several entities of a file counts once, as in the reference scorer. Mentions are the same
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

    match: str = parameter("when mentions are the same", default="twins", choices=("twins", *_RULES))

    @property
    def needs_mentions(self) -> bool:  # type: ignore[override]
        """Whether it looks at more than the table."""
        return self.match != "twins"

    def count(self, views: Views) -> Columns:
        """Count mentions with a twin, and all of each side."""
        found = _RULES[self.match](self, views) if self.match in _RULES else views.distinct
        return dict(zip(COUNTS, (found.common, found.key, found.common, found.response), strict=True))
