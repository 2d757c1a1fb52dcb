"""Progress: how far a long computation has come, reported to a function of the caller's."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and of how much."""


def count_progress(progress: Progress | None, step: str, total: int) -> Callable[[int], None]:
    """Return a function that takes how much more of a step is done, and reports how much is done in all."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(step, done, total)

    return advance
