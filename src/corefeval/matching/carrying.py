"""Carrying the response's mentions over to the key's words, where the two texts are divided or counted differently.

A mention is the same on both sides if it has the same letters, whatever the texts are divided into. Letters are the
same whatever their case and Unicode form.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from corefeval._arrays import Booleans, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Carried, Spans
from corefeval.corpus.units import NOWHERE, NewPlaces, move_spans
from corefeval.notices import Notice, make_notices

_ANCHORS = (16, 8, 5, 3)  # as many letters in a row that occur once on either side belong together
_LONGEST = 300  # letters between two anchors that are compared one by one
_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
_WRITTEN_OUT = "(?i)" + "|".join(_BRACKETS)
_ALIKE = {
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‘’‚‛′´`‹›", "'"),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
}
"""Quotes and dashes, and what they are read as."""


def carry_mentions(
    key: Corpus, response: Corpus, documents: Collection[int], missing: Container[str]
) -> tuple[Corpus, Corpus, tuple[Notice, ...]]:
    """Return the key with outer blanks of mentions cut off, the response with mentions in the key's units, and notices.

    documents: where mentions are moved; in the others, and in the key, they only lose blanks at their ends.
    missing: the documents that the response lacks, whose text is no other one.
    """
    letters = {number: read_both_letters(key, response, number) for number in documents}
    found = [
        find_places(*letters[number]) if number in letters else _find_kept_places(key, response, number)
        for number in range(len(key.documents))
    ]
    in_place = np.full(len(found), key.tokens is None and response.tokens is None)
    in_place[list(documents)] = False
    there, homeless = _move_mentions(key, response, found, in_place)
    rows = np.flatnonzero(homeless)
    rows = rows[np.argsort(response.document[rows], kind="stable")]
    layers = {name: _move_mentions(key, layer, found, in_place)[0] for name, layer in response.layers.items()}
    others = []
    if key.tokens is None or response.tokens is None:  # words have been compared already
        others = [n for n, (a, b) in letters.items() if a.text != b.text and key.documents[n] not in missing]
    return (
        _trim_key(key, {number: ours for number, (ours, _) in letters.items()}),
        there.replace(layers=layers),
        (
            *make_notices("different-text", len(others), lambda i: _make_text_notice(key, response, others[i])),
            *make_notices("not-carried-over", len(rows), lambda i: _make_homeless_notice(there, int(rows[i]))),
        ),
    )


def _trim_key(key: Corpus, letters: Mapping[int, Letters]) -> Corpus:
    """Return a key of characters with blanks at the ends of its mentions cut off; a key of words unchanged.

    letters: those of the documents where response mentions are moved, with which they must agree.
    """
    if key.tokens is not None or not isinstance(key.mentions, Spans):
        return key
    documents = [
        letters[number] if number in letters else read_letters(key, number, written_out=True)
        for number in range(len(key.documents))
    ]
    inner = move_spans(key.mentions, key.document, [_find_trimmed_places(document) for document in documents])
    whole = _keep_blanks(key.mentions, inner, np.ones(len(key), dtype=np.bool_))
    return key.replace(mentions=Carried(whole, key.mentions))


def _keep_blanks(own: Spans, inner: Spans, selected: Booleans) -> Spans:
    """Return `inner`, spans without outer blanks, but the `own` spans of selected mentions that are all blanks."""
    blank = selected & (inner.start < 0)
    if not blank.any():
        return inner
    pieces = {**inner.pieces, **{row: runs for row, runs in own.pieces.items() if blank[row]}}
    return Spans(np.where(blank, own.start, inner.start), np.where(blank, own.end, inner.end), pieces)


def _move_mentions(
    key: Corpus, response: Corpus, documents: Sequence[NewPlaces], in_place: Booleans
) -> tuple[Corpus, Booleans]:
    """Return two things: the response with mentions in the key's units, and which of them (booleans) have no place.

    Those keep their own numbers, moved behind the key's last unit, where the key has no mentions.
    in_place: the documents of characters that stay as they are, where mentions of nothing but blanks do as well.
    """
    own = response.mentions
    assert isinstance(own, Spans)  # noqa: S101 - labels are not carried over
    units = _keep_blanks(own, move_spans(own, response.document, documents), in_place[response.document])
    homeless = units.start < 0
    behind = 1 + (len(key.tokens) if key.tokens is not None else max(map(len, key.texts or ()), default=0))
    there = Spans(
        np.where(homeless, own.start + behind, units.start),
        np.where(homeless, own.end + behind, units.end),
        {row: runs for row, runs in units.pieces.items() if not homeless[row]}
        | {row: tuple((a + behind, b + behind) for a, b in runs) for row, runs in own.pieces.items() if homeless[row]},
    )
    carried = response.map_spans(lambda column: Carried(move_spans(column, response.document, documents), column))
    return carried.replace(mentions=Carried(there, own)), homeless


def _make_text_notice(key: Corpus, response: Corpus, document: int) -> Notice:
    """Make a notice that a document has another text in the key."""
    name = key.documents[document]
    what = f"document {name!r} has a different text in the key"
    return Notice.at("different-text", response.file(document) or "response", None, what, {"document": name})


def _make_homeless_notice(response: Corpus, row: int) -> Notice:
    """Make a notice that a response mention has no place among the key's words."""
    number = int(response.document[row])
    document, mention = response.documents[number], response.describe(row)
    what = f"{mention} in document {document!r} does not align with the key's words; counted as spurious"
    details = {"document": document, "mention": mention}
    return Notice.at("not-carried-over", response.file(number) or "response", response.line(row) or None, what, details)


class Letters(NamedTuple):
    """What is visible of a document, the word (or character) of every letter, and how many of those there are.

    Units without a letter are zeros among words, and blanks among characters.
    """

    text: str
    unit: Ints
    units: int
    blanks: bool


def read_letters(corpus: Corpus, document: int, *, written_out: bool = False) -> Letters:
    """Return the visible characters of a document as `Letters`, each with its unit (word or character).

    Brackets and quotes that treebanks write out are read as what they stand for: "(" for -LRB-, in words and in text;
    written_out: as they are written.
    """
    if corpus.tokens is not None:
        words = corpus.tokens.words(document)
        if not written_out:
            words = [re.sub(_WRITTEN_OUT, _read_bracket, word) for word in words]
        units = ["".join(word.replace("\\/", "/").split()) for word in words]
        if corpus.tokens.empty is not None:
            empty = corpus.tokens.empty[corpus.tokens.rows(document)].tolist()
            units = ["" if is_empty else unit for unit, is_empty in zip(units, empty, strict=True)]
    else:
        assert corpus.texts is not None  # noqa: S101 - the caller has seen to it
        # Its first character stands for all of -LRB-, and blanks for the others, so that characters keep their places.
        text = corpus.texts[document]
        if not written_out:
            text = re.sub(_WRITTEN_OUT, lambda found: _read_bracket(found).ljust(len(found[0])), text)
        units = ["" if character.isspace() else character for character in text]
    owner = np.repeat(np.arange(len(units)), np.array([len(unit) for unit in units], dtype=np.int64))
    return Letters("".join(units), owner, len(units), blanks=corpus.tokens is None)


def _read_bracket(found: re.Match[str]) -> str:
    """Return the character that -LRB- and the like stand for."""
    return _BRACKETS[found[0].upper()]


def read_both_letters(key: Corpus, response: Corpus, document: int) -> tuple[Letters, Letters]:
    """Return two `Letters` of a document, of key and response; folded (case, Unicode form) if they differ otherwise."""
    ours, theirs = (read_letters(corpus, document, written_out=True) for corpus in (key, response))
    if ours.text == theirs.text:
        return ours, theirs  # -LRB- on both sides, which words may divide in different ways
    ours, theirs = read_letters(key, document), read_letters(response, document)
    return (ours, theirs) if ours.text == theirs.text else (_fold_letters(ours), _fold_letters(theirs))


def read_folded_text(corpus: Corpus, document: int) -> str:
    """Return the letters of a document, the same for every case, Unicode form and division into words."""
    return _fold_letters(read_letters(corpus, document)).text


def _fold_letters(side: Letters) -> Letters:
    """Return `Letters` without differences of case and Unicode form; all that a letter becomes keep its unit."""
    folded = list(map(_fold_letter, side.text))
    length = np.array(list(map(len, folded)), dtype=np.int64)
    return side._replace(text="".join(folded), unit=np.repeat(side.unit, length))


@lru_cache(maxsize=1 << 16)
def _fold_letter(letter: str) -> str:
    """Return a letter in lower case and decomposed, so that it is the same composed or not; quotes and dashes alike.

    >>> _fold_letter("\N{LATIN SMALL LIGATURE FI}"), _fold_letter("\N{EM DASH}"), len(_fold_letter("é"))
    ('fi', '-', 2)
    """
    decomposed = normalize("NFKD", normalize("NFKD", _ALIKE.get(letter, letter)).casefold())
    return "".join(_ALIKE.get(each, each) for each in decomposed if not each.isspace()) or letter


def _find_kept_places(key: Corpus, response: Corpus, document: int) -> NewPlaces:
    """Return NewPlaces of a document whose words stay in their positions; NOWHERE for words that the key lacks.

    Zeros have the place of the key's zero between the same words; mentions of characters lose blanks at their ends.
    """
    if key.tokens is None or response.tokens is None:
        return _find_trimmed_places(read_letters(response, document, written_out=True))
    # Every written word is one letter here, and the n-th of the response is the n-th of the key.
    ours, theirs = (
        Letters("", np.flatnonzero(~side.unwritten[side.rows(document)]), side.length(document), blanks=False)
        for side in (key.tokens, response.tokens)
    )
    word = np.arange(len(theirs.unit))
    return _place_units(ours, theirs, np.where(word < len(ours.unit), word, -1))


def _find_trimmed_places(side: Letters) -> NewPlaces:
    """Return NewPlaces of a document that cut blanks off the ends of mentions and leave all else where it is."""
    first, last = np.arange(side.units), np.arange(side.units)
    if side.blanks:
        _extend_over_blanks(first, last, side)
    return NewPlaces(first, last)


def find_places(ours: Letters, theirs: Letters) -> NewPlaces:
    """Return NewPlaces of the response's units: the key's unit for a mention that begins, or ends, with each.

    An end that falls within a unit of the key, or on letters that the key lacks, is nowhere.
    """
    return _place_units(ours, theirs, align_letters(ours.text, theirs.text))


def _place_units(ours: Letters, theirs: Letters, letter: Ints) -> NewPlaces:
    """Return NewPlaces as `find_places` does, given the key's letter (or -1) for each letter of the response."""
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
        _extend_over_blanks(first, last, theirs)
    elif not ours.blanks:
        _place_zeros(first, last, ours, theirs, letter)
    return NewPlaces(first, last)


def _extend_over_blanks(first: Ints, last: Ints, theirs: Letters) -> None:
    """Set, in place, `first` of every blank to that of the next letter, and `last` to that of the letter before it."""
    silent = np.setdiff1d(np.arange(theirs.units), theirs.unit)
    after = np.searchsorted(theirs.unit, silent)
    inside = after < len(theirs.unit)
    first[silent[inside]] = first[theirs.unit[after[inside]]]
    last[silent[after > 0]] = last[theirs.unit[after[after > 0] - 1]]


def _place_zeros(first: Ints, last: Ints, ours: Letters, theirs: Letters, letter: Ints) -> None:
    """Set, in place, both places of a response word without letters to the key's such word at the same spot, if any."""
    key_place = {place: unit for unit, place in _list_silent_units(ours)}
    for unit, (before, order) in _list_silent_units(theirs):
        at = 0 if before == 0 else int(letter[before - 1]) + 1
        place = key_place.get((at, order)) if before == 0 or at > 0 else None
        if place is not None:
            first[unit] = last[unit] = place


def _list_silent_units(side: Letters) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield (unit, (letters before it, its number among such units there)) of each unit without letters."""
    silent = np.setdiff1d(np.arange(side.units), side.unit)
    before = np.searchsorted(side.unit, silent)
    order = np.arange(len(silent)) - np.searchsorted(before, before)
    return zip(silent.tolist(), zip(before.tolist(), order.tolist(), strict=True), strict=True)


def align_letters(ours: str, theirs: str) -> Ints:
    """Return, for every letter of the second text, the position of the same letter in the first, or -1."""
    if ours == theirs:
        return np.arange(len(theirs))
    letter = np.full(len(theirs), -1, dtype=np.int64)
    begin = _count_common_start(ours, theirs)
    end = _count_common_start(ours[begin:][::-1], theirs[begin:][::-1])
    letter[:begin] = np.arange(begin)
    letter[len(theirs) - end :] = np.arange(len(ours) - end, len(ours))
    middle = ours[begin : len(ours) - end], theirs[begin : len(theirs) - end]
    for a, b, length in _find_blocks(*middle):
        letter[begin + b : begin + b + length] = np.arange(begin + a, begin + a + length)
    return letter


def _count_common_start(one: str, other: str) -> int:
    """Return the length, in letters, of the beginning that two texts have in common."""
    length = min(len(one), len(other))
    a, b = (np.frombuffer(text[:length].encode("utf-32-le", "surrogatepass"), dtype="<u4") for text in (one, other))
    differs = np.flatnonzero(a != b)
    return int(differs[0]) if len(differs) else length


def _find_blocks(ours: str, theirs: str, anchors: tuple[int, ...] = _ANCHORS) -> Iterator[tuple[int, int, int]]:
    """Yield (place in ours, place in theirs, length) of runs of letters alike, in order: anchors, and between these."""
    if not ours or not theirs:
        return
    if len(ours) <= _LONGEST and len(theirs) <= _LONGEST:
        from difflib import SequenceMatcher  # noqa: PLC0415 - it takes time to load, and few texts differ

        matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
        yield from (block for block in matcher.get_matching_blocks() if block[2])
        return
    if not anchors:
        return
    size, *shorter = anchors
    a = b = 0
    for next_a, next_b in [*_find_anchors(ours, theirs, size), (len(ours), len(theirs))]:
        if next_a < a or next_b < b:
            continue
        between = _find_blocks(ours[a:next_a], theirs[b:next_b], tuple(shorter))
        yield from ((a + i, b + j, length) for i, j, length in between)
        length = min(size, len(ours) - next_a, len(theirs) - next_b)
        if length:
            yield next_a, next_b, length
        a, b = next_a + length, next_b + length


def _find_anchors(ours: str, theirs: str, size: int) -> list[tuple[int, int]]:
    """Return pairs (our place, their place) of runs of `size` letters that occur once in each text; both rise."""
    their_place = _find_unique_runs(theirs, size)
    pairs = [(place, their_place[run]) for run, place in _find_unique_runs(ours, size).items() if run in their_place]
    return _find_longest_rising(sorted(pairs))


def _find_unique_runs(text: str, size: int) -> dict[str, int]:
    """Return {run: its place} of every run of `size` letters that occurs once in a text."""
    seen: dict[str, int] = {}
    for place in range(len(text) - size + 1):
        run = text[place : place + size]
        seen[run] = -1 if run in seen else place
    return {run: place for run, place in seen.items() if place >= 0}


def _find_longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest sublist of pairs, given sorted by first numbers, in which second numbers rise, too."""
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
