"""Some documents out of files, read together: segments of files one after another, and where each line comes from."""

from __future__ import annotations

from collections.abc import Sequence

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple

_BOM = b"\xef\xbb\xbf"


class Segment(NamedTuple):
    """Whole lines of a file, which are one document or several in a row.

    begin, end: the places of their bytes in the file. lines_before: how many lines of the file are before them.
    lead: what must be read before them, since it holds for them, such as a declaration; "" if nothing must.
    """

    path: str
    begin: int
    end: int
    lines_before: int = 0
    lead: bytes = b""


class LineMap:
    """Which line of which file every line of joined segments is.

    first: the number, from 0, of the first line of every piece. before: what its numbers have less than in its file.
    """

    def __init__(self, first: Sequence[int], before: Sequence[int], paths: Sequence[str]) -> None:
        self._first, self._before, self._paths = np.array(first), np.array(before), paths

    def locate(self, line: int) -> tuple[str, int]:
        """Return the file and the line, from 1, of a line of the joined segments, from 1."""
        piece = max(0, int(np.searchsorted(self._first, line - 1, side="right")) - 1)
        return self._paths[piece], line + int(self._before[piece])

    def move(self, lines: Ints) -> Ints:
        """Return lines of files, from 1, for lines of the joined segments; 0, which is no line, stays."""
        piece = np.maximum(np.searchsorted(self._first, lines - 1, side="right") - 1, 0)
        return np.where(lines > 0, lines + self._before[piece], 0)


def join_segments(segments: Sequence[Segment], contents: Sequence[bytes]) -> tuple[bytes, LineMap]:
    """Return the bytes of segments with their contents, one after another with what leads them, and their line map."""
    pieces: list[bytes] = []
    first, before, paths = [], [], []
    lines = 0
    for segment, content in zip(segments, contents, strict=True):
        if segment.lead:
            pieces.append(segment.lead + b"\n")
            lines += 1
        first.append(lines)
        before.append(segment.lines_before - lines)
        paths.append(segment.path)
        content = content.removeprefix(_BOM)  # noqa: PLW2901 - it is at the beginning of files only
        pieces.append(content if content.endswith(b"\n") else content + b"\n")
        lines += pieces[-1].count(b"\n")
    return b"".join(pieces), LineMap(first, before, paths)
