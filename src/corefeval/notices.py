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
        """Make a notice whose message begins with its place: `file:line: what`."""
        place = source if line is None else f"{source}:{line}"
        return cls(kind, f"{place}: {what}" if place else what, details, source, line)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Notices travel from workers; a proxy of a dictionary cannot.
        return Notice, (self.kind, self.message, dict(self.details), self.source, self.line)

    def to_dict(self) -> dict[str, object]:
        """Return the notice as in the JSON output; the place where it is known."""
        source = {"source": self.source} if self.source else {}
        line = {} if self.line is None else {"line": self.line}
        return {"kind": self.kind, "message": self.message, **source, **line, **self.details}


def describe_events(kind: str, count: int, describe: Callable[[int], Notice]) -> tuple[Notice, ...]:
    """Return a notice of every event, or of the first thousand, and one that says how many more there are."""
    shown = tuple(describe(event) for event in range(min(count, MOST_OF_A_KIND)))
    if count <= MOST_OF_A_KIND:
        return shown
    more = count - MOST_OF_A_KIND
    return (*shown, Notice(kind, f"and {more} more of kind {kind}", {"more": more}))


def check_strict(notices: Sequence[Notice], *, strict: bool) -> None:
    """Raise a StrictError with the messages of all notices, if `strict` and there are any."""
    if strict and notices:
        raise StrictError(Fault("", notice.message) for notice in notices)


def join_notices(several: Iterable[Iterable[Notice]]) -> tuple[Notice, ...]:
    """Return the notices of several results, each message once: that of the key is in all of them."""
    return tuple({notice.message: notice for notices in several for notice in notices}.values())
