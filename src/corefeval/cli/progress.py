"""A progress bar for what takes longer than half a second, on a terminal."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PATIENCE = 0.5  # seconds


@contextmanager
def show_progress(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None] | None]:
    """Yield a function that takes what is being done, how much is done, and of how much; None off a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - loaded for terminals only
    from rich.progress import Progress  # noqa: PLC0415

    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks and time.monotonic() - began > _PATIENCE:
                tasks[what] = bar.add_task(what, total=total)
            if what in tasks:
                bar.update(tasks[what], completed=done)

        yield report
