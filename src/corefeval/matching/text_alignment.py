"""Two texts side by side: which letters are the same, which words stand in the place of others, which only one has.

Runs of letters that both texts have equally often are chained, words between these are compared one by one. Time and
memory grow with the length of the texts, however much they differ.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt
from unicodedata import category

from corefeval._arrays import Array, Booleans, Ints, np
from corefeval._lazy import NamedTuple

_RUN = 4  # runs of 2 to the power of this many letters are looked up in the other text
_STRETCH = 20  # words between two that are the same, among which each may stand in the place of another
_TABLE = 1 << 24  # bits of a table of words by words; larger ones are cut
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)  # fmt: skip
"""Letters of scripts without blanks between words (Thai, Lao, Burmese, Khmer, kana, Han), each a word by itself."""


class Text(NamedTuple):
    """The letters of a text without blanks, and before which of them a word begins; at its end, one more is True."""

    letters: str
    begins: Booleans


class TextAlignment(NamedTuple):
    """Where the second text's letters are in the first.

    begin, end: for every letter of the second text, that of the first with which a mention begins, or ends, that does
        so with it; -1 for none. They differ in words that stand in the place of others only.
    changes: rows of (word of the first, word of the second), in order: one that stands in the place of the other, or,
        with -1 for the one that is not there, a word that only one of the texts has.
    words: where the first text's words begin, and its end; and the second's.
    """

    begin: Ints
    end: Ints
    changes: Ints
    words: tuple[Ints, Ints]

    @property
    def same(self) -> int:
        """How many words of the second text the first has as well, in their order."""
        return len(self.words[1]) - 1 - int(np.count_nonzero(self.changes[:, 1] >= 0))

    @property
    def share_changed(self) -> float:
        """How much of the text with fewer words is not in the other, from 0 to 1."""
        fewer = min(len(words) - 1 for words in self.words)
        return 1 - min(self.same, fewer) / fewer if fewer else 0.0


def divide_text(letters: str, apart: Booleans) -> Text:
    """Return a text divided into words: numbers and letters in a row, and every other character by itself.

    apart: for every letter, whether a word or line ends before it.
    """
    kinds = {letter: _classify_letter(letter) for letter in set(letters)}
    table = np.zeros(max(map(ord, kinds), default=0) + 1, dtype=np.int64)
    for letter, its_kind in kinds.items():
        table[ord(letter)] = its_kind
    kind = table[_encode(letters)]
    alone = kind == _ALONE
    begins = np.append(apart | alone | (np.append(False, alone[:-1]) & (kind != _MARK)), True)
    begins[0] = True
    return Text(letters, begins)


_LETTER, _ALONE, _MARK = range(3)


@lru_cache(maxsize=1 << 16)
def _classify_letter(letter: str) -> int:
    """Return whether a character is part of a word (_LETTER), a word by itself (_ALONE), or part of what it follows."""
    kind, code = category(letter), ord(letter)
    if kind[0] == "M":
        return _MARK
    if kind[0] in "LN" and not any(first <= code <= last for first, last in _UNSPACED):
        return _LETTER
    return _LETTER if letter == "_" else _ALONE


def align_texts(ours: Text, theirs: Text) -> TextAlignment:
    """Return where the letters of the second text are in the first, and which words differ."""
    starts = np.flatnonzero(ours.begins), np.flatnonzero(theirs.begins)
    if ours.letters == theirs.letters:
        letter = np.arange(len(theirs.letters))
        return TextAlignment(letter, letter, np.zeros((0, 2), dtype=np.int64), starts)
    letter = _drop_parts_of_words(_align_equal_letters(ours.letters, theirs.letters), ours, theirs)
    begin, end = letter, letter.copy()
    changes: list[tuple[int, int]] = []
    for our_gap, their_gap in _list_gaps(letter, *starts):
        words = tuple(
            [text.letters[a:b] for a, b in pairwise(start[first : last + 1].tolist())]
            for text, start, (first, last) in zip((ours, theirs), starts, (our_gap, their_gap), strict=True)
        )
        pairs = _pair_words(*words)
        for i, j in pairs:
            one, other = words[0][i], words[1][j]
            a, b = int(starts[0][our_gap[0] + i]), int(starts[1][their_gap[0] + j])
            head, tail = _count_common_ends(one, other)
            begin[b : b + head] = end[b : b + head] = np.arange(a, a + head)
            stop, their_stop = a + len(one), b + len(other)
            begin[their_stop - tail : their_stop] = np.arange(stop - tail, stop)
            end[their_stop - tail : their_stop] = np.arange(stop - tail, stop)
            begin[b], end[their_stop - 1] = a, stop - 1
        changes += _list_changes(words, pairs, our_gap[0], their_gap[0])
    return TextAlignment(begin, end, np.array(changes, dtype=np.int64).reshape(-1, 2), starts)


def slide_insertions(alignment: TextAlignment, letters: str, opens: Ints, closes: Ints) -> TextAlignment:
    """Return an alignment as good, in which the words that only the second text has touch as few mentions as can be.

    Of "my my", where the first text has one "my", either may be the inserted word: it is the one in no mention.
    letters: of the second text; opens, closes: for each of these, how many mentions begin and end with it.
    """
    slider = _Slider(alignment, letters, opens, closes)
    rows = np.flatnonzero(alignment.changes[:, 0] < 0)
    inserted = alignment.changes[rows, 1]
    for run in np.split(rows, np.flatnonzero((np.diff(rows) != 1) | (np.diff(inserted) != 1)) + 1):
        if len(run):
            slider.slide(run)
    return slider.alignment


class _Slider:
    """An alignment in which words of the second text change places with the same words beside them."""

    def __init__(self, alignment: TextAlignment, letters: str, opens: Ints, closes: Ints) -> None:
        begin, end, changes, words = alignment
        self.alignment = TextAlignment(begin.copy(), end.copy(), changes.copy(), words)
        self._letters, self._starts = letters, words[1]
        self._begun, self._ended = (np.append(0, np.cumsum(column))[words[1]] for column in (opens, closes))
        self._is_changed = np.zeros(len(words[1]), dtype=np.bool_)
        self._is_changed[changes[:, 1][changes[:, 1] >= 0]] = True
        self._is_changed[-1] = True  # there is no word

    def slide(self, run: Ints) -> None:
        """Let others be inserted for words in a row, given the rows of their changes, if these touch fewer mentions."""
        inserted = self.alignment.changes[run, 1]
        first, stop = int(inserted[0]), int(inserted[-1]) + 1
        if self._count_touched(first, stop) == 0:
            return
        shifts = self._list_shifts(first, stop)
        shift = min(shifts, key=lambda by: (self._count_touched(first + by, stop + by), abs(by)))
        if shift:
            self._move(run, first, stop, shift)
            return
        # Only the first or last of them may have the same word beside it.
        for row, word, by in ((run[-1:], stop - 1, 1), (run[:1], first, -1)):
            other = word + by
            if other < 0 or not self._is_same(word, other):
                continue
            if self._count_touched(other, other + 1) < self._count_touched(word, word + 1):
                self._move(row, word, word + 1, by)

    def _count_touched(self, first: int, stop: int) -> int:
        """Return how many mentions have one of the words from `first` up to `stop`."""
        return int(self._begun[stop] - self._ended[first])

    def _move(self, run: Ints, first: int, stop: int, shift: int) -> None:
        """Let the words from `first` up to `stop`, those of these rows, be the same words so much further on."""
        starts = self._starts
        source, target = (stop, first) if shift > 0 else (first + shift, stop + shift)
        size = int(starts[source + abs(shift)] - starts[source])
        for column in (self.alignment.begin, self.alignment.end):
            values = column[starts[source] : starts[source] + size].copy()
            column[starts[first + shift] : starts[stop + shift]] = -1
            column[starts[target] : starts[target] + size] = values
        self.alignment.changes[run, 1] += shift
        self._is_changed[first:stop] = False
        self._is_changed[first + shift : stop + shift] = True

    def _list_shifts(self, first: int, stop: int) -> list[int]:
        """Return by how many words, 0 among them, inserted words from `first` up to `stop` may be others as well."""
        right = left = 0
        while right < stop - first and self._is_same(first + right, stop + right):
            right += 1
        while left < stop - first and first - left > 0 and self._is_same(stop - left - 1, first - left - 1):
            left += 1
        return list(range(-left, right + 1))

    def _is_same(self, word: int, other: int) -> bool:
        """Return whether two words of the text are the same, and the second is in the other text, too."""
        starts = self._starts
        if self._is_changed[other]:
            return False
        return self._letters[starts[word] : starts[word + 1]] == self._letters[starts[other] : starts[other + 1]]


def _list_changes(
    words: tuple[list[str], ...], pairs: list[tuple[int, int]], first: int, their_first: int
) -> Iterator[tuple[int, int]]:
    """Yield the rows of `TextAlignment.changes` of words of which these pairs belong together."""
    i = j = 0
    for a, b in [*pairs, (len(words[0]), len(words[1]))]:
        yield from ((first + place, -1) for place in range(i, a))
        yield from ((-1, their_first + place) for place in range(j, b))
        if a < len(words[0]) and words[0][a] != words[1][b]:
            yield first + a, their_first + b
        i, j = a + 1, b + 1


def _encode(letters: str) -> Ints:
    """Return an array of a text's code points."""
    return np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _align_equal_letters(ours: str, theirs: str) -> Ints:
    """Return, for every letter of the second text, the position of the same letter in the first, or -1; rising."""
    ours_codes, theirs_codes = _encode(ours), _encode(theirs)
    letter = np.full(len(theirs), -1, dtype=np.int64)
    head = _count_common_start(ours_codes, theirs_codes)
    tail = _count_common_start(ours_codes[head:][::-1], theirs_codes[head:][::-1])
    stops = len(ours) - tail, len(theirs) - tail
    letter[:head] = np.arange(head)
    letter[stops[1] :] = np.arange(stops[0], len(ours))
    a, b = ours_codes[head : stops[0]], theirs_codes[head : stops[1]]
    stop_a = stop_b = 0  # where the last run ends
    for next_a, next_b, length in [*_find_chain(a, b), (len(a), len(b), 0)]:
        between, their_between = a[stop_a:next_a], b[stop_b:next_b]
        grown = _count_common_start(between, their_between)
        back = _count_common_start(between[grown:][::-1], their_between[grown:][::-1])
        letter[head + stop_b : head + stop_b + grown] = np.arange(head + stop_a, head + stop_a + grown)
        begin, stop = head + next_a - back, head + next_a + length
        letter[head + next_b - back : head + next_b + length] = np.arange(begin, stop)
        stop_a, stop_b = next_a + length, next_b + length
    return letter


def _count_common_start(one: Ints, other: Ints) -> int:
    """Return the length, in letters, of the beginning that two texts have in common."""
    length = min(len(one), len(other))
    differs = np.flatnonzero(one[:length] != other[:length])
    return int(differs[0]) if len(differs) else length


def _find_chain(ours: Ints, theirs: Ints) -> list[tuple[int, int, int]]:
    """Return (our place, their place, length) of runs of letters alike, rising in both texts, as many as can be.

    The n-th occurrence of some letters in a row belongs to the n-th in the other text if there are as many.
    """
    a, b = (_sort_runs(text) for text in (ours, theirs))
    _, in_a, in_b = np.intersect1d(a.runs, b.runs, assume_unique=True, return_indices=True)
    as_many = a.times[in_a] == b.times[in_b]
    in_a, in_b = in_a[as_many], in_b[as_many]
    count = a.times[in_a]
    nth = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    x, y = a.place[np.repeat(a.first[in_a], count) + nth], b.place[np.repeat(b.first[in_b], count) + nth]
    order = np.argsort(x)
    x, y = x[order], y[order]
    real = ours[x] == theirs[y]  # of two runs with the same number, which may be different ones after all
    x, y = x[real], y[real]
    opens = np.flatnonzero((np.diff(x, prepend=-2) != 1) | (np.diff(y, prepend=-2) != 1))
    length = np.diff(np.append(opens, len(x)))
    return _choose_heaviest(x[opens].tolist(), y[opens].tolist(), length.tolist())


class _Runs(NamedTuple):
    """All runs of letters of a text, as numbers: the distinct ones, where each is first in `place`, how often it is."""

    runs: Array
    first: Ints
    times: Ints
    place: Ints


def _sort_runs(codes: Ints) -> _Runs:
    """Return the runs of letters of a text."""
    number = codes.astype(np.uint64)
    for step in range(_RUN):
        size = 1 << step
        if len(number) <= size:
            number = number[:0]
            break
        mixed = (number ^ (number >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15 + 2 * step)
        number = mixed[:-size] + number[size:]
    place = np.argsort(number)
    number = number[place]
    opens = np.append(True, number[1:] != number[:-1])[: len(number)]
    first = np.flatnonzero(opens)
    # Those of the same run in the order of the text: sorting twice is quicker than a stable sort.
    begin = (np.cumsum(opens) - 1) * len(number)
    return _Runs(number[first], first, np.diff(np.append(first, len(number))), np.sort(begin + place) - begin)


def _choose_heaviest(x: list[int], y: list[int], length: list[int]) -> list[tuple[int, int, int]]:
    """Return the runs of letters, given by `x`, in which `y` rises, too, that have the most letters together."""
    ends: list[int] = []  # of chains that are worth going on with: the longer, the later they end
    weights: list[int] = []
    lasts: list[int] = []
    before = []
    for row, (begin, size) in enumerate(zip(y, length, strict=True)):
        at = bisect_left(ends, begin)
        before.append(lasts[at - 1] if at else -1)
        weight, end = size + (weights[at - 1] if at else 0), begin + size - 1
        at = stop = bisect_left(ends, end)
        while stop < len(ends) and weights[stop] <= weight:
            stop += 1
        if at == 0 or weights[at - 1] < weight:
            ends[at:stop], weights[at:stop], lasts[at:stop] = [end], [weight], [row]
    chain = []
    row = lasts[-1] if lasts else -1
    while row >= 0:
        chain.append((x[row], y[row], length[row]))
        row = before[row]
    return chain[::-1]


def _drop_parts_of_words(letter: Ints, ours: Text, theirs: Text) -> Ints:
    """Return the letters' places, kept in runs from where words of both texts begin to where words of both end.

    Others are -1: the same letters in other words are no sign of anything.
    """
    place = np.flatnonzero(letter >= 0)
    there = letter[place]
    opens = (np.diff(place, prepend=-2) != 1) | (np.diff(there, prepend=-2) != 1)
    if not len(place):
        return letter
    run, number = np.cumsum(opens) - 1, np.arange(len(place))
    first = np.where(theirs.begins[place] & ours.begins[there], number, len(place))
    last = np.where(theirs.begins[place + 1] & ours.begins[there + 1], number, -1)
    starts = np.flatnonzero(opens)
    inside = (number >= np.minimum.reduceat(first, starts)[run]) & (number <= np.maximum.reduceat(last, starts)[run])
    letter[place[~inside]] = -1
    return letter


def _list_gaps(letter: Ints, our_words: Ints, their_words: Ints) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the numbers [first, stop) of our words and of theirs that lie between runs of the same letters."""
    place = np.flatnonzero(letter >= 0)
    there = letter[place]
    opens = np.flatnonzero((np.diff(place, prepend=-1) != 1) | (np.diff(there, prepend=-1) != 1))
    closes = opens - 1
    theirs = np.append(place[closes] + 1, place[-1:] + 1), np.append(place[opens], their_words[-1:])
    ours = np.append(there[closes] + 1, there[-1:] + 1), np.append(there[opens], our_words[-1:])
    if not len(place):
        theirs, ours = (np.array([0]), their_words[-1:]), (np.array([0]), our_words[-1:])
    elif len(opens) and opens[0] == 0:
        theirs[0][0] = ours[0][0] = 0
    numbers = [
        np.searchsorted(words, side) for words, sides in ((our_words, ours), (their_words, theirs)) for side in sides
    ]
    for a, a_stop, b, b_stop in zip(*(each.tolist() for each in numbers), strict=True):
        if a < a_stop or b < b_stop:
            yield (a, a_stop), (b, b_stop)


def _pair_words(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs (our number, their number), rising, of words, the same or in each other's place."""
    if not ours or not theirs:
        return []
    if max(len(ours), len(theirs)) <= _STRETCH:
        return _pair_by_likeness(ours, theirs)
    pieces = isqrt(len(ours) * len(theirs) // _TABLE) + 1
    pairs = []
    for piece in range(pieces):
        a, a_stop, b, b_stop = (len(side) * n // pieces for side in (ours, theirs) for n in (piece, piece + 1))
        pairs += [(a + i, b + j) for i, j in _find_longest_common(ours[a:a_stop], theirs[b:b_stop])]
    found, number = [], 0
    certain = [*_list_certain_pairs(ours, theirs, pairs), (len(ours), len(theirs))]
    i = j = -1
    for stop_i, stop_j in certain:
        inner = []
        while number < len(pairs) and pairs[number][0] < stop_i:
            inner.append(pairs[number])
            number += 1
        if max(stop_i - i, stop_j - j) - 1 <= _STRETCH:
            inner = []
        for next_i, next_j in [*inner, (stop_i, stop_j)]:
            if 0 < next_i - i - 1 <= _STRETCH and 0 < next_j - j - 1 <= _STRETCH:
                between = _pair_by_likeness(ours[i + 1 : next_i], theirs[j + 1 : next_j])
                found += [(i + 1 + a, j + 1 + b) for a, b in between]
            i, j = next_i, next_j
            found.append((i, j))
        number += 1
    return found[:-1]


def _list_certain_pairs(
    ours: Sequence[str], theirs: Sequence[str], pairs: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield those of pairs of the same word that have no other such word between them and the next on either side."""
    before, behind = [(-1, -1), *pairs], [*pairs[1:], (len(ours), len(theirs))]
    for (a, b), (i, j), (next_i, next_j) in zip(before, pairs, behind, strict=False):
        around = (*ours[a + 1 : i], *ours[i + 1 : next_i], *theirs[b + 1 : j], *theirs[j + 1 : next_j])
        if ours[i] not in around:
            yield i, j


def _find_longest_common(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs (our number, their number) of a longest common subsequence of words (Hyyrö 2004, in bits)."""
    has: dict[str, int] = {}
    for place, word in enumerate(ours):
        has[word] = has.get(word, 0) | 1 << place
    known = [place for place, word in enumerate(theirs) if word in has]
    everywhere = (1 << len(ours)) - 1
    row = everywhere
    rows = [row]  # of each, a bit is 0 where one more of our words makes the subsequence longer
    for place in known:
        both = row & has[theirs[place]]
        row = ((row + both) | (row - both)) & everywhere
        rows.append(row)
    pairs = []
    i, j = len(ours), len(known)
    while i and j:
        bit = 1 << (i - 1)
        if rows[j] & bit:
            i -= 1
        elif rows[j - 1] & bit:
            i, j = i - 1, j - 1
            pairs.append((i, known[j]))
        else:
            j -= 1
    return pairs[::-1]


def _pair_by_likeness(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs (our number, their number) with the least cost: 1 for a word alone, 1 to 2 for words unlike."""
    if len(ours) == len(theirs) == 1:
        return [(0, 0)]
    rows = [[float(j) for j in range(len(theirs) + 1)]]
    costs = [[_measure_distance(one, other) for other in theirs] for one in ours]
    for i, cost in enumerate(costs):
        above = rows[-1]
        row = [i + 1.0]
        for j, change in enumerate(cost):
            row.append(min(above[j] + change, above[j + 1] + 1, row[j] + 1))
        rows.append(row)
    pairs = []
    i, j = len(ours), len(theirs)
    while i and j:
        if rows[i][j] == rows[i - 1][j - 1] + costs[i - 1][j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif rows[i][j] == rows[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _measure_distance(one: str, other: str) -> float:
    """Return 0 for the same word, 1 to 1.5 the less letters two words have in common, 1.75 for a word and a mark."""
    if one == other:
        return 0.0
    if one[0].isalnum() != other[0].isalnum():
        return 1.75
    return 1.5 - sum(_count_common_ends(one, other)) / (len(one) + len(other))


def _count_common_ends(one: str, other: str) -> tuple[int, int]:
    """Return how many letters two words have in common at their beginnings, and at their ends, each counted once."""
    most = min(len(one), len(other))
    head = tail = 0
    while head < most and one[head] == other[head]:
        head += 1
    while tail < most - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return head, tail
