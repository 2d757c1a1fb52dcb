"""Passages that a response has again, or in another place: which words of the key they are, and which mentions count.

An alignment has each word of the key once, and in order. Of a sentence that is written twice, with a tag lost here and
a word there, it takes one copy, or parts of both; the rest are words that the key lacks. They are aligned once more.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.matching.text_alignment import Text, TextAlignment, align_texts

_LEAST = 4  # words of a copy that the key has, too
_ONE_IN = 3  # words of a copy are the key's, at least
_AROUND = 2  # how often the length of a passage the key is searched for it, before and behind


class Copy(NamedTuple):
    """A passage of the response, and the key's letters around it that have many of its words, with their alignment.

    between: the key's letters before and behind which the passage stands in the response.
    """

    ours: slice
    theirs: slice
    alignment: TextAlignment
    between: tuple[int, int]


def find_copies(letters: tuple[str, str], alignment: TextAlignment) -> Iterator[Copy]:
    """Yield the passages of words that the key lacks of which it has at least a third nearby, in the same order.

    letters: of key and response. What is left of such a passage is looked up as well: it may be of another copy.
    """
    lengths = len(letters[0]), len(letters[1])
    whole = Copy(slice(0, lengths[0]), slice(0, lengths[1]), alignment, (0, lengths[0]))
    lacking = alignment.changes[alignment.changes[:, 0] < 0, 1]
    waiting = [(whole, first, stop) for first, stop in _list_runs(lacking) if stop - first >= _LEAST]
    while waiting:
        around, first, stop = waiting.pop()
        least = _LEAST if around is whole else 1
        copy = _align_again(letters, alignment.words, around, first, stop)
        if copy is not None and copy.alignment.same >= max(least, (stop - first) / _ONE_IN):
            yield copy
            waiting += [(copy, *run) for run in _list_runs(copy.alignment.changes[:, 1])]


def _list_runs(words: Ints) -> Iterator[tuple[int, int]]:
    """Yield words in a row as [first, stop), given their numbers, -1 for none."""
    words = np.sort(words[words >= 0])
    opens = np.flatnonzero(np.diff(words, prepend=-2) != 1)
    sizes = np.diff(np.append(opens, len(words)))
    for place, size in zip(words[opens].tolist(), sizes.tolist(), strict=True):
        yield place, place + size


def _align_again(
    letters: tuple[str, str], words: tuple[Ints, Ints], around: Copy, first: int, stop: int
) -> Copy | None:
    """Return a passage aligned with the key's words nearby; None if there are none.

    words: where both texts' words begin; around: where the passage is one of words inserted, from `first` to `stop`.
    """
    _, _, _, (_, their_starts) = around.alignment
    width, begin, close = stop - first, int(their_starts[first]), int(their_starts[stop])
    between = _find_neighbours(around, begin, close)
    before, behind = np.searchsorted(words[0], between).tolist()
    low = max(0, before - _AROUND * width)
    high = min(len(words[0]) - 1, behind + _AROUND * width, before + 2 * _AROUND * width)
    if low >= high:
        return None
    ours = slice(int(words[0][low]), int(words[0][high]))
    theirs = slice(begin + around.theirs.start, close + around.theirs.start)
    texts = [_cut_text(*each) for each in zip(letters, words, (ours, theirs), strict=True)]
    again = align_texts(*texts)
    _close_gaps(again, *(text.letters for text in texts))
    return Copy(ours, theirs, again, between)


def _close_gaps(alignment: TextAlignment, ours: str, theirs: str) -> None:
    """Move, in place, words of the second text to the same word next to that of their neighbour, where there is one.

    Of "the sea is the home", where "the home" is there again, "the" is the one before "home".
    """
    begin, end, changes, (our_starts, their_starts) = alignment
    word_of = {start: number for number, start in enumerate(our_starts.tolist())}
    changed = set(changes[:, 1].tolist())
    place = {
        number: word_of[int(begin[start])]
        for number, start in enumerate(their_starts[:-1].tolist())
        if number not in changed and int(begin[start]) in word_of
    }

    def move(number: int, to: int) -> None:
        """Give a word the place of one of ours if it is the same."""
        first, last, start, stop = our_starts[to], our_starts[to + 1], their_starts[number], their_starts[number + 1]
        if ours[first:last] == theirs[start:stop]:
            place[number] = to
            begin[start:stop] = end[start:stop] = np.arange(first, last)

    for number in sorted(place):
        if number - 1 in place and place[number] > place[number - 1] + 1:
            move(number, place[number - 1] + 1)
    for number in sorted(place, reverse=True):
        if number + 1 in place and place[number] < place[number + 1] - 1:
            move(number, place[number + 1] - 1)


def _find_neighbours(around: Copy, begin: int, close: int) -> tuple[int, int]:
    """Return the key's letters before and behind which inserted letters stand, from `begin` up to `close`."""
    before, behind = around.between
    if begin:
        before = int(around.alignment.end[begin - 1]) + 1 + around.ours.start
    if close < len(around.alignment.begin):
        behind = int(around.alignment.begin[close]) + around.ours.start
    # At the ends of a copy, what is next to it in the response decides: the copy may be of what is before or behind.
    if not begin:
        behind = max(before, behind)
    elif close == len(around.alignment.begin):
        before = min(before, behind)
    return before, behind


def _cut_text(letters: str, starts: Ints, part: slice) -> Text:
    """Return a part of a text whose words begin at these letters."""
    begins = np.zeros(part.stop - part.start + 1, dtype=np.bool_)
    begins[starts[np.searchsorted(starts, part.start) : np.searchsorted(starts, part.stop) + 1] - part.start] = True
    return Text(letters[part], begins)


class PlacedMention(NamedTuple):
    """A mention among the key's words: its entity, its place, whether it is from a copy, and whether it is repaired."""

    entity: int
    place: Sequence[tuple[int, int]]
    copied: bool
    repaired: bool


def find_superfluous(mentions: Sequence[PlacedMention]) -> list[int]:
    """Return the numbers of mentions that do not count, as there are copies: the key has their words only once.

    A mention of a copy fills in what is not there: it does not count where another mention has the same words, or one
    of its entity begins or ends with the same word. Mentions that had to be repaired give way to those that had not.
    """
    places: set[Hashable] = set()
    taken: dict[Hashable, bool] = {}  # an entity with the first or last word of its mention: whether this is copied
    superfluous = []
    for number in sorted(range(len(mentions)), key=lambda each: (mentions[each].repaired, mentions[each].copied)):
        entity, place, copied, repaired = mentions[number]
        ends = ("first", entity, place[0][0]), ("last", entity, place[-1][-1])
        found = [taken[end] for end in ends if end in taken]
        if (copied and (tuple(place) in places or found)) or (repaired and any(found)):
            superfluous.append(number)
            continue
        places.add(tuple(place))
        for end in ends:
            taken[end] = taken.get(end, False) or copied
    return superfluous
