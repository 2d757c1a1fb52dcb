"""What the documentation says is what the program does."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_of_formats_is_made_from_the_formats() -> None:
    made = runpy.run_path(str(DOCS / "make_formats.py"))["made"]
    assert made() == (DOCS / "formats.md").read_text(encoding="utf-8"), "run: python docs/make_formats.py"


def test_the_page_of_profiles_is_made_from_the_profiles() -> None:
    made = runpy.run_path(str(DOCS / "make_profiles.py"))["made"]
    assert made() == (DOCS / "profiles.md").read_text(encoding="utf-8"), "run: python docs/make_profiles.py"
