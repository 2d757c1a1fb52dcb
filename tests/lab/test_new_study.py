"""A new study is one file and one line: the command and the page know it from there, as CONTRIBUTING says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import corefeval
from tests.data import ROOT


def test_a_file_and_a_line_are_a_study(tmp_path: Path) -> None:
    section = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A new study\n")[2].partition("\n## ")[0]
    )
    module, line = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    package = tmp_path / "corefeval"
    shutil.copytree(Path(corefeval.__file__).parent, package)
    (package / "lab" / "studies" / "lea_section_3_2.py").write_text(module, encoding="utf-8")
    registry = package / "lab" / "registry.py"
    text = registry.read_text(encoding="utf-8")
    assert text.count("STUDIES = (\n") == 1
    registry.write_text(text.replace("STUDIES = (\n", f"STUDIES = (\n{line}"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "corefeval", "lab", "lea-section-3-2", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    content = json.loads(done.stdout)
    assert (content["title"], content["holds"]) == ("Boundary responses by B³", True)
    assert [value["ours"] for value in content["values"]] == [100, 100]
