"""Key and response on their way to the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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


class Settled(NamedTuple):
    """Which rows of key and response are twins, what is to be said about it, and what the table has to know beside."""

    sides: Sides
    twin_key: Ints
    twin_response: Ints
    notices: tuple[Notice, ...] = ()
    seen_twice: Callable[[Overlap], Overlap] | None = None
