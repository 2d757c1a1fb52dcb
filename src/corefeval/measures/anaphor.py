"""Anaphors one by one: is each resolved to a right antecedent?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from corefeval.measures.base import COUNTS, RecallPrecision, Value, Values, rates
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
    from corefeval.measures.score import Score
    from corefeval.notices import Notice
    from corefeval.overlap.views import Views

_COLUMNS = ("true", "wrong", "missed", "false")
_TUGGENER = "Tuggener 2014, Coreference resolution evaluation for higher level applications"


class _Anaphors(RecallPrecision):
    """What `anaphor` and `zero` have in common."""

    adds_up = ADDS_UP
    derivation = "anaphors"
    formula = "R = true / (true + wrong + missed), P = true / (true + wrong + false)"
    needs_mentions: ClassVar[bool] = True

    filter: Filter  # which mentions count
    antecedent: str = parameter(ANTECEDENT_HELP, default="any", choices=ANTECEDENTS)

    def count(self, views: Views) -> Columns:
        """Count anaphors that are resolved rightly, wrongly, not at all, and that are none."""
        rows = rows_of(views)
        found = resolved(self, rows, self.filter, self.antecedent)
        sides = rows.key, rows.key, rows.key, rows.response
        columns = zip(_COLUMNS, sides, found, strict=True)
        return {name: by_document(side, which) for name, side, which in columns}

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Recall and precision, with the four counts."""
        true, wrong, missed, false = (counts[name] for name in _COLUMNS)
        fractions = dict(zip(COUNTS, (true, true + wrong + missed, true, true + wrong + false), strict=True))
        return {**rates(fractions, undefined=self.undefined, beta=self.beta), "links": dict(counts)}

    def notices(self, views: Views) -> Iterator[Notice]:
        """Say where the kind of a mention is a guess."""
        return guesses(views, self.filter, self.antecedent)

    def remark(self, score: Score) -> str:
        """The four counts."""
        true, wrong, missed, false = (score.links[name] for name in _COLUMNS)
        return f"{true} true, {wrong} wrongly linked, {missed} missed, {false} false"


class Anaphor(_Anaphors):
    """Every mention with another of its entity before it is an anaphor; a filter leaves those of one kind.

    An anaphor of the key is *missed* if the response lacks it or has nothing before it, else *true* or *wrong*, by its
    antecedent in the response: `any`: one of its earlier mentions in the key is in its response entity (as the CorefUD
    scorer); `closest`: the response's last mention before it is in its key entity; `immediate`: that one is the key's
    last mention before it, too; `nominal`: the response's last name or nominal before it is in its key entity (ARCS
    1.2: entities without names and nominals, and pronouns with none before them, are left out). An anaphor of the
    response is *false* if it is none in the key. `filter=zero`, `pronoun`, `name` and `nominal` go by what formats say
    (unwritten words, levels, parts of speech); failing those, pronouns and names are guessed from English words, with a
    warning.
    """

    name = "anaphor"
    title = "anaphors resolved"
    citation = _TUGGENER

    filter: Filter = parameter(FILTER_HELP, default="all", choices=FILTERS, function=True)


class Zero(_Anaphors):
    """`anaphor:filter=zero` under the name that the CorefUD scorer gives it: mentions that are not written.

    A mention counts as unwritten if its head is, or its first word where no head is given. Mentions are looked up by
    their twins; the CorefUD scorer looks for a mention at the same place first, which need not be the twin of a zero.
    """

    name = "zero"
    title = "zero anaphors resolved"
    citation = _TUGGENER + "; Žabokrtský et al. 2024, Findings of the CRAC shared task"
    filter = "zero"
