"""Carrying the response's mentions over to the key's words, where texts are divided, counted or written differently.

A mention is the same on both sides if it begins and ends with the same letters, whatever the texts are divided into.
A word that the response has in the place of another one counts as that one; words that the key lacks are in no mention.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import partial

from corefeval._arrays import Booleans, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Carried, Spans
from corefeval.corpus.units import NOWHERE, NewPlaces, move_spans
from corefeval.errors import Fault, InputError
from corefeval.matching.copies import PlacedMention, find_copies, find_superfluous
from corefeval.matching.letters import Letters, read_both_letters, read_letters
from corefeval.matching.text_alignment import Text, TextAlignment, align_texts, divide_text, slide_insertions
from corefeval.notices import Notice, count_part, count_things, make_notices

REPAIRED = "repaired"
"""The mention attribute with the rule by which a reader mended a mention; "" for one that was written properly."""


_LEAST_WORDS = 5  # of a document that can be another text


class TextComparison(NamedTuple):
    """The letters of a document in the key and in the response, and where these are in those."""

    ours: Letters
    theirs: Letters
    alignment: TextAlignment


class CarriedMentions(NamedTuple):
    """The key, the response with mentions in the key's units, and notices.

    comparisons: of the documents whose mentions were carried over, by their numbers.
    whole: the response with its lost mentions, too, which have places behind the key's end. For each of its mentions:
    lost: its words, or its head, are words that the key lacks, or the key has them once, and another mention counts.
    moved: it has lost words at its ends, or it is in a copy of what the key has.
    unplaced: it begins or ends within a word of the key; it is in the response, as a spurious one.
    """

    key: Corpus
    response: Corpus
    notices: tuple[Notice, ...]
    comparisons: Mapping[int, TextComparison]
    whole: Corpus
    lost: Booleans
    moved: Booleans
    unplaced: Booleans


def carry_mentions(
    key: Corpus, response: Corpus, documents: Collection[int], missing: Container[str], most_changed: float = 1.0
) -> CarriedMentions:
    """Return the key with outer blanks of mentions cut off, and the response with mentions in the key's units.

    documents: where mentions are moved; in the others, and in the key, they only lose blanks at their ends.
    missing: the documents that the response lacks, whose text is no other one.
    most_changed: the share of words that may differ in a document; an InputError names those in which more do.
    """
    compared = {number: _compare_document(key, response, number) for number in documents}
    _check_same_texts(key, response, compared, missing, most_changed)
    carrier = _Carrier(key, response, compared)
    there, fates = carrier.move_mentions(response)
    layers = {}
    for name, layer in response.layers.items():
        carried, fates_there = carrier.move_mentions(layer)
        left_out = fates_there["lost"] | fates_there["superfluous"]
        layers[name] = carried.keep(~left_out) if left_out.any() else carried
    whole = there.replace(layers=layers)
    lost = fates["lost"] | fates["superfluous"]
    return CarriedMentions(
        _trim_key(key, {number: each.ours for number, each in compared.items()}),
        whole.keep(~lost) if lost.any() else whole,
        _make_notices(key, whole, compared, missing, fates),
        compared,
        whole,
        lost,
        fates["trimmed"] | fates["copied"],
        fates["unplaced"],
    )


def _make_notices(
    key: Corpus,
    response: Corpus,
    compared: Mapping[int, TextComparison],
    missing: Container[str],
    fates: Mapping[str, Booleans],
) -> tuple[Notice, ...]:
    """Return notices of documents with another text in the key, and of mentions that are moved, lost or unplaced."""
    changed = [n for n, each in compared.items() if len(each.alignment.changes) and key.documents[n] not in missing]

    def make_text_notice(index: int) -> Notice:
        """Return the notice that the document `changed[index]` has another text in the key."""
        return _make_text_notice(key, response, changed[index], compared[changed[index]], fates)

    notices = make_notices("different-text", len(changed), make_text_notice)
    for fate, (_, kind, predicate) in _FATES.items():
        rows = np.flatnonzero(fates[fate])
        rows = rows[np.argsort(response.document[rows], kind="stable")]
        make = partial(_make_mention_notice, kind, predicate, response, rows.tolist())
        notices += make_notices(kind, len(rows), make)
    return notices


class _Fate(NamedTuple):
    """What becomes of a mention that is not simply carried over: how it is counted, and what its notice says."""

    counted: str
    kind: str
    predicate: str


_FATES = {
    "trimmed": _Fate("moved", "moved-mention", "begins or ends with words that the key lacks; it counts without them"),
    "copied": _Fate("moved", "moved-mention", "is in a copy of words next to it; it counts where the key has these"),
    "lost": _Fate("lost", "lost-mention", "has no words, or not its head, among the key's; it is left out"),
    "superfluous": _Fate("lost", "lost-mention", "is in words that are there twice; the other mention counts"),
    "unplaced": _Fate("unplaced", "not-carried-over", "does not align with the key's words; counted as spurious"),
}


def compare_texts(ours: Letters, theirs: Letters) -> TextComparison:
    """Return where the response's letters are in the key's."""
    return TextComparison(ours, theirs, align_texts(_divide(ours), _divide(theirs)))


def _compare_document(key: Corpus, response: Corpus, number: int) -> TextComparison:
    """Return the comparison of a document's texts: words where mentions begin or end are the key's if some are."""
    ours, theirs, alignment = compare_texts(*read_both_letters(key, response, number))
    own, here = response.own_spans, np.flatnonzero(response.document == number)
    opens, closes = np.zeros((2, len(theirs.unit) + 1), dtype=np.int64)
    np.add.at(opens, np.searchsorted(theirs.unit, own.start[here]), 1)
    np.add.at(closes, np.searchsorted(theirs.unit, own.end[here], side="right") - 1, 1)
    return TextComparison(ours, theirs, slide_insertions(alignment, theirs.text, opens[:-1], closes[:-1]))


def _divide(side: Letters) -> Text:
    """Return letters as a text divided into words."""
    return divide_text(side.text, np.diff(side.unit, prepend=-2) > int(side.blanks))


def _check_same_texts(
    key: Corpus, response: Corpus, compared: Mapping[int, TextComparison], missing: Container[str], most: float
) -> None:
    """Raise an InputError with a fault for each document in which a greater share of words than `most` differs.

    Of very few words, nobody can tell that they are another text.
    """
    faults = []
    for number, (_, _, alignment) in compared.items():
        fewer = min(len(words) - 1 for words in alignment.words)
        if fewer >= _LEAST_WORDS and alignment.share_changed > most and key.documents[number] not in missing:
            found = f"only {count_part(min(alignment.same, fewer), fewer, 'word', 'is', 'are')} the same"
            what = f"document {key.documents[number]!r} is another text than the key's: {found}"
            hint = "max_change=1 scores it all the same"
            expected = f"a text of which at most {100 * most:.0f} % is changed"
            faults.append(Fault(response.file(number) or "response", what, expected, hint, kind="another-text"))
    if faults:
        raise InputError(faults)


def _find_inserted(compared: TextComparison) -> Booleans:
    """Return for each unit of the response whether all of its letters are in words that the key lacks."""
    _, theirs, alignment = compared
    words, changes = alignment.words[1], alignment.changes
    lacking = np.zeros(len(words) - 1, dtype=np.bool_)
    lacking[changes[changes[:, 0] < 0, 1]] = True
    inserted = np.zeros(theirs.units, dtype=np.bool_)
    inserted[theirs.unit] = True
    inserted[theirs.unit[~np.repeat(lacking, np.diff(words))]] = False
    return inserted


def _find_within(column: Spans, document: Ints, chosen: Sequence[Booleans]) -> Booleans:
    """Return for each row of a column of spans whether it has one, all units of which are chosen in its document."""
    within = np.zeros(len(document), dtype=np.bool_)
    some = np.array([each.any() for each in chosen], dtype=np.bool_)
    for row in np.flatnonzero((column.start >= 0) & some[document]).tolist():
        within[row] = all(chosen[document[row]][first : last + 1].all() for first, last in column.runs(row))
    return within


def _find_at_ends(response: Corpus, chosen: Sequence[Booleans]) -> Booleans:
    """Return for each mention of the response whether a run of it begins or ends with a unit chosen in its document."""
    own = response.own_spans
    found = np.zeros(len(own), dtype=np.bool_)
    some = np.array([each.any() for each in chosen], dtype=np.bool_)
    for row in np.flatnonzero(some[response.document]).tolist():
        here = chosen[response.document[row]]
        found[row] = any(here[end] for run in own.runs(row) for end in run)
    return found


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


class _Carrier:
    """Where the units of the response's documents are in the key, and which of them the key lacks."""

    def __init__(self, key: Corpus, response: Corpus, compared: Mapping[int, TextComparison]) -> None:
        numbers = range(len(key.documents))
        self._places = [
            _find_places(compared[number]) if number in compared else _find_kept_places(key, response, number)
            for number in numbers
        ]
        none = np.zeros(0, dtype=np.bool_)
        self.inserted = [_find_inserted(compared[number]) if number in compared else none for number in numbers]
        # Where there are copies: the places with those of their units, and which units these are.
        self._places_of_copies = list(self._places)
        self._copied = [none] * len(numbers)
        for number, comparison in compared.items():
            found = _find_places_of_copies(comparison, self.inserted[number])
            if found is not None:
                self._places_of_copies[number], self._copied[number] = found
        # Documents of characters that stay as they are, where mentions of nothing but blanks do as well.
        self._in_place = np.full(len(numbers), key.tokens is None and response.tokens is None)
        self._in_place[list(compared)] = False
        self._behind = 1 + (len(key.tokens) if key.tokens is not None else max(map(len, key.texts or ()), default=0))

    def move_mentions(self, response: Corpus) -> tuple[Corpus, dict[str, Booleans]]:
        """Return the response, or a layer of it, in the key's units, and which mentions have which fate.

        Those that are lost, superfluous or unplaced keep their own numbers, moved behind the key's last unit, where the
        key has no mentions.
        """
        own, document = response.mentions, response.document
        assert isinstance(own, Spans)  # noqa: S101 - labels are not carried over
        of_copies, superfluous = self._choose_copies(response)
        units = _keep_blanks(own, self._move_column(own, document, of_copies), self._in_place[document])
        lost = _find_within(own, document, self.inserted)
        if response.heads is not None:
            lost |= _find_within(response.heads, document, self.inserted)
        lost &= ~of_copies & ~superfluous
        unplaced = ~lost & ~superfluous & (units.start < 0)
        homeless, behind = lost | superfluous | unplaced, self._behind
        there = Spans(
            np.where(homeless, own.start + behind, units.start),
            np.where(homeless, own.end + behind, units.end),
            {row: runs for row, runs in units.pieces.items() if not homeless[row]}
            | {
                row: tuple((a + behind, b + behind) for a, b in runs)
                for row, runs in own.pieces.items()
                if homeless[row]
            },
        )
        carried = response.map_spans(lambda column: Carried(self._move_column(column, document, of_copies), column))
        trimmed = _find_at_ends(response, self.inserted) & ~homeless & ~of_copies
        fates = {
            "trimmed": trimmed,
            "copied": of_copies,
            "lost": lost,
            "superfluous": superfluous,
            "unplaced": unplaced,
        }
        return carried.replace(mentions=Carried(there, own)), fates

    def _move_column(self, column: Spans, document: Ints, of_copies: Booleans) -> Spans:
        """Return a column of spans in the key's units, by the places of copies for those that these rows say."""
        moved = move_spans(column, document, self._places)
        if not of_copies.any():
            return moved
        others = move_spans(column, document, self._places_of_copies)
        pieces = {row: runs for row, runs in moved.pieces.items() if not of_copies[row]}
        pieces |= {row: runs for row, runs in others.pieces.items() if of_copies[row]}
        return Spans(np.where(of_copies, others.start, moved.start), np.where(of_copies, others.end, moved.end), pieces)

    def _choose_copies(self, response: Corpus) -> tuple[Booleans, Booleans]:
        """Return which mentions have the places of copies, and which mentions do not count because there are copies."""
        own, document = response.own_spans, response.document
        copied = _find_at_ends(response, self._copied)
        superfluous = np.zeros(len(own), dtype=np.bool_)
        if not copied.any():
            return copied, superfluous
        both = zip(self.inserted, self._copied, strict=True)
        lacking = [inserted & ~here if len(here) else inserted for inserted, here in both]
        moved, others = (move_spans(own, document, places) for places in (self._places, self._places_of_copies))
        copied &= (others.start >= 0) & ~_find_at_ends(response, lacking)
        repaired = response.attributes.get(REPAIRED) or [""] * len(own)
        for number in np.unique(document[copied]).tolist():
            rows = np.flatnonzero((document == number) & np.where(copied, others.start >= 0, moved.start >= 0)).tolist()
            placed = [
                PlacedMention(
                    int(response.entity[row]),
                    (others if copied[row] else moved).runs(row),
                    bool(copied[row]),
                    bool(repaired[row]),
                )
                for row in rows
            ]
            superfluous[[rows[each] for each in find_superfluous(placed)]] = True
        return copied & ~superfluous, superfluous


def _make_text_notice(
    key: Corpus, response: Corpus, document: int, compared: TextComparison, fates: Mapping[str, Booleans]
) -> Notice:
    """Make a notice that a document has another text in the key: what is changed, and how its mentions fare."""
    here = response.document == document
    counts = count_changes(compared.alignment)
    fared = dict.fromkeys((each.counted for each in _FATES.values()), 0)
    for fate, chosen in fates.items():
        fared[_FATES[fate].counted] += int(np.count_nonzero(chosen & here))
    name, mentions = key.documents[document], int(np.count_nonzero(here))
    what = f"document {name!r} has a different text in the key: "
    what += ", ".join(f"{count_things(count, 'word')} {what}" for what, count in counts.items() if count)
    if any(fared.values()):
        listed = ", ".join(f"{count} {fate}" for fate, count in fared.items() if count)
        what += f"; of its {count_things(mentions, 'mention')} {listed}"
    details = {"document": name, **counts, "mentions": mentions, **fared}
    return Notice.at("different-text", response.file(document) or "response", None, what, details)


def count_changes(alignment: TextAlignment) -> dict[str, int]:
    """Return how many words of a text are inserted, deleted and replaced in another, by these words."""
    ours, theirs = alignment.changes.T
    columns = {"inserted": ours < 0, "deleted": theirs < 0, "replaced": (ours >= 0) & (theirs >= 0)}
    return {name: int(np.count_nonzero(column)) for name, column in columns.items()}


def _make_mention_notice(kind: str, predicate: str, response: Corpus, rows: Sequence[int], index: int) -> Notice:
    """Make a notice of the response mention `rows[index]`, given what is to be said of it."""
    row = rows[index]
    number = int(response.document[row])
    document, mention = response.documents[number], response.describe(row)
    what = f"{mention} in document {document!r} {predicate}"
    details = {"document": document, "mention": mention}
    return Notice.at(kind, response.file(number) or "response", response.line(row) or None, what, details)


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
    place = np.where(word < len(ours.unit), word, -1)
    return _place_units(ours, theirs, place, place)


def _find_trimmed_places(side: Letters) -> NewPlaces:
    """Return NewPlaces of a document that cut blanks off the ends of mentions and leave all else where it is."""
    first, last = np.arange(side.units), np.arange(side.units)
    if side.blanks:
        silent = np.setdiff1d(first, side.unit)
        _extend_over(silent, side.unit, first, last)
    return NewPlaces(first, last)


def find_places(ours: Letters, theirs: Letters) -> NewPlaces:
    """Return NewPlaces of the response's units: the key's unit for a mention that begins, or ends, with each.

    An end that falls within a unit of the key is nowhere. One on words that the key lacks moves inwards.
    """
    return _find_places(compare_texts(ours, theirs))


def _find_places(compared: TextComparison) -> NewPlaces:
    """Return NewPlaces as `find_places` does, of texts that are compared already."""
    places = _place_units(compared.ours, compared.theirs, compared.alignment.begin, compared.alignment.end)
    _extend_places(places, compared.theirs, _find_inserted(compared))
    return places


def _extend_places(places: NewPlaces, theirs: Letters, lacking: Booleans) -> None:
    """Set, in place, the places of units that the key lacks, and of blanks, to those of the next that it has."""
    silent = lacking | ~np.isin(np.arange(theirs.units), theirs.unit) if theirs.blanks else lacking
    _extend_over(np.flatnonzero(silent), np.flatnonzero(~silent), *places)


def _find_places_of_copies(compared: TextComparison, inserted: Booleans) -> tuple[NewPlaces, Booleans] | None:
    """Return NewPlaces in which units of copies have places, too, and which units these are; None without copies.

    inserted: the units that have no place otherwise.
    """
    ours, theirs, alignment = compared
    copies = list(find_copies((ours.text, theirs.text), alignment))
    if not copies:
        return None
    first, last = places = _place_units(ours, theirs, alignment.begin, alignment.end)
    silent = ~np.isin(np.arange(theirs.units), theirs.unit)
    copied = np.zeros(theirs.units, dtype=np.bool_)
    for copy in copies:
        our_part, their_part = _cut_letters(ours, copy.ours), _cut_letters(theirs, copy.theirs)
        offset, begin = int(ours.unit[copy.ours.start]), int(theirs.unit[copy.theirs.start])
        begins, ends = _place_units(our_part, their_part, copy.alignment.begin, copy.alignment.end)
        unit = np.arange(begin, begin + their_part.units)
        # Words that are the same as the key's, and have no place yet; and zeros that have none.
        free = (inserted[unit] & ~copied[unit]) | (silent[unit] & (first[unit] == NOWHERE))
        free[their_part.unit[_find_changed(copy.alignment)]] = False
        free &= (begins != NOWHERE) | (ends != NOWHERE)
        first[unit[free]] = np.where(begins == NOWHERE, NOWHERE, begins + offset)[free]
        last[unit[free]] = np.where(ends == NOWHERE, NOWHERE, ends + offset)[free]
        copied[unit[free]] = True
    _extend_places(places, theirs, inserted & ~copied)
    return places, copied


def _cut_letters(side: Letters, part: slice) -> Letters:
    """Return some letters in a row, with units counted from that of the first."""
    unit = side.unit[part]
    return Letters(side.text[part], unit - unit[0], int(unit[-1] - unit[0]) + 1, side.blanks)


def _find_changed(alignment: TextAlignment) -> Ints:
    """Return the letters of the second text in words that the first one lacks, or has others for."""
    words, changes = alignment.words[1], alignment.changes
    changed = np.zeros(len(words) - 1, dtype=np.bool_)
    changed[changes[changes[:, 1] >= 0, 1]] = True
    return np.flatnonzero(np.repeat(changed, np.diff(words)))


def _place_units(ours: Letters, theirs: Letters, begin: Ints, end: Ints) -> NewPlaces:
    """Return NewPlaces as `find_places` does, given for each letter of the response that of the key, or -1.

    begin, end: the key's letter for a mention that begins, or ends, with a letter.
    """
    at_begin, at_end = np.flatnonzero(begin >= 0), np.flatnonzero(end >= 0)
    begin, end = begin[at_begin], end[at_end]
    # A unit of the key is the end of a mention that has all those of its letters that the response has.
    lowest, highest = np.full(ours.units, len(ours.unit)), np.full(ours.units, -1)
    np.minimum.at(lowest, ours.unit[begin], begin)
    np.maximum.at(highest, ours.unit[end], end)
    begins = np.where(lowest[ours.unit[begin]] == begin, ours.unit[begin], NOWHERE)
    ends = np.where(highest[ours.unit[end]] == end, ours.unit[end], NOWHERE)
    first, last = np.full(theirs.units, NOWHERE), np.full(theirs.units, NOWHERE)
    first[theirs.unit[at_begin][::-1]] = begins[::-1]
    last[theirs.unit[at_end]] = ends
    if not theirs.blanks and not ours.blanks:
        _place_zeros(first, last, (ours, end), (theirs, at_end))
    return NewPlaces(first, last)


def _extend_over(silent: Ints, unit: Ints, first: Ints, last: Ints) -> None:
    """Set, in place, `first` of silent units to that of the next of `unit`, `last` to that of the one before them."""
    after = np.searchsorted(unit, silent)
    inside = after < len(unit)
    first[silent[inside]] = first[unit[after[inside]]]
    last[silent[after > 0]] = last[unit[after[after > 0] - 1]]


def _place_zeros(first: Ints, last: Ints, ours: tuple[Letters, Ints], theirs: tuple[Letters, Ints]) -> None:
    """Set, in place, both places of a response word without letters to the key's such word at the same spot, if any.

    ours, theirs: the letters of a side, and which of them the other has as well, in the same order on both.
    """
    key_place = {place: unit for unit, place in _list_silent_units(*ours)}
    for unit, place in _list_silent_units(*theirs):
        if place in key_place:
            first[unit] = last[unit] = key_place[place]


def _list_silent_units(side: Letters, shared: Ints) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield (unit, (shared letters before it, its number among such units there)) of each unit without letters."""
    silent = np.setdiff1d(np.arange(side.units), side.unit)
    before = np.searchsorted(shared, np.searchsorted(side.unit, silent))
    order = np.arange(len(silent)) - np.searchsorted(before, before)
    return zip(silent.tolist(), zip(before.tolist(), order.tolist(), strict=True), strict=True)
