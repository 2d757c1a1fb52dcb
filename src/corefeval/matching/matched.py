"""Key and response on their way to the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.matching.rules import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.repeats.lookup import Lookup
    from corefeval.notices import Notice
    from corefeval.overlap.cells import Rows
    from corefeval.overlap.table import Overlap

    SeenTwice = Callable[["Overlap", "Sides"], "Overlap"]
    """Adds to a one-to-one table what a scorer counts more than once."""


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
    seen_twice: SeenTwice | None = None

    def repeated(self) -> Repeated | None:
        """What counts repeated mentions on these rows, or on some of them."""
        if self.seen_twice is None:
            return None
        return Repeated(self.sides.key_number, self.sides.response_number, self.seen_twice)


class Repeated(NamedTuple):
    """The numbers of mentions, of which some are in several entities, and what counts those on a table."""

    key_number: Ints
    response_number: Ints
    seen_twice: SeenTwice

    def keep(self, key: Booleans, response: Booleans) -> Repeated:
        """The same for some of the mentions."""
        return self._replace(key_number=self.key_number[key], response_number=self.response_number[response])

    def counted(self, table: Overlap, rows: Rows) -> Overlap:
        """The one-to-one table of these rows with what is counted more than once."""
        return self.seen_twice(table, Sides(rows.key, rows.response, self.key_number, self.response_number))


@dataclass(frozen=True, slots=True)
class RepeatPolicy:
    """What is done about mentions in several entities of one side: `settle` says who is whose twin then.

    `lookup` says how a scorer looks mentions up in the other side, if it does.
    """

    settle: Callable[[Sides], Settled]
    lookup: Lookup | None = None
