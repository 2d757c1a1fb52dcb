"""The CorefUD scorer: how it looks repeated mentions up, and how version 1.2 confuses zeros.

It keeps who is matched with whom, both ways, in one dictionary by words. Where a zero of one file stands in the place
of another zero of the other file, the entry of one replaces the entry of the other, and a mention is looked up as what
it is not. `add_lookups` is that dictionary, as far as it goes wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval.corpus.mentions import Spans
from corefeval.matching.numbers import LookupNumbers, find_last_rows, replace_numbers
from corefeval.matching.repeats import Lookup, rank_by_first_mention, rank_by_listing
from corefeval.matching.rules.base import MentionNumbers, ZeroRule
from corefeval.matching.rules.zeros import match_zeros
from corefeval.notices import Notice, count_things
from corefeval.options import Options
from corefeval.profiles import Profile

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

PROFILES = (
    Profile(
        "corefud-1.2",
        "the CorefUD scorer 1.2, the official one of the CRAC shared tasks on multilingual coreference",
        Options(
            boundary="both",
            match="head",
            zeros="corefud-1.2",
            singletons="drop",
            duplicates="corefud-1.2",
            missing="error",
            anaphors="place",
        ),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea"),
        """
        Zeros that stand in each other's places are looked up wrongly: see zeros=corefud-1.2, which says how
        many; zeros=dependency is right.

        Documents of the response that the key lacks are ignored at the end of the file and refused
        elsewhere; documents in another order are refused. Here order does not matter.

        Its score for zeros (measures=zero) takes a zero for what stands in its place in the other file, which
        need not be its twin: see anaphors=place; anaphors=twin is right.

        It refuses files without '# newdoc', and stops at an empty node without dependencies on both sides.
        """,
    ),
)

_NOTHING = 1 << 62  # no mention has this number


def rank_by_text(corpus: Corpus) -> Ints:
    """Return each entity's rank by its first mention in the text (longer first), then name; as listed without spans."""
    if not isinstance(corpus.mentions, Spans):
        return rank_by_listing(corpus)
    length = corpus.own_spans.lengths()
    name = np.array([str(each) for each in corpus.entity_name], dtype=np.str_)
    return rank_by_first_mention(corpus, (corpus.mentions.end, -length, corpus.mentions.start), name)


DUPLICATES = Lookup(rank_by_text, once=True)


def add_lookups(words: tuple[Ints, Ints], numbers: MentionNumbers) -> MentionNumbers:
    """Return the numbers, and if look-up by words confuses some, those these are looked up under, and a notice."""
    found = _find_confused_numbers(words, (numbers.key, numbers.response))
    counts = len(found.key[0]), len(found.response[0])
    if not any(counts):
        return numbers
    some = f"{count_things(counts[0], 'mention')} of the key and {counts[1]:,} of the response"
    message = (
        f"{some} {'is' if sum(counts) == 1 else 'are'} looked up as zeros that stand in their place in the other file, "
        "as the CorefUD scorer 1.2 does; zeros=dependency finds them"
    )
    notice = Notice("crossed-zeros", message, {"key": counts[0], "response": counts[1]})
    return numbers._replace(lookups=found, notices=(*numbers.notices, notice))


ZEROS = ZeroRule(match_zeros, add_lookups, DUPLICATES)


def _find_confused_numbers(words: tuple[Ints, Ints], number: tuple[Ints, Ints]) -> LookupNumbers:
    """Return for each side two columns: the numbers that look-up by words confuses, and what each finds instead."""
    sides = []  # every number once, and the words it stands for
    for its_words, its_number in zip(words, number, strict=True):
        distinct, first = np.unique(its_number, return_index=True)
        sides.append((distinct, its_words[first]))
    key, response = sides
    place = find_last_rows(response[0], key[0])
    ours, theirs = key[1][place >= 0], response[1][place[place >= 0]]
    differ = ours != theirs
    entry = np.concatenate([ours[differ], theirs[differ]])
    value = np.concatenate([theirs[differ], ours[differ]])
    return LookupNumbers(_compare_lookups(key, response, entry, value), _compare_lookups(response, key, entry, value))


def _compare_lookups(side: tuple[Ints, Ints], other: tuple[Ints, Ints], entry: Ints, value: Ints) -> tuple[Ints, Ints]:
    """Return two columns: the numbers of a side that the dictionary entry → value leads astray, and what each finds."""
    number, words = side
    asked = replace_numbers(words, entry, value)
    place = find_last_rows(other[1], asked)
    got = np.append(other[0], _NOTHING)[place]
    right = np.where(find_last_rows(other[0], number) >= 0, number, _NOTHING)
    wrong = got != right
    return number[wrong], got[wrong]
