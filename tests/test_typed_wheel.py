"""The wheel is typed: a small program of a user passes mypy --strict against what is installed from it."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PROGRAM = """
from pathlib import Path

import corefeval

evaluation: corefeval.Evaluation = corefeval.score([["a", "b"]], [["a", "b"]], measures=["muc"], match="exact")
scores: dict[str, corefeval.Score] = dict(evaluation)
f1: float = evaluation["muc"].f1
text: str = evaluation.to_markdown(digits="truncate", per_document=True)
comparison: corefeval.Comparison = corefeval.compare([["a", "b"]], {"a": [["a", "b"]], "b": [["a"]]}, singletons="drop")
analysis: corefeval.Analysis = corefeval.analyse([["a", "b"]], [["a", "b"]], profile="coval")
diff: corefeval.Diff = corefeval.diff([["a"]], [["a"]], [["a"]], strict=True)
derivation: corefeval.Derivation = corefeval.explain("muc", [["a", "b"]], [["a", "b"]], average="macro")
found: corefeval.Explanation = corefeval.why("key", "response", to="coval")
stats: corefeval.Stats = corefeval.stats("key", "response")
validation: corefeval.Validation = corefeval.validate("response", key="key")
page: Path = corefeval.report("key", {"a": "response"}, "page.html", zeros="drop").path
figure: Path = corefeval.plot("errors", "key", {"a": "response"}, "figure.svg", layer="identity").path
notices: tuple[corefeval.Notice, ...] = corefeval.convert("key.conll", "key.json")
line: int | None = notices[0].line
results: list[dict[str, object]] = [
    each.to_dict() for each in (evaluation, comparison, analysis, diff, derivation, found, stats, validation)
]
"""

WRONG = """
import corefeval

corefeval.score([["a"]], [["a"]], mtach="exact")
corefeval.compare([["a"]], {"a": [["a"]]}, mtach="exact")
corefeval.agree({"a": [["a"]]}, mtach="exact")
corefeval.analyse([["a"]], [["a"]], mtach="exact")
corefeval.diff([["a"]], [["a"]], [["a"]], mtach="exact")
corefeval.explain("muc", [["a"]], [["a"]], mtach="exact")
corefeval.report("key", {"a": "response"}, "page.html", mtach="exact")
corefeval.plot("errors", "key", {"a": "response"}, "figure.svg", mtach="exact")
corefeval.score([["a"]], [["a"]]).to_markdown(digits="rounded")
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment that has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(build, check=True)
    venv.create(folder / "environment", with_pip=False)
    (wheel,) = folder.glob("corefeval-*.whl")
    (packages,) = (folder / "environment").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(packages)
    return folder / "environment" / "bin" / "python"


def check(program: str, python: Path, folder: Path) -> list[str]:
    """What mypy --strict says about a program that uses the installed wheel, line by line."""
    pytest.importorskip("mypy", reason="types are checked by mypy")
    (folder / "program.py").write_text(program)
    options = ["--strict", "--no-error-summary", "--config-file=", f"--python-executable={python}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, f"--cache-dir={python.parent / 'cache'}", "program.py"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout.splitlines()


def test_a_program_of_a_user_is_checked_against_the_wheel(python: Path, tmp_path: Path) -> None:
    assert check(PROGRAM, python, tmp_path) == []


def test_misspelt_decisions_and_digits_are_found(python: Path, tmp_path: Path) -> None:
    """Every function that takes decisions names them: none swallows a misspelt one."""
    wrong = check(WRONG, python, tmp_path)
    assert len({line.split(":")[1] for line in wrong if ": error:" in line}) == 9, wrong
