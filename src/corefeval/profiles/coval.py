"""coval: every occurrence of a mention counts, and is found in the entity of the other side that is complete last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import Ints
from corefeval.corpus.mentions import Spans
from corefeval.matching.repeats import Lookup, rank_by_first_mention, rank_by_listing
from corefeval.options import Options
from corefeval.profiles import Profile

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

PROFILES = (
    Profile(
        "coval",
        "coval 0.0.1 (Moosavi)",
        Options(duplicates="coval", boundary="key", missing="error"),
        ("mentions", "muc", "bcub", "ceafe", "lea"),
        """
        It reads '(0(1' without a bar as (1, leaves unclosed brackets out, and takes (1+2) for entity 12;
        files are read as the reference scorer reads them here.

        A mention is a sentence with places in it there, so other sentence breaks make other mentions; here
        words are counted over the document.

        Its CEAFm, which its command does not show, divides by numbers of entities; here it is CEAFm. It has
        no BLANC.

        Where a mention is the first of two entities, the last of them is there the one whose bracket is closed
        last; here the one that is opened last.

        Two documents of one name become one there; here they are refused.
        """,
    ),
)


def rank_by_completion(corpus: Corpus) -> Ints:
    """Return the rank of every entity by when it first has a complete mention: of one word first, then inner ones."""
    if not isinstance(corpus.mentions, Spans):
        return rank_by_listing(corpus)
    start, end = corpus.mentions.start, corpus.mentions.end
    return rank_by_first_mention(corpus, (-start, end > start, end))


DUPLICATES = Lookup(rank_by_completion, once=False)
