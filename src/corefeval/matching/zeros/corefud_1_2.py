"""The CorefUD scorer 1.2 keeps who is matched with whom, both ways, in one dictionary by words.

Where a zero of one file stands in the place of another zero of the other file, the entry of one replaces the entry of
the other, and a mention is looked up as what it is not. This is that dictionary, as far as it goes wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.matching.matched import Asks, Changed
from corefeval.matching.rules import exact
from corefeval.notices import Notice

if TYPE_CHECKING:
    from corefeval._arrays import Ints

_NOTHING = 1 << 62  # no mention has this number


def asks(words: tuple[Ints, Ints], number: tuple[Ints, Ints]) -> Asks | None:
    """What is looked up in place of what, of mentions with these words, of which equal numbers are matched."""
    key, response = (_words_of_numbers(*side) for side in zip(words, number, strict=True))
    place = exact.last_row(response[0], key[0])
    ours, theirs = key[1][place >= 0], response[1][place[place >= 0]]
    differ = ours != theirs
    entry = np.concatenate([ours[differ], theirs[differ]])
    value = np.concatenate([theirs[differ], ours[differ]])
    found = Asks(_changed(key, response, entry, value), _changed(response, key, entry, value))
    return found if len(found.key.number) or len(found.response.number) else None


def notice(found: Asks) -> Notice:
    """What it comes to."""
    counts = len(found.key.number), len(found.response.number)
    message = (
        f"{counts[0]} mentions of the key and {counts[1]} of the response are looked up as zeros that stand in their "
        "place in the other file, as the CorefUD scorer 1.2 does; zeros=dependency finds them"
    )
    return Notice("crossed-zeros", message, {"key": counts[0], "response": counts[1]})


def _words_of_numbers(words: Ints, number: Ints) -> tuple[Ints, Ints]:
    """Every number once, and the words it stands for on its side."""
    distinct, first = np.unique(number, return_index=True)
    return distinct, words[first]


def _changed(side: tuple[Ints, Ints], other: tuple[Ints, Ints], entry: Ints, value: Ints) -> Changed:
    number, words = side
    at = exact.last_row(entry, words)
    asked = np.where(at >= 0, value[at], words) if len(entry) else words
    place = exact.last_row(other[1], asked)
    got = np.where(place >= 0, other[0][place], _NOTHING) if len(other[0]) else np.full(len(asked), _NOTHING)
    right = np.where(exact.last_row(other[0], number) >= 0, number, _NOTHING)
    wrong = got != right
    return Changed(number[wrong], got[wrong])
