"""What a user is told: notices about a result (dropped mentions, missing documents), and how far a computation is."""

from __future__ import annotations

import functools
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from corefeval._lazy import NamedTuple
from corefeval.errors import Fault, StrictError, decode_escaped_bytes, escape_controls

MOST_OF_A_KIND = 1000
BROKEN_PLUGIN = "broken-plugin"
"""The kind of notices that are about an installed package, and not about data: no error, whatever is asked for."""

Given = ParamSpec("Given")
Made = TypeVar("Made")
Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and of how much."""

_listener: ContextVar[Progress | None] = ContextVar("corefeval_progress", default=None)
_announces: ContextVar[bool] = ContextVar("corefeval_announces", default=True)
_delay_printer: ContextVar[Callable[[str], None] | None] = ContextVar("corefeval_delay_printer", default=None)


class CorefevalWarning(UserWarning):
    """What a user should know about a result, as a Python warning."""


class Notice(NamedTuple):
    """One thing that a user should know: `kind` for programs, `message` for people; source, line: its place, if any."""

    kind: str
    message: str
    details: Mapping[str, object] = MappingProxyType({})
    source: str = ""
    line: int | None = None

    @classmethod
    def at(
        cls, kind: str, source: str, line: int | None, what: str, details: Mapping[str, object] = MappingProxyType({})
    ) -> Notice:
        """Return a notice at a place, with the message `source:line: what`, less a line or source that is unknown."""
        source = decode_escaped_bytes(source)
        place = source if line is None else f"{source}:{line}"
        return cls(kind, f"{place}: {what}" if place else what, details, source, line)

    def __str__(self) -> str:
        return escape_controls(self.message)

    def __reduce__(self) -> tuple[object, ...]:
        # Notices travel from workers; a proxy of a dictionary cannot.
        return Notice, (self.kind, self.message, dict(self.details), self.source, self.line)

    def to_dict(self) -> dict[str, object]:
        """Return a flat dictionary for JSON: kind, message, source and line where known, and the notice's details."""
        source = {"source": self.source} if self.source else {}
        line = {} if self.line is None else {"line": self.line}
        return {"kind": self.kind, "message": self.message, **source, **line, **self.details}


def count_things(count: int, thing: str, one: str = "", many: str = "") -> str:
    """Return a count with its noun, singular for one, and what follows: "1 entity", "1,000 mentions", "2 files have".

    one, many: what follows then, such as a verb: `count_things(1, "mention", "has", "have")` is "1 mention has".
    """
    shown = f"{count:,} {thing if count == 1 else make_plural(thing)}"
    behind = one if count == 1 else many
    return f"{shown} {behind}" if behind else shown


def count_part(count: int, whole: int, thing: str, one: str = "", many: str = "") -> str:
    """Return a part of a count with its noun and its verb: "1 of 3 mentions has", "2 of 3 mentions have"."""
    behind = one if count == 1 else many
    return f"{count:,} of {count_things(whole, thing)}{f' {behind}' if behind else ''}"


def make_plural(thing: str) -> str:
    """Return the plural of a noun: "entities", "mentions"."""
    return f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"


def make_notices(kind: str, count: int, make: Callable[[int], Notice]) -> tuple[Notice, ...]:
    """Return a tuple: `make(0)`, `make(1)` … for `count` notices; of over a thousand, a last one says how many more."""
    shown = tuple(make(index) for index in range(min(count, MOST_OF_A_KIND)))
    if count <= MOST_OF_A_KIND:
        return shown
    more = count - MOST_OF_A_KIND
    return (*shown, Notice(kind, f"and {more} more of kind {kind}", {"more": more, "like": shown[0].message}))


def check_strict(notices: Sequence[Notice], *, strict: bool) -> None:
    """Raise a StrictError with the messages of notices if `strict` and there are any, broken plug-ins aside."""
    found = [notice for notice in notices if notice.kind != BROKEN_PLUGIN]
    if strict and found:
        raise StrictError(Fault("", notice.message) for notice in found)


def join_notices(lists: Iterable[Iterable[Notice]]) -> tuple[Notice, ...]:
    """Return the notices of several lists as one tuple, each message once ("and 5 more" once per first message)."""
    listed = [notice for notices in lists for notice in notices]
    return tuple({(notice.message, notice.details.get("like")): notice for notice in listed}.values())


def summarise_notices(notices: Iterable[Notice]) -> list[str]:
    """Return a list with a line for each kind of notice: its first message, and how many more of the kind there are."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for notice in notices:
        first.setdefault(notice.kind, str(notice))
        counts[notice.kind] += int(str(notice.details.get("more", 1)))
    return [
        f"{message} (and {counts[kind] - 1:,} more of kind {kind})" if counts[kind] > 1 else message
        for kind, message in first.items()
    ]


def announce_notices(function: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorate a public function: new notices in what it returns also become one Python warning, at the caller's line.

    What it calls announces nothing by itself, and notices that its arguments carry were announced when these were made.
    """

    @functools.wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        """Return what the function returns; warn of its notices that no argument has, unless warnings are held."""
        if not _announces.get():
            return function(*args, **kwargs)
        token = _announces.set(False)
        try:
            made = function(*args, **kwargs)
        finally:
            _announces.reset(token)
        if notices := _get_notices(made):
            known = {notice.message for each in (*args, *kwargs.values()) for notice in _get_notices(each)}
            lines = summarise_notices(notice for notice in notices if notice.message not in known)
            if lines:
                warnings.warn("\n".join(lines), CorefevalWarning, stacklevel=2)
        return made

    return call


@contextmanager
def hold_announcements() -> Iterator[None]:
    """While a block runs, let no function make Python warnings of notices."""
    token = _announces.set(False)
    try:
        yield
    finally:
        _announces.reset(token)


def announce_delay(message: str) -> None:
    """Tell the user at once what will take long and why, as a Python warning or, in a command, by what prints it."""
    if (show := _delay_printer.get()) is not None:
        show(message)
    else:
        warnings.warn(message, CorefevalWarning, stacklevel=2)


@contextmanager
def print_delays(show: Callable[[str], None]) -> Iterator[None]:
    """While a block runs, let `show` print what will take long, instead of Python warnings."""
    token = _delay_printer.set(show)
    try:
        yield
    finally:
        _delay_printer.reset(token)


def _get_notices(value: object) -> list[Notice]:
    """Return a list of the notices that a value has, or the members of a mapping, list or tuple have or are."""
    if isinstance(found := getattr(value, "notices", None), tuple):
        return list(found)
    parts = value.values() if isinstance(value, Mapping) else value if type(value) in (tuple, list) else ()
    notices: list[Notice] = []
    for part in parts:  # type: ignore[attr-defined]
        if isinstance(part, Notice):
            notices.append(part)
        elif isinstance(found := getattr(part, "notices", None), tuple):
            notices += found
    return notices


def report_progress(step: str, done: int, total: int) -> None:
    """Call the function that listens to progress, if any, with a step, how much of it is done, and of how much."""
    listener = _listener.get()
    if listener is not None:
        listener(step, done, total)


@contextmanager
def listen_to_progress(listener: Progress) -> Iterator[None]:
    """While a block runs, let `listener` be called with whatever `report_progress` reports in it."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def make_progress_counter(progress: Progress | None, step: str, total: int) -> Callable[[int], None]:
    """Return a function `advance(more)` that adds to what is done of a step and tells `progress` or listeners of it."""
    done = 0

    def advance(more: int) -> None:
        """Add `more` to what is done, and report the step, what is done and the total."""
        nonlocal done
        done += more
        (progress or report_progress)(step, done, total)

    return advance
