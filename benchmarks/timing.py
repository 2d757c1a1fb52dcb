"""How long something takes, and how it is said."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def said(what: str, seconds: float, unit: float) -> None:
    """A line: the time, and how many times as long as something else that is."""
    print(f"  {what:<40} {1000 * seconds:10.1f} ms   {seconds / unit:7.2f} times")


def best(action: Callable[[], object], runs: int) -> float:
    """The shortest of some runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)
