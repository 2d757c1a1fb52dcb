"""Where the tests find files: examples, documentation, numbers made elsewhere, public data."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import corefeval

TESTS = Path(__file__).parent
ROOT = TESTS.parent
EXAMPLES = ROOT / "examples"
DOCS = ROOT / "docs"
PUBLIC_DATA = ROOT.parent / "shared" / "data"


def golden(name: str) -> Any:
    """Return the content of a JSON file of numbers that were made elsewhere."""
    return json.loads((TESTS / "golden" / name).read_text(encoding="utf-8"))


@cache
def read_once(path: Path) -> corefeval.Corpus:
    """Return the corpus of a file, which is read once for all tests of a process; a corpus cannot be changed."""
    return corefeval.read(path)


def public_data(folder: str) -> Path:
    """Return a folder of public test data, which does not come with the project; skip the test without it."""
    path = PUBLIC_DATA / folder
    if not path.is_dir():
        pytest.skip(f"the public test data {folder!r} is not beside the project (../shared/data/{folder})")
    return path
