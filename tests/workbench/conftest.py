"""Projects that a test has opened are closed at its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.workbench.serving import OPEN


@pytest.fixture(autouse=True)
def _close_workspaces() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()
