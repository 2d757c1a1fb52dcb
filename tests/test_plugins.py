"""Measures and formats of other packages: the example that ships with the project, installed as one."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import corefeval
from corefeval import plugins
from corefeval.measures.muc import Muc
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


BROKEN = {
    "missing": "import nowhere_at_all",
    "raises": "raise RuntimeError('no luck')",
    "exits": "import sys; sys.exit(3)",
    "syntax": "def (",
    "wrong": "thing = 7",
}


@pytest.fixture
def broken(tmp_path: Path, installed: dict[str, str]) -> dict[str, str]:
    """The environment of `installed` with packages that cannot be loaded, or whose functions fail, beside the example."""
    site = tmp_path / "site"
    for name, source in BROKEN.items():
        (site / f"bad_{name}.py").write_text(source)
    (site / "bad_parts.py").write_text(
        "TITLE = EXAMPLE = 'bad'; SUFFIXES = ('.bad',); COMPANIONS = (); CAPACITY = None\n"
        "def recognise(beginning):\n    return 1 / 0\n"
        "def read(file):\n    return 'no corpus'\n"
    )
    (site / "bad_measure.py").write_text(
        "from corefeval.measures.muc import Muc\n"
        "class Fails(Muc):\n    name = 'fails'\n    def count(self, views):\n        raise KeyError('count')\n"
        "class Odd(Muc):\n    name = 'odd'\n    def __init__(self, **_):\n        raise ValueError('odd')\n"
    )
    formats = [f"{name} = bad_{name}{':thing' if name == 'wrong' else ''}" for name in BROKEN]
    measures = [f"m{name} = bad_{name}:{'thing' if name == 'wrong' else 'Measure'}" for name in BROKEN]
    entries = ["[corefeval.formats]", *formats, "parts = bad_parts", "[corefeval.measures]", *measures,
               "fails = bad_measure:Fails", "odd = bad_measure:Odd"]  # fmt: skip
    (site / "bad-1.dist-info").mkdir()
    (site / "bad-1.dist-info" / "METADATA").write_text("Name: bad\nVersion: 1\n")
    (site / "bad-1.dist-info" / "entry_points.txt").write_text("\n".join(entries))
    return installed


def test_a_broken_package_is_named(broken: dict[str, str]) -> None:
    for name in BROKEN:
        for command in (("measures", f"m{name}"), ("formats", name)):
            done = run(broken, *command)
            assert (done.returncode, "Traceback" in done.stderr) == (2, False), command
            assert name in done.stderr
    assert (
        "missing, from bad_missing, cannot be loaded: ModuleNotFoundError" in run(broken, "formats", "missing").stderr
    )
    assert "no luck" in run(broken, "measures", "mraises").stderr


def test_a_broken_package_breaks_only_itself(tmp_path: Path, broken: dict[str, str]) -> None:
    """The example beside it works, and so do recognition, directories, other measures and both lists."""
    (tmp_path / "key").write_text(KEY)
    (tmp_path / "response").write_text(RESPONSE)
    both = str(tmp_path / "key"), str(tmp_path / "response")
    for more in ((), ("-m", "perfect_entities"), ("-m", "muc", "--strict")):
        done = run(broken, "score", *both, "-v", *more)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("missing, from bad_missing, cannot be loaded") == 1
        assert "parts cannot recognise: ZeroDivisionError" in done.stderr
    folders = [tmp_path / name for name in ("keys", "responses")]
    for folder, text in zip(folders, (KEY, RESPONSE), strict=True):
        folder.mkdir()
        (folder / "a.plain").write_text(text)
    done = run(broken, "score", *map(str, folders), "-m", "muc")
    assert done.returncode == 0, done.stderr
    done = run(broken, "convert", str(tmp_path / "key"), str(tmp_path / "out.plain"))
    assert done.returncode == 0, done.stderr
    for command in ("measures", "formats"):
        done = run(broken, command)
        assert done.returncode == 0, done.stderr
        assert "missing" in done.stderr
    assert "plain: a line for every mention" in run(broken, "formats").stdout
    assert "perfect_entities" in run(broken, "measures").stdout
    done = run(broken, "validate", str(tmp_path / "key"))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "parts"), "the plug-in parts cannot read: TypeError: a str came out"),
        (("--format", "wrong"), "wrong, a plug-in, is no format: it has no TITLE"),
        (("--format", "exits"), "exits, from bad_exits, cannot be loaded: SystemExit: 3"),
        (("-m", "fails"), "the plug-in fails cannot measure: KeyError: 'count'"),
        (("-m", "odd"), "the plug-in odd cannot be made a measure: ValueError: odd"),
        (("-m", "mwrong"), "mwrong, a plug-in, is not a class of measures: 7"),
    ],
)
def test_what_is_broken_is_refused_with_the_reason(
    tmp_path: Path, broken: dict[str, str], arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "key").write_text(KEY)
    done = run(broken, "score", str(tmp_path / "key"), str(tmp_path / "key"), *arguments)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_packages_that_come_while_a_process_runs_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert "late" not in plugins.list_plugins(plugins.MEASURES)
    about = tmp_path / "late-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: late\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{plugins.MEASURES}]\nlate = corefeval.measures.muc:Muc\n")
    os.utime(tmp_path, (1, 1))  # a file system may see no difference between two moments
    assert "late" in plugins.list_plugins(plugins.MEASURES)
    assert plugins.load_plugin(plugins.MEASURES, "late") is Muc
