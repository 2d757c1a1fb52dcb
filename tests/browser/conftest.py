"""A real browser, where there is one: Chromium of the system, driven by Playwright."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="pages are tested with playwright: pip install playwright"
    )
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("pages are tested in Chromium, which is not here: apt-get install chromium")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, where npm has brought it: scripts/test does."""
    path = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("accessibility is tested with axe-core, which is not here: npm install --prefix web")
    return path.read_text(encoding="utf-8")
