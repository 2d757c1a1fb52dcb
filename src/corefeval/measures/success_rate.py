"""Success rate: how many pronouns are resolved to a right antecedent?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.anaphors import (
    ADDS_UP,
    ANTECEDENT_HELP,
    ANTECEDENTS,
    FILTER_HELP,
    FILTERS,
    Filter,
    guesses,
    resolved,
)
from corefeval.measures.shared.mentions import by_document, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefeval._arrays import Columns
    from corefeval.notices import Notice
    from corefeval.overlap.views import Views


class SuccessRate(SingleScore):
    """The share of the key's anaphors, by default its pronouns, that the response resolves to a right antecedent.

    The denominator is all anaphors of the key, found by the response or not, so it is the recall of `anaphor`; Mitkov
    divides by all anaphors in the text. The antecedent of a response of entities is its last mention before the
    anaphor (`antecedent=closest`), right if it is in the key entity; others as in `anaphor`. Critical and non-trivial
    success rates need the candidates that a resolver had, which entities do not tell.
    """

    name = "success_rate"
    title = "success rate of pronoun resolution"
    formula = "anaphors of the key resolved to a right antecedent / anaphors of the key"
    citation = "Mitkov 2001, Towards a more consistent and comprehensive evaluation of anaphora resolution algorithms"
    adds_up = ADDS_UP
    derivation = "anaphors"
    needs_mentions: ClassVar[bool] = True

    filter: Filter = parameter(FILTER_HELP, default="pronoun", choices=FILTERS, function=True)
    antecedent: str = parameter(ANTECEDENT_HELP, default="closest", choices=ANTECEDENTS)

    def count(self, views: Views) -> Columns:
        """Count anaphors resolved rightly, and all of the key."""
        rows = rows_of(views)
        found = resolved(self, rows, self.filter, self.antecedent)
        everything = found.true | found.wrong | found.missed
        return {
            "resolved": by_document(rows.key, found.true),
            "anaphors": by_document(rows.key, everything),
        }

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula with the counts put in."""
        return f"{counts['resolved']:,} / {counts['anaphors']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Divide."""
        return self.single(counts["resolved"], counts["anaphors"])

    def notices(self, views: Views) -> Iterator[Notice]:
        """Say where the kind of a mention is a guess."""
        return guesses(views, self.filter, self.antecedent)
