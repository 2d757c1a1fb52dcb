"""Mentions are the same if they have the same words and the same head; then those with the same head are matched.

As in the CorefUD scorer: among several with one head, key and response mentions are assigned to each other so that the
shares of the key mentions' words that are found, |key ∩ response| / |key|, have the greatest sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.corpus import mentions
from corefeval.matching.rules import assignment, base, candidates, cores

if TYPE_CHECKING:
    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.rules.base import Left, Pairs


def number_mentions(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Numbers that are equal for mentions of the same words and the same head."""
    return mentions.combine_numbers(base.by_words(key, response), _heads(key, response))


def match_mentions(left: Left) -> Pairs:
    """Who is matched with whom among the others."""
    found = assignment.pairs(left, candidates.of_equal(left, *_heads(left.key, left.response)))
    said = *cores.without_heads(left.key, "key"), *cores.without_heads(left.response, "response")
    return found._replace(notices=said)


def _heads(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Numbers that are equal for the same heads of the same document."""
    ours, theirs = cores.heads(key, "key", "head"), cores.heads(response, "response", "head")
    return mentions.number_mentions(ours, theirs, key.document, response.document)


RULE = base.Rule(number_mentions, match_mentions)
