"""MIN: the words of a mention that stand for it, looked up in its text."""

from __future__ import annotations

import re
from functools import lru_cache

from corefeval.formats.draft import Span
from corefeval.formats.shared import markup

_PLACE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


def choose_minimum(written: str, place: str, text: str, start: int, end: int) -> Span | None:
    """Return first and last character of the minimum of a mention, which is text[start:end]; None if it is not found.

    Where the same words occur twice in a mention, MIN (`written`) means the first of them, and whole words rather than
    parts. For others, corefeval writes MINPLACE="first-last" (`place`), in characters of the document's text; MUC has
    nothing for them.
    """
    given = _PLACE.fullmatch(place)
    if given:
        first, last = int(given[1]), int(given[2])
        patterns = _compile_possibilities(written)
        if last < len(text) and any(anywhere.fullmatch(text, first, last + 1) for _, anywhere in patterns):
            return first, last
    return find_minimum(written, text, start, end)


def find_minimum(written: str, text: str, start: int, end: int) -> Span | None:
    """Return (first, last) of the first possibility of a MIN that is found in text[start:end]; None if none is."""
    inside = text[start:end]
    for whole, anywhere in _compile_possibilities(written):
        match = whole.search(inside) or anywhere.search(inside)
        if match:
            return start + match.start(), start + match.end() - 1
    return None


@lru_cache(maxsize=1000)
def _compile_possibilities(written: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return for every possibility of a MIN a pair of patterns: for whole words, and for the same anywhere."""
    patterns = []
    for possibility in written.split("|"):
        words = [re.escape(markup.resolve_references(word)) for word in markup.BLANKS.split(possibility) if word]
        pattern = r"[ \t\n\r\f\v]+".join(words)
        if pattern:
            patterns.append((re.compile(rf"(?<!\w){pattern}(?!\w)"), re.compile(pattern)))
    return tuple(patterns)
