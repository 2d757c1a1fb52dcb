"""What a matching rule is, and what all of them have in common: who is matched, in which order, one to one.

A rule says what makes mentions the same outright (`number`: their words, or those and the head), and, unless it is
`EXACT`, who is matched with whom among those that are left (`match`). What is matched gets the key mention's number, so
mentions that stand in several entities are settled afterwards in the same way whatever the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus import mentions
from corefeval.corpus.limits import refuse_far_offsets
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError
from corefeval.matching import places
from corefeval.matching.numbers import LookupNumbers, find_last_rows, replace_numbers
from corefeval.notices import Notice

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.repeats import Lookup
    from corefeval.overlap.views import Views


class MentionNumbers(NamedTuple):
    """Numbers that are equal exactly for mentions that are the same, with notices.

    lookups: under which numbers mentions are looked up, where that is not their own number.
    """

    key: Ints
    response: Ints
    notices: tuple[Notice, ...] = ()
    lookups: LookupNumbers | None = None


class Unmatched(NamedTuple):
    """Rows of both sides that are still without a twin, one for each mention. Mentions are spans."""

    key: Corpus
    response: Corpus
    key_rows: Ints
    response_rows: Ints

    @property
    def step(self) -> int:
        """How far apart the numbers of adjacent written words are: 1 in words, more in places (see `places.py`)."""
        return places.find_step(self.key)


class TwinPairs(NamedTuple):
    """Rows of key and response that a rule has matched, one to one, with notices."""

    key: Ints
    response: Ints
    notices: tuple[Notice, ...] = ()


class Rule(NamedTuple):
    """A matching rule.

    number: gives equal numbers to mentions of key and response that are the same outright.
    match: says who is matched with whom among the others; None if nobody is.
    add_credit: changes the table where twins are worth less than a whole mention.
    """

    number: Callable[[Corpus, Corpus], tuple[Ints, Ints]]
    match: Callable[[Unmatched], TwinPairs] | None = None
    add_credit: Callable[[Views], Views] | None = None


class ZeroRule(NamedTuple):
    """How zeros are matched before all other mentions.

    match: says who is matched with whom among the zeros.
    add_lookups: from the numbers by words and those after matching, adds under which numbers zeros are looked up.
    lookup: how mentions are looked up, where no other way is chosen for repeated mentions.
    """

    match: Callable[[Unmatched], TwinPairs]
    add_lookups: Callable[[tuple[Ints, Ints], MentionNumbers], MentionNumbers] | None = None
    lookup: Lookup | None = None


def require_spans(corpus: Corpus, match: str) -> Corpus:
    """Return the corpus with Spans for mentions; OptionError if they are labels, InputError if they reach too far."""
    refuse_far_offsets(corpus)
    spans = mentions.as_spans(corpus.mentions)
    if spans is None:
        where = f"{corpus.source}: " if corpus.source else ""
        shown = repr(corpus.mentions.take(np.zeros(1, dtype=np.int64)).objects()[0])
        what = f"match={match} compares words, but mentions here are labels such as {shown}"
        raise OptionError(f"{where}{what}: match=exact is all they allow; spans are (first, last)")
    return corpus if spans is corpus.mentions else corpus.replace(mentions=spans)


def number_by_rule(key: Corpus, response: Corpus, rule: Rule, zeros: ZeroRule | None) -> MentionNumbers:
    """Return MentionNumbers, equal for mentions of both sides that a rule matches, after matching zeros by theirs."""
    if rule.match is None and zeros is None:
        return MentionNumbers(*rule.number(key, response))
    if not isinstance(key.mentions, Spans) or not isinstance(response.mentions, Spans):
        return MentionNumbers(*number_by_words(key, response))
    numbers = rule.number(key, response)
    found = MentionNumbers(*mentions.renumber_densely(*numbers))
    if zeros is not None:
        rows = _select_one_row_each(key, found.key), _select_one_row_each(response, found.response)
        found = _join_twins(found, zeros.match(Unmatched(key, response, *rows)))
    if rule.match is not None:
        found = _join_twins(found, rule.match(_select_unmatched(key, response, found)))
    return found if zeros is None or zeros.add_lookups is None else zeros.add_lookups(numbers, found)


def number_by_words(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Return two columns of numbers, key and response, equal for mentions of the same words of the same document."""
    return mentions.number_mentions(key.mentions, response.mentions, key.document, response.document)


EXACT = Rule(number_by_words)


def _select_one_row_each(corpus: Corpus, number: Ints) -> Ints:
    """Return one row for each number, sorted: the first; where heads or minimum spans differ, the first by these."""
    parts = [part for part in (corpus.minimums, corpus.heads) if part is not None]
    columns = [column for part in parts for column in (part.end, part.start, part.start < 0)]
    order = np.lexsort((*columns, number))
    ordered = number[order]
    return np.sort(order[np.append(True, ordered[1:] != ordered[:-1])[: len(order)]])


def _select_unmatched(key: Corpus, response: Corpus, numbers: MentionNumbers) -> Unmatched:
    """Return as Unmatched one row for each mention of either side whose number the other side lacks."""
    ours, theirs = _select_one_row_each(key, numbers.key), _select_one_row_each(response, numbers.response)
    ours = ours[find_last_rows(numbers.response, numbers.key[ours]) < 0]
    return Unmatched(key, response, ours, theirs[find_last_rows(numbers.key, numbers.response[theirs]) < 0])


def _join_twins(numbers: MentionNumbers, pairs: TwinPairs) -> MentionNumbers:
    """Return the numbers with a new one, on both sides, for each pair of twins, and with the pairs' notices."""
    unused = 1 + max(int(numbers.key.max(initial=-1)), int(numbers.response.max(initial=-1)))
    new = unused + np.arange(len(pairs.key))
    return MentionNumbers(
        replace_numbers(numbers.key, numbers.key[pairs.key], new),
        replace_numbers(numbers.response, numbers.response[pairs.response], new),
        (*numbers.notices, *pairs.notices),
    )
