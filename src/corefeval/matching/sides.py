"""Key and response on their way to the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.matching import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval.arrays import Ints
    from corefeval.corpus import Corpus
    from corefeval.notices import Notice
    from corefeval.overlap import Overlap


class Sides(NamedTuple):
    """Two corpora whose mentions are numbered: equal numbers are the same mention."""

    key: Corpus
    response: Corpus
    key_number: Ints
    response_number: Ints


class Changed(NamedTuple):
    """Numbers in whose place others are asked for."""

    number: Ints
    asked: Ints

    def __call__(self, numbers: Ints) -> Ints:
        """What is asked for, for every number."""
        place = exact.last_row(self.number, numbers)
        return np.where(place >= 0, self.asked[place], numbers) if len(self.number) else numbers


class Asks(NamedTuple):
    """What mentions of each side are looked up as in the other, where that is not what they are matched with."""

    key: Changed
    response: Changed


class Settled(NamedTuple):
    """Which rows of key and response are twins, what is to be said about it, and what the table has to know beside."""

    sides: Sides
    twin_key: Ints
    twin_response: Ints
    notices: tuple[Notice, ...] = ()
    seen_twice: Callable[[Overlap], Overlap] | None = None
