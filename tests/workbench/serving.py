"""A workspace behind the server's own code, in the test's process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from corefeval.workbench.running import choose_rules
from corefeval.workbench.server import build_application
from corefeval.workbench.workspace import Workspace

TOKEN, PORT = "the-token", 8123
BASE = f"http://127.0.0.1:{PORT}"
OPEN: list[Workspace] = []
"""Those that the end of a test closes."""


def make_client(folder: Path, measures: Any = ("muc", "bcub", "ceafe", "conll"), **decisions: str) -> TestClient:
    workspace = Workspace(str(folder), choose_rules(measures, decisions))
    OPEN.append(workspace)
    given = {"authorization": f"Bearer {TOKEN}"}
    return TestClient(
        build_application(workspace, TOKEN, PORT), base_url=BASE, headers=given, raise_server_exceptions=True
    )
