"""How a command ends: its exit code, and what it says when streams are closed or full, or the program is at fault."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

import corefeval
from tests.cli.running import Finished, run, run_process
from tests.data import EXAMPLES

KEY = str(EXAMPLES / "key.conll")
HERE = str(Path(corefeval.__file__).parent.parent)


@pytest.fixture(autouse=True)
def _listening() -> Iterator[None]:
    """Let processes hear interrupts even if the tests run in the background, where shells have them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def run_in_shell(redirected: str, *arguments: str, path: str = HERE) -> Finished:
    """Run `corefeval` with these arguments in a shell that redirects its streams."""
    command = f'"{sys.executable}" -m corefeval "$@" {redirected}'
    done = subprocess.run(
        ["bash", "-c", command, "corefeval", *arguments],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False, text=True,
    )  # fmt: skip
    return Finished(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("arguments", [("score", KEY, "-"), ("stats", "-"), ("validate", "-"), ("convert", "-", "-")])
def test_closed_standard_input_is_bad_data(arguments: tuple[str, ...]) -> None:
    done = run_in_shell("<&-", *arguments)
    assert done.returncode == 65
    assert "standard input: it is closed" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_standard_input_that_cannot_be_read_is_bad_data() -> None:
    done = run_in_shell("0>/dev/null", "score", KEY, "-")
    assert (done.returncode, done.stderr.startswith("standard input: cannot be read")) == (65, True)


@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("score", KEY, KEY), 0),
        (("score", KEY, KEY, "-v"), 0),
        (("score", KEY, "nothing"), 66),
        (("score", KEY), 2),
        (("score", KEY, KEY, "-m", "nothing"), 2),
        (("score", KEY, str(EXAMPLES / "response-b.conll"), "--fail-under", "conll=99"), 1),
    ],
)
def test_a_full_or_closed_standard_error_changes_no_exit_code(
    redirected: str, arguments: tuple[str, ...], code: int
) -> None:
    done = run_in_shell(redirected, *arguments)
    assert (done.returncode, done.stderr) == (code, "")


def put_module(folder: Path, name: str, source: str) -> str:
    """Write a module that is found before the installed one of that name; return the path that Python needs for it."""
    (folder / f"{name}.py").write_text(source)
    return f"{folder}:{HERE}"


@pytest.mark.parametrize("module", ["click", "numpy", "corefeval_unloaded"])
def test_an_interrupt_while_modules_are_loaded_is_no_traceback(tmp_path: Path, module: str) -> None:
    source = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)\n"
    done = run_in_shell("", "score", KEY, KEY, path=put_module(tmp_path, module, source))
    expected = (0, "") if module == "corefeval_unloaded" else (130, "")
    assert (done.returncode, done.stderr.strip()) == expected


def break_scoring(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make `corefeval.score` raise an error, as a fault in the program would."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(corefeval, "score", fail, raising=False)


def test_what_should_not_happen_ends_with_70_and_a_file_to_send(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    secret = tmp_path / "secret-project"
    secret.mkdir()
    key = secret / "key.conll"
    key.write_bytes(Path(KEY).read_bytes())
    break_scoring(monkeypatch, RuntimeError(f"no luck with {key}"))
    done = run("score", key, key, "-m", "muc")
    assert done.returncode == 70
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "this should not have happened: RuntimeError: no luck with …/key.conll" in done.stderr
    assert "lease report" in done.stderr
    (log,) = tmp_path.glob("corefeval-*.log")
    assert str(log) in done.stderr
    text = log.read_text(encoding="utf-8")
    assert f"corefeval {corefeval.__version__}, Python {sys.version.split()[0]}" in text
    assert "command: corefeval score …/key.conll …/key.conll -m muc" in text
    assert "RuntimeError: no luck with …/key.conll" in text
    assert "corefeval/cli/commands/score.py" in text
    assert "secret-project" not in text


def test_a_library_without_metadata_does_not_break_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def find_none(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    break_scoring(monkeypatch, RuntimeError("x"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(metadata, "version", find_none)
    assert run("score", KEY, KEY).returncode == 70
    (log,) = tmp_path.glob("corefeval-*.log")
    assert "rich: not installed as a package" in log.read_text(encoding="utf-8")


def test_where_no_file_can_be_written_the_text_to_send_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("full")

    break_scoring(monkeypatch, ZeroDivisionError("x"))
    monkeypatch.setattr("tempfile.mkstemp", fail)
    done = run("score", KEY, KEY)
    assert done.returncode == 70
    assert "lease report" in done.stderr
    assert f"corefeval {corefeval.__version__}" in done.stderr


@pytest.mark.parametrize(
    "error", [MemoryError(), RecursionError("deep"), FileNotFoundError(2, "gone", "x"), KeyError(1)]
)
def test_no_error_of_the_program_ends_with_1(monkeypatch: pytest.MonkeyPatch, error: Exception, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    break_scoring(monkeypatch, error)
    done = run("score", KEY, KEY)
    assert (done.returncode, "Traceback" in done.stderr) == (70, False)


def test_debug_shows_the_traceback_and_keeps_the_exit_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("--debug", "score", KEY, "nothing", "-m", "no-measure")
    assert (done.returncode, "Traceback" in done.stderr, "no measure 'no-measure'" in done.stderr) == (2, True, True)
    break_scoring(monkeypatch, KeyError("x"))
    done = run("--debug", "score", KEY, KEY)
    assert (done.returncode, "Traceback" in done.stderr, "lease report" in done.stderr) == (70, True, True)


def test_the_command_listens_to_interrupts_before_it_loads_anything() -> None:
    """What comes before is the interpreter's own start, which no line of ours can guard."""
    code = (
        "import sys; before = set(sys.modules); from corefeval.__main__ import main;"
        "print(*sorted(set(sys.modules) - before - {*sys.builtin_module_names}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["corefeval", "corefeval.__main__"]


@pytest.mark.parametrize("number", [1, 2, 5, 20, 60, 100])
def test_an_interrupt_at_any_import_is_no_traceback(number: int) -> None:
    """The number counts what is imported after main() has begun."""
    code = f"""
import os, sys
from corefeval.__main__ import main
count = 0
def interrupt(event, arguments):
    global count
    count += event == "import"
    if event == "import" and count == {number}:
        os.kill(os.getpid(), 2)
sys.argv = ["corefeval", "measures"]
sys.addaudithook(interrupt)
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, "")


def test_an_interrupt_of_a_command_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    break_scoring(monkeypatch, KeyboardInterrupt())
    done = run("score", KEY, KEY)
    assert (done.returncode, done.stderr.strip()) == (130, "")


def test_the_process_says_the_same(tmp_path: Path) -> None:
    path = put_module(tmp_path, "numpy", "raise RuntimeError('broken')\n")
    done = run_process("score", KEY, KEY, environment={"PYTHONPATH": path, "TMPDIR": str(tmp_path)})
    assert done.returncode == 70
    assert "RuntimeError: broken" in done.stderr
    assert "Traceback" not in done.stderr
