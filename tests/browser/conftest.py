"""A real browser, where there is one: Chromium of the system, driven by Playwright."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval.formats.draft import Draft
from corefeval.show import pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


@pytest.fixture(scope="session")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Pages of one, two and five systems by ten measures, with long names of all that has a name."""
    words = [f"international-organisation-of-standards-{place}" for place in range(40)]

    def corpus(entity: Callable[[int], str]) -> corefeval.Corpus:
        draft = Draft("made")
        for number in range(4):
            document = draft.add_document(f"collected works, volume {number}, as they were printed", words=words)
            for place in range(40):
                document.add_mention(entity(place), ((place, place),))
        return draft.build_corpus()

    measures = [
        *["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "exclusive_core", "adjusted_rand", "conll"]
    ]
    key = corpus(lambda place: str(place // 4))
    names = [
        "coref-spanbert-large-seed-42",
        "منظومة الإحالة الكبيرة جدا",
        "five shots, windows of 2,000 words",
        "a",
        "b" * 60,
    ]
    found = {
        name: corefeval.score(key, corpus(lambda place, at=at: str(place // (at + 2) % 7)), measures=measures)  # type: ignore[misc]
        for at, name in enumerate(names)
    }
    folder = tmp_path_factory.mktemp("ranked")
    for count in (1, 2, 5):
        pages.write({name: found[name] for name in names[:count]}, folder / f"{count}.html", resamples=100)
    return {count: folder / f"{count}.html" for count in (1, 2, 5)}
