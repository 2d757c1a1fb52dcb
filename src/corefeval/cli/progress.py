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
def shown(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None] | None]:
    """A function to be told what is done, how much of it, and of how much; None where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - loaded for terminals only
    from rich.progress import Progress  # noqa: PLC0415

    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks and time.monotonic() - began > _PATIENCE:
                tasks[what] = bar.add_task(what, total=total)
            if what in tasks:
                bar.update(tasks[what], completed=done)

        yield tell
