"""The workbench, served as users serve it: by the command, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serve(folder: Path, *arguments: str) -> Iterator[str]:
    """Run `corefeval serve` in a folder, and give the address that it prints, without the project's name."""
    command = [sys.executable, "-m", "corefeval", "serve", "--no-browser", *arguments]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        assert server.stderr is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), server.stderr.read()
        yield address.partition("#")[0]
    finally:
        server.terminate()
        _, complaints = server.communicate(timeout=10)
    assert "Traceback" not in complaints, complaints
