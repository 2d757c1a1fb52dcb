"""Rules by the core of a key mention, which is its head or its minimum span.

HEAD     mentions of the same words and the same head are twins outright, then those with the same head

By the others, mentions of the same words are twins outright, and a response mention matches if it contains the core of
the key mention and no word from outside. Only the key's cores count; a key mention without one matches exactly.

LENIENT  by heads (Recasens & Hovy 2011, 4.2)
PARTIAL  by heads, or minimum spans where no heads are known; where heads are known, a mention without one has its first
         word for a head; a key without both matches exactly, as if whole mentions were their minimum spans
MIN      by minimum spans that annotators gave (`MIN` of MUC, ARRAU, CoNLL-UA)

Of several candidates key and response mentions are assigned to each other so that the shares of the key mentions' words
that are found, |key ∩ response| / |key|, have the greatest sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefeval._arrays import Ints, np
from corefeval.corpus import mentions
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.heads import fill_missing_heads
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError
from corefeval.formats import registry
from corefeval.matching.rules.assignment import assign_twins
from corefeval.matching.rules.base import Rule, TwinPairs, Unmatched, number_by_words
from corefeval.matching.rules.candidates import find_around, find_equal, get_spans
from corefeval.notices import Notice, count_part, count_things

_ALWAYS_HEADS = "corefud"
"""The format in which every mention has a head: its first word where none is given."""

_WITH_HEADS = "corefud, jsonlines, ace and corenlp files, and objects of spaCy, can have heads"
_WITH_MINIMUMS = "CoNLL-UA, CorefUD, MUC and jsonlines files can have minimum spans"


def fill_heads(corpus: Corpus, side: str, match: str) -> Spans:
    """Return the head of every mention, or its first word, as Spans; OptionError if the corpus has no heads at all."""
    if corpus.heads is None and corpus.format != _ALWAYS_HEADS and len(corpus):
        raise OptionError(f"match={match} compares heads, but {_describe_side(corpus, side)} has none; {_WITH_HEADS}")
    return fill_missing_heads(corpus.heads, get_spans(corpus).start)


def make_headless_notices(corpus: Corpus, side: str) -> tuple[Notice, ...]:
    """Return one notice of how many mentions have no head, so that first words stand for them; () if all have one."""
    missing = np.arange(len(corpus)) if corpus.heads is None else np.flatnonzero(corpus.heads.start < 0)
    if len(missing) == 0:
        return ()
    row = corpus.find_first(missing)
    source = corpus.file(int(corpus.document[row])) or side
    return (_make_headless_notice(source, corpus.line(row), corpus.describe(row), side, len(missing)),)


def _make_headless_notice(source: str, line: int | None, first: str, side: str, count: int) -> Notice:
    """Make a notice of how many mentions have no head, with the place and the words of the first of them."""
    if count > 1:
        others = count_things(count - 1, "other mention")
        what = f"{first} and {others} of the {side} have no heads; their first words stand for them"
    else:
        what = f"{first} has no head; its first word stands for it"
    return Notice.at("no-head", source, line, what, {"side": side, "count": count, "mention": first})


def join_headless_notices(notices: Sequence[Notice]) -> Notice | None:
    """Return one notice of all headless mentions, given those of parts of a side; None for those of match=lenient."""
    first = notices[0]
    if "mention" not in first.details:
        return None
    count = sum(int(str(notice.details["count"])) for notice in notices)
    return _make_headless_notice(
        first.source, first.line, str(first.details["mention"]), str(first.details["side"]), count
    )


def _number_with_heads(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Return numbers by words, key and response; raise an OptionError if the key has mentions but no heads."""
    if len(key) and (key.heads is None or key.heads.start.max() < 0):
        raise OptionError(
            f"match=lenient looks for the heads of key mentions, but {key.source or 'the key'} has none; {_WITH_HEADS}"
        )
    return number_by_words(key, response)


def match_leniently(left: Unmatched) -> TwinPairs:
    """Return twins: response mentions with the key mention's head, within it; a notice counts headless key mentions."""
    heads = left.key.heads
    if heads is None:  # a key without mentions
        return TwinPairs(left.key_rows, left.key_rows)
    found = assign_twins(left, find_around(left, heads))
    rows = np.flatnonzero(heads.start < 0)
    if len(rows) == 0:
        return found
    row, all_in_all = int(rows[0]), count_part(len(rows), len(left.key), "key mention", "has", "have")
    what = f"{left.key.describe(row)} has no head and matches exactly only; {all_in_all} none"
    source = left.key.file(int(left.key.document[row])) or "key"
    notice = Notice.at("no-head", source, left.key.line(row), what, {"count": len(rows)})
    return found._replace(notices=(notice,))


def match_partially(left: Unmatched) -> TwinPairs:
    """Return twins: response mentions with the key mention's head, else minimum span, within it; with notices."""
    key = left.key
    if key.heads is not None or key.format == _ALWAYS_HEADS or len(key) == 0:
        found = assign_twins(left, find_around(left, fill_heads(key, "key", "partial")))
        return found._replace(notices=make_headless_notices(key, "key"))
    return match_by_minimums(left, "head or minimum span")


def _number_with_minimums(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Return numbers by words, key and response; OptionError if the key's format has no place for minimum spans."""
    if key.minimums is None and key.format and not _has_place_for_minimums(key):
        raise OptionError(
            f"match=min looks for the minimum spans (MIN) of key mentions, but {key.source or 'the key'} has none: "
            f"the format {key.format} has no place for them; {_WITH_MINIMUMS}"
        )
    return number_by_words(key, response)


def _has_place_for_minimums(corpus: Corpus) -> bool:
    """Return whether the format of a corpus can have minimum spans, so that it is no error if no mention has one."""
    capacity = registry.load_format(corpus.format).CAPACITY if corpus.format else None
    return capacity is not None and capacity.minimums


def match_by_minimums(left: Unmatched, lacking: str = "minimum span (MIN)") -> TwinPairs:
    """Return twins: response mentions with the key mention's minimum span, within it; a notice if the key has none.

    lacking: what a notice says then that the key's mentions have not.
    """
    if left.key.minimums is not None:
        return assign_twins(left, find_around(left, left.key.minimums))
    where = left.key.source or "key"
    notice = Notice.at("no-minimum", where, None, f"no mention has a {lacking}, so all match exactly")
    none = left.key_rows[:0]
    return TwinPairs(none, none, (notice,) if len(left.key) else ())


def _describe_side(corpus: Corpus, side: str) -> str:
    """Return the file and the format of a side, for a message."""
    name = corpus.source or f"the {side}"
    return f"{name} ({corpus.format})" if corpus.format else name


def number_by_words_and_heads(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Return two columns of numbers, equal for the same words and the same head; OptionError if a side has no heads."""
    return mentions.combine_numbers(number_by_words(key, response), _number_heads(key, response))


def match_by_heads(left: Unmatched) -> TwinPairs:
    """Return twins with the same head that share words; notices count mentions whose first word stands for it."""
    found = assign_twins(left, find_equal(left, *_number_heads(left.key, left.response)))
    notices = *make_headless_notices(left.key, "key"), *make_headless_notices(left.response, "response")
    return found._replace(notices=notices)


def _number_heads(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Return two columns of numbers, equal for the same head in one document; OptionError if a side has no heads."""
    ours, theirs = fill_heads(key, "key", "head"), fill_heads(response, "response", "head")
    return mentions.number_mentions(ours, theirs, key.document, response.document)


HEAD = Rule(number_by_words_and_heads, match_by_heads)
LENIENT = Rule(_number_with_heads, match_leniently)
PARTIAL = Rule(number_by_words, match_partially)
MIN = Rule(_number_with_minimums, match_by_minimums)
