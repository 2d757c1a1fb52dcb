"""Measures and formats of other packages: the example that ships with the project, installed as one."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import corefeval
from tests.data import EXAMPLES

EXAMPLE = EXAMPLES / "plugin"
KEY = "%plain\nstory Kim 0 1\nstory Kim 7 7\nstory Lee 4 4\n"
RESPONSE = "%plain\nstory 1 0 1\nstory 1 7 7\nstory 2 4 4\nstory 2 5 5\n"


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is installed: its files, and what an installer makes of its entry points."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = tmp_path / "site" / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())])
        for group, entries in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("\n".join(groups))
    here = Path(corefeval.__file__).parent.parent  # the package under test, wherever another one may be installed
    return {"PYTHONPATH": f"{tmp_path / 'site'}:{EXAMPLE / 'src'}:{here}", "PATH": ""}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corefeval", *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_a_measure_and_a_format_of_another_package(tmp_path: Path, installed: dict[str, str]) -> None:
    (tmp_path / "key").write_text(KEY)
    (tmp_path / "response").write_text(RESPONSE)
    done = run(
        installed, "score", str(tmp_path / "key"), str(tmp_path / "response"), "-m", "perfect_entities", "--csv", "-v"
    )
    assert "read as plain ('%plain' found)" in done.stderr
    assert "perfect_entities" in done.stdout
    values = next(line for line in done.stdout.splitlines() if "perfect_entities" in line)
    assert ",0.5,0.5,0.5" in values
    assert "perfect_entities" in run(installed, "measures").stdout
    assert "plain: a line for every mention" in run(installed, "formats").stdout


def test_its_files_are_converted_and_its_faults_told(tmp_path: Path, installed: dict[str, str]) -> None:
    source, target = tmp_path / "a.plain", tmp_path / "b.conll"
    source.write_text(KEY)
    assert run(installed, "convert", str(source), str(target)).returncode == 0
    assert run(installed, "convert", str(target), str(tmp_path / "c.plain")).returncode == 0
    assert sorted((tmp_path / "c.plain").read_text().splitlines()) == sorted(KEY.splitlines())
    source.write_text(KEY + "story\n")
    done = run(installed, "score", str(source), str(source))
    assert done.returncode == 65
    assert f"{source}:5: 'story' is not a mention; expected document" in done.stderr


def test_without_it_there_is_neither(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY)
    done = run({"PATH": ""}, "score", str(tmp_path / "key"), str(tmp_path / "key"))
    assert (done.returncode, "not in a known format" in done.stderr) == (65, True)


def test_a_broken_package_is_named(tmp_path: Path, installed: dict[str, str]) -> None:
    (entries,) = (tmp_path / "site").glob("*/entry_points.txt")
    entries.write_text("[corefeval.measures]\nperfect_entities = nowhere.at:all\n")
    (tmp_path / "key").write_text(KEY)
    done = run(installed, "measures", "perfect_entities")
    assert done.returncode == 2
    assert "perfect_entities, from nowhere.at:all, cannot be loaded" in done.stderr
