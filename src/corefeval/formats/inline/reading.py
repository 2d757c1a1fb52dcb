"""From the pieces of a marked text to a corpus: tags are paired, words counted, and what is wrong is repaired.

A word is what stands between blanks and tags, so `[Mara](#1)'s` is two. Nothing is compared with the text that the
model was given: that is done when a response is matched with a key.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import accumulate

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import File
from corefeval.formats.draft import DocumentDraft, Draft
from corefeval.formats.inline.pieces import BLANKS, Piece, Splitter
from corefeval.formats.inline.repairs import Repairs
from corefeval.formats.shared import lines
from corefeval.formats.shared.writing import avoid_names
from corefeval.notices import count_things

HEADER = re.compile(r"^[ \t]*<!-- document: (.*?) -->[ \t]*$", re.MULTILINE)
ZERO = "_"
_FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_VISIBLE = re.compile(r"[^ \t\n]")
_LETTERS = re.compile(rf"[^{BLANKS}]+")
_PREAMBLE = re.compile(
    r"\s*(?:here|sure|certainly|of course|okay|ok|below|the following|this is|annotated|output|answer|response)\b"
    r"[^\n]*:[ \t*]*\n",
    re.IGNORECASE,
)
_SHOWN = 40


class _DocumentText(NamedTuple):
    """A document in a file: its name ("" for none) and where its text begins and ends."""

    name: str
    begin: int
    end: int


def read_inline(file: File, split: Splitter, repairs: str, *, by_line: bool = False) -> Corpus:
    """Return the corpus of a file in the notation whose pieces `split` yields; InputError with all faults in it.

    Documents begin at lines <!-- document: NAME -->. A file without such lines is one document, which has the file's
    name; by_line: each line is one, and they have no names.
    """
    draft = Draft(file.name)
    text = lines.decode_text(file.data, draft)
    recorder = Repairs(file, draft, text, repairs)
    sections = list(_find_sections(text))
    unnamed = not sections
    if unnamed or file.side == "response":
        whole = sections or [_DocumentText("", 0, len(text))]
        text = _put_blanks(text, [span for each in whole for span in _find_frame(text, each, split, recorder)])
    if unnamed:
        sections = list(_find_lines(text)) if by_line else [_DocumentText(file.document, 0, len(text))]
    for section in sections:
        pieces = list(split(text, section.begin, section.end))
        _PieceReader(pieces, draft, section, recorder).read()
    if not sections:
        draft.add_fault(1, "no document", "a line with text")
    corpus = draft.build_corpus()
    return corpus.replace(unnamed=frozenset(corpus.documents) if unnamed and by_line else corpus.unnamed)


def _find_sections(text: str) -> Iterator[_DocumentText]:
    """Yield the documents of a text by the lines that begin them; none if there is no such line."""
    headers = list(HEADER.finditer(text))
    ends = [*(header.start() for header in headers), len(text)][1:]
    for header, end in zip(headers, ends, strict=True):
        yield _DocumentText(_read_name(header[1]), header.end(), end)


def _read_name(written: str) -> str:
    """Return the name of a document, which is a JSON string if it begins with a quotation mark."""
    try:
        name = json.loads(written) if written.startswith('"') else written
    except ValueError:
        return written
    return name if isinstance(name, str) else written


def _find_lines(text: str) -> Iterator[_DocumentText]:
    """Yield a document without a name for each line that is not blank: a single one is "", several are numbered."""
    found = [match.span() for match in re.finditer("[^\n]+", text) if _VISIBLE.search(match[0])]
    for number, (begin, end) in enumerate(found):
        yield _DocumentText(str(number) if len(found) > 1 else "", begin, end)


def _find_frame(text: str, section: _DocumentText, split: Splitter, repairs: Repairs) -> list[tuple[int, int]]:
    """Return where, in a document, there is what is around a code fence and a line that announces the text."""
    begin, end = section.begin, section.end
    frame = []
    fences = [match.span(1) for match in _FENCE.finditer(text, begin, end)]
    if fences:
        inside = [(a, b) for a, b in fences if _has_tags(text, a, b, split)] or fences
        edges = [begin, *(place for span in inside for place in span), end]
        frame = list(zip(edges[::2], edges[1::2], strict=True))
        lost = sum(len(re.sub(r"```.*", "", text[a:b]).split()) for a, b in frame)
        what = f"a code fence; {count_things(lost, 'word', 'stands', 'stand')} outside of it"
        repairs.add("fence", inside[0][0], what, section.name)
        begin, end = inside[0][0], inside[-1][1]
    preamble = _PREAMBLE.match(text, begin, end)
    if preamble and _VISIBLE.search(text, preamble.end(), end) and not _has_tags(text, begin, preamble.end(), split):
        shown = preamble[0].strip()
        place = text.index(shown, begin)
        repairs.add("preamble", place, f"{shown[:_SHOWN]!r} stands before the text", section.name)
        frame.append((begin, preamble.end()))
    return sorted(frame)


def _put_blanks(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length and lines with blanks for what is visible in spans, which rise."""
    parts = []
    done = 0
    for begin, end in spans:
        parts += [text[done:begin], _LETTERS.sub(lambda run: " " * len(run[0]), text[begin:end])]
        done = end
    return "".join([*parts, text[done:]])


def _has_tags(text: str, begin: int, end: int, split: Splitter) -> bool:
    """Return whether there is a tag between two places of a text."""
    return any(piece.kind in ("open", "close", "single") for piece in split(text, begin, end))


class _Pairs(NamedTuple):
    """The number of the closing tag for each opening one, and brackets that are text."""

    closing: Mapping[int, int]
    literal: frozenset[int]
    unclosed: frozenset[int]
    unopened: frozenset[int]


class _Clues:
    """What the other tags of a document, and its sentences, tell of those that have lost their partners."""

    def __init__(self, pieces: list[Piece], tags: list[int]) -> None:
        self._pieces = pieces
        self._left_over = _find_left_over(pieces[number] for number in tags)
        self._sentence = _number_sentences(pieces) if self._left_over else []
        self._words_before = [0, *accumulate(piece.kind in _WORDS for piece in pieces)] if self._left_over else []
        self._last_begun = _find_last_begun(pieces, tags, self._words_before, self._left_over)
        single = list(self._list_single_words(tags)) if self._left_over else []
        self._single_places = {place for _, place in single}
        self._alone = {(entity, self._read_word(place)) for entity, place in single}
        self._alone_words = {word for _, word in self._alone}

    def are_apart(self, opening: int, closing: int) -> bool:
        """Return whether two tags of the same name are what is left of two mentions, in a document with tags left over.

        They are if a sentence ends between them; if tags of this name are left over, and a mention of another, whose
        tags are all there, begins between them and ends behind; and if the words at both of them are mentions of the
        entity by themselves elsewhere, and more than one word stands between them.
        """
        if not self._left_over:
            return False
        if self._sentence[opening] != self._sentence[closing]:
            return True
        first, last = self._find_word(opening, 1), self._find_word(closing, -1)
        if self._pieces[opening].name in self._left_over and first < self._last_begun.get(closing, -1):
            return True
        entity = self._pieces[opening].id or self._pieces[closing].id
        are_far = self._words_before[max(last, 0)] - self._words_before[first] > _NEAR
        return are_far and all((entity, self._read_word(place)) in self._alone for place in (first, last))

    def is_longer(self, opening: int) -> bool:
        """Return whether a tag that is never closed has opened a mention of several words, it is unknown how many.

        A zero is one word, and so, mostly, is a word that is a mention by itself elsewhere: not if it is one here, too.
        """
        place = self._find_word(opening, 1)
        if place in self._single_places:
            return True
        is_zero = place < len(self._pieces) and self._pieces[place].kind == "zero"
        return not is_zero and self._read_word(place) not in self._alone_words

    def is_end(self, closing: int) -> bool:
        """Return whether a tag that nothing opens has closed a mention of several words: its word is one by itself."""
        return self._find_word(closing, -1) in self._single_places

    def _list_single_words(self, tags: list[int]) -> Iterator[tuple[str, int]]:
        """Yield (entity, number of the word's piece) of the mentions of one word."""
        for number, after in zip(tags, [*tags[1:], 0], strict=True):
            one, other = self._pieces[number], self._pieces[after]
            is_pair = one.kind == "open" and other.kind == "close" and one.name == other.name
            if one.kind == "single" or (is_pair and after == number + 2):
                yield one.id or other.id, self._find_word(number, 1)

    def _find_word(self, tag: int, step: int) -> int:
        """Return the number of the piece with letters, or of the zero, next to a tag, behind or before it by `step`."""
        place = tag + step
        while 0 <= place < len(self._pieces) and self._pieces[place].kind not in ("text", "zero"):
            place += step
        return place

    def _read_word(self, place: int) -> str:
        """Return the letters of a piece, their case ignored; "" if there is none."""
        return self._pieces[place].text.casefold() if 0 <= place < len(self._pieces) else ""


def _find_left_over(tags: Iterable[Piece]) -> set[str]:
    """Return the names of tags that are not as many opening as closing ones, or not in this order."""
    opened: dict[str, int] = defaultdict(int)
    found = set()
    for tag in tags:
        opened[tag.name] += (tag.kind == "open") - (tag.kind in _CLOSING)
        if opened[tag.name] < 0:
            found.add(tag.name)
    return found | {name for name, number in opened.items() if number}


def _find_last_begun(
    pieces: list[Piece], tags: list[int], words_before: list[int], left_over: set[str]
) -> dict[int, int]:
    """Return for closing tags the last opening one before them whose mention goes on behind them, if there is one.

    Only tags count whose names are not left over; {} if none are.
    """
    if not left_over:
        return {}
    opened: dict[str, list[int]] = defaultdict(list)
    partner = {}
    for number in tags:
        piece = pieces[number]
        if piece.name not in left_over and piece.kind == "open":
            opened[piece.name].append(number)
        elif piece.name not in left_over and piece.kind in _CLOSING:
            partner[opened[piece.name].pop()] = number
    found = {}
    going_on: list[int] = []
    for number in tags:
        if number in partner:
            going_on.append(number)
        elif pieces[number].kind in _CLOSING:
            while going_on and words_before[partner[going_on[-1]]] <= words_before[number]:
                going_on.pop()
            if going_on:
                found[number] = going_on[-1]
    return found


def _number_sentences(pieces: list[Piece]) -> list[int]:
    """Return the number of each piece's sentence: one ends with its line, or with a blank behind a mark by itself.

    A quotation mark behind that mark belongs to the sentence.
    """
    following = [""]
    for piece in reversed(pieces):
        following.append(piece.text if piece.kind == "text" else following[-1])
    numbers, last = [0], ""
    for piece, behind in zip(pieces, following[-2::-1], strict=True):
        is_end = piece.kind == "blank" and (
            "\n" in piece.text or (last in _SENTENCE_MARKS and behind not in _QUOTATION_MARKS)
        )
        is_quoted = last in _SENTENCE_MARKS and piece.text in _QUOTATION_MARKS
        last = piece.text if piece.kind == "text" and not is_quoted else last
        numbers.append(numbers[-1] + is_end)
    return numbers[1:]


_CLOSING = frozenset({"close", "plain"})
_SENTENCE_MARKS = frozenset(".!?…")
_QUOTATION_MARKS = frozenset("\"'”’»")


def _pair_tags(pieces: list[Piece], tags: list[int], clues: _Clues) -> _Pairs:
    """Return which tags belong together: each closing one and the last open one of its name, unless they are apart.

    One that is open since an earlier place comes first: `|[e1,e1]` behind a word closes a mention and opens another.
    """
    waiting: dict[str, list[int]] = defaultdict(list)
    closing, literal, unopened = {}, set(), set()
    for number in tags:
        piece = pieces[number]
        if piece.kind == "open":
            waiting[piece.name].append(number)
        elif piece.kind in _CLOSING:
            stack = waiting[piece.name]
            place = len(stack) - 1
            while place >= 0 and pieces[stack[place]].at == piece.at:
                place -= 1
            partner = stack.pop(place) if stack and not clues.are_apart(stack[place], number) else None
            if piece.kind == "plain":
                literal |= {number} if partner is None else {partner, number}
            elif partner is None:
                unopened.add(number)
            else:
                closing[partner] = number
    unclosed = frozenset(number for stack in waiting.values() for number in stack)
    literal |= {number for number in unclosed if not pieces[number].id}
    return _Pairs(closing, frozenset(literal), unclosed, frozenset(unopened))


_NEAR = 2  # words from one tag to another that are seldom two mentions of an entity
_WORDS = frozenset({"text", "zero"})
_CONTENT = _WORDS | {"blank"}


class _PieceReader:
    """Reads the pieces of one document into a draft."""

    def __init__(self, pieces: list[Piece], draft: Draft, section: _DocumentText, repairs: Repairs) -> None:
        self._pieces, self._draft, self._section, self._repairs = pieces, draft, section, repairs
        self._tags = [number for number, piece in enumerate(pieces) if piece.kind not in _CONTENT]
        self._clues = _Clues(pieces, self._tags)
        self._pairs = _pair_tags(pieces, self._tags, self._clues)
        self._words: list[str] = []
        self._places: list[int] = []
        self._sentence: list[int] = []
        self._empty: list[bool] = []
        self._word_of: list[int] = []  # for every piece, how many words stand before it

    def read(self) -> None:
        """Add the document with its words, mentions and repairs."""
        self._read_words()
        document = self._draft.add_document(
            self._section.name,
            words=self._words,
            sentence=self._sentence,
            empty=self._empty,
            lines=self._repairs.find_lines(self._places),
            line=self._repairs.find_line(self._section.begin),
        )
        self._add_mentions(document)
        others = [piece.at for piece in self._pieces if piece.kind == "blank" and piece.text.startswith("<")]
        if others:
            message = f"{count_things(len(others), 'tag', 'that marks', 'that mark')} no mention left out"
            self._draft.add_notice("other-tags", self._repairs.find_line(others[0]), message, count=len(others))

    def _read_words(self) -> None:
        """Collect the words between blanks and tags, and the sentence, by lines, and the place of each."""
        literal = self._pairs.literal
        letters: list[str] = []
        begin = line = 0

        def end_word() -> None:
            """Add the letters collected so far as a word, if there are any."""
            if letters:
                self._add_word("".join(letters), begin, line, empty=False)
                letters.clear()

        for number, piece in enumerate(self._pieces):
            is_text = piece.kind == "text" or number in literal
            if not is_text:
                end_word()
            self._word_of.append(len(self._words))
            if is_text:
                begin = begin if letters else piece.at
                letters.append(piece.text)
            elif piece.kind == "blank":
                line += "\n" in piece.text
            elif piece.kind == "zero":
                self._add_word(piece.text or ZERO, piece.at, line, empty=True)
        end_word()

    def _add_word(self, word: str, place: int, line: int, *, empty: bool) -> None:
        """Add a word with its place, the number of its line, and whether it is not written."""
        self._words.append(word)
        self._places.append(place)
        self._sentence.append(line)
        self._empty.append(empty)

    def _add_mentions(self, document: DocumentDraft) -> None:
        """Add the mentions in the order of their tags, those that are repaired with the attribute of this name."""
        own = avoid_names(("unnamed",), {self._pieces[number].id for number in self._tags})["unnamed"]
        closed = {
            (self._find_id(number, self._pairs.closing.get(number, number)), place[1])
            for number in self._tags
            if number not in self._pairs.unopened and (place := self._place_mention(number)) is not None
        }
        for number in self._tags:
            piece = self._pieces[number]
            rule = self._find_fault(number, closed)
            if rule in _NO_MENTION:
                self._repair(rule, piece)
                continue
            place = self._place_mention(number)
            if place is None:
                continue
            first, last = place
            id_ = self._find_id(number, self._pairs.closing.get(number, number))
            if not 0 <= first <= last < len(self._words):
                self._repair("empty", piece)
                continue
            if rule:
                self._repair(rule, piece, " ".join(self._words[first : last + 1]))
            if not (rule and self._repairs.drops):
                attributes = {**piece.attributes, **({"repaired": rule} if rule else {})}
                document.add_mention(id_ or f"{own}-{number}", place, attributes=attributes)

    def _find_fault(self, number: int, closed: Container[tuple[str, int]]) -> str:
        """Return the rule by which a tag must be repaired, "" for none; closed: entity and last word of mentions."""
        piece, pairs = self._pieces[number], self._pairs
        if piece.kind == "bad":
            return "malformed"
        if number in pairs.unclosed:
            return "stray" if not piece.id else "open-ended" if self._clues.is_longer(number) else "unclosed"
        if number in pairs.unopened:
            twice = (piece.id, self._word_of[number] - 1) in closed
            if not piece.id:
                return "nameless"
            return "closed-twice" if twice else "begun-earlier" if self._clues.is_end(number) else "unopened"
        has_mention = piece.kind == "single" or number in pairs.closing
        return "without-id" if has_mention and not self._find_id(number, pairs.closing.get(number, number)) else ""

    def _place_mention(self, number: int) -> tuple[int, int] | None:
        """Return the first and last word of the mention that a tag makes, not yet checked; None if it makes none."""
        word = self._word_of[number]
        if number in self._pairs.closing:
            return word, self._word_of[self._pairs.closing[number]] - 1
        if number in self._pairs.unopened:
            return word - 1, word - 1
        return (word, word) if self._pieces[number].kind == "single" or number in self._pairs.unclosed else None

    def _find_id(self, opening: int, closing: int) -> str:
        """Return the id that one of two tags has."""
        return self._pieces[opening].id or self._pieces[closing].id

    def _repair(self, rule: str, piece: Piece, mention: str | None = None) -> None:
        """Add a repair of a tag, with the words of the mention that comes out, if one does."""
        shown = piece.text or piece.id
        what = _WHAT[rule].format(shown[:_SHOWN], mention)
        self._repairs.add(rule, piece.at, what, self._section.name, mention)


_NO_MENTION = frozenset({"open-ended", "begun-earlier", "closed-twice", "stray", "nameless", "malformed"})
_WHAT = {
    "unclosed": "{0!r} is never closed: {1!r}",
    "open-ended": "{0!r} is never closed",
    "unopened": "{0!r} closes what is not open: {1!r}",
    "begun-earlier": "{0!r} closes what is not open",
    "closed-twice": "{0!r} closes what is closed",
    "without-id": "{0!r} has no id: {1!r}",
    "empty": "{0!r} has no words",
    "stray": "{0!r} is never closed",
    "nameless": "{0!r} closes what is not open",
    "malformed": "{0!r} is no tag",
}
