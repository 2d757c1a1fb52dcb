"""Places in a text as Java and JavaScript count them: in UTF-16, where characters such as emoji are two."""

from __future__ import annotations

from bisect import bisect_left


class Utf16Places:
    """The places of a text, counted in UTF-16 and in characters.

    >>> places = Utf16Places("a\U0001f600b")
    >>> [places.to_character(place) for place in (0, 1, 2, 3, 4, 5)]
    [0, 1, None, 2, 3, None]
    >>> [places.from_character(place) for place in (0, 1, 2, 3)]
    [0, 1, 3, 4]
    """

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [] if text.isascii() else [place for place, letter in enumerate(text) if letter > "\uffff"]
        self._wide_in_utf16 = [place + before for before, place in enumerate(self._wide)]

    def to_character(self, place: int) -> int | None:
        """Return a place of UTF-16 in characters; None if it is outside of the text or within a character."""
        before = bisect_left(self._wide_in_utf16, place)
        within = before > 0 and self._wide_in_utf16[before - 1] == place - 1
        return None if within or not 0 <= place - before <= self._length else place - before

    def from_character(self, place: int) -> int:
        """Return a place of characters in UTF-16."""
        return place + bisect_left(self._wide, place)
