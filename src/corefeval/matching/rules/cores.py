"""The part of a mention that stands for it: its head, or its minimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError
from corefeval.matching.rules import containment
from corefeval.notices import Notice

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

_ALWAYS_HEADS = "corefud"
"""The format in which every mention has a head: its first word where none is given."""

WITH_HEADS = "corefud, jsonlines, ace and corenlp files, and objects of spaCy, can have heads"
WITH_MINIMUMS = "ua, muc and jsonlines files can have minimum spans"


def heads(corpus: Corpus, side: str, match: str) -> Spans:
    """The head of every mention; where none is given, its first word."""
    first = containment.spans(corpus).start
    if corpus.heads is None and (corpus.format == _ALWAYS_HEADS or len(corpus) == 0):
        return Spans(first, first)
    if corpus.heads is None:
        raise OptionError(f"match={match} compares heads, but {_name(corpus, side)} has none; {WITH_HEADS}")
    given = corpus.heads.start >= 0
    start, end = np.where(given, corpus.heads.start, first), np.where(given, corpus.heads.end, first)
    return Spans(start, end, corpus.heads.pieces)


def without_heads(corpus: Corpus, side: str) -> tuple[Notice, ...]:
    """Say how many mentions have their first word for a head, as none is given."""
    missing = np.arange(len(corpus)) if corpus.heads is None else np.flatnonzero(corpus.heads.start < 0)
    if len(missing) == 0:
        return ()
    row = int(missing[0])
    where = f"{corpus.place(row, side)}: {corpus.describe(row)}"
    one = f"{where} has no head; its first word stands for it"
    more = f"{where} and {len(missing) - 1} more mentions of the {side} have no heads; their first words stand for them"
    return (Notice("no-head", one if len(missing) == 1 else more, {"side": side, "count": len(missing)}),)


def cores(key: Corpus, match: str) -> Spans:
    """The head of every key mention; where no heads are known, its minimum, -1 if it has none."""
    if are_heads(key):
        return heads(key, "key", match)
    if key.minimums is not None:
        return key.minimums
    name = _name(key, "key")
    raise OptionError(
        f"match={match} needs heads or minimum spans of the key, but {name} has neither; {WITH_HEADS}; {WITH_MINIMUMS}"
    )


def are_heads(key: Corpus) -> bool:
    """Whether heads stand for the mentions of a key, rather than minimums."""
    return key.heads is not None or key.format == _ALWAYS_HEADS or len(key) == 0


def _name(corpus: Corpus, side: str) -> str:
    name = corpus.source or f"the {side}"
    return f"{name} ({corpus.format})" if corpus.format else name
