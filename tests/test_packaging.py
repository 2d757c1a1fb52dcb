"""What other tools read to install, run and cite the program: it parses, and what it runs exists."""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import corefeval
from tests.cli.running import run
from tests.data import DOCS, EXAMPLES, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def write_side(path: Path, entities: list[list[str]]) -> str:
    path.write_text(json.dumps({f"d{number}": entities for number in range(30)}), encoding="utf-8")
    return str(path)


def run_action(**inputs: str) -> int:
    """Run the last step of the action as a runner does, and return its exit code."""
    step = load("action.yml")["runs"]["steps"][-1]
    known = load("action.yml")["inputs"]
    values = {name: inputs.get(name, each.get("default")) for name, each in known.items()}
    environment = {name: values[text.strip("${} ").removeprefix("inputs.")] for name, text in step["env"].items()}
    return subprocess.run(["bash", "-e", "-c", step["run"]], env=COMMANDS | environment, check=False).returncode


def test_the_action_fails_for_a_worse_response_only(tmp_path: Path) -> None:
    key = write_side(tmp_path / "key.json", [["a", "b", "c"], ["d", "e"]])
    worse = write_side(tmp_path / "worse.json", [["a", "b"], ["c", "d", "e"]])
    assert run_action(key=key, baseline=worse, response=key, options="--resamples 100 -q") == 0
    assert run_action(key=key, baseline=key, response=worse, options="--resamples 100 -q") == 1


def test_the_hook_validates_files(tmp_path: Path) -> None:
    (hook,) = load(".pre-commit-hooks.yaml")
    name, *arguments = shlex.split(hook["entry"])
    assert name in PROJECT["scripts"]
    example = EXAMPLES / "key.conll"
    assert re.search(hook["files"], str(example))
    assert run(*arguments, example).returncode == 0
    broken = tmp_path / "broken.conll"
    broken.write_text("#begin document (d); part 000\nd 0 0 a (1\n#end document\n", encoding="utf-8")
    assert run(*arguments, example, broken).returncode == 65


def test_the_conda_recipe_says_what_the_package_says() -> None:
    recipe = load("packaging/conda/recipe.yaml")
    run_time = [requirement.replace(" ", "") for requirement in recipe["requirements"]["run"]]
    assert run_time == [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]
    assert recipe["about"]["summary"] == PROJECT["description"]
    assert recipe["build"]["python"]["entry_points"] == [f"{k} = {v}" for k, v in PROJECT["scripts"].items()]
    for command in recipe["tests"][1]["script"]:
        assert run(*shlex.split(command)[1:]).returncode == 0


def test_versions_are_the_same_everywhere() -> None:
    named = [load("CITATION.cff")["version"], load("packaging/conda/recipe.yaml")["package"]["version"]]
    assert set(named) == {corefeval.__version__}


RELEASED = {
    "src/corefeval/__init__.py": '__version__ = "1.2.0"\n',
    "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.0\n",
    "packaging/conda/recipe.yaml": 'schema_version: 1\npackage:\n  version: "1.2.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## 1.2.0 (2027-01-05)\n\n- Faster.\n\n## 1.1.0\n",
}


@pytest.mark.parametrize(
    ("changed", "text", "said"),
    [
        ("CITATION.cff", "cff-version: 1.2.0\nversion: 1.1.0\n", "CITATION.cff:2: it says 1.1.0; expected 1.2.0"),
        ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- Faster.\n", "CHANGELOG.md:3: it says Unreleased"),
        ("src/corefeval/__init__.py", "", "src/corefeval/__init__.py: it says no version; expected 1.2.0"),
    ],
)
def test_a_release_is_refused_where_files_say_another_version_than_its_tag(
    tmp_path: Path, changed: str, text: str, said: str
) -> None:
    for name, content in RELEASED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    command = [sys.executable, str(ROOT / "packaging" / "version.py"), "v1.2.0", str(tmp_path)]
    assert subprocess.run(command, check=False, capture_output=True, text=True).stderr == ""
    (tmp_path / changed).write_text(text, encoding="utf-8")
    refused = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (refused.returncode, refused.stderr.startswith(said)) == (1, True), refused.stderr


def commit_release(folder: Path, *tags: str) -> Path:
    """Make a project with a history, whose only commit has these tags, and return its folder."""
    (folder / "src" / "corefeval").mkdir(parents=True)
    (folder / "src" / "corefeval" / "__init__.py").write_text('__version__ = "1.2.0"\n', encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    tagging = [["tag", tag] for tag in tags]
    for step in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "all"], *tagging):
        subprocess.run([*git, *step], check=True)
    return folder


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_a_build_has_the_version_of_its_tag(tmp_path: Path) -> None:
    version = runpy.run_path(str(ROOT / "packaging" / "version.py"))
    tagged = commit_release(tmp_path / "tagged", "mine", "v1.2.0")
    assert (version["find_tag"](tagged), version["find_version"](tagged)) == ("v1.2.0", "1.2.0")
    wrong = commit_release(tmp_path / "wrong", "v1.3.0")
    with pytest.raises(
        ValueError, match=r"__init__\.py:1: it says 1\.2\.0; expected 1\.3\.0, as the tag v1\.3\.0 does"
    ):
        version["find_version"](wrong)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_a_build_without_a_tag_has_the_version_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = runpy.run_path(str(ROOT / "packaging" / "version.py"))
    untagged = commit_release(tmp_path / "untagged", "mine")
    assert (version["find_tag"](untagged), version["find_version"](untagged)) == (None, "1.2.0")
    around = commit_release(tmp_path / "around", "v9.0.0")  # a source archive, unpacked within another project
    archive = around / "archive"
    shutil.copytree(around / "src", archive / "src")
    assert version["find_version"](archive) == "1.2.0"
    tagged = commit_release(tmp_path / "tagged", "v1.2.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (version["find_tag"](tagged), version["find_version"](tagged)) == (None, "1.2.0")


def test_a_release_begins_with_its_check() -> None:
    steps = load(".github/workflows/release.yml")["jobs"]["build"]["steps"]
    runs = [step["run"].split() for step in steps if "run" in step]
    assert runs[0] == ["bash", "scripts/release", "--check"]
    assert all((ROOT / run[1]).exists() for run in runs)


def test_the_man_page_is_that_of_the_commands() -> None:
    made = runpy.run_path(str(DOCS / "make_man.py"))["made"]()
    assert made == (ROOT / "packaging" / "corefeval.1").read_text(encoding="utf-8"), "run: python docs/make_man.py"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff, which shows man pages, is not here")
def test_the_man_page_can_be_shown() -> None:
    command = ["groff", "-ww", "-man", "-Tutf8", "-P-c", str(ROOT / "packaging" / "corefeval.1")]
    shown = subprocess.run(command, check=True, capture_output=True, text=True)
    assert shown.stderr == ""
    assert "Exit with 1 if a response is significantly worse" in re.sub(r".\x08", "", " ".join(shown.stdout.split()))


def test_the_image_has_what_the_build_needs() -> None:
    lines = (ROOT / "packaging" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line[1:] for line in lines if line[0] == "!"]
    assert all((ROOT / name).exists() for name in kept)
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    shared = hatch["build"]["targets"]["wheel"]["shared-data"]
    read = {"src", "pyproject.toml", PROJECT["readme"], *PROJECT["license-files"], *shared, hatch["version"]["path"]}
    assert read == set(kept)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_as_documented(shell: str) -> None:
    assert f"_COREFEVAL_COMPLETE={shell}_source corefeval" in (DOCS / "packaging.md").read_text(encoding="utf-8")
    assert "_corefeval_completion" in complete(f"{shell}_source")


def test_commands_are_completed() -> None:
    assert complete("bash_complete", COMP_WORDS="corefeval comp", COMP_CWORD="1") == "plain,compare\n"


SHELLS = {
    "bash": """
        eval "$(_COREFEVAL_COMPLETE=bash_source corefeval)"
        COMP_WORDS=(corefeval score --match he) COMP_CWORD=3
        _corefeval_completion corefeval
        echo "${COMPREPLY[@]}"
        """,
    "zsh": """
        autoload -Uz compinit && compinit -D
        eval "$(_COREFEVAL_COMPLETE=zsh_source corefeval)"
        [[ $_comps[corefeval] = _corefeval_completion ]]
        compadd() { print -r -- ${(P)@[-1]} }
        words=(corefeval score --match he) CURRENT=4
        _corefeval_completion
        """,
    "fish": """
        _COREFEVAL_COMPLETE=fish_source corefeval | source
        complete -C "corefeval score --match he"
        """,
}
"""What a shell has in the file that it reads at its start, and how it then completes a value."""


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete_values(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    command = [shell, "--norc" if shell == "bash" else "-f" if shell == "zsh" else "--no-config", "-c", SHELLS[shell]]
    done = subprocess.run(command, env=COMMANDS, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["head"], done.stderr


def complete(instruction: str, **words: str) -> str:
    """Run the command as a shell does that wants completions, and return what it prints."""
    environment = COMMANDS | {"_COREFEVAL_COMPLETE": instruction} | words
    return subprocess.run(["corefeval"], env=environment, check=False, capture_output=True, text=True).stdout
