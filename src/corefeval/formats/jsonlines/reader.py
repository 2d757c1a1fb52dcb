"""Lines of JSON to a corpus: all documents at once. Words and mentions of all lines become columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, compress, repeat
from typing import Any

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Places, Tokens
from corefeval.formats.draft import transpose_attributes
from corefeval.formats.jsonlines.lines import (
    NO_WORDS,
    SPECIAL,
    ZERO_MARK,
    Attributes,
    DocumentLine,
    LineContent,
    find_word_sentences,
    repeat_numbers,
)
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import count_part, count_things

_SPECIAL_BYTES = frozenset(special.encode() for special in SPECIAL)
_MARKS = tuple(mark.encode() for mark in ("##", "▁", "Ġ", " "))  # before sub-tokens
_AT_ONCE = 1 << 22  # words whose place in a tree is looked at together


def build_corpus(lines: Sequence[DocumentLine], diagnostics: Diagnostics) -> Corpus:
    """Return the corpus of all lines with notices; an InputError if anything is wrong, or was found wrong before."""
    unit, numbers = lines[0].content.unit, [line.number for line in lines]
    for line in lines:
        if line.content.unit != unit:
            what = f"mentions are counted in {line.content.unit}s, but in {unit}s on line {numbers[0]}"
            diagnostics.add_fault(line.number, what, "the same on all lines", "use a file for each")
    each = [line.entities for line in lines]
    entity_document = repeat_numbers([len(entities.names) for entities in each])
    entity = repeat_numbers(list(chain.from_iterable(entities.sizes for entities in each)))
    document = entity_document[entity]
    start, end = (
        np.concatenate([np.array(offsets, dtype=np.int64) for offsets in side])
        for side in ([entities.starts for entities in each], [entities.ends for entities in each])
    )
    finder = _SpanFinder(lines, diagnostics)
    spans = finder.find_spans(document, start, end, "mention")
    heads = finder.find_parts(document, [entities.heads for entities in each], "head")
    minimums = finder.find_parts(document, [entities.minimums for entities in each], "minimum")
    tokens = _build_tokens([line.content for line in lines], numbers, diagnostics) if unit == "word" else None
    diagnostics.raise_faults()
    words = finder.convert_to_words(document, spans)
    _report_missing(lines, diagnostics)
    corpus = Corpus(
        tuple(line.name or "" for line in lines),
        entity_document,
        list(chain.from_iterable(entities.names for entities in each)),
        entity,
        words,
        tokens,
        texts=tuple(str(line.content.text) for line in lines) if unit == "character" else None,
        source=diagnostics.source,
        lines=np.array(numbers, dtype=np.int64)[document],
        attributes=_merge_attributes([entities.attributes for entities in each], document),
        entity_attributes=_merge_attributes([entities.entity_attributes for entities in each], entity_document),
        heads=_find_heads(lines, document, words) if heads is None else heads,
        minimums=minimums,
    )
    if words is not spans:
        corpus = _drop_wordless(corpus, words, spans, diagnostics)
    return corpus.replace(notices=diagnostics.limit_notices())


def _list_rows(given: Sequence[Sequence[Any]], line: Ints, otherwise: Any) -> list[Any]:
    """Return a list with a value for each row, as given for its line or else `otherwise`; line: that of each row."""
    counts = np.bincount(line, minlength=len(given)).tolist()
    values = (part or repeat(otherwise, count) for part, count in zip(given, counts, strict=True))
    return list(chain.from_iterable(values))


class _SpanFinder:
    """Finds the words of spans that lines give by offsets; spans that are not within their document are faults."""

    def __init__(self, lines: Sequence[DocumentLine], diagnostics: Diagnostics) -> None:
        self._lines, self._diagnostics = lines, diagnostics

    def find_spans(self, document: Ints, start: Ints, end: Ints, what: str) -> Spans:
        """Return spans (first, last) from documents, starts and ends; add a fault for each outside of its document."""
        last = end - np.array([not line.included for line in self._lines], dtype=np.int64)[document]
        length = np.array([line.content.length for line in self._lines], dtype=np.int64)[document]
        for row in np.flatnonzero((start < 0) | (last < start) | (last >= length)).tolist():
            self._add_fault(
                self._lines[document[row]], f"{what} {[int(start[row]), int(end[row])]}", start[row], end[row]
            )
        return Spans(start, last)

    def _add_fault(self, line: DocumentLine, span: str, start: int, end: int) -> None:
        """Add a fault about a span that ends before it starts or is outside of its document."""
        length = line.content.length
        unit = "sub-token" if line.content.word is not None else line.content.unit
        expected = f"start and end, counted from 0, the end {'included' if line.included else 'excluded'}"
        hint = ""
        if end < start or (end == start and not line.included):
            message = f"{span} of document {line.name!r} ends before it starts"
        else:
            message = f"{span} is not within the {count_things(length, unit)} of document {line.name!r}"
        if line.included and end == length:
            hint = "if ends are not part of mentions, read it as jsonlines:ends=excluded"
        if not line.included and end == start:
            hint = "if ends are part of mentions, read it as jsonlines:ends=included"
        self._diagnostics.add_fault(line.number, message, expected, hint, kind="mention-outside")

    def find_parts(self, document: Ints, given: Sequence[Sequence[Sequence[int] | None]], what: str) -> Spans | None:
        """Return a span of each mention's part, such as its head, -1 for none; None if none given, or after faults."""
        if not any(given):
            return None
        listed = _list_rows(given, document, None)
        rows = np.array([row for row, part in enumerate(listed) if part is not None], dtype=np.int64)
        start, end = np.array([part for part in listed if part is not None], dtype=np.int64).reshape(-1, 2).T
        spans = self.find_spans(document[rows], start, end, what)
        if self._diagnostics.faults:
            return None
        spans = self.convert_to_words(document[rows], spans)
        some = spans.start <= spans.end  # a part of sub-tokens that are no words is none
        parts = np.full((2, len(document)), -1, dtype=np.int64)
        parts[:, rows[some]] = spans.start[some], spans.end[some]
        return Spans(*parts)

    def convert_to_words(self, document: Ints, spans: Spans) -> Spans:
        """Return the spans, those of sub-tokens as spans of their words; one of no words ends before it starts."""
        maps = [NO_WORDS if line.content.word is None else line.content.word for line in self._lines]
        if not any(map(len, maps)):
            return spans
        rows = np.flatnonzero(np.array([line.content.word is not None for line in self._lines])[document])
        begin = np.cumsum([0, *map(len, maps)])[document[rows]]
        first = last = np.concatenate(maps)
        if first.min() < 0:
            first = np.concatenate([_find_next_words(numbers) for numbers in maps])
            last = np.concatenate([np.maximum.accumulate(numbers) for numbers in maps])
        start, end = spans.start.copy(), spans.end.copy()
        start[rows], end[rows] = first[begin + start[rows]], last[begin + end[rows]]
        return Spans(start, end)


def _find_next_words(word: Ints) -> Ints:
    """Return for each sub-token its word, or that of the next one that has one; past the last word if none has."""
    none = word.max(initial=0) + 1
    return np.minimum.accumulate(np.where(word < 0, none, word)[::-1])[::-1]


def _find_heads(lines: Sequence[DocumentLine], document: Ints, spans: Spans) -> Spans | None:
    """Return as spans each mention's only word that depends on one outside, else its last; -1 or None without trees."""
    trees = [line.content.parent for line in lines]
    if all(tree is None for tree in trees):
        return None
    parents = np.concatenate([NO_WORDS if tree is None else tree for tree in trees])
    begin = np.cumsum([0, *(0 if tree is None else len(tree) for tree in trees)])[:-1]
    head = np.full(len(document), -1, dtype=np.int64)
    rows = np.flatnonzero(np.array([tree is not None for tree in trees])[document])
    length = spans.end - spans.start + 1
    for some in np.array_split(rows, int(length[rows].sum()) // _AT_ONCE + 1):
        owner = np.repeat(some, length[some])
        before = np.cumsum(length[some]) - length[some]
        word = np.arange(len(owner)) - np.repeat(before, length[some]) + spans.start[owner]
        parent = parents[begin[document[owner]] + word]
        on_top = ((parent < spans.start[owner]) | (parent > spans.end[owner])).astype(np.int64)
        # Where only one word is on top, the sum is that word.
        count, total = (np.add.reduceat(each, before) for each in (on_top, on_top * word))
        head[some] = np.where(count == 1, total, spans.end[some])
    return Spans(head, head)


def _merge_attributes(given: Sequence[Sequence[Attributes]], line: Ints) -> dict[str, list[str]]:
    """Return a column of texts for each attribute, by name, "" for rows without it; {} if no line gives any."""
    return transpose_attributes(_list_rows(given, line, {})) if any(given) else {}


def _report_missing(lines: Sequence[DocumentLine], diagnostics: Diagnostics) -> None:
    """Add a notice for every entity without mentions, and one of all documents whose words are not known."""
    for line in lines:
        for name in line.entities.empty:
            message = f"entity {name!r} of document {line.name!r} has no mentions and is left out"
            diagnostics.add_notice("empty-entity", line.number, message, document=line.name, entity=name)
    unknown = [line for line in lines if line.content.text is None]
    if unknown:
        message = f"the words of {count_part(len(unknown), len(lines), 'document')} are not known, so none are kept"
        diagnostics.add_notice("unknown-words", unknown[0].number, message, count=len(unknown))


def _drop_wordless(corpus: Corpus, words: Spans, spans: Spans, diagnostics: Diagnostics) -> Corpus:
    """Return the corpus without mentions of no word; add notices of these, and of mentions that are now the same."""
    none = words.start > words.end
    for row in np.flatnonzero(none).tolist():
        message = f"mention [{spans.start[row]}, {spans.end[row]}] has sub-tokens of no word and is left out"
        diagnostics.add_notice("mention-outside", corpus.line(row), message)
    order = words.text_order(corpus.document)
    order = order[~none[order]]
    is_same = (np.diff([corpus.document[order], words.start[order], words.end[order]]) == 0).all(axis=0)
    is_other = (np.diff(spans.start[order]) != 0) | (np.diff(spans.end[order]) != 0)
    for place in np.flatnonzero(is_same & is_other).tolist():
        one, two = (f"[{spans.start[row]}, {spans.end[row]}]" for row in order[place : place + 2].tolist())
        row = int(order[place])
        message = f"mentions {one} and {two} are the same words, {corpus.describe(row)}"
        diagnostics.add_notice("same-words", corpus.line(row), message, document=corpus.documents[corpus.document[row]])
    return corpus.keep(~none) if none.any() else corpus


# The words of all lines


def _build_tokens(contents: Sequence[LineContent], lines: Sequence[int], diagnostics: Diagnostics) -> Tokens | None:
    """Return the words of all documents; None if some are unknown or, with a fault, if one has the separator in it."""
    if any(content.text is None for content in contents):
        return None
    parts = [content.words if content.part_word is None else len(content.part_word) for content in contents]
    texts = [content.text if isinstance(content.text, bytes) else (content.text or "").encode() for content in contents]
    buffer = b"\0".join(compress(texts, parts))
    if np.count_nonzero(np.frombuffer(buffer, dtype=np.uint8) == 0) != max(0, sum(parts) - 1):
        for line, text, count in zip(lines, texts, parts, strict=True):
            if count and text.count(b"\0") != count - 1:
                diagnostics.add_fault(line, "a word has the character U+0000", "words of visible characters")
        return None
    counts = [content.words for content in contents]
    bounds = np.cumsum([0, *counts])
    sentence = np.concatenate([content.sentence for content in contents])
    places = partial(_find_part_places, buffer, sum(parts))
    if any(content.part_word is not None for content in contents):
        columns = [np.arange(each.words) if each.part_word is None else each.part_word for each in contents]
        word = np.concatenate(columns)
        word = np.where(word < 0, -1, word + np.repeat(bounds[:-1], parts))  # counted over all documents
        is_cut = np.repeat([content.part_word is not None for content in contents], parts)
        buffer, places = _join_sub_tokens(buffer, word, sum(counts), is_cut)
        sentence = find_word_sentences(sentence, word, sum(counts))
    empty = np.concatenate([_find_zeros(content) for content in contents])
    return Tokens(buffer, places, np.repeat(lines, counts), bounds, numbers=sentence, empty=empty)


def _find_zeros(content: LineContent) -> Booleans:
    """Return for each word of a line whether it is not written."""
    if not content.zeros or not isinstance(content.text, str):
        return np.zeros(content.words, dtype=np.bool_)
    words = content.text.split("\0") if content.words else []
    return np.array([word.startswith(ZERO_MARK) for word in words], dtype=np.bool_)


def _find_part_places(buffer: bytes, count: int) -> Places:
    """Return two arrays: where each of `count` words or sub-tokens begins and ends in a buffer, NUL between them."""
    ends = np.append(np.flatnonzero(np.frombuffer(buffer, dtype=np.uint8) == 0), len(buffer))[:count]
    return np.append(0, ends[:-1] + 1)[:count], ends


def _join_sub_tokens(buffer: bytes, word: Ints, count: int, is_cut: Booleans) -> tuple[bytes, partial[Places]]:
    """Return the text of all words, joined from sub-tokens without marks, and a function that finds the words in it.

    is_cut: which parts are sub-tokens; others are words as they stand.
    """
    begin, end = _find_part_places(buffer, len(word))
    page = np.frombuffer(bytearray(buffer + bytes(max(map(len, _MARKS)))), dtype=np.uint8)
    written = end - begin
    first = np.where(is_cut, page[begin], 0)
    for row in np.flatnonzero((first == ord("[")) | (first == ord("<")) | (word < 0)).tolist():
        if word[row] < 0 or buffer[begin[row] : end[row]] in _SPECIAL_BYTES:
            page[begin[row] : end[row]] = 0
            written[row] = 0
    for mark in _MARKS:
        rows = np.flatnonzero((first == mark[0]) & (written >= len(mark)))
        for place, byte in enumerate(mark):
            rows = rows[page[begin[rows] + place] == byte]
        for place in range(len(mark)):
            page[begin[rows] + place] = 0
        written[rows] -= len(mark)
    return page.tobytes().translate(None, b"\0"), partial(_find_words, written, word, count)


def _find_words(written: Ints, word: Ints, count: int) -> Places:
    """Return two arrays: where words begin and end, from length and word of each sub-token; zeros for words without."""
    ends = np.cumsum(written)
    inside = np.flatnonzero(word >= 0)
    first, last = (np.zeros(count, dtype=np.int64) for _ in range(2))
    last[word[inside]] = ends[inside]  # of several, the one that comes last stays
    inside = inside[::-1]
    first[word[inside]] = (ends - written)[inside]
    return first, last
