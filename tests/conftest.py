"""How tests run: hypothesis draws the same examples each time; what is the same for all tests is done once."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # here and in processes that tests start, of which some run at once

thorough = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True, max_examples=100
)
settings.register_profile("thorough", thorough)
settings.register_profile("quick", thorough, max_examples=20)
settings.load_profile("quick")


@pytest.fixture(scope="session", autouse=True)
def _find_entry_points_once() -> Iterator[None]:
    """Look for plug-ins once per search path: to read what a hundred packages register takes as long as to score."""
    find_entry_points: Any = metadata.entry_points

    @cache
    def find_once(_: tuple[str, ...], **selected: str) -> Any:
        return find_entry_points(**selected)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(metadata, "entry_points", lambda **selected: find_once(tuple(sys.path), **selected))
        yield


def pytest_collection_finish() -> None:
    """Let the garbage collector run seldom, and never through the thousands of tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
