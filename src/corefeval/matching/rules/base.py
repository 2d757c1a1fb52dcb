"""What a matching rule is, and what all of them have in common: who is matched, in which order, one to one.

A rule says what makes mentions the same outright (`number`: their words, or those and the head), and, unless it is
`EXACT`, who is matched with whom among those that are left (`match`). What is matched gets the key mention's number, so
mentions that stand in several entities are settled afterwards in the same way whatever the rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.corpus import mentions
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError
from corefeval.matching.rules import exact
from corefeval.matching.zeros import places

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.matched import Asks, Settled
    from corefeval.matching.repeats.lookup import Lookup
    from corefeval.notices import Notice
    from corefeval.overlap.table import Overlap


class Numbered(NamedTuple):
    """Numbers that are equal exactly for mentions that are the same, and what is to be said about them."""

    key: Ints
    response: Ints
    notices: tuple[Notice, ...] = ()
    asks: Asks | None = None


class Left(NamedTuple):
    """Mentions of both sides that are still without a twin, each once: their rows. Both have spans."""

    key: Corpus
    response: Corpus
    key_rows: Ints
    response_rows: Ints

    @property
    def step(self) -> int:
        """What is between one written word and the next: see `places.py`."""
        return places.step(self.key)


class Pairs(NamedTuple):
    """Rows of key and response that a rule has matched, one to one, and what is to be said about it."""

    key: Ints
    response: Ints
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A matching rule.

    number: gives equal numbers to mentions of key and response that are the same outright.
    match: says who is matched with whom among the others; None if nobody is.
    credit: changes the table where twins are worth less than a whole mention.
    """

    number: Callable[[Corpus, Corpus], tuple[Ints, Ints]]
    match: Callable[[Left], Pairs] | None = None
    credit: Callable[[Overlap, Settled], Overlap] | None = None


@dataclass(frozen=True, slots=True)
class ZeroRule:
    """How zeros are matched before all other mentions.

    match: says who is matched with whom among the zeros.
    find_lookups: from the numbers by words and those after matching, what a scorer looks up wrongly.
    lookup: how it looks mentions up, where no other way is chosen for repeated mentions.
    """

    match: Callable[[Left], Pairs]
    find_lookups: Callable[[tuple[Ints, Ints], Numbered], Numbered] | None = None
    lookup: Lookup | None = None


def in_spans(corpus: Corpus, match: str) -> Corpus:
    """The corpus with mentions that are spans; an error where they do not say which words they have."""
    spans = mentions.as_spans(corpus.mentions)
    if spans is None:
        where = f"{corpus.source}: " if corpus.source else ""
        shown = repr(corpus.mentions.take(np.zeros(1, dtype=np.int64)).objects()[0])
        what = f"match={match} compares words, but mentions here are labels such as {shown}"
        raise OptionError(f"{where}{what}: match=exact is all they allow; spans are (first, last)")
    return corpus if spans is corpus.mentions else corpus.replaced(mentions=spans)


def numbered(key: Corpus, response: Corpus, rule: Rule, zeros: ZeroRule | None) -> Numbered:
    """Number the mentions of both sides so that equal numbers are the same mention."""
    if rule.match is None and zeros is None:
        return Numbered(*rule.number(key, response))
    if not isinstance(key.mentions, Spans) or not isinstance(response.mentions, Spans):
        return Numbered(*by_words(key, response))
    numbers = rule.number(key, response)
    found = Numbered(*_close_together(*numbers))
    if zeros is not None:
        found = _together(found, zeros.match(Left(key, response, *_distinct(key, response, found))))
    if rule.match is not None:
        found = _together(found, rule.match(Left(key, response, *_alone(key, response, found))))
    return found if zeros is None or zeros.find_lookups is None else zeros.find_lookups(numbers, found)


def by_words(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Numbers that are equal for mentions of the same words of the same document."""
    return mentions.number_mentions(key.mentions, response.mentions, key.document, response.document)


EXACT = Rule(by_words)


def _close_together(key: Ints, response: Ints) -> tuple[Ints, Ints]:
    """The same numbers, but as small as possible: what follows looks them up in tables."""
    number = np.unique(np.concatenate([key, response]), return_inverse=True)[1].reshape(-1)
    return number[: len(key)], number[len(key) :]


def _distinct(key: Corpus, response: Corpus, numbers: Numbered) -> tuple[Ints, Ints]:
    """A row for every mention."""
    return _one_of_each(key, numbers.key), _one_of_each(response, numbers.response)


def _one_of_each(corpus: Corpus, number: Ints) -> Ints:
    """For every number the first row that has it; where a mention's rows differ in head or minimum, by those."""
    parts = [part for part in (corpus.minimums, corpus.heads) if part is not None]
    columns = [column for part in parts for column in (part.end, part.start, part.start < 0)]
    order = np.lexsort((*columns, number))
    ordered = number[order]
    return np.sort(order[np.append(True, ordered[1:] != ordered[:-1])[: len(order)]])


def _alone(key: Corpus, response: Corpus, numbers: Numbered) -> tuple[Ints, Ints]:
    """A row for every mention that the other side has not."""
    ours, theirs = _distinct(key, response, numbers)
    return (
        ours[exact.last_row(numbers.response, numbers.key[ours]) < 0],
        theirs[exact.last_row(numbers.key, numbers.response[theirs]) < 0],
    )


def _together(numbers: Numbered, pairs: Pairs) -> Numbered:
    """Give what is matched a number of its own on both sides."""
    unused = 1 + max(int(numbers.key.max(initial=-1)), int(numbers.response.max(initial=-1)))
    new = unused + np.arange(len(pairs.key))
    return Numbered(
        _renumbered(numbers.key, numbers.key[pairs.key], new),
        _renumbered(numbers.response, numbers.response[pairs.response], new),
        (*numbers.notices, *pairs.notices),
    )


def _renumbered(number: Ints, old: Ints, new: Ints) -> Ints:
    """The column with other numbers for some mentions, wherever they stand."""
    place = exact.last_row(old, number)
    return np.where(place >= 0, new[place], number) if len(new) else number
