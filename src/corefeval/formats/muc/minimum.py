"""MUC's MIN: the words of a mention that stand for it, several possibilities with `|` between them.

    <COREF ID="45" MIN="F14|Tomcat">The F14 Tomcat</COREF>

Blanks stand for any run of blanks. Where the same words come twice in a mention, MIN means the first of them, and words
of their own rather than parts of others. A minimum elsewhere cannot be told by MUC's means: then corefeval also writes
MINPLACE="first-last", in characters of the document's text, and other programs find what MIN says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from corefeval.formats.shared import markup

if TYPE_CHECKING:
    from corefeval.formats.draft import Span

_PLACE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


def find(written: str, text: str, start: int, end: int) -> Span | None:
    """The first and last character of the first possibility that is found in text[start:end]."""
    inside = text[start:end]
    for whole, anywhere in _possibilities(written):
        match = whole.search(inside) or anywhere.search(inside)
        if match:
            return start + match.start(), start + match.end() - 1
    return None


def at(place: str, written: str, text: str) -> Span | None:
    """The place that MINPLACE tells, if the text there is what MIN says."""
    match = _PLACE.fullmatch(place)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2])
    fits = last < len(text) and any(each.fullmatch(text, first, last + 1) for _, each in _possibilities(written))
    return (first, last) if fits else None


@lru_cache(maxsize=1000)
def _possibilities(written: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """A pattern for words of their own and one for anything; blanks stand for any run of them."""
    patterns = []
    for each in written.split("|"):
        pattern = r"[ \t\n\r\f\v]+".join(
            re.escape(markup.resolve_references(word)) for word in markup.BLANKS.split(each) if word
        )
        if pattern:
            patterns.append((re.compile(rf"(?<!\w){pattern}(?!\w)"), re.compile(pattern)))
    return tuple(patterns)
