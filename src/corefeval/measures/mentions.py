"""Mention detection: were the mentions found, whatever entities they were put in?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.measures.base import COUNTS, RecallPrecision

if TYPE_CHECKING:
    from corefeval.arrays import Columns
    from corefeval.overlap import Overlap


class Mentions(RecallPrecision):
    """Recall is the share of key mentions that the response has; precision, of response mentions that the key has.

    A mention that stands in several entities of a file counts once, as in the reference scorer.
    """

    name = "mentions"
    title = "mention detection"
    formula = "R = M / K"
    citation = "Pradhan et al. 2014, Scoring coreference partitions of predicted mentions"
    adds_up = "mentions are summed over documents"
    antecedents = (COUNTS,)

    def count(self, table: Overlap) -> Columns:
        """Count mentions with a twin, and all of each side."""
        table = table.of_mentions
        repeats = table.repeats
        return {
            "recall_numerator": table.shared,
            "recall_denominator": table.key.mentions if repeats is None else repeats.key_distinct,
            "precision_numerator": table.shared,
            "precision_denominator": table.response.mentions if repeats is None else repeats.response_distinct,
        }
