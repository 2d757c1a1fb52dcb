"""The version of a build, from the tag of its commit: python packaging/version.py v0.2.0 FOLDER

Hatchling asks `find_version` (pyproject.toml). A commit with a tag such as v0.2.0 is built as that version, and not at
all if the package itself says another one. Without a tag, as in a source archive, the package says it alone.

As a script: exit code 1, with a line for each file that says another version than the tag, or a changelog whose newest
section is about another one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "src/corefeval/__init__.py"
VERSIONS = {
    PACKAGE: r'^__version__ = "(.*)"$',
    "CITATION.cff": r"^version: (.*)$",
    "packaging/conda/recipe.yaml": r'^  version: "(.*)"$',
    "CHANGELOG.md": r"^## (.*)$",  # the newest section comes first
}
"""The files that say the version, and where: the first line that fits."""


def find_version(folder: Path = ROOT) -> str:
    """Return the version that the tag on the commit of a folder says, and its package; without a tag, the package."""
    tag = find_tag(folder)
    if tag is None:
        found = re.search(VERSIONS[PACKAGE], (folder / PACKAGE).read_text(encoding="utf-8"), re.MULTILINE)
        tag = found[1] if found else ""
    if faults := find_faults(tag, folder, (PACKAGE,)):
        raise ValueError("\n".join(faults))
    return tag.removeprefix("v")


def find_tag(folder: Path) -> str | None:
    """Return the tag of a release on the commit of a folder; None without one, without git, or without a history."""
    if not (folder / ".git").exists():
        return None
    command = ["git", "-C", str(folder), "describe", "--exact-match", "--tags", "--match", "v[0-9]*.[0-9]*"]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - nothing of it is input
    except FileNotFoundError:
        return None
    return done.stdout.strip() or None


def find_faults(tag: str, folder: Path, names: tuple[str, ...] = tuple(VERSIONS)) -> list[str]:
    """Return a line for each of some files that does not say the version of a tag; none if all do."""
    wanted = tag.removeprefix("v")
    faults = []
    for name in names:
        text = (folder / name).read_text(encoding="utf-8")
        found = re.search(VERSIONS[name], text, re.MULTILINE)
        if found is None:
            faults.append(f"{name}: it says no version; expected {wanted or 'one'}")
        elif found[1].split()[0] != wanted:
            line = text[: found.start()].count("\n") + 1
            faults.append(f"{name}:{line}: it says {found[1]}; expected {wanted}, as the tag {tag} does")
    return faults


if __name__ == "__main__":
    sys.exit("\n".join(find_faults(sys.argv[1], Path(sys.argv[2]))) or 0)
