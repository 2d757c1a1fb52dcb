"""Progress: how far a long computation has come, reported to a function of the caller's."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and of how much."""


def make_progress_counter(progress: Progress | None, step: str, total: int) -> Callable[[int], None]:
    """Return `advance(more)`: it adds to what is done of a step, and reports step, done and total to the caller."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(step, done, total)

    return advance
