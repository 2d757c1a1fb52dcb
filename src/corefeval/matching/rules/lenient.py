"""Lenient matching (Recasens & Hovy 2011, 4.2): the head of the key mention is there, and nothing from outside it.

Mentions of the same words are twins outright. Among the others, a response mention can be the twin of a key mention if
it contains the key mention's head and no word that the key mention has not. Of several, those are chosen, one to one,
that have most of the key mentions' words (the greatest sum of shares), as in `partial`. Only the key's heads count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
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
    if len(key) and (key.heads is None or key.heads.start.max() < 0):
        raise OptionError(
            f"match=lenient looks for the heads of key mentions, but {key.source or 'the key'} has none; "
            "CorefUD, ACE, CoreNLP and jsonlines files can have heads"
        )
    return by_words(key, response)


def match_mentions(left: Left) -> Pairs:
    """Response mentions that contain the key mention's head and stay within it."""
    heads = left.key.heads
    if heads is None:  # a key without mentions
        return Pairs(left.key_rows, left.key_rows)
    found = assignment.pairs(left, candidates.around(left, heads))
    return found._replace(notices=_headless(left, np.flatnonzero(heads.start < 0)))


def _headless(left: Left, rows: Ints) -> tuple[Notice, ...]:
    if not len(rows):
        return ()
    first = int(rows[0])
    where = f"{left.key.place(first, 'key')}: {left.key.describe(first)}"
    message = f"{where} has no head and matches exactly only; so do {len(rows)} of {len(left.key)} key mentions in all"
    return (Notice("no-head", message, {"count": len(rows)}),)


RULE = Rule(number_mentions, match_mentions)
