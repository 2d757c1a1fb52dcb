"""Where tests find what they share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "project", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("project")

HERE = Path(__file__).parent
PUBLIC_DATA = HERE.parent.parent / "shared" / "data"


def golden(name: str) -> Any:
    """A file of numbers that were made elsewhere."""
    return json.loads((HERE / "golden" / name).read_text(encoding="utf-8"))


def public_data(folder: str) -> Path:
    """A folder of public test data, which does not come with the project."""
    path = PUBLIC_DATA / folder
    if not path.is_dir():
        pytest.skip(f"the public test data {folder!r} is not beside the project (../shared/data/{folder})")
    return path
