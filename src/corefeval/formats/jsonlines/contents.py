"""The text of a line: words, sub-tokens that stand for words, or characters; and the words of all lines."""

from __future__ import annotations

from array import array
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.corpus.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.tokens import Places
    from corefeval.formats.shared.diagnostics import Diagnostics

    Fields = Mapping[str, Any]

SEPARATOR = "\0"
"""Stands between words: the one character that none of them may have."""

_WORDS = ("sentences", "cased_words", "tokens", "words", "document", "text")
_EXCLUDING = ("cased_words", "text")  # they count as Python's slices do
_MAPS = ("orig_subtoken_map", "subtoken_map")  # the first one leaves out speakers that were put into the text
_ORIGINAL = ("tokens", "words", "orig_tokens", "cased_words")
SPECIAL = frozenset(("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>"))
"""Sub-tokens that are no text."""

_MOST_WORDS = 10  # for each sub-token: a greater number is no word's
_BYTE_LEVEL = f"{SEPARATOR}Ġ"  # a blank, in the alphabet of byte-level sub-tokens


class LineError(ValueError):
    """What is wrong with a line, what was expected, and a hint; it becomes a fault."""

    def __init__(self, what: str, expected: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what, self.expected, self.hint = what, expected, hint


class LineContent(NamedTuple):
    """What a line says about its text.

    length: how many places its mentions can refer to, where that is known.
    text: the parts of the text with separators between them, or the running text; None where it is not known.
    words: how many there are; parts are words, or sub-tokens if `part_word` says which word each of them belongs to.
    sentences: how many parts each sentence has; or `sentence`, the number of the sentence of each part.
    included: whether the second offset of a mention is part of it, if its field does not say.
    word: the number of the word of each place that mentions can refer to, if these are sub-tokens; -1 for no word.
    parent: the word that each word depends on in a tree, -1 where there is none.
    """

    unit: str
    length: int | None
    text: str | bytes | None
    words: int = 0
    sentences: Sequence[int] = ()
    sentence: Ints | None = None
    included: bool = True
    word: Ints | None = None
    part_word: Ints | None = None
    parent: Ints | None = None


def find_content(fields: Fields, unit: str) -> LineContent:
    """Find the words or the text of a line; raises WrongError."""
    if unit == "character" or (isinstance(fields.get("text"), str) and not any(map(fields.get, _WORDS[:-1]))):
        return _read_characters(fields)
    for field in _list_given(fields, _MAPS):
        return _read_sub_tokens(fields, field)
    for field in _list_given(fields, _WORDS):
        return _read_sentences(fields) if field == "sentences" else _read_words(fields, field)
    return LineContent("word", None, None)


def _list_given(fields: Fields, names: Sequence[str]) -> list[str]:
    return [name for name in names if fields.get(name) is not None]


def _read_characters(fields: Fields) -> LineContent:
    text = fields.get("text")
    if not isinstance(text, str):
        raise LineError("offsets of characters without the text", "a string 'text'")
    return LineContent("character", len(text), text, included=False)


def _read_sentences(fields: Fields) -> LineContent:
    lengths = measure_sentences(fields)
    length = sum(lengths)
    tokens = fields.get("tokens")
    if isinstance(tokens, list) and len(tokens) != length:
        raise LineError(f"{length} words in 'sentences' but {len(tokens)} in 'tokens'", "the same words in both")
    return LineContent("word", length, _join_sentences(fields["sentences"]), length, lengths)


def _read_words(fields: Fields, field: str) -> LineContent:
    words = fields[field]
    if not isinstance(words, list):
        raise LineError(f"{field!r} is {show_value(words)}", "a list of words")
    length = len(words)
    return LineContent(
        "word",
        length,
        _join_words(words, field),
        length,
        [length],
        None if fields.get("sent_id") is None else _read_integers(fields, "sent_id", length, "words"),
        included=field not in _EXCLUDING,
        parent=None if fields.get("head") is None else _read_integers(fields, "head", length, "words"),
    )


def _read_sub_tokens(fields: Fields, field: str) -> LineContent:
    lengths = None if fields.get("sentences") is None else measure_sentences(fields)
    word = _read_integers(fields, field, None if lengths is None else sum(lengths), "sub-tokens")
    if (np.diff(word) < 0).any():
        word = _check_rising(word, field, fields)
    count = int(word.max(initial=-1)) + 1
    if count > _MOST_WORDS * (len(word) + 1):
        raise LineError(f"{field!r} has the word {count - 1} for {len(word)} sub-tokens", "words counted from 0")
    lengths = lengths or [len(word)]
    sentence = None
    if fields.get("sentence_map") is not None:
        sentence = _read_integers(fields, "sentence_map", len(word), "sub-tokens")
    for original in _list_given(fields, _ORIGINAL):
        if isinstance(fields[original], list) and len(fields[original]) == count:
            sentence = find_word_sentences(number_sentences(lengths) if sentence is None else sentence, word, count)
            return LineContent(
                "word", len(word), _join_words(fields[original], original), count, sentence=sentence, word=word
            )
    text: str | bytes | None = None if fields.get("sentences") is None else _join_sentences(fields["sentences"])
    if isinstance(text, str) and (_BYTE_LEVEL in text or text.startswith(_BYTE_LEVEL[1])):
        text = _decode_byte_level(text)
    return LineContent("word", len(word), text, count, lengths, sentence, word=word, part_word=word)


def _check_rising(word: Ints, field: str, fields: Fields) -> Ints:
    """Numbers of words that rise but for sub-tokens that stand for none: marks such as [CLS] may have any."""
    if (np.diff(word[word >= 0]) < 0).any() and fields.get("sentences") is not None:
        marks = [isinstance(piece, str) and piece in SPECIAL for piece in chain.from_iterable(fields["sentences"])]
        word = np.where(marks, -1, word)
    if (np.diff(word[word >= 0]) < 0).any():
        raise LineError(f"{field!r} goes back", "numbers of words that rise")
    return np.maximum(word, -1)


def find_word_sentences(sentence: Ints, word: Ints, count: int) -> Ints:
    """The sentence of every word: that of its first sub-token, or of the word before where it has none."""
    found = np.full(count, -1, dtype=np.int64)
    inside = np.flatnonzero(word >= 0)[::-1]
    found[word[inside]] = inside  # of several sub-tokens, the one that comes last here stays
    return sentence[np.maximum.accumulate(found)]


def number_sentences(lengths: Sequence[int]) -> Ints:
    """The number of the sentence of every word, from the sentences' lengths."""
    return np.repeat(np.arange(len(lengths)), np.array(lengths, dtype=np.int64))


def _decode_byte_level(text: str) -> str | bytes:
    """Undo the alphabet of byte-level sub-tokens, in which every byte is a visible character."""
    try:
        found = text.translate(_BYTES).encode("latin-1")
    except UnicodeEncodeError:
        return text
    return found if found.count(SEPARATOR.encode()) == text.count(SEPARATOR) else text


def _list_byte_alphabet() -> dict[int, int]:
    """Bytes that are no visible characters of Latin-1 come in their order from U+0100 on."""
    visible = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in visible]
    return {256 + place: byte for place, byte in enumerate(others)}


_BYTES = _list_byte_alphabet()


def measure_sentences(fields: Fields) -> list[int]:
    """How many words (or sub-tokens) each sentence has; raises WrongError."""
    sentences = fields.get("sentences")
    if not isinstance(sentences, list) or not set(map(type, sentences)) <= {list}:
        wrong = sentences if not isinstance(sentences, list) else next(s for s in sentences if type(s) is not list)
        raise LineError(f"'sentences' has {show_value(wrong)}", "a list of sentences, each a list of words")
    return list(map(len, sentences))


def _join_sentences(sentences: list[list[Any]]) -> str | None:
    try:
        return SEPARATOR.join(map(SEPARATOR.join, filter(None, sentences)))
    except TypeError:
        words = list(chain.from_iterable(sentences))
        return None if set(map(type, words)) == {int} else _join_words(words, "sentences")  # numbers in a vocabulary


def _join_words(words: list[Any], field: str) -> str:
    try:
        return SEPARATOR.join(words)
    except TypeError:
        wrong = next(word for word in words if not isinstance(word, str))
        raise LineError(f"{field!r} has {show_value(wrong)}", "words, which are strings") from None


def _read_integers(fields: Fields, field: str, length: int | None, what: str) -> Ints:
    """A column of a line, of this length; -1 where there is none."""
    values = fields[field]
    if isinstance(values, list) and values and isinstance(values[0], list):
        values = [value for part in values for value in (part if isinstance(part, list) else [part])]
    if not isinstance(values, list):
        raise LineError(f"{field!r} is {show_value(values)}", "a list of integers")
    if length is not None and len(values) != length:
        raise LineError(f"{field!r} has {len(values)} entries for {length} {what}", "one for each")
    try:
        return np.frombuffer(_pack_integers(values), dtype=np.int64)
    except TypeError:
        wrong = next(value for value in values if value is not None and not isinstance(value, int))
        raise LineError(f"{field!r} has {show_value(wrong)}", "integers") from None
    except OverflowError:
        wrong = next(value for value in values if abs(value or 0) >= 2**63)
        raise LineError(f"{field!r} has {show_value(wrong)}", f"numbers of {what}") from None


def _pack_integers(values: list[Any]) -> array[int]:
    try:
        return array("q", values)
    except TypeError:
        return array("q", [-1 if value is None else value for value in values])


def show_value(value: Any) -> str:
    """A value of the file, for a message."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


_SEPARATOR_BYTE = SEPARATOR.encode()
_MARKS = tuple(mark.encode() for mark in ("##", "▁", "Ġ", " "))
_LONGEST = max(map(len, _MARKS))
_SPECIAL_BYTES = frozenset(special.encode() for special in SPECIAL)


def build_tokens(contents: Sequence[LineContent], lines: Sequence[int], diagnostics: Diagnostics) -> Tokens | None:
    """The words of all documents, if they are known; a word with the separator in it is a fault."""
    if any(content.text is None for content in contents):
        return None
    parts = [content.words if content.part_word is None else len(content.part_word) for content in contents]
    buffer = _SEPARATOR_BYTE.join(
        _encode(content.text) for content, count in zip(contents, parts, strict=True) if count
    )
    if np.count_nonzero(np.frombuffer(buffer, dtype=np.uint8) == 0) != max(0, sum(parts) - 1):
        for line, content, count in zip(lines, contents, parts, strict=True):
            if count and _encode(content.text).count(_SEPARATOR_BYTE) != count - 1:
                diagnostics.add_fault(line, "a word has the character U+0000", "words of visible characters")
        return None
    counts = [content.words for content in contents]
    bounds = np.cumsum([0, *counts])
    sentence = _number_sentences(contents)
    places = partial(_find_part_places, buffer, sum(parts))
    if any(content.part_word is not None for content in contents):
        word = _number_words(contents, bounds)
        cut = np.repeat([content.part_word is not None for content in contents], parts)
        buffer, places = _join_sub_tokens(buffer, word, sum(counts), cut)
        sentence = find_word_sentences(sentence, word, sum(counts))
    return Tokens(buffer, places, np.repeat(lines, counts), bounds, numbers=sentence)


def _encode(text: str | bytes | None) -> bytes:
    return text if isinstance(text, bytes) else (text or "").encode()


def _number_sentences(contents: Sequence[LineContent]) -> Ints:
    """The number of the sentence of every part."""
    if all(content.sentence is None for content in contents):
        return number_sentences(list(chain.from_iterable(content.sentences for content in contents)))
    return np.concatenate(
        [number_sentences(each.sentences) if each.sentence is None else each.sentence for each in contents]
    )


def _number_words(contents: Sequence[LineContent], bounds: Ints) -> Ints:
    """The word of every part, counted over all documents; -1 for none."""
    columns = [np.arange(each.words) if each.part_word is None else each.part_word for each in contents]
    word = np.concatenate(columns)
    return np.where(word < 0, -1, word + np.repeat(bounds[:-1], list(map(len, columns))))


def _find_part_places(buffer: bytes, count: int) -> Places:
    """Where parts begin and end."""
    ends = np.append(np.flatnonzero(np.frombuffer(buffer, dtype=np.uint8) == 0), len(buffer))[:count]
    return np.append(0, ends[:-1] + 1)[:count], ends


def _join_sub_tokens(buffer: bytes, word: Ints, count: int, cut: Booleans) -> tuple[bytes, partial[Places]]:
    """Join the sub-tokens of every word without their marks; words that have none are empty.

    cut: which parts are sub-tokens; others are words as they stand.
    """
    begin, end = _find_part_places(buffer, len(word))
    page = np.frombuffer(bytearray(buffer + bytes(_LONGEST)), dtype=np.uint8)
    written = end - begin
    first = np.where(cut, page[begin], 0)
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
    return page.tobytes().translate(None, _SEPARATOR_BYTE), partial(_find_words, written, word, count)


def _find_words(written: Ints, word: Ints, count: int) -> Places:
    """Where words begin and end, from the lengths of sub-tokens."""
    ends = np.cumsum(written)
    inside = np.flatnonzero(word >= 0)
    first, last = (np.zeros(count, dtype=np.int64) for _ in range(2))
    last[word[inside]] = ends[inside]  # of several, the one that comes last stays
    inside = inside[::-1]
    first[word[inside]] = (ends - written)[inside]
    return first, last
