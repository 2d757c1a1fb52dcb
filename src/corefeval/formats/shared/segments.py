"""Some documents out of files, read together: their lines one after another, and where each line comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple, cached

_BOM = b"\xef\xbb\xbf"


class IndexedDocument(NamedTuple):
    """A document and where it is: some whole lines of a file.

    begin, end: the places of its bytes in the file; if that is read as a whole, as many bytes as are its part.
    layout: what its format says of the file; documents can be read together if theirs are equal. None if the file can
    only be read as a whole.
    lines_before: how many lines of the file are before its own.
    lead: what must be read before it, since it holds for it, such as a declaration; "" if nothing must.
    """

    name: str
    path: str
    begin: int
    end: int
    layout: Any = None
    lines_before: int = 0
    lead: bytes = b""

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.end - self.begin


class IndexedDocuments(list[IndexedDocument]):
    """A list of documents, which goes to another process as plain tuples, in a fraction of the time."""

    def __reduce__(self) -> tuple[object, ...]:
        return _make_documents, (list(map(tuple, self)),)


def _make_documents(rows: Iterable[Iterable[Any]]) -> IndexedDocuments:
    """Return the documents with these fields each."""
    return IndexedDocuments(map(IndexedDocument._make, rows))


class LineMap:
    """Which line of which file every line of joined documents is, found when it is asked for.

    data: the joined documents. places: where in it the lines of each begin.
    """

    def __init__(self, data: bytes, documents: Sequence[IndexedDocument], places: Sequence[int]) -> None:
        self._data, self._documents, self._places = data, documents, places

    @cached
    def _first(self) -> Ints:
        """The number, from 0, of the first line of every document."""
        line_ends = np.flatnonzero(np.frombuffer(self._data, dtype=np.uint8) == ord("\n"))
        return np.searchsorted(line_ends, self._places)

    @cached
    def _before(self) -> Ints:
        """What the numbers of every document's lines have less than in its file."""
        return np.array([document.lines_before for document in self._documents], dtype=np.int64) - self._first

    def locate(self, line: int) -> tuple[str, int]:
        """Return the file and the line, from 1, of a line of the joined documents, from 1."""
        piece = max(0, int(np.searchsorted(self._first, line - 1, side="right")) - 1)
        return self._documents[piece].path, line + int(self._before[piece])

    def move(self, lines: Ints) -> Ints:
        """Return lines of files, from 1, for lines of the joined documents; 0, which is no line, stays."""
        piece = np.maximum(np.searchsorted(self._first, lines - 1, side="right") - 1, 0)
        return np.where(lines > 0, lines + self._before[piece], 0)


def join_contents(documents: Sequence[IndexedDocument], contents: Sequence[bytes]) -> tuple[bytes, LineMap]:
    """Return the contents of documents, one after another with what leads them, and the map of their lines."""
    pieces: list[bytes] = []
    places = []
    length = 0
    for document, content in zip(documents, contents, strict=True):
        if document.lead:
            pieces.append(document.lead + b"\n")
            length += len(pieces[-1])
        places.append(length)
        content = content.removeprefix(_BOM)  # noqa: PLW2901 - it is at the beginning of files only
        pieces.append(content if content.endswith(b"\n") else content + b"\n")
        length += len(pieces[-1])
    data = b"".join(pieces)
    return data, LineMap(data, documents, places)
