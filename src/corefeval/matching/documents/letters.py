"""The letters of a document, and which letter of one text is which of another: how mentions are carried over.

A mention is the same on both sides if it has the same letters, whatever the texts are divided into.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.remapping import NOWHERE, NewPlaces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus

_ANCHORS = (16, 8, 5, 3)  # as many letters in a row that occur once on either side belong together
_LONGEST = 300  # letters between two anchors that are compared one by one
_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "`": "'"})


class Letters(NamedTuple):
    """What is visible of a document, the word (or character) of every letter, and how many of those there are.

    Units without a letter are zeros among words, and blanks among characters.
    """

    text: str
    unit: Ints
    units: int
    blanks: bool


def of_document(corpus: Corpus, document: int) -> Letters:
    """The letters of a document; those of the Penn Treebank's brackets and quotes as they were in the text."""
    if corpus.tokens is not None:
        words = _written(corpus, document)
        return _letters(
            ["".join(_BRACKETS.get(word, word).replace("\\/", "/").split()) for word in words], blanks=False
        )
    assert corpus.texts is not None  # noqa: S101 - the caller has seen to it
    # Two apostrophes are one quotation mark, as they are where they are a word.
    text = corpus.texts[document].replace("``", '" ').replace("''", '" ')
    return _letters([character if not character.isspace() else "" for character in text], blanks=True)


def trimmed(side: Letters) -> NewPlaces:
    """Where runs of a document's own units begin and end, without blanks at their ends."""
    first, last = np.arange(side.units), np.arange(side.units)
    if side.blanks:
        _trim(first, last, side)
    return NewPlaces(first, last)


def _letters(units: Sequence[str], *, blanks: bool) -> Letters:
    length = np.array([len(unit) for unit in units], dtype=np.int64)
    return Letters("".join(units).translate(_QUOTES), np.repeat(np.arange(len(units)), length), len(units), blanks)


def _written(corpus: Corpus, document: int) -> list[str]:
    """The words of a document; those that are not written in the text have no letters."""
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    words = corpus.tokens.words(document)
    if corpus.tokens.empty is None:
        return words
    empty = corpus.tokens.empty[int(corpus.tokens.bounds[document]) : int(corpus.tokens.bounds[document + 1])]
    return ["" if is_empty else word for word, is_empty in zip(words, empty.tolist(), strict=True)]


def places(ours: Letters, theirs: Letters) -> NewPlaces:
    """Where runs of the response's units are in the key's.

    An end that falls within a unit of the key, or on letters that the key has not, is nowhere.
    """
    letter = aligned(ours.text, theirs.text)
    first_of_unit = np.diff(ours.unit, prepend=-1) != 0
    last_of_unit = np.diff(ours.unit, append=ours.units) != 0
    begins, ends = np.full(len(letter), NOWHERE), np.full(len(letter), NOWHERE)
    on = np.flatnonzero(letter >= 0)
    begins[on] = np.where(first_of_unit[letter[on]], ours.unit[letter[on]], NOWHERE)
    ends[on] = np.where(last_of_unit[letter[on]], ours.unit[letter[on]], NOWHERE)
    first, last = np.full(theirs.units, NOWHERE), np.full(theirs.units, NOWHERE)
    first[theirs.unit[::-1]] = begins[::-1]
    last[theirs.unit] = ends
    if theirs.blanks:
        _trim(first, last, theirs)
    elif not ours.blanks:
        _place_zeros(first, last, ours, theirs, letter)
    return NewPlaces(first, last)


def _trim(first: Ints, last: Ints, theirs: Letters) -> None:
    """A run that begins or ends with blanks begins or ends with the letters next to them."""
    silent = np.setdiff1d(np.arange(theirs.units), theirs.unit)
    after = np.searchsorted(theirs.unit, silent)
    inside = after < len(theirs.unit)
    first[silent[inside]] = first[theirs.unit[after[inside]]]
    last[silent[after > 0]] = last[theirs.unit[after[after > 0] - 1]]


def _place_zeros(first: Ints, last: Ints, ours: Letters, theirs: Letters, letter: Ints) -> None:
    """Words without letters are the same if they are the same in order between the same letters."""
    key_place = {place: unit for unit, place in _silent(ours)}
    for unit, (before, order) in _silent(theirs):
        at = 0 if before == 0 else int(letter[before - 1]) + 1
        place = key_place.get((at, order)) if before == 0 or at > 0 else None
        if place is not None:
            first[unit] = last[unit] = place


def _silent(side: Letters) -> Iterator[tuple[int, tuple[int, int]]]:
    """Units without letters: how many letters come before, and the how-manieth it is there."""
    silent = np.setdiff1d(np.arange(side.units), side.unit)
    before = np.searchsorted(side.unit, silent)
    order, last = 0, -1
    for unit, count in zip(silent.tolist(), before.tolist(), strict=True):
        order = order + 1 if count == last else 0
        last = count
        yield unit, (count, order)


def move(key: Corpus, response: Corpus, document: int) -> bool:
    """Whether words of the response are others by their number than the same words of the key."""
    found = places(of_document(key, document), of_document(response, document))
    same = found.first == found.last
    return bool((found.first[same & (found.first >= 0)] != np.flatnonzero(same & (found.first >= 0))).any())


def aligned(ours: str, theirs: str) -> Ints:
    """For every letter of theirs the one of ours that it is, or -1."""
    if ours == theirs:
        return np.arange(len(theirs))
    letter = np.full(len(theirs), -1, dtype=np.int64)
    begin = _common(ours, theirs)
    end = _common(ours[begin:][::-1], theirs[begin:][::-1])
    letter[:begin] = np.arange(begin)
    letter[len(theirs) - end :] = np.arange(len(ours) - end, len(ours))
    middle = ours[begin : len(ours) - end], theirs[begin : len(theirs) - end]
    for a, b, length in _blocks(*middle):
        letter[begin + b : begin + b + length] = np.arange(begin + a, begin + a + length)
    return letter


def _common(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    length = min(len(one), len(other))
    a, b = (np.frombuffer(text[:length].encode("utf-32-le", "surrogatepass"), dtype="<u4") for text in (one, other))
    differs = np.flatnonzero(a != b)
    return int(differs[0]) if len(differs) else length


def _blocks(ours: str, theirs: str, anchors: tuple[int, ...] = _ANCHORS) -> Iterator[tuple[int, int, int]]:
    """Runs of letters that belong together: those around anchors, and what is alike between two anchors."""
    if not ours or not theirs:
        return
    if len(ours) <= _LONGEST and len(theirs) <= _LONGEST:
        matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
        yield from (block for block in matcher.get_matching_blocks() if block[2])
        return
    if not anchors:
        return
    size, *shorter = anchors
    a = b = 0
    for next_a, next_b in [*_in_common(ours, theirs, size), (len(ours), len(theirs))]:
        if next_a < a or next_b < b:
            continue
        between = _blocks(ours[a:next_a], theirs[b:next_b], tuple(shorter))
        yield from ((a + i, b + j, length) for i, j, length in between)
        length = min(size, len(ours) - next_a, len(theirs) - next_b)
        if length:
            yield next_a, next_b, length
        a, b = next_a + length, next_b + length


def _in_common(ours: str, theirs: str, size: int) -> list[tuple[int, int]]:
    """Places of runs of letters that occur once on either side, in the order of both."""
    their_place = _once(theirs, size)
    pairs = [(place, their_place[run]) for run, place in _once(ours, size).items() if run in their_place]
    return _rising(sorted(pairs))


def _once(text: str, size: int) -> dict[str, int]:
    seen: dict[str, int] = {}
    for place in range(len(text) - size + 1):
        run = text[place : place + size]
        seen[run] = -1 if run in seen else place
    return {run: place for run, place in seen.items() if place >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs, sorted by the first number, in which the second rises too."""
    from bisect import bisect_left  # noqa: PLC0415 - needed only where texts differ

    tails: list[int] = []
    rows: list[int] = []
    before: list[int] = []
    for row, (_, place) in enumerate(pairs):
        at = bisect_left(tails, place)
        before.append(rows[at - 1] if at else -1)
        if at == len(tails):
            tails.append(place)
            rows.append(row)
        else:
            tails[at], rows[at] = place, row
    chain = []
    row = rows[-1] if rows else -1
    while row >= 0:
        chain.append(pairs[row])
        row = before[row]
    return chain[::-1]
