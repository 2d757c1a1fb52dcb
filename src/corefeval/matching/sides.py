"""Key and response on their way to the table: numbered mentions, then twins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.matching.numbers import find_last_rows
from corefeval.overlap.views import RepeatCounter

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.repeats.lookup import Lookup
    from corefeval.notices import Notice
    from corefeval.overlap.views import Views

    CountRepeats = Callable[["Views", "NumberedSides"], "Views"]
    """Adds to the views of a one-to-one table what a scorer counts more than once."""


class NumberedSides(NamedTuple):
    """Two corpora whose mentions are numbered: equal numbers are the same mention."""

    key: Corpus
    response: Corpus
    key_number: Ints
    response_number: Ints

    def keep(self, key: Booleans, response: Booleans) -> NumberedSides:
        """The sides with these mentions only."""
        return NumberedSides(
            self.key.keep(key), self.response.keep(response), self.key_number[key], self.response_number[response]
        )


class NumberChanges(NamedTuple):
    """Numbers of a side, and the numbers under which their mentions are looked up instead."""

    number: Ints
    lookup: Ints

    def apply(self, numbers: Ints) -> Ints:
        """Replace every number by the one that is looked up."""
        place = find_last_rows(self.number, numbers)
        return np.where(place >= 0, self.lookup[place], numbers) if len(self.number) else numbers


class LookupNumbers(NamedTuple):
    """For each side, the numbers under which a scorer looks mentions up in the other side, where they differ."""

    key: NumberChanges
    response: NumberChanges


class Matching(NamedTuple):
    """Which rows of key and response are twins, with notices, and what counts mentions that are in several entities."""

    sides: NumberedSides
    twin_key: Ints
    twin_response: Ints
    notices: tuple[Notice, ...] = ()
    count_repeats: CountRepeats | None = None

    @property
    def repeat_counter(self) -> RepeatCounter | None:
        """What counts repeated mentions on these rows, or on some of them."""
        count_repeats = self.count_repeats
        if count_repeats is None:
            return None

        def recount(views: Views) -> Views:
            mentions = views.mentions
            assert mentions is not None and mentions.repeated is not None  # noqa: S101, PT018 - only these are recounted
            numbers = mentions.repeated.key_number, mentions.repeated.response_number
            return count_repeats(views, NumberedSides(mentions.key, mentions.response, *numbers))

        return RepeatCounter(self.sides.key_number, self.sides.response_number, recount)


@dataclass(frozen=True, slots=True)
class RepeatPolicy:
    """What is done about mentions in several entities of one side: `settle` says who is whose twin then.

    `lookup` says how a scorer looks mentions up in the other side, if it does.
    """

    settle: Callable[[NumberedSides], Matching]
    lookup: Lookup | None = None
