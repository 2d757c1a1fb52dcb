"""A response mention is matched if it lies within a key mention and has the key mention's head, or minimum, in it.

As in the CorefUD and Universal Anaphora scorers: heads of response mentions do not matter, and of several candidates
key and response mentions are assigned to each other so that the shares of the key mentions' words that are found,
|response| / |key|, have the greatest sum. A key mention without a minimum, where minimums stand for heads, is matched
only by the same words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.matching.rules import assignment, base, candidates, cores

if TYPE_CHECKING:
    from corefeval.matching.rules.base import Left, Pairs


def match_mentions(left: Left) -> Pairs:
    """Who is matched with whom among the others."""
    found = assignment.pairs(left, candidates.around(left, cores.cores(left.key, "partial")))
    return found._replace(notices=cores.without_heads(left.key, "key") if cores.are_heads(left.key) else ())


RULE = base.Rule(base.by_words, match_mentions)
