"""scorch on two CoNLL files as its users run it: its converter for each file, then its command on both folders."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        sides = [Path(folder) / name for name in ("key", "response")]
        for side, source in zip(sides, sys.argv[1:3], strict=True):
            side.mkdir()
            subprocess.run([sys.executable, "-m", "scorch.conll", source, side], check=True)
        scorch = [sys.executable, "-c", "from scorch.main import main_entry_point; main_entry_point()"]
        subprocess.run([*scorch, *sides, Path(folder) / "scores"], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
