"""The words of a corpus, as places in one buffer: decoded when someone asks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefeval.arrays import Booleans, Ints

_CHUNK = 8


class Tokens(NamedTuple):
    """Words [start, end) of `buffer`, the documents' one after another; `bounds` says where each document begins."""

    buffer: bytes
    start: Ints
    end: Ints
    line: Ints
    bounds: Ints

    @classmethod
    def of_words(cls, documents: Iterable[Sequence[str]]) -> Tokens:
        """From words, document by document."""
        listed = [list(document) for document in documents]
        encoded = [word.encode("utf-8", "surrogateescape") for document in listed for word in document]
        length = np.array([len(word) for word in encoded], dtype=np.int64)
        end = np.cumsum(length)
        bounds = np.cumsum([0, *(len(document) for document in listed)])
        return cls(b"".join(encoded), end - length, end, np.zeros(len(end), dtype=np.int64), bounds)

    def padded(self) -> bytes:
        """The buffer with at least eight bytes from the beginning of every chunk of every word on."""
        reach = int(self.end.max(initial=0)) + _CHUNK
        return self.buffer if reach <= len(self.buffer) else self.buffer + bytes(reach - len(self.buffer))

    def length(self, document: int) -> int:
        """How many words a document has."""
        return int(self.bounds[document + 1] - self.bounds[document])

    def words(self, document: int, first: int = 0, last: int | None = None) -> list[str]:
        """The words `first` to `last`, both included, of a document; all of them by default."""
        begin = int(self.bounds[document]) + first
        stop = int(self.bounds[document + 1]) if last is None else int(self.bounds[document]) + last + 1
        places = zip(self.start[begin:stop].tolist(), self.end[begin:stop].tolist(), strict=True)
        return [self.buffer[a:b].decode("utf-8", "replace") for a, b in places]

    def line_of(self, document: int, word: int) -> int:
        """The line of the file that a word stands on; 0 where there is none."""
        return int(self.line[int(self.bounds[document]) + word])

    def of_documents(self, documents: Sequence[int]) -> Tokens:
        """The words of some documents, in the order given; -1 stands for an empty document."""
        places = [np.arange(self.bounds[d], self.bounds[d + 1]) if d >= 0 else np.arange(0) for d in documents]
        bounds = np.cumsum([0, *(len(place) for place in places)])
        kept = np.concatenate(places) if places else np.arange(0)
        return Tokens(self.buffer, self.start[kept], self.end[kept], self.line[kept], bounds)


def joined(parts: Sequence[Tokens]) -> Tokens:
    """The documents of several files, one after another."""
    shift = np.cumsum([0, *(len(part.buffer) for part in parts)])
    before = np.cumsum([0, *(len(part.start) for part in parts)])
    return Tokens(
        b"".join(part.buffer for part in parts),
        np.concatenate([part.start + s for part, s in zip(parts, shift[:-1], strict=True)]),
        np.concatenate([part.end + s for part, s in zip(parts, shift[:-1], strict=True)]),
        np.concatenate([part.line for part in parts]),
        np.concatenate([parts[0].bounds[:1], *(p.bounds[1:] + b for p, b in zip(parts, before[:-1], strict=True))]),
    )


def differing(one: Tokens, other: Tokens) -> Booleans:
    """Which words differ, for two columns of the same length."""
    length = one.end - one.start
    differs = length != other.end - other.start
    left = np.flatnonzero(~differs)
    pages = _windows(one.padded()), _windows(other.padded())
    offset = 0
    while len(left):
        size = np.minimum(length[left] - offset, _CHUNK)
        mask = _MASKS[size]
        a = _gather(pages[0], one.start[left] + offset) & mask
        b = _gather(pages[1], other.start[left] + offset) & mask
        differs[left] = a != b
        offset += _CHUNK
        left = left[(a == b) & (length[left] > offset)]
    return differs


_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_CHUNK + 1)], dtype="<u8")


def _windows(buffer: bytes) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Every run of eight bytes of the buffer, as a view."""
    return np.lib.stride_tricks.sliding_window_view(np.frombuffer(buffer, dtype=np.uint8), _CHUNK)


def _gather(windows: np.ndarray[tuple[int, int], np.dtype[np.uint8]], start: Ints) -> Ints:
    return np.ascontiguousarray(windows[start]).view("<u8").reshape(-1)
