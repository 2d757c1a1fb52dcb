"""The words of a corpus, as places in one buffer: found and decoded when someone asks for one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from corefeval._arrays import Booleans, Ints, np
from corefeval._lazy import LazyMapping, NamedTuple, cached
from corefeval.corpus.heads import find_word_classes

Places = tuple[Ints, Ints]

_CHUNK = 8
_LONG = 64  # bytes of words that are compared for all words at once
WORD = 1 << 20
"""From the place of one written word to that of the next: there is room for as many zeros between them."""


class Frame(NamedTuple):
    """Where the cell of every word's line is that may differ between files of the same words, and whether it is marked.

    If all is the same around these cells, words need not be looked for: an answer to "which words differ?" in a tenth
    of the time.
    """

    begin: Ints
    end: Ints
    marked: Booleans


class Tokens:
    """Words as places [start, end) of `buffer`, the documents' one after another.

    bounds: where each document begins, and where the last one ends.
    line: the line of its file that each word stands on, or how to find it; 0 where there is none.
    places: start and end, or how to find them.
    numbers: the sentence of each word, rising; by default the lines tell, with a gap between two sentences.
    empty: which words are not written in the text (zeros), if any.
    attributes: further columns of the words by name, "" where a word has none.
    frame: where the lines' last cells are, in formats of columns.
    """

    def __init__(
        self,
        buffer: bytes,
        places: Places | Callable[[], Places],
        line: Ints | Callable[[], Ints],
        bounds: Ints,
        *,
        numbers: Ints | None = None,
        empty: Booleans | None = None,
        attributes: Mapping[str, Sequence[str]] | None = None,
        frame: Callable[[], Frame] | None = None,
    ) -> None:
        self.buffer, self.bounds = buffer, bounds
        self.empty = empty if empty is not None and empty.any() else None
        self.attributes = attributes or {}
        self.frame = frame
        self._places, self._line, self._numbers = places, line, numbers
        self._equal: Tokens | None = None  # others that are known to have the same words

    @classmethod
    def from_words(
        cls,
        documents: Iterable[Sequence[str]],
        *,
        line: Ints | None = None,
        numbers: Ints | None = None,
        empty: Booleans | None = None,
        attributes: Mapping[str, Sequence[str]] | None = None,
    ) -> Tokens:
        """Return Tokens, given the words of every document, with the further columns given."""
        listed = [list(document) for document in documents]
        encoded = [word.encode("utf-8", "surrogateescape") for document in listed for word in document]
        length = np.array([len(word) for word in encoded], dtype=np.int64)
        end = np.cumsum(length)
        bounds = np.cumsum([0, *(len(document) for document in listed)])
        line = np.zeros(len(end), dtype=np.int64) if line is None else line
        places = end - length, end
        return cls(b"".join(encoded), places, line, bounds, numbers=numbers, empty=empty, attributes=attributes)

    def __len__(self) -> int:
        return int(self.bounds[-1] - self.bounds[0]) if len(self.bounds) else 0

    @cached
    def places(self) -> Places:
        """Two arrays: where each word begins, and where it ends, in the bytes of the buffer."""
        return self._places() if callable(self._places) else self._places

    @cached
    def line(self) -> Ints:
        """For every word, the line of its file that it stands on; 0 where there is none."""
        return self._line() if callable(self._line) else self._line

    @property
    def start(self) -> Ints:
        """For every word, where it begins in the bytes of the buffer."""
        return self.places[0]

    @property
    def end(self) -> Ints:
        """For every word, where it ends in the bytes of the buffer."""
        return self.places[1]

    @cached
    def unwritten(self) -> Booleans:
        """For every word, whether it is not written in the text (a zero); all False where `empty` is None."""
        return np.zeros(len(self.line), dtype=np.bool_) if self.empty is None else self.empty

    @cached
    def sentence(self) -> Ints:
        """The number of the sentence of every word, from 0 in every document."""
        new = np.diff(self._numbers, prepend=0) != 0 if self._numbers is not None else np.diff(self.line, prepend=0) > 1
        first = self.bounds[:-1][np.diff(self.bounds) > 0]
        new[first] = False
        count = np.cumsum(new)
        return count - np.repeat(count[first], np.diff(np.append(first, len(count))))

    @cached
    def word_classes(self) -> Ints | None:
        """The class of every word by its part of speech (see `heads`); None if no parts of speech are known."""
        return find_word_classes(self.attributes)

    @cached
    def order(self) -> Ints:
        """The place of every word in its document, in which zeros have numbers between those of written words.

        A written word's place is its number among the written ones, times `WORD`. A zero's is that of the word before
        it plus its number among the zeros there. Zeros before the first word of a sentence are others than those behind
        the last word of the one before.
        """
        empty = self.unwritten
        written = np.cumsum(~empty)
        first = self.bounds[:-1][np.diff(self.bounds) > 0]
        before_document: Ints = np.repeat((written - ~empty)[first], np.diff(np.append(first, len(empty))))
        number = np.arange(len(empty))
        opens = np.diff(self.sentence, prepend=-1) != 0
        opens[first] = True
        anchor = np.maximum.accumulate(np.where(~empty | opens, number, 0))
        # A zero that opens its sentence is its own anchor, and is counted from there.
        opens_sentence = empty & empty[anchor]
        nth = np.where(empty, number - anchor + opens_sentence, 0)
        return (written - before_document) * WORD + nth + np.where(opens_sentence, WORD // 2, 0)

    def length(self, document: int) -> int:
        """Return how many words a document has."""
        return int(self.bounds[document + 1] - self.bounds[document])

    def rows(self, document: int) -> slice:
        """Return the slice of rows that hold the words of a document."""
        return slice(int(self.bounds[document]), int(self.bounds[document + 1]))

    def words(self, document: int, first: int = 0, last: int | None = None) -> list[str]:
        """Return a list of the words `first` to `last`, both included, of a document; of all its words by default."""
        begin = int(self.bounds[document]) + first
        stop = int(self.bounds[document + 1]) if last is None else int(self.bounds[document]) + last + 1
        places = zip(self.start[begin:stop].tolist(), self.end[begin:stop].tolist(), strict=True)
        return [self.buffer[a:b].decode("utf-8", "replace") for a, b in places]

    @cached
    def all_words(self) -> list[str]:
        """The words of all documents, equal ones as one object: quicker than `words` if many of them are needed."""
        if self._equal is not None:
            return self._equal.all_words
        buffer, known = self.buffer, _DecodedWords()
        return [known[buffer[a:b]] for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]

    def share_words(self, other: Tokens) -> None:
        """Take `all_words` from others that have the same words in the same documents, so that they are kept once."""
        while other._equal is not None:
            other = other._equal
        if other is not self:
            self._equal = other

    def sentences(self, document: int) -> list[list[str]]:
        """Return a list for each sentence of a document with its words."""
        own = self.rows(document)
        words, sentence = self.all_words[own], self.sentence[own]
        if not words:
            return []
        bounds = [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist(), len(words)]
        return [words[first:stop] for first, stop in pairwise(bounds)]

    def get_line(self, document: int, word: int) -> int:
        """Return the line of the file that a word stands on; 0 where there is none."""
        return int(self.line[int(self.bounds[document]) + word])

    def select_documents(self, documents: Sequence[int]) -> Tokens:
        """Return Tokens of the documents with these numbers, in the order given; -1 stands for an empty document."""
        places = [np.arange(self.bounds[d], self.bounds[d + 1]) if d >= 0 else np.arange(0) for d in documents]
        bounds = np.cumsum([0, *(len(place) for place in places)])
        return self._select(np.concatenate([np.arange(0), *places]), bounds)

    def join_documents(self, first: Ints) -> Tokens:
        """Return Tokens with fewer documents: each goes from one of the documents with numbers `first` to the next."""
        document = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        numbers = self.sentence + document * (1 + int(self.sentence.max(initial=0)))
        return Tokens(
            self.buffer,
            lambda: self.places,
            lambda: self.line,
            np.append(self.bounds[first], self.bounds[-1]),
            numbers=numbers,
            empty=self.empty,
            attributes=self.attributes,
        )

    def without_empty(self) -> Tokens:
        """Return Tokens without the words that are not written in the text."""
        if self.empty is None:
            return self
        bounds = np.append(0, np.cumsum(~self.empty))[self.bounds]
        return self._select(np.flatnonzero(~self.empty), bounds)

    def in_one_sentence(self) -> Tokens:
        """Return Tokens with the same words, those of each document in one sentence."""
        none = np.zeros(len(self.line), dtype=np.int64)
        return Tokens(
            self.buffer, self.places, self.line, self.bounds, numbers=none, empty=self.empty, attributes=self.attributes
        )

    def move_lines(self, move: Callable[[Ints], Ints]) -> Tokens:
        """Return Tokens with `move` applied to the lines, the gaps between a document's lines being the same."""
        return Tokens(
            self.buffer,
            lambda: self.places,
            lambda: move(self.line),
            self.bounds,
            numbers=self._numbers,
            empty=self.empty,
            attributes=self.attributes,
            frame=self.frame,
        )

    def _select(self, rows: Ints, bounds: Ints) -> Tokens:
        """Return Tokens of the words in these rows, divided into documents by these bounds."""
        return Tokens(
            self.buffer,
            lambda: (self.start[rows], self.end[rows]),
            lambda: self.line[rows],
            bounds,
            numbers=self.sentence[rows],
            empty=None if self.empty is None else self.empty[rows],
            attributes=LazyMapping({name: partial(self._pick_values, name, rows) for name in self.attributes}),
        )

    def _pick_values(self, attribute: str, rows: Ints) -> list[str]:
        """Return a list of an attribute's values in these rows."""
        values = self.attributes[attribute]
        return [values[row] for row in rows.tolist()]


class _DecodedWords(dict[bytes, str]):
    """{bytes of a word: the word}, filled when a word is first looked up."""

    def __missing__(self, encoded: bytes) -> str:
        word = self[encoded] = encoded.decode("utf-8", "replace")
        return word


def join_tokens(parts: Sequence[Tokens]) -> Tokens:
    """Return one Tokens of the documents of several, one after another; attributes that one lacks are "" there."""
    shift = np.cumsum([0, *(len(part.buffer) for part in parts)])
    before = np.cumsum([0, *(len(part.line) for part in parts)])
    names = dict.fromkeys(name for part in parts for name in part.attributes)
    return Tokens(
        b"".join(part.buffer for part in parts),
        lambda: (
            np.concatenate([part.start + s for part, s in zip(parts, shift[:-1], strict=True)]),
            np.concatenate([part.end + s for part, s in zip(parts, shift[:-1], strict=True)]),
        ),
        lambda: np.concatenate([part.line for part in parts]),
        np.concatenate([parts[0].bounds[:1], *(p.bounds[1:] + b for p, b in zip(parts, before[:-1], strict=True))]),
        numbers=np.concatenate([part.sentence for part in parts]),
        empty=np.concatenate([part.unwritten for part in parts]),
        attributes=LazyMapping({name: partial(_join_values, name, parts) for name in names}),
    )


def _join_values(name: str, parts: Sequence[Tokens]) -> list[str]:
    """Return one list of an attribute's values in all parts, one after another; "" where a part lacks it."""
    return [value for part in parts for value in part.attributes.get(name) or [""] * len(part.line)]


def find_differing_words(one: Tokens, other: Tokens) -> Booleans:
    """Return for each word whether it differs in two Tokens that have the same number of words."""
    differs = _compare_words(one, other)
    if np.array_equal(one.bounds, other.bounds) and not differs.any():
        other.share_words(one)
    return differs


def _compare_words(one: Tokens, other: Tokens) -> Booleans:
    """Return for each word whether it differs in two Tokens: by all bytes around them, or else word by word."""
    if (
        one.frame is not None
        and other.frame is not None
        and _are_same_around_cells(one, one.frame(), other, other.frame())
    ):
        return np.zeros(len(one), dtype=np.bool_)
    length = one.end - one.start
    differs = length != other.end - other.start
    left = np.flatnonzero(~differs)
    pages = _view_windows(one), _view_windows(other)
    masks = np.array([(1 << (8 * size)) - 1 for size in range(_CHUNK + 1)], dtype="<u8")  # the first bytes of a chunk
    offset = 0
    while len(left) and offset < _LONG:
        size = np.minimum(length[left] - offset, _CHUNK)
        mask = masks[size]
        a = _read_chunks(pages[0], one.start[left] + offset) & mask
        b = _read_chunks(pages[1], other.start[left] + offset) & mask
        differs[left] = a != b
        offset += _CHUNK
        left = left[(a == b) & (length[left] > offset)]
    for word in left.tolist():  # few are so long, and their rest is compared as a whole
        begin, end, their_begin, their_end = one.start[word], one.end[word], other.start[word], other.end[word]
        differs[word] = one.buffer[begin + offset : end] != other.buffer[their_begin + offset : their_end]
    return differs


def _are_same_around_cells(one: Tokens, ours: Frame, other: Tokens, theirs: Frame) -> bool:
    """Return whether two files have the same bytes outside of the cells that are marked in either of them."""
    cells = np.flatnonzero(ours.marked | theirs.marked)
    begin, end = np.append(0, ours.end[cells]), np.append(ours.begin[cells], len(one.buffer))
    their_begin, their_end = np.append(0, theirs.end[cells]), np.append(theirs.begin[cells], len(other.buffer))
    if not np.array_equal(end - begin, their_end - their_begin):
        return False
    between = zip(begin.tolist(), end.tolist(), their_begin.tolist(), their_end.tolist(), strict=True)
    return all(one.buffer[a:b] == other.buffer[c:d] for a, b, c, d in between)


def _view_windows(tokens: Tokens) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return a view with a row for each byte of the words' buffer: it and the seven behind it (zeros at the end)."""
    missing = int(tokens.end.max(initial=0)) + _CHUNK - len(tokens.buffer)
    buffer = tokens.buffer + bytes(max(0, missing))
    return np.lib.stride_tricks.sliding_window_view(np.frombuffer(buffer, dtype=np.uint8), _CHUNK)


def _read_chunks(windows: np.ndarray[tuple[int, int], np.dtype[np.uint8]], start: Ints) -> Ints:
    """Return for each start the eight bytes (a row of the windows) from there on as one integer."""
    return np.ascontiguousarray(windows[start]).view("<u8").reshape(-1)
