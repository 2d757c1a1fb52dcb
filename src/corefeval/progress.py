"""Progress: how far a long computation has come, reported to a function of the caller's, or of the command's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and of how much."""

_listener: ContextVar[Progress | None] = ContextVar("corefeval_progress", default=None)


def report_progress(step: str, done: int, total: int) -> None:
    """Report a step, how much of it is done, and of how much, to whoever listens."""
    listener = _listener.get()
    if listener is not None:
        listener(step, done, total)


@contextmanager
def listen_to_progress(listener: Progress) -> Iterator[None]:
    """While a block runs, call a function with all progress in it that has no function of its own."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def make_progress_counter(progress: Progress | None, step: str, total: int) -> Callable[[int], None]:
    """Return `advance(more)`: it adds to what is done of a step, and reports step, done and total to the caller."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        (progress or report_progress)(step, done, total)

    return advance
