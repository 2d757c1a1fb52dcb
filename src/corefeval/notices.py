"""What a user should know about a result: dropped mentions, missing documents, differing words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from corefeval.errors import Fault, StrictError

MOST_OF_A_KIND = 1000


class Notice(NamedTuple):
    """One event. `kind` is for programs, `message` for people, with its place; source, line: the place, where known."""

    kind: str
    message: str
    details: Mapping[str, object] = MappingProxyType({})
    source: str = ""
    line: int | None = None

    @classmethod
    def at(
        cls, kind: str, source: str, line: int | None, what: str, details: Mapping[str, object] = MappingProxyType({})
    ) -> Notice:
        """Make a notice whose message is `file:line: what`; what is not known of the place is left out."""
        place = source if line is None else f"{source}:{line}"
        return cls(kind, f"{place}: {what}" if place else what, details, source, line)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Notices travel from workers; a proxy of a dictionary cannot.
        return Notice, (self.kind, self.message, dict(self.details), self.source, self.line)

    def to_dict(self) -> dict[str, object]:
        """Return the notice as a dictionary for JSON: kind, message, source and line where known, and its details."""
        source = {"source": self.source} if self.source else {}
        line = {} if self.line is None else {"line": self.line}
        return {"kind": self.kind, "message": self.message, **source, **line, **self.details}


def make_notices(kind: str, count: int, make: Callable[[int], Notice]) -> tuple[Notice, ...]:
    """Return `make(0)`, `make(1)` ..., a notice of each of `count` events; after a thousand, one says how many more."""
    shown = tuple(make(event) for event in range(min(count, MOST_OF_A_KIND)))
    if count <= MOST_OF_A_KIND:
        return shown
    more = count - MOST_OF_A_KIND
    return (*shown, Notice(kind, f"and {more} more of kind {kind}", {"more": more}))


def check_strict(notices: Sequence[Notice], *, strict: bool) -> None:
    """Raise a StrictError with the messages of all notices, if `strict` and there are any."""
    if strict and notices:
        raise StrictError(Fault("", notice.message) for notice in notices)


def join_notices(lists: Iterable[Iterable[Notice]]) -> tuple[Notice, ...]:
    """Return the notices of several lists as one tuple, each message once."""
    return tuple({notice.message: notice for notices in lists for notice in notices}.values())
