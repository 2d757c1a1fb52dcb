"""How tests run: hypothesis draws the same examples each time; what is the same for all tests is done once."""

from __future__ import annotations

import gc
import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # here and in processes that tests start, of which some run at once

thorough = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True, max_examples=100
)
settings.register_profile("thorough", thorough)
settings.register_profile("quick", thorough, max_examples=20)
settings.load_profile("quick")


def pytest_collection_finish() -> None:
    """Let the garbage collector run seldom, and never through the thousands of tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
