"""One line of JSON: the text and the entities that its fields hold."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, compress, repeat
from typing import Any

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.formats.shared.json_values import show_value
from corefeval.notices import count_things, make_plural

Fields = Mapping[str, Any]
Attributes = Mapping[str, str]


class ClusterField(NamedTuple):
    """How a field writes mentions.

    included: whether their second offset is part of them; None if that depends on what they are offsets of.
    numbers: how many a mention is: a word; start and end; sentence, start and end.
    """

    included: bool | None = None
    numbers: int = 2
    unit: str = "word"


FIELDS = {
    "predicted_clusters": ClusterField(),
    "span_clusters": ClusterField(included=False),
    "clusters_token_offsets": ClusterField(included=True),
    "clusters": ClusterField(),
    "mention_clusters": ClusterField(included=False, numbers=3),
    "clusters_char_offsets": ClusterField(included=True, unit="character"),
    "word_clusters": ClusterField(included=True, numbers=1),
}
"""The fields with entities; the first one that a line has is read."""

_WORDS = ("sentences", "cased_words", "tokens", "words", "document", "text")
_EXCLUDING = ("cased_words", "text")  # they count as Python's slices do
_STRINGS = "clusters_text_mentions"  # a field of CRAC 2025's JSON, in which ## begins words that are not written
ZERO_MARK = "##"
_MAPS = ("orig_subtoken_map", "subtoken_map")  # the first one leaves out speakers that were put into the text
_ORIGINAL = ("tokens", "words", "orig_tokens", "cased_words")
_MOST_WORDS = 10  # for each sub-token: a greater number is no word's
_FORMS = {1: "the number of a word", 2: "two integers: start and end", 3: "three integers: sentence, start and end"}
_SEPARATOR = "\0"  # between words: the one character that none of them may have
SPECIAL = frozenset(("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>"))  # sub-tokens that are no text
_BYTE_LEVEL = f"{_SEPARATOR}Ġ"  # a blank, in the alphabet of byte-level sub-tokens
_INVISIBLE = [*range(ord("!")), *range(ord("~") + 1, ord("¡")), ord("\xad")]  # the bytes that Latin-1 does not show
_BYTES = {256 + place: byte for place, byte in enumerate(_INVISIBLE)}  # of the characters that stand for them
_UNKNOWN = 2**62  # the length of a document whose words are not known
NO_WORDS = np.zeros(0, dtype=np.int64)


class LineError(ValueError):
    """What is wrong with a line, what was expected, and a hint; it becomes a fault."""

    def __init__(self, what: str, expected: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what, self.expected, self.hint = what, expected, hint


class LineContent(NamedTuple):
    """What a line says about its text.

    length: how many places its mentions can refer to.
    text: the parts of the text with separators between them, or the running text; None where it is not known.
    words: how many there are; parts are words, or sub-tokens if `part_word` says which word each of them belongs to.
    sentence: the number of the sentence of each part, rising.
    included: whether the second offset of a mention is part of it, if its field does not say.
    word: the number of the word of each place that mentions can refer to, if these are sub-tokens; -1 for no word.
    parent: the word that each word depends on in a tree, -1 where there is none.
    zeros: whether words that begin with ## are not written in the text.
    """

    unit: str
    length: int
    text: str | bytes | None
    words: int = 0
    sentence: Ints = NO_WORDS
    included: bool = True
    word: Ints | None = None
    part_word: Ints | None = None
    parent: Ints | None = None
    zeros: bool = False


class LineEntities(NamedTuple):
    """The entities that have mentions: names, sizes, and the mentions' starts and ends, one after another.

    attributes, heads, minimums: one for every mention, or nothing at all; entity_attributes: likewise for entities.
    empty: the names of entities that have no mentions.
    """

    names: Sequence[str]
    sizes: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    attributes: Sequence[Attributes]
    entity_attributes: Sequence[Attributes]
    heads: Sequence[Sequence[int] | None]
    minimums: Sequence[Sequence[int] | None]
    empty: Sequence[str]


class DocumentLine(NamedTuple):
    """A document: its line and name, what it says, and whether the ends of its mentions are part of them."""

    number: int
    name: str | None
    content: LineContent
    entities: LineEntities
    included: bool


# The text of a line


def find_content(fields: Fields, unit: str) -> LineContent:
    """Return the words, sub-tokens or running text of a line, or that they are unknown; LineError if malformed."""
    if unit == "character" or (isinstance(fields.get("text"), str) and not any(map(fields.get, _WORDS[:-1]))):
        text = fields.get("text")
        if not isinstance(text, str):
            raise LineError("offsets of characters without the text", "a string 'text'")
        return LineContent("character", len(text), text, included=False)
    for field in (*_MAPS, *_WORDS):
        if fields.get(field) is not None:
            return _read_sub_tokens(fields, field) if field in _MAPS else _read_words(fields, field)
    return LineContent("word", _UNKNOWN, None)


def _read_words(fields: Fields, field: str) -> LineContent:
    """Return the words of a line with their sentences; raise LineError if they are malformed."""
    words = fields[field]
    if field == "sentences":
        lengths = _measure_sentences(fields)
        length, tokens = sum(lengths), fields.get("tokens")
        if isinstance(tokens, list) and len(tokens) != length:
            raise LineError(
                f"{count_things(length, 'word')} in 'sentences' but {len(tokens)} in 'tokens'", "the same words in both"
            )
        return LineContent("word", length, _join_sentences(words), length, repeat_numbers(lengths))
    if not isinstance(words, list):
        raise LineError(f"{field!r} is {show_value(words)}", "a list of words")
    sentence = _read_integers(fields, "sent_id", len(words), "word")
    return LineContent(
        "word",
        len(words),
        _join_words(words, field),
        len(words),
        repeat_numbers([len(words)]) if sentence is None else sentence,
        included=field not in _EXCLUDING,
        parent=_read_integers(fields, "head", len(words), "word"),
        zeros=fields.get(_STRINGS) is not None,
    )


def _read_sub_tokens(fields: Fields, field: str) -> LineContent:
    """Return the words that sub-tokens stand for, given the field with the word of each; LineError if malformed."""
    has_sentences = fields.get("sentences") is not None
    lengths = _measure_sentences(fields) if has_sentences else []
    word = _read_integers(fields, field, sum(lengths) if has_sentences else None, "sub-token")
    assert word is not None  # noqa: S101 - the caller has seen the field
    if (np.diff(word) < 0).any():
        word = _check_rising(word, field, fields)
    count = int(word.max(initial=-1)) + 1
    if count > _MOST_WORDS * (len(word) + 1):
        pieces = count_things(len(word), "sub-token")
        raise LineError(f"{field!r} has the word {count - 1} for {pieces}", "words counted from 0")
    sentence = _read_integers(fields, "sentence_map", len(word), "sub-token")
    if sentence is None:
        sentence = repeat_numbers(lengths or [len(word)])
    for name in _ORIGINAL:
        words = fields.get(name)
        if isinstance(words, list) and len(words) == count:
            sentence = find_word_sentences(sentence, word, count)
            return LineContent("word", len(word), _join_words(words, name), count, sentence, word=word)
    text: str | bytes | None = _join_sentences(fields["sentences"]) if has_sentences else None
    if isinstance(text, str) and (_BYTE_LEVEL in text or text.startswith(_BYTE_LEVEL[1])):
        text = _decode_byte_level(text)
    return LineContent("word", len(word), text, count, sentence, word=word, part_word=word)


def _check_rising(word: Ints, field: str, fields: Fields) -> Ints:
    """Return the word of each sub-token, -1 for none; if numbers go back, marks such as [CLS] get -1, or LineError."""
    if (np.diff(word[word >= 0]) < 0).any() and fields.get("sentences") is not None:
        marks = [isinstance(piece, str) and piece in SPECIAL for piece in chain.from_iterable(fields["sentences"])]
        word = np.where(marks, -1, word)
    if (np.diff(word[word >= 0]) < 0).any():
        raise LineError(f"{field!r} goes back", "numbers of words that rise")
    return np.maximum(word, -1)


def find_word_sentences(sentence: Ints, word: Ints, count: int) -> Ints:
    """Return the sentence of every word: that of its first sub-token, or of the word before where it has none."""
    found = np.full(count, -1, dtype=np.int64)
    inside = np.flatnonzero(word >= 0)[::-1]
    found[word[inside]] = inside  # of several sub-tokens, the one that comes last here stays
    return sentence[np.maximum.accumulate(found)]


def repeat_numbers(counts: Sequence[int]) -> Ints:
    """Return each place as often as its count says: [2, 1] gives [0, 0, 1]."""
    return np.repeat(np.arange(len(counts)), np.array(counts, dtype=np.int64))


def _decode_byte_level(text: str) -> str | bytes:
    """Return the bytes that a text of byte-level sub-tokens stands for; the text itself if it is none."""
    try:
        found = text.translate(_BYTES).encode("latin-1")
    except UnicodeEncodeError:
        return text
    return found if found.count(b"\0") == text.count(_SEPARATOR) else text


def _measure_sentences(fields: Fields) -> list[int]:
    """Return the number of words (or sub-tokens) of each of a line's sentences; LineError if they are no lists."""
    return _measure_lists(fields.get("sentences"), "sentences", "a list of sentences, each a list of words")


def _measure_lists(listed: Any, field: str, expected: str) -> list[int]:
    """Return the lengths of the lists in a list; LineError if it is none, or anything else is in it."""
    if not isinstance(listed, list) or not set(map(type, listed)) <= {list}:
        wrong = listed if not isinstance(listed, list) else next(each for each in listed if type(each) is not list)
        raise LineError(f"{field!r} has {show_value(wrong)}", expected)
    return list(map(len, listed))


def _join_sentences(sentences: list[list[Any]]) -> str | None:
    """Return all words in one text, NUL between them; None if they are integers, LineError if some are no strings."""
    try:
        return _SEPARATOR.join(map(_SEPARATOR.join, filter(None, sentences)))
    except TypeError:
        words = list(chain.from_iterable(sentences))
        return None if set(map(type, words)) == {int} else _join_words(words, "sentences")  # numbers in a vocabulary


def _join_words(words: list[Any], field: str) -> str:
    """Return words in one text with NUL between them; raise LineError if one is no string."""
    try:
        return _SEPARATOR.join(words)
    except TypeError:
        wrong = next(word for word in words if not isinstance(word, str))
        raise LineError(f"{field!r} has {show_value(wrong)}", "words, which are strings") from None


def _read_integers(fields: Fields, field: str, length: int | None, thing: str) -> Ints | None:
    """Return a field's integers as an array, -1 for null; None without the field, LineError if they do not fit."""
    values = fields.get(field)
    if values is None:
        return None
    if isinstance(values, list) and values and isinstance(values[0], list):
        values = [value for part in values for value in (part if isinstance(part, list) else [part])]
    if not isinstance(values, list):
        raise LineError(f"{field!r} is {show_value(values)}", "a list of integers")
    if length is not None and len(values) != length:
        entries = f"{count_things(len(values), 'entry')} for {count_things(length, thing)}"
        raise LineError(f"{field!r} has {entries}", "one for each")
    try:
        if None in values:
            values = [-1 if value is None else value for value in values]
        return np.frombuffer(array("q", values), dtype=np.int64)
    except TypeError:
        wrong = next(value for value in values if not isinstance(value, int))
        raise LineError(f"{field!r} has {show_value(wrong)}", "integers") from None
    except OverflowError:
        wrong = next(value for value in values if abs(value) >= 2**63)
        raise LineError(f"{field!r} has {show_value(wrong)}", f"numbers of {make_plural(thing)}") from None


# The entities of a line


def read_entities(fields: Fields, field: str, faults: list[LineError]) -> LineEntities | None:
    """Return the entities of a field of a line; None, with `faults` added, or LineError if something is wrong."""
    numbers = FIELDS.get(field, FIELDS["clusters"]).numbers
    listed = fields[field]
    names: Sequence[str] | None = None
    if isinstance(listed, dict):
        names, listed = list(listed), list(listed.values())
    sizes = _measure_lists(listed, field, "a list of entities, each a list of mentions")
    count = len(sizes)
    names = names or _read_listed(fields, "entity_names", count, lambda name: type(name) is str, "a list of {} strings")
    names = names or list(map(str, range(count)))
    if len(set(names)) < len(names):
        raise LineError("'entity_names' has a name twice", "different names")
    mentions = list(chain.from_iterable(listed))
    columns = _transpose(mentions, numbers)
    if columns is None:
        mentions = [
            [each["start"], each["end"]] if isinstance(each, dict) and {"start", "end"} <= each.keys() else each
            for each in mentions
        ]
        owners = chain.from_iterable(map(repeat, names, sizes))
        faults.extend(_find_irregular(mentions, owners, numbers))
        columns = _transpose(mentions, numbers)
    if columns is None:
        return None
    starts, ends = _convert_to_document(columns, fields) if numbers == 3 else (columns[0], columns[-1])
    read = partial(_read_values, fields, sizes)
    return LineEntities(
        list(compress(names, sizes)),
        list(filter(None, sizes)),
        starts,
        ends,
        read("mention_attributes", _is_object, "objects with strings"),
        list(compress(_read_listed(fields, "entity_attributes", count, _is_object, "{} objects with strings"), sizes)),
        read("mention_heads", _is_span, "lists of start and end, or null"),
        read("mention_minimums", _is_span, "lists of start and end, or null"),
        [name for name, size in zip(names, sizes, strict=True) if not size],
    )


def _transpose(mentions: list[Any], numbers: int) -> Sequence[Sequence[int]] | None:
    """Return arrays of all mentions' first integers, of all second ones, and so on; None if a mention is irregular.

    Columns are arrays, since the objects would take up the memory between those that can be freed.
    """
    if not mentions:
        return [()] * numbers
    try:
        columns = list(zip(*mentions, strict=True)) if numbers > 1 else [mentions]
    except (TypeError, ValueError):
        return None
    if len(columns) != numbers or not all(set(map(type, column)) == {int} for column in columns):
        return None
    try:
        return [array("q", column) for column in columns]
    except OverflowError:
        wrong = next(number for column in columns for number in column if not -(2**63) <= number < 2**63)
        raise LineError(f"{show_value(wrong)} in a mention", "numbers of words or characters") from None


def _find_irregular(mentions: list[Any], owners: Iterator[str], numbers: int) -> Iterator[LineError]:
    """Yield a LineError for every mention that is not so many integers; owners: the names of mentions' entities."""
    for mention, owner in zip(mentions, owners, strict=True):
        if _transpose([mention], numbers) is None:
            hint = ""
            if numbers == 2 and type(mention) is int:
                hint = "entities are lists of mentions, and these are lists of two integers"
            elif numbers == 2 and isinstance(mention, list) and len(mention) == 3:
                hint = "sentence, start and end are read from a field 'mention_clusters'"
            yield LineError(f"{show_value(mention)}, a mention of entity {owner!r}", _FORMS[numbers], hint)


def _convert_to_document(columns: Sequence[Sequence[int]], fields: Fields) -> tuple[list[int], list[int]]:
    """Return (starts, ends) in the document for sentence, start and end in the sentence; LineError if not there."""
    lengths = _measure_sentences(fields)
    before = np.cumsum([0, *lengths]).tolist()
    for sentence, start, end in zip(*columns, strict=True):
        if not 0 <= sentence < len(lengths) or not 0 <= start < end <= lengths[sentence]:
            raise LineError(f"mention {[sentence, start, end]} is not within a sentence", _FORMS[3])
    starts, ends = ([before[s] + n for s, n in zip(columns[0], column, strict=True)] for column in columns[1:])
    return starts, ends


def _read_listed(
    fields: Fields, field: str, count: int, is_valid: Callable[[Any], bool], expected: str
) -> Sequence[Any]:
    """Return a field's values, one for each of `count` entities; () if it is missing, LineError if it does not fit."""
    listed = fields.get(field)
    if listed is None:
        return ()
    if not isinstance(listed, list) or len(listed) != count or not all(map(is_valid, listed)):
        raise LineError(f"{field!r} is {show_value(listed)}", f"{expected.format(count)}, one for each entity")
    return listed


def _read_values(
    fields: Fields, sizes: Sequence[int], field: str, is_valid: Callable[[Any], bool], expected: str
) -> list[Any]:
    """Return a field's values for all mentions in one list; [] if it is missing, LineError if it does not fit."""
    listed = fields.get(field)
    if listed is None:
        return []
    if not isinstance(listed, list) or not set(map(type, listed)) <= {list} or list(map(len, listed)) != list(sizes):
        raise LineError(
            f"{field!r} is {show_value(listed)}", "a list for each entity with as many entries as it has mentions"
        )
    values = list(chain.from_iterable(listed))
    for value in values:
        if not is_valid(value):
            raise LineError(f"{field!r} has {show_value(value)}", expected)
    return values


def _is_object(value: Any) -> bool:
    """Return whether a value is an object of strings."""
    return type(value) is dict and set(map(type, value.values())) <= {str}


def _is_span(value: Any) -> bool:
    """Return whether a value is null or two integers."""
    return value is None or _transpose([value], 2) is not None
