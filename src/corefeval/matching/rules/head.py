"""Mentions are the same if they have the same words and the same head; then those with the same head are matched.

As in the CorefUD scorer: among several with one head, key and response mentions are assigned to each other so that the
shares of the key mentions' words that are found, |key ∩ response| / |key|, have the greatest sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.corpus import mentions
from corefeval.matching.rules.assignment import assign_twins
from corefeval.matching.rules.base import Rule, number_by_words
from corefeval.matching.rules.candidates import find_equal
from corefeval.matching.rules.cores import describe_headless, fill_heads

if TYPE_CHECKING:
    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.rules.base import TwinPairs, Unmatched


def number_by_words_and_heads(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Numbers that are equal for mentions of the same words and the same head."""
    return mentions.combine_numbers(number_by_words(key, response), _number_heads(key, response))


def match_by_heads(left: Unmatched) -> TwinPairs:
    """Match mentions with the same head."""
    found = assign_twins(left, find_equal(left, *_number_heads(left.key, left.response)))
    notices = *describe_headless(left.key, "key"), *describe_headless(left.response, "response")
    return found._replace(notices=notices)


def _number_heads(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Numbers that are equal for the same heads of the same document."""
    ours, theirs = fill_heads(key, "key", "head"), fill_heads(response, "response", "head")
    return mentions.number_mentions(ours, theirs, key.document, response.document)


RULE = Rule(number_by_words_and_heads, match_by_heads)
