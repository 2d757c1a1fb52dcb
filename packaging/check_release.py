"""Compare the version of a tag with what the files say: python packaging/check_release.py v0.2.0 FOLDER

Exit code 1, with a line for each file that says another version, or a changelog without a section for this one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

VERSIONS = {
    "src/corefeval/__init__.py": r'^__version__ = "(.*)"$',
    "CITATION.cff": r"^version: (.*)$",
    "packaging/conda/recipe.yaml": r'^  version: "(.*)"$',
    "CHANGELOG.md": r"^## (.*)$",  # the newest section comes first
}
"""The files that say the version, and where: the first line that fits."""


def find_faults(tag: str, folder: Path) -> list[str]:
    """Return a line for each file that does not say the version of a tag; none if all do."""
    wanted = tag.removeprefix("v")
    faults = []
    for name, pattern in VERSIONS.items():
        text = (folder / name).read_text(encoding="utf-8")
        found = re.search(pattern, text, re.MULTILINE)
        if found is None:
            faults.append(f"{name}: it says no version; expected {wanted}")
        elif found[1].split()[0] != wanted:
            line = text[: found.start()].count("\n") + 1
            faults.append(f"{name}:{line}: it says {found[1]}; expected {wanted}, as the tag {tag} does")
    return faults


if __name__ == "__main__":
    sys.exit("\n".join(find_faults(sys.argv[1], Path(sys.argv[2]))) or 0)
