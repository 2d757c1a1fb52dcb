"""Minimum spans given by annotators (`MIN` of MUC, ARRAU, Universal Anaphora): contain them, stay within the maximum.

Mentions of the same words are twins outright. Among the others, a response mention can be the twin of a key mention if
it contains the key mention's minimum and no word that the key mention has not. Of several, those are chosen, one to
one, that have most of the key mentions' words, as in `partial`. A key mention without a minimum matches exactly only.
Only the key's minimums count. What is matched is matched for all measures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.errors import OptionError
from corefeval.matching.rules import assignment, candidates
from corefeval.matching.rules.base import Pairs, Rule, by_words
from corefeval.notices import Notice

if TYPE_CHECKING:
    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.rules.base import Left


def number_mentions(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """The same words."""
    if key.minimums is None and key.format and not _can_have_minimums(key.format):
        raise OptionError(
            f"match=min looks for the minimum spans (MIN) of key mentions, but {key.source or 'the key'} has none: "
            f"the format {key.format} has no place for them; MUC, CoNLL-UA, CorefUD and jsonlines files can have them"
        )
    return by_words(key, response)


def match_mentions(left: Left) -> Pairs:
    """Response mentions that contain the key mention's minimum and stay within it."""
    if left.key.minimums is not None:
        return assignment.pairs(left, candidates.around(left, left.key.minimums))
    where = left.key.source or "key"
    notice = Notice("no-minimum", f"{where}: no mention has a minimum span (MIN), so all match exactly")
    none = left.key_rows[:0]
    return Pairs(none, none, (notice,) if len(left.key) else ())


def _can_have_minimums(name: str) -> bool:
    from corefeval.formats import registry  # noqa: PLC0415 - only where there are none

    capacity = registry.load_format(name).CAPACITY
    return capacity is not None and capacity.minimums


RULE = Rule(number_mentions, match_mentions)
