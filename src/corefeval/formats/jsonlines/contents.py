"""What the mentions of a line are counted in: words, sub-tokens that stand for words, or characters."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval._arrays import Ints

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


class WrongError(ValueError):
    """What is wrong with a line, what was expected, and a hint; it becomes a fault."""

    def __init__(self, what: str, expected: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what, self.expected, self.hint = what, expected, hint


class Content(NamedTuple):
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


def content(fields: Fields, unit: str) -> Content:
    """Find the words or the text of a line; raises WrongError."""
    if unit == "character" or (isinstance(fields.get("text"), str) and not any(map(fields.get, _WORDS[:-1]))):
        return _characters(fields)
    for field in _given(fields, _MAPS):
        return _sub_tokens(fields, field)
    for field in _given(fields, _WORDS):
        return _sentences(fields) if field == "sentences" else _words(fields, field)
    return Content("word", None, None)


def _given(fields: Fields, names: Sequence[str]) -> list[str]:
    return [name for name in names if fields.get(name) is not None]


def _characters(fields: Fields) -> Content:
    text = fields.get("text")
    if not isinstance(text, str):
        raise WrongError("offsets of characters without the text", "a string 'text'")
    return Content("character", len(text), text, included=False)


def _sentences(fields: Fields) -> Content:
    lengths = sentence_lengths(fields)
    length = sum(lengths)
    tokens = fields.get("tokens")
    if isinstance(tokens, list) and len(tokens) != length:
        raise WrongError(f"{length} words in 'sentences' but {len(tokens)} in 'tokens'", "the same words in both")
    return Content("word", length, _joined_sentences(fields["sentences"]), length, lengths)


def _words(fields: Fields, field: str) -> Content:
    words = fields[field]
    if not isinstance(words, list):
        raise WrongError(f"{field!r} is {shown(words)}", "a list of words")
    length = len(words)
    return Content(
        "word",
        length,
        _joined(words, field),
        length,
        [length],
        None if fields.get("sent_id") is None else _integers(fields, "sent_id", length, "words"),
        included=field not in _EXCLUDING,
        parent=None if fields.get("head") is None else _integers(fields, "head", length, "words"),
    )


def _sub_tokens(fields: Fields, field: str) -> Content:
    lengths = None if fields.get("sentences") is None else sentence_lengths(fields)
    word = _integers(fields, field, None if lengths is None else sum(lengths), "sub-tokens")
    if (np.diff(word) < 0).any():
        word = _rising(word, field, fields)
    count = int(word.max(initial=-1)) + 1
    if count > _MOST_WORDS * (len(word) + 1):
        raise WrongError(f"{field!r} has the word {count - 1} for {len(word)} sub-tokens", "words counted from 0")
    lengths = lengths or [len(word)]
    sentence = None
    if fields.get("sentence_map") is not None:
        sentence = _integers(fields, "sentence_map", len(word), "sub-tokens")
    for original in _given(fields, _ORIGINAL):
        if isinstance(fields[original], list) and len(fields[original]) == count:
            sentence = of_words(numbers(lengths) if sentence is None else sentence, word, count)
            return Content("word", len(word), _joined(fields[original], original), count, sentence=sentence, word=word)
    text: str | bytes | None = None if fields.get("sentences") is None else _joined_sentences(fields["sentences"])
    if isinstance(text, str) and (_BYTE_LEVEL in text or text.startswith(_BYTE_LEVEL[1])):
        text = _from_bytes(text)
    return Content("word", len(word), text, count, lengths, sentence, word=word, part_word=word)


def _rising(word: Ints, field: str, fields: Fields) -> Ints:
    """Numbers of words that rise but for sub-tokens that stand for none: marks such as [CLS] may have any."""
    if (np.diff(word[word >= 0]) < 0).any() and fields.get("sentences") is not None:
        marks = [isinstance(piece, str) and piece in SPECIAL for piece in chain.from_iterable(fields["sentences"])]
        word = np.where(marks, -1, word)
    if (np.diff(word[word >= 0]) < 0).any():
        raise WrongError(f"{field!r} goes back", "numbers of words that rise")
    return np.maximum(word, -1)


def of_words(sentence: Ints, word: Ints, count: int) -> Ints:
    """The sentence of every word: that of its first sub-token, or of the word before where it has none."""
    found = np.full(count, -1, dtype=np.int64)
    inside = np.flatnonzero(word >= 0)[::-1]
    found[word[inside]] = inside  # of several sub-tokens, the one that comes last here stays
    return sentence[np.maximum.accumulate(found)]


def numbers(lengths: Sequence[int]) -> Ints:
    """The number of the sentence of every word, from the sentences' lengths."""
    return np.repeat(np.arange(len(lengths)), np.array(lengths, dtype=np.int64))


def _from_bytes(text: str) -> str | bytes:
    """Undo the alphabet of byte-level sub-tokens, in which every byte is a visible character."""
    try:
        found = text.translate(_BYTES).encode("latin-1")
    except UnicodeEncodeError:
        return text
    return found if found.count(SEPARATOR.encode()) == text.count(SEPARATOR) else text


def _byte_alphabet() -> dict[int, int]:
    """Bytes that are no visible characters of Latin-1 come in their order from U+0100 on."""
    visible = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in visible]
    return {256 + place: byte for place, byte in enumerate(others)}


_BYTES = _byte_alphabet()


def sentence_lengths(fields: Fields) -> list[int]:
    """How many words (or sub-tokens) each sentence has; raises WrongError."""
    sentences = fields.get("sentences")
    if not isinstance(sentences, list) or not set(map(type, sentences)) <= {list}:
        wrong = sentences if not isinstance(sentences, list) else next(s for s in sentences if type(s) is not list)
        raise WrongError(f"'sentences' has {shown(wrong)}", "a list of sentences, each a list of words")
    return list(map(len, sentences))


def _joined_sentences(sentences: list[list[Any]]) -> str | None:
    try:
        return SEPARATOR.join(map(SEPARATOR.join, filter(None, sentences)))
    except TypeError:
        words = list(chain.from_iterable(sentences))
        return None if set(map(type, words)) == {int} else _joined(words, "sentences")  # numbers in a vocabulary


def _joined(words: list[Any], field: str) -> str:
    try:
        return SEPARATOR.join(words)
    except TypeError:
        wrong = next(word for word in words if not isinstance(word, str))
        raise WrongError(f"{field!r} has {shown(wrong)}", "words, which are strings") from None


def _integers(fields: Fields, field: str, length: int | None, what: str) -> Ints:
    """A column of a line, of this length; -1 where there is none."""
    values = fields[field]
    if isinstance(values, list) and values and isinstance(values[0], list):
        values = [value for part in values for value in (part if isinstance(part, list) else [part])]
    if not isinstance(values, list):
        raise WrongError(f"{field!r} is {shown(values)}", "a list of integers")
    if length is not None and len(values) != length:
        raise WrongError(f"{field!r} has {len(values)} entries for {length} {what}", "one for each")
    try:
        return np.frombuffer(_packed(values), dtype=np.int64)
    except TypeError:
        wrong = next(value for value in values if value is not None and not isinstance(value, int))
        raise WrongError(f"{field!r} has {shown(wrong)}", "integers") from None
    except OverflowError:
        wrong = next(value for value in values if abs(value or 0) >= 2**63)
        raise WrongError(f"{field!r} has {shown(wrong)}", f"numbers of {what}") from None


def _packed(values: list[Any]) -> array[int]:
    try:
        return array("q", values)
    except TypeError:
        return array("q", [-1 if value is None else value for value in values])


def shown(value: Any) -> str:
    """A value of the file, for a message."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
