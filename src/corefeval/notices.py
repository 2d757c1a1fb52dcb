"""What a user should know about a result: dropped mentions, missing documents, differing words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOST_OF_A_KIND = 1000


class Notice(NamedTuple):
    """One event, with its place. `kind` is for programs, `message` for people."""

    kind: str
    message: str
    details: Mapping[str, object] = MappingProxyType({})

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Notices travel from workers; a proxy of a dictionary cannot.
        return Notice, (self.kind, self.message, dict(self.details))

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        return {"kind": self.kind, "message": self.message, **self.details}


def named(kind: str, count: int, describe: Callable[[int], Notice]) -> tuple[Notice, ...]:
    """Name every event, or the first thousand and how many more there are."""
    shown = tuple(describe(event) for event in range(min(count, MOST_OF_A_KIND)))
    if count <= MOST_OF_A_KIND:
        return shown
    more = count - MOST_OF_A_KIND
    return (*shown, Notice(kind, f"and {more} more of kind {kind}", {"more": more}))
