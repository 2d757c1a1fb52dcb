"""Mentions as brackets in the last cell of words' lines, word by word: `(12`, `12)`, `(12)|(7`."""

from __future__ import annotations

import re
from collections import defaultdict

from corefeval.formats.draft import DocumentDraft, Draft

_BRACKET = re.compile(r"(?:\(([^()|\s]+)\)|\(([^()|\s]+)|([^()|\s]+)\))(?:\s*\|\s*|\s+|$)")
_NO_MENTION = ("", "-", "_", "*")
_EXPECTED = "-, or brackets such as (12, 12) and (12), with | between them"


class CellReader:
    """Reads the cells of one document in order, and adds its mentions to the draft; `close` when all are read."""

    def __init__(self, document: DocumentDraft, draft: Draft) -> None:
        self._document, self._draft = document, draft
        self._open: dict[str, list[tuple[int, int]]] = defaultdict(list)

    def read_cell(self, cell: str, word: int, line: int) -> None:
        """Read the cell of a word, given by its number in the document; a fault if it cannot be read.

        One-word mentions come first, then opening brackets, then closing ones, each of the last opened of its entity.
        """
        if cell.strip() in _NO_MENTION:
            return
        found: tuple[list[str], list[str], list[str]] = ([], [], [])
        place, text = 0, cell.strip()
        while match := _BRACKET.match(text, place):
            kind = match.lastindex or 0
            found[kind - 1].append(match[kind])
            place = match.end()
        if place < len(text):
            self._draft.add_fault(line, f"{cell[:40]!r} is no coreference", _EXPECTED)
            return
        single, opened, closed = found
        for name in single:
            self._document.add_mention(name, (word, word), line=line)
        for name in opened:
            self._open[name].append((word, line))
        for name in closed:
            if self._open[name]:
                first, begin = self._open[name].pop()
                self._document.add_mention(name, (first, word), line=begin)
            else:
                self._draft.add_fault(line, f"entity {name} is closed, but not open", kind="bracket")

    def close(self) -> None:
        """Add a fault for every bracket that is still open."""
        for name, places in self._open.items():
            for _, line in places:
                what = f"the bracket of entity {name} is not closed in document {self._document.name!r}"
                self._draft.add_fault(line, what, kind="bracket")
