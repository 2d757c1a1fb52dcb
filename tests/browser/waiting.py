"""Waiting for what a page shows."""

from __future__ import annotations

import time
from typing import Any


def wait(page: Any, condition: str, seconds: float = 15) -> None:
    """Wait until a condition holds; asked from outside, for the page's policy forbids to evaluate text within it."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, (condition, page.evaluate("document.querySelector('#message')?.textContent"))
        page.wait_for_timeout(10)
